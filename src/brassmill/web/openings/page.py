"""What the opening explorer shows: the moves after a line, as rows and on a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from markupsafe import Markup

from brassmill import svg, terms
from brassmill.core.choice import MEANING
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.language import N_, language, ngettext
from brassmill.language import gettext as _
from brassmill.openings import Line, Move, Openings, Tally, kinds, move_text, move_words, openings
from brassmill.openings.moves import LONGEST, ROUNDS, industry_of
from brassmill.rules.layout import CANAL, SYMBOLS
from brassmill.svg.chart import percent
from brassmill.svg.chart.scale import written
from brassmill.svg.panel import capital
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.page.pictures import without_ids

RARE = 0.01  # rows below this share are folded away
SHOWN = 8  # rows that are always shown
TURNS = (
    N_("Turn 1: one action"),
    N_("Turn 2: the first action"),
    N_("Turn 2: the second action"),
)
# The symbol of a move, by the kind of its first choice; builds and developments show industries.
SIGNS = {
    "LINK": "link",
    "SELL": "flipped",
    "LOAN": "money",
    "SCOUT": "cards",
    "PASS": "skip",
}
PICTURES = 256  # maps that are kept


@dataclass(frozen=True)
class OpeningQuery:
    """What the visitor looks at."""

    found: Openings
    seat: int  # place in the first turn order, from 1
    line: Line

    def address(self, line: Line) -> str:
        """The address of the page with another line."""
        return address_of(self.found.edition, self.found.players, self.seat, line)


def address_of(edition: str, players: int, seat: int = 1, line: Line = ()) -> str:
    """The address of the page for a seat."""
    fields: dict[str, Any] = {"edition": edition, "players": players, "seat": seat}
    if line:
        fields["line"] = line_code(line)
    return f"{reverse('openings')}?{urlencode(fields)}"


def query_of(given: Mapping[str, str]) -> OpeningQuery:
    """What an address asks for; what does not exist is replaced or cut off."""
    known = kinds()
    names = [name for name in EDITION_ORDER if any(name == each for each, _players in known)]
    name = given.get("edition", "") if given.get("edition") in names else names[0]
    numbers = [players for each, players in known if each == name]
    found = openings(name, nearest(given.get("players", ""), numbers, numbers[-1]))
    seat = nearest(given.get("seat", ""), range(1, found.players + 1), 1)
    tree, line = found.trees[seat - 1], list[Move]()
    for move in moves_in(given.get("line", "")):
        if not tree.tally((*line, move)).games:
            break
        line.append(move)
    return OpeningQuery(found, seat, tuple(line))


def nearest(text: str, allowed: Iterable[int], usual: int) -> int:
    """One of the allowed numbers: the given one, or the usual one."""
    return next((number for number in allowed if text == str(number)), usual)


def line_code(line: Line) -> str:
    """A line as a word in an address: `188-189_114`."""
    return "_".join("-".join(map(str, move)) for move in line)


def moves_in(code: str) -> list[Move]:
    """The moves in such a word, as far as it can be read."""
    moves = []
    for word in code[:100].split("_")[:LONGEST]:
        numbers = word.split("-")
        if not all(number.isascii() and number.isdigit() for number in numbers):
            break
        moves.append(tuple(map(int, numbers)))
    return moves


def openings_for(edition: Edition, era: int, number: int) -> str:
    """The address of the explorer from a position in this round; empty if it has nothing to say."""
    covered = not edition.changed_options and (edition.name, edition.players) in kinds()
    if not covered or era != CANAL or number > ROUNDS:
        return ""
    return address_of(edition.name, edition.players)


# --- the rows ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WonBar:
    """A share of wins as a bar with its interval, in thousandths of its width."""

    won: int
    low: int
    high: int
    usual: int  # of all games of the seat: a line across the bars


@dataclass(frozen=True)
class MoveView:
    """A move that was played."""

    number: int
    symbols: tuple[str, ...]
    words: str
    address: str  # of the moves after it; empty after the last one
    is_on_map: bool
    games: str
    share: str
    share_width: int  # in thousandths
    won: str
    interval: str
    bar: WonBar
    vp: str


def rows_of(query: OpeningQuery) -> list[MoveView]:
    """The moves after a line, the most frequent first."""
    edition, tree = query.found.table, query.found.trees[query.seat - 1]
    rows = tree.rows(query.line)
    scale = scale_of([row.tally for row in rows if row.share >= RARE], tree.tally())
    views = []
    for number, row in enumerate(rows, 1):
        line = (*query.line, row.move)
        low, high = row.tally.interval
        views.append(
            MoveView(
                number=number,
                symbols=symbols_of(edition, row.move),
                words=capital(move_words(edition, row.move)),
                address=query.address(line) if tree.rows(line) else "",
                is_on_map=number <= SHOWN and bool(marks_of(((number, row.move),), None)),
                games=written(row.tally.games),
                share=percent(row.share),
                share_width=round(1000 * row.share),
                won=percent(row.tally.won),
                interval=interval_words(low, high),
                bar=bar_of(row.tally, tree.tally(), scale),
                vp=written(row.tally.mean_vp, 1),
            )
        )
    return views


def interval_words(low: float, high: float) -> str:
    return f"{percent(low)}\N{EN DASH}{percent(high)}"


def scale_of(tallies: Sequence[Tally], usual: Tally) -> float:
    """The share of wins at the right end of the bars: a round number that most intervals reach."""
    highest = max([2 * usual.won, *(tally.interval[1] for tally in tallies)])
    return min(1.0, ceil(10 * highest) / 10)


def bar_of(tally: Tally, usual: Tally, scale: float) -> WonBar:
    def at(share: float) -> int:
        return round(1000 * min(1.0, share / scale))

    low, high = tally.interval
    return WonBar(at(tally.won), at(low), at(high), at(usual.won))


def symbols_of(edition: Edition, move: Move) -> tuple[str, ...]:
    """The symbols of a move."""
    kind = MEANING[move[0]][0]
    if kind == "BUILD":
        return (industry_of(edition, move[0]),)
    if kind == "DEVELOP":
        return ("develop", *(industry_of(edition, choice) for choice in move))
    return (SIGNS[kind],)


# --- the map -------------------------------------------------------------------------------------


def marks_of(moves: Iterable[tuple[int, Move]], allowed: bool | None) -> list[svg.Mark]:
    """Numbered marks on the spaces and lines of moves."""
    marks = []
    for number, move in moves:
        for choice in move:
            kind, offset = MEANING[choice]
            if kind == "BUILD":
                marks.append(svg.Mark(number, allowed, space=offset // SYMBOLS))
            elif kind == "SELL":
                marks.append(svg.Mark(number, allowed, space=offset))
            elif kind == "LINK":
                marks.append(svg.Mark(number, allowed, line=offset))
    return marks


def map_of(query: OpeningQuery, theme: str) -> Markup:
    """The part of the map where the line and the most frequent moves after it are."""
    rows = query.found.trees[query.seat - 1].rows(query.line)[:SHOWN]
    after = tuple((number, row.move) for number, row in enumerate(rows, 1))
    return _map(query.found.edition, query.found.players, query.line, after, theme, language())


@lru_cache(maxsize=PICTURES)
def _map(
    name: str,
    players: int,
    line: Line,
    after: tuple[tuple[int, Move], ...],
    theme: str,
    _language: str,
) -> Markup:
    game = Game(name, players=players, seed=0)
    view = game.view()
    # The merchants are different in every game.
    unknown = tuple(replace(each, goods="blank", barrel=False) for each in view.merchants)
    view = replace(view, merchants=unknown)
    marks = [*marks_of(enumerate(line, 1), True), *marks_of(after, None)]
    around = {place for mark in marks for place in places_of(game.edition, mark)}
    ground = reverse("ground", args=[name, view.era]) + (f"?theme={theme}" if theme else "")
    label = _("Map: where these moves are made")
    everywhere = range(len(game.edition.places))
    drawn = svg.detail(view, around or everywhere, marks, label=label, theme=None, ground=ground)
    return without_ids(drawn)


def places_of(edition: Edition, mark: svg.Mark) -> Sequence[int]:
    if mark.line is not None:
        return edition.line_ends[mark.line]
    assert mark.space is not None
    return [edition.spaces[mark.space].place]


# --- the page ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChosenMove:
    """A move of the line that has been chosen."""

    number: int
    words: str
    address: str


def context_of(query: OpeningQuery, theme: str) -> dict[str, Any]:
    """The template context of the page."""
    found, line = query.found, query.line
    tree = found.trees[query.seat - 1]
    rows, others, tally = rows_of(query), tree.others(line), tree.tally(line)
    frequent = [row for row in rows if row.number <= SHOWN]
    scale = scale_of([row.tally for row in tree.rows(line) if row.share >= RARE], tree.tally())
    return {
        "query": query,
        "edition": found.edition,
        "title": title_of(found.edition),
        "choices": choices_of(query),
        "turn": "" if len(line) >= LONGEST or not rows else _(TURNS[len(line)]),
        "start": query.address(()),
        "steps": [
            ChosenMove(
                number,
                capital(move_words(found.table, move)),
                query.address(line[:number]),
            )
            for number, move in enumerate(line, 1)
        ],
        "rows": frequent,
        "rare": rows[len(frequent) :],
        "others": written(others.games) if others.games else "",
        "all": summary_of(tally, tree.tally(), scale),
        "scale": percent(scale),
        "map": map_of(query, theme),
        "marked": any(row.is_on_map for row in rows) or bool(marks_of(enumerate(line, 1), True)),
        "games": games_words(found.games),
        "has_merchants": bool(found.table.merchants),
    }


class ChoiceLink(NamedTuple):
    """Another edition, number of players or seat."""

    words: str
    address: str
    is_chosen: bool


def choices_of(query: OpeningQuery) -> list[tuple[str, str, list[ChoiceLink]]]:
    """What else can be looked at: name, title and links."""
    found, known = query.found, kinds()

    most = dict(known)
    games = [
        ChoiceLink(title_of(name), address_of(name, most[name]), name == found.edition)
        for name in EDITION_ORDER
        if name in most
    ]
    players = [
        ChoiceLink(str(n), address_of(found.edition, n), n == found.players)
        for name, n in known
        if name == found.edition
    ]
    seats = [
        ChoiceLink(
            terms.ordinal(seat),
            address_of(found.edition, found.players, seat),
            seat == query.seat,
        )
        for seat in range(1, found.players + 1)
    ]
    return [
        ("game", _("Game"), games),
        ("players", _("Players"), players),
        ("seat", _("Seat in turn order"), seats),
    ]


def summary_of(tally: Tally, usual: Tally, scale: float) -> dict[str, Any]:
    """The figures of all games that begin with a line."""
    return {
        "games": written(tally.games),
        "won": percent(tally.won),
        "interval": interval_words(*tally.interval),
        "bar": bar_of(tally, usual, scale),
        "vp": written(tally.mean_vp, 1),
    }


def games_words(games: int) -> str:
    words = ngettext("{number} game", "{number} games", games)
    return words.format(number=written(games))


def data_of(query: OpeningQuery) -> dict[str, Any]:
    """The same as data."""
    found, line = query.found, query.line
    table, tree = found.table, found.trees[query.seat - 1]

    def move_data(move: Move) -> dict[str, Any]:
        return {
            "choices": list(move),
            "text": move_text(table, move),
            "words": move_words(table, move),
        }

    rows = [
        {**move_data(row.move), "share": row.share, **tally_data(row.tally)}
        for row in tree.rows(line)
    ]
    return {
        "edition": found.edition,
        "players": found.players,
        "seat": query.seat,
        "games": found.games,
        "least": found.least,
        "heat": found.heat,
        "network": found.network,
        "sources": [asdict(source) for source in found.sources],
        "line": [move_data(move) for move in line],
        "all": tally_data(tree.tally(line)),
        "others": tree.others(line).games,
        "moves": rows,
    }


def tally_data(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval
    return {
        "games": tally.games,
        "won": tally.won,
        "interval": [low, high],
        "vp": tally.mean_vp,
    }
