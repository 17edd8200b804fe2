"""One game of a schedule: play it with its bots and measure the result."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from brassmill.arena.results import Forfeited, GameResult, PlayerResult
from brassmill.arena.schedule import Match, Schedule
from brassmill.core.choice import MEANING
from brassmill.core.names import DOINGS
from brassmill.core.outcome import Result
from brassmill.core.view import income_level
from brassmill.editions.edition import Edition
from brassmill.game import Game
from brassmill.play.host import Host
from brassmill.rules.layout import STATE, SYMBOLS

GIVE_UP = "give up"  # removing a tile to pay a debt
KINDS = (*DOINGS[1:], GIVE_UP)  # of actions


@dataclass(frozen=True)
class Played:
    """A game that was played."""

    result: GameResult
    record: str | None  # if records are kept


def play(schedule: Schedule, keep_record: bool, number: int) -> Played:
    """Play the game with this number."""
    match = schedule.match(number)
    edition = schedule.table
    bots = [schedule.bots[bot] for bot in match.seats]
    game = Game(edition, seed=match.seed)
    began = perf_counter()
    host = Host.of(bots, edition, match.bot_seed, schedule.clock, all_start=False)
    with closing(host):
        while not game.over:
            host.play(game)
    result = result_of(match, game, host, perf_counter() - began)
    headers = {"Event": "brass arena", "Game": str(number), "Bots": ", ".join(bots)}
    return Played(result, str(game.record(headers=headers)) if keep_record else None)


def check_bots(schedule: Schedule) -> None:
    """Start every bot once, to report one that does not start before any game is played."""
    Host.of(list(dict.fromkeys(schedule.bots)), schedule.table, schedule.seed).close()


def result_of(match: Match, game: Game, host: Host, seconds: float) -> GameResult:
    """The result of a finished game."""
    outcome = game.outcome()
    assert outcome is not None
    activities = activities_of(game)
    return GameResult(
        game=match.game,
        deal=match.deal,
        seed=match.seed,
        seats=match.seats,
        actions=len(game.actions),
        seconds=round(seconds, 3),
        players=tuple(
            _player(result, activities[result.seat], game, host) for result in outcome.results
        ),
    )


class Activity:
    """What a seat did in a game."""

    def __init__(self) -> None:
        self.did: Counter[str] = Counter()
        self.built: dict[str, list[int]] = {}


def activities_of(game: Game) -> list[Activity]:
    """What every seat did, taken from the positions before each action."""
    activities = [Activity() for _seat in range(game.players)]
    before = np.frombuffer(b"".join(action.before for action in game.actions), STATE)
    for action, seat, gone in zip(
        game.actions, before["seat"].tolist(), before["gone"], strict=True
    ):
        kind, offset = MEANING[action.ids[0]]
        activities[seat].did[kind.lower().replace("_", " ")] += 1
        if kind == "BUILD":
            industry, level = built(game.edition, offset, gone[seat])
            activities[seat].built.setdefault(industry, []).append(level)
    return activities


def built(edition: Edition, offset: int, gone: Any) -> tuple[str, int]:
    """The industry and level that a choice builds; `gone` is what has left the mat."""
    space, symbol = divmod(offset, SYMBOLS)
    name = edition.spaces[space].symbols[symbol]
    industry = edition.find_industry(name)
    return name, edition.tile[int(edition.board.stack[industry, int(gone[industry])])].level


def _player(result: Result, activity: Activity, game: Game, host: Host) -> PlayerResult:
    thought = host.thoughts[result.seat]
    return PlayerResult(
        vp=result.total,
        rank=result.rank,
        place=game.deal.order.index(result.seat) + 1,
        points=result.points,
        cash=result.cash,
        income=int(income_level(result.income)),
        loans=activity.did["loan"],
        did={kind: activity.did[kind] for kind in KINDS},
        built={industry: tuple(levels) for industry, levels in activity.built.items()},
        turns=thought.turns,
        thought=round(thought.seconds, 4),
        slowest=round(thought.slowest, 4),
        forfeits=tuple(
            Forfeited(forfeit.number, forfeit.kind, forfeit.text)
            for forfeit in host.forfeits
            if forfeit.seat == result.seat
        ),
    )
