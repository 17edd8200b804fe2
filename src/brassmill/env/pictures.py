"""Views as an environment renders them."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from brassmill import editions, svg
from brassmill.cli.screen import Screen
from brassmill.errors import BrassError
from brassmill.view import View

MODES = ["ansi", "svg"]
WIDTH = 100  # letters in a line


def check_mode(mode: str | None) -> str | None:
    """A render mode, if it is one."""
    if mode not in (None, *MODES):
        raise BrassError(f"there is no render mode {mode!r}: it is {' or '.join(MODES)}, or None")
    return mode


def picture(view: View, mode: str | None) -> str | None:
    """A view as text for a terminal, or as SVG."""
    if mode == "svg":
        return svg.table(view)
    if mode == "ansi":
        text = StringIO()
        edition = editions.edition(view.edition, view.players, **view.options)
        console = Console(file=text, width=WIDTH, force_terminal=True)
        Screen(console, edition).board(view)
        return text.getvalue()
    return None
