"""Fixtures and settings shared by all tests."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from brassmill.web.models import Table
    from support.friends import Guest

pytest_plugins = ["support.guard"]

# Property tests check behaviour, benchmarks measure time: no test fails for being slow.
settings.register_profile(
    "brassmill", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("brassmill")

os.environ["LANGUAGE"] = "en"  # tests read English, whatever the system language
os.environ.pop("COLUMNS", None)  # the width of the terminal must not matter

# Jobs in the background of a shell ignore Ctrl-C, and so would every process they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST = (  # files with few tests that take minutes, starting with those that wait for the compiler
    *("rules/test_bounds.py", "rules/test_uncompiled.py", "web/test_crawl.py", "web/test_soak.py"),
    *("web/test_faults.py", "web/server/test_several_processes.py", "project/test_wheel.py"),
    "stories/",  # together, because they share a server
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a player's home folder; `brass` is on the PATH and hints are quick."""
    from support.homes import make_home  # loads the rules, which some tests must not do

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


@pytest.hookimpl(optionalhook=True)  # the tests run without pytest-xdist, too
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a browser, a server or a clock."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow files first, then files with many tests, so that all workers finish together."""
    tests = Counter(item.path for item in items)

    def place(item: pytest.Item) -> tuple[int, int]:
        name = item.path.relative_to(Path(__file__).parent).as_posix()
        found = [number for number, first in enumerate(FIRST) if name.startswith(first)]
        return (found[0], 0) if found else (len(FIRST), -tests[item.path])

    items.sort(key=place)


@pytest.fixture(scope="session")
def site() -> None:
    """Set up the site, with a database and compiled rules."""
    from django.conf import settings as django_settings

    from support.homes import make_home
    from support.web import make_database

    make_home(django_settings.HOME)  # before anything runs there
    make_database()


@pytest.fixture
def patience() -> None:
    """Reset all rate limits."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture
def host() -> Guest:
    """Return the guest who sets up tables."""
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
    """Return a running game of two friends."""
    from support.friends import at_table

    return at_table(host, ben)


def set_up_site(home: str) -> None:
    """Configure Django before anything of the site is imported."""
    import django
    from django.conf import settings as django_settings

    os.environ["DJANGO_SETTINGS_MODULE"] = "brassmill.web.settings"
    # Ignore the user's own database; tests on PostgreSQL name theirs.
    url = os.environ.pop("DATABASE_URL", "") if "BRASSMILL_TESTS" in os.environ else ""
    with mock.patch.dict(os.environ, BRASSMILL_HOME=home, DATABASE_URL=url):
        django.setup()
    django_settings.ALLOWED_HOSTS += ["testserver"]  # the host name of Django's test client
    hasher = "django.contrib.auth.hashers.MD5PasswordHasher"  # the default ones are slow on purpose
    django_settings.PASSWORD_HASHERS = [hasher]
    # Each client of Django's has middleware of its own, which would read all static files again.
    django_settings.WHITENOISE_AUTOREFRESH = True


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="brassmill-site-")
    config.add_cleanup(folder.cleanup)
    set_up_site(folder.name)
