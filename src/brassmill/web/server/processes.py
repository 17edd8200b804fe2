"""How many processes serve this site on this machine (`run.supervisor` starts them)."""

from __future__ import annotations

import os

NUMBER = "BRASSMILL_PROCESSES"  # set for each of them


def number() -> int:
    """How many processes share this machine's cores."""
    return int(os.environ.get(NUMBER, 1))
