"""Story: a visitor solves a puzzle at the table, misses one, and is shown the better turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from brassmill.play.session import HistoryPart
from brassmill.puzzles import EXACT, JUDGED, Puzzle, puzzles
from brassmill.puzzles.run import played
from support.browser import PHONE, Visitor, seen, wait_for_change

Visit = Callable[..., Visitor]


def one(kind: str) -> Puzzle:
    """A puzzle whose best turn a click or two can play: it only builds links."""
    return next(
        puzzle
        for puzzle in puzzles().values()
        if puzzle.kind == kind and (kind == JUDGED or puzzle.themes == ("link",))
    )


def play(page: Page, puzzle: Puzzle) -> None:
    """Play the best turn with the controls of the page."""
    for action in played(puzzle, puzzle.solution, HistoryPart).game.actions:
        for choice in action.ids:
            offered = page.locator(f"#table [data-choice='{choice}']").first
            if not offered.count():  # forced, and so made already
                continue
            stamp = seen(page).stamp
            offered.dispatch_event("click")
            wait_for_change(page, stamp)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_a_visitor_solves_a_puzzle_and_misses_another(visit: Visit, screen: str) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True} if screen == "phone" else {}
    page = visit(**wishes).open("/")
    page.locator("#to-puzzles").click()
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    page.get_by_label("Difficulty").select_option("5")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_label("Difficulty")).to_have_value("5")
    solved, missed = one(EXACT), one(JUDGED)
    page.goto(f"/puzzles/{solved.id}/")
    expect(page.locator("#idea")).to_have_text("How many VP can you reach?")
    play(page, solved)
    page.locator("#primary").click()
    expect(page.locator("#idea")).to_have_text("Solved!")
    expect(page.locator(".puzzle-result")).to_contain_text("Your rating: ")
    page.goto(f"/puzzles/{missed.id}/")
    page.locator("#give-up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#idea")).to_have_text("The best turn")
    for number in range(1, len(missed.solution) + 1):
        page.locator(".lesson-acts #primary").click()
        shown = page.locator(f".best-turn li:nth-child({number})[aria-current=step]")
        expect(shown).to_be_visible()
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator("#give-up")).to_be_visible()
    page.goto("/puzzles/?state=solved")
    expect(page.locator(".puzzle-row")).to_have_count(1)
    expect(page.locator(".standing")).to_contain_text("1 of 2 solved at the first attempt")
