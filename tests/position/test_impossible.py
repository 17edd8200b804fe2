"""Positions that cannot be: each is refused with the reason."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brassmill import position
from brassmill.editions import edition as find_edition
from brassmill.errors import InvalidPosition
from brassmill.rules.laws import Law
from brassmill.rules.layout import TURN_OVER
from position.test_position import EDITIONS, assert_same, engine_at_start, move, read_lancashire

L, B = "lancashire", "birmingham"
FIFTEEN_LINKS = [
    f"Y {line.name}" for line in find_edition(L, 4).lines if line.rail
][:15]  # fmt: skip

IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    # names and keys
    ("catan", {}, "unknown edition 'catan'"),
    (L, {"options": {"virtual_links": "yes"}}, "virtual_link"),
    (L, {"options": {"community_2p": "yes"}, "players": 4}, "community_2p"),
    (L, {"players": 5}, "players is 5"),
    ("classic", {"players": 2}, "3 or 4"),
    (L, {"tile": []}, "no key 'tile'"),
    (L, {"Y": {"money": 3}}, "Y has no key 'money'"),
    (L, {"W": {"cash": 3}}, "no key 'W'"),
    (L, {"Y": 3}, "Y is 3: it must be a mapping"),
    (L, {"seats": ["A", "B"]}, "2 names for 4 players"),
    (L, {"seats": ["A", "A", "B", "C"]}, "its own name"),
    (L, {"seats": ["era", "A", "B", "C"]}, "'era' cannot be the name"),
    (L, {"seed": -1}, "seed is -1"),
    # turn
    (L, {"era": "steam"}, "canal or rail"),
    (L, {"era": "rail", "options": {"intro": "yes"}}, "ends with the canal era"),
    (L, {"round": 9}, "round is 9: it must be from 1 to 8"),
    (L, {"round": "soon"}, "whole number"),
    (L, {"order": ["Y", "R", "G"]}, "order must name each"),
    (L, {"order": ["Y", "R", "G", "W"]}, "unknown seat 'W'"),
    (L, {"to move": "W"}, "unknown seat 'W'"),
    (L, {"actions left": 2}, "actions left is 2: it must be 1"),
    (L, {"round": 2, "actions left": 3}, "from 1 to 2"),
    # seats
    (L, {"Y": {"cash": -1}}, "Y.cash is -1: it must be 0 or more"),
    (L, {"Y": {"spent": "much"}}, "Y.spent is 'much'"),
    (L, {"Y": {"income": 100}}, "from 0 to 99"),
    (L, {"Y": {"vp": 4, "points": {"canal": {"links": 3}}}}, "add up to 3"),
    (L, {"Y": {"points": {"rail": {"links": 3}}}}, "has not begun"),
    (L, {"Y": {"points": {"canal": {"luck": 3}}}}, "no key 'luck'"),
    # tiles
    (L, {"tiles": ["Y cotton Bury"]}, "OWNER INDUSTRY LEVEL PLACE"),
    (L, {"tiles": ["W cotton 1 Bury"]}, "unknown seat 'W'"),
    (L, {"tiles": ["Y cotton 5 Bury"]}, "unknown tile 'cotton 5'"),
    (L, {"tiles": ["Y pottery 1 Bury"]}, "unknown industry 'pottery'"),
    (L, {"tiles": ["Y cotton 1 Berry"]}, "unknown town 'Berry'"),
    (L, {"tiles": ["Y cotton 1 Bury 3"]}, "unknown space 'Bury 3'"),
    (L, {"tiles": ["Y port 1 Bury"]}, "no space of Bury takes port"),
    (L, {"tiles": ["Y iron 1 Manchester 1"]}, "that space takes"),
    (L, {"tiles": ["Y cotton 1 Bury 1", "R cotton 1 Bury 1"]}, "taken by Y cotton 1 Bury 1"),
    (
        L,
        {"tiles": ["Y shipyard 1 Birkenhead flipped", "R shipyard 1 Birkenhead flipped"]},
        "every space of Birkenhead that takes shipyard is taken",
    ),
    (L, {"tiles": ["Y cotton 1 Bury", "Y coal 1 Bury"]}, "Y has 2 tiles in Bury"),
    (L, {"era": "rail", "tiles": ["Y cotton 1 Bury"]}, "are removed after the canal era"),
    (L, {"tiles": ["Y shipyard 2 Birkenhead flipped"]}, "only in the rail era"),
    (L, {"tiles": ["Y shipyard 0 Birkenhead flipped"]}, "never built"),
    (B, {"tiles": ["Y brewery 4 Burton"]}, "only in the rail era"),
    (L, {"era": "rail", "tiles": ["Y shipyard 2 Birkenhead"]}, "write 'flipped'"),
    (L, {"tiles": ["Y coal 1 Bury (3)"]}, "it holds at most 2"),
    (L, {"tiles": ["Y coal 1 Bury (0)"]}, "an empty tile flips"),
    (L, {"tiles": ["Y coal 1 Bury (1) flipped"]}, "a flipped tile holds nothing"),
    (L, {"tiles": ["Y cotton 1 Bury (1)"]}, "it holds at most 0"),
    (B, {"tiles": ["Y brewery 2 Burton (2)"]}, "it holds at most 1"),
    # mats
    (L, {"tiles": ["Y iron 1 Bolton", "Y iron 1 Blackburn"]}, "Y has 2 x iron 1: there are 1"),
    (L, {"tiles": ["Y cotton 3 Bury"], "Y": {"mat": {"cotton": 2}}}, "0 have left it"),
    (L, {"tiles": ["Y iron 1 Bolton"], "Y": {"mat": {"iron": 1}}}, "all tiles of that level"),
    (L, {"Y": {"mat": {"cotton": 7}}}, "the levels are 1, 2, 3, 4"),
    (L, {"Y": {"mat": {"cotton": "2 x4"}}}, "from 1 to 3"),
    (L, {"Y": {"mat": {"pottery": 2}}}, "unknown industry 'pottery'"),
    # links
    (L, {"links": ["Y Bury-Colne"]}, "unknown line"),
    (L, {"links": ["Bury-Manchester"]}, "unknown seat"),
    (L, {"links": ["Y Bury-Manchester", "R Manchester-Bury"]}, "the line is taken by Y"),
    (L, {"links": ["Y Blackburn-Bolton"]}, "not used in the canal era"),
    (B, {"era": "rail", "links": ["Y Burton-Walsall"]}, "not used in the rail era"),
    (L, {"era": "rail", "links": FIFTEEN_LINKS}, "Y has 15 links: there are 14"),
    # markets
    (L, {"coal market": 9}, "coal market is 9: it must be from 0 to 8"),
    (B, {"iron market": -1}, "iron market is -1"),
    (L, {"demand": 8}, "from 0 to 7, or X"),
    (B, {"demand": 2}, "birmingham has no distant market"),
    (L, {"distant": [5]}, "1 x 5 steps is named, the box has 0"),
    (L, {"distant": [4, 4]}, "2 x 4 steps are named, the box has 1"),
    (L, {"merchants": {"Scotland": ["cotton"]}}, "merchants: lancashire has none"),
    (B, {"merchants": {"Oxford": ["cotton", "cotton", "all"]}}, "3 tiles for 2 spaces"),
    (B, {"merchants": {"Oxford": ["all", "all"]}}, "2 x all are named, the box has 1"),
    (B, {"merchants": {"Oxford": ["coal"]}}, "unknown merchant tile 'coal'"),
    (B, {"players": 2, "merchants": {"Nottingham": ["all"]}}, "none in Nottingham"),
    (B, {"merchants": {"Dudley": ["all"]}}, "none in Dudley"),
    # cards
    (L, {"Y": {"hand": ["Berry"]}}, "unknown card 'Berry'"),
    (L, {"Y": {"hand": ["coal"] * 9}}, "9 cards: 8 is the limit"),
    (L, {"Y": {"hand": ["Bury"] * 3}}, "3 x Bury are named among the cards"),
    (L, {"Y": {"hand": ["Bury"]}, "R": {"hand": ["Bury"]}}, "2 x Bury"),
    (L, {"players": 2, "Y": {"hand": ["cotton"]}}, "the deck of 2 players has none"),
    (L, {"Y": {"hand": ["wild location"]}}, "unknown card 'wild location'"),
    (B, {"Y": {"hand": ["wild location"] * 2}}, "nobody can hold two"),
    (B, {"deck": ["wild industry"]}, "piles of their own"),
    (L, {"deck": 29}, "the deal leaves 28"),
    (L, {"discards": {"Bury": 3}}, "3 x Bury"),
    (L, {"discards": {}, "deck": 3}, "cards are nowhere"),
    (L, {"aside": ["Bury"]}, "aside has 1 cards: it must be 4"),
    (L, {"drawn": ["Bury"]}, "drawn must be the cards"),
    (L, {"rail deck": ["Bury"] * 3}, "rail deck: 3 x Bury"),
    (L, {"era": "rail", "rail deck": ["Bury"]}, "write 'deck'"),
    # the action in progress
    (L, {"action": {}}, "action.question is None"),
    (L, {"action": {"question": "why"}}, "it must be one of"),
    (L, {"action": {"question": "card", "space": "Berry"}}, "unknown town 'Berry'"),
    (L, {"action": {"question": "coal", "coal due": 3}}, "from 0 to 2"),
    (L, {"action": {"question": "give up", "owed": 3}}, "action.seat is missing"),
    (L, {"action": {"question": "give up"}}, "action.owed is missing"),
    (L, {"action": {"question": "card", "doing": "nothing"}}, "goes with build or link"),
    (L, {"action": {"question": "card", "doing": "link", "cards due": 1}}, "line is missing"),
    (
        L,
        {
            "round": 2,
            "action": {
                "question": "coal",
                "doing": "build",
                "space": "Bury 1",
                "industry": "cotton",
                "coal due": 1,
            },
        },
        "the tile being built does not lie there",
    ),
    (
        L,
        {
            "round": 2,
            "action": {"question": "buyer", "doing": "sell", "space": "Bury 1"},
        },
        "no tile of the seat to sell",
    ),
    (L, {"options": {"players": 3}}, "unknown option 'players'"),
]


def asking(question: str, doing: str = "", **words: Any) -> dict[str, Any]:
    """Return the action in progress; `coal_due=1` means `coal due: 1`."""
    action: dict[str, Any] = {"question": question} | ({"doing": doing} if doing else {})
    return {"round": 2, "action": action | {key.replace("_", " "): words[key] for key in words}}


CARD_FOR: dict[str, Any] = {"question": "card", "cards_due": 1}
# Y has just built a railway from Bury; the mine there supplies the coal.
RAIL: dict[str, Any] = {
    "era": "rail",
    "tiles": ["R coal 2 Bury"],
    "links": ["Y Bury-Manchester"],
    "Y": {"hand": ["Bury"]},
}
BURY: dict[str, Any] = {"doing": "link", "line": "Bury-Manchester"}
MILL: dict[str, Any] = {
    "tiles": ["Y cotton 1 Bury"],
    "links": ["Y Bury-Manchester"],
    "Y": {"hand": ["Bury"]},
}
POOR: dict[str, Any] = {"tiles": ["R cotton 1 Bury"], "R": {"cash": 0, "income": 8}}
NO_MONEY = "the action cannot be begun: build coal Bury: you need £5 more (you have £0)"
CHOSEN: dict[str, Any] = {"options": {"rail_coal": "chosen_end"}}

# Impossible in the middle of an action, at a debt or at the end.
NEVER: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # At the card, the rules themselves give the reason.
    (
        L,
        {"Y": {"cash": 0}},
        asking(**CARD_FOR, doing="build", space="Bury 1", industry="coal"),
        NO_MONEY,
    ),
    (
        L,
        {"tiles": ["Y coal 1 Bury"], "Y": {"cash": 2}},
        asking(**CARD_FOR, doing="link", line="Bury-Manchester"),
        "you need £1 more (you have £2)",
    ),
    (
        L,
        {"links": ["R Bury-Manchester"]},
        asking(**CARD_FOR, doing="link", line="Bury-Manchester"),
        "cannot be begun: Bury-Manchester",
    ),
    (B, {}, asking(**CARD_FOR, doing="loan", loan=1), "cannot be begun: loan 10"),
    (L, {}, asking("card", "scout", cards_due=3), "does not exist"),
    (B, {"Y": {"hand": ["Coventry"] * 2}}, asking("card", "scout", cards_due=3), "three cards"),
    (
        B,
        {"Y": {"hand": ["Dudley"]}},
        asking(**CARD_FOR, doing="build", space="Dudley 1", industry="coal", combined=1),
        "combined is 1: it must be 0 here",
    ),
    (
        L,
        {"Y": {"hand": ["Bury"]}, "actions left": 1},
        asking(**CARD_FOR, doing="build", space="Bury 1", industry="coal", combined=1),
        "combined is 1: it must be 0 here",
    ),
    (L, {}, asking("card", "pass", cards_due=3), "cards due is 3: it must be 1 here"),
    (L, {}, asking(**CARD_FOR, doing="pass", count=2), "count is 2: it must be 0 here"),
    (L, {}, asking(**CARD_FOR, doing="pass", loan=1), "loan is 1"),
    (L, {}, asking(**CARD_FOR, doing="pass", space="Bury 1"), "nothing to do with 'pass'"),
    (L, {}, asking(**CARD_FOR, doing="sell", space="Bury 1"), "cannot be begun"),
    (L, {}, asking(**CARD_FOR, doing="pass", seat="R"), "it is Y's turn"),
    (
        L,
        {"tiles": ["R cotton 1 Bury"], "Y": {"hand": ["Bury"]}},
        asking(**CARD_FOR, doing="build", space="Bury 1", industry="cotton"),
        "cannot be begun",
    ),
    # A tile being built.
    (
        L,
        {"tiles": ["Y cotton 2 Bury", "R coal 1 Bury"], "Y": {"hand": ["Bury"] * 1}},
        asking("coal", "build", space="Bury 1", industry="cotton", coal_due=2),
        "coal due is 2: it must be 1 here",
    ),
    (
        L,
        {"tiles": ["R cotton 2 Bury"], "Y": {"hand": ["Bury"]}},
        asking("coal", "build", space="Bury 1", industry="cotton", coal_due=1),
        "does not lie there",
    ),
    (
        B,
        {"tiles": ["Y manufacturer 2 Coventry", "R iron 1 Dudley"], "Y": {"cash": 0}},
        asking("iron", "build", space="Coventry 2", industry="manufacturer", iron_due=2),
        "iron due",
    ),
    # Rails.
    (L, MILL, asking("more rails", **BURY, count=1), "a canal asks only for its card"),
    (L, RAIL, asking("more rails", **BURY, count=99), "count is 99: it must be 1 here"),
    (L, {**RAIL, "links": []}, asking("more rails", **BURY, count=1), "does not lie there"),
    (
        L,
        {**RAIL, "links": ["R Bury-Manchester"]},
        asking("coal", **BURY, count=1, coal_due=1),
        "does not lie there",
    ),
    (L, RAIL, asking("end", **BURY, coal_due=1), "lancashire never asks it"),
    (L, RAIL, asking("beer", **BURY, beer_due=1, count=2), "lancashire never asks it"),
    (L, RAIL, asking("more rails", **BURY, count=1, end="Bury"), "it is not asked for"),
    ("classic", RAIL | CHOSEN, asking("end", **BURY, coal_due=1), "cannot be begun"),
    ("classic", RAIL | CHOSEN, asking("more rails", **BURY, count=1, end="Colne"), "not an end of"),
    (
        "classic",
        {**RAIL, **CHOSEN, "links": []},
        asking("coal", **BURY, coal_due=1),
        "action.end is missing",
    ),
    # Sales.
    (B, {}, asking("buyer", "sell", space="Coventry 1"), "birmingham never asks it"),
    (
        L,
        {**MILL, "tiles": ["Y cotton 1 Bury flipped"]},
        asking("buyer", "sell", space="Bury 1"),
        "cannot be begun",
    ),
    (L, MILL, asking("buyer", "sell", space="Bury 1"), "cannot be begun"),
    (L, MILL, asking("remove", "sell", space="Bury 1", develop_due=1), "lancashire never asks it"),
    (L, MILL, asking("more sales", "sell", space="Bury 1", count=1), "count is 1"),
    # Debts.
    (L, POOR | {"R": {"income": 8}}, asking("give up", seat="R", owed=2), "a debtor has none left"),
    (L, POOR, asking("give up", seat="R", owed=3), "R's income level is -2"),
    (L, POOR, asking("give up", seat="R", owed=2, incomes_paid=4), "not the last of them"),
    (L, POOR | {"tiles": []}, asking("give up", seat="R", owed=2), "has no answer"),
    (L, POOR | {"Y": {"spent": 3}}, asking("give up", seat="R", owed=2), "Y.spent is 3"),
    # The end.
    (L, {"era": "rail"}, asking("game over"), "there are cards left"),
    (L, {}, asking("game over"), "the rail era is still to come"),
    (
        L,
        {"Y": {"hand": ["coal"] * 3 + ["iron"] * 3 + ["Bury", "Colne"]}},
        asking("turn over"),
        "8 cards: 1 of 8",
    ),
]


@pytest.mark.parametrize(("name", "mapping", "action", "words"), NEVER)
def test_impossible_in_an_action(
    name: str, mapping: dict[str, Any], action: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidPosition) as caught:
        position.read({"edition": name, **mapping, **action})
    assert any(words in problem for problem in caught.value.problems), caught.value.problems
    assert not any(law.name in problem for law in Law for problem in caught.value.problems)


@pytest.mark.parametrize(("name", "mapping", "words"), IMPOSSIBLE)
def test_impossible(name: str, mapping: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        position.read({"edition": name, **mapping})
    assert any(words in problem for problem in caught.value.problems), caught.value.problems


JUNK: list[Any] = [
    *("", "x", "X", "Y", "none", "2 x1", "coal", "Bury 2", "rail", "card", "build", "give up"),
    *("R coal 2 Bury (3)", "Y Bury-Manchester", "wild location", "cotton without barrel"),
    *(-1, 0, 1, 3, 99, 10**12, 2.5, True, None, [], [None], [[1]], ["Bury"] * 9, {}, {"a": 1}),
]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to everything in nested mappings and lists."""
    keys: Any = value if isinstance(value, dict) else range(len(value))
    found = [(*path, key) for key in keys]
    for key in keys:
        if isinstance(value[key], dict | list):
            found += paths(value[key], (*path, key))
    return found


@pytest.mark.slow
@given(chance=st.randoms(use_true_random=False), which=st.sampled_from(EDITIONS))
def test_nonsense(chance: random.Random, which: tuple[str, int, dict[str, Any]]) -> None:
    """Any input is either a position or refused with a list of errors."""
    name, players, options = which
    edition = find_edition(name, players, **options)
    engine = engine_at_start(edition, chance.randrange(100))
    for _ in range(chance.randrange(40)):
        move(engine, chance.choice(engine.legal()) if engine.phase != TURN_OVER else None)
    for _ in range(10):
        mapping = position.write(edition, engine.state)
        *way, key = chance.choice([path for path in paths(mapping) if len(path) < 4])
        inner = mapping
        for step in way:
            inner = inner[step]
        if chance.random() < 0.2:
            del inner[key]
        else:
            inner[key] = chance.choice(JUNK)
        found = None
        with suppress(InvalidPosition):
            found = position.read(mapping)
        if found is not None:
            written = position.write(found.edition, found.state, found.seats)
            assert_same(position.read(written).state, found.state)


def test_all_errors_are_listed() -> None:
    with pytest.raises(InvalidPosition) as caught:
        read_lancashire(
            round=12,
            tiles=["Y cotton 1 Berry", "Y coal 1 Bury (7)"],
            links=["Y Bury-Colne"],
            Y={"cash": -3, "hand": ["Bury"] * 3},
        )
    assert len(caught.value.problems) == 6
