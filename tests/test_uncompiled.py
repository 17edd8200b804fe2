"""The same source, compiled by Numba or run as plain Python, gives the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

GAMES = """\
birmingham 4 1
birmingham 3 2 intro=yes
birmingham 2 3
lancashire 4 4 virtual_link=yes
lancashire 3 5 classic_deck=yes intro=yes
lancashire 2 6
lancashire 2 7 community_2p=yes intro=yes
classic 4 8
classic 3 9 rail_coal=chosen_end virtual_both_ways=yes
"""


def traces(**environment: str) -> list[str]:
    """The digests of all games; any warning of NumPy's is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(Path(__file__).with_name("trace_game.py"))],
        input=GAMES,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_compiled_and_uncompiled_games_are_the_same_bytes() -> None:
    compiled = traces()
    assert len(compiled) == len(GAMES.splitlines())
    assert len(set(compiled)) == len(compiled)
    assert traces(NUMBA_DISABLE_JIT="1") == compiled
