"""Names of players, compared as readers do."""

from __future__ import annotations

import unicodedata

LONGEST_LOGIN = 150  # characters, as for Django's users


def login_of(name: str) -> str:
    """Normalise a name for comparison: ignore case and how a letter was typed.

    An empty result means that no account can have this name.
    """
    plain = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return plain if plain.isprintable() and len(plain) <= LONGEST_LOGIN else ""
