"""Games of minds against each other, compiled whole: what tuning plays by the thousand."""

from __future__ import annotations

from brassmill.bots.mind import TERMS
from brassmill.bots.plan import ROOT, act, carry_out
from brassmill.bots.terms import count_terms, share_to_come, stage
from brassmill.deal import below
from brassmill.playout import deal_out
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import ACTION, GAME_OVER, TURN_OVER
from brassmill.rules.turn import list_choices, pass_on

NOTES = 4  # game, seat, era and share of actions to come, before the terms of a sample


@entry
def play_games(
    states, boards, works, deals, minds, widths, seating, samples, results, seed, games, slips
):
    """Play games; `slips` per thousand actions are random. How many samples were taken."""
    board, work = boards[0], works[0]
    work.recording = 0
    taken = 0
    for game in range(games):
        deal_out(states[ROOT], board, work, deals[0], seed + game)
        drawn = 1 << 21
        while states[ROOT].phase != GAME_OVER:
            if states[ROOT].phase == TURN_OVER:
                if taken < samples.shape[0]:
                    sample(states[ROOT], board, work, minds[0], samples, taken, game)
                    taken += 1
                pass_on(states[ROOT], board, work)
                continue
            seat = int(states[ROOT].seat)
            who = int(seating[game, seat])
            slip, drawn = below(1000, seed + game, drawn)
            if slip < slips and states[ROOT].phase == ACTION:
                count = list_choices(states[ROOT], board, work)
                row, drawn = below(count, seed + game, drawn)
                choice = int(work.legal[row])
                carry_out(states, board, work, minds[who], seat, choice)
            else:
                act(states, board, work, minds[who], seat, int(widths[who]))
        for seat in range(int(board.players)):
            results[game, seat] = states[ROOT].vp[seat]
    return taken


@rule
def sample(state, board, work, mind, samples, row, game):
    """Note the terms of the seat whose turn is over."""
    seat = int(state.order[int(state.turn)])
    count_terms(state, board, work, mind, seat)
    samples[row, 0] = game
    samples[row, 1] = seat
    samples[row, 2] = stage(state, board)
    samples[row, 3] = share_to_come(state, board, seat)
    for term in range(TERMS):
        samples[row, NOTES + term] = mind.term[term]
