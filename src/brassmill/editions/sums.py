"""Checks that the tables of an edition add up to the component counts of the rulebook."""

from __future__ import annotations

from collections import Counter

from brassmill.editions.edition import (
    FARM,
    INDUSTRY,
    MARKET_PLACE,
    NUMBER,
    TOWN,
    WAYPOINT,
    Edition,
)
from brassmill.errors import BrassError
from brassmill.rules import layout

_KINDS = {TOWN: "towns", FARM: "farms", MARKET_PLACE: "market places", WAYPOINT: "waypoints"}


def check(edition: Edition) -> None:
    """Raise an error that lists everything that does not add up."""
    problems = [
        *_sums(edition),
        *_map(edition),
        *_cards(edition),
        *_tiles(edition),
        *_rest(edition),
    ]
    if problems:
        raise BrassError(f"{edition!r} does not add up: {'; '.join(problems)}")


def counted(edition: Edition) -> dict[str, int]:
    """The counts of the tables, by the names in the editions' `SUMS`."""
    places = Counter(place.kind for place in edition.places)
    tiles = Counter({tile.name: tile.count for tile in edition.tiles})
    return {
        **{name: places[kind] for kind, name in _KINDS.items()},
        "spaces": len(edition.spaces),
        "lines": len(edition.lines),
        "canal lines": sum(line.canal for line in edition.lines),
        "rail lines": sum(line.rail for line in edition.lines),
        "tiles": tiles.total(),
        **{
            f"{name} tiles": sum(row.count for row in edition.tiles if row.industry == name)
            for name in INDUSTRY
        },
        "cards": sum(edition.deck.values()),
        "location cards": sum(edition.location_cards.values()),
        "distant tiles": len(edition.distant),
        "distant steps": sum(edition.distant),
        "merchant spaces": len(edition.merchants),
        "merchant tiles": len(edition.merchant_tiles),
    }


def _sums(edition: Edition) -> list[str]:
    found = counted(edition)
    return [
        f"{name}: {found[name]}, not {expected}"
        for name, expected in edition.sums.items()
        if found[name] != expected
    ]


def _map(edition: Edition) -> list[str]:
    problems = []
    names = [place.name for place in edition.places]
    problems += [f"two places {name}" for name, count in Counter(names).items() if count > 1]
    linked = {end for line in edition.lines for end in line.ends}
    problems += [f"no line reaches {name}" for name in names if name not in linked]
    problems += [f"a line ends at {name}, which is no place" for name in linked - set(names)]
    pairs = Counter(frozenset(line.ends) for line in edition.lines)
    problems += [f"two lines {'-'.join(sorted(ends))}" for ends, n in pairs.items() if n > 1]
    for place in edition.places:
        if bool(place.spaces) != (place.kind in (TOWN, FARM)):
            problems.append(f"a {place.kind} with {len(place.spaces)} spaces: {place.name}")
        if sum(place.rows) != len(place.spaces):
            problems.append(f"the rows of {place.name} hold {sum(place.rows)} spaces")
    industries = {INDUSTRY[number] for number in edition.industries}
    for number, space in enumerate(edition.spaces):
        if not (1 <= len(space.symbols) <= layout.SYMBOLS and set(space.symbols) <= industries):
            problems.append(f"symbols of {edition.space_name(number)}: {space.symbols}")
    for what, count, most in (
        ("places", len(edition.places), layout.PLACES),
        ("spaces", len(edition.spaces), layout.SPACES),
        ("lines", len(edition.lines), layout.LINES),
    ):
        if count > most:
            problems.append(f"{count} {what}, but the layout has room for {most}")
    return problems


def _cards(edition: Edition) -> list[str]:
    """Section 9: all hands become empty in the last round of an era."""
    problems = []
    towns = {place.name for place in edition.places if place.kind == TOWN}
    if towns != set(edition.location_cards):
        problems.append(f"location cards: {sorted(towns ^ set(edition.location_cards))}")
    cards = sum(edition.deck.values())
    plays = (2 * edition.rounds - 1, 2 * edition.rounds)
    for era, aside, played in zip(("canal", "rail"), edition.set_aside, plays, strict=True):
        if cards - aside.count != edition.players * played:
            problems.append(
                f"{cards - aside.count} cards in the {era} era of {edition.rounds} rounds"
            )
    if cards > layout.DECK:
        problems.append(f"a deck of {cards}, but the layout has room for {layout.DECK}")
    return problems


def _tiles(edition: Edition) -> list[str]:
    problems = []
    for tile in edition.tiles:
        produces = {"coal": tile.coal, "iron": tile.iron}.get(tile.industry, 0)
        if produces:
            problems.append(f"{tile.name} needs what it produces (SELF-1)")
        if not 0 <= tile.level < layout.LEVELS or tile.industry not in NUMBER:
            problems.append(f"the layout knows no {tile.name}")
        if (tile.contents != (0, 0)) != (tile.industry in ("coal", "iron", "brewery")):
            problems.append(f"{tile.name} holds {tile.contents}")
        if tile.eras not in ("canal", "rail", "both", "never"):
            problems.append(f"{tile.name} is for the era {tile.eras}")
    for industry in edition.industries:
        rows = [tile for tile in edition.tiles if tile.industry == INDUSTRY[industry]]
        levels = [tile.level for tile in rows]
        if levels != sorted(set(levels)):
            problems.append(f"levels of {INDUSTRY[industry]}: {levels}")
        if sum(tile.count for tile in rows) > layout.STACK:
            problems.append(f"more {INDUSTRY[industry]} tiles than the layout has room for")
    return problems


def _rest(edition: Edition) -> list[str]:
    problems = []
    for name, market in (("coal", edition.coal_market), ("iron", edition.iron_market)):
        prices = market.prices
        if len(prices) > layout.MARKET or list(prices) != sorted(prices):
            problems.append(f"prices of the {name} market: {prices}")
        if market.start > len(prices) or market.empty_price <= prices[-1]:
            problems.append(f"start of the {name} market: {market}")
    if edition.distant and sum(edition.distant) < layout.CLOSED:
        problems.append("the distant tiles do not reach the end of the track (SELL-6)")
    if edition.distant and len(edition.distant_bonus) != layout.CLOSED + 1:
        problems.append(f"the distant track has {len(edition.distant_bonus)} spaces")
    if len(edition.merchants) != len(edition.merchant_tiles):
        problems.append("merchant tiles and spaces differ")
    for loan in edition.loans:
        if loan not in (10, 20, 30):
            problems.append(f"a loan of {loan} pounds")
    return problems
