"""Whole games of every kind, compiled and as plain Python: are they the same bytes?

    python tests/uncompiled.py --games 10

Every edition, number of players and option is played; the results are in
`docs/research/performance.md`.
Half an hour of one processor is needed for ten games each.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from rich.progress import track

from support.paths import TESTS

TRACE = TESTS / "support/trace_game.py"


def traces(games: Iterable[str], **environment: str) -> list[str]:
    """The digests of games; any warning of NumPy's is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(TRACE)],
        input="\n".join(games),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def traces_of_plain_python(games: Iterable[str]) -> list[str]:
    """The same, by rules that are not compiled."""
    return traces(games, NUMBA_DISABLE_JIT="1")


def every_kind(games: int) -> list[list[str]]:
    """For each kind of game, one line for each seed."""
    from brassmill.cli.fuzz import games_to_play

    kinds = []
    for kind in games_to_play((), None, {}, all_options=True):
        options = " ".join(f"{name}={word(value)}" for name, value in kind.options.items())
        kinds.append([f"{kind.name} {kind.players} {seed} {options}" for seed in range(games)])
    return kinds


def word(value: object) -> str:
    """An option's value as it is written on the command line."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare compiled games with plain Python.")
    parser.add_argument("--games", type=int, default=10, help="of every kind")
    kinds = every_kind(parser.parse_args().games)
    compiled = traces(line for kind in kinds for line in kind)
    assert len(compiled) == len(set(compiled)) == sum(map(len, kinds)), "games are missing"
    plain: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(traces_of_plain_python, kinds)
        for digests in track(done, "plain Python", total=len(kinds)):
            plain += digests
    different = sum(one != other for one, other in zip(compiled, plain, strict=True))
    print(f"{len(kinds)} kinds, {len(compiled)} whole games, {different} different")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
