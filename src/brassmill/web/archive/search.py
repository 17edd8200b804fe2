"""Searching the archive: what is asked for, and one page of what is found.

No search counts, and none reads more than `WINDOW` rows of the index. It reads along the database
index that fits best, in the order of the page, and the other conditions are checked on the way. If
they are rare, a page may end before it is full; its last link continues from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Q, QuerySet

from brassmill.editions import EDITIONS
from brassmill.web.archive.events import LONGEST_ACTION, WORDS
from brassmill.web.identity.names import login_of
from brassmill.web.models import ArchivedGame, ArchivedSeat
from brassmill.web.models.archive import LONGEST_PLAYER

PAGE = 25  # games on a page
WINDOW = 10_000  # rows of an index that one search reads at most
FIRST_WINDOW = 8 * PAGE  # usually enough
MOST = 1000  # of any number asked for

NEWEST, HIGHEST, CLOSEST = "newest", "highest", "closest"
ORDERS = {NEWEST: ("finished", "-"), HIGHEST: ("winner_vp", "-"), CLOSEST: ("margin", "")}
NONE = "none"  # no options
RANGES = {  # filters by number: the column, and how it is compared
    "least_vp": ("winner_vp", ">="),
    "most_vp": ("winner_vp", "<="),
    "most_margin": ("margin", "<="),
    "least_actions": ("actions", ">="),
    "most_actions": ("actions", "<="),
    "least_rounds": ("rounds", ">="),
    "most_rounds": ("rounds", "<="),
}

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Condition = tuple[str, list[Any]]  # SQL about a row `g` of the index, and its values


@dataclass(frozen=True)
class GameSearch:
    """What somebody asks for; what is empty does not matter."""

    player: str = ""  # as typed
    edition: str = ""
    players: int | None = None
    option: str = ""  # `name=value`, or no options
    least_vp: int | None = None  # of the winner
    most_vp: int | None = None
    most_margin: int | None = None
    least_actions: int | None = None
    most_actions: int | None = None
    least_rounds: int | None = None
    most_rounds: int | None = None
    since: date | None = None
    until: date | None = None
    opening: str = ""  # the first actions, as in the notation: `loan 30; scout`
    event: str = ""
    sort: str = NEWEST

    @classmethod
    def of(cls, sent: Mapping[str, str]) -> GameSearch:
        """A search as sent by a browser; what makes no sense is left out."""
        numbers = {name: _number(sent.get(name, "")) for name in ("players", *RANGES)}
        return cls(
            player=" ".join(sent.get("player", "")[:LONGEST_PLAYER].split()),
            edition=_one_of(sent.get("edition", ""), EDITIONS),
            option=_one_of(sent.get("option", ""), options()),
            since=_day(sent.get("since", "")),
            until=_day(sent.get("until", "")),
            opening=" ".join(sent.get("opening", "")[: 2 * LONGEST_ACTION].split()),
            event=_one_of(sent.get("event", ""), WORDS),
            sort=_one_of(sent.get("sort", ""), ORDERS) or NEWEST,
            **numbers,
        )

    @property
    def asked(self) -> dict[str, str]:
        """The same as sent, without what does not matter."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = GameSearch()
        return {name: str(value) for name, value in values.items() if value != getattr(plain, name)}

    def query(self, **more: str) -> str:
        """The same as the query of an address."""
        return urlencode({**self.asked, **more})

    @property
    def first_actions(self) -> list[str]:
        return [action for part in self.opening.split(";")[:2] if (action := part.strip())]


def options() -> dict[str, tuple[str, Any]]:
    """Every value of an option that is not the default, as a search names it."""
    found: dict[str, tuple[str, Any]] = {NONE: ("", None)}
    for info in EDITIONS.values():
        for option in info.options:
            for value in option.values[1:]:
                found[f"{option.name}={value}"] = (option.name, value)
    return found


def _one_of(text: str, known: Any) -> str:
    return text if text in known else ""


def _number(text: str) -> int | None:
    return min(int(text), MOST) if text.isascii() and text.isdecimal() and len(text) < 9 else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


# --- finding -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """One page of games, and where the next one begins."""

    games: Sequence[int]  # rows of the index
    after: str = ""  # empty: there are no more
    is_full: bool = True  # False: there may be more, but the search has read enough


def find(search: GameSearch, after: str = "", most: int = PAGE) -> Found:
    """The games of a page, after the last one of the page before."""
    key = _key(search, after)
    if search.player and search.sort != NEWEST:
        return _of_player_sorted(search, key, most)
    conditions = _conditions(search)
    if not conditions:
        rows = list(_along(search, key)[: most + 1])
        return _page(rows, most)
    for window in (FIRST_WINDOW, WINDOW):
        rows = _checked(search, _along(search, key)[:window], conditions, most + 1)
        end = [*_along(search, key)[window - 1 : window]]  # empty: all rows were read
        if len(rows) > most or not end:
            return _page(rows, most)
    return Found([number for number, _value in rows], _after(end[0]), is_full=False)


def _page(rows: Sequence[tuple[int, Any]], most: int) -> Found:
    numbers = [number for number, _value in rows[:most]]
    return Found(numbers, _after(rows[most - 1]) if len(rows) > most else "")


def _along(search: GameSearch, key: tuple[Any, int] | None) -> QuerySet[Any, tuple[int, Any]]:
    """Rows and what they are sorted by, along the index that fits best."""
    column, sign = ORDERS[search.sort]
    if search.player:
        rows: QuerySet[Any] = ArchivedSeat.objects.filter(player=_player(search))
        number = "game_id"
    else:
        rows = ArchivedGame.objects.filter(_indexed(search))
        number = "id"
    if column == "finished":
        begin, end = _days(search)
        rows = rows.filter(finished__gte=begin) if begin else rows
        rows = rows.filter(finished__lt=end) if end else rows
    if key is not None:
        value, last = key
        side = "lt" if sign else "gt"
        beyond = Q(**{f"{column}__{side}": value}) | Q(**{f"{number}__{side}": last})
        rows = rows.filter(beyond, **{f"{column}__{side}e": value})
    return rows.order_by(f"{sign}{column}", f"{sign}{number}").values_list(number, column)


def _player(search: GameSearch) -> str:
    return login_of(search.player)[:LONGEST_PLAYER]


def _indexed(search: GameSearch) -> Q:
    """The conditions that an index answers (`models/archive.py`)."""
    if search.sort == NEWEST and search.first_actions:
        return Q(first_action=search.first_actions[0])
    if search.sort == NEWEST and search.event:
        return Q(**{search.event: True})
    if search.edition and search.players and search.sort == NEWEST:
        return Q(edition=search.edition, players=search.players)
    return Q(edition=search.edition) if search.edition else Q()


def _conditions(search: GameSearch) -> list[Condition]:
    """All other conditions, on a row `g` of the index; those of the index itself cost nothing."""
    found: list[Condition] = []
    known = set() if search.player else {name for name, _value in _indexed(search).children}  # type: ignore[misc]
    if search.edition and "edition" not in known:
        found.append(("g.edition = %s", [search.edition]))
    if search.players and "players" not in known:
        found.append(("g.players = %s", [search.players]))
    if search.event and search.event not in known:
        found.append((f"g.{search.event}", []))
    for column, action in zip(
        ("first_action", "second_action"), search.first_actions, strict=False
    ):
        if column not in known:
            found.append((f"g.{column} = %s", [action]))
    if search.option == NONE:
        found.append(("g.options = ''", []))
    elif search.option:
        found.append(("' ' || g.options || ' ' LIKE %s", [f"% {search.option} %"]))
    for name, (column, sign) in RANGES.items():
        if getattr(search, name) is not None:
            found.append((f"g.{column} {sign} %s", [getattr(search, name)]))
    if search.sort != NEWEST:
        found += [
            (f"g.finished {sign} %s", [connection.ops.adapt_datetimefield_value(moment)])
            for sign, moment in zip((">=", "<"), _days(search), strict=True)
            if moment
        ]
    return found


def _days(search: GameSearch) -> tuple[datetime | None, datetime | None]:
    """When the first day begins and the last one ends."""
    begin = datetime.combine(search.since, time(), UTC) if search.since else None
    if search.until is None or search.until == date.max:
        return begin, None
    return begin, datetime.combine(search.until + timedelta(days=1), time(), UTC)


def _checked(
    search: GameSearch, rows: QuerySet[Any, tuple[int, Any]], conditions: list[Condition], most: int
) -> list[tuple[int, Any]]:
    """Those of some rows that meet the conditions, in their order.

    Written out, because Django has no subquery that is read row by row, in its order.
    """
    column, sign = ORDERS[search.sort]
    inner, values = rows.query.sql_with_params()
    number = "game_id" if search.player else "id"
    direction = "DESC" if sign else "ASC"
    checks = " AND ".join(f"({sql})" for sql, _values in conditions)
    statement = f"""
        SELECT g.id, g.{column} FROM ({inner}) AS w JOIN web_archivedgame AS g ON g.id = w.{number}
        WHERE {checks} ORDER BY w.{column} {direction}, w.{number} {direction} LIMIT {most}
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, *(each for _sql, more in conditions for each in more)])
        found = cursor.fetchall()
    return [(number, value) for number, value in found]


def _of_player_sorted(search: GameSearch, key: tuple[Any, int] | None, most: int) -> Found:
    """A player's games by VP: of the newest, as many as one search reads."""
    newest = _along(replace(search, sort=NEWEST, since=None, until=None), None)[:WINDOW]
    column, sign = ORDERS[search.sort]
    conditions = _conditions(search)
    if key is not None:
        side = "<" if sign else ">"
        beyond = f"g.{column} {side} %s OR (g.{column} = %s AND g.id {side} %s)"
        conditions.append((beyond, [key[0], key[0], key[1]]))
    inner, values = newest.query.sql_with_params()
    direction = "DESC" if sign else "ASC"
    checks = " AND ".join(f"({sql})" for sql, _values in conditions) or "1 = 1"
    statement = f"""
        SELECT g.id, g.{column} FROM ({inner}) AS w JOIN web_archivedgame AS g ON g.id = w.game_id
        WHERE {checks} ORDER BY g.{column} {direction}, g.id {direction} LIMIT {most + 1}
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, *(each for _sql, more in conditions for each in more)])
        return _page(cursor.fetchall(), most)


# --- where a page ends ---------------------------------------------------------------------------


def _after(row: tuple[int, Any]) -> str:
    """Where the next page begins, for its address."""
    number, value = row
    if isinstance(value, datetime):
        value = value if value.tzinfo else value.replace(tzinfo=UTC)  # SQLite knows no zones
        value = (value - EPOCH) // timedelta(microseconds=1)
    return f"{value}.{number}"


def _key(search: GameSearch, after: str) -> tuple[Any, int] | None:
    value, _dot, number = after.partition(".")
    sign = value[:1] if value[:1] == "-" else ""
    digits = value.removeprefix("-")
    if not all(text.isascii() and text.isdecimal() and len(text) < 18 for text in (digits, number)):
        return None
    if search.sort != NEWEST:
        return max(-30_000, min(30_000, int(sign + digits))), int(number)
    try:
        return EPOCH + timedelta(microseconds=int(digits)), int(number)
    except OverflowError:
        return None
