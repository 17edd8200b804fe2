"""A small disk that tests can fill."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Self

SIZE = 300  # megabytes: a PostgreSQL needs most of them
CHUNK = 1_000_000
UNMOUNTABLE = 3  # exit status of a program that needs a disk and gets none


class NoDisk(Exception):  # noqa: N818 (the name says what happened)
    """This process may not mount a file system."""


class Disk:
    """A file system in memory, mounted at a folder. Mounting needs root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ballast = folder / "ballast"

    def __enter__(self) -> Self:
        self.folder.mkdir()
        options = f"size={SIZE}m,mode=755"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except FileNotFoundError as error:
            raise NoDisk("there is no `mount`") from error
        except subprocess.CalledProcessError as error:
            raise NoDisk(f"no disk to fill, this must run as root: {error.stderr}") from error
        return self

    def __exit__(self, *_error: object) -> None:
        self.free()
        subprocess.run(["umount", "--lazy", self.folder], check=True)

    def fill(self) -> None:
        """Leave no free byte."""
        zeros = bytes(CHUNK)
        file = os.open(self.ballast, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            while True:  # a write that does not fit is cut off, the next one fails
                os.write(file, zeros)
        except OSError:
            pass
        finally:
            os.close(file)

    def free(self) -> None:
        """Make room again."""
        self.ballast.unlink(missing_ok=True)
