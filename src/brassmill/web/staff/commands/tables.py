"""`brass admin tables` and `show`: list tables without revealing what is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from brassmill import terms
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import (
    AdminCommand,
    grid_of,
    one_json,
    print_grid,
    print_json,
    session_of,
)

if TYPE_CHECKING:
    from brassmill.web.models import Seat, Table
    from brassmill.web.table.session import TableSession

STATES = {
    "running": N_("running"),
    "waiting": N_("waiting for players"),
    "over": N_("finished"),
    "void": N_("without a result"),
}
MISFIT = "misfit"  # played by other rules: it opens as a record


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
@one_json
def tables(state: str | None, name: str, edition: str, most: int, as_json: bool) -> None:
    from django.utils import timezone

    from brassmill.web.models import Table
    from brassmill.web.page.time_words import ago

    found = Table.objects.order_by("-touched").prefetch_related("seats")
    if name:
        found = found.filter(seats__name__iexact=name)
    if edition:
        found = found.filter(edition=edition.casefold())
    if state == MISFIT:
        found = found.exclude(misfit="")
    elif state:
        found = found.filter(over=state in ("over", "void"), gathering=state == "waiting")
    if state in ("over", "void"):
        found = found.filter(summary__void__isnull=state == "over")
    rows = [data_of(table) for table in found[:most]]
    if as_json:
        print_json(rows)
        return
    grid = grid_of(_("table"), _("game"), _("state"), _("players"), _("turn"), _("since"))
    for table, row in zip(found[:most], rows, strict=True):
        grid.add_row(
            table.id,
            table.edition,
            state_words(row),
            ", ".join(in_words(seat) for seat in table.seats.all()),
            row["turn"],
            ago(table.touched, timezone.now()),
        )
    print_grid(grid)


@click.command(
    cls=AdminCommand, help=N_("Show a table: its players and the turns you can rewind to.")
)
@click.argument("table")
@click.option(
    "--last",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help=N_("Show this many turns."),
)
@click.option(
    "--secrets", is_flag=True, help=N_("Show the deal and all hands too; keep it from the players.")
)
@one_json
def show(table: str, last: int, secrets: bool, as_json: bool) -> None:
    session = session_of(table)
    data = data_of(session.table) | {
        "hands": session.table.hands,
        "began": session.table.began.isoformat(timespec="seconds"),
        "entries": session.length,
        "turns": turns_of(session),
    }
    if secrets:
        data |= {"seed": session.table.seed, "cards": cards_of(session)}
    if as_json:
        print_json(data)
        return
    click.echo(f"{session.table} ({state_words(data)})")
    grid = grid_of(_("seat"), _("name"), _("players"))
    for seat in session.seats:
        grid.add_row(str(seat.number + 1), seat.name, player_of(seat))
    print_grid(grid)
    grid = grid_of(_("turn"), _("entry"), _("round"), _("player"), _("what happened"))
    for turn in data["turns"][-last:] if last else ():
        grid.add_row(
            str(turn["turn"]),
            f"@{turn['entry']}",
            f"{terms.era(turn['era'])} {turn['round']}",
            turn["name"],
            "\n".join(turn["story"]),
        )
    print_grid(grid)
    if secrets:
        if session.table.seed:
            click.echo(_("{name}: {value}").format(name=_("seed"), value=session.table.seed))
        for name, cards in data["cards"].items():
            click.echo(_("{name}: {value}").format(name=name, value=", ".join(cards)))


# --- table data ----------------------------------------------------------------------------------


def state_of(table: Table) -> str:
    if table.gathering:
        return "waiting"
    if table.over:
        return "void" if table.summary.get("void") else "over"
    return "running"


def state_words(row: dict[str, Any]) -> str:
    words = _(STATES[row["state"]])
    return _("{state}, under earlier rules").format(state=words) if row["misfit"] else words


def data_of(table: Table) -> dict[str, Any]:
    """Return the public data of a table, without anyone's key."""
    seats = list(table.seats.all())
    mover = table.summary.get("to_move")
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
            for seat in seats
        ],
        "turn": "" if mover is None or table.over else seats[mover].name,
        "since": table.touched.isoformat(timespec="seconds"),
    }


def in_words(seat: Seat) -> str:
    from brassmill.web.page.game_list import free_seat, level_of

    name = seat.name or free_seat()
    return f"{name} ({level_of(seat.bot)})" if seat.is_bot else name


def player_of(seat: Seat) -> str:
    """Say who plays a seat now."""
    from brassmill.web.page.game_list import free_seat, level_of

    if seat.is_bot:
        return level_of(seat.bot)
    if seat.is_open:
        return free_seat()
    if seat.offered:
        return _("offered to someone else")
    return _("a person") if seat.holder else _("nobody")


def turns_of(session: TableSession) -> list[dict[str, Any]]:
    """Return the turns so far, each with the log entry where it began."""
    from brassmill.web.table.repair import turn_in_words

    return [
        {
            "turn": mark.turn,
            "entry": mark.entry,
            "era": mark.era,
            "round": mark.round,
            "name": "" if mark.seat is None else session.game.seats[mark.seat],
            "story": turn_in_words(session, mark),
        }
        for mark in session.turn_starts
    ]


def cards_of(session: TableSession) -> dict[str, list[str]]:
    """Return all hands."""
    return {
        seat.name: [
            terms.card(card)
            for card, count in (session.view(seat.number).hand or {}).items()
            for _each in range(count)
        ]
        for seat in session.seats
    }
