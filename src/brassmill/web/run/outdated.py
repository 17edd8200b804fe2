"""Stop the server when a newer version has upgraded its database, which this one would misread."""

from __future__ import annotations

import logging
import os
import signal

from brassmill.errors import BrassError
from brassmill.web.server import database, periodic, processes

ROUND = 2.0  # seconds between two looks

log = logging.getLogger("brassmill.web")


def run() -> None:
    """Look again and again whether this version may still use the database."""
    periodic.repeat(stop_if_outdated, ROUND)


def stop_if_outdated() -> None:
    """Stop all processes of this server once the database is a newer version's."""
    try:
        database.check_version()
    except BrassError as error:
        log.error("stopping: %s", error)
        # With several processes the parent stops them all, and would replace a single one.
        os.kill(os.getppid() if processes.number() > 1 else os.getpid(), signal.SIGTERM)
