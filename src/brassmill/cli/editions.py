"""`brass editions`: list the editions and their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brassmill.cli.main import COMMANDS
from brassmill.language import either
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.editions import EditionInfo, Option


@click.command(help=COMMANDS["editions"])
def editions() -> None:
    from brassmill.editions import EDITIONS

    for number, info in enumerate(EDITIONS.values()):
        if number:
            click.echo()
        click.echo(f"{click.style(info.name, bold=True)}: {info.title}, {_(info.meaning)}")
        for option in info.options:
            click.echo(f"  {option.name} = {values(option)}{restriction(info, option)}")
            click.echo(f"      {_(option.meaning)}")


def values(option: Option) -> str:
    """The values of an option as they are typed, the default first."""
    words = {True: "yes", False: "no"}
    return " | ".join(
        words[value] if isinstance(value, bool) else str(value) for value in option.values
    )


def restriction(info: EditionInfo, option: Option) -> str:
    """The player counts and options that restrict an option."""
    fitting = [players for players in info.players if players in option.players]
    parts = [_("not with {option}").format(option=other) for other in option.excludes]
    if fitting != list(info.players):
        parts.insert(0, _("{numbers} players").format(numbers=either(fitting)))
    return f"  ({', '.join(parts)})" if parts else ""
