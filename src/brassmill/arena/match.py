"""One game of a schedule: played by the bots that sit there, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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

GIVE_UP = "give up"  # a tile, for a debt
KINDS = (*DOINGS[1:], GIVE_UP)  # of actions


@dataclass(frozen=True)
class Played:
    """A game that was played."""

    result: GameResult
    record: str | None  # if it is to be kept


Play = Callable[[int], Played]  # plays the game with a number


def play(schedule: Schedule, keep_record: bool, number: int) -> Played:
    """Play the game with a number."""
    match = schedule.match(number)
    edition = schedule.table
    bots = [schedule.bots[bot] for bot in match.seats]
    game = Game(edition, seed=match.seed)
    began = perf_counter()
    host = Host.of(bots, edition, match.chance, schedule.clock, all_start=False)
    with closing(host):
        while not game.over:
            host.play(game)
    result = result_of(match, game, host, perf_counter() - began)
    headers = {"Event": "brass arena", "Game": str(number), "Bots": ", ".join(bots)}
    return Played(result, str(game.record(headers=headers)) if keep_record else None)


def check_bots(schedule: Schedule) -> None:
    """Start every bot once: one that does not start is told before anything is played."""
    Host.of(list(dict.fromkeys(schedule.bots)), schedule.table, schedule.seed).close()


def result_of(match: Match, game: Game, host: Host, seconds: float) -> GameResult:
    """What came of a game that is over."""
    outcome = game.outcome()
    assert outcome is not None
    deeds = deeds_of(game)
    return GameResult(
        game=match.game,
        deal=match.deal,
        seed=match.seed,
        seats=match.seats,
        actions=len(game.actions),
        seconds=round(seconds, 3),
        players=tuple(
            _player(result, deeds[result.seat], game, host) for result in outcome.results
        ),
    )


class Deeds:
    """What a seat did in a game."""

    def __init__(self) -> None:
        self.did: Counter[str] = Counter()
        self.built: dict[str, list[int]] = {}


def deeds_of(game: Game) -> list[Deeds]:
    """What every seat did, read off the positions in which the actions began."""
    deeds = [Deeds() for _seat in range(game.players)]
    before = np.frombuffer(b"".join(action.before for action in game.actions), STATE)
    for action, seat, gone in zip(
        game.actions, before["seat"].tolist(), before["gone"], strict=True
    ):
        kind, offset = MEANING[action.ids[0]]
        deeds[seat].did[kind.lower().replace("_", " ")] += 1
        if kind == "BUILD":
            industry, level = built(game.edition, offset, gone[seat])
            deeds[seat].built.setdefault(industry, []).append(level)
    return deeds


def built(edition: Edition, offset: int, gone: Any) -> tuple[str, int]:
    """The industry and the level of what a choice builds; `gone` is what the mat lacks already."""
    space, symbol = divmod(offset, SYMBOLS)
    name = edition.spaces[space].symbols[symbol]
    industry = edition.find_industry(name)
    return name, edition.tile[int(edition.board.stack[industry, int(gone[industry])])].level


def _player(result: Result, deeds: Deeds, game: Game, host: Host) -> PlayerResult:
    thought = host.thoughts[result.seat]
    return PlayerResult(
        vp=result.total,
        rank=result.rank,
        place=game.deal.order.index(result.seat) + 1,
        points=result.points,
        cash=result.cash,
        income=int(income_level(result.income)),
        loans=deeds.did["loan"],
        did={kind: deeds.did[kind] for kind in KINDS},
        built={industry: tuple(levels) for industry, levels in deeds.built.items()},
        turns=thought.turns,
        thought=round(thought.seconds, 4),
        slowest=round(thought.slowest, 4),
        forfeits=tuple(
            Forfeited(forfeit.number, forfeit.kind, forfeit.text)
            for forfeit in host.forfeits
            if forfeit.seat == result.seat
        ),
    )
