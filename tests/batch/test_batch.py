"""Many games side by side: each must be the same game as alone."""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
from _thread import interrupt_main
from collections import deque
from importlib.metadata import PackageNotFoundError
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from brassmill import Batch, BrassError, Game, IllegalAction, InvalidPosition
from brassmill.batch.batch import ARRAYS
from brassmill.batch.cpu import Threads, parts_of
from brassmill.batch.cuda import SERIES
from brassmill.batch.twins import Twins
from brassmill.batch.watch import SIDE_BY_SIDE, WatchedGames
from brassmill.cli.main import main
from brassmill.core.deal import Deal
from brassmill.core.playout import CHOICES_MADE, RandomGames
from brassmill.editions import Edition, edition
from brassmill.rules.laws import Law
from support import kinds
from support.old_home import DATA, expected
from support.paths import ROOT

BIRMINGHAM = edition("birmingham", 4)


def random_choices(batch: Batch, rng: Random) -> list[int]:
    """A legal choice for every game."""
    return [rng.choice(np.flatnonzero(row).tolist()) for row in batch.to_host("legal")]


# --- the same games ------------------------------------------------------------------------------


def play_beside_games(kind: Edition, device: Any) -> None:
    """Play two rows of a batch and two single games to the end."""
    batch = Batch(kind, games=2, seed=5, device=device)
    games = [Game(kind, seed=seed) for seed in (5, 6)]
    rng = Random(5)
    over = [False, False]
    while not all(over):
        choices = random_choices(batch, rng)
        batch.step(choices)
        positions = batch.positions()
        for row, game in enumerate(games):
            if over[row]:
                continue
            game.play(choices[row])
            over[row] = game.over
            assert batch.to_host("ended")[row] == game.over
            if game.over:
                outcome = game.outcome()
                assert outcome is not None
                assert batch.to_host("ranks")[row].tolist() == [one.rank for one in outcome.results]
                points = game.state.vp[: game.players].tolist()
                assert batch.to_host("points")[row].tolist() == points
                for seat, margin in enumerate(batch.to_host("margins")[row].tolist()):
                    assert margin == points[seat] - max(points[:seat] + points[seat + 1 :])
                game = Game(kind, seed=(7, 8)[row])  # the seed plus the number of games
                assert batch.to_host("seeds")[row] == (7, 8)[row]
            assert positions[row].tobytes() == game.engine.snapshot()
            assert np.flatnonzero(batch.to_host("legal")[row]).tolist() == list(
                game.legal_choices().ids
            )
            assert batch.to_host("seats")[row] == game.seat


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_row_is_the_game_that_it_would_be_alone(kind: Edition) -> None:
    play_beside_games(kind, "cpu")


def test_threads_change_nothing() -> None:
    one, many = (Batch(BIRMINGHAM, games=50, seed=9, threads=threads) for threads in (1, 3))
    twins = Twins(one, many)
    assert [twins.step() for _ in range(300)] == [None] * 300
    for batch in (one, many):
        batch.play_at_random(200)
    assert twins.difference() is None
    assert (one.seeds >= 59).all()


def test_differing_twins_are_detected() -> None:
    twins = Twins(*(Batch(BIRMINGHAM, games=3, threads=1) for _ in range(2)))
    assert twins.step() is None
    twins.both[1].seats[1] += 1
    found = twins.difference()
    assert found is not None and found == ("seats", 1, 1)


def test_random_play_is_that_of_the_benchmark() -> None:
    table = RandomGames(BIRMINGHAM)
    table.choices(3, 2)
    batch = Batch(BIRMINGHAM, games=2, seed=3, threads=2)
    choices = np.zeros(2, np.int64)
    while (batch.seeds < 5).any():
        running = batch.seeds < 5
        batch.play_at_random()
        choices[running] = batch.made[running]
    assert choices.sum() == table.counts[CHOICES_MADE]


# --- beginning -----------------------------------------------------------------------------------


def test_games_begin_from_seeds_or_deals() -> None:
    batch = Batch("lancashire", 3, games=3, seed=2**64 - 1, threads=1)
    assert batch.seeds.tolist() == [2**64 - 1, 0, 1]
    batch.reset(seeds=[4, 4, 2**63])
    assert [batch.game(row).deal.decks for row in range(3)] == [
        Deal.from_seed(batch.edition, seed).decks for seed in (4, 4, 2**63)
    ]
    deals = [Deal.from_seed(batch.edition, seed) for seed in (7, 8, 9)]
    batch.reset(deals=deals)
    assert [batch.game(row).engine.snapshot() for row in range(3)] == [
        Game(batch.edition, deal=deal).engine.snapshot() for deal in deals
    ]
    assert batch.made.tolist() == [0, 0, 0]


def test_deals_begin_as_in_a_new_batch() -> None:
    new, used = (Batch(BIRMINGHAM, games=3, seed=seed, threads=1) for seed in (4, 0))
    used.play_at_random(170)  # some games have ended by now
    assert (used.ranks > 0).any()
    used.reset(deals=[Deal.from_seed(BIRMINGHAM, seed) for seed in (4, 5, 6)])
    assert used.snapshot() == new.snapshot()
    for batch in (new, used):
        batch.play_at_random(20)
    assert used.snapshot() == new.snapshot()


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"seeds": [1]}, "3 games need 3 seeds, not 1"),
        ({"seeds": 5}, "3 games need 3 seeds, not 5"),
        ({"seeds": [1, 2, -1]}, "a seed is a whole number"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"deals": [Deal.from_seed(BIRMINGHAM, 1)] * 2}, "3 games need 3 deals, not 2"),
        ({"deals": [Deal.from_seed(BIRMINGHAM, 1)] * 2 + ["x"]}, "'x' is not a deal"),
        ({"seeds": [1] * 3, "deals": [Deal.from_seed(BIRMINGHAM, 1)] * 3}, "only one of"),
        ({"seed": 0, "seeds": [1] * 3}, "only one of"),
    ],
)
def test_a_refused_reset_changes_nothing(wishes: dict[str, Any], said: str) -> None:
    batch = Batch(BIRMINGHAM, games=3, threads=1)
    batch.play_at_random(3)
    before = batch.snapshot()
    with pytest.raises(BrassError, match=said):
        batch.reset(**wishes)
    assert batch.snapshot() == before


def test_games_come_and_go() -> None:
    rng = Random(1)
    games = [Game(BIRMINGHAM, seed=seed) for seed in range(4)]
    for game in games:
        kinds.play_at_random(game, rng, 60)
    batch = Batch.of(games, threads=2)
    assert [batch.game(row).engine.snapshot() for row in range(4)] == [
        game.engine.snapshot() for game in games
    ]
    batch.play_at_random(150)
    assert batch.seeds.tolist() == [4, 5, 6, 7]  # each began anew
    game = batch.game(2)
    assert game.legal_choices().ids == tuple(np.flatnonzero(batch.legal[2]).tolist())
    with pytest.raises(BrassError, match="unknown game 4; games are 0 to 3"):
        batch.game(4)


def test_only_games_of_one_kind_that_wait_for_a_choice() -> None:
    game = Game(BIRMINGHAM, seed=1)
    with pytest.raises(BrassError, match="game 1 is of"):
        Batch.of([game, Game("birmingham", 2, seed=1)])
    with pytest.raises(BrassError, match="at least one game"):
        Batch.of([])
    while game.question != "turn over":
        game.choose(game.legal_choices()[0])
    with pytest.raises(BrassError, match="game 0 has no choice to make: turn over"):
        Batch.of([game])


# --- what seats know -----------------------------------------------------------------------------


def test_a_batch_has_no_undo() -> None:
    """Other seats see choices at once; in a `Game` they see them when the turn is over."""
    game = Game(BIRMINGHAM, seed=1)
    assert game.seat is not None
    waiting = (game.seat + 1) % 4
    seen = game.observation(waiting)
    batch = Batch.of([game], threads=1)
    assert (batch.observations(waiting)[0] == seen).all()
    batch.resample(7, waiting)
    assert batch.positions().tobytes() == game.world(waiting, seed=7).engine.snapshot()
    game.choose(next(each for each in game.legal_choices() if each.kind == "link"))
    assert (game.observation(waiting) == seen).all()
    batch = Batch.of([game], threads=1)
    assert (batch.observations(waiting)[0] != seen).any()
    batch.resample(7, game.seat)
    assert batch.positions().tobytes() == game.world(seed=7).engine.snapshot()


def test_an_array_of_the_batch_is_copied() -> None:
    batch = Batch(BIRMINGHAM, games=2, threads=1)
    for name in ARRAYS:
        copy = batch.to_host(name)
        assert copy is not getattr(batch, name)
        assert (copy == getattr(batch, name)).all()
    seen = batch.to_host(batch.observations())
    assert seen is not batch.observations()
    assert (seen == batch.observations()).all()
    for wrong in ("edition", "_states", "rank", 5, [1]):
        with pytest.raises(
            BrassError, match=r"not an array of the batch; choose one of: legal, seats, .*"
        ):
            batch.to_host(wrong)


# --- threads -------------------------------------------------------------------------------------


def test_as_many_threads_as_processors_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {1, 4, 5}, raising=False)
    assert Batch(BIRMINGHAM, games=1).threads == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Batch(BIRMINGHAM, games=1).threads == 1


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("games", [1, 4, 257])
@pytest.mark.parametrize("actions", [1, 124])
def test_every_game_is_in_one_part(games: int, threads: int, actions: int) -> None:
    parts = parts_of(games, threads, actions)
    assert [game for first, last in parts for game in range(first, last)] == [*range(games)]
    sizes = [last - first for first, last in parts]
    assert sizes == sorted(sizes, reverse=True)
    if games > 32 * threads > 32:
        assert sizes[0] > 4 * sizes[-1]
        assert len(parts) > len(parts_of(games, threads)) or actions == 1


def test_threads_come_and_go() -> None:
    batch = Batch(BIRMINGHAM, games=4, threads=2)
    before = threading.active_count()
    batch.close()
    assert threading.active_count() < before
    batch.play_at_random()
    assert batch.made.all()
    batch.close()
    batch.close()


def test_ctrl_c_is_raised_when_all_threads_have_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, done = [], []
    cleared = threading.Event()

    class Parts(deque[tuple[int, int]]):
        def clear(self) -> None:
            super().clear()
            cleared.set()

    def work(_thread: int, first: int, _last: int) -> None:
        begun.append(first)
        if first == 0:
            interrupt_main()
        cleared.wait(60)
        done.append(first)

    monkeypatch.setattr("brassmill.batch.cpu.deque", Parts)
    with pytest.raises(KeyboardInterrupt):
        Threads(BIRMINGHAM, 2).share(work, 64)
    assert cleared.is_set()
    assert sorted(begun) == sorted(done)
    assert len(begun) <= 2  # one part for each thread


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of threads; those of a batch may be
def test_a_forked_process_has_its_own_threads() -> None:
    batch = Batch(BIRMINGHAM, games=4, threads=2)
    process = multiprocessing.get_context("fork").Process(target=batch.play_at_random)
    process.start()
    process.join(60)
    process.kill()  # if it waits for threads that it does not have
    process.join()
    assert process.exitcode == 0


# --- what is wrong -------------------------------------------------------------------------------


def test_an_illegal_choice_is_named_and_nothing_is_played() -> None:
    batch = Batch(BIRMINGHAM, games=3, threads=1)
    before = batch.positions().tobytes()
    choices = batch.legal.argmax(axis=1)
    for wrong in (-1, 528, int(np.flatnonzero(~batch.legal[2])[0])):
        choices[2] = wrong
        with pytest.raises(IllegalAction, match=f"game 2: .*choice {wrong}[:;] "):
            batch.step(choices)
    assert batch.positions().tobytes() == before
    assert batch.made.sum() == 0


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ([1, 2], r"shape \(2,\)"),
        (np.zeros(3), "float64"),
        (np.zeros((3, 1), int), r"shape \(3, 1\)"),
    ],
)
def test_choices_are_a_whole_number_for_every_game(choices: Any, said: str) -> None:
    with pytest.raises(BrassError, match=f"3 integers, one per game.*{said}"):
        Batch(BIRMINGHAM, games=3, threads=1).step(choices)


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"games": 0}, "at least one game"),
        ({"threads": 0}, "at least one thread"),
        ({"device": "tpu"}, "'cpu' or 'cuda'"),
        ({"device": "cuda", "threads": 2}, "only be set for a CPU"),
        ({"edition": BIRMINGHAM, "players": 2}, "its number of players"),
        ({"edition": 4}, "4 is not the name of an edition"),
        ({"players": "4"}, "'4' is not a number of players"),
    ],
)
def test_impossible_settings_are_reported(wishes: dict[str, Any], said: str) -> None:
    with pytest.raises(BrassError, match=said):
        Batch(**wishes)


class OnTheGpu:
    """Like PyTorch tensors on a GPU."""

    def __array__(self, *_wishes: Any, **_more: Any) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


@pytest.mark.parametrize("wrong", [OnTheGpu(), [[1], [2, 3]]])
def test_a_cpu_takes_what_numpy_takes(wrong: Any) -> None:
    batch = Batch(BIRMINGHAM, games=2, threads=1)
    for use in (batch.step, batch.observations):
        with pytest.raises(BrassError, match=f"CPU needs what NumPy.*{type(wrong).__name__}"):
            use(wrong)


def test_observations_go_where_one_may_write() -> None:
    batch = Batch(BIRMINGHAM, games=2, threads=1)
    into = batch.to_host(batch.observations())
    into.flags.writeable = False
    with pytest.raises(BrassError, match=r"a writable array .* in the memory of cpu"):
        batch.observations(into=into)


def test_another_numba_cuda_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brassmill.batch.cuda.version", lambda _name: "0.31.2")
    with pytest.raises(BrassError, match=rf"numba-cuda {SERIES}, not 0\.31\.2"):
        Batch(device="cuda")
    project = ROOT / "pyproject.toml"
    assert f"numba-cuda[cu13]>={SERIES}," in project.read_text()


def test_more_games_than_fit_in_memory_are_refused() -> None:
    watched = WatchedGames.__new__(WatchedGames)  # there may be no GPU here
    with pytest.raises(BrassError, match="at most 65536 games can be checked at once, not 65537"):
        watched.watched(0, SIDE_BY_SIDE + 1)


def test_a_machine_without_a_gpu_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("brassmill.batch.cuda.version", version)
    with pytest.raises(BrassError, match=r"NVIDIA GPU.*numba-cuda.*brassmill\[cuda\]"):
        Batch(device="cuda")


# --- snapshots -----------------------------------------------------------------------------------


def test_a_snapshot_restores_everything() -> None:
    batch = Batch(BIRMINGHAM, games=5, threads=1)
    batch.play_at_random(30)
    while not batch.ended.any():  # the other games are somewhere in an action
        batch.step(batch.legal.argmax(axis=1))
    saved = batch.snapshot()
    shown = {name: batch.to_host(name).tolist() for name in ARRAYS}
    batch.play_at_random(40)
    end = batch.positions().tobytes()
    other = Batch(BIRMINGHAM, games=5, seed=77, threads=2)
    other.restore(saved)
    assert {name: other.to_host(name).tolist() for name in ARRAYS} == shown
    assert other.snapshot() == saved
    other.play_at_random(40)
    assert other.positions().tobytes() == end
    assert other.made.tolist() == batch.made.tolist()


def test_a_wrong_snapshot_is_refused() -> None:
    batch = Batch(BIRMINGHAM, games=2, threads=1)
    saved = batch.snapshot()
    with pytest.raises(InvalidPosition, match="checksum"):
        batch.restore(saved[:-1])
    with pytest.raises(InvalidPosition, match="not a batch"):
        batch.restore(b"something")
    with pytest.raises(InvalidPosition, match="another version"):
        batch.restore(saved.replace(b"batch 3", b"batch 1", 1))
    with pytest.raises(InvalidPosition, match="games 2, this one has 3"):
        Batch(BIRMINGHAM, games=3, threads=1).restore(saved)


def test_a_snapshot_of_an_earlier_version_can_be_restored() -> None:
    batch = Batch("lancashire", 3, games=3, threads=1)
    batch.restore((DATA / "old-batch.bytes").read_bytes())
    assert [batch.game(number).position_text() for number in range(3)] == expected()["batch"]


# --- commands ------------------------------------------------------------------------------------


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_bench_measures_a_batch() -> None:
    words = ("--players", "2", "--seconds", "0.01", "--threads", "2", "--games", "8", "--json")
    code, output = run("bench", *words)
    assert code == 0
    figures = json.loads(output[output.index("{") :])
    assert figures["choices_per_second"] > figures["games_per_second"] > 0
    assert (figures["device"], figures["batch_threads"], figures["batch_games"]) == ("cpu", 2, 8)
    assert figures["batch_times_one_thread"] > 0 and figures["batch_times_one_game"] > 0


def test_fuzz_compares_twins() -> None:
    code, output = run("fuzz", "--twins", "--edition", "classic", "--players", "3", "--games", "3")
    assert code == 0
    assert "3 games, 0 runs that differed" in output
    code, output = run("fuzz", "--twins", "--text")
    assert code != 0 and "--text" in output


def test_copies_of_a_game_continue_differently() -> None:
    game = Game(BIRMINGHAM, seed=3)
    batch = Batch.of([game] * 40, threads=1)
    batch.resample(1)
    batch.play_at_random()
    assert len({row.tobytes() for row in batch.observations(0)}) > 10
    assert batch.seeds.tolist() == [*range(40)]
    assert Batch.of([game] * 2, seed=7, threads=1).seeds.tolist() == [7, 8]
    with pytest.raises(BrassError, match="a list of at least one game"):
        Batch.of(game)  # type: ignore[arg-type]


# --- on a GPU ------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_row_on_a_gpu_is_the_game_that_it_would_be_alone(kind: Edition, gpu: None) -> None:
    play_beside_games(kind, "cuda")


@pytest.mark.gpu
@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_a_gpu_plays_as_a_cpu(kind: Edition, gpu: None) -> None:
    batches = [Batch(kind, games=77, device=device) for device in ("cpu", "cuda")]
    twins = Twins(*batches)
    assert [twins.step() for _ in range(40)] == [None] * 40
    for batch in batches:
        batch.play_at_random(140)
    assert twins.difference() is None
    saved = batches[1].snapshot()
    assert saved == batches[0].snapshot()
    batches[0].restore(saved)
    assert twins.step() is None


@pytest.mark.gpu
def test_a_gpu_names_an_illegal_choice(gpu: None) -> None:
    batch = Batch(BIRMINGHAM, games=40, device="cuda")
    before = batch.snapshot()
    choices = batch.to_host("legal").argmax(axis=1)
    choices[33] = choices[36] = 527
    with pytest.raises(IllegalAction, match="game 33: choice 527: "):
        batch.step(choices)
    assert batch.snapshot() == before


@pytest.mark.gpu
def test_invariants_are_checked_on_a_gpu(gpu: None) -> None:
    code, output = run("fuzz", "--device", "cuda", "--players", "3", "--games", "100")
    assert code == 0
    assert "300 games, 0 broken invariants" in output


@pytest.mark.gpu
def test_a_broken_invariant_is_found_on_a_gpu(gpu: None) -> None:
    """As on the CPU, for a game with one round more than it has cards for."""
    table, watched = RandomGames(BIRMINGHAM), WatchedGames(BIRMINGHAM)
    table.boards["rounds"] += 1
    watched.gpu.boards.copy_to_device(table.boards)
    for watcher in (table, watched):
        watcher.watched(4, 3)
    broken = watched.broken_law()
    assert broken is not None and broken == table.broken_law()
    assert (broken.law, broken.seed) == (Law.CARDS_ARE_DUE, 4)


@pytest.mark.gpu
@pytest.mark.torch
def test_torch_plays_in_the_memory_of_the_gpu(gpu: None) -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(BIRMINGHAM, games=64, device="cuda")
    legal = torch.as_tensor(batch.legal, device="cuda")
    assert legal.data_ptr() == batch.legal.__cuda_array_interface__["data"][0]
    for dtype in (torch.int64, torch.int32):
        batch.step(legal.to(torch.uint8).argmax(dim=1).to(dtype))
    assert legal.cpu().numpy().tolist() == batch.to_host("legal").tolist()
    assert batch.to_host("made").tolist() == [2] * 64


@pytest.mark.gpu
@pytest.mark.torch
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_every_array_is_taken_without_a_copy(library: str, gpu: None) -> None:
    taker = pytest.importorskip(library)
    batch = Batch(BIRMINGHAM, games=64, device="cuda")
    for name in ARRAYS:
        array = getattr(batch, name)
        taken = taker.from_dlpack(array)
        interface = taken.__cuda_array_interface__
        assert interface["data"][0] == array.__cuda_array_interface__["data"][0]
        assert (tuple(taken.shape), interface["typestr"]) == (array.shape, array.dtype.str)
