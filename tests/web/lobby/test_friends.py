"""Friends at a table: the game starts when all are seated; a link opens its own seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from unittest import mock

import pytest
from django.db import connection

from brassmill.errors import IllegalAction
from brassmill.web.models import Entry, Table
from brassmill.web.table import bots, sessions, waiting_room
from brassmill.web.table.event_stream import stream
from support.friends import Guest, at_table, links_in, set_up, tokens_of
from support.web import no_bots, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")


def state(table: Table) -> list[tuple[object, ...]]:
    """Return everything that a request could have changed."""
    table.refresh_from_db()
    return [
        (table.gathering, table.revision, table.host, table.entries.count()),
        *table.seats.values_list("name", "bot", "holder", "invite"),
    ]


@pytest.fixture
def unchanged() -> Iterator[Callable[[Table], None]]:
    """Check that nothing done with a table changes it."""
    before: list[tuple[Table, list[tuple[object, ...]]]] = []
    yield lambda table: before.append((table, state(table)))
    assert before
    for table, was in before:
        assert state(table) == was


# --- waiting room --------------------------------------------------------------------------------


def test_a_seat_for_a_friend_is_open_and_the_table_waits(host: Guest) -> None:
    table = set_up(host, "you", "friend", "master", standby="expert")
    seats = list(table.seats.all())
    assert table.gathering and not table.listed and table.standby == "expert"
    assert [(seat.name, seat.bot, seat.is_open) for seat in seats][:2] == [
        ("Ada", "", False),
        ("", "", True),
    ]
    assert [seat.holder for seat in seats] == [host.key, "", ""]
    data = host.data(table)
    assert data["question"] == "Waiting for players" and data["to_move"] is None
    assert data["gathering"]["missing"] == 1
    page = host.page(f"/t/{table.id}/")
    assert "Waiting for 1 player" in page and links_in(page) == tokens_of(table)


def test_only_the_host_sees_the_links_of_a_private_table(host: Guest, ben: Guest) -> None:
    table = set_up(host)
    first, second = tokens_of(table)
    ben.sit(first)
    for guest in (ben, Guest("stranger")):
        for address in (f"/t/{table.id}/", f"/t/{table.id}.json", f"/t/{table.id}/part/"):
            text = guest.page(address)
            assert not links_in(text) and second not in text and first not in text


def test_nothing_can_be_played_before_all_are_seated(host: Guest) -> None:
    with no_bots():
        table = set_up(host, "you", "friend")
        session = sessions.get(table.id)
        choice = session.game.legal_choices().ids[0]
        with pytest.raises(IllegalAction, match="every seat"):
            session.choose(session.number, [choice])
        for action in ("choose", "end", "back"):
            host.post(table, action, number=session.number, choice=choice)
    assert not Entry.objects.filter(table=table).exists()


def test_no_hand_is_shown_before_the_game_starts(host: Guest, ben: Guest) -> None:
    table = set_up(host)
    ben.sit(tokens_of(table)[0])
    for guest in (host, ben):
        data = guest.data(table)
        assert (data["you"], data["hand"], data["offers"]) == (None, [], [])
        assert 'id="card-' not in guest.page(f"/t/{table.id}/")
        assert guest.client.get(f"/t/{table.id}/past/0.json").json()["hand"] is None
        assert guest.client.get(f"/t/{table.id}/replay.json?as=0").json()["hands"] == {}


def test_bots_wait_too(host: Guest) -> None:
    table = set_up(host, "you", "beginner", "beginner", "friend")
    session = sessions.get(table.id)
    with mock.patch.object(bots.pool, "add") as add:
        for seat in range(4):
            with mock.patch.object(type(session), "to_move", seat):
                assert not session.mover_is_bot
                bots.wake(session)
    assert not add.called


def test_the_last_player_to_sit_down_starts_the_bots(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "beginner", "friend")
    with mock.patch("brassmill.web.table.bots.wake") as wake:
        ben.client.post(f"/join/{tokens_of(table)[0]}/", {"name": "Ben"})
    assert [session.args[0].table.id for session in wake.call_args_list] == [table.id]


def test_taking_the_last_seat_starts_the_game_for_everyone(
    host: Guest, ben: Guest, cleo: Guest
) -> None:
    table = set_up(host, "you", "friend", "friend")
    first, second = tokens_of(table)
    assert ben.sit(first)["Location"] == f"/t/{table.id}/"
    stamps = [guest.data(table)["stamp"] for guest in (host, ben)]
    assert host.data(table)["gathering"]["missing"] == 1
    cleo.sit(second)
    table.refresh_from_db()
    assert not table.gathering
    for guest, stamp in zip((host, ben), stamps, strict=True):
        data = guest.data(table)
        assert data["gathering"] is None and data["stamp"] != stamp and data["hand"]
        assert [player["name"] for player in data["players"]] == ["Ada", "Ben", "Cleo"]
    assert sessions.get(table.id).game.seats == ("Ada", "Ben", "Cleo")
    games = [each.client.get("/index.json").json()["unfinished"][0] for each in (host, ben, cleo)]
    mover = sessions.get(table.id).to_move
    assert [game["your_turn"] for game in games] == [seat == mover for seat in range(3)]
    assert [game["round"] for game in games] == [1, 1, 1], "lists know that it has begun"
    with no_bots():
        play_turn(sessions.get(table.id))
    assert Entry.objects.filter(table=table).exists()


def test_open_pages_are_notified_at_once(host: Guest, ben: Guest) -> None:
    import asyncio

    table = set_up(host, "you", "friend")
    host.data(table)

    def sit() -> None:
        ben.sit(tokens_of(table)[0])
        connection.close()

    async def listen() -> None:
        events = stream(table.id, host.key)
        first = await anext(events)
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.to_thread(sit)
        told = await asyncio.wait_for(waiting, 60)
        assert told.startswith("event: moved") and told != first  # not only a keep-alive
        await events.aclose()

    asyncio.run(listen())


def test_the_host_can_start_with_bots_in_the_free_seats(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "friend", "friend", "friend", standby="beginner")
    tokens = tokens_of(table)
    ben.sit(tokens[1])
    with no_bots():
        host.post(table, "gather", fill=1)
    table.refresh_from_db()
    seats = list(table.seats.all())
    assert not table.gathering
    assert [seat.bot for seat in seats] == ["", "beginner", "", "beginner"]
    assert len({seat.name for seat in seats}) == 4 and all(seat.name for seat in seats)
    late = Guest("Late")
    assert late.sit(tokens[0]).status_code == 404
    assert not late.data(table)["held"]


def test_seat_changes_by_another_process_are_loaded_from_the_database(
    host: Guest, ben: Guest
) -> None:
    """As if another process had seated them: this one still has the old session."""
    table = set_up(host, "you", "friend")
    session = sessions.get(table.id)
    sessions.forget(table.id)
    ben.sit(tokens_of(table)[0])
    assert session.table.gathering and session.seats[1].is_open
    session.catch_up()
    assert not session.table.gathering
    assert session.game.seats == ("Ada", "Ben")


# --- host only -----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["renew", "free", "fill"])
def test_only_the_host_changes_the_seats(
    host: Guest, ben: Guest, action: str, unchanged: Callable[[Table], None]
) -> None:
    table = set_up(host)
    ben.sit(tokens_of(table)[0])
    unchanged(table)
    for guest in (ben, Guest("stranger")):
        answer = guest.post(table, "gather", **{action: 2 if action == "renew" else 1})
        assert "Only the host" in answer.content.decode()


def test_a_new_link_invalidates_the_old_one(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "friend")
    (old,) = tokens_of(table)
    host.post(table, "gather", renew=1)
    (new,) = tokens_of(table)
    assert new != old
    assert ben.sit(old).status_code == 404 and table.seats.filter(name="").count() == 1
    assert "Ada" not in ben.page(f"/join/{old}/"), "a dead link says nothing of the table"
    assert ben.sit(new).status_code == 302


def test_freeing_a_seat_invalidates_its_link(host: Guest, ben: Guest) -> None:
    table = set_up(host)
    token, _other = tokens_of(table)
    ben.sit(token)
    host.post(table, "gather", free=1)
    assert ben.data(table)["held"] == []
    assert len(tokens_of(table)) == 2
    assert ben.sit(token).status_code == 404


@pytest.mark.parametrize("sent", [{"free": 0}, {"renew": 0}, {"free": 9}, {"free": "x"}])
def test_the_hosts_own_seats_stay(
    host: Guest, sent: dict[str, object], unchanged: Callable[[Table], None]
) -> None:
    table = set_up(host)
    unchanged(table)
    host.post(table, "gather", **sent)


def test_after_the_start_nobody_can_be_removed(
    host: Guest, ben: Guest, unchanged: Callable[[Table], None]
) -> None:
    table = set_up(host, "you", "friend")
    ben.sit(tokens_of(table)[0])
    with no_bots():
        unchanged(table)
        for action in ("free", "renew", "fill"):
            assert "already started" in host.post(table, "gather", **{action: 1}).content.decode()


# --- links ---------------------------------------------------------------------------------------


def test_opening_a_link_changes_nothing(
    host: Guest, ben: Guest, unchanged: Callable[[Table], None]
) -> None:
    table = set_up(host)
    (token, _other) = tokens_of(table)
    unchanged(table)
    page = ben.page(f"/join/{token}/")
    assert "Brass: Birmingham" in page and "Ada" in page and "free seat" in page
    assert ben.client.head(f"/join/{token}/").status_code == 200
    assert ben.client.put(f"/join/{token}/").status_code == 405


def test_a_forged_link_leads_nowhere(
    host: Guest, ben: Guest, unchanged: Callable[[Table], None]
) -> None:
    table, other = set_up(host), set_up(Guest("Eve"))
    (token, second), (foreign, _rest) = tokens_of(table), tokens_of(other)
    unchanged(table)
    unchanged(other)
    body, _dot, signature = token.rpartition(".")
    guesses = [
        "x",
        "x.y",
        token[:-1],
        token + "A",
        f"{body}.{'A' * len(signature)}",
        f"{second.rpartition('.')[0]}.{signature}",  # the signature of another seat
        f"{foreign.rpartition('.')[0]}.{signature}",  # of a seat at another table
        f"{body[:-1]}{'A' if body[-1] != 'A' else 'B'}.{signature}",
        str(table.seats.first()),
        table.id,
        "%00",
        "é" * 40,
    ]
    for guess in guesses:
        assert ben.client.get(f"/join/{guess}/").status_code == 404, guess
        assert ben.sit(guess).status_code == 404, guess


def test_a_used_link_says_so(host: Guest, ben: Guest, cleo: Guest) -> None:
    table = set_up(host)
    token, _other = tokens_of(table)
    ben.sit(token)
    assert cleo.sit(token).status_code == 409
    assert "This seat is taken" in cleo.page(f"/join/{token}/")
    assert cleo.data(table)["held"] == [] and ben.data(table)["held"] == [1]
    again = ben.client.get(f"/join/{token}/")  # its owner is redirected to the table
    assert again.status_code == 302 and again["Location"] == f"/t/{table.id}/"


def test_nobody_can_take_two_seats(
    host: Guest, ben: Guest, unchanged: Callable[[Table], None]
) -> None:
    table = set_up(host)
    first, second = tokens_of(table)
    ben.sit(first)
    unchanged(table)
    for guest in (host, ben):
        assert guest.sit(second, "Other").status_code == 409
        assert "You already have a seat" in guest.page(f"/join/{second}/")


def test_of_two_visitors_with_the_same_link_only_one_gets_the_seat(host: Guest, ben: Guest) -> None:
    """The second page was loaded while the seat was still free."""
    table = set_up(host)
    seat = table.seats.get(number=1)
    waiting_room.take(seat, ben.key, "Ben")
    with pytest.raises(ValueError, match="just taken"):
        waiting_room.take(seat, "somebody", "Cleo")
    seat.refresh_from_db()
    assert (seat.name, seat.holder) == ("Ben", ben.key)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "Enter your name"),
        ("  ", "Enter your name"),
        ("ada", "The name ada is taken"),
        ("master", "not allowed as a player"),
        ("you", "not allowed as a player"),
        ("a:b", "not allowed as a player"),
        ("\u3164", "at least one letter or digit"),
        ("\u1160 \u2800", "at least one letter or digit"),
        ("*", "at least one letter or digit"),
        ("Ada\u3164", "not allowed as a player"),  # it would look like Ada
        ("B;en", "contains one of"),
        ("x" * 21, "too long"),
        ("seed", "cannot be the name"),
        ("a\u202eb", "invisible character"),
    ],
)
def test_the_usual_rules_for_names_apply(
    host: Guest, ben: Guest, name: str, words: str, unchanged: Callable[[Table], None]
) -> None:
    table = set_up(host)
    unchanged(table)
    answer = ben.sit(tokens_of(table)[0], name)
    assert answer.status_code == 422 and words in answer.content.decode()


def test_a_name_is_escaped(host: Guest, ben: Guest) -> None:
    table = set_up(host)
    first, other = tokens_of(table)
    assert ben.sit(first, "<script a='\"").status_code == 302
    for address in (f"/t/{table.id}/", f"/join/{other}/"):
        text = Guest("x").client.get(address).content.decode()
        assert "<script a" not in text and "&lt;script a=&#39;&#34;" in text


def test_a_name_is_remembered_for_the_next_table(host: Guest, ben: Guest) -> None:
    ben.sit(tokens_of(set_up(host))[0])
    assert 'value="Ben"' in ben.page(f"/join/{tokens_of(set_up(host))[0]}/")


def test_a_cross_site_post_takes_no_seat(host: Guest, unchanged: Callable[[Table], None]) -> None:
    from django.test import Client

    table = set_up(host)
    unchanged(table)
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/join/{tokens_of(table)[0]}/", {"name": "Eve"}).status_code == 403


def test_playing_again_invites_friends_again(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "friend", "beginner")
    ben.sit(tokens_of(table)[0])
    answer = ben.post(table, "again")
    fresh = Table.objects.get(pk=str(answer["Location"]).split("/")[2])
    assert [(seat.is_open, seat.name, seat.holder) for seat in fresh.seats.all()][:2] == [
        (True, "", ""),
        (False, "Ben", ben.key),
    ]
    assert visitor(ben.key).get(f"/t/{fresh.id}.json").json()["gathering"]["is_host"]


def test_playing_again_keeps_the_settings_and_a_solo_game_has_no_clock(
    host: Guest, ben: Guest
) -> None:
    table = at_table(host, ben, clock="turn-1d", overheard="no", notice="at once")
    answer = host.post(table, "again")
    fresh = Table.objects.get(pk=str(answer["Location"]).split("/")[2])
    assert (fresh.clock, fresh.overheard, fresh.notice) == ("turn-1d", False, "at once")
    table.seats.filter(number=1).update(holder="", bot="beginner", first_bot="beginner")
    sessions.changed(table.id)
    answer = host.post(table, "again")
    alone = Table.objects.get(pk=str(answer["Location"]).split("/")[2])
    assert not alone.gathering and alone.clock == "", "nobody waits for anybody"
