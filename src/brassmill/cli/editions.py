"""`brass editions`: what can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brassmill.cli.main import COMMANDS

if TYPE_CHECKING:
    from brassmill.editions import Box, Option


@click.command(help=COMMANDS["editions"])
def editions() -> None:
    from brassmill.editions import EDITIONS

    for number, box in enumerate(EDITIONS.values()):
        if number:
            click.echo()
        click.echo(f"{click.style(box.name, bold=True)}: {box.title}, {box.meaning}")
        for option in box.options:
            click.echo(f"  {option.name} = {values(option)}{restriction(box, option)}")
            click.echo(f"      {option.meaning}")


def values(option: Option) -> str:
    """What an option can be, the default first, written as it is given."""
    words = {True: "yes", False: "no"}
    return " | ".join(
        words[value] if isinstance(value, bool) else str(value) for value in option.values
    )


def restriction(box: Box, option: Option) -> str:
    """When an option cannot be turned on."""
    fitting = [players for players in box.players if players in option.players]
    parts = [] if fitting == list(box.players) else [f"{' or '.join(map(str, fitting))} players"]
    parts += [f"not with {other}" for other in option.excludes]
    return f"  ({', '.join(parts)})" if parts else ""
