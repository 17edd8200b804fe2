"""`brass`: the group of commands. Nothing of a command is loaded before it is called."""

from __future__ import annotations

import io
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from brassmill import __version__
from brassmill.cli.options import SLIP, Context, let_click_speak, one_language
from brassmill.errors import BrassError
from brassmill.language import N_, language_of, ngettext, speaking

# A command NAME is the function NAME of the module cli/NAME.py; the line is what `--help` shows.
COMMANDS = {
    "serve": N_("Play in the browser: the table is served from this machine."),
    "admin": N_("Look after a site: repair games, back up and restore, remove abuse."),
    "play": N_("Play a game in the terminal: alone against bots, or several at one screen."),
    "new": N_("Write the record of a new game, to be played or filled in by hand."),
    "replay": N_("Step through a record; on a pipe, tell all of it."),
    "show": N_("Show a position of a record, here or as a picture (SVG, PNG)."),
    "hint": N_("Say what the coach would do in a position, and why."),
    "analyse": N_("Look at every action of a record: what it cost, and what was better."),
    "verify": N_("Play records again and check that they come out as they say."),
    "export": N_("Write records as plain data for other programs (JSON)."),
    "bots": N_("List the bots, what can be set, and those that other packages bring."),
    "arena": N_("Let bots play against each other on the same deals, and measure them."),
    "report": N_("Make a page with charts of the results of an arena (HTML, PNG)."),
    "tune": N_("Tune the bots' weights for an edition, in games against each other."),
    "editions": N_("List the editions, their players and their options."),
    "scenario": N_("Run scenario files: positions, what is done there and what must come of it."),
    "bench": N_("Measure how fast the rules are, and how long they take to compile."),
    "fuzz": N_("Play random games and check every law after every choice."),
}
# But two are in the layer above, which is known here by its name only.
ELSEWHERE = {"serve": "brassmill.web.run.command", "admin": "brassmill.web.staff.commands.group"}
INTERRUPTED = 130  # the exit code of a command after Ctrl-C, as shells have it


class Commands(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    context_class = Context

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """In the language of the system, unless `--lang` says another."""
        let_click_speak()
        if sys.platform == "win32":
            write_utf8()
        with speaking(language_of()):
            return super().main(*args, **kwargs)

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(ELSEWHERE.get(name, f"brassmill.cli.{name}"))
        command: click.Command = getattr(module, name)
        command.context_class = Context
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; of a slip it is said what may be meant."""
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            for close in get_close_matches(args[0], COMMANDS, 1):
                words = ngettext(*SLIP, 1).format(possibility=close)
                raise click.UsageError(f"{error.message} {words}", context) from error
            raise

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except BrassError as error:
            # The user's to mend: one line, and no traceback.
            raise click.ClickException(str(error)) from error


def write_utf8() -> None:
    """Write UTF-8 to pipes and files: Windows would use the code page of the system."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8")


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=N_("Brass: the three games, complete."),
)
@one_language
@click.version_option(__version__, prog_name="brass", message="%(prog)s %(version)s")
def main() -> None:
    """The three games, complete."""
