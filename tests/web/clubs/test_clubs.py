"""Clubs: founding, joining, roles and moderation; and that nothing of them reaches anyone else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from secrets import token_hex
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from brassmill.web.archive import dump, filling
from brassmill.web.clubs import clubs
from brassmill.web.models import Account, ArchivedGame, Club, ClubMessage, Member, Table
from brassmill.web.server import openapi
from brassmill.web.setup import seat_links
from brassmill.web.table import sessions
from support import rated
from support.friends import Guest, set_up, tokens_of
from support.fuzz import calm, check, words
from support.people import GOOD, guest_of, make_account
from support.rated import begin_late, play_to_the_end
from support.staff import act as run_action
from support.staff import operator, page_of, written
from support.web import no_bots, visitor

pytestmark = pytest.mark.usefixtures("site", "patience")

NAME, SAID = f"The Dudley Canal {token_hex(3)}", "Shares are up, and so is the water."


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    yield
    rated.clear()


class Person(Guest):
    """Someone with an account."""

    def __init__(self, name: str = "Ada") -> None:
        self.account: Account = make_account(name)
        found = guest_of(self.account, name)
        self.name, self.key, self.client = name, found.key, found.client

    def do(self, club: Club, action: str, **sent: Any) -> int:
        return self.client.post(f"/clubs/{club.pk}/{action}/", sent).status_code

    def see(self, club: Club) -> dict[str, Any]:
        data: dict[str, Any] = self.client.get(f"/clubs/{club.pk}.json").json()
        return data

    def role(self, club: Club) -> str:
        own = clubs.membership(club, self.account)
        return own.role if own else ""


def found(host: Person, joining: str = Club.INVITED, name: str = NAME) -> Club:
    answer = host.client.post("/clubs/found/", {"name": name, "about": "", "joining": joining})
    assert answer.status_code == 302, answer.content.decode()
    return Club.objects.get(pk=answer["Location"].split("/")[2])


def invited(host: Person, club: Club, *guests: Person) -> None:
    """Let people join by a link, as they do."""
    assert host.do(club, "settings", days="7") == 302
    (link,) = re.findall(r"/clubs/join/[\w-]+/", host.page(f"/clubs/{club.pk}/"))
    for guest in guests:
        assert NAME in guest.page(link)
        assert guest.client.post(link).status_code == 302
        assert guest.role(club) == "member"


@pytest.fixture
def ada() -> Person:
    return Person("Ada")


@pytest.fixture
def ben() -> Person:
    return Person("Ben")


@pytest.fixture
def eve() -> Person:
    return Person("Eve")


@pytest.fixture
def club(ada: Person, ben: Person) -> Club:
    made = found(ada)
    invited(ada, made, ben)
    return made


def number(club: Club, person: Person) -> int:
    return club.members.get(account=person.account).pk


def club_table(host: Person, club: Club, **sent: str) -> Table:
    table = set_up(host, "you", "friend", club=club.pk, **sent)
    assert table.club == club and not table.listed
    return table


# --- founding and joining ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent", [{"name": " "}, {"name": "x" * 41}, {"about": "x" * 501}, {"joining": "x"}]
)
def test_a_club_needs_a_name(ada: Person, sent: dict[str, str]) -> None:
    form = {"name": NAME, "about": "", "joining": "open", **sent}
    assert ada.client.post("/clubs/found/", form).status_code == 422
    assert not Member.objects.filter(account=ada.account).exists()


def test_only_accounts_found_clubs_and_not_too_many(ada: Person) -> None:
    form = {"name": NAME, "about": "", "joining": "open"}
    assert "/sign-in/" in visitor("nobody").post("/clubs/found/", form)["Location"]
    for _ in range(clubs.MOST_FOUNDED):
        clubs.found(ada.account, NAME, "", "open")
    assert ada.client.post("/clubs/found/", form).status_code == 422
    for club in Club.objects.filter(members__account=ada.account):
        clubs.close(club)


def test_anyone_with_an_account_joins_an_open_club(ada: Person, eve: Person) -> None:
    club = found(ada, Club.OPEN)
    assert NAME in Client().get("/clubs/").content.decode()
    seen = eve.see(club)
    assert seen["count"] == 1 and not seen["members"] and ada.account.name not in str(seen)
    assert eve.do(club, "join") == 302 and eve.role(club) == "member"
    assert eve.do(club, "leave") == 302 and eve.role(club) == ""
    clubs.close(club)


def test_a_club_by_invitation_is_for_others_not_there(club: Club, ben: Person, eve: Person) -> None:
    assert NAME not in eve.page("/clubs/") and eve.do(club, "join") == 404
    for address in (f"/clubs/{club.pk}/", f"/clubs/{club.pk}.json"):
        assert eve.client.get(address).status_code == 404
        assert Client().get(address).status_code == 404
    assert ben.client.get(f"/clubs/{club.pk}/").status_code == 200


def test_a_link_is_renewed_revoked_and_expires(club: Club, ada: Person, eve: Person) -> None:
    def link() -> str:
        club.refresh_from_db()
        return f"/clubs/join/{club.invite}/"

    first = link()
    ada.do(club, "settings", days="1")
    second = link()
    assert eve.client.post(first).status_code == 404 and first != second
    Club.objects.filter(pk=club.pk).update(invite_until=timezone.now() - timedelta(seconds=1))
    assert eve.client.get(second).status_code == 404
    assert eve.client.post(second).status_code == 404
    ada.do(club, "settings", days="30")
    third = link()
    ada.do(club, "settings", revoke="1")
    assert eve.client.post(third).status_code == 404 and eve.role(club) == ""
    assert eve.client.get("/clubs/join//").status_code == 404


# --- roles ---------------------------------------------------------------------------------------


def test_the_host_removes_bans_and_lifts_bans(club: Club, ada: Person, ben: Person) -> None:
    assert ada.do(club, "member", number=number(club, ben), act="ban") == 302
    assert ben.client.get(f"/clubs/{club.pk}/").status_code == 404
    club.refresh_from_db()
    assert ben.client.post(f"/clubs/join/{club.invite}/").status_code == 409
    ((ban, name),) = ada.see(club)["bans"]
    assert name == ben.account.name
    assert ada.do(club, "member", unban=ban) == 302
    assert ben.client.post(f"/clubs/join/{club.invite}/").status_code == 302
    assert ada.do(club, "member", number=number(club, ben), act="remove") == 302
    assert ben.role(club) == ""


def test_a_moderator_moderates_members_only(
    club: Club, ada: Person, ben: Person, eve: Person
) -> None:
    invited(ada, club, eve)
    assert ada.do(club, "member", number=number(club, ben), act="promote") == 302
    for act in ("mute", "remove", "ban", "demote", "hand over"):
        assert ben.do(club, "member", number=number(club, ada), act=act) == 403
    assert ben.do(club, "member", number=number(club, eve), act="promote") == 403
    assert ben.do(club, "member", number=number(club, eve), act="mute") == 302
    assert eve.do(club, "chat", text=SAID) == 422
    assert ben.do(club, "member", number=number(club, eve), act="unmute") == 302
    assert eve.do(club, "chat", text=SAID) == 302
    assert ben.do(club, "settings", days="7") == 302, "a moderator invites"
    form = {"name": "Mine", "about": "", "joining": "open"}
    assert ben.do(club, "settings", **form) == 403 and ben.do(club, "close", confirm="yes") == 403
    for act in ("mute", "remove", "ban", "promote"):
        assert eve.do(club, "member", number=number(club, ben), act=act) == 403
    assert eve.do(club, "settings", days="7") == 403
    assert {ada.role(club), ben.role(club), eve.role(club)} == {"host", "moderator", "member"}


def test_a_club_is_handed_over_and_left(club: Club, ada: Person, ben: Person) -> None:
    assert ada.do(club, "member", number=number(club, ben), act="hand over") == 302
    assert (ada.role(club), ben.role(club)) == ("moderator", "host")
    assert ben.do(club, "leave") == 302
    assert ada.role(club) == "host", "a moderator becomes host"
    assert ada.do(club, "leave") == 302
    club.refresh_from_db()
    assert club.closed, "the last one closes it"


def test_members_of_one_club_are_not_moderated_from_another(
    ada: Person, club: Club, eve: Person
) -> None:
    other = found(eve, name="Another")
    assert eve.do(other, "member", number=number(club, ada), act="remove") == 403
    said = ClubMessage.objects.create(club=club, account=ada.account, text=SAID)
    assert eve.do(other, "chat/delete", message=said.pk) == 302
    assert ClubMessage.objects.filter(pk=said.pk).exists() and ada.role(club) == "host"


# --- chat ----------------------------------------------------------------------------------------


def test_members_write_and_messages_are_deleted(club: Club, ada: Person, ben: Person) -> None:
    assert ben.do(club, "chat", text=f"{SAID}\u202e") == 302
    (line,) = ada.see(club)["messages"]
    assert line["text"] == SAID and line["name"] == ben.account.name
    for text in ("", "\u3164", "x" * 501):
        assert ben.do(club, "chat", text=text) == 422
    assert ada.do(club, "chat", text="Mine") == 302
    mine = ada.see(club)["messages"][-1]["number"]
    ben.do(club, "chat/delete", message=mine)
    assert len(ada.see(club)["messages"]) == 2, "members delete only their own"
    ada.do(club, "chat/delete", message=line["number"])
    assert [each["text"] for each in ben.see(club)["messages"]] == ["Mine"]


# --- tables --------------------------------------------------------------------------------------


def test_members_take_seats_at_the_tables_of_their_club(
    club: Club, ada: Person, ben: Person
) -> None:
    table = club_table(ada, club)
    (offer,) = ben.see(club)["waiting"]
    assert offer["id"] == table.pk and offer["token"]
    assert ben.client.get(f"/t/{table.pk}/").status_code == 200
    assert ben.sit(offer["token"]).status_code == 302
    (running,) = ada.see(club)["running"]
    assert running["id"] == table.pk and not ada.see(club)["waiting"]


def test_only_members_set_up_tables_of_a_club(club: Club, ada: Person, eve: Person) -> None:
    form = {"players": "2", "who-0": "you", "who-1": "friend", "name-0": "E", "club": club.pk}
    for who in (eve.client, visitor("nobody")):
        assert who.post("/new/birmingham/", form).status_code == 422
    assert NAME in ada.page("/new/birmingham/") and NAME not in eve.page("/new/birmingham/")
    assert not club.tables.exists()


def leaks(club: Club, table: Table, client: Client, token: str) -> set[str]:
    """Return every address that tells a visitor of a club or of its table."""
    found = set()
    for named in (table.pk, club.pk):
        known = {"table_id": named, "id": named, "token": token, "edition": "birmingham"}
        known |= {"action": "0", "number": "1", "name": "birmingham"}
        for _name, route in openapi.routes():
            parts = re.split(r"<\w+:(\w+)>", route)
            parts[1::2] = [known.get(part, "x") for part in parts[1::2]]
            address = f"/{''.join(parts)}"
            answer = client.get(address)
            text = "" if answer.streaming else answer.content.decode(errors="replace")
            if named not in address:
                text += str(answer.get("Location"))
            elif answer.status_code == 200:
                found.add(address)
            secrets = [NAME, SAID, "Wharfinger", *({table.pk, club.pk} - {named})]
            secrets += [] if named in address else [named]
            if any(secret in text for secret in secrets):
                found.add(address)
            answer.close()
    return found


def test_nothing_of_a_club_reaches_anyone_else(
    club: Club, ada: Person, ben: Person, eve: Person
) -> None:
    """Every address of the site, as a member of no club, as another club's host, and as nobody."""
    ada.name, ben.name = "Wharfinger", "Lock keeper"
    ada.do(club, "chat", text=SAID)
    with no_bots():
        table = club_table(ada, club)
        (token,) = tokens_of(table)
        found(eve, name="Another")
        strangers = {"eve": eve.client, "nobody": visitor("nobody")}
        for who, client in strangers.items():
            assert leaks(club, table, client, token) == set(), who
            assert client.post(f"/join/{token}/", {"name": "Eve"}).status_code == 404
            assert client.post(f"/join/{token}.json", {"name": "Eve"}).status_code == 404
        assert leaks(club, table, ben.client, token), "a member sees it: the check finds something"
        ben.sit(token)
        for who, client in strangers.items():
            assert leaks(club, table, client, token) == set(), who
        for action in ("choose", "end", "chat", "follow", "bookmark", "again", "leave", "ask"):
            assert eve.post(table, action, text="x", number="0", choice="0").status_code == 404


def test_a_finished_game_of_a_club_stays_private(
    club: Club, ada: Person, ben: Person, eve: Person
) -> None:
    """Neither the archive nor the dump has it; its ratings count, and its rematch is the club's."""
    ada.name, ben.name = ada.account.name, ben.account.name
    table = club_table(ada, club, rated="yes")
    ben.sit(tokens_of(table)[0])
    begin_late(table)
    play_to_the_end(sessions.get(table.id))
    table.refresh_from_db()
    assert table.over
    filling.fill()
    assert not ArchivedGame.objects.filter(table=table).exists()
    assert ada.account.name not in "".join(dump.texts())
    for address in ("result", "replay", "record", "picture.svg"):
        assert eve.client.get(f"/t/{table.pk}/{address.removesuffix('/')}").status_code in (
            301,
            404,
        )
        assert eve.client.get(f"/t/{table.pk}/{address}/").status_code == 404
        if address != "picture.svg":
            assert ben.client.get(f"/t/{table.pk}/{address}/").status_code == 200
    page = ben.page(f"/clubs/{club.pk}/")
    assert "Standings" in page and ada.account.name in page
    again = ada.post(table, "again")
    rematch = Table.objects.get(pk=again["Location"].split("/")[2])
    assert rematch.club == club
    assert eve.client.get(f"/t/{rematch.pk}/").status_code == 404
    Table.objects.filter(pk=table.pk).update(sequel=None)
    sessions.forget(table.pk)
    ben.do(club, "leave")
    again = ben.post(table, "again")
    rematch = Table.objects.get(pk=again["Location"].split("/")[2])
    assert rematch.club is None, "whoever has left sets up no table of the club"


def test_whoever_plays_sees_their_game_after_leaving_and_closing(
    club: Club, ada: Person, ben: Person
) -> None:
    table = club_table(ada, club)
    ben.sit(tokens_of(table)[0])
    ben.do(club, "leave")
    assert ben.client.get(f"/t/{table.pk}/").status_code == 200
    assert ada.do(club, "close") == 302 and ada.role(club) == "host", "only once confirmed"
    assert ada.do(club, "close", confirm="yes") == 302
    assert ada.client.get(f"/clubs/{club.pk}/").status_code == 404
    assert ada.client.get(f"/t/{table.pk}/").status_code == 200
    assert Client().get(f"/t/{table.pk}/").status_code == 404, "its games stay private"


def test_a_seat_of_a_club_does_not_move_to_a_browser_without_the_account(
    club: Club, ada: Person
) -> None:
    table = club_table(ada, club)
    assert ada.post(table, "device", seat="0").status_code == 302
    seat = table.seats.get(number=0)
    assert seat.handover == ""
    link = seat_links.handover(seat)
    assert Guest("Eve").client.post(f"/move/{link}/").status_code in (403, 404)
    assert table.seats.get(number=0).holder == ada.key


# --- accounts ------------------------------------------------------------------------------------


def test_a_deleted_account_leaves_its_clubs_and_takes_its_messages(
    club: Club, ada: Person, ben: Person
) -> None:
    ada.do(club, "chat", text=SAID)
    exported = ada.client.post("/account/export/").json()["clubs"]
    assert exported["member"][0]["name"] == NAME and exported["messages"][0]["text"] == SAID
    assert (
        ada.client.post("/account/delete/", {"present": GOOD, "confirm": "yes"}).status_code < 400
    )
    assert ben.role(club) == "host" and not ben.see(club)["messages"]
    ben.client.post("/account/delete/", {"present": GOOD, "confirm": "yes"})
    club.refresh_from_db()
    assert club.closed and not club.members.exists()


# --- any input -----------------------------------------------------------------------------------

FORMS = [
    name
    for name, route in openapi.routes()
    if name.startswith("club_") and "key:id" in route and openapi.described(name).form is not None
]


@pytest.mark.parametrize("name", FORMS)
def test_no_form_of_a_member_causes_a_server_error(name: str) -> None:
    host, moderator = Person("Ada"), Person("Ben")
    route = dict(openapi.routes())[name]
    fields = st.sampled_from(sorted(openapi.described(name).form or {"x": {}})) | st.text(
        max_size=5
    )

    @calm
    @given(sent=st.dictionaries(fields, words, max_size=5), who=st.sampled_from([0, 1]))
    def attempt(sent: dict[str, str], who: int) -> None:
        club = clubs.found(host.account, NAME, "", Club.OPEN)
        clubs.join(club, moderator.account)
        client = (host, moderator)[who].client
        check(client, "POST", f"/{route.replace('<key:id>', club.pk)}", data=sent)
        club.refresh_from_db()
        if not club.closed:
            clubs.close(club)

    attempt()


# --- operators -----------------------------------------------------------------------------------


def test_an_operator_closes_a_club_and_sees_no_invitation(
    club: Club, ada: Person, ben: Person
) -> None:
    ben.do(club, "chat", text=SAID)
    club.refresh_from_db()
    staff = operator()
    listed, row = page_of(staff, "club/"), page_of(staff, f"club/{club.pk}/change/")
    assert NAME in listed and ada.account.name in row
    assert club.invite and club.invite not in listed + row
    assert SAID in page_of(staff, "clubmessage/") and ben.key not in page_of(staff, "clubmessage/")
    run_action(staff, "club", "close", club.pk)
    assert written("closed")
    club.refresh_from_db()
    assert club.closed and not club.members.exists()
