"""Whole random games, compiled: for the benchmark and the fuzzer.

Game n of a run uses the deal and the random numbers of seed `first + n`, so any game of any run can
be repeated alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from brassmill.core.deal import below, deal_from_seed, seed_bits
from brassmill.core.lister import MENU, STACK, count_actions, play_action
from brassmill.editions.edition import Edition
from brassmill.rules.choices import TWO_CARDS
from brassmill.rules.jit import entry, rule
from brassmill.rules.laws import Law, broken_law, broken_step_law, cards_are_due
from brassmill.rules.layout import (
    ACTION,
    BOARD,
    DEAL,
    GAME_OVER,
    STATE,
    TURN_OVER,
    WORK,
)
from brassmill.rules.setup import set_up
from brassmill.rules.turn import follows, forget, list_choices, make, play

# What a run counts.
GAMES, CHOICES_MADE, ACTIONS, BROKEN_LAW, BROKEN_SEED, BROKEN_STEP = range(6)
COUNTS = 6

FIRST_DRAWN = 1 << 20  # play starts far beyond the random numbers used for the deal


class RandomGames:
    """The memory for a run of random games."""

    def __init__(self, edition: Edition) -> None:
        self.boards = np.zeros(1, BOARD)
        self.boards[0] = edition.board
        self.states = np.zeros(STACK, STATE)
        self.works = np.zeros(1, WORK)
        self.deals = np.zeros(1, DEAL)
        self.menus = np.zeros(1, MENU)
        self.counts = np.zeros(COUNTS, np.int64)

    def choices(self, first: int, games: int, lists_again: int = 0) -> None:
        """Play games with random choices, all legal ones equally likely."""
        arrays = (self.states, self.boards, self.works, self.deals, self.counts)
        random_choices(*arrays, seed_bits(first), games, lists_again)

    def actions(self, first: int, games: int) -> None:
        """Play games with random actions, all complete ones equally likely."""
        arrays = (self.states, self.boards, self.works, self.deals, self.counts)
        random_actions(*arrays, self.menus, seed_bits(first), games)

    def watched(self, first: int, games: int) -> None:
        """Play games over choices, checking all laws after every step until one is broken."""
        arrays = (self.states, self.boards, self.works, self.deals, self.counts)
        watched_games(*arrays, seed_bits(first), games)

    def broken_law(self) -> BrokenLaw | None:
        """The law broken by a watched game."""
        return broken_law_in(self.counts)


class BrokenLaw(NamedTuple):
    """A law that was broken, the seed of the game and the number of the choice."""

    law: Law
    seed: int
    step: int


def broken_law_in(counts: Any) -> BrokenLaw | None:
    """The law broken by a watched game, if any."""
    law = int(counts[BROKEN_LAW])
    if law == Law.KEPT:
        return None
    return BrokenLaw(Law(law), int(counts[BROKEN_SEED]) % (1 << 64), int(counts[BROKEN_STEP]))


@rule
def deal_out(state: Any, board: Any, work: Any, deal: Any, seed: int) -> None:
    """Set up the first position of a seed, and list its choices."""
    deal_from_seed(board, seed, deal)
    forget(work)
    set_up(state, board, deal, work)
    list_choices(state, board, work)


@entry
def random_choices(
    states: Any,
    boards: Any,
    works: Any,
    deals: Any,
    counts: Any,
    seed: int,
    games: int,
    lists_again: int,
) -> None:
    """Play games with random legal choices; list the choices `lists_again` more times."""
    state, board, work = states[0], boards[0], works[0]
    work.recording = 0
    for game in range(games):
        deal_out(state, board, work, deals[0], seed + game)
        drawn = FIRST_DRAWN
        while state.phase != GAME_OVER:
            row, drawn = below(int(work.legal_count), seed + game, drawn)
            play(state, board, work, int(work.legal[row]))
            counts[CHOICES_MADE] += 1
            for _ in range(lists_again):
                list_choices(state, board, work)
        counts[GAMES] += 1


@entry
def watched_games(
    states: Any, boards: Any, works: Any, deals: Any, counts: Any, seed: int, games: int
) -> None:
    """Play games like `random_choices`, checking every law after every step."""
    state, board, work = states[0], boards[0], works[0]
    work.recording = 1
    for game in range(games):
        deal_out(state, board, work, deals[0], seed + game)
        drawn = FIRST_DRAWN
        step = 0
        actions = 0
        law = broken_law(state, board, work)
        while law == Law.KEPT and state.phase != GAME_OVER:
            states[1] = states[0]
            row, drawn = below(int(work.legal_count), seed + game, drawn)
            if state.phase == ACTION:
                actions += 1
            play(state, board, work, int(work.legal[row]))
            step += 1
            for made in range(int(work.trail_count)):
                if work.trail[made] == TWO_CARDS:
                    actions += 1
            law = broken_step_law(states[1], state, board, work)
            if law == Law.KEPT:
                law = broken_law(state, board, work)
            if law == Law.KEPT and not cards_are_due(state, board):
                law = Law.CARDS_ARE_DUE
        if law == Law.KEPT and actions != actions_of_a_game(board):
            law = Law.ACTIONS_EXACT
        counts[GAMES] += 1
        counts[CHOICES_MADE] += step
        counts[ACTIONS] += actions
        if law != Law.KEPT:
            counts[BROKEN_LAW] = law
            counts[BROKEN_SEED] = seed + game
            counts[BROKEN_STEP] = step
            return


@rule
def actions_of_a_game(board: Any) -> Any:
    """Section 9: one action in the first round, then two a round, a card each."""
    actions = 2 * int(board.rounds) - 1
    if board.canal_era_only == 0:
        actions += 2 * int(board.rounds)
    return actions * int(board.players)


# --- uniformly over complete actions -------------------------------------------------------------


@entry
def random_actions(
    states: Any,
    boards: Any,
    works: Any,
    deals: Any,
    counts: Any,
    menus: Any,
    seed: int,
    games: int,
) -> None:
    """Play games with random complete actions."""
    board, work, menu = boards[0], works[0], menus[0]
    work.recording = 0
    for game in range(games):
        deal_out(states[0], board, work, deals[0], seed + game)
        drawn = FIRST_DRAWN
        while states[0].phase != GAME_OVER:
            number = count_actions(states, board, work, menu)
            wanted, drawn = below(number, seed + game, drawn)
            play_action(states, board, work, menu, wanted)
            states[0] = states[1]
            counts[ACTIONS] += 1
            if states[0].phase == TURN_OVER:
                while follows(states[0], board, work):
                    make(states[0], board, work, int(work.legal[0]))
        counts[GAMES] += 1
