"""A worker: one process that serves pages, plays bots and hears what the others do."""

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
LOADING = 20.0  # seconds for rules that are compiled already, on a machine under load
LAST_WORDS = 1.0  # seconds for what is done at the end


def run(listening: socket.socket, host: str) -> None:
    """Serve until somebody stops it. The rules are compiled meanwhile."""
    import uvicorn
    from django.conf import settings

    from brassmill.web.asgi import application
    from brassmill.web.table import live

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            live.hub.close()  # or it would wait for the browsers
            self.should_exit = True  # and no more: else it sends itself the signal again at its end

    if host in EVERYWHERE and not settings.NAMES:
        settings.ALLOWED_HOSTS = ["*"]
    elif host not in settings.ALLOWED_HOSTS:
        settings.ALLOWED_HOSTS += [host]
    begin(go_on, "going on")
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    Server(config).run(sockets=[listening])
    begin(give_back, "giving back").join(LAST_WORDS)  # a database that is gone is not waited for


def run_as_one_of_several(listening: socket.socket, host: str) -> None:
    """The same in a process of its own, which ends with the one that started it.

    It opens its door when the rules are loaded: meanwhile others can serve, and would not have to
    send anybody away. Where they are compiled first, which takes longer, it says how far that is.
    """
    import django

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it hears Ctrl-C too, and ends it
    django.setup()
    begin(end_with_parent, "parent")
    from brassmill.web.server import startup

    startup.wait(LOADING)
    run(listening, host)
    end()


def end() -> NoReturn:
    """End the process."""
    sys.stdout.flush()
    os._exit(0)  # threads that compile or think cannot be interrupted; what is done is kept


def end_with_parent() -> None:
    """Stop when the process that started this one is gone, whatever ended it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def go_on() -> None:
    """Compile, then hear what other processes do and let the bots go on wherever they stopped."""
    from brassmill.web.server import database, notify, startup
    from brassmill.web.table import live

    startup.wait()
    from brassmill.web.mail import queue  # they load the rules
    from brassmill.web.table import bots, due, sessions  # they load the rules
    from brassmill.web.table.survey import survey

    gc.freeze()  # what was loaded stays: it need not be looked through again and again

    hearers = {
        notify.MOVED: sessions.catch_up,
        notify.SAID: live.said,
        notify.SKIP: bots.hurry,
        notify.ANEW: sessions.reload_all,
    }
    if database.is_shared():
        begin(lambda: notify.listen(hearers, sessions.catch_up_all), "notify")
    begin(due.run, "diary")
    begin(queue.run, "post")
    begin(survey, "comparing games")
    if database.is_shared():
        bots.run()
    else:
        bots.run(lambda: notify.collect(hearers))


def give_back() -> None:
    """Let others play the bots at once."""
    from django.db import Error

    from brassmill.web.table import leases

    with suppress(Error):
        leases.give_all_back()


def begin(work: Callable[[], None], name: str) -> Thread:
    """Do something beside all else; it does not keep the process alive."""
    thread = Thread(target=work, daemon=True, name=name)
    thread.start()
    return thread
