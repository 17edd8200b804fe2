"""The stamp of the rules with which a stored game was last checked.

Two stamps differ when anything differs that could change a game: the version of the rules, the
vocabulary, the tables of the board, the order of a deal, the source of the rules. Another stamp
proves nothing yet: the game must be replayed and compared. What to do then:
`docs/contribute/when-a-rule-changes.md`.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path

from brassmill import rules
from brassmill.core.deal import Deal
from brassmill.editions.edition import Edition
from brassmill.rules.choices import KINDS
from brassmill.rules.version import RULES_VERSION

SEED = 1  # of the deal whose order is part of the stamp


@cache
def stamp_of(edition: Edition) -> str:
    """The stamp of the rules of an edition: `1-0123456789abcdef`."""
    total = blake2b(source().encode(), digest_size=8)
    for part in ([(kind.name, kind.size) for kind in KINDS], Deal.from_seed(edition, SEED).rows()):
        total.update(repr(part).encode())
    total.update(edition.board.tobytes())
    return f"{RULES_VERSION}-{total.hexdigest()}"


@cache
def source() -> str:
    """A digest of the source of the rules, so that a fix shows even without a new version."""
    total = blake2b(digest_size=16)
    for path in sorted(Path(rules.__path__[0]).glob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()
