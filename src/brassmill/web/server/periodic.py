"""Periodic work in a background thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import sleep

from django.db import Error, connection

log = logging.getLogger("brassmill.web")


def repeat(work: Callable[[], None], seconds: float) -> None:
    """Repeat some work forever; log a database outage once, any other failure every time."""
    is_up = True
    while True:
        try:
            work()
            is_up = True
        except Error as error:
            if is_up:
                log.warning("database not responding: %s", error)
            is_up = False
        except Exception:  # the next round may succeed
            log.exception("periodic work failed")
        finally:
            connection.close()
        sleep(seconds)
