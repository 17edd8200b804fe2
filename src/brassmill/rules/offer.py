"""The list of legal choices in the scratch record."""

from __future__ import annotations

from brassmill.rules.jit import rule


@rule
def offer(work, choice):
    """Append a legal choice."""
    work.legal[int(work.legal_count)] = choice
    work.legal_count += 1
