"""The figures of a run, for the tables, the report and `--json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import NamedTuple, TypeVar

from brassmill.arena.estimates import Mean, Share, mean_of, share_of, sums_by_deal
from brassmill.arena.ratings import Rating, ratings
from brassmill.arena.results import Forfeited, GameResult, PlayerResult, Results
from brassmill.arena.schedule import Schedule
from brassmill.core.events import ERAS
from brassmill.errors import BrassError
from brassmill.language import gettext as _


@dataclass(frozen=True)
class BotSummary:
    """One bot; a bot in two seats of a game counts twice. Means are per seat and game."""

    bot: str  # its spec
    played: int  # seats in games
    deals: int
    wins: float  # a win shared by two seats is half a win for each
    won: Share  # of the games played
    rank: Mean
    vp: Mean
    winning_vp: Mean | None  # in the games it won; None if there are none
    vp_by_place: dict[int, Mean]  # by the place in the first turn order, from 1
    points: dict[str, dict[str, float]]  # VP by era and source
    cash: Mean
    income: Mean  # level at the end
    loans: Mean
    did: dict[str, float]  # actions by kind
    built: dict[str, dict[int, float]]  # tiles by industry and level
    seconds_per_turn: float
    slowest_turn: float
    forfeits: dict[str, int]  # by kind, in all games
    first_forfeit: Forfeited | None
    scores: tuple[int, ...]  # every VP, in the order of the games


@dataclass(frozen=True)
class Duel:
    """Two bots in the games that both played; a draw is half a win."""

    first: str
    second: str
    deals: int
    games: int
    deals_by_vp: Share  # deals in which the first has more VP, summed over the games of the deal
    deals_by_rank: Share  # deals in which the first has the better mean rank
    games_by_rank: Share  # games in which the first has the better (mean) rank
    margin: Mean  # VP of the first over the second, seat by seat


@dataclass(frozen=True)
class Winners:
    """The winning seats, whichever bots they were."""

    vp: Mean
    points: dict[str, dict[str, float]]  # VP by era and source
    built: dict[str, dict[int, float]]  # tiles by industry and level
    did: dict[str, float]


@dataclass(frozen=True)
class Summary:
    """All figures of a run so far; needs at least one game."""

    schedule: Schedule
    games: int  # played so far, of `schedule.games`
    deals: int
    seconds: float  # of play, summed over all workers
    actions: float  # per game, by all seats
    bots: tuple[BotSummary, ...]  # the different ones, best mean rank first
    duels: tuple[Duel, ...]  # every pair of different bots, in the order of `bots`
    ratings: tuple[Rating, ...]  # best first; empty if there is only one bot
    winners: Winners


def summary(results: Results) -> Summary:
    """Compute all figures of a run."""
    games = tuple(results.games.values())
    if not games:
        raise BrassError(_("no game has been played yet"))
    seats = [
        SeatResult(results.bot(game, number), game, player)
        for game in games
        for number, player in enumerate(game.players)
    ]
    by_bot: dict[str, list[SeatResult]] = {}
    for seat in seats:
        by_bot.setdefault(seat.bot, []).append(seat)
    bots = sorted(
        (bot_summary(bot, found) for bot, found in by_bot.items()), key=lambda bot: bot.rank.mean
    )
    return Summary(
        schedule=results.schedule,
        games=len(games),
        deals=len({game.deal for game in games}),
        seconds=sum(game.seconds for game in games),
        actions=sum(game.actions for game in games) / len(games),
        bots=tuple(bots),
        duels=tuple(
            found
            for first, second in combinations([bot.bot for bot in bots], 2)
            if (found := duel(seats, first, second))
        ),
        ratings=ratings(results),
        winners=winners([seat for seat in seats if seat.player.rank == 1]),
    )


class SeatResult(NamedTuple):
    """One seat of one game."""

    bot: str
    game: GameResult
    player: PlayerResult

    @property
    def win(self) -> float:
        """This seat's share of the win."""
        sharing = sum(player.rank == 1 for player in self.game.players)
        return 1 / sharing if self.player.rank == 1 else 0.0


def bot_summary(bot: str, seats: Sequence[SeatResult]) -> BotSummary:
    """The figures of one bot."""
    players = [seat.player for seat in seats]
    won = [seat for seat in seats if seat.player.rank == 1]
    places = sorted({player.place for player in players})
    forfeits = [forfeit for player in players for forfeit in player.forfeits]
    return BotSummary(
        bot=bot,
        played=len(seats),
        deals=len({seat.game.deal for seat in seats}),
        wins=sum(seat.win for seat in seats),
        won=share_of([seat.win for seat in seats], [seat.game.deal for seat in seats]),
        rank=_mean(seats, lambda player: player.rank),
        vp=_mean(seats, lambda player: player.vp),
        winning_vp=_mean(won, lambda player: player.vp) if won else None,
        vp_by_place={
            place: _mean(
                [seat for seat in seats if seat.player.place == place], lambda player: player.vp
            )
            for place in places
        },
        points=_points(players),
        cash=_mean(seats, lambda player: player.cash),
        income=_mean(seats, lambda player: player.income),
        loans=_mean(seats, lambda player: player.loans),
        did=_averages([player.did for player in players]),
        built=_built(players),
        seconds_per_turn=sum(player.thought for player in players)
        / max(1, sum(player.turns for player in players)),
        slowest_turn=max(player.slowest for player in players),
        forfeits=Counter(forfeit.kind for forfeit in forfeits),
        first_forfeit=forfeits[0] if forfeits else None,
        scores=tuple(player.vp for player in players),
    )


def winners(seats: Sequence[SeatResult]) -> Winners:
    """The figures of the winning seats."""
    players = [seat.player for seat in seats]
    return Winners(
        vp=_mean(seats, lambda player: player.vp),
        points=_points(players),
        built=_built(players),
        did=_averages([player.did for player in players]),
    )


def duel(seats: Sequence[SeatResult], first: str, second: str) -> Duel | None:
    """Compare two bots in the games where they met; None if they have not met."""
    met: dict[int, dict[str, list[PlayerResult]]] = {}  # by game
    deal_of = {}
    for seat in seats:
        if seat.bot in (first, second):
            met.setdefault(seat.game.game, {}).setdefault(seat.bot, []).append(seat.player)
            deal_of[seat.game.game] = seat.game.deal
    games = {game: sides for game, sides in met.items() if len(sides) == 2}
    if not games:
        return None
    deals = [deal_of[game] for game in games]
    margins, better = [], []  # by game: VP and places by which the first is ahead
    for sides in games.values():
        margins.append(fmean(p.vp for p in sides[first]) - fmean(p.vp for p in sides[second]))
        better.append(fmean(p.rank for p in sides[second]) - fmean(p.rank for p in sides[first]))
    each = sorted(set(deals))
    return Duel(
        first=first,
        second=second,
        deals=len(each),
        games=len(games),
        deals_by_vp=share_of(_ahead(sums_by_deal(margins, deals)), each),
        deals_by_rank=share_of(_ahead(sums_by_deal(better, deals)), each),
        games_by_rank=share_of(_ahead(better), deals),
        margin=mean_of(margins, deals),
    )


# --- averages -------------------------------------------------------------------------------------


def _ahead(margins: Iterable[float]) -> list[float]:
    """1 where the first is ahead, 0 where the second is; rounding errors count as draws."""
    return [0.5 if abs(margin) < 1e-9 else float(margin > 0) for margin in margins]


def _mean(seats: Sequence[SeatResult], value: Callable[[PlayerResult], float]) -> Mean:
    return mean_of([value(seat.player) for seat in seats], [seat.game.deal for seat in seats])


Key = TypeVar("Key")


def _averages(counts: Sequence[Mapping[Key, int]]) -> dict[Key, float]:
    """The mean of each count; a missing name counts as zero."""
    total: Counter[Key] = Counter()
    for count in counts:
        total.update(count)
    return {name: number / len(counts) for name, number in total.items()}


def _points(players: Sequence[PlayerResult]) -> dict[str, dict[str, float]]:
    return {era: _averages([player.points[era] for player in players]) for era in ERAS}


def _built(players: Sequence[PlayerResult]) -> dict[str, dict[int, float]]:
    industries = dict.fromkeys(industry for player in players for industry in player.built)
    return {
        industry: dict(
            sorted(_averages([Counter(p.built.get(industry, ())) for p in players]).items())
        )
        for industry in industries
    }
