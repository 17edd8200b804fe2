"""When a site gets https, its visitors keep their seats, though their cookie gets another name.

Browsers take a cookie named `__Host-…` only from this very host. A neighbour under the same domain
can still plant one with the former name, so that is never trusted for long: what its visitor owns
moves to a new key, which nobody else knows, and a sign-in in it does not count.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from brassmill.web.accounts import accounts
from brassmill.web.identity.visitor import VISITOR
from brassmill.web.models import key as new_key
from brassmill.web.server.database import TROUBLE
from brassmill.web.server.errors import unavailable
from brassmill.web.server.middleware import View


def former_cookie(get_response: View) -> View:
    """Middleware: take over what belongs to the visitor of the former cookie, once."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        name, former = settings.SESSION_COOKIE_NAME, settings.FORMER_SESSION_COOKIE
        if not former or former not in request.COOKIES:
            return get_response(request)
        try:
            is_known = name in request.COOKIES or _take_over(request, request.COOKIES[former])
        except TROUBLE:
            return unavailable(request)
        response = get_response(request)
        if not is_known and request.method in ("GET", "HEAD"):
            # Another tab may have taken over at this moment: leave its cookie alone.
            request.session.modified = False
        response.delete_cookie(former, samesite="Lax")
        return response

    return answer


def _take_over(request: HttpRequest, cookie: str) -> bool:
    """Move everything to a new key; False if there is nothing to move."""
    known = SessionStore(cookie)
    old, key = known.get(VISITOR, ""), new_key()
    if not old or SESSION_KEY in known or not accounts.move(old, key):
        return False
    request.session.update({**dict(known.items()), VISITOR: key})
    return True
