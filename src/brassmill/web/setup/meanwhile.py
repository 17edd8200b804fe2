"""While the rules are plain Python: which bots wait, and which are replaced for now.

The host of a game chooses. The choice is forgotten when the server restarts on SQLite: then they
wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.cache import cache

from brassmill.bots.bot import BotError
from brassmill.bots.registry import plays_plain
from brassmill.web.server import startup

WAIT, REPLACE = "wait", "replace"
CHOICES = (WAIT, REPLACE)
STAND_IN = "expert"  # the strongest level that is quick enough
DAY = 24 * 3600


def replace_bots(table_id: str) -> None:
    """Let a weaker level play for bots that are not ready."""
    cache.set(_key(table_id), STAND_IN, DAY)


def waits(table_id: str, spec: str) -> bool:
    """Does a bot wait until the rules are compiled?"""
    return not is_quick(spec) and not _is_replaced(table_id)


def for_now(specs: Sequence[str]) -> list[str]:
    """The bots of a table, those that are not ready replaced."""
    return [spec if not spec or is_quick(spec) else STAND_IN for spec in specs]


def is_quick(spec: str) -> bool:
    """Can a bot play now?"""
    try:
        return startup.is_compiled() or plays_plain(spec)
    except BotError:  # from a package that is not installed: it forfeits its moves
        return True


def _is_replaced(table_id: str) -> bool:
    """Without compiled rules they would wait forever."""
    return bool(startup.progress().fault) or cache.get(_key(table_id)) is not None


def _key(table_id: str) -> str:
    return f"replaced-bots-{table_id}"
