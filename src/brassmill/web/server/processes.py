"""How many processes serve this site on this machine (`run.supervisor` starts them)."""

from __future__ import annotations

import os

NUMBER = "BRASSMILL_PROCESSES"  # tells each how many they are


def number() -> int:
    """How many processes share the processors of this machine."""
    return int(os.environ.get(NUMBER, 1))
