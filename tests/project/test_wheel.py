"""The wheel is complete: installed alone, it serves the table from an empty folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

from support.homes import make_home
from support.paths import ROOT
from support.serving import address_of

pytestmark = pytest.mark.slow

BUILT = ("dist-info", ".mo")  # in the wheel but not in the repository
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
QUIETLY = ("--quiet", "--no-deps", "--no-index")  # without network
ANSWER = 60  # seconds, enough for a machine under load


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the tools installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [*PIP, "wheel", *QUIETLY, "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
    )
    (built,) = folder.glob("brassmill-*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with the wheel; its dependencies come from this environment."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    subprocess.run(
        [*PIP, "--python", str(folder / "bin" / "python"), "install", *QUIETLY, str(wheel)],
        env=variables(),
        check=True,
    )
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    # As a plain path, not as a site folder: a .pth file there would also install this package.
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder


def run_python(environment: Path, *words: str) -> str:
    """Run Python in that environment, in an empty folder, and return its output."""
    run = subprocess.run(
        [environment / "bin" / "python", *words],
        cwd=environment,
        env=variables(),
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def variables(**more: str) -> dict[str, str]:
    """Return the environment variables of a user with nothing else installed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**kept, "LANGUAGE": "en", **more}


@contextmanager
def serving(environment: Path, home: Path, folder: Path) -> Iterator[str]:
    """Run `brass serve` from the wheel and yield its address."""
    server = subprocess.Popen(
        [environment / "bin" / "brass", "serve", "--no-browser"],
        cwd=folder,
        env=variables(BRASSMILL_HOME=str(home)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield address_of(server)
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=ANSWER)
        assert server.returncode == 0
    finally:
        server.kill()
        server.wait()


def fetch(address: str, language: str = "en") -> str:
    with urlopen(Request(address, headers={"Accept-Language": language}), timeout=ANSWER) as answer:
        assert answer.status == 200
        text: str = answer.read().decode()
        return text


def test_the_wheel_has_all_files_of_the_package(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if not any(end in name for end in BUILT)}
        catalogues = [name for name in archive.namelist() if name.endswith(".mo")]
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/brassmill"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if tracked.returncode == 0:  # a copy without git history has nothing to compare
        assert packed == {name.removeprefix("src/") for name in tracked.stdout.split()}
    assert {"brassmill/web/templates/base.html", "brassmill/web/static/web/base.css"} <= packed
    assert {"brassmill/reports/page.html", "brassmill/reports/page.css"} <= packed
    assert "brassmill/web/migrations/0001_initial.py" in packed
    assert sorted(catalogues) == [
        f"brassmill/locale/{code}/LC_MESSAGES/brassmill.mo" for code in ("de", "fr")
    ]


def test_the_wheel_serves_the_site(environment: Path, tmp_path: Path) -> None:
    where = run_python(environment, "-c", "import brassmill; print(brassmill.__file__)")
    assert Path(where).is_relative_to(environment)
    home, folder = make_home(tmp_path / "home"), tmp_path / "empty"
    folder.mkdir()
    with serving(environment, home, folder) as site:
        page = fetch(f"{site}/")
        assert "Birmingham" in page and "Lancashire" in page
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        assert any("base.css" in name for name in files) and any("htmx" in name for name in files)
        for name in files:
            assert fetch(site + name)
        assert "--paper:" in fetch(f"{site}/style/brass.css")
        german = fetch(f"{site}/new/lancashire/", "de")
        assert '<html lang="de"' in german and "Spiel beginnen" in german
    assert (home / "table.sqlite3").exists()
    assert not list(folder.iterdir())
