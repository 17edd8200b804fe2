"""Networks that play: their files, what they compute, and the search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from brassmill.bots import BotError, Clock, make
from brassmill.bots.inference import FORECASTS, LANES, infer_plain
from brassmill.bots.net import AT_ONCE, DOUBT, Mind, Net
from brassmill.bots.network import Network, made_for, packaged, restored, shapes, write_network
from brassmill.core.view import View
from brassmill.editions import Edition, edition
from brassmill.game import Game
from brassmill.observation import Layout, observation_of
from brassmill.play.host import Host
from brassmill.rules.choices import CHOICES
from support import kinds
from support.paths import ROOT

NETWORKS = ROOT / "src/brassmill/bots/networks"
MEGABYTE = 1_000_000
WIDTH, BLOCKS = 32, 2

# What the small network says of the first position of seed 7 in Birmingham with four players.
FORECAST = [1.7467639446258545, 0.42033499479293823, 0.7095333337783813]
LIKELIEST = 186


def small_parts(box: Edition, seed: int = 0) -> dict[str, Any]:
    """Weights of a small network; whole numbers, so that every version of NumPy draws the same."""
    rng = np.random.default_rng(seed)
    parts = {}
    for name, shape in shapes(len(Layout.of(box)), WIDTH, BLOCKS).items():
        drawn = rng.integers(-127, 128, shape).astype(np.float32)
        drawn[:, 0] = 127  # the largest of each row, so that int8 keeps them all
        parts[f"{name}.weight"] = drawn / np.float32(512)
        parts[f"{name}.bias"] = rng.integers(-64, 65, shape[0]).astype(np.float32) / 64
    return parts


def about(box: Edition, **changes: Any) -> dict[str, Any]:
    return {**made_for(box), "width": WIDTH, "blocks": BLOCKS, **changes}


def small_file(folder: Path, box: Edition, **changes: Any) -> Path:
    path = folder / "small.npz"
    write_network(path, about(box, **changes), small_parts(box))
    return path


def questions(game: Game) -> Iterator[View]:
    """What the seats are asked in a game that plays the last choice of each list."""
    while not game.over:
        assert game.seat is not None
        view = game.view(game.seat)
        yield view
        game.play(view.legal[-1])


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_every_game_has_a_network_that_fits(kind: Edition) -> None:
    path = NETWORKS / f"{kind.name}-{kind.players}.npz"
    assert path.stat().st_size <= 4 * MEGABYTE
    told = Network.read(path, kind).about
    assert told["options"] == dict(kind.options)
    assert told["training"] and told["test"]["wins"] > 1 / kind.players


def test_all_networks_together_are_small() -> None:
    files = list(NETWORKS.iterdir())
    assert len(files) == len(kinds.PLAIN)
    assert sum(path.stat().st_size for path in files) <= 32 * MEGABYTE


def test_options_use_the_network_of_their_edition() -> None:
    for kind in kinds.COVER:
        if not kind.options.get("community_2p"):
            plain = packaged(edition(kind.name, kind.players))
            assert np.array_equal(packaged(kind).weights, plain.weights)


def test_an_option_with_its_own_map_has_no_network() -> None:
    with pytest.raises(
        BotError, match=r"net cannot play this game \(lancashire-2.npz does not fit"
    ):
        make("net", edition("lancashire", 2, community_2p=True))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"edition": "classic"}, "edition classic instead of lancashire"),
        ({"players": 4}, "number of players 4 instead of 3"),
        ({"observation": "old"}, "observation layout old instead of [0-9a-f]{16}"),
        ({"vocabulary": "old"}, "vocabulary of choices old instead of [0-9a-f]{16}"),
    ],
)
def test_a_network_that_does_not_fit_is_refused(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    box = edition("lancashire", 3)
    path = small_file(tmp_path, box, **changes)
    with pytest.raises(BotError, match=f"small.npz does not fit this game: {words}"):
        make(f"net:file={path}", box)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda path: path.write_bytes(b"nothing"), "ValueError"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "BadZipFile"),
        (lambda path: path.unlink(), "FileNotFoundError"),
        (lambda path: np.savez(path, about=np.array("{")), "JSONDecodeError"),
    ],
)
def test_a_file_that_is_no_network_is_refused(damage: Any, words: str, tmp_path: Path) -> None:
    box = edition("lancashire", 3)
    path = small_file(tmp_path, box)
    damage(path)
    with pytest.raises(BotError, match=f"small.npz is not a network: {words}"):
        make(f"net:file={path}", box)


@pytest.mark.parametrize("changes", [{"width": 2 * WIDTH}, {"blocks": 3}, {"width": LANES + 1}])
def test_a_network_of_another_shape_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    box = edition("lancashire", 3)
    with pytest.raises(BotError, match=r"small.npz is not a network: \w+Error"):
        Network.read(small_file(tmp_path, box, **changes), box)


def test_a_file_keeps_the_weights_as_far_as_int8_goes(tmp_path: Path) -> None:
    box = edition("classic", 3)
    parts = small_parts(box)
    write_network(tmp_path / "small.npz", about(box), parts)
    with np.load(tmp_path / "small.npz") as archive:
        assert archive["enter.weight"].dtype == np.int8
        found = restored(dict(archive))
        assert json.loads(str(archive["about"])) == about(box)
    for name, part in parts.items():
        assert np.allclose(found[name], part, rtol=1e-6, atol=0)


# --- what a network computes ---------------------------------------------------------------------


def in_numpy(network: Network, seen: Any, legal: Any) -> Any:
    """What a network says, computed without compiled code."""
    rows = np.zeros((1, network.inputs + CHOICES), np.float32)
    rows[0, : network.inputs] = seen.astype(np.float32) / network.weights[: network.inputs]
    rows[0, network.inputs + np.array(legal)] = 1
    out = np.empty((1, CHOICES + FORECASTS), np.float32)
    sizes = (network.inputs, network.width, network.blocks)
    infer_plain(rows, 1, network.weights, *sizes, out)
    return out[0]


def look(mind: Mind, view: View) -> list[float]:
    """What a network says of a view."""
    assert view.seat is not None
    return mind.look(view.seat, view.position, view.legal)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_network_computes_the_same_bits_everywhere(kind: Edition, tmp_path: Path) -> None:
    """NumPy rounds after every operation; a processor's fused or reordered sums would differ."""
    network = Network.read(small_file(tmp_path, kind), kind)
    mind = Mind(kind, network)
    for number, view in enumerate(questions(Game(kind, seed=5))):
        if number % 20 == 0:
            expected = in_numpy(network, observation_of(kind, view), view.legal)
            assert look(mind, view) == expected.tolist()


def test_stored_outputs(tmp_path: Path) -> None:
    game = Game("birmingham", players=4, seed=7)
    network = Network.read(small_file(tmp_path, game.edition), game.edition)
    view = game.view(game.seat)
    found = look(Mind(game.edition, network), view)
    assert found[-FORECASTS:] == FORECAST
    assert max(view.legal, key=lambda choice: found[choice]) == LIKELIEST


# --- playing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_net_plays_its_likeliest_choice(kind: Edition) -> None:
    bot = make("net", kind)
    assert isinstance(bot, Net)
    for view in questions(Game(kind, seed=5)):
        scores = look(bot.mind, view)
        best = max(scores[choice] for choice in view.legal)
        assert scores[bot.choose(view, Clock())[0]] == best


def play(specs: list[str], kind: Edition, seed: int) -> Game:
    game = Game(kind, seed=seed)
    host = Host.of(specs, kind, seed)
    while not game.over:
        host.play(game)
    assert not host.forfeits
    return game


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_net_beats_greedy_bots(kind: Edition) -> None:
    """The games are the same every time, so this is no matter of luck."""
    vp = np.zeros(kind.players)
    for seed in range(4):
        game = play(["net", *["greedy"] * (kind.players - 1)], kind, seed)
        outcome = game.outcome()
        assert outcome is not None
        vp += [result.total for result in outcome.results]
    assert vp.argmax() == 0


# --- searching -----------------------------------------------------------------------------------


def test_the_same_seed_searches_the_same_way() -> None:
    kind = edition("lancashire", 2)
    actions = [
        [str(action) for action in play([f"net:worlds=2,seed={seed}", "net"], kind, 9).actions]
        for seed in (1, 1, 2)
    ]
    assert actions[0] == actions[1] != actions[2]


def test_choices_are_tried_alike_alone_and_together() -> None:
    game = Game("birmingham", players=3, seed=2)
    view = game.view(game.seat)
    mind = Mind(game.edition, packaged(game.edition))
    look(mind, view)
    choices = list(view.legal[:4])
    together = mind.try_out(choices, AT_ONCE, 3)
    assert together == [mind.try_out([choice], AT_ONCE, 3)[0] for choice in choices]


def test_a_search_tries_only_what_is_in_doubt() -> None:
    bot = make("net:worlds=4", edition("birmingham", 2))
    assert isinstance(bot, Net)
    with mock.patch.object(Mind, "try_out", side_effect=lambda choices, *_: [0.0] * len(choices)):
        searched = 0
        for view in questions(Game("birmingham", players=2, seed=1)):
            scores = look(bot.mind, view)
            best = max(scores[choice] for choice in view.legal)
            Mind.try_out.reset_mock()  # type: ignore[attr-defined]
            bot.choose(view, Clock())
            for call in Mind.try_out.mock_calls:  # type: ignore[attr-defined]
                if {*call.args[0]} <= {*view.legal}:  # otherwise a later question of the action
                    searched += 1
                    assert all(best - scores[choice] < DOUBT for choice in call.args[0])
        assert searched


def test_a_choice_that_turns_out_better_is_played() -> None:
    """In every position with doubts, here the highest number among the choices in doubt."""
    bot = make("net:worlds=4", edition("birmingham", 2))
    tried: list[list[int]] = []

    def try_out(choices: list[int], *_: int) -> list[float]:
        tried.append(choices)
        return [100.0 * (choice == max(tried[0])) for choice in choices]

    changed = 0
    with mock.patch.object(Mind, "try_out", side_effect=try_out):
        for view in questions(Game("birmingham", players=2, seed=1)):
            tried.clear()
            chosen = bot.choose(view, Clock())
            assert isinstance(chosen, tuple)
            if tried and {*tried[0]} <= {*view.legal}:
                assert chosen[0] == max(tried[0])
                changed += chosen[0] != tried[0][0]
    assert changed


def test_a_turn_takes_no_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only tries advance, 10 ms each."""
    now = 0.0

    def try_out(mind: Mind, choices: list[int], worlds: int, seed: int) -> list[float]:
        nonlocal now
        now += 0.01
        return [0.0] * len(choices)

    bot = make("net:1s", edition("birmingham", 2))
    spent: dict[tuple[str, int, int], float] = {}
    monkeypatch.setattr(Mind, "try_out", try_out)
    monkeypatch.setattr("brassmill.bots.planner.perf_counter", lambda: now)
    for view in questions(Game("birmingham", players=2, seed=1)):
        before = now
        if view.seat == 0:
            bot.choose(view, Clock())
        turn = (view.era, view.round, view.seat or 0)
        spent[turn] = spent.get(turn, 0.0) + now - before
    assert 0.5 < max(spent.values()) <= 1
