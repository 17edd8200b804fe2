"""`brass serve` in its own process."""

from __future__ import annotations

import os
import re
import subprocess
import sys

Process = subprocess.Popen[str]

NO_MAILS = "django.core.mail.backends.dummy.EmailBackend"  # otherwise it prints where it keeps them


def serve(*options: str, **environment: str) -> tuple[Process, str]:
    """Start it; return the process and its URL."""
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
    """Return the URL that a server prints; kill a server that prints none."""
    assert process.stdout is not None
    said = ""
    for line in iter(process.stdout.readline, ""):
        if found := re.search(r"(http://\S+)/", line):
            return found[1]
        said += line
    process.kill()
    raise AssertionError(said + process.communicate()[0])
