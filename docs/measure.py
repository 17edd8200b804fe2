"""Play the games behind the pages of ratings and strategies, for as long as you like.

    python docs/measure.py ratings --minutes 60       # every bot, in every game
    python docs/measure.py ratings-slow --minutes 600 # bots that think for longer than 0.1 s a turn
    python docs/measure.py strategies --minutes 30    # the networks among themselves
    python docs/measure.py ladder --minutes 30        # bots of known strength, rated like people
    make docs                                         # write the tables and draw the charts

Stop it at any time: the same command resumes, with the deals that have not been played yet. Every
game is a line in a file in `runs/` (`bots/arena.md`); the figures go to `results/*.json`, which the
pages are made from.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from time import monotonic
from typing import Any

from brassmill.arena import match, workers
from brassmill.arena.estimates import share_of
from brassmill.arena.results import GameResult, PlayerResult, Results, ResultsFile, read
from brassmill.arena.schedule import Schedule
from brassmill.arena.statistics import summary
from brassmill.arena.workers import Lost
from brassmill.bots import registry
from brassmill.editions import EDITIONS
from brassmill.rules.warmup import warm_up
from brassmill.web.ratings.computing import NEWCOMER, Entrant, Skill, rate, shown

DOCS = Path(__file__).parent
SEED = 4_000_000_001  # deals of their own: no network has seen them
CLOCK = 60.0
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)  # of every game: nobody rests
DEALS = 2_000  # for each lineup: more than anybody will wait for

# Bots that need at most 0.1 s a turn, with the levels where no network fits.
FAST = (
    *("random", "beginner", "apprentice", "journeyman", "net", "net:worlds=2"),
    *("greedy:noise=12", "greedy:noise=5", "greedy:noise=2", "greedy"),
    *("planner:worlds=1", "planner:worlds=4"),
)
SLOW = ("net", "net:worlds=8", "net:1s", "planner:worlds=4", "planner:500ms", "planner:2s")
# Quick bots of known strength, as people on a ladder.
LADDER = (
    *("random", "greedy:noise=12", "beginner", "greedy:noise=5", "apprentice"),
    *("journeyman", "greedy", "net"),
)
EVERY_GAME = [(name, players) for name, box in EDITIONS.items() for players in sorted(box.players)]
RUNS = {
    "ratings": (FAST, EVERY_GAME),
    "ratings-slow": (SLOW, [("birmingham", 4), ("lancashire", 4)]),
    "strategies": (("net",), EVERY_GAME),
    "ladder": (LADDER, EVERY_GAME),
}


def schedule_of(bots: Sequence[str], edition: str, players: int) -> Schedule:
    one = Schedule(edition, players, {}, tuple(bots), 1, SEED, CLOCK).in_whole_sets()
    return Schedule(edition, players, {}, tuple(bots), DEALS * one.games, SEED, CLOCK)


def play(file: ResultsFile, seconds: float, processes: int) -> None:
    """Play deals in random order, each by a lineup in all seats, until the time is over."""
    schedule = file.results.schedule
    deals: dict[int, list[int]] = {}
    for number in file.results.missing:
        deals.setdefault(schedule.match(number).deal, []).append(number)
    order = sorted(deals)
    Random(SEED).shuffle(order)
    numbers = [number for deal in order for number in deals[deal]]
    games = workers.play_all(partial(match.play, schedule, False), numbers, processes)
    end = monotonic() + seconds
    with closing(games):
        for played in games:
            if not isinstance(played, Lost):
                file.add(played.result)
            if monotonic() > end:
                return


# --- figures -------------------------------------------------------------------------------------


def rated(results: Results) -> dict[str, Any]:
    """The figures of a league."""
    found = summary(results)
    bots = {bot.bot: bot for bot in found.bots}
    return {
        "edition": found.schedule.edition,
        "players": found.schedule.players,
        "games": found.games,
        "deals": found.deals,
        "bots": [
            {
                "bot": rating.bot,
                "rating": round(rating.rating, 2),
                "between": rounded(rating.interval),
                "played": bots[rating.bot].played,
                "won": round(bots[rating.bot].won.share, 3),
                "won_between": rounded(bots[rating.bot].won.interval, 3),
                "vp": round(bots[rating.bot].vp.mean, 1),
                "ms_per_turn": round(1000 * bots[rating.bot].seconds_per_turn, 1),
            }
            for rating in found.ratings
        ],
    }


def strategies(results: Results) -> dict[str, Any]:
    """How the winners of games among equals differ from the others."""
    seats = list(seats_of(results))
    won = [player for _game, player in seats if player.rank == 1]
    others = [player for _game, player in seats if player.rank > 1]
    schedule = results.schedule
    return {
        "edition": schedule.edition,
        "players": schedule.players,
        "games": len(results.games),
        "winners": means_of(won),
        "others": means_of(others),
        "by_loans": shares(seats, lambda player: str(min(player.loans, MANY))),
        "by_industry": shares(seats, best_industry),
    }


MANY = 5  # loans


def seats_of(results: Results) -> Iterator[tuple[GameResult, PlayerResult]]:
    return ((game, player) for game in results.games.values() for player in game.players)


def means_of(players: Sequence[PlayerResult]) -> dict[str, Any]:
    """What these seats did, on average."""
    sources, built, did = Counter[str](), Counter[str](), Counter[str]()
    for player in players:
        for era in player.points.values():
            sources.update(era)
        built.update({industry: len(levels) for industry, levels in player.built.items()})
        did.update(player.did)
    return {
        "vp": round(fmean(player.vp for player in players), 1),
        "income": round(fmean(player.income for player in players), 1),
        "points": {source: round(total / len(players), 1) for source, total in sources.items()},
        "built": {name: round(total / len(players), 2) for name, total in built.items()},
        "did": {name: round(total / len(players), 2) for name, total in did.items()},
    }


def best_industry(player: PlayerResult) -> str:
    """The industry that brought the most VP."""
    vp = {name: sum(era.get(name, 0) for era in player.points.values()) for name in player.built}
    return max(vp, key=lambda name: vp[name]) if vp else ""


def shares(seats: Sequence[tuple[GameResult, PlayerResult]], key: Any) -> dict[str, Any]:
    """How many seats there are of each kind, and how many of them won, with intervals."""
    groups: dict[str, list[tuple[GameResult, PlayerResult]]] = {}
    for seat in seats:
        groups.setdefault(key(seat[1]), []).append(seat)
    found = {}
    for name, group in sorted(groups.items()):
        wins = [win_of(game, player) for game, player in group]
        share = share_of(wins, [game.deal for game, _player in group])
        found[name] = [len(group), round(share.share, 3), rounded(share.interval, 3)]
    return found


def win_of(game: GameResult, player: PlayerResult) -> float:
    first = sum(other.rank == 1 for other in game.players)
    return 1 / first if player.rank == 1 else 0.0


def rounded(interval: tuple[float, float] | None, digits: int = 2) -> list[float] | None:
    return None if interval is None else [round(end, digits) for end in interval]


# --- how fast ratings find the order -------------------------------------------------------------

AFTER = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240)  # games of each player
ORDERS = 40  # of the same games
CLEAR = 5.0  # between two known ratings: a smaller difference may be chance


def ladder(results: Results) -> dict[str, Any]:
    """Rate the bots like people, and compare with the order of their known ratings."""
    schedule = results.schedule
    known = known_ratings(schedule.edition, schedule.players)
    pairs = [(a, b) for a in known for b in known if known[a] - known[b] >= CLEAR]
    games = [
        [
            Entrant(LADDER.index(results.bot(game, seat)), "", player.rank)
            for seat, player in enumerate(game.players)
        ]
        for game in results.games.values()
    ]
    rng, sums = Random(SEED), Counter[int]()
    right, margins = Counter[int](), Counter[int]()
    for _order in range(ORDERS):
        rng.shuffle(games)
        skills: dict[int, Skill] = {}
        for number, game in enumerate(games, 1):
            rate(skills, MOMENT, game)
            played = number * schedule.players / len(LADDER)
            step = next(
                (n for n in AFTER if played <= n < played + schedule.players / len(LADDER)), 0
            )
            if step:
                found = {bot: skills.get(n, NEWCOMER) for n, bot in enumerate(LADDER)}
                sums[step] += 1
                right[step] += sum(found[a].mu > found[b].mu for a, b in pairs)
                margins[step] += sum(shown(*skill[:2]).margin for skill in found.values())
    return {
        "edition": schedule.edition,
        "players": schedule.players,
        "games": len(games),
        "pairs": len(pairs),
        "after": [
            [
                step,
                round(right[step] / sums[step] / len(pairs), 4),
                round(margins[step] / sums[step] / len(LADDER)),
            ]
            for step in sorted(sums)
        ],
    }


def known_ratings(edition: str, players: int) -> dict[str, float]:
    """The ratings of these bots in other games: `python docs/measure.py ratings`."""
    for run in json.loads((DOCS / "results" / "ratings.json").read_text("utf-8")):
        if (run["edition"], run["players"]) == (edition, players):
            return {row["bot"]: row["rating"] for row in run["bots"] if row["bot"] in LADDER}
    raise LookupError(f"{edition}, {players} players: run `measure.py ratings` first")


# --- the command ---------------------------------------------------------------------------------


FEWEST = {"ladder": 100}  # games to show anything
FIGURES = {"strategies": strategies, "ladder": ladder}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python docs/measure.py")
    parser.add_argument("what", choices=RUNS)
    parser.add_argument("--minutes", type=float, default=10, help="for all games together")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=Path, default=Path("runs"), help="of the games")
    given = parser.parse_args()
    bots, games = RUNS[given.what]
    warm_up(more=registry.compiled(bots))
    given.folder.mkdir(parents=True, exist_ok=True)
    found = []
    for edition, players in games:
        path = given.folder / f"{given.what}-{edition}-{players}.jsonl"
        with ResultsFile(path, schedule_of(bots, edition, players)) as file:
            play(file, 60 * given.minutes / len(games), given.workers)
        results = read(path)
        if len(results.games) >= FEWEST.get(given.what, 1):
            found.append(FIGURES.get(given.what, rated)(results))
            print(edition, players, len(results.games), "games", flush=True)
    path = DOCS / "results" / f"{given.what}.json"
    path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
