"""Network addresses: which of them count as one."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address


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
