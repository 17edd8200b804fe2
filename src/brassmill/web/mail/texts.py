"""Letters: what the mails of the site say, as plain text in the language of the context.

They are made from what everybody at the table sees, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.terms import ordinal
from brassmill.web.models import Seat, Table
from brassmill.web.page.game_list import Listed, free_seats, level_of, listed, title_of
from brassmill.web.table.clock import CLOCKS, duration

INVITATION, PASSWORD, AGAIN = "invitation", "password", "again"  # kinds
WHY = {  # a bot plays for somebody
    "time": N_("Your time was over."),
    "asked": N_("The others have waited for you for days, and one of them asked for it."),
}


class Letter(NamedTuple):
    """A mail without its reader."""

    kind: str
    subject: str
    text: str

    def signed(self, stop: str) -> str:
        """The text, and how to get no more of them."""
        end = _("No more mails to this address:")
        return f"{self.text}\n\n-- \nBrassmill\n{end}\n{stop}\n"


def confirmation(link: str) -> Letter:
    """Does the reader of this address want to be told?"""
    return _letter(
        "confirmation",
        _("Shall we write to you when it is your turn?"),
        _("Somebody, most likely you, asked for mails to this address about games of Brass."),
        _("Yes, that was me:"),
        link,
        _("If it was not you, do nothing: you will not hear from us again."),
    )


def invitation(table: Table, host: str, link: str, words: str) -> Letter:
    """Come and play: what, with whom and by which clock."""
    game = listed(table, "")
    return _letter(
        INVITATION,
        _("{name} invites you to a game of Brass").format(name=host),
        _("{name} has kept a seat for you: {title}, {players} players.").format(
            name=host, title=game.title, players=table.players
        ),
        "\n".join(f"> {line}" for line in words.splitlines()),
        "\n".join((*(f"{option}." for option in game.options), _time(table), _company(game))),
        _("Sit down here; no account is needed:"),
        link,
    )


def again(table: Table, host: str, link: str) -> Letter:
    """Come and play once more."""
    return _letter(
        AGAIN,
        _("{name} plays again: {title}").format(name=host, title=title_of(table.edition)),
        _("{name} has kept a seat for you: {title}, {players} players.").format(
            name=host, title=title_of(table.edition), players=table.players
        ),
        _("Sit down here; no account is needed:"),
        link,
    )


def new_passwords(links: Mapping[str, str]) -> Letter:
    """Choose another password; a link for each account of the address, by its name."""
    return _letter(
        PASSWORD,
        _("A new password for Brassmill"),
        _(
            "Somebody, probably you, has forgotten a password at Brassmill. A new one can be chosen"
            " here, within a day:"
        ),
        *(f"{name}\n{link}" for name, link in links.items()),
        _("If it was not you, do nothing."),
    )


def your_turn(table: Table, seat: Seat, link: str, left: timedelta | None) -> Letter:
    """The others wait."""
    return _letter(
        "turn",
        _("Your turn: {title}").format(title=title_of(table.edition)),
        _("It is your turn, {name}.").format(name=seat.name),
        _game(table, seat),
        _("You have {time}.").format(time=duration(left)) if left else "",
        link,
    )


def running_out(table: Table, seat: Seat, link: str, left: timedelta) -> Letter:
    """A bot will take the seat."""
    return _letter(
        "time",
        _("{time} left: {title}").format(time=duration(left), title=title_of(table.edition)),
        _(
            "Your time runs out, {name}: {time} left. After that a bot plays for you ({level})."
        ).format(name=seat.name, time=duration(left), level=level_of(table.standby)),
        _game(table, seat),
        link,
    )


def stood_in(table: Table, seat: Seat, link: str, why: str) -> Letter:
    """A bot has taken the seat, and why."""
    return _letter(
        "bot",
        _("A bot plays for you: {title}").format(title=title_of(table.edition)),
        _("{name}, a bot plays in your place from now on ({level}).").format(
            name=seat.name, level=level_of(seat.bot)
        ),
        _(WHY[why]) if why in WHY else "",
        _("You can take your seat back at any time:"),
        link,
    )


def over(table: Table, seats: dict[int, str], result: list[list[int]], link: str) -> Letter:
    """How it ended."""
    lines = [
        _("{place} {name}, {points} points").format(
            place=ordinal(rank), name=seats[seat], points=points
        )
        for seat, rank, points in result
    ]
    return _letter(
        "over",
        _("The game is over: {title}").format(title=title_of(table.edition)),
        _("The game of {title} is over.").format(title=title_of(table.edition)),
        "\n".join(lines) if result else _("It was ended without a result."),
        _("The result, and every action of the game:"),
        link,
    )


def _letter(kind: str, subject: str, *paragraphs: str) -> Letter:
    return Letter(kind, subject, "\n\n".join(filter(None, paragraphs)))


def _time(table: Table) -> str:
    clock = CLOCKS.get(table.clock)
    if clock is None:
        return _("There is no clock.")
    return _("There is a clock: {clock}.").format(clock=clock.words)


def _company(game: Listed) -> str:
    """Who has sat down, and how many are to come."""
    there = [who for who in game.sitters if not who.is_open]
    return _("At the table: {names}; {seats}.").format(
        names=", ".join(f"{who.name} ({who.level})" if who.level else who.name for who in there),
        seats=free_seats(len(game.sitters) - len(there)),
    )


def _game(table: Table, seat: Seat) -> str:
    """The game in a line, and who plays."""
    game = listed(table, seat.holder)
    names = ", ".join(who.name for who in game.sitters if who.seat != seat.number)
    return _("{title}, with {names}\n{stage}").format(
        title=game.title, names=names, stage=game.stage
    )
