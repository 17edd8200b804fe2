"""Stories: friends on their own screens, from the link to the game, and spectators."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, Route, expect

from brassmill.web.table import sessions
from stories.test_accessibility import violations
from support.browser import (
    PATIENCE,
    PHONE,
    Player,
    Visitor,
    click,
    seen,
    wait_for_change,
    wait_for_turn,
)

Visit = Callable[..., Visitor]

# For a time shown as "just now": five minutes pass, and a page is opened again.
GROWN_OLD = """time => {
  time.dateTime = new Date(Date.now() - 300000).toISOString();
  document.dispatchEvent(new Event("visibilitychange"));
  return time.textContent;
}"""
OFFLINE = "ERR_INTERNET_DISCONNECTED|Failed to fetch|network error|ERR_NETWORK"


# --- joining -------------------------------------------------------------------------------------


def set_up(host: Visitor, name: str, seats: Sequence[str]) -> Page:
    """Fill in the form of a new game as people do; return the table page."""
    page = host.open("/new/lancashire/")
    page.get_by_text(str(len(seats)), exact=True).click()
    for number, who in enumerate(seats):
        page.get_by_label(f"Seat {number + 1}", exact=True).select_option(who)
    page.get_by_label("Name of seat 1").fill(name)
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#question")).to_contain_text("Waiting for")
    return page


def links_in(page: Page) -> list[str]:
    """Return the links that the host copies."""
    return [link.input_value() for link in page.get_by_label("Link for seat").all()]


def sit_down(friend: Visitor, link: str, name: str) -> Page:
    """Open a link as a new visitor, and take the seat."""
    friend.context.clear_cookies()
    page = friend.open(link)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("invites you$"))
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take this seat").click()
    page.wait_for_url("**/t/*/")
    return page


def table_of(page: Page) -> str:
    return page.url.rstrip("/").rpartition("/")[2]


# --- playing -------------------------------------------------------------------------------------


def mover_of(pages: Sequence[Page]) -> int:
    """Return whose turn it is, once that page shows it by itself."""
    mover = sessions.get(table_of(pages[0])).to_move
    assert mover is not None
    wait_for_turn(pages[mover])
    return mover


def take_turn(player: Player) -> None:
    """Take a whole turn; the next one may be another player's."""
    now = wait_for_turn(player.page)
    assert now.yours
    while now.asked != "turn over":
        now = player.step()
    click(player.page, "primary")
    wait_for_change(player.page, now.stamp)


def hear(page: Page) -> None:
    """Wait until a page shows the latest public event."""
    session = sessions.get(table_of(page))
    told = [place for place, part in enumerate(session.history) if part.lines(session.game.seats)]
    page.wait_for_selector(f"#line-of-log-{told[-1]}-0", state="attached")


def cards_in(page: Page) -> int:
    return page.locator("[id^=card-]").count()


@pytest.mark.slow
def test_two_friends_play_and_one_loses_the_connection(visit: Visit) -> None:
    ada, ben = visit(), visit()
    at_home = set_up(ada, "Ada", ["you", "friend"])
    (link,) = links_in(at_home)
    afar = sit_down(ben, link, "Ben")
    pages = [at_home, afar]
    for page in pages:  # the host has not touched the page since
        page.wait_for_selector("[id^=card-]")
    players = [Player(page, seed=4) for page in pages]
    ben.pardoned.append(OFFLINE)
    lost = 0
    for turn in range(8):
        mover = mover_of(pages)
        is_lost = not lost and turn > 2 and mover == 0
        lost += is_lost
        ben.context.set_offline(is_lost)
        take_turn(players[mover])
        ben.context.set_offline(False)
        for page in pages:
            hear(page)
    assert lost
    # Closed and opened again in mid-turn: it continues where it was.
    afar.close()
    again = ben.open(at_home.url)
    pages, players = [at_home, again], [players[0], Player(again, seed=5)]
    for _ in range(2):
        take_turn(players[mover_of(pages)])


@pytest.mark.slow
def test_four_friends_play_and_a_spectator_watches(visit: Visit) -> None:
    host, *friends = (visit() for _ in range(4))
    at_home = set_up(host, "Ada", ["you", "friend", "friend", "friend"])
    links = links_in(at_home)
    watching = visit().open(at_home.url)
    expect(watching.locator("#question")).to_have_text("Waiting for 3 players")
    expect(watching.get_by_label("Link for seat")).to_have_count(0)
    pages = [at_home]
    for friend, link, name in zip(friends, links, ["Ben", "Cleo", "Dan"], strict=True):
        missing = 3 - len(pages)
        pages.append(sit_down(friend, link, name))
        for page in (at_home, watching) if missing else ():
            expect(page.locator("#strip")).to_contain_text(name)
    players = [Player(page, seed=seat) for seat, page in enumerate(pages)]
    for _ in range(6):
        take_turn(players[mover_of(pages)])
        for page in [*pages, watching]:
            hear(page)
        assert cards_in(watching) == 0 and not seen(watching).yours
    assert watching.request.get(at_home.url.rstrip("/") + ".json").json()["hand"] == []


def test_a_link_works_once_and_bots_fill_empty_seats(visit: Visit) -> None:
    ada, ben, eve = visit(), visit(), visit()
    page = set_up(ada, "Ada", ["you", "friend", "friend"])
    # The clipboard is one for all tests that run at the same time, and waits for the focus.
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    link, other = links_in(page)
    page.get_by_role("button", name="Copy link").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == link
    sit_down(ben, link, "Ben")
    late = eve.open(link)
    expect(late.get_by_role("heading", level=1)).to_have_text("This seat is taken")
    expect(page.get_by_role("button", name="New link")).to_have_count(1)  # Ben's is gone
    page.get_by_role("button", name="New link").click()
    expect(page.get_by_label("Link for seat 3")).not_to_have_value(other)
    eve.pardoned.append("404")
    expect(eve.open(other).get_by_role("heading", level=1)).to_have_text(
        "This link does not lead to a seat"
    )
    page.get_by_role("button", name="Start now with bots").click()
    expect(page.locator(".room")).to_have_count(0)
    expect(page.locator("#player-2")).to_contain_text("apprentice")


# --- chatting, moving, waiting -------------------------------------------------------------------


@pytest.mark.slow
def test_a_chat_message_appears_at_once_for_the_others(visit: Visit) -> None:
    ada, ben = visit(), visit(viewport=PHONE, has_touch=True)
    at_home = set_up(ada, "Ada", ["you", "friend"])
    (link,) = links_in(at_home)
    afar = sit_down(ben, link, "Ben")
    mover_of([at_home, afar])
    watching = visit().open(at_home.url)
    # One side uses the keyboard.
    at_home.get_by_role("button", name="Chat").press("Enter")
    at_home.get_by_label("Message", exact=True).press_sequentially("Are you there? u e r")
    at_home.keyboard.press("Enter")
    expect(at_home.get_by_label("Message", exact=True)).to_have_value("")
    # The other has a badge until it is read.
    tab = afar.locator("#tabs").get_by_role("button", name="Chat")
    expect(tab.locator(".unread")).to_have_text("1")
    tab.tap()
    expect(afar.locator("#said")).to_contain_text("Are you there? u e r")
    expect(tab.locator(".unread")).to_be_hidden()
    afar.get_by_label("Message", exact=True).fill("I am <b>here</b>")
    # Incoming messages leave the input alone.
    at_home.get_by_label("Message", exact=True).fill("And")
    at_home.get_by_role("button", name="Send").click()
    expect(afar.locator("#said")).to_contain_text("And")
    expect(afar.get_by_label("Message", exact=True)).to_have_value("I am <b>here</b>")
    afar.get_by_role("button", name="Send").tap()
    expect(at_home.locator("#said .message").last).to_contain_text("Ben I am <b>here</b>")
    watching.get_by_role("button", name="Chat").click()
    expect(watching.locator("#said")).to_contain_text("I am <b>here</b>")
    expect(watching.get_by_label("Message", exact=True)).to_have_count(0)
    # So does a turn.
    mover = mover_of([at_home, afar])
    take_turn(Player([at_home, afar][mover], seed=1, touches=bool(mover)))
    expect(at_home.locator("#said .message").last).to_contain_text("I am <b>here</b>")
    # A reported message is hidden from the reader; the host closes the chat.
    at_home.locator("#said .message").last.hover()
    at_home.get_by_label("Report the message of Ben").last.click()
    at_home.get_by_role("button", name="Report this message").click()
    expect(at_home.locator("#said")).not_to_contain_text("<b>here")
    at_home.get_by_role("button", name="Close the chat for everyone").click()
    expect(afar.locator("#chat")).to_contain_text("The host has closed this chat.")


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["the extension comes late", "the first stream fails"])
def test_every_page_gets_its_event_stream(visit: Visit, trouble: str) -> None:
    """A page without a stream polls for moves, but would never get chat messages."""
    ada, ben = visit(), visit()
    page = set_up(ada, "Ada", ["you", "friend"])
    (link,) = links_in(page)
    ben.context.clear_cookies()
    there = ben.open(link)
    late: list[Route] = []
    if trouble == "the extension comes late":
        there.route("**/hx-sse*", lambda route: late.append(route))
    else:
        ben.pardoned.append("ERR_FAILED|Failed to fetch")
        there.route("**/events/", lambda route: route.abort(), times=1)
    there.get_by_label("Your name").fill("Ben")
    with there.expect_request("**/hx-sse*"):
        there.get_by_role("button", name="Take this seat").click()
    there.wait_for_selector("[id^=card-]")
    there.wait_for_function("window.htmx")
    for route in late:
        route.continue_()
    there.wait_for_load_state()  # buttons work once the scripts are loaded
    there.get_by_role("button", name="Chat").click()
    expect(there.get_by_label("Message", exact=True)).to_be_visible()
    page.get_by_role("button", name="Chat").click()
    page.get_by_label("Message", exact=True).fill("Hello")
    page.get_by_role("button", name="Send").click()
    expect(there.locator("#said")).to_contain_text("Hello")


@pytest.mark.slow
def test_a_seat_moves_to_the_phone_and_the_computer_becomes_a_spectator(visit: Visit) -> None:
    ada, phone = visit(), visit(viewport=PHONE, has_touch=True)
    at_home = set_up(ada, "Ada", ["you", "friend"])
    (link,) = links_in(at_home)
    afar = sit_down(visit(), link, "Ben")
    mover_of([at_home, afar])
    at_home.get_by_role("button", name="Menu").click()
    asking = ada.open(
        at_home.get_by_role("link", name="another device").get_attribute("href") or ""
    )
    asking.get_by_role("button", name="Make a link for Ada").click()
    there = phone.open(asking.get_by_label("Link for Ada").input_value())
    there.get_by_role("button", name="Move the seat here").tap()
    there.wait_for_url("**/t/*/")
    asking.close()
    told = "Your seat has moved to another device"
    expect(at_home.locator("#strip")).to_contain_text(told, timeout=PATIENCE)
    assert cards_in(at_home) == 0 and cards_in(there)
    pages = [there, afar]
    for _ in range(2):
        mover = mover_of(pages)
        take_turn(Player(pages[mover], seed=2, touches=not mover))


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.slow
def test_a_background_tab_signals_a_turn(visit: Visit) -> None:
    ada, ben = visit(), visit()
    at_home = set_up(ada, "Ada", ["you", "friend"])
    (link,) = links_in(at_home)
    pages = [at_home, sit_down(ben, link, "Ben")]
    mover = mover_of(pages)
    waiting = pages[1 - mover]
    usual = waiting.locator("link[rel=icon]").get_attribute("href") or ""
    waiting.evaluate(HIDE, True)
    while sessions.get(table_of(at_home)).to_move == mover:
        take_turn(Player(pages[mover], seed=3))
    expect(waiting).to_have_title(re.compile("^● Your turn"), timeout=PATIENCE)
    expect(waiting.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn"))
    waiting.evaluate(HIDE, False)
    expect(waiting).to_have_title(re.compile("^Your turn"))
    expect(waiting.locator("link[rel=icon]")).to_have_attribute("href", usual)


@pytest.mark.slow
def test_the_lobby_shows_a_new_table_and_leads_to_it(visit: Visit) -> None:
    ada, ben = visit(), visit()
    page = ada.open("/new/classic/")
    for number, who in enumerate(["you", "friend", "friend"]):
        page.get_by_label(f"Seat {number + 1}", exact=True).select_option(who)
    page.get_by_label("Name of seat 1").fill("Zenobia")
    page.get_by_label("In the lobby").check()
    lobby = ben.open("/")
    lobby.get_by_role("link", name="Lobby").click()
    page.get_by_role("button", name="Open the table").click()
    row = lobby.locator(".game", has_text="Zenobia")
    expect(row).to_be_visible(timeout=PATIENCE)  # it appears by itself
    assert row.locator("time").evaluate(GROWN_OLD) == "5 minutes ago"
    row.get_by_role("link", name="Take a seat").click()
    lobby.get_by_label("Your name").fill("Ben")
    lobby.get_by_role("button", name="Take this seat").click()
    expect(lobby.locator("#question")).to_have_text("Waiting for 1 player")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_friends_pages_have_no_accessibility_violations(visit: Visit, scheme: str) -> None:
    ada, ben = visit(color_scheme=scheme), visit(color_scheme=scheme, viewport=PHONE)
    page = set_up(ada, "Ada", ["you", "friend", "friend"])
    first, second = links_in(page)
    there = sit_down(ben, first, "Ben")
    page.get_by_role("button", name="Chat").click()
    page.get_by_label("Message", exact=True).fill("Hello")
    page.get_by_role("button", name="Send").click()
    there.locator("#tabs").get_by_role("button", name="Chat").click()
    expect(there.locator("#said")).to_contain_text("Hello")
    found = {"waiting room": violations(page), "on a phone": violations(there)}
    stranger = visit(color_scheme=scheme)
    found["invitation"] = violations(stranger.open(second))
    found["lobby"] = violations(stranger.open("/lobby/"))
    found["device"] = violations(ada.open(f"/t/{table_of(page)}/device/"))
    assert {name: faults for name, faults in found.items() if faults} == {}


# --- play again ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_rematch_can_be_joined_from_the_open_result(visit: Visit) -> None:
    ada, ben = visit(), visit()
    host = set_up(ada, "Ada", ["you", "friend"])
    friend = sit_down(ben, links_in(host)[0], "Ben")
    last = table_of(friend)
    sessions.get(last).void()
    for page in (host, friend):
        page.goto(f"/t/{last}/result/")
    assert not violations(friend)
    host.get_by_role("button", name="Play again").click()
    expect(host.locator("#question")).to_contain_text("Waiting for")
    friend.get_by_role("button", name="Play again: Ada is waiting").click()
    expect(friend.get_by_label("Your name")).to_have_value("Ben")
    friend.get_by_role("button", name="Take this seat").click()
    friend.wait_for_url(f"**/t/{table_of(host)}/")
    assert table_of(friend) != last
    expect(host.locator("#question")).not_to_contain_text("Waiting for")


@pytest.mark.slow
def test_an_error_leaves_the_open_result_unchanged(visit: Visit) -> None:
    ada, ben = visit(), visit()
    host = set_up(ada, "Ada", ["you", "friend"])
    friend = sit_down(ben, links_in(host)[0], "Ben")
    sessions.get(table_of(friend)).void()
    for page in (host, friend):
        page.goto(f"/t/{table_of(page)}/result/")
    title = friend.title()
    ben.pardoned.append("502")
    wrong = "<title>Bad Gateway</title><h1>Bad Gateway</h1>"
    friend.route("**/result/?stamp=*", lambda route: route.fulfill(status=502, body=wrong))
    with friend.expect_response("**/result/?stamp=*"):
        host.get_by_role("button", name="Play again").click()
    expect(friend.get_by_role("button", name="Play again")).to_be_visible()
    assert friend.get_by_text("Bad Gateway").count() == 0 and friend.title() == title
