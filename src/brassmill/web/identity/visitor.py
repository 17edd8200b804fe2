"""The visitor behind a request, known by the key in the session or by the account."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from brassmill.web.identity.auth import account_of
from brassmill.web.models import key as new_key

VISITOR, SEEN = "visitor", "seen"  # keys in the session
NAME = "name"  # also in the session: the visitor's last name
PLAYED = "played"  # also: the last day whose deal was begun in this browser, by any visitor


def visitor(request: HttpRequest) -> str:
    """Return the visitor's key, the account's if signed in; create it on first use."""
    account = account_of(request)
    if account and hasattr(request, "program_token"):
        return account.key
    session = request.session
    month = f"{timezone.now():%Y-%m}"
    if session.get(SEEN) != month:  # saves the session, which renews the cookie
        session[SEEN] = month
    if account:
        return account.key
    if VISITOR not in session:
        session[VISITOR] = new_key()
    key: str = session[VISITOR]
    return key
