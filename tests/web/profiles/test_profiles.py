"""Profiles: what they say of a player, to whom, and a player's games as files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any
from unittest import mock
from urllib.parse import unquote

import pytest
from django.test import Client

from brassmill import record as records
from brassmill.web.accounts import deletion
from brassmill.web.accounts.export import export_of
from brassmill.web.models import Account, Archive, GameFigures, Profile, RatedPlayer, Table
from brassmill.web.profiles import figures, games
from brassmill.web.profiles.profile import PARTS
from brassmill.web.ratings import counting
from brassmill.web.ratings.results import player_of
from brassmill.web.replay import bg_stats
from brassmill.web.table import sessions
from brassmill.web.table.archive import stored_outcome
from support import rated
from support.paths import RECORDS
from support.people import make_account, signed_in
from support.rated import finish, play_to_the_end, rated_table
from support.web import make_table, no_bots

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    with no_bots():
        yield
    rated.clear()


@pytest.fixture
def ada() -> Account:
    return make_account("Ada")


@pytest.fixture
def ben() -> Account:
    return make_account("Ben")


def played(*accounts: Account) -> Table:
    """Return a rated game of these accounts that is over."""
    table = rated_table(*accounts, edition="lancashire")
    play_to_the_end(sessions.get(table.id))
    table.refresh_from_db()
    return table


def data(client: Client, account: Account, **asked: str) -> dict[str, Any]:
    address = f"/players/{RatedPlayer.objects.get(account=account).pk}.json"
    found: dict[str, Any] = client.get(address, asked).json()
    return found


# --- who sees what -------------------------------------------------------------------------------


def test_others_see_the_ratings_and_nothing_else(ada: Account, ben: Account) -> None:
    table = played(ada, ben)
    seen = data(signed_in(ben), ada)
    assert [row["title"] for row in seen["ladders"]] == ["Brass: Lancashire"]
    assert not any(seen[part] for part in ("results", "style", "best", "rivals", "levels"))
    assert seen["curves"] == {} and seen["puzzles"] is None
    page = Client().get(f"/players/{player_of(ada).pk}/").content.decode()
    assert ada.name in page and ben.name not in page and table.id not in page
    assert "Best games" not in page and ada.key not in page


def test_the_owner_sees_everything_and_chooses_what_others_see(ada: Account, ben: Account) -> None:
    played(ada, ben)
    own = signed_in(ada)
    seen = data(own, ada)
    assert all(seen[part] for part in ("results", "style", "best", "rivals", "levels"))
    for part, shown in (("games", "rivals"), ("style", "style"), ("practice", "levels")):
        assert own.post("/account/profile/show/", {part: "yes"}).status_code == 302
        others = data(signed_in(ben), ada)
        assert others[shown] and sum(map(bool, (others["results"], others["style"]))) < 2
        assert others["shown"] == {name: name == part for name in PARTS}
    own.post("/account/profile/show/", {})
    assert not data(signed_in(ben), ada)["levels"]


def test_a_player_without_ratings_is_seen_by_nobody_else(ada: Account, ben: Account) -> None:
    answer: Any = signed_in(ada).get("/account/profile/")
    assert answer.status_code == 302
    address = answer["Location"]
    assert signed_in(ada).get(address).status_code == 200
    assert signed_in(ben).get(address).status_code == 404
    signed_in(ada).post("/account/profile/show/", {"practice": "yes"})
    assert signed_in(ben).get(address).status_code == 200
    assert Client().get("/players/999999999999999999999/").status_code == 404


def test_the_address_of_a_private_game_is_for_its_players(ada: Account, ben: Account) -> None:
    table = played(ada, ben)
    signed_in(ada).post("/account/profile/show/", {"games": "yes"})
    assert data(signed_in(ada), ada)["best"][0]["table"] == table.id
    assert data(signed_in(ben), ada)["best"][0]["table"] == ""
    Table.objects.filter(pk=table.pk).update(listed=True)
    assert data(signed_in(ben), ada)["best"][0]["table"] == table.id


def test_a_deleted_account_has_no_profile(ada: Account, ben: Account) -> None:
    played(ada, ben)
    number = player_of(ada).pk
    signed_in(ada).post("/account/profile/show/", {"games": "yes"})
    deletion.delete(ada)
    assert Client().get(f"/players/{number}/").status_code == 404
    assert not Profile.objects.filter(account=ada.pk).exists()
    (rival,) = data(signed_in(ben), ben)["rivals"]
    assert (rival["name"], rival["number"]) == ("former player", 0)


def test_an_export_has_what_others_see(ada: Account) -> None:
    signed_in(ada).post("/account/profile/show/", {"games": "yes"})
    assert export_of(ada)["profile"] == {part: part == "games" for part in PARTS}


# --- what it says --------------------------------------------------------------------------------


def test_the_figures_of_a_seat_come_from_its_record() -> None:
    game = records.load(RECORDS / "birmingham-3-manufacturers.brass").game()
    seats = figures.seats_of(game)
    assert seats[0].opening == ("link", "build coal", "loan")
    assert seats[1].opening == ("link", "scout", "develop")
    built = dict.fromkeys(range(3), 0)
    for action in game.actions:
        built[action.seat] += action.text.startswith("build ")
    assert {n: sum(seat.built.values()) for n, seat in enumerate(seats)} == built
    assert "Shrewsbury" in seats[1].sold


def test_figures_are_stored_and_few_are_computed_at_once(ada: Account, ben: Account) -> None:
    tables = [played(ada, ben).id for _ in range(3)]
    with mock.patch.object(figures, "AT_ONCE", 2):
        assert len(figures.figures_of(tables)) == 2
        with mock.patch.object(figures, "_computed", side_effect=AssertionError):
            assert (
                len(
                    figures.figures_of(
                        [row.pk for row in GameFigures.objects.filter(pk__in=tables)]
                    )
                )
                == 2
            )
        assert len(figures.figures_of(tables)) == 3


@pytest.mark.slow
def test_figures_follow_the_record_when_the_game_went_on(ada: Account, ben: Account) -> None:
    table = played(ada, ben)
    before = figures.figures_of([table.id])
    GameFigures.objects.filter(pk=table.id).update(digest="other", seats=[])
    assert figures.figures_of([table.id]) == before


def test_style_is_compared_with_players_as_strong(ada: Account, ben: Account) -> None:
    table = played(ada, ben)
    style = data(signed_in(ada), ada)["style"]
    outcome = Archive.objects.get(pk=table.pk).outcome
    assert outcome is not None
    assert (style["edition"], style["players"], style["games"]) == ("lancashire", 2, 1)
    total = sum(row[2] for row in style["sources"])
    assert total == pytest.approx(outcome["results"][0]["total"])
    assert style["compared_with"] == 1
    theirs = sum(row[3] for row in style["sources"])
    assert theirs == pytest.approx(outcome["results"][1]["total"])


def test_rivals_and_levels_are_counted() -> None:
    account, other = make_account("Ada"), make_account("Ben")
    first, second = player_of(account), player_of(other)
    for hour, ranks in enumerate(([1, 2], [1, 2], [2, 1], [1, 1])):
        finish([first, second], ranks, hours=hour)
    counting.count_all()
    with no_bots():
        session = sessions.get(make_table("Ada,beginner", "lancashire", key=account.key).id)
        Table.objects.filter(pk=session.table.pk).update(
            over=True, summary={"result": [[0, 1, 150], [1, 2, 120]]}
        )
    seen = data(signed_in(account), account)
    assert seen["rivals"] == [
        {"name": other.name, "number": second.pk, "games": 4, "better": 2, "worse": 1}
    ]
    assert seen["levels"][0] == {"level": "Beginner", "games": 1, "beaten": 1}
    assert seen["curves"]["people-birmingham-2"][-1] == [
        seen["ladders"][0]["rating"],
        seen["ladders"][0]["margin"],
    ]
    page = signed_in(account).get(f"/players/{first.pk}/").content.decode()
    assert page.count('<figure class="panel curve"') == 1 and "<svg" in page
    Table.objects.filter(pk=session.table.pk).delete()  # its log has no such result


# --- files ---------------------------------------------------------------------------------------


def test_ones_games_as_files(ada: Account, ben: Account) -> None:
    table = played(ada, ben)
    client = signed_in(ada)
    (row,) = client.get("/account/games.json").json()["games"]
    assert row["rated"] and row["rating"] and row["edition"] == "lancashire"
    assert row["address"].endswith(f"/t/{table.id}/result/")
    assert row["opponents"][0]["name"] == ben.name
    answer = client.get("/account/games.csv")
    assert answer["Content-Type"] == "text/csv"
    (line,) = csv.DictReader(StringIO(answer.content.decode()))
    assert (line["vp"], line["rank"]) == (str(row["vp"]), str(row["rank"]))
    assert Client().get("/account/games.csv").status_code == 302
    assert Client().get("/account/games.json").status_code == 401
    assert games.COLUMNS == tuple(line)


def test_a_finished_game_opens_in_bg_stats(ada: Account, ben: Account) -> None:
    table = played(ada, ben)
    outcome = stored_outcome(table, list(table.seats.all()))
    assert outcome is not None
    address = bg_stats.link(table, outcome)
    start, _, text = address.partition("?data=")
    assert start == "https://app.bgstatsapp.com/createPlay.html"
    play = json.loads(unquote(text))
    assert play["game"]["bggId"] == 28720 and play["sourcePlayId"] == table.id
    assert [row["score"] for row in play["players"]] == [r.total for r in outcome.results]
    assert sum(row["winner"] for row in play["players"]) == len(outcome.winners)
    page = signed_in(ada).get(f"/t/{table.id}/result/").content.decode()
    assert 'href="https://app.bgstatsapp.com/createPlay.html?data=' in page
    assert ada.key not in address and ben.key not in address
