"""The home folder in `tests/data`, older than the rules stamp of stored games.

`python -m support.old_home` opens every game of `BRASSMILL_HOME` as a server does and prints what
it finds. It runs in its own process, so that a test can give it other rules.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.homes import make_home
from support.other_source import environment
from support.paths import TESTS

DATA = TESTS / "data"


def expected() -> dict[str, Any]:
    """Return the state of the games when the home folder was made."""
    facts: dict[str, Any] = json.loads(gzip.decompress((DATA / "old-home.json.gz").read_bytes()))
    return facts


def make_old_home(folder: Path) -> Path:
    """Copy the home folder as it was."""
    home = make_home(folder)
    database = sqlite3.connect(home / "table.sqlite3")
    database.executescript(gzip.decompress((DATA / "old-home.sql.gz").read_bytes()).decode())
    database.close()
    return home


def look(home: Path, source: Path | None = None, **more: str) -> dict[str, Any]:
    """Return what a process finds in a home folder; with other rules, if their source is given."""
    done = subprocess.run(
        [sys.executable, "-m", "support.old_home"],
        env=environment(source, BRASSMILL_HOME=str(home), DATABASE_URL="", LANGUAGE="en", **more),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def facts() -> dict[str, Any]:
    """Return every game, opened as a server opens it."""
    from brassmill.web.server import home, startup

    home.prepare()
    startup.wait()
    from brassmill.web.models import Table
    from brassmill.web.replay.record_views import record_text
    from brassmill.web.table import sessions
    from brassmill.web.table.session import BrokenLog
    from brassmill.web.table.survey import survey

    survey()
    found: dict[str, Any] = {}
    for table in Table.objects.order_by("pk"):
        kept = {"rules": table.rules, "misfit": table.misfit}
        try:
            session = sessions.get(table.pk)
        except BrokenLog:
            found[table.pk] = kept
            continue
        found[table.pk] = kept | {
            "position": session.game.position_text(),
            "actions": [action.text for action in session.game.actions],
            "summary": session.summary,
            "length": session.length,
            "turns": session.turns,
            "undoable": session.undoable,
            "marks": session.turn_starts,
            "bots": session.bots,
        }
        if not table.gathering:
            found[table.pk] |= {
                "spectator": record_text(session, None),
                "seat 0": record_text(session, 0),
            }
    return found


if __name__ == "__main__":
    print(json.dumps(facts()))
