"""Measure how long a click takes until the page is painted: several versions, in one run.

    python tests/clicks.py . ../before --clicks 100

Each folder is a checkout of this repository. A server runs for each, with a home folder of its own,
and a browser plays the same deal with it. Their clicks alternate, so that both meet the same
moments of the machine. The time is the page's own: from the event to the first frame with the
table that follows. The packages are those of this environment, so a version must still work with
them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from brassmill.rules.jit import cache_root
from support.browser import PHONE, find_chromium
from support.serving import serve

SCREENS: dict[str, Any] = {"desktop": {"width": 1440, "height": 900}, "phone": PHONE}
KEY = "measures-clicks"
# In the version's own code: its database, a table, the visitor's cookie, and the compiled rules.
PREPARE = """
import json
from brassmill.web.server import home, startup
home.prepare()
startup.wait()
from django.conf import settings
from support.web import make_table, visitor
table = make_table("Ada,random,random,random", {edition!r}, seed={seed}, key={key!r})
cookie = visitor({key!r}).cookies[settings.SESSION_COOKIE_NAME].value
print(json.dumps([table.id, settings.SESSION_COOKIE_NAME, cookie]))
"""
FIRST = 5  # clicks that are not counted: the server has just started
LONGEST = 10_000  # milliseconds that a click may take; it counts as that much
# Make a choice as a click on it does; the milliseconds until the next table is painted.
CLICK = """([wanted, longest]) => new Promise((found) => {
  setTimeout(() => found(longest), longest);
  const stamp = () => document.getElementById("table").dataset.stamp, before = stamp();
  const began = performance.now();
  const seen = new MutationObserver(() => {
    if (stamp() === before) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => found(performance.now() - began)));
  });
  seen.observe(document.body, { subtree: true, childList: true, attributes: true });
  const form = document.getElementById("choose");
  if (wanted === "end") document.getElementById("primary").click();
  else {
    form.elements.choice.value = wanted;
    if (form.elements.card) form.elements.card.value = "";
    form.requestSubmit();
  }
})"""
# The open choices, or the end of the turn.
OPEN = """() => {
  if (document.getElementById("table").dataset.asked === "turn over") return ["end"];
  const offers = [...document.querySelectorAll("#offers > li[data-offer]")];
  return offers.map((each) => each.dataset.offer).sort();
}"""


class Version:
    """A checkout, its server, and the page of its table."""

    def __init__(self, folder: Path, edition: str, seed: int, stack: ExitStack) -> None:
        self.folder, self.times = folder, list[float]()
        self.home = stack.enter_context(tempfile.TemporaryDirectory())
        Path(self.home, "cache").symlink_to(cache_root().resolve(), target_is_directory=True)
        code = os.pathsep.join(str(folder.resolve() / part) for part in ("src", "tests"))
        self.environment = {"BRASSMILL_HOME": self.home, "PYTHONPATH": code}
        script = PREPARE.format(edition=edition, seed=seed, key=KEY)
        made = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, **self.environment},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.table, self.cookie, self.value = json.loads(made.stdout.splitlines()[-1])

    def open(self, browser: Browser, screen: str, stack: ExitStack) -> None:
        """Start the server and show the table."""
        process, address = serve(**self.environment)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        context = browser.new_context(
            viewport=SCREENS[screen], locale="en-GB", service_workers="block"
        )
        context.add_cookies([{"name": self.cookie, "value": self.value, "url": address}])
        self.page: Page = context.new_page()
        self.page.goto(f"{address}/t/{self.table}/")
        while not self.page.query_selector("#table"):  # its rules are not loaded yet
            self.page.wait_for_timeout(200)
            self.page.reload()
        self.page.wait_for_timeout(1000)

    def click(self, rng: Random) -> bool:
        """Click once, when it is Ada's turn; false if the game is over."""
        page = self.page
        page.wait_for_selector("#table[data-yours='1'], #table[data-over]")
        if page.query_selector("#table[data-over]"):
            return False
        found = page.evaluate(OPEN)
        if not found:  # everything here stands for several choices, or is about to change
            page.evaluate("() => document.querySelector('#undo:enabled')?.click()")
            page.wait_for_timeout(300)
            return True
        self.times.append(page.evaluate(CLICK, [rng.choice(found), LONGEST]))
        return True


def report(versions: list[Version]) -> dict[str, Any]:
    """Print and return the figures of all versions."""
    found = {}
    for version in versions:
        times = sorted(version.times[FIRST:])
        found[str(version.folder)] = {
            "clicks": len(times),
            "median": round(statistics.median(times)),
            "95%": round(times[int(0.95 * (len(times) - 1))]),
            "worst": round(times[-1]),
        }
        print(version.folder, found[str(version.folder)], flush=True)
    return found


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--clicks", type=int, default=100)
    parser.add_argument("--screen", choices=SCREENS, default="desktop")
    parser.add_argument("--edition", default="birmingham")
    parser.add_argument("--seed", type=int, default=8)
    wanted = parser.parse_args()
    with ExitStack() as stack:
        versions = [Version(each, wanted.edition, wanted.seed, stack) for each in wanted.folders]
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        stack.callback(browser.close)
        for version in versions:
            version.open(browser, wanted.screen, stack)
        chances = [Random(wanted.seed) for _version in versions]
        while min(len(version.times) for version in versions) < wanted.clicks + FIRST:
            going = [each.click(rng) for each, rng in zip(versions, chances, strict=True)]
            if not all(going):
                break
        report(versions)


if __name__ == "__main__":
    main()
