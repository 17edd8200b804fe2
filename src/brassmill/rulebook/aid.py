"""The player aid of a game: the rules in brief and all tiles on a sheet of A4, as SVG or PDF.

The sheet is drawn once, as SVG with presentation attributes only, which the PDF library reads too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from brassmill import terms
from brassmill.editions import Edition, edition
from brassmill.editions.edition import TileRow
from brassmill.language import N_, speaking
from brassmill.language import gettext as _
from brassmill.rulebook.brief import Section, in_brief
from brassmill.rulebook.once import made_once
from brassmill.svg.draw import NAMESPACE, element, group, number, path, rect, text, title
from brassmill.svg.glyphs import MARKS, PATHS, SIZE
from brassmill.svg.lettering import fitting, in_lines
from brassmill.svg.panel import capital
from brassmill.svg.png import FONTS
from brassmill.svg.theme import LIGHT
from brassmill.terms import ROMAN

WIDTH, HEIGHT = 1188, 840  # A4 across, four units to a millimetre
MILLIMETRES = (297, 210)
MARGIN, GUTTER, TOP = 40, 30, 104
TILES = 366  # width of the column of tiles
LARGEST, SMALLEST = 14.0, 9.0  # font sizes of the text
LEADING = 1.32
FONT = "Besley, Georgia, serif"
MARKETS = {"coal": N_("Coal in the market"), "iron": N_("Iron in the market")}
_TITLE = re.compile("<title>.*?</title>")  # the library knows none
INK, QUIET, LINE, BRASS = LIGHT["ink"], LIGHT["ink2"], LIGHT["line"], LIGHT["brass"]


@made_once
def aid(game: str, code: str) -> str:
    """The player aid in a language, as SVG."""
    with speaking(code):
        return _sheet(edition(game))


@made_once
def aid_pdf(game: str, code: str) -> bytes:
    """The player aid in a language, as PDF."""
    from fpdf import FPDF
    from fpdf.svg import SVGObject

    document = FPDF(orientation="landscape", unit="mm", format="A4")
    document.set_margin(0)
    document.set_auto_page_break(auto=False)
    for file in FONTS:
        _name, weight, style = Path(file).stem.split("-")
        emphasis = ("B" if weight == "700" else "") + ("I" if style == "italic" else "")
        document.add_font("Besley", emphasis, file)
    document.set_lang(code)
    with speaking(code):
        document.set_title(_heading(edition(game)))
    document.add_page()
    document.set_font("Besley")
    drawn = SVGObject(_TITLE.sub("", aid(game, code)).replace(FONT, "Besley"))
    drawn.draw_to_page(document, 0, 0)
    return bytes(document.output())


def _heading(box: Edition) -> str:
    return _("{title}: player aid").format(title=box.title)


def _sheet(box: Edition) -> str:
    parts = [
        title(_heading(box)),
        rect(0, 0, WIDTH, HEIGHT, fill="#ffffff"),
        rect(MARGIN, 78, WIDTH - 2 * MARGIN, 3, fill=BRASS),
        _text(MARGIN, 62, box.title, 34, bold=True),
        _text(WIDTH - MARGIN, 62, _("Player aid"), 18, fill=QUIET, anchor="end"),
        *_columns([*in_brief(box.name, at_table=False), *_more(box)]),
        *_tiles(box),
    ]
    return element(
        "svg",
        *parts,
        xmlns=NAMESPACE,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=f"{MILLIMETRES[0]}mm",
        height=f"{MILLIMETRES[1]}mm",
        role="img",
        aria_label=_heading(box),
    )


def _more(box: Edition) -> Iterator[Section]:
    """What a game has beside the tiles: the bonuses of merchants, or the distant market."""
    for name, market in (("coal", box.coal_market), ("iron", box.iron_market)):
        words = _("{low} to {high}; {empty} once the market is empty").format(
            low=terms.pounds(market.prices[0]),
            high=terms.pounds(market.prices[-1]),
            empty=terms.pounds(market.empty_price),
        )
        yield Section(name, _(MARKETS[name]), words)
    if box.merchants:
        places = [box.places[number] for number in dict.fromkeys(box.merchant_places)]
        told = (
            _("{name}: {value}").format(
                name=one.name, value=terms.bonus(one.bonus, one.bonus_amount)
            )
            for one in places
        )
        yield Section("merchant", _("Merchant bonus"), " · ".join(told))
    if box.distant_bonus:
        *spaces, _closed = map(str, box.distant_bonus)
        yield Section("distant", _("Distant market: income spaces"), " · ".join([*spaces, "X"]))


# --- the text ------------------------------------------------------------------------------------


def _columns(sections: Sequence[Section]) -> Iterator[str]:
    """The sections in two columns, as large as they fit."""
    width = (WIDTH - 2 * MARGIN - TILES - 2 * GUTTER) / 2
    room = HEIGHT - MARGIN - TOP
    size = LARGEST
    while True:
        heights = [_height(section, size, width) for section in sections]
        split = _split(heights)
        if size <= SMALLEST or max(sum(heights[:split]), sum(heights[split:])) <= room:
            break
        size -= 0.2
    for column, part in enumerate((sections[:split], sections[split:])):
        x, y = MARGIN + column * (width + GUTTER), float(TOP)
        for section in part:
            yield from _section(section, x, y, width, size)
            y += _height(section, size, width)


def _split(heights: Sequence[float]) -> int:
    """How many sections the first column takes, so that both are equally tall."""
    splits = range(1, len(heights) + 1)
    return min(splits, key=lambda split: max(sum(heights[:split]), sum(heights[split:])))


def _height(section: Section, size: float, width: float) -> float:
    lines = len(in_lines(section.words, size, width))
    return size * (1.75 + LEADING * lines + 0.75)


def _section(section: Section, x: float, y: float, width: float, size: float) -> Iterator[str]:
    yield _text(x, y + size * 1.05, section.title, size * 1.18, bold=True)
    for row, line in enumerate(in_lines(section.words, size, width)):
        yield _text(x, y + size * (1.75 + 0.75 + LEADING * row), line, size)


# --- the tiles -----------------------------------------------------------------------------------

# The columns of the table: what they show, and where it stands from the left.
COLUMNS = {
    "money": (N_("Cost"), 112),
    "coal": (N_("Coal"), 150),
    "iron": (N_("Iron"), 184),
    "beer": (N_("Beer"), 218),
    "points": (N_("VP"), 252),
    "income": (N_("Income"), 287),
    "link": (N_("Links"), 321),
    "holds": (N_("Holds"), 352),
}
NOTE = (52, 40)  # where the era of a tile stands, and its room
CELL = 33  # the room of a heading


def _tiles(box: Edition) -> Iterator[str]:
    """All tiles of a player, industry by industry."""
    left = WIDTH - MARGIN - TILES
    stacks = [(name, list(rows)) for name, rows in groupby(box.tiles, attrgetter("industry"))]
    lines = sum(len(rows) + 1.3 for _name, rows in stacks) + 1.9
    step = min(24.0, (HEIGHT - MARGIN - TOP) / lines)
    has_beer = any(row.beer for row in box.tiles)
    shown = {name: x for name, (_title, x) in COLUMNS.items() if name != "beer" or has_beer}
    yield rect(left - GUTTER / 2, TOP - 4, 1, HEIGHT - MARGIN - TOP + 8, fill=LINE)
    y = float(TOP)
    for name, x in shown.items():
        yield _sign(name, left + x, y + step * 0.45, step * 0.8)
        words = _(COLUMNS[name][0])
        size = fitting(words, CELL, step * 0.46)
        yield _text(left + x, y + step * 1.35, words, size, fill=QUIET, anchor="middle")
    y += step * 1.9
    for name, rows in stacks:
        yield _glyph(name, left + 10, y + step * 0.5, step * 0.95)
        words = capital(terms.industry(name))
        yield _text(left + 28, y + step * 0.74, words, step * 0.62, bold=True)
        y += step * 1.05
        for row in rows:
            yield from _row(row, left, y, step, shown)
            y += step
        y += step * 0.25


def _row(
    row: TileRow, left: float, y: float, step: float, shown: Mapping[str, int]
) -> Iterator[str]:
    size = step * 0.56
    base = y + step * 0.68
    yield rect(left, y - 0.5, TILES, 0.7, fill=LINE)
    yield _text(left + 12, base, ROMAN[row.level], size, bold=True, anchor="middle")
    yield _text(left + 30, base, f"×{row.count}", size, fill=QUIET)  # noqa: RUF001
    if note := {"canal": _("canal"), "rail": _("rail")}.get(row.eras, ""):
        x, room = NOTE
        yield _text(left + x, base, note, fitting(note, room, size * 0.85), fill=QUIET)
    if not row.developable:
        yield _glyph("bulb", left + NOTE[0] + 8, y + step * 0.5, step * 0.7)
    first, last = {"canal": row.contents[:1] * 2}.get(row.eras, row.contents)
    values = {
        "money": terms.pounds(row.cost),
        "coal": row.coal or "",
        "iron": row.iron or "",
        "beer": row.beer or "",
        "points": row.vp,
        "income": row.income,
        "link": row.icons,
        "holds": f"{first} / {last}" if 0 < first < last else last or first or "",
    }
    if row.eras == "never":
        values = dict.fromkeys(values, "–")  # noqa: RUF001
    for name, x in shown.items():
        yield _text(left + x, base, str(values[name]), size, anchor="middle")


def _sign(name: str, x: float, y: float, size: float) -> str:
    """The sign above a column: goods have their colours."""
    if name in ("coal", "iron"):
        side = size * 0.8
        return rect(x - side / 2, y - side / 2, side, side, rx=2, fill=LIGHT[name])
    if name == "beer":
        return _glyph("brewery", x, y, size, LIGHT["beer"])
    if name == "holds":
        side = size * 0.42
        corners = ((-1.1, 0.1), (0.1, 0.1), (-0.5, -1.1))
        drawn = (rect(x + dx * side, y + dy * side, side, side, fill=QUIET) for dx, dy in corners)
        return group(*drawn)
    return _glyph(name, x, y, size)


def _glyph(name: str, x: float, y: float, size: float, fill: str = INK) -> str:
    d = PATHS.get(name) or MARKS[name].d
    scale = size / SIZE
    corner = f"translate({number(x - size / 2)} {number(y - size / 2)}) scale({scale:.4g})"
    return group(path(d, fill=fill, fill_rule="evenodd"), transform=corner)


def _text(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    bold: bool = False,
    fill: str = INK,
    anchor: str = "start",
) -> str:
    weight = "700" if bold else None
    return text(x, y, words, size, anchor=anchor, fill=fill, font_family=FONT, font_weight=weight)
