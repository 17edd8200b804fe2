"""What several tests share: every kind of game, random play, positions."""

from __future__ import annotations

from random import Random

from brassmill.cli.fuzz import games_to_play
from brassmill.core.events import Event
from brassmill.editions import Edition
from brassmill.game import Game

PLAIN: list[Edition] = list(games_to_play((), None, {}, all_options=False))
ALL: list[Edition] = list(games_to_play((), None, {}, all_options=True))

# Two towns with a mine each at the same distance from a third; a rival owns one of them.
TIED_MINES = {
    "edition": "lancashire",
    "round": 2,
    "tiles": ["R coal 1 Bury (2)", "Y coal 1 Oldham (1)"],
    "links": ["R Bury-Manchester", "Y Manchester-Oldham"],
    "Y": {"hand": ["Manchester", "coal", "Bolton"], "mat": {"cotton": "2"}, "cash": "60"},
}

# After R's pass Y owes three pounds, has none, and must choose a tile to give up.
IN_DEBT = {
    "edition": "lancashire",
    "players": 2,
    "round": 3,
    "to move": "R",
    "actions left": "1",
    "tiles": ["Y cotton 1 Bolton", "Y port 1 Preston"],
    "Y": {"cash": "0", "income": "7"},
    "R": {"hand": ["coal", "coal"]},
}


def play_at_random(game: Game, rng: Random, choices: int | None = None) -> list[Event]:
    """Play so many random choices, or the game to its end."""
    events: list[Event] = []
    while not game.over and choices != 0:
        events += game.play(rng.choice(game.legal_choices().ids))
        choices = None if choices is None else choices - 1
    return events
