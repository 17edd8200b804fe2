"""The maps: nothing collides, nothing is missing, legal choices are lit."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest

from brassmill import editions, svg, terms
from brassmill.core.choice import MEANING, NUMBER
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.errors import BrassError, InvalidOption
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.rules.layout import SYMBOLS
from brassmill.svg.cartouche import LEGEND, ROSE
from brassmill.svg.draw import NAMESPACE
from brassmill.svg.ground import SEA_NAME, ground
from brassmill.svg.plan import BADGE, Curve, PlacedSite, Plan, Point, plan
from brassmill.svg.sites import FORMATS, SHAPES, Box
from core.test_view import shuffled
from support import kinds

STROKE = 8.5  # half of what a built link is wide, its case included

# Most options change nothing on the map: all kinds of game have only a few different ones.
MAPS = {(kind.places, kind.lines, kind.merchants, kind.virtual_links): kind for kind in kinds.ALL}
SHEETS = [(kind, shape) for kind in MAPS.values() for shape in SHAPES]
each_sheet = pytest.mark.parametrize(("kind", "shape"), SHEETS, ids=repr)
each_map = pytest.mark.parametrize("kind", MAPS.values(), ids=repr)


# --- the layout ----------------------------------------------------------------------------------


def furniture(sheet: Plan) -> Iterator[tuple[str, Box]]:
    """What is on a sheet besides places and lines."""
    if sheet.cartouche:
        yield "cartouche", sheet.cartouche
    r = ROSE[sheet.sheet.shape]
    x, y = sheet.rose
    yield "rose", Box(x - r, y - 1.4 * r, 2 * r, 2.4 * r)
    if sheet.legend:
        yield "legend", _around(sheet.legend, LEGEND)
    if sheet.sea:
        yield "sea", _around(sheet.sea, SEA_NAME)


def _around(middle: Point, size: tuple[float, float]) -> Box:
    return Box(middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size)


def boxes(sheet: Plan) -> list[tuple[str, Box]]:
    """Everything on a sheet that must stay clear of everything else."""
    blocks = [(spot.site.place.name, spot.block) for spot in sheet.spots]
    labels = [(f"label of {spot.site.place.name}", spot.label) for spot in sheet.spots]
    return [*blocks, *labels, *furniture(sheet)]


def seen(curve: Curve, spots: list[PlacedSite]) -> list[list[Point]]:
    """The parts of a curve that the blocks and names of its ends do not hide."""
    hiding = [box for spot in spots for box in (spot.block, spot.label)]
    parts: list[list[Point]] = [[]]
    for step in range(201):
        point = curve.at(step / 200)
        if any(inside(point, box) for box in hiding):
            parts.append([])
        else:
            parts[-1].append(point)
    return [part for part in parts if part]


def inside(point: Point, box: Box) -> bool:
    return box.meets(Box(*point, 0, 0))


def length(points: list[Point]) -> float:
    return sum(abs(complex(*a) - complex(*b)) for a, b in pairwise(points))


class Stroke(NamedTuple):
    """One curve of a line."""

    line: str
    curve: Curve
    ends: set[int]
    spots: list[PlacedSite]  # of the ends


def strokes(kind: Edition, sheet: Plan) -> list[Stroke]:
    """All curves of a map."""
    found = []
    for line, ends, track in zip(kind.lines, kind.line_ends, sheet.tracks, strict=True):
        for curve in track.curves:
            found.append(Stroke(line.name, curve, set(ends), [sheet.spots[end] for end in ends]))
    for track in sheet.ferries:
        ends = tuple(kind.place_number[name] for name in kind.virtual_links[0])
        spots = [sheet.spots[end] for end in ends]
        found.append(Stroke("ferry", track.curves[0], set(ends), spots))
    return found


@each_sheet
def test_blocks_and_names_never_meet(kind: Edition, shape: str) -> None:
    for (one, box), (other, second) in combinations(boxes(plan(kind, shape)), 2):
        assert not box.meets(second), f"{one} and {other}"


@each_sheet
def test_nothing_leaves_the_frame(kind: Edition, shape: str) -> None:
    sheet = plan(kind, shape)
    for name, box in boxes(sheet):
        assert sheet.sheet.frame.holds(box), name
    for name, curve, _ends, _spots in strokes(kind, sheet):
        assert all(inside(point, sheet.sheet.frame.grown(-STROKE)) for point in curve.points), name


@each_sheet
def test_no_line_runs_under_another_place(kind: Edition, shape: str) -> None:
    sheet = plan(kind, shape)
    for name, curve, ends, _spots in strokes(kind, sheet):
        strangers = [spot for place, spot in enumerate(sheet.spots) if place not in ends]
        others = [box for spot in strangers for box in (spot.block, spot.label)]
        others += [box for what, box in furniture(sheet) if what != "sea"]
        for box in others:
            assert not any(inside(point, box.grown(5)) for point in curve.points), name


def crossing(one: list[Point], other: list[Point]) -> bool:
    """Do two polylines meet?"""
    return around(one).meets(around(other)) and any(
        _cross(*a, *b) for a in pairwise(one) for b in pairwise(other)
    )


def around(points: list[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(1)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _turn(a, b, c) != _turn(a, b, d) and _turn(c, d, a) != _turn(c, d, b)


def _turn(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


@each_sheet
def test_lines_never_cross(kind: Edition, shape: str) -> None:
    for one, other in combinations(strokes(kind, plan(kind, shape)), 2):
        if one.line != other.line:  # the three ends of one line meet, and shall
            assert not crossing(outside(one), outside(other)), f"{one.line} and {other.line}"


def outside(stroke: Stroke) -> list[Point]:
    """The points of a curve outside the blocks of its ends, where lines may meet."""
    blocks = [spot.block for spot in stroke.spots]
    return [
        point for point in stroke.curve.points if not any(inside(point, block) for block in blocks)
    ]


def test_the_check_would_see_a_crossing() -> None:
    across = Curve((0, 0), (100, 100), bow=5).points
    assert crossing(across, Curve((0, 100), (100, 0)).points)
    assert not crossing(across, Curve((10, 0), (110, 100), bow=5).points)


@each_sheet
def test_something_is_seen_of_every_line(kind: Edition, shape: str) -> None:
    """Enough for the owner's badge, which nothing may hide."""
    sheet = plan(kind, shape)
    for line, ends, track in zip(kind.lines, kind.line_ends, sheet.tracks, strict=True):
        spots = [sheet.spots[end] for end in ends]
        longest = max(length(part) for curve in track.curves for part in seen(curve, spots))
        assert longest >= 20, line.name
        hiding = [box for spot in sheet.spots for box in (spot.block, spot.label)]
        assert not any(inside(track.middle, box.grown(BADGE - 3)) for box in hiding), line.name


@each_map
def test_the_button_of_a_phone_hides_nothing_of_a_square_map(kind: Edition) -> None:
    sheet = plan(kind, "square")
    side = (
        50 * sheet.sheet.width / 390
    )  # it is 40 pixels wide, and 10 from the edge: see `table.css`
    corner = Box(sheet.sheet.width - side, sheet.sheet.height - side, side, side)
    for name, box in boxes(sheet):
        assert name == "rose" or not corner.meets(box), name


def test_a_phone_shows_spaces_and_names_large_enough() -> None:
    for shape, space in (("tall", 24), ("square", 23)):
        sheet = FORMATS[shape]
        pixels = 390 / sheet.width
        assert sheet.space * pixels >= space
        assert sheet.letters * pixels >= 9
    assert FORMATS["square"].height * 390 / FORMATS["square"].width <= 416  # its room: 390 x 844
    wide = FORMATS["wide"]
    width, height = 911, 603  # the room of the map on a screen of 1440 x 900: see `table.css`
    assert wide.space * min(width / wide.width, height / wide.height) >= 37
    assert wide.letters * min(width / wide.width, height / wide.height) >= 11


# --- the drawing ---------------------------------------------------------------------------------


def tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def by_id(picture: str) -> dict[str, ET.Element]:
    found = [node for node in ET.fromstring(picture).iter() if "id" in node.attrib]
    assert len({node.attrib["id"] for node in found}) == len(found)
    return {node.attrib["id"]: node for node in found}


def said(node: ET.Element) -> str:
    """The tooltip."""
    title = node.find(tag("title"))
    assert title is not None and title.text
    return title.text


def played(kind: Edition, choices: int, seed: int = 3) -> Game:
    game = Game(kind, seed=seed)
    kinds.play_at_random(game, random.Random(seed), choices)
    return game


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_every_thing_has_its_element(kind: Edition, shape: str) -> None:
    view = played(kind, 120).view()
    picture = svg.map(view, shape=shape, theme=None)
    found = by_id(picture)
    for place in kind.places:
        assert said(found[f"place-{place.id}"]).startswith(place.name)
        for number in range(1, len(place.spaces) + 1):
            assert said(found[f"space-{place.id}-{number}"]).startswith(place.name)
    for line in kind.lines:
        assert said(found[f"line-{line.id}"]).startswith(line.name)
    for name, count in Counter(kind.merchants).items():
        place = kind.places[kind.place_number[name]]
        for number in range(1, count + 1):
            assert said(found[f"merchant-{place.id}-{number}"]).startswith(name)
    for tile in view.tiles:
        row = kind.spaces[tile.space]
        space = found[f"space-{kind.places[row.place].id}-{row.number}"]
        classes = {name for node in space.iter() for name in node.get("class", "").split()}
        assert {"tile", f"seat-{tile.owner}", tile.industry} <= classes
        assert ("flipped" in classes) == tile.flipped
        goods = [node for node in space.iter() if node.get("class") in GOODS]
        assert len(goods) == tile.cubes
        assert view.seats[tile.owner].name in said(space)
    for link in view.links:
        classes = set(found[f"line-{kind.lines[link.line].id}"].get("class", "").split())
        assert {"built", f"seat-{link.owner}"} <= classes


GOODS = {"cube coal", "cube iron", "barrel"}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_pictures_for_pages_have_no_style(kind: Edition, shape: str) -> None:
    view = played(kind, 60).view()
    page = ET.fromstring(svg.map(view, shape=shape, theme=None))
    assert not page.findall(f".//{tag('style')}")
    assert not [node for node in page.iter() if "style" in node.attrib]
    for theme in ("light", "dark", "auto"):
        alone = ET.fromstring(svg.map(view, shape=shape, theme=theme))
        assert len(alone.findall(f".//{tag('style')}")) == 1
        assert not [node for node in alone.iter() if "style" in node.attrib]


def open_choices(view: View) -> dict[str, set[int]]:
    """What must be lit for a view: ids of elements and their choices."""
    kind = editions.edition(view.edition, view.players, **view.options)
    wanted: dict[str, set[int]] = {}
    taken = {tile.space for tile in view.tiles}
    for choice in view.legal:
        name, offset = MEANING[choice]
        if name == "BUILD":
            chosen = kind.spaces[offset // SYMBOLS]
            for space, row in enumerate(kind.spaces):
                alike = (row.place, row.symbols) == (chosen.place, chosen.symbols)
                if row == chosen or (alike and not {space, offset // SYMBOLS} & taken):
                    where = f"space-{kind.places[row.place].id}-{row.number}"
                    wanted.setdefault(where, set()).add(choice)
            continue
        if name == "LINK":
            where = f"line-{kind.lines[offset].id}"
        elif name == "BARREL_OF":
            place = kind.merchants[offset]
            number = offset - kind.merchants.index(place) + 1
            where = f"merchant-{kind.places[kind.place_number[place]].id}-{number}"
        elif name == "COAL_AT":
            where = f"place-{kind.places[offset].id}"
        elif name in {"SELL", "COAL_FROM", "IRON_FROM", "BEER_FROM", "SELL_TO_PORT", "GIVE_UP"}:
            row = kind.spaces[offset]
            where = f"space-{kind.places[row.place].id}-{row.number}"
        else:
            continue  # cards, loans, ...: not on the map
        wanted.setdefault(where, set()).add(choice)
    return wanted


def lit(picture: str) -> dict[str, set[int]]:
    """What is lit in a picture."""
    return {
        name: set(map(int, node.attrib["data-choice"].split()))
        for name, node in by_id(picture).items()
        if "lit" in node.get("class", "").split()
    }


@each_map
def test_what_is_open_is_lit_and_nothing_else(kind: Edition) -> None:
    rng = random.Random(5)
    game = Game(kind, seed=5)
    questions: set[str] = set()
    while not game.over:
        kinds.play_at_random(game, rng, 1)
        view = game.view(game.seat)
        if view.question in questions and rng.random() < 0.95:
            continue
        questions.add(view.question)
        assert lit(svg.map(view, theme=None, lit=view.legal)) == open_choices(view)
    assert not lit(svg.map(game.view(), theme=None))


def test_equal_empty_spaces_are_lit_together() -> None:
    position: dict[str, object] = {
        "edition": "birmingham",
        "players": 2,
        "links": ["Y Worcester-Gloucester", "Y Worcester-Birmingham"],  # coal can be bought
        "Y": {"cash": 30, "hand": ["Worcester", "Birmingham"]},
    }
    view = Game.from_position(position).view(0)
    found = lit(svg.map(view, theme=None, lit=view.legal))
    assert found["space-worcester-1"] == found["space-worcester-2"]  # two cotton mills
    assert len(found["space-worcester-1"]) == 1
    # In Birmingham two spaces are for manufacturers alone, and the others not.
    alike = [found.get(f"space-birmingham-{number}") for number in range(1, 5)]
    assert sorted(map(alike.count, alike)) == [1, 1, 2, 2]


def test_a_tile_that_can_be_replaced_is_lit_by_itself() -> None:
    position: dict[str, object] = {
        "edition": "birmingham",
        "players": 2,
        "tiles": ["Y cotton 1 Worcester 1"],
        "links": ["Y Worcester-Gloucester"],
        "Y": {"cash": 30, "hand": ["Worcester"], "mat": {"cotton": "2 x2"}},
    }
    view = Game.from_position(position).view(0)
    found = lit(svg.map(view, theme=None, lit=view.legal))
    assert "space-worcester-1" in found
    assert "space-worcester-2" not in found  # one tile a town in the canal era


def test_ends_of_a_rail_can_be_lit() -> None:
    ends = [NUMBER["COAL_AT", place] for place in (0, 3)]
    view = Game("classic", seed=1, rail_coal="chosen_end").view()
    assert list(lit(svg.map(view, theme=None, lit=ends)).values()) == [{end} for end in ends]


@each_map
def test_what_a_seat_cannot_see_is_not_in_its_picture(kind: Edition) -> None:
    game = played(kind, 80)
    for seat in range(kind.players):
        other = shuffled(game, seat, random.Random(seat))
        ours, theirs = game.view(seat), other.view(seat)
        assert svg.map(ours, lit=ours.legal) == svg.map(theirs, lit=theirs.legal)


def test_words_say_what_is_seen() -> None:
    game = Game("birmingham", players=2, seed=1, seats=("Ada", "Brunel"))
    found = by_id(svg.map(game.view(), theme=None))
    assert said(found["space-dudley-1"]) == "Dudley: empty, for coal mine"
    assert said(found["space-stone-1"]) == "Stone: empty, for cotton mill / brewery"
    assert said(found["line-walsall-burton_on_trent"]) == "Walsall-Burton-on-Trent: canal"
    assert (
        said(found["place-warrington"])
        == "Warrington: no merchants in this game; 2 VP for each link here"
    )
    with speaking("de"):
        spoken = by_id(svg.map(game.view(), theme=None))
        mine = terms.industry("coal")
    assert mine in said(spoken["space-dudley-1"])
    assert mine != "coal mine"


def test_tiles_and_links_say_whose_they_are() -> None:
    game = Game.from_position(kinds.TIED_MINES)
    found = by_id(svg.map(game.view(), theme=None))
    names = {seat[0]: seat for seat in game.seats}
    assert said(found["space-bury-1"]) == (
        f"Bury: {names['R']}'s level I coal mine, 2 coal;"
        " once flipped: 1 VP, income +4, 1 VP for each link here"
    )
    assert said(found["line-bury-manchester"]) == f"Bury-Manchester: {names['R']}'s canal"
    assert len(found["space-oldham-1"].findall(f".//{tag('g')}[@class='cube coal']")) == 1


def test_a_market_town_shows_what_is_bought_and_the_barrels() -> None:
    game = Game("birmingham", players=4, seed=7)
    view = game.view()
    found = by_id(svg.map(view, theme=None))
    numbers: Counter[str] = Counter()
    for merchant in view.merchants:
        numbers[merchant.place] += 1
        node = found[f"merchant-{merchant.place.lower()}-{numbers[merchant.place]}"]
        assert merchant.goods in node.get("class", "").split()
        barrels = [part for part in node.iter() if part.get("class") == "barrel"]
        assert bool(barrels) == merchant.barrel
        if merchant.barrel:
            goods = terms.goods(merchant.goods)
            assert said(node).startswith(f"{merchant.place} buys {goods}; bonus")


def test_every_bonus_is_told() -> None:
    places = editions.edition("birmingham", 4).places
    bonuses = [terms.bonus(place.bonus, place.bonus_amount) for place in places if place.bonus]
    assert bonuses == [
        "4 VP",
        "develop 1 tile without iron",
        "2 spaces on the income track",
        "£5",
        "3 VP",
    ]


@each_sheet
def test_scenery_leaves_towns_names_and_lines_free(kind: Edition, shape: str) -> None:
    sheet = plan(kind, shape)
    (trees,) = re.findall(r'class="trees" d="([^"]*)"', ground(kind, shape))
    feet = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)v", trees)]
    assert len(feet) >= 20
    taken = [box.grown(12) for name, box in boxes(sheet) if name != "sea"]
    assert not [foot for foot in feet if any(inside(foot, box) for box in taken)]


def test_each_era_has_its_own_look() -> None:
    """Towpaths and trees, then chimneys and smoke; the style sheet hides those of the other era."""
    game = Game("birmingham", players=2, seed=1)
    canal = svg.map(game.view(), theme="light")
    rng = random.Random(1)
    while game.era == "canal":
        kinds.play_at_random(game, rng, 1)
    rail = svg.map(game.view(), theme="light")
    assert '<g class="canal-era">' in canal and '<g class="rail-era">' in rail
    assert 'class="towpath"' in canal and 'class="towpath"' not in rail
    hidden = "".join(svg.stylesheet("light").split("{display:none}")[:-1])
    for part in (".rail-era .trees", ".canal-era .smoke", ".canal-era .chimneys"):
        assert part in hidden


def test_joined_towns_are_dotted() -> None:
    def dotted(game: Game) -> int:
        return svg.map(game.view(), theme=None).count('class="ferry"')

    assert dotted(Game("classic", seed=1)) == 1
    assert dotted(Game("lancashire", seed=1, virtual_link=True)) == 1
    assert dotted(Game("lancashire", seed=1)) == 0


def test_long_names_of_players_are_cut_and_strange_ones_escaped() -> None:
    seats = ("Isambard Kingdom Brunel the Elder of Portsmouth", "<b &'", "C", "D")
    picture = svg.map(Game("birmingham", players=4, seed=1, seats=seats).view(), theme=None)
    texts = ["".join(node.itertext()) for node in ET.fromstring(picture).iter(tag("text"))]
    assert "<b &'" in texts
    assert any(text.startswith("Isam") and text.endswith("…") for text in texts)


@pytest.mark.parametrize("shape", ["wide", "tall"])  # a square one has no title with the players
@each_map
def test_names_of_twenty_letters_are_not_cut(kind: Edition, shape: str) -> None:
    seats = ("Isambard K. Brunel 1", "Wilhelmina of Zürich", "Jo", "W" * 12)[: kind.players]
    picture = svg.map(Game(kind, seed=1, seats=seats).view(), shape=shape, theme=None)
    sizes = {
        text.text: float(text.attrib["font-size"])
        for text in ET.fromstring(picture).iter(tag("text"))
    }
    assert all(sizes[name] >= 11 for name in seats)


def test_invalid_arguments_are_refused() -> None:
    view = Game("birmingham", players=2, seed=1).view()
    with pytest.raises(InvalidOption, match="unknown shape 'round'; choose one of: wide, tall"):
        svg.map(view, shape="round")
    with pytest.raises(
        InvalidOption, match="unknown theme 'pink'; choose one of: light, dark, auto"
    ):
        svg.map(view, theme="pink")
    with pytest.raises(BrassError, match="unknown choice 99999"):
        svg.map(view, lit=[99999])
