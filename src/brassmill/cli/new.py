"""`brass new`: create the record of a new game."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_game, one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _


@click.command(help=COMMANDS["new"])
@click.argument("path", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@one_game
@click.option("--seed", type=int, help=N_("The same seed deals the same cards.  [default: random]"))
@click.option("--names", help=N_("Player names, separated by commas.  [default: Y,R,G,P]"))
@one_language
def new(
    path: Path | None,
    name: str,
    players: int | None,
    options: dict[str, str],
    seed: int | None,
    names: str | None,
) -> None:
    from datetime import date

    from brassmill import editions, record
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.game import Game
    from brassmill.position import SEAT_NAMES

    chosen = editions.edition(name, players, **options)
    seats = SEAT_NAMES if names is None else [word.strip() for word in names.split(",")]
    if names is not None and len(seats) != chosen.players:
        raise BrassError(
            _("{players} players need {players} names, not {number}: {names}").format(
                players=chosen.players, number=len(seats), names=names
            )
        )
    warm_up_with_bar()
    game = Game(chosen, seed=secrets.randbits(64) if seed is None else seed, seats=seats)
    written = game.record(headers={"Date": date.today().isoformat()})
    if path is None:
        click.echo(str(written), nl=False)
        return
    if path.exists():
        raise BrassError(_("{path} already exists; choose another file").format(path=path))
    with errors_naming(path):
        record.write(path, [written])
    click.echo(
        _("Created a new game in {path}. To look at it: brass replay {path}").format(path=path)
    )
