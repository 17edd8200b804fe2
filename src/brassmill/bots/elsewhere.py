"""Bots that think in other processes.

As long as the rules are plain Python, a thinking bot would hold up everything else in its process.
A bot depends only on its seed and the view, so it decides the same in any process, and if that is
killed it is asked again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock

from brassmill.bots.bot import Answer, Bot, BotError, Clock
from brassmill.bots.registry import make
from brassmill.bots.spec import Spec
from brassmill.core.view import View
from brassmill.editions import Value
from brassmill.editions import edition as edition_of
from brassmill.editions.edition import Edition
from brassmill.errors import error_text

TRIES = 3  # processes that may be killed while they think about the same question
BOTS = 64  # that a process keeps ready
Options = tuple[tuple[str, Value], ...]
SOURCES = str(Path(__file__).parents[2])


class ElsewhereBot:
    """A bot whose answers come from another process."""

    def __init__(self, spec: Spec | str, edition: Edition, seed: int = 0) -> None:
        self.name = spec if isinstance(spec, str) else spec.text
        self.seed = seed

    def choose(self, view: View, clock: Clock) -> Answer:
        return processes.ask(self.name, self.seed, view)

    def close(self) -> None:
        """Nothing to release: bots share the processes."""


class Thinker:
    """A process that answers one question after the other."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            env={**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"},
            stdin=subprocess.PIPE,  # it ends when this closes, and so with this process
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is not for it
        )

    def ask(self, spec: str, seed: int, view: View) -> Answer | BotError:
        """The answer of a bot, or why there is none; `OSError` or `EOFError` if it has died."""
        assert self.process.stdin is not None and self.process.stdout is not None
        pickle.dump((spec, seed, view), self.process.stdin)
        self.process.stdin.flush()
        answer: Answer | BotError = pickle.load(self.process.stdout)
        return answer

    def end(self) -> None:
        """Stop it."""
        self.process.kill()
        for pipe in filter(None, (self.process.stdin, self.process.stdout)):
            with suppress(OSError):  # what it has not read is lost
                pipe.close()
        self.process.wait()


class Processes:
    """The processes of this one; as many as are asked at a time."""

    def __init__(self) -> None:
        self._free: list[Thinker] = []
        self._ended = False
        self._lock = Lock()

    def start(self) -> None:
        """Start one before it is needed."""
        with self._lock:
            self._free.append(Thinker())

    def ask(self, spec: str, seed: int, view: View) -> Answer:
        """The answer of a bot."""
        for _try in range(TRIES):
            with self._lock:
                thinker = self._free.pop() if self._free else Thinker()
            try:
                answer = thinker.ask(spec, seed, view)
            except (OSError, EOFError, pickle.UnpicklingError):
                thinker.end()
                continue
            self._put_back(thinker)
            if isinstance(answer, BotError):
                raise answer
            return answer
        raise BotError(f"{spec}: the process was killed {TRIES} times")

    def _put_back(self, thinker: Thinker) -> None:
        with self._lock:
            if not self._ended:
                self._free.append(thinker)
                return
        thinker.end()

    def end(self) -> None:
        """Stop them, each when it has answered."""
        with self._lock:
            free, self._free, self._ended = self._free, [], True
        for thinker in free:
            thinker.end()


processes = Processes()


# --- in the other process ------------------------------------------------------------------------


@lru_cache(BOTS)
def _bot(spec: str, seed: int, name: str, players: int, options: Options) -> Bot:
    return make(spec, edition_of(name, players, **dict(options)), seed)


def _answer(spec: str, seed: int, view: View) -> Answer | BotError:
    try:
        bot = _bot(spec, seed, view.edition, view.players, tuple(view.options.items()))
        return bot.choose(view, Clock())
    except Exception as error:
        return BotError(error_text(error))


def main() -> None:
    """Answer questions until the other process ends."""
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed is no answer
    while True:
        try:
            question = pickle.load(questions)
        except EOFError:
            return
        pickle.dump(_answer(*question), answers)
        answers.flush()


if __name__ == "__main__":
    main()
