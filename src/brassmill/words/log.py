"""The log, action by action: events in words, without repetition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from brassmill import terms
from brassmill.core.events import Event
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.words import event_words

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"

# Shown elsewhere on the table, or implied by another event.
QUIET = ("drew", "order_set", "game_ended")
# The main event of an action, which comes first.
ACTIONS = (
    *("built", "linked", "sold", "sold_to_port", "developed", "borrowed"),
    *("scouted", "passed", "gave_up"),
)
SCORES = {
    "link_scored": "links",
    "tile_scored": "tiles",
    "cash_scored": "cash",
    "income_scored": "income",
}


class LogLine(NamedTuple):
    """A line of the log: the seat, what happened, and the details.

    The text follows the name of the seat, which it leaves out.
    """

    seat: int | None
    text: str
    details: str = ""


class LogEntry(NamedTuple):
    """A line of the log, and the events it is about."""

    line: LogLine
    events: tuple[Event, ...]


def log_lines(events: Iterable[Event], seats: Sequence[str]) -> Iterator[LogLine]:
    """The lines of the log, in the language of the context."""
    return (entry.line for entry in log_entries(events, seats))


def log_entries(events: Iterable[Event], seats: Sequence[str]) -> Iterator[LogEntry]:
    """The lines of the log with their events, in the language of the context."""
    shown = [event for event in events if not is_quiet(event)]
    for kind, together in groupby(shown, line_kind):
        yield from LINE_MAKERS[kind](list(together), seats)


def is_quiet(event: Event) -> bool:
    if event.kind == "received":  # loans, bonuses and deliveries have events of their own
        return bool(event.purpose != "tile given up")
    if event.kind == "paid":  # cubes from the market have events of their own, too
        return event.purpose in ("coal", "iron")
    return event.kind in QUIET or (event.kind == "income_paid" and event.pounds == 0)


def line_kind(event: Event) -> str:
    """The kind of line an event belongs to."""
    if event.kind in SCORES:
        return "scored"
    return event.kind if event.kind in LINE_MAKERS else "action"


def actions(events: list[Event], seats: Sequence[str]) -> Iterator[LogEntry]:
    """One line for each action; an action begins with the cards discarded for it."""
    begun: list[Event] = []
    for event in events:
        begins = event.kind == "gave_up" or (
            event.kind == "discarded" and any(other.kind != "discarded" for other in begun)
        )
        if begins and begun:
            yield action(begun, seats)
            begun = []
        begun.append(event)
    yield action(begun, seats)


def action(events: list[Event], seats: Sequence[str]) -> LogEntry:
    """An action: first the main event, then the details."""
    seat = next(event.seat for event in events if hasattr(event, "seat"))
    ports = {event.space for event in events if event.kind == "sold_to_port"}
    events = with_resources(events)
    said = [
        (event, count)
        for event, count in merged(events)
        if event.kind != "sold" or event.space not in ports  # implied by the sale to the port
    ]
    done = with_one_development([pair for pair in said if pair[0].kind in ACTIONS])
    rest = [(event, count) for event, count in said if event.kind not in ACTIONS]
    if not done:  # the middle of an action
        return LogEntry(LogLine(seat, sentence(rest, seat, seats)), tuple(events))
    line = LogLine(seat, sentence(done, seat, seats), sentence(rest, seat, seats))
    return LogEntry(line, tuple(events))


def with_one_development(done: list[tuple[Event, int]]) -> list[tuple[Event, int]]:
    """The same events, in which different tiles are developed at once."""
    developed = [(event, count) for event, count in done if event.kind == "developed"]
    if len(developed) < 2:
        return done
    tiles = tuple((f"{event.industry} {event.level}", count) for event, count in developed)
    one = Event(**(developed[0][0].as_dict() | {"tiles": tiles}))
    others = [(event, count) for event, count in done if event.kind != "developed"]
    return [*others, (one, sum(count for _tile, count in tiles))]


def with_resources(events: list[Event]) -> list[Event]:
    """The same events, in which cubes sold to the market have the industry of the tile built."""
    built = {event.space: event.tile for event in events if event.kind == "built"}
    return [
        Event(**event.as_dict(), industry=built[event.space].rpartition(" ")[0])
        if event.kind == "delivered" and event.space in built
        else event
        for event in events
    ]


def sentence(events: Iterable[tuple[Event, int]], seat: int, seats: Sequence[str]) -> str:
    """Events in one sentence; the seat is repeated only after another subject."""
    words, subject = [], seat
    for event, count in events:
        words.append(event_words(event, seats, count, of=subject))
        subject = getattr(event, "seat", -1)
    return ", ".join(words)


def merged(events: list[Event]) -> Iterator[tuple[Event, int]]:
    """Equal events merged, each with its count."""
    kinds: dict[tuple[Any, ...], dict[str, Any]] = {}
    count: Counter[tuple[Any, ...]] = Counter()
    for event in events:
        values: dict[str, Any] = event.as_dict()
        key = tuple(item for item in values.items() if item[0] not in MERGE)
        count[key] += 1
        known = kinds.setdefault(key, values)
        if known is not values:
            known |= {
                name: MERGE[name](known[name], values[name]) for name in MERGE if name in values
            }
    for key, values in kinds.items():
        yield Event(**values), count[key]


# How to merge the values of equal events.
MERGE: dict[str, Any] = {
    "pounds": lambda one, two: one + two,
    "card": lambda one, two: f"{one}, {two}",
    "before": lambda one, two: one,
    "after": lambda one, two: two,
}


def incomes(events: list[Event], seats: Sequence[str]) -> Iterator[LogEntry]:
    """All incomes of a round."""
    paid = ", ".join(f"{seats[event.seat]} {terms.pounds(event.pounds)}" for event in events)
    yield LogEntry(LogLine(None, _("Income: {incomes}").format(incomes=paid)), tuple(events))


def scores(events: list[Event], seats: Sequence[str]) -> Iterator[LogEntry]:
    """The VP that each seat scores, by source."""
    for seat in range(len(seats)):
        points: Counter[str] = Counter()
        own = tuple(event for event in events if event.seat == seat)
        for event in own:
            points[SCORES[event.kind]] += event.points
        total = points.total()
        parts = [
            f"{terms.source(source)} {number}".replace("-", MINUS)
            for source, number in points.items()
            if number
        ]
        words = _("scores {points} VP").format(points=total)
        yield LogEntry(LogLine(seat, words, ", ".join(parts)), own)


def leaving(events: list[Event], seats: Sequence[str]) -> Iterator[LogEntry]:
    """The tiles that are removed before the rail era."""
    words = ngettext(
        "{count} level I tile is removed from the board",
        "{count} level I tiles are removed from the board",
        len(events),
    )
    yield LogEntry(LogLine(None, words.format(count=len(events))), tuple(events))


def one_by_one(events: list[Event], seats: Sequence[str]) -> Iterator[LogEntry]:
    for event in events:
        yield LogEntry(LogLine(None, event_words(event, seats)), (event,))


LINE_MAKERS = {
    "action": actions,
    "income_paid": incomes,
    "scored": scores,
    "removed": leaving,
    "vp_lost": one_by_one,
    "era_ended": one_by_one,
    "round_began": one_by_one,
}
