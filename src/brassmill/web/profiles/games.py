"""The finished games of a player, from the summaries of their tables."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from io import StringIO
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from brassmill.web.models import Account, RatedSeat, Table
from brassmill.web.page.game_list import tables_of
from brassmill.web.ratings.computing import shown
from brassmill.web.setup.deal_of_the_day import today


class Opponent(NamedTuple):
    """Another seat of a game."""

    name: str
    level: str  # of a bot, at the start of the game
    rank: int
    vp: int


class PlayedGame(NamedTuple):
    """A finished game in which the player had one seat."""

    table: str
    listed: bool
    edition: str
    players: int
    options: tuple[str, ...]
    intro: bool
    rated: bool
    ended: datetime
    seat: int
    rank: int
    vp: int
    opponents: tuple[Opponent, ...]


def games_of(key: str) -> list[PlayedGame]:
    """A player's finished games with a result, the latest first.

    Left out are games that were ended early or begun at a moment of another game, those with
    several own seats, and those whose deal others may still play.
    """
    tables = tables_of(key).filter(over=True, begun_at=0, held=False).exclude(day__gte=today())
    found = []
    for table in tables.order_by("-touched").prefetch_related("seats"):
        if (game := _played(table, key)) is not None:
            found.append(game)
    return found


def _played(table: Table, key: str) -> PlayedGame | None:
    results = {seat: (rank, vp) for seat, rank, vp in table.summary.get("result", [])}
    seats = list(table.seats.all())
    own = [seat.number for seat in seats if seat.holder == key and seat.number in results]
    if len(own) != 1 or table.summary.get("agreed"):
        return None
    return PlayedGame(
        table=table.pk,
        listed=table.listed,
        edition=table.edition,
        players=table.players,
        options=tuple(f"{name}={value}" for name, value in sorted(table.options.items())),
        intro=bool(table.options.get("intro")),
        rated=table.rated,
        ended=table.touched,
        seat=own[0],
        rank=results[own[0]][0],
        vp=results[own[0]][1],
        opponents=tuple(
            Opponent(seat.name, seat.first_bot, *results[seat.number])
            for seat in seats
            if seat.number in results and seat.number != own[0]
        ),
    )


def most_played(games: Sequence[PlayedGame]) -> tuple[str, int] | None:
    """The edition and number of players of most games; None without a game."""
    counts = Counter((game.edition, game.players) for game in games if not game.intro)
    return min(counts, key=lambda kind: (-counts[kind], kind)) if counts else None


# --- to save -------------------------------------------------------------------------------------

COLUMNS = (
    *("ended", "edition", "players", "options", "rated", "seat", "rank", "vp"),
    *("rating", "margin", "opponents", "address"),
)


def rows_of(account: Account, request: HttpRequest) -> list[dict[str, Any]]:
    """All finished games of an account as rows, the oldest first."""
    seats = RatedSeat.objects.filter(player__account=account, mu__isnull=False)
    ratings = {seat.game.table: seat for seat in seats.select_related("game")}
    rows = []
    for game in reversed(games_of(account.key)):
        seat = ratings.get(game.table)
        rating = shown(seat.mu, seat.sigma) if seat and seat.mu and seat.sigma else None
        rows.append(
            {
                "ended": game.ended.isoformat(timespec="seconds"),
                "edition": game.edition,
                "players": game.players,
                "options": list(game.options),
                "rated": game.rated,
                "seat": game.seat + 1,
                "rank": game.rank,
                "vp": game.vp,
                "rating": rating and rating.rating,
                "margin": rating and rating.margin,
                "opponents": [opponent._asdict() for opponent in game.opponents],
                "address": request.build_absolute_uri(reverse("result", args=[game.table])),
            }
        )
    return rows


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as a table for a spreadsheet; a name can never become a formula there."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        others = [f"{other['rank']}. {other['name']} ({other['vp']})" for other in row["opponents"]]
        cells = row | {"options": ", ".join(row["options"]), "opponents": ", ".join(others)}
        writer.writerow("" if cells[name] is None else cells[name] for name in COLUMNS)
    return text.getvalue()
