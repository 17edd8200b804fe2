"""Pictures of views: SVG for pages and files, PNG with resvg.

>>> from brassmill import svg
>>> from brassmill.game import Game
>>> view = Game("birmingham", players=4, seed=7).view()
>>> picture = svg.map(view, theme="light")
>>> picture[:4], svg.png(picture, width=700)[1:4]
('<svg', b'PNG')

A picture for a page is drawn with theme None: it has classes and ids, and the page includes
`stylesheet()`.
"""

from __future__ import annotations

from brassmill.svg.detail import Mark, detail
from brassmill.svg.hand import cards, discards, hand
from brassmill.svg.key import specimens
from brassmill.svg.map import map  # noqa: A004 (the best name)
from brassmill.svg.market import market
from brassmill.svg.mat import mat, next_tiles
from brassmill.svg.png import png
from brassmill.svg.seat import seat_panels, seats
from brassmill.svg.table import table
from brassmill.svg.theme import stylesheet
from brassmill.svg.track import tracks

__all__ = [
    "Mark",
    "cards",
    "detail",
    "discards",
    "hand",
    "map",
    "market",
    "mat",
    "next_tiles",
    "png",
    "seat_panels",
    "seats",
    "specimens",
    "stylesheet",
    "table",
    "tracks",
]
