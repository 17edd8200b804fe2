"""Pictures of the three games for the home page: details of their maps in mid-game.

They are drawn from scenes of their own, without compiled rules, because the home page is up before
the rules are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from brassmill.core.events import ERAS
from brassmill.core.view import Known, View
from brassmill.editions import Edition, edition
from brassmill.language import speaking
from brassmill.position.reader import empty_state
from brassmill.position.words import parse_tile, split_owner
from brassmill.svg.draw import NAMESPACE, element, group, number
from brassmill.svg.ground import ground
from brassmill.svg.lights import Lights
from brassmill.svg.links import links
from brassmill.svg.places import places
from brassmill.svg.theme import check_theme, stylesheet

PLAYERS = 4
SEATS = ("Y", "R", "G", "P")  # as in scenarios; the pictures do not show the names
_SPOKEN = re.compile(r'<title>[^<]*</title>| id="[^"]*"')  # no use in an image

Window = tuple[int, int, int, int]  # x, y, width and height on the wide map


@dataclass(frozen=True)
class CoverMoment:
    """A moment of a game: the tiles and links on the map, one per line, written as in scenarios."""

    edition: str
    era: str
    window: Window
    tiles: str
    links: str
    merchants: str = ""  # the goods of each space; a star means beer

    def view(self) -> View:
        """Return the scene as a spectator sees it."""
        box = edition(self.edition, PLAYERS)
        state = empty_state()
        state.era = ERAS.index(self.era)
        for text in _lines(self.tiles):
            _put(box, state, text)
        for text in _lines(self.links):
            owner, line = split_owner(SEATS, text)
            state.link_owner[box.find_line(line)] = owner
        for n, goods in enumerate(self.merchants.split()):
            state.merchant[n] = box.find_goods(goods.removesuffix("*"))
            state.barrel[n] = goods.endswith("*")
        return View.of(Known(box, SEATS, None, state), 0, ())


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _put(box: Edition, state: Any, text: str) -> None:
    tile = parse_tile(box, SEATS, text)
    space = box.space_at(tile.place, tile.number or 1)
    state.tile[space], state.owner[space] = tile.kind, tile.owner
    state.flipped[space], state.cubes[space] = tile.flipped, tile.cubes or 0


SCENES = {
    scene.edition: scene
    for scene in (
        CoverMoment(
            "birmingham",
            "rail",
            (32, 432, 740, 462),
            tiles="""
                P brewery 2 Coalbrookdale 1 flipped
                P iron 3 Coalbrookdale 2 (3)
                Y coal 2 Coalbrookdale 3 flipped
                G manufacturer 2 Wolverhampton 1 flipped
                Y coal 3 Wolverhampton 2 (3)
                R coal 2 Dudley 1 flipped
                G iron 3 Dudley 2 (2)
                R coal 2 Kidderminster 1 (2)
                P cotton 3 Kidderminster 2
                R cotton 3 Worcester 1 flipped
                G cotton 2 Worcester 2
                R brewery 2 South Farm (1)
                Y coal 4 Cannock 2 (4)
                P manufacturer 3 Cannock 1 flipped
                R iron 2 Walsall 1 flipped
                G brewery 2 Walsall 2 (1)
                P cotton 2 Birmingham 1 flipped
                R manufacturer 2 Birmingham 2 flipped
                G iron 2 Birmingham 3 flipped
                Y manufacturer 4 Birmingham 4
                Y pottery 1 Coventry 1
                P coal 3 Coventry 2 (2)
                Y iron 4 Coventry 3 flipped
                Y brewery 2 Nuneaton 1 (1)
                P coal 3 Redditch 1 (3)
                Y iron 3 Redditch 2 flipped
                G coal 2 Tamworth 1 flipped
                P cotton 3 Tamworth 2
                Y coal 2 Burton-on-Trent 1 flipped
                P brewery 3 Burton-on-Trent 2 (2)
                G brewery 2 Derby 1 flipped
                P manufacturer 2 Derby 2 flipped
                R iron 3 Derby 3 (1)
                R coal 3 Stafford 1 (2)
                G pottery 1 Stafford 2 flipped
            """,
            links="""
                P Coalbrookdale-Shrewsbury
                G Wolverhampton-Coalbrookdale
                Y Coalbrookdale-Kidderminster
                P Dudley-Wolverhampton
                R Kidderminster-Worcester
                R Worcester-Birmingham
                G Worcester-Gloucester
                G Walsall-Wolverhampton
                Y Cannock-Walsall
                Y Walsall-Birmingham
                R Dudley-Birmingham
                G Tamworth-Birmingham
                P Burton-on-Trent-Tamworth
                G Derby-Burton-on-Trent
                R Birmingham-Coventry
                Y Nuneaton-Coventry
                R Birmingham-Redditch
                P Redditch-Oxford
                Y Birmingham-Oxford
                P Stafford-Cannock
                P Derby-Nottingham
            """,
            merchants="all* manufacturer* blank cotton* pottery blank manufacturer cotton* blank",
        ),
        CoverMoment(
            "lancashire",
            "rail",
            (656, 409, 620, 388),
            tiles="""
                R coal 2 Bolton 1 flipped
                R cotton 4 Bolton 2 flipped
                Y iron 3 Bolton 3 flipped
                Y cotton 3 Bury 1 flipped
                R coal 3 Bury 2 (4)
                Y coal 2 Manchester 1 flipped
                R cotton 2 Manchester 2 flipped
                P coal 3 Manchester 3 (3)
                G iron 2 Manchester 4 flipped
                Y cotton 4 Oldham 1
                P coal 3 Oldham 2 (2)
                G cotton 3 Rochdale 1
                R cotton 3 Rochdale 2 flipped
                P iron 3 Rochdale 3 (3)
                G cotton 2 Stockport 1 flipped
                R cotton 3 Stockport 2
                G iron 3 Blackburn 3 flipped
                R cotton 4 Blackburn 2
            """,
            links="""
                Y Blackburn-Bolton
                Y Bolton-Bury
                R Bolton-Manchester
                R Bolton-Wigan
                P Bury-Manchester
                P Bury-Rochdale
                G Manchester-Oldham
                R Manchester-Stockport
                G Manchester-Warrington & Runcorn
                P Oldham-Rochdale
                Y Rochdale-Yorkshire
                G Burnley-Bury
            """,
        ),
        CoverMoment(
            "classic",
            "canal",
            (24, 478, 680, 425),
            tiles="""
                G port 1 Liverpool 1 flipped
                Y port 2 Liverpool 2
                P shipyard 1 Liverpool 3 flipped
                R port 2 Liverpool 4 flipped
                R port 2 Ellesmere Port
                P cotton 2 Warrington & Runcorn 1
                Y port 1 Warrington & Runcorn 2 flipped
                G coal 1 Wigan 1 (1)
                P coal 2 Wigan 2 (2)
                Y cotton 2 Preston 2
                P iron 2 Preston 3 flipped
            """,
            links="""
                Y Liverpool-Ellesmere Port
                G Liverpool-Wigan
                P Warrington & Runcorn-Wigan
                Y Ellesmere Port-Warrington & Runcorn
                R Ellesmere Port-Northwich
                P Manchester-Warrington & Runcorn
                Y Preston-Wigan
            """,
        ),
    )
}

# What each picture shows: the three games, each with a low, wide variant for the top of its own
# page, and one for the top of the home page.
PICTURES: dict[str, tuple[CoverMoment, Window]] = {
    **{name: (scene, scene.window) for name, scene in SCENES.items()},
    "birmingham-wide": (SCENES["birmingham"], (446, 388, 900, 327)),
    "lancashire-wide": (SCENES["lancashire"], (416, 409, 960, 349)),
    "classic-wide": (SCENES["classic"], (74, 524, 900, 327)),
    "midlands": (SCENES["birmingham"], (424, 253, 920, 648)),
}


@cache
def cover_picture(name: str, theme: str, language: str) -> str:
    """Return a picture by name as a complete SVG; only the name of the sea is translated."""
    scene, (x, y, width, height) = PICTURES[name]
    with speaking(language):
        drawn = _map(scene)
    return element(
        "svg",
        element("style", stylesheet(check_theme(theme) or "auto", ".brass")),
        drawn,
        xmlns=NAMESPACE,
        class_="brass map",
        viewBox=" ".join(map(number, (x, y, width, height))),
        width=width,
        height=height,
    )


def _map(scene: CoverMoment) -> str:
    """Draw the map of a scene, without the text on its margin."""
    view, box = scene.view(), edition(scene.edition, PLAYERS)
    nothing_lit = Lights(())
    parts = (
        ground(box, "wide"),
        links(view, box, "wide", nothing_lit),
        places(view, box, "wide", nothing_lit),
    )
    return _SPOKEN.sub("", group(*parts, class_=f"{scene.era}-era"))
