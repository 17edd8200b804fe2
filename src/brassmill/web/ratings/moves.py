"""What a finished game did to the ratings of its players, for its result page."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.http import urlencode

from brassmill.language import gettext as _
from brassmill.svg.panel import signed
from brassmill.web.models import RatedGame, Table
from brassmill.web.ratings.computing import shown


class RatingMove(NamedTuple):
    """A player's rating after a game, and by how much it has changed."""

    rating: int
    margin: int
    gained: str


# What a result page shows of a game that is not rated.
NOT_RATED: dict[str, Any] = {"moves": {}, "rated_note": "", "ladder": ""}


def of_table(table: Table) -> dict[str, Any]:
    """The moved ratings by seat, what to say about them, and the query of their leaderboard."""
    if not table.rated:
        return NOT_RATED
    game = _game(table)
    if game is None:
        return {"moves": {}, "rated_note": _("This game moves no rating."), "ladder": ""}
    ladder = game.ladder
    asked = {"kind": ladder.kind, "game": ladder.edition, "players": str(ladder.players)}
    note = _("A rated game.") if game.counted else _("A rated game: it is being counted.")
    return {"moves": _moves(game), "rated_note": note, "ladder": urlencode(asked)}


def as_data(table: Table) -> dict[int, dict[str, Any]]:
    """The moved ratings by seat, as plain data."""
    game = _game(table) if table.rated else None
    return {seat: move._asdict() for seat, move in _moves(game).items()} if game else {}


def _game(table: Table) -> RatedGame | None:
    games = RatedGame.objects.filter(table=table.pk, withdrawn="").select_related("ladder")
    return games.prefetch_related("seats").first()


def _moves(game: RatedGame) -> dict[int, RatingMove]:
    found = {}
    for seat in game.seats.all():
        if seat.mu is not None and seat.sigma is not None and seat.mu_before is not None:
            now = shown(seat.mu, seat.sigma)
            gained = now.rating - shown(seat.mu_before, seat.sigma).rating
            found[seat.seat] = RatingMove(now.rating, now.margin, signed(gained))
    return found
