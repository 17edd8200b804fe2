"""Many games at once while servers are killed: every acknowledged move is in the log, once.

These runs are short; `tests/soak.py` is the long one, run by hand.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.crowd import ACKNOWLEDGED, LOST, REFUSED, Difference, Sent, difference
from support.house import log_after
from support.paths import TESTS
from support.postgres import find_postgresql

SOAK = TESTS / "soak.py"
MINUTES = ("--games", "30", "--minutes", "2", "--rate", "10")
SECONDS = ("--games", "8", "--minutes", "0.25", "--rate", "10")


@pytest.mark.parametrize(
    ("database", "size"),
    [
        pytest.param("sqlite", SECONDS, id="seconds"),
        pytest.param("sqlite", MINUTES, id="minutes", marks=pytest.mark.slow),
        pytest.param("postgresql", MINUTES, id="postgresql", marks=pytest.mark.slow),
    ],
)
def test_no_acknowledged_move_is_lost_and_every_game_continues(
    database: str, size: tuple[str, ...]
) -> None:
    if database == "postgresql":
        find_postgresql()
    done = subprocess.run(
        [sys.executable, SOAK, "--json", "--database", database, *size],
        capture_output=True,
        text=True,
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert found["faults"] == [], found
    assert found["refused"] == 0 < found["acknowledged"], found
    assert found["finished"] > 0 < found["event"]["number"], found


def sent(number: int, choice: int, fate: str = ACKNOWLEDGED) -> Sent:
    return Sent(number, {"choose": [choice]}, fate, 200, 0.0, 0.0)


JOURNAL = [
    sent(100, 1),
    sent(101, 2, LOST),  # sent again from the same state, then from another one
    sent(101, 2, LOST),
    sent(102, 2),
    sent(103, 9, REFUSED),
    sent(103, 3),
]


@pytest.mark.parametrize(
    ("log", "missing", "surplus"),
    [
        ([1, 2, 3], 0, 0),
        ([1, 2, 2, 3], 0, 0),  # one of the lost ones was played
        ([1, 2, 2, 2, 3], 0, 1),  # both of them
        ([1, 3], 1, 0),  # an acknowledged one is missing
        ([1, 2], 1, 0),
        ([1, 1, 2, 3], 0, 1),  # one was played twice
        ([1, 2, 3, 3], 0, 1),
        ([2, 1, 3], 1, 1),  # the order
        ([1, 2, 9, 3], 0, 1),  # a refused one was played
        ([1, 2, 3, 4], 0, 1),  # nobody sent it
        ([1, 2, 4], 1, 1),  # one was changed
        ([4, 2, 3], 1, 1),
        ([], 3, 0),
    ],
)
def test_a_log_is_compared_with_what_was_sent(log: list[int], missing: int, surplus: int) -> None:
    found = difference(JOURNAL, [{"choose": [each]} for each in log])
    assert found == Difference(missing, surplus)


def test_two_moves_from_one_state_cannot_both_be_acknowledged() -> None:
    journal = [sent(100, 1), sent(100, 1)]
    assert difference(journal, [{"choose": [1]}]) == Difference(missing=1)


@pytest.mark.usefixtures("site")
def test_a_log_is_compared_as_its_people_sent_it() -> None:
    """Without the moves of a bot, and without what players do not know: numbers of entries."""
    from brassmill.web.table import sessions
    from brassmill.web.table.agreements import TAKE_BACK, ask
    from brassmill.web.table.planning import PlannedTurn, play
    from support.web import make_table, no_bots, people_only, play_turn

    with no_bots():
        session = sessions.get(make_table(people_only(3)).id)
        first = session.to_move
        assert first is not None
        play_turn(session)
        second = session.to_move
        assert second is not None
        ask(session, TAKE_BACK, first)  # one visitor holds all seats
        session.end_turn(session.number)
        clicks = session.length
        plan = PlannedTurn(session, second)
        while plan.game.question != "turn over":
            plan.choose(plan.number, [plan.game.legal_choices().ids[0]])
            plan = PlannedTurn(session, second)
        play(session, second)
        third = session.to_move
        assert third is not None
        session.concede(third)
        play_turn(session)  # its bot
        session.end_by_agreement([first, second])
    log = log_after(session.table.id, 0)
    turn = clicks - 2  # what was played before it was taken back
    assert log[:turn] == session.log[:turn]
    assert log[turn:] == [
        {"taken back": True, "seat": first},
        {"end": True},
        {"planned": True},
        {"end": True},
        {"conceded": True, "seat": third},
        {"agreed": True},
    ]
    assert len(session.log) > len(log)
