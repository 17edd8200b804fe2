"""The course of a tournament: it begins, its rounds follow each other, and it ends, by itself.

A thread of every process looks at the tournaments again and again. Whatever it changes happens in
one transaction that begins by locking the tournament and reading it again, so several processes do
everything once, and a restart in between loses nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from brassmill.play.seating import Participant
from brassmill.web.mail import notifications
from brassmill.web.models import (
    Seat,
    Table,
    Tournament,
    TournamentPlayer,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    token,
)
from brassmill.web.server import database, periodic
from brassmill.web.server.database import TROUBLE
from brassmill.web.table import sessions
from brassmill.web.table.create import create_table, random_deal
from brassmill.web.table.start import start
from brassmill.web.tournaments import formats
from brassmill.web.tournaments.seating import Seating
from brassmill.web.tournaments.state import State, rounds_in_all, state_of
from brassmill.web.tournaments.taking import TakenResult, results_at

ROUND = 3.0  # seconds between looks
PATIENCE = timedelta(minutes=2)  # in an arena, before a table smaller than usual begins
STANDBY = "apprentice"  # the bot for players who are away

log = logging.getLogger("brassmill.web")


def run() -> None:
    """Look at all tournaments, forever."""
    periodic.repeat(do_what_is_due, ROUND)


def do_what_is_due() -> None:
    """Begin what is due, take over results, begin and end rounds."""
    now = database.now()
    waiting = Tournament.objects.filter(state=Tournament.OPEN, starts__lte=now)
    unfinished = Q(rounds_played__ended=None, rounds_played__isnull=False)
    going = Tournament.objects.filter(Q(state=Tournament.RUNNING) | unfinished).distinct()
    for task, found in ((begin, waiting), (go_on, going)):
        for tournament in found.order_by("starts"):
            _try(task, tournament, now)


def _try(task: Callable[[Tournament, datetime], None], found: Tournament, now: datetime) -> None:
    """Do a task; a failure stops no other tournament."""
    try:
        task(found, now)
    except TROUBLE:
        raise
    except Exception:
        log.exception("a due task failed in tournament %s", found.pk)


def locked(tournament: Tournament) -> State:
    """The tournament as it stands, locked until the end of the transaction."""
    return state_of(Tournament.objects.select_for_update().get(pk=tournament.pk))


# --- beginning -----------------------------------------------------------------------------------


def begin(tournament: Tournament, now: datetime) -> None:
    """Begin with those who have signed up; with too few it is cancelled."""
    with transaction.atomic():
        state = locked(tournament)
        found = state.tournament
        if found.state != Tournament.OPEN:
            return
        players = [each.number for each in state.active]
        if len(players) < min(state.allowed):
            found.state, found.ended = Tournament.CANCELLED, now
            found.save(update_fields=["state", "ended"])
            return
        found.state, found.starts = Tournament.RUNNING, now
        if state.style == formats.ROUND_ROBIN:
            found.rounds = formats.rounds_of(state.style, len(players), found.size, 0)
        if state.style == formats.LEAGUE:
            divisions = _divide(state, formats.drawn(players, found.key))
            longest = max(map(len, divisions))
            found.season = formats.rounds_of(state.style, longest, found.size, 0)
        found.save(update_fields=["state", "starts", "rounds", "season"])
        if state.style == formats.ARENA:
            found.entrants.filter(is_out=False).update(waits_since=now)
            return
        _begin_round(state, now)


def _divide(state: State, order: Sequence[int]) -> list[list[int]]:
    """Put the players of a league into divisions, the best first."""
    found = state.tournament
    divisions = formats.divided(order, found.division, min(state.allowed))
    rows = {each.number: each for each in state.entrants}
    rank = 0
    for number, division in enumerate(divisions):
        for player in division:
            rank += 1
            rows[player].division, rows[player].rank = number, rank
    TournamentPlayer.objects.bulk_update(rows.values(), ["division", "rank"])
    return divisions


# --- going on ------------------------------------------------------------------------------------


def go_on(tournament: Tournament, now: datetime) -> None:
    """Take over results; when a round is over, begin the next one or end the tournament."""
    results = _results_of(tournament)  # read before the lock: games may have to be replayed
    if not results and not _has_work(tournament, now):
        return
    with transaction.atomic():
        state = locked(tournament)
        for table in state.tables:
            if table.pk in results and not table.is_decided:
                decide(table, results[table.pk], now)
        state = state_of(state.tournament)
        for each in state.rounds:
            if each.ended is None and all(t.is_decided for t in state.tables_of(each.number)):
                _end_round(each, state.tables_of(each.number), now)
        if state.tournament.state != Tournament.RUNNING:
            return
        if state.style == formats.ARENA:
            _go_on_with_arena(_with_substitutes(state), now)
        elif state.round and state.round.ended:
            _follow(state, state.round, now)


def _has_work(found: Tournament, now: datetime) -> bool:
    """Is there anything to do without a new result? Otherwise nothing is locked."""
    if TournamentTable.objects.filter(round__tournament=found, is_decided=False).exists():
        waiting = found.entrants.filter(is_out=False, waits_since__isnull=False)
        return found.style == formats.ARENA and waiting.exists()
    last = found.rounds_played.last()
    if last is None or last.ended is None or now >= last.began + found.interval:
        return True
    return _is_last(found, last)


def _is_last(found: Tournament, last: TournamentRound) -> bool:
    """Does no round follow this one?"""
    if found.style == formats.KNOCK_OUT:
        # The final, or byes alone: too few for a table are left, and they share the first place.
        is_final = last.tables.count() == 1
        return is_final or not TournamentSeat.objects.filter(at__round=last, seat__gt=0).exists()
    return 0 < rounds_in_all(found) <= last.number


def _results_of(tournament: Tournament) -> dict[int, list[TakenResult]]:
    """The results of games that have ended."""
    open_tables = TournamentTable.objects.filter(round__tournament=tournament, is_decided=False)
    found = {}
    over = open_tables.filter(Q(table=None) | Q(table__over=True))
    for table in over.select_related("table"):
        result = results_at(table.table, table.seats.count())
        if result is not None:
            found[table.pk] = result
    return found


def decide(table: TournamentTable, results: Sequence[TakenResult], now: datetime) -> None:
    """Store a result; players who did not appear are out, and the others wait again."""
    seats = list(table.seats.all())
    for seat, result in zip(seats, results, strict=True):
        seat.rank, seat.vp, seat.why = result
    TournamentSeat.objects.bulk_update(seats, ["rank", "vp", "why"])
    TournamentTable.objects.filter(pk=table.pk).update(is_decided=True)
    for seat in seats:
        entrant = TournamentPlayer.objects.filter(pk=seat.entrant_id)
        if seat.why == TournamentSeat.NO_SHOW:
            entrant.update(is_out=True, waits_since=None)
        else:
            entrant.filter(is_out=False).update(waits_since=now)


def _end_round(ended: TournamentRound, tables: Sequence[TournamentTable], now: datetime) -> None:
    """End a round: from now on everyone may see its games."""
    held = [table.table_id for table in tables if table.table and table.table.held]
    if held and Table.objects.filter(pk__in=held, over=False).exists():
        return  # an organiser has decided about a game that others can still use
    TournamentRound.objects.filter(pk=ended.pk).update(ended=now)
    ended.ended = now
    if held:
        Table.objects.filter(pk__in=held).update(held=False)
        sessions.changed(*sorted(filter(None, held)))


def _follow(state: State, last: TournamentRound, now: datetime) -> None:
    """After a round: the next one, once it is time, or the end."""
    found = state.tournament
    if _is_last(found, last) or len(state.active) + len(state.reserves) < min(state.allowed):
        _finish(state, now)
    elif now >= last.began + found.interval:
        if state.style == formats.LEAGUE and last.number % found.season == 0:
            state = _next_season(state)
        _begin_round(state, now)


def _finish(state: State, now: datetime) -> None:
    found = state.tournament
    found.state, found.ended = Tournament.OVER, now
    found.save(update_fields=["state", "ended"])
    rows = state.standings()
    path = reverse("tournament", args=[found.pk])
    for row in rows:
        entrant = next(each for each in state.entrants if each.number == row.player)
        seats = TournamentSeat.objects.filter(entrant=entrant, at__table__isnull=False)
        last = seats.select_related("at__table").order_by("-at__round__number").first()
        if last is None or last.at.table is None or entrant.account is None:
            continue
        seat = last.at.table.seats.filter(holder=entrant.account.key).first()
        if seat:
            standing = row.place, len(rows)
            notifications.tournament_over(found.name, path, standing, last.at.table, seat)


# --- rounds --------------------------------------------------------------------------------------


def _begin_round(state: State, now: datetime) -> None:
    """Seat the next round."""
    state = _with_substitutes(state)
    groups = _groups(state)
    if any(groups):
        _open(state, groups, now)
    else:
        _finish(state, now)


def _with_substitutes(state: State) -> State:
    """Give the places of those who have left to substitutes, in the order of sign-up."""
    if state.round is None:
        return state
    replaced = {each.stands_for_id for each in state.entrants}
    places: Collection[int] = state.numbers.values()
    if state.style == formats.KNOCK_OUT:
        places = _through(state, state.round.number)
    gone = [
        each
        for each in state.entrants
        if each.is_out and not each.is_reserve and each.pk not in replaced and each.number in places
    ]
    for leaver, reserve in zip(gone, state.reserves, strict=False):
        substitute(leaver, reserve)
    return state_of(state.tournament)


def substitute(leaver: TournamentPlayer, reserve: TournamentPlayer) -> None:
    """Put a substitute into the place of a player who has left."""
    reserve.is_reserve, reserve.stands_for = False, leaver
    reserve.division, reserve.rank = leaver.division, leaver.rank
    reserve.waits_since = database.now()
    reserve.save()


def _groups(state: State) -> list[Seating]:
    """The tables of the next round, by division."""
    found = state.tournament
    number = 1 + (state.round.number if state.round else 0)
    players = [each.number for each in state.active]
    if state.style == formats.SWISS:
        tables = [table for table in state.counted if table.round < number]
        return [formats.swiss(players, tables, state.history(), state.kind, found.key)]
    if state.style == formats.ROUND_ROBIN:
        return [_everyone_meets(state, players, 1)]
    if state.style == formats.KNOCK_OUT:
        left = formats.drawn(players, found.key)
        if state.round:
            left = _present(state, _through(state, state.round.number))
        return [formats.knock_out(left, number, state.kind, found.key)]
    season = 1 + (number - 1) // found.season * found.season
    return [
        _everyone_meets(state, [each for each in division if each in players], season, n)
        for n, division in enumerate(state.divisions())
    ]


def _everyone_meets(
    state: State, players: Sequence[int], first: int, division: int | None = None
) -> Seating:
    """The tables of a round robin, or of a league's division, that began with a round."""
    found = state.tournament
    number = 1 + (state.round.number if state.round else 0)
    places = list(players)
    if found.size == 2:
        # The circle of those who began: whoever should meet a player who has left has a bye.
        tables = [each for each in state.tables_of(first) if each.division == (division or 0)]
        seats = [seat for table in tables for seat in table.seats.all()]
        places = [state.numbers[seat.entrant_id] for seat in seats] or places
    key = found.key if division is None else f"{found.key} {division}"
    history = state.history(first)
    seated = formats.round_robin(places, number - first + 1, history, state.kind, key)
    return [*filter(None, (tuple(_present(state, table)) for table in seated))]


def _through(state: State, number: int) -> list[int]:
    """Who plays on after a round of a knock-out."""
    order = formats.drawn(state.numbers.values(), state.tournament.key)
    return formats.survivors(state.decided_in(number), order, min(state.allowed))


def _present(state: State, players: Sequence[int]) -> list[int]:
    """Those who still play, or their substitutes."""
    heirs = {
        state.numbers[each.stands_for_id]: each.number
        for each in state.entrants
        if each.stands_for_id
    }
    active = {each.number for each in state.active}
    found = []
    for player in players:
        while player in heirs and player not in active:
            player = heirs[player]
        if player in active:
            found.append(player)
    return found


def _open(state: State, groups: Sequence[Seating], now: datetime) -> None:
    """Store a round and set up its tables."""
    found = state.tournament
    number = 1 + (state.round.number if state.round else 0)
    begun = TournamentRound.objects.create(tournament=found, number=number, began=now)
    rows = {each.number: each for each in state.entrants}
    at = 0
    for division, tables in enumerate(groups):
        for players in tables:
            at += 1
            _set_up(found, begun, (at, division), [rows[player] for player in players])
    if found.duplicate:
        begun.save(update_fields=["deals"])


def _set_up(
    found: Tournament,
    begun: TournamentRound,
    where: tuple[int, int],
    players: Sequence[TournamentPlayer],
) -> None:
    """Set up a table; one player alone has a bye."""
    table = _table(found, begun, players) if len(players) > 1 else None
    row = TournamentTable.objects.create(
        round=begun, number=where[0], division=where[1], table=table, is_decided=table is None
    )
    TournamentSeat.objects.bulk_create(
        TournamentSeat(at=row, entrant=each, seat=number, rank=0 if table else 1)
        for number, each in enumerate(players)
    )
    TournamentPlayer.objects.filter(pk__in=[each.pk for each in players]).update(waits_since=None)


def _table(found: Tournament, begun: TournamentRound, players: Sequence[TournamentPlayer]) -> Table:
    """The game of a table, which starts once all of the round is stored."""
    accounts = [each.account for each in players]
    names = [account.name if account else "" for account in accounts]
    size = str(len(players))
    if found.duplicate and size not in begun.deals:
        begun.deals[size] = random_deal(found.edition, len(players), found.options)
    table = create_table(
        found.edition,
        len(players),
        found.options,
        [Participant(name, name) for name in names],
        dealt=begun.deals.get(size),
        listed=True,
        tournament=found.pk,
        held=found.duplicate,
        overheard=not found.duplicate,
        rated=found.rated,
        clock=found.clock,
        standby=STANDBY,
        site=found.site,
    )
    seats = list(table.seats.all())
    for seat, account in zip(seats, accounts, strict=True):
        seat.holder, seat.invite = account.key if account else "", token()
        seat.program = account is not None and account.program
    Seat.objects.bulk_update(seats, ["holder", "invite", "program"])
    for seat in seats:
        notifications.round_begins(found.name, begun.number, table, seat)
    transaction.on_commit(partial(start, table.pk), robust=True)
    return table


# --- leagues and arenas --------------------------------------------------------------------------


def _next_season(state: State) -> State:
    """Promote and relegate; newcomers begin in the last division."""
    found = state.tournament
    active = [each.number for each in state.active]
    # Only those who still play: otherwise players who have left would be relegated for others.
    ranked = [
        [row.player for row in rows if row.player in active] for rows in state.season_standings()
    ]
    order = formats.promoted(ranked, found.movers)
    _divide(state, order + [player for player in active if player not in order])
    return state_of(found)


def _go_on_with_arena(state: State, now: datetime) -> None:
    """Seat those who wait, until the time is over; then wait for the last games."""
    if state.ends and now >= state.ends:
        if all(table.is_decided for table in state.tables):
            _finish(state, now)
        return
    waiting = sorted(
        (each.waits_since, each.number) for each in state.active if each.waits_since is not None
    )
    if not waiting:
        return
    is_patient = now - waiting[0][0] < PATIENCE
    number = 1 + (state.round.number if state.round else 0)
    random = formats.random_of(state.tournament.key, number)
    order = [player for _since, player in waiting]
    tables = formats.arena(order, is_patient, state.history(), state.kind, random)
    if tables:
        _open(state, [tables], now)
