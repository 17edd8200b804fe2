"""Stories: the result and replay of a game, and uploading and downloading records."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from brassmill.web.table import sessions
from support.browser import PHONE, Visitor
from support.paths import RECORDS
from support.web import make_table, no_bots, play_turn

Visit = Callable[..., Visitor]

RECORD = RECORDS / "birmingham-2-intro.brass"


def at(page: Page, number: int) -> None:
    """Wait until the replay is at an action: slider, picture, text and address."""
    expect(page.locator("#frame")).to_have_attribute("data-at", str(number))
    expect(page.locator("#at")).to_have_value(str(number))
    expect(page.locator("#caption .where")).to_contain_text(f"action {number} of")
    expect(page).to_have_url(re.compile(rf"[?&]at={number}\b"))


@pytest.mark.slow
def test_a_replay_can_be_stepped_with_slider_and_keys(visit: Visit) -> None:
    ada = visit()
    table = make_table("Ada,Ben", "lancashire", seed=9, key=ada.key, intro=True)
    session = sessions.get(table.id)
    while not session.over:
        play_turn(session)
    last = session.actions
    page = ada.open(f"/t/{table.id}/replay/?at=0")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator(".log [aria-current=step]")).to_have_attribute("data-at", "1")
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    page.keyboard.press("End")
    at(page, last)
    page.keyboard.press("ArrowDown")  # back one round
    expect(page.locator("#at")).not_to_have_value(str(last))
    page.keyboard.press("Home")
    at(page, 0)
    slider = page.locator("#at")
    slider.fill(str(last // 2))
    at(page, last // 2)
    box = slider.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    at(page, last)
    page.get_by_role("link", name="Back one action").click()
    at(page, last - 1)
    page.get_by_role("link", name="Result", exact=True).click()
    expect(page).to_have_url(re.compile(r"/result/$"))


@pytest.mark.slow
def test_on_a_phone_the_map_of_a_replay_stays_where_it_is(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    table = make_table("Ada,Ben", "lancashire", seed=9, key=ada.key, intro=True)
    session = sessions.get(table.id)
    while not session.over:
        play_turn(session)
    page = ada.open(f"/t/{table.id}/replay/?at=0")
    expect(page.locator("header strong")).to_be_in_viewport()
    assert page.locator(".bar-title").evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0
    top = "(board) => board.getBoundingClientRect().y"
    board = page.locator("#frame .board")
    place = board.evaluate(top)
    for number in range(1, 10):
        page.get_by_role("link", name="Eine Aktion weiter").tap()
        expect(page.locator("#frame")).to_have_attribute("data-at", str(number))
        assert board.evaluate(top) == place


@pytest.mark.slow
def test_a_broken_record_is_explained_and_a_valid_one_is_replayed(
    visit: Visit, tmp_path: Path
) -> None:
    good = RECORD.read_text("utf-8")
    broken = tmp_path / "broken.brass"
    broken.write_text(good.replace("1 Ben: loan 30", "1 Ben: lone 30", 1), "utf-8")
    line = good[: good.index("1 Ben: loan 30")].count("\n") + 1
    ada = visit()
    ada.pardoned.append("422")  # a form with an error in it
    page = ada.open()
    page.get_by_role("link", name="Open a record").click()
    page.get_by_label("File").set_input_files(broken)  # it opens at once
    fault = page.locator("#fault")
    expect(fault.get_by_role("heading")).to_contain_text(f"Line {line},")
    expect(fault).to_contain_text("lone")
    expect(page.get_by_label("Text")).to_have_value(re.compile("1 Ben: lone 30"))
    page.get_by_label("Text").fill(good)
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"/records/[\w-]+/"))
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator("#caption")).to_contain_text("A loan does not count as money spent")


def test_a_downloaded_record_can_be_uploaded_again(visit: Visit, tmp_path: Path) -> None:
    ada = visit()
    table = make_table("Ada,random", seed=4, key=ada.key)
    session = sessions.get(table.id)
    with no_bots():
        for _ in range(4):
            play_turn(session)
    page = ada.open(f"/t/{table.id}/replay/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Record").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.goto("/records/")
    page.get_by_label("File").set_input_files(file)
    expect(page).to_have_url(re.compile(r"/records/[\w-]+/"))
    expect(page.locator("#at")).to_have_attribute("max", re.compile(r"^[4-9]$"))


# Drops files on an element, as a browser does.
DROP = """([selector, files]) => {
  const held = new DataTransfer();
  for (const [name, text] of files) held.items.add(new File([text], name, {type: "text/plain"}));
  const over = document.querySelector(selector);
  const sent = (kind) => over.dispatchEvent(
    new DragEvent(kind, {dataTransfer: held, bubbles: true, cancelable: true}));
  sent("dragover");
  const marked = document.body.classList.contains("dropping");
  sent("drop");
  return marked;
}"""


def test_a_record_dropped_anywhere_on_the_page_opens(visit: Visit) -> None:
    page = visit().open("/records/")
    expect(page.locator("#drop-help")).to_be_visible()
    files = [["dropped.brass", RECORD.read_text("utf-8")], ["another.brass", "not looked at"]]
    with page.expect_navigation():
        assert page.evaluate(DROP, ["h1", files])
    expect(page).to_have_url(re.compile(r"/records/[\w-]+/"))
    page.goto("/records/")
    expect(page.get_by_role("link", name="dropped.brass")).to_be_visible()


def test_without_javascript_a_record_is_shown_by_the_button(visit: Visit) -> None:
    page = visit(java_script_enabled=False).open("/records/")
    expect(page.locator("#drop-help")).to_be_hidden()
    page.get_by_label("File").set_input_files(RECORD)
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"/records/[\w-]+/"))
