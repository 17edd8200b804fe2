"""A soak: many games at once on a real server, which is killed in the middle.

    python tests/soak.py --database sqlite --games 200 --minutes 10 --rate 20
    python tests/soak.py --database postgresql --games 200 --minutes 10 --rate 20

One process with a file, or three with a PostgreSQL that is started for it. Half of the games are
near their end. A server process is killed, PostgreSQL is restarted, and at the end everything is
restarted. Then every acknowledged choice must be in the log, once and in order, nothing else but
choices whose answer was lost, and every game must continue.

`tests/faults.py` injects more faults, on fewer games.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
from collections.abc import Callable
from statistics import median, quantiles
from time import monotonic, process_time
from typing import Any

from support.crowd import ACKNOWLEDGED, LOST, REFUSED, UNSENT, Crowd, Sent, difference
from support.house import House, invite, log_after, opened, set_up

# --- the run -------------------------------------------------------------------------------------


async def soak(house: House, crowd: Crowd, seconds: float, rate: float) -> list[Any]:
    """Play, and cause trouble meanwhile; return when that was."""
    rng = random.Random(2)
    crowd.come()
    await crowd.settle()
    outages: list[tuple[float, float]] = []
    playing = asyncio.create_task(crowd.play(rate, seconds, rng))
    troubles: list[Callable[[], None]] = [house.kill_one]
    if house.cluster:
        troubles.append(house.cluster.restart)
    for trouble in troubles:
        await asyncio.sleep(seconds / (len(troubles) + 1))
        began = monotonic()
        await asyncio.to_thread(trouble)
        await crowd.settle()
        outages.append((began, monotonic()))
    await playing
    await crowd.leave()
    return outages


def run(database: str, games: int, minutes: float, rate: float) -> dict[str, Any]:
    """Run a soak and return the results; `faults` must be empty."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # two lines for every player
    with opened(database) as house:
        from brassmill.web.server import startup

        startup.wait()
        began = monotonic()
        each = round(rate * minutes * 60 / games)
        tables = set_up(games, each, random.Random(1))
        crowd = Crowd(*house.place, are_browsers=True)
        invite(crowd, tables)
        prepared = monotonic() - began
        busy, before = process_time(), house.processor
        outages = asyncio.run(soak(house, crowd, minutes * 60, rate))
        busy, spent = process_time() - busy, house.processor - before
        sent = [each for game in crowd.games for each in game.journal]
        found = report(crowd, sent, outages)
        house.restart()  # forget everything but the log
        faults = asyncio.run(crowd.still_play())
        for game in crowd.games:
            found_there = log_after(game.table, tables[game.table][1])
            if any(difference(game.journal, found_there)):
                faults.append(f"the log of {game.table} is not what was acknowledged")
        faults += crowd.wrong_answers()
        found |= {"set up": prepared, "processor, server": spent, "processor, players": busy}
        found |= {"faults": faults, "complaints": complaints(house.said)}
        return found


def complaints(said: list[str]) -> list[str]:
    """The server's output, except that it is not ready."""
    lines = [line.strip() for line in said]
    return [line for line in lines if line and not line.startswith("Service Unavailable")]


# --- the report ----------------------------------------------------------------------------------


def report(crowd: Crowd, sent: list[Sent], outages: list[Any]) -> dict[str, Any]:
    """Counts, and times in milliseconds."""

    def is_quiet(begin: float, end: float) -> bool:
        return not any(begin < to and end > since for since, to in outages)

    began = min((each.due for each in sent), default=0.0)
    fates = [each.fate for each in sent]
    done = [each for each in sent if each.fate == ACKNOWLEDGED]
    return {
        "games": len(crowd.games),
        "offered": len(sent) + crowd.skipped,
        "without a free table": crowd.skipped,
        "acknowledged": len(done),
        "refused": fates.count(REFUSED),
        "answer lost": fates.count(LOST),
        "nobody was ready": fates.count(UNSENT),
        "views fetched": crowd.statuses[200] - len(done),
        "503": crowd.statuses[503],
        "503 without an outage": [
            f"{each.what} from {each.asked - began:.1f} to {each.answered - began:.1f} s"
            for each in crowd.troubles
            if each.status == 503 and is_quiet(each.asked, each.answered)
        ],
        "finished": sum(game.is_over for game in crowd.games),
        "outages": [end - begin for begin, end in outages],
        "choice": times([e.until - e.due for e in done if is_quiet(e.due, e.until)]),
        "choice, outages too": times([e.until - e.due for e in done]),
        "event": times([took for at, took in crowd.delays if is_quiet(at, at + took)]),
        "event, outages too": times([took for _at, took in crowd.delays]),
    }


def times(seconds: list[float]) -> dict[str, float]:
    found = sorted(1000 * each for each in seconds) or [0.0]
    if len(found) == 1:
        found *= 2
    return {
        "median": median(found),
        "95%": quantiles(found, n=20)[-1],
        "99%": quantiles(found, n=100)[-1],
        "longest": found[-1],
        "number": len(seconds),
    }


def told(found: dict[str, Any]) -> str:
    """The same as a table."""
    lines = []
    for name, value in found.items():
        if isinstance(value, dict):
            words = ", ".join(f"{key} {each:.0f}" for key, each in value.items())
            lines.append(f"{name + ' (ms)':28} {words}")
        elif isinstance(value, list):
            shown = [f"{each:.1f} s" if isinstance(each, float) else each for each in value]
            lines.append(f"{name:28} {'; '.join(shown) or 'none'}")
        else:
            lines.append(f"{name:28} {value if isinstance(value, int) else f'{value:.1f} s'}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=20, help="choices in a second, of all games")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = run(asked.database, asked.games, asked.minutes, asked.rate)
    print(json.dumps(found) if asked.json else told(found))
    sys.exit(bool(found["faults"]))


if __name__ == "__main__":
    main()
