"""Fault injection: many games on a real server while everything fails, again and again.

    python tests/faults.py --database sqlite --minutes 30 --seed 1
    python tests/faults.py --database postgresql --minutes 30 --seed 1

Server processes are killed, the disk is full, connections are lost, the database is stopped or
locked (`support/faults.py`). It must run as root, because it mounts a small disk to fill.

At the end every acknowledged move must be in the log, once and in order, no refused one, and one
whose answer was lost at most once. Every game must continue, and `brass admin verify` must find
nothing. Last, a lost, a doubled and a changed move are planted: the comparison must find them.

The seed decides the games, the choices, and which faults come after which pauses. The moment within
a request is up to the machine, so no two runs are the same.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Any, NamedTuple

from support import together
from support.crowd import (
    ACKNOWLEDGED,
    LOST,
    REFUSED,
    UNSENT,
    Crowd,
    Difference,
    Game,
    Sent,
    difference,
)
from support.disk import UNMOUNTABLE, NoDisk
from support.faults import POSTGRESQL, SQLITE, Fault, Scene
from support.house import House, hang_up, invite, log_after, opened, set_up

UNDONE = 0.2  # how often a choice is undone: an undo can be played twice, few choices can
AGAIN = 0.5  # how often a player sends a move again whose answer was lost
HOPELESS = 180.0  # seconds without a move, after which the server is taken for dead
FOREVER = 1e6  # seconds
PROBE = 0.1  # seconds between requests for the home page

Tables = dict[str, tuple[str, int]]  # edition, and length of the log at the start


class Struck(NamedTuple):
    """A fault, and the seconds until all was well again."""

    kind: str
    page: float  # from the strike until the home page answered
    move: float  # from the end of the fault until a new move was acknowledged


# --- the run -------------------------------------------------------------------------------------


async def play(scene: Scene, kinds: dict[str, Fault], asked: argparse.Namespace) -> list[Struck]:
    """Play for some minutes while faults strike; return them."""
    crowd, rng = scene.crowd, scene.rng
    crowd.come()
    await crowd.settle()
    until = monotonic() + 60 * asked.minutes
    playing = asyncio.create_task(crowd.play(asked.rate, FOREVER, Random(asked.seed)))
    struck: list[Struck] = []
    deck: list[str] = []
    while monotonic() < until or len(struck) < len(kinds):  # each kind at least once
        deck = deck or rng.sample(list(kinds), len(kinds))
        kind = deck.pop()
        await asyncio.sleep(rng.uniform(0, 2 * asked.pause))
        struck.append(await strike(scene, kind, kinds[kind]))
    playing.cancel()  # what was sent is still answered
    await crowd.leave()
    return struck


async def strike(scene: Scene, kind: str, fault: Fault) -> Struck:
    """Let a fault strike, last and end; wait until the players move again."""
    happening = fault(scene)
    lasts = await asyncio.to_thread(happening.__enter__)
    began = monotonic()
    page = asyncio.create_task(answers(scene.crowd))
    await asyncio.sleep(lasts)
    ended = monotonic()
    await asyncio.to_thread(happening.__exit__, None, None, None)
    async with asyncio.timeout(HOPELESS):
        moved = await moves_again(scene.crowd, ended)
        return Struck(kind, await page - began, moved - ended)


async def answers(crowd: Crowd) -> float:
    """Ask for the home page until it is answered; return when."""
    while True:
        with suppress(ConnectionError):
            if (await crowd.ask("GET /", "")).status == 200:
                return monotonic()
        await asyncio.sleep(PROBE)


async def moves_again(crowd: Crowd, since: float) -> float:
    """Wait until a move due after this time is acknowledged; return when it was."""
    while True:
        last = [game.journal[-1] for game in crowd.games if game.journal]
        found = [sent.until for sent in last if sent.fate == ACKNOWLEDGED and sent.due >= since]
        if found:
            return min(found)
        if crowd.is_settled and not any(game.mover or game.is_busy for game in crowd.games):
            return monotonic()  # all games are over
        await asyncio.sleep(0.02)


def run(asked: argparse.Namespace) -> dict[str, Any]:
    """Inject faults and compare; `problems` must be empty."""
    with opened(asked.database, with_disk=True) as house:
        from brassmill.web.server import startup

        startup.wait()
        each = round(asked.rate * asked.minutes * 60 / asked.games)
        tables = set_up(asked.games, max(20, each), Random(asked.seed))
        crowd = Crowd(*house.place, undoing=UNDONE, retrying=AGAIN, besides=together.act)
        invite(crowd, tables)
        kinds = POSTGRESQL if house.cluster else SQLITE
        struck = asyncio.run(injected(house, crowd, kinds, asked))
        house.restart()  # forget everything but what is stored
        problems = asyncio.run(crowd.still_play()) + crowd.wrong_answers()
        found = compared(crowd, tables)
        problems += [f"{table}: {each}" for table, each in found.items() if any(each)]
        if asked.keep:
            keep(asked.keep, crowd, tables, {table for table, each in found.items() if any(each)})
        problems += verified(house) + unfinished(crowd) + together.wrong_plans(crowd.games)
        problems += blind_spots(
            [game for game in crowd.games if not any(found[game.table])], tables
        )
        hang_up()
        return report(asked, crowd, struck, found, problems, house.said)


async def injected(
    house: House, crowd: Crowd, kinds: dict[str, Fault], asked: argparse.Namespace
) -> list[Struck]:
    scene = Scene(house, crowd, Random(asked.seed), asyncio.get_running_loop())
    return await play(scene, kinds, asked)


# --- what is stored ------------------------------------------------------------------------------


def compared(crowd: Crowd, tables: Tables) -> dict[str, Difference]:
    """Compare every log with what was sent."""
    return {
        game.table: difference(game.journal, log_after(game.table, tables[game.table][1]))
        for game in crowd.games
    }


def keep(folder: Path, crowd: Crowd, tables: Tables, wrong: set[str]) -> None:
    """Write what was sent to the tables where it differs from the log, and the log."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in crowd.games:
        if game.table in wrong:
            log = log_after(game.table, tables[game.table][1])
            text = json.dumps(
                {"sent": [sent._asdict() for sent in game.journal], "log": log}, indent=1
            )
            (folder / f"{game.table}.json").write_text(text, encoding="utf-8")


def verified(house: House) -> list[str]:
    """Run `brass admin verify`; return what it finds."""
    command = [sys.executable, "-m", "brassmill", "admin", "verify"]
    environment = {**os.environ, **house.environment, "LANGUAGE": "en"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"brass admin verify: {done.stdout}{done.stderr}"]


def unfinished(crowd: Crowd) -> list[str]:
    """Games that are over for their players and not in the database, or without an outcome."""
    from brassmill.web.models import Table

    over = {game.table for game in crowd.games if game.is_over}
    stored = Table.objects.filter(over=True, archive__outcome__isnull=False)
    known = set(stored.exclude(archive__record="").values_list("pk", flat=True))
    return [f"{table}: over, without an outcome" for table in over - known]


def blind_spots(games: list[Game], tables: Tables) -> list[str]:
    """Plant wrong moves, one at a time, at the end of a log; return those that are not found."""
    from django.db import transaction

    from brassmill.web.models import Entry

    game = next(filter(ends_clearly, games), None)
    if game is None:
        return ["no game ends with two different acknowledged moves: nothing can be planted"]
    blind = []
    for kind, expected in (
        ("lost", Difference(missing=1)),
        ("doubled", Difference(surplus=1)),
        ("changed", Difference(missing=1, surplus=1)),
    ):
        with transaction.atomic():
            last, before = Entry.objects.filter(table=game.table).order_by("-number")[:2]
            if kind == "doubled":
                Entry.objects.create(table_id=game.table, number=last.number + 1, body=last.body)
            elif kind == "lost":
                last.delete()
            else:
                last.body = before.body
                last.save()
            found = difference(game.journal, log_after(game.table, tables[game.table][1]))
            transaction.set_rollback(True)
        if found != expected:
            blind.append(f"a {kind} move was planted, and this was found: {found}")
    return blind


def ends_clearly(game: Game) -> bool:
    """Were the last two moves acknowledged clicks, and different?"""
    last = [sent for sent in game.journal if sent.fate in (ACKNOWLEDGED, LOST)][-2:]
    is_acknowledged = len(last) == 2 and all(sent.fate == ACKNOWLEDGED for sent in last)
    is_of_clicks = is_acknowledged and all(sent.number > 0 for sent in last)
    return is_of_clicks and last[0].body != last[1].body and not game.has_bot


# --- the report ----------------------------------------------------------------------------------


def report(
    asked: argparse.Namespace,
    crowd: Crowd,
    struck: list[Struck],
    found: dict[str, Difference],
    problems: list[str],
    said: list[str],
) -> dict[str, Any]:
    sent: list[Sent] = [each for game in crowd.games for each in game.journal]
    fates = Counter(each.fate for each in sent)
    kinds = sorted({each.kind for each in struck})
    return {
        "database": asked.database,
        "seed": asked.seed,
        "minutes": asked.minutes,
        "games": len(crowd.games),
        "finished": sum(game.is_over for game in crowd.games),
        "faults": len(struck),
        "acknowledged": fates[ACKNOWLEDGED],
        "refused": fates[REFUSED],
        "answer lost": fates[LOST],
        "not sent": fates[UNSENT],
        "actions": actions(sent),
        "lost": sum(each.missing for each in found.values()),
        "doubled": sum(each.surplus for each in found.values()),
        "kinds": {
            kind: {
                "number": sum(each.kind == kind for each in struck),
                "page": spread([each.page for each in struck if each.kind == kind]),
                "move": spread([each.move for each in struck if each.kind == kind]),
            }
            for kind in kinds
        },
        "problems": problems,
        "server": Counter(line.strip() for line in said if line.strip()).most_common(20),
        "traceback": first_traceback(said),
    }


def first_traceback(said: list[str]) -> str:
    """The first of the server's tracebacks, with the line before it; empty if there is none."""
    lines = list(said)
    begins = next((n for n, line in enumerate(lines) if line.startswith("Traceback")), None)
    if begins is None:
        return ""
    ends = next((n for n in range(begins + 1, len(lines)) if lines[n][:1] not in " \n"), begins)
    return "".join(lines[max(0, begins - 1) : ends + 1])


def actions(sent: list[Sent]) -> dict[str, int]:
    """How many moves of each kind were acknowledged, with clicks of plans that are still stored."""
    known = [next(iter(each.body)) for each in sent if each.fate == ACKNOWLEDGED]
    return dict(Counter(known).most_common())


def spread(seconds: list[float]) -> tuple[float, float]:
    """The median and the worst."""
    return round(median(seconds), 2), round(max(seconds), 2)


def table(found: dict[str, Any]) -> str:
    """The report for people."""
    lines = [f"{name:14}{value}" for name, value in found.items() if isinstance(value, int | str)]
    lines += [f"{name:14}{value}" for name, value in found["actions"].items()]
    lines += ["", "seconds until the home page answered and a move was acknowledged: median, worst"]
    for kind, each in found["kinds"].items():
        page, move = ["{:7.2f} {:7.2f}".format(*each[name]) for name in ("page", "move")]
        lines.append(f"{kind:32}{each['number']:4}   {page}   {move}")
    lines += ["", "problems:", *(found["problems"] or ["none"])]
    lines += ["", "the server's most frequent messages:"]
    lines += [f"{number:6} {line}" for line, number in found["server"]]
    lines += ["", found["traceback"]]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--rate", type=float, default=8, help="moves per second in all games")
    parser.add_argument("--pause", type=float, default=8, help="mean seconds between faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, help="folder for tables where something was lost")
    asked = parser.parse_args()
    try:
        found = run(asked)
    except NoDisk as error:
        print(error, file=sys.stderr)
        sys.exit(UNMOUNTABLE)
    print(json.dumps(found) if asked.json else table(found))
    sys.exit(bool(found["problems"]))


if __name__ == "__main__":
    main()
