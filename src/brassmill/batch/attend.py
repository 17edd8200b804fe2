"""The work on one game of a batch, compiled: the same function for CPU and GPU.

A game only touches its own row of the batch's arrays, so neither the order of the games nor the
number of threads can change the result.
"""

from __future__ import annotations

from typing import Any

from brassmill.core.deal import below, deal_from_seed
from brassmill.core.playout import FIRST_DRAWN
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import rule
from brassmill.rules.layout import ACTION, GAME_OVER
from brassmill.rules.scoring import standing
from brassmill.rules.setup import set_up
from brassmill.rules.turn import follows, forget, list_actions, list_answers, make

DEAL_OUT, SHOW, STEP, RANDOM = range(4)  # what to do with every game

WORD = 8  # bytes: a row of `legal` is cleared word by word
WORDS = CHOICES // WORD
assert CHOICES % WORD == 0


@rule
def attend(
    state: Any,
    board: Any,
    work: Any,
    deal: Any,
    seeds: Any,
    drawn: Any,
    made: Any,
    choices: Any,
    legal: Any,
    legal_words: Any,
    seats: Any,
    ended: Any,
    points: Any,
    margins: Any,
    ranks: Any,
    game: int,
    what: int,
    times: int,
) -> None:
    """Deal a game, list its legal choices, play a given choice, or play `times` random actions.

    Random actions are played choice by choice among the legal ones. It is all one function, with
    what changes at every choice in local variables: passing arrays to another function for every
    action would take 3% of the time.
    """
    ended[game] = 0
    if what == DEAL_OUT:
        begin(state, board, work, deal, seeds, drawn, game)
    seed, place, count = int(seeds[game]), int(drawn[game]), 0
    choice = int(choices[game])
    for time in range(times + 1):
        wait_for_the_others()
        if time > 0 or what != STEP:
            if state.phase == ACTION:
                list_actions(state, board, work)
            elif time == 0:
                list_answers(state, board, work)
        if time < times:
            while True:  # until the next action starts; a given choice is only one
                forget(work)
                count += 1
                if what == RANDOM:
                    show_on_the_way(work, legal, legal_words, game)
                    number, place = below(int(work.legal_count), seed, place)
                    choice = int(work.legal[number])
                make(state, board, work, choice)
                while follows(state, board, work):
                    make(state, board, work, int(work.legal[0]))
                if what == STEP or state.phase == ACTION or state.phase == GAME_OVER:
                    break
            if state.phase == GAME_OVER:
                note_the_end(state, board, ended, points, margins, ranks, game)
                seeds[game] += len(seeds)
                seed = int(seeds[game])
                begin(state, board, work, deal, seeds, drawn, game)
                place = FIRST_DRAWN
    drawn[game] = place
    made[game] += count
    show(work, legal, legal_words, game)
    seats[game] = state.seat


@rule
def wait_for_the_others() -> None:
    """On a GPU, games list their actions together (`kernels.py`); a CPU need not wait."""


@rule
def begin(state: Any, board: Any, work: Any, deal: Any, seeds: Any, drawn: Any, game: int) -> None:
    """Set up the first position of the game's seed."""
    deal_from_seed(board, int(seeds[game]), deal)
    forget(work)
    set_up(state, board, deal, work)
    drawn[game] = FIRST_DRAWN


@rule
def show_on_the_way(work: Any, legal: Any, legal_words: Any, game: int) -> None:
    """On a GPU the row is written at every choice, as it is for a network (`kernels.py`).

    On a CPU it cannot be seen before the call returns, and would take 4% of the time.
    """


@rule
def show(work: Any, legal: Any, legal_words: Any, game: int) -> None:
    """Write the legal choices as a row of zeros and ones; `legal_words` is the same memory."""
    for word in range(WORDS):
        legal_words[game, word] = 0
    for number in range(int(work.legal_count)):
        legal[game, int(work.legal[number])] = 1


@rule
def note_the_end(
    state: Any, board: Any, ended: Any, points: Any, margins: Any, ranks: Any, game: int
) -> None:
    """Record VP, VP ahead of the best other seat, and the rank (END-3)."""
    ended[game] = 1
    for seat in range(int(board.players)):
        best = -1
        for other in range(int(board.players)):
            if other != seat:
                best = max(best, int(state.vp[other]))
        points[game, seat] = state.vp[seat]
        margins[game, seat] = int(state.vp[seat]) - best
        ranks[game, seat] = standing(state, board, seat)
