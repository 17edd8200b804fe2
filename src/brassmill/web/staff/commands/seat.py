"""`brass admin seat`: who plays a seat, and under which name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import AdminCommand, ask, one_yes

if TYPE_CHECKING:
    from brassmill.web.models import Seat, Table


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
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.web.table import repair, sessions

    if sum(map(bool, (bot, invite, name))) != 1:
        raise BrassError(_("choose one of --bot LEVEL, --invite and --name NAME"))
    found = find_table(table)
    warm_up_with_bar()
    session = sessions.get(found.id)
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
        click.echo(link_to(session.table, repair.offer(session, number)))


def find_table(name: str) -> Table:
    """Find a table by its name, by the start of its name, or by its URL."""
    from brassmill.web.models import Table

    name = name.rstrip("/").rpartition("/")[2]
    known = Table.objects.filter(pk__startswith=name or "/").values_list("pk", flat=True)
    found = [pk for pk in known if pk.startswith(name)]  # SQLite ignores case
    if name in found:
        found = [name]
    if len(found) != 1:
        words = _("no table {name}; `brass admin tables` lists them")
        if found:
            words = _("several tables begin with {name}; type more of the name")
        raise BrassError(words.format(name=name))
    return Table.objects.get(pk=found[0])


def link_to(table: Table, seat: Seat) -> str:
    """Return the URL of an invitation, or a hint if the site does not know its own URL."""
    from django.urls import reverse

    from brassmill.web.server import site_url
    from brassmill.web.setup.seat_links import invitation

    path, site = reverse("join", args=[invitation(seat)]), site_url.of_table(table)
    if site:
        return f"{site}{path}"
    words = _("The site's address is unknown: put it in front of this, or set BRASSMILL_URL.")
    return f"{path}\n{words}"
