"""`brass report`: turn arena results into a page with charts."""

from __future__ import annotations

from pathlib import Path

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.cli.pages import one_page, page_path, write_page


@click.command(help=COMMANDS["report"])
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@one_page
@one_language
def report(path: Path, out: Path | None, as_png: bool) -> None:
    from brassmill.arena.results import read
    from brassmill.reports.arena import page_of

    target = page_path(path, out)
    with errors_naming(path):
        page = page_of(read(path))
    write_page(page, target, as_png)
