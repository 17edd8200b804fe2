"""`brass export`: records as plain data for other programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TextIO

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
    "-o", "--output", type=click.Path(path_type=Path), help=N_("Where to.  [default: here]")
)
@one_language
def export(path: Path, as_json: bool, output: Path | None) -> None:
    from brassmill.cli.progress import warm_up_with_bar

    if not as_json:
        raise BrassError(_("say as what: brass export --json {path}").format(path=path))
    warm_up_with_bar()
    if output is None:
        faults = write_json(path, sys.stdout)
    else:
        with told_of(output), output.open("w", encoding="utf-8") as target:
            faults = write_json(path, target)
    for fault in faults:
        click.secho(f"{path}: {fault}", fg="red", err=True)
    if faults:
        sys.exit(1)


def write_json(path: Path, target: TextIO) -> list[str]:
    """Every game of a file that can be played again; what is wrong with the others."""
    from brassmill import record

    faults = []
    with told_of(path):
        for number, game in enumerate(record.read(path), 1):
            if isinstance(game, record.BrokenRecord):
                faults.append(str(game))
                continue
            try:
                data = game.as_dict()
            except BrassError as error:
                faults.append(_("game {number}: {fault}").format(number=number, fault=error))
                continue
            target.write(json.dumps(data, ensure_ascii=False) + "\n")
    return faults
