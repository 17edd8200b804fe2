"""A batch: N games of one kind, the choices that are open in each, and what comes of playing."""

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
from brassmill.errors import BrassError, IllegalAction, InvalidOption
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

    Its arrays have a row for every game. They are made once and then written in place: on a CPU
    they are NumPy's, on a GPU they lie in its memory, and PyTorch and CuPy take them as they are
    (`torch.as_tensor(batch.legal, device="cuda")`, or any library's `from_dlpack`).

    - `legal`: which of the choices (`docs/reference/choices.md`) are open, a truth value for each;
    - `seats`: who must choose;
    - `ended`: whether a game came to its end in the last call. It has begun anew since then, with
      its seed plus the number of games: so a batch that began with the seeds from 0 plays every
      seed once;
    - `points`, `margins`, `ranks`: of the game that ended, by seat: its points, those ahead of the
      best other seat, and the rank, from 1;
    - `seeds`: of the games that are being played;
    - `made`: how many choices were made since the batch began; forced ones are not counted;
    - `drawn`: where the random numbers of the game stand (`play_at_random`).

    A game plays by itself: it is the same on every device, with any number of threads, and alone.
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
        """New games of the seeds from `seed` on; `threads` of a CPU: all that may be used."""
        if players is not None:
            players = whole("a number of players", players)
        if isinstance(edition, str):
            edition = editions.edition(edition, players, **options)
        elif not isinstance(edition, Edition):
            raise InvalidOption(f"{edition!r} is not the name of an edition")
        elif players not in (None, edition.players) or options:
            raise InvalidOption(f"{edition!r} has its number of players and its options")
        if whole("a number of games", games) < 1:
            raise BrassError(f"a batch has one game or more, not {games}")
        if device not in ("cpu", "cuda"):
            raise BrassError(f"there is no device {device!r}: it is 'cpu' or 'cuda'")
        if device == "cuda" and threads is not None:
            raise BrassError("threads are those of a CPU: a GPU has its own")
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
            place.view(self._legal, np.int64),  # the same, to be emptied faster
            self.seats,
            self._ended,
            self.points,
            self.margins,
            self.ranks,
        )
        self._kept = (  # what a snapshot holds
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
        """The positions of games of one kind, to go on with side by side.

        Row n goes on as if its seed were `seed` + n: so copies of one game are played at random in
        different ways, and no two begin the same game after it.
        """
        if not isinstance(games, Sequence) or not games:
            raise BrassError(f"a batch is made of a list of one game or more, not of {games!r}")
        edition = games[0].edition
        for number, game in enumerate(games):
            if repr(game.edition) != repr(edition):
                raise BrassError(f"game {number} is of {game.edition!r}, game 0 of {edition!r}")
            if game.question in ("turn over", "game over"):
                raise BrassError(f"game {number} waits for no choice: {game.question}")
        batch = cls(edition, games=len(games), device=device, threads=threads)
        seeds = range(seed, seed + len(games))
        batch._set_up(seeds, b"".join(game.engine.snapshot() for game in games))
        return batch

    def __len__(self) -> int:
        return len(self._seeds)

    @property
    def threads(self) -> int:
        """How many work on the games at once: of the CPU, or of the GPU one for each."""
        return self._place.threads if isinstance(self._place, Threads) else len(self)

    def __repr__(self) -> str:
        return f"<Batch: {len(self)} games of {self.edition}, {self.device}>"

    # --- beginning -------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | None = None,
        *,
        seeds: Iterable[int] | None = None,
        deals: Iterable[Deal] | None = None,
    ) -> None:
        """Begin all games anew: of the seeds from `seed` (0) on, of these seeds, or of these deals.

        A game without a seed of its own, after the one of its deal, goes on as if it had that of
        its row. What is refused changes nothing.
        """
        if sum(source is not None for source in (seed, seeds, deals)) > 1:
            raise BrassError("games begin of a seed, of seeds or of deals: of one of these")
        if deals is not None:
            deals = self._all(deals, "deals")
            positions = self._first(deals)
            self._set_up((deal.seed for deal in deals), positions)
            return
        if seeds is not None:
            bits = np.array([seed_bits(one) for one in self._all(seeds, "seeds")])
        else:  # they go round in 64 bits
            bits = np.arange(len(self)) + np.int64(seed_bits(0 if seed is None else seed))
        self._forget()
        self._place.fill(self._seeds, bits)
        self._attend(DEAL_OUT)

    def _all(self, rows: Iterable[Any], what: str) -> list[Any]:
        """Rows, if there is one for every game."""
        try:
            found = list(rows)
        except TypeError:
            raise BrassError(f"{len(self)} games need as many {what}, not {rows!r}") from None
        if len(found) != len(self):
            raise BrassError(f"{len(self)} games need as many {what}, not {len(found)}")
        return found

    def _first(self, deals: Iterable[Deal]) -> bytes:
        """The first positions of deals."""
        engine = Engine(self.edition, SEAT_NAMES)
        positions = []
        for deal in deals:
            if not isinstance(deal, Deal):
                raise BrassError(f"{deal!r} is not a deal: Deal.from_seed makes one")
            engine.set_up(deal.record(self.edition))
            positions.append(engine.snapshot())
        return b"".join(positions)

    def _set_up(self, seeds: Iterable[int | None], positions: bytes) -> None:
        """Go on from positions."""
        numbers = [row if seed is None else seed for row, seed in enumerate(seeds)]
        self._forget()
        self._place.fill(self.drawn, np.full(len(self), FIRST_DRAWN, np.int64))
        self._place.fill(self._seeds, np.array([seed_bits(number) for number in numbers]))
        self._place.fill(self._states, np.frombuffer(positions, STATE))
        self._attend(SHOW)

    def _forget(self) -> None:
        """What the games before these have left."""
        for column in (self.made, self.points, self.margins, self.ranks):
            self._place.fill(column, np.zeros(column.shape, column.dtype))

    # --- playing ---------------------------------------------------------------------------------

    def step(self, choices: Any) -> None:
        """Play a choice in every game, and the forced ones after it.

        An illegal choice is an error that names the game, and then nothing has been played.
        """
        game = self._place.take(choices, self._choices, self._legal)
        if game >= 0:
            raise self._refusal(game, int(self._place.to_host(self._choices)[game]))
        self._attend(STEP, 1)

    def play_at_random(self, actions: int = 1) -> None:
        """Play so many actions in every game, each choice of them by chance.

        The random numbers of a game come from its seed: they are those of `brass fuzz` and
        `brass bench`.
        """
        if whole("a number of actions", actions) < 1:
            raise BrassError(f"one action or more can be played, not {actions}")
        self._attend(RANDOM, actions)

    def wait(self) -> None:
        """Until everything is done that was asked for: a GPU works while Python goes on."""
        self._place.wait()

    def close(self) -> None:
        """End the threads; a call that needs some begins new ones."""
        self._place.close()

    def _attend(self, what: int, times: int = 0) -> None:
        self._place.attend(self._columns, what, times)

    def _refusal(self, game: int, choice: int) -> BrassError:
        """Why a game does not allow a choice."""
        if not 0 <= choice < CHOICES:
            words = f"there is no choice {choice}: they are 0 to {CHOICES - 1}"
            return IllegalAction(f"game {game}: {words}")
        found = matching.why_not_all(self._engine(game), (choice,))
        if found is None:
            return IllegalAction(f"game {game}: choice {choice} is not one of those shown")
        return IllegalAction(f"game {game}: choice {choice}: {found.error()}", found.reason)

    # --- what seats know -------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """What the numbers of an observation mean."""
        return Layout.of(self.edition)

    def observations(self, seats: Any = None, *, into: Any = None) -> Any:
        """What a seat of every game may know, as rows of numbers (`docs/research/observations.md`).

        It is the seat that must choose; or the one that is named, for all games or for each. A
        batch takes nothing back: so what is chosen in a turn is seen by the waiting seats at once,
        while `Game.observation` shows it to them when the turn is over. The rows are written into
        an array of the batch's, the same in every call, or into one that is given: whole numbers of
        16 bits, in the memory of the device.
        """
        rows = self._rows if into is None else self._fitting(into)
        self._place.observe(self._states, self._looking(seats), rows)
        return rows if into is None else into

    def resample(self, seed: int = 0, seats: Any = None) -> None:
        """Make up anew what a seat of every game cannot see, all possibilities equally likely.

        It is the seat that must choose; or the one that is named, for all games or for each. For
        the seat that must choose, and for all at the beginning of a turn, game n becomes
        `Game.world` of the seed + n. In the middle of a turn a waiting seat knows what has been
        chosen so far: here the world goes on from there, and that of a `Game` from its beginning.
        """
        self._place.resample(self._states, self._looking(seats), seed_bits(seed))
        self._attend(SHOW)

    @cached_property
    def _rows(self) -> Any:
        return self._place.zeros((len(self), len(self.layout)), np.int16)

    @cached_property
    def _named(self) -> Any:
        return self._place.zeros((len(self),), np.int8)

    def _looking(self, seats: Any) -> Any:
        """The column of the seats that look."""
        if seats is None:
            return self.seats
        given = self._place.numbers(seats)
        if given.dtype.kind not in "iu" or given.shape not in ((), (len(self),)):
            raise BrassError(f"seats are a whole number, or {len(self)}, one for each game")
        last = self.edition.players - 1
        if given.min() < 0 or given.max() > last:
            wrong = given[(given < 0) | (given > last)].flat[0]
            raise BrassError(f"there is no seat {wrong}: they are 0 to {last}")
        self._place.fill(self._named, np.full(len(self), given, np.int8))
        return self._named

    def _fitting(self, into: Any) -> Any:
        """The memory of an array, if observations can be written there."""
        shape = (len(self), len(self.layout))
        found = self._place.memory(into)
        if found is None or found.dtype != np.int16 or tuple(found.shape) != shape:
            words = f"an array of {shape[0]} times {shape[1]} whole numbers of 16 bits"
            where = f"in the memory of {self.device}, that may be written"
            raise BrassError(f"observations go into {words}, {where}")
        if not found.flags["C_CONTIGUOUS"]:
            raise BrassError("observations go into an array whose rows follow one another")
        return found

    def to_host(self, array: Any) -> Any:
        """A copy of an array of the batch for NumPy, on whatever device it is.

        `to_host("ranks")` or `to_host(batch.observations())`: by its name, or as it was given out.
        """
        if isinstance(array, str) and array in ARRAYS:
            array = getattr(self, array)
        if not isinstance(array, type(self.seats)):
            raise BrassError(f"{array!r} is no array of the batch: these are {', '.join(ARRAYS)}")
        return self._place.to_host(array)

    # --- positions -------------------------------------------------------------------------------

    def positions(self) -> Any:
        """A copy of all positions (`STATE` in `rules/layout.py`), hidden things too."""
        return self._place.to_host(self._states).view(STATE).reshape(len(self))

    def _engine(self, game: int) -> Engine:
        if not 0 <= whole("the number of a game", game) < len(self):
            raise BrassError(f"there is no game {game}: they are 0 to {len(self) - 1}")
        state = self._place.to_host(self._states[game : game + 1])
        return Engine(self.edition, SEAT_NAMES[: self.edition.players], state.tobytes())

    def game(self, number: int) -> Game:
        """A game of the batch, to go on with alone."""
        engine = self._engine(number)
        return Game.from_state(self.edition, engine.state, engine.seats)

    def snapshot(self) -> bytes:
        """All games, to go back to."""
        body = b"".join(self._place.to_host(column).tobytes() for column in self._kept)
        return snapshot.pack(self._kind(), body)

    def restore(self, packed: bytes) -> None:
        """Go back to a snapshot of such a batch, of whatever device."""
        body = snapshot.unpack(packed, self._kind())
        start = 0
        for column in self._kept:
            kind = STATE if column is self._states else column.dtype
            values = np.frombuffer(body, kind, column.nbytes // kind.itemsize, start)
            self._place.fill(column, values)
            start += values.nbytes
        self._attend(SHOW)
        self._place.fill(self._ended, values)  # to show a position is a call in which no game ends

    def _kind(self) -> dict[str, Any]:
        edition = self.edition
        return {
            "edition": edition.name,
            "players": edition.players,
            "options": dict(edition.options),
            "games": len(self),
        }
