"""What the pages show of tournaments, as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q

from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.svg.panel import capital
from brassmill.web.models import Account, Tournament, TournamentPlayer, TournamentTable
from brassmill.web.page.game_list import title_of
from brassmill.web.page.time_words import clock_words, duration, moment
from brassmill.web.setup.options import unusual
from brassmill.web.tournaments import formats
from brassmill.web.tournaments.entrants import JOINED_LATE
from brassmill.web.tournaments.points import points_of
from brassmill.web.tournaments.state import State

STYLES = {
    formats.SWISS: (
        N_("Swiss"),
        N_("A fixed number of rounds. Equals play each other, and nobody is eliminated."),
    ),
    formats.ROUND_ROBIN: (
        N_("Round robin"),
        N_("Everyone meets everyone, as evenly as the tables allow."),
    ),
    formats.KNOCK_OUT: (
        N_("Knock-out"),
        N_("The better half of each table plays on, until one table is left."),
    ),
    formats.LEAGUE: (
        N_("League"),
        N_("Divisions play season after season; the best are promoted, the last relegated."),
    ),
    formats.ARENA: (
        N_("Arena"),
        N_("For a set time, whoever is free is seated at the next table."),
    ),
}
STATES = {
    Tournament.OPEN: N_("open for sign-up"),
    Tournament.RUNNING: N_("running"),
    Tournament.PAUSED: N_("paused"),
    Tournament.OVER: N_("over"),
    Tournament.CANCELLED: N_("cancelled"),
}
REASONS = {
    "away": N_("a bot played at the end"),
    "no show": N_("did not appear"),
    "declared": N_("decided by the organiser"),
    "void": N_("no result: shared"),
}
SHOWN = 30  # tournaments that are over
CURVES = 6  # players in the chart


@dataclass(frozen=True)
class ListedTournament:
    """A tournament in a list."""

    id: str
    name: str
    style: str  # in words
    game: str
    conditions: str
    state: str
    state_words: str
    starts: str
    starts_words: str
    players: int
    most: int
    is_yours: bool

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def lists(account: Account | None) -> dict[str, list[ListedTournament]]:
    """Tournaments to join, running, and over: the latest of each."""
    found = _counted(Tournament.objects.all(), account)
    running = (Tournament.RUNNING, Tournament.PAUSED)
    return {
        "open": _listed(found.filter(state=Tournament.OPEN).order_by("starts")[:SHOWN]),
        "running": _listed(found.filter(state__in=running).order_by("-starts")[:SHOWN]),
        "over": _listed(found.filter(state=Tournament.OVER).order_by("-ended")[:SHOWN]),
    }


def own(account: Account | None) -> list[ListedTournament]:
    """The tournaments of an account that are not over: those it plays in and those it organises."""
    if account is None:
        return []
    playing = TournamentPlayer.objects.filter(account=account, is_out=False).values("tournament")
    mine = Q(pk__in=playing) | Q(organiser=account)
    found = Tournament.objects.filter(mine, ended=None)
    return _listed(_counted(found, account).order_by("starts")[:SHOWN])


def _counted(found: Any, account: Account | None) -> Any:
    taking = Q(entrants__is_out=False, entrants__is_reserve=False)
    own_id = account.pk if account else 0
    return found.annotate(
        players_now=Count("entrants", filter=taking),
        own_now=Count("entrants", filter=Q(entrants__account=own_id, entrants__is_out=False)),
    )


def _listed(found: Any) -> list[ListedTournament]:
    return [
        ListedTournament(
            each.pk,
            each.name,
            _(STYLES[each.style][0]),
            title_of(each.edition),
            conditions(each),
            each.state,
            _(STATES[each.state]),
            each.starts.isoformat(timespec="seconds"),
            moment(each.starts),
            each.players_now,
            each.most,
            each.own_now > 0,
        )
        for each in found
    ]


def conditions(found: Tournament) -> str:
    """Table size, options, clock, and what is special, in one line."""
    words = [
        _("tables of {n}").format(n=found.size),
        *unusual(found.options),
        clock_words(found.clock),
        _("rated") if found.rated else _("casual"),
        *([_("same deal at all tables")] if found.duplicate else []),
    ]
    return " · ".join(map(capital, words))


# --- one tournament ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShownPlayer:
    """A player of a tournament."""

    number: int
    name: str
    is_out: bool
    is_reserve: bool
    is_you: bool


@dataclass(frozen=True)
class StandingRow:
    """A line of the standings."""

    place: int
    player: ShownPlayer
    points: str
    wins: int
    opponents: str
    share: str
    games: int
    meetings: tuple[str, ...]  # the points from tables with each player, in the order of the lines
    division: int


@dataclass(frozen=True)
class ShownSeat:
    """A seat of a table."""

    player: ShownPlayer
    rank: int
    vp: int
    points: str
    why: str


@dataclass(frozen=True)
class ShownTable:
    """A table of a round."""

    number: int
    division: int
    table: str  # the id of its game; empty for a bye
    is_decided: bool  # as far as everyone may know
    is_held: bool
    is_yours: bool
    seats: tuple[ShownSeat, ...]


@dataclass(frozen=True)
class ShownRound:
    """A round, or tables of an arena that were seated together."""

    number: int
    season: int
    began: str
    is_over: bool
    tables: tuple[ShownTable, ...]


@dataclass(frozen=True)
class TournamentPage:
    """A tournament as one visitor sees it."""

    id: str
    name: str
    about: str
    style: str
    style_words: str
    style_meaning: str
    edition: str
    game: str
    conditions: str
    state: str
    state_words: str
    organiser: str
    starts: str
    starts_words: str
    facts: tuple[str, ...]
    rounds: tuple[ShownRound, ...]  # the last first
    rows: tuple[StandingRow, ...]
    divisions: int
    players: tuple[ShownPlayer, ...]
    reserves: tuple[ShownPlayer, ...]
    is_organiser: bool
    is_in: bool
    can_join: bool
    joins_as_reserve: bool
    has_games: bool

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def page_of(state: State, account: Account | None) -> TournamentPage:
    """A tournament as an account, or a visitor without one, sees it."""
    found = state.tournament
    own = next((each for each in state.entrants if account and each.account == account), None)
    people = {each.number: _player(each, account) for each in state.entrants}
    taking_part = own is not None and not own.is_out
    is_running = found.state in (Tournament.RUNNING, Tournament.PAUSED)
    is_late = is_running and found.style in JOINED_LATE and not found.late
    begun = bool(state.rounds)
    shown = [_round(state, number, people) for number in range(len(state.rounds), 0, -1)]
    divisions = 1 + max((each.division for each in state.entrants), default=0)
    return TournamentPage(
        id=found.pk,
        name=found.name,
        about=found.about,
        style=found.style,
        style_words=_(STYLES[found.style][0]),
        style_meaning=_(STYLES[found.style][1]),
        edition=found.edition,
        game=title_of(found.edition),
        conditions=conditions(found),
        state=found.state,
        state_words=capital(_(STATES[found.state])),
        organiser=found.organiser.name if found.organiser else "",
        starts=found.starts.isoformat(timespec="seconds"),
        starts_words=moment(found.starts),
        facts=tuple(_facts(state)),
        rounds=tuple(shown),
        rows=tuple(_rows(state, people)) if begun else (),
        divisions=divisions,
        players=tuple(people[each.number] for each in state.active),
        reserves=tuple(people[each.number] for each in state.reserves),
        is_organiser=account is not None and found.organiser == account,
        is_in=taking_part,
        can_join=not taking_part and (is_running or found.state == found.OPEN) and not is_late,
        joins_as_reserve=len(state.active) >= found.most
        or (is_running and found.style not in JOINED_LATE),
        has_games=any(each.ended for each in state.rounds),
    )


def _player(entrant: TournamentPlayer, account: Account | None) -> ShownPlayer:
    name = entrant.account.name if entrant.account else ""
    return ShownPlayer(
        entrant.number,
        name or _("Player {number}").format(number=entrant.number),
        entrant.is_out,
        entrant.is_reserve,
        account is not None and entrant.account == account,
    )


def _facts(state: State) -> list[str]:
    """How long it takes and what else a player wants to know."""
    found = state.tournament
    words = []
    if found.style == formats.SWISS:
        words.append(ngettext("{n} round", "{n} rounds", found.rounds).format(n=found.rounds))
    if found.style == formats.ROUND_ROBIN and found.rounds and state.rounds:
        words.append(ngettext("{n} round", "{n} rounds", found.rounds).format(n=found.rounds))
    if found.style == formats.LEAGUE:
        words.append(ngettext("{n} season", "{n} seasons", found.rounds).format(n=found.rounds))
        words.append(_("divisions of {n}").format(n=found.division))
        words.append(_("{n} rise and {n} fall").format(n=found.movers))
    if found.lasting:
        words.append(_("lasts {time}").format(time=duration(found.lasting)))
    elif found.interval:
        words.append(_("a round every {time}").format(time=duration(found.interval)))
    if found.style in JOINED_LATE and found.late:
        words.append(_("late entry allowed"))
    words.append(_("at most {n} players").format(n=found.most))
    return [capital(each) for each in words]


def figure(number: Fraction, digits: int = 1) -> str:
    """A figure with as many decimals as it needs."""
    return f"{float(number):.{digits}f}".removesuffix(f".{'0' * digits}")


def _rows(state: State, people: dict[int, ShownPlayer]) -> list[StandingRow]:
    """The standings, each line with what was won against each other player."""
    rows = state.standings()
    order = [row.player for row in rows]
    won: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for table in state.counted:
        points = points_of(table)
        for player, got in points.items():
            for other in points:
                won[player, other] += got
    has_met = {key for key in won if key[0] != key[1]}
    division_of = {each.number: each.division for each in state.entrants}
    return [
        StandingRow(
            row.place,
            people[row.player],
            figure(row.points),
            row.wins,
            figure(row.opponents),
            f"{figure(100 * row.share)} %",
            row.games,
            tuple(
                figure(won[row.player, other]) if (row.player, other) in has_met else ""
                for other in order
            ),
            division_of[row.player],
        )
        for row in rows
    ]


def _round(state: State, number: int, people: dict[int, ShownPlayer]) -> ShownRound:
    row = next(each for each in state.rounds if each.number == number)
    is_hidden = state.tournament.duplicate and row.ended is None
    season = state.tournament.season
    return ShownRound(
        number,
        1 + (number - 1) // season if season else 0,
        moment(row.began),
        row.ended is not None,
        tuple(_table(state, table, people, is_hidden) for table in state.tables_of(number)),
    )


def _table(
    state: State, table: TournamentTable, people: dict[int, ShownPlayer], is_hidden: bool
) -> ShownTable:
    shows = table.is_decided and not is_hidden
    decided = state.decided(table)
    points = points_of(decided) if shows else {}
    seats = [
        ShownSeat(
            people[place.player],
            place.rank if shows else 0,
            place.vp if shows else 0,
            figure(points[place.player]) if shows else "",
            _(REASONS[seat.why]) if shows and seat.why else "",
        )
        for place, seat in zip(decided.places, table.seats.all(), strict=True)
    ]
    seats.sort(key=lambda seat: seat.rank)
    return ShownTable(
        table.number,
        table.division,
        table.table_id or "",
        shows,
        bool(table.table and table.table.held),
        any(seat.player.is_you for seat in seats),
        tuple(seats),
    )


# --- the chart -----------------------------------------------------------------------------------


def curves_of(state: State) -> list[tuple[str, list[tuple[int, float]]]]:
    """The points of the first players after each round, and their names."""
    rows = state.standings()[:CURVES]
    accounts: dict[int, str] = {each.number: _player(each, None).name for each in state.entrants}
    tables = state.counted
    last = max((table.round for table in tables), default=0)
    return [(accounts[row.player], _curve(row.player, tables, last)) for row in rows]


def _curve(player: int, tables: Sequence[Any], last: int) -> list[tuple[int, float]]:
    total, found = Fraction(0), [(0, 0.0)]
    for number in range(1, last + 1):
        for table in tables:
            if table.round == number:
                total += points_of(table).get(player, Fraction(0))
        found.append((number, float(total)))
    return found
