"""What a command shows while the rules are compiled, on the first start on a machine."""

from __future__ import annotations

from brassmill.language import gettext as _


def warm_up_with_bar() -> None:
    """Load the compiled rules, or compile them with a progress bar on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from brassmill.warmup import is_cached, warm_up

    if is_cached():
        warm_up()
        return
    bar = Progress(
        TextColumn(_("Compiling the rules, once")),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.description}"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("")
        warm_up(
            lambda done, total, name: bar.update(
                task, completed=done, total=total, description=name.strip("_")
            )
        )
