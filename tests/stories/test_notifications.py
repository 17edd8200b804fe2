"""Story: push messages in a real browser, and the settings page on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from stories.test_accessibility import violations
from stories.test_app import wait_for_worker
from support.browser import PHONE, Visitor
from support.web import make_table

pytestmark = pytest.mark.slow

Visit = Callable[..., Visitor]

# Headless Chromium has no place for notifications, so the worker notes what it would show.
RECORD = """() => {
  self.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
    self.shown.push({ title, body, tag, path: data.path });
  };
}"""
SHOWN = """async () => {
  while (!self.shown.length) await new Promise((done) => setTimeout(done, 10));
  return self.shown.splice(0);
}"""
CLICK = """async (path) => {
  const done = [];
  self.clients.openWindow = async (url) => done.push(url);
  const event = new ExtendableEvent("notificationclick");
  event.notification = { data: { path }, close: () => done.push("closed") };
  self.dispatchEvent(event);
  while (done.length < 2) await new Promise((next) => setTimeout(next, 10));
  return done;
}"""


def deliver(page: Page, message: dict[str, Any]) -> None:
    """Let DevTools deliver a push message to the service worker."""
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not found:
        page.evaluate("1")  # lets the event arrive
    origin = page.evaluate("location.origin")
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[0], "data": json.dumps(message)},
    )


def test_a_push_message_is_shown_unless_its_table_is_and_a_click_opens_it(visit: Visit) -> None:
    ada = visit(service_workers="allow", permissions=["notifications"])
    table = make_table("Ada,random", seed=8, key=ada.key)
    page = ada.open("/notifications/")
    wait_for_worker(page)
    path = f"/t/{table.id}/"
    (worker,) = ada.context.service_workers
    worker.evaluate(RECORD)
    deliver(page, {"title": "Your turn", "text": "Now", "path": path, "tag": f"turn {table.id}"})
    expected = {"title": "Your turn", "body": "Now", "tag": f"turn {table.id}", "path": path}
    assert worker.evaluate(SHOWN) == [expected]
    assert worker.evaluate(CLICK, path) == ["closed", f"{ada.address}{path}"]
    table_page = ada.sit_down(table.id)  # now it is open and visible
    page.close()
    deliver(table_page, {"title": "Again", "text": "", "path": path, "tag": "x"})
    deliver(table_page, {"title": "Other", "text": "", "path": "/lobby/", "tag": "y"})
    assert [shown["title"] for shown in worker.evaluate(SHOWN)] == ["Other"]


@pytest.mark.parametrize("code", ["en", "de", "fr"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_settings_fit_on_a_phone_and_are_accessible(
    visit: Visit, code: str, scheme: str
) -> None:
    ada = visit(viewport=PHONE, locale=code, color_scheme=scheme)
    make_table("Ada,Ben", key=ada.key)
    page = ada.open("/notifications/")
    page.click("details summary")
    page.fill("#hook-address", "https://chat.example.org/hooks/1")
    page.select_option("#hook-form", "json")
    page.click("details button")
    expect(page.locator(".receivers li")).to_contain_text("chat.example.org")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    assert violations(page) == []
    page.uncheck('[value="turn mail"]')
    page.click(".notification-choices button")
    expect(page.locator('[value="turn mail"]')).not_to_be_checked()
    page.click(".receivers [name=remove]")
    expect(page.locator(".receivers")).to_have_count(0)
