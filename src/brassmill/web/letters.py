"""Letters: what the mails of the site say, as plain text in the language of the context.

They are made from what everybody at the table sees, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from brassmill.language import gettext as _
from brassmill.web.clock import CLOCKS, duration
from brassmill.web.games import level_of, listed, title_of
from brassmill.web.models import Seat, Table
from brassmill.web.templating import ordinal

PASSWORD = "password"  # a kind


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
    """Come and play."""
    clock = CLOCKS.get(table.clock)
    title = title_of(table.edition)
    return _letter(
        "invitation",
        _("{name} invites you to a game of Brass").format(name=host),
        _("{name} has kept a seat for you: {title}, {players} players.").format(
            name=host, title=title, players=table.players
        ),
        "\n".join(f"> {line}" for line in words.splitlines()),
        _("There is a clock: {clock}.").format(clock=clock.words) if clock else "",
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


def stood_in(table: Table, seat: Seat, link: str) -> Letter:
    """A bot has taken the seat."""
    return _letter(
        "bot",
        _("A bot plays for you: {title}").format(title=title_of(table.edition)),
        _("{name}, a bot plays in your place from now on ({level}).").format(
            name=seat.name, level=level_of(seat.bot)
        ),
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


def _game(table: Table, seat: Seat) -> str:
    """The game in a line, and who plays."""
    game = listed(table, seat.holder)
    names = ", ".join(who.name for who in game.sitters if who.seat != seat.number)
    return _("{title}, with {names}\n{stage}").format(
        title=game.title, names=names, stage=game.stage
    )
