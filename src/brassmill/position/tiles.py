"""The tiles and links on the map, and the tiles on the mats."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from brassmill.core.events import ERAS
from brassmill.editions.edition import INDUSTRY
from brassmill.position.words import Tile, parse_tile, split_owner, tile_text
from brassmill.rules.layout import BUILDING, CANAL, LINK_TILES, NOBODY, RAIL, SHIPYARD

if TYPE_CHECKING:
    from brassmill.position.reader import Reading


def read_tiles(reading: Reading) -> None:
    """Read the tiles: first those with the number of a space, then the others in order."""
    problems, edition, seats = reading.problems, reading.edition, reading.seats
    tiles: list[tuple[str, Tile]] = []
    for text in problems.texts("tiles", reading.mapping.get("tiles")):
        tile = problems.find(f"tiles: {text}", parse_tile, edition, seats, text)
        if tile is not None:
            tiles.append((text, tile))
    for text, tile in sorted(tiles, key=lambda entry: entry[1].number is None):
        space = find_space(reading, text, tile)
        if space is not None:
            put_tile(reading, text, tile, space)
    check_towns(reading)


def find_space(reading: Reading, text: str, tile: Tile) -> int | None:
    """The space for a tile; None, and a problem, if there is none."""
    edition, state, problems = reading.edition, reading.state, reading.problems
    industry = INDUSTRY[int(reading.board.industry_of[tile.kind])]
    town = edition.place_name(tile.place)
    spaces = edition.place_spaces[tile.place]
    if tile.number is not None:
        space = edition.space_at(tile.place, tile.number)
        symbols = edition.spaces[space].symbols
        if industry not in symbols:
            problems.add(f"tiles: {text}: that space takes {' or '.join(symbols)}, not {industry}")
        elif state.tile[space]:
            other = tile_text(edition, reading.seats, state, space)
            problems.add(f"tiles: {text}: the space is taken by {other}")
        else:
            return space
        return None
    fitting = [space for space in spaces if industry in edition.spaces[space].symbols]
    empty = [space for space in fitting if not state.tile[space]]
    if not fitting:
        kinds = dict.fromkeys(name for space in spaces for name in edition.spaces[space].symbols)
        problems.add(
            f"tiles: {text}: no space of {town} takes {industry}; they take {', '.join(kinds)}"
        )
    elif not empty:
        problems.add(f"tiles: {text}: every space of {town} that takes {industry} is taken")
    # A space for this industry alone comes first, as in BLD-5.
    return min(empty, key=lambda space: len(edition.spaces[space].symbols), default=None)


def put_tile(reading: Reading, text: str, tile: Tile, space: int) -> None:
    """Place a tile, if it may be there in this era."""
    state, board, problems = reading.state, reading.board, reading.problems
    era = int(state.era)
    kind = tile.kind
    state.tile[space] = kind
    state.owner[space] = tile.owner
    state.flipped[space] = tile.flipped
    if not board.buildable[kind, : era + 1].any():
        when = "only in the rail era" if board.buildable[kind, RAIL] else "never"
        problems.add(f"tiles: {text}: it is {when} built")
    elif era == RAIL and board.level_of[kind] == 1 and not board.buildable[kind, RAIL]:
        problems.add(f"tiles: {text}: level 1 tiles are removed after the canal era")
    # A brewery of the canal era holds less than one of the rail era (BLD-10).
    most = int(board.contents[kind, : era + 1].max())
    being_built = state.doing == BUILDING and state.space == space  # and not supplied yet
    if tile.flipped:
        if tile.cubes:
            problems.add(f"tiles: {text}: a flipped tile holds nothing")
    elif board.industry_of[kind] == SHIPYARD and not being_built:
        problems.add(f"tiles: {text}: a shipyard flips when it is built: write 'flipped'")
    else:
        cubes = int(board.contents[kind, era]) if tile.cubes is None else tile.cubes
        if cubes > most:
            problems.add(f"tiles: {text}: it holds at most {most}")
        elif most and not cubes and not being_built:
            problems.add(f"tiles: {text}: an empty tile flips: write 'flipped'")
        state.cubes[space] = min(cubes, most)


def check_towns(reading: Reading) -> None:
    """BLD-6: check that a seat has one tile per town in the canal era."""
    state, edition = reading.state, reading.edition
    if state.era != CANAL:
        return
    owners = Counter(
        (edition.spaces[space].place, int(state.owner[space]))
        for space in range(len(edition.spaces))
        if state.owner[space] != NOBODY
    )
    for (place, owner), count in owners.items():
        if count > 1:
            reading.problems.add(
                f"{reading.seats[owner]} has {count} tiles in {edition.place_name(place)}:"
                " in the canal era one is the limit"
            )


def read_links(reading: Reading) -> None:
    """Read the links: each of this era, and no more than a seat has."""
    state, problems, edition = reading.state, reading.problems, reading.edition
    era = int(state.era)
    for text in problems.texts("links", reading.mapping.get("links")):
        parts = problems.find(f"links: {text}", split_owner, reading.seats, text)
        line = parts and problems.find(f"links: {text}", edition.find_line, parts[1])
        if parts is None or line is None:
            continue
        if not reading.board.line_era[line, era]:
            problems.add(f"links: {text}: that line is not used in the {ERAS[era]} era")
        elif state.link_owner[line] != NOBODY:
            owner = reading.seats[int(state.link_owner[line])]
            problems.add(f"links: {text}: the line is taken by {owner}")
        else:
            state.link_owner[line] = parts[0]
    for seat, name in enumerate(reading.seats):
        count = int((state.link_owner == seat).sum())
        if count > LINK_TILES:
            problems.add(f"{name} has {count} links: there are {LINK_TILES}")


def read_mats(reading: Reading) -> None:
    """Read how many tiles of each industry have left each mat."""
    edition, problems, board = reading.edition, reading.problems, reading.board
    state = reading.state
    lying = Counter(
        (int(owner), int(kind)) for owner, kind in zip(state.owner, state.tile, strict=True) if kind
    )
    for seat, name in enumerate(reading.seats):
        named: dict[int, Any] = {}
        for word, value in problems.mapping(f"{name}.mat", reading.own(seat).get("mat")).items():
            industry = problems.find(f"{name}.mat", edition.find_industry, word)
            if industry is not None:
                named[industry] = value
        for industry in edition.industries:
            stack = [int(kind) for kind in board.stack[industry][: board.stack_size[industry]]]
            own = Counter({kind: lying[seat, kind] for kind in stack if lying[seat, kind]})
            gone = gone_by_map(stack, own)
            if industry in named:
                where = f"{name}.mat.{INDUSTRY[industry]}"
                gone = read_mat(reading, where, str(named[industry]), stack, own, gone)
            state.gone[seat, industry] = gone
            check_mat(reading, name, stack, own, gone)


def gone_by_map(stack: list[int], own: Counter[int]) -> int:
    """The fewest tiles that have left a mat: those on the map and all lower ones."""
    if not own:
        return 0
    highest = max(own)
    return sum(kind < highest for kind in stack) + min(own[highest], stack.count(highest))


def read_mat(
    reading: Reading, where: str, text: str, stack: list[int], own: Counter[int], default: int
) -> int:
    """Read `2`, `2 x1` or `none`; return the number of tiles that have left."""
    problems, level_of = reading.problems, reading.board.level_of
    if text.strip().lower() == "none":
        return len(stack)
    level_text, _, count_text = text.partition("x")
    level = problems.whole(where, level_text.strip())
    if level is None:
        return default
    of_level = [kind for kind in stack if level_of[kind] == level]
    if not of_level:
        levels = sorted({int(level_of[kind]) for kind in stack})
        problems.add(f"{where} is {text}: the levels are {', '.join(map(str, levels))}")
        return default
    kind = of_level[0]
    lower = sum(other < kind for other in stack)
    if count_text:
        left = problems.number(where, count_text.strip(), 1, len(of_level), 1)
        return lower + len(of_level) - left
    if own[kind] >= len(of_level):
        problems.add(f"{where} is {text}: all tiles of that level are on the map")
    return lower + min(own[kind], len(of_level))


def check_mat(reading: Reading, name: str, stack: list[int], own: Counter[int], gone: int) -> None:
    """Check that every tile on the map has left the mat, and that there are enough of it."""
    left = Counter(stack[:gone])
    for kind, count in own.items():
        tile = reading.edition.tile_name(kind)
        if count > stack.count(kind):
            reading.problems.add(f"{name} has {count} x {tile}: there are {stack.count(kind)}")
        elif count > left[kind]:
            reading.problems.add(
                f"{name} has {count} x {tile} on the map, but by the mat {left[kind]} have left it"
            )
