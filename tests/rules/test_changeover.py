"""Rules that start as plain Python and change over to compiled ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from brassmill.rules import background, helper, jit, warmup
from brassmill.rules.layout import STATE
from support.across import digest_of
from support.paths import TESTS

TINY = """
from brassmill.rules.jit import entry, rule

@rule
def twice(number):
    return 2 * number

@entry
def debt_after(states, number):
    states[0].owed += number
    return twice(states[0].owed)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache for this test, and a tiny module instead of the rules."""
    monkeypatch.setenv("BRASSMILL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(jit, "ENTRIES", [])
    monkeypatch.setattr(warmup, "MODULES", ("tiny",))
    monkeypatch.setitem(sys.modules, "tiny", ModuleType("tiny"))
    return tmp_path / "home"


def load(folder: Path, monkeypatch: pytest.MonkeyPatch, starts_plain: bool) -> Any:
    """Import the tiny module as a new process would."""
    jit.ENTRIES.clear()
    monkeypatch.setattr(jit, "_starts_plain", starts_plain)
    file = folder / "tiny.py"
    file.write_text(TINY)
    module = sys.modules["tiny"] = ModuleType("tiny")
    exec(compile(TINY, str(file), "exec"), module.__dict__)
    return module


def debts(tiny: Any) -> list[int]:
    """Add to a debt, twice."""
    states = np.zeros(1, STATE)
    return [tiny.debt_after(states, 3), tiny.debt_after(states, 4)]


def test_an_entry_is_plain_python_until_it_is_loaded(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = load(tmp_path, monkeypatch, starts_plain=True)
    assert debts(tiny) == [6, 14]
    assert not warmup.is_compiled() and not warmup.is_cached() and not home.exists()
    with pytest.raises(LookupError, match="debt_after has not been compiled"):
        tiny.debt_after.compile(warmup.argument_types(tiny.debt_after))
    load(tmp_path, monkeypatch, starts_plain=False)
    warmup.warm_up()  # as the helper does
    tiny = load(tmp_path, monkeypatch, starts_plain=True)
    assert warmup.is_cached() and not warmup.is_compiled()
    warmup.warm_up()
    assert warmup.is_compiled()
    assert debts(tiny) == [6, 14]


def test_only_a_search_waits_for_compiled_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[Any] = []
    monkeypatch.setattr(jit, "_starts_plain", True)
    monkeypatch.setattr(warmup, "is_cached", lambda _more: False)
    monkeypatch.setattr(warmup, "warm_up", lambda more: waited.append(more))
    ready = warmup.ready.__wrapped__  # it remembers what is ready
    for more in ((), warmup.THINKING, warmup.NETWORKS, warmup.SEARCH):
        ready(more)
    assert waited == [warmup.SEARCH]


def test_imported_rules_stay_compiled() -> None:
    jit.start_plain()
    assert not jit.starts_plain()


# --- the helper ----------------------------------------------------------------------------------

KILLED_ONCE = """
import os, signal, sys
from pathlib import Path
from types import ModuleType
from typing import Any
print("0.250 brassmill.core.engine", flush=True)
if not Path({mark!r}).exists():
    Path({mark!r}).touch()
    os.kill(os.getpid(), signal.SIGKILL)
print("a warning")
print("1.000", sys.argv[1])
"""


def let_help(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(helper, "COMMAND", (sys.executable, "-c", program))


def test_a_killed_helper_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    let_help(monkeypatch, KILLED_ONCE.format(mark=str(tmp_path / "killed")))
    told: list[tuple[float, str]] = []
    helper.compile_elsewhere(lambda share, module: told.append((share, module)), ("more",))
    first = (0.25, "brassmill.core.engine")
    assert told == [first, first, (1.0, "more")]


def test_a_helper_that_keeps_failing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    let_help(monkeypatch, "raise SystemExit('no room on the disk')")
    now = background.Compilation(())
    monkeypatch.setattr(background, "warm_up", helper.compile_elsewhere)
    now.start()
    assert now.done.wait(60)
    assert str(now.fault) == "no room on the disk"


def test_the_helper_ends_with_the_process_that_started_it() -> None:
    started = subprocess.Popen(helper.COMMAND, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert started.stdin is not None
    started.stdin.close()
    assert started.wait(60) in (0, 1)


def test_without_a_writable_cache_a_temporary_one_is_used(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with jit.writable_cache():
        assert jit.cache_root() == home / "cache"
    (tmp_path / "file").touch()
    monkeypatch.setenv("BRASSMILL_HOME", str(tmp_path / "file"))
    with jit.writable_cache():
        used = jit.cache_root()
        assert used.is_dir() and os.environ[jit.CACHE] == str(used)
    assert "cannot be kept" in caplog.text
    assert not used.exists() and jit.CACHE not in os.environ


# --- games ---------------------------------------------------------------------------------------

ACROSS = """
import sys
from brassmill.rules import jit
jit.start_plain()
sys.path.insert(0, {tests!r})
from brassmill.rules.warmup import THINKING, is_compiled, warm_up
from support.across import digest_of

def change_over():
    assert not is_compiled(THINKING)
    warm_up(more=THINKING)
    assert is_compiled(THINKING)

print(digest_of({name!r}, {players}, {at}, change_over))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "at"),
    [
        ("birmingham", 3, 31),
        pytest.param("lancashire", 2, 8, marks=pytest.mark.slow),
        pytest.param("classic", 4, 55, marks=pytest.mark.slow),
    ],
)
def test_a_game_across_the_changeover_has_the_same_bytes(name: str, players: int, at: int) -> None:
    program = ACROSS.format(tests=str(TESTS), name=name, players=players, at=at)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(jit.PACKAGE.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest_of(name, players, at, lambda: None)
