"""The list of open choices in the scratch record."""

from __future__ import annotations

from brassmill.rules.jit import rule


@rule
def offer(work, choice):
    """Append an open choice."""
    work.legal[int(work.legal_count)] = choice
    work.legal_count += 1
