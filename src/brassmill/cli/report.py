"""`brass report`: the results of an arena as a page, and its charts as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from brassmill.cli.files import told_of
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

PAGE = "report.html"  # in a folder that is named
WIDTH = 1440  # pixels of a PNG


@click.command(help=COMMANDS["report"])
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=N_("A folder, or FILE.html.  [default: beside FILE]"),
)
@click.option("--png", "as_png", is_flag=True, help=N_("Every chart as PNG too, beside the page."))
@one_language
def report(path: Path, out: Path | None, as_png: bool) -> None:
    from brassmill.arena.report import page, pictures
    from brassmill.arena.results import read
    from brassmill.record.files import replacing
    from brassmill.svg import png

    target = page_path(path, out)
    with told_of(path):
        results = read(path)
        written = page(results)
    with told_of(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(written)
    click.echo(target)
    if not as_png:
        return
    for name, picture in pictures(results).items():
        image = target.with_name(f"{target.stem}-{name}.png")
        with told_of(image):
            image.write_bytes(png(picture.document("light"), width=WIDTH))
        click.echo(image)


def page_path(path: Path, out: Path | None) -> Path:
    """Where the page goes: never over the results."""
    if out is None:
        target = path.with_suffix(".html")
    else:
        target = out if out.suffix.casefold() in (".html", ".htm") else out / PAGE
    if target.resolve() == path.resolve():
        raise BrassError(_("{path} is the file of results: name another").format(path=target))
    return target
