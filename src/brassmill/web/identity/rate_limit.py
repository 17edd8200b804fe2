"""Rate limits: token buckets by visitor and by address, and a few for the whole site.

A bucket holds some tokens, every action takes one, and they come back over time. Without cookies
every request is a new visitor, so an address has a bucket, too: a large one, since a whole club may
share it. The target of an action may have one as well, which slows down attempts on one account
from many addresses. Buckets live in Django's cache: in memory, or in the database that several
processes share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Lock
from time import time
from typing import NamedTuple

from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpRequest

from brassmill.web.identity.visitor import visitor
from brassmill.web.server import database

CLUB = 10  # visitors allowed for one address


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
STAFF = Limit("staff", 6, 60)  # attempts to log in to /admin/
MAILS = Limit("mails", 10, 360)
HINTS = Limit("hints", 20, 15)
REJECTED = Limit("rejected", 30, 5)  # forms that may have errors
INVITATIONS = Limit("invitations", 10, 8640, club=2, site=30)  # ten a day

_memory = Lock()


def is_allowed(request: HttpRequest, limit: Limit, aim: str = "") -> bool:
    """Take a token for an action; return False if there is none and the action must not happen.

    The `aim` is the target of the action, such as the name of an account, existing or not.
    """
    buckets = [(f"limit-{limit.name}-{visitor(request)}", limit.most)]
    if address := address_of(request):
        buckets.append((f"limit-{limit.name}-{address}", limit.most * (limit.club or CLUB)))
    if limit.site:
        buckets.append((f"limit-{limit.name}-site", limit.most * limit.site))
    if aim:
        buckets.append((f"limit-{limit.name}-{sha256(aim.encode()).hexdigest()}", limit.most))
    with _locked([key for key, _most in buckets]):
        now = time()
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
        address = _parsed(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    return "" if address.is_loopback else network_of(str(address))


def network_of(address: str) -> str:
    """Return the network that counts as one address: an IPv6 user has a whole network."""
    plain = _parsed(address)
    if isinstance(plain, IPv6Address):
        return str(IPv6Network((int(plain), 64), strict=False))
    return str(plain)


def _parsed(address: str) -> IPv4Address | IPv6Address:
    """Parse an address; IPv4 may be written as IPv6."""
    found = ip_address(address)
    return getattr(found, "ipv4_mapped", None) or found


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
    return min(most, tokens + max(0.0, now - at) * most / limit.most / limit.seconds)
