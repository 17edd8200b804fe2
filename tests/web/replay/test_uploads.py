"""Uploaded records take a limited room, and without an account they are kept for some weeks."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from secrets import token_hex

import pytest
from django.test import Client

from brassmill.web.models import Account, Upload
from brassmill.web.replay import uploads
from brassmill.web.server import database
from support.paths import RECORDS
from support.people import make_account, signed_in
from support.web import KEY, visitor

pytestmark = pytest.mark.usefixtures("site")

INTRO = (RECORDS / "birmingham-2-intro.brass").read_text("utf-8")


def test_uploads_without_an_account_are_kept_for_some_weeks() -> None:
    account = make_account()
    owners = {"guest": KEY, "member": account.key}
    now = database.now()
    ages = {"old": uploads.KEPT + timedelta(hours=1), "new": uploads.KEPT - timedelta(hours=1)}
    kept = {
        (owner, age): Upload.objects.create(visitor=key, name="x", text=INTRO, at=now - past)
        for owner, key in owners.items()
        for age, past in ages.items()
    }
    uploads.forget_old()
    there = {which for which, one in kept.items() if Upload.objects.filter(pk=one.pk).exists()}
    assert there == kept.keys() - {("guest", "old")}
    assert f"for up to {uploads.KEPT.days} days" in visitor().get("/records/").content.decode()


@pytest.fixture
def size(monkeypatch: pytest.MonkeyPatch, patience: None) -> int:
    """Leave room for two records of a network and three of the site; return the size of one."""
    Upload.objects.all().delete()
    size = len(INTRO.encode())
    monkeypatch.setattr(uploads, "MOST_OF_NETWORK", 2 * size)
    monkeypatch.setattr(uploads, "MOST_OF_SITE", 3 * size)
    return size


def refused(network: str, browser: Client | None = None) -> str:
    """Upload a record, by default as a new visitor; return why it is refused."""
    browser = browser or visitor(token_hex(8))
    answer = browser.post("/records/", {"text": INTRO}, REMOTE_ADDR=network)
    assert answer.status_code in (302, 422)
    page = unescape(answer.content.decode())
    return page.split('id="fault-title"')[1].split("<p>")[1].split("</p>")[0] if page else ""


@pytest.mark.usefixtures("size")
def test_the_records_of_a_network_have_a_total() -> None:
    """A new cookie is a new visitor, so counting the records of visitors is not enough."""
    assert [refused("8.8.8.8") for _ in range(2)] == ["", ""]
    assert "that is the limit" in refused("8.8.8.8")
    assert refused("2001:db8::1") == ""
    assert refused("8.8.8.8", signed_in(make_account())) == "", "accounts are counted apart"
    assert "8.8.8.8" not in str(Upload.objects.values_list()), "only a hash is stored"


@pytest.mark.usefixtures("size")
def test_strangers_cannot_take_the_room_of_accounts() -> None:
    """The oldest records without an account make room for new ones."""
    networks = [f"9.9.9.{number}" for number in range(5)]
    assert [refused(network) for network in networks] == [""] * 5
    assert Upload.objects.count() == 3
    accounts = [signed_in(make_account()) for _ in range(4)]
    words = [refused(*each) for each in zip(networks, accounts, strict=False)]
    assert words[:3] == [""] * 3 and "no room for more records" in words[3]
    strangers = Upload.objects.exclude(visitor__in=Account.objects.values("key"))
    assert strangers.count() == 3, "nor do accounts take theirs"
    oldest, *newer = strangers.order_by("at").values_list("pk", flat=True)
    assert refused("7.7.7.7") == "" and Upload.objects.count() == 6
    assert not strangers.filter(pk=oldest).exists(), "the oldest goes first"
    assert strangers.filter(pk__in=newer).count() == 2
