"""`brass bots`: list the bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.bots import Parameter
    from brassmill.bots.spec import BotKind


@click.command(help=COMMANDS["bots"])
@one_language
def bots() -> None:
    from brassmill.bots import BotError
    from brassmill.bots.registry import find, hidden, names
    from brassmill.bots.spec import SEED

    for name in names():
        try:
            kind = find(name)
        except BotError as error:  # from a broken package; list the others anyway
            click.echo(error)
            continue
        click.echo(about(kind, bold=True))
        for parameter in kind.parameters:
            click.echo(f"  {explanation(parameter)}")
    for value in hidden():
        click.echo(_("{bot} is not used: a bot above has the same name").format(bot=value))
    click.echo()
    click.echo(_("Every bot except process also takes a seed:"))
    click.echo(f"  {explanation(SEED)}")


def about(kind: BotKind, bold: bool = False) -> str:
    """A bot's name and description."""
    return _("{name}: {value}").format(
        name=click.style(kind.local_name, bold=bold), value=_(kind.meaning) if kind.meaning else ""
    )


def explanation(parameter: Parameter) -> str:
    """A parameter's meaning and its default."""
    words, default = parameter.use, parameter.default
    if parameter.meaning:
        words = _("{name}: {value}").format(name=words, value=_(parameter.meaning))
    if default is None:
        return words
    said = {True: "yes", False: "no"}[default] if isinstance(default, bool) else default
    return _("{parameter} (default: {value})").format(parameter=words, value=said)
