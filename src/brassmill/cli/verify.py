"""`brass verify`: replay records and verify their results."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import system_words
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _


@click.command(help=COMMANDS["verify"])
@click.argument(
    "paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--quiet", is_flag=True, help=N_("Report problems only."))
@one_language
def verify(paths: tuple[Path, ...], quiet: bool) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from brassmill.cli.progress import warm_up_with_bar

    warm_up_with_bar()
    games, problems = 0, 0
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
        redirect_stdout=sys.stdout.isatty(),  # keep the bar below the output
    )
    with bar:
        for path in bar.track(paths, description=""):
            for problem in checked(path):
                if problem:
                    problems += 1
                    click.echo(f"{path}: {problem}")
                else:
                    games += 1
    report(games, problems, quiet)
    if problems:
        sys.exit(1)


def checked(path: Path) -> Iterator[str]:
    """The errors in each game of a file; an empty text for each correct game."""
    from brassmill import record

    found = False
    try:
        for number, game in enumerate(record.read(path), 1):
            found = True
            if isinstance(game, record.BrokenRecord):
                yield str(game)
                continue
            problems = game.verify()
            for problem in problems:
                yield _("game {number}: {problem}").format(number=number, problem=problem)
            if not problems:
                yield ""
    except OSError as error:
        found = True
        yield system_words(error)
    if not found:
        yield _("there is no game in this file")


def report(games: int, problems: int, quiet: bool) -> None:
    """Print how many games are correct, and how many problems were found."""
    good = ngettext("{number} game is correct.", "{number} games are correct.", games)
    bad = ngettext("{number} problem found.", "{number} problems found.", problems)
    if problems:
        click.secho(bad.format(number=problems), fg="red")
    if games and not quiet:
        click.secho(good.format(number=games), fg="green")
