"""Rate limits: too many requests are refused with an explanation and change nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils import timezone

from brassmill.web.identity import rate_limit
from brassmill.web.models import Block, Table, Upload
from brassmill.web.replay import uploads
from brassmill.web.server import database
from brassmill.web.table import sessions
from support.friends import Guest, set_up, tokens_of
from support.web import make_table, visitor

pytestmark = pytest.mark.usefixtures("site", "patience")

ELSEWHERE = "203.0.113.5"


def test_too_many_new_tables_are_refused() -> None:
    guest = Guest("Ada")
    table = set_up(guest)
    for _ in range(rate_limit.TABLES.most - 1):
        assert guest.client.post("/start/").status_code == 302
    before = Table.objects.count()
    for address in ("/start/", f"/t/{table.id}/again/"):
        answer = guest.client.post(address)
        assert answer.status_code == 429 and "Too many requests" in answer.content.decode()
    assert Table.objects.count() == before
    assert guest.client.get("/").status_code == 200
    assert Guest("Ben").client.post("/start/").status_code == 302


def test_too_many_attempts_at_a_seat_are_refused() -> None:
    table = set_up(Guest("Ada"))
    token, _other = tokens_of(table)
    eve = Guest("Eve")
    for number in range(rate_limit.SEATS.most):
        assert eve.sit(f"{token[:-3]}{number:03}").status_code == 404
    assert eve.sit(token).status_code == 429
    assert table.seats.filter(name="").count() == 2
    assert eve.client.get(f"/join/{token}/").status_code == 200


def test_uploads_are_rate_limited() -> None:
    eve = Guest("Eve")
    sent = {"text": str(sessions.get(make_table().id).game.record())}
    assert eve.client.post("/records/", sent).status_code == 302
    with mock.patch.object(uploads, "MOST", 1):
        answer = eve.client.post("/records/", sent)
    assert answer.status_code == 422 and "delete one first" in answer.content.decode()
    assert Upload.objects.filter(visitor=eve.key).count() == 1
    for _ in range(rate_limit.UPLOADS.most):
        last = eve.client.post("/records/")
    assert last.status_code == 429
    cache.clear()
    block = Block.objects.create(visitor=eve.key, name="Eve")
    assert eve.client.post("/records/", sent).status_code == 403
    block.delete()


def test_without_cookies_the_address_is_limited() -> None:
    """Without cookies, every request is a new visitor."""

    def start(address: str) -> int:
        return Client(REMOTE_ADDR=address).post("/start/").status_code

    with mock.patch.object(rate_limit, "CLUB", 3 / rate_limit.TABLES.most):
        assert [start(ELSEWHERE) for _ in range(4)] == [302, 302, 302, 429]
        assert start("198.51.100.7") == 302
        assert start("127.0.0.1") == 302, "players on this machine, or everyone behind a proxy"


def test_a_proxy_that_passes_no_address_on_is_limited_as_a_whole_and_reported_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rate_limit, "CROWD", 3 / rate_limit.TABLES.most, raising=False)
    rate_limit._warn_once.cache_clear()

    def start(**headers: str) -> int:
        return Client(headers=headers).post("/start/").status_code

    here = [start() for _ in range(4)]
    assert here == [302] * 4 and not caplog.records, "all on this machine"
    assert [start(via="a tunnel") for _ in range(4)] == [302, 302, 302, 429]
    assert start() == 302
    monkeypatch.setattr(settings, "NAMES", ["brass.example"])  # a site for others
    assert start() == 429
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "X-Forwarded-For" in caplog.text


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/notifications/choose/", {"zone": "UTC"}),
        ("/notifications/calendar/", {}),
        ("/mails/away/", {"back": "1"}),
    ],
)
def test_settings_without_cookies_are_limited(
    address: str, sent: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them would leave a row behind."""
    monkeypatch.setattr(rate_limit, "SETTINGS", rate_limit.Limit("settings", 1, 3600, club=2))
    answers = [Client(REMOTE_ADDR=ELSEWHERE).post(address, sent) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]


@pytest.mark.parametrize(
    "address",
    ["/openings/", "/openings.json", "/daily/", "/daily.json", "/following/", "/following.json"],
)
def test_long_pages_are_limited(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "LONG_PAGES", rate_limit.Limit("long-pages", 1, 3600))
    eve = Guest("Eve")
    assert [eve.client.get(address).status_code for _ in range(2)] == [200, 429]
    assert eve.client.get("/").status_code == 200


def request(**meta: Any) -> Any:
    made = RequestFactory().post("/", **meta)
    made.session = visitor("somebody").session
    made.user = AnonymousUser()
    return made


def test_tokens_come_back_one_by_one_up_to_the_maximum() -> None:
    limit = rate_limit.Limit("test", 3, 10)
    asked = request()
    with mock.patch.object(database, "now", return_value=timezone.now()) as now:
        assert [rate_limit.is_allowed(asked, limit) for _ in range(4)] == [True, True, True, False]
        now.return_value += timedelta(seconds=9)
        assert not rate_limit.is_allowed(asked, limit)
        now.return_value += timedelta(seconds=1.5)
        assert rate_limit.is_allowed(asked, limit) and not rate_limit.is_allowed(asked, limit)
        now.return_value += timedelta(seconds=10_000)
        assert [rate_limit.is_allowed(asked, limit) for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_is_set_back_locks_nobody_out() -> None:
    limit, asked = rate_limit.Limit("clock", 2, 60), request()
    with mock.patch.object(database, "now", return_value=timezone.now()) as now:
        assert [rate_limit.is_allowed(asked, limit) for _ in range(3)] == [True, True, False]
        now.return_value -= timedelta(days=1)
        assert not rate_limit.is_allowed(asked, limit)
        now.return_value += timedelta(seconds=61)
        assert rate_limit.is_allowed(asked, limit) and not rate_limit.is_allowed(asked, limit)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (ELSEWHERE, ELSEWHERE),
        (f"::ffff:{ELSEWHERE}", ELSEWHERE),
        ("2001:DB8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::9", "2001:db8::/64"),
        ("2001:db8:0:1::9", "2001:db8:0:1::/64"),
        *(("127.0.0.1", ""), ("::1", ""), ("::ffff:127.0.0.1", ""), ("", ""), ("unix:", "")),
    ],
)
def test_a_network_counts_as_one_address_and_this_machine_as_none(given: str, found: str) -> None:
    assert rate_limit.address_of(request(REMOTE_ADDR=given)) == found
