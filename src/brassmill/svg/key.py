"""The key to the symbols: a tile, a card, a market, ... with numbered notes on what they show.

Everything is drawn by the functions that draw the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from brassmill import terms
from brassmill.core.view import View
from brassmill.editions.edition import WILD_CARDS, Edition, TileRow
from brassmill.language import gettext as _
from brassmill.rules.layout import PLACES
from brassmill.svg.draw import Picture, circle, group, moved, number, path, text
from brassmill.svg.hand import HEIGHT as CARD_HEIGHT
from brassmill.svg.hand import WIDTH as CARD_WIDTH
from brassmill.svg.hand import card_drawn
from brassmill.svg.lettering import width
from brassmill.svg.lights import Lights, Lit
from brassmill.svg.links import built_link, open_line
from brassmill.svg.market import RISE, distant_picture, ladder
from brassmill.svg.mat import NAME, STACK, TILE, stack_drawn
from brassmill.svg.panel import GAP, PAD, capital, edition_of
from brassmill.svg.places import Here, place_drawn
from brassmill.svg.plan import Curve, Track, plan
from brassmill.svg.seat import WIDTH as SEAT_WIDTH
from brassmill.svg.seat import seat_picture
from brassmill.svg.tiles import tile

MARGIN = 30  # around a picture, for the numbers
DOT = 9
SIZE = 92  # of a tile
_IDS = re.compile(r' id="[^"]*"')  # those of the table, which may be on the same page


class Note(NamedTuple):
    """A note on a point of a picture, with its number beside the picture."""

    words: str
    at: tuple[float, float]
    side: str  # of the picture: n, s, e or w


class Specimen(NamedTuple):
    """One thing of the table, and what it shows."""

    title: str
    picture: str
    notes: tuple[str, ...]  # by number, from 1


def specimens(view: View) -> tuple[Specimen, ...]:
    """Everything that needs a word, for the edition of a view."""
    edition = edition_of(view)
    parts = [
        _tiles(edition),
        _mat(view, edition),
        _cards(edition),
        _merchant(view, edition) if edition.merchants else _distant(view, edition),
        _market(view, edition),
        _seat(view),
        _lines(edition),
    ]
    return tuple(_specimen(*part) for part in parts)


def _specimen(title: str, picture: Picture, notes: Sequence[Note]) -> Specimen:
    """A picture with its numbers around it."""
    inner = picture.width, picture.height
    marks = "".join(_mark(n, note, inner) for n, note in enumerate(notes, 1))
    body = group(_IDS.sub("", picture.body), marks, transform=moved(MARGIN, MARGIN))
    whole = Picture(
        "key", inner[0] + 2 * MARGIN, inner[1] + 2 * MARGIN, title, body, still=True, live=True
    )
    return Specimen(title, whole.document(None), tuple(note.words for note in notes))


def _mark(n: int, note: Note, size: tuple[float, float]) -> str:
    """A number, and a line from it to what it is about."""
    (x, y), out = note.at, MARGIN - DOT - 3
    dot = {
        "n": (x, -out),
        "s": (x, size[1] + out),
        "w": (-out, y),
        "e": (size[0] + out, y),
    }[note.side]
    return group(
        path(f"M{number(x)} {number(y)}L{number(dot[0])} {number(dot[1])}", "mark-line"),
        circle(*dot, DOT, "mark-dot"),
        text(dot[0], dot[1] + 4.3, str(n), 12, "bold on-ink"),
    )


Part = tuple[str, Picture, list[Note]]


def _tiles(edition: Edition) -> Part:
    """A tile on the map, before and after it has flipped."""
    row = next(row for row in edition.tiles if row.industry == "coal" and row.level == 2)
    second = SIZE + 40
    body = tile(row, 0, 0, 0, SIZE, cubes=row.contents[0]) + tile(
        row, 0, second, 0, SIZE, flipped=True
    )

    def at(x: float, y: float, left: float = 0) -> tuple[float, float]:
        return left + x * SIZE, y * SIZE

    notes = [
        Note(_("the owner's shape and colour"), at(0.06, 0.17), "w"),
        Note(_("the industry"), at(0.42, 0.25), "n"),
        Note(_("the level"), at(0.84, 0.06), "n"),
        Note(_("goods left; without any, it flips"), at(0.5, 0.97), "s"),
        Note(_("the dark cap: this tile has flipped"), at(0.6, 0.02, second), "n"),
        Note(_("VP at the end of the era"), at(0.33, 0.95, second), "s"),
        Note(_("VP for each link here"), at(0.87, 0.9, second), "s"),
    ]
    return capital(_("tiles")), Picture("tiles", second + SIZE, SIZE, "", body), notes


def _mat(view: View, edition: Edition) -> Part:
    """The next tile of an industry on a mat, one that shows as much as any."""
    rows = [
        next(row for row in edition.tiles if (row.industry, row.level) == (industry, stack[0]))
        for industry, stack in view.seats[0].mat.items()
    ]
    row = max(rows, key=_shown)
    stack = view.seats[0].mat[row.industry]
    drawn = stack_drawn(edition, view.era, 0, row.industry, stack, STACK, Lit(), "key", below=False)
    body = group(drawn.body, class_="seat-0 mat")
    left, high, low = TILE + 16.0, NAME + 9.0, NAME + 50.0
    price = width(terms.pounds(row.cost), 17, "serif bold")
    needs = left + price + 10
    bulb = needs + 14 * (row.coal + row.iron) + 10
    step = min(38, (STACK - left - 4) / 3)
    links = left + 2 * step + 26
    notes = [
        Note(_("tiles left of this industry"), (STACK, 12), "e"),
        Note(_("what it costs to build"), (left + price - 14, high), "n"),
    ]
    if row.coal or row.iron:
        notes.append(Note(_("coal and iron needed to build it"), (needs, high), "n"))
    if not row.developable:
        notes.append(Note(_("lightbulb: it cannot be developed"), (bulb, NAME + 18), "e"))
    notes += [
        Note(_("VP once it has flipped"), (left + 6, low), "s"),
        Note(_("spaces on the income track once it has flipped"), (left + step + 6, low), "s"),
        Note(_("VP for each link here once it has flipped"), (links, NAME + 42), "e"),
    ]
    if row.beer:
        beer = left + width(_("to sell"), 10.5, "sans") + 12 + 12 * row.beer
        notes.append(Note(_("beer needed to sell it"), (beer, NAME + 64), "e"))
    return capital(_("player mat")), Picture("mat", STACK, drawn.height, "", body), notes


def _shown(row: TileRow) -> int:
    """How much there is on a tile."""
    return sum((row.coal + row.iron > 0, row.beer > 0, row.icons > 0)) + 2 * (not row.developable)


def _cards(edition: Edition) -> Part:
    """A location card and an industry card; with wild cards, one of them."""
    kinds = [card for card, count in edition.deck.items() if count]
    towns = [card for card in kinds if card < PLACES]
    town = max(towns, key=lambda card: len(edition.places[card].spaces))
    industry = next(card for card in kinds if card >= PLACES)
    wild = [card for card in WILD_CARDS if card in edition.cards][:1]
    step = CARD_WIDTH + 2 * GAP
    chosen = [town, industry, *wild]
    body = "".join(
        group(card_drawn(edition, card, 1, "", (), Lit()), transform=moved(n * step, 0))
        for n, card in enumerate(chosen)
    )
    middle = CARD_WIDTH / 2
    notes = [
        Note(_("location card: build in this town, even outside your network"), (middle, 1), "n"),
        Note(_("the spaces of the town"), (middle, CARD_HEIGHT - 22), "s"),
        Note(_("industry card: build this anywhere in your network"), (step + middle, 16), "n"),
    ]
    if wild:
        words = _("wild cards, from scouting: any town, or any industry in your network")
        notes.append(Note(words, (2 * step + middle, 13), "n"))
    wide = len(chosen) * step - 2 * GAP
    return capital(_("cards")), Picture("hand", wide, CARD_HEIGHT, "", body), notes


def _merchant(view: View, edition: Edition) -> Part:
    """Merchants of a market town, and their bonus."""
    sheet = plan(edition, "wide")
    place = next(
        place
        for place, row in enumerate(edition.places)
        if row.bonus == "income" and row.name in edition.merchants
    )
    spot = sheet.spots[place]
    block, label = spot.block, spot.label
    left, top = min(block.x, label.x) - 2, min(block.y, label.y) - 14
    right = max(block.x + block.width, label.x + label.width) + 2
    bottom = max(block.y + block.height, label.y + label.height)
    merchants = tuple(each for each in view.merchants if each.place == edition.places[place].name)
    body = group(
        place_drawn(edition, "wide", place, Here(merchants=merchants), Lit()),
        transform=moved(-left, -top),
    )
    x, y = spot.site.roundels[0]
    at = spot.x + x - left, spot.y + y - top
    notes = [
        Note(_("what this merchant buys"), (at[0] - 17, at[1]), "w"),
        Note(_("its beer, which a sale to it may use"), (at[0] + 15, at[1] - 27), "n"),
        Note(
            _("the bonus for using that beer: VP, money, income or a free develop"),
            ((label.x + label.width / 2) - left, label.y + label.height - 2 - top),
            "s",
        ),
    ]
    size = right - left, bottom - top
    return capital(_("merchants")), Picture("map", *size, "", body), notes


def _distant(view: View, edition: Edition) -> Part:
    assert view.distant is not None
    picture = distant_picture(view.distant, edition.distant_bonus, SEAT_WIDTH, Lights())
    notes = [
        Note(_("demand now: income for a cotton mill sold here"), (SEAT_WIDTH - 9, 18), "e"),
        Note(_("its marker, which a sale moves down the track"), (PAD, 45), "w"),
        Note(_("no demand: closed until the era ends"), (SEAT_WIDTH - PAD, 45), "e"),
        Note(_("face-down tiles: how far demand falls"), (40, 85), "s"),
    ]
    return picture.label, picture, notes


def _market(view: View, edition: Edition) -> Part:
    """The coal market, with some cubes sold."""
    wide = SEAT_WIDTH * 0.6
    market = edition.coal_market
    picture = ladder("coal", view.coal_market, market, wide, Lights())
    columns = len(set(market.prices)) + 1
    step = (wide - 2 * PAD) / columns

    def at(column: int, x: float, y: float) -> tuple[float, float]:
        return PAD + (column + 0.5) * step + x, picture.height - 35 - RISE * column + y

    notes = [
        Note(_("the price of the next cube"), (wide - 9, 18), "e"),
        Note(_("an empty space: pays its price for a cube delivered there"), at(0, -7, 0), "w"),
        Note(_("a cube for sale, at the price below it"), at(2, 0, -23), "n"),
        Note(_("the price when the market is empty"), at(columns - 1, 8, 2), "e"),
    ]
    return capital(_("markets")), picture, notes


def _seat(view: View) -> Part:
    """What everyone sees of a player."""
    picture = seat_picture(view, 0, view.seats[0].vp + 9)
    wide = picture.width
    notes = [
        Note(_("VP scored so far"), (wide - 40, 9), "n"),
        Note(_("money"), (13, 45), "w"),
        Note(_("income at the end of each round"), (72, 37), "n"),
        Note(_("money spent this round: whoever spends least goes first"), (140, 39), "n"),
        Note(_("cards in hand"), (wide - 128, 37), "n"),
        Note(_("links left to build"), (wide - 90, 39), "n"),
        Note(_("VP if the era ended now"), (wide - 8, 45), "e"),
        Note(_("the next tile of each industry: its level, and how many are left"), (40, 81), "s"),
    ]
    return capital(_("players")), picture, notes


def _lines(edition: Edition) -> Part:
    """The kinds of line on this map, and a link."""
    kinds = {
        (True, False): _("a canal, for the canal era"),
        (False, True): _("a railway, for the rail era"),
        (True, True): _("a canal in the canal era, a railway in the rail era"),
    }
    examples = {(line.canal, line.rail): line for line in edition.lines}
    words = [said for kind, said in kinds.items() if kind in examples]
    words.append(_("a link with its owner's shape and colour"))
    long, step = 120.0, 30.0
    rows = [12 + n * step for n in range(len(words))]
    tracks = [Track((Curve((0, y), (long, y)),), (long / 2, y)) for y in rows]
    lines = [examples[kind] for kind in kinds if kind in examples]
    drawn = [
        group(open_line(line, track, "canal"), class_="line")
        for line, track in zip(lines, tracks, strict=False)
    ]
    drawn.append(group(built_link("canal", tracks[-1], 0), class_="line built seat-0"))
    notes = [Note(said, (0, y), "w") for said, y in zip(words, rows, strict=True)]
    body = group(*drawn, class_="lines")
    return capital(_("lines and links")), Picture("map", long, rows[-1] + 12, "", body), notes
