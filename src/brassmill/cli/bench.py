"""`brass bench`: measure how fast the rules run and how long they take to compile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_game

if TYPE_CHECKING:
    from brassmill.batch.batch import Batch, Device
    from brassmill.core.playout import RandomGames
    from brassmill.editions import Edition

LABELS = {
    "games_per_second": "games per second",
    "choices_per_second": "choices per second",
    "microseconds_per_legal_list": "microseconds per legal list",
    "choices_per_game": "choices per game",
    "network_parameters": "network parameters",
    "batch_games": "games at once",
    "batch_threads": "threads",
    "batch_times_one_thread": "times as fast as on one thread",
    "batch_times_one_game": "times as fast as one game after another",
    "cold_compile_seconds": "cold compilation, seconds",
    "warm_start_seconds": "warm start to the first legal list, seconds",
    "greedy_games_per_second": "greedy bot games per second",
    "web_choice_milliseconds": "a late choice in the browser, milliseconds",
    "web_choice_milliseconds_95": "... 95% take less than",
    "web_choice_statements": "... statements besides BEGIN and COMMIT, at most",
    "web_update_kilobytes": "its response, compressed, kB",
    "web_update_kilobytes_95": "... 95% are smaller than",
}

WEB = "brassmill.web.run.bench"  # in a higher layer, so it is named but not imported

LISTS_AGAIN = 3

AT_ONCE = {"cpu": 1024, "cuda": 1 << 18}  # games of a batch
AT_ONCE_WITH_NETWORK = {"cpu": 1024, "cuda": 1 << 16}
TURN = 0.5  # seconds per turn when several are compared

# Both run in a fresh interpreter; the first one starts with an empty cache folder.
COLD = "from brassmill.rules.warmup import warm_up; warm_up()"
WARM = "import brassmill; len(brassmill.Game({name!r}, players={players}, seed=1).legal_choices())"


@click.command(help=COMMANDS["bench"])
@one_game
@click.option(
    "--seconds",
    default=5.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds to play for.",
)
@click.option("--no-starts", is_flag=True, help="Skip the compilation, which takes a minute.")
@click.option("--actions", is_flag=True, help="Pick complete actions instead of single choices.")
@click.option(
    "--bots", is_flag=True, help="Also play games of the greedy bot, compiled as a whole."
)
@click.option(
    "--threads", type=click.IntRange(min=1), help="Play many games at once on this many threads."
)
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="Play many games at once on this device; cuda is an NVIDIA GPU.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help="How many games at once.  [default: chosen for speed]",
)
@click.option(
    "--network",
    is_flag=True,
    help="Let a PyTorch network play many games at once, from full observations.",
)
@click.option("--web", is_flag=True, help="Only time choices at the table in the browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(
    name: str,
    players: int | None,
    options: dict[str, str],
    seconds: float,
    no_starts: bool,
    actions: bool,
    bots: bool,
    threads: int | None,
    device: Device | None,
    games: int | None,
    network: bool,
    web: bool,
    as_json: bool,
) -> None:
    from brassmill.editions import edition

    played = edition(name, players, **options)
    at_once = bool(threads or device or games or network)
    if (actions or bots) and (at_once or web):
        raise click.UsageError("--actions and --bots only work for the rules on one thread")
    if web and at_once:
        raise click.UsageError("--web cannot be combined with playing many games at once")
    if web:
        with stage("Playing in the browser"):
            figures = import_module(WEB).measure_web(played, seconds)
    elif network:
        figures = measure_network(played, seconds, device or "cpu", threads, games)
    elif at_once:
        figures = measure_batch(played, seconds, device or "cpu", threads, games)
    else:
        figures = measure_rules(played, seconds, actions)
        if bots:
            figures |= measure_greedy(played, seconds)
        if not no_starts:
            figures |= measure_starts(played.name, played.players)
    if as_json:
        game = {"edition": played.name, "players": played.players, "options": dict(played.options)}
        how = {"actions": actions, "device": device or "cpu"}
        click.echo(json.dumps(game | how | figures, indent=2))
    else:
        show(f"{played.title}, {played.players} players", figures)


# --- measuring -----------------------------------------------------------------------------------


def measure_rules(edition: Edition, seconds: float, actions: bool) -> dict[str, float]:
    """Measure random games, by choices or by complete actions."""
    from brassmill.core.playout import RandomGames

    table = RandomGames(edition)
    with stage("Compiling the games"):
        table.actions(0, 1) if actions else table.choices(0, 1, 0)
    with stage("Playing random games on one thread"):
        return measure_actions(table, seconds) if actions else measure_choices(table, seconds)


def measure_choices(table: RandomGames, seconds: float) -> dict[str, float]:
    """Measure random games, uniform over the legal choices.

    The time per list comes from playing the same games with extra lists at every choice.
    """
    games, elapsed = repeat(table.choices, seconds)
    table.counts[:] = 0
    plain = timed(table.choices, 0, games)
    choices = count_choices(table)
    listed = timed(table.choices, 0, games, LISTS_AGAIN)
    return {
        "games_per_second": games / min(plain, elapsed),
        "choices_per_second": choices / min(plain, elapsed),
        "microseconds_per_legal_list": (listed - plain) / choices / LISTS_AGAIN * 1e6,
        "choices_per_game": choices / games,
    }


def measure_actions(table: RandomGames, seconds: float) -> dict[str, float]:
    """Measure random games, uniform over complete actions; an action counts as one choice."""
    from brassmill.core.playout import ACTIONS

    games, elapsed = repeat(table.actions, seconds)
    table.counts[:] = 0
    elapsed = min(elapsed, timed(table.actions, 0, games))
    actions = int(table.counts[ACTIONS])
    return {
        "games_per_second": games / elapsed,
        "choices_per_second": actions / elapsed,
        "microseconds_per_legal_list": elapsed / actions * 1e6,
        "choices_per_game": actions / games,
    }


def measure_batch(
    edition: Edition, seconds: float, device: Device, threads: int | None, games: int | None
) -> dict[str, float]:
    """Measure random games played side by side."""
    from brassmill.batch import Batch
    from brassmill.core.engine import plain
    from brassmill.core.playout import FIRST_DRAWN, actions_of_a_game

    games = games or AT_ONCE[device]
    actions = plain(actions_of_a_game)(edition.board)
    with stage("Compiling the games"):
        batch = Batch(edition, games=games, device=device, threads=threads)
        batch.play_at_random()
        batch.wait()

    def play(first: int, rounds: int) -> None:
        batch.reset(first)
        for _ in range(rounds):
            batch.play_at_random(actions)
        batch.wait()

    with stage(f"Playing {games:,} random games at once ({device})"):
        rounds, elapsed = repeat(play, seconds, 1)
        elapsed = min(elapsed, timed(play, 0, rounds))  # the same games
    choices = int(batch.to_host("made").sum())
    ended = int((batch.to_host("seeds") // games).sum())
    running = int((batch.to_host("drawn") - FIRST_DRAWN).sum())  # choices of games not yet ended
    length = (choices - running) / ended
    figures = {
        "games_per_second": choices / length / elapsed,
        "choices_per_second": choices / elapsed,
        "choices_per_game": length,
        "batch_games": games,
        "batch_threads": batch.threads,
    }
    return figures | (measure_gain(batch, actions, seconds) if device == "cpu" else {})


def measure_gain(batch: Batch, actions: int, seconds: float) -> dict[str, float]:
    """How much faster a batch is than one thread, and than one game after another.

    The three take turns, so that other load on the machine slows them all alike. Each turn lasts a
    while, because an idle processor needs a moment to speed up. The result is the median over the
    rounds, so a single delayed turn changes nothing.
    """
    from brassmill.batch import Batch
    from brassmill.core.playout import RandomGames

    table, alone = RandomGames(batch.edition), Batch(batch.edition, games=len(batch), threads=1)
    together, thread, game = players = (
        Paced(lambda: batch.play_at_random(actions), lambda: int(batch.made.sum())),
        Paced(lambda: alone.play_at_random(actions), lambda: int(alone.made.sum())),
        Paced(lambda: table.choices(0, len(batch)), lambda: count_choices(table)),
    )
    with stage("Compiling the games"):
        table.choices(0, 1)
    with stage("Comparing with one thread, and with one game after another"):
        while max(player.elapsed for player in players) < seconds:
            for player in players if len(game.paces) % 2 else reversed(players):
                player.take_a_turn(min(TURN, seconds))
    gain = {"batch_times_one_thread": together.gain_on(thread)} if batch.threads > 1 else {}
    return gain | {"batch_times_one_game": together.gain_on(game)}


@dataclass
class Paced:
    """Something that makes choices, and its choices per second in each turn."""

    play: Callable[[], None]
    count: Callable[[], int]
    elapsed: float = 0.0
    paces: list[float] = field(default_factory=list)

    def take_a_turn(self, seconds: float) -> None:
        before, taken = self.count(), 0.0
        while taken < seconds:
            taken += timed(self.play)
        self.paces.append((self.count() - before) / taken)
        self.elapsed += taken

    def gain_on(self, other: Paced) -> float:
        """How many times as fast this was as another that took turns with it."""
        return median(own / its for own, its in zip(self.paces, other.paces, strict=True))


def measure_network(
    edition: Edition, seconds: float, device: Device, threads: int | None, games: int | None
) -> dict[str, float]:
    """Measure games played side by side in which a network makes every choice."""
    from brassmill.batch import Batch
    from brassmill.cli.network import BenchNetwork

    games = games or AT_ONCE_WITH_NETWORK[device]
    with stage("Compiling the games"):
        batch = Batch(edition, games=games, device=device, threads=threads)
        network = BenchNetwork(batch)
        network.step()
        batch.wait()

    def play(_first: int, steps: int) -> None:
        for _ in range(steps):
            network.step()
        batch.wait()

    with stage(f"A network plays {games:,} games at once ({device})"):
        steps, elapsed = repeat(play, seconds)
    return {
        "choices_per_second": steps * games / elapsed,
        "network_parameters": network.parameters,
        "batch_games": games,
        "batch_threads": batch.threads,
    }


def measure_greedy(edition: Edition, seconds: float) -> dict[str, float]:
    """Measure games of the greedy bot against itself."""
    from brassmill.bots.selfplay import GameRunner, WeightedPlayer
    from brassmill.bots.weights import weights_for

    runner, player = GameRunner(edition), WeightedPlayer(weights_for(edition))

    def play(first: int, games: int) -> None:
        runner.play([player], 0, range(first, first + games))

    with stage("Compiling the bots"):
        play(0, 1)
    with stage("Playing games of the greedy bot on one thread"):
        games, elapsed = repeat(play, seconds)
    return {"greedy_games_per_second": games / elapsed}


def count_choices(table: RandomGames) -> int:
    from brassmill.core.playout import CHOICES_MADE

    return int(table.counts[CHOICES_MADE])


def repeat(play: Callable[[int, int], None], seconds: float, games: int = 8) -> tuple[int, float]:
    """Play enough games to fill the time; return how many, and the time they took."""
    while True:
        elapsed = timed(play, 0, games)
        if elapsed >= seconds / 2:
            return games, elapsed
        games = max(games * 2, int(games * 0.6 * seconds / elapsed))


def timed(action: Callable[..., None], *arguments: object) -> float:
    start = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - start


def measure_starts(name: str, players: int) -> dict[str, float]:
    """Time a first start with an empty cache folder, and the next start."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.environ | {"BRASSMILL_HOME": folder}
        with stage("Compiling the rules into an empty cache"):
            cold = timed(run_python, COLD, home)
        with stage("Starting again"):
            code = WARM.format(name=name, players=players)
            run_python(code, home)
            warm = min(timed(run_python, code, home) for _ in range(3))
    return {"cold_compile_seconds": cold, "warm_start_seconds": warm}


def run_python(code: str, environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


# --- showing -------------------------------------------------------------------------------------


@contextmanager
def stage(words: str) -> Iterator[None]:
    """Show on stderr what is going on."""
    from rich.console import Console

    with Console(stderr=True).status(f"{words} ..."):
        yield


def show(title: str, figures: dict[str, float]) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(title=title, title_justify="left", show_header=False)
    grid.add_column("figure")
    grid.add_column("value", justify="right")
    for key, value in figures.items():
        whole = value >= 100 or isinstance(value, int)
        grid.add_row(LABELS[key], f"{value:,.0f}" if whole else f"{value:.2f}")
    Console().print(grid)
