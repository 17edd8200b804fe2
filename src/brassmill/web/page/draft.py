"""The action in progress for the page: choices so far, with their cost and gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from brassmill.core.action import Action
from brassmill.core.bill import bill_of
from brassmill.core.choice import MEANING
from brassmill.core.engine import Engine
from brassmill.core.gain import gain_of
from brassmill.core.view import RECORD, seen
from brassmill.language import together
from brassmill.svg.panel import capital
from brassmill.web.page.bill import Amount, BillView, bill_view, gain_view
from brassmill.web.page.dom_ids import elements_of, tile_placed
from brassmill.words import choice_words, lowest_tile
from brassmill.words.choices import develop_words

ACTIONS = ("BUILD", "LINK", "SELL", "DEVELOP", "LOAN", "SCOUT", "PASS", "GIVE_UP")
CARDS = ("CARD", "TWO_CARDS")


@dataclass(frozen=True)
class Draft:
    """An action in progress."""

    title: str = ""  # "Build a level II coal mine in Dudley"
    crumbs: tuple[str, ...] = ()  # the choices so far
    bill: BillView | None = None
    gain: tuple[Amount, ...] = ()
    elements: tuple[str, ...] = ()  # the page elements it involves
    tile: str = ""  # the element of the tile that a build places


def draft_of(engine: Engine, action: Action | None) -> Draft:
    """The action in progress of the seat to move, whose view the engine holds."""
    if action is None:
        return Draft()
    begun = beginning(engine, action)
    steps = steps_of(begun, action.ids)
    return Draft(
        title=capital(together(steps.actions)) if steps.actions else "",
        crumbs=tuple(map(capital, steps.free)),
        bill=bill_view(bill_of(begun, action.ids)),
        gain=gain_view(gain_of(engine, (), since=begun)),
        elements=steps.elements,
        tile=tile_placed(begun, action.ids[0]),
    )


class Steps(NamedTuple):
    """The choices of an action in words, as labels."""

    actions: tuple[str, ...]  # the action itself
    others: tuple[str, ...]  # the other choices, including the card to discard
    free: tuple[str, ...]  # all choices with an alternative
    elements: tuple[str, ...]  # the page elements of the action itself


def steps_of(engine: Engine, ids: Sequence[int]) -> Steps:
    """A sequence of choices in words; the engine is at the first of them."""
    plan = engine.blind()
    actions, others, free, elements, developed = [], [], [], [], []
    for number, choice in enumerate(ids):
        kind, words, forced = MEANING[choice][0], choice_words(plan, choice), len(plan.legal()) == 1
        if not forced:
            free.append(words)
        if kind == "DEVELOP":
            developed.append(tile_developed(plan, choice))
        elif kind in ACTIONS:
            actions.append(words)
        if kind in ACTIONS:
            elements.append(elements_of(plan, choice)[0])
        elif kind in CARDS or not number or not (forced or kind == "DONE"):
            others.append(words)
        plan.step(choice)
    if developed:
        actions.append(develop_words(developed))
    return Steps(tuple(actions), tuple(others), tuple(free), tuple(elements))


def tile_developed(engine: Engine, choice: int) -> str:
    """The tile that a choice develops: the lowest of its industry."""
    industry = MEANING[choice][1]
    return engine.edition.tile_name(lowest_tile(engine, engine.seat, industry))


def beginning(engine: Engine, action: Action) -> Engine:
    """The position before an action as its seat saw it; `action.before` has hidden cards too."""
    before = np.frombuffer(action.before, RECORD)[0]
    return Engine(engine.edition, engine.seats, seen(before, engine.seat).tobytes())
