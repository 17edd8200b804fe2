"""`brass openings`: play openings, collect their counts, show them."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import Context, one_edition, one_game, one_language
from brassmill.errors import BrassError
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from brassmill.batch.batch import Device
    from brassmill.openings import Line, Openings, Tally

SUBCOMMANDS = {
    "play": N_("Let trained networks play many games, and count their openings."),
    "collect": N_("Add up runs and tables, and write one table."),
    "show": N_("Show the openings of the package or of a file, move by move."),
}


class OpeningsGroup(click.Group):
    """A group in the order of use, with translated help."""

    context_class = Context

    def list_commands(self, context: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.group(cls=OpeningsGroup, help=COMMANDS["openings"])
@one_language
def openings() -> None:
    """Each subcommand does the work."""


@openings.command(help=SUBCOMMANDS["play"])
@one_game
@click.option(
    "--games",
    default=10_000,
    show_default=True,
    type=click.IntRange(min=1),
    help=N_("Games in the file at the end; they are played in whole parts."),
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    help=N_("Seed of the run: others play other games."),
)
@click.option(
    "--heat",
    type=click.FloatRange(min=0.1, max=10),
    help=N_("How freely the openings are drawn; 1: as likely as the trained network finds them."),
)
@click.option(
    "--part", type=click.IntRange(min=1), help=N_("Games of a part: they are played side by side.")
)
@click.option(
    "--out",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=N_("File of the run; an interrupted run resumes from it.  [default: named after it]"),
)
@click.option(
    "--workers",
    default=os.cpu_count() or 1,
    type=click.IntRange(min=1),
    help=N_("Processes that work at the same time.  [default: one per processor]"),
)
@click.option(
    "--device",
    default="cpu",
    show_default=True,
    type=click.Choice(["cpu", "cuda"]),
    help=N_("cuda: on an NVIDIA GPU, with PyTorch."),
)
@one_language
def play(
    name: str,
    players: int | None,
    options: dict[str, str],
    games: int,
    seed: int,
    heat: float | None,
    part: int | None,
    path: Path | None,
    workers: int,
    device: Device,
) -> None:
    from brassmill import editions
    from brassmill.arena.workers import Lost
    from brassmill.cli.progress import counting, warm_up_with_bar
    from brassmill.openings.play import HEAT
    from brassmill.openings.run import PART, PART_ON_GPU, run
    from brassmill.openings.store import OpeningFile, OpeningSettings

    edition = editions.edition(name, players, **options)
    size = part or (PART if device == "cpu" else PART_ON_GPU)
    settings = OpeningSettings.of(edition, seed, HEAT if heat is None else heat, size)
    path = path or Path(f"openings-{edition.name}-{edition.players}.jsonl")
    warm_up_with_bar()
    lost = []
    with errors_naming(path):
        file = OpeningFile(path, settings)
    with file:
        try:
            total = file.games + len(file.missing(games)) * size
            runs = run(file, games, processes=workers, device=device)
            with closing(runs), counting(_("Playing")) as progress:
                for played in runs:
                    if isinstance(played, Lost):
                        lost.append(played.game)
                    progress(file.games, total)
        except KeyboardInterrupt:
            click.echo(_("Run the same command again to resume."), err=True)
            sys.exit(INTERRUPTED)
        words = ngettext("{number} game in {path}.", "{number} games in {path}.", file.games)
        click.echo(words.format(number=file.games, path=path))
    for number in lost:
        words = _("Part {part} was abandoned: every worker that played it crashed.")
        click.echo(words.format(part=number), err=True)
    if lost:
        sys.exit(1)


TABLE = click.Path(dir_okay=False, path_type=Path)


@openings.command(help=SUBCOMMANDS["collect"])
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=TABLE)
@click.option(
    "--least",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help=N_("Shorten lines of fewer games."),
)
@click.option("--out", required=True, metavar="FILE", type=TABLE, help=N_("Write this table."))
@one_language
def collect(paths: tuple[Path, ...], least: int, out: Path) -> None:
    from brassmill.openings import collect as collected
    from brassmill.openings import write

    found = collected([read_from(path) for path in paths], least)
    with errors_naming(out):
        write(out, found)
    words = ngettext("{number} game in {path}.", "{number} games in {path}.", found.games)
    click.echo(words.format(number=found.games, path=out))


def read_from(path: Path) -> Openings:
    from brassmill.openings import read

    with errors_naming(path):
        return read(path)


@openings.command(help=SUBCOMMANDS["show"])
@one_edition
@click.option(
    "--seat",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help=N_("Place in the first turn order."),
)
@click.option("--table", "path", metavar="FILE", type=TABLE, help=N_("Show this table or run."))
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@one_language
def show(
    name: str, players: int | None, seat: int, path: Path | None, moves: tuple[str, ...]
) -> None:
    from rich.console import Console

    from brassmill import editions
    from brassmill.openings import openings as packaged
    from brassmill.openings.moves import find_move

    if path is None:
        found = packaged(name, editions.edition(name, players).players)
    else:
        found = read_from(path)
    if seat > found.players:
        words = _("there is no seat {seat} in a game of {players}")
        raise BrassError(words.format(seat=seat, players=found.players))
    tree, line = found.trees[seat - 1], list[tuple[int, ...]]()
    for text in moves:
        among = [row.move for row in tree.rows(tuple(line))]
        line.append(find_move(found.table, text, among))
    click.echo(title_of(found, seat, tuple(line)))
    Console().print(table_of(found, seat, tuple(line)))


def title_of(found: Openings, seat: int, line: Line) -> str:
    """Which openings a table shows."""
    from brassmill.openings import move_words

    words = ngettext(
        "{edition}, {players} players, seat {seat} in turn order: {games} game",
        "{edition}, {players} players, seat {seat} in turn order: {games} games",
        found.games,
    )
    title = words.format(
        edition=found.table.title, players=found.players, seat=seat, games=found.games
    )
    return "\n".join([title, *(f"  {move_words(found.table, move)}" for move in line)])


def table_of(found: Openings, seat: int, line: Line) -> Table:
    """The moves after a line, as rows."""
    from rich.box import SIMPLE
    from rich.table import Table

    from brassmill.openings import move_text

    tree = found.trees[seat - 1]
    table = Table(box=SIMPLE)
    for column in (
        "",
        _("Move"),
        _("Games"),
        _("Share of games"),
        _("Won"),
        _("95% interval"),
        _("VP"),
    ):
        table.add_column(column, justify="left" if column == _("Move") else "right")
    for number, row in enumerate(tree.rows(line), 1):
        figures = figures_of(row.tally, row.share)
        table.add_row(str(number), move_text(found.table, row.move), *figures)
    others, before = tree.others(line), tree.tally(line)
    if others.games:
        table.add_row("", _("others"), *figures_of(others, others.games / before.games))
    table.add_row("", _("all"), *figures_of(before, 1.0), style="bold")
    return table


def figures_of(tally: Tally, share: float) -> Sequence[str]:
    """A row's figures as text."""
    low, high = tally.interval
    return (
        str(tally.games),
        f"{share:.1%}",
        f"{tally.won:.1%}",
        f"{low:.1%} - {high:.1%}",
        f"{tally.mean_vp:.1f}",
    )
