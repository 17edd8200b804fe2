"""A helper: a process that compiles for one whose rules start as plain Python.

What it has compiled is in the cache. It prints a line for each step, the share done and the module,
and ends with the process that started it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Thread

Progress = Callable[[float, str], None]  # called with the share done, and the module

TRIES = 3  # in case somebody kills it
LAST_WORDS = 5  # lines
PRIORITY = 5  # lower than that of the process that plays meanwhile
STEP = re.compile(r"(\d\.\d+) (\S+)\n")
COMMAND = (sys.executable, "-P", "-m", "brassmill.rules.helper")
SOURCES = str(Path(__file__).parents[2])


class HelperError(Exception):
    """A helper has failed; the text is the last that it printed."""


def compile_elsewhere(progress: Progress, more: tuple[str, ...]) -> None:
    """Let a helper compile what every game needs, and more modules."""
    for number in range(1, TRIES + 1):
        try:
            _run(progress, more)
            return
        except HelperError:
            if number == TRIES:
                raise


def _run(progress: Progress, more: tuple[str, ...]) -> None:
    words: deque[str] = deque(maxlen=LAST_WORDS)
    path = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))
    helper = subprocess.Popen(
        [*COMMAND, *more],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,  # it closes when this process ends, however that happens
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    with helper:
        assert helper.stdout is not None
        try:
            for line in helper.stdout:
                if step := STEP.fullmatch(line):
                    progress(float(step[1]), step[2])
                else:
                    words.append(line.strip())
        except BaseException:
            helper.kill()
            raise
    if helper.returncode:
        raise HelperError(" ".join(words) or f"the compiler ended with code {helper.returncode}")


# --- in the helper -------------------------------------------------------------------------------


def main() -> None:
    """Compile the modules named by the arguments."""
    from brassmill.rules.warmup import warm_up

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that plays
    Thread(target=_end_with_parent, daemon=True, name="parent").start()
    if hasattr(os, "nice"):
        os.nice(PRIORITY)
    warm_up(lambda share, module: print(f"{share:.3f}", module, flush=True), tuple(sys.argv[1:]))


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
