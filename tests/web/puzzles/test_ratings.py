"""Ratings of solvers and puzzles: first attempts only, once, and they go with an account."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection

from brassmill.puzzles import Puzzle, puzzles
from brassmill.web.accounts import accounts, deletion
from brassmill.web.accounts.export import export_of
from brassmill.web.models import PuzzleAttempt, PuzzleRating, PuzzleSolver
from brassmill.web.puzzles import ratings
from brassmill.web.run import old_rows
from brassmill.web.server import database
from support.people import make_account

pytestmark = pytest.mark.usefixtures("site")

ADA, BEN = "ada-solves", "ben-solves"


@pytest.fixture(autouse=True)
def nothing_tried() -> Iterator[None]:
    yield
    for model in (PuzzleAttempt, PuzzleRating, PuzzleSolver):
        model.objects.all().delete()


def some(number: int) -> list[Puzzle]:
    return list(puzzles().values())[:number]


def test_both_ratings_move_with_an_attempt() -> None:
    solved, missed = some(2)
    before = ratings.ratings([solved, missed])
    won = ratings.record(ADA, solved, is_solved=True)
    lost = ratings.record(ADA, missed, is_solved=False)
    after = ratings.ratings([solved, missed])
    assert won.gained > 0 > lost.gained
    assert after[solved.id] < before[solved.id] and after[missed.id] > before[missed.id]


def test_only_the_first_attempt_counts() -> None:
    (puzzle,) = some(1)
    first = ratings.record(ADA, puzzle, is_solved=False)
    again = ratings.record(ADA, puzzle, is_solved=True)
    assert first.is_first and not again.is_first
    assert again.standing == first.standing and again.gained == 0
    assert ratings.attempts(ADA) == {puzzle.id: False}


def test_a_hard_puzzle_is_worth_more() -> None:
    by_level = {puzzle.level: puzzle for puzzle in puzzles().values()}
    easy = ratings.record(ADA, by_level[1], is_solved=True)
    hard = ratings.record(BEN, by_level[5], is_solved=True)
    assert hard.gained > easy.gained > 0


def test_streaks_end_with_a_miss() -> None:
    results = [True, True, False, True]
    streaks = [
        ratings.record(ADA, puzzle, result).standing.streak
        for puzzle, result in zip(some(4), results, strict=True)
    ]
    assert streaks == [1, 2, 0, 1]
    assert ratings.standing(ADA).longest == 2


def test_a_newcomer_is_uncertain_and_has_no_row() -> None:
    assert ratings.standing("nobody") == (1500, False, 0, 0, 0, 0)
    assert not PuzzleSolver.objects.exists()
    for puzzle in some(40):
        standing = ratings.record(ADA, puzzle, is_solved=True).standing
    assert standing.is_sure


def test_attempts_at_the_same_moment_count_once_and_none_is_lost() -> None:
    """Two tabs of one visitor, and several visitors at one puzzle."""
    (puzzle,) = some(1)
    visitors = [ADA, ADA, ADA, BEN, "cleo", "dan"]
    ready, firsts = threading.Barrier(len(visitors)), []

    def attempt(visitor: str) -> None:
        ready.wait()
        try:
            firsts.append(ratings.record(visitor, puzzle, is_solved=True).is_first)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt, args=(visitor,)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(firsts) == [False] * 2 + [True] * 4
    assert PuzzleRating.objects.get(puzzle=puzzle.id).tried == 4
    assert ratings.standing(ADA).tried == 1


# --- accounts ------------------------------------------------------------------------------------


def test_attempts_come_along_when_a_visitor_signs_in() -> None:
    first, second, third = some(3)
    ratings.record(ADA, first, is_solved=True)
    ratings.record(ADA, second, is_solved=False)
    own = ratings.standing(ADA)
    assert accounts.move(ADA, BEN)
    assert ratings.standing(BEN) == own and not ratings.attempts(ADA)
    ratings.record(ADA, first, is_solved=False)
    ratings.record(ADA, third, is_solved=True)
    assert accounts.move(ADA, BEN)
    # What the account had tried itself stays as it was; its rating, too.
    assert ratings.attempts(BEN) == {first.id: True, second.id: False, third.id: True}
    assert ratings.standing(BEN) == own
    assert not PuzzleSolver.objects.filter(visitor=ADA).exists()


def test_attempts_without_an_account_are_forgotten_and_not_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = some(2)
    account = make_account()
    for key in (ADA, BEN, account.key):
        ratings.record(key, one, is_solved=True)
    ratings.record(BEN, two, is_solved=True)
    long_ago = PuzzleAttempt.objects.exclude(visitor=BEN)
    long_ago.update(at=database.now() - ratings.KEPT - timedelta(hours=1))
    old_rows.forget_old()
    assert not ratings.attempts(ADA) and ratings.standing(ADA).tried == 0
    assert len(ratings.attempts(BEN)) == 2 and ratings.standing(account.key).tried == 1
    monkeypatch.setattr(ratings, "MOST_OF_SITE", 1)
    old_rows.forget_old()
    assert ratings.attempts(BEN) == {two.id: True} and ratings.standing(BEN).tried == 2
    assert PuzzleRating.objects.get(pk=one.id).tried == 3, "the ratings of puzzles name nobody"


def test_attempts_are_exported_and_deleted_with_the_account() -> None:
    account = make_account()
    (puzzle,) = some(1)
    result = ratings.record(account.key, puzzle, is_solved=True)
    exported = export_of(account)["puzzles"]
    assert exported["rating"] == result.standing.rating
    (attempt,) = exported["attempts"]
    assert (attempt["puzzle"], attempt["solved"]) == (puzzle.id, True)
    deletion.delete(account)
    assert not PuzzleAttempt.objects.exists() and not PuzzleSolver.objects.exists()
    assert PuzzleRating.objects.get(puzzle=puzzle.id).tried == 1  # it names nobody
