"""Many games side by side: each must be the game that it would be alone."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import kinds
from brassmill import Batch, BrassError, Game, IllegalAction, InvalidPosition
from brassmill.batch.twins import SHOWN, Twins
from brassmill.batch.watch import WatchTower
from brassmill.cli.main import main
from brassmill.deal import Deal
from brassmill.editions import Edition, edition
from brassmill.playout import CHOICES_MADE, Table
from brassmill.rules.laws import Law

BIRMINGHAM = edition("birmingham", 4)


def random_choices(batch: Batch, rng: Random) -> list[int]:
    """An open choice of every game."""
    return [rng.choice(np.flatnonzero(row).tolist()) for row in batch.to_host("legal")]


# --- the same games ------------------------------------------------------------------------------


def play_beside_games(kind: Edition, device: Any) -> None:
    """Two rows of a batch and two games alone, to the end of both."""
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


def test_twins_that_part_are_found_out() -> None:
    twins = Twins(*(Batch(BIRMINGHAM, games=3, threads=1) for _ in range(2)))
    assert twins.step() is None
    twins.both[1].seats[1] += 1
    found = twins.difference()
    assert found is not None and found == ("seats", 1, 1)


def test_random_play_is_that_of_the_benchmark() -> None:
    table = Table(BIRMINGHAM)
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
    for wrong in ({"seeds": [1]}, {"deals": deals[:2]}):
        with pytest.raises(BrassError, match="3 games need as many"):
            batch.reset(**wrong)


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
    with pytest.raises(BrassError, match="there is no game 4: they are 0 to 3"):
        batch.game(4)


def test_only_games_of_one_kind_that_wait_for_a_choice() -> None:
    game = Game(BIRMINGHAM, seed=1)
    with pytest.raises(BrassError, match="game 1 is of"):
        Batch.of([game, Game("birmingham", 2, seed=1)])
    with pytest.raises(BrassError, match="one game or more"):
        Batch.of([])
    while game.question != "turn over":
        game.choose(game.legal_choices()[0])
    with pytest.raises(BrassError, match="game 0 waits for no choice: turn over"):
        Batch.of([game])


# --- what is wrong -------------------------------------------------------------------------------


def test_an_illegal_choice_is_named_and_nothing_is_played() -> None:
    batch = Batch(BIRMINGHAM, games=3, threads=1)
    before = batch.positions().tobytes()
    choices = batch.legal.argmax(axis=1)
    for wrong in (-1, 528, int(np.flatnonzero(~batch.legal[2])[0])):
        choices[2] = wrong
        with pytest.raises(IllegalAction, match=f"game 2: choice {wrong}: "):
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
    with pytest.raises(BrassError, match=f"3 whole numbers, one for each game.*{said}"):
        Batch(BIRMINGHAM, games=3, threads=1).step(choices)


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"games": 0}, "one game or more"),
        ({"threads": 0}, "one thread or more"),
        ({"device": "tpu"}, "'cpu' or 'cuda'"),
        ({"device": "cuda", "threads": 2}, "those of a CPU"),
        ({"edition": BIRMINGHAM, "players": 2}, "its number of players"),
    ],
)
def test_what_cannot_be_is_said(wishes: dict[str, Any], said: str) -> None:
    with pytest.raises(BrassError, match=said):
        Batch(**wishes)


def test_a_machine_without_a_gpu_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("brassmill.batch.cuda.version", version)
    with pytest.raises(BrassError, match=r"NVIDIA GPU.*numba-cuda.*brassmill\[cuda\]"):
        Batch(device="cuda")


# --- snapshots -----------------------------------------------------------------------------------


def test_a_snapshot_brings_everything_back() -> None:
    batch = Batch(BIRMINGHAM, games=5, threads=1)
    batch.play_at_random(30)
    batch.step(batch.legal.argmax(axis=1))  # in the middle of an action
    saved = batch.snapshot()
    legal = batch.legal.copy()
    batch.play_at_random(40)
    end = batch.positions().tobytes()
    other = Batch(BIRMINGHAM, games=5, seed=77, threads=2)
    other.restore(saved)
    assert (other.legal == legal).all()
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
    with pytest.raises(InvalidPosition, match="games 2, this one 3"):
        Batch(BIRMINGHAM, games=3, threads=1).restore(saved)


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


def test_fuzz_compares_twins() -> None:
    code, output = run("fuzz", "--twins", "--edition", "classic", "--players", "3", "--games", "3")
    assert code == 0
    assert "3 games, 0 pairs of twins that parted" in output
    code, output = run("fuzz", "--twins", "--text")
    assert code != 0 and "--text" in output


# --- on a GPU ------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_row_on_a_gpu_is_the_game_that_it_would_be_alone(kind: Edition, gpu: None) -> None:
    play_beside_games(kind, "cuda")


@pytest.mark.gpu
@pytest.mark.parametrize("kind", kinds.ALL, ids=repr)
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
def test_laws_are_watched_on_a_gpu(gpu: None) -> None:
    code, output = run("fuzz", "--device", "cuda", "--players", "3", "--games", "100")
    assert code == 0
    assert "300 games, 0 broken laws" in output


@pytest.mark.gpu
def test_a_broken_law_is_found_on_a_gpu(gpu: None) -> None:
    """As on the CPU, if a game should have a round more than it has cards for."""
    table, tower = Table(BIRMINGHAM), WatchTower(BIRMINGHAM)
    table.boards["rounds"] += 1
    tower.gpu.boards.copy_to_device(table.boards)
    for watcher in (table, tower):
        watcher.watched(4, 3)
    fault = tower.fault()
    assert fault is not None and fault == table.fault()
    assert (fault.law, fault.seed) == (Law.CARDS_ARE_DUE, 4)


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
    for name in (*SHOWN, "drawn"):
        array = getattr(batch, name)
        taken = taker.from_dlpack(array)
        interface = taken.__cuda_array_interface__
        assert interface["data"][0] == array.__cuda_array_interface__["data"][0]
        assert (tuple(taken.shape), interface["typestr"]) == (array.shape, array.dtype.str)
