"""Several processes on one PostgreSQL: a click plays once, all are notified, and bots continue."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest

from brassmill.web.server import database
from support.cold_server import HELPER, THINKER, ColdServer
from support.daily import day_with_time_left
from support.deployment import (
    KEY,
    PATIENCE,
    Deployment,
    Guest,
    Server,
    command_of,
    wait_for,
    workers_of,
)
from support.postgres import Cluster, ask, run_tests

pytestmark = pytest.mark.slow

WAITING = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL."""
    cluster = Cluster()
    yield cluster
    cluster.remove()


@pytest.fixture(scope="module")
def deployment(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Start three servers at the same time on an empty database."""
    deployment = Deployment(cluster, tmp_path_factory.mktemp("deployment"))
    yield deployment
    deployment.close()


@pytest.fixture
def guest() -> Guest:
    return Guest()


# --- clicks --------------------------------------------------------------------------------------


def test_the_session_works_on_postgresql(cluster: Cluster) -> None:
    run_tests(cluster, "web/table/test_session.py", "web/table/test_leases.py")


def test_the_deal_of_the_day_works_on_postgresql(cluster: Cluster) -> None:
    run_tests(cluster, "web/daily")


def test_ratings_work_on_postgresql(cluster: Cluster) -> None:
    run_tests(cluster, "web/ratings")


def test_players_who_start_at_once_in_several_processes_get_one_deal(
    deployment: Deployment,
) -> None:
    day_with_time_left()
    players = [(Guest(), site) for site in deployment.sites for _ in range(4)]
    for guest, site in players:
        guest.get(site, "/daily/")
    twins = [(guest, site) for guest, _own in players[:2] for site in deployment.sites]
    starts = [
        Thread(target=guest.post, args=[site, "/daily/start/"]) for guest, site in players + twins
    ]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len(deployment.ask("SELECT day FROM web_dailydeal")) == 1
    dealt = deployment.ask(
        "SELECT deal::text, bot_key FROM web_archive JOIN web_table ON id = table_id "
        "WHERE day IS NOT NULL"
    )
    assert len(dealt) == len(players) and len(set(dealt)) == 1
    found = [json.loads(guest.get(site, "/daily.json")[1]) for guest, site in players]
    assert {one["state"] for one in found} == {"playing"}
    assert len({one["table"] for one in found}) == len(players)


def test_servers_starting_together_create_the_tables_once(deployment: Deployment) -> None:
    made = deployment.ask("SELECT name FROM django_migrations WHERE app = 'web'")
    assert len(made) == len(set(made)) > 1
    assert all(server.process.poll() is None for server in deployment.servers)


def test_of_simultaneous_clicks_in_several_processes_one_plays(
    deployment: Deployment, guest: Guest
) -> None:
    table = guest.begin(deployment.sites[0], "you", "person")
    for length in range(1, 13):
        seen = guest.look(deployment.sites[0], table)
        clicks = [
            Thread(target=guest.click, args=[site, table, seen])
            for site in deployment.sites
            for _ in range(2)
        ]
        for click in clicks:
            click.start()
        for click in clicks:
            click.join()
        assert len(deployment.log(table)) == length
        tables = [guest.look(site, table) for site in deployment.sites]
        assert tables[0] == tables[1] == tables[2] != seen


def test_a_click_in_one_process_is_notified_in_another(
    deployment: Deployment, guest: Guest
) -> None:
    first, second, third = deployment.sites
    table = guest.begin(first, "you", "person")
    seen = guest.look(first, table)
    with guest.stream(second, table) as cold, guest.stream(third, table) as other:
        assert cold.wait() == "", "this process does not know the table yet"
        other.wait()
        for _ in range(3):
            assert guest.click(first, table, seen)[0] == 200
            seen = guest.look(first, table)
            assert seen["stamp"] == cold.wait() == other.wait()


def test_pace_changes_and_deleted_tables_are_known_everywhere(
    deployment: Deployment, guest: Guest
) -> None:
    first, second, _third = deployment.sites
    table = guest.begin(first, "you", "person")
    assert {guest.look(site, table)["pace"] for site in deployment.sites} == {1200}
    guest.post(first, f"/t/{table}/pace/", pace="slow")
    assert {guest.look(site, table)["pace"] for site in deployment.sites} == {2500}
    guest.post(second, f"/t/{table}/delete/", confirm="yes")
    assert {guest.get(site, f"/t/{table}/")[0] for site in deployment.sites} == {404}


def test_accounts_and_limits_are_shared_by_all_processes(deployment: Deployment) -> None:
    ada, ben = Guest(), Guest()
    first, second, third = deployment.sites
    table = ada.begin(first, "you", "person")
    form = {"name": "Ada", "password": "a canal to Dudley"}
    assert ada.post(first, "/sign-up/", **form)[0] == 200 and ada.address == "/account/"
    assert ben.post(second, "/sign-in/", **form)[0] == 200 and ben.address == "/account/"
    assert [ben.look(site, table)["held"] for site in deployment.sites] == [[0, 1]] * 3
    with ben.stream(third, table) as stream:
        assert stream.wait() == ben.look(third, table)["stamp"]
    ada.token = ""  # it has changed since
    ada.post(third, "/sign-out/")
    assert {ada.get(site, "/account.json")[0] for site in deployment.sites} == {401}
    assert ben.get(first, "/account.json")[0] == 200
    tries = [ada.post(deployment.sites[n % 3], "/sign-up/", name="")[0] for n in range(6)]
    assert tries == [422] * 5 + [429]


def test_limits_are_exact_across_processes_and_block_nobody_else(deployment: Deployment) -> None:
    import psycopg

    guest, other = Guest(), Guest()
    for each in (guest, other):
        each.post(deployment.sites[0], "/language/", code="en")
    answers: list[int] = []

    def ask(who: Guest, site: str, address: str = "") -> Thread:
        def work() -> None:
            answers.append(who.post(site, "/forgotten/", address=address)[0])

        thread = Thread(target=work)
        thread.start()
        return thread

    for thread in [ask(guest, site) for site in deployment.sites * 4]:
        thread.join()
    assert sorted(answers) == [422] * 5 + [429] * 7
    # While one waits for its bucket, another gets its own.
    bucket = f"limit-resets-{sha256(b'slow@example.org').hexdigest()}"
    answers.clear()
    with psycopg.connect(deployment.database, autocommit=True) as line:
        line.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [bucket])
        slow = ask(Guest(), deployment.sites[0], "slow@example.org")
        wait_for(lambda: bool(deployment.ask(WAITING)), "a waiting query")
        ask(other, deployment.sites[0], "quick@example.org").join(60)
        assert answers == [200] and slow.is_alive()
    slow.join()
    assert answers == [200, 200]


# --- over days -----------------------------------------------------------------------------------


def test_one_process_replaces_a_player_out_of_time_and_notifies_them(
    deployment: Deployment, guest: Guest
) -> None:
    first, second, _third = deployment.sites
    form = {"players": 2, "who-0": "you", "name-0": "Ada", "who-1": "friend", "clock": "turn-1d"}
    guest.post(first, "/new/birmingham/", **form)
    table = guest.address.split("/")[2]
    links = re.findall(r"/join/[^/]+/", guest.get(second, f"/t/{table}/")[1])
    assert Guest().post(second, links[0], name="Ben")[0] == 200
    deployment.ask(
        "INSERT INTO web_contact"
        " (visitor, address, confirmed, language, away_year, away_days, wants_mail)"
        " SELECT DISTINCT holder, number || 'x@example.org', true, 'en', 0, 0, true"
        " FROM web_seat WHERE table_id = %s",
        table,
    )
    deployment.pace(table, 30_000)
    deployment.ask("UPDATE web_table SET due = now(), tell_at = NULL WHERE id = %s", table)
    wait_for(lambda: bool(deployment.log(table)), "the bot")
    assert [body["why"] for body in deployment.log(table)] == ["time"]
    told = "SELECT count(*) FROM web_mail WHERE kind = 'bot'"
    assert deployment.ask(told) == [(1,)]
    wait_for(lambda: deployment.ask(f"{told} AND sent IS NOT NULL") == [(1,)], "the mail")
    assert len(list(deployment.folder.glob("*/mails/*"))) == 1, "one server has sent it"


# --- bots ----------------------------------------------------------------------------------------


def bots_to_move(deployment: Deployment, guest: Guest, *bots: str, pace: int) -> str:
    """Return a table where you have ended your turn and the bots are to move."""
    site = deployment.sites[0]
    table = guest.begin(site, "you", *bots)
    deployment.pace(table, 0)
    wait_for(lambda: guest.look(site, table)["to_move"] == 0, "your turn")
    deployment.pace(table, pace)
    guest.play_turn(site, table)
    return table


def test_one_process_plays_a_bots_turn(deployment: Deployment, guest: Guest) -> None:
    before = deployment.count("brassmill_bot_thinking_seconds_count")
    table = guest.begin(deployment.sites[0], "you", "beginner", "beginner", "beginner")
    deployment.pace(table, 0)
    turns = 0
    while turns < 6:
        looks = [
            guest.look(site, table) for site in deployment.sites
        ]  # each request wakes the bots
        if looks[0]["to_move"] == looks[2]["to_move"] == 0:
            guest.play_turn(deployment.sites[turns % 3], table)
            turns += 1
    wait_for(lambda: guest.look(deployment.sites[0], table)["to_move"] == 0, "your turn")
    played = sum("choose" in body for body in deployment.log(table)) - guest.choices
    assert deployment.count("brassmill_bot_thinking_seconds_count") - before == played > turns
    wait_for(lambda: deployment.holder(table) == 0, "nobody plays them any more")


def test_a_skip_reaches_the_process_that_plays(deployment: Deployment, guest: Guest) -> None:
    table = bots_to_move(deployment, guest, "beginner", "beginner", "beginner", pace=30_000)
    wait_for(lambda: deployment.holder(table) != 0, "a process that plays")
    others = [each for each in deployment.servers if each.process.pid != deployment.holder(table)]
    guest.post(others[0].site, f"/t/{table}/pace/", pace="skip")
    wait_for(lambda: guest.look(others[1].site, table)["to_move"] == 0, "your turn")


def test_when_the_playing_process_is_killed_another_continues(
    deployment: Deployment, guest: Guest
) -> None:
    table = bots_to_move(deployment, guest, "beginner", "beginner", pace=30_000)
    wait_for(lambda: deployment.holder(table) != 0, "a process that plays")
    killed, length = deployment.holder(table), len(deployment.log(table))
    os.kill(killed, signal.SIGKILL)
    try:
        wait_for(lambda: deployment.holder(table) not in (0, killed), "another process")
        alive = [each.site for each in deployment.servers if each.process.pid != killed]
        guest.post(alive[0], f"/t/{table}/pace/", pace="skip")
        wait_for(lambda: guest.look(alive[0], table)["to_move"] == 0, "your turn")
        assert len(deployment.log(table)) > length
    finally:
        deployment.replace(killed)


# --- database outages ----------------------------------------------------------------------------


def test_everything_continues_after_postgresql_restarts(
    deployment: Deployment, cluster: Cluster, guest: Guest
) -> None:
    first, second, third = deployment.sites
    table = bots_to_move(deployment, guest, "beginner", "beginner", pace=1000)
    people = guest.begin(first, "you", "person")
    seen = guest.look(first, people)
    with guest.stream(second, people) as stream:
        stream.wait()
        cluster.restart()
        wait_for(lambda: guest.click(first, people, seen)[0] == 200, "a click that is taken")
        assert len(deployment.log(people)) == 1
        stamp = guest.look(first, people)["stamp"]
        while stream.wait() != stamp:
            pass
    wait_for(lambda: guest.look(third, table)["to_move"] == 0, "your turn")


def test_acknowledged_moves_survive_a_crash_of_postgresql(
    deployment: Deployment, cluster: Cluster, guest: Guest
) -> None:
    first, second, _third = deployment.sites
    table = guest.begin(first, "you", "person")
    acknowledged = 0
    for length in range(30):
        if length == 10:
            cluster.kill()
            cluster.start()
        wait_for(lambda: guest.get(first, f"/t/{table}.json")[0] == 200, "the table")
        if guest.click(first, table, guest.look(first, table))[0] == 200:
            acknowledged += 1
    assert 25 <= acknowledged <= len(deployment.log(table)) <= 30
    assert guest.look(second, table) == guest.look(first, table)


def test_without_postgresql_a_click_is_refused_and_nothing_is_half_done(
    deployment: Deployment, cluster: Cluster, guest: Guest
) -> None:
    site = deployment.sites[0]
    table = guest.begin(site, "you", "person")
    seen = guest.look(site, table)
    cluster.stop()
    try:
        status, text = guest.click(site, table, seen)
        assert status == 503 and "cannot be reached right now" in text
        status, text = guest.get(site, f"/t/{table}.json")
        assert status == 503 and "error" in json.loads(text)
        status, text = guest.get(site, "/health/")
        assert status == 503 and "does not answer" in json.loads(text)["database"]
    finally:
        cluster.start()
    wait_for(lambda: guest.click(site, table, seen)[0] == 200, "a click that is taken")
    assert len(deployment.log(table)) == 1
    wait_for(lambda: guest.get(site, "/health/")[0] == 200, "health")


def test_a_read_only_database_shows_pages_and_refuses_clicks(
    deployment: Deployment, cluster: Cluster, guest: Guest
) -> None:
    """While one server takes over from another, there may be none that writes."""
    site = deployment.sites[0]
    table = guest.begin(site, "you", "person")
    seen = guest.look(site, table)
    deployment.ask("ALTER SYSTEM SET default_transaction_read_only = on")
    try:
        deployment.ask("SELECT pg_reload_conf()")
        wait_for(
            lambda: deployment.ask("SHOW transaction_read_only") == [("on",)], "no more writing"
        )
        status, text = guest.click(site, table, seen)
        assert status == 503 and "cannot be reached right now" in text
        assert guest.look(site, table) == seen
    finally:
        deployment.ask("ALTER SYSTEM RESET default_transaction_read_only")
        deployment.ask("SELECT pg_reload_conf()")
    wait_for(lambda: guest.click(site, table, seen)[0] == 200, "a click that is taken")
    assert len(deployment.log(table)) == 1


def test_a_lock_of_another_program_is_not_waited_for_without_end(
    deployment: Deployment, guest: Guest
) -> None:
    import psycopg

    site = deployment.sites[0]
    table = guest.begin(site, "you", "person")
    seen = guest.look(site, table)
    with psycopg.connect(deployment.database) as other:
        other.execute("LOCK TABLE web_entry IN EXCLUSIVE MODE")
        assert guest.click(site, table, seen)[0] == 503
        assert guest.look(site, table) == seen
    assert guest.click(site, table, seen)[0] == 200
    assert len(deployment.log(table)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the options have other names elsewhere")
def test_a_database_that_disappears_from_the_network_is_noticed(
    cluster: Cluster, tmp_path: Path
) -> None:
    import psycopg

    address = cluster.database()
    options = database.settings_of(address, tmp_path)["OPTIONS"]
    options.pop("pool")
    with (
        psycopg.connect(address, **options) as line,
        socket.socket(fileno=os.dup(line.pgconn.socket)) as wire,
    ):
        asked, silent = (
            wire.getsockopt(socket.IPPROTO_TCP, option)
            for option in (socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE)
        )
    assert 0 < asked <= 60_000, "milliseconds until what was sent must have arrived"
    assert 0 < silent <= 60, "seconds until the other end is asked whether it is there"


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_server_stops_when_a_newer_version_upgrades_its_database(
    cluster: Cluster, tmp_path: Path, processes: str
) -> None:
    address = cluster.database()
    server = Server(tmp_path / "home", address, "--processes", processes)
    try:
        wait_for(lambda: server.is_ready, "the server")
        ask(
            address,
            "INSERT INTO django_migrations (app, name, applied) VALUES ('web', %s, now())",
            "9999_later",
        )
        said = server.process.communicate(timeout=PATIENCE)[0]
        assert "stopping: a newer Brassmill has upgraded the database (web.9999_later)" in said
        assert server.process.returncode == 0
    finally:
        server.kill()


# --- worker processes ----------------------------------------------------------------------------


def test_workers_share_a_port_are_replaced_and_stop_together(
    cluster: Cluster, tmp_path: Path, guest: Guest
) -> None:
    server = Server(tmp_path / "home", cluster.database(), "--processes", "2")
    try:
        wait_for(lambda: server.is_ready, "the workers")
        workers = workers_of(server)
        assert len(workers) == 2
        table = guest.begin(server.site, "you", "person")
        dead = workers.pop()
        os.kill(dead, signal.SIGKILL)
        wait_for(lambda: len(workers_of(server) - {dead}) == 2, "another")
        workers = workers_of(server)
        wait_for(
            lambda: "brassmill_open_streams" in guest.get(server.site, "/metrics")[1], "counts"
        )
        with guest.stream(server.site, table) as stream:
            stream.wait()
            server.stop()
        assert server.process.returncode == 0
        assert not any(map(command_of, workers))
    finally:
        server.kill()


def test_every_worker_changes_over_to_compiled_rules(
    cluster: Cluster, tmp_path: Path, guest: Guest
) -> None:
    options = {"DATABASE_URL": cluster.database(), "BRASSMILL_SECRET_KEY": KEY}
    server = ColdServer(tmp_path / "home", "--processes", "2", **options)
    try:
        wait_for(lambda: len(server.started(THINKER)) == 2, "both workers")
        table = guest.begin(server.site, "you", "beginner")
        guest.play_turn(server.site, table)
        assert not server.is_compiled
        server.compile()
        wait_for(lambda: not server.started(THINKER) + server.started(HELPER), "the rules")
        assert all(server.is_compiled for _request in range(20))
        wait_for(lambda: guest.look(server.site, table)["to_move"] == 0, "your turn")
        guest.play_turn(server.site, table)
    finally:
        server.process.terminate()
        server.process.communicate(timeout=PATIENCE)
        server.close()
