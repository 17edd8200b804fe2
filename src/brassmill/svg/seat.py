"""The seats: what everyone sees of a player, in three lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brassmill import terms
from brassmill.core.view import View
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.svg.draw import Picture, circle, classes, group, moved, path, rect, text, title
from brassmill.svg.glyphs import glyph, shape
from brassmill.svg.lettering import width as width_of
from brassmill.svg.panel import PAD, fitted_text, frame, is_over, prospects, signed, stacked, times
from brassmill.svg.theme import check_theme
from brassmill.terms import ROMAN

WIDTH = 348
HEIGHT = 88
CARD = 12  # width of a wild card with its gap


def seats(view: View, *, width: float = WIDTH, theme: str | None = "auto") -> str:
    """A panel for each seat, in turn order."""
    return seats_picture(view, width).document(check_theme(theme))


def seat_panels(view: View, *, width: float = WIDTH, theme: str | None = "auto") -> tuple[str, ...]:
    """The same panels one by one, for a page that lays them out."""
    check_theme(theme)
    later = prospects(view)
    return tuple(
        seat_picture(view, seat, later[seat], width).document(theme) for seat in view.order
    )


def seats_picture(view: View, width: float = WIDTH) -> Picture:
    later = prospects(view)
    return stacked(
        [seat_picture(view, seat, later[seat], width) for seat in view.order],
        "seats",
        _("Players"),
    )


def seat_picture(view: View, seat: int, later: int, width: float = WIDTH) -> Picture:
    """Name and VP; money, income, cards and links; the next tile of each industry."""
    row = view.seats[seat]
    active = seat == view.to_move and not is_over(view)
    body = [
        title(row.name),
        frame(width, HEIGHT, "now" if active else None),
        path(f"M5 1H6V{HEIGHT - 1}H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z", "own"),
        shape(seat, 24, 21, 7, "own"),
        *_player(view, seat, width),
        *_means(view, seat, later, width),
        *_stock(view, seat, width),
    ]
    drawn = group(*body, id=f"seat-{seat}", class_=classes("seat", f"seat-{seat}"))
    return Picture("panel-of-seat", width, HEIGHT, row.name, drawn)


def _player(view: View, seat: int, width: float) -> Iterator[str]:
    """The name and the VP."""
    row = view.seats[seat]
    points, unit = str(row.vp).replace("-", "\N{MINUS SIGN}"), _("VP")
    unit_width = width_of(unit, 10.5, "sans")
    yield text(width - PAD, 27, unit, 10.5, "sans quiet", "end")
    yield text(width - PAD - unit_width - 4, 27, points, 20, "bold", "end")
    room = width - PAD - unit_width - 4 - width_of(points, 20, "serif bold") - 10 - 38
    you = _("you") if seat == view.seat else ""
    if you:
        room -= width_of(you, 11.5, "sans") + 8
    yield fitted_text(38, 26, row.name, 16, room)
    if you:
        x = 38 + min(width_of(row.name, 16), room) + 8
        yield text(x, 26, you, 11.5, "sans quiet", "start")


def _means(view: View, seat: int, later: int, width: float) -> Iterator[str]:
    """Money, income, money spent; cards and links left; VP if the era ended now."""
    row = view.seats[seat]
    cash, level = terms.pounds(row.cash), signed(row.level)
    yield group(
        title(_("Money: {pounds}").format(pounds=cash)), text(16, 50, cash, 15, "bold", "start")
    )
    yield _number(
        "income", 66, level, _("Income {level} at the end of each round").format(level=level)
    )
    spent = _("spent {pounds}").format(pounds=terms.pounds(row.spent))
    wild = CARD * len(row.wild)
    yield fitted_text(116, 49.5, spent, 11.5, width - 116 - 138 - wild, "sans", "quiet")
    cards = ngettext("{number} card in hand", "{number} cards in hand", row.cards)
    yield _number("cards", width - 134 - wild, row.cards, cards)
    yield from _wild_cards(row.wild, width - 100 - wild)
    links = ngettext(
        "{number} link left to build in this era",
        "{number} links left to build in this era",
        row.links_left,
    )
    yield _number("link", width - 96, row.links_left, links)
    if not is_over(view):
        words = f"→ {later}"
        yield group(
            title(_("{points} VP if the era ended now").format(points=later)),
            text(width - PAD, 50, words, 13, None, "end"),
        )


def _number(mark: str, x: float, value: object, words: str) -> str:
    """A figure with its symbol; `words` tell what it means."""
    return group(
        title(words.format(number=value)),
        glyph(mark, x + 6, 45.5, 13, "quiet-mark"),
        text(x + 16, 49.5, str(value), 12, "sans", "start"),
    )


def _wild_cards(cards: Sequence[str], x: float) -> Iterator[str]:
    """Small wild cards, which everyone saw taken: a compass rose or the industries' symbols."""
    for n, card in enumerate(cards):
        if card == "wild location":
            drawn = path("M0-4L1 0 0 4-1 0zM-3 0L0-1 3 0 0 1z", "ink")
        else:
            drawn = "".join(circle(2 * side, y, 0.9, "ink") for side in (-1, 1) for y in (-3, 0, 3))
        yield group(
            title(terms.card(card)),
            rect(-4.5, -6, 9, 12, "hair", rx=1.5),
            drawn,
            class_="wild-card",
            transform=moved(x + n * CARD, 45.5),
        )


def _stock(view: View, seat: int, width: float) -> Iterator[str]:
    """The next tile of each industry, and how many tiles are left."""
    stacks = view.seats[seat].mat
    step = (width - 16 - 6) / len(stacks)
    for n, (industry, stack) in enumerate(stacks.items()):
        x = 16 + n * step
        yield glyph(industry, x + 7, 72, 15, "glyph" if stack else "ghost")
        if not stack:
            yield text(x + 18, 76, "\N{EN DASH}", 11.5, "sans quiet", "start")
            continue
        level = ROMAN[stack[0]]
        yield text(x + 17, 76, level, 11, "bold", "start")
        left = x + 17 + width_of(level, 11, "serif bold") + 2
        yield text(left, 76, times(len(stack)), 10.5, "sans quiet", "start")
