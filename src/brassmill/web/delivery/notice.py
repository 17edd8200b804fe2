"""What a notification says: what every spectator of the table can see, and no more."""

from __future__ import annotations

from typing import Any, NamedTuple


class Notice(NamedTuple):
    """A notification in words, with the page it is about."""

    title: str
    text: str
    path: str  # of the page
    site: str  # its origin
    edition: str = ""
    player: str = ""

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()
