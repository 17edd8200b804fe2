"""The coach runs in a thread of its own and knows only what its seat sees."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from threading import Semaphore, Thread
from typing import TYPE_CHECKING, NamedTuple

from brassmill import terms
from brassmill.coach import Advice, advise
from brassmill.core.bill import PRICED, bill_of
from brassmill.core.choice import MEANING
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.language import gettext as _
from brassmill.svg.chart.scale import written
from brassmill.svg.panel import capital
from brassmill.web.page.dom_ids import elements_of
from brassmill.web.page.draft import steps_of
from brassmill.web.page.model import engine_of

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

SECONDS = 2.0
MINUS = "\N{MINUS SIGN}"

log = logging.getLogger("brassmill.web")

_turns = Semaphore(os.cpu_count() or 1)  # one per core at a time; the others wait


class Idea(NamedTuple):
    """A suggestion of the coach, in the current language."""

    words: str  # the action
    steps: str  # the card to discard, and where coal, iron and beer come from
    price: str | None
    expected: str  # the expected result of the game
    reasons: tuple[str, ...]
    elements: tuple[str, ...]  # the page elements it involves
    choices: str  # what to post to play it


class CoachAnswer:
    """The coach's answer to a seat at one point of the game."""

    def __init__(self, edition: Edition, view: View, number: int) -> None:
        self.edition = edition
        self.view = view
        self.number = number  # of the session
        self.advice: list[Advice] | None = None  # None: still thinking
        Thread(target=self._think, daemon=True, name="coach").start()

    def _think(self) -> None:
        found: list[Advice] = []
        try:
            with _turns:
                found = advise(self.edition, self.view, seconds=SECONDS)
        except Exception:
            log.exception("the coach failed")
        self.advice = found

    def ideas(self) -> tuple[Idea, ...]:
        """The suggestions so far, best first."""
        return tuple(idea_of(self.view, advice) for advice in self.advice or ())


def ask(session: TableSession, seat: int) -> CoachAnswer:
    """Ask the coach for the seat to move, unless it was asked already."""
    with session.lock:
        answer = asked(session, seat)
        if answer is None:
            answer = CoachAnswer(session.game.edition, session.view(seat), session.number)
            session.coach_answers[seat] = answer
        return answer


def asked(session: TableSession, seat: int | None) -> CoachAnswer | None:
    """The coach's answer to a seat, if it was asked about the current position."""
    answer = None if seat is None else session.coach_answers.get(seat)
    return answer if answer and answer.number == session.number else None


def idea_of(view: View, advice: Advice) -> Idea:
    """A suggestion as the page shows it."""
    ids = advice.action.ids
    steps = steps_of(engine_of(view), ids)
    priced = MEANING[ids[0]][0] in PRICED
    return Idea(
        words=capital(", ".join(steps.actions or steps.others)),
        steps=capital(", ".join(steps.others)) if steps.actions else "",
        price=terms.pounds(bill_of(engine_of(view), ids).total) if priced else None,
        expected=expected(advice.margin),
        reasons=tuple(
            f"{'+' if reason.points > 0 else MINUS} {reason.words}" for reason in advice.reasons
        ),
        elements=tuple(dict.fromkeys(_elements(view, ids))),
        choices=" ".join(map(str, ids)),
    )


def expected(margin: float) -> str:
    """The expected margin at the end of the game: `Expected result: 1.8 VP behind`."""
    if not round(margin, 1):
        return _("Expected result: a tie")
    ahead = _("Expected result: {points} VP ahead")
    behind = _("Expected result: {points} VP behind")
    return (ahead if margin > 0 else behind).format(points=written(abs(margin), 1))


def _elements(view: View, ids: tuple[int, ...]) -> Iterator[str]:
    plan = engine_of(view).blind()
    for choice in ids:
        yield from elements_of(plan, choice)
        plan.step(choice)
