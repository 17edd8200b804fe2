"""What the parts of the table have in common: frames, words that fit, what lights up."""

from __future__ import annotations

from collections.abc import Sequence

from brassmill import editions
from brassmill.core.engine import Engine
from brassmill.core.outcome import outcome_of, score_now
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.svg.draw import Number, Picture, classes, rect, text
from brassmill.svg.lettering import width

PAD = 12  # between a frame and what it holds
GAP = 8  # between frames
SMALLEST = 0.8  # how far words may shrink before they are cut
ELLIPSIS = "…"
TIMES = "\N{MULTIPLICATION SIGN}"

_CLASSES = {"serif": None, "serif bold": "bold", "sans": "sans", "sans bold": "sans bold"}

# --- what is drawn -------------------------------------------------------------------------------


def frame(
    width: Number, height: Number, class_: str | None = None, *, lit: str | None = None
) -> str:
    """The frame of a panel, in brass if it is lit; everything in the panel keeps inside it."""
    size = 0.5, 0.5, width - 1, height - 1
    plain = rect(*size, classes("panel", "box", class_), rx=6)
    return plain + rect(*size, "glow", rx=6) if lit else plain


def said(
    x: Number,
    y: Number,
    content: str,
    size: float,
    room: float,
    font: str = "serif",
    class_: str | None = None,
    anchor: str = "start",
    smallest: float = SMALLEST,
) -> str:
    """Words in one line that is no wider than `room`: smaller if need be, else cut."""
    wanted = width(content, size, font)
    if wanted > room:
        size *= max(smallest, room / wanted)
        content = shortened(content, size, room, font)
    return text(x, y, content, round(size, 2), classes(_CLASSES[font], class_) or None, anchor)


def shortened(content: str, size: float, room: float, font: str = "serif") -> str:
    """As many letters as there is room for, with an ellipsis where some are missing."""
    if width(content, size, font) <= room + 0.01:
        return content
    kept = content
    while kept and width(kept.rstrip() + ELLIPSIS, size, font) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


def capital(content: str) -> str:
    """A heading begins with a capital."""
    return content[:1].upper() + content[1:]


def signed(number: int) -> str:
    """+6, 0, −3."""  # noqa: RUF002
    return f"+{number}" if number > 0 else str(number).replace("-", "\N{MINUS SIGN}")


def times(count: int) -> str:
    """How many there are."""
    return f"{TIMES}{count}"


def stacked(pictures: Sequence[Picture], kind: str = "parts", label: str = "") -> Picture:
    """Pictures below each other."""
    body, y = [], 0.0
    for picture in pictures:
        body.append(picture.inside(0, y))
        y += picture.height + GAP
    return Picture(kind, max(p.width for p in pictures), y - GAP, label, "".join(body))


def abreast(pictures: Sequence[Picture], kind: str = "parts", label: str = "") -> Picture:
    """Pictures beside each other."""
    body, x = [], 0.0
    for picture in pictures:
        body.append(picture.inside(x, 0))
        x += picture.width + GAP
    return Picture(kind, x - GAP, max(p.height for p in pictures), label, "".join(body))


def enlarged(picture: Picture, width: float) -> Picture:
    """The picture as wide as wanted."""
    height = picture.height * width / picture.width
    return Picture("parts", width, height, picture.label, picture.inside(0, 0, width))


# --- what is known -------------------------------------------------------------------------------


def edition_of(view: View) -> Edition:
    """The box that a view belongs to."""
    return editions.restore(view.edition, view.players, view.options)


def is_over(view: View) -> bool:
    return view.question == "game over"


def is_last_round(view: View) -> bool:
    """Whether no round comes after this one."""
    last_era = view.era == "rail" or edition_of(view).traits.canal_era_only
    return last_era and view.round >= view.rounds


def next_order(view: View) -> tuple[int, ...]:
    """The order of play of the next round if nobody spent more."""
    engine = _engine(view)
    engine.set_order()
    return tuple(engine.state.order[: view.players].tolist())


def prospects(view: View) -> tuple[int, ...]:
    """The points that each seat would have if the era ended now."""
    more = score_now(_engine(view))
    return tuple(
        seat.vp + sum(points.values()) for seat, points in zip(view.seats, more, strict=True)
    )


def winners(view: View) -> tuple[int, ...]:
    """Who has won, when the game is over."""
    outcome = outcome_of(_engine(view))
    return outcome.winners if outcome else ()


def _engine(view: View) -> Engine:
    names = tuple(seat.name for seat in view.seats)
    return Engine(edition_of(view), names, view.position)
