"""Compiling the rules and the bots, and its progress.

This runs in the background, so that the home page is there at once. Once compiled on a machine,
they load in a moment.
"""

from __future__ import annotations

import logging
from threading import Event, Lock, Thread
from typing import NamedTuple

from brassmill.cli.progress import what_is_prepared
from brassmill.errors import error_text
from brassmill.language import N_
from brassmill.language import gettext as _

READY = N_("Everything is ready")

log = logging.getLogger("brassmill.web")


class Progress(NamedTuple):
    """The progress of compiling, in the current language."""

    share: float
    words: str
    done: bool
    fault: str  # why it failed


class Preparation:
    """Compiles once, in a thread of its own."""

    def __init__(self) -> None:
        self.share = 0.0
        self.message = what_is_prepared("")
        self.fault = ""
        self.done = Event()  # or failed
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start, unless already started."""
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._prepare, daemon=True, name="compiling")
                self._thread.start()

    def _prepare(self) -> None:
        try:
            from brassmill.rules.warmup import SEARCH, THINKING, ready, warm_up

            warm_up(self._tell, (*SEARCH, *THINKING))
            ready()
            self.share, self.message = 1.0, READY
        except Exception as error:
            log.exception("compiling the rules failed")
            self.fault = error_text(error)
        self.done.set()

    def _tell(self, share: float, module: str) -> None:
        self.share, self.message = share, what_is_prepared(module)


_preparation = Preparation()


def start() -> None:
    """Start compiling, unless already started."""
    _preparation.start()


def is_ready() -> bool:
    """Can a game be played? Starts compiling if necessary."""
    start()
    return _preparation.done.is_set() and not _preparation.fault


def wait(seconds: float | None = None) -> None:
    """Wait until compiling is done or has failed, at most for this long."""
    start()
    _preparation.done.wait(seconds)


def progress() -> Progress:
    """The current progress."""
    start()
    now = _preparation
    return Progress(now.share, _(now.message), is_ready(), now.fault)
