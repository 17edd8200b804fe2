"""Stories of the symbols: every figure has a tooltip, and a page explains them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from support.browser import PHONE, Visitor
from support.web import make_table

Visit = Callable[..., Visitor]

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LOCALES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}

# What has a number or a symbol, and no tooltip around it; towns' names need none.
BARE = """() => {
  const TIPS = "[data-tip], [data-why], [data-choice]";
  const drawn = "#sheet .places :is(.glyph, .ghost, .barrel, .cube, .level, .points, .bonus text), "
    + "#hand :is(.glyph, .ghost), #mat .print :is(.glyph, .quiet-mark, .cube, text), "
    + "#markets :is(.cube, .slot, text), #players .means b, #players .next b, #players .vp b, "
    + "#players use[href^='#sign-'], .purse b";
  const said = (thing) => thing?.getAttribute("aria-label");
  return [...document.querySelectorAll(drawn)]
    .filter((part) => !said(part.closest(TIPS)))
    .map((part) => part.outerHTML.slice(0, 120));
}"""


def table_of(ada: Visitor, edition: str = "birmingham") -> Page:
    """Return a table in mid-game, with Ada to move."""
    return ada.sit_down(make_table("Ada,random,random", edition=edition, seed=3, key=ada.key).id)


@pytest.mark.parametrize(
    "edition",
    [
        "birmingham",
        pytest.param("lancashire", marks=pytest.mark.slow),
        pytest.param("classic", marks=pytest.mark.slow),
    ],
)
def test_every_figure_and_symbol_has_a_tooltip(visit: Visit, edition: str) -> None:
    for code, locale in LOCALES.items():
        page = table_of(visit(locale=locale), edition)
        expect(page.locator("html")).to_have_attribute("lang", code)
        assert page.locator("#players .figure").count() >= 12
        assert page.evaluate(BARE) == []


@pytest.mark.slow
def test_tooltips_tell_what_figures_mean(visit: Visit) -> None:
    page = table_of(visit())
    tip = page.locator("#tip")
    for where, words in {
        "#player-0 .figure:has(use[href='#sign-income'])": "at the end of each round",
        "#player-0 .figure:has(use[href='#sign-cards'])": "cards in hand",
        "#player-0 .spent": "Whoever spends least goes first next round",
        "#player-0 .next [data-tip] >> nth=0": "next",
        "#place-gloucester .bonus": "bonus for using a merchant's beer",
        "#merchant-oxford-1": "Oxford",
        "#coal-market": "the next costs",
    }.items():
        page.locator(where).hover(force=True)
        expect(tip).to_contain_text(words)


def test_on_a_phone_a_tap_shows_the_tooltip(visit: Visit) -> None:
    page = table_of(visit(**TOUCH))
    tip = page.locator("#tip")
    page.locator(".purse .figure").first.tap()
    expect(tip).to_contain_text("at the end of each round")
    page.locator("#tabs [data-show=players]").tap()
    page.locator("#player-1 .figure:has(use[href='#sign-link'])").first.tap()
    expect(tip).to_contain_text("left to build in this era")
    page.locator("#tabs [data-show=markets]").tap()
    page.locator("#iron-market").tap()
    expect(tip).to_contain_text("the next costs")
    assert page.evaluate(BARE) == []


@pytest.mark.slow
@pytest.mark.parametrize("wishes", [{}, TOUCH], ids=["desktop", "phone"])
def test_the_menu_explains_the_symbols(visit: Visit, wishes: dict[str, Any]) -> None:
    page = table_of(visit(**wishes))
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="What the symbols mean").press("Enter")
    drawer = page.locator("#symbols-drawer")
    expect(page.locator("#menu")).to_be_hidden()
    expect(drawer.locator(".key-part")).to_have_count(7)
    expect(drawer).to_contain_text("beer needed to sell")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    found = [
        rule
        for rule in Axe().run(page).response["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
    assert found == []
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


@pytest.mark.slow
def test_long_names_keep_the_layout(visit: Visit) -> None:
    ada = visit()
    seats = "Isambard K. Brunel 1,planner,journeyman,random"
    page = ada.sit_down(make_table(seats, seed=3, key=ada.key).id)
    page.wait_for_selector("#strip.yours")  # a turn that begins would show the map again
    for width, height in ((1280, 720), (1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        if width == PHONE["width"]:
            # It loads the map for phones, then its script shows the hand.
            page.wait_for_selector("body[data-tab] #table[data-shape=square]")
            page.locator("#tabs [data-show=players]").click()
        for row in page.locator("#players .player").all():
            expect(row).to_be_visible()  # the last click may still be on its way
            name, points = (row.locator(part).bounding_box() for part in (".who", ".vp"))
            box = row.bounding_box()
            assert box and name and points
            assert name["x"] + name["width"] <= points["x"] + 1
            assert points["x"] + points["width"] <= box["x"] + box["width"] + 1
            assert name["height"] < 34, width  # one line


@pytest.mark.parametrize(("width", "size"), [(1440, 16), (2560, 19.2)])
def test_text_is_larger_on_a_large_screen(visit: Visit, width: int, size: float) -> None:
    page = visit(viewport={"width": width, "height": 1440}).open("/")
    found = page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert found == pytest.approx(size)


def test_titles_and_towns_are_in_the_typeface_of_the_server(visit: Visit) -> None:
    page = table_of(visit())
    loaded = page.evaluate(
        "async () => { await document.fonts.ready;"
        " return [...document.fonts].filter((face) => face.status === 'loaded')"
        ".map((face) => `${face.family} ${face.weight}`); }"
    )
    assert {"Besley 400", "Besley 700"} <= set(loaded)
    family = page.locator("#place-dudley text").evaluate(
        "(text) => getComputedStyle(text).fontFamily"
    )
    assert family.startswith("Besley")
