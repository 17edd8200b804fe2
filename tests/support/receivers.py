"""Stand-ins for what receives notifications: a push service, and webhooks that misbehave."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import NamedTuple

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class Received(NamedTuple):
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[socket.socket], None]


def answering(data: bytes) -> Answer:
    def answer(line: socket.socket) -> None:
        line.sendall(data)

    return answer


class Receiver:
    """A server on this machine that keeps every request."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[Received] = []
        self.connections = 0
        self.answer = answer
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()

    def url(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/hook"

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                line, _address = self.listening.accept()
                self.connections += 1
                Thread(target=self._handle, args=[line], daemon=True).start()

    def _handle(self, line: socket.socket) -> None:
        with suppress(OSError), line:
            data = b""
            while b"\r\n\r\n" not in data:
                if not (chunk := line.recv(65_536)):
                    return
                data += chunk
            head, _blank, body = data.partition(b"\r\n\r\n")
            first, *rest = head.decode().split("\r\n")
            headers = {
                name.lower(): value for name, _colon, value in (row.partition(": ") for row in rest)
            }
            while len(body) < int(headers.get("content-length", 0)):
                body += line.recv(65_536)
            self.requests.append(Received(first.split()[1], headers, body))
            self.answer(line)


@contextmanager
def receiving(answer: Answer | None = None) -> Iterator[Receiver]:
    """Run a receiver; by default it answers 200."""
    receiver = Receiver(answer or answering(OK))
    try:
        yield receiver
    finally:
        receiver.listening.close()
