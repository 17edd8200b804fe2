"""A batch on an NVIDIA GPU, one thread per game."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from brassmill.batch.cpu import fitting
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.rules.layout import BOARD, STATE

SERIES = "0.30"  # of numba-cuda, as in pyproject.toml: the kernels use its internals
NEEDS = "device 'cuda' needs an NVIDIA GPU and the package numba-cuda"
HOW = "pip install 'brassmill[cuda]'"
REMOVED = {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}


def kernels() -> Any:
    """The module of the kernels, if this machine can run them."""
    try:
        found = version("numba-cuda")
    except PackageNotFoundError:
        raise BrassError(f"{NEEDS}: the package is missing ({HOW})") from None
    if not found.startswith(f"{SERIES}."):
        raise BrassError(f"{NEEDS} {SERIES}, not {found} ({HOW})")
    # numba-cuda 0.30 uses names that NumPy 2.4 and 2.5 have removed. Some of its modules are only
    # imported when it compiles, so the names must stay defined.
    for name, now in REMOVED.items():
        if not hasattr(np, name):
            setattr(np, name, getattr(np, now))
    if not import_module("numba.cuda").is_available():
        raise BrassError(f"{NEEDS}: no GPU was found, or no driver (nvidia-smi shows both)")
    return import_module("brassmill.batch.kernels")


class Gpu:
    """Memory on a GPU, and one of its threads per game."""

    def __init__(self, edition: Edition) -> None:
        self.kernels = kernels()
        self.cuda = self.kernels.cuda
        self.boards = self.cuda.to_device(np.array([edition.board], BOARD))
        self.first_illegal = self.zeros((1,), np.int64)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Memory for a column of the batch; records are rows of 32-bit words."""
        if dtype == STATE:
            return self.zeros((*shape, self.kernels.STATE_WORDS), np.uint32)
        return self.view(self.cuda.to_device(np.zeros(shape, dtype)), dtype)

    def view(self, column: Any, dtype: Any) -> Any:
        """The same memory, read as another type."""
        return self.kernels.DeviceArray.of(column, dtype)

    def to_host(self, column: Any) -> Any:
        """A NumPy copy."""
        return column.copy_to_host()

    def fill(self, column: Any, values: Any) -> None:
        """Set a column."""
        column.copy_to_device(np.ascontiguousarray(values).view(column.dtype).reshape(column.shape))

    def take(self, choices: Any, into: Any, legal: Any) -> int:
        """Copy the choices to play; return the first game where one is illegal, or -1."""
        games, given = len(into), self.given(choices, len(into))
        self.first_illegal.copy_to_device(np.array([games]))
        self.launch(self.kernels.check_kernel, games, 0, given, into, legal, self.first_illegal)
        game = int(self.first_illegal.copy_to_host()[0])
        return -1 if game == games else game

    def copy(self, choices: Any, into: Any) -> None:
        """Copy the choices to play, which may be illegal: that is not looked at."""
        given = self.given(choices, len(into))
        if given.dtype != into.dtype:
            raise BrassError(f"unchecked choices must be {into.dtype}, not {given.dtype}")
        into.copy_to_device(given)

    def given(self, choices: Any, games: int) -> Any:
        """Choices in the memory of the GPU."""
        found = self.memory(choices)
        if found is None:
            found = self.cuda.to_device(np.ascontiguousarray(choices))
        return fitting(found, games)

    def attend(self, columns: tuple[Any, ...], what: int, times: int) -> None:
        """Do something with every game."""
        games, near = len(columns[0]), self.kernels.BLOCK * STATE.itemsize
        self.launch(self.kernels.attend_kernel, games, near, self.boards, *columns, what, times)

    def observe(self, states: Any, seats: Any, observations: Any) -> None:
        """Write what a seat of every game may know."""
        columns = (states, seats, observations)
        self.launch(self.kernels.observe_kernel, len(states), 0, self.boards, *columns)

    def resample(self, states: Any, seats: Any, seed: int) -> None:
        """Resample what a seat of every game does not know."""
        columns = (states, seats, seed)
        self.launch(self.kernels.resample_kernel, len(states), 0, self.boards, *columns)

    def numbers(self, array: Any) -> Any:
        """The given numbers as a NumPy array."""
        found = self.memory(array)
        return np.asarray(array) if found is None else found.copy_to_host()

    def memory(self, array: Any) -> Any:
        """The GPU memory of another library's array; None if it has none."""
        if hasattr(array, "__cuda_array_interface__"):
            return self.cuda.as_cuda_array(array)
        return None

    def launch(self, kernel: Any, threads: int, shared: int, *arguments: Any) -> None:
        block = self.kernels.BLOCK
        kernel[-(-threads // block), block, 0, shared](*arguments)

    def close(self) -> None:
        """Nothing to do: GPU threads end by themselves."""

    def wait(self) -> None:
        """Wait until the GPU has finished its work."""
        self.cuda.synchronize()
