"""The clocks a host can choose from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from brassmill.web.models import Table

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class GameClock:
    """A time limit, per turn or for the whole game."""

    name: str
    time: timedelta
    is_bank: bool = False  # for the whole game
    increment: timedelta = timedelta()  # added to the bank after each turn

    @property
    def is_long(self) -> bool:
        """Is it for games over days, which allow vacation?"""
        return self.time >= DAY


CLOCKS = {
    clock.name: clock
    for clock in (
        GameClock("turn-5m", 5 * MINUTE),
        GameClock("turn-1h", HOUR),
        GameClock("turn-12h", 12 * HOUR),
        GameClock("turn-1d", DAY),
        GameClock("turn-3d", 3 * DAY),
        GameClock("turn-7d", 7 * DAY),
        GameClock("bank-30m", 30 * MINUTE, is_bank=True, increment=MINUTE),
        GameClock("bank-2h", 2 * HOUR, is_bank=True, increment=2 * MINUTE),
        GameClock("bank-7d", 7 * DAY, is_bank=True, increment=6 * HOUR),
        GameClock("bank-30d", 30 * DAY, is_bank=True, increment=12 * HOUR),
    )
}
LONG = [clock.name for clock in CLOCKS.values() if clock.is_long]


def has_bank(table: Table) -> bool:
    """Does each player have a time limit for the whole game?"""
    return table.clock in CLOCKS and CLOCKS[table.clock].is_bank
