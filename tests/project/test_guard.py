"""A test run that passes has run every test (`support/guard.py`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import TESTS


def test_the_projects_tests_are_guarded(request: pytest.FixtureRequest) -> None:
    assert request.config.pluginmanager.has_plugin("support.guard")
    if not hasattr(request.config, "workerinput"):  # with workers, the guard is in the main process
        assert request.config.pluginmanager.has_plugin("every-test-reports")


SKIPPING = """
import pytest

@pytest.mark.skip
@pytest.mark.gpu
def test_on_a_gpu(): pass

@pytest.mark.xfail
def test_that_fails(): assert False
"""


@pytest.mark.parametrize(
    ("more", "exit_code"),
    [
        ("", 0),
        ("@pytest.mark.skip\ndef test_too_lazy(): pass", 1),
        ("pytest.importorskip('no_such_package')", 2),
    ],
)
def test_ci_allows_skips_for_hardware_only(tmp_path: Path, more: str, exit_code: int) -> None:
    (tmp_path / "test_some.py").write_text(SKIPPING)
    (tmp_path / "test_more.py").write_text(f"import pytest\ndef test_one(): pass\n{more}")
    done = run_pytest(tmp_path, "--no-skips")
    assert done.returncode == exit_code, done.stdout
    assert ("must run" in done.stdout) == bool(exit_code)


THREE_TESTS = """
def test_one(): pass
def test_two(): pass
def test_three(): pass
"""
TWICE = """
def pytest_collection_modifyitems(items): items += items[:2]
"""
LOST = """
def pytest_runtest_protocol(item):
    if item.name == "test_two":
        return True  # it is done, and nobody hears how it went
"""
XDIST = "-p xdist.plugin -n 2 --dist"
DISTRIBUTED = ["", f"{XDIST} loadfile", f"{XDIST} worksteal"]


@pytest.mark.parametrize("options", DISTRIBUTED)
@pytest.mark.parametrize(
    ("plugin", "exit_code", "messages"),
    [
        ("", 0, []),
        (TWICE, 4, ["2 tests are called test_three_tests.py::test_one\n", "::test_two\n"]),
        (LOST, 1, ["2 of 3 tests reported", "DID NOT REPORT: test_three_tests.py::test_two\n"]),
    ],
    ids=["all run", "ids twice", "one is lost"],
)
def test_a_run_fails_unless_every_test_reports(
    tmp_path: Path, options: str, plugin: str, exit_code: int, messages: list[str]
) -> None:
    (tmp_path / "test_three_tests.py").write_text(THREE_TESTS)
    (tmp_path / "plugin.py").write_text(plugin)
    done = run_pytest(tmp_path, "-p", "plugin", *options.split())
    assert done.returncode == exit_code, done.stdout + done.stderr
    for message in messages:
        assert message in done.stdout + done.stderr


@pytest.mark.parametrize("option", ["--collect-only", "--exitfirst"])
def test_a_run_stopped_early_on_purpose_lists_no_tests(tmp_path: Path, option: str) -> None:
    (tmp_path / "test_three_tests.py").write_text(f"{THREE_TESTS}def test_four(): assert False")
    (tmp_path / "test_zero.py").write_text(THREE_TESTS)
    done = run_pytest(tmp_path, option)
    assert done.returncode == (option == "--exitfirst"), done.stdout
    assert "DID NOT REPORT" not in done.stdout


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder under the guard, without other plugins."""
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    gpu\n")
    plugins = ["-p", "support.guard", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, *options, str(folder)],
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # as with nothing but pytest installed
            "PYTHONPATH": os.pathsep.join([str(folder), str(TESTS)]),
        },
        capture_output=True,
        text=True,
    )
