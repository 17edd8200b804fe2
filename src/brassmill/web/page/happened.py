"""What has just happened, as a compact list of public moves that the page shows in motion.

A move is a few words: what moves, and the page elements between which it moves.

    card 0 card-leek                      a seat discards a card
    tile 0 space-leek-1                   a seat places a tile
    link 0 line-leek-stoke-on-trent       a seat builds a link
    cube coal space-leek-2 space-stone-1  coal, iron or beer goes from one element to another
    flip space-leek-2                     a tile flips
    sale space-leek-1                     a tile is sold
    coin 0                                a seat receives money
    era, end                              an era ends, the game ends

It is made from events alone, which reveal nothing hidden: every viewer gets the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brassmill.core.events import Event
from brassmill.editions.edition import INDUSTRY, Edition
from brassmill.editions.names import slug
from brassmill.play.session import HistoryPart
from brassmill.web.page import dom_ids

FEW = 3  # parts of the history; a browser that has missed more shows no motion


@dataclass(frozen=True)
class Happened:
    """A recent part of the history."""

    part: int  # its place in the history
    moves: tuple[str, ...]


def happened(edition: Edition, history: Sequence[HistoryPart]) -> tuple[Happened, ...]:
    """The last parts of a history, oldest first."""
    first = max(0, len(history) - FEW)
    return tuple(
        Happened(place, tuple(_moves(edition, part.events)))
        for place, part in enumerate(history[first:], first)
    )


def _moves(edition: Edition, events: Sequence[Event]) -> Iterator[str]:
    for place, event in enumerate(events):
        match event.kind:
            case "discarded":
                yield f"card {event.seat} card-{slug(event.card)}"
            case "built":
                yield f"tile {event.seat} {dom_ids.space_named(edition, event.space)}"
            case "linked":
                yield f"link {event.seat} {dom_ids.line_named(edition, event.line)}"
            case "coal_used" | "iron_used" | "beer_used" | "barrel_used":
                if target := _target(edition, events, place):
                    yield f"cube {_goods(event)} {_source(edition, event)} {target}"
            case "delivered":
                goods = events[place + 1].purpose  # the market pays for it
                space = dom_ids.space_named(edition, event.space)
                yield f"cube {goods} {space} {goods}-market"
            case "flipped":
                yield f"flip {dom_ids.space_named(edition, event.space)}"
            case "sold" | "sold_to_port":
                yield f"sale {dom_ids.space_named(edition, event.space)}"
            case "received":
                yield f"coin {event.seat}"
            case "era_ended":
                yield "era"
            case "game_ended":
                yield "end"


def _goods(event: Event) -> str:
    return "beer" if event.kind == "barrel_used" else event.kind.removesuffix("_used")


def _source(edition: Edition, event: Event) -> str:
    if event.kind == "barrel_used":
        return dom_ids.merchant_named(edition, event.merchant)
    if event.source == "market":
        return f"{_goods(event)}-market"
    return dom_ids.space_named(edition, event.source)


def _target(edition: Edition, events: Sequence[Event], place: int) -> str:
    """What a cube or barrel is used for; empty if that is still to come.

    A build or a link comes before what it uses, a sale or a development after it.
    """
    for event in reversed(events[:place]):
        match event.kind:
            case "built":
                return dom_ids.space_named(edition, event.space)
            case "linked":
                return dom_ids.line_named(edition, event.line)
    for event in events[place:]:
        match event.kind:
            case "sold":
                return dom_ids.space_named(edition, event.space)
            case "developed":
                return dom_ids.mat_element(event.seat, INDUSTRY.index(event.industry))
    return ""
