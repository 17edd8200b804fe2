"""A view shows what a seat may see, and nothing else."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill.core.engine import Engine
from brassmill.core.view import HIDDEN, PUBLIC, View, seen
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.rules.layout import STATE, WILD_LOCATION
from support import kinds

SEATS: tuple[int | None, ...] = (None, 0, 1, 2, 3)


def play_at_random(game: Game, rng: random.Random, choices: int) -> None:
    for _ in range(choices):
        if game.over:
            return
        game.play(rng.choice(game.legal_choices().ids))


def shuffle_unseen(state: Any, seat: int | None, rng: random.Random, edition: Edition) -> None:
    """Rearrange everything hidden from a seat, so that the seat cannot tell the difference."""
    cards = [card for card in state.deck.tolist() if card >= 0]
    others = [other for other in range(edition.players) if other != seat]
    held = {
        other: np.repeat(range(WILD_LOCATION), state.hand[other, :WILD_LOCATION]).tolist()
        for other in others
    }
    unseen = sum(held.values(), cards)
    rng.shuffle(unseen)
    for other in others:
        hand = [unseen.pop() for _ in held[other]]
        state.hand[other, :WILD_LOCATION] = np.bincount(
            np.array(hand, int), minlength=WILD_LOCATION
        )
    state.deck[: len(cards)] = unseen
    for name in ("rail_deck", "rail_distant"):
        row = state[name].tolist()
        rng.shuffle(row)
        state[name] = row
    drawn = int(state.distant_next)
    rest = state.distant[drawn:].tolist()
    rng.shuffle(rest)
    state.distant[drawn:] = rest


def shuffled(game: Game, seat: int | None, rng: random.Random) -> Game:
    """Return the game with everything hidden from a seat shuffled."""
    other = game.copy()
    seed = rng.random()
    shuffle_unseen(other.state, seat, random.Random(seed), game.edition)
    public = Engine(game.edition, game.seats, other._public)
    shuffle_unseen(public.state, seat, random.Random(seed), game.edition)
    other._public = public.snapshot()
    return other


def all_forms(view: View) -> tuple[bytes, str, str]:
    return pickle.dumps(view), json.dumps(view.as_dict()), repr(view)


def check_no_leak(game: Game, rng: random.Random) -> None:
    for seat in SEATS[: game.players + 1]:
        other = shuffled(game, seat, rng)
        assert other.engine.snapshot() != game.engine.snapshot()
        assert all_forms(other.view(seat)) == all_forms(game.view(seat))


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_hidden_information_does_not_change_a_view(kind: Edition) -> None:
    rng = random.Random(8)
    game = Game(kind, seed=8)
    for _ in range(6):
        check_no_leak(game, rng)
        play_at_random(game, rng, 25)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.ALL), played=st.integers(0, 200))
def test_no_position_leaks(seed: int, kind: Edition, played: int) -> None:
    rng = random.Random(seed)
    game = Game(kind, seed=seed)
    play_at_random(game, rng, played)
    check_no_leak(game, rng)


@pytest.mark.parametrize("leak", HIDDEN)
def test_the_leak_check_detects_a_leak(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    def leaky(state: Any, seat: int | None) -> Any:
        known = seen(state, seat)
        known[leak] = state[leak]
        return known

    monkeypatch.setattr("brassmill.core.view.seen", leaky)
    with pytest.raises(AssertionError):
        check_no_leak(Game("lancashire", seed=1), random.Random(1))


def test_every_field_of_a_position_is_public_or_hidden() -> None:
    assert {*PUBLIC, *HIDDEN, "unused"} == set(STATE.names or ())
    assert not {*PUBLIC} & {*HIDDEN}


def test_drawn_cards_and_tiles_are_visible() -> None:
    game = Game("lancashire", seed=3)
    game.state.distant_next = 2
    known = seen(game.state, 1)
    assert known.distant[:2].tolist() == game.state.distant[:2].tolist()
    assert set(known.distant[2:].tolist()) == {-1}
    assert known.hand[1].tolist() == game.state.hand[1].tolist()
    assert not known.hand[0].any()
    assert set(known.deck.tolist()) == {-1}


# --- contents ------------------------------------------------------------------------------------


def test_a_view_shows_its_own_hand_and_the_size_of_other_hands() -> None:
    game = Game("birmingham", players=3, seed=5)
    for seat in range(3):
        view = game.view(seat)
        assert view.hand is not None
        assert sum(view.hand.values()) == 8
        assert [other.cards for other in view.seats] == [8, 8, 8]
        assert bool(view.legal) == (seat == game.seat)
    assert game.view().hand is None
    with pytest.raises(BrassError, match="no seat 3"):
        game.view(3)


def test_a_view_shows_the_wild_cards_of_all_seats() -> None:
    game = Game.from_position(
        {
            "edition": "birmingham",
            "players": 3,
            "round": 2,
            "actions left": "1",
            "Y": {"hand": ["coal", "coal", "iron", "Coventry"]},
            "R": {"hand": ["Dudley", "wild industry"]},
        }
    )
    game.play("scout; cards coal, coal, iron")
    both = ("wild location", "wild industry")
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        assert [row.wild for row in view.seats] == [both, ("wild industry",), ()]
        assert view.as_dict()["seats"][1]["wild"] == ["wild industry"]
    own = game.view(2)
    assert own.seats[1].cards == 2
    assert not np.frombuffer(own.position, STATE)["hand"][0, 1, :WILD_LOCATION].any()


def test_a_view_shows_the_table() -> None:
    game = Game.from_position(
        {
            "edition": "lancashire",
            "players": 3,
            "era": "rail",
            "round": 2,
            "tiles": ["R coal 2 Wigan 2 (1)", "G port 2 Preston 1 flipped"],
            "links": ["R Wigan-Bolton"],
            "coal market": "3",
            "iron market": "0",
            "demand": "2",
            "R": {"cash": "44", "income": "21", "vp": "5", "mat": {"cotton": "2 x1"}},
        }
    )
    view = game.view(0)
    assert (view.era, view.round, view.rounds, view.question) == ("rail", 2, 9, "action")
    assert view.order == (0, 1, 2)
    coal, port = sorted(view.tiles, key=lambda tile: tile.industry)
    assert (coal.name, coal.owner, coal.level, coal.cubes, coal.flipped) == (
        *("Wigan 2", 1, 2, 1, False),
    )
    assert (port.place, port.owner, port.flipped) == ("Preston", 2, True)
    assert [(link.name, link.owner) for link in view.links] == [("Bolton-Wigan", 1)]
    assert (view.coal_market.cubes, view.coal_market.price) == (3, 3)
    assert (view.iron_market.cubes, view.iron_market.price) == (0, 5)
    assert view.distant is not None
    assert (view.distant.marker, view.distant.bonus, view.distant.closed) == (2, 2, False)
    red = view.seats[1]
    assert (red.cash, red.income, red.level, red.vp, red.links_left) == (44, 21, 6, 5, 13)
    assert red.mat["cotton"] == (2, 3, 3, 3, 4, 4, 4)
    assert view.merchants == ()
    assert json.loads(json.dumps(view.as_dict()))["tiles"][0]["owner"] in (1, 2)


def test_merchants_and_their_barrels_are_visible() -> None:
    game = Game.from_position(
        {"edition": "birmingham", "merchants": {"Oxford": ["all", "cotton without barrel"]}}
    )
    oxford = [m for m in game.view().merchants if m.place == "Oxford"]
    assert [(m.goods, m.barrel) for m in oxford] == [("all", True), ("cotton", False)]
    assert game.view().distant is None


# --- a view on its own ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_view_does_not_change_as_the_game_continues(kind: Edition) -> None:
    rng = random.Random(4)
    game = Game(kind, seed=4)
    play_at_random(game, rng, 30)
    for seat in SEATS[: game.players + 1]:
        asked_at_once, asked_later = game.view(seat), game.view(seat)
        before = all_forms(asked_at_once)
        play_at_random(game, rng, 30)
        assert all_forms(asked_later) == before
        assert asked_later == asked_at_once


def test_a_view_survives_pickling() -> None:
    view = Game("lancashire", seed=2).view(1)
    back = pickle.loads(pickle.dumps(view))
    assert back == view
    assert all_forms(back)[1:] == all_forms(view)[1:]


def test_views_with_different_contents_differ() -> None:
    view = Game("birmingham", seed=2).view(1)
    other = replace(view, seats=(replace(view.seats[0], cash=99), *view.seats[1:]))
    assert other.seats[0].cash == 99
    assert (other.tiles, other.hand, other.position) == (view.tiles, view.hand, view.position)
    assert other != view


@pytest.mark.parametrize("name", ["seat", "seats", "legal", "unknown"])
def test_a_view_is_immutable(name: str) -> None:
    view = Game("birmingham", seed=2).view(1)
    with pytest.raises(FrozenInstanceError):
        setattr(view, name, None)


# --- drafts --------------------------------------------------------------------------------------


def test_a_draft_is_hidden_from_others() -> None:
    game = Game.from_position({"edition": "birmingham", "round": 2})
    others = [all_forms(game.view(seat)) for seat in (None, 1, 2, 3)]
    game.choose(f"loan 30; card {next(iter(game.view(0).hand or {}))}")
    assert game.actions_left == 1
    assert game.view(0).seats[0].cash == 47
    assert game.view(0).number == 1
    assert [all_forms(game.view(seat)) for seat in (None, 1, 2, 3)] == others
    game.choose(game.legal_choices()[-1])
    assert game.view(0).action is not None
    assert [all_forms(game.view(seat)) for seat in (None, 1, 2, 3)] == others
    game.play(game.legal_choices()[0])
    assert game.view(1).number == 2
    assert game.view(1).seats[0].cash == 47


def test_what_a_draft_reveals_is_visible_to_all() -> None:
    game = Game.from_position(
        {
            "edition": "lancashire",
            "round": 2,
            "tiles": ["Y cotton 1 Manchester", "R port 1 Warrington & Runcorn flipped"],
            "links": ["Y Manchester-Warrington"],
            "distant": ["2"],
            "Y": {"hand": ["coal", "coal", "coal"]},
        }
    )
    game.choose("sell cotton Manchester > distant")
    view = game.view(1)
    assert view.distant is not None
    assert (view.distant.marker, view.distant.revealed) == (2, (2,))
    assert view.number == 1
    game.choose("loan 30")
    assert game.view(1).seats[0].cash == view.seats[0].cash
    game.undo()
    game.undo()
    hidden = game.view(1).distant
    assert hidden is not None
    assert hidden.revealed == ()
