"""Pictures of a table for viewing only: nothing in them is clickable."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from brassmill import svg
from brassmill.core.view import View
from brassmill.web.page.pictures import with_data_ids, without_ids
from brassmill.web.page.players import CardView, cards_of
from brassmill.web.page.scene import scene_map
from brassmill.web.replay.timeline import Timeline

WIDE, TALL = "wide", "tall"
SHAPES = (WIDE, TALL)
SIDE = 348  # width of the parts beside the map
BELOW = {WIDE: 1040, TALL: 438}  # width of the parts below it
CARDS = {WIDE: 8, TALL: 4}  # in each row


def shape_kept(cookies: Mapping[str, str]) -> str:
    """The shape for a page that scrolls. The table keeps its own in a cookie."""
    return {"tall": TALL, "square": TALL}.get(cookies.get("shape", ""), WIDE)


@dataclass(frozen=True)
class PlayerPicture:
    """What can be seen of a seat."""

    seat: int
    picture: Markup
    hand: tuple[CardView, ...] | None  # None if hidden


@dataclass(frozen=True)
class ReplayPictures:
    """All pictures of a moment, for a wide or a tall screen."""

    map: Markup
    players: tuple[PlayerPicture, ...]  # in turn order
    markets: Markup
    hand: Markup | None  # of the viewing seat
    mat: Markup | None  # of the viewing seat, or of the one that acted
    tracks: Markup


def replay_pictures(timeline: Timeline, at: int, angle: str, shape: str) -> ReplayPictures:
    """Draw the pictures of a frame from a point of view."""
    view, ending = timeline.view(at, angle), timeline.endings.get(at)
    acting = timeline.frames[at].seat if view.seat is None else view.seat
    width = BELOW[shape]
    hands, pictures = timeline.hands(at, angle), svg.seat_panels(view, width=SIDE, theme=None)
    return ReplayPictures(
        map=scene_map(timeline.edition, timeline.seats, ending, shape)
        if ending
        else map_of(view, shape, timeline.touched(at)),
        players=tuple(
            PlayerPicture(seat, without_ids(picture), _cards(timeline, hands.get(seat)))
            for seat, picture in zip(view.order, pictures, strict=True)
        ),
        markets=without_ids(svg.market(view, width=SIDE, theme=None)),
        hand=None
        if view.seat is None
        else without_ids(svg.hand(view, columns=CARDS[shape], theme=None)),
        mat=None if acting is None else without_ids(_mat(view, acting, shape)),
        tracks=without_ids(svg.tracks(view, width=width, theme=None)),
    )


def _cards(timeline: Timeline, own: View | None) -> tuple[CardView, ...] | None:
    return None if own is None or own.hand is None else cards_of(timeline.edition, own.hand)


def _mat(view: View, seat: int, shape: str) -> str:
    columns = 2 if shape == TALL else None
    return svg.mat(view, seat, width=BELOW[shape], columns=columns, theme=None)


def map_of(view: View, shape: str, touched: Collection[str] = ()) -> Markup:
    """Draw the map with the latest changes marked."""
    return with_data_ids(svg.map(view, shape=shape, theme=None), touched=frozenset(touched))
