"""`brass serve`: play in the browser."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import webbrowser
from contextlib import suppress
from threading import Thread
from types import FrameType
from typing import NoReturn

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.run import process
from brassmill.web.run.process import EVERYWHERE
from brassmill.web.server import home, mail_backend

LOCAL = "127.0.0.1"
ELSEWHERE = ("192.0.2.1", 9)  # an address reserved for documentation
PORTS = range(8000, 8100)  # the first free one, unless --port is given
BACKLOG = 128  # connections that wait while the site loads


@click.command(help=COMMANDS["serve"])
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=N_("Port to listen on.  [default: 8000, or the next free one]"),
)
@click.option(
    "--host",
    default=LOCAL,
    show_default=True,
    help=N_("Address to listen on; 0.0.0.0 admits anyone who can reach this machine."),
)
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help=N_("Number of processes; more than one needs PostgreSQL (DATABASE_URL)."),
)
@click.option("--no-browser", is_flag=True, help=N_("Do not open the browser."))
@one_language
def serve(port: int | None, host: str, processes: int, no_browser: bool) -> None:
    if processes > 1 and sys.platform == "win32":
        raise BrassError(_("Windows cannot share a port between processes: leave out --processes"))
    if processes > 1 and not os.environ.get("DATABASE_URL"):
        words = _("{number} processes need PostgreSQL: set DATABASE_URL or leave out --processes")
        raise BrassError(words.format(number=processes))
    listening = listen(host, PORTS if port is None else (port,))
    address = address_of(listening)
    if port is None and listening.getsockname()[1] != PORTS[0]:
        click.echo(_("Another program uses port {port}.").format(port=PORTS[0]))
    signal.signal(signal.SIGINT, stop_at_once)
    click.echo(
        _("Brassmill is running at {address} (stop it with Ctrl-C).").format(address=address)
    )
    if for_others := address_for_others(listening):
        click.echo(_("For others on your network: {address}").format(address=for_others))
    if not no_browser:
        Thread(target=open_browser, args=[address], daemon=True, name="browser").start()
    home.prepare()
    tell_of_mails()
    if processes > 1:
        from brassmill.web.run import supervisor

        with suppress(KeyboardInterrupt):
            supervisor.run(processes, listening, host)
    else:
        process.run(listening, host)
    click.echo()
    process.end()


def stop_at_once(_sign: int, _frame: FrameType | None) -> NoReturn:
    """Exit while everything is still loading.

    An exception would not do: Python swallows one raised inside a finalizer, and would wait for
    the compiling threads.
    """
    with suppress(OSError):  # stdout may be closed
        os.write(1, b"\n")
    os._exit(0)


def tell_of_mails() -> None:
    """Print where e-mails are saved, unless they are sent."""
    if folder := mail_backend.folder():
        words = _("E-mails are saved in {folder}; set BRASSMILL_EMAIL_URL to send them.")
        click.echo(words.format(folder=folder))


# --- the port ------------------------------------------------------------------------------------


def listen(host: str, ports: range | tuple[int, ...]) -> socket.socket:
    """Listen on the first free port, so that early browsers wait instead of failing."""
    for port in ports:
        try:
            return listen_at(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            words = _("cannot listen on {host}, port {port}: {reason}")
            reason = error.strerror or error
            raise BrassError(words.format(host=host, port=port, reason=reason)) from error
    raise BrassError(
        _("port {port} is in use; choose another, or leave out --port to use a free one").format(
            port=ports[0]
        )
    )


def listen_at(host: str, port: int) -> socket.socket:
    family, kind, protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows two programs could share the port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def address_of(listening: socket.socket) -> str:
    """The URL for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    return written(LOCAL if host in EVERYWHERE else host, port)


def address_for_others(listening: socket.socket) -> str:
    """The URL for other machines, as far as this one can tell; empty if they cannot connect."""
    host, port = listening.getsockname()[:2]
    if host not in EVERYWHERE:
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(ELSEWHERE)  # sends nothing: it only picks the route
        own: str = probe.getsockname()[0]
        return "" if own.startswith("127.") else written(own, port)
    return ""


def written(host: str, port: int) -> str:
    """A host and port as a URL."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def open_browser(address: str) -> None:
    """Open the page, unless the only browser would run in the terminal."""
    graphical = sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if graphical:
        webbrowser.open(address)
