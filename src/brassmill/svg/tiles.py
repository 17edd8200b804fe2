"""Industry tiles and empty spaces."""

from __future__ import annotations

from functools import lru_cache

from brassmill.editions import TileRow
from brassmill.svg.draw import Number, classes, group, number, path, rect, text
from brassmill.svg.glyphs import cube, glyph, shape
from brassmill.svg.lettering import fitting
from brassmill.terms import ROMAN

CORNER = 0.09  # radius, relative to the size
LINK = 0.19  # distance between link symbols, relative to the size


@lru_cache(4_000)  # a tile stays the same for many pictures
def tile(
    row: TileRow,
    owner: int,
    x: Number,
    y: Number,
    size: Number,
    *,
    flipped: bool = False,
    cubes: int = 0,
) -> str:
    """A tile with its upper left corner at x, y, drawn without words."""
    inset = size * 0.02
    face = rect(x + inset, y + inset, size - 2 * inset, size - 2 * inset, "face", rx=size * CORNER)
    parts = (
        _flipped(row, owner, x, y, size) if flipped else _standing(row, owner, x, y, size, cubes)
    )
    name = classes("tile", f"seat-{owner}", row.industry, "flipped" if flipped else None)
    return group(face, *parts, class_=name)


def _standing(
    row: TileRow, owner: int, x: Number, y: Number, size: Number, cubes: int
) -> list[str]:
    """Owner and level above, the industry in the middle, cubes or barrels below."""
    high, large = (0.51, 0.5) if cubes else (0.59, 0.6)
    return [
        shape(owner, x + size * 0.165, y + size * 0.17, size * 0.085, "mark"),
        _level(row, x + size * 0.93, y + size * 0.265, size, "end"),
        glyph(row.industry, x + size / 2, y + size * high, size * large),
        *_contents(row.industry, cubes, x, y, size),
    ]


def _contents(goods: str, cubes: int, x: Number, y: Number, size: Number) -> list[str]:
    step = size * min(0.22, 0.94 / max(cubes, 1))
    first = x + size / 2 - (cubes - 1) / 2 * step
    return [cube(goods, first + n * step, y + size * 0.865, step * 0.88) for n in range(cubes)]


def _flipped(row: TileRow, owner: int, x: Number, y: Number, size: Number) -> list[str]:
    """A dark cap with a light glyph; below it, in the owner's colour, what the tile scores."""
    inset, corner = size * 0.02, size * CORNER
    wide, high = size - 2 * inset, size * 0.58
    arc = f"a{number(corner)} {number(corner)} 0 0 1 {number(corner)}"
    cap = (
        f"M{number(x + inset)} {number(y + inset + high)}v{number(corner - high)}"
        f"{arc} {number(-corner)}h{number(wide - 2 * corner)}{arc} {number(corner)}"
        f"v{number(high - corner)}z"
    )
    low = y + size * 0.8
    points = str(row.vp)
    room = 0.71 - LINK * row.icons  # for the VP, between the owner's mark and the link symbols
    letters = fitting(points, size * room, size * 0.36, "serif bold")
    marks = [
        glyph("link", x + size * (0.87 - LINK * n), low, size * 0.2, "link-mark")
        for n in range(row.icons)
    ]
    return [
        path(cap, "cap"),
        glyph(row.industry, x + size * 0.37, y + size * 0.32, size * 0.48),
        _level(row, x + size * 0.93, y + size * 0.265, size, "end"),
        shape(owner, x + size * 0.13, low, size * 0.08, "mark"),
        text(x + size * 0.25, low + letters * 0.36, points, letters, "points bold", "start"),
        *marks,
    ]


def _level(row: TileRow, x: Number, y: Number, size: Number, anchor: str) -> str:
    letters = fitting(ROMAN[row.level], size * 0.42, size * 0.25, "serif bold")
    return text(x, y, ROMAN[row.level], letters, "level bold", anchor)


@lru_cache(1_000)
def space(symbols: tuple[str, ...], x: Number, y: Number, size: Number) -> str:
    """An empty space with what can be built there: one glyph, or two across a diagonal."""
    parts = [rect(x, y, size, size, "floor", rx=size * CORNER)]
    if len(symbols) == 1:
        parts.append(glyph(symbols[0], x + size / 2, y + size / 2, size * 0.6, "ghost"))
    else:
        edge = size * 0.14
        parts += [
            path(
                f"M{number(x + edge)} {number(y + size - edge)}"
                f"L{number(x + size - edge)} {number(y + edge)}",
                "split",
            ),
            glyph(symbols[0], x + size * 0.29, y + size * 0.3, size * 0.43, "ghost"),
            glyph(symbols[1], x + size * 0.71, y + size * 0.7, size * 0.43, "ghost"),
        ]
    return "".join(parts)
