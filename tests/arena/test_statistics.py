"""The figures of a run: compared with figures computed by hand, and valid intervals."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from brassmill.arena.estimates import mean_of, share_of, student_95
from brassmill.arena.ratings import Rating, combined, ratings
from brassmill.arena.results import Forfeited, Results
from brassmill.arena.statistics import BotSummary, Summary, summary
from brassmill.errors import BrassError
from support.arena_games import results_of, schedule_of

DUEL = schedule_of(2, "a", "b", games=4)


def bot_of(found: Summary, name: str) -> BotSummary:
    return next(bot for bot in found.bots if bot.bot == name)


# --- figures -------------------------------------------------------------------------------------


def test_the_figures_of_a_bot() -> None:
    # Two deals, each played twice; the first seat is the first in the order of play.
    found = summary(results_of(DUEL, [(100, 90), (80, 90), (120, 70), (110, 110)]))
    assert (found.games, found.deals, found.seconds, found.actions) == (4, 2, 6.0, 64)
    bot = bot_of(found, "a")
    assert (bot.played, bot.deals, bot.wins, bot.won.share) == (4, 2, 2.5, 0.625)
    assert bot.rank.mean == 1.25
    assert bot.vp.mean == 102.5
    assert bot.vp.sd == pytest.approx(17.078, abs=0.001)
    assert bot.winning_vp is not None and bot.winning_vp.mean == 110
    assert {place: mean.mean for place, mean in bot.vp_by_place.items()} == {1: 110, 2: 95}
    assert bot.points == {"canal": {"links": 4}, "rail": {"cotton": 98.5}}
    assert (bot.cash.mean, bot.income.mean, bot.loans.mean) == (10, 8, 2)
    assert bot.did == {"build": 6, "loan": 2}
    assert bot.built == {"cotton": {1: 2, 3: 1}}
    assert bot.seconds_per_turn == pytest.approx(0.1)
    assert bot.slowest_turn == 0.2
    assert bot.scores == (100, 80, 120, 110)
    assert [bot.bot for bot in found.bots] == ["a", "b"]
    assert found.winners.vp.mean == pytest.approx((100 + 90 + 120 + 110 + 110) / 5)


def test_forfeits_are_counted_by_kind() -> None:
    results = results_of(DUEL, [(100, 90)])
    late, illegal = (Forfeited(7, kind, "...") for kind in ("late", "illegal"))
    first, second = results.games[0].players
    players = (replace(first, forfeits=(late, illegal, late)), second)
    found = summary(Results(DUEL, {0: replace(results.games[0], players=players)}))
    assert bot_of(found, "a").forfeits == {"late": 2, "illegal": 1}
    assert bot_of(found, "a").first_forfeit == late
    assert bot_of(found, "b").forfeits == {}
    assert bot_of(found, "b").first_forfeit is None


def test_a_bot_that_is_named_twice_is_one_bot() -> None:
    found = summary(results_of(schedule_of(4, "a", "a", "b", "b"), [(90, 60, 80, 70)] * 4))
    assert [(bot.bot, bot.played, bot.rank.mean) for bot in found.bots] == [
        ("a", 8, 2.5),
        ("b", 8, 2.5),
    ]
    assert bot_of(found, "a").vp.mean == 75


def test_without_a_game_there_is_nothing_to_say() -> None:
    with pytest.raises(BrassError, match="no game"):
        summary(Results(DUEL, {}))


# --- duels ---------------------------------------------------------------------------------------


def test_a_duel_of_two() -> None:
    # a wins the first deal by points with one win each, and loses the second altogether.
    (duel,) = summary(results_of(DUEL, [(100, 60), (80, 90), (70, 71), (70, 71)])).duels
    assert (duel.first, duel.second, duel.deals, duel.games) == ("b", "a", 2, 4)
    assert duel.deals_by_vp.share == 0.5
    assert duel.deals_by_rank.share == 0.75  # the first deal is even
    assert duel.games_by_rank.share == 0.75
    assert duel.margin.mean == (-40 + 10 + 1 + 1) / 4


def test_two_against_two_is_decided_by_mean_rank() -> None:
    # In points a is far ahead (first and last), in ranks nobody is, but for the last game.
    scores = [(200, 60, 80, 70)] * 3 + [(200, 75, 80, 70)]
    (duel,) = summary(results_of(schedule_of(4, "a", "a", "b", "b"), scores)).duels
    assert (duel.first, duel.deals, duel.games) == ("a", 1, 4)
    assert duel.deals_by_vp.share == 1
    assert duel.games_by_rank.share == (0.5 * 3 + 1) / 4
    assert duel.deals_by_rank.share == 1


def test_only_games_in_which_both_played_are_duels() -> None:
    schedule = schedule_of(2, "a", "b", "c")  # in turn: a b, a c, b c
    scores = [(90, 80, 0)] * 2 + [(90, 0, 70)] * 2
    found = summary(results_of(schedule, scores))
    assert {(duel.first, duel.second): duel.games for duel in found.duels} == {
        ("a", "b"): 2,
        ("a", "c"): 2,
    }


# --- intervals -----------------------------------------------------------------------------------


def test_the_games_of_a_deal_are_one_observation() -> None:
    alone = mean_of([1, 2, 3, 6, 3, 3], range(6))
    again = mean_of([1, 2, 3, 6, 3, 3] * 4, [*range(6)] * 4)
    assert alone.interval == pytest.approx(again.interval)
    assert alone.interval == pytest.approx((3 - 1.756, 3 + 1.756), abs=0.003)  # t(5) = 2.571


def test_a_handful_of_deals_tells_nothing_about_others() -> None:
    few = [0, 0, 1, 2, 3, 4]
    assert mean_of([80, 90, 70, 60, 90, 80], few).interval is None
    assert share_of([1, 0, 1, 1, 0, 1], few).interval is None
    assert ratings(played(1, 80, 140, games=10))[0].interval is None
    assert ratings(played(1, 100, 110, games=12))[0].interval is not None
    assert mean_of([80], [0]).sd is None


def test_deals_that_all_end_alike_tell_nothing_about_others() -> None:
    assert mean_of([0.1] * 30, range(30)).interval is None
    always = results_of(schedule_of(2, "a", "b", games=40), [(100, 90)] * 40)
    assert {rating.interval for rating in ratings(always)} == {None}


@pytest.mark.parametrize(
    ("freedom", "value"),
    [
        *[(5, 2.571), (6, 2.447), (10, 2.228), (30, 2.042), (99, 1.984)],
    ],
)
def test_students_t_matches_the_tables(freedom: int, value: float) -> None:
    assert student_95(freedom) == pytest.approx(value, abs=0.004)


def test_a_share_has_wilsons_interval() -> None:
    assert share_of([1] * 8 + [0] * 2, range(10)).interval == pytest.approx(
        (0.490, 0.943), abs=1e-3
    )
    assert share_of([1] * 100, range(100)).interval == pytest.approx((0.963, 1), abs=1e-3)


def test_intervals_cover_the_truth_95_percent_of_the_time() -> None:
    """In 95 of 100 runs the truth is inside, although the games of a deal are alike."""
    chance = Random(4)
    runs, means, shares = 600, 0, 0
    for _run in range(runs):
        values, wins, deals = [], [], []
        for deal in range(25):
            luck = chance.gauss(0, 10)
            likely = chance.choice([0.2, 0.9])
            for _game in range(4):
                values.append(100 + luck + chance.gauss(0, 5))
                wins.append(float(chance.random() < likely))
                deals.append(deal)
        low, high = mean_of(values, deals).interval or (0, 0)
        means += low <= 100 <= high
        low, high = share_of(wins, deals).interval or (0, 0)
        shares += low <= 0.55 <= high
    assert 0.93 < means / runs < 0.97
    assert 0.93 < shares / runs < 0.98


# --- ratings -------------------------------------------------------------------------------------


def played(seed: int, *strengths: float, games: int = 100) -> Results:
    """Bots whose scores vary around their strength."""
    chance = Random(seed)
    schedule = schedule_of(len(strengths), *"abcd"[: len(strengths)], games=games)
    scores = [[int(chance.gauss(mean, 20)) for mean in strengths] for _ in range(schedule.games)]
    return results_of(schedule, scores)


def reach(rating: Rating) -> tuple[float, float]:
    """The interval of a rating that has one."""
    assert rating.interval is not None
    return rating.interval


def test_the_stronger_bot_is_rated_higher() -> None:
    found = ratings(played(1, 80, 140, 110, 100))
    assert [rating.bot for rating in found] == ["b", "c", "d", "a"]
    assert reach(found[0])[0] > reach(found[1])[1]
    for rating in found:
        low, high = reach(rating)
        assert low < rating.rating < high


def test_equal_bots_cannot_be_told_apart() -> None:
    first, second = ratings(played(2, 100, 100))
    assert reach(second)[1] > reach(first)[0]


def test_ratings_are_reproducible() -> None:
    assert ratings(played(3, 100, 110, games=20)) == ratings(played(3, 100, 110, games=20))


def test_more_deals_narrow_the_interval() -> None:
    few, many = (ratings(played(4, 100, 110, games=games)) for games in (20, 200))
    widths = [high - low for low, high in (reach(found[0]) for found in (few, many))]
    assert widths[1] < widths[0]


def test_two_seats_of_one_bot_teach_about_one_bot() -> None:
    schedule = schedule_of(4, "a", "a", "b", "b", games=40)
    first, second = ratings(results_of(schedule, [(100, 90, 80, 70)] * 40))
    assert (first.bot, second.bot) == ("a", "b")
    assert combined((25, 8), [(27, 6)]) == pytest.approx((27, 6))  # one seat: as the model says
    mu, sigma = combined((25, 8), [(27, 6), (27, 6)])
    assert mu > 27
    assert sigma < 6


def test_a_bot_against_itself_has_no_rating() -> None:
    assert ratings(results_of(schedule_of(4, "a", games=2), [(100,)] * 2)) == ()


def test_only_those_who_have_played_are_rated() -> None:
    schedule = schedule_of(2, "a", "b", "c", "d")
    found = ratings(results_of(schedule, [(100, 80, 0, 0)] * 2))  # the first deal of six
    assert [rating.bot for rating in found] == ["a", "b"]
