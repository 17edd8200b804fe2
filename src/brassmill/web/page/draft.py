"""The action in progress for the page: what has been chosen, what it costs and brings so far."""

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
from brassmill.svg.panel import capital
from brassmill.web.page.bill import Amount, BillView, bill_view, gain_view
from brassmill.web.page.dom_ids import elements_of
from brassmill.words import choice_words

ACTIONS = ("BUILD", "LINK", "SELL", "DEVELOP", "LOAN", "SCOUT", "PASS", "GIVE_UP")
CARDS = ("CARD", "TWO_CARDS")


@dataclass(frozen=True)
class Draft:
    """An action as far as it goes."""

    title: str = ""  # what is done: "Build a level II coal mine in Dudley"
    crumbs: tuple[str, ...] = ()  # what was chosen so far
    bill: BillView | None = None
    gain: tuple[Amount, ...] = ()
    elements: tuple[str, ...] = ()  # where on the page it is done


def draft_of(engine: Engine, action: Action | None) -> Draft:
    """The action in progress of the seat that must choose, whose view the engine holds."""
    if action is None:
        return Draft()
    begun = beginning(engine, action)
    steps = steps_of(begun, action.ids)
    return Draft(
        title=capital(", ".join(steps.actions)),
        crumbs=tuple(map(capital, steps.free)),
        bill=bill_view(bill_of(begun, action.ids)),
        gain=gain_view(gain_of(engine, (), since=begun)),
        elements=steps.elements,
    )


class Steps(NamedTuple):
    """The choices of an action in words, each as a label says it."""

    actions: tuple[str, ...]  # what is done
    others: tuple[str, ...]  # how: what was to choose besides, and the card discarded
    free: tuple[str, ...]  # all that were a choice: a forced one was none
    elements: tuple[str, ...]  # where on the page what is done is done


def steps_of(engine: Engine, ids: Sequence[int]) -> Steps:
    """Choices that follow each other, from where the first of them is open."""
    plan = engine.blind()
    actions, others, free, elements = [], [], [], []
    for number, choice in enumerate(ids):
        kind, words, forced = MEANING[choice][0], choice_words(plan, choice), len(plan.legal()) == 1
        if not forced:
            free.append(words)
        if kind in ACTIONS:
            actions.append(words)
            elements.append(elements_of(plan, choice)[0])
        elif kind in CARDS or not number or not (forced or kind == "DONE"):
            others.append(words)
        plan.step(choice)
    return Steps(tuple(actions), tuple(others), tuple(free), tuple(elements))


def beginning(engine: Engine, action: Action) -> Engine:
    """Where an action began, as the seat saw it: an action itself knows hidden things too."""
    before = np.frombuffer(action.before, RECORD)[0]
    return Engine(engine.edition, engine.seats, seen(before, engine.seat).tobytes())
