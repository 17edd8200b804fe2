"""A player's mat: a column per industry, with the next tile on top and the others below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from math import ceil

from brassmill import terms
from brassmill.core.events import ERAS
from brassmill.core.view import View
from brassmill.editions.edition import NUMBER, Edition, TileRow
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.svg.draw import Picture, classes, group, moved, path, rect, text, title
from brassmill.svg.facts import WHEN, tile_words
from brassmill.svg.glyphs import cube, glyph, shape, wave
from brassmill.svg.kept import kept
from brassmill.svg.lettering import width as width_of
from brassmill.svg.lights import Labels, Lights, Lit
from brassmill.svg.panel import GAP, PAD, capital, edition_of, fitted_text, frame, times
from brassmill.svg.theme import check_theme
from brassmill.svg.tiles import tile
from brassmill.terms import ROMAN

WIDTH = 1046
HEAD = 40  # height of the seat's name
NAME = 26  # height of an industry's name
NEXT = 80  # height of the next tile
ENTRY = 39  # height of a tile below it
TILE = 48
STACK = 172  # width of a single industry
IDS = "mat"


def mat(
    view: View,
    seat: int | None = None,
    *,
    width: float = WIDTH,
    columns: int | None = None,
    theme: str | None = "auto",
    lit: Collection[int] = (),
    ids: str = IDS,
) -> str:
    """The mat of a seat, by default the viewer's.

    `ids` is the prefix of the ids in it, so that they differ from those of the next tiles.
    """
    return mat_picture(view, seat, width, columns, lit, ids).document(check_theme(theme))


def mat_picture(
    view: View,
    seat: int | None = None,
    width: float = WIDTH,
    columns: int | None = None,
    lit: Collection[int] = (),
    ids: str = IDS,
) -> Picture:
    seat = _whose(view, seat)
    edition = edition_of(view)
    stacks = view.seats[seat].mat
    lights = Lights(lit if seat == view.seat else ())
    columns = columns or len(stacks)
    column_width = (width - 2 * PAD - (columns - 1) * GAP) / columns
    drawn = [
        stack_drawn(
            *(edition, view.era, seat, industry, stack, column_width),
            lights.about_industry(edition, NUMBER[industry]),
            f"{ids}-{seat}-{industry}",
        )
        for industry, stack in stacks.items()
    ]
    body, y = [], float(HEAD)
    for row in range(ceil(len(drawn) / columns)):
        part = drawn[row * columns : (row + 1) * columns]
        body += [column.inside(PAD + n * (column_width + GAP), y) for n, column in enumerate(part)]
        y += max(column.height for column in part) + PAD
    label = _("{seat}: mat").format(seat=view.seats[seat].name)
    whole = group(
        frame(width, y),
        *_heading(view, seat, width),
        *body,
        id=f"{ids}-{seat}",
        class_=f"seat-{seat}",
    )
    return Picture("mat", width, y, label, whole)


def next_tiles(
    view: View,
    seat: int | None = None,
    *,
    width: float = STACK,
    theme: str | None = "auto",
    lit: Collection[int] = (),
    labels: Labels | None = None,
) -> tuple[str, ...]:
    """The next tile of each industry one by one, for a page that lays them out."""
    check_theme(theme)
    seat = _whose(view, seat)
    edition, lights = edition_of(view), Lights(lit if seat == view.seat else (), labels)
    return tuple(
        _next(
            *(edition, view.era, seat, industry, stack, width),
            lights.about_industry(edition, NUMBER[industry]),
            theme,
        )
        for industry, stack in view.seats[seat].mat.items()
    )


@kept(8_000)
def _next(
    edition: Edition,
    era: str,
    seat: int,
    industry: str,
    stack: tuple[int, ...],
    width: float,
    lit: Lit,
    theme: str | None,
) -> str:
    """The next tile of an industry."""
    name = f"{IDS}-{seat}-{industry}"
    column = stack_drawn(edition, era, seat, industry, stack, width, lit, name, below=False)
    body = group(column.body, class_=f"seat-{seat}")
    whole = replace(column, kind="mat", body=body, live=lit.labels is not None)
    return whole.document(theme)


def _whose(view: View, seat: int | None) -> int:
    """A seat; by default the viewer's."""
    seat = view.seat if seat is None else seat
    if seat is None or not 0 <= seat < view.players:
        raise BrassError(f"unknown seat {seat}; seats are 0 to {view.players - 1}")
    return seat


def _heading(view: View, seat: int, width: float) -> Iterator[str]:
    row = view.seats[seat]
    yield shape(seat, PAD + 7, 21, 6.5, "own")
    yield fitted_text(PAD + 22, 26, row.name, 15, width * 0.4)
    links = ngettext("{number} link left", "{number} links left", row.links_left)
    yield fitted_text(
        *(width - PAD, 26, links.format(number=row.links_left), 12, width * 0.4),
        font="sans",
        class_="quiet",
        anchor="end",
    )


def stack_drawn(
    edition: Edition,
    era_name: str,
    seat: int,
    industry: str,
    stack: tuple[int, ...],
    width: float,
    lit: Lit,
    id_: str,
    below: bool = True,
) -> Picture:
    """The remaining tiles of an industry, or only the next one.

    It is lit if the next tile can be built or developed.
    """
    lights = lit.lights
    rows = {row.level: row for row in edition.tiles if row.industry == industry}
    choices = lights.of_industry(edition, NUMBER[industry])
    era = ERAS.index(era_name)
    head = [
        glyph(industry, 9, 12, 19),
        fitted_text(25, 17, capital(terms.industry(industry)), 14, width - 52),
        fitted_text(width - 2, 17, str(len(stack)), 12, 24, "sans", "quiet", "end"),
    ]
    body = list(head)
    y = float(NAME)
    if not stack:
        body.append(rect(0.5, y, width - 1, NEXT, "slot none", rx=5))
        nothing = fitted_text(
            width / 2, y + NEXT / 2 + 4, _("none left"), 12, width - 16, "sans", "quiet", "middle"
        )
        body.append(nothing)
        y += NEXT
    said_next: list[str] = []
    for place, (level, count) in enumerate(Counter(stack).items()):
        if place and not below:
            break
        row = rows[level]
        said_next = said_next or [tile_words(row, count, era)]
        stuck = not below and not row.buildable[era]
        if place:
            edge, printed = path(f"M0 .5H{width:.1f}", "rule"), _entry(row, count, era, width)
        else:
            edge, printed = (
                frame(width, NEXT, lit=choices),
                _top(row, seat, count) if stuck else _next_tile(row, seat, count, era, width),
            )
        body.append(
            group(
                title(tile_words(row, count, era)) if below else "",
                edge,
                group(*printed, class_="print"),
                *(_refusal(row, width) if stuck else ()),
                id=f"{id_}-{level}",
                class_=classes("stock", not row.buildable[era] and "not-now"),
                transform=moved(0, y),
            )
        )
        y += ENTRY if place else NEXT + 4
    words = f"{terms.industry(industry)}: {len(stack)}"
    whole = lights.thing(
        words if below else "; ".join([words, *said_next]),
        *body,
        choices=choices,
        id=id_,
        class_=classes("stack", choices and "lit"),
    )
    return Picture("column", width, y, terms.industry(industry), whole)


# --- one tile ------------------------------------------------------------------------------------


def _next_tile(row: TileRow, seat: int, count: int, era: int, width: float) -> Iterator[str]:
    """The tile, and beside it everything printed on it, large."""
    yield from _top(row, seat, count)
    x = TILE + 16.0
    yield from _price(row, x, 24, 17, 12)
    yield from _era_mark(row, era, width - 20, 18)
    yield from _yields(row, x, 46, 12, min(38, (width - x - 4) / 3))
    yield from _goods(row, era, x, 67, 10.5, width, in_words=True)


def _top(row: TileRow, seat: int, count: int) -> Iterator[str]:
    """The tile, and how many of it are left."""
    yield tile(row, seat, 7, 8, TILE)
    if count > 1:
        yield text(7 + TILE / 2, NEXT - 9, times(count), 13, "bold")


def _refusal(row: TileRow, width: float) -> Iterator[str]:
    """Instead of its price: that it cannot be built now, and what can be done about it."""
    x = TILE + 16
    way = _("develop only") if row.developable and row.eras != "rail" else _(WHEN[row.eras])
    yield fitted_text(x, 36, _("cannot be built"), 12, width - x - 6)
    yield fitted_text(x, 53, way, 12, width - x - 6, "sans", "quiet")


def _entry(row: TileRow, count: int, era: int, width: float) -> Iterator[str]:
    """A tile further down in two lines."""
    yield text(2, 16, ROMAN[row.level], 12.5, "bold", "start")
    if count > 1:
        yield text(32, 16, times(count), 10.5, "sans quiet", "start")
    yield from _price(row, 57, 16, 13.5, 9.5)
    yield from _era_mark(row, era, width - 17, 11)
    yield from _yields(row, 2, 32, 10.5, 30)
    yield from _goods(row, era, 96, 32, 9.5, width, in_words=False)


def _price(row: TileRow, x: float, y: float, size: float, cube_size: float) -> Iterator[str]:
    """Pounds, and the coal and iron it needs."""
    words = terms.pounds(row.cost)
    yield text(x, y, words, size, "bold", "start")
    x += width_of(words, size, "serif bold") + cube_size / 2 + 4
    for goods, needed in (("coal", row.coal), ("iron", row.iron)):
        for _n in range(needed):
            yield cube(goods, x, y - size * 0.36, cube_size)
            x += cube_size + 2
    if not row.developable:
        yield glyph("bulb", x + 3, y - size * 0.36, cube_size + 4, "quiet-mark")


def _yields(row: TileRow, x: float, y: float, size: float, step: float) -> Iterator[str]:
    """VP, income and link symbols when it is flipped."""
    for mark, words in (
        ("points", str(row.vp)),
        ("income", str(row.income)),
        ("link", str(row.icons)),
    ):
        yield glyph(mark, x + size * 0.5, y - size * 0.36, size * 1.05, "quiet-mark")
        yield text(x + size * 1.15, y, words, size, "sans", "start")
        x += step


def _goods(
    row: TileRow, era: int, x: float, y: float, size: float, width: float, *, in_words: bool
) -> Iterator[str]:
    """The beer needed to sell it; or, after a plus, the cubes or barrels it produces."""
    if row.beer:
        words, count = _("to sell") if in_words else "", row.beer
    elif row.contents[era]:
        words, count = _("gives") if in_words else "+", row.contents[era]
    else:
        return
    step = size + 1.5
    room = width - 10 - x - count * step
    if in_words and not row.beer and width_of(words, size * 0.8, "sans") > room:
        words = "+"  # no room for a word beside that many
    yield fitted_text(x, y, words, size, room, "sans", "quiet")
    x += min(width_of(words, size, "sans"), room) + 3
    for n in range(count):
        middle, high = x + (n + 0.5) * step, y - size * 0.36
        yield (
            glyph("beer", middle, high, size * 1.25, "quiet-mark")
            if row.beer
            else cube(row.industry, middle, high, size)
        )


def _era_mark(row: TileRow, era: int, x: float, y: float) -> Iterator[str]:
    """When it can be built, unless that is now: waves, rails, or a cross."""
    if row.buildable[era]:
        return
    if row.eras == "canal":
        yield path(wave(x, y, 15, 2), "hair")
        yield path(wave(x, y + 4, 15, 2), "hair")
    elif row.eras == "rail":
        sleepers = "".join(f"M{x + n * 3.5:.1f} {y - 3:.1f}v9" for n in range(1, 5))
        yield path(f"M{x:.1f} {y - 1:.1f}h16m-16 5h16{sleepers}", "hair")
    else:
        yield path(f"M{x + 3:.1f} {y - 4:.1f}l9 9m0-9l-9 9", "hair")
