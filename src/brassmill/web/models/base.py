"""What several models need."""

from __future__ import annotations

import secrets

KEY = 32  # characters of a visitor's key


def token() -> str:
    """An unguessable identifier."""
    return secrets.token_urlsafe(9)


def key() -> str:
    """A visitor's key: it grants everything the visitor has."""
    return secrets.token_urlsafe(KEY)[:KEY]
