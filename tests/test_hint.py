"""Hints: what they rank, what they show, and what they do not know."""

from __future__ import annotations

from random import Random

import pytest

from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.hint import Gain, Hint, gain_of, hints, standing
from brassmill.matching import begin
from kinds import PLAIN, TIED_MINES, play_at_random


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_every_hint_can_be_played_and_brings_what_it_says(edition: Edition) -> None:
    rng = Random(edition.players)
    game = Game(edition, seed=3)
    for moves in (0, 40, 60):
        play_at_random(game, rng, moves)
        if game.question != "action":
            continue
        seat = game.seat
        assert seat is not None
        found = hints(edition, game.view(seat))
        assert 1 <= len(found) <= 5
        assert [hint.worth for hint in found] == sorted((h.worth for h in found), reverse=True)
        for hint in found:
            trial = game.copy()
            before = trial.view(seat).seats[seat]
            events = trial.choose(hint.action.text)
            after = trial.view(seat).seats[seat]
            assert hint.gain.pounds == after.cash - before.cash
            assert not trial.engine.in_progress
            changed = (after.income - before.income, after.level - before.level)
            if hint.gain.at_most:
                assert any(event.kind == "distant_tile" for event in events)
                assert hint.gain.income >= changed[0] and hint.gain.levels >= changed[1]
            else:
                assert (hint.gain.income, hint.gain.levels) == changed


def test_a_hint_is_what_a_look_ahead_finds() -> None:
    position: dict[str, object] = {
        "edition": "birmingham",
        "players": 2,
        "round": 5,
        "tiles": ["Y cotton 1 Worcester", "Y brewery 1 South Farm"],
        "links": ["Y Worcester-Gloucester", "Y Kidderminster-Worcester"],
        "merchants": {"Gloucester": ["cotton", "blank"]},
        "Y": {"cash": 3, "hand": ["Dudley", "Coventry", "Tamworth"]},
    }
    game = Game.from_position(position)
    best = hints(game.edition, game.view(0))[0]
    assert best.action.text.startswith("sell cotton Worcester")
    assert best.gain.points >= 5 and best.gain.income > 0


def test_nothing_hidden_is_looked_at() -> None:
    game = Game("lancashire", players=3, seed=8)
    play_at_random(game, Random(8), 60)
    while game.question != "action":
        play_at_random(game, Random(8), 1)
    seat = game.seat
    assert seat is not None
    other = game.copy()
    state = other.engine.state
    rivals = [rival for rival in range(3) if rival != seat]
    state.hand[rivals] = state.hand[rivals[::-1]]
    state.deck[int(state.deck_next) : int(state.deck_end)] = state.deck[
        int(state.deck_next) : int(state.deck_end)
    ][::-1]
    state.distant[int(state.distant_next) :] = 0
    state.rail_deck[:] = state.rail_deck[::-1]
    told = [
        [
            (hint.action.text, hint.gain, hint.worth)
            for hint in hints(known.edition, known.view(seat))
        ]
        for known in (game, other)
    ]
    assert told[0] == told[1]


def test_the_card_that_is_missed_least_is_given_up() -> None:
    game = Game.from_position(TIED_MINES)
    found = hints(game.edition, game.view(0), most=50)
    links = [hint.action.text for hint in found if hint.action.text.startswith("link")]
    assert links
    assert all(text.endswith("card Bolton") for text in links)  # it opens nothing


def test_in_the_middle_of_an_action_its_end_is_advised() -> None:
    game = Game.from_position(TIED_MINES)
    began = game.view(0)
    game.choose("link Manchester-Stockport; ...")
    [hint] = hints(game.edition, game.view(0), began)
    assert hint.action.text == "card Bolton"
    game.choose(hint.action)
    assert game.draft is None


def test_there_is_no_hint_for_others_and_between_turns() -> None:
    game = Game("birmingham", players=2, seed=1)
    assert game.seat is not None
    assert hints(game.edition, game.view(1 - game.seat)) == []
    assert hints(game.edition, game.view()) == []
    seat = game.seat
    game.choose(game.legal_choices()[-1])
    game.choose(game.legal_choices()[0])
    assert game.question == "turn over"
    assert hints(game.edition, game.view(seat)) == []


def test_what_a_beginning_brings() -> None:
    game = Game("birmingham", seed=5)
    choices, _ = begin(game.engine, "link Belper-Derby")
    gain = gain_of(game.engine, choices)
    assert (gain.pounds, gain.income, gain.at_most) == (-3, 0, False)


# --- money ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("edition", ["lancashire", "birmingham"])
def test_an_introductory_game_does_not_begin_with_a_loan(edition: str, players: int) -> None:
    """Money scores there, but in the first rounds it is there to be spent."""
    for seed in range(4):
        game = Game(edition, players=players, intro=True, seed=seed)
        while game.round <= 2:
            if game.question == "turn over":
                game.pass_on()
                continue
            seat = game.seat
            assert seat is not None
            view = game.view(seat)
            best = hints(game.edition, view)[0].action
            if view.seats[seat].cash >= 12:  # poorer than that, one may borrow
                assert str(best).split()[0] in {"build", "link", "develop", "sell"}
            game.choose(best)


def test_money_counts_as_points_where_it_scores_in_the_last_round() -> None:
    position: dict[str, object] = {
        "edition": "lancashire",
        "options": {"intro": True},
        "players": 2,
        "round": 10,
        "Y": {"cash": 0, "hand": ["Bury"]},
    }
    game = Game.from_position(position)
    best = hints(game.edition, game.view(0))[0]
    assert best.action.text == "loan 30; card Bury"
    assert best.worth == best.gain.points


# --- distant tiles -------------------------------------------------------------------------------

# One mill, a port for the sale beyond the sea, and a marker two steps from the end of the track.
DISTANT: dict[str, object] = {
    "edition": "lancashire",
    "players": 3,  # tiles: 0 1 2 2 2 2 3 3 3 4
    "round": 4,
    "demand": 6,
    "tiles": ["Y cotton 2 Preston 2", "R port 2 Preston 1 flipped"],
    "Y": {"cash": 0, "hand": ["Bury", "Wigan"]},
}


def far_sale(position: dict[str, object]) -> tuple[Hint, Gain]:
    game = Game.from_position(position)
    text = "sell cotton Preston; card Bury"
    [hint] = [
        hint
        for hint in hints(game.edition, game.view(0), most=50)
        if hint.action.text.startswith("sell")
    ]
    choices, _ = begin(game.engine, text)
    gain = gain_of(game.engine, choices)
    assert gain == hint.gain
    return hint, gain


def test_a_sale_beyond_the_sea_is_worth_what_it_is_on_average() -> None:
    likely, gain = far_sale(DISTANT)
    assert gain.at_most and gain.income == 4
    # With the tiles of few steps turned already, every one that is left closes the market.
    gone, nothing = far_sale({**DISTANT, "distant drawn": [0, 1]})
    assert not nothing.at_most
    assert (nothing.income, nothing.points) == (0, 0)
    assert gone.worth == pytest.approx(0)
    # With one step more, nobody can be sure, and the chance is that of two tiles of ten.
    sure, _gain = far_sale({**DISTANT, "demand": 0})
    assert likely.worth == pytest.approx(0.2 * best_case(DISTANT))
    assert sure.worth > likely.worth


def best_case(position: dict[str, object]) -> float:
    """What the sale is worth if it succeeds, with the bonus that is left on the track: none."""
    game = Game.from_position({**position, "distant": [0]})
    before = standing(game.engine, 0).worth
    game.choose("sell cotton Preston > distant; card Bury")
    return standing(game.engine, 0).worth - before


def test_what_a_sale_brings_at_most_is_what_the_best_tile_left_brings() -> None:
    _hint, gain = far_sale({**DISTANT, "demand": 0, "distant drawn": [0, 1]})
    game = Game.from_position({**DISTANT, "demand": 0, "distant drawn": [0, 1], "distant": [-2]})
    before = game.view(0).seats[0].income
    game.choose("sell cotton Preston > distant; card Bury")
    assert gain.income == game.view(0).seats[0].income - before
    assert gain.at_most
