"""Training without PyTorch: settings, schedule, teacher games, export."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from brassmill import Batch
from brassmill.bots import Clock, make
from brassmill.bots.network import Network, packaged, shapes
from brassmill.cli.main import main
from brassmill.editions import Edition, edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.learn import schedule
from brassmill.learn.export import export
from brassmill.learn.settings import (
    LEAGUE_DEALS,
    TEACHER_DEALS,
    TEST_DEALS,
    Settings,
    override,
)
from brassmill.learn.start import adapted, network_for
from brassmill.learn.teacher import NO_CHOICE, read_all, read_part, teach, teach_all
from brassmill.observation import Layout
from support.paths import ROOT

SMALL = {
    "network": {"width": 32, "blocks": 1},
    "teacher": {"games": 4, "width": 0},
    "imitation": {"updates": 20, "minibatch": 64},
    "league": {"rounds": 2, "games": 16, "stretch": 24, "minibatch": 128, "test_games": 8},
}


def small(**changes: Any) -> Settings:
    data = Settings.read().as_dict()
    override(data, SMALL)
    override(data, changes)
    return Settings.of(data)


# --- settings and schedule -----------------------------------------------------------------------


def test_a_file_overrides_defaults(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("seed = 5\n[league]\nrounds = 7\nwin = 20\n")
    found, usual = Settings.read(path), Settings.read()
    assert (found.seed, found.league.rounds, found.league.win) == (5, 7, 20.0)
    assert found.teacher == usual.teacher and found.league.games == usual.league.games


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[league]\nround = 7", "unknown setting 'league.round'; did you mean league.rounds"),
        ("seed = 1.5", "seed cannot be 1.5: it must be a positive int"),
        ("[teacher]\nbot = 3", "teacher.bot cannot be 3: it must be a text"),
        ("[league]\nrate = -1", "league.rate cannot be -1"),
        ("[network]\nwidth = 100", "must be a multiple of 16"),
        ("[league]\npast_games = 0.9", "more than all games together"),
        ("seed =", "own.toml"),
    ],
)
def test_wrong_settings_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(BrassError) as error:
        Settings.read(path)
    assert words in str(error.value)


def test_the_page_shows_the_defaults_and_files_that_work(tmp_path: Path) -> None:
    page = (ROOT / "docs/research/training.md").read_text()
    shown = [part.split("```")[0] for part in page.split("```toml\n")[1:]]
    shown.remove((ROOT / "src/brassmill/learn/defaults.toml").read_text())
    path, found = tmp_path / "own.toml", []
    for text in shown:
        path.write_text(text)
        found.append(Settings.read(path))
    small_one, better, planner = found
    assert small_one.network.width == 128 and better.teacher.games == 0
    assert planner.teacher.bot == "planner:worlds=4"


def test_rate_and_entropy_fall_to_their_ends() -> None:
    league = Settings.read().league
    rates = [schedule.rate(league, number) for number in range(league.rounds)]
    falling = rates[schedule.SLOW_START :]
    assert rates[0] < rates[schedule.SLOW_START] and all(a > b for a, b in pairwise(falling))
    assert schedule.rate(league, league.rounds) == pytest.approx(league.last_rate)
    assert schedule.entropy(league, 0) == league.entropy
    assert schedule.entropy(league, league.rounds) == pytest.approx(league.last_entropy)


def test_no_deal_is_both_learned_from_and_tested_on() -> None:
    """Each step has room for a trillion deals, and people play with smaller seeds."""
    firsts = [0, TEACHER_DEALS, LEAGUE_DEALS, TEST_DEALS]
    assert all(later - first >= 1 << 40 for first, later in pairwise(firsts))


# --- teacher games -------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["", "greedy"])
@pytest.mark.parametrize("kind", [edition("birmingham", 2), edition("classic", 3)], ids=repr)
def test_a_batch_plays_teacher_games_again(kind: Edition, bot: str) -> None:
    taught = teach(kind, small(teacher={"games": 2, "bot": bot}), 0)
    batch = Batch(kind, games=len(taught.seeds))
    batch.reset(seeds=taught.seeds.tolist())
    running = np.ones(len(batch), bool)
    for move in taught.moves.T.astype(np.int64):
        assert not (move[running] == NO_CHOICE).any()
        batch.step(np.where(running, move, batch.legal.argmax(axis=1)))
        over = batch.ended & running
        assert (batch.points[over] == taught.points[over]).all()
        running &= ~over
    assert not running.any()


def test_teacher_games_are_the_same_again_and_go_on(tmp_path: Path) -> None:
    kind, settings = edition("birmingham", 2), small(teacher={"games": 52})
    assert list(teach_all(kind, settings, tmp_path)) == [50, 52]
    first, last = (read_part(tmp_path, number) for number in range(2))
    (tmp_path / "00001.npz").unlink()
    stamp = (tmp_path / "00000.npz").stat().st_mtime_ns
    assert list(teach_all(kind, settings, tmp_path)) == [50, 52]
    assert (tmp_path / "00000.npz").stat().st_mtime_ns == stamp
    assert (read_part(tmp_path, 1).moves == last.moves).all()
    assert not set(first.seeds) & set(last.seeds)


@pytest.mark.slow
def test_games_of_a_bot_are_played_by_processes(tmp_path: Path) -> None:
    kind, settings = edition("birmingham", 2), small(teacher={"games": 6, "bot": "random"})
    assert list(teach_all(kind, settings, tmp_path))[-1] == 6
    taught = read_all(tmp_path, settings)
    assert taught.seeds.tolist() == list(range(taught.seeds[0], taught.seeds[0] + 6))
    assert (taught.moves[:, 0] != NO_CHOICE).all() and taught.points.shape == (6, 2)


# --- what a training begins with -----------------------------------------------------------------


def test_a_network_of_another_game_keeps_the_inputs_of_the_same_name() -> None:
    there, here = edition("lancashire", 3), edition("classic", 3)
    network = packaged(there)
    found = adapted(network, there, here)
    assert found.about["edition"] == "classic" and found.inputs == len(Layout.of(here))
    old, new = network.parts(), found.parts()
    for part in old.keys() - {"enter.weight"}:
        assert np.array_equal(old[part], new[part])
    places = {name: place for place, name in enumerate(Layout.of(there).names)}
    kept = 0
    for place, name in enumerate(Layout.of(here).names):
        effect = new["enter.weight"][:, place] / Layout.of(here).scale[place]
        if name in places:
            was = old["enter.weight"][:, places[name]] / Layout.of(there).scale[places[name]]
            assert np.allclose(effect, was)
            kept += 1
        else:
            assert not effect.any()
    assert kept > 700
    assert np.array_equal(
        new["enter.weight"][:, found.inputs :], old["enter.weight"][:, network.inputs :]
    )


def test_a_file_of_another_game_is_adapted_and_one_of_the_same_game_is_not() -> None:
    files = ROOT / "src/brassmill/bots/networks"
    kind = edition("classic", 3)
    same = network_for(str(files / "classic-3.npz"), kind)
    assert np.array_equal(same.weights, network_for("packaged", kind).weights)
    other = network_for(str(files / "lancashire-3.npz"), kind)
    assert other.about["players"] == 3 and other.about["edition"] == "classic"
    assert not np.array_equal(other.weights, same.weights)


# --- export --------------------------------------------------------------------------------------


def test_an_exported_network_plays(tmp_path: Path) -> None:
    kind, settings = edition("lancashire", 2), small()
    rng = np.random.default_rng(1)
    parts = {}
    for name, shape in shapes(len(Layout.of(kind)), 32, 1).items():
        parts[f"{name}.weight"] = rng.normal(size=shape).astype(np.float32)
        parts[f"{name}.bias"] = np.zeros(shape[0], np.float32)
    path = tmp_path / "mine.npz"
    network = export(path, kind, settings, parts, {"wins": 0.5})
    assert network.about["training"] == settings.as_dict()
    assert Settings.of(network.about["training"]) == settings
    game = Game(kind, seed=1)
    view = game.view(game.seat)
    choices = make(f"net:file={path}", kind).choose(view, Clock())
    assert isinstance(choices, tuple) and game.carry_out(choices)
    exact = Network.read(tmp_path / "mine-float.npz", kind)
    packed = np.concatenate([part.T.ravel() for part in parts.values()])
    assert np.array_equal(exact.weights[exact.inputs :], packed)
    assert not np.array_equal(exact.weights, network.weights)
    assert np.allclose(exact.weights, network.weights, atol=0.05)


# --- what needs PyTorch --------------------------------------------------------------------------


def test_without_pytorch_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("model", "imitation", "league", "run"):
        monkeypatch.delitem(sys.modules, f"brassmill.learn.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    shown = CliRunner().invoke(main, ["train", str(tmp_path / "new")])
    assert shown.exit_code == 1
    assert "pip install 'brassmill[learn]'" in shown.output


def test_nothing_that_plays_imports_it() -> None:
    program = (
        "import sys, brassmill; from brassmill.bots import make;"
        "make('net', brassmill.edition('birmingham', 2));"
        "print([name for name in sys.modules if 'brassmill.learn' in name or name == 'torch'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.torch
def test_a_small_training_runs_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One training in one go, one interrupted after each checkpoint: the same network."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    from brassmill.learn import run

    kind, settings = edition("birmingham", 2), small(league={"test_every": 1})
    monkeypatch.setattr(run, "SAVED", 10)
    told: list[tuple[str, int]] = []

    def report(step: str, done: int, total: int, words: str) -> None:
        told.append((step, done))

    whole = run.Training(tmp_path / "whole", kind, settings, "cpu")
    whole.run(report)
    assert told[0] == ("teacher", 4) and told[-1] == ("league", 2)

    def stop_after_saving(training: run.Training, step: str, state: dict[str, Any]) -> None:
        save(training, step, state)
        raise KeyboardInterrupt

    save = run.Training._save
    for stops in range(5):
        parts = run.Training(tmp_path / "parts", kind, settings, "cpu")
        with monkeypatch.context() as patch:
            patch.setattr(run.Training, "_save", stop_after_saving)
            with pytest.raises(KeyboardInterrupt) if stops < 4 else nullcontext():
                parts.run(report)
    assert parts.network_file.read_bytes() == whole.network_file.read_bytes()
    assert parts.tests == whole.tests and [test.number for test in whole.tests] == [0, 1, 2]
    assert (tmp_path / "whole/curve.svg").read_text().startswith("<svg")
    with pytest.raises(BrassError, match="another game or with other settings"):
        run.Training(tmp_path / "whole", edition("birmingham", 3), settings, "cpu")


@pytest.mark.torch
def test_a_training_goes_on_from_a_network_with_a_rival(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    from brassmill.learn.run import Training

    kind, nothing = edition("birmingham", 2), lambda *told: None
    first = Training(tmp_path / "first", kind, small(), "cpu")
    first.run(nothing)
    start = Network.read(tmp_path / "first/birmingham-2-float.npz", kind)
    still = small(teacher={"games": 0}, league={"rounds": 0})
    same = Training(tmp_path / "same", kind, still, "cpu", start)
    same.run(nothing)
    exact = Network.read(tmp_path / "same/birmingham-2-float.npz", kind)
    assert np.array_equal(exact.weights, start.weights)
    more = small(teacher={"games": 0}, league={"rival_games": 0.3})
    later = Training(tmp_path / "later", kind, more, "cpu", start, start)
    later.run(nothing)
    assert not np.array_equal(Network.read(later.network_file, kind).weights, start.weights)
    with pytest.raises(BrassError, match="another game or with other settings"):
        Training(tmp_path / "later", kind, more, "cpu", start)
    with pytest.raises(
        BrassError, match="the network has 4 blocks 512 wide; the settings say 1 and 32"
    ):
        Training(tmp_path / "wide", kind, still, "cpu", packaged(kind)).run(nothing)


@pytest.mark.torch
def test_pytorch_and_the_compiled_network_agree(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from brassmill.bots.net import Mind
    from brassmill.learn.model import Model
    from brassmill.observation import observation_of

    kind, settings = edition("birmingham", 2), small()
    torch.manual_seed(1)
    model = Model(kind, settings.network)
    network = export(tmp_path / "mine.npz", kind, settings, model.parts(), {})
    game = Game(kind, seed=1)
    view = game.view(game.seat)
    seen = torch.as_tensor(observation_of(kind, view))[None]
    legal = torch.zeros(1, model.leave.out_features - 3, dtype=torch.bool)
    legal[0, list(view.legal)] = True
    logs, forecasts = model(seen, legal)
    assert game.seat is not None
    found = np.array(Mind(kind, network).look(game.seat, view.position, view.legal))
    assert np.allclose(found[-3:], forecasts[0].detach(), atol=0.02)  # int8 rounds
    scores = found[list(view.legal)]
    likely = logs[0, list(view.legal)].detach().numpy()
    assert np.allclose(scores - scores[0], likely - likely[0], atol=0.02)
