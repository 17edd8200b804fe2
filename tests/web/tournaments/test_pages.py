"""The pages of tournaments: the list, the form, joining, and what an organiser decides."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from brassmill import record as records
from brassmill.web.accounts import export
from brassmill.web.identity import blocks
from brassmill.web.lobby import move_seat
from brassmill.web.models import Account, Tournament
from brassmill.web.server import database
from brassmill.web.setup import seat_links
from brassmill.web.tournaments import entrants, formats, organising
from brassmill.web.tournaments.state import state_of
from support.people import make_account, signed_in
from support.tournaments import an_organiser, begin, clear, end, go_on, players, set_up, tables
from support.web import no_bots, visitor

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    with no_bots():
        yield
    clear()


@pytest.fixture
def organiser() -> Account:
    """Return an account that may organise."""
    return an_organiser()


def form(**more: str) -> dict[str, str]:
    return {**organising.usual(database.now()).values, "name": "Black Country Cup", **more}


def text_of(client: Client, address: str) -> str:
    return unescape(client.get(address).content.decode())


def make(client: Client, **more: str) -> Tournament:
    answer = client.post("/tournaments/new/", form(**more))
    assert answer.status_code == 302, answer.content.decode()
    return Tournament.objects.get(pk=answer["Location"].split("/")[2])


# --- making one ----------------------------------------------------------------------------------


def test_an_organiser_makes_a_tournament(organiser: Account) -> None:
    found = make(signed_in(organiser), style="league", rounds="4", division="6", days="7")
    assert (found.style, found.rounds, found.division, found.interval.days) == ("league", 4, 6, 7)
    assert found.organiser == organiser and found.state == Tournament.OPEN
    assert "Black Country Cup" in text_of(visitor("a-stranger"), "/tournaments/")
    arena = make(signed_in(organiser), style="arena", minutes="90", days="3")
    assert arena.lasting == timedelta(minutes=90) and not arena.interval


def test_every_format_edition_size_and_option_can_be_chosen(organiser: Account) -> None:
    now = database.now()
    for style in formats.FORMATS:
        for edition, size in (("classic", "3"), ("lancashire", "2"), ("birmingham", "4")):
            assert not organising.read(form(style=style, edition=edition, size=size), now).faults
    given = organising.read(form(edition="lancashire", size="2", community_2p="True"), now)
    assert not given.faults and given.options == {"community_2p": True}


@pytest.mark.parametrize(
    ("field", "value", "more"),
    [
        ("name", "  ", {}),
        ("name", "see www.example.org", {}),
        ("style", "lottery", {}),
        ("edition", "mars", {}),
        ("clock", "", {}),
        ("size", "2", {"edition": "classic"}),
        ("size", "9", {}),
        ("most", "-1", {}),
        ("starts", "yesterday", {}),
        ("starts", "2020-01-01T00:00", {}),
        ("duplicate", "yes", {"style": "arena"}),
        ("rated", "yes", {"intro": "True"}),
        ("rated", "yes", {"duplicate": "yes"}),
        ("size", "4", {"edition": "lancashire", "community_2p": "True"}),
    ],
)
def test_the_form_says_what_is_wrong(
    organiser: Account, field: str, value: str, more: dict[str, str]
) -> None:
    answer = signed_in(organiser).post("/tournaments/new/", form(**{field: value}, **more))
    assert answer.status_code == 422
    assert f'id="fault-{field}"' in answer.content.decode()
    assert not Tournament.objects.exists()


def test_only_a_confirmed_address_organises_and_not_too_much(organiser: Account) -> None:
    assert visitor("nobody").post("/tournaments/new/", form()).status_code == 403
    unconfirmed = signed_in(make_account())
    assert unconfirmed.post("/tournaments/new/", form()).status_code == 403
    client = signed_in(organiser)
    for _n in range(organising.MOST_AT_ONCE):
        make(client)
    assert client.post("/tournaments/new/", form()).status_code == 403


# --- taking part ---------------------------------------------------------------------------------


def test_players_join_and_leave(organiser: Account) -> None:
    found, ada = set_up([], organiser=organiser), make_account()
    client = signed_in(ada)
    assert client.post(f"/tournaments/{found.pk}/join/").status_code == 302
    page = text_of(client, f"/tournaments/{found.pk}/")
    assert ada.name in page and "/leave/" in page and "/join/" not in page
    assert "Cup" in text_of(client, "/") and "Cup" in text_of(client, "/account/")
    assert export.export_of(ada)["tournaments"]["entered"][0]["tournament"] == found.pk
    client.post(f"/tournaments/{found.pk}/leave/")
    assert ada.name not in text_of(visitor("x"), f"/tournaments/{found.pk}/")


def test_without_an_account_joining_leads_to_the_sign_in() -> None:
    found = set_up([])
    answer = visitor("nobody").post(f"/tournaments/{found.pk}/join/")
    assert answer.status_code == 302 and answer["Location"].startswith("/sign-in/")
    assert not found.entrants.exists()


def test_the_page_of_a_running_tournament() -> None:
    entered = players(9)
    found = set_up(entered, duplicate=False)
    begin(found)
    for table in tables(found):
        end(table)
    go_on(found)
    page = text_of(visitor("a-stranger"), f"/tournaments/{found.pk}/")
    assert all(account.name in page for account in entered)
    assert "Cross table" in page and page.count("<svg") > 1
    data = visitor("a-stranger").get(f"/tournaments/{found.pk}.json").json()
    assert data["rows"][0]["place"] == 1 and len(data["rounds"]) == 2
    assert not any(account.key in page for account in entered)
    assert found.key not in page and found.key not in str(data)


def test_a_table_leads_to_its_tournament() -> None:
    found = set_up(players(4))
    begin(found)
    table = tables(found)[0]
    assert f"/tournaments/{found.pk}/" in text_of(visitor("x"), f"/t/{table.pk}/")


def test_all_games_as_a_file() -> None:
    found = set_up(players(8), rounds=1)
    begin(found)
    first, last = tables(found)
    end(first)
    read = text_of(visitor("x"), f"/tournaments/{found.pk}/games.brass")
    assert len(list(records.read(read.splitlines()))) == 1
    end(last)
    go_on(found)
    assert found.state == Tournament.OVER
    read = text_of(visitor("x"), f"/tournaments/{found.pk}/games.brass")
    both = [each for each in records.read(read.splitlines()) if isinstance(each, records.Record)]
    assert len(both) == 2
    names = {name for game in both for name in game.seats}
    assert names == {each.account.name for each in found.entrants.all() if each.account}


# --- organising ----------------------------------------------------------------------------------


def decide(account: Account, found: Tournament, do: str, **sent: Any) -> int:
    status: int = (
        signed_in(account).post(f"/tournaments/{found.pk}/manage/", {"do": do, **sent}).status_code
    )
    found.refresh_from_db()
    return status


def test_the_organiser_decides_the_course(organiser: Account) -> None:
    found = set_up(players(1), organiser=organiser, starts=database.now() + timedelta(days=1))
    assert decide(organiser, found, "begin") == 409 and found.state == Tournament.OPEN
    for account in players(3):
        entrants.join(found, account)
    assert decide(organiser, found, "begin") == 302 and found.state == Tournament.RUNNING
    assert decide(organiser, found, "pause") == 302 and found.state == Tournament.PAUSED
    assert decide(organiser, found, "pause") == 409
    assert decide(organiser, found, "resume") == 302 and found.state == Tournament.RUNNING
    assert decide(organiser, found, "cancel") == 302 and found.state == Tournament.CANCELLED
    assert decide(organiser, found, "cancel") == 409
    assert decide(organiser, found, "rule the world") == 409


def test_nobody_else_decides_anything(organiser: Account) -> None:
    found = set_up(players(4), organiser=organiser)
    for do in ("begin", "pause", "cancel", "remove", "declare"):
        assert decide(make_account(), found, do, player="1") == 403
    assert visitor("x").post(f"/tournaments/{found.pk}/manage/", {"do": "begin"}).status_code == 403
    assert found.state == Tournament.OPEN and found.entrants.count() == 4


def test_the_organiser_decides_a_table(organiser: Account) -> None:
    found = set_up(players(3), organiser=organiser, rounds=1, rated=True)
    begin(found)
    table = tables(found)[0]
    ranks = {"rank-0": "2", "rank-1": "1", "rank-2": "3"}
    assert decide(organiser, found, "declare", table="1", **{**ranks, "rank-0": "7"}) == 409
    assert decide(organiser, found, "declare", table="1", **ranks) == 302
    assert decide(organiser, found, "declare", table="1", **ranks) == 409
    table.refresh_from_db()
    assert table.over and table.summary["void"] and not table.rated
    go_on(found)
    assert found.state == Tournament.OVER
    assert [int(row.points) for row in state_of(found).standings()] == [12, 6, 0]


def test_organisers_decide_neither_their_own_table_nor_a_game_that_is_over(
    organiser: Account,
) -> None:
    found = set_up([organiser, *players(5)], organiser=organiser, rated=True, edition="classic")
    begin(found)
    ranks = {"rank-0": "2", "rank-1": "1", "rank-2": "3"}
    for row in state_of(found).tables:
        is_own = any(seat.entrant.account == organiser for seat in row.seats.all())
        assert row.table
        if not is_own:
            end(row.table)
        answer = signed_in(organiser).post(
            f"/tournaments/{found.pk}/manage/", {"do": "declare", "table": row.number, **ranks}
        )
        assert answer.status_code == 409
        words = "You play at this table yourself" if is_own else "This game is over"
        assert words in answer.content.decode()
    assert not any(row.is_decided for row in state_of(found).tables)


def test_after_the_end_and_when_blocked_an_organiser_has_no_power(organiser: Account) -> None:
    found = set_up([organiser, *players(3)], organiser=organiser)
    begin(found)
    barred = blocks.of_visitor(organiser.key, organiser.name)
    barred.save()
    assert decide(organiser, found, "cancel") == 403 and found.state == Tournament.RUNNING
    barred.delete()
    assert decide(organiser, found, "cancel") == 302
    for do in ("begin", "pause", "remove", "declare"):
        assert decide(organiser, found, do, player="1", table="1") == 409
    leaving = signed_in(organiser).post(f"/tournaments/{found.pk}/leave/")
    assert leaving.status_code == 409
    assert not found.entrants.filter(is_out=True).exists()


def test_a_seat_of_a_casual_tournament_is_handed_to_nobody() -> None:
    found = set_up(players(4))
    begin(found)
    table = tables(found)[0]
    seat = table.seats.all()[0]
    key, player = seat.holder, visitor(seat.holder)
    assert f"/t/{table.pk}/device/" not in text_of(player, f"/t/{table.pk}/")
    assert player.post(f"/t/{table.pk}/device/", {"seat": "0"}).status_code == 302
    link = f"/move/{seat_links.handover(move_seat.offer(seat))}/"
    assert visitor("a-stranger").post(link).status_code == 403
    seat.refresh_from_db()
    assert seat.holder == key


def test_the_organiser_sees_the_tools_and_nobody_else(organiser: Account) -> None:
    found = set_up(players(5), organiser=organiser, most=4)
    begin(found)
    page = text_of(signed_in(organiser), f"/tournaments/{found.pk}/")
    assert all(
        f'value="{do}"' in page for do in ("pause", "cancel", "remove", "replace", "declare")
    )
    assert "/manage/" not in text_of(visitor("x"), f"/tournaments/{found.pk}/")
