"""The symbols of the game: industries, players' shapes, goods, small marks.

Every glyph is drawn in a square of 24 with `currentColor`, so it takes the colour of the element
around it. Gaps are transparent, so a glyph looks the same on any background.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import NamedTuple

from brassmill.language import N_
from brassmill.svg.draw import Number, circle, group, moved, number, path, rect

SIZE = 24

# One path each, filled by the even-odd rule.
PATHS = {
    # A bobbin with thread.
    "cotton": "M5 3h14v2.9H5zM5 18.1h14V21H5zM8 9.3l8-2.2v2.3l-8 2.2zM8 13l8-2.2v2.3l-8 2.2zM8 "
    "16.7l8-2.2v2.3l-8 .6z",
    # A tub of coal on rails.
    "coal": "M2.8 11.2h18.4l-2.3 6.3H5.1zM8 18.1a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8zM16 "
    "18.1a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8zM5 10l1.7-3.3 3 .5 1.8-3.5 3.3 1.3.6 2.4 2.6.3 "
    "1.2 2.3z",
    # An anvil.
    "iron": "M8.2 5H21v1.8c-.5 2.6-2.6 4.2-5.7 4.5v3.1c.3 1.2 1.3 2 3.2 2.2V20H6.7v-3.4c1.9-.2 "
    "2.9-1 3.2-2.2v-2.7C6 11.6 3.2 9.5 2.3 6.3h5.9z",
    # A crate.
    "manufacturer": "M3.5 4.5h17v15h-17zM5.5 6.5v1.7h13V6.5zM5.5 15.8v1.7h13v-1.7zM5.5 "
    "9.9v3L9.8 9.9zM13 9.9L6.9 14.1h4.9l6.1-4.2zM18.5 11.5l-3.8 2.6h3.8z",
    # A vase.
    "pottery": "M8.6 3h6.8v1.9l-1.5 1.5c2.6.8 4.5 2.5 5.1 4.8H5c.6-2.3 2.5-4 5.1-4.8L8.6 4.9z"
    "M4.9 12.7h14.2c0 2.9-1.7 5.3-3.9 6.9V21H8.8v-1.4c-2.2-1.6-3.9-4-3.9-6.9z",
    # A barrel.
    "brewery": "M7.2 3h9.6c.9 1.2 1.5 2.6 1.9 4.1H5.3c.4-1.5 1-2.9 1.9-4.1zM4.9 8.7h14.2c.3 "
    "2.2.3 4.4 0 6.6H4.9c-.3-2.2-.3-4.4 0-6.6zM5.3 16.9h13.4c-.4 1.5-1 2.9-1.9 "
    "4.1H7.2c-.9-1.2-1.5-2.6-1.9-4.1z",
    # An anchor.
    "port": "M12 2.2a2.8 2.8 0 0 1 1.2 5.3v1.7h3.6v2.2h-3.6v7.7c2.4-.4 4.4-1.8 "
    "5.2-3.9l-1.9.3L20 11.4l2 4.7-1.7-.5c-1 3.7-4.3 6.2-8.3 6.2s-7.3-2.5-8.3-6.2l-1.7.5 2-4.7 "
    "3.5 4.1-1.9-.3c.8 2.1 2.8 3.5 5.2 3.9v-7.7H7.2V9.2h3.6V7.5A2.8 2.8 0 0 1 12 2.2zM12 3.9a1.1 "
    "1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2z",
    # A ship under sail.
    "shipyard": "M11.2 2.5v11.8H4.3c3.7-2.8 6-7 6.9-11.8zM12.9 4.6c3.1 2.6 5.3 5.9 6.3 9.7h-6.3z"
    "M2.5 16h19c-.9 2.3-2.3 4-4.2 5H6.7c-1.9-1-3.3-2.7-4.2-5z",
}


class Symbol(NamedTuple):
    """A drawing in a square of 24, one path filled by the even-odd rule, and its only meaning."""

    d: str
    meaning: str  # in English, for translation


# Marks beside the industries. Pages have icons of their own: `web/page/symbols.py`.
MARKS = {
    # Two rings and a rod.
    "link": Symbol(
        "M6.5 7.5a4.5 4.5 0 0 1 4.2 3h2.6a4.5 4.5 0 1 1 0 3h-2.6a4.5 4.5 0 1 1-4.2-6zM6.5 "
        "10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM17.5 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 "
        "0 0 0-3.4z",
        N_("links"),
    ),
    # A hexagon.
    "points": Symbol("M12 1.5l9 5.2v10.6l-9 5.2-9-5.2V6.7z", N_("victory points (VP)")),
    # An arrow upwards.
    "income": Symbol("M12 2.5l8 8.5h-4.7v10.5H8.7V11H4z", N_("income")),
    # A coin with a pound sign.
    "money": Symbol(
        "M12 1.8a10.2 10.2 0 1 1 0 20.4 10.2 10.2 0 0 1 0-20.4zM15.9 "
        "9.3c.1-2.6-1.5-4-3.7-4-2.4 0-4 1.7-4 4 0 .7.1 1.2.3 1.8H7.2v1.8h1.7c.1 1.8-.4 3.2-1.9 "
        "4.2v1.6h9.6v-2.1h-6.1c.8-1 1.1-2.2 .9-3.7h2.7v-1.8h-3.1c-.3-.7-.4-1.2-.4-1.7 "
        "0-1.2.6-2 1.7-2 1 0 1.5.7 1.4 1.9z",
        N_("money"),
    ),
    # A gear.
    "develop": Symbol(
        "M10.3 2h3.4l.5 2.7 1.9.8 2.3-1.6 2.4 2.4-1.6 2.3.8 1.9 2.7.5v3.4l-2.7.5-.8 1.9 1.6 "
        "2.3-2.4 2.4-2.3-1.6-1.9.8-.5 2.7h-3.4l-.5-2.7-1.9-.8-2.3 1.6-2.4-2.4 "
        "1.6-2.3-.8-1.9L1.3 14.4V11l2.7-.5.8-1.9-1.6-2.3 2.4-2.4 2.3 1.6 1.9-.8zM12 8.2a4 4 0 "
        "1 0 0 8 4 4 0 0 0 0-8z",
        N_("develop: remove your lowest tile of an industry"),
    ),
    # A lightbulb.
    "bulb": Symbol(
        "M12 1.5a7 7 0 0 1 4.3 12.5c-.9.8-1.3 1.6-1.3 2.5H9c0-.9-.4-1.7-1.3-2.5A7 7 0 0 1 12 "
        "1.5zM9 17.8h6v1.6H9zM9.8 20.7h4.4v1.6H9.8z",
        N_("cannot be developed"),
    ),
    # The outline of a barrel: one that must be brought.
    "beer": Symbol(
        "M6.4 2h11.2c1.9 3 2.9 6.4 2.9 10s-1 7-2.9 10H6.4c-1.9-3-2.9-6.4-2.9-10s1-7 "
        "2.9-10zM7.6 4.2c-.5.9-.9 1.8-1.2 2.7h11.2c-.3-.9-.7-1.8-1.2-2.7zM5.9 9c-.3 2-.3 4 0 "
        "6h12.2c.3-2 .3-4 0-6zM6.4 17.1c.3.9.7 1.8 1.2 2.7h8.8c.5-.9.9-1.8 1.2-2.7z",
        N_("beer needed to sell"),
    ),
    # Two cards.
    "cards": Symbol(
        "M3 6.5h10.5V21H3zM5 8.5V19h6.5V8.5zM8 2.5h13V17h-6v-2h4V4.5h-9v0.5H8z",
        N_("cards in hand"),
    ),
    # A tile with a dark cap.
    "flipped": Symbol(
        "M5.5 2.5h13a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zM5.6 "
        "14.2v5h12.8v-5z",
        N_("flipped tiles"),
    ),
}


def glyph(name: str, x: Number, y: Number, size: Number, class_: str = "glyph") -> str:
    """An industry or a mark, centred at x, y."""
    corner = moved(x - size / 2, y - size / 2, size / SIZE)
    d = PATHS.get(name) or MARKS[name].d
    return path(d, class_, transform=corner, fill="currentColor", fill_rule="evenodd")


def shape(seat: int, x: Number, y: Number, r: Number, class_: str | None = None) -> str:
    """A player's shape: disc, square, triangle, diamond; all look equally large."""
    if seat == 0:
        return circle(x, y, r, class_)
    if seat == 1:
        half = r * sqrt(pi) / 2
        return rect(x - half, y - half, 2 * half, 2 * half, class_, rx=r / 6)
    d = {
        2: f"M{number(x)} {number(y - 1.18 * r)}l{number(1.18 * r)} {number(2.07 * r)}"
        f"h{number(-2.36 * r)}z",
        3: f"M{number(x)} {number(y - 1.32 * r)}l{number(1.32 * r)} {number(1.32 * r)}"
        f"l{number(-1.32 * r)} {number(1.32 * r)}l{number(-1.32 * r)} {number(-1.32 * r)}z",
    }[seat]
    return path(d, class_)


def cube(goods: str, x: Number, y: Number, size: Number) -> str:
    """A cube of coal or iron, or a barrel of beer (`brewery`), centred at x, y."""
    if goods == "brewery":
        return barrel(x, y, size * 1.25)
    half = size / 2
    edge = size * 0.28
    top = f"M{number(x - half)} {number(y - half + edge)}v{number(-edge)}h{number(size)}"
    return group(
        rect(x - half, y - half, size, size, "body", rx=size * 0.14),
        path(f"{top}v{number(edge)}z", "gleam"),
        class_=f"cube {goods}",
    )


STAVES = "M-5-10H5C7.5-6.5 8.2-3.3 8.2 0S7.5 6.5 5 10H-5C-7.5 6.5-8.2 3.3-8.2 0S-7.5-6.5-5-10z"


def barrel(x: Number, y: Number, height: Number, class_: str = "barrel") -> str:
    """A barrel of beer, centred at x, y."""
    s = height / 20
    return group(
        path(STAVES, "body"),
        path("M-7.2-5H7.2M-7.2 5H7.2", "hoop"),
        class_=class_,
        transform=moved(x, y, s),
    )


def wave(x: Number, y: Number, width: Number, crests: int = 3) -> str:
    """The `d` of a small wave, from x, y to the right."""
    step = width / crests
    rise = -step * 0.28
    return f"M{number(x)} {number(y)}" + "".join(
        f"q{number(step / 4)} {number(rise)} {number(step / 2)} 0t{number(step / 2)} 0"
        for _ in range(crests)
    )
