"""What newcomers see from the invitation to the finished game and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import mail as outbox
from django.core.cache import cache

from brassmill import record
from brassmill.editions import EDITIONS
from brassmill.web.lobby import move_seat
from brassmill.web.lobby.new_game import usual
from brassmill.web.mail import queue
from brassmill.web.models import Account, Contact, Mail, Table
from brassmill.web.replay.result import result_page_of
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import mail_backend
from brassmill.web.setup.seat_links import invitation
from brassmill.web.table import repair, sessions
from support.days import HOST, Time, give_address, mails_to, path_in
from support.friends import Guest, at_table, set_up, tokens_of
from support.paths import RECORDS
from support.people import GOOD, guest_of, make_account, signed_in
from support.web import make_table, no_bots, play_turn

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.locmem.EmailBackend")
    monkeypatch.setattr(outbox, "outbox", [], raising=False)
    Mail.objects.all().delete()
    yield
    Mail.objects.all().delete()


@pytest.fixture
def ada() -> Guest:
    return Guest("Ada")


@pytest.fixture
def ben() -> Guest:
    return Guest("Ben")


def address_of(guest: Guest) -> str:
    return f"{guest.key}@example.org".lower()


def invite(host: Guest, table: Table, friend: Guest, seat: int = 1) -> Mail:
    """The host e-mails a friend the link to a seat."""
    host.post(table, "invite", seat=seat, address=address_of(friend))
    return mails_to(friend, "invitation")[-1]


# --- new game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EDITIONS)
def test_changed_options_are_named_on_the_folded_options_panel(name: str) -> None:
    """By CSS alone: the nth option highlights the nth name."""
    style = Path(str(finders.find("web/home.css"))).read_text()
    page = Guest().page(f"/new/{name}/")
    (names,) = re.findall(r'<span class="quiet unusual">(.*?)</span></summary>', page)
    switches = usual(EDITIONS[name]).switches
    assert re.findall(r"<span>(.*?)</span>", names) == [switch.title for switch in switches]
    for number, switch in enumerate(switches, 1):
        lit = f".option:nth-child({number}) .other:checked) .unusual > :nth-child({number})"
        assert lit in style
        others = re.findall(rf'<input class="other" [^>]*name="{switch.name}"', page)
        assert len(others) == len(switch.option.values) - 1, "all but the usual one"


# --- the invitation ------------------------------------------------------------------------------


def test_an_invitation_names_game_players_and_clock(ada: Guest, ben: Guest) -> None:
    seats = ("you", "friend", "apprentice", "friend")
    text = invite(ada, set_up(ada, *seats, intro="True"), ben).text
    assert "Introductory game.\nNo clock.\n" in text
    assert re.search(r"^At the table: Ada, \w+ \(apprentice\); 2 free seats\.$", text, re.M)
    text = invite(ada, set_up(ada, "you", "friend", clock="turn-3d"), ben).text
    assert "Clock: 3 days per turn.\nNo hints.\nAt the table: Ada; 1 free seat.\n" in text
    assert "Introductory" not in text


def test_only_the_host_sees_where_a_link_was_mailed(ada: Guest, ben: Guest) -> None:
    table = set_up(ada, "you", "friend", "friend", listed="yes")
    mail = invite(ada, table, ben)
    others, address = (ben, Guest("Eve")), address_of(ben)
    places = ada.data(table)["gathering"]["places"]
    assert [place["mailed"] for place in places] == [[], [f"waiting to be sent to {address}"], []]
    queue.send_due()
    assert f"sent to {address}" in ada.page(f"/t/{table.id}/")
    for guest in others:
        for page in (f"/t/{table.id}/", f"/t/{table.id}.json", f"/t/{table.id}/part/", "/lobby/"):
            assert address not in guest.page(page)
    Mail.objects.filter(pk=mail.pk).update(sent=None, next_at=None)
    assert f"could not be sent to {address}" in ada.page(f"/t/{table.id}/")
    ada.post(table, "gather", renew="1")
    assert address not in ada.page(f"/t/{table.id}/"), "that link is dead"


def test_where_mails_are_files_the_page_does_not_claim_they_were_sent(
    ada: Guest,
    ben: Guest,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Visitors see so before they type an address; only the log says where the files are."""
    monkeypatch.setattr(settings, "EMAIL_BACKEND", mail_backend.FILES)
    monkeypatch.setattr(settings, "EMAIL_FILE_PATH", tmp_path, raising=False)
    words = "This server does not send e-mail; messages are saved as files."
    table, address = set_up(ada, "you", "friend"), address_of(ben)
    asked = (
        ben.client.get("/mails/"),
        ada.post(table, "invite", seat=1, address=address),
        ben.client.post("/mails/", {"address": address}, follow=True),
        ben.client.post("/forgotten/", {"address": address}),
    )
    for answer in asked:
        page = unescape(answer.content.decode())
        assert words in page and "on its way" not in page and str(tmp_path) not in page
    queue.send_due()
    assert f"saved as a file for {address}" in ada.page(f"/t/{table.id}/")
    assert str(tmp_path) in caplog.text


def test_a_link_that_works_only_on_this_computer_says_so(ada: Guest) -> None:
    words = "works on this computer only"
    table = set_up(ada, "you", "friend")
    for host, is_local in (("127.0.0.1:8000", True), ("testserver", False)):
        ada.client.defaults["HTTP_HOST"] = host
        device = ada.post(table, "device", seat=0).content.decode()
        room = ada.page(f"/t/{table.id}/")
        code = room[room.index('id="qr-1"') :].partition("</div>")[0]
        for page in (room, code, device):
            assert (words in page) == is_local


def test_a_new_host_does_not_see_where_a_link_was_mailed(ada: Guest, ben: Guest) -> None:
    table = set_up(ada, "you", "friend", "friend", listed="yes")
    invite(ada, table, ben)
    queue.send_due()
    assert f"sent to {address_of(ben)}" in ada.page(f"/t/{table.id}/")
    eve = Guest("Eve")
    move_seat.accept(move_seat.offer(table.seats.get(number=0)), eve.key)
    assert eve.data(table)["gathering"]["is_host"]
    assert address_of(ben) not in eve.page(f"/t/{table.id}/")


def test_the_clock_and_options_are_shown_before_sitting_down(ada: Guest, ben: Guest) -> None:
    table = set_up(ada, "you", "friend", intro="True", clock="turn-3d", listed="yes")
    words = "Introductory game · 3 days per turn"
    for page in (f"/join/{tokens_of(table)[0]}/", "/lobby/"):
        assert words in ben.page(page)
    (row,) = [
        game for game in ben.client.get("/lobby.json").json()["waiting"] if game["id"] == table.id
    ]
    assert (row["options"], row["clock"]) == (["Introductory game"], "3 days per turn")
    plain = set_up(ada, "you", "friend", edition="lancashire", cotton_one_vp="3")
    page = ben.page(f"/join/{tokens_of(plain)[0]}/")
    assert "Level I cotton mill: 3 VP · No clock" in page


@pytest.mark.parametrize("seats", [2, 3])
def test_a_player_who_joins_by_mail_sees_that_mails_are_on(
    ada: Guest, ben: Guest, seats: int
) -> None:
    """In the waiting room, and in the first round of a game that starts with them."""
    table = set_up(ada, "you", *["friend"] * (seats - 1))
    path = path_in(invite(ada, table, ben).text, "/join/")
    ben.client.post(path, {"name": "Ben", "tell": "yes"})
    words = f"We e-mail {address_of(ben)} when it is your turn."
    page = ben.page(f"/t/{table.id}/")
    assert words in page and f"E-mails go to {address_of(ben)}" in page
    assert words in ben.page(f"/t/{table.id}/part/")
    assert ben.data(table)["mails_to"] == address_of(ben)
    assert address_of(ben) not in ada.page(f"/t/{table.id}.json")
    assert ada.data(table)["mails_to"] == "" and "We e-mail" not in ada.page(f"/t/{table.id}/")
    if seats == 2:
        session = sessions.get(table.id)
        while session.game.round == 1:
            play_turn(session)
        assert words not in ben.page(f"/t/{table.id}/"), "the menu says it"


def test_a_table_without_mails_promises_none(ada: Guest, ben: Guest) -> None:
    table = at_table(ada, ben, notice="never")
    give_address(ben)
    assert ben.data(table)["mails_to"] == "" and "We e-mail" not in ben.page(f"/t/{table.id}/")


# --- links and e-mails ---------------------------------------------------------------------------


def test_a_used_mail_link_says_where_to_go(
    ada: Guest, ben: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time(monkeypatch)
    table = at_table(ada, ben, notice="at once")
    give_address(ada)
    give_address(ben)
    time.passes(minutes=1)
    mover = (ada, ben)[sessions.get(table.id).to_move or 0]
    path = path_in(mails_to(mover, "turn")[0].text, "/seat/")
    phone = Guest("Phone")
    for _time in range(2):  # the seat is theirs by now
        assert phone.client.post(path)["Location"] == f"/t/{table.id}/"
    page = mover.page(path)
    assert "This link has been used" in page and "Menu, Continue on another device" in page
    assert f'href="/t/{table.id}/"' in page, "it can be watched"
    assert f'href="/sign-in/?next=/t/{table.id}/"' in page
    signed = guest_of(make_account())
    assert "sign in" not in signed.page(path), "he is"
    made_up = mover.page(path[:-4] + "x/")
    assert "does not lead to a seat" in made_up and table.id not in made_up


@pytest.mark.parametrize(
    ("clock", "days", "why"),
    [("turn-1d", 2, "Your time ran out."), ("", 8, "The others waited for you for days")],
)
def test_a_player_replaced_by_a_bot_sees_why(
    ada: Guest, ben: Guest, clock: str, days: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time(monkeypatch)
    table = at_table(ada, ben, clock=clock)
    give_address(ada)
    give_address(ben)
    session = sessions.get(table.id)
    absent = session.to_move or 0
    with no_bots():
        time.passes(days=days)
        (ada, ben)[1 - absent].post(table, "dismiss", seat=absent)
    (told,) = mails_to((ada, ben)[absent], "bot")
    assert why in told.text


def test_the_confirmation_mail_can_be_sent_again(ada: Guest) -> None:
    address = address_of(ada)
    again = f'<input type="hidden" name="address" value="{address}">'
    for number in (1, 2):
        answer = ada.client.post("/mails/", {"address": address}, follow=True)
        assert "We sent you an e-mail" in answer.content.decode()
        assert len(mails_to(ada, "confirmation")) == number
        page = ada.page("/mails/")
        assert "We sent you an e-mail" not in page and again in page
    Contact.objects.filter(visitor=ada.key).update(confirmed=True)
    assert again not in ada.page("/mails/")


def test_confirming_an_address_leads_to_the_waiting_table(ada: Guest, ben: Guest) -> None:
    table = at_table(ada, ben)
    other = set_up(ada, "you", "friend")
    mover = (ada, ben)[sessions.get(table.id).to_move or 0]

    def pages(query: str, reader: Guest) -> str:
        """Return the pages after following the link of the e-mail and confirming."""
        mover.client.post(f"/mails/{query}", {"address": address_of(mover)})
        link = path_in(mails_to(mover, "confirmation")[-1].text, "/confirm/")
        assert "example" not in link
        page: str = reader.client.post(link).content.decode()
        Contact.objects.filter(visitor=mover.key).update(confirmed=False)
        assert "Done" in page
        return page

    button = '<a class="button primary" href="/t/{}/">Go to the table</a>'
    assert button.format(other.id) in pages(f"?table={other.id}", Guest())
    assert button.format(table.id) in pages("", mover)
    for query in ("", "?table=//example.org", "?table="):
        assert ">Go to the table<" not in pages(query, Guest())


# --- at the table --------------------------------------------------------------------------------


def test_the_menu_offers_available_actions_and_marks_the_current_choice(
    ada: Guest, ben: Guest
) -> None:
    table = at_table(ada, ben)
    leave = 'popovertarget="leave-dialog">Leave game'
    assert leave in ada.page(f"/t/{table.id}/")
    ada.post(table, "pace", pace="fast")
    page = ada.page(f"/t/{table.id}/")
    assert re.findall(r'value="(\w+)" aria-pressed="true"', page) == ["fast"]
    assert 'data-pace="fast"' in page
    sessions.get(table.id).void()
    assert leave not in ada.page(f"/t/{table.id}/")


def test_on_a_phone_the_account_is_in_the_menu() -> None:
    """The bar has no room for it there; elsewhere CSS hides it."""
    account = make_account()
    link = re.compile(r'class="menu-item menu-account" href="([^"]+)">([^<]+)<')
    for guest, expected in (
        (Guest("Ada"), ("/sign-in/?next=/t/{id}/", "Sign in")),
        (guest_of(account), ("/account/", "Your account")),
    ):
        table = set_up(guest, "you", "apprentice")
        address, words = expected
        assert link.findall(guest.page(f"/t/{table.id}/")) == [(address.format(id=table.id), words)]


def test_a_spectator_has_no_hand_and_no_note_about_it_after_the_game(
    ada: Guest, ben: Guest
) -> None:
    table = at_table(ada, ben)
    words, page = "hands are hidden", f"/t/{table.id}/"
    own = ('data-show="hand"', 'data-show="mat"')
    watching = Guest().page(page)
    assert words in watching and not any(tab in watching for tab in own)
    assert all(tab in ada.page(page) for tab in own)
    sessions.get(table.id).void()
    assert words not in Guest().page(page) and 'id="hand"' in ada.page(page)


def test_reporting_a_message_takes_a_second_click(ada: Guest, ben: Guest) -> None:
    table = at_table(ada, ben)
    ben.post(table, "chat", text="hello")
    page = ada.page(f"/t/{table.id}/")
    asked, _, button = page.partition('aria-label="Report the message of Ben"')[2].partition(
        "<button"
    )
    assert "The operator of this server can read this message" in asked and "form=" not in asked
    assert 'form="report"' in button and "Report this message" in button
    assert "Close the chat for everyone" in page
    assert "Report" not in ben.page(f"/t/{table.id}/chat/")


# --- screen readers ------------------------------------------------------------------------------


class Names(HTMLParser):
    """Collects controls with an explicit name: their text, and the name."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[str]] = []  # text and name
        self._open: list[tuple[str, bool]] = []  # elements, and whether they are read
        self._named = 0  # depth of the control; 0 for none

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in ("input", "img", "link", "meta", "br", "use", "path"):
            return
        is_seen = known.get("aria-hidden") != "true" and tag != "svg"
        is_seen = is_seen and "visually-hidden" not in (known.get("class") or "")
        self._open.append((tag, is_seen))
        if tag in ("a", "button", "summary") and "aria-label" in known and not self._named:
            self._named = len(self._open)
            self.found.append(["", known["aria-label"] or ""])

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()
            self._named = self._named if len(self._open) >= self._named else 0

    def handle_data(self, data: str) -> None:
        if self._named and all(is_seen for _tag, is_seen in self._open[self._named - 1 :]):
            self.found[-1][0] += data


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_name_of_a_control_contains_its_visible_text(language: str) -> None:
    """Voice control users say what they see (WCAG 2.5.3)."""
    ada, ben = Guest("Ada"), Guest("Ben")
    for guest in (ada, ben):
        guest.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    table = set_up(ada, "you", "friend", "friend", listed="yes")
    running = at_table(ada, ben, listed="yes")
    ben.post(running, "chat", text="hello")
    over = make_table("you,beginner", key=ada.key)
    result = [[0, 1, 100], [1, 2, 90]]
    Table.objects.filter(pk=over.pk).update(over=True, summary={"result": result})
    pages = ("/", "/lobby/", f"/t/{table.id}/", f"/t/{running.id}/", f"/t/{running.id}/replay/")
    for guest in (ada, ben):
        for page in pages:
            names = Names()
            names.feed(guest.client.get(page).content.decode())
            assert names.found
            for seen, name in names.found:
                words = " ".join(seen.split()).casefold()
                assert words in " ".join(name.split()).casefold(), page


# --- after the game ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "is_said"), [("birmingham-2-intro", False), ("birmingham-2-cotton", True)]
)
def test_the_result_mentions_only_the_eras_played(name: str, is_said: bool) -> None:
    ending = result_page_of(Timeline(record.load(RECORDS / f"{name}.brass")))
    assert ending is not None
    assert ("Both eras" in ending.figures[0].note) == is_said


def test_introductory_games_have_separate_statistics() -> None:
    account = make_account()
    for intro, points in ((False, 120), (True, 30), (True, 40)):
        table = make_table("you,beginner", key=account.key, intro=intro)
        result = [[0, 1, points], [1, 2, 1]]
        Table.objects.filter(pk=table.pk).update(over=True, summary={"result": result})
    client = signed_in(account)
    scores = client.get("/account.json").json()["scores"]
    assert [(score["intro"], score["games"], score["points"]) for score in scores] == [
        (False, 1, 120),
        (True, 2, 35),
    ]
    page = client.get("/account/").content.decode()
    assert "<small>Introductory game</small>" in page


def test_after_deleting_an_account_the_page_says_what_stays() -> None:
    alone, account, ben = make_account(), make_account(), Guest("Ben")
    make_table("you,beginner", key=alone.key)
    table = set_up(guest_of(account), "you", "friend")
    ben.sit(tokens_of(table)[0])
    for each, words in ((alone, "No games remain"), (account, "1 game with other people remains")):
        with no_bots():
            answer = signed_in(each).post("/account/delete/", {"present": GOOD})
        page = answer.content.decode()
        assert answer.status_code == 200 and words in page
        assert f"The account of {each.name} has been deleted" in page
        assert not Account.objects.filter(pk=each.pk).exists()


def test_an_offered_seat_keeps_its_table_with_nobody_else_there(ben: Guest) -> None:
    account, cleo = make_account(), Guest("Cleo")
    table = set_up(guest_of(account), "you", "friend")
    ben.sit(tokens_of(table)[0])
    session = sessions.get(table.id)
    with no_bots():
        play_turn(session)
        token = invitation(repair.offer(session, 1))
        signed_in(account).post("/account/delete/", {"present": GOOD})
        assert Table.objects.get(pk=table.pk).host == ""
        assert cleo.sit(token).status_code == 302
        assert cleo.data(table)["held"] == [1] and sessions.get(table.id).bots[0] == table.standby
    assert Table.objects.get(pk=table.pk).host == cleo.key, "somebody has to be"


def test_an_offered_seat_of_a_finished_game_keeps_nothing(ben: Guest) -> None:
    account = make_account()
    table = set_up(guest_of(account), "you", "friend")
    ben.sit(tokens_of(table)[0])
    with no_bots():
        repair.offer(sessions.get(table.id), 1)
        Table.objects.filter(pk=table.pk).update(over=True)
        signed_in(account).post("/account/delete/", {"present": GOOD})
    assert not Table.objects.filter(pk=table.pk).exists()


def test_a_new_host_does_not_see_the_old_hosts_invitations(ben: Guest) -> None:
    account, cleo = make_account(), Guest("Cleo")
    table = set_up(guest_of(account), "you", "friend", "friend")
    cleo.sit(tokens_of(table)[1])
    invite(guest_of(account), table, ben)
    assert Mail.objects.filter(address=address_of(ben)).exists()
    signed_in(account).post("/account/delete/", {"present": GOOD})
    assert Table.objects.get(pk=table.pk).host == cleo.key
    assert address_of(ben) not in cleo.page(f"/t/{table.id}.json")
    assert not Mail.objects.filter(address=address_of(ben)).exists(), "nor is it sent any more"
