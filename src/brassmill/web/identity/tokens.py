"""Tokens of programs: which account one stands for, and what it may be used for.

A request with such a token in `Authorization: Bearer` is made by a program. Its cookies count for
nothing, so it needs no CSRF token: no page of another site can make a browser send that header. A
token opens the addresses that are listed here and no others, whatever else its account may do.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.identity import rate_limit
from brassmill.web.models import Account, ProgramToken, Seat, Table
from brassmill.web.server import database, scopes
from brassmill.web.server.errors import ERRORS, unavailable
from brassmill.web.server.scopes import CHAT, LOBBY, PLAY, READ

SCOPES = {
    READ: N_("read tables, the lobby and results"),
    PLAY: N_("play its turns"),
    LOBBY: N_("set up tables and take seats"),
    CHAT: N_("write in the chat of its tables"),
}
PREFIX = "brassmill_"
MOST = 10  # tokens of an account
PER_TOKEN = rate_limit.Limit("programs", 240, 0.1)

View = Callable[[HttpRequest], HttpResponseBase]


# --- making and revoking -------------------------------------------------------------------------


def make(account: Account, name: str, wanted: Sequence[str]) -> str:
    """Make a token; it is shown once, because only its hash is stored."""
    name = " ".join(name.split())
    if not account.program:
        raise BrassError(_("Only the account of a program has tokens."))
    if not name.isprintable() or not 0 < len(name) <= ProgramToken.LONGEST:
        raise BrassError(
            _("Enter a name of at most {most} characters.").format(most=ProgramToken.LONGEST)
        )
    chosen = [scope for scope in SCOPES if scope in wanted]
    if not chosen:
        raise BrassError(_("Choose at least one thing that the token is for."))
    if account.tokens.count() >= MOST:
        raise BrassError(_("An account has at most {most} tokens.").format(most=MOST))
    text = PREFIX + secrets.token_urlsafe(32)
    account.tokens.create(name=name, digest=digest_of(text), scopes=" ".join(chosen))
    return text


def revoke(account: Account, number: int) -> None:
    """Revoke a token: it stops working at once."""
    account.tokens.filter(pk=number).delete()


def digest_of(text: str) -> str:
    """The hash of a token. It is random, so nobody can guess what has this hash."""
    return sha256(text.encode()).hexdigest()


# --- requests ------------------------------------------------------------------------------------


def is_program_request(request: HttpRequest) -> bool:
    """Does a request come with a program's token, valid or not? Metrics have tokens, too."""
    scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
    return scheme.casefold() == "bearer" and text.strip().startswith(PREFIX)


def _known(text: str) -> ProgramToken | None:
    found = ProgramToken.objects.filter(
        digest=digest_of(text), account__program=True, account__user__is_active=True
    )
    return found.select_related("account__user").first()


def token_of(request: HttpRequest) -> ProgramToken | None:
    """The valid token of a request."""
    return getattr(request, "program_token", None)


class ByToken:
    """Let programs in by their tokens, to what these are for."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_program_request(request):
            return self.get_response(request)
        request.COOKIES = {}
        try:
            token = _known(request.headers["Authorization"].partition(" ")[2].strip())
        except database.TROUBLE:
            return unavailable(request)
        if token is None:
            return refused(401, "invalid_token", _("Unknown token"), _("It may be revoked."))
        request.program_token = token  # type: ignore[attr-defined]
        response = self.get_response(request)
        response.cookies.clear()
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, options: Any
    ) -> JsonResponse | None:
        """Refuse what the token is not for."""
        token, match = token_of(request), request.resolver_match
        if token is None or match is None:
            return None
        name = "" if match.namespaces else match.url_name or ""
        needed = scopes.needed(name, request.method in ("GET", "HEAD"))
        if not needed:
            words = _("Programs cannot use this address with a token.")
            return refused(403, "insufficient_scope", _("Not for programs"), words)
        if needed not in token.scopes.split():
            words = _("This token is not for that: it needs the scope {scope}.")
            heading = _("Not allowed")
            return refused(403, "insufficient_scope", heading, words.format(scope=needed), needed)
        if needed == PLAY and not _is_welcome(options["table_id"], token.account.key):
            words = _("The host of this table has not let programs in.")
            return JsonResponse({"error": _("Not for programs"), "words": words}, status=403)
        if not rate_limit.is_allowed(request, PER_TOKEN, f"token-{token.pk}"):
            heading, words = ERRORS[429]
            return JsonResponse({"error": _(heading), "words": _(words)}, status=429)
        today = database.now().date()
        if token.used != today:
            ProgramToken.objects.filter(pk=token.pk).update(used=today)
        return None


class CsrfForPages(CsrfViewMiddleware):
    """Django's check, which a request with a token does not need."""

    def process_view(self, request: HttpRequest, *view: Any) -> Any:
        return None if token_of(request) else super().process_view(request, *view)


def _is_welcome(table_id: str, key: str) -> bool:
    """Does the host let programs in, or does nobody else play there? A person may become one."""
    others = Seat.objects.filter(table=table_id).exclude(holder__in=["", key])
    return Table.objects.filter(pk=table_id, programs=True).exists() or not others.exists()


def refused(status: int, fault: str, heading: str, words: str, scope: str = "") -> JsonResponse:
    """An answer that says why a token does not work, as RFC 6750 has it."""
    answer = JsonResponse({"error": heading, "words": words}, status=status)
    answer["WWW-Authenticate"] = f'Bearer error="{fault}"' + (f', scope="{scope}"' if scope else "")
    return answer
