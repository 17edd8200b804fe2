"""Who plays which deal in which seats: all of it follows from a few settings.

Every deal is played by one lineup in all rotations of its seats, so that luck of the deal and of
the seat falls on everybody. Everything about a game follows from the settings and its number, so
that any process can play any game, and a run that was interrupted goes on as the same run.

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

Seats = tuple[int, ...]  # who sits in each seat, as a number into the list of bots


@dataclass(frozen=True)
class Match:
    """One game that is to be played."""

    game: int  # its number, from 0
    deal: int  # the number of its deal, from 0
    seed: int  # of the deal
    seats: Seats
    chance: int  # the seed of the bots


@dataclass(frozen=True)
class Schedule:
    """The settings of a run."""

    edition: str
    players: int
    options: Mapping[str, Value]  # those that differ from their defaults
    bots: tuple[str, ...]  # specs; one may be named several times
    games: int
    seed: int
    clock: float  # seconds that a bot has for an answer

    @cached_property
    def table(self) -> Edition:
        """The edition with everything decided."""
        return editions.edition(self.edition, self.players, **self.options)

    @cached_property
    def lineups(self) -> tuple[Seats, ...]:
        """Who plays together, in turn: every bot equally often.

        All bots as often as they fit at the table, and in the seats left over every combination.
        """
        everybody = range(len(self.bots))
        times, left = divmod(self.players, len(self.bots))
        return tuple((*everybody,) * times + rest for rest in combinations(everybody, left))

    @cached_property
    def set(self) -> tuple[tuple[int, Seats], ...]:
        """The games of a set, after which all are even: the number of the lineup and the seats."""
        return tuple(
            (number, seats)
            for number, lineup in enumerate(self.lineups)
            for seats in self._rotations(lineup)
        )

    def _rotations(self, lineup: Seats) -> Iterable[Seats]:
        """The rotations in which different bots sit somewhere: of one bot alone, there is one."""
        different: dict[tuple[str, ...], Seats] = {}
        for turn in range(len(lineup)):
            seats = lineup[-turn:] + lineup[:-turn]
            different.setdefault(tuple(self.bots[bot] for bot in seats), seats)
        return different.values()

    def in_whole_sets(self) -> Schedule:
        """The same with the number of games rounded up, so that every set is complete."""
        sets = -(-self.games // len(self.set))
        return replace(self, games=sets * len(self.set))

    def match(self, number: int) -> Match:
        """The game with a number."""
        done, within = divmod(number, len(self.set))
        lineup, seats = self.set[within]
        deal = done * len(self.lineups) + lineup
        return Match(number, deal, self._chance("deal", deal), seats, self._chance("bots", number))

    def _chance(self, *what: object) -> int:
        """A seed of its own for everything that needs one."""
        name = " ".join(map(str, ("arena", self.seed, *what)))
        digest = hashlib.blake2b(name.encode(), digest_size=6).digest()
        return int.from_bytes(digest)  # as many bits as every JSON reader keeps
