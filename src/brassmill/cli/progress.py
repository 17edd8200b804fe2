"""Progress bars for slow work: compiling, thinking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from brassmill.errors import BrassError, error_text
from brassmill.language import N_
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

GLANCE = 0.1  # seconds between two looks at the progress


def warm_up_with_bar(more: tuple[str, ...] = ()) -> None:
    """Load the compiled rules and `more` modules, or compile them with a progress bar on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from brassmill.rules import jit
    from brassmill.rules.warmup import is_cached, warm_up

    if is_cached(more):
        warm_up(more=more)
        return
    console = Console(stderr=True)
    if not console.is_terminal:  # it would show no bar
        console.print(_("Preparing the rules (first use only, half a minute) ..."))
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=1.0)

        def show(share: float, module: str) -> None:
            bar.update(task, completed=share, description=_(what_is_prepared(module)))

        if jit.starts_plain():
            join(more, show)
        else:
            warm_up(show, more)


def join(more: tuple[str, ...], show: Callable[[float, str], None]) -> None:
    """Wait for what is compiled in the background."""
    from brassmill.rules.background import compilation

    now = compilation(more)
    now.start()
    while not now.done.wait(GLANCE):
        show(now.share, now.module)
    if now.fault:
        words = _("the rules cannot be compiled: {reason}")
        raise BrassError(words.format(reason=error_text(now.fault))) from now.fault


def what_is_prepared(module: str) -> str:
    """What the module being compiled is for, in a player's words."""
    if module.startswith("brassmill.bots"):
        return N_("Preparing the opponents (first use only)")
    return N_("Preparing the rules (first use only)")


@contextmanager
def thinking() -> Iterator[Callable[[float], None]]:
    """A progress bar on stderr; call the result with the share done."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn(_("Thinking")), BarColumn(), TimeElapsedColumn())
    with _bar(*columns) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda share: bar.update(task, completed=share)


@contextmanager
def counting(words: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr with the time left; call the result with the count and the total."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with _bar(*columns) as bar:
        task = bar.add_task("")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _bar(*columns: ProgressColumn) -> Progress:
    """A progress bar that disappears when done, and is not shown in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    shown = sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)
