"""Cards: the viewer's hand, and the discards of the era."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import ceil

from brassmill import terms
from brassmill.core.view import View
from brassmill.editions.edition import WILD_CARDS, Edition
from brassmill.editions.names import slug
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.rules.layout import PLACES, WILD_LOCATION
from brassmill.svg.draw import Picture, circle, classes, group, moved, path, rect, text, title
from brassmill.svg.facts import card_words
from brassmill.svg.glyphs import glyph
from brassmill.svg.kept import kept
from brassmill.svg.lettering import in_lines
from brassmill.svg.lights import Labels, Lights, Lit
from brassmill.svg.panel import (
    GAP,
    PAD,
    capital,
    edition_of,
    fitted_text,
    frame,
    times,
)
from brassmill.svg.theme import check_theme
from brassmill.svg.tiles import space

WIDTH, HEIGHT = 123, 96  # of a card
EDGE = 4  # how much of the next equal card is visible
BAND = 24
SPACE, LARGEST_SPACE = 26, 34  # size of a building space on a location card
COLUMNS = 8
LETTERS, LEADING = 16, 16  # of a name: at least 11 pixels on a small screen (`table.css`)
SMALL_CARD = 84  # width of the card that stands for any two
ROW = 18  # of the discards
DOT, SIGN = 8, 16

# --- the hand ------------------------------------------------------------------------------------


def hand(
    view: View,
    *,
    columns: int = COLUMNS,
    theme: str | None = "auto",
    lit: Collection[int] = (),
) -> str:
    """The viewer's cards; a spectator sees none."""
    return hand_picture(view, columns, lit).document(check_theme(theme))


def cards(
    view: View,
    *,
    theme: str | None = "auto",
    lit: Collection[int] = (),
    labels: Labels | None = None,
    uses: Mapping[str, Collection[int]] | None = None,
) -> tuple[str, ...]:
    """The same cards one by one, for a page that lays them out.

    Cards with `uses` (choices, by the name of the card) can be chosen before an action.
    """
    check_theme(theme)
    return tuple(
        _alone(label, width, card, theme, live=labels is not None)
        for label, width, card in _cards(view, Lights(lit, labels), uses or {})
    )


@kept(8_000)
def _alone(label: str, width: float, card: str, theme: str | None, *, live: bool) -> str:
    """A card as a picture."""
    body = group(card, transform=moved(0, EDGE))
    return Picture("hand", width + EDGE, HEIGHT + EDGE, label, body, live=live).document(theme)


def _cards(
    view: View, lights: Lights, uses: Mapping[str, Collection[int]]
) -> Iterator[tuple[str, float, str]]:
    """Each kind of card in the hand, and any two cards: label, width and drawing."""
    edition = edition_of(view)
    for name, count in (view.hand or {}).items():
        card = edition.find_card(name)
        label = terms.card(name) if count == 1 else f"{terms.card(name)} {times(count)}"
        found, lit = tuple(uses.get(name, ())), lights.about(("card", card))
        yield label, WIDTH, card_drawn(edition, card, count, label, found, lit)
    if choices := lights.of("two cards", 0):
        yield _("any two cards"), SMALL_CARD, _two_cards(choices, lights)


def hand_picture(view: View, columns: int = COLUMNS, lit: Collection[int] = ()) -> Picture:
    cards = [card for _label, _width, card in _cards(view, Lights(lit), {})]
    rows = max(1, ceil(len(cards) / columns))
    step = HEIGHT + EDGE + GAP
    placed = "".join(
        group(
            card,
            transform=moved(n % columns * (WIDTH + EDGE + GAP), EDGE + n // columns * step),
        )
        for n, card in enumerate(cards)
    )
    width = columns * (WIDTH + EDGE + GAP) - GAP
    if not cards:
        placed = fitted_text(0, EDGE + HEIGHT / 2, _("no cards"), 15, width, class_="quiet italic")
    body = group(placed, id="hand")
    return Picture("hand", width, rows * step - GAP, capital(_("your hand")), body)


@kept(8_000)
def card_drawn(
    edition: Edition, card: int, count: int, label: str, uses: tuple[int, ...], lit: Lit
) -> str:
    """A card, with the edges of further copies; with `uses` it can be held."""
    lights = lit.lights
    choices = lights.of("card", card)
    body = []
    for behind in range(min(count, 3) - 1, 0, -1):
        shift = EDGE / 2 * behind
        body.append(rect(0.5 + shift, 0.5 - shift, WIDTH - 1, HEIGHT - 1, "panel", rx=6))
    body.append(frame(WIDTH, HEIGHT, lit=choices))
    body.append(_location(edition, card, count) if card < PLACES else _industry(edition, card))
    if count > 1:
        y = HEIGHT - 8 if card < PLACES else 19
        body.append(text(WIDTH - 7, y, times(count), 14, "bold", "end"))
    name, words = edition.card_name(card), card_words(edition, card, label)
    marks = {"id": f"card-{slug(name)}", "class_": classes("card", choices and "lit")}
    if uses:
        return lights.held(words, *body, uses=uses, **marks, data_name=capital(label))
    return lights.thing(words, *body, choices=choices, **marks)


def _location(edition: Edition, card: int, count: int) -> str:
    """The town's name on its banner, and its spaces, smaller beside the number of copies."""
    place = edition.places[card]
    lines = in_lines(place.name, LETTERS, WIDTH - 8)
    band = BAND + (len(lines) - 1) * LEADING
    banner = path(
        f"M5 1H{WIDTH - 5}a4 4 0 0 1 4 4V{band}H1V5a4 4 0 0 1 4-4z",
        classes("banner", place.banner or "plain"),
    )
    name = [
        fitted_text(
            *(WIDTH / 2, 18 + n * LEADING, line, LETTERS, WIDTH - 2),
            class_="on-banner",
            anchor="middle",
        )
        for n, line in enumerate(lines)
    ]
    most = LARGEST_SPACE if count == 1 else SPACE
    size = min(most, (WIDTH - 6) / len(place.spaces) - 3)
    step = size + 3
    left = (WIDTH - len(place.spaces) * step) / 2
    spaces = [
        space(symbols, left + n * step + 1.5, (band + HEIGHT - size) / 2, size)
        for n, symbols in enumerate(place.spaces)
    ]
    return "".join((banner, *name, group(*spaces, class_="empty")))


def _industry(edition: Edition, card: int) -> str:
    """Its industries as symbols and words; a wild card shows what it stands for."""
    if card == WILD_LOCATION:
        return _rose(WIDTH / 2, 36) + _line(terms.card(WILD_CARDS[card][0]))
    symbols = edition.card_symbols[card]
    if card in WILD_CARDS:
        signs = "".join(
            glyph(symbol, WIDTH / 2 + (n % 3 - 1) * 28, 22 + n // 3 * 27, 21, "ghost")
            for n, symbol in enumerate(symbols)
        )
        return signs + _line(terms.card(WILD_CARDS[card][0]))
    names = [terms.breakable_industry(symbol) for symbol in symbols]
    if len(symbols) == 1:
        return glyph(symbols[0], WIDTH / 2, 34, 42) + _name(names)
    left, right = symbols
    return "".join(
        (
            glyph(left, WIDTH / 2 - 24, 24, 30),
            glyph(right, WIDTH / 2 + 24, 24, 30),
            path(f"M{WIDTH / 2 - 6} 38L{WIDTH / 2 + 6} 10", "rule"),
            _name(names),
        )
    )


def _line(name: str) -> str:
    """A name on one line: the symbols above it need the room."""
    return fitted_text(WIDTH / 2, HEIGHT - 14, capital(name), LETTERS, WIDTH - 4, anchor="middle")


def _name(names: list[str], width: float = WIDTH) -> str:
    """Names below each other at the foot of a card, each in as many lines as it needs."""
    lines = [line for name in names for line in in_lines(capital(name), LETTERS, width - 6)]
    last = HEIGHT - 9 if len(lines) > 1 else HEIGHT - 14
    return "".join(
        fitted_text(
            *(width / 2, last - (len(lines) - 1 - n) * LEADING, line, LETTERS, width - 4),
            anchor="middle",
        )
        for n, line in enumerate(lines)
    )


def _rose(x: float, y: float) -> str:
    """A compass rose: any place."""
    long, short = 24, 6
    points = f"M0 {-long}L{short} 0 0 {long} {-short} 0zM{-long} 0L0 {-short} {long} 0 0 {short}z"
    return group(
        circle(0, 0, 15, "hair"),
        path(points, "ink"),
        transform=moved(x, y),
    )


def _two_cards(choices: str, lights: Lights) -> str:
    """Any two cards instead of one that fits (BLD-3)."""
    words = _("any two cards")
    return lights.thing(
        words,
        frame(SMALL_CARD, HEIGHT, lit=choices),
        rect(SMALL_CARD / 2 - 18, 6, 24, 32, "slot", rx=3),
        rect(SMALL_CARD / 2 - 6, 9, 24, 32, "slot", rx=3),
        _name([words], SMALL_CARD),
        choices=choices,
        id="two-cards",
        class_="card lit",
    )


# --- the discards --------------------------------------------------------------------------------


def discards(view: View, *, width: float = 348, theme: str | None = "auto") -> str:
    """All kinds of card in the deck, with a filled dot for each one discarded in this era."""
    return discards_picture(view, width).document(check_theme(theme))


def discards_picture(view: View, width: float = 348) -> Picture:
    edition = edition_of(view)
    kinds = {card: count for card, count in edition.deck.items() if count}
    towns = [card for card in kinds if card < PLACES]
    rows = ceil(len(towns) / 2)
    column = (width - 3 * PAD) / 2
    height = 76 + rows * ROW
    heading = capital(_("discards"))
    body = [
        frame(width, height),
        fitted_text(PAD, 24, heading, 15, width * 0.4),
        fitted_text(
            *(width - PAD, 24, _left_to_draw(view), 11.5, width * 0.5),
            font="sans",
            class_="quiet",
            anchor="end",
        ),
        path(f"M{PAD} {height - 34.5}H{width - PAD}", "rule"),
    ]
    for n, card in enumerate(towns):
        at = moved(PAD + n // rows * (column + PAD), 36 + n % rows * ROW)
        body.append(_kind(view, edition, card, at, _town(view, edition, card, column)))
    # Industries as symbols in one row: two names would not fit.
    others = {
        card: SIGN * len(edition.card_symbols[card]) + DOT * count
        for card, count in kinds.items()
        if card >= PLACES
    }
    between = (width - 2 * PAD - sum(others.values())) / (len(others) - 1)
    x = float(PAD)
    for card, wide in others.items():
        drawn = _signs(view, edition, card)
        body.append(_kind(view, edition, card, moved(x, height - 26), drawn))
        x += wide + between
    label = f"{heading}: {sum(view.discards.values())}"
    return Picture("discards", width, height, label, group(*body, id="discards"))


def _left_to_draw(view: View) -> str:
    return ngettext("{number} card to draw", "{number} cards to draw", view.deck).format(
        number=view.deck
    )


def _kind(view: View, edition: Edition, card: int, at: str, drawn: list[str]) -> str:
    """One kind of card with its title."""
    name = edition.card_name(card)
    words = _("{card}: {gone} of {count} discarded").format(
        card=terms.card(name), gone=view.discards.get(name, 0), count=edition.deck[card]
    )
    return group(title(words), *drawn, id=f"discard-{slug(name)}", transform=at)


def _town(view: View, edition: Edition, card: int, width: float) -> list[str]:
    """The colour of its banner, its name, and a dot for each card in the deck."""
    place, count = edition.places[card], edition.deck[card]
    gone = view.discards.get(place.name, 0)
    room = width - 18 - count * DOT - 4
    faint = None if gone else "quiet"
    return [
        rect(0, ROW / 2 - 5, 11, 10, classes("banner", place.banner or "plain"), rx=2),
        fitted_text(18, ROW / 2 + 4, place.name, 12, room, smallest=0.7, class_=faint),
        *_dots(width - count * DOT, count, gone),
    ]


def _signs(view: View, edition: Edition, card: int) -> list[str]:
    """The industries of a card, and a dot for each card in the deck."""
    signs, count = edition.card_symbols[card], edition.deck[card]
    gone = view.discards.get(edition.card_name(card), 0)
    return [
        *(
            glyph(sign, (n + 0.5) * SIGN - 1, ROW / 2, SIGN - 2, "glyph" if gone else "ghost")
            for n, sign in enumerate(signs)
        ),
        *_dots(SIGN * len(signs) + 1, count, gone),
    ]


def _dots(x: float, count: int, gone: int) -> list[str]:
    return [
        circle(x + (n + 0.5) * DOT, ROW / 2, 3, "dot" if n < gone else "dot open")
        for n in range(count)
    ]
