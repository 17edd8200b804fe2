"""A seed always deals the same cards, fairly, compiled or not."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numba import njit

from brassmill.core.deal import SEEDS, Deal, below, deal_from_seed, random_number, seed_bits
from brassmill.editions import Edition, edition
from brassmill.errors import BrassError, InvalidPosition
from brassmill.rules.layout import DEAL, blank

BIRMINGHAM = edition("birmingham")
CLASSIC = edition("classic")
EDITIONS = [
    CLASSIC,
    edition("classic", 3),
    edition("lancashire"),
    edition("lancashire", 3),
    edition("lancashire", 2),
    edition("lancashire", community_2p=True),
    edition("lancashire", 3, classic_deck=True),
    BIRMINGHAM,
    edition("birmingham", 3),
    edition("birmingham", 2),
]


def split_mix(seed: int, number: int) -> int:
    """SplitMix64 as usually written; return output `number`, counted from 1."""
    wrap = SEEDS - 1
    mixed = seed + number * 0x9E3779B97F4A7C15 & wrap
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & wrap
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & wrap
    return mixed ^ mixed >> 31


def test_reference_numbers() -> None:
    # The published first outputs of SplitMix64 seeded with 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [split_mix(1234567, number) for number in (1, 2, 3)] == published


# Python cannot call a rule, but a compiled function can.
@njit  # type: ignore[untyped-decorator]
def number_of(seed: int, number: int) -> Any:
    return random_number(seed, number)


@njit  # type: ignore[untyped-decorator]
def draw_below(limit: int, seed: int, drawn: int) -> Any:
    return below(limit, seed, drawn)


def test_random_numbers_are_split_mix() -> None:
    chance = random.Random(1)
    seeds = [0, 1, 7, SEEDS - 1, SEEDS // 2, *(chance.getrandbits(64) for _ in range(300))]
    for seed in seeds:
        number = chance.randrange(1, 400)
        assert number_of(seed_bits(seed), number) == split_mix(seed, number) >> 32


def test_below_is_uniform() -> None:
    counts = Counter[int]()
    drawn = 0
    for _ in range(9000):
        value, drawn = draw_below(9, 5, drawn)
        counts[value] += 1
    assert sorted(counts) == list(range(9))
    assert max(abs(count - 1000) for count in counts.values()) < 150


# --- deals never change --------------------------------------------------------------------------

GOLDEN = {
    "classic": ("Fleetwood Rochdale Colne Burnley Manchester", (3, 0, 1, 2)),
    "lancashire": ("Colne port Preston iron Macclesfield", (1, 0, 2, 3)),
    "birmingham": ("Stone pottery Worcester cotton/manufacturer Wolverhampton", (1, 3, 0, 2)),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_seed_7(name: str) -> None:
    box = edition(name)
    deal = Deal.from_seed(box, 7)
    cards, order = GOLDEN[name]
    assert [box.card_name(card) for card in deal.decks[0][:5]] == cards.split()
    assert deal.order == order


def test_seed_7_in_the_other_editions() -> None:
    classic, birmingham = Deal.from_seed(CLASSIC, 7), Deal.from_seed(BIRMINGHAM, 7)
    assert classic.distant[0] == (2, 1, 3, 2, 3, 0, 0, 2, 2, 1, 3, 4)
    assert birmingham.distant == ((), ())
    assert [BIRMINGHAM.goods_name(goods) for goods in birmingham.merchants] == [
        "cotton",
        "manufacturer",
        "cotton",
        "blank",
        "blank",
        "all",
        "blank",
        "pottery",
        "manufacturer",
    ]


def test_largest_seed() -> None:
    assert Deal.from_seed(BIRMINGHAM, SEEDS - 1) != Deal.from_seed(BIRMINGHAM, 0)
    assert Deal.from_seed(BIRMINGHAM, int(np.uint64(SEEDS - 1))).seed == SEEDS - 1


@pytest.mark.parametrize("seed", [-1, SEEDS, 1.5, "7", None, True])
def test_invalid_seeds(seed: int) -> None:
    with pytest.raises(BrassError, match=r"from 0 to 2\*\*64 - 1"):
        Deal.from_seed(BIRMINGHAM, seed)


# --- deals are fair and complete -----------------------------------------------------------------


@pytest.mark.parametrize("box", EDITIONS, ids=repr)
def test_every_deal_is_possible(box: Edition) -> None:
    for seed in range(20):
        deal = Deal.from_seed(box, seed)
        assert deal.check(box) == []
        assert deal.decks[0] != deal.decks[1]
        assert Deal.from_record(box, deal.record(box), seed) == deal


@pytest.mark.parametrize("box", [CLASSIC, BIRMINGHAM], ids=repr)
def test_unused_entries(box: Edition) -> None:
    record = blank(DEAL)[0]
    deal_from_seed(box.board, 3, record)
    assert record.tobytes() == Deal.from_seed(box, 3).record(box).tobytes()
    cards = sum(box.deck.values())
    assert set(record.deck[:, cards:].ravel().tolist()) <= {-1}
    small = edition("lancashire", 2)
    deal_from_seed(small.board, 3, record)
    assert record.order[2:].tolist() == [-1, -1]
    assert set(record.distant[:, 8:].ravel().tolist()) == {0}
    assert set(record.merchant.tolist()) == {0}


def test_decks_are_roughly_uniform() -> None:
    deals = 4000
    first, last, orders, merchant = (Counter[object]() for _ in range(4))
    record = blank(DEAL)[0]
    for seed in range(deals):
        deal_from_seed(BIRMINGHAM.board, seed, record)
        first[int(record.deck[0, 0])] += 1
        last[int(record.deck[1, 63])] += 1
        orders[tuple(record.order.tolist())] += 1
        merchant[int(record.merchant[0])] += 1
    for counts in (first, last):
        for card, count in BIRMINGHAM.deck.items():
            expected = deals * count / 64
            assert abs(counts[card] - expected) < 5 * expected**0.5
    assert len(orders) == 24
    assert max(abs(count - deals / 24) for count in orders.values()) < 5 * (deals / 24) ** 0.5
    blank_tiles = deals * 3 / 9
    assert abs(merchant[0] - blank_tiles) < 5 * blank_tiles**0.5


def test_first_edition_is_seated_clockwise() -> None:
    orders = Counter(Deal.from_seed(CLASSIC, seed).order for seed in range(200))
    assert set(orders) == {(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)}


# --- compiled and uncompiled ---------------------------------------------------------------------

SCRIPT = """
import sys
from brassmill.core.deal import deal_from_seed, seed_bits
from brassmill.editions import edition
from brassmill.rules.layout import DEAL, blank
for name in ("classic", "lancashire", "birmingham"):
    for seed in (0, 7, 12345678901234567890):
        record = blank(DEAL)[0]
        deal_from_seed(edition(name).board, seed_bits(seed), record)
        print(record.tobytes().hex())
"""


def test_uncompiled_deals_are_the_same() -> None:
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = [
        Deal.from_seed(box, seed).record(box).tobytes().hex()
        for box in map(edition, GOLDEN)
        for seed in (0, 7, 12345678901234567890)
    ]
    assert plain.stdout.split() == expected


# --- deals as data -------------------------------------------------------------------------------


@pytest.mark.parametrize("box", EDITIONS, ids=repr)
def test_written_and_read(box: Edition) -> None:
    deal = Deal.from_seed(box, 11)
    data = json.loads(json.dumps(deal.to_dict(box)))
    assert Deal.from_dict(box, data) == deal
    assert Deal.from_dict(box, {"seed": 11}) == deal
    del data["seed"]
    assert Deal.from_dict(box, data) == replace(deal, seed=None)


def test_repr() -> None:
    deal = Deal.from_seed(CLASSIC, 7)
    assert repr(deal) == "<Deal: seed 7, order (3, 0, 1, 2)>"
    assert repr(replace(deal, seed=None)).startswith("<Deal: explicit")


def test_every_problem_is_named() -> None:
    deal = Deal.from_seed(BIRMINGHAM, 1)
    canal, rail = deal.decks
    leek, stone = BIRMINGHAM.find_card("Leek"), BIRMINGHAM.find_card("Stone")
    changed = tuple(leek if card == stone else card for card in canal)
    wrong = replace(
        deal,
        decks=(changed, (*rail[:-1], 99)),
        merchants=(0,) * 9,
        order=(0, 0, 1, 2),
        distant=((1,), ()),
    )
    problems = "; ".join(wrong.check(BIRMINGHAM))
    for problem in (
        "deck: 4 x Leek, not 2",
        "deck: 0 x Stone, not 2",
        "rail deck: 1 x card 99, not 0",
        "merchants: 9 x blank, not 3",
        "merchants: 0 x all, not 1",
        "order: 2 x seat 0, not 1",
        "order: 0 x seat 3, not 1",
        "distant: 1 x 1, not 0",
    ):
        assert problem in problems
    with pytest.raises(InvalidPosition) as error:
        wrong.record(BIRMINGHAM)
    assert error.value.problems == wrong.check(BIRMINGHAM)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"decks": None}, "deck: there must be two rows"),
        ({"decks": ((),)}, "deck: there must be two rows"),
        ({"decks": ((), (), ())}, "deck: there must be two rows"),
        ({"decks": (("Leek",), ())}, "deck: 'Leek' is not a whole number"),
        ({"decks": ((), (1.5,))}, "rail deck: 1.5 is not a whole number"),
        ({"decks": (None, ())}, "deck must be a row of numbers, not None"),
        ({"distant": 3}, "distant: there must be two rows"),
        ({"merchants": {"Oxford": 1}}, "merchants must be a row of numbers"),
        ({"merchants": (99,) * 9}, "merchants: 9 x goods 99, not 0"),
        ({"order": (0, 1, 2, True)}, "order: True is not a whole number"),
        ({"order": None}, "order must be a row of numbers"),
        ({"seed": "x"}, "seed: a seed is a whole number"),
        ({"seed": 2}, "seed: 2 makes another deal"),
    ],
)
def test_malformed_deals(change: dict[str, Any], problem: str) -> None:
    wrong = replace(Deal.from_seed(BIRMINGHAM, 1), **change)
    assert repr(wrong).startswith("<Deal: ")
    with pytest.raises(InvalidPosition) as error:
        wrong.record(BIRMINGHAM)
    assert any(problem in found for found in error.value.problems), error.value.problems


def test_rows_may_be_lists() -> None:
    deal = Deal.from_seed(CLASSIC, 1)
    lists: dict[str, Any] = {"decks": [[*row] for row in deal.decks], "order": [*deal.order]}
    rows = replace(deal, **lists)
    assert rows.record(CLASSIC).tobytes() == deal.record(CLASSIC).tobytes()


@pytest.mark.parametrize("data", [None, "x", 3, [1], {"seed": None}, {"seed": "x"}, {}])
def test_invalid_deals(data: Any) -> None:
    with pytest.raises(BrassError):
        Deal.from_dict(BIRMINGHAM, data)


def test_order_must_be_clockwise_in_the_first_edition() -> None:
    deal = Deal.from_seed(CLASSIC, 1)
    assert replace(deal, order=(1, 0, 2, 3)).check(CLASSIC) == [
        "order: (1, 0, 2, 3) is not clockwise"
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"deck": ["Leeds"]}, "deck: unknown card 'Leeds'"),
        ({"deck": "Stone"}, "deck must be a list"),
        ({"deck": []}, "deck: 0 x Stone, not 2"),
        ({"order": [0, 1, 2, "three"]}, "'three' is not a whole number"),
        ({"merchants": ["all"]}, "merchants must name places"),
        ({"merchants": {"Shrewsbury": ["all", "all"]}}, "Shrewsbury takes 1, not 2"),
        ({"merchants": {"Leek": ["all"]}}, "no space at Leek"),
        ({"merchants": {"Shrewsbury": ["coal"]}}, "unknown merchant tile 'coal'"),
        ({"distant": [1]}, "a deal has no 'distant'"),
        ({"seed": -3}, "a seed is a whole number"),
        ({"seed": 2}, "seed: 2 makes another deal"),
        ({"rail deck": None}, "rail deck must be a list"),
    ],
)
def test_malformed_data(change: dict[str, object], problem: str) -> None:
    data = Deal.from_seed(BIRMINGHAM, 1).to_dict(BIRMINGHAM)
    with pytest.raises(InvalidPosition) as error:
        Deal.from_dict(BIRMINGHAM, {**data, **change})
    assert any(problem in found for found in error.value.problems), error.value.problems


def test_missing_parts() -> None:
    with pytest.raises(InvalidPosition) as error:
        Deal.from_dict(BIRMINGHAM, {"order": [0, 1, 2, 3]})
    assert error.value.problems == [
        "deck is missing",
        "rail deck is missing",
        "merchants is missing",
    ]


# --- random deals --------------------------------------------------------------------------------


@pytest.mark.parametrize("table", EDITIONS)
def test_a_random_deal_has_no_seed(table: Edition) -> None:
    deals = [Deal.random(table) for _ in range(20)]
    assert all(deal.check(table) == [] and deal.seed is None for deal in deals)
    assert len({tuple(deal.decks[0]) for deal in deals}) == 20
    assert all(deal.decks[0] != deal.decks[1] for deal in deals)


def test_a_random_deal_is_fair_and_ignores_the_seed_of_the_process() -> None:
    first = Counter(Deal.random(CLASSIC).order[0] for _ in range(800))
    assert set(first) == {0, 1, 2, 3} and min(first.values()) > 120  # about 200 each are expected
    random.seed(1)
    one = Deal.random(BIRMINGHAM)
    random.seed(1)
    assert Deal.random(BIRMINGHAM) != one
