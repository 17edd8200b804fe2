"""Tables with friends, set up and joined as the pages do."""

from __future__ import annotations

import re
from html import unescape
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from support.web import visitor

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from brassmill.web.models import Table

SEATS = ("you", "friend", "friend")


class Guest:
    """A visitor with their own browser."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.key = f"{name}-{token_hex(6)}"
        self.client: Client = visitor(self.key)

    def sit(self, token: str, name: str | None = None) -> HttpResponse:
        """Accept an invitation."""
        sent = {"name": self.name if name is None else name}
        answer: Any = self.client.post(f"/join/{token}/", sent)
        return answer  # type: ignore[no-any-return]

    def post(self, table: Table, action: str, **sent: Any) -> HttpResponse:
        """Post something to a table."""
        answer: Any = self.client.post(f"/t/{table.id}/{action}/", sent)
        return answer  # type: ignore[no-any-return]

    def page(self, address: str) -> str:
        """Return a page as text."""
        return unescape(self.client.get(address).content.decode())

    def data(self, table: Table) -> dict[str, Any]:
        """Return the table as data."""
        data: dict[str, Any] = self.client.get(f"/t/{table.id}.json").json()
        return data


def set_up(host: Guest, *seats: str, edition: str = "birmingham", **sent: str) -> Table:
    """Set up a table by the form: `you`, `friend` or a level for each seat."""
    from brassmill.web.models import Table

    who = {f"who-{number}": seat for number, seat in enumerate(seats or SEATS)}
    form = {"players": str(len(seats or SEATS)), "name-0": host.name, **who, **sent}
    answer = host.client.post(f"/new/{edition}/", form)
    assert answer.status_code == 302, answer.content.decode()
    table = Table.objects.get(pk=answer["Location"].split("/")[2])
    table.pace = 0
    table.save(update_fields=["pace"])
    return table


def at_table(*guests: Guest, **sent: str) -> Table:
    """Return a running game with all of them on their own screens."""
    host, *friends = guests
    table = set_up(host, "you", *["friend"] * len(friends), **sent)
    for friend, token in zip(friends, tokens_of(table), strict=True):
        assert friend.sit(token).status_code == 302
    table.refresh_from_db()
    assert not table.gathering
    return table


def tokens_of(table: Table) -> list[str]:
    """Return the invitations to the open seats, as the host would send them."""
    from brassmill.web.setup.seat_links import invitation

    return [invitation(seat) for seat in table.seats.all() if seat.is_open]


def links_in(page: str) -> list[str]:
    """Return all invitations shown on a page."""
    return re.findall(r"/join/([\w.:-]+)/", page)
