"""Hints between people: off, unless the host allows them for everyone before the game starts."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.core.cache import cache

from brassmill.web.models import Table
from brassmill.web.staff import backup
from brassmill.web.table import bots, coach, repair, sessions
from support.days import mails_to
from support.friends import Guest, at_table, set_up, tokens_of
from support.web import make_table, no_bots, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

upgrade = import_module("brassmill.web.migrations.0014_hints_between_people")

REFUSED = "Between people, hints are off unless the host allows them before the start."


@pytest.fixture(autouse=True)
def no_thinking() -> Iterator[None]:
    """The coach answers at once, and bots do not move."""
    cache.clear()
    with mock.patch.object(coach, "advise", return_value=[]), no_bots():
        yield


def mover(table: Table, *guests: Guest) -> Guest:
    """Return the guest who is to move."""
    holder = sessions.get(table.id).seats[sessions.get(table.id).to_move or 0].holder
    return next(guest for guest in guests if guest.key == holder)


def can_ask(guest: Guest, table: Table) -> bool:
    """May the guest, who is to move, ask the coach? Page, data and both addresses agree."""
    asked: list[Any] = [
        guest.client.post(f"/t/{table.id}/hint/", headers={"HX-Request": "true"}),
        guest.client.post(f"/t/{table.id}/hint.json"),
    ]
    data, page = guest.data(table), guest.page(f"/t/{table.id}/")
    assert data["your_turn"]
    signs = {
        data["hints"],
        data["can_hint"],
        'id="ask-hint"' in page,
        *(answer.status_code == 200 for answer in asked),
        sessions.get(table.id).coach_answers != {},
    }
    assert len(signs) == 1, signs
    (is_allowed,) = signs
    if not is_allowed:
        assert [answer.status_code for answer in asked] == [403, 403]
        assert REFUSED in asked[0].content.decode()
        assert asked[1].json() == {"error": "No hints in this game", "words": REFUSED}
    return bool(is_allowed)


# --- who may ask ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [{}, {"hints": "no"}, {"hints": "maybe"}, {"listed": "yes"}])
def test_between_friends_nobody_can_ask(host: Guest, ben: Guest, sent: dict[str, str]) -> None:
    table = at_table(host, ben, **sent)
    assert not can_ask(mover(table, host, ben), table)


@pytest.mark.parametrize("listed", ["no", "yes"])
def test_if_the_host_allows_hints_everyone_can_ask(host: Guest, ben: Guest, listed: str) -> None:
    table = at_table(host, ben, hints="yes", listed=listed)
    first = mover(table, host, ben)
    assert can_ask(first, table)
    session = sessions.get(table.id)
    play_turn(session)
    assert mover(table, host, ben) != first
    assert can_ask(mover(table, host, ben), table)


@pytest.mark.parametrize("seats", ["you,beginner", "Ada,Ben", "Ada,Ben,beginner"])
def test_against_bots_and_on_one_screen_the_coach_is_there(seats: str) -> None:
    table = make_table(seats, hands="open", key="holder")
    session = sessions.get(table.id)
    while session.mover_is_bot:
        play_turn(session)
    guest = Guest()
    guest.client = visitor("holder")
    assert can_ask(guest, table)


def test_with_bots_in_all_free_seats_it_is_no_longer_between_people(host: Guest) -> None:
    table = set_up(host, "you", "friend")
    host.post(table, "gather", fill="1")
    assert host.data(table)["hints"]
    assert not Table.objects.get(pk=table.pk).hints, "a later guest would play without"


def test_a_seat_that_moves_to_another_device_changes_nothing(ben: Guest) -> None:
    table = make_table("Ada,Ben", key="holder")
    table.seats.filter(number=1).update(holder=ben.key)
    sessions.changed(table.id)
    assert ben.data(table)["hints"]


def test_a_seat_offered_to_a_stranger_ends_the_hints(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "apprentice")
    session = sessions.get(table.id)
    assert host.data(table)["hints"]
    with mock.patch.object(bots, "wake"):
        repair.offer(session, 1)
    assert not host.data(table)["hints"]


def test_spectators_and_players_who_wait_get_no_hint_either(host: Guest, ben: Guest) -> None:
    table = at_table(host, ben, hints="yes")
    waiting = host if mover(table, host, ben) is ben else ben
    for guest in (waiting, Guest("stranger")):
        assert guest.client.post(f"/t/{table.id}/hint.json").json()["asked"] is False
        assert not guest.data(table)["can_hint"]


# --- the host's choice ---------------------------------------------------------------------------


def test_the_host_can_change_it_until_the_game_starts(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "friend", "friend")
    cleo = Guest("Cleo")
    first, second = tokens_of(table)
    ben.sit(first)
    assert "No hints from the coach in this game." in ben.page(f"/t/{table.id}/")
    host.post(table, "gather", hints="yes")
    assert ben.data(table)["gathering"]["hints"] is True
    assert "Everyone may ask the coach for hints." in ben.page(f"/t/{table.id}/")
    host.post(table, "gather", hints="no")
    host.post(table, "gather", hints="sometimes")
    assert ben.data(table)["gathering"]["hints"] is False
    host.post(table, "gather", hints="yes")
    cleo.sit(second)
    answer = host.post(table, "gather", hints="no")
    assert "The game has already started." in answer.content.decode()
    assert can_ask(mover(table, host, ben, cleo), table)


def test_only_the_host_can_allow_hints(host: Guest, ben: Guest) -> None:
    table = set_up(host)
    ben.sit(tokens_of(table)[0])
    for guest in (ben, Guest("stranger")):
        assert "Only the host" in guest.post(table, "gather", hints="yes").content.decode()
        assert 'id="allow-hints"' not in guest.page(f"/t/{table.id}/")
    assert 'id="allow-hints"' in host.page(f"/t/{table.id}/")
    assert not Table.objects.get(pk=table.pk).hints


@pytest.mark.parametrize(("sent", "words"), [("no", "No hints"), ("yes", "Hints allowed")])
def test_every_page_before_and_in_the_game_says_it(
    host: Guest, ben: Guest, sent: str, words: str
) -> None:
    table = set_up(host, "you", "friend", "friend", listed="yes", hints=sent)
    address = f"{ben.key}@example.org".lower()
    host.post(table, "invite", seat=1, address=address)
    assert f"{words}.\n" in mails_to(ben, "invitation")[-1].text
    first, second = tokens_of(table)
    assert f"No clock · {words}" in ben.page(f"/join/{first}/")
    (row,) = [row for row in ben.page("/lobby/").split('<li class="game') if first in row]
    assert f"No clock · {words}" in row
    waiting = ben.client.get("/lobby.json").json()["waiting"]
    assert [game["hints"] for game in waiting if game["id"] == table.id] == [words.lower()]
    ben.sit(first)
    Guest("Cleo").sit(second)
    for guest in (host, ben, Guest("stranger")):
        page = guest.page(f"/t/{table.id}/")
        assert f'<span class="deck fair">{words}</span>' in page
        assert f'<li id="menu-hints">{words}</li>' in page


def test_a_game_that_is_not_between_people_does_not_mention_hints() -> None:
    table = make_table("you,beginner")
    page = visitor().get(f"/t/{table.id}/").content.decode()
    assert "menu-hints" not in page and "deck fair" not in page
    (game,) = [
        game for game in visitor().get("/index.json").json()["unfinished"] if game["id"] == table.id
    ]
    assert game["hints"] == ""


def test_a_rematch_keeps_the_choice(host: Guest, ben: Guest) -> None:
    for sent in ("yes", "no"):
        last = at_table(host, ben, hints=sent)
        sessions.get(last.id).void()
        host.post(last, "again")
        last.refresh_from_db()
        assert last.sequel and last.sequel.hints == (sent == "yes")


# --- stored games --------------------------------------------------------------------------------


def test_an_upgrade_changes_no_running_game(host: Guest, ben: Guest) -> None:
    """They keep the rules they began with; whoever has not begun plays by the new ones."""
    running, waiting, over = at_table(host, ben), set_up(host, "you", "friend"), at_table(host, ben)
    sessions.get(over.id).void()
    upgrade.keep_in_running_games(apps, None)
    kept = dict(Table.objects.values_list("pk", "hints"))
    assert (kept[running.pk], kept[waiting.pk], kept[over.pk]) == (True, False, False)


def test_backups_keep_it(host: Guest, ben: Guest, tmp_path: Path) -> None:
    with_hints, without = at_table(host, ben, hints="yes"), at_table(host, ben)
    backup.write(tmp_path / "backup")
    Table.objects.filter(pk=with_hints.pk).update(hints=False)
    backup.read(tmp_path / "backup", replace=True)
    kept = dict(Table.objects.values_list("pk", "hints"))
    assert kept[with_hints.pk] and not kept[without.pk]
