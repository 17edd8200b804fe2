"""What the parts of the table share: frames, text that fits, facts about the view."""

from __future__ import annotations

from collections.abc import Sequence

from brassmill import editions
from brassmill.core.engine import Engine
from brassmill.core.outcome import Outcome, outcome_of, score_now
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.svg.draw import Number, Picture, classes, rect, text
from brassmill.svg.lettering import width

PAD = 12  # between a frame and its content
GAP = 8  # between frames
SMALLEST = 0.8  # how far text may shrink before it is cut
ELLIPSIS = "…"
TIMES = "\N{MULTIPLICATION SIGN}"

_CLASSES = {"serif": None, "serif bold": "bold", "sans": "sans", "sans bold": "sans bold"}

# --- drawing -------------------------------------------------------------------------------------


def frame(
    width: Number, height: Number, class_: str | None = None, *, lit: str | None = None
) -> str:
    """The frame of a panel, in brass if it is lit; the content stays inside it."""
    size = 0.5, 0.5, width - 1, height - 1
    plain = rect(*size, classes("panel", "box", class_), rx=6)
    return plain + rect(*size, "glow", rx=6) if lit else plain


def fitted_text(
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
    """Text on one line no wider than `room`: smaller if necessary, then cut."""
    wanted = width(content, size, font)
    if wanted > room:
        size *= max(smallest, room / wanted)
        content = shortened(content, size, room, font)
    return text(x, y, content, round(size, 2), classes(_CLASSES[font], class_) or None, anchor)


def shortened(content: str, size: float, room: float, font: str = "serif") -> str:
    """As many letters as fit, with an ellipsis if some are missing."""
    if width(content, size, font) <= room + 0.01:
        return content
    kept = content
    while kept and width(kept.rstrip() + ELLIPSIS, size, font) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


def capital(content: str) -> str:
    """The text with a capital first letter."""
    return content[:1].upper() + content[1:]


def signed(number: int) -> str:
    """+6, 0, −3."""  # noqa: RUF002
    return f"+{number}" if number > 0 else str(number).replace("-", "\N{MINUS SIGN}")


def times(count: int) -> str:
    """A count such as ×3."""  # noqa: RUF002
    return f"{TIMES}{count}"


def stacked(pictures: Sequence[Picture], kind: str = "parts", label: str = "") -> Picture:
    """Pictures below each other."""
    body, y = [], 0.0
    for picture in pictures:
        body.append(picture.inside(0, y))
        y += picture.height + GAP
    return Picture(kind, max(p.width for p in pictures), y - GAP, label, "".join(body))


def abreast(pictures: Sequence[Picture], kind: str = "parts", label: str = "") -> Picture:
    """Pictures side by side."""
    body, x = [], 0.0
    for picture in pictures:
        body.append(picture.inside(x, 0))
        x += picture.width + GAP
    return Picture(kind, x - GAP, max(p.height for p in pictures), label, "".join(body))


def enlarged(picture: Picture, width: float) -> Picture:
    """The picture at a given width."""
    height = picture.height * width / picture.width
    return Picture("parts", width, height, picture.label, picture.inside(0, 0, width))


# --- facts about a view --------------------------------------------------------------------------


def edition_of(view: View) -> Edition:
    """The edition of a view."""
    return editions.restore(view.edition, view.players, view.options)


def is_over(view: View) -> bool:
    return view.question == "game over"


def is_last_round(view: View) -> bool:
    """Is this the last round of the era?"""
    last_era = view.era == "rail" or edition_of(view).traits.canal_era_only
    return last_era and view.round >= view.rounds


def next_order(view: View) -> tuple[int, ...]:
    """The turn order of the next round if nobody spends more."""
    engine = _engine(view)
    engine.set_order()
    return tuple(engine.state.order[: view.players].tolist())


def prospects(view: View) -> tuple[int, ...]:
    """Each seat's VP if the era ended now."""
    more = score_now(_engine(view))
    return tuple(
        seat.vp + sum(points.values()) for seat, points in zip(view.seats, more, strict=True)
    )


def outcome_by_rules(view: View) -> Outcome | None:
    """How the game ended, if it is over; a view knows nothing of concessions and agreements."""
    return outcome_of(_engine(view))


def _engine(view: View) -> Engine:
    names = tuple(seat.name for seat in view.seats)
    return Engine(edition_of(view), names, view.position)
