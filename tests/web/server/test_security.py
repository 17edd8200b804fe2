"""Attacks, each tried and refused: forged posts, other tables, forged links, stored scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import Signer, TimestampSigner
from django.test import Client, override_settings
from django.utils import timezone

from brassmill.notation import stored
from brassmill.web.models import Seat, Table, Upload
from brassmill.web.server import openapi
from brassmill.web.setup import seat_links
from brassmill.web.table import sessions
from support.friends import Guest, set_up, tokens_of
from support.people import make_account, signed_in
from support.web import log_of, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site", "patience")

SCRIPT = "<b onx=1 x='"  # the longest possible name, with as much of a tag as fits
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>'\"&"


def state(*tables: Table) -> list[Any]:
    """Return everything that an attack could change at these tables."""
    found: list[Any] = []
    for table in tables:
        found += Table.objects.filter(pk=table.pk).values_list()
        for rows in (table.seats, table.entries, table.messages):
            found += rows.order_by("pk").values_list()
    return found


def addresses(table: Table, **parts: str) -> dict[str, str]:
    """Return every URL of the site, with this table in it."""
    known = {"table_id": table.pk, "id": table.pk, "edition": "birmingham", "action": "0"}
    known |= {"token": "x", "name": "birmingham", "number": "1", **parts}
    return {
        name: "/" + re.sub(r"<\w+:(\w+)>", lambda part: known.get(part[1], "x"), route)
        for name, route in openapi.routes()
    }


def real(guest: Guest) -> Client:
    """Return their browser with CSRF checks on, and a CSRF token in its cookie."""
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = deepcopy(guest.client.cookies)
    browser.cookies[settings.CSRF_COOKIE_NAME] = "c" * 32
    return browser


def mover(table: Table, *guests: Guest) -> tuple[Guest, dict[str, Any]]:
    """Return the player to move, and the table as they see it."""
    seen = [(guest, guest.data(table)) for guest in guests]
    return next((guest, data) for guest, data in seen if data["your_turn"])


# --- forged posts --------------------------------------------------------------------------------

BY_MAIL = {"stop"}  # mail programs post it: the signed link is proof enough
FORMS = [
    name
    for name, _route in openapi.routes()
    if openapi.described(name).form is not None and name not in BY_MAIL
]


@pytest.mark.parametrize("name", FORMS)
def test_a_cross_site_post_is_refused_everywhere(name: str, host: Guest, table: Table) -> None:
    address = addresses(table)[name]
    browser = real(host)
    before = Table.objects.count(), state(table)
    for sent in ({}, {"csrfmiddlewaretoken": "d" * 32}, {"csrfmiddlewaretoken": "c" * 31}):
        answer = browser.post(address, {"confirm": "yes", "name": "Eve", **sent})
        assert answer.status_code == 403, answer.content
    elsewhere = {"Origin": "https://elsewhere.example"}
    answer = browser.post(address, {"csrfmiddlewaretoken": "c" * 32}, headers=elsewhere)
    assert answer.status_code == 403
    assert (Table.objects.count(), state(table)) == before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "HEAD", "ODD"])
def test_other_methods_do_nothing_anywhere(method: str, host: Guest, table: Table) -> None:
    before = state(table)
    for name, address in addresses(table).items():
        if name == "events":
            continue  # a stream does not end
        with no_bots():
            answer = host.client.generic(method, address)
        if method == "HEAD" and openapi.described(name).answer:
            assert answer.status_code == host.client.get(address).status_code, name
        else:
            assert answer.status_code == 405, name
    assert state(table) == before


# --- other tables --------------------------------------------------------------------------------


def test_a_player_can_do_nothing_at_another_table(host: Guest, ben: Guest) -> None:
    eve = Guest("Eve")
    mine = set_up(eve, "you", "friend")
    theirs = set_up(host, "you", "friend")
    ben.sit(tokens_of(theirs)[0])
    Guest("Fay").sit(tokens_of(mine)[0])
    host.post(theirs, "chat", text="hello")
    _guest, seen = mover(theirs, host, ben)
    message = theirs.messages.get().pk
    before = state(theirs, mine)
    form = {"number": seen["number"], "choice": seen["offers"][0]["id"], "all": 1}
    for action in ("choose", "end", "back"):
        for table in (theirs, mine):  # their number is useless here, too
            eve.post(table, action, **form)
    for action, sent in (
        ("pace", {"pace": "fast"}),
        ("cover", {"show": "0"}),
        ("gather", {"free": 1, "renew": 1, "fill": 1}),
        ("device", {"seat": 0}),
        ("chat", {"text": "I am here too"}),
        ("chat/mute", {"muted": 1}),
        ("chat/report", {"message": 0}),
        ("invite", {"seat": 1, "address": "eve@example.org"}),
        ("leave", {"seat": 0}),
        ("return", {"seat": 0}),
        ("dismiss", {"seat": 0}),
        ("delete", {"confirm": "yes"}),
    ):
        eve.post(theirs, action, **sent)
    assert state(theirs, mine) == before
    eve.post(mine, "chat/report", message=message)  # a message of another table
    assert not theirs.messages.get().reports.exists()
    assert eve.data(theirs)["hand"] == [] and eve.data(theirs)["held"] == []


def test_nobody_can_delete_another_visitors_upload(host: Guest) -> None:
    kept = Upload.objects.create(visitor=host.key, name="x", text="x")
    assert Guest("Eve").client.post(f"/records/{kept.pk}/delete/").status_code == 404
    assert Upload.objects.filter(pk=kept.pk).exists()


# --- links ---------------------------------------------------------------------------------------


def test_a_link_can_be_neither_guessed_nor_forged(host: Guest) -> None:
    table = set_up(host, "you", "friend", "friend")
    first, second = Seat.objects.filter(table=table, name="")
    good = seat_links.invitation(first)
    body, _dot, signature = good.rpartition(".")
    other = seat_links.invitation(second)

    def signed(salt: str, *known: object, key: str = settings.SECRET_KEY) -> str:
        return Signer(key=key, salt=salt, sep=".").sign_object(list(known))

    forged = [
        f"{body}.{signature[:-1]}{'A' if signature[-1] != 'A' else 'B'}",
        f"{body}.{signature.swapcase()}",
        f"{body}.",
        body,
        good + "A",
        f"{body}.{other.rpartition('.')[2]}",
        f"{other.rpartition('.')[0]}.{signature}",
        signed(seat_links.HANDOVER, first.pk, first.invite),
        signed(seat_links.INVITATION, first.pk, first.invite, key="another server's key"),
        signed(seat_links.INVITATION, first.pk, ""),
        signed(seat_links.INVITATION, first.pk, second.invite),
        "..",
        "a" * 3000,
    ]
    before = state(table)
    for token in forged:
        cache.clear()
        assert Guest("Eve").sit(token).status_code == 404, token
        assert Guest("Eve").client.get(f"/join/{token}/").status_code == 404, token
    assert state(table) == before
    assert Guest("Cleo").sit(good).status_code == 302


def test_a_seat_moves_only_by_its_own_fresh_link(ben: Guest, table: Table) -> None:
    ben.post(table, "device", seat=1)
    seat = table.seats.get(number=1)
    good = seat_links.handover(seat)
    known = [seat.pk, seat.handover]
    forged = [
        TimestampSigner(salt=seat_links.INVITATION, sep=".").sign_object(known),
        TimestampSigner(key="another key", salt=seat_links.HANDOVER, sep=".").sign_object(known),
        good.replace(".", ".A", 1),  # backdated
    ]
    for token in forged:
        assert Guest("Eve").client.post(f"/move/{token}/").status_code == 404
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seat_links, "LASTING", timedelta(seconds=-1))
        assert Guest("Eve").client.post(f"/move/{good}/").status_code == 404
    assert table.seats.get(number=1).holder == ben.key
    assert Guest("phone").client.post(f"/move/{good}/").status_code == 302
    assert Guest("Eve").client.post(f"/move/{good}/").status_code == 404


# --- replayed requests ---------------------------------------------------------------------------


def test_the_same_click_twice_plays_once(host: Guest, ben: Guest, table: Table) -> None:
    guest, seen = mover(table, host, ben)
    form = {"number": seen["number"], "choice": seen["offers"][0]["id"]}
    for _ in range(3):
        guest.post(table, "choose", **form)
    assert len(log_of(sessions.get(table.id))) == 1


def test_a_click_from_before_an_undo_plays_nothing(host: Guest, ben: Guest, table: Table) -> None:
    guest, seen = mover(table, host, ben)
    form = {"number": seen["number"], "choice": seen["offers"][0]["id"]}
    guest.post(table, "choose", **form)
    taken = {"number": guest.data(table)["number"]}
    guest.post(table, "back", **taken)
    for action, sent in (("choose", form), ("back", taken), ("end", taken)):
        guest.post(table, action, **sent)
    assert log_of(sessions.get(table.id)) == [
        {"choose": stored.write(sessions.get(table.id).game.edition, [form["choice"]])},
        {"back": 1},
    ]


# --- cookies -------------------------------------------------------------------------------------


def test_a_changed_cookie_is_worthless(host: Guest, table: Table) -> None:
    name = settings.SESSION_COOKIE_NAME
    good = host.client.cookies[name].value
    payload, stamp, signature = good.split(":")
    other = visitor("Eve").cookies[name].value.split(":")
    for forged in (
        f"{payload}:{stamp}:{signature[:-2]}xx",
        f"{payload}:{stamp}:{other[2]}",
        f"{other[0]}:{stamp}:{signature}",
        f"{payload}::",
        json.dumps({"visitor": host.key}),
        Signer(key="another key", salt="django.contrib.sessions.backends.signed_cookies").sign(
            payload
        ),
    ):
        browser = Client()
        browser.cookies[name] = forged
        data = browser.get(f"/t/{table.pk}.json").json()
        assert data["held"] == [] and data["hand"] == []
    assert host.data(table)["held"] == [0]


def test_cookies_are_httponly(host: Guest) -> None:
    answer = Client().get("/")
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
        cookie = answer.cookies[name]
        assert cookie["httponly"] and cookie["samesite"] == "Lax"


FORMER, PRESENT = settings.SESSION_COOKIE_NAME, f"__Host-{settings.SESSION_COOKIE_NAME}"


@pytest.fixture
def https(host: Guest, table: Table) -> Iterator[None]:
    """The site gets https while the host plays."""
    names = {"SESSION_COOKIE_NAME": PRESENT, "FORMER_SESSION_COOKIE": FORMER}
    with override_settings(**names, SESSION_COOKIE_SECURE=True):
        yield


@pytest.mark.usefixtures("https")
def test_nobody_loses_a_seat_when_the_cookie_gets_its_https_name(host: Guest, table: Table) -> None:
    browser, address = deepcopy(host.client), f"/t/{table.pk}.json"
    answer = browser.get(address)
    assert answer.json()["held"] == [0]
    cookie = answer.cookies[PRESENT]
    assert cookie["secure"] and cookie["httponly"] and cookie["path"] == "/"
    assert not cookie["domain"] and cookie["samesite"] == "Lax"
    assert answer.cookies[FORMER].value == "" and answer.cookies[FORMER]["max-age"] == 0
    # Another tab, whose request came at the same time, does not replace the new cookie.
    late = host.client.get(address)
    assert late.json()["held"] == [] and PRESENT not in late.cookies
    del browser.cookies[FORMER]
    again = browser.get(address)
    assert again.json()["held"] == [0] and FORMER not in again.cookies


@pytest.mark.usefixtures("https")
def test_a_cookie_with_the_former_name_is_planted_in_vain(host: Guest, table: Table) -> None:
    address, planted = f"/t/{table.pk}.json", host.client.cookies[FORMER].value
    victim, planter, forged = Client(), Client(), Client()
    victim.cookies[FORMER] = planted
    assert victim.get(address).json()["held"] == [0]
    planter.cookies[PRESENT] = planted  # what the victim has and does now is not the planter's
    assert planter.get(address).json()["held"] == []
    # Once there is a cookie with the present name, the other one counts for nothing.
    victim.cookies[FORMER] = visitor("Eve").cookies[PRESENT].value
    assert victim.get(address).json()["held"] == [0]
    forged.cookies[FORMER] = "forged"
    assert forged.get(address).json()["held"] == []


def test_a_sign_in_with_the_former_name_does_not_count() -> None:
    planted, victim = signed_in(make_account()).cookies[FORMER].value, Client()
    victim.cookies[FORMER] = planted
    with override_settings(SESSION_COOKIE_NAME=PRESENT, FORMER_SESSION_COOKIE=FORMER):
        assert victim.get("/account.json").status_code == 401
        victim.cookies[FORMER] = planted  # of the whole domain, so it cannot be deleted
        game = victim.post("/start/")
        assert PRESENT in game.cookies, "a new visitor like any other"
        assert victim.get(f"{game['Location'].rstrip('/')}.json").json()["held"] == [0]
        assert victim.get("/account.json").status_code == 401


def test_a_key_cannot_be_planted(table: Table) -> None:
    """Nobody can give another visitor a key to share a seat: there is no way to send one."""
    eve = Client()
    for address in ("/?visitor=known", f"/t/{table.pk}/?sessionid=known"):
        eve.get(address, headers={"X-Visitor": "known"})
    assert eve.session["visitor"] != "known"


# --- stored scripts ------------------------------------------------------------------------------


def test_user_input_is_escaped_everywhere(host: Guest, ben: Guest) -> None:
    table = make_table(people_only(2), key=host.key)
    Seat.objects.filter(table=table).update(invite="x")
    Seat.objects.filter(table=table, number=1).update(holder=ben.key, name=SCRIPT)
    Table.objects.filter(pk=table.pk).update(listed=True)
    sessions.forget(table.pk)
    ben.post(table, "chat", text=HOSTILE)
    text = f'<p onclick="x">{HOSTILE}'
    upload = Upload.objects.create(visitor=host.key, name=text[:100], text=text)
    session = sessions.get(table.pk)
    while session.turns < 3:
        play_turn(session)
    pages = addresses(table, id=upload.pk)
    for name, address in pages.items():
        if name == "events":
            continue
        answer = host.client.get(address)
        kind = answer.get("Content-Type", "")
        assert answer["X-Content-Type-Options"] == "nosniff", name
        assert "default-src 'self'" in answer["Content-Security-Policy"], name
        assert "'unsafe-inline'" not in answer["Content-Security-Policy"] or "svg" in kind, name
        if "html" not in kind and "svg" not in kind:
            harmless = ("json", "text/plain", "text/calendar", "css", "pdf", "image/")
            if name == "worker":  # a script: nothing that a visitor typed is in it
                assert "onx" not in answer.content.decode()
                continue
            assert not kind or any(each in kind for each in harmless), (name, kind)
            continue
        page = answer.content.decode()
        for part in ("<b onx", "<script>alert", "<img src=x", "<p onclick"):
            assert part not in page, f"{name}: {part}"
    assert HOSTILE[:20] in host.client.get(f"/t/{table.pk}/chat.json").json()["lines"][0]["text"]
    shown = {"table": "&lt;b onx", "upload": "&lt;p onclick", "upload_replay": "&lt;p onclick"}
    for name, part in shown.items():
        assert part in host.client.get(pages[name]).content.decode(), name


# --- oversized and invalid input -----------------------------------------------------------------


@pytest.mark.parametrize("name", FORMS)
def test_ten_thousand_fields_are_refused(name: str, host: Guest, table: Table) -> None:
    before = state(table)
    body = "&".join(f"field{number}=x" for number in range(10_000))
    kind = "application/x-www-form-urlencoded"
    token = {"X-CSRFToken": "c" * 32}
    answer = real(host).post(addresses(table)[name], body, content_type=kind, headers=token)
    assert 400 <= answer.status_code < 500 and answer.content
    assert state(table) == before


@pytest.mark.parametrize(
    ("action", "field"),
    [("chat", "text"), ("choose", "choice"), ("end", "number"), ("pace", "pace")],
)
def test_input_that_is_too_long_is_refused(
    action: str, field: str, host: Guest, table: Table
) -> None:
    before = state(table)
    for length in (1_000_000, 11_000_000):
        answer = host.post(table, action, **{field: "9" * length})
        assert answer.status_code < 500
    assert state(table) == before


@pytest.mark.parametrize(
    "address",
    ["/archive/?player=%00", "/archive.json?opening=a%00", "/?x%00", "/following/player/"],
)
def test_a_character_that_postgresql_cannot_store_is_refused(address: str, host: Guest) -> None:
    is_form = address.startswith("/following")
    answer = host.client.post(address, {"name": "a\0"}) if is_form else host.client.get(address)
    assert answer.status_code == 400 and "cannot be read" in answer.content.decode()


def test_the_address_of_a_calendar_cannot_contain_it(host: Guest) -> None:
    with mock.patch("brassmill.web.delivery.choices.owner_of", return_value=None) as asked:
        assert host.client.get("/calendar/a.ics").status_code == 404 and asked.call_count == 1
        assert host.client.get("/calendar/a%00.ics").status_code == 404 and asked.call_count == 1


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "1e9", "\u0661"])
def test_any_number_of_a_page_shows_a_page(number: str, host: Guest) -> None:
    assert host.client.get("/ratings/", {"page": number}).status_code == 200


def test_a_long_name_takes_no_seat() -> None:
    table = set_up(Guest("Ada"), "you", "friend")
    answer = Guest("Eve").sit(tokens_of(table)[0], "E" * 100_000)
    assert answer.status_code == 422 and table.seats.filter(name="").count() == 1


BAD = {
    "binary": bytes(range(256)) * 40,
    "a picture": b"\x89PNG\r\n\x1a\n" + b"\0" * 500,
    "another encoding": '[Edition "birmingham"]'.encode("utf-16"),
    "too large": b"x" * 1_100_000,
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep data": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "laughs": b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>',
    "brackets": b"(" * 100_000,
    "one long line": b'[Edition "' + b"b" * 900_000 + b'"]',
    "many lines": b"\n".join([b"1. A: build"] * 50_000),
    "nothing": b"",
    "headers only": b'[Edition "birmingham"]\n[Players "99999999999999999999"]\n\n',
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_record_is_refused_with_an_explanation(what: str, host: Guest) -> None:
    sent = {"file": SimpleUploadedFile("../../etc/passwd.brass", BAD[what])}
    answer = host.client.post("/records/", sent)
    assert answer.status_code == 422, what
    assert 'class="fault' in answer.content.decode() or 'role="alert"' in answer.content.decode()
    assert not Upload.objects.filter(visitor=host.key).exists()


def test_a_truncated_record_is_refused_with_an_explanation(host: Guest) -> None:
    from web.replay.test_replay import INTRO

    lines = [found.end() for found in re.finditer("\n", INTRO[:-1])]
    for length in (*range(0, len(INTRO), len(INTRO) // 15), *lines[::-4][:15]):
        answer = host.client.post("/records/", {"text": INTRO[:length]})
        assert answer.status_code == 422, INTRO[:length][-80:]
        assert 'role="alert"' in answer.content.decode()
    answer = host.client.post("/records/", {"text": INTRO})
    assert host.client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize(
    "trick",
    ["../t", "..%2f..%2f", "%2e%2e", "%00", "a%0d%0aSet-Cookie:x=1", "é", "a" * 13, "' OR 1=1--"],
)
def test_no_table_name_leads_elsewhere(trick: str, host: Guest) -> None:
    for address in (f"/t/{trick}/", f"/t/{trick}.json", f"/records/{trick}/", f"/new/{trick}/"):
        answer = host.client.get(address)
        assert answer.status_code == 404, address
        assert "Set-Cookie" not in answer.headers and "x" not in answer.cookies


def test_past_positions_have_bounded_numbers(host: Guest, table: Table) -> None:
    for number in ("1", "9" * 30, "-1", "0x1", "1e3"):
        assert host.client.get(f"/t/{table.pk}/past/{number}.json").status_code == 404


def test_an_expired_session_is_rejected(host: Guest, table: Table) -> None:
    later = timezone.now().timestamp() + settings.SESSION_COOKIE_AGE + 60
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.signing.time.time", lambda: later)
        assert host.client.get(f"/t/{table.pk}.json").json()["held"] == []
