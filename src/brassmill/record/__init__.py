"""Whole games as text: `.brass` files.

>>> from brassmill import record
>>> from brassmill.game import Game
>>> game = Game("birmingham", players=2, seed=7, intro=True, seats=["Ada", "Ben"])
>>> events = game.play(next(iter(game.legal_actions())))
>>> again = record.loads(str(game.record()))
>>> again.game().position() == game.position()
True

`docs/formats/notation.md` specifies the format.
"""

from __future__ import annotations

from brassmill.record.files import write
from brassmill.record.reader import BrokenRecord, load, loads, read
from brassmill.record.record import Record
from brassmill.record.replay import Difference
from brassmill.record.seat import SPECTATOR
from brassmill.record.tree import Heading, Node
from brassmill.rules.version import RULES_VERSION

__all__ = [
    "RULES_VERSION",
    "SPECTATOR",
    "BrokenRecord",
    "Difference",
    "Heading",
    "Node",
    "Record",
    "load",
    "loads",
    "read",
    "write",
]
