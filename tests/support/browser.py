"""A browser for the stories: the real server, the pages of a visitor, and how one plays there."""

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

PATIENCE = 60_000  # milliseconds that a machine under load may take for anything
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}

# Without windows, which nobody sees here, it takes half of the time.
CHROMIUMS = ("chromium-headless-shell", "chromium")

WANTED = "the browser stories need {what}: `make test` as root installs it, `apt install chromium`"


def find_chromium() -> str:
    """Where Debian's Chromium is; without it a story is skipped."""
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
    """`brass serve` in a process of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.address = ""
        self.said = ""  # nothing, unless something broke
        self.start()

    def start(self) -> None:
        """Start it, at the port that it had before if it had one."""
        port = ["--port", self.address.rpartition(":")[2]] if self.address else []
        self.process, self.address = serve(*port, BRASSMILL_HOME=str(self.home))

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.said += self.process.communicate()[0]

    def stop(self) -> str:
        """End it as Ctrl-C would: what it has said in all its lives."""
        self.process.send_signal(signal.SIGINT)
        self.said += self.process.communicate(timeout=PATIENCE / 1000)[0]
        return self.said.strip()


@contextmanager
def opened() -> Iterator[Browser]:
    """The browser.

    As long as it is there an event loop is said to run in this thread, though nothing runs beside
    the test: Django would refuse its database.
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
    """Somebody with a browser; whatever goes wrong in the pages is remembered."""

    def __init__(self, browser: Browser, address: str, key: str, **wishes: Any) -> None:
        from django.conf import settings

        from support.web import visitor

        self.address = address
        self.key = key
        self.faults: list[str] = []
        self.pardoned: list[str] = []  # patterns of faults that the story itself brings about
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            **{"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **wishes},
        )
        self.context.set_default_timeout(PATIENCE)
        cookie = visitor(key).cookies[settings.SESSION_COOKIE_NAME].value
        self.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}]
        )
        self.context.on("page", self._watch)

    def _watch(self, page: Page) -> None:
        # What the content security policy forbids is an error of the console too.
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
        """A page in a tab of its own."""
        page = self.context.new_page()
        page.goto(path)
        return page

    def sit_down(self, table_id: str) -> Page:
        """The page of a table, when it can be played at."""
        page = self.open(f"/t/{table_id}/")
        wait_for_turn(page)
        return page

    def leave(self) -> list[str]:
        """Close everything: what went wrong."""
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
  const lit = "[data-choice], button[data-kind], #primary";
  return Object.entries(areas).flatMap(([area, root]) =>
    [...document.querySelectorAll(`${root} :is(${lit})`)]
      .filter((element) => element.getClientRects().length)
      .map((element) => [area, element.id]));
}"""

# A point where the pointer meets an element and nothing that lies over it: the middle of a line, or
# of a box, or wherever it is free.
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
  && !document.querySelector("form.htmx-request")"""  # no answer is still being taken in


class Seen(NamedTuple):
    """What the table asks."""

    stamp: str
    asked: str
    yours: bool


def seen(page: Page) -> Seen:
    """What the table asks now."""
    return Seen(**page.locator("#table").evaluate(SEEN))


def wait_for_turn(page: Page) -> Seen:
    """Wait until a person can do something, or the game is over."""
    page.wait_for_function(CAN_GO_ON)
    return seen(page)


def wait_for_change(page: Page, stamp: str) -> None:
    """Wait until the table is another than the one with this stamp."""
    page.wait_for_function(HAS_CHANGED, arg=stamp)


def lit(page: Page) -> dict[str, list[str]]:
    """Everything that can be chosen, by where it is."""
    found: dict[str, list[str]] = {}
    for area, element in page.evaluate(LIT):
        found.setdefault(area, []).append(element)
    return found


def click(page: Page, element: str, times: int = 1) -> None:
    """Click something with the mouse, where it can be seen."""
    page.mouse.click(*point_of(page, element), click_count=times)


def tap(page: Page, element: str) -> None:
    """Touch something with a finger."""
    page.touchscreen.tap(*point_of(page, element))


def point_of(page: Page, element: str) -> tuple[float, float]:
    """Where something is that can be chosen."""
    point = page.evaluate(POINT, element)
    assert point, f"{element} is lit, but something lies over all of it"
    x, y = point
    return x, y


def press(page: Page, selector: str) -> Seen:
    """Press a button of the table, and wait until it has changed."""
    stamp = seen(page).stamp
    page.locator(selector).click()
    wait_for_change(page, stamp)
    return wait_for_turn(page)


class Player:
    """Somebody who clicks lit things only: on the map first, but all kinds have their turn."""

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
        self.clicked: set[str] = set()  # the areas and the buttons

    def step(self) -> Seen:
        """One click, or two where a menu asks which; what is asked then."""
        now = seen(self.page)
        element = "primary" if now.asked == "turn over" else self._choice(now.asked)
        self.choose(self.page, element)
        if self.page.locator("#choices:popover-open").count():
            entries = self.page.locator("#choices").get_by_role("menuitem")
            entries.nth(self.chance.randrange(entries.count())).click()
        wait_for_change(self.page, now.stamp)
        return wait_for_turn(self.page)

    def turn(self) -> Seen:
        """A whole turn, with its end."""
        now = seen(self.page)
        assert now.yours
        while now.asked != "turn over":
            now = self.step()
        return self.step()

    def _choice(self, asked: str) -> str:
        found = lit(self.page)
        liked: Sequence[str] = AREAS
        if asked == "action":
            liked = self.LIKED[self.actions % len(self.LIKED)]
            self.actions += 1
        area = next(area for area in liked if area in found)
        elements = found[area]
        if area == "strip":  # nobody passes who can do something else
            elements = [each for each in elements if each != "do-pass"] or elements
        element = self.chance.choice(elements)
        self.clicked |= {area, element} if area == "strip" else {area}
        return element


class Fingers:
    """Fingers on a screen, as many as there are points."""

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
