"""Everything on one sheet: the map, seats, markets, tracks, the viewer's mat and hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from brassmill import terms
from brassmill.core.outcome import Outcome
from brassmill.core.view import View
from brassmill.errors import InvalidOption
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.svg.draw import Picture, classes, group, rect
from brassmill.svg.glyphs import shape as shape_of
from brassmill.svg.hand import discards_picture, hand_picture
from brassmill.svg.map import map_picture
from brassmill.svg.market import markets_picture
from brassmill.svg.mat import mat_picture
from brassmill.svg.panel import (
    GAP,
    abreast,
    edition_of,
    enlarged,
    fitted_text,
    outcome_by_rules,
    stacked,
)
from brassmill.svg.seat import seats_picture
from brassmill.svg.theme import check_theme
from brassmill.svg.track import income_picture, order_picture, points_picture

MARGIN = 14
WIDE, SIDE = 1440, 358  # widths of the sheet, and of the column beside its map
TALL, NARROW = 800, 438  # widths of the sheet, and of its parts before they are enlarged
NEWS = 40  # height of the line above everything
NEWS_WIDTH = {"wide": WIDE - 2 * MARGIN, "tall": 640}
PIP = 22  # a round


def table(
    view: View,
    *,
    shape: str = "wide",
    theme: str | None = "auto",
    lit: Collection[int] = (),
    outcome: Outcome | None = None,
) -> str:
    """Everything in a view on one sheet; `shape`, `theme` and `lit` are as for the map.

    If players conceded or agreed to end the game, give its `outcome`: a view does not know it.
    """
    picture = table_picture(view, shape=shape, lit=lit, outcome=outcome)
    return picture.document(check_theme(theme))


def table_picture(
    view: View,
    *,
    shape: str = "wide",
    lit: Collection[int] = (),
    outcome: Outcome | None = None,
) -> Picture:
    """The sheet as a part of another picture."""
    if shape not in NEWS_WIDTH:
        raise InvalidOption(f"unknown shape {shape!r}; choose one of: {', '.join(NEWS_WIDTH)}")
    map_ = map_picture(view, shape=shape, lit=lit)
    width = WIDE if shape == "wide" else TALL
    inner = width - 2 * MARGIN
    lay = _wide if shape == "wide" else _tall
    parts = lay(view, map_, inner, lit)
    news = enlarged(_news(view, NEWS_WIDTH[shape], outcome or outcome_by_rules(view)), inner)
    height = news.height + parts.height + MARGIN
    body = (
        rect(0, 0, width, height, "desk"),
        news.inside(MARGIN, 0),
        parts.inside(MARGIN, news.height),
    )
    label = _("{title}: {era}, round {round} of {rounds}").format(
        title=edition_of(view).title,
        era=terms.era(view.era),
        round=view.round,
        rounds=view.rounds,
    )
    return Picture("table", width, height, label, "".join(body))


# --- the sheets ----------------------------------------------------------------------------------


def _wide(view: View, map_: Picture, width: float, lit: Collection[int]) -> Picture:
    """The viewer's mat and hand under the map, the seats in a column, the long track at the bottom.

    For a spectator, whatever does not fit beside the map goes under it.
    """
    left = width - SIDE - GAP
    main = [enlarged(map_, left)]
    if view.hand:
        main.append(enlarged(hand_picture(view, lit=lit), left))
    if (seat := _whose_mat(view)) is not None:
        main.append(mat_picture(view, seat, width=left, lit=lit))
    seats, discards = seats_picture(view, width=SIDE), discards_picture(view, width=SIDE)
    markets = markets_picture(view, width=SIDE, lit=lit)
    side = [seats, order_picture(view, SIDE), markets, points_picture(view, SIDE), discards]
    if len(main) == 1 and stacked(side).height > main[0].height:
        points = points_picture(view, left - SIDE - GAP)
        main.append(abreast([points, order_picture(view, SIDE)]))
        side = [seats, markets, discards]
    return stacked([abreast([stacked(main), stacked(side)]), income_picture(view, width)])


def _tall(view: View, map_: Picture, width: float, lit: Collection[int]) -> Picture:
    """Everything in one column and large, the most needed directly under the map."""
    parts = [map_]
    if view.hand:
        parts.append(hand_picture(view, columns=4, lit=lit))
    if (seat := _whose_mat(view)) is not None:
        parts.append(mat_picture(view, seat, width=NARROW, columns=2, lit=lit))
    parts += [
        seats_picture(view, width=NARROW),
        order_picture(view, NARROW),
        markets_picture(view, width=NARROW, lit=lit),
        income_picture(view, NARROW),
        points_picture(view, NARROW),
        discards_picture(view, width=NARROW),
    ]
    return stacked([enlarged(part, width) for part in parts])


def _whose_mat(view: View) -> int | None:
    """The viewer; for a spectator, the seat to move."""
    return view.to_move if view.seat is None else view.seat


# --- the line above everything -------------------------------------------------------------------


def _news(view: View, width: float, outcome: Outcome | None) -> Picture:
    """Whose turn it is, or who has won, and how far the era has progressed."""
    return Picture("news", width, NEWS, "", group(*_news_parts(view, width, outcome), id="news"))


def _news_parts(view: View, width: float, outcome: Outcome | None) -> Iterator[str]:
    pips = width - view.rounds * PIP
    if outcome:
        seats = outcome.winners
        words = ngettext(
            "The game is over. {names} wins.", "The game is over. {names} win.", len(seats)
        ).format(names=", ".join(view.seats[seat].name for seat in seats))
    else:
        seats = tuple(seat for seat in (view.to_move,) if seat is not None)
        words = ngettext(
            "{seat}: {number} action left", "{seat}: {number} actions left", view.actions_left
        ).format(seat=view.seats[seats[0]].name, number=view.actions_left)
    x = 0.0
    for seat in seats:
        yield group(shape_of(seat, x + 8, 20, 7, "own"), class_=f"seat-{seat}")
        x += 24
    yield fitted_text(x, 26, words, 16, pips - x - GAP)
    for n in range(view.rounds):
        state = "done" if n + 1 < view.round else "current" if n + 1 == view.round else None
        yield rect(pips + n * PIP, 17.5, PIP - 4, 6, classes("round", state), rx=3)
