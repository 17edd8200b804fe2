"""Signing up and leaving: what a player, and the organiser, can do about who takes part."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.db import transaction

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.models import (
    Account,
    Entry,
    Tournament,
    TournamentPlayer,
    TournamentSeat,
    TournamentTable,
)
from brassmill.web.server import database
from brassmill.web.table import bots, rated, sessions
from brassmill.web.table.session import BrokenLog
from brassmill.web.tournaments import formats, rounds
from brassmill.web.tournaments.state import State

# Formats one can join in the middle; in the others a newcomer waits as a substitute.
JOINED_LATE = (formats.SWISS, formats.LEAGUE, formats.ARENA)
ENDED = N_("This tournament is over.")
NOBODY = N_("There is no such player.")
MOST_ENTRIES = 20  # unfinished tournaments of an account


def join(tournament: Tournament, account: Account) -> TournamentPlayer:
    """Sign an account up, again after it has left; late, or as a substitute if it is full."""
    with transaction.atomic():
        state = ongoing(tournament)
        found = state.tournament
        own = _own(state, account)
        if own and not own.is_out:
            return own
        if account.program:
            raise BrassError(_("Programs cannot join tournaments."))
        going = TournamentPlayer.objects.filter(
            account=account, is_out=False, tournament__ended=None
        )
        if going.count() >= MOST_ENTRIES:
            raise BrassError(_("You play in too many tournaments: leave one first."))
        has_begun = found.state != Tournament.OPEN
        if has_begun and found.style in JOINED_LATE and not found.late:
            raise BrassError(_("Nobody can join this tournament any more."))
        is_full = len(state.active) >= found.most
        entrant = own or TournamentPlayer(
            tournament=found,
            account=account,
            number=1 + max(state.numbers.values(), default=0),
        )
        entrant.is_out = False
        is_replaced = any(each.stands_for_id == entrant.pk for each in state.entrants if own)
        entrant.is_reserve = (
            is_full or is_replaced or (has_begun and found.style not in JOINED_LATE)
        )
        if found.style == formats.ARENA and has_begun:
            entrant.waits_since = None if _plays(entrant) else database.now()
        entrant.save()
        return entrant


def leave(tournament: Tournament, account: Account) -> None:
    """Take an account out; its running game stays its own."""
    with transaction.atomic():
        state = ongoing(tournament)
        own = _own(state, account)
        if own:
            _take_out(state, own)


def remove(tournament: Tournament, number: int) -> None:
    """Take a player out as the organiser; a bot takes over their running game."""
    with transaction.atomic():
        state = ongoing(tournament)
        entrant = numbered(state, number)
        _check_no_rival(state, entrant)
        _take_out(state, entrant)
    _stand_in(entrant)


def replace(tournament: Tournament, number: int, reserve: int) -> None:
    """Put a substitute into the place of a player, from the next round on."""
    with transaction.atomic():
        state = ongoing(tournament)
        if state.tournament.state == Tournament.OPEN:
            raise BrassError(_("Sign-up is still open: substitutes move up by themselves."))
        leaver, waiting = numbered(state, number), numbered(state, reserve)
        if leaver.is_reserve or leaver.is_out:
            raise BrassError(_(NOBODY))
        if not waiting.is_reserve or waiting.is_out:
            raise BrassError(_("Choose a substitute who is waiting."))
        _check_no_rival(state, leaver)
        _take_out(state, leaver)
        rounds.substitute(leaver, waiting)
    _stand_in(leaver)


def ongoing(tournament: Tournament) -> State:
    """The tournament, locked; an error says that it is over."""
    state = rounds.locked(tournament)
    check_goes_on(state.tournament)
    return state


def check_goes_on(tournament: Tournament) -> None:
    """Check that a tournament is neither over nor cancelled."""
    if tournament.state in (Tournament.OVER, Tournament.CANCELLED):
        raise BrassError(_(ENDED))


def check_impartial(state: State, table: TournamentTable) -> None:
    """Organisers decide nothing at a table where their own rating is at stake."""
    found = state.tournament
    own = {each.pk for each in state.entrants if each.account_id == found.organiser_id}
    if found.rated and any(seat.entrant_id in own for seat in table.seats.all()):
        raise BrassError(_("You play at this table yourself: an operator must decide it."))


def _check_no_rival(state: State, entrant: TournamentPlayer) -> None:
    """Check that a player plays no rated game with the organiser."""
    for table in state.tables:
        seated = {seat.entrant_id for seat in table.seats.all()}
        if entrant.pk in seated and not table.is_decided:
            check_impartial(state, table)


def numbered(state: State, number: int) -> TournamentPlayer:
    """A player by number."""
    for each in state.entrants:
        if each.number == number:
            return each
    raise BrassError(_(NOBODY))


def _own(state: State, account: Account) -> TournamentPlayer | None:
    return next((each for each in state.entrants if each.account_id == account.pk), None)


def _take_out(state: State, entrant: TournamentPlayer) -> None:
    if state.tournament.state == Tournament.OPEN:
        entrant.delete()  # as if they had never signed up
        if not entrant.is_reserve and state.reserves:
            TournamentPlayer.objects.filter(pk=state.reserves[0].pk).update(is_reserve=False)
        return
    TournamentPlayer.objects.filter(pk=entrant.pk).update(is_out=True, waits_since=None)


def _plays(entrant: TournamentPlayer) -> bool:
    """Is a game of theirs still undecided?"""
    return TournamentSeat.objects.filter(entrant=entrant.pk, at__is_decided=False).exists()


def _stand_in(entrant: TournamentPlayer) -> None:
    """Let a bot play the running game of a player; it moves no ratings."""
    if entrant.account is None:
        return
    undecided = TournamentSeat.objects.filter(entrant=entrant.pk, at__is_decided=False)
    for place in undecided.select_related("at"):
        if place.at.table_id is None:
            continue
        with suppress(BrokenLog):
            session = sessions.get(place.at.table_id)
            session.catch_up()
            for seat in session.seats:
                is_own = seat.holder == entrant.account.key
                if is_own and not session.over and not session.bots[seat.number]:
                    rated.unrate(session.table.pk)
                    session.catch_up()
                    session.replace(seat.number, session.table.standby, Entry.ASKED)
            bots.wake(session)


# --- accounts ------------------------------------------------------------------------------------


def erase(account: Account) -> None:
    """An account is about to be deleted: it plays in no more rounds, and its results stay."""
    TournamentPlayer.objects.filter(account=account, tournament__state=Tournament.OPEN).delete()
    TournamentPlayer.objects.filter(account=account).update(
        is_out=True, account=None, waits_since=None
    )


def export(account: Account) -> dict[str, Any]:
    """What an account has organised and where it has taken part, as plain data."""
    return {
        "organised": list(account.organised.order_by("made").values_list("pk", flat=True)),
        "entered": [
            {"tournament": each.tournament_id, "number": each.number, "out": each.is_out}
            for each in account.entered.order_by("pk")
        ],
    }
