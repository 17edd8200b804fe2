"""Story: the app is installed, and without a server it says so instead of showing an old table."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from stories.test_accessibility import violations
from support.browser import PHONE, Server, Visitor, wait_for_turn
from support.web import make_table

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

CUT_OFF = [r"ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK|INTERNET)", "htmx:(sse:)?error", "Failed to"]
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    found.push(...requests.map((request) => new URL(request.url).pathname));
  }
  return found;
}"""
READY = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
TITLES = {"en": "No connection", "de": "Keine Verbindung", "fr": "Pas de connexion"}


def wait_for_worker(page: Page) -> None:
    page.wait_for_function(READY)


@pytest.mark.parametrize("code", TITLES)
def test_without_a_connection_the_offline_page_is_shown_in_the_language(
    visit: Visit, code: str
) -> None:
    ada = visit(service_workers="allow", locale=code)
    ada.pardoned += CUT_OFF
    page = ada.open()
    wait_for_worker(page)
    ada.context.set_offline(True)
    page.goto("/lobby/")
    expect(page.locator("h1")).to_contain_text(TITLES[code])
    assert violations(page) == []


def test_no_table_is_shown_without_a_server(visit: Visit, server: Server) -> None:
    ada = visit(service_workers="allow", viewport=PHONE)
    ada.pardoned += CUT_OFF
    table = make_table("Ada,random", seed=8, key=ada.key)
    page = ada.sit_down(table.id)
    wait_for_worker(page)
    assert all(re.match("/(static|style|offline)/", path) for path in page.evaluate(KEPT))
    server.kill()
    try:
        page.reload()
        expect(page.locator("h1")).to_contain_text(TITLES["en"])
        expect(page.locator("#table")).to_have_count(0)
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]
    finally:
        server.start()
    page.click("#again")
    wait_for_turn(page)
    assert page.url.endswith(f"/t/{table.id}/")


def test_the_description_of_the_app_is_valid(visit: Visit) -> None:
    ada = visit(service_workers="allow")
    page = ada.open()
    wait_for_worker(page)
    devtools = ada.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["url"].endswith("/app.webmanifest") and found["errors"] == []
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )
