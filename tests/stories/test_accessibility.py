"""Story: the pages are accessible, in light and dark mode."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal
from unittest import mock

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

from brassmill.editions import EDITIONS
from brassmill.puzzles import EXACT, JUDGED, puzzles
from brassmill.web.archive import filling, following
from brassmill.web.models import Attempt, DailyDeal, Table
from brassmill.web.table import sessions
from support.browser import PHONE, Visitor, wait_for_turn
from support.daily import day_with_time_left, result_on
from support.paths import RECORDS
from support.web import make_table, no_bots, play_turn

Visit = Callable[..., Visitor]


def violations(page: Page) -> list[str]:
    """Return the accessibility violations that axe finds."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary'][:300]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"][:5]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_pages_have_no_accessibility_violations(
    visit: Visit, scheme: Literal["light", "dark"], screen: str
) -> None:
    wishes = {"viewport": PHONE} if screen == "phone" else {}
    ada = visit(color_scheme=scheme, reduced_motion="reduce", **wishes)
    with no_bots():
        running = [
            sessions.get(make_table("Ada,random,random", edition, seed=1, key=ada.key).id)
            for edition in EDITIONS
        ]
        for session in running:
            while session.game.view().era == "canal" or session.to_move != 0:
                play_turn(session)
        finished = sessions.get(make_table("Ada,random", seed=1, key=ada.key, intro=True).id)
        while not finished.over:
            play_turn(finished)
    page = ada.open()
    found = {"first page": violations(page)}
    page.goto("/new/lancashire/")
    found["new game"] = violations(page)
    for session in running:
        page.goto(f"/t/{session.table.id}/")
        wait_for_turn(page)
        found[f"table of {session.table.edition}"] = violations(page)
        page.locator("#hand [data-uses]").first.click()
        found[f"held card of {session.table.edition}"] = violations(page)
        for action in page.locator(".game-action[data-kind].lit").all()[:1]:
            action.click()
            found[f"action of {session.table.edition}"] = violations(page)
    page.goto(f"/t/{make_table('Ada,Ben', seed=1, key=ada.key).id}/")
    wait_for_turn(page)
    found["cover"] = violations(page)
    page.goto(f"/t/{finished.table.id}/result/")
    found["result"] = violations(page)
    page.goto(f"/t/{finished.table.id}/replay/?at=12&as=open")
    found["replay"] = violations(page)
    page.locator("#bookmark").click()
    found["bookmark"] = violations(page)
    Table.objects.filter(pk=finished.table.id).update(listed=True)
    with mock.patch.object(filling, "PAUSE", 0):
        filling.fill()
    page.goto("/archive/?least_actions=1")
    assert page.locator(".archived").count()
    found["archive"] = violations(page)
    following.bookmark(ada.key, finished.table, 3, "A fine build")
    following.follow_game(ada.key, Table.objects.get(pk=finished.table.id))
    page.goto("/following/")
    found["following"] = violations(page)
    page.goto("/records/")
    found["records"] = violations(page)
    page.locator("input[type=file]").set_input_files(RECORDS / "birmingham-2-intro.brass")
    page.get_by_role("button", name="Try another move").click()
    page.locator("#say summary").click()
    found["analysis board"] = violations(page)
    page.locator("#all-moves").click()
    page.locator("#here").wait_for()
    found["all actions"] = violations(page)
    today = day_with_time_left()
    result_on(today - timedelta(days=1), "Ben", 140)
    page.goto("/daily/")
    found["deal of the day, to play"] = violations(page)
    result_on(today, "Cleo", 130)
    result_on(today, "Ada", 120, ada.key)
    page.goto("/daily/")
    found["deal of the day, played"] = violations(page)
    page.goto(f"/daily/{today - timedelta(days=1)}/")
    found["past day"] = violations(page)
    Table.objects.exclude(day=None).delete()
    DailyDeal.objects.all().delete()
    Attempt.objects.all().delete()
    page.goto("/rules/")
    found["games side by side"] = violations(page)
    page.goto("/rules/birmingham/#COAL-3")
    found["rules"] = violations(page)
    page.goto("/learn/")
    found["lessons"] = violations(page)
    page.goto("/learn/birmingham-two-railways/")
    page.locator("#do-loan").click(force=True)  # a wrong click
    found["lesson"] = violations(page)
    page.goto("/study/")
    found["study"] = violations(page)
    page.goto("/study/?edition=lancashire&players=3")
    found["position editor"] = violations(page)
    page.goto("/openings/?edition=classic&players=4&seat=2")
    page.locator(".rare summary").click()
    found["openings"] = violations(page)
    page.locator(".moves a").first.click()
    found["openings, after a move"] = violations(page)
    page.goto("/puzzles/")
    found["puzzles"] = violations(page)
    for kind in (EXACT, JUDGED):
        puzzle = next(one for one in puzzles().values() if one.kind == kind)
        page.goto(f"/puzzles/{puzzle.id}/")
        found[f"{puzzle.kind} puzzle"] = violations(page)
        page.locator("#give-up").click()
        page.locator(".lesson-acts #primary").click()
        page.locator(".best-turn [aria-current]").wait_for()
        found[f"{puzzle.kind} puzzle, answered"] = violations(page)
    assert {page: faults for page, faults in found.items() if faults} == {}
