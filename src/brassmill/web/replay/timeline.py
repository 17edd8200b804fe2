"""A record as a timeline: the table after every action, and what happened in between.

Every replay is a record: the full one of a finished game, a seat's while the game runs, or an
upload. So nothing is shown that the record does not contain. A seat's record allows only that
seat's view and a spectator's, because all other cards in it are made up.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from brassmill.core.engine import Engine
from brassmill.core.events import Event
from brassmill.core.outcome import Outcome, Points, outcome_of, score_now
from brassmill.core.view import View, view_of
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.record import SPECTATOR, Record, replay
from brassmill.record.record import AGREED
from brassmill.web.page.log import LogPart, round_words, touched_by
from brassmill.web.page.scene import EraEnd, Scene, agreed_ending, scene_name, scene_of
from brassmill.words.log import LogLine

OPEN = "open"  # all hands
ROUND_ENDS = ("income_paid", "order_set", "era_ended", "round_began", "game_ended")


@dataclass(frozen=True)
class Frame:
    """The table after an action, and what led there; frame 0 is the start."""

    number: int
    seat: int | None  # the seat that acted
    era: str  # the era of the action
    round: int
    action: LogPart
    after: LogPart  # what followed automatically
    comment: str
    state: bytes  # the position, with everything the record knows or makes up


class TimelineEntry(NamedTuple):
    """A line of the log: an action and what followed."""

    number: int
    line: LogLine
    after: tuple[LogLine, ...]
    comment: str


class Round(NamedTuple):
    """A round in the log."""

    words: str  # `Canal era, round 3`
    start: int  # its first frame
    entries: tuple[TimelineEntry, ...]


class Timeline:
    """A record, replayed from its first action to its last."""

    def __init__(self, record: Record) -> None:
        """Replay it; raise `Difference` where it cannot be played as written."""
        self.record = record
        self.edition = record.edition
        self.seats = record.seats
        game = replay.start(record)
        nothing = LogPart(None, 0, ())
        start = game.engine.snapshot()
        frames = [
            Frame(0, None, game.era, game.round, nothing, nothing, record.root.comment, start)
        ]
        self.endings: dict[int, EraEnd] = {}  # of eras, by the number of the action
        line = record.main_line()
        for node in line:
            seat, era, number = game.seat, game.era, game.round
            events = replay.play(record, game, node)
            self._add(frames, game, seat, era, number, events, node.comment)
        replay.check_end(record, game, line[-1] if line else record.root)
        self.frames = tuple(frames)
        if record.closing == AGREED:
            latest = self.endings.get(self.last)
            self.endings[self.last] = agreed_ending(game.engine, self.last, latest)

    def _add(
        self,
        frames: list[Frame],
        game: Game,
        seat: int | None,
        era: str,
        round_: int,
        events: list[Event],
        comment: str,
    ) -> None:
        """Add the frame of an action just played, and its scene if it ended an era."""
        done, after = _split(events)
        number = len(frames)
        if name := scene_name(after):
            self.endings[number] = EraEnd(
                name=name,
                number=number,
                events=tuple(events),
                before=frames[-1].state,
                choices=game.actions[-1].ids,
                after=game.engine.snapshot(),
            )
        frames.append(
            Frame(
                number=number,
                seat=seat,
                era=era,
                round=round_,
                action=LogPart(seat, number, done),
                after=LogPart(None, number, after),
                comment=comment,
                state=game.engine.snapshot(),
            )
        )

    @property
    def last(self) -> int:
        """Return the number of the last action."""
        return len(self.frames) - 1

    # --- points of view -----------------------------------------------------------------------

    @property
    def angles(self) -> tuple[str, ...]:
        """Return the points of view: open, the seats by number, a spectator."""
        viewer = self.record.viewer
        if viewer is None:
            return (OPEN, *map(str, range(len(self.seats))), SPECTATOR)
        return (SPECTATOR,) if viewer == SPECTATOR else (str(viewer), SPECTATOR)

    def angle(self, wanted: str) -> str:
        """Return the requested point of view if it exists, or else the first."""
        return wanted if wanted in self.angles else self.angles[0]

    def view(self, at: int, angle: str) -> View:
        """Return the table after an action, from a point of view."""
        if angle not in self.angles:
            raise BrassError(f"this record is not for {angle!r}, only for {self.angles}")
        return self._view(at, int(angle) if angle.isdecimal() else None)

    def hands(self, at: int, angle: str) -> dict[int, View]:
        """Return the views of the seats whose hands are visible from a point of view."""
        if angle == OPEN and OPEN in self.angles:
            return {seat: self._view(at, seat) for seat in range(len(self.seats))}
        view = self.view(at, angle)
        return {} if view.seat is None else {view.seat: view}

    def _view(self, at: int, seat: int | None) -> View:
        return view_of(self.edition, self.seats, self.engine(at).state, seat, at)

    def engine(self, at: int) -> Engine:
        """Return an engine at the position after an action."""
        return Engine(self.edition, self.seats, self.frames[at].state)

    # --- how the game went -----------------------------------------------------------------------

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Return the actions in the notation, each in its canonical words."""
        return tuple(action.text for action in self.record.game().actions)

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """Return the frames in which a round begins, and the last one."""
        rounds = groupby(self.frames[1:], key=lambda frame: (frame.era, frame.round))
        begins = [next(frames).number - 1 for _round, frames in rounds]
        return tuple(dict.fromkeys([0, *begins, self.last]))

    def round_before(self, at: int) -> int:
        """Return the last stop before a frame."""
        return self.stops[max(0, bisect_left(self.stops, at) - 1)]

    def round_after(self, at: int) -> int:
        """Return the first stop after a frame."""
        return self.stops[min(len(self.stops) - 1, bisect_right(self.stops, at))]

    def touched(self, at: int) -> tuple[str, ...]:
        """Return the picture elements that an action changed."""
        return touched_by(self.edition, self.frames[at].action.events)

    def log(self) -> list[Round]:
        """Return everything that happened, in the language of the context."""
        rounds = []
        for (era, number), frames in groupby(
            self.frames[1:], key=lambda frame: (frame.era, frame.round)
        ):
            entries = tuple(map(self.entry, frames))
            words = round_words(era, number)
            rounds.append(Round(words, entries[0].number - 1, entries))
        return rounds

    def entry(self, frame: Frame) -> TimelineEntry:
        """Return a frame as text."""
        first, *more = frame.action.lines(self.seats) or (LogLine(None, ""),)
        return TimelineEntry(
            frame.number, first, (*more, *frame.after.lines(self.seats)), frame.comment
        )

    def standing(self, at: int) -> tuple[Points, ...]:
        """Return the VP each seat would add if the era ended there."""
        return score_now(self.engine(at))

    def scene(self, at: int) -> Scene | None:
        """Return the end of an era, if an action led to it."""
        ending = self.endings.get(at)
        if ending is None:
            return None
        return scene_of(
            self.edition, self.seats, ending, self.outcome() if at == self.last else None
        )

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None if it has not."""
        record = self.record
        return outcome_of(self.engine(self.last), record.conceded, record.closing == AGREED)


def _split(events: list[Event]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """Split the events of an action from those of the round end; headings name the rounds."""
    end = next((n for n, event in enumerate(events) if event.kind in ROUND_ENDS), len(events))
    after = (event for event in events[end:] if event.kind != "round_began")
    return tuple(events[:end]), tuple(after)
