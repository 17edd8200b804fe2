"""Puzzles: exact answers are exact, nothing hidden is in them, and the collection is as it says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from brassmill import editions
from brassmill.core.engine import Engine
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.play.session import HistoryPart
from brassmill.puzzles import (
    END_TURN,
    EXACT,
    GIVE_UP,
    JUDGED,
    ExactAnswer,
    JudgedAnswer,
    Puzzle,
    PuzzleRun,
    exact,
    mining,
    of_the_day,
    puzzles,
)
from brassmill.puzzles.check import check, without_duplicates
from brassmill.puzzles.puzzle import FOLDER, read, write
from brassmill.puzzles.rejection import Rejection, Unfit
from brassmill.puzzles.run import CONTINUE, played
from brassmill.puzzles.themes import THEMES, themes_of
from brassmill.rules.layout import TURN_OVER
from support.paths import ROOT

GAMES = {
    *(("birmingham", 2), ("birmingham", 3), ("birmingham", 4), ("lancashire", 2)),
    *(("lancashire", 3), ("lancashire", 4), ("classic", 3), ("classic", 4)),
}


def some(kind: str, number: int) -> list[Puzzle]:
    """Some puzzles of a kind, spread over the games, those with the fewest turns first."""
    found = [puzzle for puzzle in puzzles().values() if puzzle.kind == kind]
    if kind == EXACT:
        found.sort(key=lambda puzzle: puzzle.answer.turns)  # type: ignore[union-attr]
    firsts = {(puzzle.edition, puzzle.players): puzzle for puzzle in reversed(found)}
    return list(firsts.values())[:number]


# --- the collection ------------------------------------------------------------------------------


def test_there_are_hundreds_for_every_game() -> None:
    counted = Counter((puzzle.edition, puzzle.players) for puzzle in puzzles().values())
    assert set(counted) == GAMES
    assert min(counted.values()) >= 20
    assert counted.total() >= 300
    assert {puzzle.level for puzzle in puzzles().values()} == {1, 2, 3, 4, 5}


def test_the_collection_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 500_000


@pytest.mark.slow
def test_every_solution_makes_what_it_says() -> None:
    """The positions are legal, the actions are, and the turn is graded as the best."""
    for puzzle in puzzles().values():
        run = solved(puzzle)
        assert run.verdict and run.verdict.is_best, puzzle.id
        assert set(puzzle.themes) <= set(THEMES)


def solved(puzzle: Puzzle) -> PuzzleRun[HistoryPart]:
    run = PuzzleRun(puzzle, part=HistoryPart)
    for action in played(puzzle, puzzle.solution, HistoryPart).game.actions:
        run = run.after(action.ids)
    return run.after(END_TURN)


def test_no_two_ask_for_the_same() -> None:
    assert all(not one.problem for one in without_duplicates(puzzles().values()))


# --- exact ---------------------------------------------------------------------------------------


def test_exact_answers_are_what_brute_force_finds() -> None:
    """Another enumeration, choice by choice, with no listing of actions, finds the same best."""
    for puzzle in some(EXACT, 8):
        game = Game.from_position(puzzle.position)
        assert isinstance(puzzle.answer, ExactAnswer)
        made = [vp for _end, vp in ends_of(game.engine)]
        assert max(made) == puzzle.answer.vp, puzzle.id
        assert max(vp for vp in made if vp < puzzle.answer.vp) == puzzle.answer.next_vp
        found = {end for end, _vp in ends_of(game.engine)}
        assert len(found) == puzzle.answer.turns


def ends_of(engine: Engine) -> Iterator[tuple[bytes, int]]:
    """Every position in which the turn can end, and the VP once the era is scored."""
    start, seat, seen = engine.snapshot(), engine.seat, set[bytes]()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        engine.restore(here)
        for choice in engine.legal():
            engine.restore(here)
            engine.step(choice)
            after = engine.snapshot()
            if after in seen:
                continue
            seen.add(after)
            if engine.phase != TURN_OVER:
                waiting.append(after)
                continue
            engine.end_turn()
            yield after, int(engine.state.vp[seat])
    engine.restore(start)


def test_hidden_cards_do_not_change_an_exact_answer() -> None:
    for puzzle in some(EXACT, 3):
        game = Game.from_position(puzzle.position)
        for seed in (1, 2):
            solution = exact.solve(game.world(seed=seed).engine)
            assert solution.most == puzzle.answer.vp  # type: ignore[union-attr]


def test_only_the_last_turn_of_an_era_is_exact() -> None:
    for puzzle in some(EXACT, 8):
        game = Game.from_position(puzzle.position)
        assert exact.is_last_turn(game.engine)
        game.choose(puzzle.solution[0])
        assert not exact.is_last_turn(game.engine)
    assert not exact.is_last_turn(Game("birmingham", seed=1).engine)


def test_a_turn_that_may_reveal_a_distant_tile_is_not_solved() -> None:
    edition, solved = editions.edition("lancashire", 2), set[bool]()
    for seed in range(8):
        last, _others = mining.turns_of_a_game(edition, seed)
        for view in last:
            game = mining.game_of(edition, view, seed)
            reveals = any("> distant" in action.text for action in game.legal_actions())
            reason = reason_against(game)
            assert reason in (None, Rejection.DISTANT_MARKET)
            assert reason or not reveals
            solved.add(reason is None)
    assert solved == {True, False}


def reason_against(game: Game) -> Rejection | None:
    """Why a last turn cannot be solved."""
    try:
        exact.solve(game.engine)
    except Unfit as unfit:
        return unfit.reason
    return None


# --- mining --------------------------------------------------------------------------------------

SETTINGS = mining.MiningSettings("birmingham", 2, {}, games=2, seed=1, judged=1)


def test_the_same_seeds_mine_the_same_puzzles() -> None:
    assert mining.mine(SETTINGS, 0) == mining.mine(SETTINGS, 0)
    assert mining.mine(SETTINGS, 0).puzzles != mining.mine(SETTINGS, 1).puzzles


def test_a_puzzle_contains_no_secret_of_its_game() -> None:
    """The seat's view stays the same; what it cannot see is another deal."""
    edition: Edition = SETTINGS.table
    _last, others = mining.turns_of_a_game(edition, seed=5)
    hidden = False
    for view in others[:20:5]:
        game = mining.game_of(edition, view, seed=5)
        assert game.view(view.seat).position == view.position
        real = mining.game_of(edition, view, seed=6)
        hidden = hidden or real.engine.snapshot() != game.engine.snapshot()
    assert hidden


def test_every_position_is_counted_as_a_puzzle_or_as_thrown_away() -> None:
    mined = mining.mine(SETTINGS, 0)
    assert sum(mined.tried.values()) == len(mined.puzzles) + sum(mined.thrown.values())
    assert mined.tried == {"exact": 2, "judged": 1}


def test_mined_puzzles_survive_being_written(tmp_path: Path) -> None:
    mined = mining.mine(SETTINGS, 0)
    again = mining.Mined.from_dict(json.loads(json.dumps(mined.as_dict())))
    assert again == mined
    given = [*some(EXACT, 2), *some(JUDGED, 2)]
    for name in ("some.jsonl", "some.jsonl.gz"):
        write(tmp_path / name, given)
        assert read(tmp_path / name) == given
    twice = tmp_path / "twice.jsonl.gz"
    write(twice, given)
    assert twice.read_bytes() == (tmp_path / "some.jsonl.gz").read_bytes()


def test_what_is_no_collection_is_refused(tmp_path: Path) -> None:
    for content in (b"hello\n", b'{"kind": "funny"}\n', b"[]\n", b"\xff\n"):
        path = tmp_path / "bad.jsonl"
        path.write_bytes(content)
        with pytest.raises(BrassError, match="not a"):
            read(path)
    (tmp_path / "bad.jsonl.gz").write_bytes(b"not compressed")
    with pytest.raises(BrassError, match="not a collection"):
        read(tmp_path / "bad.jsonl.gz")


# --- the second run ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", [EXACT, JUDGED])
def test_good_puzzles_pass_a_second_run(kind: str) -> None:
    for puzzle in some(kind, 2):
        assert check(puzzle, again=77).problem == ""


def test_a_wrong_puzzle_does_not_pass() -> None:
    (puzzle,) = some(EXACT, 1)
    answer = puzzle.answer
    assert isinstance(answer, ExactAnswer)
    one_more = replace(puzzle, answer=replace(answer, vp=answer.vp + 1))
    assert check(one_more).problem.startswith("answer")
    assert check(replace(puzzle, themes=())).problem.startswith("themes")
    assert check(replace(puzzle, level=puzzle.level % 5 + 1)).problem.startswith("level")
    assert check(replace(puzzle, id="00000000")).problem.startswith("id")


@pytest.mark.slow
def test_a_judged_puzzle_with_another_solution_is_thrown_away() -> None:
    (puzzle,) = some(JUDGED, 1)
    assert isinstance(puzzle.answer, JudgedAnswer)
    best, second, *_others = puzzle.answer.compared
    game = played(puzzle, second.turn, HistoryPart).game
    start = Game.from_position(puzzle.position).engine
    turn = tuple(action.ids for action in game.actions)
    swapped = replace(
        puzzle,
        solution=second.turn,
        themes=themes_of(start, turn),
        answer=replace(puzzle.answer, compared=(second, best)),
    )
    assert check(swapped).problem in (Rejection.CLOSE, Rejection.UNCERTAIN)


@pytest.mark.slow
def test_every_puzzle_passes_a_second_run() -> None:
    for puzzle in puzzles().values():
        assert check(puzzle).problem == "", puzzle.id


# --- solving -------------------------------------------------------------------------------------


def test_a_turn_is_played_click_by_click() -> None:
    (puzzle,) = some(EXACT, 1)
    run = PuzzleRun(puzzle, part=HistoryPart)
    assert (run.awaits, run.verdict) == ("choose", None)
    with pytest.raises(IllegalAction):
        run.after(END_TURN)
    first = played(puzzle, puzzle.solution[:1], HistoryPart).game.actions[0].ids
    on = run.after(first[:1])
    assert on.clicks == [first[:1]] and not run.clicks
    assert on.before().clicks == []
    over = solved(puzzle)
    assert over.awaits == "over" and over.before() is over
    with pytest.raises(IllegalAction):
        over.after(first)


def test_the_best_turn_is_shown_step_by_step() -> None:
    (puzzle,) = some(JUDGED, 1)
    run = PuzzleRun(puzzle, [GIVE_UP], part=HistoryPart)
    assert run.verdict and not run.verdict.is_best and run.shown == 0
    for shown, action in enumerate(puzzle.solution, 1):
        run = run.after(CONTINUE)
        assert run.shown == shown
        assert run.game.actions[-1].text == action
    with pytest.raises(IllegalAction):
        run.after(CONTINUE)
    assert run.before().shown == len(puzzle.solution) - 1


def test_a_turn_that_the_search_did_not_compare_has_no_value() -> None:
    (puzzle,) = some(JUDGED, 1)
    run = PuzzleRun(puzzle, part=HistoryPart)
    while run.awaits == "choose":
        actions = run.game.legal_actions()
        run = run.after(next(action.ids for action in actions if action.text.startswith("pass")))
    verdict = run.after(END_TURN).verdict
    assert verdict and not verdict.is_best and verdict.loss is None


# --- the puzzle of the day -----------------------------------------------------------------------

DAY = date(2026, 11, 18)


def test_the_puzzle_of_the_day_is_the_same_everywhere() -> None:
    """It follows from the date alone, in every process."""
    words = "from datetime import date; from brassmill.puzzles import of_the_day\n"
    words += f"print(of_the_day(date({DAY.year}, {DAY.month}, {DAY.day})).id)"
    env = {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT / "src")}
    there = subprocess.run([sys.executable, "-c", words], env=env, capture_output=True, text=True)
    assert there.stdout.strip() == of_the_day(DAY).id, there.stderr


def test_days_differ_and_a_puzzle_changes_only_its_own() -> None:
    days = [DAY + timedelta(n) for n in range(60)]
    ids = [of_the_day(day).id for day in days]
    assert len(set(ids)) > 40
    fewer = [puzzle for puzzle in puzzles().values() if puzzle.id != ids[0]]
    changed = [
        day for day, known in zip(days, ids, strict=True) if of_the_day(day, fewer).id != known
    ]
    assert set(changed) == {day for day, known in zip(days, ids, strict=True) if known == ids[0]}
