"""Stories of updates: a browser that gets only what changed shows what a fresh page would."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from support.browser import Player, Visitor, seen, wait_for_turn
from support.web import make_table

Visit = Callable[..., Visitor]

TOKENS = re.compile(r"\b\w{64}\b")  # for forms: different each time

# The table without what only this page knows: the tab, what was pointed at.
TABLE = """() => {
  const table = document.getElementById("table").cloneNode(true);
  for (const skipped of table.querySelectorAll("[hx-morph-skip]")) skipped.replaceChildren();
  for (const tab of table.querySelectorAll("#tabs button")) tab.removeAttribute("aria-pressed");
  for (const element of [table, ...table.querySelectorAll("*")]) {
    for (const name of ["data-htmx-powered", "aria-describedby", "data-held", "data-mode"]) {
      element.removeAttribute(name);
    }
    if (element.getAttribute("class") === "") element.removeAttribute("class");
    element.classList.remove("htmx-request", "htmx-swapping", "htmx-settling");
    const attributes = [...element.attributes].map(({name, value}) => [name, value]).sort();
    for (const [name] of attributes) element.removeAttribute(name);
    for (const [name, value] of attributes) element.setAttribute(name, value);
  }
  table.normalize();
  return table.outerHTML;
}"""


def shown(page: Page) -> str:
    """Return the table as the browser has it."""
    page.mouse.move(5, 5)
    page.wait_for_function("() => !document.querySelector('#tip:not([hidden])')")
    table: str = page.evaluate(TABLE)
    return TOKENS.sub("", table)


SLOW = [pytest.param(edition, marks=pytest.mark.slow) for edition in ("lancashire", "classic")]


@pytest.mark.parametrize("edition", ["birmingham", *SLOW])
def test_the_table_after_updates_is_that_of_a_fresh_page(visit: Visit, edition: str) -> None:
    ada = visit()
    table = make_table("you,random,random", edition, key=ada.key)
    page = ada.sit_down(table.id)
    player = Player(page, seed=5)
    for clicks in (1, 3, 2):  # the first update after a page has all parts, the others few
        for _click in range(clicks):
            player.step()
        updated = shown(page)
        page.reload()
        wait_for_turn(page)
        assert shown(page) == updated


def test_a_browser_that_lost_a_part_reloads(visit: Visit) -> None:
    ada = visit()
    table = make_table("you,random", key=ada.key)
    page = ada.sit_down(table.id)

    def without_a_part(route: Route) -> None:
        answer = route.fetch()
        first = re.sub(r"<!--part \S+-->", "<!--part AAAAAAAA-->", answer.text(), count=1)
        text = re.sub(r"(<!--part AAAAAAAA-->).*?(<!--part )", r"\1\2", first, count=1, flags=re.S)
        route.fulfill(response=answer, body=text)

    page.route("**/choose/", without_a_part)
    before = seen(page).stamp
    with page.expect_navigation():
        page.evaluate(
            """() => {
              const form = document.getElementById("choose");
              form.elements.choice.value = document.querySelector("#offers > li").dataset.offer;
              form.requestSubmit();
            }"""
        )
    assert wait_for_turn(page).stamp != before  # the choice was made
