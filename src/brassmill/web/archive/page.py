"""What the pages of the archive show: games, and the fields of the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from brassmill.language import gettext as _
from brassmill.svg.panel import capital
from brassmill.web.archive.events import WORDS
from brassmill.web.archive.public import is_public
from brassmill.web.archive.search import CLOSEST, HIGHEST, NEWEST, NONE, GameSearch, options
from brassmill.web.models import ArchivedGame, Table
from brassmill.web.models.archive import EVENTS
from brassmill.web.page.game_list import EDITION_ORDER, level_of, title_of
from brassmill.web.setup.options import unusual


@dataclass(frozen=True)
class ArchivedPlayer:
    """A player of a game, by rank."""

    seat: int
    name: str
    level: str  # of a bot, in words
    rank: int
    points: int
    program: bool  # a program played here
    has_account: bool  # and plays under its name


@dataclass(frozen=True)
class ArchivedRow:
    """A game of the archive."""

    id: str  # of its table
    number: int  # in the index
    edition: str
    title: str
    options: tuple[str, ...]  # non-default ones, in words
    finished: str
    players: tuple[ArchivedPlayer, ...]
    winner_vp: int
    margin: int
    actions: int
    rounds: int
    opening: tuple[str, ...]  # in the notation
    events: tuple[str, ...]  # as searches name them

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "number"}

    @property
    def conditions(self) -> str:
        """Its options in words."""
        return " · ".join(map(capital, self.options))

    @property
    def event_words(self) -> list[tuple[str, str]]:
        return [(event, _(WORDS[event])) for event in self.events]

    @property
    def first_actions(self) -> str:
        return "; ".join(self.opening)


def rows_of(numbers: Sequence[int]) -> list[ArchivedRow]:
    """Games of the index in this order; one that is no longer public is left out."""
    found = ArchivedGame.objects.select_related("table").prefetch_related("seats", "table__seats")
    games = found.in_bulk(list(numbers))
    return [
        row_of(games[number])
        for number in numbers
        if number in games and is_public(games[number].table)
    ]


def row_of(game: ArchivedGame) -> ArchivedRow:
    """A game as lists show it, with the names that it shows itself."""
    return ArchivedRow(
        id=game.table_id,
        number=game.pk,
        edition=game.edition,
        title=title_of(game.edition),
        options=unusual(game.table.options),
        finished=game.finished.isoformat(timespec="seconds"),
        players=_players(game),
        winner_vp=game.winner_vp,
        margin=game.margin,
        actions=game.actions,
        rounds=game.rounds,
        opening=tuple(filter(None, (game.first_action, game.second_action))),
        events=tuple(event for event in EVENTS if getattr(game, event)),
    )


def _players(game: ArchivedGame) -> tuple[ArchivedPlayer, ...]:
    accounts = {seat.number for seat in game.seats.all() if seat.account_id}
    seats = {seat.number: seat for seat in game.table.seats.all()}
    return tuple(
        ArchivedPlayer(
            seat=number,
            name=seats[number].name,
            level=level_of(seats[number].first_bot) if seats[number].first_bot else "",
            program=seats[number].program,
            rank=rank,
            points=points,
            has_account=number in accounts,
        )
        for number, rank, points in game.table.summary["result"]
    )


def tables_in(tables: Iterable[Table]) -> dict[str, ArchivedRow]:
    """The archived ones of some tables, as rows, by their ids."""
    rows = ArchivedGame.objects.filter(table__in=list(tables)).values_list("pk", flat=True)
    return {row.id: row for row in rows_of(list(rows))}


# --- the fields of the search --------------------------------------------------------------------


@dataclass(frozen=True)
class FilterField:
    """A field with a list of values."""

    name: str
    title: str
    everything: str  # the words for any value; empty: one must be chosen
    options: tuple[tuple[str, str], ...]  # values and words
    chosen: str


def choices(search: GameSearch) -> list[FilterField]:
    """The fields with a list, in the order of the page."""
    asked = search.asked
    return [
        FilterField(name, title, everything, tuple(values.items()), asked.get(name, ""))
        for name, title, everything, values in (
            ("edition", _("Game"), _("all games"), {e: title_of(e) for e in EDITION_ORDER}),
            ("players", _("Players"), _("any number"), {str(n): str(n) for n in (2, 3, 4)}),
            ("event", _("What happened"), _("anything"), {e: _(WORDS[e]) for e in WORDS}),
            ("option", _("Options"), _("any"), _option_words()),
            ("sort", _("Sort by"), "", sort_words()),
        )
    ]


def sort_words() -> dict[str, str]:
    return {NEWEST: _("newest"), HIGHEST: _("highest VP"), CLOSEST: _("closest result")}


def _option_words() -> dict[str, str]:
    return {
        value: _("none") if value == NONE else capital(unusual({name: chosen})[0])
        for value, (name, chosen) in options().items()
    }


@dataclass(frozen=True)
class Range:
    """A field from one number or day to another."""

    title: str
    kind: str  # of the inputs
    names: tuple[str, str]  # empty: there is only the other end
    labels: tuple[str, str]  # for readers who see no fields side by side


def ranges() -> list[Range]:
    """The fields with two ends."""
    found = (
        (_("Winner's VP"), "number", ("least_vp", "most_vp")),
        (_("Lead over the second, VP"), "number", ("", "most_margin")),
        (_("Actions"), "number", ("least_actions", "most_actions")),
        (_("Rounds"), "number", ("least_rounds", "most_rounds")),
        (_("Finished on"), "date", ("since", "until")),
    )
    ends = _("{what}: from"), _("{what}: up to")
    return [
        Range(title, kind, names, (ends[0].format(what=title), ends[1].format(what=title)))
        for title, kind, names in found
    ]
