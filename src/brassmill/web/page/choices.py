"""The open choices for the page: words, prices and page elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from brassmill import terms
from brassmill.core.bill import discards_words, prices_of
from brassmill.core.choice import ABOUT, MEANING
from brassmill.core.engine import Engine
from brassmill.editions.edition import INDUSTRY
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.play.held import Uses, forced_wild, needs_two_cards, uses_of
from brassmill.rules.choices import SELL_FAR, Subject
from brassmill.svg.lights import industry_built
from brassmill.svg.panel import capital
from brassmill.terms import ROMAN
from brassmill.web.page.dom_ids import elements_of, tile_placed
from brassmill.words import choice_words, lowest_tile

# The headings of the kinds of choice.
HEADINGS = {
    "BUILD": N_("Build"),
    "LINK": N_("Network"),
    "SELL": N_("Sell"),
    "DEVELOP": N_("Develop"),
    "LOAN": N_("Loan"),
    "SCOUT": N_("Scout"),
    "PASS": N_("Pass"),
    "CARD": N_("Card"),
    "TWO_CARDS": N_("Any two cards"),
    "COAL_FROM": N_("Coal"),
    "IRON_FROM": N_("Iron"),
    "BEER_FROM": N_("Beer"),
    "BARREL_OF": N_("Beer"),
    "COAL_AT": N_("End of the railway"),
    "SELL_TO_PORT": N_("Buyer"),
    "SELL_FAR": N_("Buyer"),
    "REMOVE": N_("Remove"),
    "GIVE_UP": N_("Remove a tile"),
    "DONE": N_("Done"),
}
OWN_TILES = ("SELL", "GIVE_UP")  # choices of a tile rather than of its place


@dataclass(frozen=True)
class OfferView:
    """An open choice."""

    id: int
    kind: str  # build, link, sell, develop, loan, scout, pass, card, two_cards, coal_from, ...
    verb: str  # the heading of its kind
    words: str  # in full: "Build a level II coal mine in Dudley"
    short: str  # its object: "coal mine II", "Dudley", "£30"
    price: str  # in words; empty: free
    pounds: int
    needs_two_cards: bool
    wild: str  # the wild card that it would discard unasked, in words; empty: none
    label: str  # the words with the price and other conditions, for screen readers and titles
    elements: tuple[str, ...]  # ids of the page elements that stand for it
    tile: str  # id of the tile on the player's mat that it would place; empty: none
    is_button: bool  # not in any picture: the page has a button `elements[0]`


def offers_of(
    engine: Engine, choices: Sequence[int], uses: Uses | None = None
) -> tuple[OfferView, ...]:
    """Open choices with their prices; `uses` are theirs, if they are known."""
    prices, words = prices_of(engine, choices), words_of(engine, choices)
    uses = uses_of(engine, choices) if uses is None else uses
    return tuple(
        _offer(engine, choice, words[choice], prices.get(choice, 0), uses.get(choice, ()))
        for choice in choices
    )


def words_of(engine: Engine, choices: Sequence[int]) -> dict[int, str]:
    """Open choices in words; two with the same words are told apart by their spaces."""
    words = {choice: capital(choice_words(engine, choice)) for choice in choices}
    count = Counter(words.values())
    for choice, said in words.items():
        if count[said] > 1:
            words[choice] = capital(choice_words(engine, choice, exact=True))
    return words


def _offer(engine: Engine, choice: int, words: str, pounds: int, cards: Sequence[int]) -> OfferView:
    kind = MEANING[choice][0]
    price = terms.pounds(pounds) if pounds else ""
    two_cards, wild = needs_two_cards(cards), _wild(engine, cards)
    condition = _("with any two cards") if two_cards else wild
    elements = elements_of(engine, choice)
    return OfferView(
        id=choice,
        kind=kind.lower(),
        verb=_(HEADINGS[kind]),
        words=words,
        short=short_words(engine, choice),
        price=price,
        pounds=pounds,
        needs_two_cards=two_cards,
        wild=wild,
        label=", ".join(filter(None, (words, price, condition))),
        elements=elements,
        tile=tile_placed(engine, choice),
        is_button=elements[0].startswith("do-"),
    )


def _wild(engine: Engine, cards: Sequence[int]) -> str:
    """The wild card that a choice discards unasked."""
    card = forced_wild(cards)
    if card is None:
        return ""
    return discards_words(engine.edition.card_name(card))


def short_words(engine: Engine, choice: int) -> str:
    """The object of a choice, in a word or two."""
    kind, offset = MEANING[choice]
    edition, state = engine.edition, engine.state
    match ABOUT[choice][0]:
        case Subject.SITE:
            return _next_tile(engine, industry_built(edition, choice))
        case Subject.INDUSTRY:
            return _next_tile(engine, offset)
        case Subject.SPACE if kind in OWN_TILES and state.tile[offset]:
            return _tile(engine, int(state.tile[offset]))
        case Subject.SPACE if kind not in OWN_TILES:
            return edition.place_name(edition.spaces[offset].place)
        case Subject.LINE:
            return edition.line_name(offset)
        case Subject.SIZE:
            return terms.pounds(10 * (offset + 1))
        case Subject.CARD:
            return terms.card(edition.card_name(offset))
        case Subject.MERCHANT:
            return edition.merchants[offset]
        case Subject.PLACE:
            return edition.place_name(offset)
    return _("distant market") if choice == SELL_FAR else _(HEADINGS[kind])


def _next_tile(engine: Engine, industry: int) -> str:
    """The next tile of an industry on the mat of the seat to move."""
    tile = lowest_tile(engine, engine.seat, industry)
    return _tile(engine, tile) if tile else terms.industry(INDUSTRY[industry])


def _tile(engine: Engine, kind: int) -> str:
    row = engine.edition.tile[kind]
    return f"{terms.industry(row.industry)} {ROMAN[row.level]}"
