"""Whole random games, compiled: for the benchmark and the fuzzer.

Game n of a run uses the deal and the random numbers of seed `first + n`, so any game of any run can
be repeated alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import config

from brassmill.core.deal import below, deal_from_seed, seed_bits
from brassmill.editions.edition import Edition
from brassmill.rules.choices import CHOICES, TWO_CARDS
from brassmill.rules.jit import entry, rule
from brassmill.rules.laws import Law, broken_law, broken_step_law, cards_are_due
from brassmill.rules.layout import (
    ACTION,
    BEER_SOURCE,
    BOARD,
    CARD,
    COAL_SOURCE,
    DEAL,
    GAME_OVER,
    IRON_SOURCE,
    STATE,
    TURN_OVER,
    WORK,
    blank,
)
from brassmill.rules.setup import set_up
from brassmill.rules.turn import finish_turn, forget, list_choices, make, play

# What a run counts.
GAMES, CHOICES_MADE, ACTIONS, BROKEN_LAW, BROKEN_SEED, BROKEN_STEP = range(6)
COUNTS = 6

FIRST_DRAWN = 1 << 20  # play starts far beyond the random numbers used for the deal
DEPTH = 96  # choices of one action: a long sale with beer for every tile
NO_LIMIT = 1 << 62
END = -1  # of a list of choices


class RandomGames:
    """The memory for a run of random games."""

    def __init__(self, edition: Edition) -> None:
        self.boards = records(BOARD, 1)
        self.boards[0] = edition.board
        self.states = records(STATE, DEPTH + 2)
        self.works = records(WORK, 1)
        self.deals = records(DEAL, 1)
        self.lists = np.zeros((DEPTH + 1, CHOICES + 3), np.int64)
        self.counts = np.zeros(COUNTS, np.int64)

    def choices(self, first: int, games: int, lists_again: int = 0) -> None:
        """Play games with random choices, all legal ones equally likely."""
        arrays = (self.states, self.boards, self.works, self.deals, self.counts)
        random_choices(*arrays, seed_bits(first), games, lists_again)

    def actions(self, first: int, games: int) -> None:
        """Play games with random actions, all complete ones equally likely."""
        arrays = (self.states, self.boards, self.works, self.deals, self.counts)
        random_actions(*arrays, self.lists, seed_bits(first), games)

    def watched(self, first: int, games: int) -> None:
        """Play games over choices, checking all laws after every step until one is broken."""
        arrays = (self.states, self.boards, self.works, self.deals, self.counts)
        watched_games(*arrays, seed_bits(first), games)

    def count_actions(self, position: bytes) -> int:
        """The number of complete actions that a position allows."""
        self.states[:1] = np.frombuffer(position, STATE)
        return int(complete_actions(self.states, self.boards, self.works, self.lists))

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


def records(dtype: Any, count: int) -> Any:
    """Records for the compiled rules, or for the same rules as plain Python."""
    return blank(dtype, count) if config.DISABLE_JIT else np.zeros(count, dtype)


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


@rule
def walk_actions(states: Any, board: Any, work: Any, lists: Any, wanted: int) -> Any:
    """Walk through the complete actions at `states[0]`, depth first, and count them.

    Stops at the wanted one and leaves the position after it in `states[1]`. Position n + 1 comes
    from position n by the choice under `lists[n, 0]` in its list.
    """
    states[1] = states[0]
    found = 0
    depth = 0
    open_list(states[1], board, work, lists, 0, -1)
    while depth >= 0:
        row = int(lists[depth, 0]) + 1
        lists[depth, 0] = row
        choice = int(lists[depth, row])
        if choice == END:
            depth -= 1
            continue
        states[depth + 2] = states[depth + 1]
        after = states[depth + 2]
        make(after, board, work, choice)
        if after.phase == ACTION or after.phase == TURN_OVER or after.phase == GAME_OVER:
            if found == wanted:
                states[1] = states[depth + 2]
                return found
            found += 1
        elif depth + 1 < DEPTH:
            depth += 1
            open_list(after, board, work, lists, depth, choice)
    return found


@rule
def open_list(state: Any, board: Any, work: Any, lists: Any, depth: int, last: int) -> None:
    """List the choices of a position.

    Cards discarded together, and the sources of one need, are sets. A smaller choice that could
    have been made before the last one has already been tried in the other order.
    """
    forget(work)
    count = list_choices(state, board, work)
    is_set = last != TWO_CARDS and state.phase in (CARD, COAL_SOURCE, IRON_SOURCE, BEER_SOURCE)
    put = 0
    for dropped in (False, True):  # dropped choices come after the end of the list
        for row in range(count):
            choice = int(work.legal[row])
            if (is_set and choice < last and was_open(lists, depth - 1, choice)) == dropped:
                put += 1
                lists[depth, put] = choice
        put += 1
        lists[depth, put] = END
    lists[depth, 0] = 0


@rule
def was_open(lists: Any, depth: int, choice: int) -> Any:
    """Whether a choice was legal in an earlier position, dropped or not."""
    row = 1
    ends = 0
    while ends < 2:
        if lists[depth, row] == choice:
            return True
        if lists[depth, row] == END:
            ends += 1
        row += 1
    return False


@entry
def complete_actions(states: Any, boards: Any, works: Any, lists: Any) -> Any:
    """Count the complete actions of the first position."""
    works[0].recording = 0
    return walk_actions(states, boards[0], works[0], lists, NO_LIMIT)


@entry
def random_actions(
    states: Any,
    boards: Any,
    works: Any,
    deals: Any,
    counts: Any,
    lists: Any,
    seed: int,
    games: int,
) -> None:
    """Play games with random complete actions."""
    board, work = boards[0], works[0]
    work.recording = 0
    for game in range(games):
        deal_out(states[0], board, work, deals[0], seed + game)
        drawn = FIRST_DRAWN
        while states[0].phase != GAME_OVER:
            number = walk_actions(states, board, work, lists, NO_LIMIT)
            wanted, drawn = below(number, seed + game, drawn)
            walk_actions(states, board, work, lists, wanted)
            states[0] = states[1]
            counts[ACTIONS] += 1
            if states[0].phase == TURN_OVER:
                finish_turn(states[0], board, work)
        counts[GAMES] += 1
