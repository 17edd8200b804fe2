"""Fuzzing of /admin/: no server errors, refusals change nothing, strangers change nothing at all.

The URLs are Django's own, and the fields are those of its pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from secrets import token_hex
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill.web.models import Block, Report, Upload
from brassmill.web.staff.admin import staff_site
from brassmill.web.table import sessions
from support.friends import Guest, at_table
from support.fuzz import GUESSES, calm, check, rows, rows_after, words
from support.people import GOOD
from support.web import no_bots, play_turn, visitor

ASKED = ("q", "o", "p", "all", "e", "_popup", "_to_field", "_changelist_filters", "next", "term")
WANTED = ("app_label", "model_name", "field_name")  # used by autocomplete fields

OUT = "/admin/logout/"
STRANGER = visitor("stranger")

bounded = settings(calm, max_examples=2)


def routes(patterns: Sequence[Any], before: str = "admin/") -> Iterator[str]:
    """Yield all URLs of the admin."""
    for pattern in patterns:
        route = before + str(pattern.pattern).strip("^$")
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield route


ROUTES = list(dict.fromkeys(routes(staff_site.urls[0])))


@pytest.fixture(scope="module", autouse=True)
def world(site: None) -> Iterator[None]:
    """Make a row of everything; bots are off."""
    host, ben = Guest("Ada"), Guest("Ben")
    with no_bots():
        table = at_table(host, ben)
        play_turn(sessions.get(table.id))
        ben.post(table, "chat", text="hello")
        Report.objects.create(message=table.messages.get(), visitor=host.key)
        Block.objects.create(visitor=ben.key, name="Ben")
        Upload.objects.create(visitor=ben.key, name="a game", text="…")
        Group.objects.create(name=token_hex(4))
        yield


@pytest.fixture(scope="module")
def staff(world: None) -> Client:
    """Return an operator's browser; their actions are logged."""
    name, client = f"staff-{token_hex(4)}", Client()
    User.objects.create_superuser(name, password=GOOD)
    form = {"username": name, "password": GOOD, "next": "/admin/"}
    assert client.post("/admin/login/", form).status_code == 302
    block = Block.objects.latest("pk")
    client.post(f"/admin/web/block/{block.pk}/change/", {"reason": "spam"})
    return client


def at(route: str, name: str) -> str:
    """Return a URL with an id filled in."""
    return "/" + re.sub(r"\(\?P<\w+>[^)]*\)|<[\w:]+>", lambda _part: name, route)


def there(route: str) -> str:
    """Return the URL of an existing row."""
    match route.split("/"):
        case [_admin, app, model, *_rest] if model in apps.all_models[app]:
            # Of the tables, the one made above: opening another for the first time stamps it.
            order = "began" if model == "table" else "pk"
            last = apps.get_model(app, model)._default_manager.order_by(order).last()
            return at(route, str(last.pk) if last else "1")
    return at(route, "1")


def addresses(route: str) -> st.SearchStrategy[str]:
    """Draw the URL of a row, existing or not."""
    guesses = [at(route, name) for name in ("nobody", "1", *GUESSES)]
    return st.just(there(route)) | st.sampled_from(guesses)


def forms(page: str, *more: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw what a page could send: its fields and values, and others."""
    fields = [*re.findall(r'name="([\w-]+)"', page), *re.findall(r"[?;]([\w-]+)=", page), *more]
    values = [*map(unescape, re.findall(r'value="([^"]*)"', page)), "yes"]
    one = st.sampled_from(values) | words
    names = st.sampled_from(fields) | st.text(max_size=8)
    return st.dictionaries(names, one | st.lists(one, max_size=3), max_size=8)


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything afterwards."""
    connection.ensure_connection()
    before = connection.connection.total_changes
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        if connection.connection.total_changes != before:
            rows_after.cache_clear()
            sessions.forget_all()


@pytest.mark.parametrize("route", ROUTES)
def test_no_admin_page_causes_a_server_error(route: str, staff: Client) -> None:
    page = check(staff, "GET", there(route)).content.decode(errors="replace")
    asked, sent = forms(page, *ASKED, *WANTED), forms(page, "post")

    @bounded
    @given(address=addresses(route), asked=asked, sent=sent)
    def attempt(address: str, asked: dict[str, Any], sent: dict[str, Any]) -> None:
        check(staff, "GET", address, query_params=asked)
        for client in (STRANGER, staff):
            before = rows()
            with undone():
                answer = check(client, "POST", address, data=sent)
                is_refused = answer.status_code == 200 and address != OUT
                if client is STRANGER or is_refused:
                    assert rows() == before, f"{address} has changed something"

    attempt()


def test_a_stranger_sees_nothing_of_the_admin(staff: Client) -> None:
    for route in ROUTES:
        address = there(route)
        if address not in ("/admin/login/", OUT):
            answer = check(STRANGER, "GET", address)
            assert answer.status_code == 302, address
            assert answer["Location"].startswith(f"/admin/login/?next={address}"), address


@pytest.mark.parametrize("kind", ["table/?touched", "message/?at"])
def test_an_impossible_year_filters_nothing(kind: str, staff: Client) -> None:
    for year in ("0", "10000", "9" * 12):
        answer = check(staff, "GET", f"/admin/web/{kind}__year={year}")
        assert answer.status_code == 302 and answer["Location"].endswith("/?e=1")
