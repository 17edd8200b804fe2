"""A profile: what a player has achieved and how they play, as far as a visitor may see it.

The owner sees everything. Others see the ratings, as on the leaderboards, and the parts that the
owner shows them (`models/profiles.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

from brassmill import terms
from brassmill.core.events import ERAS
from brassmill.core.names import SOURCES
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.svg.panel import capital
from brassmill.vocabulary import say
from brassmill.web.accounts.stats import EditionResults, results_of
from brassmill.web.models import (
    Account,
    Archive,
    LadderRating,
    Profile,
    RatedPlayer,
    RatedSeat,
)
from brassmill.web.page.game_list import level_of, title_of
from brassmill.web.profiles.figures import DISTANT, PORT, SeatFigures, figures_of
from brassmill.web.profiles.games import PlayedGame, games_of, most_played
from brassmill.web.puzzles import ratings as puzzle_ratings
from brassmill.web.puzzles.ratings import SolverStanding
from brassmill.web.ratings.computing import LEVELS, shown

PARTS = ("results", "style", "games", "practice")
LATEST = 100  # games that sources, industries and openings are taken from
NEAR = 4.0  # of mu: players of one's strength
PEERS = 200  # of their seats, the latest
MOST = 10  # rows of a list
BEST = 3  # games of an edition


class LadderStanding(NamedTuple):
    """A rating on a ladder."""

    kind: str
    edition: str
    players: int
    title: str
    rating: int
    margin: int
    is_sure: bool
    games: int
    won: int


class SourceComparison(NamedTuple):
    """The VP from a source in an era, on average: the player's, and of players as strong."""

    era: str
    source: str
    own: float
    peers: float | None  # None: nobody to compare with


class Average(NamedTuple):
    """How often something was done, a game on average."""

    words: str
    each: float


class FirstActions(NamedTuple):
    """How games began, and how often they were won."""

    words: str
    games: int
    won: int


class BestGame(NamedTuple):
    """A game with many VP."""

    title: str
    players: int
    vp: int
    rank: int
    day: str
    table: str  # empty: its address is not for this visitor


class HeadToHead(NamedTuple):
    """Rated games against another player."""

    name: str
    number: int  # of their profile; 0: former player
    games: int
    better: int
    worse: int


class LevelRow(NamedTuple):
    """Games against a level, and in how many the player was ranked before it."""

    level: str
    games: int
    beaten: int


@dataclass(frozen=True)
class Style:
    """How somebody plays an edition with a number of players."""

    edition: str
    players: int
    title: str
    games: int
    compared_with: int  # seats of players as strong
    sources: list[SourceComparison]
    industries: list[Average]
    buyers: list[Average]
    openings: list[FirstActions]


@dataclass
class ProfilePage:
    """What a visitor sees of a player."""

    number: int
    name: str
    is_own: bool
    shown: dict[str, bool]  # which parts others see
    ladders: list[LadderStanding]
    is_program: bool = False
    results: list[EditionResults] | None = None
    curves: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # ratings and margins
    kinds: list[tuple[str, int]] = field(default_factory=list)  # games to show the style of
    style: Style | None = None
    best: list[BestGame] | None = None
    rivals: list[HeadToHead] | None = None
    levels: list[LevelRow] | None = None
    puzzles: SolverStanding | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = asdict(self)
        for name in ("rivals", "levels", "best"):
            rows = getattr(self, name)
            data[name] = rows and [row._asdict() for row in rows]
        data["ladders"] = [row._asdict() for row in self.ladders]
        data["puzzles"] = self.puzzles and self.puzzles._asdict()
        return data


def shown_by(account: Account) -> dict[str, bool]:
    """Which parts others see; at first none."""
    row = Profile.objects.filter(account=account).first() or Profile(account=account)
    return {part: getattr(row, part) for part in PARTS}


def profile_of(
    player: RatedPlayer, account: Account, is_own: bool, wanted: tuple[str, int] | None
) -> ProfilePage | None:
    """A player's profile as a visitor sees it; None: there is nothing to see."""
    public = shown_by(account)
    may = {part: is_own or public[part] for part in PARTS}
    ladders = _ladders(player)
    if not (is_own or ladders or any(public.values())):
        return None
    page = ProfilePage(player.pk, account.name, is_own, public, ladders, account.program)
    games = games_of(account.key) if may["style"] or may["games"] or may["practice"] else []
    if may["results"]:
        page.results = results_of(account.key)
        page.curves = {row.ladder_id: _curve(player, row.ladder_id) for row in _rated(player)}
    if may["style"]:
        page.kinds = sorted({(game.edition, game.players) for game in games if not game.intro})
        kind = wanted if wanted in page.kinds else most_played(games)
        page.style = _style(player, games, *kind) if kind else None
    if may["games"]:
        page.best = list(_best(games, is_own))
        page.rivals = _rivals(player)
    if may["practice"]:
        page.levels = _levels(games)
        page.puzzles = puzzle_ratings.standing(account.key)
    return page


# --- ratings -------------------------------------------------------------------------------------


def _rated(player: RatedPlayer) -> list[LadderRating]:
    return list(player.ratings.select_related("ladder").order_by("ladder"))


def _ladders(player: RatedPlayer) -> list[LadderStanding]:
    rows = sorted(_rated(player), key=lambda row: (-row.games, row.ladder_id))
    return [
        LadderStanding(
            row.ladder.kind,
            row.ladder.edition,
            row.ladder.players,
            title_of(row.ladder.edition),
            *shown(row.mu, row.sigma),
            games=row.games,
            won=row.won,
        )
        for row in rows
    ]


def _curve(player: RatedPlayer, ladder_id: str) -> list[tuple[int, int]]:
    """The rating and its margin after each game on a ladder."""
    seats = RatedSeat.objects.filter(player=player, game__ladder=ladder_id, mu__isnull=False)
    moves = seats.order_by("game__finished", "game").values_list("mu", "sigma")
    return [(now.rating, now.margin) for now in (shown(mu or 0, sigma or 0) for mu, sigma in moves)]


# --- how they play -------------------------------------------------------------------------------


def _style(player: RatedPlayer, games: Sequence[PlayedGame], edition: str, players: int) -> Style:
    fitting = [
        game
        for game in games
        if (game.edition, game.players) == (edition, players) and not game.intro
    ][:LATEST]
    peers = _peers(player, edition, players)
    own = _points([(game.table, game.seat) for game in fitting])
    theirs = _points(peers)
    figures = figures_of(game.table for game in fitting)
    played = [
        (game, figures[game.table][game.seat])
        for game in fitting
        if len(figures.get(game.table, [])) > game.seat
    ]
    return Style(
        edition=edition,
        players=players,
        title=title_of(edition),
        games=len(fitting),
        compared_with=len(theirs),
        sources=list(_sources(own, theirs)),
        industries=_shares([seat.built for _game, seat in played], terms.industry),
        buyers=_shares([seat.sold for _game, seat in played], buyer_words),
        openings=_openings(played),
    )


def _peers(player: RatedPlayer, edition: str, players: int) -> list[tuple[str, int]]:
    """Seats of players who were about as strong, on the ladders of this kind of game."""
    found: list[tuple[str, int]] = []
    for row in player.ratings.filter(ladder__edition=edition, ladder__players=players):
        seats = RatedSeat.objects.filter(
            game__ladder=row.ladder_id,
            game__withdrawn="",
            left=False,
            mu_before__range=(row.mu - NEAR, row.mu + NEAR),
        ).exclude(player=player)
        latest = seats.order_by("-game__finished", "-game")[:PEERS]
        found += [(table, seat) for table, seat in latest.values_list("game__table", "seat")]
    return found


Points = dict[tuple[str, str], int]  # by era and source


def _points(seats: Sequence[tuple[str, int]]) -> list[Points]:
    """The VP of these seats by era and source; a deleted table has none."""
    tables = {table for table, _seat in seats}
    stored = Archive.objects.filter(pk__in=tables, outcome__isnull=False)
    outcomes: dict[str, Any] = dict(stored.values_list("table_id", "outcome"))
    return [
        {(era, source): vp for era, row in points.items() for source, vp in row.items()}
        for table, seat in seats
        if table in outcomes
        for points in [outcomes[table]["results"][seat]["points"]]
    ]


def _sources(own: Sequence[Points], peers: Sequence[Points]) -> Iterable[SourceComparison]:
    for era in ERAS:
        for source in SOURCES:
            key = era, source
            if any(key in points for points in (*own, *peers)):
                mine = round(fmean(points.get(key, 0) for points in own), 1) if own else 0.0
                theirs = round(fmean(points.get(key, 0) for points in peers), 1) if peers else None
                yield SourceComparison(capital(terms.era(era)), terms.source(source), mine, theirs)


def _shares(counts: Sequence[dict[str, int]], words: Any) -> list[Average]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    found = sorted(total, key=lambda name: (-total[name], name))
    return [Average(words(name), round(total[name] / len(counts), 1)) for name in found]


def buyer_words(name: str) -> str:
    """Where goods were sold, in words."""
    return {PORT: _("ports"), DISTANT: _("distant market")}.get(name) or terms.place(name)


def _openings(played: Sequence[tuple[PlayedGame, SeatFigures]]) -> list[FirstActions]:
    games: dict[tuple[str, ...], list[bool]] = defaultdict(list)
    for game, seat in played:
        if seat.opening:
            games[seat.opening].append(game.rank == 1)
    rows = [
        FirstActions(", ".join(map(action_words, opening)), len(won), sum(won))
        for opening, won in games.items()
    ]
    return sorted(rows, key=lambda row: (-row.games, -row.won, row.words))[:MOST]


def action_words(word: str) -> str:
    """An action of an opening in words."""
    if word.startswith("build "):
        return terms.industry(word.removeprefix("build "))
    return say(word, language())


# --- games and practice --------------------------------------------------------------------------


def _best(games: Sequence[PlayedGame], is_own: bool) -> Iterable[BestGame]:
    by_edition: dict[str, list[PlayedGame]] = defaultdict(list)
    for game in games:
        if not game.intro:
            by_edition[game.edition].append(game)
    for edition in sorted(by_edition):
        for game in sorted(by_edition[edition], key=lambda game: -game.vp)[:BEST]:
            yield BestGame(
                title_of(edition),
                game.players,
                game.vp,
                game.rank,
                f"{game.ended:%Y-%m-%d}",
                game.table if is_own or game.listed else "",
            )


def _rivals(player: RatedPlayer) -> list[HeadToHead]:
    """Other players in rated games that count, those met most often first."""
    own = dict(player.seats.filter(game__withdrawn="").values_list("game", "rank"))
    others = RatedSeat.objects.filter(game__in=own, player__isnull=False).exclude(player=player)
    met: dict[int, list[int]] = defaultdict(list)
    names: dict[int, str] = {}
    for seat in others.select_related("player__account"):
        assert seat.player_id is not None and seat.player is not None
        met[seat.player_id].append(seat.rank - own[seat.game_id])
        names[seat.player_id] = seat.player.account.name if seat.player.account else ""
    rows = [
        HeadToHead(
            names[number] or _("former player"),
            number if names[number] else 0,
            len(margins),
            sum(margin > 0 for margin in margins),
            sum(margin < 0 for margin in margins),
        )
        for number, margins in met.items()
    ]
    return sorted(rows, key=lambda row: (-row.games, row.name))[:MOST]


def _levels(games: Sequence[PlayedGame]) -> list[LevelRow]:
    found: dict[str, list[bool]] = {level: [] for level in LEVELS}
    for game in games:
        for opponent in game.opponents:
            if opponent.level in found:
                found[opponent.level].append(game.rank < opponent.rank)
    return [LevelRow(capital(level_of(level)), len(won), sum(won)) for level, won in found.items()]
