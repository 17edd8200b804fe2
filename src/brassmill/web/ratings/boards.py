"""Leaderboards: the players of a ladder by the lower end of their rating's interval."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import QuerySet

from brassmill.bots.registry import find
from brassmill.editions import EDITIONS
from brassmill.language import gettext as _
from brassmill.svg.panel import capital
from brassmill.web.models import Ladder, LadderRating
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.ratings.computing import LEVEL_SIGMA, LEVELS, shown

AWAY = timedelta(days=180)  # without a game on the ladder, a player leaves the board
AT_A_TIME = 50


class LadderName(NamedTuple):
    """Which ladder."""

    kind: str = Ladder.PEOPLE
    edition: str = EDITION_ORDER[0]
    players: int = 4

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.edition}-{self.players}"

    @property
    def title(self) -> str:
        return title_of(self.edition)


@dataclass(frozen=True)
class BoardRow:
    """A player of a leaderboard, or a level for comparison."""

    place: int  # 0: a level
    number: int  # of their profile
    name: str
    rating: int
    margin: int
    is_sure: bool
    games: int
    won: int
    last: str  # when the last game was finished
    is_you: bool
    is_program: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Leaderboard:
    """A page of a leaderboard."""

    name: LadderName
    rows: tuple[BoardRow, ...]
    own: BoardRow | None  # the visitor's, if it is on another page
    page: int  # from 1
    has_more: bool
    is_away: bool  # the visitor has a rating here, but has not played for long


def read(kind: str, edition: str, players: str) -> LadderName:
    """The ladder asked for; anything unknown is the usual one."""
    chosen = edition if edition in EDITIONS else EDITION_ORDER[0]
    numbers = EDITIONS[chosen].players
    number = int(players) if players in map(str, numbers) else numbers[-1]
    kinds = dict(Ladder.KINDS)
    return LadderName(kind if kind in kinds else Ladder.PEOPLE, chosen, number)


def board_of(name: LadderName, account_id: int | None, page: int, now: datetime) -> Leaderboard:
    """A page of a leaderboard, as a visitor sees it."""
    active = active_on(name, now)
    start = (page - 1) * AT_A_TIME
    found = list(active[start : start + AT_A_TIME + 1])
    rows = [_row(rating, start + n, account_id) for n, rating in enumerate(found[:AT_A_TIME], 1)]
    own = None
    mine = _ratings(name).filter(player__account=account_id).first() if account_id else None
    is_away = mine is not None and mine.last < now - AWAY
    if mine and not is_away and not any(row.is_you for row in rows):
        own = _row(mine, 1 + active.filter(floor__gt=mine.floor).count(), account_id)
    if name.kind != Ladder.PEOPLE:
        rows = _with_levels(rows, page, len(found) > AT_A_TIME)
    return Leaderboard(name, tuple(rows), own, page, len(found) > AT_A_TIME, is_away)


def board_among(
    name: LadderName, members: QuerySet[LadderRating], account_id: int, now: datetime
) -> Leaderboard:
    """The standings of some players alone."""
    active = active_on(name, now).filter(pk__in=members.values("pk"))
    rows = [_row(rating, n, account_id) for n, rating in enumerate(active, 1)]
    return Leaderboard(name, tuple(rows), None, 1, False, False)


def _ratings(name: LadderName) -> QuerySet[LadderRating]:
    found = LadderRating.objects.filter(ladder=name.id, player__account__isnull=False)
    return found if name.kind == Ladder.PROGRAMS else found.exclude(player__account__program=True)


def active_on(name: LadderName, now: datetime) -> QuerySet[LadderRating]:
    """The players on the board, best first."""
    active = _ratings(name).filter(last__gte=now - AWAY).order_by("-floor", "pk")
    return active.select_related("player__account")


def _row(rating: LadderRating, place: int, account_id: int | None) -> BoardRow:
    account = rating.player.account
    assert account is not None
    return BoardRow(
        place,
        rating.player_id,
        account.name,
        *shown(rating.mu, rating.sigma),
        games=rating.games,
        won=rating.won,
        last=rating.last.isoformat(timespec="seconds"),
        is_you=account.pk == account_id,
        is_program=account.program,
    )


def _with_levels(rows: list[BoardRow], page: int, has_more: bool) -> list[BoardRow]:
    """The rows of a page with the levels between them."""
    highest = rows[0].rating - rows[0].margin if rows and page > 1 else None
    lowest = rows[-1].rating - rows[-1].margin if rows and has_more else None
    levels = [_level(level) for level in LEVELS]
    fitting = [
        level
        for level in levels
        if (highest is None or level.rating - level.margin <= highest)
        and (lowest is None or level.rating - level.margin > lowest)
    ]
    return sorted([*rows, *fitting], key=lambda row: row.margin - row.rating)


def _level(name: str) -> BoardRow:
    mu = LEVELS[name]
    words = capital(_("{level} (bot)").format(level=find(name).local_name))
    return BoardRow(0, 0, words, *shown(mu, LEVEL_SIGMA), games=0, won=0, last="", is_you=False)


def ladder_words(kind: str) -> str:
    """A kind of ladder in words."""
    words = {Ladder.PEOPLE: _("Between people"), Ladder.LEVELS: _("Against bots")}
    return words.get(kind) or _("With programs")
