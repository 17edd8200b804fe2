"""Programs as players: their accounts, tokens and scopes, and what a token never opens."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from brassmill.errors import BrassError
from brassmill.web.accounts import programs
from brassmill.web.identity import tokens
from brassmill.web.identity.tokens import PER_TOKEN, PREFIX
from brassmill.web.models import (
    Account,
    Ladder,
    LadderRating,
    ProgramToken,
    RatedGame,
    Seat,
    Table,
)
from brassmill.web.ratings import boards
from brassmill.web.ratings.results import player_of
from brassmill.web.server import database, openapi, scopes
from brassmill.web.server.scopes import CHAT, LOBBY, PLAY, READ
from brassmill.web.table import sessions
from brassmill.web.tournaments import entrants
from support import rated, tournaments
from support.deployment import Guest as Browser
from support.friends import Guest, at_table, set_up, tokens_of
from support.homes import make_home
from support.paths import ROOT
from support.people import GOOD, guest_of, make_account, signed_in
from support.rated import begin_late, play_to_the_end
from support.serving import serve

pytestmark = pytest.mark.usefixtures("site", "patience")

EXAMPLE = ROOT / "docs/bots/examples/player.py"
ALL = (READ, PLAY, LOBBY, CHAT)
# Written out once more: an address opens only if someone has thought of programs.
OPEN = {
    "GET": dict.fromkeys(
        [
            "archive_games",
            "archive_json",
            "chat_json",
            "events",
            "home_json",
            "lobby_json",
            "new_json",
            "openapi",
            "past_json",
            "preview_json",
            "profile_json",
            "ratings_json",
            "record",
            "replay_json",
            "result_json",
            "scene_json",
            "table_json",
            "why_json",
        ],
        READ,
    ),
    "POST": {
        "back_json": PLAY,
        "chat_json": CHAT,
        "choose_json": PLAY,
        "end_json": PLAY,
        "join_json": LOBBY,
        "new_json": LOBBY,
    },
}


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    yield
    rated.clear()


class Program:
    """A program with a token."""

    def __init__(self, *wanted: str, account: Account | None = None) -> None:
        self.account = account or make_program()
        self.token = tokens.make(self.account, "test", wanted or ALL)
        self.client = Client(
            enforce_csrf_checks=True, headers={"Authorization": f"Bearer {self.token}"}
        )

    def get(self, address: str) -> Any:
        return self.client.get(address)

    def post(self, address: str, **sent: Any) -> Any:
        return self.client.post(address, sent)


def make_program() -> Account:
    account = make_account("Robo")
    assert signed_in(account).post("/account/programs/mark/", {"present": GOOD}).status_code == 302
    account.refresh_from_db()
    assert account.program
    return account


# --- the page ------------------------------------------------------------------------------------


def test_an_account_is_marked_with_its_password_and_stays_marked() -> None:
    account = make_account()
    client = signed_in(account)
    page = client.post("/account/programs/token/", {"name": "x", "scope": "read", "present": GOOD})
    assert page.status_code == 422, "only a program has tokens"
    assert client.post("/account/programs/mark/", {"present": "wrong"}).status_code == 422
    assert not Account.objects.get(pk=account.pk).program
    assert client.post("/account/programs/mark/", {"present": GOOD}).status_code == 302
    assert Account.objects.get(pk=account.pk).program


def test_whoever_plays_a_rated_game_finishes_it_before_they_become_a_program() -> None:
    account = make_account()
    host = guest_of(account, account.name)
    table = set_up(host, "you", "beginner", rated="yes")
    client = signed_in(account)
    assert client.post("/account/programs/mark/", {"present": GOOD}).status_code == 422
    Table.objects.filter(pk=table.pk).update(rated=False)
    assert client.post("/account/programs/mark/", {"present": GOOD}).status_code == 302
    assert Seat.objects.get(table=table, number=0).program
    assert host.data(table)["players"][0]["role"] == "program"


def test_whoever_becomes_a_program_plays_by_token_only_where_programs_are_let_in() -> None:
    account = make_account()
    table = at_table(guest_of(account, account.name), Guest("Ben"))
    programs.mark(account)
    program = Program(account=account)
    address = f"/t/{table.pk}/choose.json"
    answer = program.post(address, number="1", choice="1")
    assert answer.status_code == 403 and "has not let programs in" in answer.json()["words"]
    Table.objects.filter(pk=table.pk).update(programs=True)
    assert "has not let programs in" not in str(program.post(address, number="1").content)


def test_no_program_plays_in_a_tournament_as_a_person() -> None:
    entered = tournaments.players(4)
    tournament = tournaments.set_up(entered)
    with pytest.raises(BrassError, match="First leave your tournaments"):
        programs.mark(entered[0])
    entrants.leave(tournament, entered[0])
    programs.mark(entered[0])
    Account.objects.filter(pk=entered[1].pk).update(program=True)  # however that has come about
    tournaments.begin(tournament)
    (table,) = tournaments.tables(tournament)
    marked = {seat.holder for seat in table.seats.all() if seat.program}
    assert marked == {entered[1].key}


def test_a_program_is_on_no_leaderboard_of_people() -> None:
    account = make_account()
    player = player_of(account)
    name = boards.LadderName()
    Ladder.objects.get_or_create(pk=name.id, kind=name.kind, edition=name.edition, players=4)
    values = {"mu": 30.0, "sigma": 2.0, "floor": 24.0, "games": 9, "won": 5}
    LadderRating.objects.create(ladder_id=name.id, player=player, last=database.now(), **values)
    now = database.now()
    assert boards.active_on(name, now).filter(player=player).exists()
    programs.mark(account)
    assert not boards.active_on(name, now).filter(player=player).exists()


def test_a_token_is_shown_once_stored_as_a_hash_and_revoked() -> None:
    account = make_program()
    client = signed_in(account)
    sent = {"name": "laptop", "scope": ["read", "play"], "present": GOOD}
    page = client.post("/account/programs/token/", sent).content.decode()
    (text,) = re.findall(rf'value="({PREFIX}[\w-]+)"', page)
    row = account.tokens.get()
    assert row.scopes == "read play" and text not in str(ProgramToken.objects.values_list())
    assert text not in client.get("/account/programs/").content.decode()
    program = Client(headers={"Authorization": f"bearer {text}"})
    assert program.get("/index.json").status_code == 200
    row.refresh_from_db()
    assert row.used is not None
    stranger = signed_in(make_account())
    stranger.post("/account/programs/revoke/", {"number": row.pk})
    assert account.tokens.exists(), "a token is revoked by its owner alone"
    client.post("/account/programs/revoke/", {"number": row.pk})
    answer = program.get("/index.json")
    assert answer.status_code == 401 and answer["WWW-Authenticate"].startswith("Bearer error=")


@pytest.mark.parametrize(
    "sent", [{"name": ""}, {"name": "x" * 41}, {"scope": "everything"}, {"present": "wrong"}]
)
def test_a_token_that_makes_no_sense_is_refused(sent: dict[str, str]) -> None:
    account = make_program()
    form = {"name": "x", "scope": "read", "present": GOOD, **sent}
    assert signed_in(account).post("/account/programs/token/", form).status_code == 422
    assert not account.tokens.exists()


def test_an_account_has_a_limited_number_of_tokens() -> None:
    account = make_program()
    for _ in range(tokens.MOST):
        tokens.make(account, "x", [READ])
    form = {"name": "x", "scope": "read", "present": GOOD}
    assert signed_in(account).post("/account/programs/token/", form).status_code == 422


# --- what a token opens --------------------------------------------------------------------------


def test_a_token_opens_what_its_scope_says_and_nothing_else(table: Table) -> None:
    """Every address, with every method, by a token with all scopes, and with each one missing."""
    account = make_program()
    account.user.is_staff = account.user.is_superuser = True
    account.user.save()
    everything = Program(account=account)
    known = {"table_id": table.pk, "id": table.pk, "edition": "birmingham", "action": "0"}
    known |= {"number": "1", "token": "x", "name": "birmingham"}
    for name, route in [
        *openapi.routes(),
        ("admin:index", "admin/"),
        ("admin", "admin/auth/user/"),
    ]:
        address = "/" + re.sub(r"<\w+:(\w+)>", lambda part: known.get(part[1], "x"), route)
        for method in ("GET", "POST"):
            cache.clear()
            scope = OPEN[method].get(name, "")
            answer = everything.client.generic(method, address)
            assert (answer.status_code == 403 and "insufficient_scope" in str(answer.headers)) == (
                not scope
            ), (method, address)
            assert not answer.cookies
            answer.close()
            if scope:
                lacking = Program(*set(ALL) - {scope}, account=account)
                answer = lacking.client.generic(method, address)
                assert answer.status_code == 403 and f'"{scope}"' in answer["WWW-Authenticate"]
                assert not ProgramToken.objects.filter(
                    digest=tokens.digest_of(lacking.token), used__isnull=False
                ).exists()
                account.tokens.filter(digest=tokens.digest_of(lacking.token)).delete()


def test_no_scope_opens_staff_settings_or_other_pages() -> None:
    opened = scopes.READING | set(scopes.POSTING)
    never = re.compile("account|programs|token|notif|mail|sign|forgotten|export|delete|hint|daily")
    assert not [name for name in opened if never.search(name)]
    assert set(scopes.POSTING.values()) | {READ} == set(tokens.SCOPES)


def test_a_token_counts_instead_of_cookies_and_leaves_none(table: Table, host: Guest) -> None:
    program = Program(READ)
    program.client.cookies = host.client.cookies
    seen = program.get(f"/t/{table.pk}.json")
    assert seen.json()["held"] == [] and not seen.json()["hand"] and not seen.cookies
    for text in (PREFIX, f"{PREFIX}x", program.token[:-1], program.token + "x"):
        answer = host.client.get("/index.json", headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == 401, "a cookie does not help a bad token"
    for text in ("", "x", program.token.upper()):
        answer = host.client.get("/index.json", headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == 200, "proxies send tokens of their own"


def test_without_a_token_a_post_still_needs_its_csrf_token() -> None:
    browser = Client(enforce_csrf_checks=True)
    for header in ({}, {"Authorization": "Basic eDp5"}, {"Authorization": ""}):
        assert browser.post("/new/birmingham.json", {}, headers=header).status_code == 403


def test_a_token_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "PER_TOKEN", PER_TOKEN._replace(most=3, seconds=9999))
    program = Program(READ)
    assert [program.get("/index.json").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_a_deleted_account_takes_its_tokens_with_it() -> None:
    program = Program()
    client = signed_in(program.account)
    exported = client.post("/account/export/").json()
    assert exported["programs"]["tokens"][0]["name"] == "test"
    assert program.token not in str(exported) and tokens.digest_of(program.token) not in str(
        exported
    )
    assert client.post("/account/delete/", {"present": GOOD, "confirm": "yes"}).status_code < 400
    assert program.get("/index.json").status_code == 401
    assert not ProgramToken.objects.filter(digest=tokens.digest_of(program.token)).exists()


# --- playing -------------------------------------------------------------------------------------


def test_a_program_takes_a_seat_only_where_the_host_lets_it() -> None:
    program, host = Program(), Guest("Ada")
    closed = set_up(host, "you", "friend", listed="yes")
    opened = set_up(host, "you", "friend", listed="yes", programs="yes")
    offers = {
        offer["game"]["id"] if "game" in offer else offer["id"]: offer["token"]
        for offer in program.get("/lobby.json").json()["waiting"]
    }
    assert not offers[closed.pk] and offers[opened.pk]
    answer = program.post(f"/join/{tokens_of(closed)[0]}.json", name="Robo")
    assert answer.status_code == 409 and "programs" in answer.json()["words"]
    assert program.post(f"/join/{offers[opened.pk]}.json", name="Robo").json() == {
        "table": opened.pk,
        "seat": 1,
    }
    assert program.post("/join/x.json", name="Robo").status_code == 404
    seen = host.data(opened)
    assert [player["role"] for player in seen["players"]] == ["you", "program"]
    assert "program" in host.page("/") and "program" in host.page("/lobby/")


def test_a_program_sets_up_tables_but_does_not_fill_the_lobby() -> None:
    program = Program()
    form = {"players": "2", "who-0": "you", "who-1": "friend", "name-0": "Robo", "listed": "yes"}
    made = [program.post("/new/birmingham.json", **form) for _ in range(4)]
    assert [answer.status_code for answer in made] == [200, 200, 200, 409]
    table = Table.objects.get(pk=made[0].json()["table"])
    assert table.programs and table.seats.get(number=0).program
    answer = program.post("/new/birmingham.json", **{**form, "players": "9"})
    assert answer.status_code == 422 and "players" in answer.json()["words"]


def test_rated_games_with_a_program_move_only_the_ladder_of_programs() -> None:
    program, ada = Program(), make_account()
    host = guest_of(ada, ada.name)
    table = set_up(host, "you", "friend", rated="yes", programs="yes")
    program.post(f"/join/{tokens_of(table)[0]}.json", name="Robo")
    begin_late(table)
    play_to_the_end(sessions.get(table.id))
    assert RatedGame.objects.get(table=table.pk).ladder_id == "programs-birmingham-2"
    rows = LadderRating.objects.filter(player__account__in=[ada, program.account])
    assert {row.ladder_id for row in rows} == {"programs-birmingham-2"} and len(rows) == 2
    board = Client().get("/ratings.json?kind=programs&game=birmingham&players=2").json()
    marked = {row["name"]: row["is_program"] for row in board["rows"] if row["place"]}
    assert marked[program.account.name] and not marked[ada.name]
    assert "With programs" in Client().get("/ratings/").content.decode()


def test_a_rated_game_of_people_is_not_moved_by_programs_that_are_not_in_it() -> None:
    ada, ben = make_account(), make_account("Ben")
    table = at_table(guest_of(ada, ada.name), guest_of(ben, ben.name), rated="yes", programs="yes")
    begin_late(table)
    play_to_the_end(sessions.get(table.id))
    assert RatedGame.objects.get(table=table.pk).ladder_id == "people-birmingham-2"


@pytest.mark.slow
def test_the_example_client_plays_a_whole_game(tmp_path: Path) -> None:
    """A person signs up, marks the account and makes a token; the program does the rest."""
    assert len(EXAMPLE.read_text().splitlines()) <= 60
    process, site = serve(BRASSMILL_HOME=str(make_home(tmp_path / "home")))
    try:
        owner = Browser()
        form = {"name": "Walker", "password": GOOD}
        assert owner.post(site, "/sign-up/", **form)[0] == 200
        owner.token = ""
        assert owner.post(site, "/account/programs/mark/", present=GOOD)[0] == 200
        made = {"name": "test", "scope": "read", "present": GOOD}
        _status, page = owner.post(site, "/account/programs/token/", **made)
        (reading,) = re.findall(rf'value="({PREFIX}[\w-]+)"', page)
        command = [sys.executable, str(EXAMPLE), site]
        failed = subprocess.run([*command, reading], capture_output=True, text=True, check=False)
        assert failed.returncode == 1 and "403" in failed.stderr
        _status, page = owner.post(site, "/account/programs/token/", **{**made, "scope": ALL})
        (token,) = re.findall(rf'value="({PREFIX}[\w-]+)"', page)
        played = subprocess.run([*command, token], capture_output=True, text=True, check=False)
        assert played.returncode == 0, played.stderr
        assert '"rank": 1' in played.stdout
    finally:
        process.kill()
        process.communicate()
