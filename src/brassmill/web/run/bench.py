"""How long the server takes for a choice late in a game, and how much goes over the wire."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from brassmill.errors import BrassError

if TYPE_CHECKING:
    from django.test import Client

    from brassmill.editions import Edition
    from brassmill.play.host import Host
    from brassmill.web.table.session import TableSession

LATE = "rail"  # the era in which choices are timed
PLAYER = "greedy"  # says what is clicked


class Answer(NamedTuple):
    """What a click brought."""

    seconds: float  # of the processor: what else the machine does counts for nothing
    bytes: int  # compressed, as it goes over the wire


def measure_web(edition: Edition, seconds: float) -> dict[str, float]:
    """Clicks on tables of people, in the rail era, from the post to its compressed answer.

    The site has a home of its own for that, with the compiled rules of this machine in it.
    """
    from brassmill.rules import jit

    cache = jit.cache_root().resolve()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cache").symlink_to(cache, target_is_directory=True)
        os.environ["BRASSMILL_HOME"] = folder
        from brassmill.web.server import home, startup

        home.prepare()
        startup.wait()
        answers: list[Answer] = []
        while sum(answer.seconds for answer in answers) < seconds:
            answers += play(edition, seed=len(answers))
    times = [1000 * answer.seconds for answer in answers]
    sizes = [answer.bytes / 1000 for answer in answers]
    return {
        "web_choice_milliseconds": median(times),
        "web_choice_milliseconds_95": quantiles(times, n=20)[-1],
        "web_update_kilobytes": median(sizes),
        "web_update_kilobytes_95": quantiles(sizes, n=20)[-1],
    }


def play(edition: Edition, seed: int) -> list[Answer]:
    """A game in which everybody clicks what a bot would do: the answers to the late clicks."""
    from brassmill.play.host import Host

    session = set_table(edition, seed)
    clients = [browser(seat.holder) for seat in session.seats]
    host = Host.of([PLAYER] * edition.players, edition, seed)
    answers = []
    while not session.over:
        assert session.to_move is not None
        answer = click(session, clients[session.to_move], host)
        if session.game.era == LATE:
            answers.append(answer)
    host.close()
    return answers


def set_table(edition: Edition, seed: int) -> TableSession:
    """A table of people, each with a browser."""
    from brassmill.play.seating import read_seats
    from brassmill.web.models import Seat
    from brassmill.web.table import sessions
    from brassmill.web.table.create import create_table

    sitters = read_seats(",".join(("Ada", "Ben", "Cleo", "Dan")[: edition.players]))
    table = create_table(edition.name, edition.players, edition.options, sitters, seed=seed)
    for seat in Seat.objects.filter(table=table):
        seat.holder = seat.name
        seat.save()
    return sessions.get(table.id)


def browser(key: str) -> Client:
    """The browser of a visitor, who has the page already and takes compressed answers."""
    from django.conf import settings
    from django.contrib.sessions.backends.signed_cookies import SessionStore
    from django.test import Client

    session = SessionStore()
    session["visitor"] = key
    session.save()
    headers = {"HX-Request": "true", "Accept-Encoding": "gzip"}
    client = Client(SERVER_NAME="localhost", headers=headers)
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client


def click(session: TableSession, client: Client, host: Host) -> Answer:
    """A choice, or the end of the turn."""
    fields: dict[str, object] = {"number": session.number}
    deed = "end"
    if session.game.question != "turn over":
        deed, fields["choice"] = "choose", host.ask(session.game.copy())[0]
    length, began = session.length, thread_time()
    answer = client.post(f"/t/{session.table.id}/{deed}/", fields)
    took = thread_time() - began
    if session.length == length:
        raise BrassError(f"a click was not played: {answer.status_code}")
    return Answer(took, len(answer.content))
