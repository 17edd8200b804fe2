"""The pages of lessons: played to the end, wrong clicks, progress, and whose cards are seen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from brassmill.editions.names import slug
from brassmill.language import LANGUAGES, in_language
from brassmill.lessons import lessons
from brassmill.lessons.lesson import LEARNER
from brassmill.web.lessons import progress
from brassmill.web.lessons.page import marked_up, run_of
from support.fuzz import rows

pytestmark = pytest.mark.usefixtures("site")

FIRST = "birmingham-first"
PART = {"HX-Request": "true"}
MOST = 60  # clicks of a lesson


@pytest.fixture
def guest() -> Client:
    """A visitor who was never here."""
    return Client()


def data(guest: Client, lesson: str = FIRST) -> dict[str, Any]:
    """What the page of a lesson shows now."""
    found: dict[str, Any] = guest.get(f"/learn/{lesson}.json").json()
    return found


def click(guest: Client, how: str, lesson: str = FIRST, **sent: Any) -> str:
    """Send a click, as the page does."""
    if "number" not in sent:
        sent["number"] = data(guest, lesson)["number"]
    answer = guest.post(f"/learn/{lesson}/{how}/", sent, headers=PART)
    assert answer.status_code == 200
    return answer.content.decode()


def step(guest: Client, lesson: str = FIRST) -> str:
    """Do what the lesson awaits."""
    now = data(guest, lesson)
    match now["panel"]["awaits"]:
        case "continue":
            return click(guest, "on", lesson, number=now["number"])
        case "end":
            return click(guest, "end", lesson, number=now["number"])
    first = now["offers"][0]["id"]
    return click(guest, "choose", lesson, number=now["number"], choice=first)


# --- a lesson ------------------------------------------------------------------------------------


# One that ends with an era, one that ends the game, and one where tiles pay a debt.
@pytest.mark.parametrize(
    "lesson", ["birmingham-end-of-era", "classic-last-turn", "lancashire-debt"]
)
def test_a_lesson_is_played_to_its_end_without_an_account(guest: Client, lesson: str) -> None:
    before = rows()
    for _click in range(MOST):
        if data(guest, lesson)["panel"]["awaits"] == "over":
            break
        assert 'id="idea"' in step(guest, lesson)
    assert data(guest, lesson)["panel"]["awaits"] == "over"
    assert 'is_done": true' in guest.get("/learn.json").content.decode()
    assert rows() == before  # nothing is stored but the cookie
    cookie = guest.cookies[settings.SESSION_COOKIE_NAME].value
    assert len(cookie) < 1000


def test_only_what_the_step_is_about_is_lit(guest: Client) -> None:
    for _text in range(2):
        click(guest, "on")
    now = data(guest)
    assert [offer["words"] for offer in now["offers"]] == ["Build a level I coal mine in Dudley"]
    usable = {card["name"]: card["uses"] for card in now["hand"] if card["uses"]}
    assert usable == {"Dudley": [now["offers"][0]["id"]]}
    page = guest.get(f"/learn/{FIRST}/").content.decode()
    lit = set(re.findall(r'<g id="(space-[\w-]+)"[^>]*data-choice', page))
    assert lit == {"space-dudley-1"}


def test_a_card_can_be_taken_first(guest: Client) -> None:
    for _text in range(2):
        click(guest, "on")
    choice = data(guest)["offers"][0]["id"]
    click(guest, "choose", choice=choice, card="card-dudley")
    assert data(guest)["panel"]["awaits"] == "end"


def test_a_wrong_choice_changes_nothing_and_gets_the_nudge(guest: Client) -> None:
    for _text in range(2):
        click(guest, "on")
    before = data(guest)
    run = run_of(lessons()[FIRST], [(-1,), (-1,)], "")
    other = next(one.id for one in run.game.legal_choices() if one.id not in run.lit)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("choose", {"choice": other}),
        ("choose", {"choice": ""}),
        ("choose", {"choice": before["offers"][0]["id"], "card": "card-worcester"}),
        ("end", {}),
        ("on", {}),
    ]
    for how, sent in wrong:
        text = click(guest, how, **sent)
        assert re.search(r'id="nudge"[^>]*role="alert">Start with the coal mine', text)
    assert data(guest) == before


def test_a_click_on_an_old_page_is_not_made(guest: Client) -> None:
    click(guest, "on")
    click(guest, "on", number=0)  # the same click again
    assert data(guest)["panel"]["number"] == 2


def test_why_is_answered_by_the_rules(guest: Client) -> None:
    for _text in range(2):
        click(guest, "on")
    refused = guest.get(f"/learn/{FIRST}/why/?on=space-dudley-2").content.decode()
    assert "no coal" in refused.casefold()
    allowed = guest.get(f"/learn/{FIRST}/why/?on=do-loan-30").content.decode()
    assert "this step is about something else" in allowed


def test_back_and_start_again(guest: Client) -> None:
    for _click in range(4):
        step(guest)
    assert data(guest)["number"] == 4
    click(guest, "back", all="0")
    assert (data(guest)["number"], data(guest)["panel"]["awaits"]) == (3, "end")
    answer = guest.post(f"/learn/{FIRST}/back/", {"all": "1"})
    assert answer.headers["Location"] == f"/learn/{FIRST}/"
    assert data(guest)["number"] == 0


def test_a_lesson_is_resumed(guest: Client) -> None:
    for _click in range(5):
        step(guest)
    assert "Resume" in guest.get("/learn/").content.decode()
    page = guest.get(f"/learn/{FIRST}/").content.decode()
    assert "Your network" in page


def test_the_cookie_remembers_a_few_lessons_only(guest: Client) -> None:
    for lesson in lessons():
        step(guest, lesson)
    begun = guest.get("/learn.json").json()["games"]
    names = [row["id"] for game in begun for row in game["lessons"] if row["is_begun"]]
    assert sorted(names) == sorted([*lessons()][-progress.MOST :])


@pytest.mark.parametrize("code", LANGUAGES)
def test_lessons_speak_the_language_of_the_page(guest: Client, code: str) -> None:
    guest.post("/language/", {"code": code})
    lesson = lessons()[FIRST]
    assert lesson.title[code] in guest.get("/learn/").content.decode()
    assert lesson.steps[0].idea[code] in guest.get(f"/learn/{FIRST}/").content.decode()


def test_an_unknown_lesson_is_not_found(guest: Client) -> None:
    for address in ("/learn/nothing/", "/learn/nothing.json", f"/learn/{FIRST}/part/?drawer=x"):
        assert guest.get(address).status_code == 404


def test_a_drawer_opens(guest: Client) -> None:
    assert "<svg" in guest.get(f"/learn/{FIRST}/part/?drawer=mats").content.decode()


def test_texts_cannot_contain_markup() -> None:
    assert marked_up("a *good* <b>") == "a <b>good</b> &lt;b&gt;"


# --- what nobody may know ------------------------------------------------------------------------


def test_a_page_shows_the_learners_own_cards_only(guest: Client) -> None:
    """Rivals are scripted, but a lesson is shown as any table: from the view of one seat."""
    now = data(guest)
    for _click in range(MOST):
        if now["panel"]["awaits"] == "over":
            break
        page, now = step(guest), data(guest)
        own = {slug(card["name"]) for card in now["hand"]}
        assert set(re.findall(r'id="card-([\w-]+)"', page)) == own
        assert [player["hand"] for player in now["players"]] == [None, None]
        assert now["you"] == LEARNER


def test_an_english_text_stands_in_for_a_missing_one() -> None:
    assert in_language({"en": "Coal"}) == "Coal"
