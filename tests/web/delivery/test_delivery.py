"""Push messages and webhooks: to whom, when, in which form, and what happens if they fail."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from ipaddress import ip_network
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from py_vapid import Vapid02

from brassmill.web.chat import chat
from brassmill.web.delivery import choices, hooks, push, queue
from brassmill.web.models import Delivery, Mail, PushSubscription, Seat, Webhook
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.days import HOST, Time, give_address, mails_to, mover, row
from support.friends import Guest, at_table
from support.receivers import Receiver, answering, receiving
from support.web import hidden_words, play_turn

pytestmark = pytest.mark.usefixtures("site")

FORBIDDEN = b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
AUTH = b"0123456789abcdef"


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
def guests() -> list[Guest]:
    return [Guest("Ada"), Guest("Ben")]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)
    monkeypatch.setattr(settings, "OUTGOING_NETWORKS", [ip_network("127.0.0.0/8")])
    yield
    for model in (Delivery, Webhook, PushSubscription):
        model._default_manager.all().delete()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def hook(guest: Guest, receiver: Receiver, form: str = "json", **fields: Any) -> Webhook:
    return hooks.add(guest.key, form, receiver.url(), **fields)


def sent(time: Time, receiver: Receiver, **passing: float) -> list[dict[str, Any]]:
    """Let time pass and send what is due; return what has newly arrived."""
    before = len(receiver.requests)
    time.passes(**(passing or {"seconds": 30}))
    queue.send_due()
    return [json.loads(each.body) for each in receiver.requests[before:]]


def play_until(session: TableSession, guests: list[Guest], guest: Guest) -> None:
    """Play until the turn passes to a guest; in the next round they may be first again."""
    while mover(session, guests) is guest:
        play_turn(session)
    Delivery.objects.all().delete()  # time stands still: a turn that is over looks like the next
    while mover(session, guests) is not guest:
        play_turn(session)


class Browser:
    """A browser's part of a push subscription."""

    def __init__(self, guest: Guest, receiver: Receiver) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        encoded, secret = (urlsafe_b64encode(part).decode().rstrip("=") for part in (point, AUTH))
        answer = guest.client.post(
            "/notifications/browser/",
            {"address": receiver.url(), "key": encoded, "secret": secret},
        )
        assert answer.status_code == 302

    def read(self, body: bytes) -> dict[str, str]:
        """Decrypt a message."""
        content = http_ece.decrypt(
            body, private_key=self.key, auth_secret=AUTH, version="aes128gcm"
        )
        found: dict[str, str] = json.loads(content)
        return found


def test_the_turn_is_sent_to_a_webhook_once_and_signed(
    time: Time, guests: list[Guest], receiver: Receiver
) -> None:
    session = sessions.get(at_table(*guests).id)
    play_turn(session)
    webhook = hook(guests[1], receiver)
    play_until(session, guests, guests[1])
    late = guests[1]
    (body,) = sent(time, receiver)
    assert (body["event"], body["player"]) == ("turn", late.name)
    assert body["link"] == f"{HOST}/t/{session.table.id}/"
    assert (body["game"], body["seat"]) == (session.table.id, session.to_move)
    headers = receiver.requests[0].headers
    signed = f"{headers['brassmill-timestamp']}.".encode() + receiver.requests[0].body
    expected = hmac.new(webhook.secret.encode(), signed, sha256).hexdigest()
    assert headers["brassmill-signature"] == f"sha256={expected}"
    assert not sent(time, receiver, days=1), "once"


def test_nothing_secret_is_sent(time: Time, guests: list[Guest], receiver: Receiver) -> None:
    """No card, and no link that opens a seat."""
    session = sessions.get(at_table(*guests).id)
    for guest in guests:
        hook(guest, receiver)
    for _turn in range(3):
        play_turn(session)
        time.passes(seconds=30)
        queue.send_due()
    assert receiver.requests
    for request in receiver.requests:
        text = request.body.decode()
        assert "/seat/" not in text and "/join/" not in text
        assert not any(word in text for word in hidden_words(session.table))


def test_a_turn_that_is_over_or_seen_is_not_sent(
    time: Time, guests: list[Guest], receiver: Receiver
) -> None:
    session = sessions.get(at_table(*guests).id)
    for guest in guests:
        hook(guest, receiver)
    play_turn(session)
    time.passes(seconds=1)
    play_turn(session)  # the first of both was quick
    assert len(sent(time, receiver)) == 1
    play_turn(session)
    Seat.objects.filter(table=session.table).update(seen=time.now + timedelta(seconds=29))
    assert not sent(time, receiver), "the page is open"
    assert not Delivery.objects.filter(next_at__isnull=False).exists()


def test_the_webhook_of_a_table_gets_every_turn_and_the_end(
    time: Time, guests: list[Guest], receiver: Receiver
) -> None:
    table = at_table(*guests)
    session = sessions.get(table.id)
    hook(guests[0], receiver, table=row(table))
    movers = []
    for _turn in range(3):
        play_turn(session)
        movers.append(mover(session, guests).name)
        assert [body["player"] for body in sent(time, receiver)] == movers[-1:]
    guests[0].post(table, "ask", kind="end", seat="0")
    guests[1].post(table, "agree", kind="end", seat="0")
    assert session.over
    assert [body["event"] for body in sent(time, receiver)] == ["over"]


def test_every_service_gets_its_own_form(guests: list[Guest], receiver: Receiver) -> None:
    body = {"title": "<b> & @everyone", "text": "x", "path": "/t/1/", "site": HOST}
    delivery = Delivery(event="turn", body={**body, "edition": "", "player": "Ada"}, pk=7)
    forms = {
        form: hooks.body_of(Webhook(form=form, chat="-42", secret="s"), delivery)
        for form in hooks.FORMS
    }
    words = f"<b> & @everyone\nx\n{HOST}/t/1/"
    assert forms["discord"] == {"content": words, "allowed_mentions": {"parse": []}}
    assert forms["slack"] == {"text": f"&lt;b&gt; &amp; @everyone\nx\n{HOST}/t/1/"}
    assert forms["telegram"]["chat_id"] == "-42" and "parse_mode" not in forms["telegram"]
    assert forms["json"]["brassmill"] == 1


def test_a_failure_is_tried_again_and_at_last_the_webhook_is_switched_off(
    time: Time, guests: list[Guest]
) -> None:
    with receiving(answering(FORBIDDEN)) as receiver:
        webhook = hook(guests[0], receiver)
        for number in range(hooks.FAILURES):
            if number % queue.ATTEMPTS == 0:
                note = {"title": "", "text": "", "path": "/", "site": "", "edition": ""}
                Delivery.objects.create(
                    visitor=webhook.visitor,
                    webhook=webhook,
                    event=queue.TEST,
                    body={**note, "player": ""},
                    at=time.now,
                    next_at=time.now,
                )
            assert row_of(webhook).is_on
            queue.send_due()
            assert len(receiver.requests) == number + 1, "not before its time"
            queue.send_due()
            time.now += timedelta(hours=12)
        assert not row_of(webhook).is_on and row_of(webhook).fault == "500"
        page = guests[0].page("/notifications/")
        assert "Switched off after repeated failure: answer 500" in page
        queue.send_due()
        assert len(receiver.requests) == hooks.FAILURES
        guests[0].client.post("/notifications/webhook/", {"on": str(webhook.pk)})
        assert row_of(webhook).is_on and row_of(webhook).failures == 0


def row_of(webhook: Webhook) -> Webhook:
    return Webhook.objects.get(pk=webhook.pk)


def test_a_success_forgets_former_failures(time: Time, guests: list[Guest]) -> None:
    with receiving() as receiver:
        webhook = hook(guests[0], receiver)
        Webhook.objects.update(failures=5, fault="500")
        guests[0].client.post("/notifications/webhook/", {"try": str(webhook.pk)})
        queue.send_due()
        assert len(receiver.requests) == 1
        assert (row_of(webhook).failures, row_of(webhook).fault) == (0, "")


def test_a_redirect_is_a_failure_that_is_not_tried_again(time: Time, guests: list[Guest]) -> None:
    moved = b"HTTP/1.1 307 Moved\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    with receiving(answering(moved)) as receiver:
        webhook = hook(guests[0], receiver)
        guests[0].client.post("/notifications/webhook/", {"try": str(webhook.pk)})
        queue.send_due()
        time.now += timedelta(days=1)
        queue.send_due()
        assert len(receiver.requests) == 1
        assert row_of(webhook).fault == hooks.REDIRECTED


def test_a_push_message_can_be_read_by_its_browser_only_and_is_signed(
    time: Time, guests: list[Guest], receiver: Receiver
) -> None:
    session = sessions.get(at_table(*guests).id)
    play_turn(session)
    late = guests[1]
    browser = Browser(late, receiver)
    play_until(session, guests, late)
    time.passes(seconds=30)
    queue.send_due()
    request = receiver.requests[-1]  # both turns, if they were last and are first now
    assert late.name.encode() not in request.body
    message = browser.read(request.body)
    assert message["path"] == f"/t/{session.table.id}/"
    assert message["title"].startswith("Your turn") and "/seat/" not in str(message)
    assert not any(word in str(message) for word in hidden_words(session.table))
    headers = request.headers
    assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) > 0
    assert Vapid02.verify(headers["authorization"])
    assert f"k={push.public_key()}" in headers["authorization"]
    other = Browser(Guest("Cleo"), receiver)
    with pytest.raises(http_ece.ECEException):
        other.read(request.body)


@pytest.mark.parametrize("status", push.GONE)
def test_a_subscription_that_has_ended_is_removed(
    time: Time, guests: list[Guest], status: int
) -> None:
    answer = f"HTTP/1.1 {status} Gone\r\nContent-Length: 0\r\n\r\n".encode()
    with receiving(answering(answer)) as receiver:
        session = sessions.get(at_table(*guests).id)
        for guest in guests:
            Browser(guest, receiver)  # of one address: the last visitor has it
        assert PushSubscription.objects.count() == 1
        play_turn(session)
        while mover(session, guests) is not guests[1]:
            play_turn(session)
        time.passes(seconds=30)
        queue.send_due()
        assert not PushSubscription.objects.exists()


def test_the_chat_notifies_whoever_is_named_and_only_now_and_then(
    time: Time, guests: list[Guest], receiver: Receiver
) -> None:
    table = at_table(*guests)
    ada, _ben = table.seats.order_by("number")
    hook(guests[1], receiver)
    chat.say(table, ada, "Bengal is far away")
    assert not sent(time, receiver, seconds=60)
    chat.say(table, ada, "your turn, ben!")
    chat.say(table, ada, "Ben? Ben!")
    (body,) = sent(time, receiver, seconds=60)
    assert body["event"] == "mention" and "your turn, ben" not in str(body)


def test_events_and_ways_can_be_chosen(time: Time, guests: list[Guest], receiver: Receiver) -> None:
    table = at_table(*guests)
    ada, _ben = table.seats.order_by("number")
    hook(guests[1], receiver)
    give_address(guests[1])
    choices.store(guests[1].key, ways={"mention": ["mail"], "chat": ["webhook"], "turn": []})
    chat.say(table, ada, "Ben!")
    assert not sent(time, receiver, seconds=60)
    assert [mail.kind for mail in mails_to(guests[1])] == ["mention"]
    chat.say(table, ada, "Hello")
    assert [body["event"] for body in sent(time, receiver, seconds=60)] == ["chat"]
    session = sessions.get(table.id)
    play_turn(session)
    play_turn(session)
    assert not sent(time, receiver, hours=1)
    assert not Mail.objects.filter(kind="turn", address__startswith=guests[1].key.lower())


def test_quiet_hours_hold_everything_back(
    time: Time, guests: list[Guest], receiver: Receiver
) -> None:
    table = at_table(*guests)
    ada, _ben = table.seats.order_by("number")
    time.now = time.now.replace(hour=21, minute=30)  # 22:30 or 23:30 in Berlin
    hook(guests[1], receiver)
    give_address(guests[1])
    ways = {"mention": ["mail", "webhook"]}
    quiet = {"quiet_from": 22 * 60, "quiet_until": 7 * 60, "zone": "Europe/Berlin"}
    choices.store(guests[1].key, ways=ways, **quiet)
    chat.say(table, ada, "Ben!")
    assert not sent(time, receiver, hours=5) and not mails_to(guests[1])
    assert len(sent(time, receiver, hours=5)) == 1 and len(mails_to(guests[1])) == 1


def test_a_digest_is_one_email_a_day_without_what_is_no_longer_true(
    time: Time, guests: list[Guest]
) -> None:
    time.now = time.now.replace(hour=12, minute=0)
    table = at_table(*guests, notice="at once")
    ada, _ben = table.seats.order_by("number")
    give_address(guests[1])
    choices.store(guests[1].key, ways={"turn": ["mail"], "mention": ["mail"]}, digest=18)
    session = sessions.get(table.id)
    while mover(session, guests) is not guests[1]:
        play_turn(session)
    time.passes(minutes=2)
    while mover(session, guests) is guests[1]:
        play_turn(session)  # so the e-mail about this turn is no longer true
    chat.say(table, ada, "Ben!")
    chat.say(table, ada, "Ben, look!")
    assert not mails_to(guests[1])
    time.passes(hours=7)
    (mail,) = mails_to(guests[1])
    assert mail.kind == "digest" and mail.subject == "2 messages from Brassmill"
    assert "mails/stop/" in mail.text and "Your turn" not in mail.text
    time.passes(days=2)
    assert len(mails_to(guests[1])) == 1


def test_a_limit_for_each_receiver(
    time: Time, guests: list[Guest], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "HOURLY", 2)
    webhook = hook(guests[0], receiver)
    for _attempt in range(4):
        guests[0].client.post("/notifications/webhook/", {"try": str(webhook.pk)})
    assert Delivery.objects.filter(webhook=webhook).count() == 2


def test_an_operator_can_forbid_all_of_it(
    time: Time, guests: list[Guest], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "OUTGOING", False)
    session = sessions.get(at_table(*guests).id)
    for guest in guests:
        hook(guest, receiver)
    play_turn(session)
    assert not sent(time, receiver) and not Delivery.objects.exists()
    assert "Webhooks" not in guests[0].page("/notifications/")


def test_no_connection_to_the_database_is_held_while_a_message_is_sent(
    time: Time, guests: list[Guest], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook, held = hook(guests[0], receiver), list[object]()

    def send(*_: object) -> int:
        held.append(connection.connection)
        return 200

    monkeypatch.setattr(hooks, "send", send)
    guests[0].client.post("/notifications/webhook/", {"try": str(webhook.pk)})
    time.passes(seconds=30)
    queue.send_due()
    assert held == [None]


def test_slow_receivers_hold_up_nobody_else(
    time: Time, guests: list[Guest], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = (hook(guest, receiver) for guest in guests)
    asked: list[int] = []
    monkeypatch.setattr(queue, "monotonic", lambda: 0.0)

    def send(webhook: Webhook, _delivery: Delivery) -> int:
        asked.append(webhook.pk)
        return 200

    monkeypatch.setattr(hooks, "send", send)

    def try_both() -> None:
        for guest, webhook in zip(guests, (slow, quick), strict=True):
            guest.client.post("/notifications/webhook/", {"try": str(webhook.pk)})
        time.passes(seconds=30)

    monkeypatch.setattr(queue, "_slow", {"push": set(), "webhook": {slow.pk}})
    try_both()
    queue.send_due()
    assert asked == [quick.pk]
    queue.send_due(to_slow=True)
    assert asked == [quick.pk, slow.pk]
    try_both()
    queue.send_due()
    assert sorted(asked[2:]) == sorted([quick.pk, slow.pk]), "it was quick the last time"
    monkeypatch.setattr(queue, "SLOW", -1.0)
    for expected in ([slow.pk, quick.pk], []):  # from now on all are slow
        try_both()
        asked.clear()
        queue.send_due()
        assert sorted(asked) == sorted(expected)
    queue.send_due(to_slow=True)
    assert sorted(asked) == sorted([slow.pk, quick.pk])
