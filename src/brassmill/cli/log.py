"""What happened, told action by action: the words of `explain.py`, without saying a thing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from brassmill.events import Event
from brassmill.explain import event_words

TIMES = "\N{MULTIPLICATION SIGN}"

# What the table of the seats shows anyway, or what another event says too.
QUIET = ("drew", "order_set", "game_ended")
# What an action is about; it is told first.
DEEDS = (
    *("built", "overbuilt", "linked", "sold", "sold_to_port", "developed", "borrowed"),
    *("scouted", "passed", "gave_up"),
)
SCORES = {
    "link_scored": "links",
    "tile_scored": "tiles",
    "cash_scored": "money",
    "income_scored": "income",
}


class Line(NamedTuple):
    """A line of the log: whose it is, what was done, and what came of it."""

    seat: int | None
    deed: str
    details: str = ""


def tell(events: Iterable[Event], seats: Sequence[str]) -> Iterator[Line]:
    """The lines of the log."""
    heard = [event for event in events if not is_quiet(event)]
    for kind, together in groupby(heard, chapter):
        yield from CHAPTERS[kind](list(together), seats)


def is_quiet(event: Event) -> bool:
    if event.kind == "received":  # loans, bonuses and deliveries have events of their own
        return bool(event.purpose != "tile given up")
    return event.kind in QUIET or (event.kind == "income_paid" and event.pounds == 0)


def chapter(event: Event) -> str:
    """Which kind of line tells an event."""
    if event.kind in SCORES:
        return "scored"
    return event.kind if event.kind in CHAPTERS else "action"


def actions(events: list[Event], seats: Sequence[str]) -> Iterator[Line]:
    """One line for each action: it begins with the cards that are given up for it."""
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


def action(events: list[Event], seats: Sequence[str]) -> Line:
    """An action, what it is about first; its seat is named once."""
    seat = next(event.seat for event in events if hasattr(event, "seat"))
    told = [
        (event.kind in DEEDS, words(event, count, seats).removeprefix(f"{seats[seat]} "))
        for event, count in merged(events)
    ]
    deeds = [text for is_deed, text in told if is_deed]
    rest = [text for is_deed, text in told if not is_deed]
    if not deeds:  # the middle of an action
        return Line(seat, ", ".join(rest))
    return Line(seat, ", ".join(deeds), ", ".join(rest))


def words(event: Event, count: int, seats: Sequence[str]) -> str:
    """Events that are told as one, and how many they were where that says something."""
    if event.kind == "delivered":  # how many and for how much are both numbers
        return f"{event.space} delivers {count} to the market for £{event.pounds}"
    times = f" {TIMES}{count}" if count > 1 and event.kind not in SUMS else ""
    return event_words(event, seats) + times


def merged(events: list[Event]) -> Iterator[tuple[Event, int]]:
    """Events of which one is like the other told as one, and how many they were."""
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


SUMS = ("paid", "discarded", "income_moved")  # how often says nothing
# How the values of events that are told as one become one.
MERGE: dict[str, Any] = {
    "pounds": lambda one, two: one + two,
    "card": lambda one, two: f"{one}, {two}",
    "before": lambda one, two: one,
    "after": lambda one, two: two,
}


def incomes(events: list[Event], seats: Sequence[str]) -> Iterator[Line]:
    """All incomes of a round."""
    paid = ", ".join(f"{seats[event.seat]} {event.pounds:+d}" for event in events)
    yield Line(None, f"income: {paid}")


def scores(events: list[Event], seats: Sequence[str]) -> Iterator[Line]:
    """What each seat scores, by source."""
    for seat in range(len(seats)):
        points: Counter[str] = Counter()
        for event in events:
            if event.seat == seat:
                points[SCORES[event.kind]] += event.points
        parts = ", ".join(f"{source} {number}" for source, number in points.items() if number)
        yield Line(seat, f"scores {points.total()}", parts)


def leaving(events: list[Event], seats: Sequence[str]) -> Iterator[Line]:
    """The tiles that do not stay for the rail era."""
    yield Line(None, f"tiles of level 1 leave the map: {len(events)}")


def one_by_one(events: list[Event], seats: Sequence[str]) -> Iterator[Line]:
    for event in events:
        yield Line(None, event_words(event, seats))


CHAPTERS = {
    "action": actions,
    "income_paid": incomes,
    "scored": scores,
    "removed": leaving,
    "vp_lost": one_by_one,
    "era_ended": one_by_one,
    "round_began": one_by_one,
}
