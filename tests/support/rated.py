"""Rated games for tests: results without playing, and tables at which accounts play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from secrets import token_hex
from typing import Any

from django.db import transaction

from brassmill import position
from brassmill import record as records
from brassmill.core.engine import Engine
from brassmill.play.host import Host
from brassmill.web.models import (
    Account,
    Archive,
    Ladder,
    LadderRating,
    RatedGame,
    RatedPlayer,
    RatedSeat,
    Table,
)
from brassmill.web.ratings import counting, results
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.friends import set_up, tokens_of
from support.paths import RECORDS
from support.people import guest_of

PLAYED = {  # recorded games without options
    ("birmingham", 2): "birmingham-2-cotton.brass",
    ("birmingham", 3): "birmingham-3-manufacturers.brass",
    ("lancashire", 2): "lancashire-2-cotton-one-vp.brass",
}
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def clear() -> None:
    """Forget all ratings."""
    for model in (LadderRating, RatedSeat, RatedGame, Ladder, RatedPlayer):
        model.objects.all().delete()


def player() -> RatedPlayer:
    """Return a player who belongs to nobody."""
    return RatedPlayer.objects.create()


@transaction.atomic
def finish(
    players: Sequence[RatedPlayer | str],
    ranks: Sequence[int] | None = None,
    hours: float = 0.0,
    edition: str = "birmingham",
) -> RatedGame:
    """Store a result, without a table: players and levels in order of seats."""
    is_bot = [isinstance(each, str) for each in players]
    kind = Ladder.LEVELS if any(is_bot) else Ladder.PEOPLE
    game = RatedGame.objects.create(
        table=token_hex(6),
        ladder=results.ladder(kind, edition, len(players)),
        finished=FIRST + timedelta(hours=hours),
    )
    for seat, each in enumerate(players):
        rank = ranks[seat] if ranks else seat + 1
        who: dict[str, Any] = {"level": each} if isinstance(each, str) else {"player": each}
        RatedSeat.objects.create(game=game, seat=seat, rank=rank, vp=150 - 10 * rank, **who)
    return game


def figures() -> list[tuple[Any, ...]]:
    """Return everything that follows from the results, to the last bit."""
    seats = RatedSeat.objects.order_by("game__finished", "game", "seat")
    columns = ("mu_before", "sigma_before", "mu", "sigma")
    rows = LadderRating.objects.order_by("ladder", "player")
    kept = rows.values_list("ladder", "player", "mu", "sigma", "floor", "games", "won", "last")
    return [*seats.values_list("game", "seat", *columns), *kept]


def counted_from_the_start() -> list[tuple[Any, ...]]:
    """Return what recounting stores when nothing is known."""
    LadderRating.objects.all().delete()
    RatedSeat.objects.update(mu_before=None, sigma_before=None, mu=None, sigma=None)
    for ladder in Ladder.objects.all():
        counting.recount(ladder.pk)
    return figures()


def rated_table(*accounts: Account, seats: Sequence[str] = (), **sent: str) -> Table:
    """Return a running rated game of these accounts, perhaps with bots, set up by the form."""
    host, *friends = [guest_of(account, account.name) for account in accounts]
    table = set_up(host, "you", *["friend"] * len(friends), *seats, rated="yes", **sent)
    for friend, token in zip(friends, tokens_of(table), strict=True):
        assert friend.sit(token).status_code == 302
    table.refresh_from_db()
    assert table.rated and not table.gathering
    begin_late(table)
    return table


def begin_late(table: Table) -> None:
    """Let a table begin in the last round, so that its game is soon over."""
    text = last_round(table.edition, table.players)
    Archive.objects.filter(pk=table.pk).update(position=text, first_check="")
    Table.objects.filter(pk=table.pk).update(rules="", misfit="")  # never checked
    sessions.forget(table.id)


@cache
def last_round(edition: str, players: int) -> str:
    """Return the position at the start of the last round, of a recorded game."""
    game = records.load(RECORDS / PLAYED[edition, players]).game()
    action = game.actions[-2 * players]
    state = Engine(game.edition, game.seats, action.before).state
    return position.to_text(game.edition, state, game.seats)


def play_to_the_end(session: TableSession) -> None:
    """Play every seat as a beginner would."""
    host = Host.of(["beginner"] * session.table.players, session.game.edition, seed=1)
    try:
        while not session.over:
            if session.game.question == "turn over":
                session.append_next({"end": True})
            else:
                session.append_next({"choose": list(host.ask(session.game.copy()))})
    finally:
        host.close()
