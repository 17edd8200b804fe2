"""`brass admin`: the command group, for what cannot wait for a browser.

Everything else that an operator can do is in Django's admin (`staff/admin.py`).
"""

from __future__ import annotations

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import Context, one_language
from brassmill.web.staff.commands.backup import backup, restore
from brassmill.web.staff.commands.dump import dump
from brassmill.web.staff.commands.ratings import ratings
from brassmill.web.staff.commands.seat import seat
from brassmill.web.staff.commands.superuser import superuser
from brassmill.web.staff.commands.tables import tables
from brassmill.web.staff.commands.verify import verify


class AdminGroup(click.Group):
    """A group that lists its commands in the order of this file."""

    context_class = Context

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.help or "") for name, each in self.commands.items()])


@click.group(cls=AdminGroup, help=COMMANDS["admin"])
@one_language
def admin() -> None:
    pass


for command in (tables, seat, backup, restore, verify, dump, ratings, superuser):
    admin.add_command(command)
