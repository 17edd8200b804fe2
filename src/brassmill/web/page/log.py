"""The log for the page: what happened, in words, and which page elements it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from brassmill.core.events import Event
from brassmill.editions.edition import INDUSTRY, Edition
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.play.session import HistoryPart
from brassmill.web.models import Entry
from brassmill.web.page import dom_ids
from brassmill.web.page.game_list import level_of
from brassmill.words.log import LogLine, log_lines

MOST = 60  # lines that the page shows


@dataclass(frozen=True)
class LineView:
    """A line of the log."""

    seat: int | None  # None: not a player's
    text: str  # follows the player's name
    details: str
    id: str  # stable as the log grows
    elements: tuple[str, ...]  # the page elements it changed
    fresh: bool  # since the viewer's last turn, excluding their current one
    own: bool  # the viewer's, in their current turn


@dataclass(eq=False)
class LogPart(HistoryPart):
    """A part of a game's history, with its lines and the page elements it changed."""

    _lines: dict[str, tuple[LogLine, ...]] = field(default_factory=dict, init=False, repr=False)
    _touched: tuple[str, ...] | None = field(default=None, init=False, repr=False)

    def lines(self, seats: Sequence[str]) -> tuple[LogLine, ...]:
        """The part in the current language, cached."""
        code = language()
        if code not in self._lines:
            self._lines[code] = tuple(log_lines(self.events, seats))
        return self._lines[code]

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

    def lines(self, seats: Sequence[str]) -> tuple[LogLine, ...]:
        """The line in the current language."""
        if not self.bot and self.why == Entry.OFFERED:
            return (LogLine(self.seat, _("loses the seat; it is offered to someone else")),)
        if not self.bot:
            return (LogLine(self.seat, _("is back")),)
        reasons = {
            Entry.TIME: _("ran out of time"),
            Entry.LEFT: _("left the game"),
            Entry.ASKED: _("is away"),
            Entry.CONCEDED: _("concedes"),
        }
        level = level_of(self.bot)
        plays = _("a bot takes over ({level})").format(level=level)
        if self.why not in reasons:
            return (LogLine(self.seat, _("is now played by a bot ({level})").format(level=level)),)
        return (LogLine(self.seat, reasons[self.why], plays),)


@dataclass(eq=False)
class Rewind(LogPart):
    """The operator has rewound the game to here."""

    def lines(self, seats: Sequence[str]) -> tuple[LogLine, ...]:
        """The line in the current language."""
        return (LogLine(None, _("The operator has rewound the game to this point.")),)


@dataclass(eq=False)
class TakenBack(LogPart):
    """A player has taken back a turn."""

    def is_played_by(self, seat: int) -> bool:
        """It is nobody's action."""
        return False

    def lines(self, seats: Sequence[str]) -> tuple[LogLine, ...]:
        """The line in the current language."""
        return (LogLine(self.seat, _("takes back their turn")),)


@dataclass(eq=False)
class AgreedEnd(LogPart):
    """The players have agreed to end the game."""

    def lines(self, seats: Sequence[str]) -> tuple[LogLine, ...]:
        """The line in the current language."""
        words = _("The players agreed to end the game here.")
        return (LogLine(None, words, _("VP as if the era ended now")),)


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
    parts: list[list[LineView]] = []
    count = 0
    for place in range(len(history) - 1, -1, -1):
        if count >= MOST and place < seen:
            break
        part = history[place]
        touched, fresh, own = part.touched(edition), seen <= place < news, place >= news
        lines = [
            LineView(line.seat, line.text, line.details, f"{place}-{n}", touched, fresh, own)
            for n, line in enumerate(part.lines(seats))
        ]
        parts.append(lines)
        count += len(lines)
    return tuple(line for lines in reversed(parts) for line in lines)


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
                yield dom_ids.line_element(edition, edition.find_line(event.line))
            case "barrel_used":
                names = [edition.merchant_name(n) for n in range(len(edition.merchants))]
                yield dom_ids.merchant_element(edition, names.index(event.merchant))
            case "distant_tile":
                yield dom_ids.DISTANT
            case "developed":
                yield dom_ids.mat_element(event.seat, INDUSTRY.index(event.industry))


def _space(edition: Edition, name: str) -> str:
    place, number = edition.find_space(name)
    return dom_ids.space_element(edition, edition.space_at(place, number or 1))
