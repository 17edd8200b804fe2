"""The origin of the site: what the links of its mails begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from brassmill.errors import BrassError
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from django.http import HttpRequest

    from brassmill.web.models import Table


def read(url: str) -> str:
    """As who runs the server has written it, without a slash at its end."""
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
    """For who asks now; nothing: nobody can tell, and no mails are sent.

    What a browser says of where it is would do as long as it is one of the names of this site.
    """
    if settings.SITE:
        return str(settings.SITE)
    host, _port = split_domain_port(request.get_host())
    names = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    return request.build_absolute_uri("/").rstrip("/") if validate_host(host, names) else ""


def is_local(request: HttpRequest) -> bool:
    """Is it asked for by a name that leads here from this machine alone?"""
    host, _port = split_domain_port(request.get_host())
    return host in settings.LOCAL_HOSTS


def of_table(table: Table) -> str:
    """For the people of a table; nothing: no mails are sent."""
    return str(settings.SITE or table.site)
