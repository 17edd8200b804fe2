"""The results of rated games: stored with the end of the game, and withdrawn if it was repaired.

A result is a fact, written in the transaction of the entry that ends the game. What follows from
it is counted afterwards (`counting.py`), in any process.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from brassmill.web.models import (
    Account,
    Ladder,
    RatedGame,
    RatedPlayer,
    RatedSeat,
    Seat,
    Table,
)
from brassmill.web.ratings import suspicion
from brassmill.web.ratings.computing import LEVELS
from brassmill.web.server import database


class RatedResult(NamedTuple):
    """How a seat of a finished game did."""

    seat: int
    rank: int
    vp: int
    left: bool  # a bot played for its player at the end


def keep(table: Table, seats: Collection[Seat], results: Sequence[RatedResult]) -> bool:
    """Store the result of a rated game; return whether it counts.

    It does not if a seat is neither an account's nor a level's, or if an account has several.
    """
    entrants = {seat.number: seat for seat in seats}
    levels = {n: seat.first_bot for n, seat in entrants.items() if seat.first_bot}
    players = _players({n: seat for n, seat in entrants.items() if not seat.first_bot})
    is_fit = (
        len(players) + len(levels) == len(entrants) > 1
        and len({player.pk for player in players.values()}) == len(players) > 0
        and all(level in LEVELS for level in levels.values())
    )
    if not is_fit:
        return False
    kind = _kind(seats)
    game = RatedGame.objects.create(
        table=table.pk,
        ladder=ladder(kind, table.edition, table.players),
        finished=database.now(),
        flags=suspicion.flags_of([*players.values()]) if kind != Ladder.LEVELS else [],
    )
    RatedSeat.objects.bulk_create(
        RatedSeat(
            game=game,
            seat=result.seat,
            player=players.get(result.seat),
            level=levels.get(result.seat, ""),
            rank=result.rank,
            vp=result.vp,
            left=result.left,
        )
        for result in sorted(results)
    )
    return True


def _kind(seats: Collection[Seat]) -> str:
    """On which kind of ladder a game counts: programs move no ladder of people."""
    if any(seat.program for seat in seats):
        return Ladder.PROGRAMS
    return Ladder.LEVELS if any(seat.first_bot for seat in seats) else Ladder.PEOPLE


def _players(seats: dict[int, Seat]) -> dict[int, RatedPlayer]:
    """Who is rated for these seats; a seat of someone without an account is left out."""
    holders = {seat.holder for seat in seats.values() if seat.holder}
    accounts = {account.key: account for account in Account.objects.filter(key__in=holders)}
    found = {}
    for number, seat in seats.items():
        if seat.rated_as:
            found[number] = seat.rated_as
        elif account := accounts.get(seat.holder):
            found[number] = player_of(account)
    return found


def player_of(account: Account) -> RatedPlayer:
    """An account as it is rated."""
    return RatedPlayer.objects.get_or_create(account=account)[0]


def ladder(kind: str, edition: str, players: int) -> Ladder:
    """The ladder of a kind of game."""
    return Ladder.objects.get_or_create(
        pk=f"{kind}-{edition}-{players}",
        defaults={"kind": kind, "edition": edition, "players": players},
    )[0]


def withdraw(table_id: str, why: str = RatedGame.REPAIRED) -> None:
    """Make the game of a table count no longer; without a result nothing happens."""
    games = RatedGame.objects.filter(table=table_id, withdrawn="")
    games.update(withdrawn=why, counted=False)


def put_back(game: RatedGame) -> None:
    """Make a game count again that an operator has taken out."""
    taken = RatedGame.objects.filter(pk=game.pk, withdrawn=RatedGame.TAKEN_OUT)
    taken.update(withdrawn="", counted=False)


def stay_rated(table: Table, account: Account) -> None:
    """Remember who is rated for a seat whose account is about to be deleted."""
    seats = Seat.objects.filter(table=table, holder=account.key)
    seats.update(rated_as=player_of(account))


# --- accounts ------------------------------------------------------------------------------------


def export(account: Account) -> dict[str, Any]:
    """An account's ratings and rated games, as plain data."""
    player = RatedPlayer.objects.filter(account=account).first()
    if player is None:
        return {"ladders": [], "games": []}
    seats = player.seats.select_related("game").order_by("game__finished", "game")
    return {
        "ladders": [
            {"ladder": row.ladder_id, "mu": row.mu, "sigma": row.sigma}
            | {"games": row.games, "won": row.won, "last": _at(row.last)}
            for row in player.ratings.order_by("ladder")
        ],
        "games": [
            {"game": seat.game.table, "ladder": seat.game.ladder_id, "seat": seat.seat}
            | {"finished": _at(seat.game.finished), "withdrawn": seat.game.withdrawn}
            | {"rank": seat.rank, "vp": seat.vp, "left": seat.left}
            | {"mu": seat.mu, "sigma": seat.sigma}
            for seat in seats
        ],
    }


def _at(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
