"""`brass train`: train a network that plays."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import one_game, one_language
from brassmill.language import N_
from brassmill.language import gettext as _

STEPS = {
    "teacher": N_("Teacher games"),
    "imitation": N_("Imitation"),
    "league": N_("League"),
}


@click.command(help=COMMANDS["train"])
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@one_game
@click.option(
    "--settings",
    "path",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=N_("Settings that differ from the defaults (TOML)."),
)
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help=N_("Where to train: on the CPU or on an NVIDIA GPU."),
)
@click.option(
    "--start",
    metavar="FILE",
    help=N_("Begin with this file, or with 'packaged': the trained network of the game."),
)
@click.option(
    "--rival", metavar="FILE", help=N_("File of a trained network that also plays in the league.")
)
@one_language
def train(
    folder: Path,
    name: str,
    players: int | None,
    options: dict[str, str],
    path: Path | None,
    device: str,
    start: str | None,
    rival: str | None,
) -> None:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.editions import decided
    from brassmill.learn.settings import Settings
    from brassmill.learn.start import network_for
    from brassmill.rules.warmup import THINKING

    try:
        from brassmill.learn.run import Training
    except ImportError:
        raise click.ClickException(
            _("brass train needs PyTorch: pip install 'brassmill[learn]'")
        ) from None

    edition = decided(name, players, options)
    networks = [network_for(each, edition) if each else None for each in (start, rival)]
    training = Training(folder, edition, Settings.read(path), device, *networks)
    warm_up_with_bar(THINKING)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, TextColumn("{task.fields[words]}")) as bars:
            tasks = {
                step: bars.add_task(_(title), start=False, words="")
                for step, title in STEPS.items()
            }

            def report(step: str, done: int, total: int, words: str) -> None:
                bars.start_task(tasks[step])
                bars.update(tasks[step], completed=done, total=total, words=words)

            training.run(report)
    except KeyboardInterrupt:
        click.echo(_("Run the same command again to resume."), err=True)
        sys.exit(INTERRUPTED)
    found = training.network_file
    click.echo(_("Saved the network in {path}.").format(path=found))
    click.echo(_("Try it: {command}").format(command=f"brass play --seats you,net:file={found}"))
