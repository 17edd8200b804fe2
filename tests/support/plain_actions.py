"""Every complete action of a position, found by playing every choice, one after another.

The compiled lister must find the same ones (`tests/core/test_lister.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from brassmill.core.action import in_one_order
from brassmill.core.choice import MEANING, WORD
from brassmill.core.engine import Engine
from brassmill.rules.layout import DEBT

IN_ANY_ORDER = ("card", "coal", "iron", "beer")  # words of choices whose order does not matter


def plain_actions(engine: Engine) -> list[tuple[int, ...]]:
    """The choices of every complete action, or of every way to complete the one in progress."""
    plan = engine.blind()
    start = plan.snapshot()
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for first in plan.legal():
        for choices in _completions(plan, start, first, ()):
            found.setdefault(_in_order(choices), choices)
    return list(found.values())


def _completions(
    plan: Engine, position: bytes, choice: int, made: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    plan.restore(position)
    in_debt = plan.phase == DEBT
    made += tuple(plan.choose(choice))
    if in_debt:
        yield made[:1]  # further tiles that must be removed are separate actions
        return
    if not plan.in_progress:
        yield made
        return
    here = plan.snapshot()
    for option in in_one_order(plan, plan.legal(), made):
        yield from _completions(plan, here, option, made)


def _in_order(choices: tuple[int, ...]) -> tuple[int, ...]:
    """The choices with every run of cards, or of sources for one need, sorted."""
    runs: list[list[int]] = []
    last = ""
    for choice in choices:
        word = WORD[MEANING[choice][0]]
        if word == last and word in IN_ANY_ORDER:
            runs[-1].append(choice)
        else:
            runs.append([choice])
        last = word
    return tuple(choice for run in runs for choice in sorted(run))
