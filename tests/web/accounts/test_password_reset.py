"""A forgotten password is reset by e-mail, and nobody learns who has an account."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.http import urlsafe_base64_encode

from brassmill.web.accounts import accounts, sign_in_views
from brassmill.web.accounts.accounts import Address
from brassmill.web.identity import rate_limit
from brassmill.web.mail import queue
from brassmill.web.models import Account
from support.people import GOOD, make_account, sign_in, signed_in
from web.accounts.test_accounts import is_in, words

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.fixture
def mails() -> Iterator[list[tuple[str, ...]]]:
    """Return the e-mails sent so far: recipient, subject, text, language."""
    sent: list[tuple[str, ...]] = []
    queue._waiting.clear()
    with mock.patch("brassmill.web.mail.queue.send", lambda *mail, **_more: sent.append(mail)):
        yield sent


def link_in(mail: str) -> str:
    found = re.search(r"http://testserver(/forgotten/\S+)", mail)
    assert found
    return found[1]


def test_a_forgotten_password_is_reset_by_mail(
    account: Account, mails: list[tuple[str, ...]]
) -> None:
    there = signed_in(account)
    answer = Client().post("/forgotten/", {"address": account.user.email.upper()})
    assert answer.status_code == 200 and "belongs to an account" in words(answer)
    queue.write_waiting()
    ((address, _subject, text, language),) = mails
    assert (address, language) == (account.user.email, "en") and account.name in text
    link, client = link_in(text), Client()
    assert account.name in words(client.get(link)) and is_in(there)
    assert client.post(link, {"password": "short"}).status_code == 422
    assert client.post(link, {"password": "a railway to Stoke"}).status_code == 302
    assert is_in(client) and not is_in(there)
    for late in (Client().get(link), Client().post(link, {"password": "a canal to Leek"})):
        assert "has expired" in words(late)
    assert sign_in(Client(), account.name, "a railway to Stoke").status_code == 302


def test_the_name_of_an_account_leads_nobody_elsewhere(mails: list[tuple[str, ...]]) -> None:
    """Anyone can sign up with another person's address, and with a name that is a link."""
    name, address = "phish.example/login", "ada@example.org"
    account = accounts.create(name, GOOD, Address(address))
    answer = Client().post("/forgotten/", {"address": address})
    queue.write_waiting()
    ((to, subject, text, _language),) = mails
    assert answer.status_code == 200 and to == address
    assert account.name == name not in subject + text
    assert name in words(Client().get(link_in(text))), "the page says which account it is"


def test_mailboxes_that_look_alike_get_only_their_own_links(
    account: Account, mails: list[tuple[str, ...]]
) -> None:
    other = make_account()
    other.user.email = account.user.email.upper()
    other.user.save()
    Client().post("/forgotten/", {"address": account.user.email})
    queue.write_waiting()
    texts = {address: text for address, _subject, text, _language in mails}
    assert texts.keys() == {account.user.email, other.user.email}
    assert account.name in texts[account.user.email] and account.name not in texts[other.user.email]
    assert other.name in texts[other.user.email] and other.name not in texts[account.user.email]


def test_a_reset_does_not_reveal_who_has_an_account(
    account: Account, mails: list[tuple[str, ...]]
) -> None:
    def answer(address: str) -> tuple[int, str]:
        got = Client().post("/forgotten/", {"address": address})
        return got.status_code, re.sub(r"\b\w{64}\b", "", words(got)).replace(address, "ADDRESS")

    asked = account.user.email, "nobody@example.org"
    queries = [CaptureQueriesContext(connection) for _ in asked]
    answers = []
    for address, captured in zip(asked, queries, strict=True):
        with captured:
            answers.append(answer(address))
    assert answers[0] == answers[1]
    # Equal work takes an equal time.
    assert statements(queries[0]) == statements(queries[1]) and not mails
    queue.write_waiting()
    assert len(mails) == 1


def statements(queries: CaptureQueriesContext) -> list[str]:
    """Return the statements without what they ask for."""
    return [re.sub(r"'[^']*'", "", query["sql"]) for query in queries]


def test_a_reset_mail_is_written_when_the_database_is_back(
    account: Account, mails: list[tuple[str, ...]]
) -> None:
    with mock.patch.object(rate_limit, "is_allowed", return_value=True):
        for code in ("de", "en"):
            client = Client(headers={"accept-language": code})
            client.post("/forgotten/", {"address": account.user.email})
    with mock.patch.object(sign_in_views, "users_of", side_effect=OperationalError("no answer")):
        with pytest.raises(OperationalError):
            queue.write_waiting()
    queue.write_waiting()
    assert sorted(language for *_mail, language in mails) == ["de", "en"]


NO_ADDRESS = {
    "": ("Enter your e-mail", "Gib deine E-Mail-Adresse ein", "Indiquez"),
    "nowhere": ("not an e-mail", "keine E-Mail-Adresse", "pas une adresse e-mail"),
    f"{'a' * 60}@{'b.' * 100}org": ("too long", "zu lang", "trop longue"),
}


@pytest.mark.parametrize("typed", NO_ADDRESS)
def test_a_reset_refuses_a_bad_address_in_every_language(
    typed: str, mails: list[tuple[str, ...]]
) -> None:
    for code, said in zip(("en", "de", "fr"), NO_ADDRESS[typed], strict=True):
        client = Client(headers={"accept-language": code})
        answer = client.post("/forgotten/", {"address": typed})
        found = re.search(r'id="fault-address"[^>]*>([^<]+)<', words(answer))
        assert answer.status_code == 422 and found and said in found[1]
    assert not mails


def test_operators_get_no_password_by_mail(account: Account, mails: list[tuple[str, ...]]) -> None:
    User.objects.filter(pk=account.user.pk).update(is_staff=True)
    assert "belongs to an account" in words(
        Client().post("/forgotten/", {"address": account.user.email})
    )
    queue.write_waiting()
    assert not mails


def test_a_mail_uses_the_configured_name_of_the_site(
    account: Account, mails: list[tuple[str, ...]]
) -> None:
    """Otherwise the name in the request would decide where the link leads."""
    client, sent = Client(headers={"host": "evil.example"}), {"address": account.user.email}
    with mock.patch.object(settings, "ALLOWED_HOSTS", ["*"]):
        assert client.post("/forgotten/", sent).status_code == 422 and not mails
        with mock.patch.object(settings, "SITE", "http://brass.example"):
            client.post("/forgotten/", sent)
    queue.write_waiting()
    text = mails[0][2]
    assert "http://brass.example/forgotten/" in text and "evil" not in text


@pytest.mark.parametrize("user", ["x", "MQ", "LTE", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "é"])
def test_a_forged_link_changes_nothing(account: Account, user: str) -> None:
    for token in ("x", "c0ffee-0123456789abcdef0123456789abcdef"):
        for whose in (user, urlsafe_base64_encode(str(account.user.pk).encode())):
            path, sent = f"/forgotten/{whose}/{token}/", {"password": "a railway to Stoke"}
            answer = Client().post(path, sent)
            assert answer.status_code == 200 and "has expired" in words(answer)
    assert User.objects.get(pk=account.user.pk).check_password(GOOD)
