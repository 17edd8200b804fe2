"""The supervisor of several workers that share a socket and a database.

It serves nothing itself. It replaces a worker that dies, and stops all workers when it is stopped;
if it is killed, they stop by themselves.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import tempfile
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from time import monotonic, sleep
from types import FrameType

from django.db import connection
from prometheus_client.multiprocess import mark_process_dead

from brassmill.web.run import process as worker
from brassmill.web.server.processes import NUMBER

COUNTS = "PROMETHEUS_MULTIPROC_DIR"  # shared, so that any worker can report for all
PAUSE = 1.0  # seconds before a replacement starts, lest a broken worker restart in a tight loop
PATIENCE = 5.0  # seconds for all workers to stop

log = logging.getLogger("brassmill.web")


def run(number: int, listening: socket.socket, host: str) -> None:
    """Serve with several processes until stopped."""
    connection.close_pool()  # type: ignore[attr-defined]  # this process is done with the database
    with tempfile.TemporaryDirectory(prefix="brassmill-counts-") as counts:
        os.environ.update({NUMBER: str(number), COUNTS: counts})
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, _interrupt)
        workers: list[SpawnProcess] = []
        try:
            while len(workers) < number:
                workers.append(_start(listening, host))
            while True:
                wait([each.sentinel for each in workers])
                for place, each in enumerate(workers):
                    if not each.is_alive():
                        log.warning("process %s died: starting another", each.pid)
                        mark_process_dead(each.pid)  # type: ignore[no-untyped-call]
                        sleep(PAUSE)
                        workers[place] = _start(listening, host)
        except KeyboardInterrupt:
            _stop(workers)


def _start(listening: socket.socket, host: str) -> SpawnProcess:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=worker.run_as_one_of_several, args=[listening, host])
    process.start()
    return process


def _stop(workers: list[SpawnProcess]) -> None:
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)
    for each in workers:
        each.terminate()
    until = monotonic() + PATIENCE
    for each in workers:
        each.join(max(0.0, until - monotonic()))
        each.kill()


def _interrupt(_sign: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
