"""What is hidden in a waiting room, on one screen and with open hands; keys, links and seeds."""

from __future__ import annotations

import json
import random
from unittest import mock

import pytest
from django.conf import settings
from django.utils import timezone

from brassmill.web.models import Seat, Table
from brassmill.web.table import sessions
from support.friends import Guest, set_up, tokens_of
from support.web import KEY, hidden_words, make_table, no_bots, people_only, visitor
from web.test_crawl import (
    CARD,
    CHECKS,
    STRANGER,
    addresses,
    check_data,
    everything,
    other_deal,
    played,
    session_on,
)

pytestmark = pytest.mark.usefixtures("site")

# --- before a game starts ------------------------------------------------------------------------


def test_the_waiting_room_reveals_neither_the_deal_nor_the_links() -> None:
    host, guest, stranger = Guest("Ada"), Guest("Ben"), Guest("Eve")
    table = set_up(host, "you", "friend", "friend", "beginner")
    first, second = tokens_of(table)
    guest.sit(first)
    guest.post(table, "chat", text="Good luck!")
    links = [f"/join/{first}/", f"/join/{second}/", "/join/x/", "/move/x/"]
    rng = random.Random(3)
    for who in (host, guest, stranger):
        session = sessions.get(table.id)
        asked = [*addresses(session, rng), *links]
        with mock.patch.object(timezone, "now", return_value=timezone.now()):
            before = everything(session, who.client, who.key, asked)
            sessions._sessions[table.id] = other = session_on(
                session, other_deal(session, None, rng)
            )
            try:
                after = everything(other, who.client, who.key, asked)
            finally:
                sessions._sessions[table.id] = session
        assert before == after
        for address, answer in before.items():
            secrets = [*hidden_words(table), host.key, guest.key]
            secrets += [seat.invite for seat in table.seats.all() if seat.invite]
            if who is not host and second not in address:
                secrets.append(second)
            for secret in secrets:
                assert secret not in answer, f"{who.name}: {address}"
            assert not CARD.findall(answer)


# --- identities ----------------------------------------------------------------------------------


def test_nobody_can_read_a_key_a_link_or_the_seed() -> None:
    """Not on a page, in the lobby, the chat or the stream: neither players nor spectators."""
    host, guest, stranger = Guest("Ada"), Guest("Ben"), Guest("Eve")
    table = set_up(host, "you", "friend", listed="yes")
    guest.sit(tokens_of(table)[0])
    with no_bots():
        session = sessions.get(table.id)
        for number, moment in enumerate(played(session)):
            if moment == "end" and number > 30:
                break
        for who in (host, guest):
            who.post(table, "chat", text="Good luck!")
        guest.post(table, "chat/report", message=chat_lines(guest, table)[0])
        guest.post(table, "device", seat=1)
        seats = list(Seat.objects.filter(table=table))
        secrets = [word for seat in seats for word in (seat.invite, seat.handover) if word]
        secrets += [host.key, guest.key, settings.SECRET_KEY]
        assert len(secrets) == 5
        hidden = hidden_words(table)
        assert len(hidden) > 10  # the deal, the key of the bots, a check for each turn
        secrets += hidden
        more = ["/openapi.json", "/health/", "/metrics", "/new/birmingham.json", "/records.json"]
        for who in (host, guest, stranger):
            asked = [*addresses(session, random.Random(5)), *more]
            found = everything(session, who.client, who.key, asked)
            del found["coach"]  # not sent to anyone
            for address, answer in found.items():
                for secret in secrets:
                    assert secret not in answer, f"{who.name}: {address}"


def chat_lines(guest: Guest, table: Table) -> list[int]:
    lines = guest.client.get(f"/t/{table.id}/chat.json").json()["lines"]
    return [line["id"] for line in lines]


# --- one screen, and open hands ------------------------------------------------------------------


def test_on_one_screen_no_response_shows_a_hand_before_it_is_uncovered() -> None:
    session = sessions.get(make_table(people_only(2)).id)
    client, table = visitor(), f"/t/{session.table.id}"
    with no_bots():
        for moment in played(session):
            if moment != "end" or session.over:
                continue
            mover = session.to_move
            assert mover is not None
            for kind in ("page", "part", "past", "replay", "record"):
                CHECKS[kind](session, client, session.view(None))
            check_data(session, client, session.view(None))
            client.post(f"{table}/cover/", {"show": str(1 - mover)})  # it is not their turn
            check_data(session, client, session.view(None))
            client.post(f"{table}/cover/", {"show": str(mover)})
            for kind in ("page", "record", "replay"):
                CHECKS[kind](session, client, session.view(mover))
            check_data(session, client, session.view(mover))
            if session.turns > 5:
                break


@pytest.mark.parametrize("edition", ["birmingham", "lancashire"])
def test_opponents_hands_are_shown_in_teaching_mode_only(edition: str) -> None:
    open_session = sessions.get(make_table("you,beginner", edition, hands="open").id)
    covered = sessions.get(make_table("you,beginner", edition, hands="covered").id)
    hand = open_session.view(1).hand
    assert hand == covered.view(1).hand  # the same deal
    with no_bots():
        for session, key, is_shown in (
            (open_session, KEY, True),
            (open_session, STRANGER, False),
            (covered, KEY, False),
            (covered, STRANGER, False),
        ):
            client, table = visitor(key), f"/t/{session.table.id}"
            shown = client.get(f"{table}.json").json()["players"][1]["hand"]
            assert (shown is not None) == is_shown
            page = client.get(f"{table}/").content.decode()
            assert page.count('class="small-card') == (len(hand or ()) if is_shown else 0)
            replayed = json.loads(client.get(f"{table}/replay.json?as=1").content)
            assert (list(replayed["hands"]) == ["1"]) == is_shown
