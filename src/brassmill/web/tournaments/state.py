"""A tournament as it stands: its players, rounds and results as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from brassmill.editions import EDITIONS, EditionInfo, Value
from brassmill.web.models import (
    Tournament,
    TournamentPlayer,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from brassmill.web.tournaments import formats
from brassmill.web.tournaments.points import Decided, StandingLine, TablePlace, standings
from brassmill.web.tournaments.seating import History


def sizes_of(edition: EditionInfo, options: dict[str, Value], size: int) -> tuple[int, ...]:
    """How many may sit at a table: as many as the edition and its options allow, and no more."""
    chosen = [option for option in edition.options if option.name in options]
    return tuple(
        number
        for number in edition.players
        if number <= size and all(number in option.players for option in chosen)
    )


def rounds_in_all(found: Tournament) -> int:
    """How many rounds a tournament has, once it has begun; 0: as many as it takes."""
    if found.style == formats.LEAGUE:
        return found.rounds * found.season
    return 0 if found.style in (formats.KNOCK_OUT, formats.ARENA) else found.rounds


@dataclass(frozen=True)
class State:
    """Everything that decides about the next round; players are known by their numbers."""

    tournament: Tournament
    entrants: tuple[TournamentPlayer, ...]
    rounds: tuple[TournamentRound, ...]
    tables: tuple[TournamentTable, ...]  # of all rounds, their seats fetched

    @property
    def style(self) -> str:
        return self.tournament.style

    @property
    def allowed(self) -> tuple[int, ...]:
        found = self.tournament
        return sizes_of(EDITIONS[found.edition], found.options, found.size)

    @property
    def kind(self) -> tuple[int, tuple[int, ...]]:
        """The wanted size of a table, and those allowed."""
        return self.tournament.size, self.allowed

    @property
    def round(self) -> TournamentRound | None:
        """The last round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def active(self) -> list[TournamentPlayer]:
        """Who plays in the next round."""
        return [each for each in self.entrants if not (each.is_out or each.is_reserve)]

    @property
    def reserves(self) -> list[TournamentPlayer]:
        return [each for each in self.entrants if each.is_reserve and not each.is_out]

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number of each entrant, by the key of their row."""
        return {each.pk: each.number for each in self.entrants}

    @cached_property
    def number_of_round(self) -> dict[int, int]:
        return {each.pk: each.number for each in self.rounds}

    @property
    def ends(self) -> datetime | None:
        """When an arena seats nobody any more."""
        found = self.tournament
        return found.starts + found.lasting if found.lasting else None

    def tables_of(self, number: int) -> list[TournamentTable]:
        return [each for each in self.tables if self.number_of_round[each.round_id] == number]

    @property
    def counted(self) -> list[Decided]:
        """All results; those of a round with a shared deal once all of them are known."""
        hidden = {
            each.pk for each in self.rounds if self.tournament.duplicate and each.ended is None
        }
        return [
            self.decided(each)
            for each in self.tables
            if each.is_decided and each.round_id not in hidden
        ]

    def decided_in(self, number: int) -> list[Decided]:
        """The results of one round."""
        return [self.decided(each) for each in self.tables_of(number) if each.is_decided]

    def decided(self, table: TournamentTable) -> Decided:
        seats = [each for each in table.seats.all() if each.entrant_id in self.numbers]
        return Decided(
            self.number_of_round[table.round_id],
            tuple(self._place(each) for each in seats),
        )

    def _place(self, seat: TournamentSeat) -> TablePlace:
        return TablePlace(self.numbers[seat.entrant_id], seat.rank, seat.vp, seat.is_away)

    def history(self, first: int = 1) -> History:
        """Who met whom since a round."""
        found = History()
        for table in self.tables:
            if self.number_of_round[table.round_id] >= first:
                found.add([self.numbers[seat.entrant_id] for seat in table.seats.all()])
        return found

    # --- leagues ---------------------------------------------------------------------------------

    @property
    def season_now(self) -> int:
        """The current season, from 0."""
        number = self.round.number if self.round else 1
        return (number - 1) // max(1, self.tournament.season)

    def divisions(self) -> list[list[int]]:
        """The players of each division in their order, those who left included."""
        ranked = sorted(
            (each for each in self.entrants if not each.is_reserve and each.rank),
            key=lambda each: each.rank,
        )
        count = 1 + max((each.division for each in ranked), default=0)
        return [[each.number for each in ranked if each.division == n] for n in range(count)]

    def season_standings(self) -> list[list[StandingLine]]:
        """The standings of each division in the current season."""
        first = 1 + self.season_now * self.tournament.season
        tables = [table for table in self.counted if table.round >= first]
        return [standings(division, tables) for division in self.divisions()]

    # --- standings -------------------------------------------------------------------------------

    def standings(self) -> list[StandingLine]:
        """All players who have had a place, best first."""
        players = [each.number for each in self.entrants if not each.is_reserve]
        tables = self.counted
        rows = standings(players, tables)
        if self.style == formats.KNOCK_OUT:
            places = formats.knock_out_places(formats.drawn(players, self.tournament.key), tables)
            rows = [row._replace(place=places[row.player]) for row in rows]
            rows.sort(key=lambda row: row.place)
        if self.style == formats.LEAGUE and self.tournament.season:
            divided = [row for division in self.season_standings() for row in division]
            rows = [row._replace(place=n) for n, row in enumerate(divided, 1)]
        return rows


def state_of(tournament: Tournament) -> State:
    """Read a tournament."""
    tables = TournamentTable.objects.filter(round__tournament=tournament)
    return State(
        tournament,
        tuple(tournament.entrants.select_related("account")),
        tuple(tournament.rounds_played.all()),
        tuple(
            tables.order_by("round__number", "number")
            .select_related("table")
            .prefetch_related("seats")
        ),
    )
