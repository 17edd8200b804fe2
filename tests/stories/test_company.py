"""Stories: inviting by name, code and share sheet, hints among friends, the chat, the menu."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from brassmill.web.models import Table
from brassmill.web.table import sessions
from stories.test_accessibility import violations
from support.browser import PHONE, Visitor, wait_for_turn
from support.friends import Guest, at_table, set_up, tokens_of
from support.web import visitor

Visit = Callable[..., Visitor]

HIGH = {"width": 1440, "height": 900}
LAPTOP = {"width": 1280, "height": 720}
ON_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
SCREENS: dict[str, dict[str, Any]] = {"laptop": {"viewport": LAPTOP}, "phone": ON_PHONE}
LONGEST = (
    *("Wilhelmina Fairbairn", "Bartholomew Cromwell"),
    *("Christopher Bramwell", "Archibald Mackintosh"),
)

# The share sheet belongs to the device: here it only keeps what it is given.
SHEET = "navigator.share = async (given) => { window.shared = given; }"
NO_SHEET = "delete Navigator.prototype.share"
WIDER = "() => document.documentElement.scrollWidth > innerWidth"
CUT = """names => names.filter((name) => name.scrollWidth > name.clientWidth + 1)
  .map((name) => name.textContent)"""


def guest_of(browser: Visitor, name: str) -> Guest:
    """Return the visitor of a browser, for what needs no clicks."""
    guest = Guest(name)
    guest.key, guest.client = browser.key, visitor(browser.key)
    return guest


def friends(*browsers: Visitor, **sent: str) -> tuple[Table, list[Page]]:
    """Return a running game, and the page of each player."""
    guests = [guest_of(browser, name) for browser, name in zip(browsers, LONGEST, strict=False)]
    table = at_table(*guests, **sent)
    pages = [browser.open(f"/t/{table.id}/") for browser in browsers]
    for page in pages:
        page.wait_for_selector("[id^=card-]")
    return table, pages


def mover_of(table: Table, pages: list[Page]) -> Page:
    """Return the page of the player to move."""
    to_move = sessions.get(table.id).to_move
    assert to_move is not None
    wait_for_turn(pages[to_move])
    return pages[to_move]


def box(element: Locator) -> dict[str, float]:
    found = element.bounding_box()
    assert found is not None
    return {side: found[side] for side in ("x", "y", "width", "height")}


def within(inner: Locator, width: float, height: float) -> bool:
    found = box(inner)
    right, bottom = found["x"] + found["width"], found["y"] + found["height"]
    return found["x"] >= 0 and found["y"] >= 0 and right <= width and bottom <= height


# --- inviting ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("code", ["en", "de", "fr"])
def test_a_host_shares_the_link_and_shows_its_code(visit: Visit, screen: str, code: str) -> None:
    browser = visit(**SCREENS[screen], locale=code, color_scheme="dark")
    browser.context.add_init_script(SHEET)
    host = guest_of(browser, "Ada")
    table = set_up(host, "you", "friend", "friend", "friend", **{"name-0": LONGEST[0]})
    page = browser.open(f"/t/{table.id}/")
    assert not page.evaluate(WIDER)
    page.locator("[data-share]").first.click()
    shared = page.evaluate("() => window.shared")
    assert shared["url"] == page.locator("#link-1").input_value()
    assert LONGEST[0] in shared["text"] and "Brass: Birmingham" in shared["text"]
    page.locator(".code[popovertarget=qr-2]").click()
    dialog = page.locator("#qr-2")
    expect(dialog).to_be_visible()
    drawn = box(dialog.locator(".qr"))
    assert drawn["width"] == pytest.approx(drawn["height"], abs=1) and drawn["width"] > 200
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_without_a_share_sheet_the_link_is_copied(visit: Visit) -> None:
    browser = visit()
    browser.context.add_init_script(NO_SHEET)
    table = set_up(guest_of(browser, "Ada"), "you", "friend")
    page = browser.open(f"/t/{table.id}/")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.locator("[data-share]")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_a_guest_reads_who_invites_and_whether_hints_are_allowed(visit: Visit, screen: str) -> None:
    """From the form to the invitation: the name is asked for, and the longest is never cut."""
    host, guest = visit(**SCREENS[screen]), visit(**SCREENS[screen])
    host.pardoned.append("422")  # the form without a name
    page = host.open("/new/birmingham/")
    page.locator("#who-1").select_option("friend")
    page.get_by_role("button", name="Open the table").click()
    name = page.get_by_label("Name of seat 1")
    expect(page.locator("#chair-fault-0")).to_have_text(
        "Enter a name: your friends see who invites them."
    )
    expect(name).to_have_attribute("aria-invalid", "true")
    name.fill(LONGEST[0])
    page.get_by_label("allowed for everyone").check()
    page.locator("[name=listed][value=yes]").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".room-hints")).to_contain_text("Everyone may ask the coach for hints.")
    link = page.locator("#link-1").input_value()
    lobby = guest.open("/lobby/")
    row = lobby.locator(".game").filter(has_text=f"{LONGEST[0]} invites you").first
    expect(row).to_contain_text("No clock · Hints allowed")
    invitation = guest.open(link)
    expect(invitation.get_by_role("heading", level=1)).to_have_text(f"{LONGEST[0]} invites you")
    expect(invitation.locator(".join-game")).to_contain_text("No clock · Hints allowed")
    for seen in (page, lobby, invitation):
        assert not seen.evaluate(WIDER)
        assert violations(seen) == []


# --- hints ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_host_allows_hints_and_the_guests_page_follows(visit: Visit) -> None:
    ada, ben = visit(), visit(**ON_PHONE)
    host, guest = guest_of(ada, "Ada"), guest_of(ben, "Ben")
    table = set_up(host, "you", "friend", "friend")
    first, second = tokens_of(table)
    guest.sit(first)
    at_home, afar = ada.open(f"/t/{table.id}/"), ben.open(f"/t/{table.id}/")
    expect(afar.locator(".room-hints")).to_have_text("No hints from the coach in this game.")
    expect(afar.locator("#allow-hints")).to_have_count(0)
    at_home.get_by_role("button", name="Allow hints for everyone").click()
    for page in (at_home, afar):
        expect(page.locator(".room-hints")).to_contain_text("Everyone may ask the coach for hints.")
    Guest("Cleo").sit(second)
    for page in (at_home, afar):
        page.wait_for_selector("[id^=card-]")
        page.get_by_role("button", name="Menu").click()
        expect(page.locator("#menu-hints")).to_have_text("Hints allowed")


@pytest.mark.parametrize(("sent", "asks"), [("no", 0), ("yes", 1)])
def test_at_the_table_the_hint_is_there_only_if_allowed(visit: Visit, sent: str, asks: int) -> None:
    table, pages = friends(visit(), visit(), hints=sent)
    page = mover_of(table, pages)
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#ask-hint")).to_have_count(asks)
    expect(page.locator("#status")).to_contain_text("Hints allowed" if asks else "No hints")
    if not asks:
        page.keyboard.press("h")
        expect(page.locator("#hint")).to_be_hidden()


# --- the chat ------------------------------------------------------------------------------------


def say(page: Page, words: str) -> None:
    page.locator("#saying").fill(words)
    page.locator("#saying").press("Enter")
    expect(page.locator("#saying")).to_have_value("")


@pytest.mark.slow
def test_on_a_high_screen_log_and_chat_are_side_by_side(visit: Visit) -> None:
    _table, (ada, ben, cleo) = friends(*(visit(viewport=HIGH) for _ in range(3)))
    say(ada, "Good luck!")
    for page in (ben, cleo):
        expect(page.locator("#said .message").last).to_contain_text("Good luck!")
        expect(page.locator("#unread")).to_be_hidden()  # it has been seen
    log, chat = box(ben.locator("#log")), box(ben.locator("#chat-part"))
    assert log["y"] + log["height"] <= chat["y"]
    assert within(ben.locator("#said .message").last, **HIGH)
    # Whoever does not want it closes it: the log gets the room.
    ben.get_by_role("button", name="Chat", exact=True).click()
    expect(ben.locator("#said")).to_be_hidden()
    assert box(ben.locator("#log"))["height"] > log["height"]
    say(ada, "Are you still there?")
    expect(ben.locator("#unread")).to_have_text("1")
    expect(ben.locator(".chat-head .chat-last")).to_contain_text("Are you still there?")
    assert violations(ada) == []


@pytest.mark.slow
def test_on_a_low_screen_the_last_message_is_one_line_that_opens(visit: Visit) -> None:
    _table, (ada, ben, *_others) = friends(*(visit(viewport=LAPTOP) for _ in range(4)))
    parts = [ada.locator(f"#{part}") for part in ("players", "markets", "log", "sheet", "strip")]
    before = [box(part) for part in parts]
    ben.get_by_role("button", name="Chat", exact=True).click()
    say(ben, "Good luck!")
    head = ada.locator(".chat-head")
    expect(head.locator(".chat-last")).to_have_text(f"{LONGEST[1]}Good luck!")
    expect(ada.locator("#unread")).to_have_text("1")
    assert within(head, **LAPTOP), "without scrolling"
    head.click()
    expect(ada.locator("#said")).to_contain_text("Good luck!")
    expect(ada.locator("#unread")).to_be_hidden()
    assert [box(part) for part in parts] == before, "nothing has moved"
    assert within(ada.locator("#saying"), **LAPTOP)
    assert violations(ada) == []
    ada.keyboard.press("Escape")
    expect(ada.locator("#said")).to_be_hidden()
    expect(head).to_be_focused()


@pytest.mark.slow
def test_on_a_phone_a_bubble_shows_what_was_said(visit: Visit) -> None:
    _table, (ada, ben) = friends(visit(viewport=HIGH), visit(**ON_PHONE))
    bubble = ben.locator("#chat-bubble button")
    expect(bubble).to_be_hidden()
    say(ada, "Good luck!")
    expect(bubble).to_contain_text(f"{LONGEST[0]}Good luck!")
    assert within(bubble, **PHONE)
    assert violations(ben) == []
    bubble.tap()
    expect(ben.locator("#said")).to_contain_text("Good luck!")
    expect(bubble).to_be_hidden()
    expect(ben.locator("#tabs .unread")).to_be_hidden()
    ben.locator("#tabs [data-show=hand]").tap()
    expect(bubble).to_be_hidden()  # it has been read


# --- the menu and long names ---------------------------------------------------------------------


STYLES = """entries => entries.map((entry) => {
  const style = getComputedStyle(entry);
  const { fontSize, fontFamily, color, textDecorationLine, textAlign } = style;
  return [fontSize, fontFamily, color, textDecorationLine, textAlign].join();
})"""


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("code", ["en", "de", "fr"])
def test_the_menu_has_three_groups_in_one_style(visit: Visit, screen: str, code: str) -> None:
    ada, ben = visit(**SCREENS[screen], locale=code), visit()
    _table, (page, _there) = friends(ada, ben)
    page.locator(".bar-links [popovertarget=menu]").click()
    menu = page.locator("#menu")
    expect(menu.locator(".menu-group > h2")).to_have_count(3)
    if code == "en":
        expect(menu.locator(".menu-group > h2")).to_have_text(["Game", "Look up", "Settings"])
    entries = menu.locator(".menu-group > .menu-item:visible")
    assert entries.count() >= 12
    assert len(set(entries.evaluate_all(STYLES))) == 1
    screen_size = SCREENS[screen]["viewport"]
    assert within(menu, **screen_size)
    assert menu.evaluate("menu => menu.scrollWidth <= menu.clientWidth")
    if screen == "laptop":
        assert menu.evaluate("menu => menu.scrollHeight <= menu.clientHeight"), "no scrolling"
    assert violations(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_names_of_twenty_characters_are_never_cut(visit: Visit, screen: str) -> None:
    table, pages = friends(*(visit(**SCREENS[screen]) for _ in range(4)))
    for page in pages:
        if screen == "phone":
            page.locator("#tabs [data-show=players]").tap()
        expect(page.locator(".player .name").first).to_be_visible()
        assert page.locator(".player .name, #question").evaluate_all(CUT) == []
        assert not page.evaluate(WIDER)
        texts = page.locator(".player .name").all_inner_texts()
        assert sorted(texts) == sorted(LONGEST)
    assert re.search(LONGEST[0], mover_of(table, pages).content())
