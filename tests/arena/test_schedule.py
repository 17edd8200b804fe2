"""Who plays which deal in which seat: everyone equally, and always reproducible."""

from __future__ import annotations

from collections import Counter

import pytest

from brassmill.arena.schedule import Schedule
from support.arena_games import schedule_of


def matches(schedule: Schedule) -> list[tuple[int, tuple[int, ...]]]:
    return [(match.deal, match.seats) for match in map(schedule.match, range(len(schedule.set)))]


def test_a_deal_is_played_in_all_rotations_by_the_same_bots() -> None:
    schedule = schedule_of(4, "a", "b", "c", "d")
    assert matches(schedule) == [
        (0, (0, 1, 2, 3)),
        (0, (3, 0, 1, 2)),
        (0, (2, 3, 0, 1)),
        (0, (1, 2, 3, 0)),
    ]
    assert len({schedule.match(number).seed for number in range(4)}) == 1
    assert schedule.match(4).deal == 1


def test_one_bot_plays_each_deal_once_against_itself() -> None:
    assert matches(schedule_of(3, "a")) == [(0, (0, 0, 0))]
    assert matches(schedule_of(3, "a", "a", "a")) == [(0, (0, 1, 2))]


def test_two_bots_share_a_table_of_four() -> None:
    assert matches(schedule_of(4, "a", "b")) == [(0, (0, 1, 0, 1)), (0, (1, 0, 1, 0))]
    assert len(matches(schedule_of(4, "a", "a", "b", "b"))) == 4


@pytest.mark.parametrize(
    ("players", "bots", "deals"),
    [(4, "abc", 3), (3, "ab", 2), (2, "abcd", 6), (3, "abcde", 10), (2, "aab", 3), (4, "aabc", 1)],
)
def test_in_a_set_every_bot_sits_in_every_seat_equally_often(
    players: int, bots: str, deals: int
) -> None:
    schedule = schedule_of(players, *bots)
    played = matches(schedule)
    assert {deal for deal, _seats in played} == set(range(deals))
    for deal in range(deals):
        seats = [seats for number, seats in played if number == deal]
        together = {tuple(sorted(bots[bot] for bot in seat)) for seat in seats}
        assert len(together) == 1
        for column in zip(*seats, strict=True):
            lineup = Counter(next(iter(together)))
            times = len(seats) / players
            assert Counter(bots[bot] for bot in column) == {
                bot: number * times for bot, number in lineup.items()
            }


@pytest.mark.parametrize(
    ("players", "bots", "games", "whole"),
    [(4, "abcd", 5, 8), (4, "abcd", 8, 8), (4, "a", 5, 5), (2, "abc", 1, 6)],
)
def test_games_are_rounded_up_to_whole_sets(
    players: int, bots: str, games: int, whole: int
) -> None:
    assert schedule_of(players, *bots, games=games).games == whole


def test_a_game_follows_from_the_settings_and_its_number_in_every_version() -> None:
    match = schedule_of(4, "a", "b", "c", "d").match(6)
    assert (match.deal, match.seats) == (1, (2, 3, 0, 1))
    assert match.seed == 31873545444395
    assert match.bot_seed == 39605367839673
    assert schedule_of(4, "a", "b", "c", "d", games=400).match(6) == match


def test_another_seed_deals_other_cards_and_no_two_games_have_the_same_chance() -> None:
    first, second = (schedule_of(2, "a", seed=seed) for seed in (1, 2))
    seeds = [schedule.match(n).seed for schedule in (first, second) for n in range(500)]
    bot_seeds = [schedule.match(n).bot_seed for schedule in (first, second) for n in range(500)]
    assert len({*seeds, *bot_seeds}) == 2000
