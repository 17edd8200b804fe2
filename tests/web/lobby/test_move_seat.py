"""A seat on another device: by a private link that works once and expires. And spectators."""

from __future__ import annotations

import asyncio
import re
from time import time
from unittest import mock

import pytest

from brassmill.web.mail import addresses
from brassmill.web.models import Table
from brassmill.web.setup import seat_links
from brassmill.web.table import sessions, vacation
from brassmill.web.table.event_stream import stream
from support.friends import Guest, set_up, tokens_of
from support.web import make_table, no_bots, play_turn

pytestmark = pytest.mark.usefixtures("site")


def link_for(guest: Guest, table: Table, seat: int) -> str:
    """Ask for a link; return its address."""
    answer = guest.post(table, "device", seat=seat)
    found = re.search(r"http://[^/]+(/move/[^\"]+)", answer.content.decode())
    return found[1] if found else ""


def holders(table: Table) -> list[str]:
    return list(table.seats.values_list("holder", flat=True))


def test_a_seat_moves_to_another_browser(host: Guest, ben: Guest, table: Table) -> None:
    with no_bots():
        play_turn(sessions.get(table.id))
    hand, phone = ben.data(table)["hand"], Guest("phone")
    link = link_for(ben, table, 1)
    assert "Continue here as Ben" in phone.page(link)
    assert holders(table) == [host.key, ben.key], "a look changes nothing"
    assert phone.client.post(link)["Location"] == f"/t/{table.id}/"
    assert phone.data(table)["held"] == [1] and phone.data(table)["hand"] == hand
    old = ben.data(table)
    assert (old["held"], old["hand"]) == ([], []) and "another device" in old["notes"][0]
    assert "another device" in ben.page(f"/t/{table.id}/")
    assert host.data(table)["notes"] == []


def test_the_address_moves_only_by_an_emailed_link(ben: Guest, table: Table) -> None:
    addresses.keep(ben.key, "ben@example.org", confirmed=True)
    vacation.leave(ben.key, 5)
    phone = Guest("phone")
    phone.client.post(link_for(ben, table, 1))
    assert phone.data(table)["held"] == [1]
    assert addresses.of(phone.key).address == "" and not addresses.reached(phone.key)
    assert addresses.of(phone.key).away_until == addresses.of(ben.key).away_until
    assert addresses.of(phone.key).away_days == 5


def test_a_link_works_once(host: Guest, ben: Guest, table: Table) -> None:
    link = link_for(ben, table, 1)
    phone, thief = Guest("phone"), Guest("thief")
    phone.client.post(link)
    for guest in (thief, ben, phone):
        assert guest.client.get(link).status_code == 404
        assert guest.client.post(link).status_code == 404
    assert holders(table) == [host.key, phone.key]


def test_of_two_at_once_only_one_gets_the_seat(ben: Guest, table: Table) -> None:
    from brassmill.web.lobby import move_seat

    link = link_for(ben, table, 1)
    seat = seat_links.handed_over(link.split("/")[2])  # both have opened the page
    move_seat.accept(seat, "first")
    with pytest.raises(seat_links.NoLink):
        move_seat.accept(seat, "second")
    assert holders(table)[1] == "first"


def test_a_newer_link_invalidates_the_older(ben: Guest, table: Table) -> None:
    old, new = link_for(ben, table, 1), link_for(ben, table, 1)
    assert Guest("phone").client.post(old).status_code == 404
    assert Guest("phone").client.post(new).status_code == 302


def test_a_link_expires(ben: Guest, table: Table) -> None:
    link = link_for(ben, table, 1)
    late = time() + seat_links.LASTING.total_seconds() + 1
    with mock.patch("django.core.signing.time.time", return_value=late):
        assert Guest("phone").client.post(link).status_code == 404
    assert holders(table)[1] == ben.key


def test_nobody_gets_a_link_for_another_players_seat(host: Guest, ben: Guest, table: Table) -> None:
    for guest, seat in ((ben, 0), (host, 1), (Guest("Eve"), 1), (ben, 7)):
        assert not link_for(guest, table, seat)
    assert not any(table.seats.values_list("handover", flat=True))
    assert Guest("Eve").client.get(f"/t/{table.id}/device/").status_code == 302


def test_a_forged_link_moves_nothing(host: Guest, ben: Guest, table: Table) -> None:
    other = set_up(Guest("Cleo"), "you", "friend")
    mine, invitation = link_for(ben, table, 1), tokens_of(other)[0]
    body, _dot, rest = mine.split("/")[2].partition(".")
    before = holders(table), holders(other)
    foreign = link_for(host, table, 0).split("/")[2].partition(".")[0]
    for guess in (
        "x",
        invitation,  # an invitation does not move a seat
        f"{body}.{rest[:-2]}AA",
        f"{foreign}.{rest}",  # another player's seat
        invitation.rpartition(".")[0] + "." + rest,  # a seat at another table
    ):
        assert Guest("Eve").client.post(f"/move/{guess}/").status_code == 404, guess
    moving = mine.split("/")[2]
    assert Guest("Eve").sit(moving).status_code == 404, "nor the other way round"
    assert (holders(table), holders(other)) == before


def test_the_host_stays_host_on_the_other_device(host: Guest, table: Table) -> None:
    phone = Guest("phone")
    phone.client.post(link_for(host, table, 0))
    table.refresh_from_db()
    assert table.host == phone.key
    assert phone.post(table, "chat/mute", muted=1).status_code == 302
    assert host.post(table, "chat/mute", muted=0).status_code == 403


def test_with_two_seats_one_can_be_moved() -> None:
    owner, phone = Guest("Ada"), Guest("phone")
    table = make_table("Ada,Ben", key=owner.key)
    phone.client.post(link_for(owner, table, 1))
    assert holders(table) == [owner.key, phone.key]
    table.refresh_from_db()
    assert table.host == owner.key
    assert owner.data(table)["hand"] and phone.data(table)["hand"], "nobody need cover a hand now"


def test_the_page_shows_how_many_spectators_watch(host: Guest, ben: Guest, table: Table) -> None:
    async def look() -> None:
        keys = (host.key, ben.key, "stranger", "stranger", "other")
        streams = [stream(table.id, key) for key in keys]
        for each in streams:
            await anext(each)
        data = await asyncio.to_thread(host.data, table)
        assert data["watching"] == 2
        for each in streams:
            await each.aclose()

    host.data(table)
    asyncio.run(look())
    assert host.data(table)["watching"] == 0
    assert "you are watching" in Guest("x").page(f"/t/{table.id}/")
    assert "you are watching" not in host.page(f"/t/{table.id}/")
