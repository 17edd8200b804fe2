"""The moment: the options, the progress of the game, and the action in progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brassmill.core.events import ERAS
from brassmill.core.names import DOINGS, DUE, QUESTIONS
from brassmill.editions import OPTIONS as OPTIONS_OF
from brassmill.editions.edition import Edition
from brassmill.observation.index import POUNDS, Index
from brassmill.rules.jit import rule
from brassmill.rules.layout import GAME_OVER, INDUSTRIES, NOTHING, NOWHERE, OPTIONS, PASSING

# --- the options ---------------------------------------------------------------------------------


def words_of_options(edition: Edition) -> Iterator[Index]:
    for option in OPTIONS_OF[edition.name]:
        values = ", ".join(f"{number} {value}" for number, value in enumerate(option.values))
        yield Index(option.name, values, len(option.values) - 1)


@rule
def see_options(board: Any, values: Any, at: int) -> Any:
    """The options chosen before the game."""
    for option in range(OPTIONS):
        if board.option[option] != NOWHERE:
            values[at] = board.option[option]
            at += 1
    return at


# --- how far the game has gone -------------------------------------------------------------------


def words_of_progress(edition: Edition) -> Iterator[Index]:
    eras = ", ".join(f"{number} {era}" for number, era in enumerate(ERAS))
    yield Index("era", eras)
    yield Index("round", "of this era", edition.rounds)
    yield Index("turns", "finished this round", edition.players)
    yield Index("actions", "left to the seat on turn, the one in progress included", 2)
    yield Index("incomes", "paid this round", edition.players)
    yield Index("cards", "left to draw", sum(edition.deck.values()))


@rule
def see_progress(state: Any, values: Any, at: int) -> Any:
    """Era, round and turn."""
    values[at] = state.era
    values[at + 1] = state.round_number
    values[at + 2] = state.turn
    values[at + 3] = state.actions_left
    values[at + 4] = state.income_turn
    values[at + 5] = int(state.deck_end) - int(state.deck_next)
    return at + 6


# --- the action in progress ----------------------------------------------------------------------


def words_of_action(edition: Edition) -> Iterator[Index]:
    for question in QUESTIONS:
        yield Index("the open question", question)
    for doing in DOINGS[NOTHING + 1 :]:
        yield Index("what is being done", doing)
    for industry in edition.industries:
        yield Index("its industry", edition.industry_name(industry))
    for place in edition.places:
        yield Index("where its rail takes coal", place.name)
    for word, _field, largest in DUE:
        yield Index("its numbers", word, largest)
    yield Index("debt", "pounds still owed", POUNDS)


@rule
def see_action(state: Any, board: Any, values: Any, at: int) -> Any:
    """The open question, and what of the action is decided and what is still due."""
    values[at + int(state.phase)] = 1
    at += GAME_OVER + 1
    if state.doing != NOTHING:
        values[at + int(state.doing) - 1] = 1
    at += PASSING
    for industry in range(INDUSTRIES):
        if board.stack_size[industry] > 0:
            if state.industry == industry:
                values[at] = 1
            at += 1
    if state.end != NOWHERE:
        values[at + int(state.end)] = 1
    at += int(board.places)
    values[at] = state.count
    values[at + 1] = state.loan
    values[at + 2] = state.cards_due
    values[at + 3] = state.coal_due
    values[at + 4] = state.iron_due
    values[at + 5] = state.beer_due
    values[at + 6] = state.develop_due
    values[at + 7] = state.barrel_used
    values[at + 8] = state.combined
    values[at + 9] = state.owed
    return at + 10
