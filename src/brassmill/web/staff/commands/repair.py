"""`brass admin back`, `seat`, `void` and `delete`: repair a game that cannot continue by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import AdminCommand, ask, find_table, one_yes, session_of

if TYPE_CHECKING:
    from brassmill.web.models import Seat, Table
    from brassmill.web.table.session import TableSession


@click.command(
    cls=AdminCommand,
    help=N_("Rewind a game to a turn (its number) or to a log entry (@ and its number)."),
)
@click.argument("table")
@click.argument("point")
@one_yes
def back(table: str, point: str, yes: bool) -> None:
    from brassmill.web.setup.clocks import has_bank
    from brassmill.web.table import repair

    session = session_of(table)
    length = repair.find_point(session, point)
    words = _("Undo everything played at {table} after entry @{entry}?")
    ask(words.format(table=session.table.id, entry=length), yes)
    knows_banks = repair.rewind(session, length)
    words = _("{table} is back at entry @{entry}. {name} to move.")
    click.echo(words.format(table=session.table.id, entry=length, name=_mover(session)))
    if has_bank(session.table):
        click.echo(
            _("All clocks are back to what they were then.")
            if knows_banks
            else _("The clocks at that point are unknown: they stay as they are.")
        )


@click.command(
    cls=AdminCommand,
    help=N_("Give a seat, by number or name, to a bot or to whoever opens a link."),
)
@click.argument("table")
@click.argument("seat")
@click.option("--bot", default="", metavar="LEVEL", help=N_("A bot of this level takes over."))
@click.option(
    "--invite", is_flag=True, help=N_("Offer the seat with a new link; its player loses it.")
)
@click.option("--name", default="", metavar="NAME", help=N_("Rename the player of the seat."))
@one_yes
def seat(table: str, seat: str, bot: str, invite: bool, name: str, yes: bool) -> None:
    from brassmill.web.table import repair

    if sum(map(bool, (bot, invite, name))) != 1:
        raise BrassError(_("choose one of --bot LEVEL, --invite and --name NAME"))
    session = session_of(table)
    number = repair.find_seat(session, seat)
    called = session.seats[number].name
    if name:
        repair.rename(session, number, name)
        words = _("{name} is now called {other}.")
        click.echo(words.format(name=called, other=session.seats[number].name))
        return
    words = _("Take the seat of {name} at {table} away from its player?")
    ask(words.format(name=called, table=session.table.id), yes)
    if bot:
        repair.give_to_bot(session, number, bot)
        words = _("{bot} now plays for {name}.")
        click.echo(words.format(bot=session.bots[number], name=called))
    else:
        click.echo(
            _("The first person to open this link takes the seat of {name}:").format(name=called)
        )
        click.echo(_link(session.table, repair.offer(session, number)))


@click.command(cls=AdminCommand, help=N_("End a game without a result; `back` resumes it."))
@click.argument("table")
@one_yes
def void(table: str, yes: bool) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.web.table.repair import void

    found = find_table(table)
    ask(_("End the game at {table} without a result?").format(table=found.id), yes)
    warm_up_with_bar()
    void(found.id)
    click.echo(_("{table} ended without a result.").format(table=found.id))


@click.command(cls=AdminCommand, help=N_("Delete a table for good, with its log and chat."))
@click.argument("table")
@one_yes
def delete(table: str, yes: bool) -> None:
    from brassmill.web.table import repair

    found = find_table(table)
    ask(_("Delete {table} for good, with everything played there?").format(table=found), yes)
    repair.delete(found.id)
    click.echo(_("{table} has been deleted.").format(table=found))


def _mover(session: TableSession) -> str:
    return "" if session.to_move is None else session.seats[session.to_move].name


def _link(table: Table, seat: Seat) -> str:
    """Return the URL of an invitation, or a hint if the site does not know its own URL."""
    from django.urls import reverse

    from brassmill.web.server import site_url
    from brassmill.web.setup.seat_links import invitation

    path, site = reverse("join", args=[invitation(seat)]), site_url.of_table(table)
    if site:
        return f"{site}{path}"
    words = _("The site's address is unknown: put it in front of this, or set BRASSMILL_URL.")
    return f"{path}\n{words}"
