"""What the commands of `brass admin` share: preparing the site, and asking before destroying."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from brassmill.cli.options import Context
from brassmill.language import N_
from brassmill.web.server import home

DASHED = re.compile(r"-[\w-]{11}")  # a table

Command = TypeVar("Command", bound=Callable[..., Any])


class AdminCommand(click.Command):
    """A command that works on the site's database, whether or not a server is running."""

    context_class = Context

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a table name with a leading dash is passed as a URL path."""
        known = {name for parameter in self.params for name in parameter.opts}
        plain = [
            f"/{word}" if DASHED.fullmatch(word) and word not in known else word for word in args
        ]
        return super().parse_args(context, plain)

    def invoke(self, context: click.Context) -> Any:
        home.prepare()
        from brassmill.web.server import notify

        notify.leave_word()
        return super().invoke(context)


def one_yes(command: Command) -> Command:
    """`--yes`."""
    return click.option("--yes", is_flag=True, help=N_("Do not ask for confirmation."))(command)


def ask(words: str, yes: bool) -> None:
    """Ask for confirmation, unless `--yes` was given."""
    if not yes:
        click.confirm(words, abort=True)
