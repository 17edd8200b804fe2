"""Random games, compiled whole: what the benchmark times and the fuzzer watches.

Game number n of a run is the deal of seed `first + n`, played by random numbers of that same seed:
any game of any run can be repeated alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.deal import below, deal_from_seed, seed_bits
from brassmill.editions.edition import Edition
from brassmill.rules.choices import CHOICES, TWO_CARDS, is_card
from brassmill.rules.jit import entry, rule
from brassmill.rules.laws import Law, broken_law, broken_step_law, cards_are_due
from brassmill.rules.layout import (
    ACTION,
    BOARD,
    CARD,
    DEAL,
    GAME_OVER,
    SCOUTING,
    STATE,
    TURN_OVER,
    WORK,
)
from brassmill.rules.setup import set_up
from brassmill.rules.turn import forget, list_choices, make, pass_on, play

# What a run counts.
GAMES, CHOICES_MADE, ACTIONS, FAULTY_LAW, FAULTY_SEED, FAULTY_STEP = range(6)
COUNTS = 6

DEPTH = 96  # choices of one action: a long sale with beer for every tile
NO_LIMIT = 1 << 62


class Table:
    """The records of one run of random games."""

    def __init__(self, edition: Edition) -> None:
        self.boards = np.zeros(1, BOARD)
        self.boards[0] = edition.board
        self.states = np.zeros(DEPTH + 2, STATE)
        self.works = np.zeros(1, WORK)
        self.deals = np.zeros(1, DEAL)
        self.lists = np.zeros((DEPTH + 1, CHOICES + 1), np.int64)
        self.counts = np.zeros(COUNTS, np.int64)

    def choices(self, first: int, games: int, lists_again: int = 0) -> None:
        """Play games, uniformly over the open choices."""
        records = (self.states, self.boards, self.works, self.deals, self.counts)
        random_choices(*records, seed_bits(first), games, lists_again)

    def actions(self, first: int, games: int) -> None:
        """Play games, uniformly over the complete actions."""
        records = (self.states, self.boards, self.works, self.deals, self.counts)
        random_actions(*records, self.lists, seed_bits(first), games)

    def watched(self, first: int, games: int) -> None:
        """Play games over choices with all laws checked after every step; stop at a fault."""
        records = (self.states, self.boards, self.works, self.deals, self.counts)
        watched_games(*records, seed_bits(first), games)

    def fault(self) -> tuple[Law, int, int] | None:
        """The law broken by a watched game, its seed and the number of the choice."""
        law = int(self.counts[FAULTY_LAW])
        if law == Law.KEPT:
            return None
        seed = int(self.counts[FAULTY_SEED]) % (1 << 64)
        return Law(law), seed, int(self.counts[FAULTY_STEP])


@rule
def deal_out(state: Any, board: Any, work: Any, deal: Any, seed: int) -> None:
    """The first position of a seed, with its list of choices."""
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
    """Play games uniformly over the open choices; list the choices so many times more."""
    state, board, work = states[0], boards[0], works[0]
    work.recording = 0
    for game in range(games):
        deal_out(state, board, work, deals[0], seed + game)
        drawn = 1 << 20  # far behind the numbers that dealt the cards
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
    """Play games as `random_choices` does, and check every law after every step."""
    state, board, work = states[0], boards[0], works[0]
    work.recording = 1
    for game in range(games):
        deal_out(state, board, work, deals[0], seed + game)
        drawn = 1 << 20
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
            counts[FAULTY_LAW] = law
            counts[FAULTY_SEED] = seed + game
            counts[FAULTY_STEP] = step
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
    """Go through the complete actions open at `states[0]`, depth first, and count them.

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
        if choice < 0:
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
    """List the choices of a position; of several cards in any order only the sorted order."""
    forget(work)
    count = list_choices(state, board, work)
    several = state.phase == CARD and (state.doing == SCOUTING or state.combined)
    kept = 0
    for row in range(count):
        choice = int(work.legal[row])
        if not (several and is_card(last) and choice < last):
            kept += 1
            lists[depth, kept] = choice
    lists[depth, kept + 1] = -1
    lists[depth, 0] = 0


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
    """Play games uniformly over the complete actions of each position."""
    board, work = boards[0], works[0]
    work.recording = 0
    for game in range(games):
        deal_out(states[0], board, work, deals[0], seed + game)
        drawn = 1 << 20
        while states[0].phase != GAME_OVER:
            number = walk_actions(states, board, work, lists, NO_LIMIT)
            wanted, drawn = below(number, seed + game, drawn)
            walk_actions(states, board, work, lists, wanted)
            states[0] = states[1]
            counts[ACTIONS] += 1
            if states[0].phase == TURN_OVER:
                pass_on(states[0], board, work)
        counts[GAMES] += 1
