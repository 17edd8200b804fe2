"""`brass admin dump`: all public games in one file, without personal data."""

from __future__ import annotations

from pathlib import Path

import click

from brassmill.language import N_, ngettext
from brassmill.web.staff.commands.common import AdminCommand


@click.command(
    cls=AdminCommand,
    help=N_("Write all finished public games to one file, without names or other personal data."),
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def dump(file: Path) -> None:
    from brassmill.web.archive.dump import write

    number = write(file)
    words = ngettext("{file}: {n} game.", "{file}: {n} games.", number)
    click.echo(words.format(file=file, n=number))
