"""A bot in another process: JSON lines over its standard input and output (`docs/bots/bots.md`).

After a greeting in both directions, each question is one line to the program and each answer one
line back. A question holds the view of its seat, the legal choices with their names, and the time
limit. Its standard error goes to the log. A program that hangs is stopped, and restarted for the
next question, up to a few times.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

from brassmill.bots.bot import GRACE, Answer, AnswerError, BotError, Clock
from brassmill.bots.spec import words_of
from brassmill.core.choice import Choice
from brassmill.errors import system_words
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.editions.edition import Edition

PROTOCOL = 1  # version of the protocol
START = 30.0  # seconds that a program has for its greeting
STARTS = 4  # how often it is started at most
BACKLOG = 100  # lines from a program that may wait to be read
LONGEST = 1_000_000  # characters of a line that are read at once
PATIENCE = 1.0  # seconds that a program has to exit
QUOTED = 80  # characters of a line to quote in a message
NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows: Ctrl-C does not reach it

log = logging.getLogger("brassmill.bots")


class Program:
    """A running program that lines are sent to and received from."""

    def __init__(self, command: str) -> None:
        words = words_of(command)
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                creationflags=NEW_GROUP,
                start_new_session=True,  # elsewhere: we can stop it with all its children
            )
        except OSError as error:
            reason = system_words(error)
            if isinstance(error, FileNotFoundError) and Path(words[0]).exists():
                reason = _("it is in this folder, so write ./{program}").format(program=words[0])
            raise BotError(
                _("cannot start {program}: {reason}").format(program=words[0], reason=reason)
            ) from error
        self.command = command
        self.began = monotonic()
        self.greeted = False
        self.lines: Queue[str | None] = Queue(BACKLOG)  # None: no more lines will come
        self.messages: SimpleQueue[str | None] = SimpleQueue()  # to it
        self.last_words: deque[str] = deque(maxlen=1)
        self._pump(self.process.stdout, self.lines.put)
        self._errors = self._pump(self.process.stderr, self._note)
        Thread(target=self._write, daemon=True, name="bot's input").start()

    @staticmethod
    def _pump(stream: IO[str] | None, put: Callable[[str | None], None]) -> Thread:
        """Forward the stream in a thread: reading a pipe with a timeout is not portable."""
        assert stream is not None

        def pump() -> None:
            with stream:
                while line := stream.readline(LONGEST):
                    put(line)
            put(None)

        thread = Thread(target=pump, daemon=True, name="bot's pipe")
        thread.start()
        return thread

    def _note(self, line: str | None) -> None:
        if line and line.strip():
            self.last_words.append(line.strip())
            log.info("%s: %s", self.command, line.rstrip())

    def _write(self) -> None:
        """Write messages in a thread: a pipe that is not read would block."""
        assert self.process.stdin is not None
        try:
            with self.process.stdin as stream:
                while line := self.messages.get():
                    stream.write(line)
                    stream.flush()
        except OSError:  # there will be no answer either
            self.lines.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message as one line."""
        self.messages.put(json.dumps(message) + "\n")

    def receive(self, deadline: float | None) -> str:
        """The next line; `TimeoutError` if none arrives before the deadline."""
        seconds = None if deadline is None else max(0.0, deadline - monotonic())
        try:
            line = self.lines.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        if line is None:
            raise BrokenPipeError
        return line

    def forget(self) -> None:
        """Drop unexpected lines, which would be mistaken for the next answer."""
        with suppress(Empty):
            for _line in range(BACKLOG):  # a limit, in case they never end
                line = self.lines.get_nowait()
                if line is None:
                    self.lines.put(None)
                    return
                log.info("%s: unexpected line %s", self.command, quoted(line))

    def ending(self) -> str:
        """How the program exited, in words."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        self._errors.join(PATIENCE)
        words = _("the program exited with code {code}").format(code=self.process.returncode)
        return ": ".join([words, *self.last_words])

    def end(self, patience: float = 0.0) -> None:
        """Close its input and let it exit; then kill what is left of it and its children."""
        self.messages.put(None)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        if sys.platform == "win32":
            self.process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class ProcessBot:
    """A program that answers for a seat."""

    plays_plain = True

    def __init__(self, edition: Edition, seed: int, *, command: str) -> None:
        self.name = f"process:{command}"
        self.edition = edition
        self.seed = seed
        self.command = command
        self.starts = 0
        self.program: Program | None = None
        try:
            self._await_greeting(self._start(), None)
        except BotError:
            raise
        except Exception as error:
            words = self._lost(error)
            raise BotError(f"{self.name}: {words}") from error

    def choose(self, view: View, clock: Clock) -> Answer:
        # Earlier than the host's own deadline, so that the host learns what was wrong.
        deadline = None if clock.seconds is None else monotonic() + clock.seconds + GRACE / 2
        program = self.program or self._start()
        try:
            if not program.greeted:
                self._await_greeting(program, deadline)
            program.forget()
            program.send(self._question(view, clock))
            line = program.receive(deadline)
        except TimeoutError as error:
            if not program.greeted and monotonic() < program.began + START:
                raise TimeoutError(_("the program is still starting")) from None
            raise TimeoutError(self._lost(error)) from None
        except (OSError, AnswerError) as error:
            raise BotError(self._lost(error)) from error
        return read_answer(line)

    def close(self) -> None:
        """Notify the program that the game is over, and let it exit."""
        if self.program:
            self.program.send({"type": "end"})
            self.program.end(PATIENCE)
            self.program = None

    # --- the protocol ----------------------------------------------------------------------------

    def _start(self) -> Program:
        if self.starts == STARTS:
            raise BotError(
                _("the program failed {number} times and is not started again").format(
                    number=self.starts
                )
            )
        self.starts += 1
        self.program = Program(self.command)
        self.program.send(self._greeting())
        return self.program

    def _lost(self, error: Exception) -> str:
        """Stop a useless program; return the reason in words."""
        program, self.program = self.program, None
        assert program is not None
        words = str(error)
        if isinstance(error, TimeoutError):
            words = _("the program did not answer and was stopped")
        elif isinstance(error, BrokenPipeError):
            words = program.ending()
        program.end()
        return words

    def _await_greeting(self, program: Program, deadline: float | None) -> None:
        """Wait until the program confirms the protocol."""
        latest = program.began + START
        answer = program.receive(latest if deadline is None else min(latest, deadline))
        message = read_message(answer)
        if message.get("type") != "hello" or message.get("protocol") != PROTOCOL:
            raise AnswerError(
                _("the program must start with {hello}, not {line}").format(
                    hello=json.dumps({"type": "hello", "protocol": PROTOCOL}), line=quoted(answer)
                )
            )
        program.greeted = True

    def _greeting(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "edition": self.edition.name,
            "players": self.edition.players,
            "options": dict(self.edition.options),
            "seed": self.seed,
        }

    def _question(self, view: View, clock: Clock) -> dict[str, Any]:
        choices = [Choice(number, self.edition) for number in view.legal]
        return {
            "type": "choose",
            "seconds": clock.seconds,
            "view": view.as_dict(),
            "choices": [
                {"choice": choice.id, "kind": choice.kind, "text": str(choice)}
                for choice in choices
            ],
        }


def quoted(line: str) -> str:
    """The start of a line, for a message."""
    line = line.strip()
    return repr(line if len(line) <= QUOTED else f"{line[:QUOTED]}...")


def read_message(line: str) -> dict[str, Any]:
    """Parse a line."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise AnswerError(
            _("the program wrote {line}; a JSON object is needed").format(line=quoted(line))
        )
    return message


def read_answer(line: str) -> Answer:
    """Parse an answer: `{"choice": 17}`, `{"choices": [17, 203]}` or `{"action": "loan 30"}`."""
    message = read_message(line)
    given = [message[key] for key, sort in SHAPES.items() if isinstance(message.get(key), sort)]
    if len(given) != 1 or isinstance(given[0], bool):
        raise AnswerError(
            _("the program wrote {line}; exactly one of these is needed: {shapes}").format(
                line=quoted(line), shapes=", ".join(SHAPES)
            )
        )
    answer: Answer = given[0]
    return answer


SHAPES: dict[str, type] = {"choice": int, "choices": list, "action": str}
