"""`brass hint`: the coach's suggestions for a position, with reasons."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brassmill.cli.files import (
    errors_naming,
    load,
    one_position,
    refuse_saved,
    seat_number,
    view_of,
)
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language, thinking_time
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.core.view import View
    from brassmill.game import Game
    from brassmill.record import Record

POSITION = re.compile(r"\s*[^\W\d][\w ]*([,|\n]|$)")  # a position starts like `birmingham 4`


@click.command(help=COMMANDS["hint"])
@one_position
@click.option(
    "--seat",
    help=N_("Advise this seat (name or number) on its next choice.  [default: whoever is next]"),
)
@click.option(
    "--most",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    help=N_("How many suggestions."),
)
@thinking_time(2.0)
@click.option("--json", "as_json", is_flag=True, help=N_("Print everything as JSON."))
@one_language
def hint(
    path: Path,
    number: int,
    at: int | None,
    seat: str | None,
    most: int,
    seconds: float,
    worlds: int | None,
    as_json: bool,
) -> None:
    from rich.console import Console

    from brassmill.cli.advice import show_advice
    from brassmill.cli.map import WIDTH
    from brassmill.cli.progress import thinking, warm_up_with_bar
    from brassmill.coach import COMPILED, advise

    with errors_naming(path):
        refuse_saved(path)  # report unreadable files before compiling anything
    warm_up_with_bar(COMPILED)
    with errors_naming(path):
        game, view = moment(path, number, at, seat)
    with thinking() as progress:
        advice = advise(
            game.edition, view, seconds=seconds, worlds=worlds, most=most, progress=progress
        )
    if as_json:
        assert view.seat is not None
        data = {
            "seat": game.seats[view.seat],
            "number": view.number,
            "advice": [idea.as_dict() for idea in advice],
        }
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    console = Console(width=min(WIDTH, Console().width))
    console.print(_heading(game, view), style="bold", highlight=False, markup=False)
    show_advice(console, advice)


def _heading(game: Game, view: View) -> str:
    from brassmill import terms

    assert view.seat is not None
    words = _("{name}, {era}, round {round}, after action {number}")
    return words.format(
        name=game.seats[view.seat],
        era=terms.era(view.era),
        round=view.round,
        number=view.number,
    )


def moment(path: Path, number: int, at: int | None, seat: str | None) -> tuple[Game, View]:
    """The next position where a seat must choose, and what that seat sees."""
    from brassmill.record import replay

    record = record_in(path, number)
    wanted = None if seat is None else seat_number(record, seat)
    game = record.game(at)
    rest = iter(record.main_line()[len(game.actions) :])
    if game.question == "turn over":
        game.end_turn()
    while wanted not in (None, game.seat):
        node = next(rest, None)
        if node is None:
            words = _("{seat} has no more choices; use --at to go back to an earlier action")
            raise BrassError(words.format(seat=seat))
        replay.play(record, game, node)
        if game.question == "turn over":
            game.end_turn()
    if game.seat is None:
        words = _("the game ends with action {number}; use --at to go back to an earlier one")
        raise BrassError(words.format(number=len(game.actions)))
    return game, view_of(record, game, game.seats[game.seat])


def record_in(path: Path, number: int) -> Record:
    """A game from a file of records, or a game that starts from a position given as text."""
    from brassmill.game import Game

    refuse_saved(path)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    if text.startswith(("[", "\ufeff")):
        return load(path, number)
    if not POSITION.match(text):
        raise BrassError(
            _(
                "this is neither a record, which starts with {record}, nor a position, which"
                " starts with the edition and the number of players: {position}"
            ).format(record='[Brass "1"]', position="birmingham 4")
        )
    return Game.from_position(text).record()
