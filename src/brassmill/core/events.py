"""Events as data: the event rows of the compiled rules, with names.

An event has a kind (`built`, `coal_used`, `flipped`, ...) and named values that depend on the kind.
Seats and amounts are numbers; places, tiles and cards are names. `FIELDS` lists them all. Events
reveal nothing hidden: they count drawn cards, but do not name them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from brassmill.editions.edition import Edition
from brassmill.rules.emit import EventKind, Money

Value = int | str

ERAS = ("canal", "rail")

# The values of each kind, in the order of the numbers in the row.
FIELDS: dict[EventKind, tuple[str, ...]] = {
    EventKind.DISCARDED: ("seat", "card"),
    EventKind.BUILT: ("seat", "space", "tile"),
    EventKind.OVERBUILT: ("owner", "space", "tile"),
    EventKind.LINKED: ("seat", "line"),
    EventKind.PAID: ("seat", "pounds", "purpose"),
    EventKind.RECEIVED: ("seat", "pounds", "purpose"),
    EventKind.COAL_USED: ("seat", "source", "pounds"),
    EventKind.IRON_USED: ("seat", "source", "pounds"),
    EventKind.BEER_USED: ("seat", "source"),
    EventKind.BARREL_USED: ("seat", "merchant"),
    EventKind.DELIVERED: ("seat", "space", "pounds"),
    EventKind.FLIPPED: ("owner", "space", "tile"),
    EventKind.INCOME_MOVED: ("seat", "before", "after"),
    EventKind.SOLD: ("seat", "space", "tile"),
    EventKind.SOLD_TO_PORT: ("seat", "space", "port"),
    EventKind.DISTANT_TILE: ("seat", "steps", "marker"),
    EventKind.DEVELOPED: ("seat", "industry", "level"),
    EventKind.BONUS: ("seat", "place", "amount"),
    EventKind.BORROWED: ("seat", "pounds", "levels"),
    EventKind.SCOUTED: ("seat",),
    EventKind.PASSED: ("seat",),
    EventKind.DREW: ("seat", "cards"),
    EventKind.ROUND_BEGAN: ("era", "round"),
    EventKind.ORDER_SET: ("turn", "seat", "spent"),
    EventKind.INCOME_PAID: ("seat", "pounds"),
    EventKind.GAVE_UP: ("seat", "space", "tile"),
    EventKind.VP_LOST: ("seat", "points"),
    EventKind.ERA_ENDED: ("era",),
    EventKind.LINK_SCORED: ("seat", "line", "points"),
    EventKind.TILE_SCORED: ("seat", "space", "points"),
    EventKind.CASH_SCORED: ("seat", "points"),
    EventKind.INCOME_SCORED: ("seat", "points"),
    EventKind.REMOVED: ("owner", "space", "tile"),
    EventKind.GAME_ENDED: (),
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
            raise AttributeError(f"the event {self.kind} has no {name!r}; it has {known}") from None

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
    return [_event(edition, row) for row in rows]


def _event(edition: Edition, row: list[int]) -> Event:
    kind, fields = KINDS[row[0]]
    numbers = zip(fields, row[1:], strict=False)
    return Event(kind, **{field: _name(edition, field, number) for field, number in numbers})


def _name(edition: Edition, field: str, number: int) -> Value:
    """The name of a value, if it has one, else its number."""
    name = NAMES.get(field)
    return number if name is None else name(edition, number)


def _source(edition: Edition, space: int) -> str:
    return edition.space_name(space) if space >= 0 else "market"


def _purpose(edition: Edition, purpose: int) -> str:
    return Money(purpose).name.lower().replace("_", " ")


# The name and the values of each kind, by its number in a row.
KINDS = {kind.value: (kind.name.lower(), fields) for kind, fields in FIELDS.items()}

NAMES: dict[str, Callable[[Edition, int], str]] = {
    "space": Edition.space_name,
    "port": Edition.space_name,
    "source": _source,
    "tile": Edition.tile_name,
    "line": Edition.line_name,
    "card": Edition.card_name,
    "place": Edition.place_name,
    "merchant": Edition.merchant_name,
    "industry": Edition.industry_name,
    "purpose": _purpose,
    "era": lambda edition, era: ERAS[era],
}
