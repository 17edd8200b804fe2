"""The leaderboards: who is on them, in which order, and what they say about whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client

from brassmill.web.models import Account, LadderRating, RatedPlayer
from brassmill.web.ratings import boards, counting
from support import rated
from support.people import make_account, signed_in
from support.rated import FIRST, finish, player

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    with mock.patch("brassmill.web.ratings.board_views.database.now", return_value=FIRST):
        yield
    rated.clear()


def people(number: int) -> list[tuple[Account, RatedPlayer]]:
    made = [make_account("Ada") for _ in range(number)]
    return [(account, RatedPlayer.objects.create(account=account)) for account in made]


def board(client: Client | None = None, **asked: Any) -> dict[str, Any]:
    asked = {"players": "2", **asked}
    data: dict[str, Any] = (client or Client()).get("/ratings.json", asked).json()
    return data


def test_a_leaderboard_is_sorted_by_the_lower_end() -> None:
    (ada, first), (ben, second), (cleo, lucky) = people(3)
    loser = player()
    for hour in range(12):
        finish([first, second], hours=hour - 100)
    finish([lucky, loser])
    counting.count_all()
    rows = board()["rows"]
    assert {row["name"] for row in rows} == {ada.name, ben.name, cleo.name}
    assert rows[0]["name"] == ada.name
    floors = [row["rating"] - row["margin"] for row in rows]
    assert floors == sorted(floors, reverse=True)
    assert [row["place"] for row in rows] == [1, 2, 3], "who has no account is not on it"
    assert rows[0]["games"] == 12 and rows[0]["won"] == 12


def test_every_ladder_has_a_board_and_anything_else_is_the_usual_one() -> None:
    (_ada, first), (_ben, second) = people(2)
    finish([first, second], edition="lancashire")
    counting.count_all()
    assert len(board(game="lancashire")["rows"]) == 2
    assert board()["rows"] == board(game="lancashire", players="4")["rows"] == []
    usual = board(game="nonsense", players="9", kind="x", page="-1")
    assert (usual["edition"], usual["players"], usual["kind"]) == ("birmingham", 4, "people")
    assert board(game="classic", players="2")["players"] == 4


def test_the_board_against_bots_shows_the_levels() -> None:
    ((_ada, first),) = people(1)
    finish([first, "beginner"])
    counting.count_all()
    rows = board(kind="levels")["rows"]
    assert sum(row["place"] == 0 for row in rows) == 5
    assert next(row["name"] for row in rows if not row["place"]) == "Master (bot)"
    floors = [row["rating"] - row["margin"] for row in rows]
    assert floors == sorted(floors, reverse=True)


def test_players_who_stay_away_leave_the_board_and_come_back() -> None:
    (ada, first), (_ben, second) = people(2)
    finish([first, second])
    counting.count_all()
    for days, number in ((180, 2), (181, 0)):
        later = FIRST + timedelta(days=days)
        with mock.patch("brassmill.web.ratings.board_views.database.now", return_value=later):
            assert len(board()["rows"]) == number
    with mock.patch("brassmill.web.ratings.board_views.database.now", return_value=later):
        page = signed_in(ada).get("/ratings/", {"players": "2"}).content.decode()
        assert "more than six months ago" in page
        finish([first, second], hours=24 * 181)
        counting.count_all()
        assert len(board()["rows"]) == 2


def test_long_boards_have_pages_and_show_the_visitor() -> None:
    everyone = people(5)
    finish([everyone[0][1], everyone[4][1]])
    finish([everyone[1][1], everyone[3][1]], hours=1)
    finish([everyone[2][1], everyone[4][1]], hours=2)
    counting.count_all()
    with mock.patch.object(boards, "AT_A_TIME", 2):
        first = board(signed_in(everyone[4][0]))
        assert len(first["rows"]) == 2 and first["more"]
        assert first["own"]["name"] == everyone[4][0].name and first["own"]["place"] == 5
        last = board(signed_in(everyone[4][0]), page="3")
        assert [row["is_you"] for row in last["rows"]] == [True] and last["own"] is None
        assert not last["more"]


def test_a_board_names_accounts_only_and_no_keys() -> None:
    (ada, first), (ben, second) = people(2)
    finish([first, second])
    counting.count_all()
    for address in ("/ratings/?players=2", "/ratings.json?players=2"):
        text = Client().get(address).content.decode()
        assert ada.name in text and ada.key not in text and ben.key not in text
        assert str(ada.user.email) not in text


def test_a_rating_that_is_uncertain_says_so() -> None:
    (_ada, first), (_ben, second) = people(2)
    finish([first, second])
    counting.count_all()
    assert "still uncertain" in Client().get("/ratings/?players=2").content.decode()
    LadderRating.objects.update(sigma=2.0)
    assert "still uncertain" not in Client().get("/ratings/?players=2").content.decode()
