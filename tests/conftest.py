"""What all tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Property tests assert, benchmarks measure: no test fails on a time.
settings.register_profile(
    "brassmill", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("brassmill")

os.environ["LANGUAGE"] = "en"  # tests read English, whatever the machine speaks

MAY_SKIP = {"gpu", "torch"}  # markers of tests that need what not every machine has


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a player whose shell finds `brass`, and who does not wait long for a hint."""
    from homes import make_home  # it loads the rules, which some tests must not have loaded

    folder = make_home(tmp_path / "home")
    monkeypatch.setattr("brassmill.cli.player.HINT", 0.01)
    monkeypatch.setenv("BRASSMILL_HOME", str(folder))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="fail if a test was skipped that does not need a GPU or PyTorch",
    )


def pytest_configure(config: pytest.Config) -> None:
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

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for test in self.skipped:
            terminalreporter.write_line(f"SKIPPED, but must run: {test}", red=True)
