"""Helpers for fuzzing requests."""

from __future__ import annotations

import string
from copy import deepcopy
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from django.apps import apps
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

EXAMPLES = 8  # for each URL
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
GUESSES = ["x", "a.b", "a:b:c", "é", "%00"]

calm = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
words = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "0", "1", "-1", "yes", "skip", "1 2 3", "\0", "9" * 400, "\u0661", "NaN"]),
    st.integers(-(2**70), 2**70).map(str),
    st.text(alphabet=string.printable, min_size=500, max_size=700),
)


def in_form(value: Any) -> Any:
    """Return a value as a browser sends it."""
    if isinstance(value, bytes):
        return SimpleUploadedFile("a.brass", value)
    return str(value)


def check(client: Client, method: str, address: str, **sent: Any) -> Any:
    """Send a request: no server error, and a GET or a refusal changes nothing."""
    cache.clear()  # nobody is rate limited
    cookies = deepcopy(client.cookies)
    before = rows()
    is_form = method == "POST" and "content_type" not in sent
    send: Any = client.post if is_form else partial(client.generic, method)
    answer = send(address, **sent)
    client.cookies = cookies  # and the language is reset
    assert answer.status_code < 500, f"{method} {address} {sent}"
    if method in SAFE or answer.status_code >= 400:
        assert rows() == before, f"{method} {address} has changed something"
    return answer


def rows() -> str:
    """Return everything stored, as a digest."""
    connection.ensure_connection()
    return rows_after(connection.connection.total_changes)


@lru_cache(1)
def rows_after(changes: int) -> str:
    """Return the same, reading again only if this connection has written something."""
    found = sha256()
    for model in apps.get_models():
        for row in model._default_manager.order_by("pk").values_list():
            found.update(repr(row).encode())
    return found.hexdigest()
