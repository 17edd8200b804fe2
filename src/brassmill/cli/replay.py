"""`brass replay`: step through a record and study it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from brassmill.cli.files import errors_naming, load, one_record
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.language import N_


@click.command(help=COMMANDS["replay"])
@one_record
@click.option(
    "--to", type=int, help=N_("Start at this action; in a pipe, stop there.  [default: all]")
)
@click.option(
    "--seat", help=N_("Show what this seat sees (name or number).  [default: a spectator]")
)
@one_language
def replay(path: Path, number: int, to: int | None, seat: str | None) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.cli.prompt import open_prompt
    from brassmill.cli.replay_session import ReplaySession
    from brassmill.cli.screen import screen_for

    record = load(path, number)
    warm_up_with_bar()
    with errors_naming(path):
        session = ReplaySession(record, screen_for(record.edition), seat)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            session.print_all(to)
            return
        session.go(to or 0)
    session.study(open_prompt(), path, number)
