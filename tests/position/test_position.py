"""Positions: written and read back, completed where sparse, refused where impossible."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from brassmill import position
from brassmill.core.choice import NUMBER
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.editions import edition as find_edition
from brassmill.editions.edition import Edition
from brassmill.rules.layout import ACTION, DEBT, GAME_OVER, STATE, TURN_OVER
from support.tiers import quick_first

EDITIONS: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 3, {}),
    ("classic", 4, {"rail_coal": "chosen_end"}),
    ("lancashire", 2, {}),
    ("lancashire", 3, {"virtual_link": True}),
    ("lancashire", 4, {"intro": True}),
    ("lancashire", 2, {"community_2p": True}),
    ("lancashire", 3, {"classic_deck": True}),
    ("lancashire", 4, {"classic_deck": True, "cotton_one_vp": 3}),
    ("birmingham", 2, {}),
    ("birmingham", 3, {"intro": True}),
    ("birmingham", 4, {}),
]


def engine_at_start(edition: Edition, seed: int) -> Engine:
    engine = Engine(edition, position.SEAT_NAMES[: edition.players])
    engine.set_up(Deal.from_seed(edition, seed).record(edition))
    return engine


def move(engine: Engine, choice: int | None = None) -> None:
    """Make a choice (the first open one by default), or end the turn."""
    if engine.phase == TURN_OVER:
        engine.end_turn()
    else:
        engine.choose(engine.legal()[0] if choice is None else choice)


def assert_same(one: Any, other: Any) -> None:
    """Compare bytes; a failure names the fields."""
    unequal = [name for name in STATE.names or () if not np.array_equal(one[name], other[name])]
    assert unequal == []
    assert one.tobytes() == other.tobytes()


# --- round trips ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "options"), EDITIONS)
def test_set_up_is_the_default(name: str, players: int, options: dict[str, Any]) -> None:
    """A position that names nothing is the initial position of its seed."""
    edition = find_edition(name, players, **options)
    for seed in (1, 7, 2**64 - 1):
        engine = engine_at_start(edition, seed)
        order = [position.SEAT_NAMES[int(seat)] for seat in engine.state.order[:players]]
        found = position.read(
            {"edition": name, "players": players, "options": options, "seed": seed, "order": order}
        )
        assert_same(found.state, engine.state)
        assert found.deal == replace(Deal.from_seed(edition, seed), seed=None)


@pytest.mark.parametrize(("name", "players", "options"), quick_first(EDITIONS))
def test_round_trip(name: str, players: int, options: dict[str, Any]) -> None:
    """At any point of a game, reading what was written gives the same bytes."""
    edition = find_edition(name, players, **options)
    phases = set()
    chance = random.Random(1)
    engine = engine_at_start(edition, 1)
    while True:
        phases.add(engine.phase)
        written = position.write(edition, engine.state)
        found = position.read(written)
        assert_same(found.state, engine.state)
        assert found.edition is edition
        unwritten = position.of_state(edition, engine.state, engine.seats)
        assert (unwritten.deal, unwritten.seats) == (found.deal, found.seats)
        if engine.phase == GAME_OVER:
            break
        move(engine, chance.choice(engine.legal()) if engine.phase != TURN_OVER else None)
    assert {ACTION, TURN_OVER, GAME_OVER} < phases


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 400), which=st.sampled_from(EDITIONS))
def test_round_trip_as_text(seed: int, steps: int, which: tuple[str, int, dict[str, Any]]) -> None:
    """The same through JSON, and through YAML with text values only; names are the seats'."""
    name, players, options = which
    edition = find_edition(name, players, **options)
    chance = random.Random(seed)
    engine = engine_at_start(edition, seed)
    while steps and engine.phase != GAME_OVER:
        steps -= 1
        move(engine, chance.choice(engine.legal()) if engine.phase != TURN_OVER else None)
    written = position.write(edition, engine.state, ("Ada", "Bo", "Cy", "Di"))
    as_json = json.loads(json.dumps(written))
    assert as_json == written
    assert_same(position.read(as_json).state, engine.state)
    as_yaml = yaml.load(yaml.safe_dump(written), yaml.BaseLoader)
    found = position.read(as_yaml)
    assert_same(found.state, engine.state)
    assert found.seats == ("Ada", "Bo", "Cy", "Di")[:players]


def test_debt_can_be_written() -> None:
    """A debtor's question comes back with the seat that must answer it."""
    start = position.read(
        {
            "edition": "lancashire",
            "round": 3,
            "to move": "P",
            "tiles": ["R cotton 1 Bury", "R port 1 Preston"],
            "R": {"income": 4, "cash": 1},
            "P": {"hand": ["Bury"]},
        }
    )
    engine = Engine(start.edition, start.seats, start.state.tobytes())
    while engine.phase != DEBT:
        move(engine, engine.legal()[-1] if engine.phase != TURN_OVER else None)
    written = position.write(start.edition, engine.state)
    action = written["action"]
    assert (action["question"], action["seat"], action["owed"]) == ("give up", "R", 5)
    assert "to move" not in written
    assert_same(position.read(written).state, engine.state)


@pytest.mark.parametrize(("name", "players", "options"), EDITIONS)
def test_the_deal_of_a_position(name: str, players: int, options: dict[str, Any]) -> None:
    """A position can be dealt; the order is the position's only if it is the first one."""
    edition = find_edition(name, players, **options)
    order = list(position.SEAT_NAMES[:players])[::-1]
    later = {"edition": name, "players": players, "options": options, "order": order}
    for mapping in (later, later | {"round": 3}):
        deal = position.read(mapping).deal
        assert deal.check(edition) == []
        if "round" in mapping:
            assert deal.order == tuple(range(players))
        else:
            assert deal.order[0] == players - 1
            assert edition.traits.clockwise_start or deal.order == tuple(range(players))[::-1]


# --- defaults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "options"), EDITIONS)
def test_default_cards(name: str, players: int, options: dict[str, Any]) -> None:
    """Hands and deck have the size they have in a game at that point (section 9)."""
    edition = find_edition(name, players, **options)
    engine = engine_at_start(edition, 1)
    while engine.phase != GAME_OVER:
        if engine.phase == ACTION:
            written = position.write(edition, engine.state)
            kept = ("edition", "players", "options", "era", "round", "order", "to move")
            sparse = {key: written[key] for key in (*kept, "actions left")}
            found = position.read(sparse).state
            assert found.hand_size.tolist() == engine.state.hand_size.tolist()
            assert found.deck_next == engine.state.deck_next
            assert found.deck_end == engine.state.deck_end
            move(engine, NUMBER["PASS", 0])
        else:
            move(engine)


@pytest.mark.parametrize("name", ["classic", "lancashire"])
def test_default_cards_at_a_debt(name: str) -> None:
    """In one game the round is about to begin, in the other it ends; hands are full in both."""
    debt = {"question": "give up", "seat": "R", "owed": 2}
    found = position.read(
        {
            "edition": name,
            "round": 3,
            "tiles": ["R cotton 1 Bury"],
            "R": {"cash": 0, "income": 8},
            "action": debt,
        }
    )
    assert found.state.hand_size.tolist() == [8] * 4
    engine = Engine(found.edition, found.seats, found.state.tobytes())
    assert engine.seat == 1
    assert len(engine.legal()) == 1


def read_lancashire(**mapping: Any) -> Any:
    return position.read({"edition": "lancashire", **mapping})


def test_tiles_are_assigned_to_spaces() -> None:
    """Numbered tiles come first; each other tile prefers a space for its industry alone."""
    found = read_lancashire(tiles=["Y port 1 Preston", "R port 1 Preston 1"])
    edition = found.edition
    spaces = {
        edition.space_name(space): int(found.state.owner[space])
        for space in range(len(edition.spaces))
        if found.state.tile[space]
    }
    assert spaces == {"Preston 1": 1, "Preston 2": 0}
    written = position.write(edition, read_lancashire(tiles=["Y port 1 Lancaster"]).state)
    lancaster = edition.place_spaces[edition.find_place("Lancaster")]
    alone = [n for n in lancaster if edition.spaces[n].symbols == ("port",)]
    assert written["tiles"] == [f"Y port 1 {edition.space_name(alone[0])}"]


@pytest.mark.parametrize(
    ("tiles", "mat", "left"),
    [
        ([], {}, "1 x3"),
        (["Y cotton 2 Bury"], {}, "2 x2"),
        (["Y cotton 1 Bury", "Y cotton 1 Oldham"], {}, "1 x1"),
        (["Y cotton 1 Bury", "Y cotton 3 Oldham"], {}, "3 x2"),
        ([], {"cotton": 2}, "2 x3"),
        (["Y cotton 2 Bury"], {"cotton": "2"}, "2 x2"),
        (["Y cotton 1 Bury"], {"cotton": 2}, "2 x3"),
        ([], {"cotton": "2 x1"}, "2 x1"),
        ([], {"cotton mill": "none"}, "none"),
    ],
)
def test_mats(tiles: list[str], mat: dict[str, Any], left: str) -> None:
    """A tile on the map has left the mat, and so have all lower ones."""
    found = read_lancashire(tiles=tiles, Y={"mat": mat})
    assert position.write(found.edition, found.state)["Y"]["mat"]["cotton"] == left


def test_named_cards_are_in_place() -> None:
    """Named cards are where they are named; other cards fill the rest."""
    found = read_lancashire(
        round=3,
        deck=["Bury", "coal"],
        Y={"hand": ["Colne", "Colne"]},
        R={"hand": []},
    )
    written = position.write(found.edition, found.state)
    assert written["deck"] == ["Bury", "coal"]
    assert written["Y"]["hand"] == ["Colne", "Colne"]
    assert written["R"]["hand"] == []
    assert len(written["G"]["hand"]) == 8
    assert len(written["aside"]) == 4
    assert sum(written["discards"].values()) == 64 - 2 - 2 - 16 - 4
    named = read_lancashire(discards={"Bury": 1, "coal": 2}, round=2)
    written = position.write(named.edition, named.state)
    assert written["discards"] == {"Bury": 1, "coal": 2}
    assert len(written["deck"]) == 64 - 3 - 32 - 4


def test_named_tiles_come_first() -> None:
    """The next distant tiles and the first rail cards are the named ones."""
    found = read_lancashire(distant=["-4", "0"], **{"rail deck": ["Bury"], "rail distant": [3]})
    state = found.state
    assert state.distant[:2].tolist() == [4, 0]
    assert state.rail_distant[0] == 3
    assert state.rail_deck[0] == found.edition.find_card("Bury")
    assert found.deal.distant[0][:2] == (4, 0)


def test_merchants() -> None:
    """Named merchants lie in the order of their spaces, the others are shuffled."""
    found = position.read(
        {
            "edition": "birmingham",
            "players": 2,
            "merchants": {"Oxford": ["all", "cotton without barrel"], "Gloucester": "blank"},
        }
    )
    merchants = position.write(found.edition, found.state)["merchants"]
    assert merchants["Oxford"] == ["all", "cotton without barrel"]
    assert merchants["Gloucester"][0] == "blank"
    assert sorted([*merchants["Shrewsbury"], merchants["Gloucester"][1]]) == [
        "blank",
        "manufacturer",
    ]


def test_a_seat_without_cards_has_no_actions() -> None:
    found = read_lancashire(round=2, Y={"hand": []})
    assert found.state.phase == TURN_OVER
    assert found.state.actions_left == 0


def test_pottery_in_the_rail_era() -> None:
    """X-31: level I pottery may be built then."""
    rail = {"edition": "birmingham", "era": "rail", "tiles": ["Y pottery 1 Coventry"]}
    found = position.read(rail)
    assert position.write(found.edition, found.state)["tiles"] == ["Y pottery 1 Coventry 1"]


def test_text_for_people() -> None:
    """The text shows what is public, not the order of the cards to come."""
    found = read_lancashire(tiles=["Y coal 1 Bury"], links=["R Bury-Manchester"])
    text = position.as_text(position.write(found.edition, found.state))
    assert "  - Y coal 1 Bury 1 (2)" in text
    assert "  - R Bury-Manchester" in text
    assert "deck: 28" in text
    assert "rail deck" not in text
    assert "aside" not in text
