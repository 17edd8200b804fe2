"""`brass serve`: the table in the browser."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import FrameType

import click

from brassmill.cli.main import COMMANDS
from brassmill.cli.options import one_language
from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _

LOCAL = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")  # all addresses of the machine
PORTS = range(8000, 8100)  # the first that is free, unless one is named
BACKLOG = 128  # browsers that wait while the site is loaded


@click.command(help=COMMANDS["serve"])
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=N_("The port.  [default: 8000, or the next that is free]"),
)
@click.option(
    "--host",
    default=LOCAL,
    show_default=True,
    help=N_("The address to listen at; 0.0.0.0 lets in whoever can reach this machine."),
)
@click.option("--no-browser", is_flag=True, help=N_("Do not open the browser."))
@one_language
def serve(port: int | None, host: str, no_browser: bool) -> None:
    listening = listen(host, PORTS if port is None else (port,))
    address = address_of(listening)
    click.echo(_("Brassmill is at {address} (Ctrl-C stops it).").format(address=address))
    if not no_browser:
        Thread(target=open_browser, args=[address], daemon=True, name="browser").start()
    prepare()
    run(listening, host)


# --- the port ------------------------------------------------------------------------------------


def listen(host: str, ports: range | tuple[int, ...]) -> socket.socket:
    """Listen at the first port that is free: a browser that comes early waits there."""
    for port in ports:
        try:
            return listen_at(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            words = _("{host}, port {port}: this machine cannot listen there ({reason})")
            reason = error.strerror or error
            raise BrassError(words.format(host=host, port=port, reason=reason)) from error
    raise BrassError(
        _(
            "port {port} is taken by another program: name another one, or leave --port out and a"
            " free one is found"
        ).format(port=ports[0])
    )


def listen_at(host: str, port: int) -> socket.socket:
    family, kind, protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two programs have the same port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def address_of(listening: socket.socket) -> str:
    """Where a browser on this machine finds it."""
    host, port = listening.getsockname()[:2]
    if host in EVERYWHERE:
        host = LOCAL
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def open_browser(address: str) -> None:
    """Open the page, unless the only browser would take the terminal."""
    graphical = sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if graphical:
        webbrowser.open(address)


# --- the home folder -----------------------------------------------------------------------------


def prepare() -> None:
    """The folder of the players: the secret key, and the database as this version wants it."""
    import django

    from brassmill.cli.shelf import home

    folder = home()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_key(folder / "secret.key")
    except OSError as error:
        words = _("the folder {folder} cannot be used: {reason}")
        raise BrassError(words.format(folder=folder, reason=error.strerror)) from error
    os.environ["DJANGO_SETTINGS_MODULE"] = "brassmill.web.settings"
    django.setup()
    prepare_database()


def prepare_database() -> None:
    """The database as this version wants it; only its owner can read it."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import DatabaseError

    file = Path(str(settings.DATABASES["default"]["NAME"]))
    try:
        file.touch(mode=0o600)
        call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
    except (DatabaseError, OSError) as error:
        words = _(
            "the database {file} cannot be used: {reason}. Move it away, and a new one is made."
        )
        raise BrassError(words.format(file=file, reason=error)) from error


def make_key(path: Path) -> None:
    """The key that signs the cookies; only its owner can read it, and it is made once."""
    if path.exists() and path.read_text().strip():
        return
    made = path.with_suffix(f".{os.getpid()}")
    with open(made, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(secrets.token_urlsafe(48))
    made.replace(path)  # whole or not at all


# --- the server ----------------------------------------------------------------------------------


def run(listening: socket.socket, host: str) -> None:
    """Serve until somebody stops it. The rules are compiled meanwhile."""
    import uvicorn
    from django.conf import settings

    from brassmill.web import streams
    from brassmill.web.asgi import application

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            streams.hub.close()  # or it would wait for the browsers
            super().handle_exit(sig, frame)

    if host in EVERYWHERE:
        settings.ALLOWED_HOSTS = ["*"]
    elif host not in settings.ALLOWED_HOSTS:
        settings.ALLOWED_HOSTS += [host]
    Thread(target=go_on, daemon=True, name="going on").start()
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    with suppress(KeyboardInterrupt):  # that is how it is stopped
        Server(config).run(sockets=[listening])
    click.echo()
    sys.stdout.flush()
    os._exit(0)  # threads that compile or think cannot be interrupted; what is done is kept


def go_on() -> None:
    """Compile, then let the bots go on where they were interrupted."""
    from brassmill.web import readiness

    readiness.wait()
    from brassmill.web import robots  # it loads the rules

    robots.wake_all()
