"""The kernels of a batch: one GPU thread per game, running the functions of the rules themselves.

Measured on an H200 (`docs/contribute/performance-history.md`): threads of a warp that do different
things take turns, so games list their actions at the same point; positions are kept in the shared
memory of their block, laid out as in the batch; and large functions with several callers are not
inlined, because instructions must be fetched too.

Only `cuda.py` imports this module, on machines that have numba-cuda.
"""

from __future__ import annotations

import pickle
from importlib.metadata import version
from typing import Any

from numba import cuda, from_dtype, uint32
from numba.cuda.core import config
from numba.cuda.dispatcher import CUDADispatcher, _Kernel
from numba.cuda.extending import intrinsic
from numba.cuda.np.arrayobj import make_array
from numba.cuda.serialize import dumps
from numba.cuda.utils import numba_target_override

from brassmill.batch.array import DeviceArray as DeviceArray
from brassmill.batch.attend import attend, show, show_on_the_way, wait_for_the_others
from brassmill.core.playout import watched_games
from brassmill.core.worlds import sample_world
from brassmill.observation.observe import observe
from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import Shelf, cache_folder, keep, pass_numbers_alike
from brassmill.rules.layout import DEAL, STATE, WORK
from brassmill.rules.warmup import reached_from

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a batch may be small

BLOCK = 32  # games: one warp
CARVEOUT = 86  # percent of a multiprocessor's fast memory for positions; the rest is scratch
APART = {"make", "supply", "end_turn", "begin", "list_actions", "list_answers"}

STATE_WORDS = STATE.itemsize // 4
WORK_WORDS = WORK.itemsize // 4
DEAL_WORDS = -(-DEAL.itemsize // 4)
assert STATE.itemsize % 4 == WORK.itemsize % 4 == 0
assert STATE_WORDS % 2 == 1  # so that the same field of 32 games is in 32 different memory banks


# --- the rules as device functions ---------------------------------------------------------------


class DeviceRule(CUDADispatcher):  # type: ignore[misc]
    """A rule compiled for the GPU, for the same types as on the CPU."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, {"device": True, "debug": False, "opt": True})
        pass_numbers_alike(self)

    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        is_new = args not in self.overloads
        result = super().compile_device(args, return_type)
        if is_new and self.py_func.__name__ in APART:
            name = result.fndesc.mangled_name
            for module in result.library.modules:
                for function in module.functions:
                    if function.name == name and not function.is_declaration:
                        function.attributes.add("noinline")
        return result


def wait() -> None:
    cuda.syncwarp()


# Where numba-cuda looks for the device function of a function compiled for the CPU.
DEVICE_RULE = "_CUDATypingContext__dispatcher"

for _rule in reached_from([attend, observe, sample_world, watched_games]):
    setattr(_rule, DEVICE_RULE, DeviceRule(_rule.py_func))
setattr(wait_for_the_others, DEVICE_RULE, DeviceRule(wait))
setattr(show_on_the_way, DEVICE_RULE, getattr(show, DEVICE_RULE))


def record_in(dtype: Any) -> Any:
    """A function that reads words of memory as one record."""
    kind = from_dtype(dtype)

    @intrinsic  # type: ignore[untyped-decorator]
    def record(_context: Any, words: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = make_array(signature.args[0])(context, builder, args[0])
            return builder.bitcast(array.data, context.get_value_type(kind))

        return kind(words), codegen

    return record


state_in, work_in, deal_in = map(record_in, (STATE, WORK, DEAL))


# --- kernels -------------------------------------------------------------------------------------


class KernelShelf(Shelf):
    """A kernel's entry in the cache of compiled rules."""

    def file_of(self, signature: Any) -> str:
        major, minor = cuda.get_current_device().compute_capability[:2]
        return f"{super().file_of(signature)}-{version('numba-cuda')}-sm{major}{minor}"

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            data = cache_folder().read(self.file_of(signature))
            with numba_target_override():
                return None if data is None else _Kernel._rebuild(**pickle.loads(data))
        except Exception as error:  # whatever damaged data may raise
            cache_folder().discard(error)
            return None

    def save_overload(self, signature: Any, kernel: Any) -> None:
        cache_folder().write(self.file_of(signature), dumps(kernel._reduce_states()))


def kernel(function: Any) -> Any:
    """A function as a kernel, cached on disk."""
    compiled = cuda.jit(shared_memory_carveout=CARVEOUT)(function)
    keep(compiled, KernelShelf(function))
    return compiled


@kernel
def attend_kernel(
    boards: Any,
    states: Any,
    seeds: Any,
    drawn: Any,
    made: Any,
    choices: Any,
    legal: Any,
    words: Any,
    seats: Any,
    ended: Any,
    points: Any,
    margins: Any,
    ranks: Any,
    what: int,
    times: int,
) -> None:
    """Work on the game of this thread; a warp copies the positions of its games together."""
    game = cuda.grid(1)
    if game >= len(seeds):
        return
    own = cuda.threadIdx.x
    first = game - own
    games = min(BLOCK, len(seeds) - first)
    near = cuda.shared.array(0, uint32)
    for row in range(games):
        for word in range(own, STATE_WORDS, games):
            near[row * STATE_WORDS + word] = states[first + row, word]
    cuda.syncwarp()
    scratch = cuda.local.array(WORK_WORDS, uint32)
    cards = cuda.local.array(DEAL_WORDS, uint32)
    work = work_in(scratch)
    work.recording = 0
    attend(
        state_in(near[own * STATE_WORDS : (own + 1) * STATE_WORDS]),
        boards[0],
        work,
        deal_in(cards),
        seeds,
        drawn,
        made,
        choices,
        legal,
        words,
        seats,
        ended,
        points,
        margins,
        ranks,
        game,
        what,
        times,
    )
    cuda.syncwarp()
    for row in range(games):
        for word in range(own, STATE_WORDS, games):
            states[first + row, word] = near[row * STATE_WORDS + word]


@kernel
def observe_kernel(boards: Any, states: Any, seats: Any, observations: Any) -> None:
    """Write what a seat may know of the game of this thread."""
    game = cuda.grid(1)
    if game < len(seats):
        observe(state_in(states[game]), boards[0], int(seats[game]), observations[game])


@kernel
def resample_kernel(boards: Any, states: Any, seats: Any, seed: int) -> None:
    """Resample what a seat does not know of the game of this thread."""
    game = cuda.grid(1)
    if game < len(seats):
        scratch = cuda.local.array(WORK_WORDS, uint32)
        seat = int(seats[game])
        sample_world(state_in(states[game]), boards[0], work_in(scratch), seat, seed + game)


@kernel
def check_kernel(given: Any, choices: Any, legal: Any, first_illegal: Any) -> None:
    """Copy the choices; `first_illegal` gets the first game where one is illegal."""
    game = cuda.grid(1)
    if game < len(choices):
        choice = int(given[game])
        choices[game] = choice
        if choice < 0 or choice >= CHOICES or legal[game, choice] == 0:
            cuda.atomic.min(first_illegal, 0, game)


@kernel
def watch_kernel(states: Any, boards: Any, works: Any, deals: Any, counts: Any, seed: int) -> None:
    """Play a whole random game in every thread, checking all invariants."""
    own = cuda.grid(1)
    if own < len(counts):
        watched_games(
            states[2 * own : 2 * own + 2],
            boards,
            works[own : own + 1],
            deals[own : own + 1],
            counts[own],
            seed + own,
            1,
        )
