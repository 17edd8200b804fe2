"""Saved games: unfinished games, and the records of finished ones.

A saved game consists of its start (edition, seats, seed or deal) and every move since, in the words
of `notation/stored.py`. The file is replaced atomically after each move, so the game can be resumed
however the process ends.
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
# 2: moves in words, not by number; the rules, and a digest of the position.
# 3: a random game has a deal and a key for its bots instead of a seed.
VERSION = 3
READABLE = (2, VERSION)  # and version 1, which began differently


def home() -> Path:
    """The folder for everything that belongs to the player."""
    named = os.environ.get("BRASSMILL_HOME")
    return Path(named) if named else user_data_path("brassmill", appauthor=False)


@dataclass
class SavedGame:
    """An unfinished game."""

    edition: str
    players: int
    options: dict[str, Any]
    seats: str
    seed: int | None  # the chosen one; None if the deal is random
    # Stored words of choices (numbers in version 1); an empty move ended the turn.
    calls: list[list[str | int]] = field(default_factory=list)  # the moves, under their stored name
    era: str = "canal"
    round: int = 1
    began: str = ""
    played: str = ""  # when it was played last
    rules: str = ""  # the stamp of the rules it was played with
    check: str = ""  # the digest of the position after the last move
    deal: dict[str, Any] | None = None  # of a random game
    bot_key: str = ""  # of a random game: 128 bits for its bots, unrelated to the deal

    def pack(self) -> bytes:
        """As bytes with a checksum."""
        return saving.pack(saving.TERMINAL_GAME, VERSION, json.dumps(asdict(self)).encode())

    @classmethod
    def unpack(cls, data: bytes) -> SavedGame:
        """Read packed bytes; an error says what is wrong."""
        try:
            body = _first(data) or saving.unpack(saving.TERMINAL_GAME, READABLE, data).body
        except saving.WrongKind:
            raise BrassError(_("this is not a saved game")) from None
        except saving.WrongVersion:
            raise BrassError(_("it was saved by another version of the program")) from None
        except saving.Damaged:
            raise BrassError(_("it is damaged")) from None
        try:
            saved = cls(**json.loads(body))
            datetime.fromisoformat(saved.played)
            if saved.seed is None:
                int(saved.bot_key, 16)
            return saved
        except (ValueError, TypeError) as error:
            raise BrassError(_("it is damaged")) from error


def _first(data: bytes) -> bytes | None:
    """The body of a game saved by version 1; None if it is not one."""
    head, _newline, body = data.partition(b"\n")
    if not (match := FIRST.fullmatch(head)):
        return None
    if hashlib.sha256(body.removesuffix(b"\n")).hexdigest().encode() != match[1]:
        raise saving.Damaged("damaged")
    return body


class GameFile:
    """The file of one saved game; while it is held, no other process plays the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = FileLock(path.with_suffix(".lock"))

    def hold(self) -> None:
        """Lock the game for this process."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.lock.acquire(timeout=0)
        except Timeout:
            raise BrassError(_("this game is being played in another window")) from None

    def release(self) -> None:
        """Unlock the game."""
        saving.release(self.lock)

    def write(self, saved: SavedGame) -> None:
        """Save the game as it is now, replacing the file atomically."""
        saved.played = datetime.now().isoformat(timespec="seconds")
        if not self.lock.is_locked:
            self.hold()
        draft = self.path.with_suffix(".new")
        with draft.open("wb") as file:
            file.write(saved.pack())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)

    def read(self) -> SavedGame:
        """The game as it was saved."""
        return SavedGame.unpack(self.path.read_bytes())

    def clear(self) -> None:
        """Delete the saved game."""
        self.path.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Rename a game that cannot be read, so that it is no longer offered."""
        aside = self.path.with_suffix(DAMAGED)
        self.path.replace(aside)
        return aside


class SavedGames:
    """All saved games of a player."""

    def __init__(self) -> None:
        self.folder = home() / "unfinished"
        self.games = home() / "games"

    def new_file(self, edition: str) -> GameFile:
        """A file for a new game."""
        return GameFile(free_path(self.folder, edition, SUFFIX))

    def unfinished(self) -> list[tuple[GameFile, SavedGame]]:
        """The games that can be resumed, most recent first."""
        found = []
        for file in self.files():
            with suppress(BrassError, OSError):
                found.append((file, file.read()))
        return sorted(found, key=lambda game: game[1].played, reverse=True)

    def damaged(self) -> list[tuple[GameFile, BrassError]]:
        """The games that cannot be read, and why."""
        found = []
        for file in self.files():
            try:
                file.read()
            except BrassError as error:
                found.append((file, error))
            except OSError:
                continue
        return found

    def files(self) -> list[GameFile]:
        return [GameFile(path) for path in sorted(self.folder.glob(f"*{SUFFIX}"))]

    def record_path(self, edition: str) -> Path:
        """Where the record of a finished game goes."""
        return free_path(self.games, edition, ".brass")


def free_path(folder: Path, name: str, suffix: str) -> Path:
    """An unused file name, based on the time."""
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{name}"
    path, number = folder / f"{stem}{suffix}", 2
    while path.exists() or path.with_suffix(".lock").exists():
        path, number = folder / f"{stem}-{number}{suffix}", number + 1
    return path
