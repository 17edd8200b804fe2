"""A world is a full position that a seat cannot tell from the true one; all are equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from brassmill.core.engine import Engine
from brassmill.core.view import View, view_of
from brassmill.core.worlds import make_worlds, sample
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.rules.laws import Law, broken_law
from brassmill.rules.layout import BOARD, CANAL, NOBODY, STATE, WORK
from support import kinds

# --- a world agrees with the view ----------------------------------------------------------------


def world_of(game: Game, view: View, seed: int) -> Engine:
    return Engine(game.edition, game.seats, sample(game.edition, view, seed))


def check_world(game: Game, seat: int | None, seed: int) -> None:
    """Check that a world obeys all laws, is complete, and looks like the game to the seat."""
    view = game.view(seat)
    world = world_of(game, view, seed)
    state = world.state
    legal = game.legal_choices() if view.legal else None
    assert view_of(game.edition, game.seats, state, seat, view.number, legal) == view
    assert broken_law(state, game.edition.board, world.work) == Law.KEPT
    cards, tiles = sum(game.edition.deck.values()), len(game.edition.distant)
    for deck in (state.deck, state.rail_deck):
        assert Counter(deck[:cards].tolist()) == Counter(game.edition.deck)
    for distant in (state.distant, state.rail_distant):
        assert Counter(distant[:tiles].tolist()) == Counter(game.edition.distant)
    if state.era != CANAL:
        assert state.rail_deck.tolist() == state.deck.tolist()
        assert state.rail_distant.tolist() == state.distant.tolist()


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_worlds_agree_with_every_view_of_a_game(kind: Edition) -> None:
    """This includes public actions in progress, debts and finished games."""
    rng = Random(3)
    game = Game(kind, seed=3)
    while not game.over:
        if rng.random() < 0.05:
            for seat in (None, *range(kind.players)):
                check_world(game, seat, rng.getrandbits(64))
        if game.question == "turn over":
            game.end_turn()
        else:
            game.choose(rng.choice(game.legal_choices().ids))
            game.publish()
    check_world(game, 0, 1)


def test_worlds_agree_with_the_view_of_a_debtor() -> None:
    game = Game.from_position(kinds.IN_DEBT)
    game.play("pass")
    assert game.question == "give up"
    for seat in (None, 0, 1):
        check_world(game, seat, 7)


def test_a_seed_gives_one_world() -> None:
    game = Game("birmingham", players=4, seed=1)
    view = game.view(0)
    worlds = [sample(game.edition, view, seed) for seed in (0, 1, 2**64 - 1, 0)]
    assert worlds[0] == worlds[3]
    assert len(set(worlds)) == 3
    with pytest.raises(BrassError, match="seed"):
        sample(game.edition, view, -1)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_hidden_information_has_no_influence(kind: Edition) -> None:
    """A world made over the true position equals the one made from the view."""
    rng = Random(4)
    game = Game(kind, seed=4)
    for _ in range(5):
        kinds.play_at_random(game, rng, 40)
        game.publish()
        for seat in (None, *range(kind.players)):
            boards, works, states = np.zeros(1, BOARD), np.zeros(1, WORK), np.zeros(1, STATE)
            boards[0] = kind.board
            states[:] = np.frombuffer(game.engine.snapshot(), STATE)
            seats = np.array([NOBODY if seat is None else seat], np.int8)
            make_worlds(boards, works, states, seats, 9, 0, 0, 1)
            assert states.tobytes() == sample(kind, game.view(seat), 9)


# --- all worlds are equally likely ---------------------------------------------------------------

WORLDS = 8_000

# Seat 0 does not know five cards, two of them alike: two in R's hand, one to draw, two set aside.
FIVE_UNSEEN = {
    "edition": "birmingham",
    "players": 2,
    "round": 9,
    "Y": {"hand": ["iron"]},
    "R": {"hand": ["coal", "Dudley", "wild location"]},
    "deck": ["coal"],
    "aside": ["Walsall", "iron"],
}
# The same on R's turn: R builds a mine in Dudley and has yet to show a card for it.
FOUR_UNSEEN = FIVE_UNSEEN | {"R": {"hand": ["coal", "Dudley"]}, "deck": [], "to move": "R"}
# Four of eight distant tiles have been drawn.
FOUR_TURNED = {"edition": "lancashire", "players": 2, "distant drawn": ["2", "1", "3", "2"]}


def oddity(outcomes: Iterable[Hashable], weights: Counter[Any]) -> float:
    """Return the deviation of outcomes from their weights in standard deviations (chi-square)."""
    seen = Counter(outcomes)
    assert seen.keys() <= weights.keys()
    expected = {item: seen.total() * weight / weights.total() for item, weight in weights.items()}
    chi_square = sum((seen[item] - number) ** 2 / number for item, number in expected.items())
    degrees = len(weights) - 1
    return float((chi_square - degrees) / (2 * degrees) ** 0.5)


def check_chances(game: Game, facts: Callable[[Any], Hashable], weights: Counter[Any]) -> None:
    """Check that over many worlds each thing unknown to seat 0 occurs as often as it should."""
    assert len(weights) > 1
    view = game.view(0)
    worlds = b"".join(sample(game.edition, view, seed) for seed in range(WORLDS))
    assert oddity(map(facts, np.frombuffer(worlds, STATE)), weights) < 4


def cards_of_rival(state: Any) -> tuple[int, ...]:
    return tuple(np.repeat(range(state["hand"].shape[1]), state["hand"][1]).tolist())


def five_cards(state: Any) -> Hashable:
    """Return R's hand, then the card to draw and those set aside after the deal, in order."""
    deck = state["deck"]
    return cards_of_rival(state), int(deck[state["deck_next"]]), *deck[16:18].tolist()


def test_unseen_cards_may_be_anywhere() -> None:
    game = Game.from_position(FIVE_UNSEEN)
    find = game.edition.find_card
    pool = [find(card) for card in ("coal", "coal", "iron", "Dudley", "Walsall")]
    wild = find("wild location")
    weights = Counter(
        ((*sorted((one, two)), wild), *rest) for one, two, *rest in permutations(pool)
    )
    check_chances(game, five_cards, weights)


def test_a_biased_shuffle_is_detected() -> None:
    def swap_any_two(rng: Random) -> tuple[int, ...]:
        cards = list(range(5))
        for place in cards[:]:
            other = rng.randrange(5)
            cards[place], cards[other] = cards[other], cards[place]
        return tuple(cards)

    rng = Random(1)
    weights = Counter(permutations(range(5)))
    assert oddity((tuple(rng.sample(range(5), 5)) for _ in range(WORLDS)), weights) < 4
    assert oddity((swap_any_two(rng) for _ in range(WORLDS)), weights) > 20


def test_a_seat_that_has_begun_a_build_has_a_card_for_it() -> None:
    game = Game.from_position(FOUR_UNSEEN)
    game.choose(next(c for c in game.legal_choices() if "coal Dudley" in str(c)))
    game.publish()
    assert game.question == "card"
    find = game.edition.find_card
    fit = {find("coal"), find("Dudley")}
    pool = [*fit, find("iron"), find("Walsall")]
    weights = Counter(
        tuple(sorted(hand)) for hand in permutations(pool, 2) if not fit.isdisjoint(hand)
    )
    check_chances(game, cards_of_rival, weights)
    check_world(game, 0, 1)


def test_rail_deck_order_is_uniform() -> None:
    game = Game("birmingham", players=2, seed=1)
    deck = +Counter(game.edition.deck)
    last = deck.total() - 1
    check_chances(game, lambda state: int(state["rail_deck"][0]), deck)
    check_chances(game, lambda state: int(state["rail_deck"][last]), deck)


def test_distant_tile_order_is_uniform() -> None:
    game = Game.from_position(FOUR_TURNED)
    left = Counter(permutations((2, 3, 3, 4)))
    check_chances(game, lambda state: tuple(state["distant"][4:8].tolist()), left)
    first_two = Counter(permutations(game.edition.distant, 2))
    check_chances(game, lambda state: tuple(state["rail_distant"][:2].tolist()), first_two)
