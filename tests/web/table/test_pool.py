"""A few threads play the bots of all tables: the most urgent first, and in turn among equals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from threading import Event, Lock
from typing import Any, cast
from unittest import mock

import pytest

from brassmill.game import Game
from brassmill.play.host import Forfeit
from brassmill.web.models import Table
from brassmill.web.table import bots, leases, live, sessions
from brassmill.web.table import pool as pool_module
from brassmill.web.table.pool import Pool, Urgency, Work
from brassmill.web.table.session import TableSession
from support.sessions import play, wait_for
from support.web import KEY, make_table, no_bots

DECIDED, LIVE, WATCHED, UNWATCHED, SPARE = Urgency
FOREVER = 1e9  # seconds


class Steps(Work):
    """Work that notes its steps."""

    def __init__(self, name: str, urgency: Urgency, pauses: Sequence[float], log: Log) -> None:
        super().__init__(name)
        self.now, self.pauses, self.log, self.is_closed = urgency, list(pauses), log, False

    def urgency(self) -> Urgency:
        return self.now

    def step(self) -> float | None:
        self.log.note(self.key)
        return self.pauses.pop(0) if self.pauses else None

    def close(self) -> None:
        self.is_closed = True


class Log:
    """Who worked, in order. Before the gate is opened, every step waits."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.gate = Event()
        self._lock = Lock()

    def note(self, name: str) -> None:
        with self._lock:
            self.names.append(name)
        assert self.gate.wait(60)


@pytest.fixture
def log() -> Iterator[Log]:
    log = Log()
    yield log
    log.gate.set()


def filled(log: Log, *wanted: tuple[str, Urgency, Sequence[float]]) -> Pool:
    """Return a pool whose threads are all busy, with this work in its queue."""
    pool = Pool(1)
    for number, busy in enumerate((UNWATCHED, LIVE), 1):
        pool.add(Steps(f"busy {number}", busy, (), log))
        wait_for(lambda: len(log.names) == number)  # noqa: B023
    log.names.clear()
    for name, urgency, pauses in wanted:
        pool.add(Steps(name, urgency, pauses, log))
    return pool


def finish(pool: Pool, log: Log) -> list[str]:
    """Open the gate and return who worked, in order."""
    log.gate.set()
    wait_for(lambda: not pool.underway())
    return log.names


def test_the_most_urgent_come_first_and_equals_take_turns(log: Log) -> None:
    kinds = [("a", UNWATCHED), ("b", WATCHED), ("c", UNWATCHED), ("d", WATCHED)]
    pool = filled(log, *[(name, urgency, (0.0, 0.0)) for name, urgency in kinds])
    assert "".join(finish(pool, log)) == "bdbdbd" + "acacac"


def test_an_analysis_waits_for_every_table(log: Log) -> None:
    pool = filled(log, ("a", SPARE, (0.0, 0.0)), ("b", UNWATCHED, (0.0,)), ("c", WATCHED, (0.0,)))
    assert "".join(finish(pool, log)) == "ccbb" + "aaa"


def test_the_urgency_counts_when_a_thread_is_free(log: Log) -> None:
    pool = filled(log, ("a", WATCHED, ()), ("b", UNWATCHED, ()), ("c", LIVE, ()))
    cast(Steps, pool._work["b"]).now = DECIDED  # a player came while it waited
    pool.reconsider("b")
    cast(
        Steps, pool._work["c"]
    ).now = UNWATCHED  # the player there left, and nobody has noticed yet
    assert finish(pool, log) == ["b", "a", "c"]


@pytest.mark.parametrize("pause", [0.0, 1e-6])
def test_ten_times_as_many_tables_are_ten_times_the_work(pause: float) -> None:
    """Not a hundred times, or a few thousand tables would use up the processor."""

    def asked(tables: int) -> int:
        log = Log()
        log.gate.set()
        pool: Pool = Pool(2)
        pool._has_started = True  # not before all of them wait
        made = [Steps(str(number), UNWATCHED, (pause,), log) for number in range(tables)]
        with mock.patch.object(Steps, "urgency", autospec=True, return_value=UNWATCHED) as urgency:
            for work in made:
                pool.add(work)
            for thread in pool._threads:
                thread.start()
            wait_for(lambda: all(work.is_closed for work in made))
            return int(urgency.call_count)

    assert asked(2000) < 15 * asked(200)


def test_urgent_work_does_not_wait_for_long_thoughts(log: Log) -> None:
    pool: Pool = Pool(2)
    for number in range(40):
        pool.add(Steps(str(number), UNWATCHED, (), log))
    wait_for(lambda: len(log.names) == 2)
    pool.add(Steps("live", LIVE, (), log))
    wait_for(lambda: len(log.names) == 3)
    assert log.names[2] == "live", "although no thought has ended"
    finish(pool, log)


def test_a_pause_occupies_no_thread_and_can_be_skipped(log: Log) -> None:
    log.gate.set()
    pool = Pool(1)
    for number in range(10):
        pool.add(Steps(f"pausing {number}", UNWATCHED, (FOREVER, FOREVER), log))
    wait_for(lambda: len(log.names) == 10)
    pool.hurry("pausing 3")
    pool.hurry("unknown")
    wait_for(lambda: len(pool.underway()) == 9)
    assert log.names[10:] == ["pausing 3"] * 2, "no pause of it is left"


def test_a_short_pause_ends_by_itself(log: Log) -> None:
    log.gate.set()
    pool = Pool(1)
    pool.add(Steps("a", UNWATCHED, (0.01, 0.01), log))
    wait_for(lambda: not pool.underway())
    assert log.names == ["a"] * 3


def test_no_pause_is_overlooked_that_ends_while_a_thread_looks_for_work(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = count()
    monkeypatch.setattr(pool_module, "monotonic", lambda: next(readings) / 1000)
    log.gate.set()
    pool = Pool(1)
    pool.add(Steps("a", UNWATCHED, (0.0015,) * 50, log))
    wait_for(lambda: not pool.underway())


def test_work_that_fails_ends_and_its_thread_goes_on(
    log: Log, caplog: pytest.LogCaptureFixture
) -> None:
    log.gate.set()
    pool = Pool(1)
    wrong = [Steps(f"wrong {number}", UNWATCHED, (), log) for number in range(3)]
    for work in wrong:
        work.step = mock.Mock(side_effect=RuntimeError("no idea"))  # type: ignore[method-assign]
        pool.add(work)
    pool.add(Steps("a", UNWATCHED, (), log))
    wait_for(lambda: not pool.underway())
    assert log.names == ["a"] and "no idea" in caplog.text
    wait_for(lambda: all(work.is_closed for work in wrong))


def test_work_that_was_hurried_during_a_step_makes_no_pause(log: Log) -> None:
    pool = Pool(1)
    pool.add(Steps("a", LIVE, (FOREVER,), log))
    wait_for(lambda: log.names == ["a"])
    pool.hurry("a")
    assert finish(pool, log) == ["a", "a"]


def test_a_table_has_work_once_and_closes_it(log: Log) -> None:
    pool = Pool(1)
    first, second, third = (Steps("a", UNWATCHED, (0.0,), log) for _ in range(3))
    assert pool.add(first) is first and pool.add(second) is first
    wait_for(lambda: len(log.names) == 1)
    pool.remove(first)  # during its step
    assert pool.add(third) is third
    finish(pool, log)
    wait_for(lambda: first.is_closed and third.is_closed)
    assert log.names == ["a"] * 3, "the first made one step, the third two"
    assert not second.is_closed


# --- tables --------------------------------------------------------------------------------------


class Asked:
    """A host that notes which table asks it and plays the first choice."""

    def __init__(self, log: Log, table_id: str) -> None:
        self.log, self.table_id, self.is_closed = log, table_id, False
        self.forfeits: list[Forfeit] = []

    def ask(self, game: Game) -> tuple[int, ...]:
        self.log.note(self.table_id)
        return (game.legal_choices().ids[0],)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def hosts(log: Log, monkeypatch: pytest.MonkeyPatch) -> list[Asked]:
    """Return the hosts that are made in this test, in order."""
    made: list[Asked] = []

    def host_of(session: TableSession, _specs: Any) -> Asked:
        made.append(Asked(log, session.table.id))
        return made[-1]

    monkeypatch.setattr(bots, "host_of", host_of)
    return made


@pytest.fixture
def bot_pool(site: None, monkeypatch: pytest.MonkeyPatch) -> Pool:
    Table.objects.update(bot_to_move=False)  # tables of other tests
    # One thread thinks about tables without players, so they are asked in the order of the queue.
    pool = Pool(1)
    monkeypatch.setattr(bots, "pool", pool)
    return pool


def left_by(people: str, pace: int = 0) -> TableSession:
    """Return a table that these people have left to bots."""
    session = sessions.get(make_table(f"{people},beginner", pace=pace).id)
    with no_bots():
        for seat in range(people.count(",") + 1):
            session.replace(seat, "beginner", "left")
    Table.objects.filter(pk=session.table.id).update(bot_to_move=True)
    return session


def delete(tables: Sequence[TableSession]) -> None:
    Table.objects.filter(pk__in=[session.table.id for session in tables]).delete()


def with_browser(session: TableSession, key: str) -> Callable[[], None]:
    """Open a table in a browser; return what closes it."""
    listener = mock.Mock(key=key, address="")
    live.hub.add(session.table.id, listener)
    return lambda: live.hub.remove(session.table.id, listener)


def test_forty_tables_share_a_few_threads_and_a_player_is_served_first(
    log: Log, hosts: list[Asked], bot_pool: Pool
) -> None:
    before = threading.active_count()
    crowd = [left_by("Ada,Ben") for _ in range(40)]
    own = sessions.get(make_table("you,beginner").id)
    with no_bots():
        play(own, lambda: own.mover_is_bot)
    close = with_browser(own, KEY)
    try:
        bots.resume_interrupted()
        wait_for(lambda: len(log.names) == 1)
        bots.wake(own)
        wait_for(lambda: len(log.names) == 2)
        assert log.names[1] == own.table.id, "although no thought about the others has ended"
        assert threading.active_count() - before <= 2
        log.gate.set()
        wait_for(lambda: own.to_move == 0)
        wait_for(lambda: len(set(log.names)) == 41)
        first = [log.names.index(session.table.id) for session in crowd]
        twice = [number for number, name in enumerate(log.names) if name in log.names[:number]]
        others = [number for number in twice if log.names[number] != own.table.id]
        assert max(first) < min(others, default=10_000), "each had its turn before any had two"
        assert threading.active_count() - before <= 2
    finally:
        close()
        delete([*crowd, own])
        log.gate.set()
        wait_for(lambda: not bot_pool.underway())
    assert len(hosts) == 41, "kept between the actions of a table"
    wait_for(lambda: all(host.is_closed for host in hosts))


@pytest.mark.usefixtures("hosts")
def test_a_waiting_table_that_someone_opens_comes_before_those_that_nobody_watches(
    log: Log, bot_pool: Pool
) -> None:
    crowd = [left_by("Ada,Ben") for _ in range(5)]
    try:
        bots.resume_interrupted()
        wait_for(lambda: len(log.names) == 1)
        last = next(each for each in crowd if each.table.id == bot_pool.underway()[-1])
        close = with_browser(last, "a stranger")
        log.gate.set()
        wait_for(lambda: len(log.names) > 1)
        close()
        assert log.names[1] == last.table.id
    finally:
        delete(crowd)
        log.gate.set()
        wait_for(lambda: not bot_pool.underway())


@pytest.mark.usefixtures("site")
def test_a_game_that_its_only_player_left_waits_until_someone_watches() -> None:
    alone, among_people = left_by("you"), left_by("Ada,Ben")
    for watched, wanted in (([], [among_people]), ([alone.table.id], [alone, among_people])):
        found = leases.forsaken(watched)
        assert [one for one in (alone, among_people) if one.table.id in found] == wanted
    for session in (alone, among_people):
        work = bots.BotWork(session.table.id)
        assert (work.step() is None) == (session is alone), "nobody watches"
    close = with_browser(alone, "a stranger")
    assert bots.BotWork(alone.table.id).step() is not None
    close()
    work = bots.BotWork(alone.table.id)
    assert work.step() is None, "the stranger has left"
    alone.table.refresh_from_db()
    assert alone.table.leased_until is None, "any process may take it once it is watched there"
    with mock.patch.object(bots.pool, "add", side_effect=lambda work: work) as add:
        bots.wake(alone)
    assert add.call_args.args[0].step() is not None, "a page that was just opened is watched"
    delete([alone, among_people])


@pytest.mark.usefixtures("site")
def test_bots_play_on_for_a_player_who_closed_the_page() -> None:
    session = sessions.get(make_table("you,beginner").id)
    Table.objects.filter(pk=session.table.id).update(bot_to_move=True)
    assert session.table.id in leases.forsaken()
    assert leases.take(session.table.id)
    delete([session])


@pytest.mark.usefixtures("site")
def test_a_player_who_returns_and_leaves_while_a_bot_begins_to_think_disturbs_nothing() -> None:
    session = left_by("Ada,Ben")
    work, seat, take = bots.BotWork(session.table.id), session.to_move, leases.take
    assert seat is not None

    def take_as_the_player_returns(*lease: Any) -> bool:
        session.replace(seat, "", "")
        return take(*lease)

    with mock.patch.object(bots, "host_of", side_effect=bots.host_of) as made:
        with mock.patch.object(leases, "take", side_effect=take_as_the_player_returns):
            assert work.step() is not None, "it thinks about the table as it was"
        length = session.length
        assert work.step() == 0.0 and session.length == length, "its move is no longer wanted"
        session.replace(seat, "apprentice", "left")
        assert work.step() is not None
    assert [call.args[1][seat] for call in made.call_args_list] == ["beginner", "apprentice"]
    work.close()
    delete([session])
