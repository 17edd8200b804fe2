"""The pages of puzzles: solved at the table, verdicts, the list, and whose cards are seen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from brassmill.editions.names import slug
from brassmill.language import LANGUAGES
from brassmill.play.session import HistoryPart
from brassmill.puzzles import EXACT, JUDGED, Puzzle, of_the_day, puzzles
from brassmill.puzzles.run import played
from brassmill.web.models import PuzzleAttempt, Table
from brassmill.web.puzzles import progress
from brassmill.web.puzzles.catalogue import ON_A_PAGE

pytestmark = pytest.mark.usefixtures("site")

PART = {"HX-Request": "true"}


@pytest.fixture
def guest() -> Client:
    """A visitor who was never here."""
    return Client()


def one(kind: str) -> Puzzle:
    return next(puzzle for puzzle in puzzles().values() if puzzle.kind == kind)


def data(guest: Client, puzzle: Puzzle) -> dict[str, Any]:
    """What the page of a puzzle shows now."""
    found: dict[str, Any] = guest.get(f"/puzzles/{puzzle.id}.json").json()
    return found


def click(guest: Client, puzzle: Puzzle, how: str, **sent: Any) -> str:
    """Send a click, as the page does."""
    if "number" not in sent:
        sent["number"] = data(guest, puzzle)["number"]
    answer = guest.post(f"/puzzles/{puzzle.id}/{how}/", sent, headers=PART)
    assert answer.status_code == 200
    return answer.content.decode()


def solve(guest: Client, puzzle: Puzzle) -> str:
    """Play the best turn, choice by choice, and end it."""
    for action in played(puzzle, puzzle.solution, HistoryPart).game.actions:
        for choice in action.ids:
            offers = {offer["id"] for offer in data(guest, puzzle)["offers"]}
            if choice in offers:  # what is forced is made with the choice before it
                click(guest, puzzle, "choose", choice=choice)
    return click(guest, puzzle, "end")


def pass_twice(guest: Client, puzzle: Puzzle) -> str:
    """Play the worst turn."""
    while data(guest, puzzle)["panel"]["awaits"] == "choose":
        offers = data(guest, puzzle)["offers"]
        passing = [offer for offer in offers if offer["kind"] == "pass"]
        click(guest, puzzle, "choose", choice=(passing or offers)[0]["id"])
    return click(guest, puzzle, "end")


# --- solving -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [EXACT, JUDGED])
def test_the_best_turn_solves_a_puzzle(guest: Client, kind: str) -> None:
    puzzle, tables = one(kind), Table.objects.count()
    page = solve(guest, puzzle)
    assert "Solved!" in page and "Your rating: " in page and "Next puzzle" in page
    assert data(guest, puzzle)["panel"]["is_solved"]
    assert Table.objects.count() == tables
    assert len(guest.cookies[settings.SESSION_COOKIE_NAME].value) < 1000


@pytest.mark.parametrize("kind", [EXACT, JUDGED])
def test_another_turn_is_compared_with_the_best_one(guest: Client, kind: str) -> None:
    puzzle = one(kind)
    page = pass_twice(guest, puzzle)
    assert "Not the best turn" in page and "Try again" in page
    panel = data(guest, puzzle)["panel"]
    assert [step["words"] for step in panel["steps"]]
    if kind == EXACT:
        assert f"{puzzle.answer.vp} are possible" in page  # type: ignore[union-attr]
        for column in ("yours", "best"):
            assert sum(row[column] for row in panel["sources"]) == panel["total"][column]
        assert panel["total"]["yours"] < panel["total"]["best"]
    else:
        assert len(panel["others"]) == len(puzzle.answer.compared) - 1  # type: ignore[union-attr]


def test_nothing_of_the_answer_is_on_the_page_before(guest: Client) -> None:
    for kind in (EXACT, JUDGED):
        panel = data(guest, one(kind))["panel"]
        for part in ("steps", "sources", "others", "themes", "total"):
            assert not panel[part]


@pytest.mark.parametrize("kind", [EXACT, JUDGED])
def test_the_best_turn_is_shown_on_the_map_step_by_step(guest: Client, kind: str) -> None:
    puzzle = one(kind)
    click(guest, puzzle, "end", give_up="1")
    for number in range(1, len(puzzle.solution) + 1):
        page = click(guest, puzzle, "on")
        assert page.count('aria-current="step"') == 1
        now = data(guest, puzzle)
        assert now["panel"]["shown"] == number and now["offers"] == []
        shown = played(puzzle, puzzle.solution[:number], HistoryPart).game.view(now["you"])
        assert now["players"][now["you"]]["cards"] == shown.seats[now["you"]].cards
    if kind == JUDGED:
        assert now["panel"]["steps"][-1]["reasons"]
    assert "Next puzzle" in page
    click(guest, puzzle, "on")  # there is no further step
    assert data(guest, puzzle)["panel"]["shown"] == len(puzzle.solution)
    click(guest, puzzle, "back")
    assert data(guest, puzzle)["panel"]["shown"] == len(puzzle.solution) - 1


def test_clicks_can_be_taken_back_until_the_turn_ends(guest: Client) -> None:
    puzzle = one(EXACT)
    first = data(guest, puzzle)
    passing = next(offer["id"] for offer in first["offers"] if offer["kind"] == "pass")
    click(guest, puzzle, "choose", choice=passing)
    assert data(guest, puzzle)["can_undo"]
    click(guest, puzzle, "back")
    assert data(guest, puzzle)["stamp"] == first["stamp"]
    pass_twice(guest, puzzle)
    before = data(guest, puzzle)
    click(guest, puzzle, "back")
    assert data(guest, puzzle) == before
    answer = guest.post(f"/puzzles/{puzzle.id}/back/", {"all": "1"})
    assert answer.headers["Location"] == f"/puzzles/{puzzle.id}/"
    assert data(guest, puzzle)["panel"]["awaits"] == "choose"


def test_a_wrong_or_outdated_click_changes_nothing(guest: Client) -> None:
    puzzle = one(EXACT)
    before, attempts = data(guest, puzzle), PuzzleAttempt.objects.count()
    sent: list[tuple[str, dict[str, Any]]] = [
        *[("choose", {"choice": choice}) for choice in ("", "999999", "-2", "-3", "x")],
        *[("end", {}), ("on", {}), ("end", {"number": 7, "give_up": "1"}), ("back", {})],
    ]
    for how, form in sent:
        click(guest, puzzle, how, **form)
        assert data(guest, puzzle) == before, (how, form)
    assert PuzzleAttempt.objects.count() == attempts


def test_the_rules_answer_why(guest: Client) -> None:
    puzzle = one(EXACT)
    why = guest.get(f"/puzzles/{puzzle.id}/why/?on=do-scout")
    assert why.status_code in (200, 204)
    offer = data(guest, puzzle)["offers"][0]["id"]
    assert guest.get(f"/puzzles/{puzzle.id}/preview/?choice={offer}").status_code == 200
    assert "<svg" in guest.get(f"/puzzles/{puzzle.id}/part/?drawer=mats").content.decode()
    click(guest, puzzle, "end", give_up="1")
    assert guest.get(f"/puzzles/{puzzle.id}/why/?on=do-scout").status_code == 204
    assert guest.get(f"/puzzles/{puzzle.id}/preview/?choice={offer}").status_code == 204


def test_the_cookie_remembers_a_few_puzzles_only(guest: Client) -> None:
    some = list(puzzles().values())[: progress.MOST + 2]
    for puzzle in some:
        click(guest, puzzle, "end", give_up="1")
    begun = [data(guest, puzzle)["panel"]["awaits"] for puzzle in some]
    assert begun == ["choose"] * 2 + ["over"] * progress.MOST


def test_an_unknown_puzzle_is_not_found(guest: Client) -> None:
    for address in ("nothing/", "nothing.json", f"{one(EXACT).id}/part/?drawer=x"):
        assert guest.get(f"/puzzles/{address}").status_code == 404


# --- the list ------------------------------------------------------------------------------------


def test_filters_narrow_the_list(guest: Client) -> None:
    every = guest.get("/puzzles.json").json()["puzzles"]
    assert {row["id"] for row in every} == set(puzzles())
    for name, value, key in [
        ("game", "classic", "edition"),
        ("level", "3", "level"),
        ("kind", "judged", "kind"),
    ]:
        rows = guest.get(f"/puzzles.json?{name}={value}").json()["puzzles"]
        assert rows == [row for row in every if str(row[key]) == value] and rows
    rows = guest.get("/puzzles.json?theme=loan&kind=judged").json()["puzzles"]
    assert all("loan" in puzzles()[row["id"]].themes for row in rows)
    assert guest.get("/puzzles.json?game=chess&theme=x").json()["puzzles"] == every


def test_the_list_knows_what_was_tried(guest: Client) -> None:
    solved, missed = one(EXACT), one(JUDGED)
    solve(guest, solved)
    click(guest, missed, "end", give_up="1")
    for state, puzzle in (("solved", solved), ("missed", missed)):
        rows = guest.get(f"/puzzles.json?state={state}").json()["puzzles"]
        assert [row["id"] for row in rows] == [puzzle.id]
    assert len(guest.get("/puzzles.json?state=open").json()["puzzles"]) == len(puzzles()) - 2
    standing = guest.get("/puzzles.json").json()["standing"]
    assert (standing["tried"], standing["solved"], standing["streak"]) == (2, 1, 0)


def test_the_list_has_pages(guest: Client) -> None:
    seen: list[str] = []
    address = "/puzzles/?kind=exact&page="
    for number in range(1, 100):
        page = guest.get(f"{address}{number}").content.decode()
        found = re.findall(r'<li class="puzzle-row[^>]*>\s*<a href="/puzzles/(\w+)/"', page)
        assert len(found) <= ON_A_PAGE
        seen += found
        if 'rel="next"' not in page:
            break
    exact = [puzzle.id for puzzle in puzzles().values() if puzzle.kind == EXACT]
    assert sorted(seen) == sorted(exact)


def test_today_leads_to_the_puzzle_of_the_day(guest: Client) -> None:
    today = of_the_day(timezone.now().date())
    assert guest.get("/puzzles/day/").headers["Location"] == f"/puzzles/{today.id}/"
    assert guest.get("/puzzles.json").json()["day"] == today.id


def test_the_next_puzzle_is_a_new_one_that_fits(guest: Client) -> None:
    seen = set()
    for _puzzle in range(4):
        there = guest.get("/puzzles/next/?game=lancashire").headers["Location"]
        puzzle = puzzles()[there.split("/")[2]]
        assert puzzle.edition == "lancashire" and puzzle.id not in seen
        seen.add(puzzle.id)
        click(guest, puzzle, "end", give_up="1")
    there = guest.get(f"/puzzles/next/?not={puzzle.id}").headers["Location"]
    assert puzzle.id not in there


def test_puzzles_are_linked_from_the_home_page_and_the_lessons(guest: Client) -> None:
    for address in ("/", "/learn/"):
        assert 'href="/puzzles/"' in guest.get(address).content.decode()


@pytest.mark.parametrize("code", LANGUAGES)
def test_puzzles_speak_the_language_of_the_page(guest: Client, code: str) -> None:
    words = {"en": "How many VP can you reach?", "de": "Wie viele SP", "fr": "Combien de PV"}
    guest.post("/language/", {"code": code})
    assert words[code] in guest.get(f"/puzzles/{one(EXACT).id}/").content.decode()


# --- what nobody may know ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [EXACT, JUDGED])
def test_a_page_shows_the_solvers_own_cards_only(guest: Client, kind: str) -> None:
    """Before, during and after the turn, the page is made from the view of one seat."""
    puzzle = one(kind)
    pages = [guest.get(f"/puzzles/{puzzle.id}/").content.decode(), pass_twice(guest, puzzle)]
    pages += [click(guest, puzzle, "on") for _step in puzzle.solution]
    start = played(puzzle, (), HistoryPart).game
    own = {slug(name) for name in start.view(start.seat).hand or ()}
    for page in pages:
        assert set(re.findall(r'id="card-([\w-]+)"', page)) <= own
    now = data(guest, puzzle)
    hands = [player["hand"] for player in now["players"] if player["seat"] != now["you"]]
    assert hands == [None] * (puzzle.players - 1)
