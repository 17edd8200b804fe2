"""`brass admin`: lists, seats and superusers; hidden information stays hidden."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from brassmill.cli.main import main
from brassmill.web.chat import chat
from brassmill.web.models import PendingNotification, Seat, Table
from brassmill.web.server import database, notify
from brassmill.web.table import repair, sessions
from brassmill.web.table.session import TableSession
from support.friends import Guest, set_up, tokens_of
from support.people import make_account, signed_in
from support.sessions import again, same
from support.web import KEY, hidden_words, make_table, no_bots, people_only, play_turn, visitor

QUICK = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast hashes

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def admin_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the home of the site."""
    monkeypatch.setenv("BRASSMILL_HOME", str(settings.HOME))


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


def test_the_list_shows_nothing_hidden(session: TableSession) -> None:
    hidden = [KEY, *hidden_words(session.table)]
    for text in (told("tables"), json.dumps(data("tables"))):
        assert session.table.id in text
        assert not [word for word in hidden if word in text]


def test_an_unknown_command_or_option_is_named() -> None:
    assert "No such option" in brass("tables", "--edtion", "classic").output
    assert "No such command" in brass("viod", "zz-2").output


# --- seats ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_table_is_found_by_a_prefix_or_the_error_says_what_is_wrong() -> None:
    def asked(name: str) -> str:
        return refused("seat", name, "nobody", "--name", "Bob")

    assert "no table zz-nothing; `brass admin tables`" in asked("zz-nothing")
    for name in ("zz-2", "zz-22", "zz-b", "zz-B"):
        make_table(named=name)
    assert "several tables begin with zz-; type more" in asked("zz-")
    assert "no table ZZ-" in asked("ZZ-")
    for name, found in (("https://brass.example/t/zz-2/", "zz-2"), ("zz-b", "zz-b")):
        assert f"table {found} has no seat nobody" in asked(name)
    Table.objects.filter(pk__in=["zz-2", "zz-b", "zz-B"]).delete()
    assert "table zz-22 has no seat nobody" in asked("zz-")
    for name in ("-hjkl_345678", "--seat-lamps"):  # names may start like this
        make_table(named=name)
        assert f"table {name} has no seat nobody" in asked(name)


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
    assert "Ben" not in " ".join(repair.turn_in_words(session, session.turn_starts[1]))
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


# --- with a server -------------------------------------------------------------------------------


def test_a_server_on_sqlite_is_notified_of_commands(session: TableSession) -> None:
    if database.is_shared():
        pytest.skip("PostgreSQL has its own notifications")
    PendingNotification.objects.all().delete()
    play_turn(session)
    assert not PendingNotification.objects.exists(), "a server tells itself"
    told("seat", session.table.id, 2, "--name", "Bob")
    with notify.outside():
        chat.mute(session.table, True)
    chat.mute(session.table, False)  # the command has ended
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
