"""Themes: what the best turn of a puzzle does, from its events."""

from __future__ import annotations

from collections.abc import Iterable

from brassmill.core.engine import Engine
from brassmill.core.events import Event, events_of
from brassmill.language import N_

# By theme: its words in lists. The order is that of the list of filters.
THEMES = {
    "build": N_("Build"),
    "overbuild": N_("Overbuild"),
    "link": N_("Link"),
    "two railways": N_("Two railways"),
    "develop": N_("Develop"),
    "sell": N_("Sell"),
    "several sales": N_("Several sales"),
    "port": N_("Ports"),
    "bonus": N_("Merchant bonus"),
    "beer": N_("Beer"),
    "market": N_("Coal and iron to the market"),
    "others": N_("Other players' tiles"),
    "loan": N_("Loan"),
    "scout": N_("Scout"),
    "two cards": N_("Two cards for one build"),
}


def themes_of(engine: Engine, turn: Iterable[tuple[int, ...]]) -> tuple[str, ...]:
    """The themes of a turn."""
    plan, seat, found = engine.copy(), engine.seat, set[str]()
    for choices in turn:
        events: list[Event] = []
        combined = False
        for choice in choices:
            plan.step(choice)
            events += events_of(plan.edition, plan.rows)
            combined = combined or bool(plan.state.combined)
        found.update(_of_action(plan, events, seat))
        if combined:
            found.add("two cards")
    return tuple(theme for theme in THEMES if theme in found)


SIMPLE = {
    "built": "build",
    "overbuilt": "overbuild",
    "linked": "link",
    "developed": "develop",
    "sold": "sell",
    "sold_to_port": "port",
    "bonus": "bonus",
    "beer_used": "beer",
    "barrel_used": "beer",
    "delivered": "market",
    "borrowed": "loan",
    "scouted": "scout",
}


def _of_action(engine: Engine, events: list[Event], seat: int) -> Iterable[str]:
    kinds = [event.kind for event in events]
    yield from (SIMPLE[kind] for kind in kinds if kind in SIMPLE)
    if kinds.count("linked") > 1:
        yield "two railways"
    if kinds.count("sold") > 1:
        yield "several sales"
    owners = (event.owner for event in events if event.kind == "flipped")
    if any(owner != seat for owner in owners):
        yield "others"
