"""Counts of openings: how often each line was played, and what came of it.

The counts of two sets of games are added line by line. So they can be made in parts, in any order,
and later games can be added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

from brassmill.arena.estimates import wilson
from brassmill.openings.moves import Line, Move
from brassmill.rules.layout import SEATS

WIN = lcm(*range(1, SEATS + 1))  # what a win counts: whole numbers for shared wins, too


class Tally(NamedTuple):
    """Games of a seat: their number, the wins in parts of `WIN`, and the sum of its VP."""

    games: int
    wins: int
    vp: int

    def plus(self, other: Tally) -> Tally:
        return Tally(self.games + other.games, self.wins + other.wins, self.vp + other.vp)

    @property
    def won(self) -> float:
        """The share of wins; a win shared by two is half a win for each."""
        return self.wins / (WIN * self.games)

    @property
    def mean_vp(self) -> float:
        return self.vp / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the share of wins."""
        return wilson(self.won, self.games)


NONE = Tally(0, 0, 0)

Counts = dict[Line, Tally]


def add(counts: Counts, line: Line, tally: Tally) -> None:
    counts[line] = counts.get(line, NONE).plus(tally)


def merged(several: Iterable[Mapping[Line, Tally]]) -> Counts:
    """The sum of counts."""
    total: Counts = {}
    for counts in several:
        for line, tally in counts.items():
            add(total, line, tally)
    return total


def without_rare(counts: Mapping[Line, Tally], least: int) -> Counts:
    """Counts in which every line is cut off where fewer games went on."""
    tallies = Tree(counts).tallies
    kept: Counts = {}
    for line, tally in counts.items():
        length = len(line)
        while length and tallies[line[:length]].games < least:
            length -= 1
        add(kept, line[:length], tally)
    return kept


@dataclass(frozen=True)
class OpeningRow:
    """A move in the opening, as a row of the explorer."""

    move: Move
    tally: Tally
    share: float  # of the games in which the position before it was reached


class Tree:
    """The openings of one seat: what was played after which moves."""

    def __init__(self, counts: Mapping[Line, Tally]) -> None:
        self.counts = counts

    @cached_property
    def tallies(self) -> Mapping[Line, Tally]:
        """The games that begin with each line, the empty one included."""
        found: Counts = {}
        for line, tally in self.counts.items():
            for length in range(len(line) + 1):
                add(found, line[:length], tally)
        return found

    @cached_property
    def _next(self) -> Mapping[Line, list[Move]]:
        found: dict[Line, list[Move]] = {}
        for line in self.tallies:
            if line:
                found.setdefault(line[:-1], []).append(line[-1])
        return found

    def tally(self, line: Line = ()) -> Tally:
        """The games that begin with a line."""
        return self.tallies.get(line, NONE)

    def rows(self, line: Line = ()) -> list[OpeningRow]:
        """The moves after a line, the most frequent first."""
        before = self.tally(line).games
        rows = []
        for move in self._next.get(line, ()):
            tally = self.tally((*line, move))
            rows.append(OpeningRow(move, tally, tally.games / before))
        return sorted(rows, key=lambda row: (-row.tally.games, row.move))

    def others(self, line: Line = ()) -> Tally:
        """The games that go on after a line with moves too rare to be stored."""
        if not self._next.get(line):
            return NONE
        return self.counts.get(line, NONE)


def as_rows(counts: Mapping[Line, Tally]) -> list[list[Any]]:
    """Plain data: each line as `[moves, games, wins, vp]`, in the order of the lines."""
    return [[line, *tally] for line, tally in sorted(counts.items())]


def from_rows(rows: Iterable[Any]) -> Counts:
    """Counts from plain data; `ValueError` or `TypeError` if they are none."""
    counts: Counts = {}
    for moves, *numbers in rows:
        line = tuple(tuple(move) for move in moves)
        tally = Tally(*numbers)
        whole = all(type(number) is int for number in (*tally, *(c for move in line for c in move)))
        if not whole or not 0 <= tally.wins <= WIN * tally.games or tally.games < 1:
            raise ValueError(f"{moves}: {numbers}")
        if line in counts:
            raise ValueError(f"{moves} twice")
        counts[line] = tally
    return counts
