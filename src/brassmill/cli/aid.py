"""`brass aid`: write the player aid of a game."""

from __future__ import annotations

from pathlib import Path

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS
from brassmill.editions import EDITIONS
from brassmill.language import N_, language
from brassmill.language import gettext as _

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(help=COMMANDS["aid"])
@click.argument("edition", type=click.Choice(list(EDITIONS)))
@click.option("--pdf", type=FILE, help=N_("Write a PDF to print: one page of A4."))
@click.option("--svg", type=FILE, help=N_("Write an SVG."))
def aid(edition: str, pdf: Path | None, svg: Path | None) -> None:
    from brassmill.rulebook.aid import aid as drawn
    from brassmill.rulebook.aid import aid_pdf

    if pdf is None and svg is None:
        raise click.UsageError(_("name a file: --pdf FILE or --svg FILE"))
    if pdf is not None:
        write(pdf, aid_pdf(edition, language()))
    if svg is not None:
        write(svg, drawn(edition, language()).encode())


def write(path: Path, content: bytes) -> None:
    with errors_naming(path):
        path.write_bytes(content)
    click.echo(_("Saved {path}.").format(path=path))
