"""Updates: a browser gets only the parts of the table it lacks, and has the whole table."""

from __future__ import annotations

import re
from inspect import unwrap
from unittest import mock

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext, override_settings

from brassmill.play.host import Host
from brassmill.svg import places
from brassmill.web.chat import chat
from brassmill.web.models import Seat, Table
from brassmill.web.page import parts
from brassmill.web.page.parts import HEADER, MOST
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.web import log_of, make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")

PART = re.compile(r"<!--part (\S+)-->")
TOKEN = re.compile(r"\b\w{64}\b")  # CSRF tokens: different each time


class Page:
    """A browser with a table open: it does what `parts.js` does."""

    def __init__(self, table_id: str, key: str) -> None:
        self.key = key
        self.client = visitor(key, **{"HX-Request": "true"})
        self.address = f"/t/{table_id}"
        self.parts: dict[str, str] = {}  # by digest

    def get(self, known: str | None = None) -> str:
        """Fetch an update; by default with the digests of the parts it has."""
        header = {HEADER: " ".join(self.parts) if known is None else known}
        return self.client.get(f"{self.address}/part/", headers=header).content.decode()

    def post(self, move: str, **fields: object) -> str:
        header = {HEADER: " ".join(self.parts)}
        answer = self.client.post(f"{self.address}/{move}/", fields, headers=header)
        assert answer.status_code == 200
        return answer.content.decode()

    def whole(self) -> str:
        """Fetch the table as a browser that keeps no parts does."""
        return TOKEN.sub("", self.client.get(f"{self.address}/part/").content.decode())

    def put_together(self, update: str) -> str:
        """Return the whole table, and keep its parts."""
        for digest, part in parts_of(update).items():
            self.parts[digest] = part or self.parts[digest]
        return TOKEN.sub("", "".join(self.parts[digest] for digest in parts_of(update)))


def parts_of(update: str) -> dict[str, str]:
    """Return the parts of an update by digest; those that were left out are empty."""
    first, *found = PART.split(update)
    assert not first
    return dict(zip(found[::2], found[1::2], strict=True))


def table_of(players: int = 2, edition: str = "birmingham") -> tuple[TableSession, list[Page]]:
    """Set a table of people, each with a browser."""
    session = sessions.get(make_table(people_only(players), edition).id)
    for seat in session.seats:
        seat.holder = seat.name
    Seat.objects.bulk_update(session.seats, ["holder"])
    return session, [Page(session.table.id, seat.holder) for seat in session.seats]


def move_of(session: TableSession, host: Host) -> tuple[str, dict[str, object]]:
    """Return what a player would click now."""
    fields: dict[str, object] = {"number": session.number}
    if session.game.question == "turn over":
        return "end", fields
    return "choose", fields | {"choice": host.ask(session.game.copy())[0]}


@pytest.mark.parametrize("edition", ["classic", "lancashire", "birmingham"])
def test_an_update_and_the_kept_parts_make_the_whole_table(edition: str) -> None:
    session, pages = table_of(3, edition)
    host = Host.of(["beginner"] * 3, session.game.edition, seed=3)
    sent = {"all": 0, "left out": 0}
    for page in pages:
        page.put_together(page.get())
    while session.turns < 6:
        mover = session.to_move or 0
        move, fields = move_of(session, host)
        update = pages[mover].post(move, **fields)
        for part in parts_of(update).values():
            sent["all"] += 1
            sent["left out"] += not part
        assert pages[mover].put_together(update) == pages[mover].whole()
        other = pages[mover - 1]
        assert other.put_together(other.get()) == other.whole()
    host.close()
    assert sent["left out"] > 0.6 * sent["all"]


def test_what_a_click_does_not_change_is_not_sent() -> None:
    session, pages = table_of()
    page, mover = pages[session.to_move or 0], session.to_move or 0
    page.put_together(page.get())
    assert not any(parts_of(page.get()).values())
    offers = page.client.get(f"{page.address}.json").json()["offers"]
    loan = next(offer["id"] for offer in offers if offer["kind"] == "loan")
    update = page.post("choose", number=session.number, choice=loan)
    assert 'id="strip"' in update
    for steady in (f'id="player-{1 - mover}"', 'id="mats-drawer"', 'id="tabs"', 'id="leave"'):
        assert steady in page.whole() and steady not in update


@pytest.mark.parametrize(
    "known", ["", "AAAAAAAA BBBBBBBB", "<!--part-->", "x " * 3 * MOST, "\t ", "é"]
)
def test_a_browser_with_unknown_parts_gets_the_whole_table(known: str) -> None:
    session, [page, _other] = table_of()
    update = page.get(known)
    assert all(parts_of(update).values())
    assert page.put_together(update) == page.whole()
    assert session.length == 0


def test_answers_may_be_lost_or_overtake_each_other() -> None:
    session, pages = table_of()
    host = Host.of(["beginner", "beginner"], session.game.edition, seed=3)
    page = pages[session.to_move or 0]
    page.put_together(page.get())
    updates, tables = [], []
    for _click in range(3):
        move, fields = move_of(session, host)
        updates.append(page.post(move, **fields))  # all with the parts of the first table
        tables.append(page.whole())
    host.close()
    for update, table in [*zip(updates, tables, strict=True)][::-1]:
        assert page.put_together(update) == table


def test_the_same_table_has_the_same_parts_in_every_process() -> None:
    _session, [page, other] = table_of()
    update = page.get("")
    with mock.patch.object(places, "place_drawn", unwrap(places.place_drawn)):  # nothing kept
        assert TOKEN.sub("", page.get("")) == TOKEN.sub("", update)
    assert parts_of(update).keys() != parts_of(other.get("")).keys()  # another seat's hand


def test_digests_of_others_show_nothing() -> None:
    """Whatever a browser lists, only parts of the visitor's own table are left out."""
    _session, [page, other] = table_of()
    own, others = parts_of(page.get("")), parts_of(other.get(""))
    assert others.keys() - own.keys(), "the other hand"
    update = parts_of(page.get(" ".join(others)))
    assert list(update) == list(own), "as if none of the others were listed"
    assert {digest for digest, part in update.items() if not part} == own.keys() & others.keys()


def test_nobody_can_look_for_parts_with_the_same_digest() -> None:
    """Digests are short: with a name that gives two parts the same, a player could deceive."""
    request, sent = RequestFactory().get("/", headers={HEADER: ""}), f"{parts.PART}one"
    update = parts.update(request, sent)
    assert parts.update(request, sent) == update
    with override_settings(SECRET_KEY="of another site"):
        assert parts.update(request, sent) != update


def test_whoever_signs_in_in_another_tab_gets_forms_that_work() -> None:
    """Signing in replaces the secret of all CSRF tokens, also those of kept parts."""
    session, pages = table_of()
    page = pages[session.to_move or 0]
    page.put_together(page.get())
    held = dict(page.parts)
    page.client.cookies[settings.CSRF_COOKIE_NAME] = "s" * CSRF_SECRET_LENGTH
    update = page.get()
    again = {digest: part for digest, part in parts_of(update).items() if part}
    tokens = [part for part in held.values() if 'name="csrfmiddlewaretoken"' in part]
    assert len(again) == len(tokens) > 0, "those with a form, and no others"
    assert all('name="csrfmiddlewaretoken"' in part for part in again.values())
    page.put_together(update)
    assert not any(parts_of(page.get()).values()), "once"


def test_nobody_can_write_the_marks_of_parts() -> None:
    session, [page, _other] = table_of()
    Seat.objects.filter(table=session.table).update(invite="friends")  # who may chat
    sessions.changed(session.table.id)
    chat.say(session.table, session.seats[1], "<!--part--><!--token-->")
    shown = visitor(page.key).get(f"{page.address}/").content.decode()
    assert "&lt;!--part--&gt;&lt;!--token--&gt;" in shown and "<!--" not in shown


# --- statements ----------------------------------------------------------------------------------


def statements_of(client: Client, address: str, fields: dict[str, object]) -> list[str]:
    """Return the statements of a post, besides BEGIN and COMMIT."""
    with CaptureQueriesContext(connection) as caught:
        assert client.post(address, fields, headers={"HX-Request": "true"}).status_code == 200
    words = [query["sql"] for query in caught.captured_queries]
    return [sql for sql in words if not sql.startswith(("BEGIN", "COMMIT"))]


def test_a_choice_within_a_turn_takes_three_statements() -> None:
    session, pages = table_of()
    host = Host.of(["beginner", "beginner"], session.game.edition, seed=3)
    counts = []
    while session.turns < 3:
        page = pages[session.to_move or 0]
        move, fields = move_of(session, host)
        length = session.length
        found = statements_of(page.client, f"{page.address}/{move}/", fields)
        assert session.length == length + 1
        if move == "choose":
            counts.append(len(found))
    host.close()
    assert len(counts) > 5 and max(counts) <= 3, counts


def test_a_move_is_played_though_another_process_has_moved_on() -> None:
    session, pages = table_of()
    host = Host.of(["beginner", "beginner"], session.game.edition, seed=3)
    with no_bots():
        sessions.forget(session.table.id)
        elsewhere = sessions.get(session.table.id)  # as another process has it
        for _click in range(2):
            move, fields = move_of(elsewhere, host)
            elsewhere.choose(elsewhere.number, [int(str(fields["choice"]))])
        assert session.length == 0
        sessions._sessions[session.table.id] = session
        page = pages[elsewhere.to_move or 0]
        move, fields = move_of(elsewhere, host)
        page.post(move, **fields)
    host.close()
    assert len(log_of(session)) == 3 == session.length


def test_whoever_lost_their_seat_in_another_process_cannot_play() -> None:
    session, pages = table_of()
    page = pages[session.to_move or 0]
    Seat.objects.filter(table=session.table).update(holder="someone else")
    Table.objects.filter(pk=session.table.pk).update(revision=F("revision") + 1)
    choice = session.game.legal_choices().ids[0]
    page.post("choose", number=session.number, choice=choice)
    assert not log_of(session)
    assert {seat.holder for seat in session.seats} == {"someone else"}
