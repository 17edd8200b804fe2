"""`brass admin tables`: list tables without revealing what is hidden."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import AdminCommand
from brassmill.web.staff.table_state import MISFIT, STATES, in_state, state_of, turn_of

if TYPE_CHECKING:
    from brassmill.web.models import Seat, Table


@click.command(cls=AdminCommand, help=N_("List tables, most recently played first."))
@click.option(
    "--state", type=click.Choice([*STATES, MISFIT]), help=N_("Only tables in this state.")
)
@click.option(
    "--name", default="", metavar="NAME", help=N_("Only tables with a player of this name.")
)
@click.option("--edition", default="", help=N_("classic, lancashire or birmingham."))
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help=N_("Show at most this many."),
)
@click.option("--json", "as_json", is_flag=True, help=N_("Print everything as JSON."))
def tables(state: str | None, name: str, edition: str, most: int, as_json: bool) -> None:
    from brassmill.web.models import Table

    found = Table.objects.order_by("-touched").prefetch_related("seats")
    if name:
        found = found.filter(seats__name__iexact=name)
    if edition:
        found = found.filter(edition=edition.casefold())
    if state:
        found = in_state(found, state)
    listed = list(found[:most])
    if as_json:
        rows = [data_of(table) for table in listed]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        print_tables(listed)


def data_of(table: Table) -> dict[str, Any]:
    """Return the public data of a table, without anyone's key."""
    return {
        "id": table.id,
        "edition": table.edition,
        "players": table.players,
        "state": state_of(table),
        "misfit": bool(table.misfit),
        "seats": [
            {
                "seat": seat.number + 1,
                "name": seat.name,
                "bot": seat.bot,
                "open": seat.is_open or seat.offered,
            }
            for seat in table.seats.all()
        ],
        "turn": turn_of(table),
        "since": table.touched.isoformat(timespec="seconds"),
    }


def print_tables(tables: list[Table]) -> None:
    """Print a row for each table; their names are never truncated."""
    from django.utils import timezone
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Grid

    from brassmill.web.page.time_words import ago

    grid = Grid(box=SIMPLE_HEAD, pad_edge=False)
    grid.add_column(_("table"), no_wrap=True, overflow="fold")
    for column in (_("game"), _("state"), _("players"), _("turn"), _("last move")):
        grid.add_column(column, overflow="fold")
    for table in tables:
        grid.add_row(
            table.id,
            table.edition,
            state_words(table),
            ", ".join(player_of(seat) for seat in table.seats.all()),
            turn_of(table),
            ago(table.touched, timezone.now()),
        )
    Console(highlight=False).print(grid)


def state_words(table: Table) -> str:
    words = _(STATES[state_of(table)])
    return _("{state}, under earlier rules").format(state=words) if table.misfit else words


def player_of(seat: Seat) -> str:
    from brassmill.web.page.game_list import free_seat, level_of

    name = seat.name or free_seat()
    return f"{name} ({level_of(seat.bot)})" if seat.is_bot else name
