"""`brass export`: records as plain data for other programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO

import click

from brassmill.cli.files import told_of
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _


@click.command(help=COMMANDS["export"])
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help=N_("One JSON object a game, one game a line.")
)
@click.option(
    "--game", "number", type=click.IntRange(min=1), help=N_("Only this one.  [default: all]")
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help=N_("Where to.  [default: here]")
)
@one_language
def export(path: Path, as_json: bool, number: int | None, output: Path | None) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.record.files import replacing

    if not as_json:
        raise BrassError(_("say as what: brass export --json {path}").format(path=path))
    if output is not None and output.resolve() == path.resolve():
        raise BrassError(_("{path} is the record itself: name another file").format(path=output))
    warm_up_with_bar()
    if output is None:
        faults = write_json(path, number, sys.stdout)
    else:
        with told_of(output), replacing(output) as target:
            faults = write_json(path, number, target)
    for fault in faults:
        click.secho(f"{path}: {fault}", fg="red", err=True)
    if faults:
        sys.exit(1)


def write_json(path: Path, wanted: int | None, target: IO[str]) -> list[str]:
    """The games of a file that can be played again; what is wrong with the others."""
    from brassmill import record

    faults, number = [], 0
    with told_of(path):
        for number, game in enumerate(record.read(path), 1):
            if wanted not in (None, number):
                continue
            if isinstance(game, record.BrokenRecord):
                faults.append(str(game))
                continue
            try:
                data = json.dumps(game.as_dict(), ensure_ascii=False)
            except BrassError as error:
                faults.append(_("game {number}: {fault}").format(number=number, fault=error))
                continue
            target.write(f"{data}\n")
        if number < (wanted or 1):
            raise BrassError(_("there is no game {number}").format(number=wanted or 1))
    return faults
