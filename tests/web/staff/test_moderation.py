"""Moderation in Django's admin: messages, chats, and blocks of visitors and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex

import pytest
from django.core.cache import cache
from django.test import Client, override_settings

from brassmill.web.models import Block, Message, Report, Table
from support.friends import Guest, set_up, tokens_of
from support.staff import act, operator, page_of, post, written

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def staff() -> Iterator[Client]:
    """Return a browser logged in as staff; the password is hashed quickly."""
    cache.clear()
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield operator()
    cache.clear()


def friends(name: str = "Ben") -> tuple[Guest, Guest, Table]:
    """Return a host, a guest, and their table."""
    host, guest = Guest("Ada"), Guest(name)
    table = set_up(host, "you", "friend")
    guest.sit(tokens_of(table)[0])
    return host, guest, table


def block(staff: Client, who: str, reason: str = "") -> str:
    """Fill in the form; return the resulting page."""
    return post(staff, "block/add/", who=who, reason=reason)


def unblock(staff: Client, **known: str) -> None:
    found = Block.objects.get(**known)
    act(staff, "block", "delete_selected", found.pk, post="yes")
    assert not Block.objects.filter(pk=found.pk).exists()


# --- messages ------------------------------------------------------------------------------------


def texts_in(page: str) -> list[str]:
    """Return the messages of a list."""
    return re.findall(r'class="field-text.*?<a [^>]*>([^<]*)<', page, re.S)


def test_messages_are_found_by_report_and_by_table(staff: Client) -> None:
    host, ben, table = friends()
    ben.post(table, "chat", text="something ugly")
    host.post(table, "chat", text="be nice")
    ugly = Message.objects.get(table=table, name="Ben")
    for key in (host.key, "a spectator"):
        Report.objects.create(message=ugly, visitor=key)
    page = page_of(staff, f"message/?table={table.id}")
    assert sorted(texts_in(page)) == ["be nice", "something ugly"]
    assert ben.key not in page and host.key not in page
    reported = page_of(staff, f"message/?table={table.id}&reports__isempty=0")
    assert texts_in(reported) == ["something ugly"]
    assert re.search(r'class="field-times">2<', reported)
    assert re.search(rf'class="field-id">{ugly.pk}<', reported)
    friends()[1].post(friends()[2], "chat", text="elsewhere")
    assert "elsewhere" not in texts_in(page_of(staff, f"message/?q={table.id}"))


def test_a_message_can_be_hidden_and_its_author_blocked(staff: Client) -> None:
    host, ben, table = friends()
    ben.post(table, "chat", text="something ugly")
    host.post(table, "chat", text="be nice")
    message = Message.objects.get(table=table, name="Ben")
    act(staff, "message", "hide", message.pk)
    assert "ugly" not in host.page(f"/t/{table.id}/") and written("hidden")
    for guest in (host, ben):
        lines = guest.client.get(f"/t/{table.id}/chat.json").json()["lines"]
        assert [line["text"] for line in lines] == ["be nice"]
    act(staff, "message", "show", message.pk)
    assert "ugly" in host.page(f"/t/{table.id}/")
    act(staff, "message", "block", message.pk)
    assert Block.objects.filter(visitor=ben.key, name="Ben").exists() and written("blocked")
    assert ben.post(table, "chat", text="more").status_code == 403
    act(staff, "message", "delete_selected", message.pk, post="yes")
    assert "ugly" not in host.page(f"/t/{table.id}/")


def test_the_chat_of_a_table_can_be_closed_and_opened(staff: Client) -> None:
    _host, ben, table = friends()
    act(staff, "table", "close_chat", table.id)
    assert ben.post(table, "chat", text="more").status_code == 422 and written("chat closed")
    act(staff, "table", "open_chat", table.id)
    assert ben.post(table, "chat", text="more").status_code == 302 and written("chat opened")


# --- blocks --------------------------------------------------------------------------------------


def cannot(guest: Guest, table: Table) -> set[str]:
    """Return what a blocked visitor cannot do."""
    other = Guest("Host")
    token = tokens_of(set_up(other, "you", "friend"))[0]
    new = {"players": "2", "who-0": "you", "name-0": guest.name, "who-1": "beginner"}
    answers = {
        "new": guest.client.post("/new/birmingham/", new),
        "quick": guest.client.post("/start/"),
        "join": guest.sit(token),
        "chat": guest.post(table, "chat", text="hello"),
        "again": guest.post(table, "again"),
    }
    return {action for action, answer in answers.items() if answer.status_code == 403}


def test_a_blocked_visitor_cannot_start_join_or_chat_but_plays_on(staff: Client) -> None:
    host, ben, table = friends()
    assert cannot(ben, table) == set()
    page = block(staff, f"{table.id}:2", "spam")
    assert cannot(ben, table) == {"new", "quick", "join", "chat", "again"}
    assert cannot(host, table) == set()
    assert ben.data(table)["held"] == [1]
    row = next(row for row in page.split("<tr>") if "spam" in row)  # of the list of blocks
    cells = re.findall(r'class="field-(\w+).*?>(?:<a [^>]*>)?([^<]*)<', row)
    assert cells[:3] == [("name", "Ben"), ("known_by", "cookie"), ("reason", "spam")]
    assert ben.key not in page
    unblock(staff, visitor=ben.key)
    assert cannot(ben, table) == set()


def test_a_person_is_blocked_once_however_they_are_named(staff: Client) -> None:
    _host, ugly, table = friends("Ugly")
    ugly.post(table, "chat", text="ugly")
    message = Message.objects.get(table=table).pk
    for who in (f"{table.id}:2", f"{table.id}:ugly", f"#{message}", "ugly", ugly.key):
        block(staff, who)
        assert Block.objects.filter(visitor=ugly.key).count() == 1, who
        assert "Ugly is blocked already" in block(staff, "Ugly")
        unblock(staff, visitor=ugly.key)
    act(staff, "seat", "block", table.seats.get(number=1).pk)
    act(staff, "message", "block", message)
    assert Block.objects.filter(visitor=ugly.key).count() == 1
    unblock(staff, name="Ugly")


def test_an_address_is_blocked_and_only_its_hash_is_kept(staff: Client) -> None:
    block(staff, "203.0.113.77")
    try:
        assert Client(REMOTE_ADDR="203.0.113.77").post("/start/").status_code == 403
        assert Client(REMOTE_ADDR="203.0.113.78").post("/start/").status_code == 302
        assert re.fullmatch("[0-9a-f]{64}", Block.objects.get(name="203.0.113.77").address)
    finally:
        unblock(staff, name="203.0.113.77")
    assert Client(REMOTE_ADDR="203.0.113.77").post("/start/").status_code == 302


def test_an_address_is_blocked_however_it_is_written(staff: Client) -> None:
    block(staff, "2001:DB8:0::7")
    try:
        for address in ("2001:db8::7", "2001:db8:0:0:0:0:1:2"):  # in the same network
            assert Client(REMOTE_ADDR=address).post("/start/").status_code == 403
        assert Client(REMOTE_ADDR="2001:db8:0:1::7").post("/start/").status_code == 302
    finally:
        unblock(staff, name="2001:DB8:0::7")


def test_the_form_can_block_someone(staff: Client) -> None:
    address = f"203.0.113.{int(token_hex(1), 16)}"
    assert (
        staff.post("/admin/web/block/add/", {"who": address, "reason": "spam"}).status_code == 302
    )
    found = Block.objects.get(name=address)
    assert found.address and address not in found.address
    assert "blocked already" in block(staff, address)
    changed = staff.post(f"/admin/web/block/{found.pk}/change/", {"reason": "much spam"})
    assert changed.status_code == 302
    assert Block.objects.get(pk=found.pk).reason == "much spam"


def test_an_unknown_or_ambiguous_person_is_not_blocked(staff: Client) -> None:
    one, other = friends()[2], friends()[2]
    before = Block.objects.count()
    words = block(staff, "Ben")
    assert f"{one.id}:2" in words and f"{other.id}:2" in words
    assert "unknown person Zoe-nowhere" in block(staff, "Zoe-nowhere")
    assert "unknown person" in block(staff, f"{one.id}:Zoe")
    assert "no message #0" in block(staff, "#0")
    assert Block.objects.count() == before
