"""Classic Brass, Brass: Lancashire and Brass: Birmingham.

Its names and public packages are loaded when they are first used (PEP 562), so that importing it,
and `brass --help`, load neither NumPy nor Numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brassmill.batch import Batch
    from brassmill.core.action import Action
    from brassmill.core.bill import Bill
    from brassmill.core.choice import Choice, Choices
    from brassmill.core.deal import Deal
    from brassmill.core.events import Event
    from brassmill.core.outcome import Outcome
    from brassmill.core.view import View
    from brassmill.editions import edition
    from brassmill.editions.edition import Edition
    from brassmill.errors import (
        AmbiguousAction,
        BrassError,
        IllegalAction,
        InvalidOption,
        InvalidPosition,
        UnknownName,
    )
    from brassmill.game import Game
    from brassmill.observation import Layout
    from brassmill.play.host import Host
    from brassmill.record import Record
    from brassmill.rules.reasons import Reason
    from brassmill.words import Refusal

__version__ = "0.1.0"

_MODULES = {
    "Action": "brassmill.core.action",
    "AmbiguousAction": "brassmill.errors",
    "Batch": "brassmill.batch",
    "Bill": "brassmill.core.bill",
    "BrassError": "brassmill.errors",
    "Choice": "brassmill.core.choice",
    "Choices": "brassmill.core.choice",
    "Deal": "brassmill.core.deal",
    "Edition": "brassmill.editions.edition",
    "Event": "brassmill.core.events",
    "Game": "brassmill.game",
    "Host": "brassmill.play.host",
    "IllegalAction": "brassmill.errors",
    "InvalidOption": "brassmill.errors",
    "InvalidPosition": "brassmill.errors",
    "Layout": "brassmill.observation",
    "Outcome": "brassmill.core.outcome",
    "Reason": "brassmill.rules.reasons",
    "Record": "brassmill.record",
    "Refusal": "brassmill.words",
    "UnknownName": "brassmill.errors",
    "View": "brassmill.core.view",
    "edition": "brassmill.editions",
}

_PACKAGES = ("arena", "bots", "coach", "editions", "env", "openings", "record", "svg")

__all__ = [
    "Action",
    "AmbiguousAction",
    "Batch",
    "Bill",
    "BrassError",
    "Choice",
    "Choices",
    "Deal",
    "Edition",
    "Event",
    "Game",
    "Host",
    "IllegalAction",
    "InvalidOption",
    "InvalidPosition",
    "Layout",
    "Outcome",
    "Reason",
    "Record",
    "Refusal",
    "UnknownName",
    "View",
    "__version__",
    "edition",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})
