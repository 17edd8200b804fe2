"""The clocks a host can choose from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from brassmill.web.models import Table

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class Clock:
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
        Clock("turn-5m", 5 * MINUTE),
        Clock("turn-1h", HOUR),
        Clock("turn-12h", 12 * HOUR),
        Clock("turn-1d", DAY),
        Clock("turn-3d", 3 * DAY),
        Clock("turn-7d", 7 * DAY),
        Clock("bank-30m", 30 * MINUTE, is_bank=True, increment=MINUTE),
        Clock("bank-2h", 2 * HOUR, is_bank=True, increment=2 * MINUTE),
        Clock("bank-7d", 7 * DAY, is_bank=True, increment=6 * HOUR),
        Clock("bank-30d", 30 * DAY, is_bank=True, increment=12 * HOUR),
    )
}
LONG = [clock.name for clock in CLOCKS.values() if clock.is_long]


def has_bank(table: Table) -> bool:
    """Does each player have a time limit for the whole game?"""
    return table.clock in CLOCKS and CLOCKS[table.clock].is_bank
