"""`brass admin messages`, `hide`, `close-chat`, `block`, `unblock`, `blocks`: moderation."""

from __future__ import annotations

import click

from brassmill.errors import BrassError
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import (
    AdminCommand,
    find_table,
    grid_of,
    one_json,
    print_grid,
    print_json,
)


@click.command(cls=AdminCommand, help=N_("List chat messages, newest last."))
@click.option("--reported", is_flag=True, help=N_("Reported messages only."))
@click.option("--table", default="", help=N_("Messages at this table only."))
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help=N_("Show at most this many."),
)
@one_json
def messages(reported: bool, table: str, most: int, as_json: bool) -> None:
    from django.db.models import Count
    from django.utils import timezone

    from brassmill.web.models import Message
    from brassmill.web.page.time_words import ago

    found = Message.objects.annotate(times=Count("reports")).order_by("-pk")
    if table:
        found = found.filter(table=find_table(table))
    if reported:
        found = found.filter(times__gt=0)
    rows = list(reversed(found[:most]))
    if as_json:
        print_json(
            [
                {
                    "message": row.pk,
                    "table": row.table_id,
                    "seat": row.seat + 1,
                    "name": row.name,
                    "text": row.text,
                    "at": row.at.isoformat(timespec="seconds"),
                    "reports": row.times,
                    "hidden": row.hidden,
                }
                for row in rows
            ]
        )
        return
    grid = grid_of(_("message"), _("table"), _("player"), _("text"), _("when"), _("reports"))
    for row in rows:
        text = _("{text} (hidden)").format(text=row.text) if row.hidden else row.text
        when, times = ago(row.at, timezone.now()), str(row.times or "")
        grid.add_row(f"#{row.pk}", row.table_id, row.name, text, when, times)
    print_grid(grid)


@click.command(cls=AdminCommand, help=N_("Hide messages from everyone, on open pages too."))
@click.argument("messages", nargs=-1, required=True, metavar="MESSAGE...")
@click.option("--undo", is_flag=True, help=N_("Show the messages again."))
def hide(messages: tuple[str, ...], undo: bool) -> None:
    from brassmill.web.chat import chat
    from brassmill.web.identity.blocks import find_message

    for message in [find_message(number) for number in messages]:
        chat.hide(message, not undo)
    words = ngettext("{n} message changed.", "{n} messages changed.", len(messages))
    click.echo(words.format(n=len(messages)))


@click.command("close-chat", cls=AdminCommand, help=N_("Close the chat of a table."))
@click.argument("table")
@click.option("--undo", is_flag=True, help=N_("Open the chat again."))
def close_chat(table: str, undo: bool) -> None:
    from brassmill.web.chat import chat

    found = find_table(table)
    chat.mute(found, not undo)
    words = _("The chat at {table} is open.") if undo else _("The chat at {table} is closed.")
    click.echo(words.format(table=found.id))


@click.command(
    cls=AdminCommand,
    help=N_(
        "Block someone from new games, seats and chats: an IP address, TABLE:SEAT, #MESSAGE or "
        "a name."
    ),
)
@click.argument("who")
@click.option("--reason", default="", help=N_("Reason, shown in the list of blocks."))
def block(who: str, reason: str) -> None:
    from brassmill.web.identity import blocks

    made = blocks.block(who, reason[:200])
    words = _(
        "{name} has been blocked ({number}). Their running games continue; `seat` gives a seat "
        "to someone else."
    )
    click.echo(words.format(name=made.name, number=made.pk))


@click.command(cls=AdminCommand, help=N_("Remove a block, by number or name."))
@click.argument("block", metavar="BLOCK")
def unblock(block: str) -> None:
    from brassmill.web.models import Block

    by = {"pk": int(block)} if block.isdecimal() and len(block) < 16 else {"name__iexact": block}
    found = list(Block.objects.filter(**by))
    if len(found) != 1:
        words = _("no block {name}; `brass admin blocks` lists them")
        if found:
            words = _("several blocks are called {name}; give a number")
        raise BrassError(words.format(name=block))
    found[0].delete()
    click.echo(_("{name} is no longer blocked.").format(name=found[0].name))


@click.command(cls=AdminCommand, help=N_("List all blocks."))
@one_json
def blocks(as_json: bool) -> None:
    from brassmill.web.models import Block

    rows = list(Block.objects.all())
    if as_json:
        print_json(
            [
                {
                    "block": row.pk,
                    "name": row.name,
                    "by": "address" if row.address else "visitor",
                    "reason": row.reason,
                    "at": row.at.isoformat(timespec="seconds"),
                }
                for row in rows
            ]
        )
        return
    grid = grid_of(_("block"), _("name"), _("known by"), _("reason"), _("since"))
    for row in rows:
        by = _("address") if row.address else _("cookie")
        grid.add_row(str(row.pk), row.name, by, row.reason, f"{row.at:%Y-%m-%d}")
    print_grid(grid)
