"""The networks from which an account has signed in.

Attempts to sign in are counted by name, wherever they come from. Without this list anyone could use
up the attempts of an account and so keep its owner out. Only a hash of a network is kept.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from brassmill.web.identity.rate_limit import address_of
from brassmill.web.models import KnownNetwork

KEPT = 20  # networks per account, the latest


def aim_of(request: HttpRequest, login: str) -> str:
    """Return what attempts to sign in are counted by.

    That is the name; from a network known to the account, the name together with the network.
    """
    network = _hash_of(request)
    known = KnownNetwork.objects.filter(account__user__username=login, network=network)
    return f"{login} {network}" if known.exists() else login


@receiver(user_logged_in)
def remember(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Remember where an account signs in."""
    if not address_of(request):
        return  # anyone behind a proxy could be there
    known = user.account.networks
    known.update_or_create(network=_hash_of(request), defaults={"at": timezone.now()})
    latest = known.order_by("-at").values_list("pk", flat=True)[:KEPT]
    known.exclude(pk__in=list(latest)).delete()


def _hash_of(request: HttpRequest) -> str:
    hashed = salted_hmac("brassmill.web.networks", address_of(request), algorithm="sha256")
    return hashed.hexdigest()
