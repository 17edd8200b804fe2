"""What a player can type in the shell."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

NAME = "brass"


def brass(*words: str) -> str:
    """A command of ours as it works here: the shell finds `brass` only in an activated environment.

    Otherwise it is said by its path, which is beside that of Python.
    """
    if shutil.which(NAME):
        return quoted([NAME, *words])
    script, here = Path(sys.executable).with_name(NAME), Path.cwd()
    if here in script.parents[1:]:  # shorter, and still with a slash in it, as a shell wants it
        script = script.relative_to(here)
    return quoted([str(script), *words])


def quoted(words: Sequence[str]) -> str:
    """Words as the shell of this system takes them."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
