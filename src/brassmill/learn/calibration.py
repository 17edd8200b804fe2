"""Fit the coach's chances to win to games that the packaged networks play, and check the fit.

A game begins like one of people: in its first rounds, a random number of them, the network wavers
between its likely choices. Then it plays the likeliest ones to the end. At the start of every turn
after that, what it last forecast for each seat is set against the result. The factors are fitted to
the games of some deals and checked on others.

    python -m brassmill.learn.calibration

writes `brassmill/coach/chances.json`. All randomness comes from the numbers of the deals.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.resources import files
from math import log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from brassmill.bots.lookahead import MIDDLE, OWN_VP, UNIT, WIN
from brassmill.bots.net import Mind
from brassmill.bots.network import packaged
from brassmill.coach import chances
from brassmill.coach.advice import margins
from brassmill.coach.chances import Factors, evidence
from brassmill.coach.network_study import best_of
from brassmill.core.engine import Engine
from brassmill.core.events import ERAS
from brassmill.editions import EDITIONS, Edition, edition
from brassmill.game import Game
from brassmill.rules.choices import CHOICES
from brassmill.rules.layout import GAME_OVER, TURN_OVER

CALIBRATION_DEALS = 1 << 43  # beyond all deals of a training (`learn/settings.py`)
WAVERS = 1.2  # as the journeyman does (`bots/levels.py`)
GAMES = 450
CHECKED = 3  # every third deal is for checking
STEPS = 30  # of Newton's method, which needs about eight
TENTHS = 10


class Turns(NamedTuple):
    """The starts of turns: one row each, with a column for each seat."""

    deals: Any
    seats: Any  # on turn
    rail: Any  # is it the rail era?
    points: Any  # forecast
    shares: Any  # of first place, forecast
    final: Any  # VP
    won: Any  # share of the win

    def only(self, rows: Any) -> Turns:
        return Turns(*(column[rows] for column in self))


def play(box: Edition, deals: Iterable[int]) -> Turns:
    """Play the games of some deals."""
    mind = Mind(box, packaged(box))
    turns = [turn for deal in deals for turn in _game(box, mind, deal)]
    return Turns(*map(np.array, zip(*turns, strict=True)))


def _game(box: Edition, mind: Mind, deal: int) -> list[tuple[Any, ...]]:
    """The turns of a game that come after the wavering."""
    rng = Random(f"calibration {deal}")
    engine = Engine(box, (), Game(box, seed=CALIBRATION_DEALS + deal).engine.snapshot())
    wavering = rng.randrange(len(ERAS) * box.rounds)  # rounds
    latest: dict[int, list[float]] = {}
    before: int | None = None  # the seat that chose last
    turns = []
    while engine.phase != GAME_OVER:
        if engine.phase == TURN_OVER:
            engine.end_turn()
            continue
        seat, legal = engine.seat, engine.legal()
        scores = mind.look(seat, engine.snapshot(), legal)
        latest[seat] = scores[CHOICES:]
        rail = int(engine.state.era)
        wavers = rail * box.rounds + int(engine.state.round_number) <= wavering
        if seat != before and not wavers and len(latest) == box.players:
            forecasts = np.array([latest[each] for each in range(box.players)])
            points = forecasts[:, OWN_VP] * UNIT + MIDDLE
            turns.append((deal, seat, rail, points, forecasts[:, WIN]))
        before = seat
        engine.choose(_wavering(rng, scores, legal) if wavers else best_of(scores, legal))
    final = engine.state.vp[: box.players].astype(float)
    first = np.array([engine.standing(seat) == 1 for seat in range(box.players)], float)
    return [(*turn, final, first / first.sum()) for turn in turns]


def _wavering(rng: Random, scores: Sequence[float], legal: Sequence[int]) -> int:
    """A choice, the likelier the better its score (Gumbel's trick)."""
    mood = {choice: -log(rng.expovariate(1)) for choice in legal}
    return max(legal, key=lambda choice: scores[choice] + WAVERS * mood[choice])


def fit(turns: Turns) -> Factors:
    """The factors under which the results are likeliest, by Newton's method."""
    rows = evidence(turns.points, turns.shares)
    factors = np.zeros(rows.shape[-1])
    for _ in range(STEPS):
        expected = chances.chances(turns.points, turns.shares, Factors(*factors))
        slope = np.einsum("rs,rsf->f", turns.won - expected, rows)
        mean = np.einsum("rs,rsf->rf", expected, rows)
        bend = np.einsum("rs,rsf,rsg->fg", expected, rows, rows) - mean.T @ mean
        factors = factors + np.linalg.solve(bend, slope)
    return Factors(*(round(float(factor), 4) for factor in factors))


# --- checking ------------------------------------------------------------------------------------


def check(turns: Turns, factors: Factors) -> dict[str, Any]:
    """How the forecasts did: the chances of all seats, and the margin of the one on turn."""
    expected = chances.chances(turns.points, turns.shares, factors)
    place = np.minimum((expected * TENTHS).astype(int), TENTHS - 1)
    tenths = [place == tenth for tenth in range(TENTHS)]
    wrong = _margins(turns.final, turns.seats) - _margins(turns.points, turns.seats)
    return {
        "deals": len({*turns.deals.tolist()}),
        "turns": len(turns.deals),
        # By tenths of the chance: how many, the sum of their chances, and how many won.
        "reliability": [
            [int(rows.sum()), rounded(expected[rows].sum()), rounded(turns.won[rows].sum())]
            for rows in tenths
        ],
        "score": _score(expected, turns.won),
        "score_uncalibrated": _score(np.clip(turns.shares, 0, 1), turns.won),
        "margin_bias": rounded(wrong.mean()),
        "margin_error": rounded(np.sqrt((wrong**2).mean())),
    }


def rounded(number: Any) -> float:
    return round(float(number), 2)


def _score(expected: Any, won: Any) -> float:
    """Brier's score: 0 for certain and right, 2 for certain and wrong."""
    return round(float(((expected - won) ** 2).sum(axis=1).mean()), 4)


def _margins(points: Any, seats: Any) -> Any:
    """The VP of the seat on turn minus the mean of the others'."""
    return margins(points)[np.arange(len(seats)), seats]


def calibrated(box: Edition, games: int) -> dict[str, Any]:
    """The entry of a network in the file."""
    turns = play(box, range(games))
    checked = turns.deals % CHECKED == 0
    found: dict[str, Any] = {"network": digest(box), "games": games, "factors": {}, "check": {}}
    for rail, era in enumerate(ERAS):
        now = turns.rail == rail
        factors = fit(turns.only(now & ~checked))
        found["factors"][era] = factors._asdict()
        found["check"][era] = check(turns.only(now & checked), factors)
    return found


def digest(box: Edition) -> str:
    """A digest of the network that is packaged for a game."""
    path = files("brassmill.bots") / "networks" / f"{box.name}-{box.players}.npz"
    return sha256(path.read_bytes()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m brassmill.learn.calibration")
    parser.add_argument("--games", type=int, default=GAMES, help="games of each network")
    games = parser.parse_args().games
    boxes = [edition(name, players) for name in EDITIONS for players in EDITIONS[name].players]
    found = {}
    for box in boxes:
        found[f"{box.name}-{box.players}"] = entry = calibrated(box, games)
        print(f"{box.name}-{box.players}", entry["factors"], flush=True)
    path = Path(chances.__file__).with_name(chances.FILE)
    path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
