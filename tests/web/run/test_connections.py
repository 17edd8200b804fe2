"""Connections are limited in number and in time, so that the server can always answer."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Semaphore, Thread
from typing import Any

import pytest
import uvicorn

from brassmill.web.run import connections
from support.homes import make_home
from support.serving import address_of

if sys.platform == "win32":
    pytest.skip("Windows does not limit descriptors", allow_module_level=True)

import resource

GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


HALF = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nhalf"
UPLOAD = b"POST /records/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n\r\n" + bytes(
    150_000
)
BUSY = GET.replace(b"/", b"/busy", 1)
LARGE = GET.replace(b"/", b"/large", 1)
SIZE = 20_000_000  # more than the system buffers


asked, left = Semaphore(0), Semaphore(0)


async def page(scope: Any, receive: Any, send: Any) -> None:
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.disconnect":
        return
    if scope["path"] == "/busy":
        asked.release()
        await receive()  # until the client leaves
        return
    body = bytes(SIZE) if scope["path"] == "/large" else b""
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
    if body:
        await receive()
        left.release()


@contextmanager
def server(**options: Any) -> Iterator[int]:
    """Serve an empty page on a free port."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        page, http=connections.LimitedProtocol, lifespan="off", log_level="critical", **options
    )
    made = uvicorn.Server(config)
    thread = Thread(target=made.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        made.should_exit = True
        thread.join()


def client(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port))
    made.settimeout(30)
    return made


def answer(to: socket.socket, sent: bytes = GET) -> bytes:
    """Return the status line; nothing if the server closes the connection."""
    try:
        to.sendall(sent)
        return to.recv(1000).partition(b"\r\n")[0]
    except ConnectionError:
        return b""


# --- time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
def test_a_request_that_does_not_come_is_not_waited_for(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADERS", 0.1)
    with server() as port, client(port) as slow:
        assert answer(slow, sent) == b""


def test_neither_is_the_next_one_on_the_same_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS", 0.1)
    with server() as port, client(port) as slow:
        assert answer(slow) == b"HTTP/1.1 200 OK"
        assert answer(slow, b"GET / HT") == b""


# --- work ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "status"), [(1, b"400 Bad Request"), (500, b"200 OK")])
def test_a_body_in_tiny_chunks_is_refused_at_once(size: int, status: bytes) -> None:
    """Each takes as long to read as a large one: five such clients used to stop the server."""
    chunk = b"%x\r\n%s\r\n" % (size, b"x" * size)
    head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    with server() as port, client(port) as sender:
        sender.sendall(head + 200 * chunk)
        if size > 1:
            sender.sendall(b"0\r\n\r\n")
        assert answer(sender, b"") == b"HTTP/1.1 " + status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (b"a: b\r\n" * 600, b"400 Bad Request"),
        (b"a: b\r\n" * 60, b"200 OK"),
        (b"a: %s\r\n" % (b"b" * 60_000), b"400 Bad Request"),
        (b"a: %s\r\n" % (b"b" * 8000), b"200 OK"),
    ],
)
def test_only_usual_headers_are_read(headers: bytes, status: bytes) -> None:
    with server() as port, client(port) as sender:
        for _ in range(2):  # one after the other on the same connection
            assert answer(sender, GET[:-2] + headers + b"\r\n") == b"HTTP/1.1 " + status
            if status != b"200 OK":
                break


def test_the_lines_of_a_body_are_not_headers() -> None:
    body = b"a line\n" * 10_000
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
    with server() as port, client(port) as sender:
        assert answer(sender, head + body) == b"HTTP/1.1 200 OK"


# --- number --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"", GET[:-2], HALF, GET, LARGE])
def test_a_new_connection_takes_the_place_of_one_whose_client_is_slow(sent: bytes) -> None:
    """Slow clients, however many, keep nobody out."""
    with server(limit_concurrency=4) as port, ExitStack() as opened:
        for _ in range(30):
            with suppress(ConnectionError):  # its place is taken already
                opened.enter_context(client(port)).sendall(sent)
        # Requests that lost their connections may still be ending.
        statuses = (answer(opened.enter_context(client(port))) for _ in range(100))
        assert b"HTTP/1.1 200 OK" in statuses
        for _ in range(10):
            assert answer(opened.enter_context(client(port))) == b"HTTP/1.1 200 OK"


def test_a_request_being_answered_keeps_its_connection_and_others_are_refused() -> None:
    with server(limit_concurrency=4) as port, ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(client(port)).sendall(BUSY)
            assert asked.acquire(timeout=30)
        for _ in range(10):
            refused = opened.enter_context(client(port))
            assert answer(refused) == b"HTTP/1.1 503 Service Unavailable"


def test_an_answer_that_is_not_read_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READING", 0.1)
    with server() as port, client(port) as slow:
        slow.sendall(LARGE)
        assert left.acquire(timeout=30)


def limit_in(soft: int, hard: int) -> tuple[int, int]:
    """Return what `raise_limit` does in a process with these limits on descriptors."""
    code = (
        "import resource; from brassmill.web.run.connections import raise_limit;"
        "print(raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
        capture_output=True,
        text=True,
        check=True,
    )
    most, now = found.stdout.split()
    return int(most), int(now)


@pytest.mark.parametrize(("soft", "hard", "now"), [(200, 200, 200), (200, 1000, 1000)])
def test_the_system_allows_more_descriptors_than_connections(
    soft: int, hard: int, now: int
) -> None:
    most, raised = limit_in(soft, hard)
    assert raised == now and most == now - connections.RESERVED - connections.CLOSED_AT_ONCE


@pytest.mark.slow
def test_a_server_with_few_descriptors_shows_pages_however_many_clients_are_slow(
    tmp_path: Path,
) -> None:
    """500 clients hold what they can: no connection fails to be accepted."""
    process = subprocess.Popen(
        [sys.executable, "-m", "brassmill", "serve", "--no-browser"],
        env={**os.environ, "LANGUAGE": "en", "BRASSMILL_HOME": str(make_home(tmp_path / "home"))},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        port = int(address_of(process).rpartition(":")[2])
        with client(port) as first:
            assert answer(first) == b"HTTP/1.1 200 OK"
        with ExitStack() as opened:
            for sent in [GET[:-2]] * 250 + [UPLOAD] * 250:
                with suppress(ConnectionError):  # its place is taken
                    opened.enter_context(client(port)).sendall(sent)
            with client(port) as another:
                assert answer(another) == b"HTTP/1.1 200 OK"
            for _ in range(100):
                with client(port) as broken:
                    assert answer(broken, b"\0\r\n\r\n") == b"HTTP/1.1 400 Bad Request"
        status = b""
        while status != b"HTTP/1.1 200 OK":
            with client(port) as another:
                status = answer(another)
    finally:
        process.send_signal(signal.SIGINT)
        said, _nothing = process.communicate(timeout=60)
    assert "Too many open files" not in said and "Traceback" not in said
    assert 1 <= said.count("Invalid HTTP request received") < 100, "clients do not fill the log"
