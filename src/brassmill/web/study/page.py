"""What the editor shows: the pictures of the table, and a control for everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from markupsafe import Markup

from brassmill import svg, terms
from brassmill.core.events import ERAS
from brassmill.core.view import View, view_of
from brassmill.editions.edition import INDUSTRY, Edition
from brassmill.language import gettext as _
from brassmill.position import PositionDraft
from brassmill.position.words import WITHOUT_BARREL
from brassmill.rules.layout import ACTION, HAND
from brassmill.svg.panel import capital
from brassmill.web.openings.page import openings_for
from brassmill.web.page.dom_ids import line_element, merchant_element, space_element
from brassmill.web.page.pictures import without_ids
from brassmill.web.study.editing import (
    CUBES,
    FLIP,
    LINK,
    REMOVE,
    TILE,
    fields_of,
)

MARKETS = 348  # width
MATS = {"wide": 1046, "tall": 438}
CONTROL = re.compile(
    r'(<g id="(?:space|line|merchant)-[^"]*"[^>]*?) role="img" aria-label="([^"]*)"'
    r' tabindex="-1" data-why="">'
)


class MenuEntry(NamedTuple):
    """An entry of a menu."""

    value: str
    words: str


@dataclass(frozen=True)
class Stack:
    """The tiles of an industry on a mat."""

    name: str  # of its field
    words: str
    options: tuple[MenuEntry, ...]


@dataclass(frozen=True)
class Hand:
    """The cards of a player: by number, in words, and how many."""

    cards: tuple[tuple[int, str, int], ...]
    size: int
    is_full: bool


def view_for(draft: PositionDraft, seat: int) -> View:
    """The table as a player would see it."""
    return view_of(draft.edition, draft.seats, draft.state, seat, 0)


def context_of(
    draft: PositionDraft, form: Mapping[str, str], shape: str, whole: bool
) -> dict[str, Any]:
    """Everything that the page shows; the form has the tools last used."""
    edition = draft.edition
    owner = form.get("owner", "0")
    seat = int(owner) if owner in map(str, range(len(draft.seats))) else 0
    view = view_for(draft, seat)
    columns = 2 if shape == "tall" else None
    return {
        "draft": draft,
        "openings": openings_for(edition, int(draft.state.era), int(draft.state.round_number)),
        "shape": shape,
        "values": {name: field.value for name, field in fields_of(draft).items()},
        "is_begun": draft.state.phase == ACTION,
        "rounds": int(edition.board.rounds),
        "eras": [MenuEntry(era, capital(terms.era(era))) for era in ERAS],
        "owner": seat,
        "tool": form.get("tool", TILE),
        "kind": form.get("kind", ""),
        "on": form.get("on", ""),
        "tools": tools(),
        "kinds": kinds_of(edition),
        "places": places_of(edition),
        "cards": [
            MenuEntry(edition.card_name(card), capital(terms.card(edition.card_name(card))))
            for card in edition.cards
        ],
        "hands": [hand_of(draft, number) for number in range(len(draft.seats))],
        "stacks": [stacks_of(edition, number) for number in range(len(draft.seats))],
        "goods": goods_of(edition),
        "demands": [*map(str, range(len(edition.distant_bonus) - 1)), "X"]
        if edition.distant
        else [],
        "merchants": [edition.merchant_name(n) for n in range(len(edition.merchants))],
        "map": clickable(svg.map(view, shape=shape, theme=None, labels={}, ground=whole)),
        "mat": Markup(svg.mat(view, seat, width=MATS[shape], columns=columns, theme=None)),
        "markets": without_ids(svg.market(view, width=MARKETS, theme=None)),
    }


def clickable(picture: str) -> Markup:
    """A map whose spaces, lines and merchants are buttons, each with a tooltip."""
    return Markup(
        CONTROL.sub(
            r'\1 role="button" aria-label="\2" tabindex="-1" data-on=""><title>\2</title>', picture
        )
    )


def tools() -> list[MenuEntry]:
    """What a click on the map can do."""
    return [
        MenuEntry(TILE, _("Tile")),
        MenuEntry(LINK, _("Link")),
        MenuEntry(FLIP, _("Flip")),
        MenuEntry(CUBES, _("One cube less")),
        MenuEntry(REMOVE, _("Remove")),
    ]


def kinds_of(edition: Edition) -> dict[str, list[MenuEntry]]:
    """The industry tiles, by industry."""
    found: dict[str, list[MenuEntry]] = {}
    for number in edition.industries:
        industry = INDUSTRY[number]
        names = dict.fromkeys(
            f"{row.industry} {row.level}" for row in edition.tiles if row.industry == industry
        )
        found[capital(terms.industry(industry))] = [
            MenuEntry(name, capital(terms.tile(name))) for name in names
        ]
    return found


def places_of(edition: Edition) -> dict[str, list[MenuEntry]]:
    """Everything on the map that can be clicked, in words, by kind."""
    spaces = [
        MenuEntry(
            space_element(edition, space),
            _("{place} ({industries})").format(
                place=edition.space_name(space),
                industries=" / ".join(map(terms.industry, row.symbols)),
            ),
        )
        for space, row in enumerate(edition.spaces)
    ]
    lines = [
        MenuEntry(line_element(edition, line), edition.line_name(line))
        for line in range(len(edition.lines))
    ]
    merchants = [
        MenuEntry(merchant_element(edition, merchant), edition.merchant_name(merchant))
        for merchant in range(len(edition.merchants))
    ]
    found = {
        _("Spaces"): sorted(spaces, key=lambda option: option.words),
        _("Lines"): sorted(lines, key=lambda option: option.words),
        _("Merchants"): merchants,
    }
    return {words: options for words, options in found.items() if options}


def hand_of(draft: PositionDraft, seat: int) -> Hand:
    """The hand of a player."""
    edition, held = draft.edition, draft.state.hand[seat]
    cards = tuple(
        (card, capital(terms.card(edition.card_name(card))), int(held[card]))
        for card in edition.cards
        if held[card]
    )
    size = int(draft.state.hand_size[seat])
    return Hand(cards, size, size >= HAND)


def stacks_of(edition: Edition, seat: int) -> list[Stack]:
    """The stacks of a mat, with everything that may be left of each."""
    board, found = edition.board, []
    for number in edition.industries:
        stack = [int(kind) for kind in board.stack[number][: int(board.stack_size[number])]]
        options = []
        for kind in dict.fromkeys(stack):
            level = int(board.level_of[kind])
            for count in range(stack.count(kind), 0, -1):
                words = _("{level}: {count} left").format(level=terms.ROMAN[level], count=count)
                options.append(MenuEntry(f"{level} x{count}", words))
        options.append(MenuEntry("none", _("none left")))
        industry = INDUSTRY[number]
        words = capital(terms.industry(industry))
        found.append(Stack(f"mat-{seat}-{industry}", words, tuple(options)))
    return found


def goods_of(edition: Edition) -> list[MenuEntry]:
    """What a merchant tile may be, with its barrel or without."""
    if not edition.merchants:
        return []
    count = len(edition.merchants)
    names = dict.fromkeys(
        edition.goods_name(int(goods)) for goods in edition.board.merchant_set[:count]
    )
    found = []
    for name in sorted(names):
        words = capital(terms.goods(name))
        found.append(MenuEntry(name, words))
        if name != "blank":
            without = _("{goods}, no beer").format(goods=words)
            found.append(MenuEntry(f"{name}{WITHOUT_BARREL}", without))
    return found


def as_data(draft: PositionDraft) -> dict[str, Any]:
    """A position, for JSON."""
    return {
        "position": draft.text,
        "edition": draft.edition.name,
        "players": draft.edition.players,
        "seats": list(draft.seats),
        "problems": list(draft.problems),
        "fields": {name: field.value for name, field in fields_of(draft).items()},
        "tiles": [tile for tile in map(draft.tile, range(len(draft.edition.spaces))) if tile],
        "links": draft.mapping()["links"],
        "hands": {name: draft.mapping()[name]["hand"] for name in draft.seats},
    }
