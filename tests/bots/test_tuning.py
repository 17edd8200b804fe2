"""Tuning: the same run for the same seed, interrupted or not, towards better weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from brassmill.arena.schedule import Schedule
from brassmill.bots import tuning
from brassmill.bots.mind import TERMS, Term
from brassmill.bots.selfplay import GameRunner, WeightedPlayer
from brassmill.bots.tuning import DEALS, RUNS, TUNING, VALIDATION, Tuning, compare
from brassmill.bots.weights import from_data, weights_for
from brassmill.cli import tune as command
from brassmill.cli.main import main
from brassmill.editions import edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.play.host import Host

TWO = edition("birmingham", 2)
FOUR = edition("birmingham", 4)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generations small enough to take no time."""
    monkeypatch.setattr(tuning, "PAIRS", 4)
    monkeypatch.setattr(tuning, "SAMPLED", 6)
    monkeypatch.setattr(tuning, "VALIDATED", 4)


# --- games of minds ------------------------------------------------------------------------------


def test_games_are_those_that_the_bot_plays() -> None:
    """A compiled game ends like the same game played through views."""
    game = Game(TWO, seed=3)
    host = Host.of(["greedy"] * 2, TWO, 1)
    while not game.over:
        host.play(game)
    outcome = game.outcome()
    assert outcome is not None
    points = GameRunner(TWO).play([WeightedPlayer(weights_for(TWO))], 0, [3])
    assert points.tolist() == [[result.total for result in outcome.results]]


def test_searching_whole_turns_pays() -> None:
    weight = weights_for(FOUR)
    seats = np.tile([[0, 1, 0, 1], [1, 0, 1, 0]], (8, 1))
    seeds = np.repeat(np.arange(8), 2)
    points = GameRunner(FOUR).play(
        [WeightedPlayer(weight), WeightedPlayer(weight, 8)], seats, seeds.tolist()
    )
    assert points[seats == 1].mean() > points[seats == 0].mean()


def test_samples_are_of_all_seats_and_both_eras() -> None:
    samples = GameRunner(TWO).sample(WeightedPlayer(weights_for(TWO)), [1, 2])
    turns = 2 * 2 * 2 * TWO.rounds  # games, seats, eras
    assert len(samples) == turns
    for table in (0, 1):
        for seat in (0, 1):
            for era in (0, 1):
                found = (samples["table"] == table) & (samples["seat"] == seat)
                shares = samples["share"][found & (samples["era"] == era)]
                assert len(shares) == TWO.rounds
                assert (np.diff(shares) <= 0).all()


# --- what a change is worth ----------------------------------------------------------------------


def careless() -> Any:
    """Weights that ignore future income and links."""
    weight = weights_for(FOUR).copy()
    weight[:, [Term.INCOME, Term.LINKS]] = 0.0
    return weight


def test_a_comparison_is_the_opposite_for_the_other() -> None:
    runner = GameRunner(FOUR)
    good, bad = WeightedPlayer(weights_for(FOUR)), WeightedPlayer(careless())
    for seed in (TUNING, TUNING + 1):
        assert compare(runner, good, bad, seed).gain == -compare(runner, bad, good, seed).gain
        assert compare(runner, good, good, seed).gain == 0


def test_better_weights_gain() -> None:
    runner = GameRunner(FOUR)
    good, bad = WeightedPlayer(weights_for(FOUR)), WeightedPlayer(careless())
    gains = [compare(runner, good, bad, TUNING + deal).gain for deal in range(8)]
    assert np.mean(gains) > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_player_sits_in_every_seat(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def play(runner: GameRunner, _players: Any, seats: Any, seeds: list[int]) -> Any:
        played.append((seats, seeds))
        return np.where(seats == 0, 7, 4) + 10 * np.arange(players)  # by player and by seat

    monkeypatch.setattr(GameRunner, "play", play)
    nobody = WeightedPlayer(None)
    assert compare(GameRunner(edition("birmingham", players)), nobody, nobody, 5).gain == 3
    ((seats, seeds),) = played
    assert set(seeds) == {5}
    assert (np.sort(seats, axis=0) == [[0], [0], [1], [1]]).all()


# --- the way up ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_a_seed_gives_the_same_run_on_any_number_of_threads() -> None:
    ways = []
    for seed, threads in ((1, 1), (1, 3), (2, 1)):
        with Tuning(TWO, weights_for(TWO), seed=seed, threads=threads) as run:
            run.step()
            run.step()
            ways.append(run.weights)
    assert (ways[0] == ways[1]).all()
    assert (ways[0] != ways[2]).any()


@pytest.mark.usefixtures("small")
def test_an_interrupted_tuning_continues_exactly() -> None:
    with Tuning(TWO, weights_for(TWO), seed=3) as whole:
        points = [whole.step() for _ in range(3)]
    with Tuning(TWO, weights_for(TWO), seed=3) as first:
        assert first.step() == points[0]
    state = json.loads(json.dumps(first.state))
    with Tuning.from_state(TWO, state) as second:
        assert [second.step(), second.step()] == points[1:]
        assert second.state == whole.state


@pytest.mark.usefixtures("small")
def test_points_stay_points() -> None:
    with Tuning(TWO, weights_for(TWO)) as run:
        run.step()
        moved = run.weights != run.start
    assert not moved[:, [Term.BANKED, Term.TILES, Term.CONSTANT]].any()
    assert moved[:, Term.INCOME].all()
    port = Term.READY_OF + 6
    assert not moved[:, port].any()  # there are none in this game
    assert moved.sum() > TERMS


def test_it_climbs_to_the_best_weights_through_much_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair's gain is how much closer it gets to known weights, plus twice as much luck."""
    chance = np.random.default_rng(1)
    with Tuning(TWO, weights_for(TWO)) as run:
        begin = run.stage.center
        best = begin + chance.choice([-0.5, 0.5], len(begin))

        def miss(center: Any) -> float:
            return float(np.mean((center - best) ** 2))

        def compare_centers(
            _self: Tuning, ones: list[Any], others: list[Any], _deals: Any
        ) -> list[tuning.Comparison]:
            gains = [
                100 * (miss(other) - miss(one)) for one, other in zip(ones, others, strict=True)
            ]
            luck = chance.normal(scale=2 * np.std(gains), size=len(gains))
            return [tuning.Comparison(gain, 100.0) for gain in gains + luck]

        monkeypatch.setattr(Tuning, "_compare_all", compare_centers)
        misses = [miss(run.stage.mean)]
        for _ in range(3):
            for _ in range(50):
                run.step()
            misses.append(miss(run.stage.mean))
    assert misses == sorted(misses, reverse=True)
    assert misses[-1] < 0.2 * misses[0]


@pytest.mark.slow
def test_a_validation_is_against_the_start() -> None:
    good = weights_for(FOUR)
    with Tuning(FOUR, careless(), threads=2) as run:
        run.stage = run.stage._replace(mean=good.flat[run._tuned] / run._scale)
        found = run.validate()
    assert found.gain > found.error > 0


def test_the_state_of_another_version_is_refused() -> None:
    with pytest.raises(BrassError, match="not a saved tuning run"):
        Tuning.from_state(TWO, {"generation": 1})
    broken = {"generation": 1, "seed": 1, "width": 0, "start": [[1.0]]}
    arrays = {name: [0.0] for name in tuning.ARRAYS}
    with pytest.raises(BrassError, match="another version"):
        Tuning.from_state(TWO, broken | arrays)
    with Tuning(TWO, careless()) as run, pytest.raises(BrassError, match="another version"):
        Tuning.from_state(TWO, run.state | arrays)


def test_no_deal_is_both_tuned_on_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def compare_nothing(
        _runner: GameRunner, _one: WeightedPlayer, _other: WeightedPlayer, seed: int
    ) -> Any:
        played.append(seed)
        return tuning.Comparison(seed % 3, 100.0)

    monkeypatch.setattr(tuning, "compare", compare_nothing)
    with Tuning(TWO, weights_for(TWO), seed=RUNS - 1) as run:
        run.step()
        run.step()
        assert len(set(played)) == len(played) == 2 * tuning.PAIRS
        assert all(TUNING + (RUNS - 1) * DEALS <= seed < VALIDATION for seed in played)
        played.clear()
        run.validate()
    assert min(played) >= VALIDATION
    arena = Schedule("birmingham", 2, {}, ("greedy",), games=500, seed=1, clock=1.0)
    assert max(arena.match(number).seed for number in range(500)) < TUNING


def test_a_seed_without_deals_is_refused() -> None:
    for seed in (-1, RUNS):
        with pytest.raises(BrassError, match="from 0 to 65535, not"):
            Tuning(TWO, weights_for(TWO), seed=seed)


@pytest.mark.usefixtures("small")
def test_an_interrupted_generation_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    with Tuning(TWO, weights_for(TWO)) as run:
        run.step()
        before = run.state
        with monkeypatch.context() as patch:
            patch.setattr(np, "sqrt", interrupted)  # in the middle of the climb
            with pytest.raises(KeyboardInterrupt):
                run.step()
        assert run.state == before


# --- the command ---------------------------------------------------------------------------------

WORDS = ("tune", "--players", "2", "--threads", "1")


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch, small: None) -> Any:
    """Simulate Ctrl-C after a given number of generations."""
    step = Tuning.step
    left = [0]

    def step_or_stop(self: Tuning) -> float:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return step(self)

    def stop_after(generations: int) -> None:
        left[0] = generations

    monkeypatch.setattr(Tuning, "step", step_or_stop)
    return stop_after


def test_the_command_writes_weights_that_bots_can_read(tmp_path: Path, stops: Any) -> None:
    file = tmp_path / "weights.json"
    stops(2)
    code, output = run(*WORDS, "--seed", "4", "--out", str(file))
    assert code == 130
    assert "generation 2 in" in output
    data = json.loads(file.read_text("utf-8"))
    weights = data.pop("weights")
    assert data == {
        "edition": "birmingham",
        "players": 2,
        "seed": 4,
        "width": 0,
        "generations": 2,
        "games": 6 + 2 * 4 * 4,
    }
    with Tuning(TWO, weights_for(TWO), seed=4) as run_by_hand:
        stops(2)
        run_by_hand.step()
        run_by_hand.step()
    assert from_data(weights) == pytest.approx(run_by_hand.weights, abs=1e-4)


def test_the_same_command_goes_on(tmp_path: Path, stops: Any) -> None:
    files = []
    for stints in ((3,), (1, 2)):
        file = tmp_path / f"{len(stints)}.json"
        for generations in stints:
            stops(generations)
            code, output = run(*WORDS, "--out", str(file))
            assert code == 130
            assert "again to resume" in output
        files.append(file.read_text("utf-8"))
    assert files[0] == files[1]


def test_it_saves_and_validates_on_the_way(
    tmp_path: Path, stops: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = []
    monkeypatch.setattr(command, "SAVED", 2)
    monkeypatch.setattr(command, "VALIDATED", 3)
    monkeypatch.setattr(command, "save", lambda run, _path: saved.append(run.generation))
    stops(5)
    _, output = run(*WORDS, "--out", str(tmp_path / "weights.json"))
    assert saved == [2, 4, 5]
    assert "generation 3: " in output
    assert "VP compared with the start" in output


def test_numbers_are_written_as_the_language_has_them() -> None:
    found = tuning.Validation(6.54, 2.1)
    for code, numbers in (("en", "+6.5 ± 2.1"), ("de", "+6,5 ± 2,1"), ("fr", "+6,5 ± 2,1")):
        with speaking(code):
            assert numbers in command.validation_words(20, found)


@pytest.mark.usefixtures("small")
def test_the_time_ends_it(tmp_path: Path) -> None:
    code, output = run(*WORDS, "--minutes", "0.001", "--out", str(tmp_path / "weights.json"))
    assert code == 0
    assert "generation 1 in" in output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seed", "2"), "seed is 1 in the file but 2 here"),
        (("--players", "3"), "players is 2 in the file but 3 here"),
        (("--start", "weights.json"), "leave out --start"),
    ],
)
def test_another_tuning_is_not_resumed(
    words: tuple[str, ...], said: str, tmp_path: Path, stops: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(*WORDS, "--out", "weights.json")
    before = Path("weights.json").read_bytes()
    code, output = run(*WORDS, "--out", "weights.json", *words)
    assert code == 1
    assert "weights.state.json" in output and said in output
    assert Path("weights.json").read_bytes() == before


def test_a_start_is_read_from_a_file(
    tmp_path: Path, stops: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = {"weights": {"canal": {"links": [1.5, 0.5]}, "rail": {"banked": [1.0, 0.0]}}}
    Path("mine.json").write_text(json.dumps(data))
    run(*WORDS, "--start", "mine.json", "--out", "new.json")
    assert json.loads(Path("new.json").read_text("utf-8"))["weights"] == data["weights"]
    code, output = run(*WORDS, "--out", "mine.json")
    assert code == 1 and "mine.json already exists" in output
    Path("mine.json").write_text('{"weights": {"canal": {"luck": [1.0, 0.0]}}}')
    code, output = run(*WORDS, "--start", "mine.json", "--out", "other.json")
    assert code == 1 and "mine.json: this file has no weights" in output
