"""`brass lessons`: list the lessons, or check lesson files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from brassmill.cli.files import errors_naming
from brassmill.cli.main import COMMANDS
from brassmill.language import in_language


@click.command(help=COMMANDS["lessons"])
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
def lessons(paths: tuple[Path, ...]) -> None:
    from brassmill.cli.progress import warm_up_with_bar
    from brassmill.lessons import lessons as built_in
    from brassmill.lessons import problems_of, read
    from brassmill.scenario import BadScenario, find

    if not paths:
        for lesson in built_in().values():
            click.echo(f"{click.style(lesson.id, bold=True)}  {in_language(lesson.title)}")
        return
    for path in paths:
        with errors_naming(path):
            path.stat()  # fails if there is no such file
    warm_up_with_bar()
    problems: list[str] = []
    for path in find(paths):
        try:
            for lesson in read(path):
                found = problems_of(lesson)
                problems += found
                problem = "1 problem" if len(found) == 1 else f"{len(found) or 'no'} problems"
                click.echo(f"{lesson.id}: {len(lesson.steps)} steps, {problem}")
        except BadScenario as error:
            problems.append(str(error))
    if problems:
        click.secho("\n".join(problems), fg="red", err=True)
        sys.exit(1)
