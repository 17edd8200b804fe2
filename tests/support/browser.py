"""A browser for the stories: the real server, a visitor's pages, and how to play there."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import pytest

from support.serving import serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE = 60_000  # milliseconds, enough for a machine under load
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}

# Headless Chromium takes half the time.
CHROMIUMS = ("chromium-headless-shell", "chromium")

WANTED = "the browser stories need {what}: `make test` as root installs it, `apt install chromium`"


def find_chromium() -> str:
    """Find Debian's Chromium; skip the story without it."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        pytest.skip(WANTED.format(what="Playwright"))
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if not found:
        pytest.skip(WANTED.format(what="Chromium"))
    return found


# --- the server ----------------------------------------------------------------------------------


class Server:
    """`brass serve` in its own process."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.address = ""
        self.said = ""  # empty unless something broke
        self.start()

    def start(self) -> None:
        """Start it, on its previous port if it had one."""
        port = ["--port", self.address.rpartition(":")[2]] if self.address else []
        self.process, self.address = serve(*port, BRASSMILL_HOME=str(self.home))

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.kill()
        self.said += self.process.communicate()[0]

    def stop(self) -> str:
        """Stop it with Ctrl-C; return its output since the first start."""
        self.process.send_signal(signal.SIGINT)
        self.said += self.process.communicate(timeout=PATIENCE / 1000)[0]
        return self.said.strip()


@contextmanager
def opened() -> Iterator[Browser]:
    """Open the browser.

    While it is open, an event loop seems to run in this thread, although nothing runs beside the
    test, and Django would refuse to use the database.
    """
    executable = find_chromium()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with mock.patch.dict(os.environ, DJANGO_ALLOW_ASYNC_UNSAFE="1"), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


# --- visitors ------------------------------------------------------------------------------------


class Visitor:
    """A visitor with a browser; errors on the pages are collected."""

    def __init__(self, browser: Browser, address: str, key: str, **wishes: Any) -> None:
        from django.conf import settings

        from support.web import visitor

        self.address = address
        self.key = key
        self.faults: list[str] = []
        # Patterns of errors that the story causes on purpose; Playwright says that it blocks the
        # service worker, so that stories see what the server sends. One that needs it allows it.
        self.pardoned: list[str] = ["Service Worker registration blocked by Playwright"]
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            **{"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce"}
            | {"service_workers": "block", **wishes},
        )
        self.context.set_default_timeout(PATIENCE)
        cookie = visitor(key).cookies[settings.SESSION_COOKIE_NAME].value
        self.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}]
        )
        self.context.on("page", self._watch)

    def _watch(self, page: Page) -> None:
        # A violation of the content security policy is a console error, too.
        page.on(
            "console",
            lambda told: (
                self.faults.append(f"{told.text} ({told.location.get('url')})")
                if told.type in ("error", "warning")
                else None
            ),
        )
        page.on("pageerror", lambda error: self.faults.append(f"{error.message}\n{error.stack}"))

    def open(self, path: str = "/") -> Page:
        """Open a page in a new tab."""
        page = self.context.new_page()
        page.goto(path)
        return page

    def sit_down(self, table_id: str) -> Page:
        """Open a table page and wait until it is playable."""
        page = self.open(f"/t/{table_id}/")
        wait_for_turn(page)
        return page

    def leave(self) -> list[str]:
        """Close everything; return the errors."""
        self.context.close()
        return [
            fault
            for fault in self.faults
            if not any(re.search(pattern, fault) for pattern in self.pardoned)
        ]


# --- the table -----------------------------------------------------------------------------------

AREAS = ("map", "hand", "mat", "markets", "strip")

LIT = """() => {
  const areas = {map: "#sheet", hand: "#hand", mat: "#mat", markets: "#markets", strip: "#strip"};
  const lit = "[data-choice], button[data-kind]:not([aria-disabled]), #primary";
  return Object.entries(areas).flatMap(([area, root]) =>
    [...document.querySelectorAll(`${root} :is(${lit})`)]
      .filter((element) => element.getClientRects().length)
      .map((element) => [area, element.id]));
}"""

# Find a point where the pointer hits an element and nothing above it: the middle of a line or of a
# box, or any free point.
POINT = """(id) => {
  const element = document.getElementById(id);
  element.scrollIntoView({block: "nearest", inline: "nearest"});
  const box = element.getBoundingClientRect();
  const points = [];
  for (const path of element.matches(".line") ? element.querySelectorAll("path") : []) {
    const length = path.getTotalLength(), matrix = path.getScreenCTM();
    for (const share of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) {
      points.push(path.getPointAtLength(length * share).matrixTransform(matrix));
    }
  }
  for (const down of [0.5, 0.3, 0.7, 0.15, 0.85]) {
    for (const right of [0.5, 0.3, 0.7, 0.15, 0.85]) {
      points.push({x: box.left + box.width * right, y: box.top + box.height * down});
    }
  }
  const meets = ({x, y}) => document.elementFromPoint(x, y)
    ?.closest("[data-choice], [data-kind], [data-why], button") === element;
  const point = points.find(meets);
  return point ? [point.x, point.y] : null;
}"""

SEEN = "({dataset}) => ({stamp: dataset.stamp, asked: dataset.asked, yours: dataset.yours === '1'})"
CAN_GO_ON = """() => {
  const table = document.getElementById("table");
  return table && (table.dataset.yours === "1" || table.dataset.asked === "game over"
    || document.getElementById("cover"));
}"""
HAS_CHANGED = """(stamp) => document.getElementById("table")?.dataset.stamp !== stamp
  && !document.querySelector("form.htmx-request")"""  # no response is still being swapped in


class Seen(NamedTuple):
    """What the table asks."""

    stamp: str
    asked: str
    yours: bool


def seen(page: Page) -> Seen:
    """Return what the table asks now."""
    return Seen(**page.locator("#table").evaluate(SEEN))


def wait_for_turn(page: Page) -> Seen:
    """Wait until a person can act, or the game is over; close the scene of an era's end."""
    page.wait_for_function(CAN_GO_ON)
    if page.locator("body[data-scene]").count():
        page.locator("#scene[open]").wait_for()
        page.keyboard.press("Escape")
        page.locator("body:not([data-scene])").wait_for()
    return seen(page)


def wait_for_change(page: Page, stamp: str) -> None:
    """Wait until the table's stamp differs from this one."""
    page.wait_for_function(HAS_CHANGED, arg=stamp)


def mode_of(page: Page) -> str:
    """Return the action to which the choices are narrowed down; empty: they are not."""
    return page.locator("#table").get_attribute("data-mode") or ""


def lit(page: Page) -> dict[str, list[str]]:
    """Return everything that can be chosen, by area."""
    found: dict[str, list[str]] = {}
    for area, element in page.evaluate(LIT):
        found.setdefault(area, []).append(element)
    return found


def click(page: Page, element: str, times: int = 1) -> None:
    """Click an element at a visible point."""
    page.mouse.click(*point_of(page, element), click_count=times)


def tap(page: Page, element: str) -> None:
    """Tap an element with a finger; confirm it if the page asks first."""
    page.touchscreen.tap(*point_of(page, element))
    page.evaluate("() => new Promise(requestAnimationFrame)")  # the click follows the tap
    if page.locator("#confirm").is_visible():
        page.locator("#confirm [data-confirm=yes]").tap()


def point_of(page: Page, element: str) -> tuple[float, float]:
    """Return where an element can be hit."""
    point = page.evaluate(POINT, element)
    assert point, f"{element} is lit, but something lies over all of it"
    x, y = point
    return x, y


def press(page: Page, selector: str) -> Seen:
    """Press a button of the table, and wait for the change."""
    stamp = seen(page).stamp
    page.locator(selector).click()
    wait_for_change(page, stamp)
    return wait_for_turn(page)


class Player:
    """A player who clicks highlighted elements only, all kinds in turn, the map first."""

    LIKED: Sequence[Sequence[str]] = (
        ("map", "hand", "mat", "markets", "strip"),
        ("mat", "map", "hand", "markets", "strip"),
        ("map", "markets", "hand", "strip", "mat"),
        ("strip", "hand", "map", "mat", "markets"),
    )

    def __init__(self, page: Page, seed: int, *, touches: bool = False) -> None:
        self.page = page
        self.chance = Random(seed)
        self.choose = tap if touches else click
        self.actions = 0
        self.clicked: set[str] = set()  # areas and buttons

    def step(self) -> Seen:
        """Click once, or more if the map or a menu asks which; return the next question."""
        now = seen(self.page)
        element = "primary" if now.asked == "turn over" else self._choice(now.asked)
        self.choose(self.page, element)
        if mode := mode_of(self.page):  # an action, or a tile of the mat: now where
            self.choose(self.page, self._target(mode))
        if self.page.locator("#choices:popover-open").count():
            entries = self.page.locator("#choices").get_by_role("menuitem")
            entries.nth(self.chance.randrange(entries.count())).click()
        wait_for_change(self.page, now.stamp)
        return wait_for_turn(self.page)

    def turn(self) -> Seen:
        """Take a whole turn and end it."""
        now = seen(self.page)
        assert now.yours
        while now.asked != "turn over":
            now = self.step()
        return self.step()

    def _target(self, mode: str) -> str:
        if mode == "tile-only":
            return "develop-it"
        return self.chance.choice(lit(self.page)["mat" if mode == "develop" else "map"])

    def _choice(self, asked: str) -> str:
        found = lit(self.page)
        liked: Sequence[str] = AREAS
        if asked == "action":
            liked = self.LIKED[self.actions % len(self.LIKED)]
            self.actions += 1
        area = next(area for area in liked if area in found)
        elements = found[area]
        if area == "strip":  # never pass if anything else is possible
            elements = [each for each in elements if each != "do-pass"] or elements
        element = self.chance.choice(elements)
        self.clicked |= {area, element} if area == "strip" else {area}
        return element


class Fingers:
    """Fingers on a screen, one for each point."""

    def __init__(self, page: Page) -> None:
        self.screen = page.context.new_cdp_session(page)

    def down(self, *points: tuple[float, float]) -> None:
        self._touch("touchStart", points)

    def move(self, *points: tuple[float, float]) -> None:
        self._touch("touchMove", points)

    def up(self) -> None:
        self._touch("touchEnd", ())

    def _touch(self, kind: str, points: Sequence[tuple[float, float]]) -> None:
        touched = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
