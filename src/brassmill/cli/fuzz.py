"""`brass fuzz`: play random games and check every invariant."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import pairs

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from brassmill.batch.batch import Device
    from brassmill.batch.watch import WatchedGames
    from brassmill.core.playout import RandomGames
    from brassmill.editions import Edition, EditionInfo

BATCH = 50  # games between two updates of the progress bar
TWINS = 1 << 14  # games compared at a time
AT_LEAST_ONE = click.IntRange(min=1)


class FuzzReport(NamedTuple):
    """The result of the games of one edition."""

    edition: Edition
    games: int
    choices: int
    seconds: float
    problem: str


@click.command(help=COMMANDS["fuzz"])
@click.option("--edition", "names", multiple=True, help="Play only this edition; may be repeated.")
@click.option("--players", type=int, help="Play only with this number of players.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=pairs,
    help="Set this option where the edition has it.",
)
@click.option("--all-options", is_flag=True, help="Play every combination of options.")
@click.option(
    "--games",
    default=1000,
    show_default=True,
    type=AT_LEAST_ONE,
    help="Games of each kind to play.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the first game.")
@click.option(
    "--text",
    "as_text",
    is_flag=True,
    help="Write every action in every language, read it back and compare, instead of checking"
    " invariants.",
)
@click.option(
    "--threads",
    default=1,
    show_default=True,
    type=AT_LEAST_ONE,
    help="Kinds of game to play at the same time.",
)
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help="Where to play; cuda is an NVIDIA GPU.",
)
@click.option(
    "--twins",
    is_flag=True,
    help="Play the same games on one thread and on the device and compare, instead of checking"
    " invariants.",
)
def fuzz(
    names: tuple[str, ...],
    players: int | None,
    options: dict[str, str],
    all_options: bool,
    games: int,
    seed: int,
    as_text: bool,
    threads: int,
    device: Device,
    twins: bool,
) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    kinds = list(games_to_play(names, players, options, all_options))
    if not kinds:
        raise click.ClickException("no edition has these players and options; see `brass editions`")
    if as_text and (twins or device == "cuda"):
        raise click.UsageError("--text cannot be combined with --device cuda or --twins")
    play = compare if twins else watch
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        compiling = bar.add_task("compiling (first use only)", total=1)
        play(kinds[0], 1, seed, device, bar, compiling)  # before the threads need it
        tasks = [bar.add_task(str(kind), total=games) for kind in kinds]
        if as_text:
            sys.exit(1 if read_back(kinds, games, seed, threads, bar, tasks) else 0)
        with ThreadPoolExecutor(threads) as pool:
            runs = [
                pool.submit(play, kind, games, seed, device, bar, task)
                for kind, task in zip(kinds, tasks, strict=True)
            ]
            reports = [run.result() for run in runs]
    for report in reports:
        show(report)
    broken = sum(report.problem != "" for report in reports)
    total = sum(report.games for report in reports)
    what = "runs that differed" if twins else "broken invariants"
    click.echo(f"{total:,} games, {broken} {what}")
    if broken:
        sys.exit(1)


def read_back(
    kinds: list[Edition], games: int, seed: int, processes: int, bar: Progress, tasks: list[TaskID]
) -> bool:
    """Play the games through text and report; return whether any failed."""
    from brassmill.cli.roundtrip import tallies

    played = actions = broken = 0
    start = time.perf_counter()
    for number, tally in tallies(kinds, games, seed, processes):
        bar.advance(tasks[number], tally.games)
        played += tally.games
        actions += tally.actions
        if tally.failure:
            broken += 1
            failure = tally.failure
            click.echo(
                f"{click.style('BROKEN', fg='red')} {kinds[number]}, seed {failure.seed}, action"
                f" {failure.number}: {failure.text!r}: {failure.what}"
            )
    rate = actions / (time.perf_counter() - start)
    click.echo(f"{played:,} games, {actions:,} actions, {rate:,.0f}/s, {broken} broken texts")
    return bool(broken)


def games_to_play(
    names: tuple[str, ...], players: int | None, options: dict[str, str], all_options: bool
) -> Iterator[Edition]:
    """Every kind of game that was asked for."""
    from brassmill.editions import EDITIONS, edition

    for info in [EDITIONS[edition(name).name] for name in names] or EDITIONS.values():
        for count in info.players if players is None else [players]:
            if count not in info.players and not names:
                continue
            if all_options:
                yield from every_option(info, count)
            elif names or options.keys() <= {option.name for option in info.options}:
                yield edition(info.name, count, **options)


def every_option(info: EditionInfo, players: int) -> Iterator[Edition]:
    """Every combination of options that this number of players allows."""
    from brassmill.editions import edition
    from brassmill.errors import InvalidOption

    names = [option.name for option in info.options]
    for values in itertools.product(*(option.values for option in info.options)):
        try:
            yield edition(info.name, players, **dict(zip(names, values, strict=True)))
        except InvalidOption:
            continue  # not with these players, or not together


def watch(
    edition: Edition, games: int, seed: int, device: Device, bar: Progress, task: TaskID
) -> FuzzReport:
    """Play the games of one kind, batch by batch, until one breaks an invariant."""
    from brassmill.core.deal import SEEDS
    from brassmill.core.playout import CHOICES_MADE, GAMES

    table, batch = table_on(edition, device)
    start = time.perf_counter()
    while table.counts[GAMES] < games and table.broken_law() is None:
        done = int(table.counts[GAMES])
        table.watched((seed + done) % SEEDS, min(batch, games - done))
        bar.update(task, completed=int(table.counts[GAMES]))
    seconds = time.perf_counter() - start
    words = ""
    if broken := table.broken_law():
        words = f"{broken.law.name} after choice {broken.step} of the game of seed {broken.seed}"
    played, choices = int(table.counts[GAMES]), int(table.counts[CHOICES_MADE])
    return FuzzReport(edition, played, choices, seconds, words)


def table_on(edition: Edition, device: Device) -> tuple[RandomGames | WatchedGames, int]:
    """What plays and checks the games, and how many at a time."""
    if device == "cuda":
        from brassmill.batch.watch import SIDE_BY_SIDE, WatchedGames

        return WatchedGames(edition), SIDE_BY_SIDE
    from brassmill.core.playout import RandomGames

    return RandomGames(edition), BATCH


def compare(
    edition: Edition, games: int, seed: int, device: Device, bar: Progress, task: TaskID
) -> FuzzReport:
    """Play games of one kind to the end twice, comparing after every choice.

    Once on one thread and once on all of them, or once on the CPU and once on the GPU.
    """
    from brassmill.batch.batch import Batch
    from brassmill.batch.twins import Twins
    from brassmill.core.deal import SEEDS

    done = choices = 0
    words = ""
    start = time.perf_counter()
    while done < games and not words:
        first, batch = (seed + done) % SEEDS, min(TWINS, games - done)
        one = Batch(edition, games=batch, seed=first, threads=1 if device == "cpu" else None)
        other = Batch(edition, games=batch, seed=first, device=device)
        twins = Twins(one, other)
        while not words and (one.seeds - one.seeds.dtype.type(first) < batch).any():
            if found := twins.step():
                words = f"{found.what} differ after step {found.step} in row {found.game}"
        choices += int(one.made.sum())
        done += batch
        bar.update(task, completed=done)
    return FuzzReport(edition, done, choices, time.perf_counter() - start, words)


def show(report: FuzzReport) -> None:
    """Print one line, plus how to reproduce the problem, if any."""
    rate = report.games / report.seconds
    line = f"{report.edition}: {report.games:,} games, {report.choices:,} choices, {rate:,.0f}/s"
    if not report.problem:
        click.echo(f"{click.style('kept  ', fg='green')} {line}")
        return
    click.echo(f"{click.style('BROKEN', fg='red')} {line}")
    click.echo(f"       {report.problem}")
