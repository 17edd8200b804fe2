"""POST to an address that a visitor has given us, without being led into a private network.

The name is resolved once. If any of its addresses is not public, nothing is sent; otherwise the
connection goes to the very address that was checked, so a name that changes in between gains
nothing. Redirects are not followed. Everything together takes a few seconds at most, and of the
answer only the status is read.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from contextlib import closing
from ipaddress import ip_address
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import h11
from django.conf import settings

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.server import network

SECONDS = 10.0  # for everything: resolving, connecting, sending, the status
LARGEST = 64_000  # bytes read before the status
CHUNK = 16_384
LONGEST = 2000  # characters of an address


class Unsendable(Exception):  # noqa: N818 (the name says what it is)
    """The address may not be connected to."""


class Failed(Exception):  # noqa: N818
    """No answer, or none that says that it arrived; another attempt may succeed."""


class Destination(NamedTuple):
    """The parts of an address."""

    is_secure: bool
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """The host as a header names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.is_secure else 80
        return host if self.port == usual else f"{host}:{self.port}"


def target_of(url: str) -> Destination:
    """Read an address as typed; raise an error that says what is wrong."""
    fault = BrassError(_("This is not an address. It should begin with https://."))
    if len(url) > LONGEST:
        raise fault
    try:
        place = urlsplit(url.strip())
        host = (place.hostname or "").encode("idna").decode() if place.hostname else ""
        port = place.port
    except (ValueError, UnicodeError):
        raise fault from None
    if not host or place.username is not None or place.password is not None:
        raise fault
    if place.scheme != "https" and not (place.scheme == "http" and settings.OUTGOING_NETWORKS):
        raise fault
    is_secure = place.scheme == "https"
    path = quote(place.path or "/", safe="/%:@!$&'()*+,;=~-._")
    if place.query:
        path += "?" + quote(place.query, safe="/%:@!$&'()*+,;=~-._?")
    return Destination(is_secure, host, port or (443 if is_secure else 80), path)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a POST; return the status of the answer."""
    ends = monotonic() + SECONDS
    try:
        target = target_of(url)
    except BrassError as fault:
        raise Unsendable(str(fault)) from fault
    address = checked(resolved(target, ends))
    try:
        with closing(_connected(target, address, ends)) as line:
            return _exchange(line, target, body, headers, ends)
    except (OSError, h11.ProtocolError) as error:
        raise Failed(_reason(error)) from error


def resolved(target: Destination, ends: float) -> list[str]:
    """Return all addresses of a name."""
    found: list[str] = []
    faults: list[OSError] = []

    def look_up() -> None:
        try:
            for row in socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM):
                found.append(str(row[4][0]))
        except (OSError, UnicodeError) as error:
            faults.append(OSError(str(error)))

    thread = Thread(target=look_up, daemon=True, name="resolving")  # it cannot be interrupted
    thread.start()
    thread.join(max(0.0, ends - monotonic()))
    if thread.is_alive() or not found:
        raise Failed(N_("the name could not be resolved"))
    return list(found)


def checked(addresses: list[str]) -> str:
    """Return the address to connect to; every one of the name must be allowed."""
    if not addresses or not all(is_allowed(address) for address in addresses):
        raise Unsendable(N_("its address is not on the public internet"))
    return addresses[0]


def is_allowed(address: str) -> bool:
    """Is it public, or in a network that the operator has named?"""
    if network.is_public(address):
        return True
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return any(found in named for named in settings.OUTGOING_NETWORKS)


def _connected(target: Destination, address: str, ends: float) -> socket.socket:
    """Connect to the address that was checked; the name counts for the certificate only."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        line.settimeout(_left(ends))
        line.connect((address, target.port))
        if target.is_secure:
            line.settimeout(_left(ends))
            return trusted().wrap_socket(line, server_hostname=target.host)
    except BaseException:
        line.close()
        raise
    return line


def trusted() -> ssl.SSLContext:
    """The certificates of the system."""
    return ssl.create_default_context()


def _exchange(
    line: socket.socket, target: Destination, body: bytes, headers: Mapping[str, str], ends: float
) -> int:
    client = h11.Connection(h11.CLIENT)
    sent = [("Host", target.name), ("Content-Length", str(len(body))), ("Connection", "close")]
    sent += [("User-Agent", "Brassmill"), *headers.items()]
    request = h11.Request(method="POST", target=target.path, headers=sent)
    data = (client.send(request) or b"") + (client.send(h11.Data(data=body)) or b"")
    line.settimeout(_left(ends))
    line.sendall(data + (client.send(h11.EndOfMessage()) or b""))
    read = 0
    while True:
        event: Any = client.next_event()
        if isinstance(event, h11.Response):
            return int(event.status_code)
        if isinstance(event, h11.InformationalResponse):
            continue
        if event is not h11.NEED_DATA or read > LARGEST:
            raise Failed(N_("no answer that could be understood"))
        line.settimeout(_left(ends))
        chunk = line.recv(CHUNK)
        read += len(chunk)
        client.receive_data(chunk)


def _left(ends: float) -> float:
    left = ends - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _reason(error: Exception) -> str:
    """What is wrong, for the person who has given the address."""
    if isinstance(error, TimeoutError):
        return N_("no answer in time")
    if isinstance(error, ssl.SSLError):
        return N_("no secure connection")
    if isinstance(error, h11.ProtocolError):
        return N_("no answer that could be understood")
    return N_("no connection")
