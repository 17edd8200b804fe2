"""Rows of visitors without an account are not kept for ever: a new cookie is a new visitor."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model

from brassmill.web.archive import following
from brassmill.web.daily import attempts
from brassmill.web.delivery import choices
from brassmill.web.models import (
    Attempt,
    Bookmark,
    Contact,
    FollowedGame,
    NotificationChoices,
    PushSubscription,
    Table,
    Webhook,
)
from brassmill.web.run import old_rows
from brassmill.web.server import database
from brassmill.web.setup import deal_of_the_day
from support.people import make_account
from support.web import make_table, people_only

pytestmark = pytest.mark.usefixtures("site")

EVE = "eve-without-an-account"
KINDS: tuple[type[Model], ...] = (Webhook, PushSubscription, NotificationChoices, Contact, Attempt)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    yield
    for kind in KINDS:
        kind._default_manager.all().delete()


def visitors_in(kind: type[Model]) -> set[str]:
    return set(kind._default_manager.values_list("visitor", flat=True))


def test_attempts_at_old_deals_are_forgotten_but_not_those_of_accounts() -> None:
    Attempt.objects.all().delete()  # of other tests
    account, today = make_account(), deal_of_the_day.today()
    tables = [make_table(people_only(2), over) for over in ("birmingham", "lancashire")]
    Table.objects.filter(pk=tables[1].pk).update(over=True)
    long_ago, lately = (
        today - kept - timedelta(days=1) for kept in (attempts.KEPT, attempts.UNFINISHED_KEPT)
    )
    for key, day, table in (
        ("unfinished", lately, tables[0]),
        ("deleted", lately, None),
        ("finished", lately, tables[1]),
        ("yesterday", today - timedelta(days=1), None),
        ("old", long_ago, None),
        (account.key, long_ago, None),
    ):
        Attempt.objects.create(day=day, visitor=key, table=table)
    Attempt.objects.create(day=long_ago, visitor="finished", table=None)
    old_rows.forget_old()
    assert visitors_in(Attempt) == {"finished", "yesterday", account.key}
    assert Attempt.objects.filter(visitor="finished").count() == 1


@pytest.mark.parametrize("kind", [FollowedGame, Bookmark])
def test_what_was_followed_is_forgotten_but_not_by_accounts(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, table = make_account(), make_table(people_only(2))
    more = {"action": 1} if kind is Bookmark else {}
    for key, age in (("old", following.KEPT), (account.key, following.KEPT)):
        kind.objects.create(visitor=key, table=table, at=database.now() - age - HOUR, **more)
    for key in ("first", "second"):
        kind.objects.create(visitor=key, table=table, **more)
    old_rows.forget_old()
    mine = {"first", "second", "old", account.key}
    assert visitors_in(kind) & mine == {"first", "second", account.key}
    monkeypatch.setattr(following, "MOST_OF_SITE", 1)
    old_rows.forget_old()
    assert visitors_in(kind) & mine == {"second", account.key}


def test_settings_of_visitors_whom_nothing_notifies_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account, player = make_account(), "a-player"
    make_table(people_only(2), key=player)
    old = database.now() - choices.IDLE_KEPT - HOUR
    for key, at in ((account.key, old), (player, old), (EVE, old), ("new", database.now())):
        address = f"https://push.example/{key}"
        Webhook.objects.create(visitor=key, form="json", address=address, at=at)
        PushSubscription.objects.create(visitor=key, digest=key, address=address, at=at)
        NotificationChoices.objects.create(visitor=key)
        Contact.objects.get_or_create(visitor=key)
    Contact.objects.create(visitor="away", away_until=database.now() + HOUR)
    Contact.objects.create(visitor="has an address", address="eve@example.org")
    old_rows.forget_old()
    assert visitors_in(Webhook) == visitors_in(PushSubscription) == {account.key, player, "new"}
    assert visitors_in(Contact) == {account.key, player, "away", "has an address"}
    assert EVE in visitors_in(NotificationChoices), "nobody knows how old they are"
    monkeypatch.setattr(choices, "IDLE_CHOICES", 1)
    old_rows.forget_old()
    assert visitors_in(NotificationChoices) == {account.key, player, "new"}
