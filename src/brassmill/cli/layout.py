"""Layout in the terminal: tables without borders, rows of texts, short names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from brassmill.language import pgettext
from brassmill.words.log import TIMES

QUIET = "dim italic"
MINUS = "\N{MINUS SIGN}"


def grid(*columns: str) -> Table:
    """A table without borders; a column whose name starts with `>` is right-aligned."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=QUIET)
    table.show_header = any(columns)
    for column in columns:
        table.add_column(
            column.removeprefix(">"), justify="right" if column.startswith(">") else "left"
        )
    return table


class Flow:
    """Texts in a row that wraps only between them."""

    def __init__(self, parts: Iterable[Text], by: str = " ") -> None:
        self.parts = list(parts)
        self.by = by

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text(no_wrap=True)
        for number, part in enumerate(self.parts):
            by = self.by if number < len(self.parts) - 1 else ""
            if line and line.cell_len + part.cell_len + len(by.rstrip()) > options.max_width:
                line.rstrip()
                yield line
                line = Text(no_wrap=True)
            line.append_text(part).append(by)
        yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [part.cell_len + len(self.by) for part in self.parts]
        return Measurement(max(widths, default=0), sum(widths)).with_maximum(options.max_width)


def short(industry: str) -> str:
    """The short name of an industry."""
    names = {
        "cotton": pgettext("short", "cotton"),
        "coal": pgettext("short", "coal"),
        "iron": pgettext("short", "iron"),
        "manufacturer": pgettext("short", "goods"),
        "pottery": pgettext("short", "pots"),
        "brewery": pgettext("short", "beer"),
        "port": pgettext("short", "port"),
        "shipyard": pgettext("short", "ship"),
    }
    return names[industry]


def counted(names: Iterable[object], by: str = " ") -> str:
    """Each name, with its count if there is more than one."""
    return by.join(times(name, count) for name, count in Counter(names).items())


def times(name: object, count: int) -> str:
    return f"{name}{TIMES}{count}" if count > 1 else str(name)


def level(number: int) -> str:
    """A number with its sign, using a real minus sign."""
    return f"{number:+d}".replace("-", MINUS)


def signed(number: int) -> str:
    """A change such as `+3`; empty for zero."""
    return level(number) if number else ""
