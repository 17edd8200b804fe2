"""Network addresses: which of them count as one."""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from brassmill.errors import BrassError
from brassmill.language import gettext as _

GLOBAL = IPv6Network("2000::/3")  # all that is assigned to the public internet
# Addresses of these lead to others: an IPv4 address is part of them.
TUNNELS = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))


def network_of(address: str) -> str:
    """Return the network that counts as one address: an IPv6 user has a whole network."""
    plain = parsed(address)
    if isinstance(plain, IPv6Address):
        return str(IPv6Network((int(plain), 64), strict=False))
    return str(plain)


def parsed(address: str) -> IPv4Address | IPv6Address:
    """Parse an address; IPv4 may be written as IPv6."""
    found = ip_address(address)
    return getattr(found, "ipv4_mapped", None) or found


def listed(words: str) -> list[IPv4Network | IPv6Network]:
    """Parse the networks of a setting, separated by commas."""
    try:
        return [ip_network(part.strip()) for part in words.split(",") if part.strip()]
    except ValueError as error:
        words = _("invalid BRASSMILL_OUTGOING_NETWORKS: {reason}")
        raise BrassError(words.format(reason=error)) from error


def is_public(address: str) -> bool:
    """Is it an address of the public internet, one that leads nowhere else?"""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    if isinstance(found, IPv6Address) and mapped is None:
        is_plain = found in GLOBAL and not any(found in tunnel for tunnel in TUNNELS)
        if not is_plain:
            return False
    plain = mapped or found
    return plain.is_global and not (
        plain.is_multicast or plain.is_reserved or plain.is_unspecified or plain.is_loopback
    )
