"""The chat of a table as one visitor sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from brassmill.web.models import Message, Seat, Table
from brassmill.web.page.time_words import ago

SHOWN = 100  # messages, the last ones


@dataclass(frozen=True)
class ChatLine:
    """A message as shown."""

    id: int
    seat: int
    name: str
    is_program: bool
    text: str
    at: str
    ago: str
    is_yours: bool


@dataclass(frozen=True)
class Chat:
    """The chat as one visitor sees it."""

    lines: tuple[ChatLine, ...]
    can_write: bool
    is_muted: bool
    is_host: bool

    @property
    def newest(self) -> int:
        """The id of the last message; 0: none."""
        return self.lines[-1].id if self.lines else 0

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


def is_chat_for(table: Table, seats: Sequence[Seat], key: str) -> bool:
    """Can a visitor read the chat? A table on a single screen has none."""
    if not any(seat.is_for_guest for seat in seats):
        return False
    return table.overheard or any(key and seat.holder == key for seat in seats)


def chat_of(table: Table, seats: Sequence[Seat], key: str) -> Chat | None:
    """The chat as a visitor may read it; None if they may not."""
    if not is_chat_for(table, seats, key):
        return None
    programs = {seat.number for seat in seats if seat.program}
    held = {seat.number for seat in seats if key and seat.holder == key}
    newest = (
        Message.objects.filter(table=table, hidden=False)
        .exclude(reports__visitor=key)
        .order_by("-pk")[:SHOWN]
    )
    now = timezone.now()
    lines = [
        ChatLine(
            message.pk,
            message.seat,
            message.name,
            message.seat in programs,
            message.text,
            message.at.isoformat(timespec="seconds"),
            ago(message.at, now),
            message.author == key,
        )
        for message in reversed(newest)
    ]
    return Chat(tuple(lines), bool(held) and not table.muted, table.muted, table.host == key)
