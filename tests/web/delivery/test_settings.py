"""The settings page of notifications, the calendar, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.core.cache import cache

from brassmill.web.accounts import accounts, deletion, export
from brassmill.web.delivery import choices, hooks
from brassmill.web.delivery.calendar import Deadline, escaped, feed, folded
from brassmill.web.models import (
    Delivery,
    NotificationChoices,
    PushSubscription,
    Webhook,
)
from brassmill.web.table import sessions
from support.days import HOST, give_address, mover
from support.friends import Guest, at_table
from support.people import make_account
from support.web import hidden_words

pytestmark = pytest.mark.usefixtures("site")

PAGE = "/notifications/"
POINT = (  # of the curve P-256
    "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
)
SECRET = "MDEyMzQ1Njc4OWFiY2RlZg"
CHOICES = {"from": "22:00", "until": "07:00", "zone": "Europe/Berlin", "digest": ""}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)
    yield
    for model in (Delivery, Webhook, PushSubscription, NotificationChoices):
        model._default_manager.all().delete()


def test_choices_are_stored_and_shown_again() -> None:
    ada = Guest("Ada")
    before = ada.client.get("/notifications.json").json()
    assert before["marked"]["turn"] == ["mail", "push", "webhook"]
    assert before["marked"]["chat"] == [] and not before["quiet"]
    sent = {**CHOICES, "way": ["turn push", "chat mail", "nonsense"], "quiet": "yes", "digest": "7"}
    assert ada.client.post(f"{PAGE}choose/", sent).status_code == 302
    after = ada.client.get("/notifications.json").json()
    assert (after["marked"]["turn"], after["marked"]["chat"]) == (["push"], ["mail"])
    assert (after["quiet_from"], after["quiet_until"], after["digest"]) == ("22:00", "07:00", 7)
    page = ada.page(PAGE)
    assert 'value="Europe/Berlin" list="zones"' in page and "data-guess" not in page


@pytest.mark.parametrize("fault", [{"from": "25:00"}, {"zone": "Atlantis"}, {"until": ""}])
def test_what_makes_no_sense_is_refused(fault: dict[str, str]) -> None:
    ada = Guest("Ada")
    answer = ada.client.post(f"{PAGE}choose/", {**CHOICES, "quiet": "yes", **fault})
    assert answer.status_code == 422 and "This" in answer.content.decode()
    assert not NotificationChoices.objects.filter(visitor=ada.key).exists()


def test_the_former_addresses_of_the_settings_still_work() -> None:
    ada = Guest("Ada")
    give_address(ada)
    assert "E-mails go to this address." in ada.page("/mails/")
    ada.client.post("/mails/", {"stop": "1"})
    assert "You get no e-mails about your games." in ada.page(PAGE)
    assert not ada.client.get("/mails.json").json()["wants_mail"]


@pytest.mark.parametrize(
    "sent",
    [
        {"form": "json", "address": "ftp://example.org"},
        {"form": "nonsense", "address": "https://example.org"},
        {"form": "telegram", "address": "https://example.org", "chat": " "},
        {"form": "json", "address": "https://example.org", "table": "somebody"},
    ],
)
def test_a_webhook_that_makes_no_sense_is_refused(sent: dict[str, str]) -> None:
    ada = Guest("Ada")
    assert ada.client.post(f"{PAGE}webhook/", sent).status_code == 422
    assert not Webhook.objects.exists()


def test_only_the_host_of_a_table_can_add_a_webhook_to_it() -> None:
    guests = [Guest("Ada"), Guest("Ben")]
    table = at_table(*guests)
    sent = {"form": "discord", "address": "https://example.org/a", "table": table.id}
    assert guests[1].client.post(f"{PAGE}webhook/", sent).status_code == 422
    assert guests[0].client.post(f"{PAGE}webhook/", sent).status_code == 302
    webhook = Webhook.objects.get()
    assert webhook.table_id == table.id
    for action in ("remove", "on", "try"):  # of somebody else
        guests[1].client.post(f"{PAGE}webhook/", {action: str(webhook.pk)})
    assert Webhook.objects.exists() and not Delivery.objects.exists()
    guests[0].client.post(f"{PAGE}webhook/", {"remove": str(webhook.pk)})
    assert not Webhook.objects.exists()


def test_a_visitor_has_few_webhooks() -> None:
    ada = Guest("Ada")
    for _attempt in range(hooks.MOST):
        hooks.add(ada.key, "json", "https://example.org")
    answer = ada.client.post(f"{PAGE}webhook/", {"form": "json", "address": "https://example.org"})
    assert answer.status_code == 422 and "Too many webhooks" in answer.content.decode()


@pytest.mark.parametrize(
    "sent",
    [
        {"address": "https://push.example", "key": "x", "secret": "MDEyMzQ1Njc4OWFiY2RlZg"},
        {"address": "https://push.example", "key": POINT, "secret": f"{SECRET}{'!' * 60}"},
        {"address": "https://push.example", "key": f"{POINT}{'!' * 60}", "secret": SECRET},
        {"address": "http://10.0.0.1", "key": "", "secret": ""},
        {},
    ],
)
def test_an_incomplete_subscription_is_refused(sent: dict[str, str]) -> None:
    ada = Guest("Ada")
    assert ada.client.post(f"{PAGE}browser/", sent).status_code == 422
    assert not PushSubscription.objects.exists()


def test_everything_follows_a_visitor_into_an_account_and_goes_with_it() -> None:
    ada = Guest("Ada")
    hooks.add(ada.key, "json", "https://example.org/mine")
    choices.store(ada.key, ways={"turn": []}, calendar="secret-of-ada")
    account = make_account("Ada")
    accounts.adopt(account, ada.key)
    found = export.export_of(account)["notifications"]
    assert found["events"]["turn"] == [] and found["calendar"] == "secret-of-ada"
    assert found["webhooks"][0]["address"] == "https://example.org/mine"
    deletion.delete(account)
    assert not Webhook.objects.exists() and not NotificationChoices.objects.exists()


# --- quiet hours ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "until"),
    [
        ("2026-03-28T22:30+01:00", "2026-03-29T07:00+02:00"),  # summer time begins in that night
        ("2026-10-25T01:00+02:00", "2026-10-25T07:00+01:00"),  # and ends in this one
        ("2026-06-01T06:59+02:00", "2026-06-01T07:00+02:00"),
        ("2026-06-01T07:00+02:00", None),
        ("2026-06-01T21:59+02:00", None),
    ],
)
def test_quiet_hours_follow_the_clock_on_the_wall(at: str, until: str | None) -> None:
    chosen = NotificationChoices(quiet_from=22 * 60, quiet_until=7 * 60, zone="Europe/Berlin")
    found = choices.quiet_until(chosen, datetime.fromisoformat(at).astimezone(UTC))
    assert found == (until and datetime.fromisoformat(until))


@pytest.mark.parametrize("zone", ["Atlantis/Lost", "", "../../etc/passwd", "/etc", "a\0"])
def test_a_zone_that_this_machine_does_not_know_is_utc(zone: str) -> None:
    chosen = NotificationChoices(quiet_from=22 * 60, quiet_until=7 * 60, zone=zone, digest=7)
    found = datetime(2026, 6, 1, 23, tzinfo=UTC), datetime(2026, 6, 2, 7, tzinfo=UTC)
    assert choices.quiet_until(chosen, found[0]) == choices.digest_at(chosen, found[0]) == found[1]


def test_without_quiet_hours_nothing_waits() -> None:
    assert choices.quiet_until(NotificationChoices(), datetime.now(UTC)) is None
    assert choices.digest_at(NotificationChoices(), datetime.now(UTC)) is None
    chosen = NotificationChoices(digest=7, zone="Asia/Tokyo")
    moment = choices.digest_at(chosen, datetime(2026, 6, 1, 23, tzinfo=UTC))
    assert moment == datetime(2026, 6, 2, 22, tzinfo=UTC)


# --- the calendar --------------------------------------------------------------------------------


def test_a_calendar_shows_the_turns_of_its_owner_and_nothing_secret() -> None:
    guests = [Guest("Ada"), Guest("Ben")]
    timed, plain = at_table(*guests, clock="turn-1d"), at_table(*guests)
    for table in (timed, plain):
        late = mover(sessions.get(table.id), guests)
        late.client.post(f"{PAGE}calendar/")
        found = late.client.get("/notifications.json").json()["calendar"]
        assert found.startswith(f"{HOST}/calendar/")
        path = found.removeprefix(HOST)
        answer = Guest("").client.get(path)
        assert answer["Content-Type"].startswith("text/calendar")
        text = answer.content.decode().replace("\r\n ", "")
        assert f"URL:{HOST}/t/{table.id}/" in text and "/seat/" not in text
        assert not any(word in text for word in hidden_words(table))
        late.client.post(f"{PAGE}calendar/")
        assert Guest("").client.get(path).status_code == 404, "renewed"


def test_a_calendar_is_written_as_the_standard_says() -> None:
    now = datetime(2026, 11, 19, 20, 30, tzinfo=UTC)
    title = "Für Ännchen; ein Zug, noch einer\\\nund\x07 weiter" * 4
    due = now + timedelta(days=1)
    turns = [
        Deadline("a", title, "x", "https://x/t/a/", due),
        Deadline("b", "b", "", "https://x/", None),
    ]
    text = feed(turns, now, "brass.example")
    assert text.endswith("END:VCALENDAR\r\n") and "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    whole = text.replace("\r\n ", "")
    assert "SUMMARY:Für Ännchen\\; ein Zug\\, noch einer\\\\\\nund weiter" in whole
    assert "DTSTART:20261120T200000Z\r\nDTEND:20261120T203000Z" in whole
    assert "DTSTART;VALUE=DATE:20261119\r\nDTEND;VALUE=DATE:20261120" in whole
    assert whole.count("BEGIN:VEVENT") == whole.count("END:VEVENT") == 2


@pytest.mark.parametrize("length", [74, 75, 76, 150, 500])
@pytest.mark.parametrize("letter", ["x", "é", "語", "🚂"])
def test_a_folded_line_is_the_same_line(length: int, letter: str) -> None:
    line = letter * length
    assert folded(line).replace("\r\n ", "") == line
    assert all(len(part.encode()) <= 75 for part in folded(line).split("\r\n"))
    assert escaped("a\r\nb") == "a\\nb"
