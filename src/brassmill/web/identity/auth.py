"""Sign-ins: which account a browser claims, and whether the claim is still valid.

A session is a signed cookie, and a copy of it would work for ever. So the cookie names a row of the
database (`SignIn`). Signing out deletes the row; a new password deletes all rows of the account.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from brassmill.web.models import Account, SignIn

SIGN_IN = "sign_in"  # key in the session


class SignedIn(AuthenticationMiddleware):
    """`request.user`, loaded on first use."""

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: user_of(request))  # type: ignore[assignment]


def is_signed_in(request: HttpRequest) -> bool:
    """Does the cookie claim a sign-in? `account_of` knows whether that is true."""
    return hasattr(request, "program_token") or SESSION_KEY in getattr(request, "session", {})


def user_of(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Return the user of a valid sign-in cookie; clear the session of an invalid one."""
    if token := getattr(request, "program_token", None):  # see `tokens.py`
        token.account.user.account = token.account
        return token.account.user  # type: ignore[no-any-return]
    if not is_signed_in(request):
        return AnonymousUser()
    user = get_user(request)
    known = SignIn.objects.select_related("account").filter(pk=request.session.get(SIGN_IN))
    found = known.filter(account__user=user.pk).first()
    if found is None:
        request.session.flush()
        return AnonymousUser()
    found.account.user = user  # type: ignore[assignment]  # and the user's account is this one
    return user


def account_of(request: HttpRequest) -> Account | None:
    """Return the account of the signed-in user."""
    return request.user.account if request.user.is_authenticated else None


@receiver(user_logged_in)
def remember(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Record a sign-in; a user without an account gets one."""
    account, _made = Account.objects.get_or_create(user=user, defaults={"name": user.username})
    old = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    account.sign_ins.filter(at__lt=old).delete()  # their cookies have expired
    request.session[SIGN_IN] = SignIn.objects.create(account=account).pk


@receiver(user_logged_out)
def forget(request: HttpRequest, **_signal: Any) -> None:
    """Sign out, which invalidates every copy of the cookie."""
    SignIn.objects.filter(pk=request.session.get(SIGN_IN)).delete()
