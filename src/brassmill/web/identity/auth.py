"""Signing in: who a browser says he is, and whether that still holds.

A session is a signed cookie: whoever keeps a copy of one could use it for ever. So a cookie names a
row of the database (`SignIn`), which is gone when its browser signs out, and all of them when the
password changes.
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

SIGN_IN = "sign_in"  # in the session


class SignedIn(AuthenticationMiddleware):
    """`request.user`, asked for when it is first needed."""

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: user_of(request))  # type: ignore[assignment]


def is_signed_in(request: HttpRequest) -> bool:
    """Does the cookie say that somebody is signed in? `account_of` knows whether it is true."""
    return SESSION_KEY in getattr(request, "session", {})


def user_of(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Who is signed in by a cookie that is still good; any other is thrown away."""
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
    """The account of who is signed in."""
    return request.user.account if request.user.is_authenticated else None


@receiver(user_logged_in)
def remember(request: HttpRequest, user: User, **_signal: Any) -> None:
    """A browser is signed in; who has only been a user until now gets an account."""
    account, _made = Account.objects.get_or_create(user=user, defaults={"name": user.username})
    old = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    account.sign_ins.filter(at__lt=old).delete()  # no browser has their cookies any more
    request.session[SIGN_IN] = SignIn.objects.create(account=account).pk


@receiver(user_logged_out)
def forget(request: HttpRequest, **_signal: Any) -> None:
    """It is signed out, and every copy of its cookie with it."""
    SignIn.objects.filter(pk=request.session.get(SIGN_IN)).delete()
