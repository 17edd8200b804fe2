"""`brass scenario`: run or list scenario files."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS

if TYPE_CHECKING:
    from brassmill.scenario import Scenario


@click.command(help=COMMANDS["scenario"])
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--list", "only_list", is_flag=True, help="List the scenarios without running them.")
def scenario(paths: tuple[Path, ...], only_list: bool) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.scenario import BadScenario, find, read

    scenarios: list[Scenario] = []
    bad: list[str] = []
    for path in paths:
        with errors_naming(path):
            path.stat()  # fails if there is no such file
    for path in find(paths):
        try:
            scenarios.append(read(path))
        except BadScenario as error:
            bad.append(str(error))
    scenarios.sort(key=in_order)
    if not scenarios and not bad:
        raise click.ClickException(f"no scenario found in {', '.join(map(str, paths))}")
    if only_list:
        show_list(scenarios)
        failed = False
    else:
        warm_up_with_bar()
        failed = run_all(scenarios, bad)
    if only_list and bad:
        click.secho("\n".join(bad), fg="red", err=True)
    if failed or bad:
        sys.exit(1)


def in_order(scenario: Scenario) -> tuple[object, ...]:
    """Sort by id, with numbers in it by value: L-2 before L-10."""
    parts = re.split(r"(\d+)", scenario.id)
    return (*(int(part) if part.isdigit() else part for part in parts), str(scenario.path))


def show_list(scenarios: list[Scenario]) -> None:
    """Print one line per scenario: id, title, editions, rules."""
    width = max((len(scenario.id) for scenario in scenarios), default=0)
    for scenario in scenarios:
        editions, rules = ", ".join(scenario.editions), " ".join(scenario.rules)
        name = click.style(scenario.id.ljust(width), bold=True)
        click.echo(f"{name}  {scenario.title}  ({editions}; {rules})")


def run_all(scenarios: list[Scenario], bad: list[str]) -> bool:
    """Run every case, printing a dot for each, then report failures; return whether any failed."""
    from brassmill.scenario import run

    passed, failed = 0, []
    for scenario in scenarios:
        for case in scenario.cases:
            failures = run(case)
            click.echo("F" if failures else ".", nl=False, err=True)
            if failures:
                failed.append(failures)
            else:
                passed += 1
    click.echo(err=True)
    for failures in failed:
        for failure in failures:
            click.echo(f"{click.style('FAILED', fg='red')} {failure}\n")
    for words in bad:
        click.echo(f"{click.style('UNREADABLE', fg='red')} {words}\n")
    summary = f"{passed} passed, {len(failed)} failed"
    if bad:
        summary += f", {len(bad)} unreadable {'file' if len(bad) == 1 else 'files'}"
    click.secho(summary, fg="red" if failed or bad else "green")
    return bool(failed)
