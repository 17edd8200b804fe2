"""The measurements behind the pages on ratings and strategies: they resume, and count right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from brassmill.arena import workers
from brassmill.arena.match import Played
from brassmill.arena.results import ResultsFile, read
from brassmill.arena.workers import Play
from project.test_project import script

measure = script("measure")


def here(play: Play[Played], numbers: Sequence[int], _processes: int) -> Iterator[Played]:
    """Play in this process."""
    return (play(number) for number in numbers)


def test_every_run_plays_games_that_exist() -> None:
    for bots, games in measure.RUNS.values():
        for edition, players in games:
            schedule = measure.schedule_of(bots, edition, players)
            assert schedule.table.players == players
            assert schedule.games % len(schedule.set) == 0  # nobody sits anywhere more often


def test_a_run_resumes_and_its_figures_add_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "play_all", here)
    path = tmp_path / "run.jsonl"
    schedule = measure.schedule_of(("random", "random:seed=5", "greedy"), "birmingham", 2)
    played = []
    for _ in range(2):
        with ResultsFile(path, schedule) as file:
            measure.play(file, seconds=0, processes=1)
        played.append(set(read(path).games))
    assert played[0] < played[1]  # every call plays something, and nothing twice
    results = read(path)
    rated = measure.rated(results)
    assert rated["games"] == len(results.games)
    assert sum(bot["played"] for bot in rated["bots"]) == 2 * rated["games"]
    found = measure.strategies(results)
    for groups in (found["by_loans"], found["by_industry"]):
        assert sum(seats for seats, _share, _between in groups.values()) == 2 * rated["games"]
        won = sum(seats * share for seats, share, _between in groups.values())
        assert won == pytest.approx(rated["games"], abs=0.02)
    assert found["winners"]["vp"] > found["others"]["vp"]
    vp = sum(found["winners"]["points"].values())
    assert vp == pytest.approx(found["winners"]["vp"], abs=0.5)
