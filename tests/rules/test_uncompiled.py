"""The same source gives the same bytes compiled by Numba or run as plain Python."""

from __future__ import annotations

import pytest

from support import kinds
from uncompiled import every_kind, traces, traces_of_plain_python

pytestmark = pytest.mark.slow

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
batch birmingham 2 10 intro=yes
""".splitlines()


def test_compiled_and_uncompiled_games_have_the_same_bytes() -> None:
    compiled = traces(GAMES)
    assert len(compiled) == len(GAMES)
    assert len(set(compiled)) == len(compiled)
    assert traces_of_plain_python(GAMES) == compiled


def test_every_kind_can_be_compared() -> None:
    """`python tests/uncompiled.py` plays them all; here one of each, compiled."""
    lines = [line for kind in every_kind(1) for line in kind]
    assert len(lines) == len(kinds.ALL)
    assert len(set(traces(lines))) == len(lines)
