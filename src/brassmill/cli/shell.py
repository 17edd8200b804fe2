"""Commands for a player to type in the shell."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

NAME = "brass"


def brass(*words: str) -> str:
    """A `brass` command that works in this shell.

    The shell finds `brass` only in an activated environment; otherwise its path is used, which is
    beside that of Python.
    """
    if shutil.which(NAME):
        return quoted([NAME, *words])
    script, here = Path(sys.executable).with_name(NAME), Path.cwd()
    if here in script.parents[1:]:  # shorter, and still contains the slash that a shell needs
        script = script.relative_to(here)
    return quoted([str(script), *words])


def quoted(words: Sequence[str]) -> str:
    """Words as the shell of this system takes them."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
