"""HTML pages written by commands: where they go, and their charts as PNG files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from brassmill.cli.files import errors_naming
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.reports.html import Page

WIDTH = 1440  # pixels of a PNG
HTML = (".html", ".htm")

Command = TypeVar("Command", bound=Callable[..., Any])


def one_page(command: Command) -> Command:
    """`--out` and `--png`."""
    for decorate in (
        click.option(
            "--png",
            "as_png",
            is_flag=True,
            help=N_("Also save every chart as a PNG beside the page."),
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            help=N_("Folder or FILE.html for the page.  [default: beside FILE]"),
        ),
    ):
        command = decorate(command)
    return command


def page_path(path: Path, out: Path | None, number: int = 1) -> Path:
    """Where to write a page about a game, or about a whole file; never over that file.

    It is named after the file, plus the number of the game unless it is the first, so that the
    pages of several games fit in one folder.
    """
    which = f"-{number}" if number > 1 else ""
    target = path.parent / f"{path.stem}{which}.html"
    if out is not None and out.suffix and not out.is_dir() and out.suffix.casefold() not in HTML:
        words = _("{path} is neither a folder nor an .html file")
        raise BrassError(words.format(path=out))
    if out is not None:
        target = out if out.suffix.casefold() in HTML else out / target.name
    if target.resolve() == path.resolve():
        raise BrassError(_("{path} is the input file; choose another").format(path=target))
    return target


def write_page(page: Page, target: Path, as_png: bool) -> None:
    """Write a page and its charts, and print where they are."""
    from brassmill.record.files import replacing
    from brassmill.svg import png

    with errors_naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(page.html())
    click.echo(_("Saved the page in {path}.").format(path=target))
    for name, picture in page.pictures().items() if as_png else ():
        image = target.with_name(f"{target.stem}-{name}.png")
        with errors_naming(image):
            image.write_bytes(png(picture.document("light"), width=WIDTH))
        click.echo(_("Saved the picture in {path}.").format(path=image))
