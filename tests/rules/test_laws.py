"""The laws hold in random games of every kind, and a violation is named."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.playout import ACTIONS, GAMES, RandomGames
from brassmill.editions import Edition, edition
from brassmill.rules.emit import EventKind
from brassmill.rules.laws import Law, broken_law, broken_step_law
from brassmill.rules.layout import (
    ACTION,
    BREWERY,
    DEBT_POINTS,
    MANUFACTURER,
    TURN_OVER,
    tile_kind,
)
from support import kinds


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_laws_hold_over_whole_games(kind: Edition) -> None:
    table = RandomGames(kind)
    table.watched(1, 25)
    assert table.broken_law() is None


@given(seed=st.integers(0, 2**64 - 1), kind=st.sampled_from(kinds.ALL))
def test_laws_hold_over_any_game(seed: int, kind: Edition) -> None:
    table = RandomGames(kind)
    table.watched(seed, 1)
    assert table.broken_law() is None


@pytest.mark.parametrize(
    ("name", "options", "actions"),
    [
        ("birmingham", {}, {4: 124, 3: 105, 2: 78}),
        ("lancashire", {}, {4: 124, 3: 105, 2: 78}),
        ("classic", {}, {4: 124, 3: 117}),
        ("lancashire", {"classic_deck": True}, {4: 124, 3: 117}),
        ("birmingham", {"intro": True}, {4: 60, 3: 51, 2: 38}),
        ("lancashire", {"intro": True}, {4: 60, 3: 51, 2: 38}),
        ("lancashire", {"community_2p": True}, {2: 78}),
    ],
)
def test_the_number_of_actions_is_exact(
    name: str, options: dict[str, bool], actions: dict[int, int]
) -> None:
    for players, expected in actions.items():
        table = RandomGames(edition(name, players, **options))
        table.watched(7, 10)
        assert table.counts[ACTIONS] == expected * table.counts[GAMES]


# --- violations are named ------------------------------------------------------------------------

BIRMINGHAM = edition("birmingham").find_place("Birmingham")


class Records:
    """A position from the middle of a Birmingham game, and what is needed to check it."""

    def __init__(self) -> None:
        kind = edition("birmingham", 4)
        engine = Engine(kind, ("Y", "R", "G", "P"))
        engine.set_up(Deal.from_seed(kind, 3).record(kind))
        chance = Random(3)
        made = 0
        while made < 40 or engine.phase != ACTION:
            engine.choose(chance.choice(engine.legal()))
            if engine.phase == TURN_OVER:
                engine.end_turn()
            made += 1
        self.board, self.state, self.work = kind.board, engine.state, engine.work

    def space(self, wanted: Callable[[int], bool]) -> int:
        return next(space for space in range(49) if wanted(space))

    def law(self) -> Law:
        return Law(broken_law(self.state, self.board, self.work))


def a_tile(records: Records) -> int:
    return records.space(lambda space: records.state.tile[space] != 0)


def a_mine(records: Records) -> int:
    return records.space(lambda space: records.state.cubes[space] > 0)


def move_a_tile(records: Records) -> None:
    """Move a tile to an empty space that does not accept it."""
    state, board = records.state, records.board
    here = a_tile(records)
    there = records.space(
        lambda space: (
            state.tile[space] == 0
            and board.industry_of[state.tile[here]] not in board.symbol[space]
        )
    )
    for field in (state.tile, state.owner, state.cubes, state.flipped):
        field[here], field[there] = field[there], field[here]


def build(records: Records, industry: int, level: int, where: Callable[[int], bool]) -> None:
    """Put a tile of seat 0, whose mat is empty by now, on an empty space that accepts it."""
    state, board = records.state, records.board
    state.gone[0] = board.stack_size
    space = records.space(
        lambda space: state.tile[space] == 0 and industry in board.symbol[space] and where(space)
    )
    state.tile[space] = tile_kind(industry, level)
    state.owner[space] = 0
    state.cubes[space] = board.contents[state.tile[space], 0]


def build_twice_in_a_town(records: Records) -> None:
    for _ in range(2):
        build(
            records, MANUFACTURER, 2, lambda space: records.board.space_place[space] == BIRMINGHAM
        )


def place_all_links(records: Records) -> None:
    canals = [line for line in range(39) if records.board.line_era[line, 0]]
    records.state.link_owner[canals] = 0


BREAKS: dict[Law, Callable[[Records], None]] = {
    Law.CARDS_CONSERVED: lambda r: r.state.discards.__setitem__(0, r.state.discards[0] + 1),
    Law.HANDS_COUNTED: lambda r: r.state.hand_size.__setitem__(0, r.state.hand_size[0] + 1),
    Law.WILD_CARDS_SINGLE: lambda r: r.state.hand.__setitem__((0, 35), 2),
    Law.TILES_CONSERVED: lambda r: r.state.gone.__setitem__(slice(None), 0),
    Law.TILE_FITS_SPACE: move_a_tile,
    Law.ONE_TILE_PER_TOWN: build_twice_in_a_town,
    Law.TILE_OF_ITS_ERA: lambda r: build(r, BREWERY, 4, lambda space: True),
    Law.LINKS_LIMITED: place_all_links,
    Law.CUBES_WITHIN_TILE: lambda r: r.state.cubes.__setitem__(a_mine(r), 9),
    Law.EMPTY_MEANS_FLIPPED: lambda r: r.state.flipped.__setitem__(a_mine(r), 1),
    # Leek-Belper is for railways only.
    Law.LINK_OF_ITS_ERA: lambda r: r.state.link_owner.__setitem__(2, 0),
    Law.MARKETS_BOUNDED: lambda r: setattr(r.state, "coal_market", 15),
    Law.BARRELS_BOUNDED: lambda r: r.state.barrel.__setitem__(0, 2),
    Law.MONEY_NOT_NEGATIVE: lambda r: r.state.cash.__setitem__(0, -1),
    Law.INCOME_ON_TRACK: lambda r: r.state.income.__setitem__(0, 100),
    Law.POINTS_ADD_UP: lambda r: r.state.points.__setitem__((0, 0, DEBT_POINTS), 1),
    Law.ORDER_IS_PERMUTATION: lambda r: r.state.order.__setitem__(0, r.state.order[1]),
    Law.NOTHING_IN_PROGRESS: lambda r: setattr(r.state, "coal_due", 1),
    Law.CHOICE_EXISTS: lambda r: setattr(r.state, "phase", 3),  # asks for iron when there is none
}


@pytest.mark.parametrize("law", BREAKS, ids=lambda law: law.name)
def test_a_broken_position_is_named(law: Law) -> None:
    records = Records()
    assert records.law() == Law.KEPT
    BREAKS[law](records)
    assert records.law() == law


def test_money_that_moves_without_an_event_is_named() -> None:
    records = Records()
    before = records.state.copy()
    records.work.event_count = 0
    assert Law(step_law(records, before)) == Law.KEPT
    records.state.cash[2] += 1
    assert Law(step_law(records, before)) == Law.MONEY_EXPLAINED
    records.state.cash[2] -= 1
    records.state.spent[2] += 1
    assert Law(step_law(records, before)) == Law.SPENT_EXPLAINED


@pytest.mark.parametrize(
    ("event", "law"),
    [
        ((EventKind.BUILT, 0, 0, tile_kind(BREWERY, 1)), Law.TILES_PAID),
        ((EventKind.LINKED, 0, 3, 0), Law.LINKS_PAID),
        ((EventKind.COAL_USED, 0, -1, 0), Law.COAL_PAID),
        ((EventKind.IRON_USED, 0, -1, 0), Law.IRON_PAID),
    ],
)
def test_an_unbalanced_event_is_named(event: tuple[int, ...], law: Law) -> None:
    records = Records()
    records.work.event_count = 1
    records.work.events[0] = event
    assert Law(step_law(records, records.state.copy())) == law


def test_a_game_of_the_wrong_length_is_named() -> None:
    table = RandomGames(edition("birmingham", 4))
    table.boards["rounds"] += 1
    table.watched(1, 1)
    broken = table.broken_law()
    assert broken is not None
    assert broken[0] == Law.CARDS_ARE_DUE


def step_law(records: Records, before: Any) -> int:
    return int(broken_step_law(before, records.state, records.board, records.work))
