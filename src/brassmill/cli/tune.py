"""`brass tune`: weights for the bots, from games of their own."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brassmill.cli.files import told_of
from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import one_box, one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.bots.tuning import Tuning, Validation
    from brassmill.editions import Edition

SAVED = 5  # generations between two savings
VALIDATED = 20  # generations between two validations
PAIR = re.compile(r"\[\s+(\S+),\s+(\S+)\s+\]")  # a weight, on one line


@click.command(help=COMMANDS["tune"])
@one_box
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    help=N_("How long to go on.  [default: until Ctrl-C]"),
)
@click.option(
    "--start",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=N_("The weights to begin with.  [default: those of the bots]"),
)
@click.option(
    "--out",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=N_("Where the weights go; a tuning that has begun goes on.  [default: by name]"),
)
@click.option(
    "--threads",
    default=os.cpu_count() or 1,
    type=click.IntRange(min=1),
    help=N_("Games played at the same time.  [default: one for each processor]"),
)
@click.option(
    "--width",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help=N_("Search whole turns: so many first actions with every second one."),
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    help=N_("Other deals, other chance."),
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
    words = _("The weights of generation {number} are in {path}.")
    say(words.format(number=tuning.generation, path=path))
    if interrupted:
        say(_("The same command goes on from there."))
        sys.exit(INTERRUPTED)


def go_on(tuning: Tuning, path: Path, minutes: float | None) -> None:
    """Generation after generation, until the time is over."""
    from rich.console import Console

    from brassmill.svg.chart import written

    end = None if minutes is None else time.monotonic() + 60 * minutes
    console = Console(stderr=True)
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
                console.print(told(tuning.generation, tuning.validate()), highlight=False)
            if tuning.generation % SAVED == 0:
                save(tuning, path)


def told(generation: int, found: Validation) -> str:
    """What a validation has shown."""
    from brassmill.reports.analysis import signed
    from brassmill.svg.chart import written

    words = _("generation {number}: {gain} ± {error} VP against the start, on new deals")
    return words.format(number=generation, gain=signed(found.gain), error=written(found.error, 1))


def say(words: str) -> None:
    click.echo(words, err=True)


# --- files ---------------------------------------------------------------------------------------


def state_of(path: Path) -> Path:
    """The file beside the weights that says how to go on."""
    name = path.name.removesuffix(".json")  # w.v1 and w.v2 are not the same
    return path.with_name(f"{name}.state.json")


def tuning_of(
    table: Edition, path: Path, start: Path | None, *, seed: int, width: int, threads: int
) -> Tuning:
    """A tuning that goes on, or a new one."""
    from brassmill.bots.tuning import Tuning
    from brassmill.bots.weights import weights_for

    state = state_of(path)
    if state.exists():
        with told_of(state):
            if start is not None:
                raise BrassError(
                    _("a tuning goes on there: leave --start out or name another --out")
                )
            found = read_json(state)
            check(found, settings_of(table) | {"seed": seed, "width": width})
            return Tuning.from_state(table, found, threads=threads)
    if path.exists() and start is None:
        words = _("{path} is there already: begin with it (--start), or name another --out")
        raise BrassError(words.format(path=path))
    weights = weights_for(table) if start is None else read_weights(start)
    return Tuning(table, weights, seed=seed, width=width, threads=threads)


def settings_of(table: Edition) -> dict[str, Any]:
    """What weights are for."""
    return {"edition": table.name, "players": table.players}


def check(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse to go on with another tuning."""
    for name, value in wanted.items():
        if found.get(name) != value:
            words = _("{name} is {found} there and {wanted} here; name another file with --out")
            raise BrassError(words.format(name=name, found=found.get(name), wanted=value))


def read_json(path: Path) -> dict[str, Any]:
    """What is in a file of ours."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BrassError(_("this is not a file that brass tune writes"))
    return found


def read_weights(path: Path) -> Any:
    """The weights in a file."""
    from brassmill.bots.weights import from_data

    with told_of(path):
        try:
            return from_data(read_json(path)["weights"])
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise BrassError(_("there are no weights for the terms of the bots")) from error


def save(tuning: Tuning, path: Path) -> None:
    """Write how to go on, and then the weights with what they were tuned with."""
    from brassmill.bots.weights import to_data
    from brassmill.record.files import replacing

    settings = settings_of(tuning.edition)
    with told_of(path):
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
