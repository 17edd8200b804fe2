"""How often somebody may do something: buckets of tokens, by visitor and by address.

A bucket holds some tokens, every deed takes one, and with time they come back. A visitor without
cookies is another one each time: so an address has a bucket too, a wide one, for there may be a
whole club behind it. What somebody is after may have one as well, so that many who try the same
from everywhere are slow. Buckets lie in Django's cache: in memory, or in the database that several
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

CLUB = 10  # how many visitors an address is good for


class Limit(NamedTuple):
    """How often one thing may be done."""

    name: str
    most: int  # at once
    seconds: float  # until there is one more


TABLES = Limit("tables", 30, 60)
SEATS = Limit("seats", 15, 20)
WORDS = Limit("words", 12, 2.5)
SIGN_INS = Limit("sign-ins", 10, 30)
SIGN_UPS = Limit("sign-ups", 5, 120)
RESETS = Limit("resets", 5, 300)
EXPORTS = Limit("exports", 3, 300)
UPLOADS = Limit("uploads", 40, 30)
STAFF = Limit("staff", 6, 60)  # attempts to log in as who runs the server
MAILS = Limit("mails", 10, 360)

_memory = Lock()


def is_allowed(request: HttpRequest, limit: Limit, aim: str = "") -> bool:
    """Take a token for something; False: there is none, and nothing is to be done.

    The `aim` is what somebody is after, such as the name of an account, whether there is one or
    not.
    """
    buckets = [(f"limit-{limit.name}-{visitor(request)}", limit.most)]
    if address := address_of(request):
        buckets.append((f"limit-{limit.name}-{address}", limit.most * CLUB))
    if aim:
        buckets.append((f"limit-{limit.name}-{sha256(aim.encode()).hexdigest()}", limit.most))
    with _alone([key for key, _most in buckets]):
        now = time()
        left = {key: _tokens(key, most, limit, now) for key, most in buckets}
        if min(left.values()) < 1:
            return False
        for key, most in buckets:
            full = most * limit.seconds  # after that it need not be kept
            cache.set(key, (left[key] - 1, now), full)
    return True


def address_of(request: HttpRequest) -> str:
    """From where a request comes; nothing: from this machine, or by a proxy that does not say."""
    try:
        address = _plain(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    return "" if address.is_loopback else network_of(str(address))


def network_of(address: str) -> str:
    """What counts as one place, however it is written: of IPv6 people have whole networks."""
    plain = _plain(address)
    if isinstance(plain, IPv6Address):
        return str(IPv6Network((int(plain), 64), strict=False))
    return str(plain)


def _plain(address: str) -> IPv4Address | IPv6Address:
    """An address; one of IPv4 may be written as one of IPv6."""
    found = ip_address(address)
    return getattr(found, "ipv4_mapped", None) or found


@contextmanager
def _alone(keys: Sequence[str]) -> Iterator[None]:
    """Nobody else takes from these buckets meanwhile, in any process.

    Those of the database are locked there, one by one: who waits for it holds up nobody else.
    """
    if not database.is_shared():
        with _memory:
            yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for key in sorted(keys):  # two who want the same ones cannot wait for each other
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])
        yield


def _tokens(key: str, most: int, limit: Limit, now: float) -> float:
    """How many there are now."""
    kept: tuple[float, float] = cache.get(key, (most, now))
    tokens, at = kept
    return min(most, tokens + max(0.0, now - at) * most / limit.most / limit.seconds)
