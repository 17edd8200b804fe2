"""Who plays whom: nobody twice while it can be avoided, seats and byes shared out evenly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill.web.tournaments import formats
from brassmill.web.tournaments.points import (
    BYE,
    WIN,
    Decided,
    TablePlace,
    points_of,
    standings,
)
from brassmill.web.tournaments.seating import (
    History,
    Seating,
    byes_for,
    pairs_of,
    seat_round,
    sizes_for,
)

ALL, CLASSIC = (2, 3, 4), (3, 4)
numbers = st.integers(2, 40)
keys = st.text("abc", min_size=1, max_size=4)


def decided(number: int, tables: Seating, random: Random) -> list[Decided]:
    """Results for a round."""
    found = []
    for table in tables:
        order = random.sample(table, len(table))
        places = [
            TablePlace(player, n, random.randint(20, 180)) for n, player in enumerate(order, 1)
        ]
        found.append(Decided(number, tuple(places)))
    return found


def swiss_rounds(players: int, size: int, rounds: int, key: str) -> tuple[list[Seating], History]:
    """Play a Swiss tournament with random results."""
    history, played = History(), []
    tables: list[Decided] = []
    random = Random(key)
    for number in range(1, rounds + 1):
        seated = formats.swiss(range(players), tables, history, (size, ALL), key)
        for table in seated:
            history.add(table)
        tables += decided(number, seated, random)
        played.append(seated)
    return played, history


# --- sizes and byes ------------------------------------------------------------------------------


@given(players=st.integers(0, 130), size=st.sampled_from((2, 3, 4)))
def test_only_one_player_can_be_left_over(players: int, size: int) -> None:
    sizes = sizes_for(players, size, ALL)
    assert sum(sizes) <= players and all(each <= size for each in sizes)
    assert list(sizes) == sorted(sizes, reverse=True)
    left = players - sum(sizes)
    assert left == (players % 2 if size == 2 else players if players < 2 else 0)


@given(players=st.integers(3, 130))
def test_as_many_as_possible_play_the_classic_game(players: int) -> None:
    left = players - sum(sizes_for(players, 4, CLASSIC))
    assert left == (1 if players == 5 else 0)


def test_tables_are_as_near_to_the_wanted_size_as_they_can_be() -> None:
    assert sizes_for(9, 4, ALL) == (3, 3, 3)
    assert sizes_for(10, 4, ALL) == (4, 3, 3)
    assert sizes_for(5, 4, ALL) == (3, 2)
    assert sizes_for(2, 4, CLASSIC) == ()


def test_the_last_who_has_had_no_bye_gets_it() -> None:
    history = History()
    assert byes_for([1, 2, 3], 1, history) == [3]
    history.add((3,))
    assert byes_for([1, 2, 3], 1, history) == [2]
    assert byes_for([1, 2, 3], 2, history) == [2, 1]


# --- Swiss ---------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(players=numbers, size=st.sampled_from((2, 3, 4)), key=keys, rounds=st.integers(1, 5))
def test_every_player_is_seated_once(players: int, size: int, key: str, rounds: int) -> None:
    for seated in swiss_rounds(players, size, rounds, key)[0]:
        assert sorted(player for table in seated for player in table) == list(range(players))


@settings(max_examples=30)
@given(players=st.integers(8, 40), key=keys)
def test_nobody_meets_twice_while_it_can_be_avoided(players: int, key: str) -> None:
    """With four times as many players as rounds it always can at tables of two."""
    for size, rounds in ((2, max(1, players // 4)), (4, max(1, players // 14))):
        _played, history = swiss_rounds(players, size, rounds, key)
        assert max(history.met.values()) == 1


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_search_finds_what_trying_everything_finds(size: int) -> None:
    """Six players: of all ways to seat them, none repeats fewer meetings."""
    for seed in range(40):
        random, history = Random(seed), History()
        for _round in range(random.randint(0, 4)):
            order = random.sample(range(6), 6)
            for at in range(0, 6, size):
                history.add(order[at : at + size])
        seated = seat_round(range(6), size, ALL, history, random)
        least = min(
            sum(history.meetings(table) > 0 for table in tables)
            for tables in every_way(list(range(6)), sizes_for(6, size, ALL))
        )
        if least == 0:
            assert sum(map(history.meetings, seated)) == 0


def every_way(players: list[int], sizes: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """All ways to share players out over tables."""
    if not sizes:
        return [[]]
    found = []
    for table in combinations(players, sizes[0]):
        left = [player for player in players if player not in table]
        found += [[table, *rest] for rest in every_way(left, sizes[1:])]
    return found


@settings(max_examples=25)
@given(half=st.integers(6, 20), key=keys)
def test_seats_are_balanced(half: int, key: str) -> None:
    """While the tables leave a choice: nobody has had a seat twice more than another."""
    _played, history = swiss_rounds(2 * half, 2, max(2, half // 3), key)
    for player in range(2 * half):
        had = [history.seats[player, seat] for seat in range(2)]
        assert max(had) - min(had) <= 1


@settings(max_examples=20)
@given(key=keys)
def test_seats_are_balanced_at_tables_of_four(key: str) -> None:
    _played, history = swiss_rounds(64, 4, 5, key)
    spreads: Counter[int] = Counter()
    for player in range(64):
        had = [history.seats[player, seat] for seat in range(4)]
        spreads[max(had) - min(had)] += 1
    assert set(spreads) <= {1} and max(history.met.values()) == 1


@settings(max_examples=30)
@given(players=st.integers(2, 15), size=st.sampled_from((2, 4)), key=keys)
def test_nobody_has_two_byes(players: int, size: int, key: str) -> None:
    _played, history = swiss_rounds(2 * players + 1, size, 5, key)
    assert not history.byes or max(history.byes.values()) == (2 if 2 * players + 1 < 5 else 1)


def test_the_same_key_seats_the_same_tables() -> None:
    assert swiss_rounds(20, 4, 3, "a")[0] == swiss_rounds(20, 4, 3, "a")[0]
    assert swiss_rounds(20, 4, 3, "a")[0] != swiss_rounds(20, 4, 3, "b")[0]


def test_equals_play_each_other() -> None:
    played, _history = swiss_rounds(64, 4, 1, "a")
    results = [
        Decided(1, tuple(TablePlace(player, n, 100 - n) for n, player in enumerate(table, 1)))
        for table in played[0]
    ]
    history = History()
    for table in played[0]:
        history.add(table)
    seated = formats.swiss(range(64), results, history, (4, ALL), "a")
    winners = {table[0] for table in played[0]}
    assert sum(winners >= set(table) for table in seated) >= 3  # of four tables of winners


# --- round robin ---------------------------------------------------------------------------------


@given(players=st.integers(3, 24), key=keys)
def test_everyone_meets_everyone_once(players: int, key: str) -> None:
    history = History()
    rounds = formats.rounds_of(formats.ROUND_ROBIN, players, 2, 0)
    for number in range(1, rounds + 1):
        for table in formats.round_robin(range(players), number, history, (2, ALL), key):
            history.add(table)
    assert history.met == Counter(dict.fromkeys(combinations(range(players), 2), 1))
    assert set(history.byes.values()) <= {1}
    for player in range(players):
        had = [history.seats[player, seat] for seat in range(2)]
        assert max(had) - min(had) <= 1


@pytest.mark.parametrize("size", [2, 3, 4])
def test_at_a_single_table_everyone_has_every_seat_once(size: int) -> None:
    history = History()
    for number in range(1, formats.rounds_of(formats.ROUND_ROBIN, size, size, 0) + 1):
        for table in formats.round_robin(range(size), number, history, (size, ALL), "k"):
            history.add(table)
    for player in range(size):
        assert [history.seats[player, seat] for seat in range(size)] == [1] * size


@settings(max_examples=15)
@given(players=st.integers(5, 20), size=st.sampled_from((3, 4)), key=keys)
def test_larger_tables_meet_evenly(players: int, size: int, key: str) -> None:
    history = History()
    for number in range(1, formats.rounds_of(formats.ROUND_ROBIN, players, size, 0) + 1):
        for table in formats.round_robin(range(players), number, history, (size, ALL), key):
            history.add(table)
    assert max(history.met.values()) <= 3


# --- points --------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4))
def test_a_table_gives_the_same_sum_whoever_shares_a_place(places: list[int]) -> None:
    table = Decided(1, tuple(TablePlace(n, rank) for n, rank in enumerate(places)))
    assert sum(points_of(table).values()) == Fraction(WIN * len(places), 2)


def test_points() -> None:
    def won(*ranks: int) -> list[int]:
        table = Decided(1, tuple(TablePlace(n, rank) for n, rank in enumerate(ranks)))
        return [int(each) for each in points_of(table).values()]

    assert won(1, 2, 3, 4) == [12, 8, 4, 0]
    assert won(1, 2, 3) == [12, 6, 0]
    assert won(2, 1) == [0, 12]
    assert won(1, 1, 3, 4) == [10, 10, 4, 0]
    assert won(1) == [BYE]
    away = Decided(
        1, (TablePlace(0, 1), TablePlace(1, 2, is_away=True), TablePlace(2, 2, is_away=True))
    )
    assert list(points_of(away).values()) == [12, 0, 0]


def test_tie_breaks_in_their_order() -> None:
    def line(*tables: Decided) -> list[tuple[int, int]]:
        return [(row.player, row.place) for row in standings(range(4), tables)]

    # Equal in everything: one place for all.
    assert line() == [(0, 1), (1, 1), (2, 1), (3, 1)]
    # By wins: 12 + 0 before 6 + 6.
    wins = (
        Decided(1, (TablePlace(0, 1), TablePlace(2, 2))),
        Decided(1, (TablePlace(1, 1), TablePlace(3, 1))),
        Decided(2, (TablePlace(0, 2), TablePlace(3, 1))),
        Decided(2, (TablePlace(1, 2), TablePlace(2, 1))),
    )
    assert [row.points for row in standings(range(4), wins)] == [18, 12, 12, 6]
    # By the share of VP, when everything before is equal.
    vp = (
        Decided(1, (TablePlace(0, 1, 100), TablePlace(1, 2, 50))),
        Decided(1, (TablePlace(2, 1, 100), TablePlace(3, 2, 90))),
    )
    assert line(*vp) == [(0, 1), (2, 2), (3, 3), (1, 4)]


# --- knock-out -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    players=st.integers(2, 70),
    size=st.sampled_from((2, 3, 4)),
    allowed=st.sampled_from((ALL, CLASSIC)),
    key=keys,
)
def test_a_knock_out_ends_at_one_table(
    players: int, size: int, allowed: tuple[int, ...], key: str
) -> None:
    size, players = max(size, allowed[0]), max(players, allowed[0])
    random, tables = Random(key), []
    order = formats.drawn(range(players), key)
    left, number = order, 1
    while True:
        seated = formats.knock_out(left, number, (size, allowed), key)
        assert sorted(player for table in seated for player in table) == sorted(left)
        round_of = decided(number, seated, random)
        tables += round_of
        if len(seated) == 1:
            break
        after = formats.survivors(round_of, order, allowed[0])
        assert allowed[0] <= len(after) < len(left)
        left, number = after, number + 1
    places = formats.knock_out_places(order, tables)
    winner = next(place.player for place in tables[-1].places if place.rank == 1)
    assert [player for player, place in places.items() if place == 1] == [winner]


def test_who_stays_away_does_not_play_on() -> None:
    table = Decided(
        1, (TablePlace(0, 1), TablePlace(1, 2, is_away=True), TablePlace(2, 2, is_away=True))
    )
    other = Decided(1, (TablePlace(3, 1), TablePlace(4, 2)))
    assert sorted(formats.survivors([table, other], range(5), 2)) == [0, 3]


# --- leagues and arenas --------------------------------------------------------------------------


@given(players=st.integers(4, 80), size=st.integers(4, 16), movers=st.integers(1, 4))
def test_the_best_rise_and_the_last_fall(players: int, size: int, movers: int) -> None:
    divisions = formats.divided(range(players), size, 3)
    assert [player for division in divisions for player in division] == list(range(players))
    assert len(divisions) == 1 or min(map(len, divisions)) >= 3
    after = formats.divided(formats.promoted(divisions, movers), size, 3)
    was = {player: n for n, division in enumerate(divisions) for player in division}
    now = {player: n for n, division in enumerate(after) for player in division}
    assert list(map(len, after)) == list(map(len, divisions))
    for n, division in enumerate(divisions):
        moved = [now[player] - was[player] for player in division]
        up = moved.count(-1)
        assert set(moved) <= {-1, 0, 1} and moved[:up] == [-1] * up
        assert up == (0 if n == 0 else min(movers, len(division) // 2, len(divisions[n - 1]) // 2))


def test_an_arena_seats_those_who_wait_longest() -> None:
    history = History()
    assert formats.arena([5, 3, 1], True, history, (4, ALL), Random(1)) == []
    seated = formats.arena([5, 3, 1, 2, 9], True, history, (4, ALL), Random(1))
    assert [sorted(table) for table in seated] == [[1, 2, 3, 5]]
    seated = formats.arena([5, 3, 1], False, history, (4, ALL), Random(1))
    assert [sorted(table) for table in seated] == [[1, 3, 5]]


def test_pairs_are_counted_once() -> None:
    assert list(pairs_of((3, 1, 2))) == [(1, 2), (1, 3), (2, 3)]
