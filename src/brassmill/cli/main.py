"""`brass`: the group of commands. Nothing of a command is loaded before it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from brassmill import __version__
from brassmill.errors import BrassError

# A command NAME is the function NAME of the module cli/NAME.py; the line is what `--help` shows.
COMMANDS = {
    "play": "Play a game in the terminal against random opponents.",
    "editions": "List the editions, their players and their options.",
    "scenario": "Run scenario files: positions, what is done there and what must come of it.",
    "bench": "Measure how fast the rules are, and how long they take to compile.",
    "fuzz": "Play random games and check every law after every choice.",
}


class Commands(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"brassmill.cli.{name}"), name)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, context: click.Context) -> Any:
        """What the package refuses is the user's to mend: one line, and no traceback."""
        try:
            return super().invoke(context)
        except BrassError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="brass", message="%(prog)s %(version)s")
def main() -> None:
    """Brass: the three games, complete."""
