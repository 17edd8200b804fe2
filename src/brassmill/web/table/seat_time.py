"""A seat's time as a small state machine, without a database.

Time runs only while the table waits for the seat's player. It grows in two cases only: by the
increment when a turn ends, and by one grant for an absence in which a bot really played. The time
for a turn starts afresh only when a new turn begins: one that is taken back goes on with what was
left when it ended. Vacation stops the clock and adds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from brassmill.web.setup.clocks import GameClock

RETURNING = 10  # after an absence, a player has at least a tenth of the full time


@dataclass(frozen=True)
class SeatTime:
    """What a seat has left, and until when it runs."""

    clock: GameClock
    stored: timedelta | None = None  # left when the clock last stopped; None: all of it
    due: datetime | None = None  # when the time is up; None: the clock stands still

    def left(self, now: datetime, away_until: datetime | None = None) -> timedelta:
        """The time left; during a vacation it stands still."""
        if self.due is not None:
            return max(timedelta(), self.due - (away_until or now))
        return self.clock.time if self.stored is None else self.stored

    def begin_turn(self, now: datetime, away_until: datetime | None = None) -> SeatTime:
        """A new turn begins."""
        fresh = self if self.clock.is_bank else replace(self, stored=None)
        return fresh.resume(now, away_until)

    def resume(self, now: datetime, away_until: datetime | None = None) -> SeatTime:
        """The clock goes on in the same turn, with exactly what was left."""
        return replace(self, due=(away_until or now) + self.left(now))

    def stop(self, now: datetime, away_until: datetime | None = None) -> SeatTime:
        """The clock stops in the middle of a turn: the player has left."""
        return replace(self, stored=self.left(now, away_until), due=None)

    def end_turn(self, now: datetime, away_until: datetime | None = None) -> SeatTime:
        """The clock stops at the end of a turn."""
        stopped = self.stop(now, away_until)
        if not self.clock.is_bank:
            return replace(stopped, stored=None)
        return replace(stopped, stored=stopped.left(now) + self.clock.increment)

    def take_back(self, left: timedelta) -> SeatTime:
        """The last turn, which ended with this much left, has not ended: no increment either."""
        if not self.clock.is_bank:
            return replace(self, stored=left)
        now = self.clock.time if self.stored is None else self.stored
        return replace(self, stored=max(timedelta(), now - self.clock.increment))

    def after_absence(self) -> SeatTime:
        """A bot has played for the player: they get enough time to play on."""
        if not self.clock.is_bank or self.stored is None:
            return self
        return replace(self, stored=max(self.stored, self.clock.time / RETURNING))
