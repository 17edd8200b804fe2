"""Accounts: a name, a password, an optional address, and everything that belongs to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Model

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.archive import following
from brassmill.web.daily import attempts
from brassmill.web.delivery import choices
from brassmill.web.identity.names import login_of
from brassmill.web.mail import addresses, queue
from brassmill.web.models import (
    Account,
    Block,
    Contact,
    Message,
    PlayerReport,
    Report,
    Seat,
    Table,
    Upload,
)
from brassmill.web.page.game_list import tables_of
from brassmill.web.puzzles import ratings
from brassmill.web.setup import programs
from brassmill.web.setup.chairs import PERSON, Chair
from brassmill.web.table import archived, sessions

LONGEST_PASSWORD = 1000

# Our words for the findings of Django's validators: Django's own are not translated here.
WEAK = {
    "password_too_short": N_("This password is too short: use at least {min_length} characters."),
    "password_too_similar": N_("This password is too similar to your name or e-mail address."),
    "password_too_common": N_("This password is too common."),
    "password_entirely_numeric": N_("This password has digits only: add letters."),
}
# Every field that holds a visitor's key as an owner. A new one must be added here.
HOLDINGS: tuple[tuple[type[Model], str], ...] = (
    (Table, "host"),
    (Seat, "holder"),
    (Seat, "former"),
    (Message, "author"),
    (Upload, "visitor"),
    (PlayerReport, "visitor"),
    (PlayerReport, "about"),
)


class Refused(BrassError):  # noqa: N818 (the name says what happened)
    """An account cannot be created or changed as asked; holds a message for each field."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = dict(faults)


# --- create and change ---------------------------------------------------------------------------


class Address(NamedTuple):
    """An e-mail address and what it is for."""

    address: str = ""
    resets: bool = True  # a forgotten password
    wants_mail: bool = False  # about games

    @property
    def for_resets(self) -> str:
        """The address to send password resets to, or nothing."""
        return self.address if self.resets else ""


NO_ADDRESS = Address()


def create(name: str, password: str, address: Address = NO_ADDRESS) -> Account:
    """Create an account; raise `Refused` if a field is invalid."""
    user = User(username=login_of(name), email=address.for_resets)
    _check(
        name=name_fault(name),
        address=address_fault(address.address),
        password=password_fault(password, user),
    )
    user.set_password(password)
    account = Account(user=user, name=" ".join(name.split()))
    _save(account, address)
    return account


def change(account: Account, name: str, address: Address) -> None:
    """Change the name or address; raise `Refused` if a field is invalid."""
    user = account.user
    is_same = login_of(name) == user.username
    _check(
        name="" if name == account.name else name_fault(name, is_own=is_same),
        address=address_fault(address.address),
    )
    account.name = " ".join(name.split())
    user.username, user.email = login_of(name), address.for_resets
    with transaction.atomic():
        _save(account, address)
        if not is_same:
            archived.reread_seats_of(account)


def address_of(account: Account) -> Address:
    """Return an account's address and what it is for."""
    contact = addresses.of(account.key)
    return Address(contact.address, bool(account.user.email), contact.wants_mail)


def change_password(account: Account, password: str) -> None:
    """Change the password and sign out every browser."""
    user = account.user
    _check(password=password_fault(password, user))
    user.set_password(password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        account.sign_ins.all().delete()


def _check(**faults: str) -> None:
    found = {field: fault for field, fault in faults.items() if fault}
    if found:
        raise Refused(found)


def _save(account: Account, address: Address) -> None:
    try:
        with transaction.atomic():
            account.user.save()
            account.user_id = account.user.pk
            account.save()
            addresses.change(account.key, address.address, wants_mail=address.wants_mail)
    except IntegrityError:  # another request took the name first
        raise Refused({"name": taken(account.name)}) from None


# --- validation ----------------------------------------------------------------------------------


def name_fault(name: str, *, is_own: bool = False) -> str:
    """Say why a name cannot be used, or return nothing; a valid name is valid for a seat, too."""
    if not name.strip():
        return _("Enter your name.")
    try:
        Chair(0, PERSON, name).seat()
    except BrassError as fault:
        return str(fault)
    if not login_of(name):  # one letter may normalise to several
        return _("{name} is not allowed as a player's name.").format(name=name)
    if not is_own and User.objects.filter(username=login_of(name)).exists():
        return taken(name)
    return ""


def taken(name: str) -> str:
    return _("The name {name} is taken.").format(name=" ".join(name.split()))


def address_fault(address: str) -> str:
    """Say why an address is invalid, or return nothing; an address is optional."""
    if not address:
        return ""
    try:
        queue.address_in(address)
    except BrassError as fault:
        return str(fault)
    return ""


def password_fault(password: str, user: User) -> str:
    """Say why a password is too weak, or return nothing."""
    if len(password) > LONGEST_PASSWORD:
        return _("This password is too long: use at most {most} characters.").format(
            most=LONGEST_PASSWORD
        )
    try:
        validate_password(password, user)
    except ValidationError as weak:
        first = weak.error_list[0]  # fixing the first may fix the others
        return _(WEAK[str(first.code)]).format(**first.params or {})
    return ""


# --- ownership -----------------------------------------------------------------------------------


def adopt(account: Account, key: str) -> None:
    """Give the account everything that this browser did before it signed in."""
    move(key, account.key)


def move(old: str, new: str) -> bool:
    """Give everything that one key owns to another; False if it owns nothing."""
    tables = list(tables_of(old).values_list("pk", flat=True))
    with transaction.atomic():
        # Locked first and in order, as every change of seats does: that avoids deadlocks.
        list(Table.objects.select_for_update().filter(pk__in=tables).order_by("pk"))
        moved = Contact.objects.filter(visitor=old).count()
        for model, field in HOLDINGS:
            moved += model._default_manager.filter(**{field: old}).update(**{field: new})
        if programs.is_program(new):
            Seat.objects.filter(holder=new).update(program=True)
        moved += attempts.merge(old, new)
        told = Report.objects.filter(visitor=new).values("message")
        Report.objects.filter(visitor=old).exclude(message__in=told).update(visitor=new)
        addresses.move(old, new)
        moved += ratings.move(old, new)
        moved += following.move(old, new)
        moved += choices.move(old, new)
        if not Block.objects.filter(visitor=new).exists():
            for block in Block.objects.filter(visitor=old):  # the browser stays blocked, too
                block.pk, block.visitor = None, new
                block.save(force_insert=True)
        sessions.changed(*tables)
    return moved > 0
