"""Ratings of solvers and puzzles: a first attempt is a game between the two (openskill).

Only first attempts count, so nobody gains by trying again. Everything hangs on the visitor's key,
so no account is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from openskill.models import PlackettLuce

from brassmill.puzzles import Puzzle
from brassmill.web.models import Account, PuzzleAttempt, PuzzleRating, PuzzleSolver
from brassmill.web.server import database

MODEL = PlackettLuce()
KEPT = timedelta(days=400)  # without an account: as long as browsers keep a cookie
MOST_OF_SITE = 100_000  # attempts of visitors without an account
POINTS = 60  # of the rating that is shown, for one of the model's: a newcomer has 1500
LEVEL = 4.0  # between the ratings of two levels of difficulty, before anybody has tried them
MIDDLE = 3  # the level that newcomers are rated like
DOUBT = MODEL.sigma / 2  # about a new puzzle: the bots have tried it
UNSURE = 5.0  # with a greater sigma, a rating is marked as uncertain


class SolverStanding(NamedTuple):
    """How a visitor is doing."""

    rating: int
    is_sure: bool
    tried: int
    solved: int
    streak: int
    longest: int


class AttemptResult(NamedTuple):
    """What an attempt has changed, or had changed when it was the first one."""

    standing: SolverStanding
    gained: int  # points of the rating
    is_first: bool  # otherwise nothing counts


def shown(mu: float) -> int:
    """A rating as visitors see it."""
    return round(POINTS * mu)


def record(visitor: str, puzzle: Puzzle, is_solved: bool) -> AttemptResult:
    """Count an attempt, if it is the visitor's first at this puzzle.

    Two at the same moment are counted once: the second one waits for the first, and finds its row.
    """
    with transaction.atomic():
        solver = _locked_solver(visitor)
        known = PuzzleAttempt.objects.filter(visitor=visitor, puzzle=puzzle.id).first()
        if known:
            return AttemptResult(standing_of(solver), 0, is_first=False)
        level = PuzzleRating.objects.select_for_update().get_or_create(
            puzzle=puzzle.id, defaults={"mu": first_mu(puzzle.level), "sigma": DOUBT}
        )[0]
        before = solver.mu
        _rate(solver, level, is_solved)
        solver.streak = solver.streak + 1 if is_solved else 0
        solver.longest = max(solver.longest, solver.streak)
        for row in (solver, level):
            row.tried += 1
            row.solved += is_solved
            row.save()
        gained = solver.mu - before
        PuzzleAttempt.objects.create(
            visitor=visitor, puzzle=puzzle.id, solved=is_solved, gained=gained
        )
    return AttemptResult(standing_of(solver), shown(solver.mu) - shown(before), is_first=True)


def _locked_solver(visitor: str) -> PuzzleSolver:
    return PuzzleSolver.objects.select_for_update().get_or_create(
        visitor=visitor, defaults={"mu": MODEL.mu, "sigma": MODEL.sigma}
    )[0]


def _rate(solver: PuzzleSolver, puzzle: PuzzleRating, is_solved: bool) -> None:
    """Move both ratings: whoever solves a puzzle has beaten it."""
    before = [[MODEL.rating(row.mu, row.sigma)] for row in (solver, puzzle)]
    (own,), (its,) = MODEL.rate(before, ranks=[1, 2] if is_solved else [2, 1])
    solver.mu, solver.sigma = own.mu, own.sigma
    puzzle.mu, puzzle.sigma = its.mu, its.sigma


def first_mu(level: int) -> float:
    """The rating of a puzzle that nobody has tried."""
    return float(MODEL.mu + LEVEL * (level - MIDDLE))


def standing_of(solver: PuzzleSolver | None) -> SolverStanding:
    """How somebody is doing; a newcomer has no row."""
    if solver is None:
        return SolverStanding(shown(MODEL.mu), False, 0, 0, 0, 0)
    return SolverStanding(
        shown(solver.mu),
        solver.sigma <= UNSURE,
        *(solver.tried, solver.solved, solver.streak, solver.longest),
    )


def standing(visitor: str) -> SolverStanding:
    """How a visitor is doing."""
    return standing_of(PuzzleSolver.objects.filter(visitor=visitor).first())


def attempts(visitor: str) -> Mapping[str, bool]:
    """The puzzles that a visitor has tried: did they solve them at the first attempt?"""
    found = PuzzleAttempt.objects.filter(visitor=visitor)
    return dict(found.values_list("puzzle", "solved"))


def ratings(puzzles: Iterable[Puzzle]) -> Mapping[str, int]:
    """The ratings of some puzzles, as shown."""
    wanted = list(puzzles)
    rows = PuzzleRating.objects.filter(pk__in=[puzzle.id for puzzle in wanted])
    known = dict(rows.values_list("puzzle", "mu"))
    return {puzzle.id: shown(known.get(puzzle.id, first_mu(puzzle.level))) for puzzle in wanted}


# --- accounts ------------------------------------------------------------------------------------


def move(old: str, new: str) -> int:
    """Give the attempts of one key to another; return how many rows there were.

    Where both have tried a puzzle, and where both have a rating, the new key's counts.
    """
    tried = PuzzleAttempt.objects.filter(visitor=new).values("puzzle")
    mine = PuzzleAttempt.objects.filter(visitor=old)
    rating = PuzzleSolver.objects.filter(visitor=old)
    moved = mine.count() + rating.count()
    mine.exclude(puzzle__in=list(tried.values_list("puzzle", flat=True))).update(visitor=new)
    if not PuzzleSolver.objects.filter(visitor=new).exists():
        rating.update(visitor=new)
    erase(old)
    return moved


def erase(visitor: str) -> None:
    """Delete what is kept about a visitor; the ratings of puzzles stay, which name nobody."""
    PuzzleAttempt.objects.filter(visitor=visitor).delete()
    PuzzleSolver.objects.filter(visitor=visitor).delete()


def forget_old() -> None:
    """Delete the attempts of visitors without an account that are old or too many.

    Ratings go with the last attempt. Those of puzzles stay.
    """
    accounts = Account.objects.values("key")
    found = PuzzleAttempt.objects.exclude(visitor__in=accounts)
    found.filter(at__lt=database.now() - KEPT).delete()
    if first := found.order_by("-at").values_list("at", flat=True)[MOST_OF_SITE : MOST_OF_SITE + 1]:
        found.filter(at__lte=first[0]).delete()
    solvers = PuzzleSolver.objects.exclude(visitor__in=accounts)
    solvers.exclude(visitor__in=PuzzleAttempt.objects.values("visitor")).delete()


def export(visitor: str) -> dict[str, Any]:
    """Everything that is kept about a visitor, as plain data."""
    tried = PuzzleAttempt.objects.filter(visitor=visitor).order_by("at")
    return {
        **standing(visitor)._asdict(),
        "attempts": [
            {"puzzle": one.puzzle, "solved": one.solved, "gained": shown(one.gained)}
            | {"at": one.at.isoformat(timespec="seconds")}
            for one in tried
        ],
    }
