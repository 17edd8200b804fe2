"""What operators rely on: helpful errors, health, metrics, and a site behind a proxy."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from configparser import ConfigParser
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from click.testing import CliRunner
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, RequestFactory

from brassmill.cli.main import main
from brassmill.editions import edition
from brassmill.errors import BrassError
from brassmill.play.host import Host
from brassmill.web.models import Pulse
from brassmill.web.replay import record_views
from brassmill.web.run import bench
from brassmill.web.server import bodies, database, health, startup
from brassmill.web.server.log_filter import Brief, FaultsSeldom, WithoutHealth, WithoutTokens
from brassmill.web.table import live
from support.friends import Guest, set_up, tokens_of
from support.paths import ROOT
from support.postgres import find_postgresql
from support.web import make_table, no_bots, play_turn, visitor

NOBODY = "postgresql://nobody:secret@127.0.0.1:9/nothing"  # nothing listens on that port


def serve(*options: str, **environment: str) -> str:
    """Return what `brass serve` prints when it cannot start."""
    served = subprocess.run(
        [sys.executable, "-m", "brassmill", "serve", "--no-browser", *options],
        env={**os.environ, "LANGUAGE": "en", **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert served.returncode == 1 and "Traceback" not in served.stderr, served.stderr
    return served.stderr


# --- the database --------------------------------------------------------------------------------


def test_an_unreachable_server_is_named_without_its_password(tmp_path: Path) -> None:
    find_postgresql()
    said = serve(BRASSMILL_HOME=str(tmp_path), DATABASE_URL=NOBODY)
    assert "127.0.0.1:9/nothing" in said and "refused" in said
    assert "secret" not in said


def test_a_database_other_than_postgresql_is_an_error(tmp_path: Path) -> None:
    said = serve(BRASSMILL_HOME=str(tmp_path), DATABASE_URL="mysql://secret@there/nothing")
    assert "postgresql://NAME:PASSWORD@HOST:5432/DATABASE" in said and "secret" not in said


def test_a_database_upgraded_by_a_newer_version_is_refused(site: None) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("web", "9999_later")
    try:
        with pytest.raises(BrassError, match=r"newer Brassmill .*web\.9999_later"):
            database.prepare()
    finally:
        recorder.record_unapplied("web", "9999_later")
    database.prepare()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "psycopg_pool", None)
    with pytest.raises(BrassError, match=r"pip install 'brassmill\[postgres\]'"):
        database.settings_of(NOBODY, tmp_path)


def test_several_processes_need_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    answer = CliRunner().invoke(main, ["serve", "--no-browser", "--processes", "3"])
    assert answer.exit_code == 1 and "set DATABASE_URL" in answer.output


# --- behind a proxy ------------------------------------------------------------------------------


def test_the_example_for_nginx_fits_the_limits_of_the_server() -> None:
    page = (ROOT / "docs" / "host" / "hosting.md").read_text()
    (example,) = re.findall(r"```nginx\n(.*?)```", page, re.DOTALL)
    said = dict(re.findall(r"^ *(\w+ ?\S*) +(.*);$", example, re.MULTILINE))
    assert int(said["limit_conn brass"]) > live.MOST_OF_NETWORK, "pages besides event streams"
    assert int(said["client_max_body_size"].removesuffix("m")) * 10**6 > record_views.LARGEST
    assert "http2" in example, "a browser has six connections otherwise, for all its tabs"
    for header in ("Host", "X-Forwarded-For", "X-Forwarded-Proto"):
        assert f"proxy_set_header {header}" in said


SETTINGS = """
import json
from brassmill.web import settings as s
names = ["ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"]
names += ["SESSION_COOKIE_NAME", "FORMER_SESSION_COOKIE", "CSRF_COOKIE_NAME", "SECURE_HSTS_SECONDS"]
print(json.dumps({name: getattr(s, name, None) for name in names} | {"key": s.SECRET_KEY}))
"""


def settings_with(**environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", SETTINGS],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_names_of_the_site_and_the_key_come_from_the_environment(tmp_path: Path) -> None:
    usual = settings_with(BRASSMILL_HOME=str(tmp_path))
    assert usual["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert usual["SESSION_COOKIE_SECURE"] is None and usual["FORMER_SESSION_COOKIE"] == ""
    named = {"BRASSMILL_HOSTS": "brass.example, www.brass.example", "BRASSMILL_SECRET_KEY": "k"}
    plain = settings_with(BRASSMILL_HOME=str(tmp_path), **named)["SESSION_COOKIE_NAME"]
    hosted = settings_with(BRASSMILL_HOME=str(tmp_path), **named, BRASSMILL_HTTPS="1")
    assert hosted == {
        "ALLOWED_HOSTS": [
            *("127.0.0.1", "localhost", "[::1]"),
            *("brass.example", "www.brass.example"),
        ],
        "CSRF_TRUSTED_ORIGINS": ["https://brass.example", "https://www.brass.example"],
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SESSION_COOKIE_NAME": f"__Host-{plain}",
        "FORMER_SESSION_COOKIE": plain,
        "CSRF_COOKIE_NAME": "__Host-brassmill_csrf",
        "SECURE_HSTS_SECONDS": 365 * 24 * 3600,
        "key": "k",
    }


ADMIN = """
import django
django.setup()
from django.test import Client
print(Client(SERVER_NAME="127.0.0.1").get("/admin/login/").status_code)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("switch", "status"), [("", "200"), ("0", "404")])
def test_an_operator_can_turn_the_admin_off(switch: str, status: str, tmp_path: Path) -> None:
    home = {"BRASSMILL_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "brassmill.web.settings"}
    done = subprocess.run(
        [sys.executable, "-c", ADMIN],
        env={**os.environ, **home, "BRASSMILL_ADMIN": switch},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == status, done.stderr


# --- health --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("site")
def test_health_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Pulse.objects.all().delete()  # from tests in another time
    answer = Client().get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"database": "ready", "rules": "ready"})
    broken = mock.MagicMock(**{"objects.order_by.side_effect": OperationalError("no answer")})
    with mock.patch.object(health, "Pulse", broken):
        answer = Client().get("/health/")
    assert answer.status_code == 503 and answer.json()["database"] == "it does not answer"
    assert "no answer" in caplog.text, "what it says is for who runs the server"
    monkeypatch.setattr(startup, "is_compiled", lambda: False)
    answer = Client().get("/health/")
    assert (answer.status_code, answer.json()["rules"]) == (200, "compiling")
    now = startup.Progress(0.5, "", False, "no room")
    monkeypatch.setattr(startup, "progress", lambda: now)
    assert Client().get("/health/").json()["rules"] == "not compiled: no room"


@pytest.mark.usefixtures("site")
def test_health_notices_that_nothing_is_written() -> None:
    """As on a full disk: pages can be read, and every click is refused."""
    now = database.now()
    for age, status in ((timedelta(seconds=30), 200), (timedelta(minutes=2), 503)):
        Pulse.objects.update_or_create(pk=1, defaults={"at": now - age})
        answer = Client().get("/health/")
        assert answer.status_code == status
    assert answer.json()["database"] == "nothing can be written"
    Pulse.objects.all().delete()


# --- the log -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("site")
def test_links_to_seats_do_not_reach_the_log() -> None:
    token = tokens_of(set_up(Guest("Ada")))[0]
    records: list[logging.LogRecord] = []
    handler = mock.Mock(level=logging.ERROR)
    handler.handle = lambda record: (
        records.append(record) if WithoutTokens().filter(record) else None
    )
    log = logging.getLogger("django.request")
    log.addHandler(handler)
    try:
        trouble = mock.patch("brassmill.web.table.waiting_room.take", side_effect=OperationalError)
        with trouble:
            answer = Guest("Ben").sit(token)
    finally:
        log.removeHandler(handler)
    assert answer.status_code == 503
    (record,) = records
    assert token not in record.getMessage() and "/join/<" in record.getMessage()


def test_a_health_page_that_answers_503_is_no_error_in_the_log() -> None:
    answers = [("/health/", 503, False), ("/health/", 500, True), ("/", 503, True)]
    for path, status, is_logged in answers:
        record = logging.LogRecord("django.request", logging.ERROR, "", 0, "bad", (), None)
        record.request, record.status_code = RequestFactory().get(path), status
        assert WithoutHealth().filter(record) == is_logged


def test_the_same_fault_is_logged_once_in_a_while() -> None:
    seldom = FaultsSeldom()

    def is_logged(kind: type[Exception]) -> bool:
        try:
            raise kind("bad")
        except kind:
            info = sys.exc_info()
            return seldom.filter(logging.LogRecord("a", logging.ERROR, "", 0, "bad", (), info))

    assert [is_logged(ValueError), is_logged(ValueError), is_logged(KeyError)] == [
        True,
        False,
        True,
    ]


def test_bad_requests_are_logged_briefly_and_not_all_of_them() -> None:
    brief = Brief()

    def record(name: str) -> logging.LogRecord:
        try:
            raise ValueError("bad")
        except ValueError:
            return logging.LogRecord(name, logging.ERROR, "", 0, "bad", (), sys.exc_info())

    first, second, other = record("a"), record("a"), record("b")
    assert brief.filter(first) and first.exc_info is None
    assert not brief.filter(second) and brief.filter(other)


# --- metrics -------------------------------------------------------------------------------------


def read_metrics() -> dict[str, float]:
    lines = Client().get("/metrics").content.decode().splitlines()
    return {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
        for line in lines
        if line.startswith("brassmill_")
    }


@pytest.mark.usefixtures("site")
def test_metrics_count_events_and_name_nobody() -> None:
    from brassmill.web.table import sessions

    before = read_metrics()
    with no_bots():
        table = make_table("you,beginner", seed=4)
        visitor().get(f"/t/{table.id}/")
        visitor().get("/nothing/")
        session = sessions.get(table.id)
        visitor().post(f"/t/{table.id}/end/", {"number": session.number})
        play_turn(session)
    after = read_metrics()
    for name, more in (
        ('brassmill_requests_total{route="table",status="200"}', 1),
        ('brassmill_requests_total{route="none",status="404"}', 1),
        ("brassmill_choice_seconds_count", 1),
        ("brassmill_games_begun_total", 1),
        ("brassmill_games_running", 1),
        ("brassmill_games_finished_total", 0),
        ("brassmill_open_streams", 0),
        ("brassmill_bot_turns_total", 0),
        ("brassmill_forfeits_total", 0),
    ):
        assert after[name] - before.get(name, 0) == more, name
    text = Client().get("/metrics").content.decode()
    assert table.id not in text and table.host not in text


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("192.168.3.4", {}, 200),
        ("::1", {}, 200),
        ("8.8.8.8", {}, 404),
        ("unknown", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "8.8.8.8"}, 404),
        ("127.0.0.1", {"X-Real-IP": "8.8.8.8"}, 404),
        ("127.0.0.1", {"Forwarded": "for=8.8.8.8"}, 404),
        ("127.0.0.1", {"Via": "1.1 proxy"}, 404),
        ("8.8.8.8", {"Authorization": "Bearer right"}, 200),
        ("8.8.8.8", {"Authorization": "Bearer wrong"}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "8.8.8.8", "Authorization": "Bearer right"}, 200),
    ],
)
def test_metrics_are_for_the_local_network_or_holders_of_the_token(
    monkeypatch: pytest.MonkeyPatch, client: str, headers: dict[str, str], status: int
) -> None:
    monkeypatch.setenv(health.TOKEN, "right")
    answer = Client(headers=headers, REMOTE_ADDR=client).get("/metrics")
    assert answer.status_code == status


@pytest.mark.usefixtures("site")
def test_without_a_configured_token_no_token_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(health.TOKEN, raising=False)
    client = Client(headers={"Authorization": "Bearer "}, REMOTE_ADDR="8.8.8.8")
    assert client.get("/metrics").status_code == 404


# --- figures -------------------------------------------------------------------------------------


def test_the_benchmark_times_a_click_that_is_played() -> None:
    birmingham = edition("birmingham", 4)
    session = bench.set_table(birmingham, seed=3)
    host = Host.of([bench.PLAYER] * 4, birmingham, 3)
    with closing(host):
        browser = bench.Browser(session.seats[session.to_move or 0].holder)
        first = bench.click(session, browser, host)
        assert session.length == 1 and first.bytes > 10_000
        assert bench.click(session, browser, host).bytes < first.bytes  # it has most of the parts
        with pytest.raises(BrassError, match="a click was refused"):
            bench.click(session, bench.Browser("a stranger"), host)


# --- the examples for operators ------------------------------------------------------------------


def example(kind: str) -> str:
    """The first block of this kind on the page for operators."""
    page = (ROOT / "docs" / "host" / "hosting.md").read_text(encoding="utf-8")
    return page.split(f"```{kind}\n", 1)[1].split("```", 1)[0]


def test_the_service_in_the_docs_has_descriptors_for_many_networks() -> None:
    unit = ConfigParser()
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # keep capitals
    unit.read_string(example("ini"))
    descriptors, streams = int(unit["Service"]["LimitNOFILE"]), live.MOST_OF_NETWORK
    assert descriptors >= 100 * streams


def test_the_proxy_in_the_docs_lets_through_what_the_server_accepts_and_no_flood() -> None:
    proxy = example("nginx")
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", proxy)
    assert record_views.LARGEST < int(megabytes) * 1_000_000 <= bodies.LONGEST
    (connections,) = re.findall(r"limit_conn brass (\d+);", proxy)
    assert live.MOST_OF_NETWORK < int(connections) <= 10 * live.MOST_OF_NETWORK
    assert re.search(r"limit_req zone=brass_pages burst=\d+ nodelay;", proxy)


def test_dependencies_are_audited_on_a_schedule() -> None:
    workflow = (ROOT / ".github" / "workflows" / "audit.yml").read_text(encoding="utf-8")
    assert re.search(r"schedule:\n +- cron: ", workflow)
    assert "pip-audit --requirement constraints.txt" in workflow
