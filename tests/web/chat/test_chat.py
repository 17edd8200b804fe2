"""The chat: plain text from players, of limited length, closed by the host, and reportable."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.db import connection

from brassmill.web.chat import chat
from brassmill.web.identity import rate_limit
from brassmill.web.models import Message, Report, Table
from brassmill.web.table.event_stream import stream
from brassmill.web.table.live import hub, said
from support.friends import Guest, set_up, tokens_of
from support.web import make_table, no_bots, visitor

pytestmark = pytest.mark.usefixtures("site", "patience")


def say(guest: Guest, table: Table, text: str) -> Any:
    return guest.client.post(f"/t/{table.id}/chat.json", {"text": text})


def told(guest: Guest, table: Table) -> list[tuple[str, str]]:
    lines = guest.client.get(f"/t/{table.id}/chat.json").json()["lines"]
    return [(line["name"], line["text"]) for line in lines]


def test_everyone_at_the_table_reads_the_chat(host: Guest, ben: Guest, table: Table) -> None:
    assert say(host, table, "  Good \n luck! ").status_code == 200
    say(ben, table, "To you too 🙂")
    expected = [("Ada", "Good luck!"), ("Ben", "To you too 🙂")]
    for guest in (host, ben, Guest("watching")):
        assert told(guest, table) == expected
        page = guest.page(f"/t/{table.id}/")
        assert "Good luck!" in page and "just now" in page
    lines = host.client.get(f"/t/{table.id}/chat.json").json()["lines"]
    assert [line["is_yours"] for line in lines] == [True, False]


def test_friends_can_chat_in_the_waiting_room(host: Guest) -> None:
    table = set_up(host)
    assert say(host, table, "Where are you?").status_code == 200
    Guest("Ben").sit(tokens_of(table)[0])
    assert told(host, table) == [("Ada", "Where are you?")]


def test_spectators_cannot_chat(table: Table) -> None:
    stranger = Guest("Eve")
    assert say(stranger, table, "Build coal!").status_code == 403
    assert not table.messages.exists()
    assert 'id="say"' not in stranger.page(f"/t/{table.id}/")


def test_the_chat_can_be_hidden_from_spectators(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "friend", overheard="no")
    ben.sit(tokens_of(table)[0])
    say(ben, table, "a word between us")
    stranger = Guest("Eve")
    part = {"HX-Request": "true"}
    for address, asked in (("/", {}), ("/", part), ("/chat/", part), (".json", {})):
        address = f"/t/{table.id}{address}"
        assert "between us" not in stranger.client.get(address, headers=asked).content.decode()
    assert told(stranger, table) == []
    assert "between us" in host.page(f"/t/{table.id}/")
    assert told(host, table) == [("Ben", "a word between us")]
    number = table.messages.get().pk
    answer = stranger.client.post(f"/t/{table.id}/chat/report/", {"message": number}, headers=part)
    assert answer.status_code == 422 and not Report.objects.filter(message=number).exists()


def test_there_is_no_chat_on_a_shared_screen() -> None:
    with no_bots():
        table = make_table("Ada,Ben")
        page = visitor().get(f"/t/{table.id}/").content.decode()
    assert 'id="chat-part"' not in page


def test_a_message_is_escaped(host: Guest, ben: Guest, table: Table) -> None:
    say(ben, table, "<script>alert(1)</script><img src=x onerror=y>\x1b[31m{{ 7*7 }}")
    part = {"HX-Request": "true"}
    for address, asked in ((f"/t/{table.id}/", {}), (f"/t/{table.id}/chat/", part)):
        text = host.client.get(address, headers=asked).content.decode()
        assert "<script>alert" not in text and "<img" not in text and "\x1b" not in text
        assert "&lt;script&gt;alert(1)" in text and "{{ 7*7 }}" in text
    assert "\x1b" not in table.messages.get().text


def test_a_message_cannot_turn_the_direction_of_writing(host: Guest, table: Table) -> None:
    say(host, table, "pay \u202egnihton\u202c 👩\u200d🏭")
    assert told(host, table)[-1][1] == "pay gnihton 👩\u200d🏭"


def test_marks_of_annotations_and_halves_of_characters_are_left_out(
    host: Guest, table: Table
) -> None:
    chat.say(table, table.seats.get(holder=host.key), "a \ufff9coal\ufffamine\ufffb\ud83d")
    assert told(host, table)[-1][1] == "a coalmine"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \n\t", "is empty"),
        ("\u200b\u200d \ufe0f", "is empty"),  # invisible
        ("\u3164", "is empty"),
        ("x" * 501, "1 character too"),
    ],
)
def test_a_message_must_not_be_empty_or_too_long(
    host: Guest, table: Table, text: str, words: str
) -> None:
    answer = say(host, table, text)
    assert answer.status_code == 422 and words in answer.json()["note"]
    assert not table.messages.exists()
    assert say(host, table, "x" * Message.LONGEST).status_code == 200


def test_only_the_host_closes_the_chat(host: Guest, ben: Guest, table: Table) -> None:
    say(ben, table, "before")
    assert ben.post(table, "chat/mute", muted=1).status_code == 403
    assert say(ben, table, "still open").status_code == 200
    host.post(table, "chat/mute", muted=1)
    for guest in (host, ben):
        assert say(guest, table, "x").status_code == 422
    assert [text for _name, text in told(ben, table)] == ["before", "still open"]
    assert "closed this chat" in ben.page(f"/t/{table.id}/")
    host.post(table, "chat/mute", muted=0)
    assert say(ben, table, "open again").status_code == 200


def test_a_reported_message_is_kept_but_hidden_from_the_person_who_reported_it(
    host: Guest, ben: Guest, table: Table
) -> None:
    say(ben, table, "rude")
    say(ben, table, "kind")
    rude = table.messages.get(text="rude")
    for _ in range(2):
        host.post(table, "chat/report", message=rude.pk)
    assert told(host, table) == [("Ben", "kind")]
    assert len(told(ben, table)) == 2 and len(told(Guest("Eve"), table)) == 2
    assert list(Report.objects.filter(message=rude).values_list("visitor", flat=True)) == [host.key]


def test_a_message_of_another_table_cannot_be_reported_here(
    host: Guest, ben: Guest, table: Table
) -> None:
    other = set_up(host)
    say(host, other, "elsewhere")
    number = other.messages.get().pk
    for wanted in (number, 0, "x"):
        ben.post(table, "chat/report", message=wanted)
    assert not Report.objects.filter(message=number).exists()


def test_a_message_keeps_the_name_of_its_author(host: Guest, ben: Guest, cleo: Guest) -> None:
    """The next player of the seat has not written it."""
    table = set_up(host)
    ben.sit(tokens_of(table)[0])
    say(ben, table, "I must go")
    host.post(table, "gather", free=1)
    cleo.sit(tokens_of(table)[0])
    assert told(host, table) == [("Ben", "I must go")]
    assert cleo.data(table)["held"] == [1]
    (line,) = cleo.client.get(f"/t/{table.id}/chat.json").json()["lines"]
    assert not line["is_yours"]


def test_a_message_event_reveals_nothing(host: Guest, ben: Guest, table: Table) -> None:
    host.data(table)

    def speak() -> None:
        say(ben, table, "hello")
        connection.close()

    async def listen() -> None:
        events = stream(table.id, host.key)
        await anext(events)
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        await asyncio.to_thread(speak)
        assert await asyncio.wait_for(waiting, 60) == "event: said\ndata: something\n\n"
        await events.aclose()

    asyncio.run(listen())
    say(ben, table, "is anybody there?")
    assert table.id not in hub.said, "nobody looks: nothing is counted"


def test_a_stream_tells_only_those_who_may_read_that_something_was_said(
    host: Guest, ben: Guest
) -> None:
    table = set_up(host, "you", "friend", overheard="no")
    ben.sit(tokens_of(table)[0])
    host.data(table)

    async def listen() -> None:
        events = {key: stream(table.id, key) for key in (host.key, "a spectator")}
        for each in events.values():
            await anext(each)
        heard = {key: asyncio.ensure_future(anext(each)) for key, each in events.items()}
        await asyncio.sleep(0)
        said(table.id)
        assert (await asyncio.wait_for(heard[host.key], 60)).startswith("event: said")
        hub.closed = True
        hub.wake(table.id)
        with pytest.raises(StopAsyncIteration):
            await asyncio.wait_for(heard["a spectator"], 60)

    try:
        asyncio.run(listen())
    finally:
        hub.closed = False


def test_chatting_is_rate_limited(host: Guest, ben: Guest, table: Table) -> None:
    for number in range(rate_limit.WORDS.most):
        assert say(host, table, str(number)).status_code == 200
    answer = say(host, table, "one more")
    assert answer.status_code == 429 and answer.json()["note"]
    assert table.messages.count() == rate_limit.WORDS.most
    assert say(ben, table, "and me?").status_code == 200, "others are not held up"
