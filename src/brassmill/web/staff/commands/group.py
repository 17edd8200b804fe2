"""`brass admin`: the command group."""

from __future__ import annotations

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import Context, one_language
from brassmill.web.staff.commands.backup import backup, restore
from brassmill.web.staff.commands.moderation import (
    block,
    blocks,
    close_chat,
    hide,
    messages,
    unblock,
)
from brassmill.web.staff.commands.repair import back, delete, seat, void
from brassmill.web.staff.commands.superuser import superuser
from brassmill.web.staff.commands.tables import show, tables


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


for command in (
    *(tables, show, back, seat, void, delete),
    *(messages, hide, close_chat, block, unblock, blocks),
    *(backup, restore, superuser),
):
    admin.add_command(command)
