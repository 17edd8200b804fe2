"""What the log may say of requests: no links to seats, and bad ones briefly."""

from __future__ import annotations

import logging
from time import monotonic
from traceback import walk_tb

QUIET = 10.0  # seconds between two messages of the same kind


class WithoutTokens(logging.Filter):
    """Name the route of a request instead of its path: a path may hold the link to a seat."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        path = getattr(request, "path", None)
        if path and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            route = f"/{match.route}" if match else "an unknown address"
            record.args = tuple(route if part == path else part for part in record.args)
        return True


class WithoutHealth(logging.Filter):
    """Leave out the answers of the health page: 503 is no error of that page."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        return not (path == "/health/" and getattr(record, "status_code", 0) == 503)


class Seldom(logging.Filter):
    """The same words only once in a while: clients can cause some of the server's warnings."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[object, float] = {}  # by words

    def filter(self, record: logging.LogRecord) -> bool:
        now = monotonic()
        if now - self.last.get(record.msg, -QUIET) < QUIET:
            return False
        self.last[record.msg] = now
        return True


class FaultsSeldom(logging.Filter):
    """The same fault only once in a while: a client may repeat what causes it."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[object, float] = {}  # by the kind of error and where it was raised

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info or not record.exc_info[2]:
            return True
        *_outer, (frame, line) = walk_tb(record.exc_info[2])
        fault, now = (record.exc_info[0], frame.f_code.co_filename, line), monotonic()
        if now - self.last.get(fault, -QUIET) < QUIET:
            return False
        self.last[fault] = now
        return True


class Brief(logging.Filter):
    """Bad requests in one line each, and not too many of them."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, float] = {}  # by logger

    def filter(self, record: logging.LogRecord) -> bool:
        now = monotonic()
        if now - self.last.get(record.name, -QUIET) < QUIET:
            return False
        self.last[record.name] = now
        record.exc_info = None
        return True
