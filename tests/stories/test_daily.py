"""Story: the deal of the day, from the home page to the table of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from brassmill.web.models import Attempt, DailyDeal, Table
from support.browser import PHONE, Visitor, wait_for_turn
from support.daily import day_with_time_left, result_on

Visit = Callable[..., Visitor]

WIDER_THAN_THE_SCREEN = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def today(site: None) -> Iterator[date]:
    yield day_with_time_left()
    Table.objects.exclude(day=None).delete()
    DailyDeal.objects.all().delete()
    Attempt.objects.all().delete()


@pytest.mark.parametrize("screen", ["desktop", pytest.param("phone", marks=pytest.mark.slow)])
def test_a_player_starts_plays_and_then_sees_the_results(
    visit: Visit, today: date, screen: str
) -> None:
    wishes: dict[str, Any] = {"viewport": PHONE} if screen == "phone" else {}
    yesterday = today - timedelta(days=1)
    result_on(yesterday, "Ben", 140)
    result_on(today, "Maximiliana-Charlott", 151)
    ada = visit(**wishes)
    page = ada.open("/")
    page.get_by_role("link", name="Today's deal").click()
    expect(page.get_by_text("1 player has finished.")).to_be_visible()
    expect(page.get_by_text("Maximiliana")).to_have_count(0)
    assert not page.evaluate(WIDER_THAN_THE_SCREEN)
    page.get_by_label("Your name in the results").fill("Ada")
    page.keyboard.press("Enter")
    wait_for_turn(page)
    expect(page.locator("#ask-hint")).to_have_count(0)
    table = page.url
    page.goto("/daily/")
    page.get_by_role("link", name="Resume").click()
    wait_for_turn(page)
    assert page.url == table
    page.locator("button[popovertarget=menu]").click()
    expect(page.locator("#options")).to_contain_text("Deal of the day")
    expect(page.locator("#options")).to_contain_text("No hints")
    page.locator("#menu [popovertarget=early-end]").click()
    page.locator("#early-end [form=concede]").click()
    expect(page.locator("#early-end [form=concede]")).to_have_count(0)
    page.goto("/daily/")
    expect(page.get_by_text("Your game has no result that counts.")).to_be_visible()
    expect(page.get_by_role("row", name="Maximiliana-Charlott")).to_contain_text("+51")
    assert not page.evaluate(WIDER_THAN_THE_SCREEN)
    page.locator(".daily-day a").first.click()
    expect(page.get_by_role("row", name="Ben")).to_contain_text("140")
    assert not page.evaluate(WIDER_THAN_THE_SCREEN)
    page.get_by_role("button", name="Play this deal").click()
    wait_for_turn(page)
    assert page.url != table
