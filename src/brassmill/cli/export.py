"""`brass export`: write records as data for other programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _


@click.command(help=COMMANDS["export"])
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", is_flag=True, hidden=True, expose_value=False)  # the only format
@click.option(
    "--game",
    "number",
    type=click.IntRange(min=1),
    help=N_("Export only this game.  [default: all]"),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help=N_("Output file.  [default: standard output]"),
)
@one_language
def export(path: Path, number: int | None, output: Path | None) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.record.files import replacing

    if output is not None and output.resolve() == path.resolve():
        raise BrassError(_("{path} is the record itself; choose another file").format(path=output))
    warm_up_with_bar()
    if output is None:
        problems = write_json(path, number, sys.stdout)
    else:
        with errors_naming(output), replacing(output) as target:
            problems = write_json(path, number, target)
        click.echo(_("Saved the games in {path}.").format(path=output))
    for problem in problems:
        click.secho(f"{path}: {problem}", fg="red", err=True)
    if problems:
        sys.exit(1)


def write_json(path: Path, wanted: int | None, target: IO[str]) -> list[str]:
    """Write the valid games of a file; return the errors of the others."""
    from brassmill import record

    problems, number = [], 0
    with errors_naming(path):
        for number, game in enumerate(record.read(path), 1):
            if wanted not in (None, number):
                continue
            if isinstance(game, record.BrokenRecord):
                problems.append(str(game))
                continue
            try:
                data = json.dumps(game.as_dict(), ensure_ascii=False)
            except BrassError as error:
                problems.append(_("game {number}: {problem}").format(number=number, problem=error))
                continue
            target.write(f"{data}\n")
        if number < (wanted or 1):
            raise BrassError(_("there is no game {number} in this file").format(number=wanted or 1))
    return problems
