"""A game during which the rules may change over from plain Python to compiled ones."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

from brassmill.game import Game
from brassmill.play.host import Host

CHOICES = 60
BOT = 20  # a bot makes every 20th choice


def digest_of(name: str, players: int, at: int, change_over: Callable[[], None]) -> str:
    """Play with a seed, and call a function before one of the choices; digest all that happens."""
    game = Game(name, players, seed=3)
    host = Host.of(["journeyman"] * players, game.edition, 5)
    rng, digest = random.Random(7), hashlib.sha256()
    for number in range(CHOICES):
        if number == at:
            change_over()
        legal = [choice.id for choice in game.legal_choices()]
        if number % BOT == BOT - 1:
            host.play(game)
        else:
            game.play(rng.choice(legal))
        digest.update(repr((legal, game.engine.rows)).encode())
        digest.update(game.engine.snapshot())
    return digest.hexdigest()
