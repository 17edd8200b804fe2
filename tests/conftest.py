"""What all tests share."""

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

# Property tests assert, benchmarks measure: no test fails on a time.
settings.register_profile(
    "brassmill", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("brassmill")

os.environ["LANGUAGE"] = "en"  # tests read English, whatever the machine speaks
os.environ.pop("COLUMNS", None)  # nor is a terminal as wide as the one that tests are started in

# In the background of a shell Ctrl-C is ignored, and by all that is started there too.
signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST = (  # what takes minutes with few tests, those first that wait for the compiler
    *("rules/test_bounds.py", "rules/test_uncompiled.py", "web/test_crawl.py", "web/test_soak.py"),
    *("web/server/test_several_processes.py", "project/test_wheel.py"),
    "stories/",  # together, because they share a server
)


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


@pytest.hookimpl(optionalhook=True)  # the tests run without pytest-xdist, too
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a browser, a server or a clock."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, then files with many tests: no worker waits for another."""
    tests = Counter(item.path for item in items)

    def place(item: pytest.Item) -> tuple[int, int]:
        name = item.path.relative_to(Path(__file__).parent).as_posix()
        found = [number for number, first in enumerate(FIRST) if name.startswith(first)]
        return (found[0], 0) if found else (len(FIRST), -tests[item.path])

    items.sort(key=place)


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
