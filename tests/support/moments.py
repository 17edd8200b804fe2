"""Moments of games that the tests of the coach share."""

from __future__ import annotations

from random import Random

from brassmill.editions import Edition
from brassmill.game import Game
from support.kinds import play_at_random

# One card is left to sell a mill of 12 points, or to waste.
LAST_SALE: dict[str, object] = {
    "edition": "birmingham",
    "players": 2,
    "era": "rail",
    "round": 10,
    "tiles": ["Y cotton 4 Worcester", "Y brewery 2 South Farm"],
    "links": ["Y Worcester-Gloucester", "Y Kidderminster-Worcester"],
    "merchants": {"Gloucester": ["cotton", "blank"]},
    "Y": {"cash": 3, "hand": ["Dudley"]},
}


def at_an_action(kind: Edition, seed: int, choices: int) -> Game:
    """A game after random choices, where somebody is to begin an action."""
    game, rng = Game(kind, seed=seed), Random(seed)
    play_at_random(game, rng, choices)
    while game.question != "action" and not game.over:
        play_at_random(game, rng, 1)
    return game
