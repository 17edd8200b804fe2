"""Take the screenshots of the README and `play/web.md`: `python docs/shots.py`. Needs Chromium.

Bots play the games from fixed seeds in a temporary home folder, and a real server shows them to a
real browser. The pictures are committed, so that the pages can be read in the repository.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict

from playwright.sync_api import Browser, Page, sync_playwright

from brassmill.rules.jit import cache_root

FOLDER = Path(__file__).parent / "pictures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell")
QUALITY = 72  # of WebP: text stays sharp, and a picture has some 90 kB
KEY = "whoever-takes-the-pictures"  # the visitor
SEATS = ("Ada", "Brunel", "Clara", "Darby")
PLAYERS = "Ada,apprentice,journeyman,expert"
MIDDLE = ("canal", 4)
LATE = ("rail", 6)


class Screen(TypedDict):
    """The size and kind of a browser."""

    viewport: Any
    device_scale_factor: float
    has_touch: bool
    is_mobile: bool


DESKTOP = Screen(
    viewport={"width": 1440, "height": 900},
    device_scale_factor=1,
    has_touch=False,
    is_mobile=False,
)
PHONE = Screen(
    viewport={"width": 390, "height": 844}, device_scale_factor=2, has_touch=True, is_mobile=True
)


class Game(NamedTuple):
    """A table, and how far it is played."""

    edition: str
    seed: int
    until: tuple[str, int] | None  # era and round; None: to the end
    seats: str = PLAYERS


GAMES = {
    "birmingham-early": Game("birmingham", 8, MIDDLE),
    "birmingham-late": Game("birmingham", 8, LATE),
    "lancashire-early": Game("lancashire", 72, MIDDLE),
    "lancashire-late": Game("lancashire", 72, LATE),
    "classic-late": Game("classic", 17, LATE),
    "people": Game("birmingham", 3, MIDDLE, seats="Ada,Brunel,journeyman"),
    "over": Game("birmingham", 8, None),
}


# --- what is done before a picture is taken ------------------------------------------------------


def nothing(page: Page) -> None:
    """Take the page as it is."""


def ask(page: Page) -> None:
    """Ask the coach."""
    page.click("#ask-hint")
    page.wait_for_selector("#hint .idea")


def why(page: Page) -> None:
    """Hover over a space that cannot be chosen."""
    page.hover("#space-bolton-3")
    page.wait_for_selector("#tip .why")


def learn(page: Page) -> None:
    """Read on to the first action of a lesson."""
    while page.get_attribute("#table", "data-awaits") == "continue":
        stamp = page.get_attribute("#table", "data-stamp")
        page.click("#primary")
        page.wait_for_selector(f"#table:not([data-stamp='{stamp}'])")


def best_turn(page: Page) -> None:
    """Let a puzzle show the first action of its best turn."""
    page.click("#give-up")
    page.wait_for_selector(".best-turn")
    page.click(".lesson-acts #primary")
    page.wait_for_selector(".best-turn [aria-current]")


class Shot(NamedTuple):
    """One picture."""

    name: str
    address: str  # {NAME} stands for a table
    theme: Literal["light", "dark"] = "light"
    screen: Screen = DESKTOP
    before: Callable[[Page], None] = nothing


SHOTS = (
    Shot("new-light", "/new/birmingham/"),
    Shot("birmingham-late-light", "/t/{birmingham-late}/"),
    Shot("birmingham-late-dark", "/t/{birmingham-late}/", "dark"),
    Shot("lancashire-late-light", "/t/{lancashire-late}/"),
    Shot("classic-late-dark", "/t/{classic-late}/", "dark"),
    Shot("birmingham-phone-early-light", "/t/{birmingham-early}/", "light", PHONE),
    Shot("birmingham-phone-late-dark", "/t/{birmingham-late}/", "dark", PHONE),
    Shot("lancashire-phone-late-light", "/t/{lancashire-late}/", "light", PHONE),
    Shot("why-dark", "/t/{lancashire-early}/", "dark", before=why),
    Shot("hint-light", "/t/{lancashire-late}/", before=ask),
    Shot("learn-light", "/learn/birmingham-first/", before=learn),
    Shot("puzzle-light", "/puzzles/2db937d7/", before=best_turn),
    Shot("study-light", "/t/{over}/study/?at=62"),
    Shot("cover-light", "/t/{people}/"),
    Shot("result-light", "/t/{over}/result/"),
    Shot("replay-dark", "/t/{over}/replay/?at=60&as=open", "dark"),
)


# --- the tables ----------------------------------------------------------------------------------


def set_tables() -> tuple[dict[str, str], dict[str, str]]:
    """Set up all games; return the visitor's cookie and the ids of the tables by name."""
    from brassmill.web.server import home

    home.prepare()
    from django.conf import settings
    from django.contrib.sessions.backends.signed_cookies import SessionStore

    session = SessionStore()
    session["visitor"] = KEY
    session.save()
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session.session_key or ""}
    return cookie, {name: set_table(game) for name, game in GAMES.items()}


def set_table(game: Game) -> str:
    """Set up a table and let bots play every seat until a person can take a turn."""
    from brassmill.play.host import Host
    from brassmill.play.seating import read_seats
    from brassmill.web.table import sessions
    from brassmill.web.table.create import create_table

    seats = [
        replace(seat, name=name) for seat, name in zip(read_seats(game.seats), SEATS, strict=False)
    ]
    table = create_table(game.edition, len(seats), {}, seats, "covered", game.seed, KEY)
    session = sessions.get(table.id)
    specs = [seat.bot.text if seat.bot else "journeyman" for seat in seats]
    host = Host.of(specs, session.game.edition, game.seed)
    reached = False
    while not session.over:
        reached = reached or (session.game.era, session.game.round) == game.until
        if reached and not session.mover_is_bot and session.game.question == "action":
            break
        if session.game.question == "turn over":
            session.end_turn(session.number)
        else:
            session.choose(session.number, host.ask(session.game.copy()))
    host.close()
    return table.id


@contextmanager
def serving() -> Iterator[str]:
    """Run a server for these tables; yield its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "brassmill", "serve", "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        found = re.search(r"(http://\S+)/", server.stdout.readline())
        assert found
        yield found[1]
    finally:
        server.terminate()
        server.wait()


# --- the pictures --------------------------------------------------------------------------------


def wait_for_the_rules(browser: Browser, site: str) -> None:
    """Wait until tables can be shown."""
    page = browser.new_page()
    while '"done": true' not in page.goto(f"{site}/ready/?format=json").text():  # type: ignore[union-attr]
        page.wait_for_timeout(200)
    page.close()


def take(page: Page, path: Path) -> None:
    """Save what the page shows as WebP, which Chromium offers but Playwright does not."""
    page.wait_for_timeout(900)  # until all animations have ended
    session = page.context.new_cdp_session(page)
    sharp = page.evaluate(
        "({x: 0, y: 0, width: innerWidth, height: innerHeight, scale: devicePixelRatio})"
    )
    how = {"format": "webp", "quality": QUALITY, "clip": sharp}
    shot = session.send("Page.captureScreenshot", how)
    path.write_bytes(base64.b64decode(shot["data"]))


def main(wanted: list[str]) -> None:
    """Take all pictures, or only those whose names contain one of these words."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cache").symlink_to(cache_root().resolve(), target_is_directory=True)
        os.environ["BRASSMILL_HOME"] = folder
        os.environ["LANGUAGE"] = "en"
        cookie, tables = set_tables()
        with serving() as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            wait_for_the_rules(browser, site)
            for shot in SHOTS:
                if wanted and not any(word in shot.name for word in wanted):
                    continue
                context = browser.new_context(**shot.screen, color_scheme=shot.theme, locale="en")
                context.add_cookies(
                    [{"name": cookie["name"], "value": cookie["value"], "url": site}]
                )
                page = context.new_page()
                page.goto(site + shot.address.format(**tables))
                page.wait_for_timeout(700)  # the table refreshes once when it opens
                shot.before(page)
                take(page, FOLDER / f"web-{shot.name}.webp")
                context.close()
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
