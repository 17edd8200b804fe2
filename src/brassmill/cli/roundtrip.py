"""Random games through text: every action is written, undone, read back and compared."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from brassmill.core.action import Action
from brassmill.core.choice import MEANING
from brassmill.core.deal import SEEDS
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import LANGUAGES

if TYPE_CHECKING:
    from brassmill.editions import Edition

BATCH = 5  # games between two updates of the progress bar

# Choices that make for long actions: half of the time, one of these is preferred.
RICH = ("BUILD", "LINK", "SELL", "BEER_FROM", "BARREL_OF", "SELL_TO_PORT", "SELL_FAR", "REMOVE")


class RoundTripFailure(NamedTuple):
    """A text that does not read back as its action."""

    seed: int
    number: int  # of the action
    text: str
    what: str


class RoundTripTally(NamedTuple):
    """The result of some games."""

    games: int
    actions: int
    failure: RoundTripFailure | None


def play_batch(edition: Edition, first: int, games: int) -> RoundTripTally:
    """Play games through text until one fails."""
    actions = 0
    for number in range(games):
        played, failure = play_through_text(edition, (first + number) % SEEDS)
        actions += played
        if failure:
            return RoundTripTally(number + 1, actions, failure)
    return RoundTripTally(games, actions, None)


def play_through_text(edition: Edition, seed: int) -> tuple[int, RoundTripFailure | None]:
    """Play a random game; return the number of actions, and the first one that text loses."""
    rng = Random(seed)
    game = Game(edition, seed=seed)
    while not game.over:
        number = len(game.actions)
        while len(game.actions) == number:
            options = game.legal_choices().ids
            rich = [option for option in options if MEANING[option][0] in RICH]
            game.play(rng.choice(rich if rich and rng.random() < 0.5 else options))
        after = game.engine.snapshot()
        action = game.actions[number]
        for language in LANGUAGES:
            text = action.text_in(language)
            game.undo(to=number)
            what = failure_of(game, text, action, after)
            if what:
                return number, RoundTripFailure(seed, number + 1, text, what)
    return len(game.actions), None


def failure_of(game: Game, text: str, action: Action, after: bytes) -> str:
    """Play a text; say what is wrong with the result, or nothing."""
    try:
        game.play(text)
    except BrassError as error:
        return f"it cannot be read: {error}"
    if game.engine.snapshot() != after:
        return "it leads to another position"
    again = game.actions[-1]
    # The same position and choices give the same text.
    if again.ids != action.ids and again.text != action.text:
        return f"it is written again as {again.text}"
    return ""


def tallies(
    kinds: list[Edition], games: int, seed: int, processes: int
) -> Iterator[tuple[int, RoundTripTally]]:
    """The tallies of each kind of game, batch by batch as they finish.

    Games are played in processes: reading is plain Python, which threads do not speed up.
    """
    batches = {
        (number, done): (kind, seed + done, min(BATCH, games - done))
        for done in range(0, games, BATCH)
        for number, kind in enumerate(kinds)
    }
    if processes == 1:
        for (number, _), batch in batches.items():
            yield number, play_batch(*batch)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        runs = {pool.submit(play_batch, *batch): key for key, batch in batches.items()}
        try:
            for run in as_completed(runs):
                yield runs[run][0], run.result()
        finally:
            pool.shutdown(cancel_futures=True)
