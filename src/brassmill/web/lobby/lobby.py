"""The lobby: public tables with free seats, and public games to watch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from brassmill.web.models import Table
from brassmill.web.page.game_list import ListedGame, listed
from brassmill.web.server import database
from brassmill.web.setup import programs
from brassmill.web.setup.seat_links import invitation

MOST = 50  # tables of each kind
RECENT = timedelta(days=2)  # since the last activity, so that no table waits for ever


@dataclass(frozen=True)
class LobbyTable:
    """A table in the lobby, as one visitor sees it."""

    game: ListedGame
    token: str  # opens its next free seat; empty if this visitor cannot take one

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**self.game.as_dict(), "token": self.token}


def lobby_tables(key: str) -> tuple[list[LobbyTable], list[LobbyTable]]:
    """Return the tables that wait for players and those in play, newest first."""
    tables = (
        Table.objects.filter(
            listed=True, held=False, over=False, touched__gt=timezone.now() - RECENT
        )
        .order_by("-touched")
        .prefetch_related("seats")
    )
    now = database.now()
    waiting, running = (
        offered(tables.filter(gathering=gathering)[:MOST], key, now) for gathering in (True, False)
    )
    return waiting, running


def offered(tables: Iterable[Table], key: str, now: datetime) -> list[LobbyTable]:
    """These tables as a visitor sees them."""
    is_program = programs.is_program(key)
    return [_lobby_table(table, key, now, is_program) for table in tables]


def _lobby_table(table: Table, key: str, now: datetime, is_program: bool) -> LobbyTable:
    game = listed(table, key, now)
    if any(seat.is_yours for seat in game.seats) or (is_program and not table.programs):
        return LobbyTable(game, "")
    return LobbyTable(
        game, next((invitation(seat) for seat in table.seats.all() if seat.is_open), "")
    )
