"""What the coach says, on the terminal: its ideas, what they come to, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from brassmill.cli.layout import MINUS, QUIET, grid
from brassmill.coach import Advice
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.reports.analysis import signed
from brassmill.svg.chart import written

SHOWN = 0.05  # points: a loss or an error that is less is none


def show_advice(console: Console, advice: Sequence[Advice]) -> None:
    """The ideas by number, and what the numbers beside them mean."""
    numbers = (_("margin"), _("loss"))
    table = grid("", _("what you might do"), *(f">{name}" for name in numbers))
    table.columns[1].ratio = 1
    for number, idea in enumerate(advice, 1):
        loss = written(idea.loss, 1) if idea.loss >= SHOWN else ""
        words = Text.assemble(idea.words, *_reasons(idea))
        table.add_row(Text(f"{number:3}", "bold"), words, signed(idea.margin), loss)
    console.print(table, highlight=False, markup=False)
    console.print(Text(_basis(advice[0]), "dim"))


def _reasons(idea: Advice) -> Iterator[tuple[str, str]]:
    """What speaks for an action, and against it, each on a line."""
    for reason in idea.reasons:
        good = reason.points > 0
        yield f"\n{'+' if good else MINUS} {reason.words}", "green" if good else "red"
    if idea.turns_tile:
        words = _("on average over the distant tiles that may come")
        yield f"\n  {words}", QUIET


def _basis(best: Advice) -> str:
    """What the margins are, and how sure."""
    words = ngettext(
        "Margin: your points at the end less the mean of your rivals', in {number} game played on"
        " from here with cards that may be.",
        "Margin: your points at the end less the mean of your rivals', in {number} games played on"
        " from here with cards that may be.",
        best.worlds,
    ).format(number=best.worlds)
    if best.error is None or best.error < SHOWN:
        return words
    error = _("The first may be off by {error} or so.")
    return f"{words} {error.format(error=written(best.error, 1))}"
