"""One e-mail address for each person: typed in a form, then confirmed by its reader."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.accounts.accounts import Address
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.mail import addresses, notifications
from brassmill.web.server import site_url


def typed_address(sent: Mapping[str, str]) -> Address:
    """Read an address and its two tick boxes from a form."""
    return Address(
        sent.get("address", "").strip(),
        resets=sent.get("resets") == "yes",
        wants_mail=sent.get("wants_mail") == "yes",
    )


def may_send(request: HttpRequest) -> bool:
    """May this visitor have an e-mail sent to an address they typed?"""
    return not blocks.is_blocked(request) and rate_limit.is_allowed(request, rate_limit.MAILS)


def is_to_confirm(key: str) -> bool:
    """Does the visitor want e-mails at an address that is not confirmed yet?"""
    contact = addresses.of(key)
    return bool(contact.address) and contact.wants_mail and not contact.confirmed


def ask_to_confirm(request: HttpRequest, key: str, table: str = "") -> None:
    """Ask the reader of a visitor's address to confirm it; raise an error if that is impossible."""
    site = site_url.of_request(request)
    if not site:
        raise BrassError(_("This server does not know its own address, so it cannot send e-mail."))
    notifications.confirm(site, addresses.of(key), table)
