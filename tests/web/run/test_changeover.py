"""`brass serve` without compiled rules: games are played at once, and nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from brassmill.editions import edition
from brassmill.notation import stored
from brassmill.rules.warmup import THINKING, is_cached
from support.cold_server import HELPER, THINKER, ColdServer, log_in
from support.deployment import PATIENCE, Guest, wait_for
from support.homes import make_home
from support.serving import serve

needs_proc = pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ColdServer]:
    assert is_cached(THINKING), "the rules of this machine are compiled first"
    made = ColdServer(tmp_path / "home")
    try:
        yield made
    finally:
        made.close()


def begin(guest: Guest, site: str) -> str:
    """Start a game against a bot that makes short pauses."""
    table = guest.begin(site, "you", "apprentice")
    assert guest.post(site, f"/t/{table}/pace/", pace="fast")[0] == 200
    return table


def play(guest: Guest, site: str, table: str, turns: int) -> None:
    """Take turns; the bots take theirs in between."""
    for _turn in range(turns):
        wait_for(lambda: guest.look(site, table)["to_move"] == 0, "your turn")
        guest.play_turn(site, table)


@pytest.mark.slow
@needs_proc
def test_a_game_begins_at_once_and_has_the_same_bytes_as_a_compiled_one(
    server: ColdServer, tmp_path: Path
) -> None:
    guest, site = Guest(), server.site
    table = begin(guest, site)
    play(guest, site, table, 1)
    assert not server.is_compiled
    assert json.loads(guest.get(site, "/health/")[1])["rules"] == "compiling"
    assert server.started(HELPER) and server.started(THINKER)
    with guest.stream(site, table) as stream:
        stream.wait()
        server.compile()
        wait_for(lambda: server.is_compiled, "compiled rules")
        play(guest, site, table, 1)
        stream.wait()  # the stream has not been interrupted
    wait_for(lambda: not server.started(THINKER), "the end of the thinking process")
    assert not server.started(HELPER)
    wait_for(lambda: guest.look(site, table)["to_move"] == 0, "your turn")

    warm = make_home(tmp_path / "warm")
    process, site = serve(BRASSMILL_HOME=str(warm))
    try:
        other = Guest()
        wait_for(lambda: '"done": true' in other.get(site, "/ready/?format=json")[1], "the rules")
        again = begin(other, site)
        play(other, site, again, 2)
        wait_for(lambda: other.look(site, again)["to_move"] == 0, "your turn")
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
    # With the digests of the positions after each turn.
    assert server.log(table) == log_in(warm, again)


@pytest.mark.slow
def test_no_click_is_lost_or_doubled(server: ColdServer) -> None:
    """Two people at one screen click in a loop while the rules change over."""
    guest, site = Guest(), server.site
    table = guest.begin(site, "you", "person")
    made: list[int | None] = []  # the choices acknowledged; None: the end of a turn
    enough = Event()

    def click() -> None:
        seen = guest.look(site, table)
        while not enough.is_set():
            assert guest.click(site, table, seen)[0] == 200
            made.append(seen["offers"][0]["id"] if seen["offers"] else None)
            seen = guest.look(site, table)

    clicking = Thread(target=click)
    clicking.start()
    try:
        wait_for(lambda: len(made) > 5, "clicks")
        server.compile()
        wait_for(lambda: server.is_compiled, "compiled rules")
        before = len(made)
        wait_for(lambda: len(made) > before + 20, "clicks")
    finally:
        enough.set()
        clicking.join()
    kind = edition("birmingham", 2)
    stored_choices = [
        stored.read(kind, body["choose"])[0] if "choose" in body else None
        for body in server.log(table)
    ]
    assert stored_choices == made


# --- killed at a bad moment ----------------------------------------------------------------------


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("moment", ["helper", "thinker", "server before", "server during"])
def test_what_is_killed_is_made_up_for(server: ColdServer, moment: str) -> None:
    guest, site = Guest(), server.site
    table = begin(guest, site)
    guest.play_turn(site, table)
    if moment == "helper":
        first = server.wait_for_start(HELPER)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: server.wait_for_start(HELPER) != first, "another helper")
    elif moment == "thinker":
        os.kill(server.wait_for_start(THINKER), signal.SIGKILL)
    elif moment == "server before":
        server.restart()
    before = server.log(table)
    server.compile()
    if moment == "server during":
        server.restart()
    wait_for(lambda: server.is_compiled, "compiled rules")
    play(guest, site, table, 2)
    assert server.log(table)[: len(before)] == before
    wait_for(lambda: not server.started(THINKER) and not server.started(HELPER), "the end")
    said = subprocess.run(
        [sys.executable, "-m", "brassmill", "admin", "verify"],
        env={**os.environ, "BRASSMILL_HOME": str(server.home)},
        capture_output=True,
        text=True,
    )
    assert said.returncode == 0, said.stdout + said.stderr
