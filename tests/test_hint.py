"""Hints: what they rank, what they show, and what they do not know."""

from __future__ import annotations

from random import Random

import pytest

from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.hint import gain_of, hints
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
            if not any(event.kind == "distant_tile" for event in events):
                assert hint.gain.income == after.income - before.income
                assert hint.gain.levels == after.level - before.level


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


def test_what_a_beginning_brings_at_least() -> None:
    game = Game("birmingham", seed=5)
    choices, _ = begin(game.engine, "link Belper-Derby")
    gain = gain_of(game.engine, choices)
    assert (gain.pounds, gain.income) == (-3, 0)
