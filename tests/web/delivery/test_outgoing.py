"""Attacks by addresses that visitors give: private networks, redirects, slow and huge answers."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_network
from typing import Any

import pytest
from django.conf import settings

from brassmill.errors import BrassError
from brassmill.web.delivery import outgoing
from brassmill.web.delivery.outgoing import Failed, Unsendable
from brassmill.web.server import network
from support.receivers import OK, answering, receiving

pytestmark = pytest.mark.usefixtures("site")

PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]
PRIVATE = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
    *("240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1"),
    *("2001:0:4136:e378:8000:63bf:3fff:fdd2", "nonsense", ""),
]


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator has named this machine."""
    monkeypatch.setattr(settings, "OUTGOING_NETWORKS", [ip_network("127.0.0.0/8")])


def names(monkeypatch: pytest.MonkeyPatch, *answers: Sequence[str]) -> list[str]:
    """Resolve every name to these addresses, one list after another; return what was asked."""
    asked: list[str] = []

    def look_up(host: str, port: int, **_wishes: Any) -> list[Any]:
        found = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(0, 0, 0, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert network.is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_other_address_is_public(address: str) -> None:
    assert not network.is_public(address) and not outgoing.is_allowed(address)


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1/", "ftp://example.org/", "javascript:alert(1)", "//example.org", ""),
        *("https://user:secret@example.org/", "https://", "https://exa mple.org:99999/"),
        *("https://[::1", f"https://example.org/{'x' * 3000}"),
    ],
)
def test_other_kinds_of_addresses_are_refused(url: str) -> None:
    with pytest.raises(BrassError):
        outgoing.target_of(url)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1"])
def test_nothing_connects_to_this_machine(host: str) -> None:
    with receiving() as receiver:
        with pytest.raises((Unsendable, Failed)):
            outgoing.post(f"https://{host}:{receiver.port}/", b"{}", {})
        assert receiver.connections == 0


def test_one_private_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, [PUBLIC[0], "10.0.0.1"])
    with pytest.raises(Unsendable):
        outgoing.post("https://hook.example/", b"{}", {})


def test_a_name_that_changes_gains_nothing(monkeypatch: pytest.MonkeyPatch, allowed: None) -> None:
    """The connection goes to the address that was checked: the name is resolved once."""
    with receiving() as receiver:
        asked = names(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
        assert outgoing.post(receiver.url("hook.example"), b"{}", {}) == 200
        assert asked == ["hook.example"]
        assert receiver.requests[0].headers["host"] == f"hook.example:{receiver.port}"
        with pytest.raises(Unsendable):  # from the next time on it is refused
            outgoing.post(receiver.url("hook.example"), b"{}", {})


def test_a_redirect_is_not_followed(allowed: None) -> None:
    with receiving() as inner:
        answer = f"HTTP/1.1 302 Found\r\nLocation: {inner.url()}\r\n\r\n".encode()
        with receiving(answering(answer)) as receiver:
            assert outgoing.post(receiver.url(), b"{}", {}) == 302
        assert inner.connections == 0


def test_an_answer_that_never_comes_is_not_waited_for(
    allowed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "SECONDS", 0.3)

    def silent(line: socket.socket) -> None:
        line.recv(1)  # until the other side gives up

    with receiving(silent) as receiver, pytest.raises(Failed, match="in time"):
        outgoing.post(receiver.url(), b"{}", {})


def test_an_answer_in_single_bytes_has_no_more_time(
    allowed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes soon, but all of them together too late."""
    now = 0.0

    def later() -> float:
        nonlocal now
        now += 1.0  # a second passes at every look at the clock
        return now

    def drip(line: socket.socket) -> None:
        while True:
            line.sendall(b"H")

    with receiving(drip) as receiver:
        monkeypatch.setattr(outgoing, "CHUNK", 1)
        monkeypatch.setattr(outgoing, "monotonic", later)
        with pytest.raises(Failed):
            outgoing.post(receiver.url(), b"{}", {})


def test_of_a_huge_answer_only_the_beginning_is_read(allowed: None) -> None:
    def flood(line: socket.socket) -> None:
        line.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            line.sendall(b"X-Filler: " + b"x" * 60_000 + b"\r\n")

    with receiving(flood) as receiver, pytest.raises(Failed):
        outgoing.post(receiver.url(), b"{}", {})

    def endless(line: socket.socket) -> None:
        line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            line.sendall(b"x" * 65_536)

    with receiving(endless) as receiver:
        assert outgoing.post(receiver.url(), b"{}", {}) == 200


def test_what_is_no_answer_is_a_failure(allowed: None) -> None:
    for data in (b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\0" * 100):
        with receiving(answering(data)) as receiver, pytest.raises(Failed):
            outgoing.post(receiver.url(), b"{}", {})


@pytest.mark.slow
def test_the_certificate_must_be_that_of_the_name(allowed: None) -> None:
    with receiving() as receiver, pytest.raises(Failed):
        outgoing.post(receiver.url().replace("http:", "https:"), b"{}", {})
    assert outgoing.trusted().check_hostname


def test_a_header_cannot_be_smuggled_in(allowed: None) -> None:
    with receiving(answering(OK)) as receiver:
        outgoing.post(f"{receiver.url()}?a=b%0d%0aX-Evil:1 c\td#x", b"{}", {})
        assert "x-evil" not in receiver.requests[0].headers
