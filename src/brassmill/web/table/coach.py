"""The coach thinks in threads of its own and knows only what its seat sees.

As many questions are answered at a time as there are processors; a few more wait. Each visitor has
one question in the queue: a newer one replaces it. One whose table has moved on is dropped.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol

from brassmill import terms
from brassmill.coach import Advice, AdviceReason, advise
from brassmill.coach.chances import chance_text
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
from brassmill.web.server import processes, startup

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

SECONDS = 2.0
WAITING = 8  # questions in the queue
MINUS = "\N{MINUS SIGN}"

log = logging.getLogger("brassmill.web")


class Idea(NamedTuple):
    """A suggestion of the coach, in the current language."""

    words: str  # the action
    steps: str  # the card to discard, and where coal, iron and beer come from
    price: str | None
    expected: str  # the expected result of the game
    reasons: tuple[str, ...]
    elements: tuple[str, ...]  # the page elements it involves
    choices: str  # what to post to play it


class CoachRequest(Protocol):
    """Something that the coach is asked; it holds the answer, too."""

    def think(self) -> None:
        """Find the answer."""

    def refuse(self) -> None:
        """Leave the question unanswered."""


class CoachAnswer:
    """The coach's answer to a seat at one point of the game."""

    def __init__(self, edition: Edition, view: View, number: int) -> None:
        self.edition = edition
        self.view = view
        self.number = number  # of the session
        self.advice: list[Advice] | None = None  # None: still thinking
        self.is_refused = False  # too many questions: ask again later

    def think(self) -> None:
        """Find the advice, once the rules are compiled."""
        found: list[Advice] = []
        startup.wait()
        if not startup.is_compiled():  # it would take minutes
            self.refuse()
            return
        try:
            found = advise(self.edition, self.view, seconds=SECONDS)
        except Exception:
            log.exception("the coach failed")
        self.advice = found

    def refuse(self) -> None:
        """Leave the question unanswered."""
        self.advice, self.is_refused = [], True

    def ideas(self) -> tuple[Idea, ...]:
        """The suggestions so far, best first."""
        return tuple(idea_of(self.view, advice) for advice in self.advice or ())


class Queue:
    """The questions that wait for the coach, in order; one for each visitor."""

    def __init__(self, threads: int) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="coach")
        self._waiting: OrderedDict[str, tuple[CoachRequest, Callable[[], bool]]] = OrderedDict()
        self._lock = Lock()

    def put(self, key: str, answer: CoachRequest, is_wanted: Callable[[], bool]) -> None:
        """Add a visitor's question; it is answered if it is still wanted when its turn comes."""
        with self._lock:
            if old := self._waiting.pop(key, None):
                old[0].refuse()
            if len(self._waiting) >= WAITING:
                answer.refuse()
                return
            self._waiting[key] = answer, is_wanted
        self.threads.submit(self._answer_next)

    def _answer_next(self) -> None:
        with self._lock:
            if not self._waiting:  # replaced by a newer question, and that is answered
                return
            _key, (answer, is_wanted) = self._waiting.popitem(last=False)
        if is_wanted():
            answer.think()
        else:
            answer.refuse()


queue = Queue(max(1, (os.cpu_count() or 1) // processes.number()))


def ask(session: TableSession, seat: int, key: str, is_allowed: bool = True) -> CoachAnswer:
    """Ask the coach for the seat to move, unless it was asked already.

    The key is the visitor's. A visitor who asks too often is refused.
    """
    with session.lock:
        answer = asked(session, seat)
        if answer and not answer.is_refused:
            return answer
        answer = CoachAnswer(session.game.edition, session.view(seat), session.number)
        session.coach_answers[seat] = answer
    if is_allowed:
        queue.put(key, answer, lambda: asked(session, seat) is answer)
    else:
        answer.refuse()
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
        expected=expected(advice),
        reasons=tuple(map(reason_words, advice.reasons)),
        elements=tuple(dict.fromkeys(_elements(view, ids))),
        choices=" ".join(map(str, ids)),
    )


def reason_words(reason: AdviceReason) -> str:
    """A reason for or against an action."""
    return f"{'+' if reason.points > 0 else MINUS} {reason.words}"


def expected(advice: Advice) -> str:
    """The margin and the chance: `Expected result: 1.8 VP behind, 41% to win`."""
    chance, margin = chance_text(advice.chance), advice.margin
    if not round(margin, 1):
        return _("Expected result: a tie, {chance} to win").format(chance=chance)
    ahead = _("Expected result: {points} VP ahead, {chance} to win")
    behind = _("Expected result: {points} VP behind, {chance} to win")
    words = ahead if margin > 0 else behind
    return words.format(points=written(abs(margin), 1), chance=chance)


def _elements(view: View, ids: tuple[int, ...]) -> Iterator[str]:
    plan = engine_of(view).blind()
    for choice in ids:
        yield from elements_of(plan, choice)
        plan.step(choice)
