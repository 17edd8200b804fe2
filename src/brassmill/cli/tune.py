"""`brass tune`: tune the bots' weights in games against each other."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import one_edition, one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.bots.tuning import Tuning, Validation
    from brassmill.editions import Edition

SAVED = 5  # generations between two saves
VALIDATED = 20  # generations between two validations
PAIR = re.compile(r"\[\s+(\S+),\s+(\S+)\s+\]")  # a weight, on one line


@click.command(help=COMMANDS["tune"])
@one_edition
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    help=N_("Minutes to run.  [default: until Ctrl-C]"),
)
@click.option(
    "--start",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=N_("Weights to start from.  [default: the bots' own]"),
)
@click.option(
    "--out",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=N_(
        "Weights file; an interrupted run resumes from it.  [default: named after the edition]"
    ),
)
@click.option(
    "--threads",
    default=os.cpu_count() or 1,
    type=click.IntRange(min=1),
    help=N_("Games to play at the same time.  [default: one per processor]"),
)
@click.option(
    "--width",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help=N_("Search whole turns: this many first actions, each with every possible second action."),
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    help=N_("Seed for the deals and for the bots."),
)
@one_language
def tune(
    name: str,
    players: int | None,
    minutes: float | None,
    start: Path | None,
    path: Path | None,
    threads: int,
    width: int,
    seed: int,
) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.editions import edition

    table = edition(name, players)
    path = path or Path(f"weights-{table.name}-{table.players}.json")
    warm_up_with_bar(("brassmill.bots.selfplay",))
    tuning = tuning_of(table, path, start, threads=threads, width=width, seed=seed)
    interrupted = False
    with tuning:
        try:
            go_on(tuning, path, minutes)
        except KeyboardInterrupt:
            interrupted = True
    save(tuning, path)
    words = _("Saved the weights of generation {number} in {path}.")
    say(words.format(number=tuning.generation, path=path))
    if interrupted:
        say(_("Run the same command again to resume."))
        sys.exit(INTERRUPTED)


def go_on(tuning: Tuning, path: Path, minutes: float | None) -> None:
    """Run generation after generation until the time is up."""
    from rich.console import Console

    from brassmill.svg.chart import written

    end = None if minutes is None else time.monotonic() + 60 * minutes
    console = Console(stderr=True)
    say(_("Playing generation {number}; Ctrl-C stops.").format(number=tuning.generation + 1))
    with console.status(_("Playing the first games")) as status:
        while end is None or time.monotonic() < end:
            points = tuning.step()
            words = _("generation {number}, {games} games: {points} VP")
            status.update(
                words.format(
                    number=tuning.generation, games=tuning.games, points=written(points, 1)
                )
            )
            if tuning.generation % VALIDATED == 0:
                console.print(
                    validation_words(tuning.generation, tuning.validate()), highlight=False
                )
            if tuning.generation % SAVED == 0:
                save(tuning, path)


def validation_words(generation: int, found: Validation) -> str:
    """The result of a validation in words."""
    from brassmill.reports.analysis import signed
    from brassmill.svg.chart import written

    words = _("generation {number}: {gain} ± {error} VP compared with the start, on new deals")
    return words.format(number=generation, gain=signed(found.gain), error=written(found.error, 1))


def say(words: str) -> None:
    click.echo(words, err=True)


# --- files ---------------------------------------------------------------------------------------


def state_of(path: Path) -> Path:
    """The file beside the weights with the state of the run."""
    name = path.name.removesuffix(".json")  # so that w.v1 and w.v2 stay apart
    return path.with_name(f"{name}.state.json")


def tuning_of(
    table: Edition, path: Path, start: Path | None, *, seed: int, width: int, threads: int
) -> Tuning:
    """Resume a tuning run, or start a new one."""
    from brassmill.bots.tuning import Tuning
    from brassmill.bots.weights import weights_for

    state = state_of(path)
    if state.exists():
        with errors_naming(state):
            if start is not None:
                raise BrassError(
                    _("a run has already started there; leave out --start or choose another --out")
                )
            found = read_json(state)
            check(found, settings_of(table) | {"seed": seed, "width": width})
            return Tuning.from_state(table, found, threads=threads)
    if path.exists() and start is None:
        words = _("{path} already exists; start from it with --start, or choose another --out")
        raise BrassError(words.format(path=path))
    weights = weights_for(table) if start is None else read_weights(start)
    return Tuning(table, weights, seed=seed, width=width, threads=threads)


def settings_of(table: Edition) -> dict[str, Any]:
    """The kind of game that weights are for."""
    return {"edition": table.name, "players": table.players}


def check(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse to resume a run with different settings."""
    for name, value in wanted.items():
        if found.get(name) != value:
            words = _(
                "{name} is {found} in the file but {wanted} here; choose another file with --out"
            )
            raise BrassError(words.format(name=name, found=found.get(name), wanted=value))


def read_json(path: Path) -> dict[str, Any]:
    """Read a file written by this command."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BrassError(_("this file was not written by brass tune"))
    return found


def read_weights(path: Path) -> Any:
    """Read weights from a file."""
    from brassmill.bots.weights import from_data

    with errors_naming(path):
        try:
            return from_data(read_json(path)["weights"])
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise BrassError(_("this file has no weights that the bots can use")) from error


def save(tuning: Tuning, path: Path) -> None:
    """Write the state of the run, then the weights with their settings."""
    from brassmill.bots.weights import to_data
    from brassmill.record.files import replacing

    settings = settings_of(tuning.edition)
    with errors_naming(path):
        with replacing(state_of(path)) as file:
            json.dump(settings | tuning.state, file)
        tuned = settings | {
            "seed": tuning.seed,
            "width": tuning.width,
            "generations": tuning.generation,
            "games": tuning.games,
            "weights": to_data(tuning.weights),
        }
        with replacing(path) as file:
            file.write(PAIR.sub(r"[\1, \2]", json.dumps(tuned, indent=1)) + "\n")
