"""The places of a map: towns with their spaces, farms, merchants, market places, waypoints."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from brassmill import terms
from brassmill.core.view import MerchantView, TileView, View
from brassmill.editions import Edition
from brassmill.editions.edition import FARM, MARKET_PLACE, TOWN, WAYPOINT
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.svg.draw import (
    circle,
    classes,
    element,
    group,
    number,
    path,
    rect,
    text,
    words,
)
from brassmill.svg.facts import bonus_words, flipped, for_links, merchant_words, once_flipped
from brassmill.svg.glyphs import barrel, glyph
from brassmill.svg.kept import kept
from brassmill.svg.lettering import small_caps, width
from brassmill.svg.lights import Lights, Lit
from brassmill.svg.plan import PlacedSite, plan
from brassmill.svg.sites import BONUS, SPACING, Box
from brassmill.svg.tiles import space as empty_space
from brassmill.svg.tiles import tile as tile_of

KINDS = {TOWN: "town", FARM: "farm", MARKET_PLACE: "market-place", WAYPOINT: "waypoint"}
RESOURCE = {"coal": "coal", "iron": "iron", "brewery": "beer"}
HALO = 4  # around a tile that can be chosen


class Here(NamedTuple):
    """What is at a place."""

    tiles: tuple[TileView, ...] = ()
    owners: tuple[str, ...] = ()  # their names, by tile
    merchants: tuple[MerchantView, ...] = ()


def places(
    view: View,
    edition: Edition,
    shape: str,
    lights: Lights,
    between: str = "",
    only: Collection[int] | None = None,
) -> str:
    """All places of a view, or only some; `between` separates them."""
    tiles = {tile.space: tile for tile in view.tiles}
    drawn = []
    for place, (spaces, merchants) in enumerate(_contents(edition)):
        if only is not None and place not in only:
            continue
        here = [tiles[space] for space in spaces if space in tiles]
        found = Here(
            tuple(here),
            tuple([view.seats[tile.owner].name for tile in here]),
            tuple([view.merchants[merchant] for merchant in merchants]),
        )
        subjects = [("space", space) for space in spaces]
        subjects += [("merchant", merchant) for merchant in merchants]
        lit = lights.about(("place", place), *subjects)
        drawn.append(place_drawn(edition, shape, place, found, lit))
    return group(between.join(drawn), class_="places")


@cache
def _contents(edition: Edition) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The spaces and the merchants of each place."""
    return tuple(
        (spaces, tuple(n for n, where in enumerate(edition.merchant_places) if where == place))
        for place, spaces in enumerate(edition.place_spaces)
    )


@kept(24_000)
def place_drawn(edition: Edition, shape: str, place: int, here: Here, lit: Lit) -> str:
    """One place: its spaces, merchants or roundel, and its name."""
    spot, lights = plan(edition, shape).spots[place], lit.lights
    parts = []
    if spot.site.spaces:
        parts.append(_town(edition, place, spot, here, lights))
    elif spot.site.roundels:
        parts.append(_merchants(edition, place, spot, here, lights))
    else:
        parts.append(_roundel(edition, place, spot))
    parts.append(_label(spot, lights))
    choices = lights.of("place", place)
    name = classes("place", KINDS[spot.site.place.kind], "lit" if choices else None)
    # Towns hold spaces and merchants with tooltips of their own; other places have one.
    whole = lights.frame if spot.site.spaces or spot.site.roundels else lights.thing
    return whole(
        _about(edition, place),
        *parts,
        choices=choices,
        id=f"place-{spot.site.place.id}",
        class_=name,
    )


def _about(edition: Edition, place: int) -> str:
    """A place in words."""
    row = edition.places[place]
    said = row.name
    if row.kind == WAYPOINT:
        said = _("{place}: no industry").format(place=row.name)
    elif row.kind == MARKET_PLACE and row.name not in edition.merchants:
        if edition.merchants:
            said = _("{place}: no merchants in this game").format(place=row.name)
        else:
            said = _("{place}: a market place, which gives market access").format(place=row.name)
    return f"{said}; {for_links(row.icons)}" if row.icons else said


# --- towns ---------------------------------------------------------------------------------------


def _town(edition: Edition, place: int, spot: PlacedSite, here: Here, lights: Lights) -> str:
    box = spot.block
    tiles = {tile.space: tile for tile in here.tiles}
    owners = {tile.space: name for tile, name in zip(here.tiles, here.owners, strict=True)}
    parts = [rect(box.x, box.y, box.width, box.height, "block", rx=5)]
    lit_tiles: list[str] = []  # above their neighbours, which would hide the halo
    for corner, space in zip(spot.site.spaces, edition.place_spaces[place], strict=True):
        choices = lights.of("space", *_equals(edition, space, tiles))
        tile, square = tiles.get(space), corner.at(spot.x, spot.y)
        said = _space_words(edition, space, tile, owners.get(space, ""))
        drawn = _space(edition, space, square, tile, said, lights, choices)
        (lit_tiles if tile and choices else parts).append(drawn)
    return "".join(parts + lit_tiles)


def _equals(edition: Edition, space: int, tiles: Collection[int]) -> list[int]:
    """A space; if it is empty, with all empty spaces of its town that are the same choice."""
    if space in tiles:
        return [space]
    row = edition.spaces[space]
    return [
        other
        for other in edition.place_spaces[row.place]
        if other not in tiles and edition.spaces[other].symbols == row.symbols
    ]


def _space(
    edition: Edition,
    space: int,
    box: Box,
    tile: TileView | None,
    said: str,
    lights: Lights,
    choices: str | None,
) -> str:
    row = edition.spaces[space]
    parts = []
    if tile is None:
        parts.append(empty_space(row.symbols, box.x, box.y, box.width))
    else:
        kind = edition.tile[edition.find_tile(f"{tile.industry} {tile.level}")]
        parts.append(
            tile_of(
                kind, tile.owner, box.x, box.y, box.width, flipped=tile.flipped, cubes=tile.cubes
            )
        )
    if choices:  # outside a tile, so that it is seen beside the owner's colour
        ring = box.grown(HALO) if tile else box
        parts.append(rect(ring.x, ring.y, ring.width, ring.height, "halo", rx=ring.width * 0.09))
    return lights.thing(
        said,
        *parts,
        choices=choices,
        id=f"space-{edition.places[row.place].id}-{row.number}",
        class_=classes("space", "taken" if tile else "empty", "lit" if choices else None),
    )


def _space_words(edition: Edition, space: int, tile: TileView | None, owner: str) -> str:
    """A space in words, with everything its tile shows."""
    town = edition.place_name(edition.spaces[space].place)
    if tile is None:
        industries = " / ".join(map(terms.industry, edition.spaces[space].symbols))
        return _("{town}: empty, for {industries}").format(town=town, industries=industries)
    kind = edition.tile[edition.find_tile(f"{tile.industry} {tile.level}")]
    fields = {
        "town": town,
        "tile": terms.tile(kind.name),
        "owner": owner,
        "number": tile.cubes,
    }
    if tile.flipped:
        scores = flipped(kind, language())
        return _("{town}: {owner}'s {tile}, flipped, {scores}").format(**fields, scores=scores)
    if tile.industry in RESOURCE:
        resource = terms.resource(RESOURCE[tile.industry])
        said = _("{town}: {owner}'s {tile}, {number} {resource}").format(
            **fields, resource=resource
        )
    else:
        said = _("{town}: {owner}'s {tile}").format(**fields)
    return f"{said}; {once_flipped(kind, language())}"


# --- places without spaces -----------------------------------------------------------------------


def _merchants(edition: Edition, place: int, spot: PlacedSite, here: Here, lights: Lights) -> str:
    box = spot.block
    parts = [rect(box.x, box.y, box.width, box.height, "block", rx=box.height / 2)]
    numbers = _contents(edition)[place][1]
    found = zip(here.merchants, numbers, spot.site.roundels, strict=True)
    for count, (merchant, index, middle) in enumerate(found, 1):
        x, y = spot.x + middle[0], spot.y + middle[1]
        parts.append(_merchant(merchant, index, count, x, y, spot, lights))
    return "".join(parts)


def _merchant(
    merchant: MerchantView,
    index: int,
    count: int,
    x: float,
    y: float,
    spot: PlacedSite,
    lights: Lights,
) -> str:
    place = spot.site.place
    choices = lights.of("merchant", index)
    size = spot.block.height - 10
    parts = [circle(x, y, size / 2, "roundel")]
    if merchant.goods == "all":
        for goods, dx, dy in (("cotton", -7.5, -5), ("manufacturer", 7.5, -5), ("pottery", 0, 8)):
            parts.append(glyph(goods, x + dx, y + dy, 15))
    elif merchant.goods == "blank":
        parts.append(path(f"M{number(x - 5)} {number(y)}h10", "nothing"))
    else:
        parts.append(glyph(merchant.goods, x, y, size * 0.62))
    if merchant.barrel:
        parts.append(barrel(x + size * 0.36, y - size * 0.38, 20))
    if choices:
        parts.append(circle(x, y, size / 2 + HALO / 2, "halo"))
    return lights.thing(
        merchant_words(place, merchant),
        *parts,
        choices=choices,
        id=f"merchant-{place.id}-{count}",
        class_=classes("merchant", merchant.goods, "lit" if choices else None),
    )


def _roundel(edition: Edition, place: int, spot: PlacedSite) -> str:
    """A place where nothing can be built, but links to it score."""
    row = edition.places[place]
    r = spot.block.width / 2
    closed = bool(edition.merchants)  # its merchants need more players
    parts = [circle(spot.x, spot.y, r, classes("roundel", "closed" if closed else None))]
    if row.kind == MARKET_PLACE:
        parts.append(circle(spot.x, spot.y, r - 3.5, classes("hair", "closed" if closed else None)))
    for n in range(row.icons):
        y = spot.y + (n - (row.icons - 1) / 2) * 9
        parts.append(glyph("link", spot.x, y, 17, "ghost"))
    return "".join(parts)


# --- names ---------------------------------------------------------------------------------------


def _label(spot: PlacedSite, lights: Lights) -> str:
    site, box = spot.site, spot.label
    x = box.x + box.width / 2
    lines = []
    for n, line in enumerate(site.name):
        y = box.y + 2 + (n + 0.78) * (box.height - 4 - _bonus_room(spot)) / len(site.name)
        if site.place.kind == TOWN:
            lines.append(_capitals(line, x, y, site.letters))
        else:
            lines.append(text(x, y, line, site.letters, "name italic bold"))
    if _bonus_room(spot):
        lines.append(_bonus(spot, x, box.y + box.height - 11, lights))
    return group(rect(box.x, box.y, box.width, box.height, "plate", rx=3), *lines, class_="label")


def _bonus_room(spot: PlacedSite) -> float:
    return BONUS if spot.site.place.bonus and spot.site.roundels else 0


@lru_cache(1_000)  # names never move
def _capitals(line: str, x: float, y: float, size: float) -> str:
    """A name in capitals and small capitals; a page that shows it small has plain letters."""
    runs = [
        element("tspan", words(run), font_size=size * part, class_="small" if part < 1 else None)
        for run, part in small_caps(line)
    ]
    return element(
        "text",
        *runs,
        class_="name bold",
        x=x + SPACING / 2,
        y=y,
        font_size=size,
        text_anchor="middle",
        letter_spacing=SPACING,
    )


def _bonus(spot: PlacedSite, x: float, y: float, lights: Lights) -> str:
    """The bonus for these merchants' beer: VP in a hexagon, or a symbol with its number."""
    place = spot.site.place
    amount = str(place.bonus_amount)
    if place.bonus == "points":
        sign = glyph("points", x, y, 23, "ghost") + text(x, y + 5, amount, 14, "bold on-ghost")
    else:
        wide = width(amount, 15, "serif bold")
        left = x - (19 + wide) / 2
        sign = glyph(place.bonus, left + 7.5, y, 16, "ghost")
        sign += text(left + 19, y + 5.5, amount, 15, "bold quiet", "start")
    hold = rect(x - 22, y - 11, 44, 22, "touch")  # also between the symbol and its number
    return lights.note(bonus_words(place), hold, sign, class_="bonus")
