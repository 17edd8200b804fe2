"""Story: a visitor walks a record, tries and comments, with mouse, keys and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from brassmill import record
from support.browser import PHONE, Visitor
from support.paths import RECORDS

Visit = Callable[..., Visitor]


def walk(page: Page, key: str, following: str) -> None:
    """Press a key until it has worked: the page ignores keys while it takes in an answer."""
    after = page.locator("#step-after")
    while after.get_attribute("value") != following:
        page.keyboard.press(key)
        page.wait_for_function("() => !document.querySelector('form.htmx-request')")
        page.wait_for_timeout(250)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_variations_and_comments_come_back_with_the_record(
    visit: Visit, screen: str, tmp_path: Path
) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/records/")
    page.locator("input[type=file]").set_input_files(RECORDS / "birmingham-2-intro.brass")
    expect(page.locator("#frame")).to_be_visible()
    page.goto(page.url.partition("?")[0] + "?at=9")
    page.get_by_role("button", name="Try another move").click()
    panel = page.locator("#lesson")
    expect(panel.locator(".ways")).to_contain_text("(played)")
    # The keyboard walks.
    page.locator("#table").focus()
    walk(page, ",", "9")
    walk(page, ".", "10")
    # Another action, and a comment on it.
    page.locator("#do-pass").click()
    page.locator("#table[data-asked=card] [data-choice]").first.dispatch_event("click")
    expect(page.locator("#comment [name=move]")).to_have_attribute("value", "9-0")
    page.locator("#say summary").click()
    page.locator("#comment-text").fill("Doing nothing?")
    page.locator("#comment").get_by_role("button", name="Save").click()
    expect(panel.locator(".comment")).to_have_text("Doing nothing?")
    # The list of all actions leads there and back.
    page.locator("#all-moves").click()
    here = page.locator("#here")
    expect(here).to_contain_text("Doing nothing?")
    page.get_by_role("button", name="The game starts.").click()
    expect(page.locator("#step-before")).to_be_disabled()
    page.locator("#all-moves").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Record with variations and comments").click()
    saved = tmp_path / "game.brass"
    download.value.save_as(saved)
    assert "Doing nothing?" in saved.read_text() and record.load(saved).verify() == []
    said = page.locator(".move", has_text="Doing nothing?")
    said.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".moves-page")).not_to_contain_text("Doing nothing?")
    page.goto("/records/")
    page.locator("input[type=file]").set_input_files(saved)
    expect(page.locator("#frame")).to_be_visible()
    # The replay leads into the variation and back.
    there = page.url
    page.get_by_role("link", name="Variation passes").click()
    expect(page.locator("#caption")).to_contain_text("Doing nothing?")
    expect(page.get_by_role("link", name="As played")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#at")).to_have_value("9")
    assert "line=9-0" in page.url
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "line=" not in url)
    expect(page.locator("#caption")).not_to_contain_text("Doing nothing?")
    page.goto(there)
    page.get_by_role("button", name="Try another move").click()
    page.locator("#all-moves").click()
    expect(page.locator(".moves-page")).to_contain_text("Doing nothing?")
