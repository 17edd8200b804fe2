"""Input lines: with completion and history in a terminal, plain from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent

    from brassmill.cli.completion import Suggestion

Suggest = Callable[[str], Sequence["Suggestion"]]


class Prompt(Protocol):
    """A source of input lines."""

    def ask(self, words: str, suggest: Suggest | None = None) -> str:
        """Read a line. `EOFError` or `KeyboardInterrupt` means that there are no more."""


def open_prompt(history: Path | None = None) -> Prompt:
    """The prompt for this terminal or pipe; lines are kept in the history file, if there is one."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal(history)
    return Plain()


class Plain:
    """Lines from a pipe, echoed so that the output reads like a game."""

    def ask(self, words: str, suggest: Suggest | None = None) -> str:
        line = input(words)
        if not sys.stdin.isatty():
            print(line)
        return line.strip()


class Terminal:
    """Tab completes, the arrow keys and Ctrl-R recall earlier lines, Ctrl-C clears the line."""

    def __init__(self, history: Path | None) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.shortcuts import CompleteStyle

        self.session: PromptSession[str] = PromptSession(
            history=history_in(history),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            key_bindings=keys(),
        )

    def ask(self, words: str, suggest: Suggest | None = None) -> str:
        completer = None if suggest is None else completer_of(suggest)
        return self.session.prompt(words, completer=completer).strip()


def history_in(path: Path | None) -> History:
    """The history in a file, or in memory if the file cannot be written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    if path is None:
        return InMemoryHistory()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)


def keys() -> KeyBindings:
    """Ctrl-C clears a started line; on an empty line it leaves."""
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("c-c")
    @bindings.add("<sigint>")
    def interrupt(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    return bindings


def completer_of(suggest: Suggest) -> Completer:
    """Adapt our suggestions to prompt_toolkit."""
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Suggestions(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            for text, letters in suggest(document.text_before_cursor):
                yield Completion(text, start_position=-letters)

    return Suggestions()
