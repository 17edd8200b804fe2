"""Django's admin: for staff only, nothing hidden is shown, and every action is logged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import escape, unescape
from secrets import token_hex
from time import time
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.db.models import Model
from django.test import Client, override_settings
from django.utils import timezone

from brassmill import terms
from brassmill.web.models import Block, Entry, Message, Report, Seat, Table, Upload
from brassmill.web.staff.admin import SAW_HANDS, SINCE
from brassmill.web.table import repair, sessions
from brassmill.web.table.session import BrokenLog, TableSession
from brassmill.web.table.writing import Stale
from support.friends import Guest, set_up, tokens_of
from support.people import guest_of, make_account, sign_in
from support.sessions import again, same
from support.staff import PASSWORD, act, log_in, make_user, operator, page_of, post, written
from support.web import hidden_words, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

MODELS: tuple[type[Model], ...] = (Table, Seat, Entry, Message, Report, Block, Upload)


@pytest.fixture(autouse=True)
def quick_passwords() -> Iterator[None]:
    """Use fast password hashes."""
    cache.clear()
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield
    cache.clear()


@pytest.fixture
def staff() -> Client:
    """Return a browser logged in as staff."""
    return operator()


@pytest.fixture
def session() -> TableSession:
    """Return a running game of two people with a secret seed."""
    session = sessions.get(make_table(people_only(), seed=None).id)
    for _turn in range(3):
        play_turn(session)
    return session


# --- login ---------------------------------------------------------------------------------------


def test_strangers_and_players_must_log_in() -> None:
    player = Client()
    for client in (Client(), visitor(), player):
        for page in ("/admin/", *(f"/admin/web/{model._meta.model_name}/" for model in MODELS)):
            answer = client.get(page)
            assert answer.status_code == 302 and "/admin/login/" in answer["Location"]
    assert log_in(player, make_user(is_staff=False)) == 200
    assert player.get("/admin/").status_code == 302


def test_guessing_a_password_is_slow_from_any_address() -> None:
    who = make_user()
    client = Client()
    answers = [log_in(client, who, "wrong") for _try in range(8)]
    assert answers[0] == 200 and answers[-1] == 429
    assert log_in(client, who) == 429  # it is not even checked
    many = [log_in(Client(), who, "wrong") for _try in range(70)]
    assert many[-1] == 429


def test_a_login_expires_before_the_cookie(staff: Client) -> None:
    assert staff.get("/admin/").status_code == 200
    for hours in (13, -13):  # a clock may have been set back
        with mock.patch("brassmill.web.staff.admin.time", return_value=time() + hours * 3600):
            assert staff.get("/admin/").status_code == 302


def test_a_login_starts_a_new_session_and_a_new_password_ends_it() -> None:
    client, who = visitor(), make_user()
    before = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert log_in(client, who) == 302
    old = Client()
    old.cookies[settings.SESSION_COOKIE_NAME] = before
    assert old.get("/admin/").status_code == 302
    who.set_password("another")
    who.save()
    assert client.get("/admin/").status_code == 302


def test_a_wrong_password_fails_even_for_a_signed_in_player() -> None:
    client, who = Client(), make_user()
    assert sign_in(client, who.username, PASSWORD).status_code == 302
    assert client.get("/admin/").status_code == 302
    log_in(client, who, "wrong")
    assert SINCE not in client.session and client.get("/admin/").status_code == 302
    assert log_in(client, who) == 302
    assert SINCE in client.session and client.get("/admin/").status_code == 200


def test_logging_in_keeps_ones_seats_as_with_any_account() -> None:
    client, table, who = visitor(), make_table(), make_user()
    assert log_in(client, who) == 302
    assert client.get(f"/t/{table.id}.json").json()["held"] == [0]
    client.post("/admin/logout/")
    assert client.get("/admin/").status_code == 302
    assert client.get(f"/t/{table.id}.json").json()["held"] == []
    assert log_in(client, who) == 302
    assert client.get(f"/t/{table.id}.json").json()["held"] == [0]


def test_without_a_csrf_token_nothing_happens(session: TableSession) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user())
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
    pages += [f"/admin/web/table/{session.table.id}/{page}/" for page in ("back", "hands")]
    pages += [f"/admin/web/{kind}/?table={table.id}" for kind in ("entry", "message")]
    pages.append("/admin/admin/logentry/")
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
        answer = staff.get(file)
        assert answer.status_code == 200 and answer.getvalue()
    style = staff.get("/static/admin/css/base.css")
    assert style["Cache-Control"] == "no-cache" and style.getvalue()


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


def test_tables_are_filtered_by_their_state(staff: Client, session: TableSession) -> None:
    waiting, over, void, misfit = (make_table() for _table in range(4))
    Table.objects.filter(pk=waiting.pk).update(gathering=True)
    Table.objects.filter(pk=over.pk).update(over=True, summary={"to_move": None, "result": []})
    sessions.get(void.id).void()
    Table.objects.filter(pk=misfit.pk).update(misfit="other rules")
    states = {
        "running": (session.table, misfit),
        "waiting": (waiting,),
        "over": (over,),
        "void": (void,),
        "misfit": (misfit,),
        "nonsense": (session.table, waiting, over, void, misfit),
    }
    tables = {session.table, waiting, over, void, misfit}
    for state, expected in states.items():
        pages = {table: page_of(staff, f"table/?state={state}&q={table.id}") for table in tables}
        assert {table for table in tables if f">{table.id}<" in pages[table]} == {*expected}, state
    assert "running, under earlier rules" in page_of(staff, f"table/?state=misfit&q={misfit.id}")
    Table.objects.filter(pk__in=[waiting.pk, over.pk, void.pk, misfit.pk]).delete()  # they are odd


def test_the_turns_of_a_game_are_shown(staff: Client, session: TableSession) -> None:
    page = unescape(page_of(staff, f"table/{session.table.id}/back/"))
    rows = re.findall(r'<th scope="row">(\d+)</th>\s*<td>(?:<a[^>]*>)?(\d+)', page)
    starts = [(start.turn, start.entry) for start in reversed(session.turn_starts)]
    assert [(int(turn), int(entry)) for turn, entry in rows] == starts and len(starts) == 4
    for start in session.turn_starts[:-1]:
        words = repair.turn_in_words(session, start)
        assert words and "; ".join(words) in page
    chosen = page_of(staff, f"table/{session.table.id}/back/?entry={starts[1][1]}")
    assert re.search(rf'name="entry" value="{starts[1][1]}"', chosen)


def test_a_game_can_be_ended_and_rewound(staff: Client, session: TableSession) -> None:
    assert "ended without a result" in act(staff, "table", "void", session.table.id)
    assert sessions.get(session.table.id).is_void and written("ended without a result")
    assert "game is over" in act(staff, "table", "void", session.table.id)
    point = session.turn_starts[1]
    back = f"table/{session.table.id}/back/"
    answer = post(staff, back, entry=point.entry)
    assert f"back at entry {point.entry}" in answer and "clocks" not in answer
    assert not session.over and session.turn_starts[-1] == point
    assert written(f"back to entry {point.entry}")
    play_turn(session)
    for nowhere in (10**6, session.length, -1, "now", ""):
        refused = staff.post(f"/admin/web/{back}", {"entry": nowhere})
        assert refused.status_code == 200 and "errorlist" in refused.content.decode()
        assert session.turns == 2


def test_a_game_can_be_rewound_to_the_middle_of_a_turn_and_forward_again(
    staff: Client, session: TableSession
) -> None:
    turns, length = session.turns, session.length
    post(staff, f"table/{session.table.id}/back/", entry=1)
    assert session.undoable == 1 and session.turns == 0 and same(session, again(session))
    post(staff, f"table/{session.table.id}/back/", entry=length)
    fresh = sessions.get(session.table.id)
    assert fresh.turns == turns and same(fresh, again(fresh))
    play_turn(sessions.get(session.table.id))


def test_rewinding_says_whether_the_clock_is_known(staff: Client) -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend", clock="bank-7d")
    ben.sit(tokens_of(table)[0])
    session = sessions.get(table.id)
    for _turn in range(2):
        play_turn(session)
    back, point = f"table/{table.id}/back/", session.turn_starts[1].entry
    assert "are back to what they were then" in post(staff, back, entry=point)
    for entry in table.entries.all():  # in the old format
        entry.body.pop("banks", None)
        entry.save()
    sessions.forget(table.id)
    play_turn(sessions.get(table.id))
    assert "are unknown" in post(staff, back, entry=point)


def test_all_hands_are_shown_only_to_an_operator_whose_look_is_logged(
    staff: Client, session: TableSession
) -> None:
    page = f"table/{session.table.id}/hands/"
    Table.objects.filter(pk=session.table.pk).update(seed="98765432123")
    sessions.forget(session.table.id)
    hidden = {terms.card(card) for seat in (0, 1) for card in session.view(seat).hand or {}}
    before = page_of(staff, page)
    assert not [word for word in ("98765432123", *hidden) if escape(word) in before]
    shown = post(staff, page)
    assert written(SAW_HANDS) and LogEntry.objects.filter(object_id=session.table.id).count() == 1
    assert not [word for word in ("98765432123", *hidden) if escape(word) not in shown]
    assert "98765432123" in page_of(staff, page)
    assert "98765432123" not in page_of(operator(), page)  # another one
    another = make_table(people_only())
    assert "Show all hands" in page_of(staff, f"table/{another.id}/hands/")
    LogEntry.objects.filter(change_message=SAW_HANDS).update(
        action_time=timezone.now() - timedelta(minutes=11)
    )
    assert "98765432123" not in page_of(staff, page)


HIDDEN = {
    "table": ("seed", "host", "secret", "site"),
    "seat": ("holder", "invite", "handover", "former"),
    "entry": ("body__choose__0", "body__check", "table__host"),
    "message": ("author", "table__host"),
    "block": ("visitor", "address"),
    "upload": ("visitor",),
    "report": ("visitor", "message__author"),
}


@pytest.mark.parametrize("model", HIDDEN)
def test_no_list_can_be_filtered_by_what_it_hides(model: str, staff: Client) -> None:
    for field in HIDDEN[model]:
        for lookup in (field, f"{field}__startswith", f"{field}__gt", f"{field}__in"):
            answer = staff.get(f"/admin/web/{model}/", {lookup: "a"})
            assert answer.status_code == 400, lookup
    filters = re.findall(r'href="\?([\w]+=[^"&]+)"', page_of(staff, f"{model}/"))
    for shown in filters:
        assert staff.get(f"/admin/web/{model}/?{unescape(shown)}").status_code == 200, shown


def test_ids_that_cannot_exist_are_refused(staff: Client) -> None:
    for model, action in (("table", "void"), ("seat", "block"), ("message", "hide")):
        for wrong in ("9" * 30, "-", "x" * 500):
            act(staff, model, action, wrong)
        chosen = {"action": action, "_selected_action": "\0"}
        assert staff.post(f"/admin/web/{model}/", chosen).status_code == 400
    for page in ("web/table/%00/change/", "web/table/%00/hands/", "web/table/?edition__exact=%00"):
        assert staff.get(f"/admin/{page}").status_code == 400


# --- rights --------------------------------------------------------------------------------------


def test_only_a_superuser_grants_rights() -> None:
    helper, chief, player = make_user(), make_user(), make_user(is_staff=False)
    helper.is_superuser = False
    helper.save()
    of_people = Permission.objects.filter(content_type__model__in=["user", "group"])
    helper.user_permissions.set(of_people)
    client = Client()
    assert log_in(client, helper) == 302
    new = {"password1": "iron-and-coal-1830", "password2": "iron-and-coal-1830"}
    for other in (chief, helper):
        page = f"/admin/auth/user/{other.pk}"
        assert client.post(f"{page}/password/", new).status_code == 403
        assert client.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
    assert client.get("/admin/auth/group/").status_code == 403
    form = {"username": player.username, "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    form |= {"date_joined_0": "2026-01-01", "date_joined_1": "10:00:00", "first_name": "Ada"}
    assert client.post(f"/admin/auth/user/{player.pk}/change/", form).status_code == 302
    player.refresh_from_db()
    assert (player.first_name, player.is_staff, player.is_superuser) == ("Ada", False, False)


@pytest.mark.parametrize("page", ["back", "hands"])
def test_pages_of_a_game_require_permission_to_delete(page: str, session: TableSession) -> None:
    who, client = make_user(), Client()
    who.is_superuser = False
    who.save()
    who.user_permissions.set(Permission.objects.filter(codename="view_table"))
    assert log_in(client, who) == 302
    address, length = f"/admin/web/table/{session.table.id}/{page}/", session.length
    assert client.get(address).status_code == 403
    assert client.post(address, {"entry": 1}).status_code == 403
    assert session.length == length and not LogEntry.objects.filter(user=who).exists()


def test_a_table_whose_name_looks_quoted_has_its_pages(staff: Client) -> None:
    """Django's admin writes some characters of a name as `_` and two digits."""
    table = make_table(people_only(), named=f"ab_2F{token_hex(3)}")
    play_turn(sessions.get(table.pk))
    for page in ("back", "hands"):
        text = page_of(staff, f"table/{table.pk}/{page}/")
        (link,) = re.findall(rf'<a href="([^"]*)">{re.escape(str(table))}</a>', text)
        assert staff.get(link).status_code == 200
    assert ">Rewind</a>" in post(staff, f"table/{table.pk}/back/", entry=0)


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


def test_a_table_can_be_deleted(staff: Client, session: TableSession) -> None:
    assert "Are you sure" in act(staff, "table", "delete_selected", session.table.id)
    assert Table.objects.filter(pk=session.table.id).exists()
    act(staff, "table", "delete_selected", session.table.id, post="yes")
    assert not Table.objects.filter(pk=session.table.id).exists()
    assert sessions.at_hand(session.table.id) is None
    assert visitor().get(f"/t/{session.table.id}/").status_code == 404
    assert LogEntry.objects.filter(object_id=session.table.id, action_flag=3).exists()
    other = make_table()
    staff.post(f"/admin/web/table/{other.id}/delete/", {"post": "yes"})
    assert not Table.objects.filter(pk=other.id).exists()
