"""The furniture of a map: the title with the players, the compass rose, the legend."""

from __future__ import annotations

from math import ceil, cos, pi, sin
from typing import NamedTuple

from brassmill import terms
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.language import gettext as _
from brassmill.svg.draw import (
    circle,
    classes,
    element,
    group,
    line,
    moved,
    number,
    path,
    rect,
    text,
    words,
)
from brassmill.svg.glyphs import shape
from brassmill.svg.kept import kept
from brassmill.svg.lettering import caps_width, fitting, small_caps, width
from brassmill.svg.panel import capital, fitted_text
from brassmill.svg.plan import Plan, plan
from brassmill.svg.sites import Box

LEGEND = (236, 104)  # the size of the legend
ROSE = {"wide": 40, "tall": 30, "square": 26}  # the radius of the rose
NOW, SMALLEST_NOW = 18, 15  # font sizes of era and round on one line; below that, two lines
NAME, SHRUNK = 17, 0.7  # font size of a player's name, and how far it may shrink


def furniture(plan: Plan) -> list[Box]:
    """Where the furniture is on the sheet."""
    r, (x, y) = ROSE[plan.sheet.shape], plan.rose
    boxes = [Box(x - r, y - 1.4 * r, 2 * r, 2.4 * r)]
    if plan.cartouche:
        boxes.append(plan.cartouche)
    if plan.legend:
        (x, y), (wide, high) = plan.legend, LEGEND
        boxes.append(Box(x - wide / 2, y - high / 2, wide, high))
    return boxes


class Now(NamedTuple):
    """How far the game is, and who plays."""

    era: str
    round: int
    rounds: int
    names: tuple[str, ...]
    to_move: int | None


def cartouche(view: View, edition: Edition, shape: str) -> str:
    """The title of the sheet, the era, and the players with their colours."""
    names = tuple(player.name for player in view.seats)
    return _cartouche(edition, shape, Now(view.era, view.round, view.rounds, names, view.to_move))


@kept(500)
def _cartouche(edition: Edition, shape: str, now: Now) -> str:
    box = plan(edition, shape).cartouche
    if box is None:
        return ""
    if shape == "tall":
        half = box.width * 0.47
        parts = [
            path(f"M{number(box.x)} {number(box.y + box.height)}h{number(box.width)}", "neat-line"),
            *_heading(now, edition, Box(box.x + 14, box.y + 8, half - 14, 62), "start"),
            *_players(now, Box(box.x + half + 10, box.y + 12, box.width - half - 24, 64)),
        ]
    else:
        x = box.x + box.width / 2
        parts = [
            path(_ticket(box, 12), "plaque"),
            path(_ticket(box.grown(-5), 9), "neat-line"),
            *_heading(now, edition, Box(box.x + 22, box.y + 12, box.width - 44, 66), "middle"),
            _ornament(x, box.y + 86, box.width * 0.56),
            *_players(now, Box(box.x + 22, box.y + 96, box.width - 40, 52)),
        ]
    return group(*parts, class_="cartouche")


def _heading(now: Now, edition: Edition, box: Box, anchor: str) -> list[str]:
    size = min(30, 30 * box.width / caps_width(edition.title, 30, "serif bold", 1))
    x = box.x if anchor == "start" else box.x + box.width / 2
    fields = {"era": terms.era(now.era), "round": now.round, "rounds": now.rounds}
    lines = [_("{era}, round {round} of {rounds}").format(**fields)]
    if anchor == "middle" and fitting(lines[0], box.width, NOW) < SMALLEST_NOW:
        lines = [terms.era(now.era), _("round {round} of {rounds}").format(**fields)]
    runs = [
        element("tspan", words(run), font_size=size * part)
        for run, part in small_caps(edition.title)
    ]
    heading = element(
        "text",
        *runs,
        class_="heading bold",
        x=x,
        y=box.y + box.height * 0.48,
        font_size=size,
        letter_spacing=1,
        text_anchor=None if anchor == "start" else anchor,
    )
    size = min(fitting(line, box.width, NOW if len(lines) == 1 else SMALLEST_NOW) for line in lines)
    rows = (0.88,) if len(lines) == 1 else (0.76, 1)
    said_now = [
        text(x, box.y + box.height * row, line, size, "italic", anchor)
        for row, line in zip(rows, [capital(lines[0]), *lines[1:]], strict=True)
    ]
    return [heading, *said_now]


def _ornament(x: float, y: float, wide: float) -> str:
    """A rule with a lozenge in its middle."""
    half = wide / 2
    return group(
        path(f"M{number(x - half)} {number(y)}h{number(half - 9)}m18 0h{number(half - 9)}", "hair"),
        path(f"M{number(x)} {number(y - 4)}l5 4-5 4-5-4z", "ink"),
    )


def _players(now: Now, box: Box) -> list[str]:
    """The names of the players, each with its shape and colour.

    In two columns, or in one if a name is too long.
    """
    longest = max(width(name, NAME * SHRUNK, "serif bold") for name in now.names)
    columns = 2 if longest <= box.width / 2 - 32 else 1
    wide, high = box.width / columns, box.height / ceil(len(now.names) / columns)
    size = min(NAME, high * 0.9)
    rows = []
    for seat, name in enumerate(now.names):
        x = box.x + (seat % columns) * wide
        y = box.y + (seat // columns + 0.5) * high
        moving = seat == now.to_move
        label = fitted_text(
            *(x + 25, y + size * 0.35, name, size, wide - 32),
            font="serif bold" if moving else "serif",
            smallest=SHRUNK,
        )
        rows.append(
            group(
                shape(seat, x + 10, y, size * 0.44, "own"),
                label,
                class_=classes("player", f"seat-{seat}", "to-move" if moving else None),
            )
        )
    return rows


def _ticket(box: Box, notch: float) -> str:
    """The outline of a plaque with hollow corners."""
    arc = f"a{number(notch)} {number(notch)} 0 0 0 "
    wide, high = number(box.width - 2 * notch), number(box.height - 2 * notch)
    n = number(notch)
    return (
        f"M{number(box.x + notch)} {number(box.y)}h{wide}{arc}{n} {n}v{high}{arc}-{n} {n}"
        f"h-{wide}{arc}-{n} -{n}v-{high}{arc}{n} -{n}z"
    )


def rose(plan: Plan) -> str:
    """A compass rose with light and dark sides, lit from the north-west."""
    r = ROSE[plan.sheet.shape]
    light, dark = "", ""
    for step in (1, 3, 5, 7, 0, 2, 4, 6):
        angle = step * pi / 4
        long = r if step % 2 == 0 else r * 0.62
        tip = (long * sin(angle), -long * cos(angle))
        waist = r * 0.2
        left = (waist * sin(angle - pi / 4), -waist * cos(angle - pi / 4))
        right = (waist * sin(angle + pi / 4), -waist * cos(angle + pi / 4))
        light += line([(0, 0), left, tip], closed=True)
        dark += line([(0, 0), right, tip], closed=True)
    ticks = "".join(
        line(
            [
                (r * 0.72 * sin(n * pi / 16), -r * 0.72 * cos(n * pi / 16)),
                (r * 0.78 * sin(n * pi / 16), -r * 0.78 * cos(n * pi / 16)),
            ]
        )
        for n in range(32)
    )
    return group(
        circle(0, 0, r * 0.78, "paper"),
        circle(0, 0, r * 0.78, "hair"),
        circle(0, 0, r * 0.72, "hair"),
        path(ticks, "hair"),
        path(light, "point-light"),
        path(dark, "point-dark"),
        text(0, -r - 3, _("N"), r * 0.42, "bold"),
        class_="rose",
        transform=moved(*plan.rose),
        aria_hidden="true",
    )


def legend(plan: Plan) -> str:
    """How canals and railways are drawn."""
    if plan.legend is None:
        return ""
    x, y = plan.legend[0] - LEGEND[0] / 2, plan.legend[1] - LEGEND[1] / 2
    rows = (
        ("canal", _("canal")),
        ("rail", _("railway")),
        ("canal rail", _("canal, then railway")),
    )
    size = min(fitting(name, LEGEND[0] - 52, 16) for _kind, name in rows)
    parts = [rect(x, y, *LEGEND, "plate", rx=3)]
    for n, (kind, name) in enumerate(rows):
        high = y + 22 + n * 30
        d = f"M{number(x + 4)} {number(high)}h36"
        strokes = [path(d, "water")] if "canal" in kind else []
        strokes += [path(d, "sleepers"), path(d, "track")] if "rail" in kind else []
        parts.append(group(*strokes, class_=f"line {kind}"))
        parts.append(text(x + 50, high + 5, name, size, "italic quiet", "start"))
    return group(*parts, class_="legend")
