"""Moments, durations and clocks in words, in the language of the context."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from brassmill.language import N_, language, ngettext
from brassmill.language import gettext as _
from brassmill.terms import ordinal
from brassmill.web.setup.clocks import CLOCKS

MINUTE, HOUR, DAY = 60, 3600, 86400
MONTHS = N_("January February March April May June July August September October November December")


def day(on: date | str) -> str:
    """A day in words; what is written in a record and is no date stays as it is."""
    if isinstance(on, str):
        try:
            return day(date.fromisoformat(on))
        except ValueError:
            return on
    number = ordinal(1) if language() == "fr" and on.day == 1 else str(on.day)
    words = _("{day} {month} {year}")
    return words.format(day=number, month=_(MONTHS).split()[on.month - 1], year=on.year)


def moment(at: datetime) -> str:
    """A day and the time of it."""
    return _("{day}, {time}").format(day=day(at), time=f"{at:%H:%M}")


def duration(time: timedelta) -> str:
    """How long something is, rounded: in days where they are whole or many."""
    minutes = max(0, round(time.total_seconds() / 60))
    hours = round(minutes / 60)
    if minutes < 60:
        return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    if hours % 24 and hours < 72:
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    days = round(hours / 24)
    return ngettext("{n} day", "{n} days", days).format(n=days)


def ago(at: datetime, now: datetime) -> str:
    """How long ago something was, in words."""
    seconds = max(0, int((now - at).total_seconds()))
    if seconds < MINUTE:
        return _("just now")
    if seconds < HOUR:
        number = seconds // MINUTE
        return ngettext("{n} minute ago", "{n} minutes ago", number).format(n=number)
    if seconds < DAY:
        number = seconds // HOUR
        return ngettext("{n} hour ago", "{n} hours ago", number).format(n=number)
    if seconds < 30 * DAY:
        number = seconds // DAY
        return ngettext("{n} day ago", "{n} days ago", number).format(n=number)
    return day(at)


def clock_words(name: str) -> str:
    """How much time there is by the clock of this name."""
    if name not in CLOCKS:
        return _("no clock")
    clock = CLOCKS[name]
    if not clock.is_bank:
        return _("{time} per turn").format(time=duration(clock.time))
    words = _("{time} per game plus {more} per turn")
    return words.format(time=duration(clock.time), more=duration(clock.increment))
