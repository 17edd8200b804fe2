"""Work that is done again and again, in a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import sleep

from django.db import Error, connection

log = logging.getLogger("brassmill.web")


def repeat(work: Callable[[], None], seconds: float) -> None:
    """Look round for ever; a database that does not answer is told of once, a fault each time."""
    answers = True
    while True:
        try:
            work()
            answers = True
        except Error as error:
            if answers:
                log.warning("the database does not answer: %s", error)
            answers = False
        except Exception:  # whatever it is, the next round may be better
            log.exception("something could not be looked after")
        finally:
            connection.close()
        sleep(seconds)
