"""A shared deal: until the last table of its round is over, nobody learns anything of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest import mock

import pytest
from django.test import Client

from brassmill import record as records
from brassmill.web.accounts import export, stats
from brassmill.web.archive import filling, public
from brassmill.web.delivery import choices
from brassmill.web.mail import notifications
from brassmill.web.models import Archive, ArchivedGame, FollowedGame, Table, Tournament
from brassmill.web.profiles.games import games_of
from brassmill.web.setup.secrecy import may_see
from brassmill.web.table import sessions
from support.tournaments import begin, end, go_on, players, set_up, tables
from support.web import hidden_words, no_bots, visitor
from web.test_crawl import addresses

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture
def held() -> Iterator[tuple[Tournament, Table, Table]]:
    """Return a round of two tables with one deal, the first of them over."""
    with no_bots():
        found = set_up(players(8), duplicate=True, rounds=1)
        begin(found)
        first, last = tables(found)
        end(first)
        go_on(found)
        first.refresh_from_db()
        yield found, first, last
    for table in (first, last):
        table.delete()
        sessions.forget(table.pk)
    found.delete()


def players_of(table: Table) -> list[Client]:
    """Return the browsers of everyone who plays at a table."""
    return [visitor(seat.holder) for seat in table.seats.all()]


def asked(table: Table) -> list[str]:
    """Return every address of a table."""
    found = addresses(sessions.get(table.pk), random.Random(1))
    more = [f"/t/{table.pk}/picture.png", f"/t/{table.pk}/film.webp"]
    return [address for address in found if table.pk in address] + more


def test_a_held_table_shows_itself_to_nobody_else(held: tuple[Tournament, Table, Table]) -> None:
    _found, first, last = held
    for table, strangers in ((last, [visitor("a-stranger"), *players_of(first)]), (first, [])):
        for client in strangers:
            for address in asked(table):
                assert client.get(address).status_code == 403, address


def test_a_game_that_is_over_shows_itself_to_nobody(held: tuple[Tournament, Table, Table]) -> None:
    _found, first, last = held
    for client in (players_of(first)[0], players_of(last)[0], visitor("a-stranger")):
        for address in asked(first):
            assert client.get(address).status_code == 403, address
        for action in ("analyse", "again", "follow", "bookmark"):
            answer = client.post(f"/t/{first.pk}/{action}/", {"at": "0"})
            assert answer.status_code in (403, 404, 409), action
    assert not FollowedGame.objects.filter(table=first).exists()


def test_its_players_play_but_hand_nothing_out(held: tuple[Tournament, Table, Table]) -> None:
    _found, _first, last = held
    player = players_of(last)[0]
    for address in (f"/t/{last.pk}/", f"/t/{last.pk}.json", f"/t/{last.pk}/chat.json"):
        assert player.get(address).status_code == 200, address
    page = player.get(f"/t/{last.pk}/").content.decode()
    assert f"/t/{last.pk}/record/" not in page and f"/t/{last.pk}/replay/" not in page
    for page in ("replay/", "replay.json", "record/", "picture.svg", "study/"):
        assert player.get(f"/t/{last.pk}/{page}").status_code == 403, page


def test_no_stream_tells_when_somebody_clicks(held: tuple[Tournament, Table, Table]) -> None:
    _found, first, last = held
    assert visitor("a-stranger").get(f"/t/{last.pk}/events/").status_code == 404
    assert players_of(first)[0].get(f"/t/{last.pk}/events/").status_code == 404
    assert players_of(last)[0].get(f"/t/{last.pk}/events/").status_code == 200


def test_no_list_has_it(held: tuple[Tournament, Table, Table]) -> None:
    found, first, last = held
    stranger = visitor("a-stranger")
    pages = ("/lobby/", "/lobby.json", "/archive/", "/archive.json", "/ratings/", "/ratings.json")
    more = (f"/tournaments/{found.pk}/", f"/tournaments/{found.pk}.json", "/", "/index.json")
    for address in (*pages, *more, f"/tournaments/{found.pk}/games.brass"):
        text = stranger.get(address).content.decode()
        for table in (first, last):
            assert f"/t/{table.pk}" not in text, address
            assert not any(word in text for word in hidden_words(table)), address
    assert stranger.get(f"/tournaments/{found.pk}/games.brass").content == b""


def test_the_archive_and_everything_that_follows_from_it_wait(
    held: tuple[Tournament, Table, Table],
) -> None:
    found, first, last = held
    filling.fill()
    assert not public.is_public(first) and not public.is_followable(last)
    assert not Table.objects.filter(public.finished(), pk=first.pk).exists()
    assert not ArchivedGame.objects.filter(table=first).exists()
    key = first.seats.all()[0].holder
    assert not games_of(key)
    account = found.entrants.get(account__key=key).account
    assert account is not None
    game = export.export_of(account)["games"][0]
    assert game["id"] == first.pk and "record" not in game
    for word in hidden_words(first):
        assert word not in str(export.export_of(account))


def test_totals_of_profiles_wait_for_the_end_of_the_round(
    held: tuple[Tournament, Table, Table],
) -> None:
    found, first, last = held
    key = first.seats.all()[0].holder
    Table.objects.filter(pk=first.pk).update(summary={"result": [[0, 1, 99]]})
    assert not stats.results_of(key)
    end(last)
    go_on(found)
    assert [each.best for each in stats.results_of(key)] == [99]


def test_no_notification_tells_a_result_before_the_round_ends(
    held: tuple[Tournament, Table, Table],
) -> None:
    _found, _first, last = held
    with (
        mock.patch.object(notifications, "_notify") as told,
        mock.patch("brassmill.web.mail.notifications.deliveries.announce_to_all") as announced,
    ):
        end(last)
    assert choices.OVER not in [call.args[2] for call in told.call_args_list]
    assert not announced.called


def test_results_stay_hidden_on_the_page(held: tuple[Tournament, Table, Table]) -> None:
    found, _first, _last = held
    data = visitor("a-stranger").get(f"/tournaments/{found.pk}.json").json()
    seats = [seat for table in data["rounds"][0]["tables"] for seat in table["seats"]]
    assert all(seat["rank"] == seat["vp"] == 0 and not seat["points"] for seat in seats)
    assert {row["points"] for row in data["rows"]} == {"0"}


def test_when_the_last_table_is_over_everything_opens(
    held: tuple[Tournament, Table, Table],
) -> None:
    found, first, last = held
    end(last)
    go_on(found)
    stranger = visitor("a-stranger")
    for table in (first, last):
        table.refresh_from_db()
        assert may_see(table, table.seats.all(), "a-stranger") and public.is_public(table)
        for page in ("", "result/", "replay/", "record/"):
            assert stranger.get(f"/t/{table.pk}/{page}").status_code == 200, page
    filling.fill()
    assert ArchivedGame.objects.filter(table=first).exists()
    file = stranger.get(f"/tournaments/{found.pk}/games.brass").content.decode()
    games = list(records.read(file.splitlines()))
    assert len(games) == 2
    account = found.entrants.get(account__key=first.seats.all()[0].holder).account
    assert account is not None and export.export_of(account)["games"][0]["record"]


def test_a_game_that_the_organiser_ends_holds_the_deal_no_longer_than_the_others(
    held: tuple[Tournament, Table, Table],
) -> None:
    found, first, last = held
    sessions.get(last.pk).void()
    assert visitor("a-stranger").get(f"/t/{last.pk}/").status_code == 403
    go_on(found)
    first.refresh_from_db()
    assert not first.held and found.state == Tournament.OVER


def test_a_cancelled_round_opens_when_its_last_game_is_over(
    held: tuple[Tournament, Table, Table],
) -> None:
    found, first, last = held
    Tournament.objects.filter(pk=found.pk).update(state=Tournament.CANCELLED)
    go_on(found)
    first.refresh_from_db()
    assert first.held
    end(last)
    go_on(found)
    first.refresh_from_db()
    assert not first.held and found.state == Tournament.CANCELLED
    assert Archive.objects.get(pk=first.pk).deal == Archive.objects.get(pk=last.pk).deal
