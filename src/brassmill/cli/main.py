"""`brass`: the group of commands. A command's module is loaded only when it is called."""

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

# The command NAME is the function NAME in cli/NAME.py; the text is its line in `--help`.
COMMANDS = {
    "serve": N_("Play in the browser, with this machine as the server."),
    "admin": N_("Manage a server: list tables, reassign seats, back up, restore, add operators."),
    "play": N_("Play in the terminal: alone against bots, or with several players on one screen."),
    "new": N_("Create the record of a new game, to play or to fill in by hand."),
    "replay": N_("Step through a record; in a pipe, print all of it."),
    "show": N_("Show a position from a record, as text or as a picture (SVG, PNG)."),
    "film": N_("Show a record, or some of its actions, as an animated picture (WebP)."),
    "hint": N_("Ask the coach what to do in a position, and why."),
    "analyse": N_("Analyse every action in a record: what it cost, and what was better."),
    "verify": N_("Replay records and verify their results."),
    "export": N_("Export records as JSON for other programs."),
    "bots": N_("List the bots and their settings, including bots from other packages."),
    "arena": N_("Play bots against each other on the same deals, and rate them."),
    "report": N_("Turn arena results into a page with charts (HTML, PNG)."),
    "tune": N_("Tune the bots' weights for an edition in games against each other."),
    "train": N_("Train a network that plays, on a GPU or a CPU."),
    "editions": N_("List the editions with their player counts and options."),
    "aid": N_("Write the player aid of a game: one page to print (PDF, SVG)."),
    "scenario": N_("Run scenario files: a position, the actions, and the expected result."),
    "lessons": N_("List the lessons, or check lesson files against the rules."),
    "puzzles": N_("Mine puzzles from games, confirm them, or show them."),
    "openings": N_("Count what strong players do in the first two rounds, and show it."),
    "bench": N_("Measure how fast the rules run and how long they take to compile."),
    "fuzz": N_("Play random games and check every invariant after every choice."),
}
# Two commands live in a higher layer, so they are named here but not imported.
ELSEWHERE = {"serve": "brassmill.web.run.command", "admin": "brassmill.web.staff.commands.group"}
INTERRUPTED = 130  # exit code after Ctrl-C, as in shells


class Commands(click.Group):
    """A group that knows its commands by name and loads only the one that is called."""

    context_class = Context

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run in the system's language, unless `--lang` sets another."""
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
        """Find the command; for a typo, suggest the closest one."""
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
            # The user can fix this: one line, no traceback.
            raise click.ClickException(str(error)) from error


def write_utf8() -> None:
    """Write UTF-8 to pipes and files: Windows would use the code page of the system."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8")


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=N_("Play Brass: all three editions, with complete rules."),
)
@one_language
@click.version_option(__version__, prog_name="brass", message="%(prog)s %(version)s")
def main() -> None:
    """All three editions, complete."""
