"""The texts of e-mails, plain text in the language of the context.

They contain only what everyone at the table can see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.svg.panel import capital
from brassmill.terms import ordinal
from brassmill.web.models import Seat, Table
from brassmill.web.page.game_list import ListedGame, free_seats, level_of, listed, title_of
from brassmill.web.page.time_words import clock_words, duration

INVITATION, PASSWORD, AGAIN = "invitation", "password", "again"  # kinds
TOURNAMENT = "tournament"
# Browsers take the full stops of East Asia for dots, too. In a text, letters other than ours after
# one begin a sentence.
STOP = r"[\u3002\uff0e\uff61]"
DOT = rf"(\.|{STOP})"
LINK = re.compile(  # also names of hosts and their addresses
    rf"\w://|www{DOT}|\b[\w-]+(\.[^\W\d_]{{2,}}|{STOP}[a-z]{{2,}})\b|\b\d+({DOT}\d+){{3}}\b",
    re.IGNORECASE,
)
WHY = {  # why a bot plays for a player
    "time": N_("Your time ran out."),
    "asked": N_("The others waited for you for days, and one of them asked for a bot."),
}


class MailText(NamedTuple):
    """An e-mail without its recipient."""

    kind: str
    subject: str
    text: str

    def without(self, link: str) -> str:
        """Return the text without a link that only its reader may have."""
        return "\n\n".join(part for part in self.text.split("\n\n") if part != link)

    def signed(self, stop: str) -> str:
        """Return the text with the unsubscribe footer."""
        end = _("Stop e-mails to this address:")
        return f"{self.text}\n\n-- \nBrassmill\n{end}\n{stop}\n"


def confirmation(link: str) -> MailText:
    """Ask whether the reader of this address wants notifications."""
    return _mail_text(
        "confirmation",
        _("E-mail you when it is your turn?"),
        _("Someone, probably you, asked us to e-mail this address about games of Brass."),
        _("Yes, that was me:"),
        link,
        _("If it was not you, ignore this: you will not hear from us again."),
    )


def invitation(table: Table, host: str, link: str, words: str) -> MailText:
    """Invite someone: the game, the players and the clock."""
    game, name = listed(table, ""), _without_link(host)
    return _mail_text(
        INVITATION,
        _("{name} invites you to a game of Brass").format(name=name),
        _("{name} has saved you a seat: {title}, {players} players.").format(
            name=name, title=game.title, players=table.players
        ),
        "\n".join(f"> {line}" for line in words.splitlines()),
        "\n".join(
            (
                *(f"{option}." for option in game.options),
                *(_time(table), _hints(game)),
                *((f"{capital(game.rated)}.",) if table.rated else ()),
                _company(game),
            )
        ),
        _("Take your seat here, with your account:")
        if table.rated
        else _("Take your seat here, no account needed:"),
        link,
    )


def again(table: Table, host: str, link: str) -> MailText:
    """Invite someone to play again."""
    name = _without_link(host)
    return _mail_text(
        AGAIN,
        _("{name} wants to play again: {title}").format(name=name, title=title_of(table.edition)),
        _("{name} has saved you a seat: {title}, {players} players.").format(
            name=name, title=title_of(table.edition), players=table.players
        ),
        _("Take your seat here, no account needed:"),
        link,
    )


def new_passwords(links: Mapping[str, str]) -> MailText:
    """Offer a new password: a link for each account of the address, by name.

    Anyone can sign up with this address.
    """
    return _mail_text(
        PASSWORD,
        _("A new password for Brassmill"),
        _(
            "Someone, probably you, forgot their Brassmill password. Choose a new one here "
            "within a day:"
        ),
        *(f"{_without_link(name)}\n{link}" for name, link in links.items()),
        _("If it was not you, ignore this."),
    )


def your_turn(table: Table, seat: Seat, link: str, left: timedelta | None) -> MailText:
    """Say that it is the reader's turn."""
    return _mail_text(
        "turn",
        _("Your turn: {title}").format(title=title_of(table.edition)),
        _("It is your turn, {name}.").format(name=_without_link(seat.name)),
        _game(table, seat),
        _("You have {time}.").format(time=duration(left)) if left else "",
        link,
    )


def running_out(table: Table, seat: Seat, link: str, left: timedelta) -> MailText:
    """Warn that a bot will take the seat."""
    return _mail_text(
        "time",
        _("{time} left: {title}").format(time=duration(left), title=title_of(table.edition)),
        _("Your time is running out, {name}: {time} left. Then a bot takes over ({level}).").format(
            name=_without_link(seat.name), time=duration(left), level=level_of(table.standby)
        ),
        _game(table, seat),
        link,
    )


def stood_in(table: Table, seat: Seat, link: str, why: str) -> MailText:
    """Say that a bot has taken the seat, and why."""
    return _mail_text(
        "bot",
        _("A bot has taken over: {title}").format(title=title_of(table.edition)),
        _("{name}, a bot now plays for you ({level}).").format(
            name=_without_link(seat.name), level=level_of(seat.bot)
        ),
        _(WHY[why]) if why in WHY else "",
        _("You can take your seat back any time:"),
        link,
    )


def said(table: Table, seat: Seat, author: Seat, link: str, is_named: bool) -> MailText:
    """Say that somebody has written in the chat, but not what."""
    name, title = _without_link(author.name), title_of(table.edition)
    subject = (
        _("{name} mentions you in the chat: {title}")
        if is_named
        else _("{name} writes in the chat: {title}")
    )
    return _mail_text(
        "mention" if is_named else "chat",
        subject.format(name=name, title=title),
        _game(table, seat),
        link,
    )


def public_turn(table: Table, seat: Seat) -> MailText:
    """Say whose turn it is, to anyone."""
    words = _("{name} to move: {title}")
    name = _without_link(seat.name)
    return _mail_text("turn", words.format(name=name, title=title_of(table.edition)))


def over(table: Table, seats: dict[int, str], result: list[list[int]], link: str) -> MailText:
    """Say how the game ended."""
    lines = [
        _("{place} {name}, {points} VP").format(
            place=ordinal(rank), name=_without_link(seats[seat]), points=points
        )
        for seat, rank, points in result
    ]
    return _mail_text(
        "over",
        _("The game is over: {title}").format(title=title_of(table.edition)),
        _("Your game of {title} is over.").format(title=title_of(table.edition)),
        "\n".join(lines) if result else _("It ended without a result."),
        _("See the result and every action of the game:"),
        link,
    )


def round_begins(tournament: str, number: int, table: Table, seat: Seat, link: str) -> MailText:
    """Say that a round of a tournament has begun, and who plays."""
    name = _without_link(tournament)
    return _mail_text(
        TOURNAMENT,
        _("Round {number} of {tournament}").format(number=number, tournament=name),
        _("Round {number} of {tournament} has begun.").format(number=number, tournament=name),
        _game(table, seat),
        link,
    )


def tournament_over(tournament: str, place: int, players: int, link: str) -> MailText:
    """Say that a tournament is over, and how the reader did."""
    name = _without_link(tournament)
    return _mail_text(
        TOURNAMENT,
        _("{tournament} is over").format(tournament=name),
        _("{tournament} is over. You are {place} of {players}.").format(
            tournament=name, place=ordinal(place), players=players
        ),
        link,
    )


def _without_link(name: str) -> str:
    """A player's name; a reader must not be led elsewhere by it."""
    return _("Someone") if LINK.search(name) else name


def _mail_text(kind: str, subject: str, *paragraphs: str) -> MailText:
    return MailText(kind, subject, "\n\n".join(filter(None, paragraphs)))


def _time(table: Table) -> str:
    if not table.clock:
        return _("No clock.")
    return _("Clock: {clock}.").format(clock=clock_words(table.clock))


def _hints(game: ListedGame) -> str:
    """Say whether players may ask the coach; an invitation is always between people."""
    return capital(game.hints) + "."


def _company(game: ListedGame) -> str:
    """Say who is at the table and how many are still to come."""
    there = [each for each in game.seats if not each.is_open]
    return _("At the table: {names}; {seats}.").format(
        names=", ".join(
            _without_link(each.name) + (f" ({each.level})" if each.level else "") for each in there
        ),
        seats=free_seats(len(game.seats) - len(there)),
    )


def _game(table: Table, seat: Seat) -> str:
    """Describe the game in one line, and its players."""
    game = listed(table, seat.holder)
    others = (each.name for each in game.seats if each.seat != seat.number)
    names = ", ".join(map(_without_link, others))
    return _("{title}, with {names}\n{stage}").format(
        title=game.title, names=names, stage=game.stage
    )
