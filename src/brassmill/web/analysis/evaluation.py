"""What the coach expects of a position on an analysis board.

An evaluation depends on the position alone, so it is kept by the position: another process that is
asked about it finds the same.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from brassmill.coach import Advice, advise
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.web.server import startup
from brassmill.web.table import coach

WORLDS = 12
KEPT = 100  # evaluations in memory

log = logging.getLogger("brassmill.web")


class Evaluation:
    """The best ways to go on from a position, for the player to move."""

    def __init__(self, edition: Edition, view: View) -> None:
        self.edition, self.view = edition, view
        self.advice: list[Advice] | None = None  # None: still thinking
        self.is_refused = False  # too many questions: ask again later

    def think(self) -> None:
        """Find the best ways to go on, once the rules are compiled."""
        if not startup.is_compiled():
            self.refuse()
            return
        found: list[Advice] = []
        try:
            found = advise(self.edition, self.view, worlds=WORLDS, most=3)
        except Exception:
            log.exception("the evaluation failed")
        self.advice = found

    def refuse(self) -> None:
        """Leave the question unanswered."""
        self.advice, self.is_refused = [], True


_kept: OrderedDict[tuple[Edition, bytes], Evaluation] = OrderedDict()
_lock = Lock()


def evaluation_of(
    edition: Edition, view: View, key: str, is_allowed: Callable[[], bool]
) -> Evaluation:
    """The evaluation of a position, perhaps still without an answer; the key is the visitor's.

    The coach is asked only if that is allowed.
    """
    place = edition, view.position
    with _lock:
        found = _kept.get(place)
        if found and not found.is_refused:
            _kept.move_to_end(place)
            return found
    may_ask = is_allowed()
    with _lock:
        found = _kept[place] = Evaluation(edition, view)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    if may_ask:
        coach.queue.put(key, found, lambda: _kept.get(place) is found)
    else:
        found.refuse()
    return found
