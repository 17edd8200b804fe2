"""Fuzzing of every URL: never a server error, and refused requests change nothing.

Everything is driven by the description of all URLs (`web/openapi.py`), which is made from the URLs
themselves: a new one is tested as soon as it is described.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest import mock

import pytest
import schemathesis
from django.core.cache import cache as buckets
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from schemathesis import Case

from brassmill.puzzles import puzzles
from brassmill.web.models import Pulse, Seat, Table, Upload
from brassmill.web.server import openapi
from brassmill.web.table import sessions
from support.fuzz import GUESSES, calm, check, in_form, rows, words
from support.web import make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")

OWNER, TABLE, OTHER, RECORD = "fuzzing", "fuzzed-table", "other-table", "fuzzed-text"
ENDLESS = {"events"}  # a stream does not end


@pytest.fixture(autouse=True)
def world(site: None) -> Iterator[None]:
    """Make two tables of people, one held by the fuzzing visitor, and a record; bots are off."""
    buckets.clear()
    Pulse.objects.all().delete()  # from tests in another time, which /health/ would report
    for name, key in ((TABLE, OWNER), (OTHER, "somebody")):
        Table.objects.filter(pk=name).delete()
        sessions.forget(name)
        made = make_table(people_only(2), key=key, hands="open")
        Table.objects.filter(pk=made.pk).update(listed=True)
        rename(made, name)
        sessions.get(name)  # opening a game for the first time stamps it with the rules
    Upload.objects.filter(pk=RECORD).delete()
    Upload.objects.create(pk=RECORD, visitor=OWNER, name="a record", text="no record")
    with no_bots(), mock.patch("brassmill.web.table.coach.advise", return_value=[]):
        yield


def rename(table: Table, name: str) -> None:
    """Give a table an id that is known at collection time."""
    seats = list(table.seats.all())
    table.delete()
    table.pk = name
    table.save(force_insert=True)
    for seat in seats:
        seat.pk, seat.table, seat.invite = None, table, f"invite-{seat.number}"
    Seat.objects.bulk_create(seats)


@cache
def guest(key: str) -> Client:
    """Return a visitor who keeps coming back."""
    return visitor(key)


# --- every URL as described ----------------------------------------------------------------------


def described() -> dict[str, Any]:
    """Load the description, with ids that exist."""
    description = openapi.description()
    for address, path in list(description["paths"].items()):
        if path.get("get", {}).get("operationId") in ENDLESS:
            del description["paths"][address]
        for part in path.get("parameters", ()):
            if part["name"] == "table_id":
                part["schema"] = {"enum": [TABLE, OTHER, "nobody"]}
            elif part["name"] == "lesson":
                part["schema"] = {"enum": ["birmingham-first", "classic-debt", "nothing"]}
            elif part["name"] == "puzzle":
                part["schema"] = {"enum": [*list(puzzles())[:2], "nothing"]}
            elif part["name"] == "id":
                part["schema"] = {"enum": [TABLE, RECORD, "nobody"]}
    return description


schema = schemathesis.openapi.from_dict(described())


# With pytest 9.2, Schemathesis puts the URL into a test's id only if something else varies, too.
@pytest.mark.slow
@schema.parametrize()
@pytest.mark.parametrize("key", [pytest.param(OWNER, id="owner"), "stranger"])
@calm
def test_every_address_answers_whatever_fits_its_description(case: Case[Any], key: str) -> None:
    client = guest(key)
    address = case.formatted_path
    if case.method == "GET":
        answer = check(client, "GET", address, query_params=texts(case.query))
    else:
        answer = check(client, "POST", address, data=texts(case.body))
    kind = answer.get("Content-Type", "").partition(";")[0]
    path = address.partition("?")[0]  # a name may be a question mark, which ends the path
    if path.endswith(".json") and answer.status_code not in (204, 302, 405):
        assert kind == "application/json", answer.content
        assert isinstance(answer.json(), dict)


def texts(fields: Any) -> dict[str, Any]:
    """Return fields as a browser sends them."""
    if not isinstance(fields, dict):
        return {}
    return {str(key): in_form(value) for key, value in fields.items()}


def test_every_address_is_described() -> None:
    found = visitor().get("/openapi.json").json()
    assert found["openapi"] == "3.1.0"
    assert set(openapi.DESCRIBED) == {name for name, _route in openapi.routes()}


def test_an_address_without_a_description_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(openapi.DESCRIBED, "chat")
    with pytest.raises(LookupError, match="'chat' has no description"):
        openapi.description()


# --- every form, with any fields -----------------------------------------------------------------

FORMS = {
    name: route for name, route in openapi.routes() if openapi.described(name).form is not None
}
PLACES = {"table_id": [TABLE, OTHER], "id": [TABLE, RECORD, OTHER], "edition": ["birmingham", "x"]}


@st.composite
def requests(draw: st.DrawFn, name: str) -> tuple[str, dict[str, Any]]:
    """Draw the URL of a form, and a form of known and unknown fields."""
    address = re.sub(
        r"<\w+:(\w+)>",
        lambda part: draw(st.sampled_from(PLACES.get(part[1], GUESSES))),
        FORMS[name],
    )
    known = sorted(openapi.described(name).form or {})
    fields = st.sampled_from(known) | st.text(max_size=8) if known else st.text(max_size=8)
    values = words | st.lists(words, max_size=3) | st.binary(max_size=99).map(in_form)
    return f"/{address}", draw(st.dictionaries(fields, values, max_size=8))


@pytest.mark.parametrize("name", FORMS)
def test_no_form_causes_a_server_error(name: str) -> None:
    @calm
    @given(sent=requests(name), key=st.sampled_from([OWNER, "stranger"]))
    def attempt(sent: tuple[str, dict[str, Any]], key: str) -> None:
        address, form = sent
        check(guest(key), "POST", address, data=form)

    attempt()


@pytest.mark.parametrize("name", FORMS)
def test_no_bytes_cause_a_server_error(name: str) -> None:
    kinds = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
    kinds += ["application/json", "multipart/form-data", "", "multipart/form-data; boundary=\x7f"]
    kinds += ["application/x-www-form-urlencoded; charset=utf-16", "x; charset=none"]

    @calm
    @given(
        sent=requests(name),
        body=st.binary(max_size=200) | st.just(b"--x\r\nContent-Disposition: form-data; name="),
        kind=st.sampled_from(kinds),
    )
    def attempt(sent: tuple[str, dict[str, Any]], body: bytes, kind: str) -> None:
        check(guest(OWNER), "POST", sent[0], data=body, content_type=kind)

    attempt()


@calm
@given(
    name=st.sampled_from(["session", "brassmill_csrf", "language", "theme", "shape"]),
    value=st.text(alphabet=string.printable.replace(";", "").strip(), max_size=99),
)
def test_no_cookie_causes_a_server_error(name: str, value: str) -> None:
    from django.conf import settings as site

    client = visitor(OWNER)
    client.cookies[site.SESSION_COOKIE_NAME if name == "session" else name] = value
    for address in ("/", f"/t/{TABLE}/", f"/t/{TABLE}.json"):
        check(client, "GET", address)
    check(client, "POST", f"/t/{TABLE}/end/", data={"number": "1"})


# --- refusals -------------------------------------------------------------------------------------


@calm
@given(action=st.sampled_from(["choose", "end", "back"]), number=words, choice=words)
def test_a_number_unknown_to_the_table_plays_nothing(action: str, number: str, choice: str) -> None:
    before, form = rows(), {"number": number, "choice": choice}
    for name in (TABLE, OTHER):
        check(guest(OWNER), "POST", f"/t/{name}/{action}/", data=form)
    assert rows() == before


def test_a_number_of_another_table_plays_nothing() -> None:
    number = visitor("somebody").get(f"/t/{OTHER}.json").json()["number"]
    before = rows()
    for action in ("choose", "end", "back"):
        for name in (TABLE, OTHER):
            form = {"number": number, "choice": "202"}
            check(guest(OWNER), "POST", f"/t/{name}/{action}/", data=form)
    assert rows() == before
