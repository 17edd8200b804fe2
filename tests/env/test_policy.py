"""The packaged network as a policy, and the example in the docs that plays with it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from brassmill.bots.net import Mind
from brassmill.bots.network import packaged
from brassmill.editions import Edition
from brassmill.env.policy import NetworkPolicy
from brassmill.env.spaces import observe
from brassmill.game import Game
from brassmill.rules.choices import CHOICES
from support import kinds
from support.paths import ROOT

PAGES = {
    "env-pettingzoo.md": "NetworkPolicy",
    "env-openspiel.md": "ISMCTSBot",
}


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_the_policy_plays_what_the_net_plays(kind: Edition) -> None:
    mind, policy = Mind(kind, packaged(kind)), NetworkPolicy(kind.name, kind.players)
    game = Game(kind, seed=6)
    for _ in range(12):
        assert game.seat is not None
        view, seen = game.view(game.seat), observe(game, game.seat)
        said = mind.look(game.seat, view.position, view.legal)
        likely = policy.likelihood(seen)
        assert {*np.flatnonzero(likely)} <= {*view.legal} and likely.sum() == pytest.approx(1)
        assert said[policy.choice(seen)] == pytest.approx(max(said[each] for each in view.legal))
        expected = policy.forecast(seen)
        assert [(expected.vp - 120) / 30, (expected.best_rival - 120) / 30, expected.win] == (
            pytest.approx(said[CHOICES:], abs=1e-4)
        )
        game.play(policy.choice(seen))


@pytest.mark.parametrize("page", PAGES)
def test_the_example_in_the_docs_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs/research" / page).read_text("utf-8")
    [example] = [
        found
        for found in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        if PAGES[page] in found
    ]
    exec(example, {})
    assert capsys.readouterr().out
