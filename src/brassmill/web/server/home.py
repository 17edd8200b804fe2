"""The home folder of a site: its secret key, its database and unsent e-mails."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import django

from brassmill.cli.saved_games import home
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.server import database, mail_backend


def prepare() -> None:
    """Create the home folder and the secret key if needed, and migrate the database."""
    folder = home()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.environ.get("BRASSMILL_SECRET_KEY"):
            make_key(folder / "secret.key")
    except OSError as error:
        words = _("cannot use the folder {folder}: {reason}")
        raise BrassError(words.format(folder=folder, reason=error.strerror)) from error
    os.environ["DJANGO_SETTINGS_MODULE"] = "brassmill.web.settings"
    django.setup()
    database.prepare()
    mail_backend.make_folder()


def make_key(path: Path) -> None:
    """Make the key that signs cookies, unless there is one."""
    if path.exists() and path.read_text().strip():
        return
    write_key(path, secrets.token_urlsafe(48))


def write_key(path: Path, key: str) -> None:
    """Write a key, readable by its owner only."""
    made = path.with_suffix(f".{os.getpid()}")
    with open(made, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(key)
    made.replace(path)  # atomically
