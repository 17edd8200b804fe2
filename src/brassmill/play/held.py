"""A card chosen before the action: which open choices can use it.

The rules ask for the card after the action. A player may take a card first and hold it. Then only
choices that can use it stay open, and it is discarded without being asked for. The rules decide
what it can be used for: each choice is played on a copy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from brassmill.core.choice import MEANING, NUMBER
from brassmill.core.engine import Engine
from brassmill.editions.edition import WILD_CARDS
from brassmill.notation.matching import why_not_all
from brassmill.rules.layout import ACTION
from brassmill.rules.reasons import Reason
from brassmill.words import Refusal, refusal, refusal_of_nothing

TWO_CARDS = NUMBER["TWO_CARDS", 0]

Uses = Mapping[int, tuple[int, ...]]  # by open choice: the choices of a card that may follow


def uses_of(engine: Engine, choices: Iterable[int]) -> Uses:
    """The cards that open choices can use, at the start of an action."""
    if engine.phase != ACTION:
        return {}
    plan = engine.blind()
    here = plan.snapshot()
    found = {}
    for choice in choices:
        plan.restore(here)
        plan.step(choice)
        found[choice] = tuple(plan.legal())
    return found


def needs_two_cards(cards: Collection[int]) -> bool:
    """Does no card fit alone (BLD-3)?"""
    return TWO_CARDS in cards and len(cards) == 1


def can_use(cards: Collection[int], card: int) -> bool:
    """Can a choice that asks for these cards use this one? Any card is one of any two (BLD-3)."""
    return NUMBER["CARD", card] in cards or needs_two_cards(cards)


def forced_wild(cards: Collection[int]) -> int | None:
    """The wild card that is discarded without a question, because no other card fits."""
    kinds = [MEANING[choice][1] for choice in cards if choice != TWO_CARDS]
    return kinds[0] if len(cards) == 1 and kinds and kinds[0] in WILD_CARDS else None


def why_not_with(engine: Engine, choice: int, card: int) -> Refusal | None:
    """Why an open choice cannot use a card; None if it can."""
    if engine.phase != ACTION:
        return refusal_of_nothing(engine, Reason.NOT_ASKED_NOW)
    plan, number = engine.blind(), NUMBER["CARD", card]
    plan.step(choice)
    if needs_two_cards(plan.legal()):
        plan.step(TWO_CARDS)
    reason = plan.why(number)
    return None if reason == Reason.OK else refusal(plan, number, reason)


def with_card(engine: Engine, choice: int, card: int) -> tuple[int, ...]:
    """A choice and the discard of a card; raises `IllegalAction` if that cannot be done."""
    refused = why_not_all(engine, [choice]) or why_not_with(engine, choice, card)
    if refused:
        raise refused.error()
    takes_two = needs_two_cards(uses_of(engine, [choice])[choice])
    return (choice, *([TWO_CARDS] * takes_two), NUMBER["CARD", card])
