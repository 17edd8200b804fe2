"""Who is asking: a visitor, known by the key in the session or by the account."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from brassmill.web.identity.auth import account_of
from brassmill.web.models import key as new_key

VISITOR, SEEN = "visitor", "seen"  # in the session
NAME = "name"  # there too: what the visitor was called last


def visitor(request: HttpRequest) -> str:
    """The visitor's key, made when it is first needed; the account's for who is signed in."""
    session = request.session
    account = account_of(request)
    month = f"{timezone.now():%Y-%m}"
    if session.get(SEEN) != month:  # written anew, so that the browser keeps it on
        session[SEEN] = month
    if account:
        return account.key
    if VISITOR not in session:
        session[VISITOR] = new_key()
    key: str = session[VISITOR]
    return key
