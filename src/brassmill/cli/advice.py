"""The coach's suggestions in the terminal: what they are worth, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from brassmill.cli.layout import MINUS, QUIET, grid
from brassmill.coach import Advice
from brassmill.coach.chances import chance_text
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.reports.analysis import signed
from brassmill.svg.chart import written

SHOWN = 0.05  # VP: a smaller loss or error is not shown


def show_advice(console: Console, advice: Sequence[Advice]) -> None:
    """Print the numbered suggestions, and what their margins mean."""
    numbers = (_("margin"), _("to win"), _("loss"))
    table = grid("", _("suggestion"), *(f">{name}" for name in numbers))
    table.columns[1].ratio = 1
    for number, idea in enumerate(advice, 1):
        loss = written(idea.loss, 1) if idea.loss >= SHOWN else ""
        words = Text.assemble(idea.words, *_reasons(idea))
        figures = (signed(idea.margin), chance_text(idea.chance), loss)
        table.add_row(Text(f"{number:3}", "bold"), words, *figures)
    console.print(table, highlight=False, markup=False)
    console.print(Text(_basis(advice[0]), "dim"))


def _reasons(idea: Advice) -> Iterator[tuple[str, str]]:
    """The reasons for and against an action, one per line."""
    for reason in idea.reasons:
        good = reason.points > 0
        yield f"\n{'+' if good else MINUS} {reason.words}", "green" if good else "red"
    if idea.turns_tile:
        words = _("averaged over the distant market tiles that may be revealed")
        yield f"\n  {words}", QUIET


def _basis(best: Advice) -> str:
    """What the figures mean, and how accurate they are."""
    if best.by_network:
        words = ngettext(
            "Margin: your final VP minus your opponents' average. The network forecasts the margin"
            " and your chance to win, over {number} round simulated from here with possible cards.",
            "Margin: your final VP minus your opponents' average. The network forecasts the margin"
            " and your chance to win, over {number} rounds simulated from here with possible"
            " cards.",
            best.worlds,
        )
    else:
        words = ngettext(
            "Margin: your final VP minus your opponents' average, over {number} game simulated"
            " from here with possible cards.",
            "Margin: your final VP minus your opponents' average, over {number} games simulated"
            " from here with possible cards.",
            best.worlds,
        )
    words = words.format(number=best.worlds)
    if best.by_network or best.error is None or best.error < SHOWN:
        return words
    error = _("The margin of the first suggestion may be off by about {error}.")
    return f"{words} {error.format(error=written(best.error, 1))}"
