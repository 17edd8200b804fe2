"""The shelf: unfinished games, and the records of those that were played to the end.

A game on the shelf is how it began (edition, seats, seed) and every call since, in the words of
`notation/stored.py`. It is written anew,
in one step, after each of them, so that whatever ends the process, the game goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from platformdirs import user_data_path

from brassmill import saving
from brassmill.errors import BrassError
from brassmill.language import gettext as _

SUFFIX = ".game"
DAMAGED = ".damaged"
FIRST = re.compile(rb"brassmill 1 (\S*)")
VERSION = 2  # 2: calls in words, not by number; the rules, and a digest of the position


def home() -> Path:
    """Where everything is kept that belongs to the player."""
    named = os.environ.get("BRASSMILL_HOME")
    return Path(named) if named else user_data_path("brassmill", appauthor=False)


@dataclass
class Saved:
    """An unfinished game."""

    edition: str
    players: int
    options: dict[str, Any]
    seats: str
    seed: int
    # Stored words of choices (in version 1 numbers); none: the turn was passed on.
    calls: list[list[str | int]] = field(default_factory=list)
    era: str = "canal"
    round: int = 1
    began: str = ""
    played: str = ""  # when it was played last
    rules: str = ""  # the stamp of the rules by which it was played
    check: str = ""  # the digest of the position after the last call

    def pack(self) -> bytes:
        """As bytes that tell when they are damaged."""
        return saving.pack(saving.TERMINAL_GAME, VERSION, json.dumps(asdict(self)).encode())

    @classmethod
    def unpack(cls, data: bytes) -> Saved:
        """What was packed; an error says what is wrong."""
        try:
            body = _first(data) or saving.unpack(saving.TERMINAL_GAME, (VERSION,), data).body
        except saving.Kind:
            raise BrassError(_("this is not a saved game")) from None
        except saving.Version:
            raise BrassError(_("it was saved by another version of the program")) from None
        except saving.Damage:
            raise BrassError(_("it is damaged")) from None
        try:
            saved = cls(**json.loads(body))
            datetime.fromisoformat(saved.played)
            return saved
        except (ValueError, TypeError) as error:
            raise BrassError(_("it is damaged")) from error


def _first(data: bytes) -> bytes | None:
    """The body of a game that version 1 saved; None if it is none."""
    head, _newline, body = data.partition(b"\n")
    if not (match := FIRST.fullmatch(head)):
        return None
    if hashlib.sha256(body.removesuffix(b"\n")).hexdigest().encode() != match[1]:
        raise saving.Damage("damaged")
    return body


class Slot:
    """The place of one game on the shelf; while it is held, no other process plays the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = FileLock(path.with_suffix(".lock"))

    def hold(self) -> None:
        """Take the game from the shelf."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.lock.acquire(timeout=0)
        except Timeout:
            raise BrassError(_("this game is being played in another window")) from None

    def release(self) -> None:
        """Others may have it.

        The lock file goes first: once the lock is free, the file may be another's.
        """
        if self.lock.is_locked:
            with suppress(OSError):  # Windows removes it by itself, and lets nobody do so before
                Path(self.lock.lock_file).unlink()
        self.lock.release()

    def write(self, saved: Saved) -> None:
        """Keep the game as it is now; the file is always whole, the old one or the new one."""
        saved.played = datetime.now().isoformat(timespec="seconds")
        if not self.lock.is_locked:
            self.hold()
        draft = self.path.with_suffix(".new")
        with draft.open("wb") as file:
            file.write(saved.pack())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)

    def read(self) -> Saved:
        """The game as it was kept."""
        return Saved.unpack(self.path.read_bytes())

    def clear(self) -> None:
        """The game is over, or nobody wants it."""
        self.path.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """A game that cannot be read is kept, but not offered any more."""
        aside = self.path.with_suffix(DAMAGED)
        self.path.replace(aside)
        return aside


class Shelf:
    """All games of a player."""

    def __init__(self) -> None:
        self.folder = home() / "unfinished"
        self.games = home() / "games"

    def new_slot(self, edition: str) -> Slot:
        """A place for a new game."""
        return Slot(free_path(self.folder, edition, SUFFIX))

    def unfinished(self) -> list[tuple[Slot, Saved]]:
        """The games that can go on, the one played last first."""
        found = []
        for slot in self.slots():
            with suppress(BrassError, OSError):
                found.append((slot, slot.read()))
        return sorted(found, key=lambda game: game[1].played, reverse=True)

    def damaged(self) -> list[tuple[Slot, BrassError]]:
        """The games that cannot be read, and why."""
        found = []
        for slot in self.slots():
            try:
                slot.read()
            except BrassError as error:
                found.append((slot, error))
            except OSError:
                continue
        return found

    def slots(self) -> list[Slot]:
        return [Slot(path) for path in sorted(self.folder.glob(f"*{SUFFIX}"))]

    def record_path(self, edition: str) -> Path:
        """Where the record of a finished game goes."""
        return free_path(self.games, edition, ".brass")


def free_path(folder: Path, name: str, suffix: str) -> Path:
    """A file that is not there yet, named after the time."""
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{name}"
    path, number = folder / f"{stem}{suffix}", 2
    while path.exists() or path.with_suffix(".lock").exists():
        path, number = folder / f"{stem}-{number}{suffix}", number + 1
    return path
