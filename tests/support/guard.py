"""A run that passes has run every test: a pytest plugin, which `conftest.py` loads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

MAY_SKIP = {"gpu", "torch"}  # markers of tests that need special hardware or packages


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="fail if a test was skipped that does not need a GPU or PyTorch",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # workers report to the main process
        config.pluginmanager.register(EveryTestReports(), "every-test-reports")
    if config.getoption("--no-skips"):
        config.pluginmanager.register(NoSkips(), "no-skips")


class EveryTestReports:
    """Fails the run if two tests share an id, or if a collected test reports nothing.

    pytest-xdist distributes tests by id: of several with the same id it silently runs one.
    """

    def __init__(self) -> None:
        self.collected: set[str] = set()
        self.reported: set[str] = set()
        self.silent: list[str] = []

    def collect(self, ids: Iterable[str]) -> None:
        """Remember the tests of this process or of a worker."""
        counts = Counter(ids)
        shared = [f"{count} tests are called {name}" for name, count in counts.items() if count > 1]
        if shared:
            raise pytest.UsageError("\n".join(["Every test needs an id of its own:", *shared]))
        self.collected |= counts.keys()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.collect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self.collect(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reported.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        # A failed run may have stopped early.
        if session.exitstatus == pytest.ExitCode.OK and not session.config.option.collectonly:
            self.silent = sorted(self.collected - self.reported)
            if self.silent:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.silent:
            count = f"{len(self.reported)} of {len(self.collected)} tests reported"
            terminalreporter.write_line(count, red=True)
        for test in self.silent:
            terminalreporter.write_line(f"DID NOT REPORT: {test}", red=True)


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
            report.outcome = "failed"  # with several processes, only the outcome is passed on

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for test in self.skipped:
            terminalreporter.write_line(f"SKIPPED, but must run: {test}", red=True)
