"""Accounts: signing up, in and out, what an account takes over, and what it protects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from secrets import token_hex
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from brassmill.web.accounts import accounts
from brassmill.web.identity import networks, rate_limit
from brassmill.web.models import Account, Block, SignIn, Table, Upload
from brassmill.web.table import event_stream
from support.friends import Guest, set_up, tokens_of
from support.people import GOOD, make_account, sign_in, signed_in
from support.web import make_table, visitor

pytestmark = pytest.mark.usefixtures("site", "patience")

COOKIE = settings.SESSION_COOKIE_NAME
NEXT = "/lobby/"


@pytest.fixture
def name() -> str:
    """Return an unused name."""
    return f"Ada{token_hex(3)}"


@pytest.fixture
def account() -> Account:
    return make_account()


def is_in(client: Client) -> bool:
    """Is this browser signed in?"""
    return client.get("/account.json").status_code == 200


def with_cookie(value: str) -> Client:
    """Return a browser with a copy of a cookie."""
    client = Client()
    client.cookies[COOKIE] = value
    return client


def words(answer: Any) -> str:
    return unescape(answer.content.decode())


# --- sign-up -------------------------------------------------------------------------------------


def test_signing_up_signs_in(name: str) -> None:
    client = Client()
    answer = client.post("/sign-up/", {"name": name, "password": GOOD, "next": NEXT})
    assert (answer.status_code, answer["Location"]) == (302, NEXT)
    assert client.get("/account.json").json()["name"] == name
    assert name in words(client.get("/account/"))
    user = User.objects.get(username=name.casefold())
    assert user.check_password(GOOD) and user.email == "" and user.account.name == name


@pytest.mark.parametrize(
    ("sent", "field", "said"),
    [
        ({"name": ""}, "name", "Enter your name."),
        ({"name": "x" * 40}, "name", "20"),
        ({"name": "beginner"}, "name", "not allowed as a player"),
        ({"name": "a\x01b"}, "name", "invisible character"),
        # Each normalises to 18 letters.
        ({"name": "\ufdfa" * 12}, "name", "not allowed as a player"),
        ({"address": "nowhere"}, "address", "name@example.org"),
        ({"address": "a@b.example\nBcc: c@d.example"}, "address", "name@example.org"),
        ({"password": ""}, "password", "at least 8 characters"),
        ({"password": "shorter"}, "password", "too short"),
        ({"password": "x" * 1001}, "password", "at most 1000 characters"),
    ],
)
def test_errors_are_shown_at_their_field_and_input_is_kept(
    name: str, sent: dict[str, str], field: str, said: str
) -> None:
    given = {"name": name, "password": GOOD, "address": f"{name}@example.org", **sent}
    before = User.objects.count()
    answer = Client().post("/sign-up/", given)
    assert answer.status_code == 422 and User.objects.count() == before
    text = words(answer)
    found = re.search(rf'id="fault-{field}"[^>]*>([^<]+)<', text)
    assert found and said in found[1]
    assert given["address"].splitlines()[0] in text and GOOD not in text


def test_a_name_is_unique_however_it_is_written(account: Account) -> None:
    for other in (account.name, account.name.upper(), f" {account.name} "):
        answer = Client().post("/sign-up/", {"name": other, "password": GOOD})
        assert answer.status_code == 422 and "is taken" in words(answer)
    with mock.patch("brassmill.web.accounts.accounts.name_fault", return_value=""):  # both at once
        with pytest.raises(accounts.Refused, match="is taken"):
            accounts.create(account.name.upper(), GOOD)
    client = Client()
    assert sign_in(client, account.name.swapcase()).status_code == 302 and is_in(client)


WEAK = {
    "short": ("too short", "zu kurz", "trop court"),
    "password123": ("too common", "zu verbreitet", "trop courant"),
    "83619275046": ("digits only", "nur aus Ziffern", "que des chiffres"),
}


@pytest.mark.parametrize("weak", WEAK)
def test_a_weak_password_is_refused_in_every_language(name: str, weak: str) -> None:
    for code, said in zip(("en", "de", "fr"), WEAK[weak], strict=True):
        client = Client(headers={"accept-language": code})
        answer = client.post("/sign-up/", {"name": name, "password": weak})
        found = re.search(r'id="fault-password"[^>]*>([^<]+)<', words(answer))
        assert answer.status_code == 422 and found and said in found[1]
    assert not User.objects.filter(username=name.casefold()).exists()


def test_a_password_like_the_name_is_refused(name: str) -> None:
    answer = Client().post("/sign-up/", {"name": name, "password": f"{name}1"})
    assert answer.status_code == 422 and "too similar to your name" in words(answer)


# --- sign-in and sign-out ------------------------------------------------------------------------


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(account: Account) -> None:
    def answer(name: str) -> tuple[int, str]:
        got = sign_in(Client(), name, "wrong")
        return got.status_code, re.sub(r"\b\w{64}\b", "", words(got)).replace(name, "NAME")

    with mock.patch(
        "django.contrib.auth.hashers.MD5PasswordHasher.encode", autospec=True, return_value="x"
    ) as hashed:
        first = answer(account.name)
        once = hashed.call_count
        assert answer("Nobody") == first and first[0] == 422
        assert hashed.call_count == 2 * once == 2, "it takes the same time"


def test_playing_without_an_account_still_works() -> None:
    guest = Guest("Ada")
    before = SignIn.objects.count(), Account.objects.count()
    table = set_up(guest, "you", "beginner")
    assert guest.data(table)["held"] == [0]
    assert (SignIn.objects.count(), Account.objects.count()) == before


def test_an_account_takes_over_the_browsers_seats_tables_and_records(account: Account) -> None:
    guest, other = Guest("Ada"), Guest("Ben")
    table = set_up(guest, "you", "friend")
    other.sit(tokens_of(table)[0])
    guest.post(table, "chat", text="Hello")
    upload = Upload.objects.create(visitor=guest.key, name="mine", text="…")
    seen = guest.data(table)
    assert "2 games" not in words(guest.client.get("/sign-in/"))
    assert "comes with you" in words(guest.client.get("/sign-in/"))
    sign_in(guest.client, account.name)
    assert guest.data(table)["held"] == [0] and guest.data(table)["hand"] == seen["hand"]
    table.refresh_from_db()
    upload.refresh_from_db()
    assert table.host == upload.visitor == account.key
    assert table.messages.get().author == account.key
    assert other.data(table)["held"] == [1]
    # And on every other device.
    phone = signed_in(account)
    assert phone.get(f"/t/{table.id}.json").json()["held"] == [0]
    assert [game["id"] for game in phone.get("/account.json").json()["unfinished"]] == [table.id]
    assert [game["id"] for game in phone.get("/index.json").json()["unfinished"]] == [table.id]
    assert phone.get("/records.json").json()["records"][0]["name"] == "mine"


def test_two_seats_at_one_table_are_covered_as_on_one_screen(account: Account) -> None:
    guest, other = Guest("Ada"), Guest("Ben")
    table = set_up(guest, "you", "friend")
    other.sit(tokens_of(table)[0])
    sign_in(guest.client, account.name)
    sign_in(other.client, account.name)
    data = other.data(table)
    assert data["held"] == [0, 1] and data["hand"] == []


def test_a_block_survives_signing_in(account: Account) -> None:
    guest = Guest("Ada")
    Block.objects.create(visitor=guest.key, name="Ada", reason="spam")
    sign_in(guest.client, account.name)
    assert guest.client.post("/start/").status_code == 403
    assert visitor(guest.key).post("/start/").status_code == 403
    assert Block.objects.filter(visitor=account.key, reason="spam").count() == 1


def test_the_browsers_old_cookie_is_worthless_after_sign_in(account: Account) -> None:
    guest = Guest("Ada")
    table = set_up(guest, "you", "beginner")
    old = guest.client.cookies[COOKIE].value
    sign_in(guest.client, account.name)
    kept = with_cookie(old)
    assert not is_in(kept) and kept.get(f"/t/{table.id}.json").json()["held"] == []
    assert "visitor" not in guest.client.session


def test_a_planted_session_is_not_signed_in(account: Account) -> None:
    """An attacker plants their cookies in another browser, and waits until it signs in."""
    thief = Client()
    thief.get("/")
    thief.get("/sign-in/")
    victim = Client()
    for cookie, morsel in thief.cookies.items():
        victim.cookies[cookie] = morsel.value
    sign_in(victim, account.name)
    assert is_in(victim) and not is_in(thief)
    assert victim.cookies[COOKIE].value != thief.cookies[COOKIE].value
    assert account.key not in victim.session.values()
    table = make_table("you,beginner", key=account.key)
    assert thief.get(f"/t/{table.id}.json").json()["held"] == []
    # Nor does a planted account get what another visitor does.
    other = accounts.create(f"Eve{token_hex(3)}", GOOD)
    planted = signed_in(other)
    logged = sign_in(planted, account.name)
    assert logged["Location"] == "/account/"
    assert planted.get("/account.json").json()["name"] == other.name


def test_signing_in_renews_the_csrf_token(account: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    token = csrf_of(client)
    old = client.cookies["brassmill_csrf"].value
    sign_in(client, account.name, csrfmiddlewaretoken=token)
    assert is_in(client) and client.cookies["brassmill_csrf"].value != old
    assert client.post("/sign-out/", {"csrfmiddlewaretoken": token}).status_code == 403


def csrf_of(client: Client) -> str:
    found = re.search(r'"csrfmiddlewaretoken" value="(\w+)"', words(client.get("/")))
    assert found
    return found[1]


def test_signing_out_makes_a_new_visitor_and_invalidates_the_cookie(account: Account) -> None:
    client = signed_in(account)
    table = make_table("you,beginner", key=account.key)
    kept = client.cookies[COOKIE].value
    assert with_cookie(kept).get(f"/t/{table.id}.json").json()["held"] == [0]
    phone = signed_in(account)
    assert client.post("/sign-out/")["Location"] == "/"
    for browser in (client, with_cookie(kept)):
        assert not is_in(browser)
        assert browser.get(f"/t/{table.id}.json").json()["held"] == []
        assert browser.get("/index.json").json()["unfinished"] == []
    assert is_in(phone), "only this browser"
    assert client.get("/sign-out/").status_code == 405


def test_a_new_password_signs_out_all_other_browsers(account: Account) -> None:
    here, there = signed_in(account), signed_in(account)
    kept = here.cookies[COOKIE].value
    answer = here.post("/account/password/", {"old": GOOD, "password": "a railway to Stoke"})
    assert answer.status_code == 200 and is_in(here)
    assert not is_in(there) and not is_in(with_cookie(kept))
    assert sign_in(Client(), account.name).status_code == 422
    assert sign_in(Client(), account.name, "a railway to Stoke").status_code == 302


def test_a_changed_password_hash_signs_out(account: Account) -> None:
    """However it was changed: by hand in the database, or by an operator."""
    client = signed_in(account)
    account.user.set_password("another one")
    account.user.save()
    assert account.sign_ins.exists() and not is_in(client)


def test_a_cookie_that_names_another_account_is_rejected(account: Account) -> None:
    """Only the signature prevents forgery, but the rows must match, too."""
    other = accounts.create(f"Eve{token_hex(3)}", GOOD)
    client = signed_in(account)
    session = client.session
    session["sign_in"] = other.sign_ins.create().pk
    session.save()
    client.cookies[COOKIE] = session.session_key or ""
    assert not is_in(client)


def test_a_user_without_an_account_gets_one(name: str) -> None:
    """An operator's user may have been created by hand."""
    user = User.objects.create_superuser(name.casefold(), password=GOOD)
    client = Client()
    assert sign_in(client, name).status_code == 302
    assert is_in(client) and user.account.key


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "\thttp:",
    ],
)
def test_redirects_stay_on_the_site(account: Account, wanted: str) -> None:
    page = words(Client().get("/sign-in/", {"next": wanted}))
    assert 'name="next" value="/"' in page
    assert sign_in(Client(), account.name, next=wanted)["Location"] == "/account/"
    assert sign_in(Client(), account.name, next=NEXT)["Location"] == NEXT
    asked = Client().get("/account/delete/")
    assert asked["Location"] == "/sign-in/?next=%2Faccount%2Fdelete%2F"


def test_an_event_stream_knows_the_signed_in_account(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table("you,beginner", key=account.key)
    heard: list[str] = []

    def stream(table_id: str, key: str, address: str) -> Iterator[str]:
        heard.append(key)
        return iter(())

    monkeypatch.setattr(event_stream, "stream", stream)
    client = signed_in(account)
    client.get(f"/t/{table.id}/events/")
    Client().get(f"/t/{table.id}/events/")
    assert heard == [account.key, ""]
    assert account.key not in client.session.values()


# --- limits --------------------------------------------------------------------------------------


def test_guessing_a_password_from_many_addresses_is_slow(account: Account) -> None:
    def guess(name: str, number: int) -> int:
        client = Client(REMOTE_ADDR=f"203.0.113.{number}")
        return int(sign_in(client, name, "wrong").status_code)

    for name in (account.name, "Nobody"):
        answers = [guess(name, number) for number in range(rate_limit.SIGN_INS.most + 1)]
        assert answers == [422] * rate_limit.SIGN_INS.most + [429]
        assert guess(name.upper(), 99) == 429
    assert sign_in(Client(), account.name).status_code == 429
    assert guess("Another", 99) == 422


def test_one_browser_cannot_try_many_names(account: Account) -> None:
    client = visitor(token_hex(8))
    answers = [
        sign_in(client, f"N{n}", "x").status_code for n in range(rate_limit.SIGN_INS.most + 1)
    ]
    assert answers[-2:] == [422, 429]


@pytest.mark.parametrize(
    ("address", "limit", "usual"),
    [("/sign-up/", rate_limit.SIGN_UPS, 422), ("/forgotten/", rate_limit.RESETS, 422)],
)
def test_too_many_attempts_are_refused(address: str, limit: rate_limit.Limit, usual: int) -> None:
    client = visitor(token_hex(8))
    answers = [client.post(address).status_code for _ in range(limit.most + 1)]
    assert answers == [usual] * limit.most + [429]


def test_the_password_prompt_in_settings_is_rate_limited_too(account: Account) -> None:
    client = signed_in(account)
    sent = {"name": account.name, "present": "wrong"}
    for _ in range(rate_limit.SIGN_INS.most):
        client.post("/account/details/", sent)
    for address in ("/account/details/", "/account/password/", "/account/delete/"):
        assert client.post(address, sent).status_code == 429


def test_failed_sign_ins_do_not_lock_out_the_owner(account: Account) -> None:
    client = signed_in(account)
    for _ in range(rate_limit.SIGN_INS.most + 1):
        guessed = sign_in(visitor(token_hex(8)), account.name, "wrong")
    assert guessed.status_code == 429
    sent = {"name": account.name, "present": "wrong"}
    for address in ("/account/details/", "/account/password/", "/account/delete/"):
        assert client.post(address, sent).status_code == 422


def test_guesses_elsewhere_do_not_lock_out_the_owner_at_home(account: Account) -> None:
    home = "198.51.100.7"
    assert sign_in(Client(REMOTE_ADDR=home), account.name).status_code == 302
    for number in range(rate_limit.SIGN_INS.most + 1):
        guessed = sign_in(Client(REMOTE_ADDR=f"203.0.113.{number}"), account.name, "wrong")
    assert guessed.status_code == 429
    assert sign_in(Client(REMOTE_ADDR=home), account.name).status_code == 302
    assert sign_in(Client(REMOTE_ADDR="192.0.2.1"), account.name).status_code == 429
    # At home guesses are limited, too, and do not count for another name.
    tries = [
        sign_in(Client(REMOTE_ADDR=home), account.name, "wrong").status_code for _ in range(10)
    ]
    assert tries[-1] == 429 and tries[0] == 422
    assert sign_in(Client(REMOTE_ADDR=home), make_account("Eve").name).status_code == 302


def test_the_latest_networks_of_an_account_are_known_by_hash(account: Account) -> None:
    for number in range(networks.KEPT + 2):
        cache.clear()
        sign_in(Client(REMOTE_ADDR=f"203.0.113.{number}"), account.name)
    sign_in(Client(REMOTE_ADDR="127.0.0.1"), account.name)  # it could be anybody behind a proxy
    kept = account.networks.order_by("pk").values_list("network", flat=True)
    assert len(kept) == networks.KEPT and not any("203.0.113" in network for network in kept)
    request = RequestFactory().get("/", REMOTE_ADDR="203.0.113.1")
    assert networks.aim_of(request, account.user.username) == account.user.username, "too old"
    request = RequestFactory().get("/", REMOTE_ADDR=f"203.0.113.{networks.KEPT + 1}")
    assert networks.aim_of(request, account.user.username) != account.user.username


# --- forms and pages -----------------------------------------------------------------------------

FORMS = {
    "sign_up": {"name": "Zoe", "password": GOOD},
    "sign_in": {"name": "Zoe", "password": GOOD},
    "sign_out": {},
    "forgotten": {"address": "a@example.org"},
    "details": {"name": "Zoe", "present": GOOD},
    "password": {"old": GOOD, "password": "a railway to Stoke"},
    "export": {},
    "account_delete": {"present": GOOD},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_cross_site_form_is_refused(account: Account, form: str) -> None:
    client = Client(enforce_csrf_checks=True)
    sent = {**FORMS[form]}
    if form not in ("sign_up", "sign_in", "forgotten"):
        client.cookies[COOKIE] = signed_in(account).cookies[COOKIE].value
        assert is_in(client)
    before = User.objects.count(), SignIn.objects.count()
    assert client.post(reverse(form), sent).status_code == 403
    assert (User.objects.count(), SignIn.objects.count()) == before
    assert User.objects.get(pk=account.user.pk).check_password(GOOD)


def test_a_name_with_a_script_is_escaped() -> None:
    nasty = "<b x='&\""
    account = accounts.create(nasty, GOOD)
    try:
        client = signed_in(account)
        for address in ("/account/", "/account/delete/", "/new/birmingham/"):
            page = client.get(address).content.decode()
            assert "<b x" not in page and "&lt;b x=&#" in page, address
        answer = Client().post("/sign-in/", {"name": nasty, "password": "x"})
        assert "<b x" not in answer.content.decode()
    finally:
        account.user.delete()


def test_changing_details_requires_the_password(account: Account) -> None:
    client, fresh = signed_in(account), f"Zoe{token_hex(3)}"
    sent = {"name": fresh, "address": "zoe@example.org", "resets": "yes"}
    answer = client.post("/account/details/", {**sent, "present": "wrong"})
    assert answer.status_code == 422 and fresh in words(answer)
    account.refresh_from_db()
    assert account.name != fresh
    assert client.post("/account/details/", {**sent, "present": GOOD}).status_code == 200
    account = Account.objects.get(pk=account.pk)
    assert (account.name, account.user.email) == (fresh, "zoe@example.org")
    assert is_in(client) and sign_in(Client(), fresh).status_code == 302
    taken = accounts.create(f"Eve{token_hex(3)}", GOOD)
    sent["name"] = taken.name.upper()
    answer = client.post("/account/details/", {**sent, "present": GOOD})
    assert answer.status_code == 422 and "is taken" in words(answer)
    assert f"<h1>{fresh}</h1>" in words(answer), "the page still knows whose it is"
    sent["name"] = fresh.upper()  # the same name, written differently
    assert client.post("/account/details/", {**sent, "present": GOOD}).status_code == 200


def test_the_account_page_requires_signing_in() -> None:
    client = Client()
    assert client.get("/account/")["Location"] == "/sign-in/?next=%2Faccount%2F"
    assert client.get("/account.json").status_code == 401
    for address in ("export", "details", "password", "delete"):
        assert client.post(f"/account/{address}/")["Location"].startswith("/sign-in/"), address


def test_the_account_page_shows_running_games_results_and_statistics(account: Account) -> None:
    running = make_table("you,beginner", key=account.key)
    results = {"birmingham": [(1, 120), (2, 101)], "classic": [(1, 90)]}
    for edition, played in results.items():
        for rank, points in played:
            table = make_table("you,beginner,beginner", edition, key=account.key)
            result = [[0, rank, points], [1, 3 - rank, 100], [2, 3, 1]]
            Table.objects.filter(pk=table.pk).update(over=True, summary={"result": result})
    shared = make_table("Ada,Ben", key=account.key)  # on one screen: whose result would it be?
    Table.objects.filter(pk=shared.pk).update(
        over=True, summary={"result": [[0, 1, 500], [1, 2, 90]]}
    )
    void = make_table("you,beginner", key=account.key)
    Table.objects.filter(pk=void.pk).update(over=True, summary={"void": True})
    client = signed_in(account)
    data = client.get("/account.json").json()
    assert [game["id"] for game in data["unfinished"]] == [running.id]
    assert len(data["finished"]) == 5
    scores = {score["edition"]: score for score in data["scores"]}
    assert [*scores] == ["birmingham", "classic"]
    birmingham = scores["birmingham"]
    assert (birmingham["games"], birmingham["wins"]) == (2, 1)
    assert (birmingham["points"], birmingham["best"]) == (110.5, 120)
    page = words(client.get("/account/"))
    assert "Your turn" in page or "Not started" in page
    assert "Rank 2 of 3" in page and "Your results" in page


def test_the_home_page_does_not_nag() -> None:
    page = words(Client().get("/"))
    assert page.count("Sign in") == 2, "the link in the bar, with its name"
    assert "Create an account" not in page and "No sign-up." in page
