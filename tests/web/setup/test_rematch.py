"""Playing again with friends: one table for all who played, and for nobody else."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, Thread

import pytest
from django.db import connection

from brassmill.web.identity import blocks
from brassmill.web.mail import addresses
from brassmill.web.models import Table
from brassmill.web.staff import backup
from brassmill.web.table import repair, sessions, waiting_room
from support.days import give_address, mails_to
from support.friends import Guest, at_table, tokens_of

pytestmark = pytest.mark.usefixtures("site")

OFFER = "Play again: Ada is waiting"


@pytest.fixture
def last(host: Guest, ben: Guest) -> Table:
    """Return a finished game of two friends."""
    return ended(host, ben, clock="turn-1d")


def ended(*guests: Guest, **sent: str) -> Table:
    table = at_table(*guests, **sent)
    sessions.get(table.id).void()
    return table


def shared(host: Guest, ben: Guest, cleo: Guest) -> Table:
    """Return a finished game in which Ben and Cleo shared a screen."""
    table = ended(host, ben, cleo)
    table.seats.filter(number=2).update(holder=ben.key)
    sessions.changed(table.id)
    return table


def asked(guest: Guest, table: Table) -> str:
    """Return where the button to play again leads."""
    answer = guest.post(table, "again")
    assert answer.status_code == 302
    return str(answer["Location"])


def next_of(table: Table) -> Table:
    table.refresh_from_db()
    assert table.sequel
    return table.sequel


def offers(guest: Guest, table: Table) -> list[bool]:
    """Do the result, the table and the home page offer the seat, as pages and as data?"""
    pages = (f"/t/{table.id}/result/", f"/t/{table.id}/", "/")
    data = (f"/t/{table.id}/result.json", f"/t/{table.id}.json")
    return [
        *(OFFER in guest.page(page) for page in pages),
        *(guest.client.get(page).json()["waits"] == "Ada" for page in data),
    ]


def test_a_friend_joins_the_rematch_that_the_first_player_created(
    host: Guest, ben: Guest, last: Table
) -> None:
    assert not any(offers(ben, last))
    place = asked(host, last)
    fresh = next_of(last)
    assert place == f"/t/{fresh.id}/" and fresh.clock == "turn-1d" and fresh.gathering
    assert all(offers(ben, last)) and not any(offers(host, last))
    assert asked(host, last) == place, "the player who set it up is led back to it"
    way = asked(ben, last)
    assert way == f"/join/{tokens_of(fresh)[0]}/" and 'value="Ben"' in ben.page(way)
    assert ben.client.post(way, {"name": "Ben"}).status_code == 302
    fresh.refresh_from_db()
    assert not fresh.gathering and [seat.name for seat in fresh.seats.all()] == ["Ada", "Ben"]
    assert not any(offers(ben, last)) and asked(ben, last) == place, "he sits there"
    assert Table.objects.filter(host__in=[host.key, ben.key]).count() == 2


def test_each_player_gets_their_old_seat(host: Guest, ben: Guest, cleo: Guest) -> None:
    table = ended(host, ben, cleo)
    asked(host, table)
    free = tokens_of(next_of(table))
    assert [asked(guest, table) for guest in (cleo, ben)] == [
        f"/join/{token}/" for token in reversed(free)
    ]


def test_nobody_else_is_offered_a_rematch_seat(host: Guest, last: Table) -> None:
    stranger = Guest("Eve")
    asked(host, last)
    fresh = next_of(last)
    assert not any(offers(stranger, last))
    assert fresh.id not in stranger.page(f"/t/{last.id}/result/")
    part = stranger.client.get(f"/t/{last.id}/result/", headers={"HX-Request": "true"})
    assert "waits" not in part.content.decode()
    own = asked(stranger, last)
    assert own.startswith("/t/") and fresh.id not in own and next_of(last) == fresh


def test_a_running_game_or_one_without_friends_has_no_rematch(host: Guest, ben: Guest) -> None:
    table = at_table(host, ben)
    asked(host, table)
    sessions.get(table.id).void()
    table.seats.filter(number=1).update(holder="", bot="beginner", first_bot="beginner")
    sessions.changed(table.id)
    asked(host, table)
    table.refresh_from_db()
    assert table.sequel is None


@pytest.mark.parametrize("why", ["gone", "void", "full"])
def test_a_rematch_that_cannot_be_joined_is_replaced(
    host: Guest, ben: Guest, last: Table, why: str
) -> None:
    asked(host, last)
    first = next_of(last)
    seen = ben.data(last)["stamp"]
    if why == "gone":
        repair.delete(first.id)
    else:
        host.post(first, "gather", fill="1")
        if why == "void":
            sessions.get(first.id).void()
    assert ben.data(last)["stamp"] != seen, "the page is notified"
    assert not any(offers(ben, last))
    place = asked(ben, last)
    assert place == f"/t/{next_of(last).id}/" and next_of(last).id != first.id
    assert next_of(last).host == ben.key


def test_two_on_one_screen_join_both_of_their_seats(host: Guest, ben: Guest, cleo: Guest) -> None:
    table = shared(host, ben, cleo)
    asked(host, table)
    fresh = next_of(table)
    assert asked(ben, table) == f"/t/{fresh.id}/"
    fresh.refresh_from_db()
    seats = [(seat.name, seat.holder) for seat in fresh.seats.all()]
    assert seats == [("Ada", host.key), ("Ben", ben.key), ("Cleo", ben.key)]
    assert not fresh.gathering and not any(offers(ben, table))


def test_if_one_of_two_seats_is_taken_the_other_is_by_invitation(
    host: Guest, ben: Guest, cleo: Guest
) -> None:
    table = shared(host, ben, cleo)
    asked(host, table)
    fresh = next_of(table)
    first, second = tokens_of(fresh)
    Guest("Dan").sit(second)
    assert asked(ben, table) == f"/join/{first}/"
    assert [seat.is_open for seat in fresh.seats.all()] == [False, True, False]


def test_a_blocked_player_is_not_led_to_the_rematch(host: Guest, ben: Guest, cleo: Guest) -> None:
    table = shared(host, ben, cleo)
    asked(host, table)
    blocks.block(ben.key)
    assert ben.post(table, "again").status_code == 403
    assert [seat.is_open for seat in next_of(table).seats.all()] == [False, True, True]


def test_a_host_who_leaves_stops_waiting(host: Guest, ben: Guest, last: Table) -> None:
    asked(host, last)
    assert all(offers(ben, last))
    seen = ben.data(last)["stamp"]
    waiting_room.leave(next_of(last), host.key)
    assert ben.data(last)["stamp"] != seen, "the page is notified"
    assert not any(offers(ben, last))


def test_a_removed_player_cannot_come_back_by_the_rematch(
    host: Guest, ben: Guest, cleo: Guest
) -> None:
    table = ended(host, ben, cleo)
    asked(host, table)
    fresh = next_of(table)
    ben.client.post(asked(ben, table), {"name": "Ben"})
    host.post(fresh, "gather", free=1)
    assert not any(offers(ben, table)) and fresh.id not in asked(ben, table)
    fresh.refresh_from_db()
    assert fresh.gathering and [seat.is_open for seat in fresh.seats.all()] == [False, True, True]


def test_two_at_once_create_one_rematch(host: Guest, ben: Guest, last: Table) -> None:
    barrier, ways = Barrier(2), []

    def press(guest: Guest) -> None:
        barrier.wait()
        ways.append(asked(guest, last))
        connection.close()

    threads = [Thread(target=press, args=[guest]) for guest in (host, ben)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    fresh = next_of(last)
    assert sorted(ways) == sorted([f"/t/{fresh.id}/", f"/join/{tokens_of(fresh)[0]}/"])
    assert Table.objects.filter(host__in=[host.key, ben.key]).count() == 2


def test_an_open_result_shows_a_rematch(host: Guest, ben: Guest, last: Table) -> None:
    address = f"/t/{last.id}/result/"
    page = ben.page(address)
    assert f'hx-sse:connect="/t/{last.id}/events/"' in page
    stamp = page.partition("?stamp=")[2].partition('"')[0]

    def part() -> tuple[int, str]:
        answer = ben.client.get(f"{address}?stamp={stamp}", headers={"HX-Request": "true"})
        return answer.status_code, answer.content.decode()

    assert part() == (204, "")
    asked(host, last)
    status, text = part()
    assert status == 200 and OFFER in text and "<html" not in text
    sessions.get(last.id).rewind(0)
    gone = ben.client.get(address, headers={"HX-Request": "true"})
    assert gone["HX-Refresh"] == "true"


def test_players_who_want_mails_get_one_with_the_seat(host: Guest, ben: Guest, last: Table) -> None:
    give_address(host)
    give_address(ben)
    asked(host, last)
    asked(host, last)
    fresh = next_of(last)
    assert not mails_to(host, "again")
    (mail,) = mails_to(ben, "again")
    assert "Ada" in mail.subject and f"/join/{tokens_of(fresh)[0]}/?to=" in mail.text
    room = host.page(f"/t/{fresh.id}/")
    assert mail.address not in room, "the host is not told where it went"


def test_rematch_mails_are_limited(host: Guest, ben: Guest, last: Table) -> None:
    give_address(ben)
    for _time in range(8):
        asked(host, last)
        repair.delete(next_of(last).id)
    assert len(mails_to(ben, "again")) == 5
    addresses.check_unasked(mails_to(ben)[0].address)  # a password reset may still be mailed


@pytest.mark.slow
def test_a_backup_keeps_a_rematch(host: Guest, last: Table, tmp_path: Path) -> None:
    asked(host, last)
    fresh = next_of(last)
    backup.write(tmp_path / "site.backup")
    Table.objects.filter(pk=last.pk).update(sequel=None)
    backup.read(tmp_path / "site.backup", replace=True)
    assert next_of(last) == fresh
