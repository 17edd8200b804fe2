"""The example that trains a policy: it learns, and draws how (where PyTorch is)."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from brassmill import Batch

EXAMPLE = Path(__file__).parents[1] / "examples/train.py"


@pytest.fixture
def example() -> Any:
    pytest.importorskip("torch").set_num_threads(1)  # beside other tests, more of them only wait
    spec = importlib.util.spec_from_file_location("train", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
def test_the_example_draws_its_learning_curve(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["--edition", "classic", "--players", "3", "--games", "4", "--minutes", "0.01"]
    monkeypatch.setattr(sys, "argv", ["train.py", *arguments, "--device", "cpu"])
    example.main()
    assert (tmp_path / "learning.svg").read_text().startswith("<svg")
    assert (tmp_path / "policy.pt").exists()
