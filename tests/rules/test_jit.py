"""The decorators of compiled rules and their cache, tested on tiny modules to be quick."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest
from filelock import FileLock

from brassmill.rules import jit, warmup
from brassmill.rules.layout import STATE, blank
from support.tiers import quick_first

TINY = """
from brassmill.rules.jit import entry, rule

@rule
def one_more(number):
    return number + 1

@entry
def twice(number):
    return 2 * one_more(number)

@entry
def four_times(number):
    return 2 * twice(number)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache for this test."""
    monkeypatch.setenv("BRASSMILL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(jit, "ENTRIES", [])
    monkeypatch.setitem(sys.modules, "tiny", ModuleType("tiny"))
    return tmp_path / "home"


def load(folder: Path, source: str = TINY) -> ModuleType:
    """Import the module as a new process would: nothing is compiled yet."""
    file = folder / "tiny.py"
    file.write_text(source)
    module = sys.modules["tiny"] = ModuleType("tiny")
    exec(compile(source, str(file), "exec"), module.__dict__)
    return module


def compiled_files(home: Path) -> list[Path]:
    return sorted(home.glob("cache/compiled-*/tiny.*"))


def hits(function: object) -> int:
    return sum(function.stats.cache_hits.values())  # type: ignore[attr-defined]


def test_entries_are_compiled_once_and_then_loaded(home: Path, tmp_path: Path) -> None:
    first = load(tmp_path)
    assert first.four_times(3) == 16
    assert hits(first.four_times) == 0
    assert [file.name.split("-")[0] for file in compiled_files(home)] == [
        "tiny.four_times",
        "tiny.twice",  # compiled as a dependency, and cached too
    ]
    second = load(tmp_path)
    assert second.four_times(3) == 16
    assert hits(second.four_times) == 1
    assert second.one_more.signatures == []  # nothing was compiled


def test_only_compiled_functions_can_call_a_rule(home: Path, tmp_path: Path) -> None:
    tiny = load(tmp_path)
    assert tiny.twice(1) == 4
    with pytest.raises(TypeError, match="one_more is a rule"):
        tiny.one_more(1)


def test_other_compiled_functions_can_call_rules_that_call_rules(
    home: Path, tmp_path: Path
) -> None:
    """A bot of another package, for example."""
    more = "@rule\ndef two_more(number):\n    return one_more(one_more(number))\n"
    two_more = load(tmp_path, TINY + more).two_more

    @numba.njit  # type: ignore[untyped-decorator]
    def three_more(number: int) -> int:
        return int(1 + two_more(number))

    assert three_more(4) == 7


def test_rules_are_not_cached(home: Path, tmp_path: Path) -> None:
    load(tmp_path).four_times(1)
    assert not [file for file in compiled_files(home) if "one_more" in file.name]


WIDTHS = """
@entry
def sum_of(byte, word, number):
    return one_more(byte) + one_more(word) + one_more(number) + one_more(5)
"""


def test_a_rule_is_compiled_once_for_all_integer_widths(home: Path, tmp_path: Path) -> None:
    tiny = load(tmp_path, TINY + WIDTHS)
    assert tiny.sum_of(np.int8(127), np.int32(2**31 - 1), 2**62) == 128 + 2**31 + 2**62 + 1 + 6
    assert [str(args) for args in tiny.one_more.overloads] == ["(int64,)"]


def test_entries_are_registered_in_order(home: Path, tmp_path: Path) -> None:
    tiny = load(tmp_path)
    assert jit.ENTRIES == [tiny.twice, tiny.four_times]


def test_a_changed_source_is_compiled_again(home: Path, tmp_path: Path) -> None:
    assert load(tmp_path).four_times(3) == 16
    changed = load(tmp_path, TINY.replace("number + 1", "number + 2"))
    assert changed.four_times(3) == 20
    assert hits(changed.four_times) == 0


def test_each_argument_type_has_its_own_file(home: Path, tmp_path: Path) -> None:
    tiny = load(tmp_path)
    assert (tiny.twice(1), tiny.twice(1.5)) == (4, 5.0)
    again = load(tmp_path)
    assert (again.twice(1), again.twice(1.5)) == (4, 5.0)
    assert hits(again.twice) == 2


def test_a_closure_is_never_cached(home: Path, tmp_path: Path) -> None:
    source = """
from brassmill.rules.jit import entry

def adder(amount):
    @entry
    def add(number):
        return number + amount
    return add
"""
    tiny = load(tmp_path, source)
    assert (tiny.adder(1)(10), tiny.adder(2)(10)) == (11, 12)
    assert compiled_files(home) == []


def test_a_function_without_a_source_file_works(home: Path) -> None:
    names: dict[str, object] = {"__name__": "tiny"}
    exec(TINY, names)
    assert names["four_times"](3) == 16  # type: ignore[operator]
    assert compiled_files(home) == []


def test_the_users_numba_cache_is_left_alone(home: Path, tmp_path: Path) -> None:
    before = numba.config.CACHE_DIR
    load(tmp_path).twice(1)
    assert numba.config.CACHE_DIR == before


# --- the digest ----------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Make a copy of the package to change."""
    return Path(
        shutil.copytree(
            jit.PACKAGE, tmp_path / "brassmill", ignore=shutil.ignore_patterns("__pycache__")
        )
    )


@pytest.mark.parametrize("name", ["rules/layout.py", "rules/reasons.py", "rules/jit.py"])
def test_the_digest_changes_with_a_rule(package: Path, name: str) -> None:
    before = jit.digest_of(package)
    with (package / name).open("a") as file:
        file.write("\n")
    assert jit.digest_of(package) != before


def test_the_digest_changes_with_new_and_renamed_rules(package: Path) -> None:
    seen = {jit.digest_of(package)}
    (package / "rules" / "tax.py").write_text("RATE = 1\n")
    seen.add(jit.digest_of(package))
    (package / "rules" / "tax.py").rename(package / "rules" / "toll.py")
    seen.add(jit.digest_of(package))
    assert len(seen) == 3


def test_the_digest_covers_compiled_functions_elsewhere_and_nothing_else(package: Path) -> None:
    before = jit.digest_of(package)
    (package / "words.py").write_text("HELLO = 'hello'\n")
    assert jit.digest_of(package) == before
    (package / "fast.py").write_text("from brassmill.rules.jit import entry\n")
    assert jit.digest_of(package) != before


@pytest.mark.parametrize(
    ("setting", "value"), [("BOUNDSCHECK", 1), ("OPT", 0), ("CPU_NAME", "generic")]
)
def test_the_digest_changes_with_the_numba_settings(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: object
) -> None:
    before = jit.digest_of()
    monkeypatch.setattr(numba.config, setting, value)
    assert jit.digest_of() != before


@pytest.mark.parametrize("package_name", ["numba", "llvmlite", "numpy"])
def test_the_digest_changes_with_versions(
    monkeypatch: pytest.MonkeyPatch, package_name: str
) -> None:
    before = jit.digest_of()
    monkeypatch.setattr(sys.modules[package_name], "__version__", "0.0.0")
    assert jit.digest_of() != before


def test_the_folder_is_the_user_cache_unless_home_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRASSMILL_HOME", raising=False)
    monkeypatch.setattr(jit, "user_cache_path", lambda name, appauthor: tmp_path / name)
    assert jit.cache_root() == tmp_path / "brassmill"
    monkeypatch.setenv("BRASSMILL_HOME", str(tmp_path / "home"))
    assert jit.cache_root() == tmp_path / "home" / "cache"


# --- failures ------------------------------------------------------------------------------------


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    """Flip one bit of the machine code: it would load, and then do anything."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def emptied(data: bytes) -> bytes:
    return b""


def from_another_world(data: bytes) -> bytes:
    """Write a complete file that cannot be loaded."""
    return hashlib.sha256(b"no pickle").digest() + b"no pickle"


@pytest.mark.parametrize("damage", quick_first([truncated, flipped, emptied, from_another_world]))
def test_a_damaged_cache_is_repaired(
    home: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: object
) -> None:
    load(tmp_path).four_times(3)
    before = compiled_files(home)
    for file in before:
        file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    with caplog.at_level(logging.WARNING, "brassmill"):
        healed = load(tmp_path)
        assert healed.four_times(3) == 16
    assert hits(healed.four_times) == 0
    assert len(caplog.records) == 1
    assert "damaged" in caplog.text
    assert str(before[0].parent) in caplog.text
    again = load(tmp_path)
    assert again.four_times(3) == 16
    assert hits(again.four_times) == 1


def test_a_damaged_cache_is_compiled_under_the_lock(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise two processes would both compile, and one would delete the other's work."""
    load(tmp_path).four_times(3)
    for file in compiled_files(home):
        file.write_bytes(file.read_bytes() + b"!")
    taken = []
    acquire = jit.Folder.acquire

    def count(folder: jit.Folder) -> bool:
        taken.append(folder)
        return acquire(folder)

    monkeypatch.setattr(jit.Folder, "acquire", count)
    load(tmp_path).four_times(3)
    assert taken


def test_a_lost_cache_is_compiled_again(home: Path, tmp_path: Path) -> None:
    load(tmp_path).four_times(3)
    shutil.rmtree(home)
    assert load(tmp_path).four_times(3) == 16
    assert len(compiled_files(home)) == 2


def test_without_a_writable_folder_nothing_is_cached(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder can be below a file")
    monkeypatch.setenv("BRASSMILL_HOME", str(tmp_path / "file" / "home"))
    with caplog.at_level(logging.WARNING, "brassmill"):
        tiny = load(tmp_path)
        assert tiny.four_times(3) == 16
        assert tiny.twice(1.5) == 5.0
    assert len(caplog.records) == 1  # once, not for every function
    assert "cannot be kept" in caplog.text
    assert (tmp_path / "file").is_file()


# --- several processes ---------------------------------------------------------------------------

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from brassmill.rules import jit
jit.digest = lambda: {digest!r}  # the same, even if somebody edits the rules while tests run
import tiny
print("ready", flush=True)
assert tiny.four_times(3) == 16
print(sum(tiny.four_times.stats.cache_hits.values()), flush=True)
"""


@pytest.mark.slow
def test_a_second_process_waits_and_then_loads(home: Path, tmp_path: Path) -> None:
    first = load(tmp_path)
    folder = jit.cache_folder()
    with folder.locked():
        second = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(folder=str(tmp_path), digest=jit.digest())],
            env={**os.environ, "PYTHONPATH": str(jit.PACKAGE.parent)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert second.stdout is not None and second.stderr is not None
        assert second.stdout.readline() == "ready\n"
        assert "waiting" in second.stderr.readline()
        assert second.poll() is None
        assert first.four_times(3) == 16  # compiles, with the lock already held
    rest, errors = second.communicate(timeout=60)
    assert second.returncode == 0, errors
    assert rest == "1\n"


def test_a_warm_process_does_not_wait(home: Path, tmp_path: Path) -> None:
    load(tmp_path).four_times(3)
    with FileLock(jit.lock_of(jit.cache_folder().path)):
        assert load(tmp_path).four_times(3) == 16


def test_the_lock_is_free_after_a_failed_compilation(home: Path, tmp_path: Path) -> None:
    source = TINY.replace("number + 1", "number.no_such_attribute")
    with pytest.raises(numba.TypingError):
        load(tmp_path, source).four_times(3)
    with FileLock(jit.lock_of(jit.cache_folder().path), timeout=0):
        pass


# --- old folders ---------------------------------------------------------------------------------


@pytest.fixture
def old(home: Path) -> list[Path]:
    """Return folders of other digests, oldest first."""
    folders = []
    for age in range(6, 0, -1):
        folder = home / "cache" / f"compiled-{age:016d}"
        folder.mkdir(parents=True)
        (folder / "turn.play-0").write_bytes(b"old")
        jit.lock_of(folder).touch()
        used = time.time() - age * 1000
        os.utime(folder, (used, used))
        folders.append(folder)
    return folders


def test_folders_of_old_digests_are_removed(home: Path, tmp_path: Path, old: list[Path]) -> None:
    (home / "cache" / "something else").mkdir()
    load(tmp_path).twice(1)
    others = jit.FOLDERS_KEPT - 1
    assert [folder.exists() for folder in old] == [False] * (6 - others) + [True] * others
    assert not jit.lock_of(old[0]).exists()
    assert (home / "cache" / "something else").is_dir()
    assert len(compiled_files(home)) == 1


def test_a_folder_in_use_by_a_compiler_is_kept(home: Path, tmp_path: Path, old: list[Path]) -> None:
    with FileLock(jit.lock_of(old[0])):
        load(tmp_path).twice(1)
    assert old[0].exists()
    assert not old[1].exists()


def test_using_a_folder_makes_it_recent(home: Path, tmp_path: Path) -> None:
    load(tmp_path).twice(1)
    folder = jit.cache_folder().path
    os.utime(folder, (1, 1))
    jit.folder_at.cache_clear()  # as in a new process
    load(tmp_path).twice(1)
    assert folder.stat().st_mtime > 1


# --- the warm-up ---------------------------------------------------------------------------------

ENTRIES = """
from brassmill.rules.jit import entry, rule

@rule
def twice(number):
    return 2 * number

@entry
def debt_of(state):
    return twice(state.owed) + twice(int(state.cash[0])) + twice(0)

@entry
def debt_after(states, number):
    states[0].owed += number
    return debt_of(states[0])
"""


@pytest.fixture
def tiny_entries(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], ModuleType]:
    """Warm up the tiny module instead of the rules; call it to simulate a new process."""
    monkeypatch.setattr(warmup, "MODULES", ("tiny",))

    def new_process() -> ModuleType:
        jit.ENTRIES.clear()
        return load(tmp_path, ENTRIES)

    return new_process


def test_the_warm_up_compiles_every_entry_and_reports_it(
    tiny_entries: Callable[[], ModuleType],
) -> None:
    tiny = tiny_entries()
    told: list[tuple[float, str]] = []
    assert not warmup.is_cached()
    warmup.warm_up(lambda share, module: told.append((share, module)))
    # An entry is also linked with everything it calls, which takes time.
    twice, debt_of, debt_after = map(warmup.size_of, (tiny.twice, tiny.debt_of, tiny.debt_after))
    assert twice < debt_of
    total = twice + debt_of + debt_after
    steps = [0, twice / total, (twice + debt_of) / total, 1]
    assert sorted({share for share, _module in told}) == pytest.approx(steps)
    assert [share for share, _module in told] == sorted(share for share, _module in told)
    assert {module for _share, module in told} == {"tiny"}
    assert warmup.is_cached()
    assert len(tiny.debt_of.signatures) == len(tiny.debt_after.signatures) == 1


def test_the_warm_up_refuses_an_unknown_argument(
    tiny_entries: Callable[[], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "NUMBERS", warmup.NUMBERS - {"number"})
    warmup.type_of.cache_clear()
    tiny_entries()
    with pytest.raises(TypeError, match="arguments called 'number'"):
        warmup.warm_up()


def test_cached_entries_are_not_counted(tiny_entries: Callable[[], ModuleType]) -> None:
    tiny_entries().debt_of(blank(STATE)[0])
    tiny_entries()
    told: list[float] = []
    warmup.warm_up(lambda share, module: told.append(share))
    assert (told[0], told[-1]) == (0, 1)


def test_a_warm_start_loads_everything(tiny_entries: Callable[[], ModuleType]) -> None:
    tiny_entries()
    warmup.warm_up()
    tiny = tiny_entries()
    assert warmup.is_cached()
    warmup.warm_up()
    assert hits(tiny.debt_of) == hits(tiny.debt_after) == 1


def test_calls_compile_nothing_beyond_the_warm_up(tiny_entries: Callable[[], ModuleType]) -> None:
    tiny = tiny_entries()
    warmup.warm_up()
    assert tiny.debt_of(blank(STATE)[0]) == 0
    assert tiny.debt_after(np.zeros(1, STATE), 3) == 6
    assert len(tiny.debt_of.signatures) == len(tiny.debt_after.signatures) == 1


def test_entries_of_other_modules_are_left_alone(tiny_entries: Callable[[], ModuleType]) -> None:
    tiny_entries()
    other = ModuleType("other")
    exec(TINY, other.__dict__)
    warmup.warm_up()
    assert other.twice in jit.ENTRIES
    assert other.twice.signatures == []


UNCOMPILED = """
import sys
sys.path.insert(0, {folder!r})
import tiny
from brassmill.rules import warmup
warmup.MODULES = ("tiny",)
assert warmup.is_cached()
warmup.warm_up(lambda share, module: print(share, module))
print(type(tiny.four_times).__name__, tiny.four_times(3))
"""


def test_uncompiled_rules_are_plain_functions(home: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(TINY)
    done = subprocess.run(
        [sys.executable, "-c", UNCOMPILED.format(folder=str(tmp_path))],
        env={**os.environ, "PYTHONPATH": str(jit.PACKAGE.parent), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "function 16\n"
    assert not home.exists()


A_GAME = """
from brassmill import Game
from brassmill.rules.jit import ENTRIES
from brassmill.rules.warmup import warm_up

warm_up()
warm = {function: function.signatures for function in ENTRIES}
game = Game("lancashire", players=3, seed=1)
for _ in range(30):
    choices = game.legal_choices()
    game.why_not("loan 30"), game.score_now(), game.view(0)
    game.play(choices[len(choices) // 2])
game.bill("pass")
game.undo()
print([f.__name__ for f in ENTRIES if f.signatures != warm.get(f, [])])
"""


@pytest.mark.slow
def test_a_game_compiles_nothing_beyond_the_warm_up() -> None:
    done = subprocess.run(
        [sys.executable, "-c", A_GAME],
        env={**os.environ, "PYTHONPATH": str(jit.PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
