"""Push messages: encrypted for one browser, and sent to the service of the browser's maker.

The site's key is derived from its secret key. So all processes and machines of a site have the same
one, and a backup with the key keeps the subscriptions.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from hashlib import sha256, sha512
from time import time
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.http import HttpRequest
from py_vapid import Vapid02

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.web.delivery import outgoing
from brassmill.web.models import PushSubscription, SignIn

KEPT = 24 * 3600  # seconds the service keeps a message for a browser that is off
VALID = 12 * 3600  # seconds of a signature
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
MOST = 10  # browsers of a visitor
LONGEST_KEY, LONGEST_SECRET = 120, 60  # characters, as stored
GONE = (403, 404, 410)  # the subscription has ended, or belongs to another key


def is_enabled() -> bool:
    return bool(settings.OUTGOING)


@cache
def private_key() -> ec.EllipticCurvePrivateKey:
    """The site's key."""
    seed = sha512(b"brassmill push " + settings.SECRET_KEY.encode()).digest()
    return ec.derive_private_key(int.from_bytes(seed, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def public_key() -> str:
    """The public one, as browsers want it."""
    point = private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


# --- subscriptions -------------------------------------------------------------------------------


def subscribe(key: str, address: str, browser_key: str, secret: str, request: HttpRequest) -> None:
    """Store a browser's subscription; another visitor of the same browser loses theirs."""
    outgoing.target_of(address)
    if not (_is_point(browser_key) and _is_secret(secret)):
        raise BrassError(_("Your browser's subscription is incomplete. Try again."))
    digest = sha256(address.encode()).hexdigest()
    others = PushSubscription.objects.filter(visitor=key).exclude(digest=digest)
    if others.count() >= MOST:
        raise BrassError(_("Too many browsers. Remove one first."))
    PushSubscription.objects.update_or_create(
        digest=digest,
        defaults={
            "visitor": key,
            "address": address,
            "key": browser_key,
            "secret": secret,
            "language": language(),
            "sign_in": SignIn.objects.filter(pk=request.session.get("sign_in")).first(),
        },
    )


def unsubscribe(key: str, number: int) -> None:
    PushSubscription.objects.filter(visitor=key, pk=number).delete()


def _bytes(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""


def _is_secret(text: str) -> bool:
    return len(text) <= LONGEST_SECRET and len(_bytes(text)) == 16


def _is_point(text: str) -> bool:
    if len(text) > LONGEST_KEY:  # decoding skips what is no letter of such a key
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(text))
    except ValueError:
        return False
    return True


# --- sending -------------------------------------------------------------------------------------


def send(subscription: PushSubscription, body: dict[str, str], topic: str) -> int:
    """Send a message; return the status of the answer."""
    content = http_ece.encrypt(
        json.dumps(body, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(subscription.key),
        auth_secret=_bytes(subscription.secret),
        version="aes128gcm",
    )
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "high",
        "Topic": sha256(topic.encode()).hexdigest()[:32],  # replaces an older one
        **signature(subscription.address),
    }
    return outgoing.post(subscription.address, content, headers)


def signature(address: str) -> dict[str, str]:
    """The header by which the service knows this site."""
    place = urlsplit(address)
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": int(time()) + VALID,
        "sub": f"mailto:{sender()}",
    }
    found: dict[str, str] = Vapid02(private_key=private_key()).sign(claims)
    return found


def sender() -> str:
    """The address of the operator."""
    _name, _open, rest = settings.DEFAULT_FROM_EMAIL.rpartition("<")
    return str(rest.rstrip(">").strip())
