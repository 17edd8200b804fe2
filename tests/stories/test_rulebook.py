"""Story: from a refusal at the table to its rule, and searching the rules."""

from __future__ import annotations

from collections.abc import Callable

from support.browser import Visitor, wait_for_turn
from support.web import make_table

Visit = Callable[..., Visitor]


def test_a_refusal_leads_to_its_rule(visit: Visit) -> None:
    ada = visit(reduced_motion="reduce")
    table = make_table("Ada,random,random", seed=1, key=ada.key)
    page = ada.open(f"/t/{table.id}/")
    wait_for_turn(page)
    page.locator("#sheet .space.empty[data-why]").first.click()
    link = page.locator("#tip.pinned a.rule-id").first
    link.wait_for()
    box = link.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, box["y"] + 4, steps=6)  # over other things on the way
    with page.context.expect_page() as opened:
        page.mouse.click(box["x"] + 4, box["y"] + 4)
    address = opened.value.url
    assert "/rules/birmingham/#" in address
    rule = opened.value.locator(f'[id="{address.partition("#")[2]}"]')
    rule.wait_for()


def test_searching_the_rules(visit: Visit) -> None:
    page = visit().open("/rules/lancashire/")
    every = page.locator(".rule-entry:visible").count()
    page.keyboard.press("/")
    page.keyboard.type("shipyard")
    found = page.locator(".rule-entry:visible")
    assert 0 < found.count() < every / 4
    assert all("shipyard" in text.lower() for text in found.all_text_contents())
    assert str(found.count()) in page.locator("#rule-count").inner_text()
    page.locator("#rule-words").fill("no such words")
    assert found.count() == 0 and page.locator("#rule-count").inner_text() == "Nothing found."
    page.evaluate("location.hash = 'BLD-4'")  # a link ends the search
    page.locator('[id="BLD-4"]').wait_for()
    assert page.locator("#rule-words").input_value() == ""


def test_the_rules_without_scripts(visit: Visit) -> None:
    page = visit(java_script_enabled=False).open("/rules/classic/#A-VIRT")
    assert page.locator('[id="A-VIRT"]').is_visible()
    assert not page.locator("#rule-search").is_visible()
