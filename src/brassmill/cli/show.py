"""`brass show`: show a position of a record, as a picture or in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brassmill.cli.files import errors_naming, load, one_position, view_of
from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.core.outcome import Outcome
    from brassmill.core.view import View

PARTS = ("table", "map", "mat", "market", "hand", "tracks")


@click.command(help=COMMANDS["show"])
@one_position
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help=N_("Save a picture: FILE.svg or FILE.png.  [default: print text]"),
)
@click.option(
    "--seat", help=N_("Show what this seat sees (name or number).  [default: a spectator]")
)
@click.option(
    "--part",
    type=click.Choice(PARTS),
    default="table",
    show_default=True,
    help=N_("Part of the table to draw."),
)
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--shape", type=click.Choice(["wide", "tall"]), default="wide", show_default=True)
@click.option("--width", type=click.IntRange(16, 8000), help=N_("Width of a PNG, in pixels."))
@one_language
def show(
    path: Path,
    number: int,
    at: int | None,
    output: Path | None,
    seat: str | None,
    part: str,
    theme: str,
    shape: str,
    width: int | None,
) -> None:
    from brassmill.cli.progress import warm_up_with_bar

    kind = "" if output is None else output.suffix.casefold()
    if output is not None and kind not in (".svg", ".png"):
        raise BrassError(_("{path}: a picture must be an .svg or .png file").format(path=output))
    if output is None and part != "table":
        raise BrassError(
            _("a part can only be shown as a picture; name a file: -o {part}.svg").format(part=part)
        )
    record = load(path, number)
    warm_up_with_bar()
    with errors_naming(path):
        game = record.game(at)
        view = view_of(record, game, seat)
    if output is None:
        from brassmill.cli.screen import show_view

        show_view(view)
        return
    from brassmill import svg

    # A game that ended by agreement ended after its last action.
    is_end = len(game.actions) == len(record.main_line())
    picture = draw(view, part, theme, shape, record.outcome_of(game) if is_end else None)
    data = svg.png(picture, width) if kind == ".png" else picture.encode()
    with errors_naming(output):
        output.write_bytes(data)
    click.echo(_("Saved the picture in {path}.").format(path=output))


def draw(view: View, part: str, theme: str, shape: str, outcome: Outcome | None = None) -> str:
    """Draw the table or a part of it as a standalone picture."""
    from brassmill import svg

    if part in ("mat", "hand") and view.seat is None:
        raise BrassError(_("choose a seat: --seat {seat}").format(seat=view.seats[0].name))
    match part:
        case "map":
            return svg.map(view, shape=shape, theme=theme)
        case "mat":
            return svg.mat(view, theme=theme)
        case "market":
            return svg.market(view, theme=theme)
        case "hand":
            return svg.hand(view, theme=theme)
        case "tracks":
            return svg.tracks(view, theme=theme)
    return svg.table(view, shape=shape, theme=theme, outcome=outcome)
