"""`brass serve` in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys

Process = subprocess.Popen[str]

NO_MAILS = "django.core.mail.backends.dummy.EmailBackend"  # else it says where it keeps them


def serve(*options: str, **environment: str) -> tuple[Process, str]:
    """Start it: the process, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "brassmill", "serve", "--no-browser", *options],
        env={
            **os.environ,
            "LANGUAGE": "en",
            "BRASSMILL_EMAIL_BACKEND": NO_MAILS,
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return process, address_of(process)


def address_of(process: Process) -> str:
    """The address that a server has told; one that tells none is ended."""
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"(http://\S+)/", line)
    if not found:
        process.kill()
        raise AssertionError(line + process.communicate()[0])
    return found[1]
