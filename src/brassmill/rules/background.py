"""Compiling in the background, while the rules run as plain Python."""

from __future__ import annotations

from functools import cache
from threading import Event, Lock, Thread

from brassmill.rules import jit
from brassmill.rules.warmup import is_cached, is_compiled, warm_up


class Compilation:
    """Compiles or loads once, in a thread of its own."""

    def __init__(self, more: tuple[str, ...]) -> None:
        self.more = more
        self.is_loading = False  # compiled earlier: it only takes a moment
        self.share = 0.0
        self.module = ""  # the one being compiled
        self.fault: Exception | None = None
        self.done = Event()  # or failed
        self._is_over = False
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start, unless already started."""
        with self._lock:
            if self._thread is None:
                self.is_loading = is_cached(self.more)
                self._thread = Thread(target=self._run, daemon=True, name="compiling")
                self._thread.start()

    @property
    def is_over(self) -> bool:
        """Do the rules run compiled?"""
        self._is_over = self._is_over or is_compiled(self.more)
        return self._is_over

    def _run(self) -> None:
        try:
            warm_up(self._tell, self.more)
            self.share = 1.0
        except Exception as error:
            jit.log.exception("compiling the rules failed")
            self.fault = error
        self.done.set()

    def _tell(self, share: float, module: str) -> None:
        self.share, self.module = share, module


@cache
def compilation(more: tuple[str, ...] = ()) -> Compilation:
    """Compiling what every game needs, and more modules."""
    return Compilation(more)
