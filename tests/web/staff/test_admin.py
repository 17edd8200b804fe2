"""Django's admin: for staff only, nothing hidden is shown, and every action is logged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex
from time import time
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import Model
from django.test import Client, override_settings

from brassmill.web.models import Block, Entry, Message, Report, Seat, Table, Upload
from brassmill.web.staff.admin import SINCE
from brassmill.web.table import sessions
from brassmill.web.table.session import BrokenLog, Stale, TableSession
from support.friends import Guest, set_up, tokens_of
from support.people import guest_of, make_account, sign_in
from support.web import hidden_words, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

PASSWORD = "coal-and-cotton-1830"
MODELS: tuple[type[Model], ...] = (Table, Seat, Entry, Message, Report, Block, Upload)


@pytest.fixture(autouse=True)
def quick_passwords() -> Iterator[None]:
    """Use fast password hashes."""
    cache.clear()
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield
    cache.clear()


def user(is_staff: bool = True) -> User:
    return User.objects.create(
        username=f"staff-{token_hex(4)}",
        password=make_password(PASSWORD),
        is_staff=is_staff,
        is_superuser=is_staff,
    )


def log_in(client: Client, who: User, password: str = PASSWORD) -> int:
    form = {"username": who.username, "password": password, "next": "/admin/"}
    return client.post("/admin/login/", form).status_code


@pytest.fixture
def staff() -> Client:
    """Return a browser logged in as staff."""
    client = Client()
    assert log_in(client, user()) == 302
    return client


@pytest.fixture
def session() -> TableSession:
    """Return a running game of two people with a secret seed."""
    session = sessions.get(make_table(people_only(), seed=None).id)
    for _turn in range(3):
        play_turn(session)
    return session


def act(client: Client, model: str, action: str, *rows: object, **more: str) -> str:
    """Run an action of a list; return the resulting page."""
    form = {"action": action, "_selected_action": [str(row) for row in rows], **more}
    answer = client.post(f"/admin/web/{model}/", form, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def written(words: str) -> bool:
    """Was this the last action logged?"""
    last = LogEntry.objects.first()
    return last is not None and words in f"{last.get_change_message()} {last}"


# --- login ---------------------------------------------------------------------------------------


def test_strangers_and_players_must_log_in() -> None:
    player = Client()
    for client in (Client(), visitor(), player):
        for page in ("/admin/", *(f"/admin/web/{model._meta.model_name}/" for model in MODELS)):
            answer = client.get(page)
            assert answer.status_code == 302 and "/admin/login/" in answer["Location"]
    assert log_in(player, user(is_staff=False)) == 200
    assert player.get("/admin/").status_code == 302


def test_guessing_a_password_is_slow_from_any_address() -> None:
    who = user()
    client = Client()
    answers = [log_in(client, who, "wrong") for _try in range(8)]
    assert answers[0] == 200 and answers[-1] == 429
    assert log_in(client, who) == 429  # it is not even checked
    many = [log_in(Client(), who, "wrong") for _try in range(70)]
    assert many[-1] == 429


def test_a_login_expires_before_the_cookie(staff: Client) -> None:
    assert staff.get("/admin/").status_code == 200
    with mock.patch("brassmill.web.staff.admin.time", return_value=time() + 13 * 3600):
        assert staff.get("/admin/").status_code == 302


def test_a_login_starts_a_new_session_and_a_new_password_ends_it() -> None:
    client, who = visitor(), user()
    before = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert log_in(client, who) == 302
    old = Client()
    old.cookies[settings.SESSION_COOKIE_NAME] = before
    assert old.get("/admin/").status_code == 302
    who.set_password("another")
    who.save()
    assert client.get("/admin/").status_code == 302


def test_a_wrong_password_fails_even_for_a_signed_in_player() -> None:
    client, who = Client(), user()
    assert sign_in(client, who.username, PASSWORD).status_code == 302
    assert client.get("/admin/").status_code == 302
    log_in(client, who, "wrong")
    assert SINCE not in client.session and client.get("/admin/").status_code == 302
    assert log_in(client, who) == 302
    assert SINCE in client.session and client.get("/admin/").status_code == 200


def test_logging_in_keeps_ones_seats_as_with_any_account() -> None:
    client, table, who = visitor(), make_table(), user()
    assert log_in(client, who) == 302
    assert client.get(f"/t/{table.id}.json").json()["held"] == [0]
    client.post("/admin/logout/")
    assert client.get("/admin/").status_code == 302
    assert client.get(f"/t/{table.id}.json").json()["held"] == []
    assert log_in(client, who) == 302
    assert client.get(f"/t/{table.id}.json").json()["held"] == [0]


def test_without_a_csrf_token_nothing_happens(session: TableSession) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user())
    form = {"action": "void", "_selected_action": [session.table.id]}
    assert client.post("/admin/web/table/", form).status_code == 403
    assert not sessions.get(session.table.id).over


# --- contents ------------------------------------------------------------------------------------


def test_every_page_works_and_shows_nothing_hidden(staff: Client, session: TableSession) -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend")
    ben.sit(tokens_of(table)[0])
    ben.post(table, "chat", text="hello")
    message = Message.objects.latest("pk")
    Report.objects.create(message=message, visitor=host.key)
    Block.objects.create(visitor=ben.key, name="Ben")
    Upload.objects.create(visitor=ben.key, name="a game", text="…")
    secrets = {
        *(ben.key, host.key, *hidden_words(session.table), *hidden_words(table)),
        *table.seats.exclude(invite="").values_list("invite", flat=True),
    }
    pages = ["/admin/", "/admin/password_change/", "/admin/web/block/add/"]
    for model in MODELS:
        name = model._meta.model_name
        last = model._base_manager.order_by("pk").last()
        assert last is not None
        pages += [f"/admin/web/{name}/", f"/admin/web/{name}/?q=Ben"]
        pages.append(f"/admin/web/{name}/{last.pk}/change/")
    pages += [f"/admin/web/table/{each.id}/change/" for each in (table, session.table)]
    pages += [f"/admin/web/table/{session.table.id}/back/", "/admin/admin/logentry/"]
    for page in pages:
        answer = staff.get(page)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        assert not [secret for secret in secrets if secret in text], page
        policy = answer["Content-Security-Policy"]
        assert "unsafe-inline" not in policy and not re.search(r"<script>|<style", text), page


def test_seats_are_numbered_from_one(staff: Client, session: TableSession) -> None:
    """As everywhere that people see them."""
    last = session.seats[-1]
    message = Message.objects.create(
        table=session.table, seat=last.number, name="Ben", text="hello"
    )
    pages = {
        f"table/{session.table.id}/change/": [1, 2],
        f"seat/?q={session.table.id}&o=3": [1, 2],
        f"seat/{last.pk}/change/": [2],
        f"message/{message.pk}/change/": [2],
    }
    for page, seats in pages.items():
        text = staff.get(f"/admin/web/{page}", follow=True).content.decode()
        found = re.findall(r"field-place.*?>(\d+)<", text, re.S)
        assert [int(place) for place in found] == seats, page


def test_the_body_of_an_entry_is_hidden_while_the_game_runs(
    staff: Client, session: TableSession
) -> None:
    entry = session.table.entries.last()
    assert entry is not None
    page = f"/admin/web/entry/{entry.pk}/change/"
    assert "hidden while the game runs" in staff.get(page).content.decode()
    Table.objects.filter(pk=session.table.pk).update(over=True, seed="98765432123")
    shown = staff.get(page).content.decode()
    assert "hidden while" not in shown and entry.body["check"] not in shown
    assert (
        "98765432123" in staff.get(f"/admin/web/table/{session.table.pk}/change/").content.decode()
    )


def test_static_files_of_the_admin_are_served(staff: Client) -> None:
    page = staff.get("/admin/").content.decode()
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert files
    for file in files:
        assert staff.get(file).status_code == 200
    assert staff.get("/static/admin/css/base.css")["Cache-Control"] == "no-cache"


def test_nothing_can_be_edited(staff: Client, session: TableSession) -> None:
    """Rows of games are changed by actions only."""
    for page in ("table/add/", "seat/add/", "entry/add/", "message/add/"):
        assert staff.get(f"/admin/web/{page}").status_code == 403
    address = f"/admin/web/table/{session.table.id}/change/"
    assert staff.post(address, {"seed": "1", "host": "me"}).status_code == 403
    entry = session.table.entries.first()
    assert entry is not None
    assert staff.post(f"/admin/web/entry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403


# --- actions -------------------------------------------------------------------------------------


def test_a_game_can_be_ended_and_rewound(staff: Client, session: TableSession) -> None:
    assert "ended without a result" in act(staff, "table", "void", session.table.id)
    assert sessions.get(session.table.id).is_void and written("ended without a result")
    assert "game is over" in act(staff, "table", "void", session.table.id)
    point = session.turn_starts[1].entry
    answer = staff.post(f"/admin/web/table/{session.table.id}/back/", {"entry": point}, follow=True)
    assert f"back at entry {point}" in answer.content.decode()
    assert (
        not session.over
        and session.turn_starts[-1].entry == point
        and written(f"back to entry {point}")
    )
    play_turn(session)
    refused = staff.post(f"/admin/web/table/{session.table.id}/back/", {"entry": 10**6})
    assert refused.status_code == 200 and session.turns == 2


def test_a_log_from_other_rules_is_reported_and_not_played(
    staff: Client, session: TableSession
) -> None:
    page = f"/admin/web/table/{session.table.id}/back/"
    with mock.patch.object(TableSession, "rewind", side_effect=Stale("it has moved on")):
        answer = staff.post(page, {"entry": session.turn_starts[1].entry}, follow=True)
    assert answer.status_code == 200 and "it has moved on" in answer.content.decode()
    with mock.patch.object(sessions, "get", side_effect=BrokenLog("different rules")):
        answer = staff.get(page, follow=True)
    assert answer.status_code == 200 and "different rules" in answer.content.decode()


def test_deleting_a_user_treats_their_games_as_if_they_had_deleted_the_account(
    staff: Client,
) -> None:
    ben, accounts = Guest("Ben"), [make_account(), make_account()]
    tables = []
    for account in accounts:
        table = set_up(guest_of(account), "you", "friend")
        ben.sit(tokens_of(table)[0])
        tables.append(table)
    one, other = accounts
    bare = User.objects.create(username=f"bare-{token_hex(4)}")  # a user who has never signed in
    with no_bots():
        staff.post(f"/admin/auth/user/{one.user.pk}/delete/", {"post": "yes"})
        form = {"action": "delete_selected", "post": "yes"}
        chosen = [str(other.user.pk), str(bare.pk)]
        staff.post("/admin/auth/user/", {**form, "_selected_action": chosen})
    gone = [one.user.pk, other.user.pk, bare.pk]
    assert not User.objects.filter(pk__in=gone).exists()
    for table, account in zip(tables, accounts, strict=True):
        assert not table.seats.filter(holder=account.key).exists()
        assert table.seats.get(number=0).bot == table.standby


def test_the_standby_bot_can_take_over(staff: Client, session: TableSession) -> None:
    seat = session.seats[session.to_move or 0]
    with no_bots():
        assert "played by the stand-in bot" in act(staff, "seat", "stand_in", seat.pk)
    row = Seat.objects.get(pk=seat.pk)
    assert (row.bot, row.holder) == ("apprentice", "") and written("stand-in")


def test_a_table_can_be_deleted(staff: Client, session: TableSession) -> None:
    act(staff, "table", "delete_selected", session.table.id, post="yes")
    assert not Table.objects.filter(pk=session.table.id).exists()
    assert sessions.at_hand(session.table.id) is None
    assert LogEntry.objects.filter(object_id=session.table.id, action_flag=3).exists()
    other = make_table()
    staff.post(f"/admin/web/table/{other.id}/delete/", {"post": "yes"})
    assert not Table.objects.filter(pk=other.id).exists()


def test_a_message_can_be_hidden_and_its_author_blocked(staff: Client) -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend")
    ben.sit(tokens_of(table)[0])
    ben.post(table, "chat", text="something ugly")
    message = Message.objects.latest("pk")
    act(staff, "message", "hide", message.pk)
    assert "ugly" not in host.page(f"/t/{table.id}/") and written("hidden")
    act(staff, "message", "show", message.pk)
    assert "ugly" in host.page(f"/t/{table.id}/")
    act(staff, "message", "block", message.pk)
    assert Block.objects.filter(visitor=ben.key, name="Ben").exists() and written("blocked")
    assert ben.post(table, "chat", text="more").status_code == 403
    act(staff, "message", "delete_selected", message.pk, post="yes")
    assert "ugly" not in host.page(f"/t/{table.id}/")


def test_the_form_can_block_someone(staff: Client) -> None:
    address = f"203.0.113.{int(token_hex(1), 16)}"
    assert (
        staff.post("/admin/web/block/add/", {"who": address, "reason": "spam"}).status_code == 302
    )
    block = Block.objects.get(name=address)
    assert block.address and address not in block.address
    again = staff.post("/admin/web/block/add/", {"who": address}).content.decode()
    assert "blocked already" in again
    nobody = staff.post("/admin/web/block/add/", {"who": "Nobody-here"}).content.decode()
    assert "unknown person Nobody-here" in nobody
    changed = staff.post(f"/admin/web/block/{block.pk}/change/", {"reason": "much spam"})
    assert changed.status_code == 302
    assert Block.objects.get(pk=block.pk).reason == "much spam"
