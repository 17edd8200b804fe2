"""The example that trains a policy: it runs and learns something (where PyTorch is)."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples/train.py"


@pytest.fixture
def example() -> Any:
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("train", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.torch
def test_the_example_learns_to_beat_random(example: Any) -> None:
    told: list[tuple[float, float, int]] = []
    settings = argparse.Namespace(
        edition="birmingham", players=2, games=128, minutes=1, rounds=4, device="cpu"
    )
    example.train(settings, lambda *news: told.append(news))
    assert told[0][1] < 0.7 < told[-1][1]
