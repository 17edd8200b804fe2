"""Rate limits: token buckets by visitor and by address, and a few for the whole site.

A bucket holds some tokens, every action takes one, and they come back over time. Without cookies
every request is a new visitor, so an address has a bucket, too: a large one, since a whole club may
share it. The target of an action may have one as well, which slows down attempts on one account
from many addresses. Buckets live in Django's cache: in memory, or in the database that several
processes share.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpRequest

from brassmill.web.identity.visitor import visitor
from brassmill.web.server import database, network, site_url

CLUB = 10  # visitors allowed for one address
CROWD = 100  # visitors allowed for all whose address a proxy does not pass on


class Limit(NamedTuple):
    """How often one action is allowed."""

    name: str
    most: int  # in a burst
    seconds: float  # until a token comes back
    club: int = 0  # visitors allowed for one address; 0: as many as usual
    site: int = 0  # visitors allowed for the whole site; 0: any number


TABLES = Limit("tables", 30, 60)
SEATS = Limit("seats", 15, 20)
WORDS = Limit("words", 12, 2.5)
SIGN_INS = Limit("sign-ins", 10, 30)
SIGN_UPS = Limit("sign-ups", 5, 120)
RESETS = Limit("resets", 5, 300)
EXPORTS = Limit("exports", 3, 300)
UPLOADS = Limit("uploads", 40, 30)
REPLAYS = Limit("replays", 60, 2)  # uploaded games that must be read first
STAFF = Limit("staff", 6, 60)  # attempts to log in to /admin/
MAILS = Limit("mails", 10, 360)
CLICKS = Limit("clicks", 30, 10)  # after the many that a turn may have (`click_limit.py`)
ATTEMPTS = Limit("attempts", 60, 10)  # at puzzles
ANALYSES = Limit("analyses", 12, 7200, club=5)  # twelve a day
QUEUED = Limit("queued", 3, 600, club=2)  # analyses: no address fills the queue
BOARDS = Limit("boards", 120, 1)  # clicks on analysis boards
POSITIONS = Limit("positions", 240, 0.5)  # read and changed in the editor
PICTURES = Limit("pictures", 30, 6, club=2)  # and records that take long to make
FILMS = Limit("films", 6, 60, club=2)  # drawn to be downloaded
SEARCHES = Limit("searches", 120, 0.5)  # of the archive
SELECTIONS = Limit("selections", 6, 60, club=2)  # of the archive, as a file
FOLLOWING = Limit("following", 60, 5, club=2)  # and bookmarks
LONG_PAGES = Limit("long-pages", 60, 1, club=3)  # made of many games or rows
SETTINGS = Limit("settings", 20, 30, club=2)  # of notifications, and vacations
HINTS = Limit("hints", 20, 15)
MISTAKES = Limit("mistakes", 20, 10)  # actions that the coach looks at without being asked
REQUESTS = Limit("requests", 10, 30)  # to the other players of a game
ABSENCES = Limit("absences", 10, 30)  # seats handed to a bot for a while
REJECTED = Limit("rejected", 30, 5)  # forms that may have errors
TOKENS = Limit("tokens", 10, 60)  # made for programs
REPORTS = Limit("reports", 5, 1800)  # of players
CLUBS = Limit("clubs", 5, 3600)  # founded
MEMBERS = Limit("members", 60, 5)  # what is done in clubs
WEBHOOKS = Limit("webhooks", 10, 360)
CALENDARS = Limit("calendars", 60, 30)  # programs that read them have no cookie
TOURNAMENTS = Limit("tournaments", 10, 360)  # made or managed
ENTRIES = Limit("entries", 30, 20)  # joining tournaments and leaving them
INVITATIONS = Limit("invitations", 10, 8640, club=2, site=30)  # ten a day

log = logging.getLogger("brassmill.web")

_memory = Lock()


def is_allowed(request: HttpRequest, limit: Limit, aim: str = "") -> bool:
    """Take a token for an action; return False if there is none and the action must not happen.

    The `aim` is the target of the action, such as the name of an account, existing or not.
    """
    buckets = [(f"limit-{limit.name}-{visitor(request)}", limit.most)]
    if address := address_of(request):
        buckets.append((f"limit-{limit.name}-{address}", limit.most * (limit.club or CLUB)))
    elif settings.NAMES or settings.SITE or site_url.came_by_proxy(request):
        _warn_once()
        buckets.append((f"limit-{limit.name}-crowd", limit.most * CROWD))
    if limit.site:
        buckets.append((f"limit-{limit.name}-site", limit.most * limit.site))
    if aim:
        buckets.append((f"limit-{limit.name}-{sha256(aim.encode()).hexdigest()}", limit.most))
    with _locked([key for key, _most in buckets]):
        now = database.now().timestamp()  # the same clock for all processes
        left = {key: _tokens(key, most, limit, now) for key, most in buckets}
        if min(left.values()) < 1:
            return False
        for key, most in buckets:
            full = most * limit.seconds  # by then the bucket is full and need not be stored
            cache.set(key, (left[key] - 1, now), full)
    return True


def address_of(request: HttpRequest) -> str:
    """Return the address of a request; nothing for this machine or a proxy that does not say."""
    try:
        address = network.parsed(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    return "" if address.is_loopback else network.network_of(str(address))


@functools.cache
def _warn_once() -> None:
    log.warning(
        "a visitor's address is unknown, so rate limits by address do not work: if there is a proxy"
        " or tunnel, let it send X-Forwarded-For"
    )


@contextmanager
def _locked(keys: Sequence[str]) -> Iterator[None]:
    """Lock these buckets against every other process.

    In the database they are locked one by one, so nobody waits for an unrelated bucket.
    """
    if not database.is_shared():
        with _memory:
            yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for key in sorted(keys):  # in a fixed order, to avoid deadlock
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])
        yield


def _tokens(key: str, most: int, limit: Limit, now: float) -> float:
    """Return the number of tokens now."""
    kept: tuple[float, float] = cache.get(key, (most, now))
    tokens, at = kept
    if at > now:  # the clock was set back: count from now, or no token would come for long
        at = now
        cache.set(key, (tokens, at), most * limit.seconds)
    return min(most, tokens + (now - at) * most / limit.most / limit.seconds)
