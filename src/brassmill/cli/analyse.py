"""`brass analyse`: compare every action of a record with the best the coach finds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brassmill.cli.files import errors_naming, load, one_record, seat_number
from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import one_language, thinking_time
from brassmill.cli.pages import one_page, page_path, write_page
from brassmill.language import N_, language
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from rich.console import RenderableType

    from brassmill.coach.analysis import Analysis


@click.command(help=COMMANDS["analyse"])
@one_record
@click.option("--seat", help=N_("Analyse only this seat (name or number).  [default: all]"))
@thinking_time(1.0)
@one_page
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=N_("Print everything as JSON instead of writing a page."),
)
@one_language
def analyse(
    path: Path,
    number: int,
    seat: str | None,
    seconds: float,
    worlds: int | None,
    out: Path | None,
    as_png: bool,
    as_json: bool,
) -> None:
    from rich.console import Console

    from brassmill.cli.map import WIDTH
    from brassmill.cli.progress import counting, warm_up_with_bar
    from brassmill.coach import COMPILED, analysis
    from brassmill.reports.analysis import page_of

    target = page_path(path, out, number)
    record = load(path, number)
    seats = None if seat is None else [seat_number(record, seat)]
    warm_up_with_bar(COMPILED)
    try:
        with errors_naming(path), counting(_("Analysing actions")) as progress:
            found = analysis.analyse(
                record, seconds=seconds, worlds=worlds, seats=seats, progress=progress
            )
    except KeyboardInterrupt:
        click.echo(_("Nothing was written."), err=True)
        sys.exit(INTERRUPTED)
    if as_json:
        click.echo(json.dumps(plain_data(found), ensure_ascii=False, indent=2))
        return
    console = Console(width=min(WIDTH, Console().width))
    console.print(*summary(found), sep="\n", highlight=False, markup=False)
    write_page(page_of(found), target, as_png)


def summary(found: Analysis) -> Iterator[RenderableType]:
    """How well each seat played, and its costliest actions."""
    from rich.text import Text

    from brassmill.cli.layout import QUIET, grid
    from brassmill.coach.analysis import MARKS, SIGNS, WORDS
    from brassmill.reports.analysis import outlook
    from brassmill.svg.chart import written

    names = found.record.seats
    head = (_("actions"), _("loss per action"), *(_(WORDS[mark]) for mark in MARKS))
    table = grid(_("player"), *(f">{word}" for word in head))
    for seat in found.summaries:
        numbers = (seat.actions, *(seat.marks[mark] for mark in MARKS))
        counted = list(map(str, numbers))
        table.add_row(names[seat.seat], counted[0], written(seat.mean_loss, 2), *counted[1:])
    yield table
    worst = grid(_("player"), f">{_('action')}", "", f">{_('loss')}", _("costliest actions"))
    worst.columns[4].ratio = 1
    for seat in found.summaries:
        for verdict in seat.worst:
            better = _("better: {action} ({outlook})").format(
                action=verdict.best.words, outlook=outlook(verdict.best)
            )
            played = f"{verdict.action.text_in(language())} ({outlook(verdict.played)})"
            words = Text.assemble(played, "\n", (better, QUIET))
            number, sign = str(verdict.number), SIGNS[verdict.mark]
            worst.add_row(names[verdict.seat], number, sign, written(verdict.loss, 1), words)
    if worst.rows:
        yield ""
        yield worst


def plain_data(found: Analysis) -> dict[str, Any]:
    """The whole analysis as data for JSON."""
    names = found.record.seats
    return {
        "seats": list(names),
        "points": found.points,
        "summaries": [
            {
                "seat": names[seat.seat],
                "actions": seat.actions,
                "mean_loss": round(seat.mean_loss, 2),
                "marks": seat.marks,
                "worst": [verdict.number for verdict in seat.worst],
            }
            for seat in found.summaries
        ],
        "swings": [
            {**asdict(swing), "seat": names[swing.seat], "change": swing.change}
            for swing in found.swings
        ],
        "actions": [
            {
                "number": verdict.number,
                "seat": names[verdict.seat],
                "era": verdict.era,
                "round": verdict.round,
                "action": verdict.action.text,
                "loss": round(verdict.loss, 2),
                "mark": verdict.mark,
                "margins": [round(margin, 2) for margin in verdict.margins],
                "played": verdict.played.as_dict(),
                "best": verdict.best.as_dict(),
            }
            for verdict in found.verdicts
        ],
    }
