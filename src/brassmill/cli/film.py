"""`brass film`: a record, or some of its actions, as an animated picture."""

from __future__ import annotations

from pathlib import Path

import click

from brassmill.cli.files import errors_naming, load, one_record
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _


@click.command(help=COMMANDS["film"])
@one_record
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help=N_("FILE.webp.")
)
@click.option(
    "--from",
    "first",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help=N_("The first picture shows the position after this action; 0 is the start."),
)
@click.option(
    "--to",
    "last",
    type=click.IntRange(min=0),
    help=N_("The last action.  [default: the last of the record]"),
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=1.4,
    show_default=True,
    help=N_("How long a picture is shown."),
)
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option(
    "--width",
    type=click.IntRange(200, 2000),
    default=960,
    show_default=True,
    help=N_("Width in pixels."),
)
@one_language
def film(
    path: Path,
    number: int,
    output: Path,
    first: int,
    last: int | None,
    seconds: float,
    theme: str,
    width: int,
) -> None:
    from brassmill.cli.progress import warm_up_with_bar

    if output.suffix.casefold() != ".webp":
        raise BrassError(_("{path}: a film must be a .webp file").format(path=output))
    record = load(path, number)
    warm_up_with_bar()
    from brassmill.reports.film import moments_of, pictures_of
    from brassmill.svg.film import film as made

    with errors_naming(path):
        last = len(record.main_line()) if last is None else last
        moments = moments_of(record, first, last)
        pictures = list(pictures_of(record.edition, record.seats, moments, theme))
    data = made(pictures, width, seconds)
    with errors_naming(output):
        output.write_bytes(data)
    click.echo(_("Saved the film in {path}.").format(path=output))
