"""One e-mail address for each person, with two tick boxes: passwords, and e-mails about games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from secrets import token_hex
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from django.test import Client

from brassmill.web.identity import rate_limit
from brassmill.web.mail import addresses, queue
from brassmill.web.models import Account, Block, Contact, Mail
from brassmill.web.setup import seat_links
from support.friends import Guest, set_up
from support.people import GOOD, make_account, sign_in, signed_in
from support.web import visitor

pytestmark = pytest.mark.usefixtures("site", "patience")

upgrade = import_module("brassmill.web.migrations.0017_one_address")

BOTH = {"resets": "yes", "wants_mail": "yes"}


@pytest.fixture
def account() -> Iterator[Account]:
    cache.clear()
    account = make_account()
    yield account
    Mail.objects.all().delete()
    account.user.delete()


def save(client: Client, account: Account, address: str, **ticks: str) -> Any:
    sent = {"name": account.name, "address": address, "present": GOOD}
    return client.post("/account/details/", {**sent, **ticks})


def fresh(account: Account) -> Account:
    return Account.objects.select_related("user").get(pk=account.pk)


def forget_password(address: str) -> None:
    Client().post("/forgotten/", {"address": address})
    queue.write_waiting()


def link_in(text: str) -> str:
    found = re.search(r"/(?:mails/confirm|forgotten)/\S+", text)
    assert found
    return found[0]


def is_ticked(page: str, name: str) -> bool:
    return f'name="{name}" value="yes" checked' in page


def test_both_uses_share_one_address_that_is_confirmed_once(account: Account) -> None:
    client = signed_in(account)
    address = f"{token_hex(4)}@example.org"
    assert save(client, account, address, **BOTH).status_code == 200
    assert fresh(account).user.email == addresses.of(account.key).address == address
    page = client.get("/account/").content.decode()
    assert is_ticked(page, "resets") and is_ticked(page, "wants_mail")
    assert "Not confirmed yet" in page and not addresses.reached(account.key)
    (mail,) = Mail.objects.filter(address=address)
    client.post(link_in(mail.text))
    assert addresses.reached(account.key)
    assert "Not confirmed yet" not in client.get("/account/").content.decode()
    save(client, account, address, **BOTH)
    assert Mail.objects.filter(address=address).count() == 1, "nothing is asked twice"


def test_a_box_that_is_not_ticked_stops_its_emails(account: Account) -> None:
    client, address = signed_in(account), account.user.email
    addresses.keep(account.key, address, confirmed=True)
    save(client, account, address, wants_mail="yes")
    forget_password(address)
    assert addresses.reached(account.key) and not Mail.objects.filter(address=address).exists()
    save(client, account, address, resets="yes")
    forget_password(address)
    assert Mail.objects.filter(address=address, kind="password").count() == 1
    assert not addresses.reached(account.key)
    assert addresses.of(account.key).confirmed, "ticking the box again sends no e-mail"


def test_only_the_password_changes_an_address_that_resets_it(account: Account) -> None:
    client, address = signed_in(account), account.user.email
    answer = client.post("/mails/", {"address": "eve@example.org"})
    assert answer.status_code == 422 and "change it in your account" in answer.content.decode()
    client.post("/mails/", {"forget": "1"})
    assert fresh(account).user.email == addresses.of(account.key).address == address
    save(client, account, address)  # neither box is ticked
    assert client.post("/mails/", {"address": "ada@example.org"}).status_code == 302
    assert addresses.of(account.key).address == "ada@example.org"
    assert fresh(account).user.email == ""


@pytest.mark.parametrize("sent", [{"address": "other@example.org"}, {"forget": "1"}])
def test_an_address_is_changed_in_the_transaction_that_checks_what_it_is_for(
    account: Account, sent: dict[str, str]
) -> None:
    """Otherwise it might begin to reset the password in between."""
    checked = []

    def check(key: str) -> bool:
        checked.append(connection.in_atomic_block)
        return False

    with mock.patch.object(addresses, "resets_password", check):
        assert signed_in(account).post("/mails/", sent).status_code == 302
    assert checked == [True]


def test_emails_about_games_start_and_stop_without_the_password(account: Account) -> None:
    client, address = signed_in(account), account.user.email
    addresses.keep(account.key, address, confirmed=True, wants_mail=False)
    assert "You get no e-mails about your games" in client.get("/mails/").content.decode()
    client.post("/mails/", {"address": address})
    assert addresses.reached(account.key) and not Mail.objects.filter(address=address).exists()
    client.post("/mails/", {"stop": "1"})
    assert not addresses.reached(account.key) and fresh(account).user.email == address


def test_a_password_reset_confirms_the_address_it_was_sent_to(account: Account) -> None:
    forget_password(account.user.email)
    (mail,) = Mail.objects.filter(address=account.user.email)
    Client().get(link_in(mail.text))
    assert not addresses.of(account.key).confirmed, "opening a link changes nothing"
    Client().post(link_in(mail.text), {"password": "another canal to Dudley"})
    assert addresses.of(account.key).confirmed and not addresses.reached(account.key)


def test_a_password_reset_confirms_no_other_address(account: Account) -> None:
    forget_password(account.user.email)
    (mail,) = Mail.objects.filter(address=account.user.email)
    addresses.keep(account.key, "elsewhere@example.org")
    Client().post(link_in(mail.text), {"password": "another canal to Dudley"})
    assert not addresses.of(account.key).confirmed


def test_stopping_emails_without_an_address_stores_nothing() -> None:
    key = token_hex(8)
    assert visitor(key).post("/mails/", {"stop": "1"}).status_code == 302
    assert not Contact.objects.filter(visitor=key).exists()


def test_whoever_may_not_send_emails_is_told_why(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, before = signed_in(account), account.user.email
    monkeypatch.setattr(rate_limit, "MAILS", rate_limit.Limit("mails", 1, 3600))
    assert save(client, account, "one@example.org", **BOTH).status_code == 200
    answer = save(client, account, "two@example.org", **BOTH)
    assert answer.status_code == 429 and "today" not in answer.content.decode()
    assert save(client, account, "two@example.org", resets="yes").status_code == 200, "sends none"
    Block.objects.create(visitor=account.key, name=account.name)
    cache.clear()
    assert save(client, account, before, **BOTH).status_code == 403
    assert fresh(account).user.email == addresses.of(account.key).address == "two@example.org"


def test_an_email_that_cannot_be_sent_counts(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is changed then, but the limit is not undone with it."""
    client = signed_in(account)
    addresses.refuse("ben@example.org")
    monkeypatch.setattr(rate_limit, "MAILS", rate_limit.Limit("mails", 1, 3600))
    found = [save(client, account, "ben@example.org", **BOTH).status_code for _ in range(2)]
    assert found == [422, 429] and fresh(account).user.email == account.user.email


@pytest.mark.parametrize("ticks", [{}, {"wants_mail": "yes"}, BOTH])
def test_signing_up_asks_for_one_address(ticks: dict[str, str]) -> None:
    cache.clear()
    name = f"Ada{token_hex(3)}"
    client, sent = Client(), {"name": name, "password": GOOD, "address": f"{name}@example.org"}
    assert is_ticked(client.get("/sign-up/").content.decode(), "resets")
    assert client.post("/sign-up/", {**sent, **ticks}).status_code == 302
    account = Account.objects.get(name=name)
    assert account.user.email == (sent["address"] if "resets" in ticks else "")
    assert addresses.of(account.key).address == sent["address"]
    mails = Mail.objects.filter(address=sent["address"])
    assert [mail.kind for mail in mails] == ["confirmation"] * ("wants_mail" in ticks)
    mails.delete()
    account.user.delete()


def test_a_browser_brings_its_confirmed_address_to_its_new_account() -> None:
    cache.clear()
    ada, name = Guest("Ada"), f"Ada{token_hex(3)}"
    addresses.keep(ada.key, f"{name}@example.org", confirmed=True)
    page = ada.page("/sign-up/")
    assert f'value="{name}@example.org"' in page and is_ticked(page, "wants_mail")
    sent = {"name": name, "password": GOOD, "address": f"{name}@example.org", **BOTH}
    ada.client.post("/sign-up/", sent)
    account = Account.objects.get(name=name)
    assert addresses.reached(account.key) and account.user.email == f"{name}@example.org"
    account.user.delete()


def test_an_invitation_does_not_replace_an_address_that_resets_a_password(
    account: Account,
) -> None:
    table = set_up(Guest("Host"), "you", "friend")
    seat = table.seats.get(number=1)
    path = f"/join/{seat_links.invitation(seat)}/?to="
    client = signed_in(account)
    other = path + seat_links.mailed_to(seat, "other@example.org")
    assert "when it is my turn" not in client.get(other).content.decode()
    own = path + seat_links.mailed_to(seat, account.user.email)
    assert "when it is my turn" in client.get(own).content.decode()
    client.post(other, {"name": account.name, "tell": "yes"})
    assert addresses.of(account.key).address == account.user.email
    assert not addresses.reached(account.key)


@pytest.mark.parametrize(
    ("typed", "confirmed", "after"),
    [
        ("", False, (False, False)),  # it gets no e-mails that nobody asked for
        ("ada@example.org", True, (True, True)),
        ("other@example.org", True, (False, True)),  # asked for again, at the one address
        ("other@example.org", False, (False, False)),
    ],
)
def test_two_addresses_become_one(
    account: Account, typed: str, confirmed: bool, after: tuple[bool, bool]
) -> None:
    Contact.objects.filter(visitor=account.key).delete()
    account.user.email = "ada@example.org"
    account.user.save()
    if typed:
        addresses.keep(account.key, typed, confirmed=confirmed)
    upgrade.join_addresses(apps, None)
    contact = addresses.of(account.key)
    assert contact.address == "ada@example.org"
    assert (contact.confirmed, contact.wants_mail) == after
    assert sign_in(Client(), account.name).status_code == 302
