"""Play on from a moment of a finished game: a new table that stands where the game stood."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from brassmill import record
from brassmill.web.accounts.stats import results_of
from brassmill.web.analysis import jobs
from brassmill.web.models import GameAnalysis, Table, Upload
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.verify import verified
from support.analyses import asked, finished_game, work
from support.paths import RECORDS
from support.sessions import again, play
from support.web import KEY, no_bots, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(scope="module")
def game(site: None) -> TableSession:
    return finished_game()


@pytest.fixture(scope="module")
def analysis(game: TableSession) -> GameAnalysis:
    with mock.patch.object(jobs, "WORLDS", 2):
        return work(asked(game))


def played_on(analysis: GameAnalysis, **form: Any) -> TableSession:
    wish = {"seat": 1, "level": "beginner"} | form
    with no_bots():
        answer = visitor("eve").post(f"/analysis/{analysis.pk}/play/", wish)
    assert answer.status_code == 302, answer.content
    return sessions.get(answer["Location"].split("/")[2])


@pytest.mark.parametrize("at", [0, 1, 2, 5, 20])
def test_the_table_stands_where_the_game_stood(
    game: TableSession, analysis: GameAnalysis, at: int
) -> None:
    table = played_on(analysis, at=at)
    assert len(table.game.actions) == at and table.game.question == "action"
    before = game.game.actions[at].before  # the next action of the game began here
    assert table.game.engine.snapshot() == before
    assert [seat.holder for seat in table.seats] == ["", "eve"]
    assert table.bots == ["beginner", ""] and not table.table.listed
    assert again(table).game.engine.snapshot() == before, "it can be rebuilt from its log"
    assert [found.problem for found in verified([table.table.id])] == [""]


def test_the_game_goes_on_and_counts_for_nobody(analysis: GameAnalysis) -> None:
    table = played_on(analysis, at=30)
    play(table, lambda: False)
    assert table.over and Table.objects.get(pk=table.table.id).begun_at == 30
    assert results_of("eve") == []


@pytest.mark.parametrize(
    "form", [{"at": 999}, {"at": "x"}, {"at": 3, "level": "process:ls"}, {"level": "beginner"}]
)
def test_nonsense_starts_nothing(analysis: GameAnalysis, form: dict[str, Any]) -> None:
    count = Table.objects.count()
    wish = {"seat": 1, "level": "beginner"} | form
    assert visitor().post(f"/analysis/{analysis.pk}/play/", wish).status_code == 404
    assert (
        visitor()
        .post(f"/analysis/{analysis.pk}/play/", wish | {"at": 3, "seat": 7, "level": "beginner"})
        .status_code
        == 409
    )
    assert Table.objects.count() == count


def test_every_edition_and_option_goes_on() -> None:
    path = RECORDS / "lancashire-2-community-map.brass"
    upload = Upload.objects.create(visitor=KEY, name="map", text=path.read_text("utf-8"))
    answer = visitor("reader").post(f"/records/{upload.id}/analyse/")
    found = GameAnalysis.objects.get(pk=answer["Location"].split("/")[2])
    GameAnalysis.objects.filter(pk=found.pk).update(waits=False, done=found.actions)
    known = record.load(path)
    for at in range(0, len(known.main_line()), 9):
        table = played_on(found, at=at)
        game = known.game(to=at)
        if game.question == "turn over":
            game.end_turn()
        assert table.game.engine.snapshot() == game.engine.snapshot()
