"""How e-mails are sent: by an SMTP server, or by default saved as files in the home folder."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.conf import settings
from django.core.mail.backends.filebased import EmailBackend

from brassmill.errors import BrassError
from brassmill.language import gettext as _

log = logging.getLogger("brassmill.web")

BACKENDS = "django.core.mail.backends"
FILES = "brassmill.web.server.mail_backend.PrivateFiles"
PORTS = {"smtp": 587, "smtps": 465}
PATIENCE = 20  # seconds for a server


class PrivateFiles(EmailBackend):
    """E-mails as files that only their owner can read: they contain seat and password links."""

    def open(self) -> bool:
        made = super().open()
        if made:
            os.chmod(self.stream.name, 0o600)
            log.warning("no mail server is set: saved an e-mail in %s", self.stream.name)
        return bool(made)


def settings_of(url: str, home: Path) -> dict[str, Any]:
    """Django's e-mail settings; an error says what is wrong with the URL."""
    if not url:
        return {
            "EMAIL_BACKEND": FILES,
            "EMAIL_FILE_PATH": home / "mails",
        }
    try:
        place = urlsplit(url)
        port = place.port
    except ValueError as error:
        raise BrassError(_wrong(str(error))) from error
    if place.scheme not in PORTS:
        raise BrassError(_wrong(_("it must begin with smtp:// or smtps://")))
    if not place.hostname:
        raise BrassError(_wrong(_("it names no server")))
    wishes = parse_qs(place.query, keep_blank_values=True)
    tls = wishes.pop("tls", ["0"])[-1]
    if wishes or tls not in ("0", "1"):
        raise BrassError(_wrong(_("after the ? only tls=1 or tls=0 is allowed")))
    if tls == "1" and place.scheme == "smtps":
        raise BrassError(_wrong(_("smtps:// is always encrypted: leave out tls=1")))
    return {
        "EMAIL_BACKEND": f"{BACKENDS}.smtp.EmailBackend",
        "EMAIL_HOST": place.hostname,
        "EMAIL_PORT": port or PORTS[place.scheme],
        "EMAIL_HOST_USER": unquote(place.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(place.password or ""),
        "EMAIL_USE_TLS": tls == "1",
        "EMAIL_USE_SSL": place.scheme == "smtps",
        "EMAIL_TIMEOUT": PATIENCE,
    }


def folder() -> str:
    """The folder where e-mails are saved; empty if they are sent."""
    return str(getattr(settings, "EMAIL_FILE_PATH", "")) if settings.EMAIL_BACKEND == FILES else ""


def make_folder() -> None:
    """Make that folder, private to its owner: e-mails contain seat and password links."""
    if kept := folder():
        Path(kept).mkdir(mode=0o700, parents=True, exist_ok=True)
        Path(kept).chmod(0o700)  # an older version may have made it


def forget(age: timedelta) -> None:
    """Delete e-mails of this age from that folder."""
    before = datetime.now() - age  # as the file system counts
    kept = Path(folder())
    for file in kept.iterdir() if folder() and kept.is_dir() else ():
        with suppress(FileNotFoundError):  # another process was faster
            if file.stat().st_mtime < before.timestamp():
                file.unlink()


def _wrong(reason: str) -> str:
    words = _("invalid BRASSMILL_EMAIL_URL: {reason}. Write smtp://NAME:PASSWORD@HOST:587/?tls=1")
    return words.format(reason=reason)
