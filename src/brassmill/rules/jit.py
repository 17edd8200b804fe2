"""The decorators that compile the rules, and the cache of compiled functions.

`rule` compiles a function when another compiled function first calls it. `entry` marks the few
functions that Python calls: these are cached on disk, together with everything they call.

A program that must not wait for the compiler calls `start_plain` before it imports the rules. They
are then plain Python at first, and each entry changes over when its compiled version is loaded.
Both do the same to the same bytes, so that can happen between any two calls.

A cached function does not notice that a function it calls has changed. So the folder of the cache
is named by a digest of every source that can matter and of everything the machine code depends on;
an old folder is never read, only removed. If the cache is lost, damaged or not writable, the rules
are compiled again, and the log says so.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import shutil
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, update_wrapper, wraps
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import llvmlite
import numba
import numpy
from filelock import FileLock, Timeout
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import config, int64, njit, types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array
from platformdirs import user_cache_path

from brassmill.rules.linking import EntryCompiler, RuleCompiler

Function = Callable[..., Any]

PACKAGE = Path(__file__).parents[1]
FOLDERS_KEPT = 4  # of different digests, the current one included
CACHE = "BRASSMILL_CACHE"  # set while the usual folder cannot be used
NOT_KEPT = "the compiled rules cannot be kept in %s: %s"

ENTRIES: list[Any] = []  # every function marked as an entry, in the order of definition

log = logging.getLogger("brassmill")


_starts_plain = False  # do the rules start as plain Python in this process?


def start_plain() -> None:
    """Start with plain Python, unless the rules have been imported already."""
    global _starts_plain
    if not ENTRIES:
        _starts_plain = True


def starts_plain() -> bool:
    """Are the rules plain Python until compiled ones are loaded?"""
    return _starts_plain


def is_plain() -> bool:
    """Are rules plain Python in this process, at least at first?"""
    return bool(config.DISABLE_JIT) or _starts_plain


def rule(function: Function) -> Function:
    """Compile a rule when another compiled function first calls it.

    Python cannot call it: the wrappers for that would take a quarter of the compilation.
    """
    if is_plain():
        return function
    compiled: Any = njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=RuleCompiler
    )(function)

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise TypeError(f"{function.__name__} is a rule: only compiled functions can call it")

    def register(result: CompileResult) -> None:
        key = object()  # in place of an address: it has no machine code of its own
        result.target_context.insert_user_function(key, result.fndesc, [result.library])
        result = result._replace(entry_point=key)
        compiled.overloads[tuple(result.signature.args)] = result

    compiled._compile_for_args = refuse
    compiled.add_overload = register  # out of reach for calls from Python
    pass_numbers_alike(compiled)
    return compiled


def inlined(function: Function) -> Function:
    """Compile a rule as a part of each rule that calls it.

    A short function that calls the whole rulebook need not be typed on its own.
    """
    if is_plain():
        return function
    compiled: Function = njit(inline="always")(function)
    return compiled


def entry(function: Function) -> Function:
    """Compile a function that Python calls, and keep the result on disk."""
    made: Any
    if config.DISABLE_JIT:
        made = plainly(function)
    elif _starts_plain:
        made = Changeover(function)
    else:
        made = compiled_entry(function, shelf_of(function))
    ENTRIES.append(made)
    return made


def compiled_entry(function: Function, shelf: Shelf | None) -> Any:
    """A function that is loaded from the cache or compiled when it is first called."""
    compiled = njit(nogil=True, pipeline_class=EntryCompiler)(function)
    pass_numbers_alike(compiled)
    if shelf:
        keep(compiled, shelf)
    return compiled


def plainly(function: Function) -> Function:
    """A function as plain Python, which reads the fields of records as attributes."""

    @wraps(function)
    def call(*args: Any) -> Any:
        return function(*map(with_attributes, args))

    return call


def with_attributes(value: Any) -> Any:
    """An argument as plain Python needs it."""
    is_records = isinstance(value, numpy.ndarray) and value.dtype.names
    return value.view(numpy.recarray) if is_records else value


class Changeover:
    """An entry that is plain Python until its compiled version is loaded."""

    def __init__(self, function: Function) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.is_compiled = False
        self._cache = shelf_of(function)
        self._call: Function = plainly(function)

    def __call__(self, *args: Any) -> Any:
        return self._call(*args)

    def compile(self, signature: Any) -> None:
        """Load what another process has compiled; this one cannot."""
        if not is_kept(self, signature):
            raise LookupError(f"{self.py_func.__name__} has not been compiled")
        compiled = compiled_entry(self.py_func, self._cache)
        compiled.compile(signature)
        compiled.disable_compile()  # of other types
        self._call, self.is_compiled = compiled, True


@intrinsic  # type: ignore[untyped-decorator]
def _uncounted(_context: Any, array: Any) -> Any:
    def without_owner(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = make_array(array)(context, builder, args[0])
        made.meminfo = made.meminfo.type(None)
        return made._getvalue()

    return array(array), without_owner


def uncounted(array: Any) -> Any:
    """An array whose users are not counted, for functions that are called for every choice.

    Numba counts the references to an array to know when to free it. That costs as much as a small
    rule, and much more when several threads count at once. The caller keeps the array alive.
    """
    return array


@overload(uncounted, strict=False)  # type: ignore[untyped-decorator]
def _uncounted_when_compiled(array: Any) -> Any:
    return lambda array: _uncounted(array)


def pass_numbers_alike(compiled: Any) -> None:
    """Let compiled callers pass every whole number as 64 bits.

    For Numba `int(...)` of an 8-bit field is still 8 bits wide, and a literal is a type of its own:
    every mixture of them would compile the function, and all that it calls, once more.
    """
    template_for = compiled.get_call_template

    def wide(kind: Any) -> Any:
        narrow = isinstance(kind, types.Integer) and kind.bitwidth < 64
        return int64 if narrow or isinstance(kind, types.IntegerLiteral) else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_for(tuple(map(wide, args)), {name: wide(kws[name]) for name in kws})

    compiled.get_call_template = get_call_template


def keep(compiled: Any, shelf: Shelf) -> None:
    """Let a function look in the cache before it is compiled."""
    compile_now = compiled.compile

    def compile_once(signature: Any) -> Any:
        with nullcontext() if shelf.holds(signature) else cache_folder().locked():
            return compile_now(signature)

    compiled._cache = shelf
    compiled.compile = compile_once


def shelf_of(function: Function) -> Shelf | None:
    """The place of an entry in the cache; None if it cannot be cached."""
    if function.__closure__ is None:
        with suppress(OSError):  # no source file to detect a change in: a prompt, an archive
            return Shelf(function)
    return None


def is_kept(compiled: Any, signature: Any) -> bool:
    """Is an entry cached on disk for these argument types?"""
    shelf = compiled._cache
    return isinstance(shelf, Shelf) and shelf.holds(signature)


# --- what the machine code depends on ------------------------------------------------------------


def sources(package: Path = PACKAGE) -> list[Path]:
    """All files of `rules/`, and every other file with compiled functions."""
    rules = package / "rules"
    return sorted(
        path
        for path in package.rglob("*.py")
        if path.parent == rules or b"brassmill.rules.jit" in path.read_bytes()
    )


def digest_of(package: Path = PACKAGE) -> str:
    """A digest of the sources and of the kind of machine."""
    machine = (
        (numba.__version__, llvmlite.__version__, numpy.__version__),
        (sys.version, platform.system(), platform.machine()),
        (get_host_cpu_name(), get_host_cpu_features().flatten()),
        (config.CPU_NAME, config.CPU_FEATURES, int(config.OPT)),
        (config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT),
        (config.LOOP_VECTORIZE, config.SLP_VECTORIZE),
    )
    total = hashlib.sha256(repr(machine).encode())
    for path in sources(package):
        total.update(f"{path.relative_to(package).as_posix()}:".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


@cache
def digest() -> str:
    """The digest of this process, computed once, when the sources are imported."""
    return digest_of()


def cache_root() -> Path:
    """The folder that contains a folder for each digest."""
    if CACHE in os.environ:
        return Path(os.environ[CACHE])
    home = os.environ.get("BRASSMILL_HOME")
    return Path(home) / "cache" if home else user_cache_path("brassmill", appauthor=False)


@contextmanager
def writable_cache() -> Iterator[None]:
    """Use a temporary folder for a while if the usual one cannot be written."""
    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=root):
            pass
    except OSError as error:
        log.warning(NOT_KEPT, root, error.strerror)
    else:
        yield
        return
    with TemporaryDirectory(prefix="brassmill-") as folder:
        os.environ[CACHE] = folder  # other processes must know it
        try:
            yield
        finally:
            del os.environ[CACHE]


def cache_folder() -> Folder:
    """The folder where this process stores compiled functions."""
    return folder_at(cache_root() / f"compiled-{digest()}")


# --- the folder ----------------------------------------------------------------------------------


class Folder:
    """The compiled functions of one digest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = FileLock(lock_of(path), thread_local=False)
        self.has_warned = False  # that it cannot be written
        self.touched = False

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one process compile; others wait here, then find the work done."""
        with global_compiler_lock:  # first: a thread that holds it may be waiting for ours
            held = self.acquire()
            try:
                yield
            finally:
                if held:
                    self.lock.release()

    def acquire(self) -> bool:
        """Wait for the lock; False if no lock is possible, and so no cache either."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self.lock.acquire(timeout=1)
            except Timeout:
                log.warning("another process is compiling the rules: waiting for it")
                self.lock.acquire()
        except (OSError, NotImplementedError):
            return False
        return True

    def read(self, name: str) -> bytes | None:
        """The data written under this name; None if there is none."""
        try:
            data = (self.path / name).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            raise ValueError("wrong checksum")
        if not self.touched:
            self.touched = True
            with suppress(OSError):
                os.utime(self.path)  # in use, so it is not removed first
        return data[32:]

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically."""
        if self.has_warned:
            return
        unfinished = self.path / f"{uuid.uuid4().hex}.unfinished"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(hashlib.sha256(data).digest() + data)
            unfinished.replace(self.path / name)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink()
            self.has_warned = True
            log.warning(NOT_KEPT, self.path, error.strerror)
        else:
            remove_old_folders(self.path)

    def discard(self, error: Exception) -> None:
        """Start again with an empty folder."""
        log.warning("compiling again: the rules in %s are damaged (%s)", self.path, error)
        shutil.rmtree(self.path, ignore_errors=True)


@cache
def folder_at(path: Path) -> Folder:
    """One object per folder, because locks are counted per object."""
    return Folder(path)


def lock_of(folder: Path) -> Path:
    """The lock file, which is next to the folder, so that the folder can be removed."""
    return folder.with_name(folder.name + ".lock")


def remove_old_folders(current: Path) -> None:
    """Keep the folders used last; a process whose folder is gone compiles again."""
    used = {}
    for path in filter(Path.is_dir, current.parent.glob("compiled-*")):
        with suppress(OSError):  # another process may have removed it by now
            used[path] = path.stat().st_mtime
    used.pop(current, None)
    for path in sorted(used, key=used.__getitem__)[: 1 - FOLDERS_KEPT]:
        with suppress(OSError, NotImplementedError):
            with FileLock(lock_of(path), timeout=0):  # nobody is compiling there
                shutil.rmtree(path, ignore_errors=True)
                lock_of(path).unlink(missing_ok=True)


class Shelf(NullCache):
    """The cache of one entry, which Numba asks before it compiles."""

    def __init__(self, function: Function) -> None:
        file = Path(function.__code__.co_filename)
        self.name = f"{function.__module__}.{function.__name__}"
        self.source = hashlib.sha256(
            file.read_bytes()
        ).hexdigest()  # of its own file, which may be anywhere
        self.line = function.__code__.co_firstlineno
        digest()  # now, before the imported sources are edited

    @property
    def cache_path(self) -> str:
        """The path that Numba reports in `stats`."""
        return str(cache_folder().path)

    def file_of(self, signature: Any) -> str:
        """The name of the file for these argument types."""
        key = hashlib.sha256(f"{self.source} {self.line} {signature}".encode()).hexdigest()
        return f"{self.name}-{key[:16]}"

    def holds(self, signature: Any) -> bool:
        """Is there an undamaged file for these argument types?"""
        try:
            return cache_folder().read(self.file_of(signature)) is not None
        except ValueError:
            return False  # damaged: it is compiled again, under the lock

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """The compiled function, or None if it must be compiled."""
        target.refresh()
        try:
            data = cache_folder().read(self.file_of(signature))
            return None if data is None else CompileResult._rebuild(target, *pickle.loads(data))
        except Exception as error:  # damaged data may raise anything
            cache_folder().discard(error)
            return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        """Cache a compiled function, unless it contains addresses of this process."""
        if not result.library.has_dynamic_globals:
            cache_folder().write(self.file_of(signature), dumps(result._reduce()))
