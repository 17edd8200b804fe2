"""Moments of games that the coach tests share."""

from __future__ import annotations

from random import Random

from brassmill.editions import Edition
from brassmill.game import Game
from support.kinds import play_at_random

# The last card can sell a mill of 12 VP or be wasted.
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
    """Return a game after random choices, with an action about to begin."""
    game, rng = Game(kind, seed=seed), Random(seed)
    play_at_random(game, rng, choices)
    while game.question != "action" and not game.over:
        play_at_random(game, rng, 1)
    return game
