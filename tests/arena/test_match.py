"""One game of the arena: it follows the schedule, and its result is what happened."""

from __future__ import annotations

from collections import Counter

import pytest

from brassmill import record
from brassmill.arena import match
from brassmill.arena.schedule import Schedule
from brassmill.bots.bot import BotError, Clock
from brassmill.bots.uniform import Uniform
from brassmill.core.outcome import Outcome
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.record import Record
from support.arena_games import schedule_of, without_times


@pytest.fixture(scope="module")
def schedule() -> Schedule:
    return schedule_of(3, "random", "random:seed=5", games=6)


@pytest.fixture(scope="module")
def played(schedule: Schedule) -> match.Played:
    return match.play(schedule, True, 4)


def test_the_game_follows_the_schedule(schedule: Schedule, played: match.Played) -> None:
    assert played.record is not None
    kept = record.loads(played.record)
    wanted = schedule.match(4)
    assert kept.deal is not None and kept.deal.seed == wanted.seed == played.result.seed
    assert kept.headers["Bots"] == ", ".join(schedule.bots[bot] for bot in wanted.seats)
    assert kept.verify() == []
    assert kept.is_complete


def told_by(kept: Record) -> tuple[list[Counter[str]], list[dict[str, tuple[int, ...]]]]:
    """By seat: the actions from their texts, and the tiles built from the events."""
    assert kept.deal is not None
    game = Game(kept.edition, deal=kept.deal)
    did: list[Counter[str]] = [Counter() for _seat in kept.seats]
    built: list[dict[str, tuple[int, ...]]] = [{} for _seat in kept.seats]
    for node in kept.main_line():
        seat = kept.seats.index(node.seat)
        did[seat][next(kind for kind in match.KINDS if node.text.startswith(kind))] += 1
        for event in game.play(node.text):
            if event.kind == "built":
                industry, level = event.tile.split(" ")
                built[seat][industry] = (*built[seat].get(industry, ()), int(level))
    return did, built


def test_the_result_matches_the_record(played: match.Played) -> None:
    assert played.record is not None
    kept = record.loads(played.record)
    game = kept.game()
    outcome = game.outcome()
    assert isinstance(outcome, Outcome)
    did, built = told_by(kept)
    result = played.result
    assert result.actions == len(game.actions)
    for seat, player in enumerate(result.players):
        told = outcome.results[seat]
        assert (player.vp, player.rank, player.cash) == (told.total, told.rank, told.cash)
        assert player.points == told.points
        assert player.income == game.view().seats[seat].level
        assert player.place == game.deal.order.index(seat) + 1
        assert {kind: number for kind, number in player.did.items() if number} == did[seat]
        assert player.loans == did[seat]["loan"]
        assert dict(player.built) == built[seat]
        assert player.turns > 10
        assert 0 < player.slowest <= player.thought


def test_the_same_number_is_the_same_game(schedule: Schedule, played: match.Played) -> None:
    again = match.play(schedule, False, 4)
    assert without_times(again.result) == without_times(played.result)
    assert again.record is None
    other = match.play(schedule, False, 5)  # the same deal in other seats
    assert other.result.seed == played.result.seed
    assert without_times(other.result).players != without_times(played.result).players


def test_a_bot_that_fails_to_start_forfeits_its_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = schedule_of(2, "random:seed=5", "random:seed=6")
    match.check_bots(schedule)

    def start(bot: Uniform, edition: Edition, seed: int) -> None:
        assert seed != 5, "no memory left"
        bot.seed = seed

    monkeypatch.setattr(Uniform, "__init__", start)
    first, second = match.play(schedule, False, 0).result.players
    assert second.forfeits == ()
    assert len(first.forfeits) > 10
    assert {forfeit.kind for forfeit in first.forfeits} == {"crashed"}
    assert "failed to start: AssertionError: no memory left" in first.forfeits[0].text
    with pytest.raises(BotError, match="no memory left"):
        match.check_bots(schedule)


def test_what_a_bot_forfeits_is_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(bot: Uniform, view: View, clock: Clock) -> int:
        assert bot.seed != 5, "not today"
        return view.legal[0]

    monkeypatch.setattr(Uniform, "choose", choose)
    schedule = schedule_of(2, "random:seed=5", "random:seed=6")
    first, second = match.play(schedule, False, 0).result.players
    assert second.forfeits == ()
    assert {forfeit.kind for forfeit in first.forfeits} == {"crashed"}
    assert "not today" in first.forfeits[0].text
    numbers = [forfeit.number for forfeit in first.forfeits]
    assert numbers == sorted(numbers)
    assert first.did["pass"] > 10  # that is what stands in
