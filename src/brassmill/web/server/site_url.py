"""The origin of the site, for links in e-mails."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from brassmill.errors import BrassError
from brassmill.language import gettext as _

# Headers added by proxies.
PROXIES = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP")

if TYPE_CHECKING:
    from django.http import HttpRequest

    from brassmill.web.models import Table


def read(url: str) -> str:
    """The origin from the operator's setting, without a trailing slash."""
    if not url:
        return ""
    try:
        place = urlsplit(url)
        sound = place.scheme in ("http", "https") and place.hostname and not place.query
    except ValueError:
        sound = False
    if not sound:
        words = _("invalid BRASSMILL_URL; write it like https://brass.example")
        raise BrassError(words)
    return url.rstrip("/")


def of_request(request: HttpRequest) -> str:
    """The origin for this request; empty if unknown, in which case no e-mails are sent.

    The name in the browser's Host header counts only if it is one of the site's; its port never
    does.
    """
    if settings.SITE:
        return str(settings.SITE)
    host, _port = split_domain_port(request.get_host())
    names = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    if not validate_host(host, names):
        return ""
    port = request.get_port()  # where this server listens
    usual = {"http": "80", "https": "443"}[request.scheme or "http"]
    return f"{request.scheme}://{host}" + ("" if port == usual else f":{port}")


def is_local(request: HttpRequest) -> bool:
    """Was the page opened under a name that works on this machine only?"""
    host, _port = split_domain_port(request.get_host())
    return host in settings.LOCAL_HOSTS


def came_by_proxy(request: HttpRequest) -> bool:
    """Did a proxy pass this request on? They all seem to come from the proxy's machine."""
    return any(name in request.headers for name in PROXIES)


def of_table(table: Table) -> str:
    """The origin for the players of a table; empty: no e-mails are sent."""
    return str(settings.SITE or table.site)
