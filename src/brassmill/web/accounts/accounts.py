"""Accounts: a name, a password, an optional address, and everything that belongs to them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Model

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.mail import addresses, queue
from brassmill.web.models import Account, Block, Message, Report, Seat, Table, Upload
from brassmill.web.page.game_list import tables_of
from brassmill.web.setup.chairs import PERSON, Chair
from brassmill.web.table import sessions

LONGEST_LOGIN = 150  # characters, as for Django's users
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
)


class Refused(BrassError):  # noqa: N818 (the name says what happened)
    """An account cannot be created or changed as asked; holds a message for each field."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = dict(faults)


def login_of(name: str) -> str:
    """Normalise a name for comparison: ignore case and how a letter was typed.

    An empty result means that no account can have this name.
    """
    plain = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return plain if plain.isprintable() and len(plain) <= LONGEST_LOGIN else ""


# --- create and change ---------------------------------------------------------------------------


def create(name: str, password: str, address: str = "") -> Account:
    """Create an account; raise `Refused` if a field is invalid."""
    user = User(username=login_of(name), email=address.strip())
    _check(
        name=name_fault(name),
        address=address_fault(user.email),
        password=password_fault(password, user),
    )
    user.set_password(password)
    account = Account(user=user, name=" ".join(name.split()))
    _save(account)
    return account


def change(account: Account, name: str, address: str) -> None:
    """Change the name or address; raise `Refused` if a field is invalid."""
    user = account.user
    is_same = login_of(name) == user.username
    _check(
        name="" if name == account.name else name_fault(name, is_own=is_same),
        address=address_fault(address.strip()),
    )
    account.name = " ".join(name.split())
    user.username, user.email = login_of(name), address.strip()
    _save(account)


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


def _save(account: Account) -> None:
    try:
        with transaction.atomic():
            account.user.save()
            account.user_id = account.user.pk
            account.save()
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
    tables = list(tables_of(key).values_list("pk", flat=True))
    with transaction.atomic():
        for model, field in HOLDINGS:
            model._default_manager.filter(**{field: key}).update(**{field: account.key})
        told = Report.objects.filter(visitor=account.key).values("message")
        Report.objects.filter(visitor=key).exclude(message__in=told).update(visitor=account.key)
        addresses.move(key, account.key)
        if not Block.objects.filter(visitor=account.key).exists():
            for block in Block.objects.filter(visitor=key):  # the browser stays blocked, too
                block.pk, block.visitor = None, account.key
                block.save(force_insert=True)
    for table_id in tables:
        sessions.changed(table_id)
