"""The size of a place on the sheet: its block of spaces or roundels, with its name beside it.

Only sizes: positions are in `layouts.py`, and `plan.py` combines both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from brassmill.editions.edition import FARM, TOWN, Edition, Place
from brassmill.svg.lettering import caps_width, width

SHAPES = ("wide", "tall", "square")


class Box(NamedTuple):
    """A rectangle, given by its upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def at(self, x: float, y: float) -> Box:
        """The box moved."""
        return Box(self.x + x, self.y + y, self.width, self.height)

    def grown(self, by: float) -> Box:
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def meets(self, other: Box) -> bool:
        """Do two boxes overlap or touch?"""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def holds(self, other: Box) -> bool:
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )


@dataclass(frozen=True)
class Format:
    """The measures of a sheet of some shape."""

    shape: str
    width: float
    height: float
    margin: float  # of the frame
    space: float  # size of a building space
    gap: float
    padding: float  # of a town's block
    roundel: float  # size of a merchant, or of a place without spaces
    letters: float  # font size of a town's name in capitals and small capitals
    plain: float  # font size of any name in plain letters, for a small screen: see `table.css`
    leading: float  # line height of a name
    broken: bool  # whether long names are on two lines

    @property
    def frame(self) -> Box:
        """Inside the frame, where the map is."""
        side = 2 * self.margin
        return Box(self.margin, self.margin, self.width - side, self.height - side)


FORMATS = {
    "wide": Format("wide", 1400, 930, 20, 58, 2, 4, 50, 18.5, 22, 21, broken=False),
    "tall": Format("tall", 780, 1500, 20, 50, 2, 4, 44, 18.5, 20, 20, broken=True),
    "square": Format("square", 900, 960, 14, 54, 2, 4, 48, 21.5, 23, 23, broken=True),
}

SPACING = 0.5  # between the letters of a name
FARM_LETTERS = 0.88  # font size of a farm's name relative to a town's
LABEL_GAP = 3  # between a block and its name
BONUS = 22  # the height of a merchant's bonus under its name


@dataclass(frozen=True)
class Site:
    """The parts of a place centred at 0, 0."""

    place: Place
    block: Box
    spaces: tuple[Box, ...]  # of its spaces
    roundels: tuple[tuple[float, float], ...]  # the centres of its merchants
    name: tuple[str, ...]  # in lines
    letters: float
    label: tuple[float, float]  # the size of the text beside the block

    def label_box(self, side: str) -> Box:
        """The label on a side of the block: n, s, e or w."""
        width, height = self.label
        block = self.block
        x, y = -width / 2, -height / 2
        if side == "s":
            y = block.y + block.height + LABEL_GAP
        elif side == "n":
            y = block.y - LABEL_GAP - height
        elif side == "e":
            x = block.x + block.width + LABEL_GAP
        else:
            x = block.x - LABEL_GAP - width
        return Box(x, y, width, height)


def site(edition: Edition, place: Place, sheet: Format) -> Site:
    """The size of a place on a sheet."""
    spaces = _spaces(place, sheet)
    roundels = _roundels(edition.merchants.count(place.name), sheet)
    if spaces:
        grown = [box.grown(sheet.padding) for box in spaces]
        left, top = min(box.x for box in grown), min(box.y for box in grown)
        block = Box(left, top, -2 * left, -2 * top)
    elif roundels:
        wide = len(roundels) * (sheet.roundel + sheet.gap) + 2 * sheet.padding
        tall = sheet.roundel + 2 * sheet.padding
        block = Box(-wide / 2, -tall / 2, wide, tall)
    else:
        side = sheet.roundel
        block = Box(-side / 2, -side / 2, side, side)
    name = _name(place.name, sheet)
    letters = sheet.letters * (FARM_LETTERS if place.kind == FARM else 1)
    label = (
        max(name_width(place, line, letters, sheet.plain) for line in name) + 8,
        len(name) * sheet.leading + 4 + (BONUS if place.bonus and roundels else 0),
    )
    return Site(place, block, spaces, roundels, name, letters, label)


def name_width(place: Place, line: str, letters: float, plain: float) -> float:
    """The width of a line of a name: towns in small capitals, other places in italics.

    There is room for plain letters too.
    """
    if place.kind == TOWN:
        letters_wide = caps_width(line, letters, "serif bold", SPACING)
    else:
        letters_wide = width(line, letters, "serif bold")
    return max(letters_wide, width(line, plain, "serif bold"))


def _spaces(place: Place, sheet: Format) -> tuple[Box, ...]:
    step = sheet.space + sheet.gap
    boxes = []
    for row, count in enumerate(place.rows):
        y = (row - len(place.rows) / 2) * step + sheet.gap / 2
        for column in range(count):
            x = (column - count / 2) * step + sheet.gap / 2
            boxes.append(Box(x, y, sheet.space, sheet.space))
    return tuple(boxes)


def _roundels(merchants: int, sheet: Format) -> tuple[tuple[float, float], ...]:
    step = sheet.roundel + sheet.gap
    return tuple(((n - (merchants - 1) / 2) * step, 0.0) for n in range(merchants))


def _name(name: str, sheet: Format) -> tuple[str, ...]:
    """A name in lines: two if the sheet is narrow and the name can be broken."""
    if sheet.broken:
        for mark, keep in (("-", "-"), (" & ", ""), (" ", "")):
            first, found, rest = name.partition(mark)
            if found:
                return first + keep, rest if mark != " & " else f"& {rest}"
    return (name,)
