"""Ratings for operators: the command that recomputes them, and results in the admin."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from django.conf import settings

from brassmill.cli.main import main
from brassmill.web.models import LadderRating, RatedGame, RatedSeat
from brassmill.web.ratings import counting, suspicion
from support import rated
from support.rated import figures, finish, player
from support.staff import operator, page_of

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture(autouse=True)
def nothing_rated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BRASSMILL_HOME", str(settings.HOME))
    rated.clear()
    yield
    rated.clear()


def command(*words: str) -> str:
    done = CliRunner().invoke(main, ["admin", "ratings", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_command_recomputes_all_ratings() -> None:
    first, second = player(), player()
    for hour in range(3):
        finish([first, second], hours=hour)
    said = command()  # they had not been counted yet
    assert "people-birmingham-2: 3 games, 2 players, 0 different." in said
    before = figures()
    RatedSeat.objects.filter(player=first).update(mu=1.0)
    LadderRating.objects.all().delete()
    (ladder,) = json.loads(command("--json"))
    assert ladder == {
        "ladder": "people-birmingham-2",
        "games": 3,
        "players": 2,
        "differing": 5,
    }
    assert figures() == before


def test_an_operator_sees_flags_and_takes_a_game_out_of_the_ratings() -> None:
    first, second = player(), player()
    game, other = finish([first, second]), finish([first, second], hours=1)
    RatedGame.objects.filter(pk=game.pk).update(flags=[suspicion.SAME_NETWORK])
    counting.count_all()
    before = figures()
    client = operator()
    page = page_of(client, "ratedgame/?flag=same+network")
    assert game.table in page and other.table not in page and "same network" in page
    for action, why, games in (("take_out", RatedGame.TAKEN_OUT, 1), ("put_back", "", 2)):
        form = {"action": action, "_selected_action": str(game.pk)}
        assert client.post("/admin/web/ratedgame/", form).status_code == 302
        game.refresh_from_db()
        assert game.withdrawn == why and game.counted
        assert LadderRating.objects.get(player=first).games == games
    assert figures() == before
