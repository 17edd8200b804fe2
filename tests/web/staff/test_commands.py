"""`brass admin`: listing, repairs and moderation; hidden information stays hidden."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings

from brassmill.cli.main import main
from brassmill.web.models import Block, Message, PendingNotification, Report, Seat, Table
from brassmill.web.server import database, notify
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.friends import Guest, set_up, tokens_of
from support.people import make_account, signed_in
from support.web import KEY, hidden_words, make_table, no_bots, people_only, play_turn, visitor
from web.table.test_session import again, same

QUICK = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast hashes

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def admin_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the home of the site; notifications to a server are dropped after the test."""
    monkeypatch.setenv("BRASSMILL_HOME", str(settings.HOME))
    monkeypatch.setattr(notify, "_is_outside", False)


def brass(*words: object, typed: str = "") -> Result:
    """Run the command as a person would, in a wide terminal."""
    env = {"LANGUAGE": "en", "COLUMNS": "200"}
    return CliRunner().invoke(main, ["admin", *map(str, words)], env=env, input=typed)


def told(*words: object) -> str:
    """Return the output of a command that succeeds."""
    done = brass(*words)
    assert done.exit_code == 0, done.output
    return done.output


def data(*words: object) -> Any:
    return json.loads(told(*words, "--json"))


def refused(*words: object) -> str:
    done = brass(*words)
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit), done.output
    return " ".join(done.output.split())


@pytest.fixture
def session() -> TableSession:
    """Return a running game of three people with a secret deal."""
    session = sessions.get(make_table(people_only(3), seed=None).id)
    while session.game.round < 2:
        play_turn(session)
    return session


def friends() -> tuple[Guest, Guest, Table]:
    """Return a host, a guest, and their table."""
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend")
    ben.sit(tokens_of(table)[0])
    return host, ben, table


# --- listing -------------------------------------------------------------------------------------


def test_tables_are_listed_and_filtered(session: TableSession) -> None:
    host, _ben, table = friends()
    waiting = set_up(host, "you", "friend")
    sessions.get(table.id).void()
    over = make_table()
    Table.objects.filter(pk=over.pk).update(over=True, summary={"to_move": None, "result": []})
    states = {
        "running": session.table.id,
        "waiting": waiting.id,
        "over": over.id,
        "void": table.id,
    }
    for state, name in states.items():
        rows = data("tables", "--state", state, "--most", 500)
        assert name in {row["id"] for row in rows}
        assert {row["state"] for row in rows} == {state}
    row = next(row for row in data("tables", "--name", "cleo") if row["id"] == session.table.id)
    assert row["turn"] == session.seats[session.to_move or 0].name
    assert session.table.id in told("tables", "--edition", "birmingham", "--state", "running")
    classic = data("tables", "--edition", "classic", "--name", "Cleo", "--most", 500)
    assert session.table.id not in {row["id"] for row in classic}


def test_a_table_shows_its_turns_and_nothing_hidden(session: TableSession) -> None:
    hidden = [KEY, *hidden_words(session.table)]
    shown, rows = told("show", session.table.id), data("show", session.table.id)
    assert [turn["turn"] for turn in rows["turns"]] == [1, 2, 3, 4]
    assert rows["turns"][0]["story"] and rows["turns"][0]["story"][0] in " ".join(shown.split())
    assert [turn["entry"] for turn in rows["turns"]] == [mark.entry for mark in session.turn_starts]
    for text in (shown, json.dumps(rows), told("tables"), json.dumps(data("tables"))):
        assert not [word for word in hidden if word in text]
    assert "cards" not in rows and "seed" not in rows
    with_all = data("show", session.table.id, "--secrets")
    assert with_all["seed"] == "" and len(with_all["cards"]["Ada"]) > 3
    Table.objects.filter(pk=session.table.id).update(seed="98765432123")
    assert data("show", session.table.id, "--secrets")["seed"] == "98765432123"
    assert "98765432123" in told("show", session.table.id, "--secrets")


def test_a_table_is_found_by_a_prefix_or_the_error_says_what_is_wrong(
    session: TableSession,
) -> None:
    assert "no table zz-nothing; `brass admin tables`" in refused("show", "zz-nothing")
    for name in ("zz-2", "zz-22"):
        Table.objects.create(pk=name, edition="birmingham", players=2, seed="1", host="")
    assert "several tables begin with zz-; type more" in refused("show", "zz-")
    told("delete", "https://brass.example/t/zz-2/", "--yes")
    assert not Table.objects.filter(pk="zz-2").exists()
    told("delete", "zz-", "--yes")
    assert not Table.objects.filter(pk="zz-22").exists()
    for name in ("zz-b", "zz-B"):
        Table.objects.create(pk=name, edition="birmingham", players=2, seed="1", host="")
    told("delete", "zz-B", "--yes")
    assert "no table ZZ-" in refused("show", "ZZ-")
    told("delete", "zz-b", "--yes")
    for name in ("-hjkl_345678", "--seat-lamps"):  # names may start like this
        Table.objects.create(pk=name, edition="birmingham", players=2, seed="1", host="")
        told("close-chat", name)
        told("delete", name, "--yes")
    assert "No such option" in brass("tables", "--edtion", "classic").output


# --- repairs -------------------------------------------------------------------------------------


def test_a_game_can_be_rewound_and_continued(session: TableSession) -> None:
    point = session.turn_starts[2]
    assert "Aborted" in brass("back", session.table.id, point.turn, typed="n\n").output
    assert sessions.get(session.table.id).turns == 3
    said = told("back", session.table.id, point.turn, "--yes")
    assert f"back at entry @{point.entry}" in said
    assert sessions.get(session.table.id).turn_starts[-1] == point
    play_turn(session)
    told("back", session.table.id, "@1", "--yes")
    assert session.undoable == 1 and session.turns == 0 and same(session, again(session))
    play_turn(sessions.get(session.table.id))
    for point_there_is_not in ("77", "@99999", "0", "now"):
        words = refused("back", session.table.id, point_there_is_not, "--yes")
        assert f"{session.table.id} has no point {point_there_is_not}" in words


def test_rewinding_says_whether_the_clock_is_known() -> None:
    session = sessions.get(make_table(people_only()).id)
    play_turn(session)
    assert "time" not in told("back", session.table.id, 1, "--yes")
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend", clock="bank-7d")
    ben.sit(tokens_of(table)[0])
    session = sessions.get(table.id)
    for _turn in range(2):
        play_turn(session)
    assert "are back to what they were then" in told("back", table.id, 2, "--yes")
    for entry in table.entries.all():  # in the old format
        entry.body.pop("banks", None)
        entry.save()
    sessions.forget(table.id)
    play_turn(sessions.get(table.id))
    assert "are unknown" in told("back", table.id, 2, "--yes")


def test_rewinding_leaves_no_seat_without_a_holder() -> None:
    """The earlier holder may not hold it any more."""
    _host, _ben, table = friends()
    session = sessions.get(table.id)
    with no_bots():
        play_turn(session)
        told("seat", table.id, "Ben", "--bot", "beginner", "--yes")
        told("back", table.id, "@1", "--yes")
        assert sessions.get(table.id).bots == ["", table.standby] and same(session, again(session))
        told("seat", table.id, "Ben", "--invite", "--yes")
        told("back", table.id, "@1", "--yes")
    assert sessions.get(table.id).bots == ["", ""], "somebody is to come"


def test_a_bot_can_take_a_seat_and_its_holder_is_out(session: TableSession) -> None:
    with no_bots():
        assert "beginner now plays for Ben" in told(
            "seat", session.table.id, "ben", "--bot", "beginner", "--yes"
        )
    row = session.table.seats.get(number=1)
    assert (row.bot, row.holder) == ("beginner", "") and session.bots == ["", "beginner", ""]
    assert visitor().get(f"/t/{session.table.id}.json").json()["held"] == [0, 2]
    words = refused("seat", session.table.id, "Zoe", "--bot", "beginner", "--yes")
    assert f"{session.table.id} has no seat Zoe; its seats are 1 (Ada), 2 (Ben), 3 (Cleo)" in words
    assert "godlike" in refused("seat", session.table.id, 1, "--bot", "godlike", "--yes")
    assert "choose one of" in refused("seat", session.table.id, 1)


def test_a_seat_can_be_offered_again_in_mid_game() -> None:
    host, ben, table = friends()
    session = sessions.get(table.id)
    for _turn in range(2):
        play_turn(session)
    link = re.search(r"/join/([\w.-]+)/", told("seat", table.id, "Ben", "--invite", "--yes"))
    assert link
    # The former holder watches, and nobody holds it yet: no hand is shown to anyone.
    assert ben.data(table)["held"] == [] and ben.data(table)["you"] is None
    cleo, dan = Guest("Cleo"), Guest("Dan")
    page = cleo.page(f"/join/{link[1]}/")
    hand = session.view(1).hand
    assert "take over from Ben" in page and hand
    assert cleo.data(table)["hand"] == []
    while session.to_move != 1:
        play_turn(session)
    assert "offered to someone else" in host.page(f"/t/{table.id}/")
    assert host.sit(link[1]).status_code == 409  # they are seated already
    assert cleo.sit(link[1], "Ada").status_code == 422  # that is the host
    assert cleo.sit(link[1]).status_code == 302
    assert dan.sit(link[1]).status_code == 409
    # The new player has everything played there, and the game uses their name.
    assert cleo.data(table)["held"] == [1] and cleo.data(table)["hand"]
    assert session.game.seats == ("Ada", "Cleo")
    assert [player["name"] for player in host.data(table)["players"]] == ["Ada", "Cleo"]
    assert "Ben" not in " ".join(data("show", table.id)["turns"][1]["story"])
    assert same(session, again(session))
    play_turn(sessions.get(table.id))


@pytest.mark.parametrize("site", ["https://brass.example", ""])
def test_a_link_is_a_url_or_says_how_to_get_one(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _host, _ben, table = friends()
    monkeypatch.setattr(settings, "SITE", site)
    Table.objects.filter(pk=table.pk).update(site="")
    said = told("seat", table.id, "Ben", "--invite", "--yes")
    assert re.search(rf"^{site}/join/[\w.-]+/$", said, re.M)
    assert ("set BRASSMILL_URL" in said) == (not site)
    Table.objects.filter(pk=table.pk).update(site="http://localhost:8000")  # as its host saw it
    said = told("seat", table.id, 2, "--invite", "--yes")
    assert re.search(rf"^{site or 'http://localhost:8000'}/join/", said, re.M)


def test_a_bots_seat_can_be_offered_and_the_game_waits() -> None:
    session = sessions.get(make_table("you,beginner").id)
    link = re.search(r"/join/([\w.-]+)/", told("seat", session.table.id, 2, "--invite", "--yes"))
    assert link and session.bots == ["", ""] and not session.mover_is_bot
    cleo = Guest("Cleo")
    assert cleo.sit(link[1]).status_code == 302
    assert cleo.data(session.table)["held"] == [1] and session.to_move is not None


def test_a_host_who_is_out_is_no_longer_the_host() -> None:
    host, ben, table = friends()
    with no_bots():
        told("seat", table.id, "Ada", "--bot", "beginner", "--yes")
    assert Table.objects.get(pk=table.pk).host == ben.key
    host.client.post(f"/t/{table.id}/delete/", {"confirm": "yes"})
    assert Table.objects.filter(pk=table.pk).exists()


def test_an_offensive_name_is_changed_in_the_whole_game(session: TableSession) -> None:
    before = session.number
    assert "Ben is now called Bob" in told("seat", session.table.id, 2, "--name", "Bob")
    assert session.names == ["Ada", "Bob", "Cleo"] and session.number == before
    page = visitor().get(f"/t/{session.table.id}/replay/").content.decode()
    assert "Bob" in page and "Ben" not in page and same(session, again(session))
    assert "The name Ada is taken" in refused("seat", session.table.id, 2, "--name", "Ada")


def test_seats_of_a_waiting_table_belong_to_its_host() -> None:
    table = set_up(Guest("Ada"), "you", "friend")
    assert "still waiting" in refused("seat", table.id, 2, "--invite", "--yes")


def test_a_game_can_be_ended_without_a_result_or_deleted(session: TableSession) -> None:
    assert brass("void", session.table.id, typed="n\n").exit_code == 1
    assert not sessions.get(session.table.id).over
    assert "without a result" in told("void", session.table.id, "--yes")
    assert sessions.get(session.table.id).is_void
    told("back", session.table.id, 2, "--yes")
    play_turn(sessions.get(session.table.id))
    assert brass("delete", session.table.id, typed="n\n").exit_code == 1
    assert Table.objects.filter(pk=session.table.id).exists()
    told("delete", session.table.id, "--yes")
    assert visitor().get(f"/t/{session.table.id}/").status_code == 404


def test_a_host_cannot_delete_a_game_that_others_play() -> None:
    host, ben, table = friends()
    waiting = set_up(host, "you", "friend", "friend")
    ben.sit(tokens_of(waiting)[0])
    alone = make_table("you,beginner", key=host.key)
    answers = [host.post(each, "delete", confirm="yes") for each in (table, waiting, alone)]
    assert [answer.status_code for answer in answers] == [409, 302, 302]
    assert "Other people play in this game too" in answers[0].content.decode()
    left = Table.objects.filter(pk__in=[table.pk, waiting.pk, alone.pk])
    assert list(left) == [table]


# --- moderation ----------------------------------------------------------------------------------


def test_messages_are_listed_and_hidden_and_the_chat_closed() -> None:
    host, ben, table = friends()
    ben.post(table, "chat", text="something ugly")
    host.post(table, "chat", text="be nice")
    ugly = Message.objects.get(table=table, name="Ben")
    Report.objects.create(message=ugly, visitor=host.key)
    rows = data("messages", "--reported", "--table", table.id)
    assert [(row["text"], row["reports"], row["hidden"]) for row in rows] == [
        ("something ugly", 1, False)
    ]
    assert "be nice" in told("messages", "--table", table.id)
    assert ben.key not in told("messages") + json.dumps(data("messages"))
    told("hide", f"#{ugly.pk}")
    for guest in (host, ben):
        lines = guest.client.get(f"/t/{table.id}/chat.json").json()["lines"]
        assert [line["text"] for line in lines] == ["be nice"]
    told("hide", ugly.pk, "--undo")
    assert "something ugly" in ben.page(f"/t/{table.id}/")
    assert "no message #0; `brass admin messages`" in refused("hide", "#0")
    told("close-chat", table.id)
    assert ben.post(table, "chat", text="more").status_code == 422
    told("close-chat", table.id, "--undo")
    assert ben.post(table, "chat", text="more").status_code == 302


def cannot(guest: Guest, table: Table) -> set[str]:
    """Return what a blocked visitor cannot do."""
    other = Guest("Host")
    token = tokens_of(set_up(other, "you", "friend"))[0]
    new = {"players": "2", "who-0": "you", "name-0": guest.name, "who-1": "beginner"}
    answers = {
        "new": guest.client.post("/new/birmingham/", new),
        "quick": guest.client.post("/start/"),
        "join": guest.sit(token),
        "chat": guest.post(table, "chat", text="hello"),
        "again": guest.post(table, "again"),
    }
    return {action for action, answer in answers.items() if answer.status_code == 403}


def test_a_blocked_visitor_cannot_start_join_or_chat_but_plays_on() -> None:
    host, ben, table = friends()
    assert cannot(ben, table) == set()
    told("block", f"{table.id}:2", "--reason", "spam")
    assert cannot(ben, table) == {"new", "quick", "join", "chat", "again"}
    assert cannot(host, table) == set()
    assert ben.data(table)["held"] == [1]
    block = Block.objects.get(visitor=ben.key)
    row = next(row for row in data("blocks") if row["block"] == block.pk)
    assert (row["name"], row["by"], row["reason"]) == ("Ben", "visitor", "spam")
    assert ben.key not in told("blocks")
    told("unblock", block.pk)
    assert cannot(ben, table) == set()


def test_a_person_is_blocked_once_however_they_are_named() -> None:
    host, ugly = Guest("Ada"), Guest("Ugly")
    table = set_up(host, "you", "friend")
    ugly.sit(tokens_of(table)[0])
    ugly.post(table, "chat", text="ugly")
    message = Message.objects.get(table=table).pk
    for who in (f"{table.id}:2", f"{table.id}:ugly", f"#{message}", "ugly", ugly.key):
        told("block", who)
        assert Block.objects.filter(visitor=ugly.key).count() == 1
    told("unblock", "Ugly")
    assert not Block.objects.filter(visitor=ugly.key).exists()


def test_an_address_is_blocked_and_only_its_hash_is_kept() -> None:
    told("block", "203.0.113.77")
    try:
        assert Client(REMOTE_ADDR="203.0.113.77").post("/start/").status_code == 403
        assert Client(REMOTE_ADDR="203.0.113.78").post("/start/").status_code == 302
        assert "203" not in Block.objects.get(name="203.0.113.77").address
    finally:
        told("unblock", "203.0.113.77")
    assert Client(REMOTE_ADDR="203.0.113.77").post("/start/").status_code == 302


def test_an_address_is_blocked_however_it_is_written() -> None:
    told("block", "2001:DB8:0::7")
    try:
        for address in ("2001:db8::7", "2001:db8:0:0:0:0:1:2"):  # in the same network
            assert Client(REMOTE_ADDR=address).post("/start/").status_code == 403
        assert Client(REMOTE_ADDR="2001:db8:0:1::7").post("/start/").status_code == 302
    finally:
        told("unblock", "2001:DB8:0::7")


def test_an_ambiguous_name_is_not_blocked() -> None:
    one, other = friends()[2], friends()[2]
    words = refused("block", "Ben")
    assert f"{one.id}:2" in words and f"{other.id}:2" in words
    assert "unknown person Zoe-nowhere" in refused("block", "Zoe-nowhere")
    assert "unknown person" in refused("block", f"{one.id}:Zoe")
    assert "no block 0" in refused("unblock", "0")


# --- with a server -------------------------------------------------------------------------------


def test_a_server_on_sqlite_is_notified_of_commands(session: TableSession) -> None:
    if database.is_shared():
        pytest.skip("PostgreSQL has its own notifications")
    PendingNotification.objects.all().delete()
    play_turn(session)
    assert not PendingNotification.objects.exists(), "a server tells itself"
    told("void", session.table.id, "--yes")
    told("close-chat", session.table.id)
    received: list[tuple[str, str]] = []
    handlers = {
        word: lambda table, word=word: received.append((word, table))
        for word in (notify.MOVED, notify.SAID)
    }
    notify.collect(handlers)
    notify.collect(handlers)
    assert received == [("moved", session.table.id), ("said", session.table.id)]


def test_a_replaced_database_is_reloaded(session: TableSession) -> None:
    session.table.entries.all().delete()
    Seat.objects.filter(table=session.table).update(bot="")
    sessions.reload_all(notify.EVERYTHING)
    assert sessions.at_hand(session.table.id) is None
    assert sessions.get(session.table.id).turns == 0


def test_a_superuser_can_log_in_to_the_admin_with_a_good_password() -> None:
    User.objects.filter(username="chief").delete()
    with override_settings(PASSWORD_HASHERS=QUICK):
        made = brass("superuser", "chief", typed="coal-and-cotton\ncoal-and-cotton\n")
    assert made.exit_code == 0, made.output
    chief = User.objects.get(username="chief")
    assert chief.is_superuser
    with override_settings(PASSWORD_HASHERS=QUICK):
        assert chief.check_password("coal-and-cotton")
    assert "coal-and" not in made.output.replace("Password", "")
    assert "too short" in refused("superuser", "chief", "--password", "x")
    assert "valid" in refused("superuser", "no name!", "--password", "coal-and-cotton")


def test_a_player_does_not_become_a_superuser_by_name() -> None:
    """Anyone who signed up under the operator's name could have a password mailed to them."""
    player = make_account("Chief")
    client = signed_in(player)
    asked = ("superuser", player.name, "--password", "coal-and-cotton")
    assert f"{player.name} is a player; choose another name or add --existing" in refused(*asked)
    user = User.objects.get(pk=player.user.pk)
    assert not user.is_staff and user.email
    with override_settings(PASSWORD_HASHERS=QUICK):
        told(*asked, "--existing")
    user.refresh_from_db()
    assert user.is_superuser and user.email == "" and not player.sign_ins.exists()
    assert client.get("/account.json").status_code == 401
