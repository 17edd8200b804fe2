"""A worker process: it serves pages, plays bots and listens for changes by other processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import FrameType
from typing import NoReturn

EVERYWHERE = ("0.0.0.0", "::")  # all addresses of the machine
SHUTDOWN = 1.0  # seconds for cleaning up at the end
# Python's own thresholds scan all tables in memory every few seconds: with 400, nobody was answered
# for up to 0.7 s.
GARBAGE = (10_000, 10, 100)


def run(listening: socket.socket, host: str) -> None:
    """Serve until stopped; the rules are plain Python until they are compiled or loaded."""
    import uvicorn
    from django.conf import settings

    from brassmill.rules import jit

    jit.start_plain()

    from brassmill.web.asgi import application
    from brassmill.web.run import connections
    from brassmill.web.table import live

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            listening.listen(connections.QUEUED)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            live.hub.close()  # or it would wait for the event streams
            self.should_exit = True  # nothing else: uvicorn's own handler raises the signal again

    if host in EVERYWHERE and not settings.NAMES:
        settings.ALLOWED_HOSTS = ["*"]
    else:  # browsers write an IPv6 address in brackets
        settings.ALLOWED_HOSTS += [f"[{host}]" if ":" in host else host]
    begin(work_in_background, "background")
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=1,
        http=connections.LimitedProtocol,
        limit_concurrency=connections.raise_limit(),
        backlog=connections.ACCEPTED,
    )
    Server(config).run(sockets=[listening])
    begin(give_back, "giving back").join(SHUTDOWN)  # do not wait for a dead database


def run_as_one_of_several(listening: socket.socket, host: str) -> None:
    """Serve as one of several processes, ending with the parent.

    It accepts connections once the compiled rules are loaded; until then the other processes serve.
    If they must be compiled first, which takes longer, it begins with plain Python.
    """
    import django

    from brassmill.rules import jit

    jit.start_plain()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets Ctrl-C too, and ends it
    django.setup()
    begin(end_with_parent, "parent")
    from brassmill.web.server import startup

    startup.start()
    startup.settle()
    run(listening, host)
    end()


def end() -> NoReturn:
    """End the process."""
    sys.stdout.flush()
    os._exit(0)  # compiling and thinking threads cannot be interrupted; their results are kept


def end_with_parent() -> None:
    """Stop when the parent process ends, for whatever reason."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def work_in_background() -> None:
    """Compile, listen to other processes, do what is due and resume the bots."""
    from brassmill.bots import elsewhere
    from brassmill.web.analysis import jobs
    from brassmill.web.delivery import queue as deliveries
    from brassmill.web.mail import queue
    from brassmill.web.run import old_rows, outdated
    from brassmill.web.server import database, notify, startup
    from brassmill.web.table import bots, due, live, sessions
    from brassmill.web.tournaments import rounds

    begin(outdated.run, "outdated")
    startup.start()
    startup.settle()
    if not startup.is_compiled():
        elsewhere.processes.start()
    begin(change_over, "changing over")

    handlers = {
        notify.MOVED: sessions.catch_up,
        notify.SAID: live.said,
        notify.SKIP: bots.hurry,
        notify.RELOAD: sessions.reload_all,
    }
    if database.is_shared():
        begin(lambda: notify.listen(handlers, sessions.catch_up_all), "notify")
    begin(due.run, "due")
    begin(rounds.run, "tournaments")
    begin(queue.run, "mail")
    begin(deliveries.run, "deliveries")
    begin(lambda: deliveries.run(to_slow=True), "slow deliveries")
    begin(old_rows.run, "old rows")
    begin(jobs.run, "analyses")
    if database.is_shared():
        bots.run()
    else:
        bots.run(lambda: notify.collect(handlers))


def change_over() -> None:
    """Do what waits for the compiled rules."""
    from brassmill.bots import elsewhere
    from brassmill.web.archive import filling
    from brassmill.web.server import startup
    from brassmill.web.table.survey import survey

    startup.wait()
    gc.freeze()  # what is loaded now stays: no need to scan it at every collection
    gc.set_threshold(*GARBAGE)
    if startup.is_compiled():
        elsewhere.processes.end()
    begin(filling.run, "archive")
    survey()


def give_back() -> None:
    """Release all leases, so that other processes take over bots and analyses at once."""
    from django.db import Error

    from brassmill.web.analysis import jobs
    from brassmill.web.table import leases

    with suppress(Error):
        leases.give_all_back()
        jobs.give_all_back()


def begin(work: Callable[[], None], name: str) -> Thread:
    """Start a daemon thread."""
    thread = Thread(target=work, daemon=True, name=name)
    thread.start()
    return thread
