"""`brass replay`: step through a record, and study it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from brassmill.cli.files import load, one_record, told_of
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.language import N_


@click.command(help=COMMANDS["replay"])
@one_record
@click.option(
    "--to", type=int, help=N_("Begin at this action; on a pipe, end there.  [default: all]")
)
@click.option(
    "--seat", help=N_("What this seat sees, by its name or number.  [default: a spectator]")
)
@one_language
def replay(path: Path, number: int, to: int | None, seat: str | None) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.cli.prompt import open_prompt
    from brassmill.cli.screen import screen_for
    from brassmill.cli.walk import Walk

    record = load(path, number)
    warm_up_with_bar()
    with told_of(path):
        walk = Walk(record, screen_for(record.edition), seat)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            walk.tell_all(to)
            return
        walk.go(to or 0)
    walk.study(open_prompt(), path, number)
