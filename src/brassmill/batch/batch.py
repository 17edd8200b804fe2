"""A batch: N games of one kind, with their legal choices and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from brassmill import editions
from brassmill.batch import snapshot
from brassmill.batch.attend import DEAL_OUT, RANDOM, SHOW, STEP
from brassmill.batch.cpu import Threads
from brassmill.batch.cuda import Gpu
from brassmill.core.choice import whole
from brassmill.core.deal import Deal, seed_bits
from brassmill.core.engine import Engine
from brassmill.core.playout import FIRST_DRAWN
from brassmill.editions import Edition, Value
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.notation import matching
from brassmill.observation import Layout
from brassmill.position.words import SEAT_NAMES
from brassmill.rules import warmup
from brassmill.rules.choices import CHOICES
from brassmill.rules.layout import STATE

Device = Literal["cpu", "cuda"]

ARRAYS = ("legal", "seats", "ended", "points", "margins", "ranks", "seeds", "made", "drawn")


class Batch:
    """Games of one edition and number of players, side by side.

    Its arrays have one row per game. They are created once and then written in place: on a CPU
    they are NumPy arrays; on a GPU they are in its memory, and PyTorch and CuPy use them directly
    (`torch.as_tensor(batch.legal, device="cuda")`, or any library's `from_dlpack`).

    - `legal`: which of the choices (`docs/reference/choices.md`) are open, a truth value for each;
    - `seats`: the seat that must choose;
    - `ended`: whether a game ended in the last call. It has been restarted since, with its seed
      plus the number of games, so a batch that started with the seeds from 0 plays every seed
      once;
    - `points`, `margins`, `ranks`: by seat, of the game that ended: VP, VP ahead of the best other
      seat, and rank, from 1;
    - `seeds`: of the games being played;
    - `made`: how many choices have been made since the batch started, not counting forced ones;
    - `drawn`: the position in the game's random numbers (`play_at_random`).

    Games are independent: each is the same on every device, with any number of threads, or alone.
    """

    def __init__(
        self,
        edition: str | Edition = "birmingham",
        players: int | None = None,
        games: int = 1024,
        *,
        seed: int = 0,
        device: Device = "cpu",
        threads: int | None = None,
        **options: Value,
    ) -> None:
        """Start games with the seeds from `seed` on; `threads` defaults to all available ones."""
        if players is not None:
            players = whole("a number of players", players)
        edition = editions.decided(edition, players, options)
        if whole("a number of games", games) < 1:
            raise BrassError(f"a batch needs at least one game, not {games}")
        if device not in ("cpu", "cuda"):
            raise BrassError(f"unknown device {device!r}; choose 'cpu' or 'cuda'")
        if device == "cuda" and threads is not None:
            raise BrassError("threads can only be set for a CPU")
        warmup.ready()
        self.edition = edition
        self.device = device
        place: Threads | Gpu = Gpu(edition) if device == "cuda" else Threads(edition, threads)
        self._place = place
        self._states = place.zeros((games,), STATE)
        self._seeds = place.zeros((games,), np.int64)
        self.drawn = place.zeros((games,), np.int64)
        self.made = place.zeros((games,), np.int64)
        self._choices = place.zeros((games,), np.int64)
        self._legal = place.zeros((games, CHOICES), np.uint8)
        self.seats = place.zeros((games,), np.int8)
        self._ended = place.zeros((games,), np.uint8)
        self.points = place.zeros((games, edition.players), np.int16)
        self.margins = place.zeros((games, edition.players), np.int16)
        self.ranks = place.zeros((games, edition.players), np.int8)
        self.seeds = place.view(self._seeds, np.uint64)
        self.legal = place.view(self._legal, np.bool_)
        self.ended = place.view(self._ended, np.bool_)
        self._columns = (
            self._states,
            self._seeds,
            self.drawn,
            self.made,
            self._choices,
            self._legal,
            place.view(self._legal, np.int64),  # the same memory, which is cleared faster this way
            self.seats,
            self._ended,
            self.points,
            self.margins,
            self.ranks,
        )
        self._kept = (  # the content of a snapshot
            self._states,
            self._seeds,
            self.drawn,
            self.made,
            self.points,
            self.margins,
            self.ranks,
            self._ended,
        )
        self.reset(seed)

    @classmethod
    def of(
        cls,
        games: Sequence[Game],
        *,
        seed: int = 0,
        device: Device = "cpu",
        threads: int | None = None,
    ) -> Batch:
        """Continue games of one kind side by side, from their current positions.

        Row n continues as if its seed were `seed` + n, so copies of one game play differently at
        random, and no two restart with the same game.
        """
        if not isinstance(games, Sequence) or not games:
            raise BrassError(f"a batch needs a list of at least one game, not {games!r}")
        edition = games[0].edition
        for number, game in enumerate(games):
            if repr(game.edition) != repr(edition):
                raise BrassError(f"game {number} is of {game.edition!r}, game 0 of {edition!r}")
            if game.question in ("turn over", "game over"):
                raise BrassError(f"game {number} has no choice to make: {game.question}")
        batch = cls(edition, games=len(games), device=device, threads=threads)
        seeds = range(seed, seed + len(games))
        batch._set_up(seeds, b"".join(game.engine.snapshot() for game in games))
        return batch

    def __len__(self) -> int:
        return len(self._seeds)

    @property
    def threads(self) -> int:
        """How many threads work at once; on a GPU, one per game."""
        return self._place.threads if isinstance(self._place, Threads) else len(self)

    def __repr__(self) -> str:
        return f"<Batch: {len(self)} games of {self.edition}, {self.device}>"

    # --- starting --------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | None = None,
        *,
        seeds: Iterable[int] | None = None,
        deals: Iterable[Deal] | None = None,
    ) -> None:
        """Restart all games, with the seeds from `seed` (0) on, with these seeds, or these deals.

        A deal without a seed continues as if its seed were its row. An error changes nothing.
        """
        if sum(source is not None for source in (seed, seeds, deals)) > 1:
            raise BrassError("give only one of seed, seeds and deals")
        if deals is not None:
            deals = self._all(deals, "deals")
            positions = self._first(deals)
            self._set_up((deal.seed for deal in deals), positions)
            return
        if seeds is not None:
            bits = np.array([seed_bits(one) for one in self._all(seeds, "seeds")])
        else:  # wraps around at 64 bits
            bits = np.arange(len(self)) + np.int64(seed_bits(0 if seed is None else seed))
        self._forget()
        self._place.fill(self._seeds, bits)
        self._attend(DEAL_OUT)

    def _all(self, rows: Iterable[Any], what: str) -> list[Any]:
        """Check that there is one row for every game."""
        try:
            found = list(rows)
        except TypeError:
            raise BrassError(f"{len(self)} games need {len(self)} {what}, not {rows!r}") from None
        if len(found) != len(self):
            raise BrassError(f"{len(self)} games need {len(self)} {what}, not {len(found)}")
        return found

    def _first(self, deals: Iterable[Deal]) -> bytes:
        """The first positions of deals."""
        engine = Engine(self.edition, SEAT_NAMES)
        positions = []
        for deal in deals:
            if not isinstance(deal, Deal):
                raise BrassError(f"{deal!r} is not a deal; make one with Deal.from_seed")
            engine.set_up(deal.record(self.edition))
            positions.append(engine.snapshot())
        return b"".join(positions)

    def _set_up(self, seeds: Iterable[int | None], positions: bytes) -> None:
        """Continue from positions."""
        numbers = [row if seed is None else seed for row, seed in enumerate(seeds)]
        self._forget()
        self._place.fill(self.drawn, np.full(len(self), FIRST_DRAWN, np.int64))
        self._place.fill(self._seeds, np.array([seed_bits(number) for number in numbers]))
        self._place.fill(self._states, np.frombuffer(positions, STATE))
        self._attend(SHOW)

    def _forget(self) -> None:
        """Clear the results of earlier games."""
        for column in (self.made, self.points, self.margins, self.ranks):
            self._place.fill(column, np.zeros(column.shape, column.dtype))

    # --- playing ---------------------------------------------------------------------------------

    def step(self, choices: Any, *, checked: bool = True) -> None:
        """Play a choice in every game, and the forced choices after it.

        An illegal choice raises an error that names the game; then no choice is played at all.
        Without the check, a GPU need not be waited for; an illegal choice then ruins its game.
        """
        if checked:
            game = self._place.take(choices, self._choices, self._legal)
            if game >= 0:
                raise self._refusal(game, int(self._place.to_host(self._choices)[game]))
        else:
            self._place.copy(choices, self._choices)
        self._attend(STEP, 1)

    def play_at_random(self, actions: int = 1) -> None:
        """Play `actions` random actions in every game.

        A game's random numbers come from its seed, as in `brass fuzz` and `brass bench`.
        """
        if whole("a number of actions", actions) < 1:
            raise BrassError(f"play at least one action, not {actions}")
        self._attend(RANDOM, actions)

    def wait(self) -> None:
        """Wait until all work is done: a GPU works while Python continues."""
        self._place.wait()

    def close(self) -> None:
        """Stop the threads; a later call starts new ones if needed."""
        self._place.close()

    def _attend(self, what: int, times: int = 0) -> None:
        self._place.attend(self._columns, what, times)

    def _refusal(self, game: int, choice: int) -> BrassError:
        """Why a game does not allow a choice."""
        if not 0 <= choice < CHOICES:
            words = f"unknown choice {choice}; choices are 0 to {CHOICES - 1}"
            return IllegalAction(f"game {game}: {words}")
        found = matching.why_not_all(self._engine(game), (choice,))
        if found is None:
            return IllegalAction(f"game {game}: choice {choice} is not one of those listed")
        return IllegalAction(f"game {game}: choice {choice}: {found.error()}", found.reason)

    # --- observations ----------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The meaning of the numbers in an observation."""
        return Layout.of(self.edition)

    def observations(self, seats: Any = None, *, into: Any = None) -> Any:
        """What a seat of every game may know, as rows of numbers (`docs/research/observations.md`).

        The seat is the one that must choose, or the one given, for all games or for each. A batch
        has no undo, so other seats see the choices of a turn at once, while `Game.observation`
        shows them when the turn is over. The rows are written into an array of the batch, the same
        in every call, or into a given one: 16-bit integers in the memory of the device.
        """
        rows = self._rows if into is None else self._fitting(into)
        self._place.observe(self._states, self._viewers(seats), rows)
        return rows if into is None else into

    def resample(self, seed: int = 0, seats: Any = None) -> None:
        """Resample what a seat of every game cannot see, all possibilities equally likely.

        The seat is the one that must choose, or the one given, for all games or for each. For the
        seat that must choose, and for all seats at the start of a turn, game n becomes
        `Game.world` of `seed` + n. In the middle of a turn, other seats know the choices so far:
        here the world continues from there, while that of a `Game` starts before the turn.
        """
        self._place.resample(self._states, self._viewers(seats), seed_bits(seed))
        self._attend(SHOW)

    @cached_property
    def _rows(self) -> Any:
        return self._place.zeros((len(self), len(self.layout)), np.int16)

    @cached_property
    def _named(self) -> Any:
        return self._place.zeros((len(self),), np.int8)

    def _viewers(self, seats: Any) -> Any:
        """The column of the observing seats."""
        if seats is None:
            return self.seats
        given = self._place.numbers(seats)
        if given.dtype.kind not in "iu" or given.shape not in ((), (len(self),)):
            raise BrassError(f"seats must be one integer, or {len(self)}, one per game")
        last = self.edition.players - 1
        if given.min() < 0 or given.max() > last:
            wrong = given[(given < 0) | (given > last)].flat[0]
            raise BrassError(f"unknown seat {wrong}; seats are 0 to {last}")
        self._place.fill(self._named, np.full(len(self), given, np.int8))
        return self._named

    def _fitting(self, into: Any) -> Any:
        """The memory of an array, if observations fit into it."""
        shape = (len(self), len(self.layout))
        found = self._place.memory(into)
        if found is None or found.dtype != np.int16 or tuple(found.shape) != shape:
            words = f"a writable array of {shape[0]} times {shape[1]} 16-bit integers"
            where = f"in the memory of {self.device}"
            raise BrassError(f"observations need {words} {where}")
        if not found.flags["C_CONTIGUOUS"]:
            raise BrassError("observations need a C-contiguous array")
        return found

    def to_host(self, array: Any) -> Any:
        """A NumPy copy of an array of the batch, whatever the device.

        By name or as an array: `to_host("ranks")` or `to_host(batch.observations())`.
        """
        if isinstance(array, str) and array in ARRAYS:
            array = getattr(self, array)
        if not isinstance(array, type(self.seats)):
            raise BrassError(
                f"{array!r} is not an array of the batch; choose one of: {', '.join(ARRAYS)}"
            )
        return self._place.to_host(array)

    # --- positions -------------------------------------------------------------------------------

    def positions(self) -> Any:
        """A copy of all positions (`STATE` in `rules/layout.py`), including hidden information."""
        return self._place.to_host(self._states).view(STATE).reshape(len(self))

    def _engine(self, game: int) -> Engine:
        if not 0 <= whole("the number of a game", game) < len(self):
            raise BrassError(f"unknown game {game}; games are 0 to {len(self) - 1}")
        state = self._place.to_host(self._states[game : game + 1])
        return Engine(self.edition, SEAT_NAMES[: self.edition.players], state.tobytes())

    def game(self, number: int) -> Game:
        """One game of the batch, as a `Game`."""
        engine = self._engine(number)
        return Game.from_state(self.edition, engine.state, engine.seats)

    def snapshot(self) -> bytes:
        """All games as bytes, for `restore`."""
        body = b"".join(self._place.to_host(column).tobytes() for column in self._kept)
        return snapshot.pack(self._kind(), body)

    def restore(self, packed: bytes) -> None:
        """Restore a snapshot of a batch of the same kind, from any device."""
        body = snapshot.unpack(packed, self._kind())
        start = 0
        for column in self._kept:
            kind = STATE if column is self._states else column.dtype
            values = np.frombuffer(body, kind, column.nbytes // kind.itemsize, start)
            self._place.fill(column, values)
            start += values.nbytes
        self._attend(SHOW)
        self._place.fill(self._ended, values)  # listing the choices has cleared it

    def _kind(self) -> dict[str, Any]:
        edition = self.edition
        return {
            "edition": edition.name,
            "players": edition.players,
            "options": dict(edition.options),
            "games": len(self),
        }
