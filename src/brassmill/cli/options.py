"""Options shared by several commands: game, time, language."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import click

from brassmill.language import LANGUAGES, N_, NN_, ngettext, speak
from brassmill.language import gettext as _

Command = TypeVar("Command", bound=Callable[..., Any])


def one_edition(command: Command) -> Command:
    """`--edition` and `--players`."""
    for decorate in (
        click.option("--players", type=int, help=N_("Number of players.  [default: the maximum]")),
        click.option(
            "--edition",
            "name",
            default="birmingham",
            show_default=True,
            help=N_("classic, lancashire or birmingham."),
        ),
    ):
        command = decorate(command)
    return command


def one_game(command: Command) -> Command:
    """`--edition`, `--players` and `--option`."""
    with_option = click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=pairs,
        help=N_("Set an option of the edition (see `brass editions`); may be repeated."),
    )
    return one_edition(with_option(command))


def pairs(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    """Parse `NAME=VALUE` texts into a mapping."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(
                _("{text!r} must have the form NAME=VALUE, as in --option intro=yes").format(
                    text=text
                )
            )
        found[name.strip()] = value.strip()
    return found


def one_clock(command: Command) -> Command:
    """`--clock`, in seconds."""
    return click.option(
        "--clock",
        default="60s",
        show_default=True,
        metavar="TIME",
        callback=seconds_in,
        help=N_("How long a bot may think before it forfeits its choice."),
    )(command)


def seconds_in(_context: click.Context, _parameter: click.Parameter, text: str) -> float:
    """Parse `60s` or `500ms`."""
    from brassmill.bots import Parameter, Seconds

    return float(Parameter("--clock", Seconds).read(text))


def thinking_time(seconds: float) -> Callable[[Command], Command]:
    """`--seconds` and `--worlds`: how long the coach thinks about a position."""

    def add(command: Command) -> Command:
        for decorate in (
            click.option(
                "--worlds",
                type=click.IntRange(min=1),
                help=N_(
                    "Simulate this many games instead of thinking for a set time; reproducible."
                ),
            ),
            click.option(
                "--seconds",
                type=click.FloatRange(min=0, min_open=True),
                default=seconds,
                show_default=True,
                help=N_("Seconds to think about each position."),
            ),
        ):
            command = decorate(command)
        return command

    return add


def one_language(command: Command) -> Command:
    """`--lang`."""
    return click.option(
        "--lang",
        type=click.Choice(list(LANGUAGES)),
        callback=set_language,
        is_eager=True,  # before --help
        expose_value=False,
        help=N_("Language.  [default: the system's]"),
    )(command)


def set_language(_context: click.Context, _parameter: click.Parameter, code: str | None) -> None:
    if code is not None:
        speak(code)


class Formatter(click.HelpFormatter):
    """Help in the current language: translates the texts that were marked with `N_`."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or _("Usage: "))

    def write_heading(self, heading: str) -> None:
        words = _("{heading}:").format(heading=_(heading))  # French has a space before the colon
        self.write(f"{'':>{self.current_indent}}{words}\n")

    def write_text(self, text: str) -> None:
        super().write_text(_(text) if text else text)

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl([(name, translated(text)) for name, text in rows], col_max, col_spacing)


def translated(text: str) -> str:
    """Translate a line of help; what click adds in brackets is not part of the marked text."""
    words, bracket, rest = text.partition("  [")
    if not text or _(text) != text or not bracket:
        return _(text) if text else text
    return _(words) + bracket + rest.replace("default:", _("default:"))


class Context(click.Context):
    """A click context whose help is translated."""

    formatter_class = Formatter


# Click's own messages, for the catalogues.
CLICK_SAYS = (
    N_("Options"),
    N_("Commands"),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
    N_("Try '{command} {option}' for help."),
    N_("Error: {message}"),
    N_("Aborted!"),
    N_("Missing command."),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Choose from:\n\t{choices}"),
    N_("No such option {name!r}."),
    N_("No such option: {name}"),
    N_("No such command {name!r}."),
    SLIP := NN_("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    NN_("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    NN_("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    N_("Option {name!r} does not take a value."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    NN_("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("{name} {filename!r} does not exist."),
    N_("{name} {filename!r} is a directory."),
    N_("{name} {filename!r} is a file."),
    N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} is not writable."),
)


def let_click_speak() -> None:
    """Make click use our translations; its own follow the system's language."""
    for name in ("core", "exceptions", "formatting", "parser", "types"):
        vars(import_module(f"click.{name}")).update(_=_, ngettext=ngettext)
