"""Counting rated games: whatever the order and the interruptions, the same bits as a recount."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import pairwise
from unittest import mock

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill.web.models import Ladder, LadderRating, RatedGame, RatedPlayer, RatedSeat
from brassmill.web.ratings import checks, counting, results
from brassmill.web.ratings.computing import DRIFT, LEVELS, MODEL, NEWCOMER, shown
from support import rated
from support.rated import figures, finish, player

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    yield
    rated.clear()


def rating(who: RatedPlayer) -> LadderRating:
    return LadderRating.objects.get(player=who)


# --- one game ------------------------------------------------------------------------------------


def test_a_game_moves_the_ratings_of_its_players() -> None:
    ada, ben, cleo = player(), player(), player()
    finish([ada, ben, cleo])
    counting.count_all()
    first, second, third = rating(ada), rating(ben), rating(cleo)
    assert first.mu > second.mu > third.mu and first.mu > NEWCOMER.mu > third.mu
    assert all(row.sigma < NEWCOMER.sigma for row in (first, second, third))
    assert [row.games for row in (first, second, third)] == [1, 1, 1]
    assert [row.won for row in (first, second, third)] == [1, 0, 0]


def test_a_shared_rank_is_a_draw() -> None:
    ada, ben = player(), player()
    finish([ada, ben], [1, 1])
    counting.count_all()
    assert rating(ada).mu == rating(ben).mu == pytest.approx(NEWCOMER.mu)
    assert rating(ada).won == rating(ben).won == 1


def test_every_edition_and_number_of_players_has_its_own_ladder() -> None:
    ada, ben, cleo = player(), player(), player()
    finish([ada, ben])
    finish([ada, ben], [2, 1], 1, edition="lancashire")
    finish([ada, ben, cleo], hours=2)
    finish([ada, "master"], hours=3)
    counting.count_all()
    rows = LadderRating.objects.filter(player=ada).order_by("ladder")
    assert {row.ladder_id: row.mu > NEWCOMER.mu for row in rows} == {
        "levels-birmingham-2": True,
        "people-birmingham-2": True,
        "people-birmingham-3": True,
        "people-lancashire-2": False,
    }


def test_levels_are_as_strong_as_measured_and_stay_so() -> None:
    gains = {}
    for level in LEVELS:
        ada = player()
        game = finish([ada, level])
        counting.count_all()
        gains[level] = rating(ada).mu - NEWCOMER.mu
        assert game.seats.get(seat=1).mu is None
    assert all(one < two for one, two in pairwise(gains.values()))
    assert not LadderRating.objects.filter(player=None).exists()


def test_a_pause_makes_a_rating_less_certain() -> None:
    ada, ben = player(), player()
    finish([ada, ben])
    again = finish([ada, ben], hours=24 * 29)
    late = finish([ada, ben], hours=24 * (29 + 130))
    counting.count_all()
    (first, _other), (second, _third) = (
        [(seat.mu_before, seat.sigma_before) for seat in game.seats.all()] for game in (again, late)
    )
    before = RatedSeat.objects.get(game__finished=rated.FIRST, seat=0)
    assert first == (before.mu, before.sigma)
    kept = again.seats.get(seat=0)
    assert kept.sigma is not None and second[1] is not None
    assert second[1] ** 2 == pytest.approx(min(kept.sigma**2 + 100 * DRIFT, MODEL.sigma**2))


def test_a_rating_is_shown_with_its_margin() -> None:
    new = shown(NEWCOMER.mu, NEWCOMER.sigma)
    assert (new.rating, new.margin, new.is_sure) == (1500, 1000, False)
    assert shown(30, 2) == (1800, 240, True)


# --- in any order --------------------------------------------------------------------------------


@settings(max_examples=12)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_whatever_happens_a_recount_changes_no_bit(rng: random.Random, at_once: int) -> None:
    """Games are stored in another order than they ended, withdrawn, put back, counted in parts."""
    rated.clear()
    people = [player() for _ in range(5)]
    with mock.patch.object(counting, "AT_ONCE", at_once):
        for _step in range(rng.randint(1, 14)):
            match rng.randrange(6):
                case 0:
                    counting.count_all()
                case 1 if game := random_game(rng):
                    results.withdraw(game.table, rng.choice([RatedGame.TAKEN_OUT, "repaired"]))
                case 2 if game := random_game(rng):
                    results.put_back(game)
                case 3:  # a process is killed in the middle of counting
                    for ladder in Ladder.objects.all():
                        counting._count_some(ladder.pk)
                case _:
                    known: list[RatedPlayer | str] = [*people, "expert", "beginner"]
                    entrants = rng.sample(known, 3)
                    ranks = rng.choice([[1, 2, 3], [3, 1, 2], [1, 1, 3], [2, 1, 2]])
                    finish(entrants, ranks, hours=rng.choice([0, 1, 1, 2, 900, 3000, 9000]))
        counting.count_all()
        found = figures()
        assert [one.problem for one in checks.verified() if one.problem] == []
    assert found == rated.counted_from_the_start()


def random_game(rng: random.Random) -> RatedGame | None:
    games = list(RatedGame.objects.all())
    return rng.choice(games) if games else None


def test_a_game_that_is_stored_late_counts_at_its_place() -> None:
    ada, ben = player(), player()
    finish([ada, ben], [1, 2], hours=1)
    counting.count_all()
    finish([ada, ben], [2, 1], hours=0)
    counting.count_all()
    late = figures()
    rated.clear()
    ada, ben = player(), player()
    finish([ada, ben], [2, 1], hours=0)
    finish([ada, ben], [1, 2], hours=1)
    counting.count_all()
    in_order = figures()
    assert [row[2:] for row in late] == [row[2:] for row in in_order]


def test_of_games_that_end_at_once_the_one_stored_first_counts_first() -> None:
    ada, ben = player(), player()
    first, second = finish([ada, ben]), finish([ada, ben], [2, 1])
    counting.count_all()
    assert first.seats.get(seat=0).mu == second.seats.get(seat=0).mu_before


def test_a_withdrawn_game_counts_no_longer() -> None:
    ada, ben = player(), player()
    kept = finish([ada, ben])
    counting.count_all()
    before = [row[2:] for row in figures()]
    bad = finish([ada, ben], hours=-1)
    counting.count_all()
    assert rating(ada).games == 2
    results.withdraw(bad.table)
    counting.count_all()
    assert [row[2:] for row in figures() if row[0] != bad.pk] == before
    assert bad.seats.get(seat=0).mu is None and kept.seats.get(seat=0).mu is not None
    results.withdraw(kept.table)
    counting.count_all()
    assert not LadderRating.objects.exists()


def test_only_what_an_operator_has_taken_out_can_be_put_back() -> None:
    ada, ben = player(), player()
    repaired, taken = finish([ada, ben]), finish([ada, ben], hours=1)
    results.withdraw(repaired.table)
    results.withdraw(taken.table, RatedGame.TAKEN_OUT)
    for game in (repaired, taken):
        results.put_back(game)
    counting.count_all()
    assert rating(ada).games == 1
    assert checks_find() == ""


def checks_find() -> str:
    return " ".join(one.problem for one in checks.verified())


def test_a_changed_bit_is_found_and_mended() -> None:
    ada, ben = player(), player()
    finish([ada, ben])
    counting.count_all()
    found = figures()
    seat = RatedSeat.objects.get(player=ada)
    assert seat.mu is not None
    RatedSeat.objects.filter(pk=seat.pk).update(mu=seat.mu + 2**-40)
    assert checks_find() == "1 ratings do not follow from the results"
    (again,) = [counting.recount(ladder.pk) for ladder in Ladder.objects.all()]
    assert again.differing == 1 and figures() == found
    LadderRating.objects.filter(player=ben).update(won=7)
    assert "1 ratings" in checks_find()
    counting.recount(again.ladder)
    assert figures() == found and checks_find() == ""


def test_what_is_not_counted_yet_is_no_fault() -> None:
    finish([player(), player()])
    assert checks_find() == ""


def test_threads_that_count_at_once_give_the_same() -> None:
    people = [player() for _ in range(4)]
    rng = random.Random(3)
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(5):
                finish(orders[number][n], hours=hours[number][n])
                counting.count_all()
        except BaseException as fault:
            faults.append(fault)
        finally:
            connection.close()

    results.ladder(Ladder.PEOPLE, "birmingham", 4)
    orders = [[rng.sample(people, 4) for _ in range(5)] for _ in range(3)]
    hours = [[rng.uniform(0, 5) for _ in range(5)] for _ in range(3)]
    threads = [threading.Thread(target=work, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    counting.count_all()
    found = figures()
    assert RatedGame.objects.count() == 15
    assert found == rated.counted_from_the_start()
