"""The map in the terminal: every place complete, nothing overlapping, everyone's pieces."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from rich.text import Text

from brassmill.cli import map as terminal_map
from brassmill.cli.map import (
    CELL,
    CODES,
    COLOURS,
    NARROWEST,
    ROWS,
    SHAPES,
    WIDTH,
    draw_map,
    map_layout,
)
from brassmill.core.view import LinkView, TileView, View
from brassmill.editions import Edition
from brassmill.editions import edition as find_edition
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from support.kinds import EACH, PLAIN, play_at_random

WIDTHS = (NARROWEST, 90, WIDTH, 130)
TALLEST = 45  # rows with the legend


def late_game(edition: Edition) -> Game:
    """A game in which much has been built: builds and links are preferred."""
    game, chance = Game(edition, seed=6), Random(6)
    for _ in range(260):
        if game.over:
            break
        choices = list(game.legal_choices())
        busy = [choice for choice in choices if str(choice).startswith(("build", "link"))]
        game.play(chance.choice(busy or choices))
    return game


def full(view: View, edition: Edition) -> View:
    """The same view with every space and line taken, as wide as possible."""
    tiles = tuple(
        TileView(
            space=number,
            place=edition.place_name(space.place),
            name=edition.space_name(number),
            owner=number % edition.players,
            industry=space.symbols[-1],
            level=8,
            flipped=number % 3 == 0,
            cubes=6 if number % 3 else 0,
        )
        for number, space in enumerate(edition.spaces)
    )
    links = tuple(
        LinkView(line, edition.line_name(line), line % edition.players)
        for line in range(len(edition.lines))
    )
    return replace(view, tiles=tiles, links=links)


def cut(lines: list[Text], x: int, y: int, width: int) -> str:
    """The text at this position."""
    return lines[y].plain.ljust(x + width)[x : x + width]


def check(view: View, edition: Edition, width: int = WIDTH) -> list[Text]:
    """Every name, space, merchant and link stands where the layout puts it."""
    lines = draw_map(view, edition, width)
    drawn = map_layout(edition, width)
    assert len(lines) <= TALLEST
    assert max(line.cell_len for line in lines) <= width
    tiles = {tile.space: tile for tile in view.tiles}
    for place, block in enumerate(drawn.blocks):
        row, size = edition.places[place], block.size
        text = [cut(lines, block.x, block.y + y, size.width) for y in range(size.height)]
        assert text[0].strip() == size.name
        assert size.name in (row.name, *row.other_names)
        below = "".join(text[1:])
        for space in edition.place_spaces[place]:
            tile = tiles.get(space)
            if tile is None:
                codes = "/".join(CODES[name] for name in edition.spaces[space].symbols)
                assert f"[{codes.center(CELL - 2)}]" in below
            else:
                words = f"{SHAPES[tile.owner]}{CODES[tile.industry]}{tile.level}"
                after = "✓" if tile.flipped else f"▪{tile.cubes}" if tile.cubes else ""
                assert words + after in below
        for merchant in view.merchants:
            if merchant.place == row.name:
                goods = {"blank": "-", "all": "CMP"}.get(merchant.goods) or CODES[merchant.goods]
                assert f"◇{goods}{'▪' * merchant.barrel}" in below
    owners = {link.line: link.owner for link in view.links}
    for line, (x, y) in enumerate(drawn.marks):
        sign = cut(lines, x, y, 1)
        if line in owners:
            assert sign == SHAPES[owners[line]]
            styles = [span.style for span in lines[y].spans if span.start <= x < span.end]
            assert styles == [f"bold {COLOURS[owners[line]]}"]
        else:
            assert sign not in SHAPES
    return lines


@pytest.mark.parametrize("edition", EACH, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps(edition: Edition, width: int) -> None:
    """Places do not touch, and the mark of every link is uncovered."""
    drawn = map_layout(edition, width)
    for block in drawn.blocks:
        assert 0 <= block.x <= block.x + block.size.width <= width
        assert 0 <= block.y <= block.y + block.size.height <= ROWS
    for one, other in combinations(drawn.blocks, 2):
        assert not one.cells(margin=1) & other.cells(margin=1)
    everywhere = set().union(*(block.cells() for block in drawn.blocks))
    assert not everywhere & set(drawn.marks)
    assert len(set(drawn.marks)) == len(edition.lines)
    assert all(0 <= x < width and 0 <= y < ROWS for x, y in drawn.marks)


@pytest.mark.parametrize("edition", EACH, ids=str)
def test_no_line_runs_behind_a_place(edition: Edition) -> None:
    """The ends of every line are visible."""
    drawn = map_layout(edition)
    for ends, curves in zip(edition.line_ends, drawn.curves, strict=True):
        cells = {terminal_map.cell(point) for curve in curves for point in curve}
        for place, block in enumerate(drawn.blocks):
            assert place in ends or not cells & block.cells()


@pytest.mark.parametrize("edition", EACH, ids=str)
def test_an_empty_board_and_a_full_one(edition: Edition) -> None:
    """Even with a tile on every space and a link on every line."""
    view = Game(edition, seed=1).view(0)
    check(view, edition)
    check(full(view, edition), edition)
    check(full(view, edition), edition, NARROWEST)


@pytest.mark.parametrize("edition", PLAIN, ids=str)
def test_a_late_game(edition: Edition) -> None:
    game = late_game(edition)
    assert game.view().tiles
    assert game.view().links
    for seat in (None, 0):
        check(game.view(seat), edition)


def test_random_games() -> None:
    for edition in (find_edition("birmingham", 4), find_edition("lancashire", 3)):
        game, chance = Game(edition, seed=2), Random(2)
        while not game.over:
            play_at_random(game, chance, 40)
            check(game.view(), edition)


def test_only_lines_of_the_era_are_drawn() -> None:
    """Birmingham to Redditch is a line only in the rail era: nothing is drawn there before."""
    edition = find_edition("birmingham", 4)
    number = edition.find_line("Birmingham-Redditch")
    x, y = map_layout(edition).marks[number]
    canal = Game(edition, seed=1).view()
    rail = Game.from_position("birmingham 4 | round: rail 1").view()
    assert cut(draw_map(canal, edition), x, y, 1) == " "
    assert 0x2800 < ord(cut(draw_map(rail, edition), x, y, 1)) <= 0x28FF


def test_a_narrow_terminal() -> None:
    """The picture never gets narrower than its minimum width."""
    edition = find_edition("lancashire", 4)
    view = Game(edition, seed=1).view()
    assert [line.plain for line in draw_map(view, edition, 20)] == [
        line.plain for line in draw_map(view, edition, NARROWEST)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["birmingham", "lancashire", "classic"])
def test_every_language_has_room(language: str, name: str) -> None:
    """Long words and long player names in the legend wrap to another line."""
    seats = ("Charlotte Brontë", "Emily Jane", "The Rt Hon. Anne of Thornton", "Bran")
    game = Game(name, players=4, seed=1, seats=seats)
    with speaking(language):
        lines = check(game.view(), game.edition)
    legend = " ".join(line.plain for line in lines[ROWS:])
    assert all(f"{shape} {seat}" in legend for shape, seat in zip(SHAPES, seats, strict=True))
