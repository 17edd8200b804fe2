"""Who plays which deal in which seats, derived from a few settings.

Every deal is played by one lineup in all rotations of its seats, so that everyone has the same
luck with deal and seat. Everything about a game follows from the settings and its number, so any
process can play any game, and an interrupted run resumes as the same run.

>>> schedule = Schedule("birmingham", 4, {}, ("greedy", "random"), games=4, seed=1, clock=60.0)
>>> [schedule.match(number).seats for number in range(4)]
[(0, 1, 0, 1), (1, 0, 1, 0), (0, 1, 0, 1), (1, 0, 1, 0)]
>>> [schedule.match(number).deal for number in range(4)]
[0, 0, 1, 1]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from brassmill import editions
from brassmill.editions import Edition, Value

Seats = tuple[int, ...]  # by seat: the index of its bot


@dataclass(frozen=True)
class Match:
    """One game to play."""

    game: int  # its number, from 0
    deal: int  # the number of its deal, from 0
    seed: int  # of the deal
    seats: Seats
    bot_seed: int  # the bots' seed


@dataclass(frozen=True)
class Schedule:
    """The settings of a run."""

    edition: str
    players: int
    options: Mapping[str, Value]  # those that differ from the default
    bots: tuple[str, ...]  # specs; one may be named several times
    games: int
    seed: int
    clock: float  # seconds that a bot has for a choice

    @cached_property
    def table(self) -> Edition:
        """The edition with its players and options."""
        return editions.edition(self.edition, self.players, **self.options)

    @cached_property
    def lineups(self) -> tuple[Seats, ...]:
        """The groups of bots that play together, so that every bot plays equally often.

        All bots as often as they fit at the table, plus every combination in the remaining seats.
        """
        everybody = range(len(self.bots))
        times, left = divmod(self.players, len(self.bots))
        return tuple((*everybody,) * times + rest for rest in combinations(everybody, left))

    @cached_property
    def set(self) -> tuple[tuple[int, Seats], ...]:
        """The games after which all bots are even, each as its lineup's number and the seats."""
        return tuple(
            (number, seats)
            for number, lineup in enumerate(self.lineups)
            for seats in self._rotations(lineup)
        )

    def _rotations(self, lineup: Seats) -> Iterable[Seats]:
        """The rotations that differ in who sits where; a single bot has only one."""
        different: dict[tuple[str, ...], Seats] = {}
        for turn in range(len(lineup)):
            seats = lineup[-turn:] + lineup[:-turn]
            different.setdefault(tuple(self.bots[bot] for bot in seats), seats)
        return different.values()

    def in_whole_sets(self) -> Schedule:
        """The same schedule with the number of games rounded up to whole sets."""
        sets = -(-self.games // len(self.set))
        return replace(self, games=sets * len(self.set))

    def match(self, number: int) -> Match:
        """The game with this number."""
        done, within = divmod(number, len(self.set))
        lineup, seats = self.set[within]
        deal = done * len(self.lineups) + lineup
        return Match(
            number, deal, self._seed_for("deal", deal), seats, self._seed_for("bots", number)
        )

    def _seed_for(self, *what: object) -> int:
        """A separate seed for everything that needs one."""
        name = " ".join(map(str, ("arena", self.seed, *what)))
        digest = hashlib.blake2b(name.encode(), digest_size=6).digest()
        return int.from_bytes(digest)  # 48 bits: every JSON reader keeps them exactly
