"""How much a server carries: offered load against latency and processor time, until it breaks.

    python tests/load.py --database postgresql --games 400 load.json
    python tests/load.py --machines 2

Several machines share one PostgreSQL; each has a home and a port of its own and one process, and
the players of a table are on any of them.

The players of `tests/soak.py` offer more choices a second in every step. A step counts as carried
when nearly all of its choices were acknowledged, and 95% of them soon. The first step that is
not carried is the last. The file keeps its other runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
from pathlib import Path
from time import monotonic
from typing import Any

from soak import times
from support.crowd import ACKNOWLEDGED, Crowd
from support.house import House, invite, opened, set_up

Step = dict[str, Any]

STEPS = (10, 20, 30, 40, 60, 80, 100, 120, 150, 200)  # choices a second
ENOUGH = 0.95  # of the offered choices
SOON = 1000.0  # milliseconds


async def climb(house: House, crowd: Crowd, seconds: float) -> list[Step]:
    """Offer more and more, until it is too much."""
    rng = random.Random(2)
    crowd.come()
    await crowd.settle()
    steps: list[Step] = []
    for rate in STEPS:
        found = await step(house, crowd, rate, seconds, rng)
        found["carried"] = is_carried(found)
        steps.append(found)
        print(told(found), file=sys.stderr, flush=True)
        if not found["carried"]:
            break
    await crowd.leave()
    return steps


async def step(house: House, crowd: Crowd, rate: int, seconds: float, rng: random.Random) -> Step:
    """Offer this many choices a second for a while."""
    sent = {game.table: len(game.journal) for game in crowd.games}
    skipped, views = crowd.skipped, crowd.statuses[200]
    before, began = house.processor, monotonic()
    await crowd.play(rate, seconds, rng)
    while any(game.is_busy for game in crowd.games):
        await asyncio.sleep(0.05)
    took, spent = monotonic() - began, house.processor - before
    journal = [each for game in crowd.games for each in game.journal[sent[game.table] :]]
    done = [each for each in journal if each.fate == ACKNOWLEDGED]
    return {
        "rate": rate,
        "offered": len(journal) + crowd.skipped - skipped,
        "acknowledged": len(done),
        "views": crowd.statuses[200] - views - len(done),
        "choice": times([each.until - each.due for each in done]),
        "processors": spent / took,
        "each": 1000 * spent / max(1, len(done)),
    }


def is_carried(step: Step) -> bool:
    return bool(step["acknowledged"] >= ENOUGH * step["offered"] and step["choice"]["95%"] <= SOON)


def told(step: Step) -> str:
    choice = step["choice"]
    return (
        f"{step['rate']:4}/s: {step['acknowledged']} of {step['offered']} acknowledged; "
        f"median {choice['median']:.0f} ms, 95% {choice['95%']:.0f} ms; "
        f"{step['processors']:.2f} processors, {step['each']:.1f} ms a choice"
    )


def run(database: str, games: int, seconds: float, machines: int) -> dict[str, Any]:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # two lines for every player
    with opened(database, machines=machines) as house:
        from brassmill.web.server import startup

        startup.wait()
        crowd = Crowd(*house.place, are_browsers=True)
        each = round(sum(STEPS) * seconds / games)
        invite(crowd, set_up(games, each, random.Random(1)))
        steps = asyncio.run(climb(house, crowd, seconds))
        size = {"machines": machines, "processes": house.processes, "games": games}
        return size | {"seconds": seconds, "steps": steps}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=30, help="of each step")
    parser.add_argument("--machines", type=int, default=1, help="with PostgreSQL")
    parser.add_argument("file", type=Path, nargs="?", help="where to keep the figures (JSON)")
    asked = parser.parse_args()
    if asked.machines > 1:
        asked.database = "postgresql"
    found = run(asked.database, asked.games, asked.seconds, asked.machines)
    if asked.file:
        kept = json.loads(asked.file.read_text()) if asked.file.exists() else {}
        name = f"{asked.machines} machines" if asked.machines > 1 else asked.database
        kept[name] = found
        asked.file.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
