"""A seat's record contains what that seat may see, and nothing else."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill import record
from brassmill.core.deal import Deal
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.record import SPECTATOR, seat
from brassmill.record.record import Viewer
from brassmill.rules.layout import CANAL, WILD_LOCATION
from support import kinds
from support.kinds import play_at_random


def viewers(game: Game) -> list[Viewer]:
    return [*range(game.players), "spectator"]


def some_viewers(game: Game, rng: random.Random) -> list[Viewer]:
    """Draw a seat or, in one of three cases, a spectator."""
    return [rng.randrange(game.players), *(["spectator"] * (rng.random() < 0.3))]  # type: ignore[list-item]


def seen_by(game: Game, viewer: Viewer) -> Any:
    return game.view(None if viewer == SPECTATOR else int(viewer))


def begun(kind: Edition | str, seed: int, choices: int, **how: Any) -> Game:
    """Return a game after that many choices, with no turn in progress."""
    game = Game(kind, seed=seed, **how)
    play_at_random(game, random.Random(seed), choices)
    while game.draft is not None or game.view().number < len(game.actions):
        game.play(game.legal_choices()[0])
    return game


def replayed(game: Game, deal: Deal) -> Game:
    """Return the same actions with another deal."""
    other = Game(game.edition, deal=deal, seats=game.seats)
    for action in game.actions:
        other.play(str(action))
    return other


# --- nothing leaks -------------------------------------------------------------------------------


def unseen_swapped(game: Game, viewer: Viewer, rng: random.Random) -> Deal:
    """Return another deal that the viewer could not tell from the true one.

    For a card that an opponent holds at the end, the last one of its kind that they drew is swapped
    with one that nobody has drawn, or that another opponent holds. Cards drawn together are dealt
    in another order, and everything still to come is shuffled.
    """
    state = game.state
    era = int(state.era)
    decks = [list(deck) for deck in game.deal.decks]
    deck = decks[era]
    owner: dict[int, int] = {}  # who drew each card of this era's deck
    draws = draws_of(game)
    for drawer, places in draws:
        owner |= dict.fromkeys(places, drawer)
    hidden = [place for place in range(len(deck)) if place not in owner]
    for rival in range(game.players):
        if rival == viewer:
            continue
        for card in range(WILD_LOCATION):
            held = int(state.hand[rival, card])
            drawn = [place for place in owner if owner[place] == rival and deck[place] == card]
            hidden += sorted(drawn)[len(drawn) - held :]
    cards = [deck[place] for place in hidden]
    rng.shuffle(cards)
    for place, card in zip(hidden, cards, strict=True):
        deck[place] = card
    for _drawer, places in draws:
        together = [deck[place] for place in places]
        rng.shuffle(together)
        for place, card in zip(places, together, strict=True):
            deck[place] = card
    distant = [list(tiles) for tiles in game.deal.distant]
    ahead = distant[era][int(state.distant_next) :]
    rng.shuffle(ahead)
    distant[era][int(state.distant_next) :] = ahead
    if era == CANAL:
        rng.shuffle(decks[1])
        rng.shuffle(distant[1])
    return Deal(
        (tuple(decks[0]), tuple(decks[1])),
        (tuple(distant[0]), tuple(distant[1])),
        game.deal.merchants,
        game.deal.order,
    )


def draws_of(game: Game) -> list[tuple[int, range]]:
    """Return who drew which positions of this era's deck, in order."""
    again = Game(game.edition, deal=game.deal, seats=game.seats)
    aside = game.edition.set_aside[int(game.state.era)]
    after = aside.count if aside.when == "after deal" else 0
    first = aside.count if aside.when == "before deal" else 0
    rest = list(game.actions)
    while again.era != game.era:
        again.play(str(rest.pop(0)))
    draws = [
        (drawer, range(first + 8 * turn, first + 8 * turn + 8))
        for turn, drawer in enumerate(again.order)
    ]
    place = first + 8 * game.players + after
    for action in rest:
        for event in again.play(str(action)):
            if event.kind == "drew" and again.era == game.era:
                draws.append((event.seat, range(place, place + event.cards)))
                place += event.cards
    assert place == int(game.state.deck_next)
    return draws


def check_no_leak(game: Game, rng: random.Random) -> None:
    for viewer in some_viewers(game, rng):
        deal = unseen_swapped(game, viewer, rng)
        other = replayed(game, deal)
        assert str(other.record(seat=viewer)) == str(game.record(seat=viewer))


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_hidden_information_does_not_change_a_record(kind: Edition) -> None:
    rng = random.Random(3)
    for choices in (0, 30, 150):
        check_no_leak(begun(kind, 3, choices), rng)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.ALL), choices=st.integers(0, 250))
def test_no_record_leaks(seed: int, kind: Edition, choices: int) -> None:
    game = begun(kind, seed, choices)
    if not game.over:
        check_no_leak(game, random.Random(seed))


@pytest.mark.parametrize("leak", ["deck", "rival", "distant"])
def test_the_leak_check_detects_a_leak(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    honest = seat.known_deal

    def leaky(game: Game, viewer: int | None) -> Deal:
        known, deal = honest(game, viewer), game.deal
        if leak == "deck":
            return Deal(
                (deal.decks[0], known.decks[1]), known.distant, known.merchants, known.order
            )
        if leak == "rival":
            held = sorted(
                card for n in range(game.players) for card in game.state.hand[n].nonzero()[0]
            )
            decks = ((*map(int, held[:3]), *known.decks[0][3:]), known.decks[1])
            return Deal(decks, known.distant, known.merchants, known.order)
        return Deal(known.decks, deal.distant, known.merchants, known.order)

    monkeypatch.setattr("brassmill.record.record.seat.known_deal", leaky)
    with pytest.raises(AssertionError):
        check_no_leak(begun("lancashire", 3, 20), random.Random(1))


def test_a_seat_record_has_no_deal_and_no_seed() -> None:
    game = begun("lancashire", 3, 30, players=3)
    for viewer in viewers(game):
        written = game.record(seat=viewer)
        assert written.deal is None
        assert "Seed" not in written.headers
        assert record.loads(str(written)).deal is None


def test_a_seat_sees_only_its_own_cards() -> None:
    game = Game("birmingham", players=3, seed=3, seats=["Ada", "Ben", "Cay"])
    written = str(game.record(seat=1))
    assert '[View "seat Ben"]' in written
    known = game.record(seat=1).known
    assert known is not None
    place = 8 * game.order.index(1)
    mine = known.decks[0][place : place + 8]
    assert sorted(mine) == sorted(game.deal.decks[0][place : place + 8])
    assert set(known.decks[0]) - set(mine) == {-1}
    assert set(known.decks[1]) == {-1}
    assert known.merchants == game.deal.merchants
    spectator = game.record(seat="spectator")
    assert spectator.known is not None
    assert set(spectator.known.decks[0]) == {-1}
    assert spectator.headers["View"] == "spectator"


def test_drafts_are_in_no_record() -> None:
    game = begun("birmingham", 3, 12)
    before = [str(game.record(seat=viewer)) for viewer in viewers(game)]
    number = len(game.actions)
    game.choose(next(iter(game.legal_actions())))
    if game.question == "action":
        game.choose(next(iter(game.legal_actions())))
    assert len(game.actions) > number
    assert [str(game.record(seat=viewer)) for viewer in viewers(game)] == before
    game.end_turn()
    after = [str(game.record(seat=viewer)) for viewer in viewers(game)]
    assert all(one != two for one, two in zip(before, after, strict=True))


SALE = {
    "edition": "lancashire",
    "round": 2,
    "tiles": ["Y cotton 1 Manchester", "R port 1 Warrington & Runcorn flipped"],
    "links": ["Y Manchester-Warrington"],
    "distant": ["2"],
    "Y": {"hand": ["coal", "coal", "coal"]},
}


def find_revealing() -> Game:
    """Find a game in which the last action of an unfinished turn has drawn a distant tile."""
    game = Game("lancashire", players=3, seed=1)
    rng = random.Random(1)
    while True:
        if game.over:
            game = Game("lancashire", players=3, seed=rng.getrandbits(32))
        open_choices = list(game.legal_choices())
        far = [choice for choice in open_choices if choice.kind in ("sell", "sell_far")]
        game.choose(rng.choice(far or open_choices))
        if game.question == "turn over":
            if "> distant" in str(game.actions[-1]) and game.view().deck:
                return game
            game.end_turn()


def test_what_a_draft_reveals_is_visible_and_future_draws_are_not() -> None:
    game = find_revealing()
    assert game.question == "turn over"
    actor = game.seat
    assert actor is not None
    number = len(game.actions)
    for viewer in viewers(game):
        written = game.record(seat=viewer)
        assert len(written.actions) == number
        assert written.closing == "turn over"
        assert written.known is not None
        turned = int(game.state.distant_next)
        era = int(game.state.era)
        assert written.known.distant[era][:turned] == tuple(game.state.distant[:turned].tolist())
        again = record.loads(str(written)).game()
        assert again.view(None) == game.view(None)
    known = game.record(seat=actor).known
    assert known is not None
    era, next_card = int(game.state.era), int(game.state.deck_next)
    assert known.decks[era][next_card] == -1
    game.end_turn()
    later = game.record(seat=actor).known
    assert later is not None
    assert later.decks[era][next_card] != -1


# --- replay --------------------------------------------------------------------------------------


def check_views(game: Game, rng: random.Random) -> None:
    for viewer in some_viewers(game, rng):
        written = game.record(seat=viewer)
        again = record.loads(str(written))
        assert str(again) == str(written)
        assert again.viewer == viewer
        assert again.made_up
        assert again.verify() == []
        assert seen_by(again.game(), viewer) == seen_by(game, viewer)
        middle = len(game.actions) // 2
        true = game.copy()
        true.undo(to=middle)
        true.publish()  # a record lists the actions of a turn one by one
        assert seen_by(again.game(to=middle), viewer) == seen_by(true, viewer)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_seat_record_shows_what_the_seat_saw(kind: Edition) -> None:
    for choices in (0, 60, 1000):
        check_views(begun(kind, 5, choices), random.Random(5))


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.ALL), choices=st.integers(0, 300))
def test_any_seat_record_shows_what_the_seat_saw(seed: int, kind: Edition, choices: int) -> None:
    check_views(begun(kind, seed, choices), random.Random(seed))


def test_a_game_from_a_seat_record_is_not_a_full_record() -> None:
    game = begun("birmingham", 3, 30)
    again = record.loads(str(game.record(seat=0))).game()
    with pytest.raises(BrassError, match="secret"):
        again.record()
    assert str(again.record(seat=0)) == str(game.record(seat=0))


def test_an_impossible_card_is_a_difference() -> None:
    game = begun("birmingham", 3, 30, players=2)
    text = str(game.record(seat=0))
    node = next(n for n in game.record(seat=0).main_line() if n.seat == "R" and "; card " in n.text)
    start, _, _card = node.text.rpartition("; card ")
    line = f"{node.number} R: {node.text}"
    for wrong in ("wild industry", "Stoke-on-Trent"):
        broken = record.loads(text.replace(line, f"{node.number} R: {start}; card {wrong}"))
        with pytest.raises(record.Difference, match=f"^action {node.number} "):
            broken.game()


def test_hidden_cards_need_a_viewer() -> None:
    text = str(begun("birmingham", 3, 30).record(seat=0))
    with pytest.raises(record.BrokenRecord, match="header View"):
        record.loads(text.replace('[View "seat Y"]\n', ""))
    with pytest.raises(record.BrokenRecord, match="View must be"):
        record.loads(text.replace('[View "seat Y"]', '[View "Y"]'))


# --- secrets -------------------------------------------------------------------------------------


def test_the_full_record_of_a_secret_game_is_available_only_at_its_end() -> None:
    game = Game("birmingham", players=2, intro=True)
    assert game.secret
    with pytest.raises(BrassError, match=r"record\(seat=0\)"):
        game.record()
    assert game.record(seat=1).known is not None
    play_at_random(game, random.Random(1))
    assert game.record().deal == game.deal


def test_which_games_are_secret() -> None:
    deal = Game(seed=1).deal
    assert not Game(seed=1).secret
    assert not Game(deal=deal).secret
    assert not Game.from_position({"edition": "classic"}).secret
    assert Game(seed=1, secret=True).secret
    assert not Game(secret=False).secret
    assert Game(secret=False).record().deal is not None


@pytest.mark.parametrize("secret", [True, False])
def test_a_secret_game_stays_secret(secret: bool) -> None:
    game = Game(seed=1, secret=secret)
    for other in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other.secret == secret
    assert Game.from_bytes(game.to_bytes()).secret == secret


def test_which_viewers_can_have_a_record() -> None:
    game = Game(seed=1)
    for wrong in (4, -1, "Y", True):
        with pytest.raises(BrassError):
            game.record(seat=wrong)  # type: ignore[arg-type]
    written = game.record(seat=np.int64(1))  # type: ignore[arg-type]
    assert str(written) == str(game.record(seat=1))
    assert type(written.viewer) is int
    with pytest.raises(BrassError, match="set-up"):
        Game.from_position(SALE).record(seat=0)
