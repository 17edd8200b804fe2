"""A visitor's games, as the home page lists them: unfinished ones and results.

Everything comes from the stored summaries (`Table.summary`): no game is replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from brassmill import terms
from brassmill.bots import BotError, parse
from brassmill.core.events import ERAS
from brassmill.editions import EDITIONS
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.svg.panel import capital
from brassmill.web.models import Seat, Table
from brassmill.web.page.time_words import ago, clock_words, duration
from brassmill.web.server import database
from brassmill.web.setup import rematch
from brassmill.web.setup.fair_play import hints_words
from brassmill.web.setup.host import host_name
from brassmill.web.setup.options import unusual
from brassmill.web.setup.rated import must_end, rated_words

MOST = 100  # games in a list
EDITION_ORDER = ("birmingham", "lancashire", "classic")  # on every page
YEARS = {"birmingham": 2018, "lancashire": 2018, "classic": 2007}


@dataclass(frozen=True)
class ListedSeat:
    """A player at a table."""

    seat: int
    name: str
    level: str  # of a bot, in words; empty: a person
    is_yours: bool
    is_open: bool  # nobody sits there yet
    rank: int = 0  # when the game is over
    points: int = 0
    program: bool = False  # a program plays here


@dataclass(frozen=True)
class ListedGame:
    """A game in a list."""

    id: str
    edition: str
    title: str
    options: tuple[str, ...]  # non-default ones, in words
    clock: str  # in words
    rated: str  # rated or casual, in words; empty: casual, and not a game between people
    hints: str  # whether they are allowed, in words; empty: not a game between people
    programs: str  # that they may join, in words; empty: they may not
    host: str  # their name; empty if they have left
    seats: tuple[ListedSeat, ...]  # by seat; by rank when the game is over
    era: str  # canal or rail
    round: int  # 0: not started
    rounds: int
    stage: str  # era and round in words
    turn: str  # whose turn it is, or how the game ended, in words
    your_turn: bool
    left: str  # time left to the player to move, in words; empty: no clock is running
    due: str  # when that time is up
    gathering: bool  # in the waiting room
    over: bool
    touched: str  # when it was last played
    ago: str
    can_delete: bool
    waits: str  # the player who waits for the visitor in a rematch
    conceded: bool  # the visitor has conceded: bots play on for them
    day: str  # if it has the deal of a day

    @property
    def track(self) -> list[str]:
        """The rounds of the era, each as it stands: done, here or ahead."""
        return [
            "done" if n < self.round else "here" if n == self.round else "ahead"
            for n in range(1, self.rounds + 1)
        ]

    @property
    def conditions(self) -> str:
        """Its options and clock, hints, whether it is rated, and whether programs may join."""
        words = (*self.options, self.clock, self.hints, self.rated, self.programs)
        return " · ".join(map(capital, filter(None, words)))

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return asdict(self)


def title_of(name: str) -> str:
    """The title of an edition, with the year where editions would look alike."""
    title = EDITIONS[name].title if name in EDITIONS else name
    return f"{title} ({YEARS[name]})" if name == "classic" else title


def tables_of(key: str) -> QuerySet[Table]:
    """The tables a visitor hosts or plays at."""
    played = Seat.objects.filter(holder=key).order_by().values("table")
    hosted = Table.objects.filter(host=key).values("pk")
    return Table.objects.filter(pk__in=played.union(hosted))  # with OR, all tables would be read


def games_of(key: str) -> tuple[list[ListedGame], list[ListedGame]]:
    """A visitor's unfinished and finished games, most recently played first.

    Games where it is their turn come first, ordered by deadline, and those they conceded last.
    """
    tables = tables_of(key).order_by("-touched").prefetch_related("seats", "sequel__seats")
    now = database.now()
    unfinished, finished = (
        [listed(table, key, now) for table in tables.filter(over=over)[:MOST]]
        for over in (False, True)
    )
    unfinished.sort(
        key=lambda game: (game.conceded, not game.your_turn, game.your_turn and (game.due or "~"))
    )
    return unfinished, finished


def listed(table: Table, key: str, now: datetime | None = None) -> ListedGame:
    """A table as a visitor sees it in a list; whoever lists many passes the time."""
    summary = table.summary
    rows = list(table.seats.all())
    seats = _listed_seats(rows, key, summary.get("result", []))
    era, number, rounds = (summary.get(name) for name in ("era", "round", "rounds"))
    to_move = summary.get("to_move", table.awaited)
    mover = next((seat for seat in seats if seat.seat == to_move), None)
    if table.over:
        stage, turn = "", _ending(seats) or _("Ended without a result")
    elif table.gathering:
        stage, turn = _("waiting for players"), free_seats(sum(seat.is_open for seat in seats))
    elif number is None:
        stage, turn = _("not started"), ""
    else:
        words = _("{era}, round {round} of {rounds}")
        stage = words.format(era=terms.era(str(era)), round=number, rounds=rounds)
        turn = _turn(mover, seats) if mover else ""
    return ListedGame(
        id=table.id,
        edition=table.edition,
        title=title_of(table.edition),
        options=unusual(table.options),
        clock=clock_words(table.clock),
        rated=rated_words(table, rows),
        hints=hints_words(table, rows),
        programs=_("programs may join") if table.programs and table.gathering else "",
        host=host_name(table, rows),
        seats=seats,
        era=str(era or ERAS[0]),
        round=int(number or 0),
        rounds=int(rounds or 0),
        stage=capital(stage),
        turn=turn,
        your_turn=not table.over and not table.gathering and _is_yours(mover, seats),
        left=duration(max(timedelta(), table.due - (now or database.now()))) if table.due else "",
        due=table.due.isoformat(timespec="seconds") if table.due else "",
        gathering=table.gathering,
        over=table.over,
        touched=table.touched.isoformat(timespec="seconds"),
        ago=ago(table.touched, timezone.now()),
        can_delete=table.host == key
        and not must_end(table)
        and (table.gathering or not _has_others(rows, key)),
        waits=rematch.who_waits(table, rows, key),
        conceded=_have_conceded(seats, summary.get("conceded", ())),
        day=table.day.isoformat() if table.day else "",
    )


def _have_conceded(seats: tuple[ListedSeat, ...], conceded: Sequence[int]) -> bool:
    """Has the visitor conceded with every seat they hold?"""
    yours = [seat.seat for seat in seats if seat.is_yours]
    return bool(yours) and all(seat in conceded for seat in yours)


def _listed_seats(seats: list[Seat], key: str, result: list[list[int]]) -> tuple[ListedSeat, ...]:
    places = {seat: (rank, points) for seat, rank, points in result}
    found = [
        ListedSeat(
            seat.number,
            seat.name or free_seat(),
            _level(seat),
            seat.holder == key,
            seat.is_open,
            *places.get(seat.number, (0, 0)),
            program=seat.program,
        )
        for seat in seats
    ]
    return tuple(sorted(found, key=lambda seat: (seat.rank, seat.seat)))


def _has_others(seats: list[Seat], key: str) -> bool:
    """Do other people play there? Then the host cannot delete it."""
    return any(seat.holder not in ("", key) for seat in seats)


def _is_yours(mover: ListedSeat | None, seats: tuple[ListedSeat, ...]) -> bool:
    """Is it this visitor's turn, with no bot playing for them?

    Before the first move the summary does not say whose turn it is: then it counts as everyone's.
    """
    if mover is None:
        return any(seat.is_yours for seat in seats)
    return mover.is_yours and not mover.level


def _level(seat: Seat) -> str:
    if seat.is_left:
        return _("former player")
    if seat.is_stood_in:
        return _("{level} playing").format(level=level_of(seat.bot))
    return level_of(seat.bot) if seat.is_bot else ""


def level_of(spec: str) -> str:
    """A bot's level in words."""
    try:
        return parse(spec).local_text
    except BotError:  # from a package that is no longer installed
        return spec


def free_seat() -> str:
    """The name shown for an open seat."""
    return _("free seat")


def free_seats(number: int) -> str:
    """The number of open seats in words."""
    return ngettext("{n} free seat", "{n} free seats", number).format(n=number)


def _turn(mover: ListedSeat, seats: tuple[ListedSeat, ...]) -> str:
    """Whose turn it is; by name where several people share a screen."""
    if _is_yours(mover, seats) and sum(seat.is_yours for seat in seats) == 1:
        return _("Your turn")
    return _("{name} to move").format(name=mover.name)


def _ending(seats: tuple[ListedSeat, ...]) -> str:
    """How the game ended for the visitor, or who won."""
    yours = [seat for seat in seats if seat.is_yours]
    winners = [seat.name for seat in seats if seat.rank == 1]
    if len(yours) == 1 and yours[0].rank == 1:
        return _("Won") if len(winners) == 1 else _("Shared win")
    if len(yours) == 1 and yours[0].rank:
        return _("Rank {rank} of {players}").format(rank=yours[0].rank, players=len(seats))
    return _("{name} won").format(name=" & ".join(winners)) if winners else ""
