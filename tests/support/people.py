"""People with accounts, for tests."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from django.test import Client

from brassmill.web.accounts import accounts
from brassmill.web.accounts.accounts import Address
from brassmill.web.models import Account
from support.friends import Guest
from support.web import visitor

GOOD = "a canal to Dudley"  # a valid password


def make_account(name: str = "Ada") -> Account:
    """Make an account with a unique name and an address."""
    name += token_hex(3)
    return accounts.create(name, GOOD, Address(f"{name}@example.org"))


def sign_in(client: Client, name: str, password: str = GOOD, **more: str) -> Any:
    return client.post("/sign-in/", {"name": name, "password": password, **more})


def signed_in(account: Account) -> Client:
    """Return a browser that is signed in."""
    client = visitor(token_hex(8))
    assert sign_in(client, account.name).status_code == 302
    return client


def guest_of(account: Account, name: str = "Ada") -> Guest:
    """Return a guest who plays with an account."""
    guest = Guest(name)
    guest.client, guest.key = signed_in(account), account.key
    return guest
