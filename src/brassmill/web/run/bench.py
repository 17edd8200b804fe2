"""A benchmark: the server's time for a choice late in a game, its statements and its response."""

from __future__ import annotations

import gzip
import os
import re
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

from brassmill.errors import BrassError

if TYPE_CHECKING:
    from brassmill.editions import Edition
    from brassmill.play.host import Host
    from brassmill.web.table.session import TableSession

LATE = "rail"  # the era in which choices are timed
PLAYER = "greedy"  # the bot that decides what to click


class ClickResponse(NamedTuple):
    """The response to a click."""

    seconds: float  # processor time: other load on the machine does not count
    bytes: int  # compressed
    statements: int  # besides BEGIN and COMMIT
    is_choice: bool  # within a turn


class Browser:
    """A visitor's browser that has the page loaded: it keeps parts and accepts compression."""

    def __init__(self, key: str) -> None:
        from django.conf import settings
        from django.contrib.sessions.backends.signed_cookies import SessionStore
        from django.test import Client

        session = SessionStore()
        session["visitor"] = key
        session.save()
        headers = {"HX-Request": "true", "Accept-Encoding": "gzip"}
        self.client = Client(SERVER_NAME="localhost", headers=headers)
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
        self.digests = ""  # of the parts of the last response

    def post(self, address: str, fields: dict[str, object]) -> ClickResponse:
        """Post a form, and time the response."""
        from django.db import connection

        statements: list[str] = []

        def count(execute: Any, sql: str, *how: Any) -> Any:
            statements.append(sql)
            return execute(sql, *how)

        with connection.execute_wrapper(count):
            began = thread_time()
            response = self.client.post(address, fields, headers={"Brass-Parts": self.digests})
            took = thread_time() - began
        if response.status_code != 200:
            raise BrassError(f"a click was refused: status {response.status_code}")
        text = gzip.decompress(response.content).decode()
        self.digests = " ".join(re.findall("<!--part (.+?)-->", text))
        number = sum(not sql.startswith("BEGIN") for sql in statements)
        return ClickResponse(took, len(response.content), number, address.endswith("/choose/"))


def measure_web(edition: Edition, seconds: float) -> dict[str, float]:
    """Time clicks of people in the rail era, from the post to its compressed response.

    The site gets a temporary home that shares this machine's compiled rules.
    """
    from brassmill.rules import jit

    cache = jit.cache_root().resolve()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cache").symlink_to(cache, target_is_directory=True)
        os.environ["BRASSMILL_HOME"] = folder
        from brassmill.web.server import home, startup

        home.prepare()
        startup.wait()
        responses: list[ClickResponse] = []
        while sum(response.seconds for response in responses) < seconds:
            responses += play(edition, seed=len(responses))
    times = [1000 * response.seconds for response in responses]
    sizes = [response.bytes / 1000 for response in responses]
    return {
        "web_choice_milliseconds": median(times),
        "web_choice_milliseconds_95": quantiles(times, n=20)[-1],
        "web_choice_statements": max(each.statements for each in responses if each.is_choice),
        "web_update_kilobytes": median(sizes),
        "web_update_kilobytes_95": quantiles(sizes, n=20)[-1],
    }


def play(edition: Edition, seed: int) -> list[ClickResponse]:
    """Play a game in which people click what a bot would do; return the late responses."""
    from brassmill.play.host import Host

    session = set_table(edition, seed)
    browsers = [Browser(seat.holder) for seat in session.seats]
    host = Host.of([PLAYER] * edition.players, edition, seed)
    responses = []
    while not session.over:
        assert session.to_move is not None
        response = click(session, browsers[session.to_move], host)
        if session.game.era == LATE:
            responses.append(response)
    host.close()
    return responses


def set_table(edition: Edition, seed: int) -> TableSession:
    """A table of people, each with a browser."""
    from brassmill.play.seating import read_seats
    from brassmill.web.models import Seat
    from brassmill.web.table import sessions
    from brassmill.web.table.create import create_table

    participants = read_seats(",".join(("Ada", "Ben", "Cleo", "Dan")[: edition.players]))
    table = create_table(edition.name, edition.players, edition.options, participants, seed=seed)
    for seat in Seat.objects.filter(table=table):
        seat.holder = seat.name
        seat.save()
    return sessions.get(table.id)


def click(session: TableSession, browser: Browser, host: Host) -> ClickResponse:
    """Make a choice, or end the turn."""
    fields: dict[str, object] = {"number": session.number}
    move = "end"
    if session.game.question != "turn over":
        move, fields["choice"] = "choose", host.ask(session.game.copy())[0]
    length = session.length
    response = browser.post(f"/t/{session.table.id}/{move}/", fields)
    if session.length == length:
        raise BrassError("a click was refused")
    return response
