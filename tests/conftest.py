"""What all tests share."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from brassmill.web.models import Table
    from support.browser import Server, Visitor
    from support.friends import Guest

# Property tests assert, benchmarks measure: no test fails on a time.
settings.register_profile(
    "brassmill", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("brassmill")

os.environ["LANGUAGE"] = "en"  # tests read English, whatever the machine speaks
os.environ.pop("COLUMNS", None)  # nor is a terminal as wide as the one that tests are started in

# In the background of a shell Ctrl-C is ignored, and by all that is started there too.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONG = (  # files that take minutes with few tests, those first that wait for the compiler
    *("rules/test_bounds.py", "rules/test_uncompiled.py", "web/test_crawl.py", "web/test_soak.py"),
    *("stories/test_friends.py", "stories/test_games.py", "stories/test_accessibility.py"),
    *("web/server/test_several_processes.py", "project/test_wheel.py"),
)
MAY_SKIP = {"gpu", "torch"}  # markers of tests that need what not every machine has


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a player whose shell finds `brass`, and who does not wait long for a hint."""
    from support.homes import make_home  # it loads the rules, which some tests must not have loaded

    folder = make_home(tmp_path / "home")
    monkeypatch.setattr("brassmill.cli.player.HINT", 0.01)
    monkeypatch.setenv("BRASSMILL_HOME", str(folder))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    return folder


@pytest.fixture(scope="session")
def gpu() -> None:
    """Skip where there is no GPU."""
    from brassmill.batch.cuda import kernels
    from brassmill.errors import BrassError

    try:
        kernels()
    except BrassError as error:
        pytest.skip(str(error))


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a browser, a server or a clock."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, then those with many tests: no worker waits for another."""
    places = {name: place for place, name in enumerate(LONG)}
    tests = Counter(item.path for item in items)
    items.sort(
        key=lambda item: (
            places.get(item.nodeid.split("::")[0].removeprefix("tests/"), len(LONG)),
            -tests[item.path],
        )
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="fail if a test was skipped that does not need a GPU or PyTorch",
    )


@pytest.fixture(scope="session")
def site() -> None:
    """The site, with a database and compiled rules."""
    from django.conf import settings as django_settings

    from support.homes import make_home
    from support.web import make_database

    make_home(django_settings.HOME)  # before anything is run there
    make_database()


@pytest.fixture
def patience() -> None:
    """Nobody has done anything too often."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture
def host() -> Guest:
    """Who sets tables up."""
    from support.friends import Guest

    return Guest("Ada")


@pytest.fixture
def ben() -> Guest:
    from support.friends import Guest

    return Guest("Ben")


@pytest.fixture
def cleo() -> Guest:
    from support.friends import Guest

    return Guest("Cleo")


@pytest.fixture
def table(host: Guest, ben: Guest) -> Table:
    """A game of two friends, which has begun."""
    from support.friends import at_table

    return at_table(host, ben)


# Not for the session: its watchman would play the bots of other tests.
@pytest.fixture(scope="module")
def server(site: None) -> Iterator[Server]:
    """The real server, in the home of the site; it must never complain."""
    from django.conf import settings as django_settings

    from brassmill.web.models import Pulse
    from support.browser import Server, find_chromium

    find_chromium()
    Pulse.objects.all().delete()  # else it complains that nobody was here since the last one
    home = django_settings.HOME
    (home / "secret.key").write_text(django_settings.SECRET_KEY)  # tests can make its cookies
    server = Server(home)
    yield server
    assert server.stop() == ""


# Not for the session: other tests have event loops of their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser of the stories."""
    from support.browser import opened

    with opened() as browser:
        yield browser


@pytest.fixture
def visit(server: Server, chromium: Browser) -> Iterator[Callable[..., Visitor]]:
    """Visitors of the site; nothing may go wrong in any of their pages."""
    from support.browser import Visitor

    visitors: list[Visitor] = []

    def come(**wishes: Any) -> Visitor:
        visitors.append(Visitor(chromium, server.address, token_hex(8), **wishes))
        return visitors[-1]

    yield come
    assert [fault for visitor in visitors for fault in visitor.leave()] == []


def set_up_site(home: str) -> None:
    """Let Django know its settings before anything of the site is imported."""
    import django
    from django.conf import settings as django_settings

    os.environ["DJANGO_SETTINGS_MODULE"] = "brassmill.web.settings"
    # Not the database of whoever runs the tests: what is tried on PostgreSQL names its own.
    url = os.environ.pop("DATABASE_URL", "") if "BRASSMILL_TESTS" in os.environ else ""
    with mock.patch.dict(os.environ, BRASSMILL_HOME=home, DATABASE_URL=url):
        django.setup()
    django_settings.ALLOWED_HOSTS += ["testserver"]  # that is what Django's client asks for
    hasher = (
        "django.contrib.auth.hashers.MD5PasswordHasher"  # the usual ones are slow, and shall be
    )
    django_settings.PASSWORD_HASHERS = [hasher]


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="brassmill-site-")
    config.add_cleanup(folder.cleanup)
    set_up_site(folder.name)
    if config.getoption("--no-skips"):
        config.pluginmanager.register(NoSkips(), "no-skips")


class NoSkips:
    """Collects skipped tests, and fails the run if there are any."""

    def __init__(self) -> None:
        self.skipped: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # An expected failure is reported as skipped, but it did run.
        if (
            report.skipped
            and not hasattr(report, "wasxfail")
            and not MAY_SKIP & set(report.keywords)
        ):
            self.skipped.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.append(report.nodeid)
            report.outcome = "failed"  # where several processes test, they tell of nothing less

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for test in self.skipped:
            terminalreporter.write_line(f"SKIPPED, but must run: {test}", red=True)
