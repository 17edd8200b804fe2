"""A player's turns as a calendar (RFC 5545): their deadlines, or today where there is no clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from brassmill.language import gettext as _

FOLD = 75  # bytes of a line
BEFORE = timedelta(minutes=30)  # the event of a deadline begins this long before it


class Deadline(NamedTuple):
    """A turn that waits for the player."""

    table: str
    title: str
    words: str
    link: str
    due: datetime | None


def feed(deadlines: list[Deadline], now: datetime, host: str) -> str:
    """The calendar as text."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Brassmill//Turns//EN"]
    lines += ["METHOD:PUBLISH", f"X-WR-CALNAME:{escaped(_('Brassmill: your turns'))}"]
    lines += ["REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"]
    for each in deadlines:
        lines += ["BEGIN:VEVENT", f"UID:{each.table}@{host}", f"DTSTAMP:{_moment(now)}"]
        if each.due:
            lines += [f"DTSTART:{_moment(each.due - BEFORE)}", f"DTEND:{_moment(each.due)}"]
        else:
            today = now.astimezone(UTC).date()
            lines += [f"DTSTART;VALUE=DATE:{_day(today)}"]
            lines += [f"DTEND;VALUE=DATE:{_day(today + timedelta(days=1))}"]
        lines += [f"SUMMARY:{escaped(each.title)}", f"DESCRIPTION:{escaped(each.words)}"]
        lines += [f"URL:{each.link}", "TRANSP:TRANSPARENT", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return "".join(folded(line) + "\r\n" for line in lines)


def escaped(text: str) -> str:
    """A text as a value: backslashes, separators and line breaks are escaped."""
    for letter in ("\\", ";", ","):
        text = text.replace(letter, f"\\{letter}")
    lines = "\\n".join(text.splitlines())
    return "".join(letter for letter in lines if letter >= " " or letter == "\t")


def folded(line: str) -> str:
    """A line in pieces of at most 75 bytes, none of which cuts a letter in two."""
    pieces, piece, size = [], "", 0
    for letter in line:
        width = len(letter.encode())
        if size + width > FOLD:
            pieces.append(piece)
            piece, size = "", 1  # the space that continues a line
        piece, size = piece + letter, size + width
    return "\r\n ".join([*pieces, piece])


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _day(on: date) -> str:
    return f"{on:%Y%m%d}"
