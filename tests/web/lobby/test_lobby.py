"""The lobby: public tables only, with a seat for visitors who have none."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.utils import timezone

from brassmill.web.lobby.lobby import RECENT
from brassmill.web.models import Table
from brassmill.web.server import database
from support.friends import Guest, at_table, links_in, set_up, tokens_of
from support.web import hidden_words, make_table, no_bots

pytestmark = pytest.mark.usefixtures("site")

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def empty() -> None:
    Table.objects.all().delete()


def lobby(guest: Guest) -> dict[str, list[dict[str, Any]]]:
    data: dict[str, list[dict[str, Any]]] = guest.client.get("/lobby.json").json()
    return data


def test_only_listed_tables_are_shown() -> None:
    host, guest = Guest("Ada"), Guest("Ben")
    private, open_to_all = set_up(host), set_up(host, listed="yes")
    make_table()
    assert [game["id"] for game in lobby(guest)["waiting"]] == [open_to_all.id]
    assert lobby(guest)["running"] == []
    page = guest.page("/lobby/")
    assert open_to_all.id in page and private.id not in page


def test_a_table_without_seats_for_friends_is_never_listed() -> None:
    table = set_up(Guest("Ada"), "you", "beginner", listed="yes")
    assert not table.listed


def test_a_seat_can_be_taken_from_the_lobby_and_the_game_watched() -> None:
    host, ben, stranger = Guest("Ada"), Guest("Ben"), Guest("Eve")
    table = set_up(host, "you", "friend", listed="yes")
    (token,) = links_in(ben.page("/lobby/"))
    assert links_in(ben.page(f"/t/{table.id}/"))[0] == token, "the table says so too"
    with no_bots():
        assert ben.sit(token).status_code == 302
    for guest in (ben, stranger):
        assert lobby(guest)["waiting"] == []
        (game,) = lobby(guest)["running"]
        assert game["id"] == table.id and not game["token"]
    assert not game["your_turn"], "a spectator has no turn"
    assert "Watch" in stranger.page("/lobby/") and "Resume" in ben.page("/lobby/")


def test_a_seated_player_is_offered_no_second_seat() -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, listed="yes")
    ben.sit(tokens_of(table)[0])
    for guest in (host, ben):
        assert not links_in(guest.page("/lobby/")) and not lobby(guest)["waiting"][0]["token"]


def test_abandoned_tables_disappear() -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    tables = [set_up(host, listed="yes"), at_table(host, Guest("Cleo"), listed="yes")]
    for moment, number in ((RECENT - HOUR, 1), (RECENT + HOUR, 0)):
        Table.objects.update(touched=timezone.now() - moment)
        found = lobby(ben)
        assert [len(found["waiting"]), len(found["running"])] == [number, number]
    assert Table.objects.filter(pk__in=[table.pk for table in tables]).count() == 2


def test_the_lobby_shows_no_key_and_no_seed() -> None:
    host = Guest("Ada")
    table = set_up(host, listed="yes")
    for address in ("/lobby/", "/lobby.json"):
        text = Guest("Ben").page(address)
        assert not [word for word in [host.key, *hidden_words(table)] if word in text]


def test_the_home_page_links_to_the_lobby_and_lists_its_tables() -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    assert 'href="/lobby/"' in ben.page("/")
    table = set_up(host)
    ben.sit(tokens_of(table)[0])
    (game,) = ben.client.get("/index.json").json()["unfinished"]
    assert (game["id"], game["stage"], game["turn"]) == (
        table.id,
        "Waiting for players",
        "1 free seat",
    )
    assert not game["your_turn"] and not game["can_delete"]
    assert links_in(ben.page("/")) == []


def test_lists_ask_the_database_for_the_time_once_however_long_they_are() -> None:
    host, ben = Guest("Ada"), Guest("Ben")
    with no_bots():
        for _game in range(3):
            Table.objects.filter(pk=at_table(host, ben, clock="turn-1d").pk).update(listed=True)
    for page in ("/lobby.json", "/index.json"):
        with mock.patch.object(database, "now", wraps=database.now) as asked:
            shown = host.client.get(page).json()
        assert len(shown.get("running") or shown["unfinished"]) == 3 and asked.call_count == 1, page
