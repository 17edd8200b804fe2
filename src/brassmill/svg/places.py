"""The places of a map: towns with their spaces, farms, merchants, market places, waypoints."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from brassmill import terms
from brassmill.core.view import MerchantView, TileView, View
from brassmill.editions import Edition, Place
from brassmill.editions.edition import FARM, MARKET_PLACE, TOWN, WAYPOINT
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.svg.draw import (
    circle,
    classes,
    element,
    group,
    number,
    path,
    rect,
    text,
    title,
    words,
)
from brassmill.svg.glyphs import barrel, glyph
from brassmill.svg.lettering import small_caps, width
from brassmill.svg.lights import Lights
from brassmill.svg.plan import PlacedSite, Plan
from brassmill.svg.sites import BONUS, SPACING, Box
from brassmill.svg.tiles import space as empty_space
from brassmill.svg.tiles import tile as tile_of

KINDS = {TOWN: "town", FARM: "farm", MARKET_PLACE: "market-place", WAYPOINT: "waypoint"}
RESOURCE = {"coal": "coal", "iron": "iron", "brewery": "beer"}


def places(view: View, edition: Edition, plan: Plan, lights: Lights) -> str:
    """All places of a view."""
    tiles = {tile.space: tile for tile in view.tiles}
    drawn = []
    for place, spot in enumerate(plan.spots):
        parts = []
        if spot.site.spaces:
            parts.append(_town(view, edition, place, spot, tiles, lights))
        elif spot.site.roundels:
            parts.append(_merchants(view, edition, place, spot, lights))
        else:
            parts.append(_roundel(edition, place, spot))
        parts.append(_label(spot))
        choices = lights.of("place", place)
        name = classes("place", KINDS[spot.site.place.kind], "lit" if choices else None)
        drawn.append(
            lights.frame(
                _about(edition, place),
                *parts,
                choices=choices,
                id=f"place-{spot.site.place.id}",
                class_=name,
            )
        )
    return group(*drawn, class_="places")


def _about(edition: Edition, place: int) -> str:
    """A place in words."""
    row = edition.places[place]
    if row.kind == WAYPOINT:
        return _("{place}: no industry").format(place=row.name)
    if row.kind == MARKET_PLACE and row.name not in edition.merchants:
        if edition.merchants:
            return _("{place}: no merchants in this game").format(place=row.name)
        return _("{place}: an external location, with market access").format(place=row.name)
    return row.name


# --- towns ---------------------------------------------------------------------------------------


def _town(
    view: View,
    edition: Edition,
    place: int,
    spot: PlacedSite,
    tiles: dict[int, TileView],
    lights: Lights,
) -> str:
    box = spot.block
    parts = [rect(box.x, box.y, box.width, box.height, "block", rx=5)]
    for corner, space in zip(spot.site.spaces, edition.place_spaces[place], strict=True):
        choices = lights.of("space", *_equals(edition, space, tiles))
        tile, square = tiles.get(space), corner.at(spot.x, spot.y)
        parts.append(_space(view, edition, space, square, tile, lights, choices))
    return "".join(parts)


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
    view: View,
    edition: Edition,
    space: int,
    box: Box,
    tile: TileView | None,
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
    if choices:
        parts.append(rect(box.x, box.y, box.width, box.height, "halo", rx=box.width * 0.09))
    return lights.thing(
        _space_words(view, edition, space, tile),
        *parts,
        choices=choices,
        id=f"space-{edition.places[row.place].id}-{row.number}",
        class_=classes("space", "taken" if tile else "empty", "lit" if choices else None),
    )


def _space_words(view: View, edition: Edition, space: int, tile: TileView | None) -> str:
    """A space in words, with everything its tile shows."""
    town = edition.place_name(edition.spaces[space].place)
    if tile is None:
        industries = " / ".join(map(terms.industry, edition.spaces[space].symbols))
        return _("{town}: empty, for {industries}").format(town=town, industries=industries)
    kind = edition.tile[edition.find_tile(f"{tile.industry} {tile.level}")]
    fields = {
        "town": town,
        "tile": terms.tile(kind.name),
        "owner": view.seats[tile.owner].name,
        "points": kind.vp,
        "number": tile.cubes,
    }
    if tile.flipped:
        return _("{town}: {owner}'s {tile}, flipped, {points} VP").format(**fields)
    if tile.industry in RESOURCE:
        resource = terms.resource(RESOURCE[tile.industry])
        return _("{town}: {owner}'s {tile}, {number} {resource}").format(
            **fields, resource=resource
        )
    return _("{town}: {owner}'s {tile}").format(**fields)


# --- places without spaces -----------------------------------------------------------------------


def _merchants(view: View, edition: Edition, place: int, spot: PlacedSite, lights: Lights) -> str:
    box = spot.block
    parts = [rect(box.x, box.y, box.width, box.height, "block", rx=box.height / 2)]
    mine = [n for n, where in enumerate(edition.merchant_places) if where == place]
    for count, (merchant, middle) in enumerate(zip(mine, spot.site.roundels, strict=True), 1):
        x, y = spot.x + middle[0], spot.y + middle[1]
        parts.append(_merchant(view.merchants[merchant], merchant, count, x, y, spot, lights))
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
    fields = {"place": place.name, "goods": terms.goods(merchant.goods)}
    if merchant.goods == "blank":
        said = _("{place}: no merchant here").format(**fields)
    elif merchant.barrel:
        said = _("{place}: merchant for {goods}, with beer").format(**fields)
    else:
        said = _("{place}: merchant for {goods}, without beer").format(**fields)
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
        parts.append(circle(x, y, size / 2, "halo"))
    return lights.thing(
        said,
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


def _label(spot: PlacedSite) -> str:
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
        lines.append(_bonus(spot, x, box.y + box.height - 11))
    return group(rect(box.x, box.y, box.width, box.height, "plate", rx=3), *lines, class_="label")


def _bonus_room(spot: PlacedSite) -> float:
    return BONUS if spot.site.place.bonus and spot.site.roundels else 0


@lru_cache(1_000)  # names never move
def _capitals(line: str, x: float, y: float, size: float) -> str:
    """A name in capitals and small capitals."""
    runs = [element("tspan", words(run), font_size=size * part) for run, part in small_caps(line)]
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


def _bonus(spot: PlacedSite, x: float, y: float) -> str:
    """The bonus for these merchants' beer: VP in a hexagon, money, or a mark."""
    place = spot.site.place
    amount = str(place.bonus_amount)
    if place.bonus == "points":
        sign = glyph("points", x, y, 23, "ghost") + text(x, y + 5, amount, 14, "bold on-ghost")
    elif place.bonus == "money":
        sign = text(x, y + 5.5, terms.pounds(place.bonus_amount), 16, "bold quiet")
    else:
        wide = width(amount, 15, "serif bold")
        left = x - (19 + wide) / 2
        sign = glyph(place.bonus, left + 7.5, y, 16, "ghost")
        sign += text(left + 19, y + 5.5, amount, 15, "bold quiet", "start")
    return group(title(_bonus_words(place)), sign, class_="bonus")


def _bonus_words(place: Place) -> str:
    """A merchant's bonus in words."""
    amount = place.bonus_amount
    said = {
        "points": _("Bonus: {number} VP"),
        "develop": ngettext("Bonus: remove {number} tile", "Bonus: remove {number} tiles", amount),
        "income": ngettext(
            "Bonus: {number} space on the income track",
            "Bonus: {number} spaces on the income track",
            amount,
        ),
        "money": _("Bonus: {money}"),
    }[place.bonus]
    return said.format(number=amount, money=terms.pounds(amount))
