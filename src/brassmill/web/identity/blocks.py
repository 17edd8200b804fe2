"""Blocks: people who abuse the site may not start or join games, or chat.

Running games continue for the sake of the others. A blocked visitor still sees and plays their own,
unless the operator gives the seat to a bot or to someone else. A visitor is known by the key in
their cookie. Deleting the cookie makes a new visitor, so their address can be blocked, too. Only a
hash of an address is kept.
"""

from __future__ import annotations

from ipaddress import ip_address

from django.db.models import Q
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity.rate_limit import address_of
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import KEY, Block, Message, Seat
from brassmill.web.server.network import network_of


def is_blocked(request: HttpRequest) -> bool:
    """Is the visitor, or their address, blocked?"""
    who = Q(visitor=visitor(request))
    if network := network_hash(request):
        who |= Q(address=network)
    return Block.objects.filter(who).exists()


def block(who: str, reason: str = "") -> Block:
    """Block someone; raise an error if nobody, or more than one, matches."""
    made = find(who)
    if made.pk is None:
        made.reason = reason
        made.save()
    return made


def find(who: str) -> Block:
    """Find or make the block of an address, `TABLE:SEAT`, `#MESSAGE`, name or key, unsaved."""
    if is_address(who):
        return _of(address=hash_of(who), name=who)
    if who.startswith("#"):
        return of_author(_find_message(who))
    table_id, colon, seat = who.partition(":")
    held = Seat.objects.exclude(holder="")
    if colon:
        found = [each for each in held.filter(table=table_id) if is_called(each, seat)]
    else:
        found = list(held.filter(Q(name__iexact=who) | Q(holder=who)))
    if not found and len(who) == KEY:
        return _of(visitor=who, name=f"{who[:6]}…")
    if len({each.holder for each in found}) != 1:
        raise BrassError(_not_one(who, found))
    return _of(visitor=found[0].holder, name=found[0].name)


def of_author(message: Message) -> Block:
    """Return the block of a message's author, wherever they sit now."""
    if not message.author:  # older messages have no author
        raise BrassError(_("{name} is unknown").format(name=message.name))
    return _of(visitor=message.author, name=message.name)


def of_visitor(key: str, name: str) -> Block:
    """Return the block of a visitor who is known by their key."""
    return _of(visitor=key, name=name[:60])


def _of(name: str, **known: str) -> Block:
    return Block.objects.filter(**known).first() or Block(name=name, **known)


def _find_message(number: str) -> Message:
    """Find a message by `#` and its number."""
    digits = number.removeprefix("#")
    found = None
    if digits.isdecimal() and len(digits) < 16:
        found = Message.objects.filter(pk=int(digits)).first()
    if found is None:
        raise BrassError(_("no message {number}").format(number=number))
    return found


def is_called(seat: Seat, name: str) -> bool:
    """Does the seat have this name, or this number, counted from 1?"""
    return name in (str(seat.number + 1),) or seat.name.casefold() == name.strip().casefold()


def network_hash(request: HttpRequest) -> str:
    """Hash the network of a request; nothing for this machine or an unknown one."""
    address = address_of(request)
    return _hash(address) if address else ""


def is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def hash_of(address: str) -> str:
    """Hash an address: the address itself is not stored."""
    return _hash(network_of(address))


def _hash(network: str) -> str:
    return salted_hmac("brassmill.web.blocks", network, algorithm="sha256").hexdigest()


def _not_one(who: str, found: list[Seat]) -> str:
    if not found:
        words = _(
            "unknown person {name}; give an IP address, TABLE:SEAT, #MESSAGE, or the name of a "
            "player at a table"
        )
        return words.format(name=who)
    words = _("several players are called {name}; choose one by table: {seats}")
    seats = ", ".join(f"{seat.table_id}:{seat.number + 1}" for seat in found)
    return words.format(name=who, seats=seats)
