"""Clearly bad actions, in place of those of a network, are found."""

from __future__ import annotations

from random import Random

import pytest

from brassmill import Game
from brassmill.bots.brain import up_to_what_is_revealed
from brassmill.coach.advice import advise
from brassmill.core.choice import NUMBER
from brassmill.core.view import View
from brassmill.editions import edition as edition_of
from brassmill.play.host import Host

WORLDS = 12  # as in the analysis on the web
PLANTED = 10
FOUND = 9


def passing(view: View) -> tuple[int, ...]:
    """Do nothing, and discard a card: early in a game, that throws an action away."""
    edition = edition_of(view.edition, view.players)
    card = next(iter(view.hand or ()))
    return NUMBER["PASS", 0], NUMBER["CARD", edition.find_card(card)]


@pytest.mark.slow
def test_nine_in_ten_are_called_mistakes_or_blunders() -> None:
    rng = Random(1)
    edition = edition_of("birmingham", 2)
    game = Game(edition, seed=4, seats=("Ada", "Ben"))
    host = Host.of(["net", "net"], edition, seed=1)
    wanted = sorted(rng.sample(range(8, 60), PLANTED))
    losses: list[float] = []
    while not game.over and len(losses) < PLANTED:
        if game.question == "turn over":
            game.end_turn()
            continue
        if game.question == "action" and len(game.actions) >= wanted[len(losses)]:
            view = game.view(game.seat)
            bad = passing(view)
            advice = advise(edition, view, worlds=WORLDS, played=bad)
            ids = up_to_what_is_revealed(bad)
            losses.append(next(each.loss for each in advice if each.action.ids == ids))
        game.carry_out(host.ask(game.copy()), ends_turn=False)
    host.close()
    marked = sum(loss >= 4 for loss in losses)
    assert len(losses) == PLANTED and marked >= FOUND, losses
