"""A seat's time grows only by the increment and by one grant for each absence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.table.seat_time import RETURNING, SeatTime

NOTHING = timedelta()


class Timing(RuleBasedStateMachine):
    """One seat of a timed game: turns, absences, vacations, and time that passes."""

    @initialize(name=st.sampled_from(sorted(CLOCKS)))
    def sit_down(self, name: str) -> None:
        self.clock = CLOCKS[name]
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.away: datetime | None = None  # on vacation until then
        self.time = SeatTime(self.clock)
        self.turn, self.is_turn = 0, False
        self.left_in = 0  # the turn in which the player left; 0: between turns
        self.is_absent = self.bot_played = False
        self.most = self.clock.time  # the most that may be left
        self.ended_with: timedelta | None = None  # left when the last turn ended; None: it stays

    @property
    def away_now(self) -> datetime | None:
        """When the player is back from vacation, if they are away."""
        return self.away if self.away and self.away > self.now else None

    @property
    def left(self) -> timedelta:
        return self.time.left(self.now, self.away_now)

    # --- what can happen -------------------------------------------------------------------------

    @rule(part=st.floats(0, 1.2) | st.just(0.95))  # often, little is left
    def time_passes(self, part: float) -> None:
        before, passed = self.left, part * self.clock.time
        running = passed
        if self.away_now:
            running = max(NOTHING, passed - (self.away_now - self.now))
        self.now += passed
        if self.time.due:
            self.most = max(NOTHING, before - running)
            assert abs(self.left - self.most) < timedelta(milliseconds=1)
        else:
            assert self.left == before

    @precondition(lambda self: not self.is_turn)
    @rule()
    def turn_begins(self) -> None:
        self.turn, self.is_turn = self.turn + 1, True
        self.ended_with = None
        if not self.clock.is_bank:
            self.most = self.clock.time
        if not self.is_absent:
            self.time = self.time.begin_turn(self.now, self.away_now)

    @precondition(lambda self: self.is_turn)
    @rule()
    def turn_ends(self) -> None:
        self.is_turn = False
        if self.is_absent:
            self.bot_played = True
            return
        self.ended_with = self.left
        self.time = self.time.end_turn(self.now, self.away_now)
        if self.clock.is_bank:
            self.most += self.clock.increment
        else:
            self.most = self.clock.time  # shown to nobody until the next turn begins

    @precondition(lambda self: self.ended_with)
    @rule()
    def turn_is_taken_back(self) -> None:
        left, self.ended_with = self.ended_with, None
        assert left is not None
        self.is_turn = True
        self.time = self.time.take_back(left).resume(self.now, self.away_now)
        self.most = left
        assert abs(self.left - left) < timedelta(milliseconds=1)

    @precondition(lambda self: self.is_absent and self.is_turn)
    @rule()
    def bot_plays_an_action(self) -> None:
        self.bot_played = True

    @precondition(lambda self: not self.is_absent)
    @rule()
    def player_leaves(self) -> None:
        self.is_absent, self.bot_played = True, False
        self.ended_with = None
        self.left_in = self.turn if self.is_turn else 0
        if self.is_turn:
            before = self.left
            self.time = self.time.stop(self.now, self.away_now)
            assert self.left == before

    @precondition(lambda self: self.is_absent)
    @rule()
    def player_returns(self) -> None:
        self.is_absent = False
        if self.bot_played:
            self.time = self.time.after_absence()
            if self.clock.is_bank:
                self.most = max(self.most, self.clock.time / RETURNING)
        before = self.left
        if self.is_turn and self.left_in == self.turn:
            self.time = self.time.resume(self.now, self.away_now)
            assert self.left == before
        elif self.is_turn:
            self.time = self.time.begin_turn(self.now, self.away_now)

    @precondition(lambda self: self.clock.is_long and not self.away_now)
    @rule(days=st.integers(1, 21))
    def vacation_begins(self, days: int) -> None:
        before = self.left
        self.away = self.now + timedelta(days=days)
        self.shift(timedelta(days=days))
        assert self.left == before

    @precondition(lambda self: self.away_now)
    @rule()
    def vacation_ends_early(self) -> None:
        before, until = self.left, self.away_now
        assert until
        self.away = None
        self.shift(self.now - until)
        assert self.left == before

    def shift(self, time: timedelta) -> None:
        """Move the deadline, as `vacation.py` does in the database."""
        if self.time.due:
            self.time = replace(self.time, due=self.time.due + time)

    # --- what must hold --------------------------------------------------------------------------

    @invariant()
    def no_time_is_made(self) -> None:
        if hasattr(self, "time"):
            assert NOTHING <= self.left <= self.most + timedelta(milliseconds=1)

    @invariant()
    def the_clock_runs_only_for_a_present_player(self) -> None:
        if hasattr(self, "time"):
            assert (self.time.due is not None) == (self.is_turn and not self.is_absent)


TestSeatTime = Timing.TestCase
TestSeatTime.settings = settings(deadline=None)
