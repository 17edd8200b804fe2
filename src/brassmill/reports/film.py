"""A game as a short film: a picture for every action, with its words above and its place marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from brassmill import terms
from brassmill.core.engine import Engine
from brassmill.core.events import Event
from brassmill.core.view import View, view_of
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import Record, replay
from brassmill.svg.draw import Picture, element, group, rect
from brassmill.svg.glyphs import shape as shape_of
from brassmill.svg.lettering import width as width_of
from brassmill.svg.map import map_picture
from brassmill.svg.panel import capital, fitted_text
from brassmill.svg.theme import PALETTES
from brassmill.words.log import log_lines

STRIP = 56  # height of the lines above and below the map
MARGIN = 18
LETTERS = 25
PLACES = ("built", "flipped", "sold", "delivered", "gave_up")  # events about a space
MARKED = (
    "[data-now] .face{{stroke:{ink};stroke-opacity:1;stroke-width:6}}"
    "[data-now] .floor{{stroke:{ink};stroke-width:6}}"
    "[data-now].line .case{{stroke:{ink};stroke-width:22}}"
)


class FilmMoment(NamedTuple):
    """An action: the position after it, who acted, and what happened."""

    state: bytes
    seat: int | None  # None: the start
    era: str  # of the action, as is the round
    round: int
    events: tuple[Event, ...] = ()


def moments_of(record: Record, first: int, last: int) -> Iterator[FilmMoment]:
    """The moments of a record, from one action to another; 0 is the start."""
    count = len(record.main_line())
    if not 0 <= first <= last <= count:
        words = _("choose actions between 0 and {count}, the first one first")
        raise BrassError(words.format(count=count))
    game = replay.start(record)
    for number, node in enumerate([None, *record.main_line()[:last]]):
        seat, era, round_ = game.seat, game.era, game.round
        events = replay.play(record, game, node) if node else []
        if number >= first:
            done = tuple(events)
            yield FilmMoment(game.engine.snapshot(), seat if node else None, era, round_, done)


def pictures_of(
    edition: Edition,
    seats: Sequence[str],
    moments: Iterable[FilmMoment],
    theme: str = "light",
) -> Iterator[str]:
    """The pictures of a film, standalone and all of one size; no hand is shown."""
    for moment in moments:
        engine = Engine(edition, tuple(seats), moment.state)
        view = view_of(edition, tuple(seats), engine.state, None, 0)
        yield _picture(edition, view, moment, theme).document(theme)


def _picture(edition: Edition, view: View, moment: FilmMoment, theme: str) -> Picture:
    map_ = map_picture(view)
    body = map_.body
    for name in dict.fromkeys(_changed(edition, moment.events)):
        body = body.replace(f' id="{name}"', f' id="{name}" data-now=""')
    width, height = map_.width, map_.height + 2 * STRIP
    parts = (
        element("style", MARKED.format(ink=PALETTES[theme]["ink"])),
        rect(0, 0, width, height, "desk"),
        *_headline(view, moment, width),
        group(body, class_="map", transform=f"translate(0 {STRIP})"),
        *_standings(view, width, map_.height + STRIP),
    )
    return Picture("table", width, height, map_.label, "".join(parts))


def _headline(view: View, moment: FilmMoment, width: float) -> Iterator[str]:
    """Who did what, and in which round."""
    y = STRIP / 2
    now = _("{era}, round {number}").format(era=terms.era(moment.era), number=moment.round)
    place = width_of(capital(now), LETTERS)
    yield fitted_text(
        width - MARGIN, y + 9, capital(now), LETTERS, place + 1, class_="quiet", anchor="end"
    )
    x, room = float(MARGIN), width - 4 * MARGIN - place
    if moment.seat is None:
        return
    line = next(log_lines(moment.events, [seat.name for seat in view.seats]), None)
    yield group(shape_of(moment.seat, x + 12, y, 11, "own"), class_=f"seat-{moment.seat}")
    words = f"{view.seats[moment.seat].name} {line.text if line else ''}"
    yield fitted_text(x + 34, y + 9, words, LETTERS, room - 34)


def _standings(view: View, width: float, top: float) -> Iterator[str]:
    """The players in turn order, with their money and VP."""
    column = (width - 2 * MARGIN) / view.players
    for place, seat in enumerate(view.order):
        x, y = MARGIN + place * column, top + STRIP / 2
        player = view.seats[seat]
        yield group(shape_of(seat, x + 12, y, 11, "own"), class_=f"seat-{seat}")
        words = _("{name}: £{money}, {vp} VP").format(
            name=player.name, money=player.cash, vp=player.vp
        )
        yield fitted_text(x + 34, y + 9, words, LETTERS, column - 34 - MARGIN)


def _changed(edition: Edition, events: Iterable[Event]) -> Iterator[str]:
    """The elements of the map that events changed."""
    for event in events:
        if event.kind in PLACES:
            place, number = edition.find_space(event.space)
            row = edition.spaces[edition.space_at(place, number or 1)]
            yield f"space-{edition.places[row.place].id}-{row.number}"
        elif event.kind == "linked":
            yield f"line-{edition.lines[edition.find_line(event.line)].id}"
