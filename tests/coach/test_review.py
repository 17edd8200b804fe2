"""What an analysed game teaches: brilliant moves, turning points, themes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from brassmill import record
from brassmill.coach.analysis import Analysis, Verdict, analyse
from brassmill.coach.review import THEMES, themes_of, turning_points
from support.paths import RECORDS


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(record.load(RECORDS / "birmingham-2-intro.brass"), worlds=2)


def with_losses(verdict: Verdict, played: float, other: float, likeliest: bool) -> Verdict:
    """The verdict with other figures."""
    assert verdict.other is not None
    better = replace(verdict.other, loss=other, wins=(0.25, 0.75))
    own = replace(verdict.played, loss=played, wins=(0.75, 0.25), is_likeliest=likeliest)
    return replace(verdict, played=own, other=better, best=own if played <= other else better)


@pytest.mark.parametrize(
    ("played", "other", "likeliest", "is_brilliant"),
    [
        (0.0, 4.0, False, True),
        (0.0, 3.9, False, False),  # another one was good, too
        (0.0, 9.0, True, False),  # anybody would have played it
        (0.1, 9.0, False, False),
    ],
)
def test_a_brilliant_move_is_the_only_good_one_and_not_the_likeliest(
    analysis: Analysis, played: float, other: float, likeliest: bool, is_brilliant: bool
) -> None:
    verdict = next(each for each in analysis.verdicts if each.other)
    assert with_losses(verdict, played, other, likeliest).is_brilliant == is_brilliant


def test_turning_points_are_those_that_changed_the_chances_the_most(analysis: Analysis) -> None:
    found = turning_points(analysis.verdicts)
    assert [point.verdict.number for point in found] == sorted(
        point.verdict.number for point in found
    )
    for point in found:
        assert point.verdict.is_brilliant or point.verdict.mark in ("mistake", "blunder")


def test_every_theme_has_its_actions(analysis: Analysis) -> None:
    found = {theme.name: theme for theme in themes_of(analysis)}
    assert list(found) == [name for name in THEMES if name in found]
    assert {(each.era, each.round) for each in found["opening"].verdicts} == {
        ("canal", 1),
        ("canal", 2),
    }
    last = max(each.round for each in analysis.verdicts)
    assert {each.round for each in found["end"].verdicts} == {last - 1, last}
    for theme in found.values():
        by_seat = sum(theme.loss_of(seat) for seat in range(2))
        assert by_seat == pytest.approx(theme.loss)
