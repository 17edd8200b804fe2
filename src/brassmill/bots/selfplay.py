"""Compiled games of weights against each other, which tuning plays by the thousand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from brassmill.bots.mind import MIND, TERMS, make_mind
from brassmill.bots.plan import ROOT, STORE, act
from brassmill.bots.terms import count_terms, share_to_come, stage
from brassmill.core.playout import deal_out
from brassmill.editions.edition import Edition
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import (
    BOARD,
    CHOICES_MAX,
    DEAL,
    GAME_OVER,
    SEATS,
    STATE,
    TURN_OVER,
    WORK,
)
from brassmill.rules.turn import finish_turn

TABLE = np.dtype(
    [
        ("seed", "i8"),  # of the deal
        ("mind", "i8", SEATS),  # by seat: which mind plays
        ("width", "i8", SEATS),  # first actions that are combined with every second one
        ("points", "i8", SEATS),  # at the end of the game
    ]
)

SAMPLE = np.dtype(
    [
        ("table", "i8"),
        ("seat", "i8"),  # whose turn is over
        ("era", "i8"),  # whose weights hold
        ("share", "f8"),  # of the era's actions, still to come
        ("term", "f8", TERMS),
    ]
)


@entry
def play_games(
    states: Any, boards: Any, works: Any, deals: Any, minds: Any, tables: Any, samples: Any
) -> Any:
    """Play a game at each table; return how many samples were taken, from the first turn on."""
    board, work = boards[0], works[0]
    work.recording = 0
    taken = 0
    for number in range(tables.shape[0]):
        table = tables[number]
        deal_out(states[ROOT], board, work, deals[0], int(table.seed))
        while states[ROOT].phase != GAME_OVER:
            if states[ROOT].phase == TURN_OVER:
                if taken < samples.shape[0]:
                    take_sample(states[ROOT], board, work, minds[0], samples[taken], number)
                    taken += 1
                finish_turn(states[ROOT], board, work)
            else:
                seat = int(states[ROOT].seat)
                mind = minds[int(table.mind[seat])]
                act(states, board, work, mind, seat, int(table.width[seat]))
        for seat in range(int(board.players)):
            table.points[seat] = states[ROOT].vp[seat]
    return taken


@rule
def take_sample(state: Any, board: Any, work: Any, mind: Any, sample: Any, table: int) -> None:
    """Record the terms of the seat whose turn is over."""
    seat = int(state.order[int(state.turn)])
    count_terms(state, board, work, mind, seat)
    sample.table = table
    sample.seat = seat
    sample.era = stage(state, board)
    sample.share = share_to_come(state, board, seat)
    for term in range(TERMS):
        sample.term[term] = mind.term[term]


class WeightedPlayer(NamedTuple):
    """A player defined by weights."""

    weight: Any
    width: int = 0  # first actions that are combined with every second one; 0: greedy


class GameRunner:
    """Plays games one after another; each thread needs its own."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._states = np.zeros(STORE + CHOICES_MAX, STATE)
        self._boards = np.zeros(1, BOARD)
        self._boards[0] = edition.board
        self._works = np.zeros(1, WORK)
        self._deals = np.zeros(1, DEAL)

    def play(self, players: Sequence[WeightedPlayer], seats: Any, seeds: Sequence[int]) -> Any:
        """Play games; return the VP by game and seat. `seats` has player numbers."""
        tables = self._tables(players, seats, seeds)
        self._enter(players, tables, 0)
        return tables["points"][:, : self.edition.players]

    def sample(self, player: WeightedPlayer, seeds: Sequence[int]) -> Any:
        """The terms after every turn, in games where one player has all seats."""
        tables = self._tables([player], 0, seeds)
        turns = len(seeds) * self.edition.players * 2 * int(self.edition.board.rounds)
        return self._enter([player], tables, turns)

    def _tables(self, players: Sequence[WeightedPlayer], seats: Any, seeds: Sequence[int]) -> Any:
        tables = np.zeros(len(seeds), TABLE)
        tables["seed"] = seeds
        tables["mind"][:, : self.edition.players] = seats
        tables["width"] = np.array([player.width for player in players])[tables["mind"]]
        return tables

    def _enter(self, players: Sequence[WeightedPlayer], tables: Any, turns: int) -> Any:
        minds = np.zeros(len(players), MIND)
        minds[:] = make_mind(self.edition.board, 0.0)
        minds["weight"] = [player.weight for player in players]
        samples = np.zeros(turns, SAMPLE)
        arrays = (self._states, self._boards, self._works, self._deals)
        taken = play_games(*arrays, minds, tables, samples)
        return samples[:taken]
