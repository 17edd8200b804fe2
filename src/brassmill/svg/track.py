"""Tracks: income as a scale bar, victory points, the turn order now and next round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil

from brassmill import terms
from brassmill.core.view import View, income_level
from brassmill.language import gettext as _
from brassmill.rules.income import LAST
from brassmill.svg.draw import Picture, classes, group, path, rect, text, title
from brassmill.svg.glyphs import shape
from brassmill.svg.panel import (
    GAP,
    PAD,
    abreast,
    capital,
    fitted_text,
    frame,
    is_last_round,
    is_over,
    next_order,
    prospects,
    signed,
    stacked,
)
from brassmill.svg.theme import check_theme

WIDTH = 1406
SIDE = 348  # width of the turn order
MARKER = 5.5  # half the size of a marker
TIER = 15  # vertical distance between markers
BAR = 9
NARROWEST = 24  # width of a space of the income track
SPACE_NUMBER = 10.6  # font size of its number: 9 pixels on a phone
ORDER_ROW = 22
ROUND_POINTS = 50  # the VP scale ends at a multiple of this

Level = tuple[int, tuple[int, ...]]  # an income level and its spaces


def tracks(view: View, *, width: float = WIDTH, theme: str | None = "auto") -> str:
    """Income, VP and the turn order."""
    return tracks_picture(view, width).document(check_theme(theme))


def tracks_picture(view: View, width: float = WIDTH) -> Picture:
    income = income_picture(view, width)
    if width < 2 * SIDE:
        parts = [income, points_picture(view, width), order_picture(view, width)]
    else:
        points = points_picture(view, width - SIDE - GAP)
        parts = [income, abreast([points, order_picture(view, SIDE)])]
    return stacked(parts, "tracks", capital(_("tracks")))


# --- income --------------------------------------------------------------------------------------


def income_picture(view: View, width: float = WIDTH) -> Picture:
    """All spaces of the income track in rows, by level, with the seats' markers."""
    rows = _income_rows(width)
    longest = max(sum(len(spaces) for _, spaces in row) for row in rows)
    step = (width - 2 * PAD) / longest
    heading = capital(_("income"))
    body = [fitted_text(PAD, 24, heading, 15, width * 0.3)]
    y = 30.0
    for row in rows:
        first = row[0][1][0]
        here = {
            seat: PAD + (state.income - first + 0.5) * step
            for seat, state in enumerate(view.seats)
            if first <= state.income <= row[-1][1][-1]
        }
        tiers = tiers_of(here)
        y += max([1, *(tier + 1 for tier in tiers.values())]) * TIER + 6
        body += _income_bar(row, y, step)
        body += [_marker(view, seat, x, y, tiers[seat], "income") for seat, x in here.items()]
        y += BAR + 30
    return Picture("income", width, y, heading, group(frame(width, y), *body, id="income-track"))


def _income_rows(width: float) -> list[list[Level]]:
    """The levels in enough rows to keep the spaces readable."""
    levels: list[Level] = [
        (level, tuple(spaces)) for level, spaces in groupby(range(LAST + 1), income_level)
    ]
    count = ceil((LAST + 1) * NARROWEST / (width - 2 * PAD))
    rows: list[list[Level]] = [[] for _ in range(count)]
    for level, spaces in levels:
        rows[min(count - 1, spaces[-1] * count // (LAST + 1))].append((level, spaces))
    return rows


def _income_bar(row: Sequence[Level], y: float, step: float) -> Iterator[str]:
    """A scale bar: dark and light by level, a tick for each space, the level below."""
    start = row[0][1][0]
    for level, spaces in row:
        x, wide = PAD + (spaces[0] - start) * step, len(spaces) * step
        ticks = "".join(f"M{x + n * step:.2f} {y:.1f}v{BAR}" for n in range(1, len(spaces)))
        tone = "bar" if level % 2 else "bar pale"
        yield group(
            title(
                _("level {level}: spaces {first} to {last}").format(
                    level=signed(level), first=spaces[0], last=spaces[-1]
                )
            ),
            rect(x, y, wide, BAR, tone),
            path(ticks, "tick" if level % 2 else "hair") if ticks else "",
            text(x + wide / 2, y + BAR + 13, signed(level), 11),
        )
        for space in spaces:
            if space % 10 == 0:
                middle = PAD + (space - start + 0.5) * step
                yield text(middle, y + BAR + 25, str(space), SPACE_NUMBER, "sans quiet")


def tiers_of(places: dict[int, float]) -> dict[int, int]:
    """The height of each marker, so that none covers another."""
    tiers: dict[int, int] = {}
    for seat in sorted(places, key=lambda seat: (places[seat], seat)):
        near = {
            tiers[other] for other in tiers if abs(places[other] - places[seat]) < 2 * MARKER + 4
        }
        tiers[seat] = next(tier for tier in range(len(places)) if tier not in near)
    return tiers


def _marker(view: View, seat: int, x: float, y: float, tier: int, track: str) -> str:
    row = view.seats[seat]
    words = {
        "income": _("{seat}: income {level}, space {space}").format(
            seat=row.name, level=signed(row.level), space=row.income
        ),
        "points": _("{seat}: {points} VP").format(seat=row.name, points=row.vp),
    }[track]
    return group(
        title(words),
        shape(seat, x, y - 8 - tier * TIER, MARKER, "own"),
        id=f"{track}-{seat}",
        class_=f"marker seat-{seat}",
    )


# --- victory points ------------------------------------------------------------------------------


def points_picture(view: View, width: float = WIDTH) -> Picture:
    """The seats' VP on a scale; hollow markers: if the era ended now."""
    later = prospects(view)
    most = max(*(seat.vp for seat in view.seats), *later, 1)
    end = -(-most // ROUND_POINTS) * ROUND_POINTS
    step = (width - 2 * PAD - 24) / end
    heading = capital(_("victory points"))
    now = {seat: PAD + 12 + row.vp * step for seat, row in enumerate(view.seats)}
    then = {
        seat: PAD + 12 + points * step
        for seat, points in enumerate(later)
        if points != view.seats[seat].vp
    }
    # Both kinds of marker share the tiers; hollow ones are numbered after the others.
    both = now | {seat + view.players: x for seat, x in then.items()}
    tiers = tiers_of(both)
    y = 34.0 + (max(tiers.values()) + 1) * TIER
    height = y + BAR + 22
    body = [frame(width, height), fitted_text(PAD, 24, heading, 15, width * 0.4)]
    if then:
        words = _("hollow: if the era ended now")
        body.append(fitted_text(width - PAD, 24, words, 11, width * 0.5, "sans", "quiet", "end"))
    body += _points_bar(end, y, step)
    for seat, x in then.items():
        words = _("{seat}: {points} VP if the era ended now").format(
            seat=view.seats[seat].name, points=later[seat]
        )
        tier = tiers[seat + view.players]
        body.append(
            group(
                title(words),
                shape(seat, x, y - 8 - tier * TIER, MARKER - 0.5, "hollow"),
                id=f"prospect-{seat}",
                class_=f"marker seat-{seat}",
            )
        )
    body += [_marker(view, seat, x, y, tiers[seat], "points") for seat, x in now.items()]
    return Picture("points", width, height, heading, group(*body, id="points-track"))


def _points_bar(end: int, y: float, step: float) -> Iterator[str]:
    unit = next(unit for unit in (5, 10, 20, 50, 100) if unit * step >= 26)
    for n, start in enumerate(range(0, end, unit)):
        wide = min(unit, end - start) * step
        tone = classes("bar", n % 2 == 1 and "pale")
        yield rect(PAD + 12 + start * step, y, wide, BAR, tone)
    for points in range(0, end + 1, unit):
        yield text(PAD + 12 + points * step, y + BAR + 13, str(points), 11)


# --- turn order ----------------------------------------------------------------------------------


def order_picture(view: View, width: float = SIDE) -> Picture:
    """The turn order with the money spent, and the turn order of the next round."""
    height = 46 + view.players * ORDER_ROW
    after = () if is_over(view) or is_last_round(view) else next_order(view)
    heading = capital(_("turn order"))
    inner = width - 2 * PAD
    left = inner - 76 if after else inner
    body = [frame(width, height), fitted_text(PAD, 24, heading, 15, left)]
    if after:
        words = _("next round")
        body.append(fitted_text(width - PAD, 24, words, 11.5, inner * 0.4, "sans", "quiet", "end"))
    where = {seat: n for n, seat in enumerate(view.order)}
    for n, seat in enumerate(after):
        y = _order_y(n)
        now = PAD + left + 8, _order_y(where[seat])
        drawn = (
            _thread(*now, width - PAD - 36, y),
            shape(seat, width - PAD - 26, y, 5.5, "own"),
            fitted_text(width - PAD, y + 4.5, str(n + 1), 13, 14, "serif bold", anchor="end"),
        )
        body.append(group(*drawn, class_=f"seat-{seat}"))
    for n, seat in enumerate(view.order):
        body.append(group(*_order_line(view, n, seat, left), class_=f"seat-{seat}"))
    label = ", ".join(view.seats[seat].name for seat in view.order)
    return Picture("order", width, height, f"{heading}: {label}", group(*body, id="order"))


def _order_y(n: int) -> float:
    return 46.0 + n * ORDER_ROW


def _order_line(view: View, n: int, seat: int, left: float) -> Iterable[str]:
    row, y = view.seats[seat], _order_y(n)
    yield fitted_text(PAD, y + 4.5, str(n + 1), 13, 14, "serif bold")
    yield shape(seat, PAD + 24, y, 5.5, "own")
    yield fitted_text(PAD + 36, y + 4.5, row.name, 13, left - 36 - 40, smallest=1)
    yield fitted_text(PAD + left, y + 4.5, terms.pounds(row.spent), 12, 38, "sans", "quiet", "end")


def _thread(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line from the place now to the place next round."""
    middle = (x1 + x2) / 2
    curve = f"M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return path(curve, "thread")
