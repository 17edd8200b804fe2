"""`brass serve`: a page at once, an event stream, and a clean stop."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.conf import settings

from brassmill.cli.main import main
from brassmill.web.run.command import address_for_others, listen_at, tell_of_mails
from brassmill.web.server import mail_backend
from brassmill.web.server.home import make_key
from brassmill.web.table import sessions
from support.deployment import Guest, wait_for
from support.homes import make_home
from support.serving import serve
from support.web import make_table, no_bots, visitor

ANSWER = 60  # seconds, enough for a machine under load


@contextmanager
def serving(home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server in its own process and yield its URL."""
    process, address = serve(*options, BRASSMILL_HOME=str(home))
    try:
        yield process, address
    finally:
        process.kill()
        process.communicate()


def page(guest: Guest, address: str, path: str) -> str:
    """Load a page that must be there."""
    status, text = guest.get(address, path)
    assert status == 200, text
    return text


def wait_for_table(guest: Guest, address: str, table: str) -> None:
    """Wait until the rules are loaded and the table is up."""
    wait_for(lambda: '<main id="table"' in page(guest, address, table), "a table")


def stop(process: subprocess.Popen[str]) -> str:
    """Press Ctrl-C; return the last output."""
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=ANSWER)
    return said


@pytest.mark.slow
def test_from_a_fresh_start_to_a_game_that_survives_a_restart(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    with serving(home) as (process, address):
        guest = Guest()
        assert "Birmingham" in page(guest, address, "/")
        assert guest.post(address, "/start/")[0] == 200
        table = guest.address
        assert re.fullmatch(r"/t/[\w-]{12}/", table)
        wait_for_table(guest, address, table)
        with guest.stream(address, table.split("/")[2]) as stream:
            assert stream.answer.headers["Content-Type"] == "text/event-stream"
            assert stream.answer.headers["Content-Encoding"] is None
            assert stream.answer.readline() == b"event: moved\n"
            assert stop(process).strip() == ""  # even with an open stream
        assert process.returncode == 0
    for file in ("secret.key", "table.sqlite3"):
        assert (home / file).stat().st_mode & 0o077 == 0
    port = address.rpartition(":")[2]
    with serving(home, "--port", port) as (process, address):
        wait_for_table(guest, address, table)
        # The visitor is still known.
        assert guest.look(address, table.split("/")[2])["held"] == [0]
        stop(process)


def test_a_port_in_use_is_an_error_or_the_next_is_used(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    with listen_at("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        answer = CliRunner().invoke(main, ["serve", "--no-browser", "--port", port])
        assert answer.exit_code == 1 and f"port {port} is in use" in answer.output
    with serving(home) as (one, first), serving(home) as (two, second):
        assert first != second
        stop(one)
        stop(two)


LOADING = """
import time
from brassmill.web.run import command
from brassmill.web.server import home

def prepare():
    try:
        print("loading", flush=True)
        time.sleep(600)
    except KeyboardInterrupt:
        pass
    time.sleep(600)

home.prepare = prepare
command.serve(["--no-browser"])
"""


@pytest.fixture
def loading() -> Iterator[subprocess.Popen[str]]:
    """Run a server that never finishes loading."""
    process = subprocess.Popen([sys.executable, "-c", LOADING], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        while process.stdout.readline() != "loading\n":
            assert process.poll() is None
        yield process
    finally:
        process.kill()


def test_ctrl_c_works_while_loading_even_where_an_exception_would_be_lost(
    loading: subprocess.Popen[str],
) -> None:
    assert stop(loading) == "\n"
    assert loading.returncode == 0


def test_ctrl_c_works_while_loading_when_stdout_is_closed(
    loading: subprocess.Popen[str],
) -> None:
    assert loading.stdout
    loading.stdout.close()
    loading.send_signal(signal.SIGINT)
    assert loading.wait(ANSWER) == 0


def test_serving_on_all_interfaces_prints_the_lan_address() -> None:
    with listen_at("127.0.0.1", 0) as listening:
        assert address_for_others(listening) == ""
    with listen_at("0.0.0.0", 0) as listening:
        port, told = listening.getsockname()[1], address_for_others(listening)
        # A machine without a network has none.
        assert not told or (told.endswith(f":{port}/") and "127.0.0.1" not in told)


@pytest.mark.slow
@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_a_server_answers_at_the_ipv6_address_it_listens_on(tmp_path: Path) -> None:
    with serving(make_home(tmp_path), "--host", "::ffff:127.0.0.1") as (_process, address):
        assert "[::ffff:127.0.0.1]" in address
        assert Guest().get(address, "/")[0] == 200


def test_an_address_of_another_machine_is_an_error() -> None:
    answer = CliRunner().invoke(main, ["serve", "--no-browser", "--host", "192.0.2.1"])
    assert answer.exit_code == 1 and "192.0.2.1" in answer.output


def test_an_empty_key_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    path.touch()
    make_key(path)
    key = path.read_text()
    assert len(key) > 40 and path.stat().st_mode & 0o077 == 0
    make_key(path)
    assert path.read_text() == key and list(tmp_path.iterdir()) == [path]


def test_an_invalid_database_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "table.sqlite3").write_text("this is no database")
    served = subprocess.run(
        [sys.executable, "-m", "brassmill", "serve", "--no-browser"],
        env={**os.environ, "BRASSMILL_HOME": str(tmp_path), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=ANSWER,
    )
    assert served.returncode == 1 and "Traceback" not in served.stderr
    assert f"cannot use the database {tmp_path / 'table.sqlite3'}" in served.stderr


# --- every response ------------------------------------------------------------------------------


@pytest.mark.usefixtures("site")
def test_only_scripts_in_files_can_run() -> None:
    with no_bots():
        answer = visitor().get(f"/t/{make_table().id}/")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]
    text = answer.content.decode()
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=|javascript:", text)


@pytest.mark.usefixtures("site")
def test_a_forged_post_is_refused() -> None:
    from django.test import Client

    table = make_table()
    client = Client(enforce_csrf_checks=True)
    assert client.post(f"/t/{table.id}/end/").status_code == 403
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


@pytest.mark.usefixtures("site")
def test_pages_use_the_requested_language() -> None:
    with no_bots():
        address = f"/t/{make_table().id}.json"
        assert (
            visitor(**{"Accept-Language": "de-AT,en;q=0.5"})
            .get(address)
            .headers["Content-Language"]
            == "de"
        )
        chosen = visitor(**{"Accept-Language": "de"})
        chosen.cookies["language"] = "fr"
        answer = chosen.get(address)
        assert answer["Content-Language"] == "fr"
        assert answer.json()["era_name"] != visitor().get(address).json()["era"]
        assert sessions.at_hand(answer.json()["table"]) is not None


@pytest.mark.usefixtures("site")
def test_browsers_cache_the_style_sheet() -> None:
    client = visitor()
    answer = client.get("/style/brass.css")
    assert answer["Content-Type"].startswith("text/css") and b"--paper:" in answer.content
    unchanged = client.get("/style/brass.css", headers={"if-none-match": answer["ETag"]})
    assert unchanged.status_code == 304


def test_serve_prints_where_unsent_mails_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "EMAIL_BACKEND", mail_backend.FILES)
    monkeypatch.setattr(settings, "EMAIL_FILE_PATH", tmp_path, raising=False)
    tell_of_mails()
    assert f"E-mails are saved in {tmp_path};" in capsys.readouterr().out
    monkeypatch.setattr(settings, "EMAIL_BACKEND", f"{mail_backend.BACKENDS}.smtp.EmailBackend")
    tell_of_mails()
    assert not capsys.readouterr().out
