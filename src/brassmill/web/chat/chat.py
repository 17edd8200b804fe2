"""The chat of a table: plain text messages between its players.

It contains nothing about the game except what people type. Everyone who may read the chat sees a
new message at once. A reported message is hidden from the person who reported it, and an operator
can hide it from everyone.
"""

from __future__ import annotations

import unicodedata

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.web.mail import notifications
from brassmill.web.models import Message, Report, Seat, Table
from brassmill.web.server import notify
from brassmill.web.setup.visible import is_visible
from brassmill.web.table import live

INTERLINEAR = "\ufff9\ufffa\ufffb"  # marks of annotations
DIRECTIONS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}  # of writing


def _is_control(letter: str) -> bool:
    """Is it invisible and changes how others are read? Joiners are not: emoji consist of them."""
    is_direction = unicodedata.bidirectional(letter) in DIRECTIONS
    is_half = unicodedata.category(letter) == "Cs"  # of a character, which cannot be stored
    return unicodedata.category(letter) == "Cc" or is_direction or is_half or letter in INTERLINEAR


def without_controls(text: str) -> str:
    """A text on one line, without letters that change how others are read."""
    words = " ".join(text.split())
    return "".join(letter for letter in words if not _is_control(letter))


def say(table: Table, seat: Seat, text: str) -> None:
    """Post a message; raise an error if it is not allowed."""
    words = words_in(text)
    if table.muted:
        raise BrassError(_("The host has closed this chat."))
    Message.objects.create(
        table=table, seat=seat.number, name=seat.name, text=words, author=seat.holder
    )
    notifications.said(table, seat, words)
    _tell(table.id)


def words_in(text: str) -> str:
    """What a message says; raise an error if it is empty or too long."""
    words = without_controls(text)
    if not is_visible(words):
        raise BrassError(_("The message is empty."))
    if len(words) > Message.LONGEST:
        raise BrassError(
            ngettext(
                "{n} character too long: at most {most}.",
                "{n} characters too long: at most {most}.",
                len(words) - Message.LONGEST,
            ).format(n=len(words) - Message.LONGEST, most=Message.LONGEST)
        )
    return words


def report(table: Table, key: str, number: int) -> None:
    """Report a message to the operator and hide it from the person who reports it."""
    message = Message.objects.filter(table=table, pk=number).first()
    if message is None:
        raise BrassError(_("This message does not exist."))
    Report.objects.get_or_create(message=message, visitor=key)


def mute(table: Table, is_muted: bool) -> None:
    """Close the chat of a table, or reopen it."""
    table.muted = is_muted
    table.save(update_fields=["muted"])
    _tell(table.id)


def hide(message: Message, is_hidden: bool = True) -> None:
    """Hide a message from everyone, or show it again."""
    message.hidden = is_hidden
    message.save(update_fields=["hidden"])
    _tell(message.table_id)


def _tell(table_id: str) -> None:
    """Notify every open page of the table, in every process, that the chat has changed."""
    notify.send(notify.SAID, table_id)
    live.said(table_id)
