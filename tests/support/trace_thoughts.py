"""Print a bot's evaluation of a few positions, with all digits.

`test_planning.py` runs it twice, with the rules compiled and as plain Python.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from brassmill.bots.brain import Brain
from brassmill.bots.weights import weights_for
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.view import view_of
from brassmill.editions import edition
from brassmill.game import Game
from brassmill.rules.layout import ACTION, TURN_OVER

GAMES = (("birmingham", 4), ("lancashire", 2), ("classic", 3))

# Four actions before the end, so that simulations are short.
END = {
    "edition": "birmingham",
    "players": 2,
    "era": "rail",
    "round": 9,
    "tiles": [
        "Y manufacturer 5 Birmingham",
        "Y cotton 4 Worcester flipped",
        "Y brewery 3 Nuneaton (1)",
        "Y iron 3 Redditch (2)",
        "R coal 3 Dudley (4)",
        "R manufacturer 8 Coventry",
    ],
    "links": ["Y Birmingham-Oxford", "R Birmingham-Dudley", "R Birmingham-Coventry"],
    "merchants": {"Oxford": ["manufacturer", "all"]},
    "Y": {"hand": ["Birmingham", "coal", "iron", "brewery"], "cash": "60"},
    "R": {"hand": ["Dudley", "Coventry", "coal", "brewery"], "cash": "50"},
}


def positions(name: str, players: int) -> Iterator[Engine]:
    """Yield a random game at the start of an action, and in the middle of one."""
    kind = edition(name, players)
    engine = Engine(kind, ("Y", "R", "G", "P")[:players])
    engine.set_up(Deal.from_seed(kind, 1).record(kind))
    chance = random.Random(1)
    for begins in (True, False):
        for _ in range(20):
            play(engine, chance)
        while (engine.phase == ACTION) != begins:
            play(engine, chance)
        yield engine


def play(engine: Engine, chance: random.Random) -> None:
    engine.choose(chance.choice(engine.legal()))
    if engine.phase == TURN_OVER:
        engine.end_turn()


def print_thoughts(engine: Engine, ahead: bool = False) -> None:
    """Print everything that can be asked of a brain."""
    seat = int(engine.state.seat)
    brain = Brain(engine.edition, weights_for(engine.edition))
    brain.look(view_of(engine.edition, engine.seats, engine.state, seat, 0), 3)
    print(brain.judge(), brain.mind.term.tolist())
    if not brain.begins:
        print(brain.answer(), brain.judge())
        return
    rows = brain.survey(1)
    print(rows)
    (row,) = rows
    if ahead:
        brain.foresee(row, 2, 5)
        print(brain.future(row))
    print(brain.action(brain.choice(row)), brain.judge())


if __name__ == "__main__":
    np.seterr(all="raise")
    for name, players in GAMES:
        for engine in positions(name, players):
            print_thoughts(engine)
    print_thoughts(Game.from_position(END).engine, ahead=True)
