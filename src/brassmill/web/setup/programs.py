"""Accounts that programs play with: everyone sees what they are, and hosts let them in."""

from __future__ import annotations

from brassmill.language import gettext as _
from brassmill.web.models import Account, Table

MOST_WAITING = 3  # tables of a program that wait for players


def is_program(key: str) -> bool:
    """Does a program play with this visitor's account?"""
    return bool(key) and Account.objects.filter(key=key, program=True).exists()


def program_words() -> str:
    """What is shown beside the name of a program."""
    return _("program")


def is_over_limit(key: str) -> bool:
    """Does a program fill the lobby?"""
    waiting = Table.objects.filter(host=key, gathering=True)
    return is_program(key) and waiting.count() >= MOST_WAITING
