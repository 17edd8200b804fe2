"""The training example: it learns, and draws its learning curve (if PyTorch is installed)."""

from __future__ import annotations

import importlib.util
import sys
from argparse import Namespace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from brassmill import Batch, BrassError
from support.paths import ROOT

EXAMPLE = ROOT / "examples/train.py"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("train", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def example() -> Any:
    pytest.importorskip("torch").set_num_threads(1)  # beside other tests, more of them only wait
    return load()


@pytest.mark.torch
def test_the_example_learns_to_beat_random(example: Any) -> None:
    example.torch.manual_seed(1)
    batch = Batch("birmingham", players=2, games=128)
    policy = example.Policy(batch, "cpu")
    assert 0.3 < example.share_won(policy, batch, 10**6) < 0.7
    for seed in range(0, 12 * len(batch), len(batch)):
        policy.learn(example.play(policy, batch, seed))
    assert example.share_won(policy, batch, 10**6) > 0.7


@pytest.mark.torch
def test_a_seed_repeats_the_learning_curve(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def curve(seed: int) -> list[Any]:
        ticks = count()
        monkeypatch.setattr(example, "monotonic", lambda: float(next(ticks)))
        told: list[Any] = []
        settings = Namespace(edition="classic", players=3, games=2, device="cpu", seed=seed)
        vars(settings).update(minutes=0.05, rounds=1)
        policy = example.train(settings, lambda *point: told.append(point))
        weights = [weight.tolist() for weight in policy.network.parameters()]
        return [*told, weights]

    first = curve(3)
    assert len(first) > 2
    assert curve(3) == first != curve(4)


@pytest.mark.torch
def test_the_example_takes_a_gpu_only_if_brassmill_can(
    example: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_gpu(*_kind: Any, **_settings: Any) -> None:
        raise BrassError("device 'cuda' needs the package numba-cuda")

    monkeypatch.setattr(example.torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(example.bm, "Batch", no_gpu)
    assert example.best_device() == "cpu"
    assert "on the CPU: device 'cuda' needs the package numba-cuda" in capsys.readouterr().out


def test_without_pytorch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match=r"pip install 'brassmill\[torch\]'"):
        load()


@pytest.mark.torch
def test_the_example_draws_its_learning_curve(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["--edition", "classic", "--players", "3", "--games", "4", "--minutes", "0.01"]
    monkeypatch.setattr(sys, "argv", ["train.py", *arguments, "--device", "cpu"])
    example.main()
    assert (tmp_path / "learning.svg").read_text().startswith("<svg")
    assert (tmp_path / "policy.pt").exists()
