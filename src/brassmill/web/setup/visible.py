"""Which letters a reader can see."""

from __future__ import annotations

import unicodedata

# Letters and a symbol without a shape: Hangul fillers and the empty Braille pattern.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def has_blank(text: str) -> bool:
    """Does it contain a letter without a shape? Two names must not look alike."""
    return not BLANK.isdisjoint(text)


def has_letter(text: str) -> bool:
    """Does it contain a letter or digit that can be seen?"""
    return any(unicodedata.category(letter)[0] in "LN" for letter in text if letter not in BLANK)


def is_visible(text: str) -> bool:
    """Does it contain anything that can be seen, such as an emoji?"""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text if letter not in BLANK)
