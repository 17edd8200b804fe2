"""Playing at once: the rules start as plain Python, and change over when they are compiled.

On the first start on a machine that takes half a minute; later they load in a moment.
"""

from __future__ import annotations

from typing import NamedTuple

from brassmill.errors import error_text
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.rules.background import compilation
from brassmill.rules.warmup import SEARCH, THINKING

BOTS = (*SEARCH, *THINKING)  # all levels, and the coach
LOADING = 20.0  # seconds to load compiled rules on a machine under load
PREPARING = N_("You can play now. The bots will soon be faster.")
READY = N_("Everything is ready")


class Progress(NamedTuple):
    """The progress of compiling, in the current language."""

    share: float
    words: str
    done: bool
    fault: str  # why it failed


def start() -> None:
    """Start compiling, unless already started."""
    compilation(BOTS).start()


def is_compiled() -> bool:
    """Do the rules and the bots run at full speed?"""
    return compilation(BOTS).is_over


def wait(seconds: float | None = None) -> None:
    """Wait until compiling is done or has failed, at most for this long."""
    start()
    compilation(BOTS).done.wait(seconds)


def settle() -> None:
    """Wait for rules that only have to be loaded: with them, games are replayed much faster."""
    if not is_compiled() and compilation(BOTS).is_loading:
        wait(LOADING)


def progress() -> Progress:
    """The current progress."""
    if is_compiled():
        return Progress(1.0, _(READY), True, "")
    now = compilation(BOTS)
    return Progress(now.share, _(PREPARING), False, error_text(now.fault) if now.fault else "")
