"""What choices are worth to a network that tries them in possible worlds: compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.bots.inference import FORECASTS, NONE, OUTPUTS, infer
from brassmill.bots.policy import look
from brassmill.core.worlds import sample_world
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import GAME_OVER
from brassmill.rules.scoring import standing
from brassmill.rules.turn import play

OWN_VP, RIVAL_VP, WIN = range(FORECASTS)
MIDDLE, UNIT = np.float32(120), np.float32(30)  # a forecast of VP is (VP - MIDDLE) / UNIT
PRIZE = np.float32(15)  # VP that a win is worth


@entry
def try_out(
    states: Any,
    boards: Any,
    works: Any,
    weights: Any,
    scores: Any,
    choices: Any,
    seat: int,
    number: int,
    worlds: int,
    seed: int,
    inputs: int,
    width: int,
    blocks: int,
) -> None:
    """Play each of a `number` of choices in the same worlds, with the seeds from `seed` on.

    It is a seat's turn to choose in the first position; the others are scratch memory. What a
    choice is worth, in VP, is added to its score.
    """
    board, work = boards[0], works[0]
    work.recording = 0
    for world in range(worlds):
        first = 1 + world * number
        states[first] = states[0]
        sample_world(states[first], board, work, seat, seed + world)
        for choice in range(1, number):
            states[first + choice] = states[first]
    play_on(
        states, board, work, weights, scores, choices, seat, number, worlds * number, inputs,
        width, blocks,
    )  # fmt: skip


@rule
def play_on(
    states: Any,
    board: Any,
    work: Any,
    weights: Any,
    scores: Any,
    choices: Any,
    seat: int,
    number: int,
    tries: int,
    inputs: int,
    width: int,
    blocks: int,
) -> None:
    """Play the choices, one in each position after the first, and go on with the likeliest ones.

    A try ends when the seat is on turn again, with what the network then forecasts, or with the
    game.
    """
    rows = np.empty((tries, inputs + CHOICES), np.float32)
    seen = np.zeros(inputs, np.int16)
    out = np.empty((tries, OUTPUTS), np.float32)
    running = np.arange(tries)
    away = np.zeros(tries, np.uint8)  # has another seat been on turn?
    chosen = np.empty(tries, np.int64)
    for each in range(tries):
        chosen[each] = choices[each % number]
    left = tries
    while left > 0:
        count = 0
        for place in range(left):
            each = int(running[place])
            state = states[1 + each]
            play(state, board, work, int(chosen[each]))
            if state.phase == GAME_OVER:
                scores[each % number] += result(state, board, seat)
            else:
                look(
                    state, board, work.legal, int(work.legal_count), int(state.seat), weights, seen,
                    rows[count],
                )  # fmt: skip
                running[count] = each
                count += 1
        infer(rows, count, weights, inputs, width, blocks, out)
        left = 0
        for place in range(count):
            each = int(running[place])
            own = int(states[1 + each].seat) == seat
            if own and away[each] == 1:
                forecast = UNIT * out[place, CHOICES + OWN_VP]
                scores[each % number] += forecast + PRIZE * out[place, CHOICES + WIN]
            else:
                if not own:
                    away[each] = 1
                chosen[each] = likeliest(rows[place], out[place], inputs)
                running[left] = each
                left += 1


@rule
def likeliest(row: Any, scores: Any, inputs: int) -> int:
    """The legal choice with the best score; of equal ones the first."""
    best = -1
    for choice in range(CHOICES):
        legal = row[inputs + choice] != NONE
        if legal and (best < 0 or scores[choice] > scores[best]):
            best = choice
    return best


@rule
def result(state: Any, board: Any, seat: int) -> Any:
    """What the end of a game is worth, like a forecast."""
    winners = 0
    for other in range(int(board.players)):
        if standing(state, board, other) == 1:
            winners += 1
    worth = np.float32(state.vp[seat]) - MIDDLE
    if standing(state, board, seat) == 1:
        worth += PRIZE / np.float32(winners)
    return worth
