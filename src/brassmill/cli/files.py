"""Record files on the command line: which file, which game, and whose view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from brassmill.errors import BrassError, UnknownName, system_words
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.game import Game
    from brassmill.record import Record

Command = TypeVar("Command", bound=Callable[..., Any])
SAVED = b"brassmill "  # the first bytes of a saved game


def one_record(command: Command) -> Command:
    """`FILE` and `--game`."""
    for decorate in (
        click.option(
            "--game",
            "number",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help=N_("Which game in the file."),
        ),
        click.argument("path", metavar="FILE", type=click.Path(path_type=Path)),
    ):
        command = decorate(command)
    return command


def one_position(command: Command) -> Command:
    """`FILE`, `--game` and `--at`."""
    words = N_("The position after this action; 0 is the start.  [default: the last]")
    return one_record(click.option("--at", type=int, help=words)(command))


def load(path: Path, number: int) -> Record:
    """Load one game; errors name the file."""
    from brassmill import record

    with errors_naming(path):
        refuse_saved(path)
        return record.load(path, number)


def refuse_saved(path: Path) -> None:
    """Reject a game saved by `brass play`, and say what to do with it instead."""
    with open(path, "rb") as file:
        if file.read(len(SAVED)) == SAVED:
            raise BrassError(
                _(
                    "this is a saved game, not a record: resume it with brass play; there, hint"
                    " asks the coach and save FILE writes a record"
                )
            )


class FileError(BrassError):
    """A problem with a file; the message starts with its name."""


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Prefix errors with the name of the file, including failures to read or write it."""
    try:
        yield
    except FileError:
        raise
    except BrassError as error:
        words = _("{path}: {reason}").format(path=path, reason=error)
        raise FileError(words) from error
    except OSError as error:
        if error.filename is None:  # a pipe whose reader has gone
            raise
        words = _("{path}: {reason}").format(path=path, reason=system_words(error))
        raise FileError(words) from error


def view_of(record: Record, game: Game, seat: str | None) -> View:
    """What a seat (by name or number) sees; a spectator's view if none is named.

    A seat's record shows only what that seat knows, nothing that had to be invented for the others.
    """
    if seat is None:
        viewer = record.viewer
        return game.view(viewer if isinstance(viewer, int) else None)
    number = seat_number(record, seat)
    if record.made_up and number != record.viewer:
        raise BrassError(
            _("{seat}: this record does not show what this player knew").format(
                seat=record.seats[number]
            )
        )
    return game.view(number)


def seat_number(record: Record, seat: str) -> int:
    """Find a seat by name, or by number from 1."""
    names = [name.casefold() for name in record.seats]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    wanted = seat.casefold()
    if wanted not in (*names, *numbers):
        raise UnknownName("seat", seat, list(record.seats))
    return names.index(wanted) if wanted in names else numbers.index(wanted)
