"""Counting rated games: every result moves the ratings of its ladder, in order of finish.

A game may be stored before one that was finished earlier, be withdrawn, or be found by a process
after a restart. So a result is marked as not counted, and counting begins at the first such game
of its ladder and goes on to the last one. The row of the ladder is locked meanwhile. Each seat
keeps the rating before and after its game, which is all that counting needs to begin anywhere.
`recount` begins at the first game of all, and changes no bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from brassmill.web.models import Ladder, LadderRating, RatedGame, RatedSeat
from brassmill.web.ratings.computing import Entrant, Skill, floor_of, rate

AT_ONCE = 500  # games counted in a transaction: others may be waiting for the database

Figures = tuple[float | None, float | None, float | None, float | None]


def count_all() -> None:
    """Count everything that is to count, on all ladders."""
    waiting = RatedGame.objects.filter(counted=False).order_by()
    for ladder_id in waiting.values_list("ladder", flat=True).distinct():
        count(ladder_id)


def count(ladder_id: str) -> None:
    """Count the games of a ladder that are to count, and all that were finished after them."""
    while _count_some(ladder_id):
        pass


def _count_some(ladder_id: str) -> bool:
    """Count some games, the first ones first; return whether more are to count."""
    with transaction.atomic():
        Ladder.objects.select_for_update().get(pk=ladder_id)
        games = RatedGame.objects.filter(ladder=ladder_id)
        first = games.filter(counted=False).first()
        if first is None:
            return False
        # Locked, so that no game is withdrawn meanwhile.
        rows = _from(games, first).select_for_update().prefetch_related("seats")
        found = list(rows[: AT_ONCE + 1])
        some, rest = found[:AT_ONCE], found[AT_ONCE:]
        players = {seat.player_id for game in some for seat in game.seats.all() if seat.player_id}
        known = dict(_known(players, first))
        changed = [seat for game in some for seat in counted(known, game)]
        RatedSeat.objects.bulk_update(changed, ["mu_before", "sigma_before", "mu", "sigma"])
        RatedGame.objects.filter(pk__in=[game.pk for game in some]).update(counted=True)
        RatedGame.objects.filter(pk__in=[game.pk for game in rest]).update(counted=False)
        for player in players:
            _keep_rating(ladder_id, player)
        return bool(rest)


def counted(known: dict[int, Skill], game: RatedGame) -> Iterator[RatedSeat]:
    """The seats of a game whose figures change when it is counted, changed."""
    seats = list(game.seats.all())
    if game.withdrawn:
        figures: list[Figures] = [(None, None, None, None)] * len(seats)
    else:
        entrants = [Entrant(seat.player_id, seat.level, seat.rank) for seat in seats]
        figures = [
            (*change.before[:2], *change.after[:2]) if change else (None, None, None, None)
            for change in rate(known, game.finished, entrants)
        ]
    for seat, after in zip(seats, figures, strict=True):
        if figures_of(seat) != after:
            seat.mu_before, seat.sigma_before, seat.mu, seat.sigma = after
            yield seat


def figures_of(seat: RatedSeat) -> Figures:
    return seat.mu_before, seat.sigma_before, seat.mu, seat.sigma


def _from(games: QuerySet[RatedGame], first: RatedGame) -> QuerySet[RatedGame]:
    """This game and all after it."""
    return games.filter(
        Q(finished__gt=first.finished) | Q(finished=first.finished, pk__gte=first.pk)
    )


def _known(players: Iterable[int], first: RatedGame) -> Iterator[tuple[int, Skill]]:
    """The ratings of these players before a game."""
    earlier = Q(game__finished__lt=first.finished) | Q(
        game__finished=first.finished, game__lt=first.pk
    )
    for player in players:
        seats = _rated(first.ladder_id, player).filter(earlier)
        if last := seats.first():
            yield player, _after(last)


def _rated(ladder_id: str, player: int) -> QuerySet[RatedSeat]:
    """The counted seats of a player on a ladder, the latest first."""
    seats = RatedSeat.objects.filter(player=player, game__ladder=ladder_id, mu__isnull=False)
    return seats.select_related("game").order_by("-game__finished", "-game")


def _after(seat: RatedSeat) -> Skill:
    assert seat.mu is not None and seat.sigma is not None
    return Skill(seat.mu, seat.sigma, seat.game.finished)


def _keep_rating(ladder_id: str, player: int) -> None:
    """Store a player's rating as of their last counted game."""
    fields = rating_fields(_rated(ladder_id, player))
    ratings = LadderRating.objects.filter(ladder=ladder_id, player=player)
    if fields is None:
        ratings.delete()
    elif not ratings.update(**fields):
        LadderRating.objects.create(ladder_id=ladder_id, player_id=player, **fields)


def rating_fields(seats: QuerySet[RatedSeat]) -> dict[str, object] | None:
    """The row of a player who has these counted seats, the latest first; None without any."""
    last = seats.first()
    if last is None or last.mu is None or last.sigma is None:
        return None
    sums = seats.order_by().aggregate(games=Count("pk"), won=Count("pk", filter=Q(rank=1)))
    return {
        "mu": last.mu,
        "sigma": last.sigma,
        "floor": floor_of(last.mu, last.sigma),
        "last": last.game.finished,
        **sums,
    }


# --- from the beginning --------------------------------------------------------------------------


class Recounted(NamedTuple):
    """What counting a ladder from the beginning has found."""

    ladder: str
    games: int  # that count
    players: int
    differing: int  # seats and ratings that are, or were, stored otherwise


@dataclass
class Again:
    """A ladder counted from the beginning, in memory."""

    known: dict[int, Skill] = field(default_factory=dict)
    tallies: dict[int, tuple[int, int]] = field(default_factory=dict)  # games and wins
    games: int = 0  # that count
    differing: list[RatedSeat] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)  # games that had not been counted

    def count(self, game: RatedGame) -> None:
        self.differing += counted(self.known, game)
        if not game.counted:
            self.waiting.append(game.pk)
        if game.withdrawn:
            return
        self.games += 1
        for seat in game.seats.all():
            if seat.player_id:
                games, won = self.tallies.get(seat.player_id, (0, 0))
                self.tallies[seat.player_id] = games + 1, won + (seat.rank == 1)

    def wrong_players(self, ladder_id: str) -> list[int]:
        """The players whose stored rating is another one."""
        rows = LadderRating.objects.filter(ladder=ladder_id)
        stored = {
            row.player_id: (Skill(row.mu, row.sigma, row.last), row.floor, (row.games, row.won))
            for row in rows
        }
        wanted = {
            player: (skill, floor_of(skill.mu, skill.sigma), self.tallies[player])
            for player, skill in self.known.items()
        }
        return [each for each in {**stored, **wanted} if stored.get(each) != wanted.get(each)]


def recount(ladder_id: str) -> Recounted:
    """Count all games of a ladder again; whatever differs is stored as it should be."""
    with transaction.atomic():
        Ladder.objects.select_for_update().get(pk=ladder_id)
        again = Again()
        for game in _all_games(ladder_id).select_for_update().iterator(AT_ONCE):
            again.count(game)
        figures = ["mu_before", "sigma_before", "mu", "sigma"]
        RatedSeat.objects.bulk_update(again.differing, figures, AT_ONCE)
        RatedGame.objects.filter(pk__in=again.waiting).update(counted=True)
        wrong = again.wrong_players(ladder_id)
        for player in wrong:
            _keep_rating(ladder_id, player)
    return _recounted(ladder_id, again, wrong)


def verify(ladder_id: str) -> Recounted:
    """Count a ladder again and compare, up to the first game that waits; change nothing."""
    with transaction.atomic():
        Ladder.objects.select_for_update().get(pk=ladder_id)
        again = Again()
        for game in takewhile(lambda game: game.counted, _all_games(ladder_id).iterator(AT_ONCE)):
            again.count(game)
        is_done = not RatedGame.objects.filter(ladder=ladder_id, counted=False).exists()
        wrong = again.wrong_players(ladder_id) if is_done else []
    return _recounted(ladder_id, again, wrong)


def _all_games(ladder_id: str) -> QuerySet[RatedGame]:
    return RatedGame.objects.filter(ladder=ladder_id).prefetch_related("seats")


def _recounted(ladder_id: str, again: Again, wrong: list[int]) -> Recounted:
    differing = len(again.differing) + len(wrong)
    return Recounted(ladder_id, again.games, len(again.known), differing)
