"""`brass play`: a game in the terminal."""

from __future__ import annotations

import io
import secrets
import shutil
import sys
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_game
from brassmill.cli.progress import warm_up_with_bar
from brassmill.errors import BrassError

if TYPE_CHECKING:
    from brassmill.cli.player import Player
    from brassmill.game import Game


@click.command(help=COMMANDS["play"])
@one_game
@click.option("--seed", type=int, help="The same seed deals the same game.  [default: by chance]")
@click.option("--seat", default=1, show_default=True, help="Your seat: 1 is the first.")
@click.pass_context
def play(
    context: click.Context,
    name: str,
    players: int | None,
    options: dict[str, str],
    seed: int | None,
    seat: int,
) -> None:
    is_named = context.get_parameter_source("name") is not ParameterSource.DEFAULT
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # where there are no such characters
    try:
        if sys.stdin.isatty():
            edit_lines()
            if not is_named:
                name, players = menu(name, players)
        sit_down(name, players, options, secrets.randbits(32) if seed is None else seed, seat)
    except EOFError:
        click.echo()
    except KeyboardInterrupt:
        click.echo()
        sys.exit(130)


def edit_lines() -> None:
    """Let the arrow keys edit the line and bring back earlier ones, where Python can do that."""
    with suppress(ImportError):
        import readline  # noqa: F401


def menu(name: str, players: int | None) -> tuple[str, int]:
    """Ask which game it shall be; Enter takes what is in brackets."""
    from brassmill.editions import EDITIONS, edition

    numbers = {str(number): box for number, box in enumerate(EDITIONS.values(), 1)}
    for number, box in numbers.items():
        click.echo(f"  {number}  {click.style(box.title, bold=True)}: {box.meaning}")
    default = 1 + list(EDITIONS).index(name)
    while True:
        answer = input(f"Which game? [{default}] ").strip() or str(default)
        try:
            box = numbers.get(answer) or EDITIONS[edition(answer).name]
            break
        except BrassError as error:
            click.echo(error)
    counts = {str(count): count for count in box.players}
    most = max(box.players)
    while players not in box.players:
        answer = input(f"How many players: {', '.join(counts)}? [{most}] ").strip()
        players = counts.get(answer) if answer else most
    return box.name, players


def sit_down(name: str, players: int | None, options: dict[str, str], seed: int, seat: int) -> None:
    """Play a game, to its end or as long as the player likes."""
    from rich.console import Console

    from brassmill.cli.player import Player
    from brassmill.cli.screen import WIDTH, Screen
    from brassmill.editions import edition
    from brassmill.game import Game

    box = edition(name, players, **options)
    if not 1 <= seat <= box.players:
        raise BrassError(f"there is no seat {seat}: they are 1 to {box.players}")
    warm_up_with_bar()
    game = Game(box, seed=seed)
    room = shutil.get_terminal_size((WIDTH, 0)).columns
    screen = Screen(Console(width=min(WIDTH, room)), box)
    try:
        play_on(game, Player(game, seat - 1, screen), Random(seed))
    except (EOFError, KeyboardInterrupt) as end:
        screen.say("\nThe game ends here.")
        if isinstance(end, KeyboardInterrupt):
            sys.exit(130)
    finally:
        given = "".join(f" --option {name}={value}" for name, value in options.items())
        game_words = f"--edition {box.name} --players {box.players}{given}"
        words = f"The same game again: brass play {game_words} --seed {seed} --seat {seat}"
        screen.say(words, "dim", wrap=False)


def play_on(game: Game, player: Player, chance: Random) -> None:
    """The player against opponents who take any open choice."""
    while (seat := game.seat) is not None:
        if seat == player.seat:
            player.take_turn()
        else:
            player.hear(game.play(chance.choice(game.view(seat).legal)))
    player.see_outcome()
