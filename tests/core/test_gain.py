"""The gains shown before a choice: an upper bound where distant tiles are drawn."""

from __future__ import annotations

from random import Random

import pytest

from brassmill.core.engine import Engine
from brassmill.core.gain import Gain, gain_of
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.notation.matching import begin
from support.kinds import PLAIN, play_at_random


def gain(game: Game, text: str) -> Gain:
    choices, _ = begin(game.engine, text)
    return gain_of(game.engine, choices)


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_an_action_gains_what_was_announced(edition: Edition) -> None:
    rng = Random(edition.players)
    game = Game(edition, seed=3)
    play_at_random(game, rng, 60)
    while game.question != "action":
        play_at_random(game, rng, 1)
    seat = game.seat
    assert seat is not None
    before = game.view(seat).seats[seat]
    points = sum(game.score_now()[seat].values())
    actions = list(game.legal_actions())
    for action in rng.sample(actions, min(30, len(actions))):
        said = gain_of(game.engine, action.ids)
        trial = game.copy()
        trial.choose(action)
        after = trial.view(seat).seats[seat]
        brought = (
            sum(trial.score_now()[seat].values()) + after.vp - points - before.vp,
            after.income - before.income,
            after.level - before.level,
            after.cash - before.cash,
        )
        said_numbers = (said.points, said.income, said.levels, said.pounds)
        if said.at_most:
            assert all(most >= number for most, number in zip(said_numbers, brought, strict=True))
        else:
            assert said_numbers == brought


def test_the_gain_of_an_unfinished_action() -> None:
    found = gain(Game("birmingham", seed=5), "link Belper-Derby")
    assert (found.pounds, found.income, found.at_most) == (-3, 0, False)


# One mill, a port for a sale to the distant market, and a marker two steps from the end of its
# track.
DISTANT: dict[str, object] = {
    "edition": "lancashire",
    "players": 3,  # tiles: 0 1 2 2 2 2 3 3 3 4
    "round": 4,
    "demand": 6,
    "tiles": ["Y cotton 2 Preston 2", "R port 2 Preston 1 flipped"],
    "Y": {"cash": 0, "hand": ["Bury", "Wigan"]},
}
SALE = "sell cotton Preston; card Bury"


def test_a_distant_sale_announces_the_gain_of_the_best_remaining_tile() -> None:
    likely = gain(Game.from_position(DISTANT), SALE)
    assert likely.at_most and likely.income == 4
    # With the low tiles drawn, every remaining one closes the market.
    nothing = gain(Game.from_position({**DISTANT, "distant drawn": [0, 1]}), SALE)
    assert (nothing.income, nothing.points, nothing.at_most) == (0, 0, False)
    early = {**DISTANT, "demand": 0, "distant drawn": [0, 1]}
    found = gain(Game.from_position(early), SALE)
    game = Game.from_position({**early, "distant": [-2]})
    before = game.view(0).seats[0].income
    game.choose("sell cotton Preston > distant; card Bury")
    assert found.at_most and found.income == game.view(0).seats[0].income - before


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_the_whole_action_counts_in_mid_action(edition: Edition) -> None:
    rng = Random(edition.players)
    game = Game(edition, seed=4)
    while not game.over:
        draft = game.draft
        choice = rng.choice(game.legal_choices().ids)
        if draft and not game.edition.distant:  # no drawn tile makes it uncertain
            begun = Engine(edition, game.seats, draft.before)
            whole = gain_of(game.engine, [choice], since=begun)
            assert whole == gain_of(begun, (*draft.ids, choice))
        game.play(choice)
