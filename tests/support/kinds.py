"""What several tests share: every kind of game, random play, positions."""

from __future__ import annotations

from random import Random

import pytest

from brassmill.cli.fuzz import games_to_play
from brassmill.core.events import Event
from brassmill.editions import Edition, edition
from brassmill.game import Game

PLAIN: list[Edition] = list(games_to_play((), None, {}, all_options=False))
ALL: list[Edition] = list(games_to_play((), None, {}, all_options=True))

# Every pair of edition, players and option values is in one of these (`project/test_kinds.py`).
# Bugs lie in one option or between two; slow tests play the other kinds.
COVER: list[Edition] = [
    edition("classic", 3),
    edition("classic", 3, rail_coal="chosen_end", virtual_both_ways=True, income_tie="space"),
    edition("classic", 4, virtual_both_ways=True, income_tie="space"),
    edition("classic", 4, rail_coal="chosen_end", income_tie="space"),
    edition("classic", 4, rail_coal="chosen_end", virtual_both_ways=True),
    edition("lancashire", 2, community_2p=True),
    edition("lancashire", 2, community_2p=True, intro=True, cotton_one_vp=3),
    edition("lancashire", 2, virtual_link=True),
    edition("lancashire", 3),
    edition("lancashire", 3, virtual_link=True, classic_deck=True, cotton_one_vp=3),
    edition("lancashire", 4, classic_deck=True, intro=True),
    edition("lancashire", 4, virtual_link=True, intro=True, cotton_one_vp=3),
    edition("birmingham", 2),
    edition("birmingham", 3, intro=True),
    edition("birmingham", 4),
]
EACH = [pytest.param(kind, marks=() if kind in COVER else pytest.mark.slow) for kind in ALL]

# Two towns, each with a mine, at the same distance from a third; an opponent owns one of them.
TIED_MINES = {
    "edition": "lancashire",
    "round": 2,
    "tiles": ["R coal 1 Bury (2)", "Y coal 1 Oldham (1)"],
    "links": ["R Bury-Manchester", "Y Manchester-Oldham"],
    "Y": {"hand": ["Manchester", "coal", "Bolton"], "mat": {"cotton": "2"}, "cash": "60"},
}

# After R passes, Y owes three pounds, has none, and must remove a tile to pay the debt.
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
    """Make that many random choices, or play to the end."""
    events: list[Event] = []
    while not game.over and choices != 0:
        events += game.play(rng.choice(game.legal_choices().ids))
        choices = None if choices is None else choices - 1
    return events
