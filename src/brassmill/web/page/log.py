"""The log for the page: what happened, in words, and which page elements it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from brassmill import terms
from brassmill.core.events import ERAS, Event
from brassmill.editions.edition import INDUSTRY, Edition
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.play.session import HistoryPart
from brassmill.svg.panel import capital
from brassmill.web.models import Entry
from brassmill.web.page import dom_ids
from brassmill.web.page.figures import LogFigure, figures_of, title_of
from brassmill.web.page.game_list import level_of
from brassmill.words.log import LogEntry, LogLine, log_entries

MOST = 40  # lines that the page shows: about four rounds of four players
OPEN = 2  # rounds that are not folded

Round = tuple[str, int]  # era and number
FIRST: Round = (ERAS[0], 1)


@dataclass(frozen=True)
class LineView:
    """A line of the log."""

    seat: int | None  # None: not a player's
    text: str  # follows the player's name
    details: str
    title: str  # the text without what the figures show
    figures: tuple[LogFigure, ...]  # the details as symbols
    era: str
    round: int
    action: int  # its number, if it is a whole action; 0: it is not
    id: str  # stable as the log grows
    elements: tuple[str, ...]  # the page elements it changed
    fresh: bool  # since the viewer's last turn, excluding their current one
    own: bool  # the viewer's, in their current turn
    is_heading: bool = False  # it announces its round

    def __hash__(self) -> int:  # fast: log lines are looked up in a cache with every update
        return hash((self.id, self.title, self.fresh))


class RoundView(NamedTuple):
    """The lines of a round."""

    id: str
    words: str  # `Canal era, round 3`
    heading: str  # the id of the line that announces it; empty: it is not shown any more
    is_open: bool  # not folded, unless the reader wishes
    since: str  # the line that is the first since the viewer's last turn; empty: not in this round
    own: str  # the first of the viewer's current turn
    lines: tuple[LineView, ...]


class Told(NamedTuple):
    """A line of a part of the history, as the page shows it."""

    line: LogLine
    title: str
    figures: tuple[LogFigure, ...]
    begins: Round | None  # the round that the line announces


@dataclass(eq=False)
class LogPart(HistoryPart):
    """A part of a game's history, with its lines and the page elements it changed."""

    _told: dict[str, tuple[Told, ...]] = field(default_factory=dict, init=False, repr=False)
    _touched: tuple[str, ...] | None = field(default=None, init=False, repr=False)

    def lines(self, seats: Sequence[str]) -> tuple[LogLine, ...]:
        """The lines of the part in the current language."""
        return tuple(told.line for told in self.told(seats))

    def told(self, seats: Sequence[str]) -> tuple[Told, ...]:
        """The part in the current language, cached."""
        code = language()
        if code not in self._told:
            entries = self.entries(seats)
            self._told[code] = tuple(_told(entry, seats) for entry in entries)
        return self._told[code]

    def entries(self, seats: Sequence[str]) -> Iterable[LogEntry]:
        """The lines of the part with their events, in the current language."""
        return log_entries(self.events, seats)

    @cached_property
    def begins(self) -> Round | None:
        """The round that begins after it."""
        began = (event for event in self.events if event.kind == "round_began")
        return next(((event.era, event.round) for event in began), None)

    def is_played_by(self, seat: int) -> bool:
        """Is it an action of this seat?"""
        return self.seat == seat

    def touched(self, edition: Edition) -> tuple[str, ...]:
        """The page elements it changed, cached."""
        if self._touched is None:
            self._touched = touched_by(edition, self.events)
        return self._touched


@dataclass(eq=False)
class SeatChange(LogPart):
    """A seat changes hands: to a bot, or back to a person."""

    bot: str = ""
    why: str = ""

    def is_played_by(self, seat: int) -> bool:
        """It is nobody's action."""
        return False

    def entries(self, seats: Sequence[str]) -> Iterable[LogEntry]:
        """The line in the current language."""
        yield LogEntry(self._line(), ())

    def _line(self) -> LogLine:
        if not self.bot and self.why == Entry.OFFERED:
            return LogLine(self.seat, _("loses the seat; it is offered to someone else"))
        if not self.bot:
            return LogLine(self.seat, _("is back"))
        reasons = {
            Entry.TIME: _("ran out of time"),
            Entry.LEFT: _("left the game"),
            Entry.ASKED: _("is away"),
            Entry.CONCEDED: _("concedes"),
        }
        level = level_of(self.bot)
        plays = _("a bot takes over ({level})").format(level=level)
        if self.why not in reasons:
            return LogLine(self.seat, _("is now played by a bot ({level})").format(level=level))
        return LogLine(self.seat, reasons[self.why], plays)


@dataclass(eq=False)
class Rewind(LogPart):
    """The operator has rewound the game to here."""

    def entries(self, seats: Sequence[str]) -> Iterable[LogEntry]:
        """The line in the current language."""
        yield LogEntry(LogLine(None, _("The operator has rewound the game to this point.")), ())


@dataclass(eq=False)
class TakenBack(LogPart):
    """A player has taken back a turn."""

    def is_played_by(self, seat: int) -> bool:
        """It is nobody's action."""
        return False

    def entries(self, seats: Sequence[str]) -> Iterable[LogEntry]:
        """The line in the current language."""
        yield LogEntry(LogLine(self.seat, _("takes back their turn")), ())


@dataclass(eq=False)
class AgreedEnd(LogPart):
    """The players have agreed to end the game."""

    def entries(self, seats: Sequence[str]) -> Iterable[LogEntry]:
        """The line in the current language."""
        words = _("The players agreed to end the game here.")
        yield LogEntry(LogLine(None, words, _("VP as if the era ended now")), ())


def _told(entry: LogEntry, seats: Sequence[str]) -> Told:
    events = entry.events
    is_heading = bool(events) and events[0].kind == "round_began"
    begins = (events[0].era, events[0].round) if is_heading else None
    return Told(entry.line, title_of(entry), figures_of(entry, seats), begins)


def lines_of(
    edition: Edition,
    seats: Sequence[str],
    history: Sequence[LogPart],
    seen: int,
    viewer: int | None = None,
) -> tuple[LineView, ...]:
    """The last lines of a history, newest last.

    Lines after the first `seen` parts are fresh, except the viewer's own actions at the end, which
    are not news to them.
    """
    news = len(history)
    while viewer is not None and news > seen and history[news - 1].is_played_by(viewer):
        news -= 1
    first = len(history)
    count = 0
    for place in range(len(history) - 1, -1, -1):
        if count >= MOST and place < seen:
            break
        first = place
        count += len(history[place].told(seats))
    now = _round_before(history, first)
    lines = []
    for place in range(first, len(history)):
        part = history[place]
        touched, fresh, own = part.touched(edition), seen <= place < news, place >= news
        for n, told in enumerate(part.told(seats)):
            now = told.begins or now
            lines.append(
                LineView(
                    *told.line,
                    title=told.title,
                    figures=told.figures,
                    era=now[0],
                    round=now[1],
                    action=0 if n or part.seat is None or not part.events else part.number,
                    id=f"{place}-{n}",
                    elements=touched,
                    fresh=fresh,
                    own=own,
                    is_heading=told.begins is not None,
                )
            )
    return tuple(lines)


def _round_before(history: Sequence[LogPart], place: int) -> Round:
    """The round at a place of the history."""
    began = (part.begins for part in reversed(history[:place]) if part.begins)
    return next(began, FIRST)


def rounds_of(lines: Sequence[LineView]) -> tuple[RoundView, ...]:
    """Lines by round; all but the latest rounds are folded. A heading tells that a round begins."""
    rounds = [
        (at, tuple(group)) for at, group in groupby(lines, lambda line: (line.era, line.round))
    ]
    shown = [line for line in lines if not line.is_heading]
    since = next((line for line in shown if line.fresh), None)
    own = next((line for line in shown if line.own), None)
    return tuple(
        RoundView(
            id=f"round-{era}-{number}",
            words=capital(round_words(era, number)),
            heading=next((line.id for line in group if line.is_heading), ""),
            is_open=len(rounds) - place <= OPEN,
            since=since.id if since and since in group else "",
            own=own.id if own and own in group else "",
            lines=tuple(line for line in group if not line.is_heading),
        )
        for place, ((era, number), group) in enumerate(rounds)
    )


def round_words(era: str, number: int) -> str:
    """`canal era, round 3`."""
    return _("{era}, round {number}").format(era=terms.era(era), number=number)


def touched_by(edition: Edition, events: Iterable[Event]) -> tuple[str, ...]:
    """The page elements that events changed, without duplicates."""
    return tuple(dict.fromkeys(_touched(edition, events)))


def _touched(edition: Edition, events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        match event.kind:
            case "built" | "flipped" | "sold" | "delivered" | "gave_up":
                yield _space(edition, event.space)
            case "sold_to_port":
                yield _space(edition, event.port)
            case "coal_used" | "iron_used" | "beer_used":
                resource = event.kind.removesuffix("_used")
                bought = event.source == "market"
                yield f"{resource}-market" if bought else _space(edition, event.source)
            case "linked":
                yield dom_ids.line_named(edition, event.line)
            case "barrel_used":
                yield dom_ids.merchant_named(edition, event.merchant)
            case "distant_tile":
                yield dom_ids.DISTANT
            case "developed":
                yield dom_ids.mat_element(event.seat, INDUSTRY.index(event.industry))


def _space(edition: Edition, name: str) -> str:
    return dom_ids.space_named(edition, name)
