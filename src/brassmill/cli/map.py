"""The map drawn with characters: places, lines between them, and who owns what.

The layout (`map_layout`) depends on the map alone, so the picture stays the same from turn to
turn. Lines are drawn behind the places in dots of a finer grid (braille characters): thin where a
link can be built, thick with the owner's shape where one stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby
from math import floor, hypot

from rich.text import Text

from brassmill import terms
from brassmill.core.view import MerchantView, TileView, View
from brassmill.editions.edition import INDUSTRY, MARKET_PLACE, Edition, Place
from brassmill.language import N_
from brassmill.language import gettext as _

WIDTH, NARROWEST = 100, 80
ROWS = 41  # of the map alone
SHAPES = "●■▲◆"  # by seat
COLOURS = ("color(136)", "color(167)", "color(71)", "color(134)")  # by seat
CODES = {
    "cotton": "C",
    "coal": "K",
    "iron": "I",
    "manufacturer": "M",
    "pottery": "P",
    "brewery": "B",
    "port": "P",
    "shipyard": "S",
}
CELL = 5  # columns of a space or a merchant
LONG = 17  # letters; a longer name is written in full only if the spaces below are as wide
CUBE, FLIPPED, MERCHANT, NOBODY = "▪", "✓", "◇", "-"
BONUSES = {
    "points": N_("+{amount} VP"),
    "develop": N_("develop"),
    "income": N_("+{amount} income"),
    "money": N_("+£{amount}"),
}
BETWEEN = "   "  # parts of the legend
BONUS = 12  # columns for the words of a bonus

DOTS = 0x2800  # the braille character without dots
DOT = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # bits by row and column

Point = tuple[float, float]  # column and row
Cell = tuple[int, int]
Curve = tuple[Point, ...]


# --- the layout: places --------------------------------------------------------------------------

APART_X, APART_Y = 3.1, 1.1  # columns and rows between two blocks: three and one, rounded
TALL = 2.0  # a character is twice as high as it is wide


@dataclass(frozen=True)
class Size:
    """A place as drawn: its name, its rows of spaces, and the room they need."""

    name: str
    rows: tuple[int, ...]
    width: int
    height: int


@dataclass(frozen=True)
class MapBlock:
    """A place in the picture: its upper left corner and its size."""

    x: int
    y: int
    size: Size

    @property
    def middle(self) -> Point:
        """Where lines end, slightly off the edge between two characters."""
        return self.x + self.size.width / 2 - 0.45, self.y + self.size.height / 2 - 0.45

    def cells(self, margin: int = 0) -> set[Cell]:
        """The cells it covers, with a margin of columns on both sides."""
        return {
            (x, y)
            for x in range(self.x - margin, self.x + self.size.width + margin)
            for y in range(self.y, self.y + self.size.height)
        }


@dataclass(frozen=True)
class MapLayout:
    """Where everything on an edition's map is drawn."""

    blocks: tuple[MapBlock, ...]  # by place
    curves: tuple[tuple[Curve, ...], ...]  # by line; the line with three ends has three
    marks: tuple[Cell, ...]  # by line: where its owner's shape goes
    covered: set[Cell]  # by the places and the blanks beside them


def map_layout(edition: Edition, width: int = WIDTH) -> MapLayout:
    """Lay out the places without overlaps, and a curve for each line."""
    merchants = tuple(edition.merchants.count(place.name) for place in edition.places)
    return layout_of(edition.places, merchants, edition.line_ends, width)


@cache
def layout_of(
    places: tuple[Place, ...],
    merchants: tuple[int, ...],
    lines: tuple[tuple[int, ...], ...],
    width: int,
) -> MapLayout:
    """The layout of a map; cached, as many kinds of game share a map."""
    sizes = [size_of(place, count) for place, count in zip(places, merchants, strict=True)]
    blocks = blocks_of(places, sizes, width)
    curves: list[tuple[Curve, ...]] = []
    for ends in lines:
        curves.append(tuple(curves_of(ends, blocks, curves)))
    taken, covered = (
        set[Cell]().union(*(block.cells(margin) for block in blocks)) for margin in (0, 1)
    )
    marks: list[Cell] = []
    for line in curves:
        marks.append(mark(line, taken, covered, marks))
    return MapLayout(blocks, tuple(curves), tuple(marks), covered)


def size_of(place: Place, merchants: int) -> Size:
    """How a place is drawn: four spaces two by two, fewer in one row."""
    count = len(place.spaces)
    rows = (2,) * (count // 2) if count > 3 else (count,) * (count > 0)
    height = 1 + len(rows)
    widest = max((*rows, merchants), default=0)
    width = widest * (CELL + 1) - 1 if widest else 0
    if merchants:
        width, height = max(width, BONUS), 3
    elif place.kind == MARKET_PLACE:
        height = 2
    name = place.name
    if len(name) > max(width, LONG) and place.other_names:
        name = place.other_names[0]
    return Size(name, rows, max(width, len(name)), height)


def blocks_of(places: Sequence[Place], sizes: Sequence[Size], width: int) -> tuple[MapBlock, ...]:
    """All places, as close to their real positions as they can be without touching."""
    xs, ys = zip(*(place.xy for place in places), strict=True)
    wanted = [
        (
            (x - min(xs)) / (max(xs) - min(xs)) * (width - size.width) + size.width / 2,
            (y - min(ys)) / (max(ys) - min(ys)) * (ROWS - size.height) + size.height / 2,
        )
        for x, y, size in zip(xs, ys, sizes, strict=True)
    ]
    middles = push_apart(wanted, sizes, width)
    return tuple(
        MapBlock(*cell((x - size.width / 2, y - size.height / 2)), size)
        for (x, y), size in zip(middles, sizes, strict=True)
    )


def push_apart(wanted: Sequence[Point], sizes: Sequence[Size], width: int) -> list[Point]:
    """Push the middles apart, at first with a pull back to where they belong, then without."""
    middles = list(wanted)
    for turn in range(400):
        if turn < 250:
            middles = [
                (x + 0.05 * (to_x - x), y + 0.05 * (to_y - y))
                for (x, y), (to_x, to_y) in zip(middles, wanted, strict=True)
            ]
        for one, other in combinations(range(len(sizes)), 2):
            push(middles, sizes, one, other)
        middles = [
            (
                min(max(x, size.width / 2), width - size.width / 2),
                min(max(y, size.height / 2), ROWS - size.height / 2),
            )
            for (x, y), size in zip(middles, sizes, strict=True)
        ]
    return middles


def push(middles: list[Point], sizes: Sequence[Size], one: int, other: int) -> None:
    """Move two places apart along the shorter way if they are too close."""
    (x, y), (u, v) = middles[one], middles[other]
    near_x = (sizes[one].width + sizes[other].width) / 2 + APART_X - abs(x - u)
    near_y = (sizes[one].height + sizes[other].height) / 2 + APART_Y - abs(y - v)
    if near_x <= 0 or near_y <= 0:
        return
    if near_x < TALL * near_y:
        step = near_x / 2 if x < u else -near_x / 2
        middles[one], middles[other] = (x - step, y), (u + step, v)
    else:
        step = near_y / 2 if y < v else -near_y / 2
        middles[one], middles[other] = (x, y - step), (u, v + step)


# --- the layout: lines ---------------------------------------------------------------------------

BENDS = (0.0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45)  # sideways, as a share of the length


def curves_of(
    ends: Sequence[int], blocks: Sequence[MapBlock], drawn: Sequence[Sequence[Curve]]
) -> Iterator[Curve]:
    """The curve of a line, or one from each end to the point where three meet."""
    middles = [blocks[end].middle for end in ends]
    if len(ends) == 2:
        yield best_curve(middles[0], middles[1], [blocks[end] for end in ends], blocks, drawn)
        return
    meeting = (sum(x for x, _ in middles) / len(ends), sum(y for _, y in middles) / len(ends))
    for end, middle in zip(ends, middles, strict=True):
        yield best_curve(middle, meeting, [blocks[end]], blocks, drawn)


def best_curve(
    start: Point,
    end: Point,
    own: Sequence[MapBlock],
    blocks: Sequence[MapBlock],
    drawn: Sequence[Sequence[Curve]],
) -> Curve:
    """The straightest curve that stays clear of other places and lines."""
    near = set[Cell]().union(*(block.cells(margin=2) for block in own))
    others = set[Cell]().union(*(block.cells(margin=1) for block in blocks if block not in own))
    used = {cell(point) for line in drawn for curve in line for point in curve} - near

    def cost(curve: Curve, bend: float) -> float:
        cells = {cell(point) for point in curve}
        return 4 * len(cells & others) + 2 * len(cells & used) + 20 * abs(bend)

    curves = [(bent_curve(start, end, bend), bend) for bend in BENDS]
    return min(curves, key=lambda entry: cost(*entry))[0]


def bent_curve(start: Point, end: Point, bend: float) -> Curve:
    """Points on a quadratic curve, close enough together for the dots."""
    (x, y), (u, v) = start, end
    across = u - x, TALL * (v - y)
    length = hypot(*across)
    by = (x + u) / 2 - bend * across[1], (y + v) / 2 + bend * across[0] / TALL
    steps = max(2, int(4 * length))
    points = []
    for step in range(steps + 1):
        t = step / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        points.append((a * x + b * by[0] + c * u, a * y + b * by[1] + c * v))
    return tuple(points)


def cell(point: Point) -> Cell:
    return floor(point[0] + 0.5), floor(point[1] + 0.5)


def mark(
    line: Sequence[Curve], taken: set[Cell], covered: set[Cell], others: Sequence[Cell]
) -> Cell:
    """The uncovered cell nearest to the middle of a line and not beside another mark."""
    cells = list(dict.fromkeys(cell(point) for curve in line for point in curve))
    cells = [at for at in cells if at not in taken]
    seen = [at for at in cells if at not in covered] or cells
    middle = cell(line[0][-1]) if len(line) > 1 else seen[len(seen) // 2]
    free = [at for at in seen if all(distance(at, other) > 2 for other in others)]
    return min(free or seen, key=lambda at: distance(at, middle))


def distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], TALL * (one[1] - other[1]))


# --- the picture ---------------------------------------------------------------------------------


class Canvas:
    """Characters with their styles, and dots behind them."""

    def __init__(self, width: int, height: int, covered: set[Cell]) -> None:
        self.width, self.height = width, height
        self.covered = covered
        self.dots: dict[Cell, int] = {}
        self.characters: dict[Cell, str] = {}
        self.styles: dict[Cell, str] = {}

    def dot(self, point: Point, style: str) -> None:
        """Draw a dot of a line unless a place covers it; the last line colours the cell."""
        at = cell(point)
        if at in self.covered or not (0 <= at[0] < self.width and 0 <= at[1] < self.height):
            return
        row, column = floor(4 * point[1] + 2) % 4, floor(2 * point[0] + 1) % 2
        self.dots[at] = self.dots.get(at, 0) | DOT[row][column]
        self.styles[at] = style

    def write(self, x: int, y: int, words: str, style: str) -> None:
        for n, character in enumerate(words):
            self.characters[x + n, y] = character
            self.styles[x + n, y] = style

    def lines(self) -> Iterator[Text]:
        for y in range(self.height):
            line = Text(no_wrap=True)
            row = ((x, y) for x in range(self.width))
            for style, cells in groupby(row, lambda at: self.styles.get(at, "")):
                line.append("".join(map(self.character, cells)), style)
            line.rstrip()
            yield line

    def character(self, at: Cell) -> str:
        dots = self.dots.get(at)
        return self.characters.get(at) or (chr(DOTS + dots) if dots else " ")


def draw_map(view: View, edition: Edition, width: int = WIDTH) -> list[Text]:
    """The map with everything on it, and a legend: lines of text, at least 80 columns wide."""
    width = max(width, NARROWEST)
    drawn = map_layout(edition, width)
    canvas = Canvas(width, ROWS, drawn.covered)
    owners = {link.line: link.owner for link in view.links}
    lines = sorted(range(len(edition.lines)), key=lambda number: number in owners)
    for number in lines:
        row = edition.lines[number]
        if number in owners:
            draw_link(canvas, drawn, number, owners[number])
        elif row.canal if view.era == "canal" else row.rail:
            draw_line(canvas, drawn, number)
    for number, owner in owners.items():
        canvas.write(*drawn.marks[number], SHAPES[owner], f"bold {COLOURS[owner]}")
    for place in range(len(edition.places)):
        draw_place(canvas, drawn.blocks[place], view, edition, place)
    return [*canvas.lines(), *legend(view, edition, width)]


def draw_line(canvas: Canvas, drawn: MapLayout, number: int) -> None:
    """Draw a line without a link: thin."""
    for curve in drawn.curves[number]:
        for point in curve:
            canvas.dot(point, "dim")


def draw_link(canvas: Canvas, drawn: MapLayout, number: int, owner: int) -> None:
    """Draw a link: two dots thick, in its owner's colour."""
    style = f"bold {COLOURS[owner]}"
    for curve in drawn.curves[number]:
        (x, y), (u, v) = curve[0], curve[-1]
        flat = abs(u - x) > TALL * abs(v - y)
        for x, y in curve:
            canvas.dot((x, y), style)
            canvas.dot((x, y + 0.25) if flat else (x + 0.5, y), style)


def draw_place(canvas: Canvas, block: MapBlock, view: View, edition: Edition, place: int) -> None:
    """Draw a name, and below it the spaces or merchants."""
    row = edition.places[place]
    size = block.size

    def put(y: int, words: str, style: str) -> None:
        canvas.write(block.x + (size.width - len(words)) // 2, block.y + y, words, style)

    for y in range(size.height):
        canvas.write(block.x, block.y + y, " " * size.width, "")
    put(0, size.name, "bold" if row.spaces else "bold italic")
    tiles = {tile.space: tile for tile in view.tiles}
    cells = [
        space_cell(edition, space, tiles.get(space)) for space in edition.place_spaces[place]
    ] or [
        merchant_cell(edition, merchant)
        for merchant in view.merchants
        if merchant.place == row.name
    ]
    start = 0
    for y, count in enumerate(size.rows or (len(cells),), 1):
        x = block.x + (size.width - count * (CELL + 1) + 1) // 2
        for words, style in cells[start : start + count]:
            canvas.write(x, block.y + y, words.ljust(CELL), style)
            x += CELL + 1
        start += count
    if row.kind == MARKET_PLACE and cells:
        put(2, _(BONUSES[row.bonus]).format(amount=row.bonus_amount)[:BONUS], "dim")
    elif row.kind == MARKET_PLACE:
        put(1, _("market")[: size.width], "dim")


def space_cell(edition: Edition, space: int, tile: TileView | None) -> tuple[str, str]:
    """A space: `[C/K]` is empty; `■K2▪3` holds three cubes; ` ●C2✓` is flipped."""
    if tile is None:
        symbols = "/".join(CODES[industry] for industry in edition.spaces[space].symbols)
        return f"[{symbols.center(CELL - 2)}]", "dim"
    words = f"{SHAPES[tile.owner]}{CODES[tile.industry]}{tile.level}"
    if tile.flipped:
        return f" {words}{FLIPPED}", f"reverse {COLOURS[tile.owner]}"
    if tile.cubes:
        words += f"{CUBE}{tile.cubes}"
    return words, f"bold {COLOURS[tile.owner]}"


def merchant_cell(edition: Edition, merchant: MerchantView) -> tuple[str, str]:
    """A merchant: `◇C▪` buys cotton and has beer; `◇CMP` buys everything, `◇-` nothing."""
    bits = edition.find_goods(merchant.goods)
    goods = "".join(CODES[name] for n, name in enumerate(INDUSTRY) if bits >> n & 1) or NOBODY
    return f"{MERCHANT}{goods}{CUBE * merchant.barrel}", "" if merchant.barrel else "dim"


def legend(view: View, edition: Edition, width: int) -> Iterator[Text]:
    """What the symbols mean."""
    industries = [INDUSTRY[number] for number in edition.industries]
    yield from flow((Text(f"{CODES[i]} {terms.industry(i)}", "dim") for i in industries), width)
    seats = (
        Text(f"{SHAPES[seat]} {row.name}", f"bold {COLOURS[seat]}")
        for seat, row in enumerate(view.seats)
    )
    cubes = _("▪ cubes or barrels") if "brewery" in industries else _("▪ cubes")
    symbols = [_("[ ] empty"), cubes, _("✓ flipped")]
    if edition.merchants:
        symbols.append(_("◇ merchant, ▪ with beer"))
    yield from flow([*seats, *(Text(words, "dim") for words in symbols)], width)


def flow(parts: Iterable[Text], width: int) -> Iterator[Text]:
    """Parts in a row, on as few lines as possible."""
    line = Text(no_wrap=True)
    for part in parts:
        if line and line.cell_len + len(BETWEEN) + part.cell_len > width:
            yield line
            line = Text(no_wrap=True)
        if line:
            line.append(BETWEEN)
        part.truncate(width)
        line.append_text(part)
    yield line
