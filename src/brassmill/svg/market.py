"""The markets: coal and iron by price, and the distant market of the Lancashire editions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import groupby

from brassmill import terms
from brassmill.core.view import DistantView, MarketView, View
from brassmill.editions.edition import Edition, Market
from brassmill.language import gettext as _
from brassmill.svg.draw import Picture, circle, classes, group, path, rect, text
from brassmill.svg.facts import distant_words, market_words
from brassmill.svg.glyphs import cube
from brassmill.svg.kept import kept
from brassmill.svg.lettering import width as width_of
from brassmill.svg.lights import Labels, Lights, Lit
from brassmill.svg.panel import (
    GAP,
    PAD,
    abreast,
    capital,
    edition_of,
    fitted_text,
    frame,
    signed,
    stacked,
)
from brassmill.svg.theme import check_theme

WIDTH = 348
HEIGHT = 112
CUBE = 13
RISE = 3  # from one price to the next
DISTANT_HEIGHT = 96


def market(
    view: View,
    *,
    width: float = WIDTH,
    theme: str | None = "auto",
    lit: Collection[int] = (),
    labels: Labels | None = None,
) -> str:
    """The coal market, the iron market, and the distant market if there is one."""
    return markets_picture(view, width, lit, labels).document(check_theme(theme))


def markets_picture(
    view: View,
    width: float = WIDTH,
    lit: Collection[int] = (),
    labels: Labels | None = None,
) -> Picture:
    found = Lights(lit, labels).about(("distant market", 0))
    cubes = view.coal_market, view.iron_market
    return _markets(edition_of(view), *cubes, view.distant, width, found)


@kept(4_000)
def _markets(
    edition: Edition,
    coal: MarketView,
    iron: MarketView,
    distant: DistantView | None,
    width: float,
    lit: Lit,
) -> Picture:
    half, lights = (width - GAP) / 2, lit.lights
    ladders = [
        ladder("coal", coal, edition.coal_market, half, lights),
        ladder("iron", iron, edition.iron_market, half, lights),
    ]
    parts = [abreast(ladders)]
    if distant is not None:
        parts.append(distant_picture(distant, edition.distant_bonus, width, lights))
    return replace(stacked(parts, "markets", capital(_("markets"))), live=lit.labels is not None)


def ladder(name: str, shown: MarketView, market: Market, width: float, lights: Lights) -> Picture:
    """A market as steps, cheapest first, with the price of the next cube highlighted."""
    label = market_words(name, shown, market)
    prices = [(pounds, len(list(same))) for pounds, same in groupby(market.prices)]
    step = (width - 2 * PAD) / (len(prices) + 1)
    empty = len(market.prices) - shown.cubes
    price = terms.pounds(shown.price)
    after = width - PAD - width_of(price, 20, "serif bold") - 5
    name_words, next_words = capital(terms.resource(name)), _("next")
    # If a language needs more room, both shrink; neither is cut.
    wanted = width_of(name_words, 15, "serif") + width_of(next_words, 11, "sans")
    scale = min(1, (after - PAD - 6) / wanted)
    body = [
        frame(width, HEIGHT),
        text(PAD, 24, name_words, 15 * scale, None, "start"),
        fitted_text(width - PAD, 25, price, 20, 60, "serif bold", anchor="end"),
        text(after, 24, next_words, 11 * scale, "sans quiet", "end"),
    ]
    first = 0
    for column, (pounds, spaces) in enumerate([*prices, (market.empty_price, 0)]):
        x = PAD + (column + 0.5) * step
        floor = HEIGHT - 27 - RISE * column
        body += [
            cube(name, x, floor - (n + 0.5) * (CUBE + 2), CUBE)
            if first + spaces - 1 - n >= empty  # the upper one is sold first
            else rect(x - CUBE / 2, floor - (n + 1) * (CUBE + 2) + 1, CUBE, CUBE, "slot", rx=2)
            for n in range(spaces)
        ]
        if not spaces:
            body.append(text(x, floor - 5, "∞", 15, "quiet"))
        first += spaces
        body.append(_price(x, floor, step, pounds, is_next=pounds == shown.price))
    whole = lights.thing(label, *body, id=f"{name}-market")
    return Picture("ladder", width, HEIGHT, label, whole)


def _price(x: float, floor: float, step: float, price: int, is_next: bool) -> str:
    """A step and its price."""
    rung = path(f"M{x - step / 2 + 1:.1f} {floor + 1:.1f}h{step - 2:.1f}", "hair")
    if not is_next:
        return rung + text(x, floor + 14, str(price), 10.5, "sans quiet")
    return group(
        rung,
        rect(x - 9, floor + 3.5, 18, 16, "ink", rx=3),
        text(x, floor + 16, str(price), 12.5, "bold on-ink"),
        class_="next",
    )


def distant_picture(
    shown: DistantView, bonuses: tuple[int, ...], width: float, lights: Lights
) -> Picture:
    """The distant market's track, its revealed tiles, and those face down."""
    bonus = _("closed") if shown.closed else signed(shown.bonus)
    heading = capital(_("distant market"))
    choices = lights.of("distant market", 0)
    body = [
        frame(width, DISTANT_HEIGHT, lit=choices),
        fitted_text(PAD, 24, heading, 15, width * 0.6),
        fitted_text(width - PAD, 25, bonus, 20, width * 0.35 - PAD, "serif bold", anchor="end"),
    ]
    step = (width - 2 * PAD) / len(bonuses)
    for space, income in enumerate(bonuses):
        x = PAD + space * step
        here = space == shown.marker
        words = "X" if space == len(bonuses) - 1 else signed(income)
        body += [
            rect(x + 1, 34, step - 2, 22, classes("slot", here and "here"), rx=3),
            text(
                x + step / 2,
                49.5,
                words,
                13,
                "bold on-ink" if here else "quiet",
            ),
        ]
    body += _tiles(shown, width)
    return Picture(
        "distant",
        width,
        DISTANT_HEIGHT,
        heading,
        lights.thing(
            distant_words(shown),
            *body,
            choices=choices,
            id="distant-market",
            class_="lit" if choices else None,
        ),
    )


def _tiles(shown: DistantView, width: float) -> list[str]:
    """The distant market tiles of this era: the revealed ones, and the backs of the others."""
    count = len(shown.revealed) + shown.left
    step = min(27.0, (width - 2 * PAD) / count)
    drawn = []
    for n in range(count):
        x = PAD + n * step
        turned = n < len(shown.revealed)
        drawn.append(rect(x + 1, 64, step - 3, 20, "panel" if turned else "slot back", rx=3))
        middle = x + (step - 1) / 2
        if turned:
            steps = signed(-shown.revealed[n])
            drawn.append(text(middle, 78, steps, 11.5))
        else:
            drawn.append(circle(middle, 74, 3, "rule"))
    return drawn
