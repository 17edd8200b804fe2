"""`brass arena`: play bots against each other on the same deals, with the seats rotated."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import one_clock, one_game, one_language
from brassmill.cli.shell import brass
from brassmill.errors import BrassError
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.arena.results import GameResult, Results, ResultsFile
    from brassmill.arena.schedule import Schedule
    from brassmill.bots.spec import Spec
    from brassmill.editions import Edition

NAME_LENGTH = 100  # characters in a default file name
SUFFIX = ".jsonl"
PAGES = (".html", ".htm")  # written by `brass report`, not by this command


@click.command(help=COMMANDS["arena"])
@one_game
@click.option(
    "--bots",
    required=True,
    metavar="BOT,BOT,...",
    help=N_("The bots, named as in `brass bots`; a single bot plays itself."),
)
@click.option(
    "--games",
    default=100,
    show_default=True,
    type=click.IntRange(min=1),
    help=N_("Number of games, rounded up so that every bot sits in every seat equally often."),
)
@click.option(
    "--seed", default=1, show_default=True, help=N_("Seed for the deals and for the bots.")
)
@one_clock
@click.option(
    "--out",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=N_("Results file; an interrupted run resumes from it.  [default: named after the bots]"),
)
@click.option(
    "--records",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help=N_("Save the record of every game in this folder."),
)
@click.option(
    "--workers",
    default=os.cpu_count() or 1,
    type=click.IntRange(min=1),
    help=N_("Games to play at the same time.  [default: one per processor]"),
)
@click.option("--ray", metavar="ADDRESS", help=N_("Play on the Ray cluster at this address."))
@click.option("--json", "as_json", is_flag=True, help=N_("Print the figures as JSON."))
@one_language
def arena(
    name: str,
    players: int | None,
    options: dict[str, str],
    bots: str,
    games: int,
    seed: int,
    clock: float,
    path: Path | None,
    records: Path | None,
    workers: int,
    ray: str | None,
    as_json: bool,
) -> None:
    from brassmill import editions
    from brassmill.arena.match import check_bots
    from brassmill.arena.results import ResultsFile
    from brassmill.bots import registry
    from brassmill.bots.spec import divide
    from brassmill.cli.progress import warm_up_with_bar

    if path and path.suffix.lower() in PAGES:
        raise BrassError(no_page(path))
    table = editions.edition(name, players, **options)
    specs = [registry.parse(spec) for spec in divide(bots)]
    schedule = schedule_of(table, specs, games, seed, clock)
    path = path or default_path(schedule)
    if records:
        with errors_naming(records):
            records.mkdir(parents=True, exist_ok=True)
    warm_up_with_bar(registry.compiled(specs))
    check_bots(schedule)
    with errors_naming(path):
        file = ResultsFile(path, schedule)
    if len(file.results.games) == schedule.games:
        say(_("All games were already in {path}: none was played.").format(path=path))
    with file:
        lost = play(file, workers, ray, records)
    show(path, as_json)
    for game in lost:
        words = _("Game {game} was abandoned: every worker that played it crashed.")
        say(words.format(game=game))
    if lost:
        sys.exit(1)


def no_page(path: Path) -> str:
    """Explain that results are not a page, and how to make one."""
    results = path.with_suffix(SUFFIX)
    return _(
        "--out takes a JSON Lines file such as {results}; to turn it into a page, run: {command}"
    ).format(results=results, command=brass("report", str(results)))


def schedule_of(
    table: Edition, specs: Iterable[Spec], games: int, seed: int, clock: float
) -> Schedule:
    """The games to play, in whole sets."""
    from brassmill.arena.schedule import Schedule

    bots = tuple(spec.text for spec in specs)
    wanted = Schedule(table.name, table.players, table.changed_options, bots, games, seed, clock)
    schedule = wanted.in_whole_sets()
    if schedule.games > games:
        words = _("Playing {games} games, so that every bot sits in every seat equally often.")
        say(words.format(games=schedule.games))
    return schedule


def default_path(schedule: Schedule) -> Path:
    """A file named after the edition, the players and the bots."""
    words = ("arena", schedule.edition, schedule.players, *schedule.bots)
    name = re.sub(r"[^\w.=]+", "-", "-".join(map(str, words)))
    return Path(f"{name[:NAME_LENGTH].rstrip('-')}{SUFFIX}")


def play(file: ResultsFile, workers: int, ray: str | None, records: Path | None) -> list[int]:
    """Play the missing games; return those that had to be abandoned."""
    from brassmill.arena.run import run
    from brassmill.arena.workers import Lost

    lost = []
    games = run(file, processes=workers, ray=ray, records=records)
    try:
        with closing(games), ProgressBar(file.results) as bar:
            for game in games:
                if isinstance(game, Lost):
                    lost.append(game.game)
                else:
                    bar.add(game)
    except KeyboardInterrupt:
        say_where(file.path)
        say(_("Run the same command again to resume."))
        sys.exit(INTERRUPTED)
    return lost


# --- output --------------------------------------------------------------------------------------


class ProgressBar:
    """Progress on stderr: games played, games per second, time left, and who leads."""

    def __init__(self, results: Results) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as TimeLeft

        self.results = results
        self.wins: Counter[str] = Counter()
        self.vp: dict[str, list[int]] = {bot: [] for bot in results.specs}
        for game in results.games.values():
            self._count(game)
        self.progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeLeft(),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        games = results.schedule.games
        self.task = self.progress.add_task("", total=games, completed=len(results.games), rate="")

    def __enter__(self) -> ProgressBar:
        self.progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.progress.stop()

    def add(self, game: GameResult) -> None:
        """Count one more game."""
        from brassmill.svg.chart import written

        self._count(game)
        speed = self.progress.tasks[self.task].speed
        rate = ""
        if speed:
            rate = _("{rate} games/s").format(rate=written(float(f"{speed:.2g}")))
        self.progress.update(self.task, advance=1, rate=rate, description=self.leaders())

    def _count(self, game: GameResult) -> None:
        for seat, player in enumerate(game.players):
            bot = self.results.bot(game, seat)
            self.vp[bot].append(player.vp)
            self.wins[bot] += player.rank == 1

    def leaders(self) -> str:
        """Each bot with its wins and mean VP."""
        from brassmill.cli.standings import short

        words = _("{bot} {wins} won, {vp:.0f} VP")
        return " · ".join(
            words.format(bot=short(bot), wins=self.wins[bot], vp=fmean(vp))
            for bot, vp in self.vp.items()
            if vp
        )


def show(path: Path, as_json: bool) -> None:
    """Print the figures of a run and where its results are."""
    from rich.console import Console

    from brassmill.arena.results import read
    from brassmill.arena.statistics import summary
    from brassmill.cli.standings import standings
    from brassmill.reports.arena import forfeited

    results = read(path)
    if results.games:
        found = summary(results)
        if as_json:
            click.echo(json.dumps(asdict(found), indent=2))
        else:
            Console().print(standings(found), markup=False)  # a bot's command may contain brackets
        for words in forfeited(found):
            say(words)
    say_where(path)


def say_where(path: Path) -> None:
    """Print how many games are saved, and where."""
    from brassmill.arena.results import read

    results = read(path)
    done, games = len(results.games), results.schedule.games
    words = ngettext(
        "{done} of {games} game saved in {path}.", "{done} of {games} games saved in {path}.", games
    )
    say(words.format(done=done, games=games, path=path))


def say(words: str) -> None:
    click.echo(words, err=True)
