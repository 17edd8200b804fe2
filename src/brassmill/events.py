"""What happened, as data: the event rows of the compiled rules with names.

An event has a kind (`built`, `coal_used`, `flipped`, ...) and named values that depend on the kind;
seats and amounts are numbers, places, tiles and cards are names. `FIELDS` lists them all. Events
tell nothing that is hidden: of drawn cards, only how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from brassmill.editions.edition import Edition
from brassmill.rules.emit import Event as Kind
from brassmill.rules.emit import Money

Value = int | str

ERAS = ("canal", "rail")

# The values of each kind, in the order of the row's numbers; what has a prefix is given by name.
FIELDS: dict[Kind, tuple[str, ...]] = {
    Kind.DISCARDED: ("seat", "card"),
    Kind.BUILT: ("seat", "space", "tile"),
    Kind.OVERBUILT: ("owner", "space", "tile"),
    Kind.LINKED: ("seat", "line"),
    Kind.PAID: ("seat", "pounds", "purpose"),
    Kind.RECEIVED: ("seat", "pounds", "purpose"),
    Kind.COAL_USED: ("seat", "source", "pounds"),
    Kind.IRON_USED: ("seat", "source", "pounds"),
    Kind.BEER_USED: ("seat", "source"),
    Kind.BARREL_USED: ("seat", "merchant"),
    Kind.DELIVERED: ("seat", "space", "pounds"),
    Kind.FLIPPED: ("owner", "space", "tile"),
    Kind.INCOME_MOVED: ("seat", "before", "after"),
    Kind.SOLD: ("seat", "space", "tile"),
    Kind.SOLD_TO_PORT: ("seat", "space", "port"),
    Kind.DISTANT_TILE: ("seat", "steps", "marker"),
    Kind.DEVELOPED: ("seat", "industry", "level"),
    Kind.BONUS: ("seat", "place", "amount"),
    Kind.BORROWED: ("seat", "pounds", "levels"),
    Kind.SCOUTED: ("seat",),
    Kind.PASSED: ("seat",),
    Kind.DREW: ("seat", "cards"),
    Kind.ROUND_BEGAN: ("era", "round"),
    Kind.ORDER_SET: ("turn", "seat", "spent"),
    Kind.INCOME_PAID: ("seat", "pounds"),
    Kind.GAVE_UP: ("seat", "space", "tile"),
    Kind.VP_LOST: ("seat", "points"),
    Kind.ERA_ENDED: ("era",),
    Kind.LINK_SCORED: ("seat", "line", "points"),
    Kind.TILE_SCORED: ("seat", "space", "points"),
    Kind.CASH_SCORED: ("seat", "points"),
    Kind.INCOME_SCORED: ("seat", "points"),
    Kind.REMOVED: ("owner", "space", "tile"),
    Kind.GAME_ENDED: (),
}


class Event:
    """One thing that happened; its values are attributes: `event.seat`, `event.space`."""

    __slots__ = ("_values", "kind")

    kind: str

    def __init__(self, kind: str, **values: Value) -> None:
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_values")[name]
        except KeyError:
            known = ", ".join(self._values) or "nothing"
            raise AttributeError(f"the event {self.kind} has no {name!r}, it has {known}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an event cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.kind, self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return self.kind == other.kind and self._values == other._values

    def __hash__(self) -> int:
        return hash((self.kind, *self._values.items()))

    def __repr__(self) -> str:
        return f"<{' '.join([self.kind, *(f'{k}={v!r}' for k, v in self._values.items())])}>"

    def as_dict(self) -> dict[str, Any]:
        """Kind and values as a plain mapping."""
        return {"kind": self.kind, **self._values}


def _restore(kind: str, values: dict[str, Value]) -> Event:
    return Event(kind, **values)


def events_of(edition: Edition, rows: Iterable[list[int]]) -> list[Event]:
    """Event rows as objects."""
    return [Event(Kind(row[0]).name.lower(), **dict(_values(edition, row))) for row in rows]


def _values(edition: Edition, row: list[int]) -> Iterator[tuple[str, Value]]:
    for field, number in zip(FIELDS[Kind(row[0])], row[1:], strict=False):
        yield field, _name(edition, field, number)


def _name(edition: Edition, field: str, number: int) -> Value:
    """The name of what a number stands for, where it stands for something with a name."""
    match field:
        case "space" | "port":
            return edition.space_name(number)
        case "source":
            return edition.space_name(number) if number >= 0 else "market"
        case "tile":
            return edition.tile_name(number)
        case "line":
            return edition.line_name(number)
        case "card":
            return edition.card_name(number)
        case "place":
            return edition.place_name(number)
        case "merchant":
            return edition.merchant_name(number)
        case "industry":
            return edition.industry_name(number)
        case "purpose":
            return Money(number).name.lower().replace("_", " ")
        case "era":
            return ERAS[number]
    return number
