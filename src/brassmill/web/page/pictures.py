"""The pictures of the table page: SVG in which every open choice is a control."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from markupsafe import Markup

from brassmill import svg
from brassmill.core.view import View
from brassmill.errors import BrassError
from brassmill.svg.map import map_picture
from brassmill.web.page.model import PageModel
from brassmill.web.page.parts import PART

SHAPES = ("wide", "tall", "square")  # of the map
SIDE = 340  # the column of the markets
DRAWER = 1060  # the width of a drawer

_ID = re.compile(r' id="([^"]*)"')


@dataclass(frozen=True)
class Pictures:
    """Everything drawn on the page, as SVG to embed."""

    map: str
    shape: str  # of the map
    ratio: float  # width divided by height
    hand: tuple[str, ...]  # by card
    mat: tuple[str, ...]  # the player's next tiles, by industry
    markets: str


def pictures_of(
    view: View, model: PageModel, *, shape: str = "wide", whole: bool = True
) -> Pictures:
    """The pictures of a view; an update, not a `whole` page, leaves out what never changes."""
    shape = shape if shape in SHAPES else SHAPES[0]
    view = _with_names(view, model)
    labels = {offer.id: offer.label for offer in model.offers}
    map_ = map_picture(view, shape=shape, lit=model.lit, labels=labels, ground=whole, between=PART)
    return Pictures(
        map=map_.document(None),
        shape=shape,
        ratio=map_.width / map_.height,
        hand=svg.cards(
            view,
            theme=None,
            lit=model.lit,
            labels=labels,
            uses={card.name: card.uses for card in model.hand},
        ),
        mat=()
        if model.you is None
        else svg.next_tiles(view, theme=None, lit=model.lit, labels=labels),
        markets=svg.market(view, width=SIDE, theme=None, lit=model.lit, labels=labels),
    )


def _with_names(view: View, model: PageModel) -> View:
    """The view with the names that the page shows: a free seat has none in the game."""
    names = [player.name for player in model.players]
    if names == [seat.name for seat in view.seats]:
        return view
    seats = [replace(seat, name=name) for seat, name in zip(view.seats, names, strict=True)]
    return replace(view, seats=tuple(seats))


def drawings_of(view: View, drawer: str) -> tuple[str, ...]:
    """The content of a drawer: all mats, the tracks, or the discards."""
    match drawer:
        case "mats":
            return tuple(
                svg.mat(view, seat, width=DRAWER, theme=None, ids="whole-mat")
                for seat in range(view.players)
            )
        case "tracks":
            return (svg.tracks(view, width=DRAWER, theme=None),)
        case "discards":
            return (svg.discards(view, theme=None),)
    raise BrassError(f"unknown drawer {drawer!r}")


# --- several pictures of a kind on one page ------------------------------------------------------


def with_data_ids(picture: str, **marked: Collection[str]) -> Markup:
    """A picture with `data-id` instead of ids, which may clash with those of the page.

    `touched=("space-derby-1",)` adds `data-touched` to that element.
    """

    def name(match: re.Match[str]) -> str:
        marks = [f' data-{mark}=""' for mark, ids in marked.items() if match[1] in ids]
        return f' data-id="{match[1]}"' + "".join(marks)

    return Markup(_ID.sub(name, picture))


def without_ids(picture: str) -> Markup:
    """A picture without ids."""
    return Markup(_ID.sub("", picture))
