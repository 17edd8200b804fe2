"""What the commands of `brass admin` share: preparing the site, finding tables, asking."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from brassmill.cli.options import Context
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.server import home

if TYPE_CHECKING:
    from brassmill.web.models import Table

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

        with notify.outside():
            return super().invoke(context)


def one_yes(command: Command) -> Command:
    """`--yes`."""
    return click.option("--yes", is_flag=True, help=N_("Do not ask for confirmation."))(command)


def ask(words: str, yes: bool) -> None:
    """Ask for confirmation, unless `--yes` was given."""
    if not yes:
        click.confirm(words, abort=True)


def find_table(name: str) -> Table:
    """Find a table by its name, by the start of its name, or by its URL."""
    from brassmill.web.models import Table

    name = name.rstrip("/").rpartition("/")[2]
    known = Table.objects.filter(pk__startswith=name or "/").values_list("pk", flat=True)
    found = [pk for pk in known if pk.startswith(name)]  # SQLite ignores case
    if name in found:
        found = [name]
    if len(found) != 1:
        words = _("no table {name}; `brass admin tables` lists them")
        if found:
            words = _("several tables begin with {name}; type more of the name")
        raise BrassError(words.format(name=name))
    return Table.objects.get(pk=found[0])
