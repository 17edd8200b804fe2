"""Windows and macOS, as far as they can be tested here.

mypy knows which names of the standard library a system lacks. The rest is simulated: the code
checks `sys.platform`, and a test can change it.
"""

from __future__ import annotations

import io
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from brassmill.arena import workers
from brassmill.bots.spec import words_of
from brassmill.cli import shell
from brassmill.cli.main import main, write_utf8
from support.paths import ROOT


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.slow
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_no_system_specific_names_are_used(system: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--platform", system, "--cache-dir", str(tmp_path)]
    done = subprocess.run([*command, "src"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("windows")
def test_several_processes_are_refused_on_windows() -> None:
    done = CliRunner().invoke(main, ["serve", "--processes", "2"])
    assert done.exit_code == 1
    assert done.output == (
        "Error: Windows cannot share a port between processes: leave out --processes\n"
    )


@pytest.mark.usefixtures("windows")
def test_a_command_on_windows_keeps_its_backslashes() -> None:
    assert words_of(r'python C:\bots\mine.py "two words"') == [
        "python",
        r"C:\bots\mine.py",
        "two words",
    ]


@pytest.mark.usefixtures("windows")
def test_commands_are_quoted_for_the_windows_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    assert shell.brass("show", "my game.brass") == 'brass show "my game.brass"'


@pytest.mark.usefixtures("windows")
def test_workers_start_without_signal_blocking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask")
    with workers.ignoring_interrupts():
        pass


def test_pipes_are_utf8_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", pipe)
    write_utf8()
    pipe.write("■ Łódź")
    pipe.flush()
    assert pipe.buffer.getvalue() == "■ Łódź".encode()
