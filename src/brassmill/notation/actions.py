"""The complete actions of a position, as a collection."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from brassmill.core.action import Action
from brassmill.core.complete import CompleteActions
from brassmill.core.engine import Engine
from brassmill.errors import BrassError
from brassmill.notation import matching

SHOWN = 3  # by `repr`


class Actions(Collection[Action]):
    """All complete actions of a position, made one by one during iteration.

    `len(actions)` makes none; `action in actions` and `text in actions` try only that action.
    """

    __slots__ = ("_engine",)

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.blind()  # a copy: the position stays, whatever is played next

    def __iter__(self) -> Iterator[Action]:
        return iter(CompleteActions(self._engine))

    def __len__(self) -> int:
        return CompleteActions(self._engine).count()

    def __bool__(self) -> bool:
        return bool(self._engine.legal())  # every legal choice can be completed

    def __contains__(self, item: object) -> bool:
        """Is it a complete legal action? A text must also be unambiguous."""
        engine = self._engine
        if isinstance(item, str):
            try:
                return self._ends(matching.resolve(engine, item))
            except BrassError:
                return False
        if not isinstance(item, Action) or item.edition.name != engine.edition.name:
            return False
        if item.seat != engine.seat or matching.why_not_all(engine, item.ids):
            return False
        return self._ends(item.ids)

    def _ends(self, choices: tuple[int, ...]) -> bool:
        """Do legal choices make a complete action?"""
        plan = self._engine.copy()
        for choice in choices:
            plan.step(choice)
        return bool(choices) and not plan.in_progress

    def __repr__(self) -> str:
        shown = [str(action) for action in islice(self, SHOWN + 1)]
        if len(shown) > SHOWN:
            shown[SHOWN:] = ["..."]
        return f"<legal actions: {' | '.join(shown) or 'none'}>"
