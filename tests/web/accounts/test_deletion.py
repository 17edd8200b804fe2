"""Export and deletion of an account: your data in one file, and what remains afterwards."""

from __future__ import annotations

import random
from copy import deepcopy
from datetime import timedelta
from secrets import token_hex
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from brassmill import record as records
from brassmill.web.accounts import deletion
from brassmill.web.chat import chat
from brassmill.web.identity import rate_limit
from brassmill.web.models import Account, Mail, Message, Report, Seat, SignIn, Table, Upload
from brassmill.web.server import database
from brassmill.web.table import sessions
from support.friends import Guest, at_table, set_up, tokens_of
from support.people import GOOD, guest_of, make_account, signed_in
from support.web import hidden_words, make_table, no_bots, play_turn
from web.test_crawl import CARD, everything, other_deal, played, session_on

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture
def account() -> Account:
    return make_account()


def table_of(account: Account, *others: Guest, **sent: str) -> Table:
    """Return a game of an account with guests, all seated."""
    return at_table(guest_of(account), *others, **sent)


def export(client: Client) -> dict[str, Any]:
    answer = client.post("/account/export/")
    assert answer["Content-Disposition"] == 'attachment; filename="brassmill.json"'
    data: dict[str, Any] = answer.json()
    return data


# --- export --------------------------------------------------------------------------------------


def test_an_export_has_everything_that_is_kept(account: Account) -> None:
    ben = Guest("Ben")
    running = table_of(account, ben)
    over = make_table("Ada,Ben", "lancashire", key=account.key)
    with no_bots():
        session = sessions.get(over.id)
        for _ in played(session):
            pass
    sessions.forget(over.id)
    guest_of(account).post(running, "chat", text="Hello <b>Ben</b>")
    ben.post(running, "chat", text="secret of Ben")
    Upload.objects.create(visitor=account.key, name="mine", text="[Brass]")
    Upload.objects.create(visitor=ben.key, name="his", text="…")
    data = export(signed_in(account))
    assert data["account"]["name"] == account.name
    assert data["account"]["address"] == account.user.email
    games = {game["id"]: game for game in data["games"]}
    assert set(games) == {running.id, over.id}
    assert "record" not in games[running.id] and games[running.id]["over"] is False
    assert records.loads(games[over.id]["record"]).deal == session.game.deal
    assert games[over.id]["stands"]["result"]
    assert [seat["yours"] for seat in games[running.id]["seats"]] == [True, False]
    (message,) = data["messages"]
    assert message["text"] == "Hello <b>Ben</b>" and message["game"] == running.id
    assert data["uploads"] == [{"name": "mine", "text": "[Brass]", "at": data["uploads"][0]["at"]}]


def test_an_export_lists_signed_in_browsers_without_their_keys(account: Account) -> None:
    old = timezone.now() - timedelta(days=3)
    kept = [account.sign_ins.create(at=old).pk]
    client = signed_in(account)
    data = export(client)
    kept.append(client.session["sign_in"])
    first, last = data["account"]["sign_ins"]
    assert first == old.isoformat(timespec="seconds") < last
    assert not [key for key in (*kept, account.key) if key in str(data)]
    assert export(signed_in(make_account("Eve")))["account"]["sign_ins"] != [first, last]


def test_an_export_has_reports_but_not_the_reported_words(account: Account) -> None:
    ben = Guest("Ben")
    table = table_of(account, ben)
    ben.post(table, "chat", text="something rude")
    guest_of(account).post(table, "chat", text="something kind")
    rude, kind = table.messages.all()
    chat.report(table, account.key, rude.pk)
    chat.report(table, ben.key, kind.pk)
    at = Report.objects.get(message=rude).at.isoformat(timespec="seconds")
    data = export(signed_in(account))
    assert data["reports"] == [{"game": table.id, "seat": 1, "at": at}]
    assert "rude" not in str(data) and "something kind" in str(data)


def test_an_export_reveals_nothing_about_others(account: Account) -> None:
    other = make_account("Eve")
    theirs, ben = make_table("you,beginner", key=other.key), Guest("Ben")
    shared = table_of(account, ben)
    text = str(export(signed_in(account)))
    mine = [account.key, ben.key, other.key, theirs.id, other.name, account.user.password]
    assert not [secret for secret in mine if secret in text] and shared.id in text
    assert export(signed_in(other))["games"][0]["id"] == theirs.id
    assert Client().post("/account/export/").status_code == 302


def test_an_export_reveals_nothing_hidden_in_a_running_game(account: Account) -> None:
    """An account would get the same export with another deal."""
    ben, rng = Guest("Ben"), random.Random(4)
    me = guest_of(account)
    table = table_of(account, ben)
    Table.objects.filter(pk=table.pk).update(listed=True)
    session = sessions.get(table.id)
    asked = ["/account/", "/account.json", "/", f"/t/{table.id}.json", f"/t/{table.id}/record/"]
    moments = played(session)

    def all_of_it() -> dict[str, str]:
        cache.clear()
        told = me.client.post("/account/export/").content.decode()
        for secret in (*hidden_words(table), ben.key, account.key):
            assert secret not in told
        assert not CARD.findall(told)
        return {**everything(sessions.get(table.id), me.client, me.key, asked), "export": told}

    with no_bots():
        for _ in range(60):
            next(moments)
            if session.turns % 3 or session.game.question == "turn over":
                continue
            with mock.patch.object(timezone, "now", return_value=timezone.now()):
                before = all_of_it()
                sessions._sessions[table.id] = session_on(session, other_deal(session, 0, rng))
                try:
                    assert all_of_it() == before
                finally:
                    sessions._sessions[table.id] = session
    moments.close()  # type: ignore[attr-defined]


def test_exports_are_limited(account: Account) -> None:
    client = signed_in(account)
    asked = [
        client.post("/account/export/").status_code for _ in range(rate_limit.EXPORTS.most + 1)
    ]
    assert asked == [200] * rate_limit.EXPORTS.most + [429]
    assert client.get("/account/export/").status_code == 405


def test_a_game_without_a_result_keeps_its_secrets(account: Account) -> None:
    table = make_table("you,beginner", key=account.key, seed=None)
    with no_bots():
        sessions.get(table.id).void()
    (game,) = export(signed_in(account))["games"]
    assert game["over"] and "record" not in game
    assert not [word for word in hidden_words(table) if word in str(game)]


def test_a_game_with_other_rules_is_exported_without_its_record(account: Account) -> None:
    table = make_table("you,beginner", key=account.key)
    table.entries.create(number=1, body={"choose": [999_999]})
    Table.objects.filter(pk=table.pk).update(over=True, summary={"result": [[0, 1, 9]]})
    assert export(signed_in(account))["games"][0]["record"] is None


# --- deletion ------------------------------------------------------------------------------------


def delete(client: Client, password: str = GOOD) -> Any:
    return client.post("/account/delete/", {"present": password})


def test_deletion_requires_the_password(account: Account) -> None:
    client = signed_in(account)
    page = client.get("/account/delete/").content.decode()
    assert "a bot takes over your seat" in page and "chats is removed" in page
    assert delete(client, "wrong").status_code == 422
    assert User.objects.filter(pk=account.user.pk).exists()
    copy, phone = Client(), signed_in(account)
    copy.cookies = deepcopy(client.cookies)
    assert copy.get("/account.json").status_code == 200
    assert delete(client).status_code == 200
    assert not User.objects.filter(pk=account.user.pk).exists()
    assert not Account.objects.filter(pk=account.pk).exists()
    assert not SignIn.objects.filter(account=account.pk).exists()
    for browser in (client, phone, copy):
        assert browser.get("/account.json").status_code == 401


def test_an_operator_cannot_delete_their_account(account: Account) -> None:
    """The admin log refers to the user."""
    User.objects.filter(pk=account.user.pk).update(is_staff=True)
    answer = delete(signed_in(account))
    assert answer.status_code == 422 and "operator" in answer.content.decode()
    assert User.objects.filter(pk=account.user.pk).exists()


def test_deletion_removes_what_belongs_to_the_account_alone(account: Account) -> None:
    alone = make_table("you,beginner", key=account.key)
    shared = make_table("Ada,Ben", key=account.key)  # on one screen
    waiting = set_up(guest_of(account), "you", "friend")
    upload = Upload.objects.create(visitor=account.key, name="mine", text="…")
    other = make_table("you,beginner", key="another")
    delete(signed_in(account))
    left = Table.objects.filter(pk__in=[alone.pk, shared.pk, waiting.pk, other.pk])
    assert list(left) == [other]
    assert not Upload.objects.filter(pk=upload.pk).exists()


def test_deletion_removes_mails_and_reports_too(account: Account) -> None:
    ben, address = Guest("Ben"), account.user.email
    table = table_of(account, ben)
    ben.post(table, "chat", text="his")
    chat.report(table, account.key, Message.objects.get(table=table).pk)
    Client().post("/forgotten/", {"address": address})
    Mail.objects.create(address=address, kind="turn", subject="S", text="T", language="en")
    with no_bots():
        delete(signed_in(account))
    assert not Report.objects.filter(visitor=account.key).exists()
    left = Mail.objects.filter(address__iexact=address).values_list("kind", flat=True)
    assert list(left) == ["turn"], "that is for another person, who reads this address"
    Mail.objects.filter(address__iexact=address).delete()


def test_an_open_page_of_a_deleted_game_says_so(account: Account) -> None:
    alone = make_table("you,beginner", key=account.key)
    with mock.patch("brassmill.web.table.live.moved") as told:
        delete(signed_in(account))
    told.assert_called_once_with(alone.id)


def test_a_bot_takes_over_in_a_game_with_others(account: Account) -> None:
    ben, name = Guest("Ben"), account.name
    table = table_of(account, ben, **{"name-0": "Countess"})
    session = sessions.get(table.id)
    with no_bots():
        for _ in range(3):
            play_turn(session)
        while session.to_move != 0:
            play_turn(session)
        delete(signed_in(account))
        fresh = sessions.get(table.id)
        first = fresh.seats[0]
        assert (first.holder, first.bot) == ("", table.standby) and fresh.mover_is_bot
        assert first.name not in ("Countess", name, "Ben", "")
        assert fresh.table.host == ben.key
        for address in (f"/t/{table.id}/", f"/t/{table.id}/record/", f"/t/{table.id}/replay/"):
            page = ben.page(address)
            assert "Countess" not in page and first.name in page, address
        assert ben.data(table)["held"] == [1]
        roles = [player["role"] for player in ben.data(table)["players"]]
        assert roles == ["former player", "you"], "not to be taken for a bot of the table"
        assert "former player" in ben.page("/")
    assert len(fresh.log) == len(list(table.entries.all())), "nothing is lost"


def test_a_finished_game_stays_with_another_name(account: Account) -> None:
    ben = Guest("Ben")
    table = table_of(account, ben, edition="lancashire", **{"name-0": "Countess"})
    session = sessions.get(table.id)
    with no_bots():
        for _ in played(session):
            pass
    result = session.table.summary["result"]
    addresses = [f"/t/{table.id}/{page}/" for page in ("result", "replay", "record")]
    assert all("Countess" in ben.page(address) for address in addresses)
    delete(signed_in(account))
    assert not any("Countess" in ben.page(address) for address in addresses)
    table.refresh_from_db()
    assert table.over and table.summary["result"] == result
    seat = table.seats.get(number=0)
    assert (seat.holder, seat.bot) == ("", "") and seat.name != "Countess"
    assert all("former player" in ben.page(page) for page in (addresses[0], "/"))


def test_a_waiting_table_gets_its_free_seat_back(account: Account) -> None:
    host, ben = Guest("Cleo"), Guest("Ben")
    table = set_up(host, "you", "friend", "friend")
    guest_of(account).sit(tokens_of(table)[0])
    own = set_up(guest_of(account), "you", "friend", "friend")
    ben.sit(tokens_of(own)[0])
    delete(signed_in(account))
    assert [seat.is_open for seat in table.seats.all()] == [False, True, True]
    assert [seat.is_open for seat in own.seats.all()] == [True, False, True]
    own.refresh_from_db()
    assert own.host == ben.key and own.gathering
    assert len(tokens_of(own)) == 2
    assert Guest("Dan").sit(tokens_of(own)[0]).status_code == 302


def test_deletion_removes_own_messages_and_keeps_others(account: Account) -> None:
    ben = Guest("Ben")
    table = table_of(account, ben)
    guest_of(account).post(table, "chat", text="mine")
    ben.post(table, "chat", text="his")
    mine = Message.objects.get(table=table, text="mine")
    chat.report(table, ben.key, mine.pk)
    with mock.patch("brassmill.web.table.live.said") as told:
        delete(signed_in(account))
    told.assert_called_once_with(table.id)
    assert [
        line["text"] for line in ben.client.get(f"/t/{table.id}/chat.json").json()["lines"]
    ] == ["his"]
    assert not Report.objects.filter(message=mine.pk).exists()


def test_a_moved_seat_takes_its_messages_along(account: Account) -> None:
    from brassmill.web.lobby import move_seat
    from brassmill.web.setup import seat_links

    ben = Guest("Ben")
    table = table_of(account, ben)
    ben.post(table, "chat", text="from here")
    seat = move_seat.offer(Seat.objects.get(table=table, number=1))
    move_seat.accept(seat_links.handed_over(seat_links.handover(seat)), account.key)
    assert Message.objects.get(table=table).author == account.key


def test_an_interrupted_deletion_can_be_repeated(account: Account) -> None:
    ben = Guest("Ben")
    tables = [table_of(account, ben) for _ in range(2)]
    with (
        mock.patch.object(deletion, "_delete_messages", side_effect=OSError("gone")),
        pytest.raises(OSError, match="gone"),
    ):
        deletion.delete(account)
    assert Account.objects.filter(pk=account.pk).exists()
    with no_bots():
        deletion.delete(account)
    assert not Account.objects.filter(pk=account.pk).exists()
    assert all(sessions.get(table.id).bots[0] == table.standby for table in tables)


def test_a_renamed_seat_is_updated_in_a_loaded_session(account: Account) -> None:
    """As if another process had renamed it."""
    table = table_of(account, Guest("Ben"))
    session = sessions.get(table.id)
    with no_bots():
        play_turn(session)
        stamp, log = session.published, list(session.log)
        name = f"N{token_hex(2)}"
        table.seats.filter(number=0).update(name=name)
        sessions.changed(table.id)
        assert sessions.get(table.id) is session
    assert session.game.seats[0] == name and (session.published, session.log) == (stamp, log)


def test_deleted_rows_are_overwritten_in_the_file() -> None:
    if database.is_shared():
        pytest.skip("PostgreSQL cleans up by itself")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        assert cursor.fetchone()[0], "otherwise names stay in free pages"
