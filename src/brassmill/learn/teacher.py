"""Games of the scripted judgement, which a network first learns to imitate.

A game is stored as its seed and the choices that were made, without the forced ones, as a `Batch`
asks for them. Most seats plan both actions of a turn together and the others play greedily; some of
them by weights a little off, so that there is more than one way to play. A bot can play instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brassmill.arena import workers
from brassmill.batch.cpu import processors
from brassmill.bots.mind import MIND, make_mind
from brassmill.bots.plan import ROOT, STORE, act
from brassmill.bots.weights import weights_for
from brassmill.core.engine import Engine
from brassmill.core.playout import deal_out
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.learn.settings import TEACHER_DEALS, Settings
from brassmill.play.host import Host
from brassmill.rules.jit import entry
from brassmill.rules.layout import (
    ACTION,
    BOARD,
    CHOICES_MAX,
    DEAL,
    GAME_OVER,
    STATE,
    TURN_OVER,
    WORK,
)
from brassmill.rules.turn import finish_turn, list_choices, make

PART = 50  # games that are stored together
BOT_PART = 5  # of a bot, which plays slowly
LONGEST = 1024  # choices of a game
NO_CHOICE = -1  # after the last choice of a game
MINDS, TUNED = 16, 6  # sets of weights, and how many of them are the bots' own
PLANNING = 0.7  # share of the seats that plan both actions together
COPY = STORE + CHOICES_MAX  # the position in which choices are made again


@entry
def record_games(
    states: Any,
    boards: Any,
    works: Any,
    deals: Any,
    minds: Any,
    seeds: Any,
    minds_of: Any,
    widths: Any,
    moves: Any,
    points: Any,
) -> None:
    """Play games and write down the choices that were not forced, and the VP of every seat."""
    board, work = boards[0], works[0]
    work.recording = 0
    trail = np.zeros(len(work.trail), np.int64)
    for number in range(len(seeds)):
        deal_out(states[ROOT], board, work, deals[0], int(seeds[number]))
        made = 0
        while states[ROOT].phase != GAME_OVER:
            if states[ROOT].phase == TURN_OVER:
                finish_turn(states[ROOT], board, work)
                continue
            seat = int(states[ROOT].seat)
            states[COPY] = states[ROOT]
            mind = minds[int(minds_of[number, seat])]
            act(states, board, work, mind, seat, int(widths[number, seat]))
            count = int(work.trail_count)
            for place in range(count):
                trail[place] = work.trail[place]
            for place in range(count):
                asked = states[COPY].phase == ACTION
                if not asked:
                    asked = list_choices(states[COPY], board, work) > 1
                if asked:
                    moves[number, made] = trail[place]
                    made += 1
                make(states[COPY], board, work, int(trail[place]))
        for seat in range(int(board.players)):
            points[number, seat] = states[ROOT].vp[seat]


class Taught(NamedTuple):
    """Recorded games: seeds, choices (a row for each game) and VP by seat."""

    seeds: Any
    moves: Any
    points: Any


def teach(edition: Edition, settings: Settings, number: int) -> Taught:
    """Play one part of the games; the same settings and number give the same games."""
    first, count = part_deals(settings, number)
    if settings.teacher.bot:
        return teach_by_bot(edition, settings, range(first, first + count))
    rng = np.random.default_rng([settings.seed, number])
    boards, works, deals = np.zeros(1, BOARD), np.zeros(1, WORK), np.zeros(1, DEAL)
    boards[0] = edition.board
    minds = np.zeros(MINDS, MIND)
    minds[:] = make_mind(edition.board, 0.0)
    weight = np.array(weights_for(edition))
    for mind in range(MINDS):
        change = settings.teacher.variation * rng.normal(size=weight.shape)
        minds["weight"][mind] = weight * (1 if mind < TUNED else np.exp(change))
    seeds = np.arange(first, first + count)
    seats = (count, edition.players)
    widths = np.where(rng.random(seats) < PLANNING, settings.teacher.width, 0)
    moves = np.full((count, LONGEST), NO_CHOICE, np.int64)
    points = np.zeros(seats, np.int64)
    states = np.zeros(COPY + 1, STATE)
    record_games(
        *(states, boards, works, deals, minds),
        *(seeds, rng.integers(0, MINDS, seats), widths, moves, points),
    )
    longest = int((moves != NO_CHOICE).sum(axis=1).max())
    return Taught(seeds, moves[:, :longest].astype(np.int16), points.astype(np.int16))


def part_deals(settings: Settings, number: int) -> tuple[int, int]:
    """The first deal of a part, and how many there are."""
    size = BOT_PART if settings.teacher.bot else PART
    first = number * size
    count = min(size, settings.teacher.games - first)
    return TEACHER_DEALS + (settings.seed << 32) + first, count


def parts_of(settings: Settings) -> range:
    """The numbers of all parts."""
    size = BOT_PART if settings.teacher.bot else PART
    return range(-(-settings.teacher.games // size))


def teach_by_bot(edition: Edition, settings: Settings, seeds: range) -> Taught:
    """Games with a bot in every seat."""
    lines, points = [], []
    for seed in seeds:
        game = Game(edition, seed=seed)
        with closing(Host.of([settings.teacher.bot] * edition.players, edition, seed)) as host:
            while not game.over:
                host.play(game)
            if host.forfeits:
                raise BrassError(f"{settings.teacher.bot} gave up a game")
        lines.append(unforced(game))
        outcome = game.outcome()
        assert outcome is not None
        points.append([result.total for result in sorted(outcome.results, key=lambda r: r.seat)])
    moves = np.full((len(lines), max(map(len, lines))), NO_CHOICE, np.int16)
    for row, line in enumerate(lines):
        moves[row, : len(line)] = line
    return Taught(np.array(seeds), moves, np.array(points, np.int16))


def unforced(game: Game) -> list[int]:
    """The choices of a game that a `Batch` asks for."""
    engine, found = Engine(game.edition, game.seats), []
    for action in game.actions:
        engine.restore(action.before)
        done = 0
        while done < len(action.ids):
            found.append(action.ids[done])
            done += len(engine.choose(action.ids[done]))
    return found


def teach_all(edition: Edition, settings: Settings, folder: Path) -> Iterator[int]:
    """Play the parts that are not yet in a folder; yield how many games there are so far."""
    folder.mkdir(parents=True, exist_ok=True)
    one, parts = partial(store_part, edition, settings, folder), parts_of(settings)
    done = 0
    if settings.teacher.bot:  # Python, not compiled whole: it needs processes of its own
        with closing(workers.play_all(one, parts, processors())) as played:
            for games in played:
                if isinstance(games, workers.Lost):
                    raise BrassError(f"{settings.teacher.bot} could not play part {games.game}")
                done += games
                yield done
        return
    if parts:
        one(0)  # compiles the entry, before all threads want it
    with ThreadPoolExecutor(processors()) as pool:
        for games in pool.map(one, parts):
            done += games
            yield done


def store_part(edition: Edition, settings: Settings, folder: Path, number: int) -> int:
    """Play a part that is not yet in a folder; return how many games it has."""
    path = part_file(folder, number)
    if not path.exists():
        found = teach(edition, settings, number)
        unfinished = path.with_suffix(".unfinished")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, **found._asdict())
        unfinished.replace(path)
    return part_deals(settings, number)[1]


def read_all(folder: Path, settings: Settings) -> Taught:
    """All games."""
    parts = [read_part(folder, number) for number in parts_of(settings)]
    longest = max(part.moves.shape[1] for part in parts)
    moves = [
        np.pad(part.moves, ((0, 0), (0, longest - part.moves.shape[1])), constant_values=NO_CHOICE)
        for part in parts
    ]
    seeds, points = ([getattr(part, name) for part in parts] for name in ("seeds", "points"))
    return Taught(np.concatenate(seeds), np.concatenate(moves), np.concatenate(points))


def read_part(folder: Path, number: int) -> Taught:
    """The games of one part."""
    with np.load(part_file(folder, number)) as stored:
        return Taught(**stored)


def part_file(folder: Path, number: int) -> Path:
    return folder / f"{number:05}.npz"
