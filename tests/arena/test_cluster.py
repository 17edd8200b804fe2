"""The arena on a real Ray cluster on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from brassmill.arena import match
from brassmill.arena.cluster import play_all
from brassmill.arena.match import Played
from brassmill.arena.workers import TRIES, Lost
from brassmill.errors import BrassError
from support.arena_games import Killing, refuse, schedule_of, without_times
from support.paths import TESTS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster with two processors."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS))  # the workers know these tests
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    yield cluster.address
    cluster.shutdown()  # type: ignore[no-untyped-call]


def test_a_worker_dies_and_every_game_is_counted_once(cluster: str, tmp_path: Path) -> None:
    """The results are those of a run without a cluster."""
    play = partial(match.play, schedule_of(2, "random", "random:seed=5", games=8), False)
    killing = Killing(play, game=3, times=1, folder=tmp_path)
    games = list(play_all(killing, range(8), cluster))
    assert (tmp_path / "death0").exists()
    found = {game.result.game: game.result for game in games if isinstance(game, Played)}
    assert len(games) == len(found) == 8
    for number in range(8):
        assert without_times(found[number]) == without_times(play(number).result)


def test_a_game_that_kills_every_worker_is_reported_and_the_others_continue(
    cluster: str, tmp_path: Path
) -> None:
    play = partial(match.play, schedule_of(2, "random", games=2), False)
    games = list(play_all(Killing(play, game=0, times=99, folder=tmp_path), range(2), cluster))
    assert len(list(tmp_path.glob("death*"))) == TRIES
    assert [game.game for game in games if isinstance(game, Lost)] == [0]
    assert [game.result.game for game in games if isinstance(game, Played)] == [1]


def test_a_cluster_without_machines_yet_is_waited_for(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray.cluster_resources", lambda: {"CPU": 0.0})  # as it says at first
    play = partial(match.play, schedule_of(2, "random", games=3), False)
    games = list(play_all(play, range(3), cluster))
    assert sorted(game.result.game for game in games if isinstance(game, Played)) == [0, 1, 2]


def test_an_error_ends_the_run_with_its_own_message(cluster: str) -> None:
    with pytest.raises(RuntimeError, match="game 0 is out of order"):
        list(play_all(refuse, range(1), cluster))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "127.0.0.1:99999", "a:b"])
def test_an_address_without_a_cluster_is_named(address: str) -> None:
    with pytest.raises(BrassError, match=address):
        list(play_all(refuse, range(1), address))
