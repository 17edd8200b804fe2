"""`brass puzzles`: mine puzzles from games, confirm them, show them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import Context, one_game, one_language
from brassmill.errors import BrassError, UnknownName
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brassmill.puzzles import Puzzle

SUBCOMMANDS = {
    "mine": N_("Let bots play each other, and look for puzzles in their games."),
    "check": N_("Confirm puzzles by a second run, and collect those that pass."),
    "show": N_("List the puzzles of the package, or show one with its solution."),
}


class PuzzleGroup(click.Group):
    """A group in the order of use, with translated help."""

    context_class = Context

    def list_commands(self, context: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.group(cls=PuzzleGroup, help=COMMANDS["puzzles"])
@one_language
def puzzles() -> None:
    """Each subcommand does the work."""


several_workers = click.option(
    "--workers",
    default=os.cpu_count() or 1,
    type=click.IntRange(min=1),
    help=N_("Processes that work at the same time.  [default: one per processor]"),
)


@puzzles.command(help=SUBCOMMANDS["mine"])
@one_game
@click.option(
    "--games", default=20, show_default=True, type=click.IntRange(min=1), help=N_("Games to play.")
)
@click.option("--seed", default=1, show_default=True, help=N_("Seed of the first game."))
@click.option(
    "--judged",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help=N_("Turns of each game to search, besides the last turns of the eras."),
)
@click.option(
    "--out",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=N_("File of the run; an interrupted run resumes from it.  [default: named after it]"),
)
@several_workers
@click.option("--ray", metavar="ADDRESS", help=N_("Work on the Ray cluster at this address."))
@one_language
def mine(
    name: str,
    players: int | None,
    options: dict[str, str],
    games: int,
    seed: int,
    judged: int,
    path: Path | None,
    workers: int,
    ray: str | None,
) -> None:
    from brassmill import editions
    from brassmill.arena.workers import Lost
    from brassmill.bots.network import packaged
    from brassmill.cli.progress import counting, warm_up_with_bar
    from brassmill.coach import COMPILED
    from brassmill.puzzles.mining import MiningSettings
    from brassmill.puzzles.store import MiningFile, counts, run
    from brassmill.rules.warmup import SEARCH

    table = editions.edition(name, players, **options)
    packaged(table)  # fails if there is no network for this game
    changed = dict(table.changed_options)
    settings = MiningSettings(table.name, table.players, changed, games, seed, judged)
    path = path or Path(f"puzzles-{table.name}-{table.players}.jsonl")
    warm_up_with_bar((*COMPILED, *SEARCH))
    lost = []
    with errors_naming(path):
        file = MiningFile(path, settings)
    with file:
        done = games - len(file.missing)
        runs = run(file, processes=workers, ray=ray)
        try:
            with closing(runs), counting(_("Mining games")) as progress:
                for mined in runs:
                    done += 1
                    progress(done, games)
                    if isinstance(mined, Lost):
                        lost.append(mined.game)
        except KeyboardInterrupt:
            click.echo(_("Run the same command again to resume."), err=True)
            sys.exit(INTERRUPTED)
        found = sum(len(one.puzzles) for one in file.mined)
        tried, thrown = counts(file.mined)
    words = ngettext("{number} puzzle in {path}.", "{number} puzzles in {path}.", found)
    click.echo(words.format(number=found, path=path))
    say_counts(_("Positions tried"), tried)
    say_counts(_("Thrown away"), thrown)
    for game in lost:
        words = _("Game {game} was abandoned: every worker that played it crashed.")
        click.echo(words.format(game=game), err=True)
    if lost:
        sys.exit(1)


def say_counts(title: str, counted: Counter[str]) -> None:
    """Print a heading and a line for each count."""
    if counted:
        click.echo(f"{title}:")
    for name, number in counted.most_common():
        click.echo(f"  {number:>5}  {name}")


@puzzles.command(help=SUBCOMMANDS["check"])
@click.argument("paths", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option(
    "--seed", type=click.IntRange(min=1), help=N_("Added to the seed of each puzzle's game.")
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=N_("Write the puzzles that pass to this file (.jsonl or .jsonl.gz)."),
)
@several_workers
@one_language
def check(paths: tuple[Path, ...], seed: int | None, out: Path | None, workers: int) -> None:
    from brassmill.arena import workers as processes
    from brassmill.cli.progress import counting, warm_up_with_bar
    from brassmill.coach import COMPILED
    from brassmill.puzzles.check import OTHER, Checked, nth, without_duplicates
    from brassmill.puzzles.puzzle import write
    from brassmill.rules.warmup import SEARCH

    given = list(puzzles_in(paths))
    unique = list(without_duplicates(given))
    kept = [one.puzzle for one in unique if not one.problem]
    warm_up_with_bar((*COMPILED, *SEARCH))
    passed: dict[int, Puzzle] = {}
    problems = [one for one in unique if one.problem]
    numbers = range(len(kept))
    runs = processes.play_all(partial(nth, kept, seed or OTHER), numbers, workers)
    with closing(runs), counting(_("Checking puzzles")) as progress:
        for done, one in enumerate(runs, 1):
            progress(done, len(kept))
            if not isinstance(one, Checked):
                raise BrassError(_("every worker that checked {id} crashed").format(id=one))
            if one.problem:
                problems.append(one)
            else:
                passed[one.number] = one.puzzle
    for one in problems:
        click.echo(f"{one.puzzle.kind} {one.puzzle.id}: {one.problem}", err=True)
    words = ngettext(
        "{passed} of {number} puzzle passes.", "{passed} of {number} puzzles pass.", len(given)
    )
    click.echo(words.format(passed=len(passed), number=len(given)))
    reasons = Counter(f"{one.puzzle.kind}: {one.problem.partition(':')[0]}" for one in problems)
    say_counts(_("Thrown away"), reasons)
    if out:
        with errors_naming(out):
            write(out, [passed[number] for number in sorted(passed)])
    elif problems:
        sys.exit(1)


def puzzles_in(paths: Sequence[Path]) -> Iterable[Puzzle]:
    """The puzzles of collections and mining runs; without files, those of the package."""
    from brassmill.puzzles import puzzles as packaged
    from brassmill.puzzles.puzzle import read
    from brassmill.puzzles.store import is_run, parse

    if not paths:
        yield from packaged().values()
    for path in paths:
        with errors_naming(path):
            if is_run(path):
                _settings, mined = parse(path.read_bytes())
                for one in sorted(mined, key=lambda one: one.game):
                    yield from one.puzzles
            else:
                yield from read(path)


@puzzles.command(help=SUBCOMMANDS["show"])
@click.argument("id", required=False)
@click.option("--solution", is_flag=True, help=N_("Show the best turn, too."))
@one_language
def show(id: str | None, solution: bool) -> None:  # noqa: A002 (the argument's name)
    from brassmill.puzzles import ExactAnswer
    from brassmill.puzzles import puzzles as packaged

    found = packaged()
    if id is None:
        for puzzle in found.values():
            click.echo(line_of(puzzle))
        return
    if id not in found:
        raise UnknownName("puzzle", id, list(found))
    puzzle = found[id]
    click.echo(line_of(puzzle))
    click.echo(puzzle.position.replace(" | ", "\n"))
    if not solution:
        return
    for action in puzzle.solution:
        click.echo(f"  {action}")
    answer = puzzle.answer
    if isinstance(answer, ExactAnswer):
        words = _(
            "{vp} VP; the next best turn reaches {next_vp} ({ways} of {turns} turns are best)"
        )
        numbers = {"ways": answer.ways, "turns": answer.turns}
        click.echo(words.format(vp=answer.vp, next_vp=answer.next_vp, **numbers))
    else:
        for compared in answer.compared[1:]:
            click.echo(f"  {-compared.loss:+.1f}  {' / '.join(compared.turn)}")


def line_of(puzzle: Puzzle) -> str:
    """A puzzle in one line."""
    name = click.style(puzzle.id, bold=True)
    game = f"{puzzle.edition} {puzzle.players}"
    where = f"{puzzle.era} {puzzle.round}"
    return f"{name}  {game:13} {where:9} {puzzle.kind:7} {puzzle.level}  {', '.join(puzzle.themes)}"
