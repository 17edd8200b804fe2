"""Games clicked through as on a page: choice by choice, ending turns explicitly."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from brassmill.core.action import Action
from brassmill.core.choice import MEANING
from brassmill.core.view import RECORD, View
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.web.page.model import PageModel, SeatInfo, page_model
from core.test_view import shuffle_unseen, shuffled


def pick(game: Game, rng: Random) -> int:
    """Pick an open choice.

    Every kind is equally likely, so that games have many builds, links and sales.
    """
    legal = game.legal_choices().ids
    kind = rng.choice(sorted({MEANING[choice][0] for choice in legal}))
    return rng.choice([choice for choice in legal if MEANING[choice][0] == kind])


def click(game: Game, rng: Random) -> None:
    """Make a choice, or end the turn."""
    if game.question == "turn over":
        game.end_turn()
    else:
        game.choose(pick(game, rng))


def moments(kind: Edition, seed: int, every: int = 1) -> Iterator[Game]:
    """Yield moments of a whole game, about that many clicks apart."""
    rng = Random(seed)
    game = Game(kind, seed=seed)
    while not game.over:
        yield game
        for _ in range(rng.randint(1, 2 * every - 1)):
            if not game.over:
                click(game, rng)
    yield game


def infos(game: Game) -> list[SeatInfo]:
    """Return the seats: you, and bots."""
    return [SeatInfo(name, "journeyman" if n else "") for n, name in enumerate(game.seats)]


def draft_for(game: Game, view: View) -> Action | None:
    """Return the action in progress, for the seat that plays it."""
    return game.draft if view.seat is not None and view.seat == game.seat else None


def model(game: Game, seat: int | None) -> PageModel:
    """Return the model of a seat."""
    view = game.view(seat)
    return page_model(view, infos(game), number=1, stamp="1", draft=draft_for(game, view))


def hidden_changed(game: Game, seat: int | None, rng: Random) -> Game:
    """Return the game with everything hidden from a seat shuffled, in the draft too."""
    other = shuffled(game, seat, rng)
    began = np.frombuffer(bytearray(other._began), RECORD).view(np.recarray)[0]
    shuffle_unseen(began, seat, rng, game.edition)
    other._began = began.tobytes()
    return other
