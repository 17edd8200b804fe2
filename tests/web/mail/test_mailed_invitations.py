"""Invitations by e-mail: to a seat, with consent, without links, and few of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core import mail as outbox
from django.core.cache import cache

from brassmill.web.identity import rate_limit
from brassmill.web.mail import addresses as mail_addresses
from brassmill.web.mail import texts
from brassmill.web.models import Mail
from brassmill.web.table import waiting_room
from support.days import HOST, Time, give_address, mails_to, path_in
from support.friends import Guest, at_table, set_up, tokens_of
from support.people import guest_of, make_account

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.locmem.EmailBackend")
    monkeypatch.setattr(outbox, "outbox", [], raising=False)
    Mail.objects.all().delete()
    yield
    Mail.objects.all().delete()


def test_from_a_mailed_invitation_to_the_seat() -> None:
    ada, ben = with_account("Ada"), Guest("Ben")
    table = set_up(ada, "you", "friend", clock="turn-3d")
    address = f"{ben.key}@example.org".lower()
    words = "Come & play!\r\nSubject: spam\x1b"
    answer = ada.post(table, "invite", seat=1, address=address, words=words)
    assert f"The invitation to {address} is on its way" in answer.content.decode()
    (mail,) = mails_to(ben)
    assert mail.kind == "invitation" and mail.subject == "Ada invites you to a game of Brass"
    assert "> Come & play!\n> Subject: spam\n" in mail.text
    assert "3 days per turn" in mail.text and "2 players" in mail.text
    path = path_in(mail.text, "/join/")
    page = ben.page(path)
    assert f"E-mail {address} when it is my turn" in page
    assert not mail_addresses.reached(ben.key)
    assert ben.client.post(path, {"name": "Ben", "tell": "yes"}).status_code == 302
    found = mail_addresses.reached(ben.key)
    assert found and found.address == address, (
        "a player who took the seat by it has read the e-mail"
    )


def test_without_consent_there_are_no_mails_and_nobody_can_consent_for_another_address() -> None:
    ada, ben, eve = Guest("Ada"), Guest("Ben"), Guest("Eve")
    table = set_up(ada, "you", "friend", "friend")
    for seat in (1, 2):
        ada.post(table, "invite", seat=seat, address=f"friend{seat}@example.org")
    first, second = (path_in(mail.text, "/join/") for mail in Mail.objects.order_by("pk"))
    ben.client.post(first, {"name": "Ben"})
    assert not mail_addresses.reached(ben.key)
    false = f"{second.partition('?')[0]}?{first.partition('?')[2]}"  # of another invitation
    eve.client.post(false, {"name": "Eve", "tell": "yes"})
    assert not mail_addresses.reached(eve.key) and table.seats.filter(holder=eve.key).exists()


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"seat": "1", "address": "nobody"}, "not an e-mail address"),
        ({"seat": "1", "address": "a@example.org", "words": "x" * 301}, "too long"),
        ({"seat": "0", "address": "a@example.org"}, "cannot be offered"),
        ({"seat": "x", "address": "a@example.org"}, "cannot be offered"),
        ({"address": "a@example.org"}, "cannot be offered"),
    ],
)
def test_an_invitation_that_cannot_be_sent_says_why(sent: dict[str, Any], words: str) -> None:
    ada = Guest("Ada")
    answer = ada.post(set_up(ada), "invite", **sent)
    assert words in answer.content.decode() and not Mail.objects.exists()


def with_account(name: str) -> Guest:
    """Return a guest with an account and a confirmed address."""
    guest = guest_of(make_account(name), name)
    give_address(guest)
    return guest


@pytest.mark.parametrize("has_account", [True, False])
@pytest.mark.parametrize("has_address", [True, False])
def test_own_words_need_an_account_with_a_confirmed_address(
    has_account: bool, has_address: bool
) -> None:
    ada = guest_of(make_account("Ada"), "Ada") if has_account else Guest("Ada")
    if has_address:
        give_address(ada)
    may, table = has_account and has_address, set_up(ada)
    assert ('name="words"' in ada.page(f"/t/{table.id}/")) == may
    answer = ada.post(table, "invite", seat=1, address="a@example.org", words="Your account!")
    assert ("Sign in and confirm" not in answer.content.decode()) == may
    assert Mail.objects.filter(text__contains="Your account!").exists() == may
    ada.post(table, "invite", seat=2, address="b@example.org")
    assert Mail.objects.filter(address="b@example.org").exists(), "in fixed words, anyone may"


@pytest.mark.parametrize(
    "words",
    [
        "Confirm here: https://phish.example/login",
        "see www.phish.example",
        "go to PHISH.example now",
        "пример.рф",
        "go to phish\u3002example",
    ],
)
def test_own_words_contain_no_links(words: str) -> None:
    ada = with_account("Ada")
    answer = ada.post(set_up(ada), "invite", seat=1, address="a@example.org", words=words)
    assert "cannot contain links" in answer.content.decode() and not Mail.objects.exists()


def test_a_full_stop_is_no_dot() -> None:
    assert waiting_room.words_in("こんにちは。お元気ですか。") == "こんにちは。お元気ですか。"


NAMES = [
    *("phish.example/login", "www.phish", "198.51.100.7/login"),
    *("phish\u3002example", "phish\uff0eexample", "www\uff61phish", "198\u300251\u3002100\u30027"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_leads_nobody_elsewhere_either(name: str) -> None:
    eve, ben = Guest(name), Guest("Ben")
    table = set_up(eve)
    ben.sit(tokens_of(table)[0], "B.B. Ben")
    eve.post(table, "invite", seat=2, address="a@example.org")
    mail = Mail.objects.get()
    assert name not in mail.subject + mail.text
    assert mail.subject == "Someone invites you to a game of Brass"
    assert "At the table: Someone, B.B. Ben; " in mail.text
    table.seats.filter(holder=ben.key).update(name=name, bot="beginner", holder="")
    assert name not in texts.invitation(table, "Ada", "LINK", "").text, "a bot took their name over"


@pytest.mark.parametrize("name", NAMES)
def test_nor_do_the_names_of_players_during_a_game(name: str) -> None:
    eve, ben = Guest(name), Guest("Ben")
    table = at_table(eve, ben)
    own, other = (table.seats.get(holder=guest.key) for guest in (ben, eve))
    hour, names = timedelta(hours=1), {seat.number: seat.name for seat in table.seats.all()}
    result = [[own.number, 1, 120], [other.number, 2, 100]]
    for mail in (
        texts.your_turn(table, own, "LINK", hour),
        texts.running_out(table, own, "LINK", hour),
        texts.over(table, names, result, "LINK"),
        texts.again(table, name, "LINK"),
    ):
        assert name not in mail.subject + mail.text and "Someone" in mail.subject + mail.text
    assert "1st Ben, 120 VP\n2nd Someone, 100 VP" in texts.over(table, names, result, "").text
    for about_the_reader in (
        texts.your_turn(table, other, "LINK", hour),
        texts.running_out(table, other, "LINK", hour),
        texts.stood_in(table, other, "LINK", "time"),
    ):
        assert name not in about_the_reader.text


def test_own_words_may_have_sentences_and_numbers() -> None:
    ada = with_account("Ada")
    words = "Come tonight...we start at 20.30. Bring e.g. tea!"
    ada.post(set_up(ada), "invite", seat=1, address="a@example.org", words=words)
    assert words in Mail.objects.get().text


def test_one_address_and_the_whole_site_send_few_invitations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A new cookie is a new visitor, so counting visitors is not enough."""
    limit = rate_limit.INVITATIONS._replace(most=2, site=5)
    monkeypatch.setattr(rate_limit, "INVITATIONS", limit)
    for address, most in (("8.8.8.8", limit.most * limit.club), ("", limit.most * limit.site)):
        for number in range(most // limit.most + 1):
            eve = Guest("Eve")
            if address:
                eve.client.defaults["REMOTE_ADDR"] = address
            table = set_up(eve)
            for each in range(limit.most):
                to = f"{number}-{each}@{address or 'site'}.example"
                eve.post(table, "invite", seat=1, address=to)
        sent = Mail.objects.filter(address__endswith=f"@{address or 'site'}.example").count()
        assert sent == (most if address else most - limit.most * limit.club)


def test_an_operator_can_turn_invitations_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MAIL_INVITATIONS", False)
    ada = Guest("Ada")
    table = set_up(ada)
    assert "E-mail the link" not in ada.page(f"/t/{table.id}/")
    answer = ada.post(table, "invite", seat=1, address="a@example.org")
    assert "copy the link instead" in answer.content.decode() and not Mail.objects.exists()


def test_refused_invitations_use_up_nothing_of_the_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "INVITATIONS", rate_limit.INVITATIONS._replace(most=1, site=1))
    ada = Guest("Ada")
    table = set_up(ada)
    for _try in range(3):
        Guest("Eve").post(table, "invite", seat=1, address="a@example.org")
        ada.post(table, "invite", seat=1, address="nonsense")
    assert not Mail.objects.exists()
    ada.post(table, "invite", seat=1, address="b@example.org")
    assert Mail.objects.get().address == "b@example.org"


def test_only_the_host_invites() -> None:
    table = set_up(Guest("Ada"))
    answer = Guest("Eve").post(table, "invite", seat=1, address="a@example.org")
    assert "Only the host" in answer.content.decode()
    assert not Mail.objects.exists()
