"""The parts of a table: an update brings only those that the browser does not have yet.

Templates and pictures begin a part with `PART`. Browsers keep the parts they were sent, and list
their digests with every request (`static/web/parts.js`). A part in that list is sent as its digest
alone, and the browser puts the whole table together. So an update shows exactly what the whole page
would show, whatever was lost, overtaken or sent by another process.
"""

from __future__ import annotations

from binascii import b2a_base64
from hashlib import blake2b

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.backends.utils import csrf_input
from django.utils.crypto import salted_hmac
from markupsafe import Markup

# People's words are escaped, so nobody can write these.
PART = "<!--part-->"
TOKEN = Markup("<!--token-->")  # for a form's CSRF token, which is another for every response

HEADER = "Brass-Parts"  # the digests that a browser has; without it the whole table is sent
MOST = 1000  # digests that are read
BYTES = 6  # of a digest, 8 letters in base64


def whole_table(request: HttpRequest, markup: str) -> str:
    """The markup of a page, or of a table for a browser that keeps no parts."""
    return _with_token(request, markup.replace(PART, ""))


def update(request: HttpRequest, markup: str) -> str:
    """The markup of a table as an update for a browser."""
    listed = request.headers.get(HEADER)
    if listed is None:
        return whole_table(request, markup)
    had = set(listed.split(maxsplit=MOST)[:MOST])
    key = _key()
    key_with_token = _key(_secret_of(request)) if TOKEN in markup else key
    sent = []
    for part in filter(None, markup.split(PART)):
        digest = _digest_of(part, key_with_token if TOKEN in part else key)
        sent.append(f"<!--part {digest}-->{'' if digest in had else part}")
    return _with_token(request, "".join(sent))


def _digest_of(part: str, key: bytes) -> str:
    """What identifies a part: one with another digest has other content, or older tokens."""
    digest = blake2b(part.encode(), digest_size=BYTES, key=key).digest()
    return b2a_base64(digest, newline=False).decode()


def _key(secret: str = "") -> bytes:
    """The key of digests: only this site can look for two parts that have the same short digest.

    The tokens of a secret stay valid until the visitor signs in or out, perhaps in another tab.
    """
    return salted_hmac("brassmill.web.parts", secret, algorithm="sha256").digest()


def _secret_of(request: HttpRequest) -> str:
    """What the visitor's CSRF tokens are made of."""
    if "CSRF_COOKIE" not in request.META:
        get_token(request)  # makes one
    secret: str = request.META["CSRF_COOKIE"]
    return secret


def _with_token(request: HttpRequest, markup: str) -> str:
    return markup.replace(TOKEN, csrf_input(request)) if TOKEN in markup else markup
