"""Every lesson against the rules, and what a lesson file must contain."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brassmill.cli.main import main
from brassmill.errors import BrassError
from brassmill.language import LANGUAGES, in_language, speaking
from brassmill.lessons import CONTINUE, END_TURN, FOLDER, Run, lessons, problems_of, read
from brassmill.lessons.lesson import Lesson
from brassmill.play.session import HistoryPart
from brassmill.scenario import BadScenario
from support.glossary import never_said
from support.paths import ROOT

EDITIONS = ("birmingham", "classic", "lancashire")


@pytest.mark.parametrize("lesson", lessons())
def test_every_lesson_follows_the_rules(lesson: str) -> None:
    """Whatever is lit is legal and solves its step, and every refusal named is the real one."""
    assert problems_of(lessons()[lesson]) == []


def test_every_game_has_a_first_game_of_six_to_eight_turns() -> None:
    for edition in EDITIONS:
        turns = sum(1 for _turn in turns_of(lessons()[f"{edition}-first"]))
        assert 6 <= turns <= 8


def turns_of(lesson: Lesson) -> list[int]:
    """The steps after which the learner ends a turn."""
    run, ended = Run(lesson, part=HistoryPart), []
    while not run.is_over:
        if run.awaits == "end":
            ended.append(run.number)
            run = run.after(END_TURN)
        else:
            run = run.after(run.ways[0] if run.awaits == "choose" else CONTINUE)
    return ended


def test_texts_are_short_enough_to_read_beside_a_map() -> None:
    for lesson in lessons().values():
        for step in lesson.steps:
            for text in (step.say, step.after, step.nudge):
                for code in LANGUAGES:
                    assert len(text.get(code, "").split()) <= 75, f"{lesson.path}:{step.line}"


def test_french_has_its_spaces() -> None:
    for lesson in lessons().values():
        for step in lesson.steps:
            for text in (step.idea, step.say, step.after, step.nudge):
                words = text.get("fr", "")
                assert not any(f" {sign}" in words for sign in ":;!?»£"), (
                    f"{lesson.path}:{step.line}"
                )
                assert "'" not in words


def test_lessons_use_the_words_of_the_rulebooks() -> None:
    for lesson in lessons().values():
        texts = [lesson.title, lesson.about]
        for step in lesson.steps:
            texts += [step.idea, step.say, step.after, step.nudge]
        for text in texts:
            assert [never_said(words, code) for code, words in text.items()] == [[]] * len(text)


# --- playing -------------------------------------------------------------------------------------


def test_only_what_a_step_is_about_can_be_done() -> None:
    run = at_step("birmingham-first", 2)
    assert [str(choice) for choice in run.game.legal_choices() if choice.id in run.lit] == [
        "build coal Dudley"
    ]
    other = next(choice.id for choice in run.game.legal_choices() if choice.id not in run.lit)
    for click in ((other,), CONTINUE, END_TURN):
        with pytest.raises(BrassError):
            run.after(click)


def test_cards_that_a_later_step_needs_are_kept() -> None:
    run = at_step("birmingham-first", 4)
    run = run.after(run.lit)
    assert run.game.question == "card"
    open_cards = {str(choice) for choice in run.game.legal_choices()}
    lit = {str(choice) for choice in run.game.legal_choices() if choice.id in run.lit}
    assert open_cards - lit == {"card Birmingham", "card Wolverhampton", "card brewery"}


def test_clicks_of_an_older_version_are_replayed_as_far_as_they_fit() -> None:
    lesson = lessons()["birmingham-first"]
    run = Run(lesson, [CONTINUE, CONTINUE, (3,), CONTINUE], part=HistoryPart)
    assert (run.number, run.clicks) == (2, [CONTINUE, CONTINUE])


def test_the_history_says_which_round_it_is() -> None:
    """Also where a lesson continues from another position."""
    rounds = [
        (event.era, event.round)
        for part in at_step("birmingham-first", 14).session.history
        for event in part.events
        if event.kind == "round_began"
    ]
    assert (rounds[0], rounds[-1]) == (("canal", 1), ("canal", 10))


def at_step(name: str, number: int) -> Run[HistoryPart]:
    run = Run(lessons()[name], part=HistoryPart)
    while run.number < number:
        awaits = {"continue": CONTINUE, "end": END_TURN}
        run = run.after(awaits[run.awaits] if run.awaits in awaits else run.ways[0])
    return run


# --- files ---------------------------------------------------------------------------------------

LESSON = """\
id: example
number: 9
title: {en: Example, de: Beispiel, fr: Exemple}
about: {en: A mine., de: Eine Zeche., fr: Une mine.}
editions: [birmingham]
players: 2
rivals: [Watt]
position:
  order: [Y, R]
  Y: {hand: [Dudley, coal, iron, Worcester, Coventry, Coventry, pottery, brewery]}
steps:
  - say: {en: Build a mine., de: Baue eine Zeche., fr: Construisez une mine.}
    do: build coal Dudley; card Dudley
    nudge: {en: In Dudley., de: In Dudley., fr: À Dudley.}
    refused:
      - {try: build iron Dudley, reason: NO_COAL_IN_REACH}
    then: {Y: {cash: 12}}
    score: {Y: {links: 0}}
    rivals:
      - R: pass
  - say: {en: Well done., de: Gut gemacht., fr: Bravo.}
"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write the example with one change."""

    def write(old: str = "", new: str = "") -> Path:
        assert old in LESSON
        path = tmp_path / "example.yaml"
        path.write_text(LESSON.replace(old, new, 1), encoding="utf-8")
        return path

    return write


def test_the_example_is_sound(written: Callable[..., Path]) -> None:
    (lesson,) = read(written())
    assert lesson.id == "birmingham-example"
    assert problems_of(lesson) == []
    with speaking("de"):
        assert in_language(lesson.title) == "Beispiel"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("build coal Dudley; card Dudley", "build cotton Leek", "nothing solves this step"),
        ("NO_COAL_IN_REACH", "CANNOT_AFFORD", "expected CANNOT_AFFORD, got NO_COAL_IN_REACH"),
        ("try: build iron Dudley", "try: build coal Dudley", "got it is legal"),
        ("cash: 12", "cash: 13", "Y.cash expected 13, got 12"),
        ("links: 0", "links: 4", "links expected 4"),
        ("R: pass", "Y: pass", "it is not the turn of Y"),
        ("R: pass", "R: link Dudley-Leek", "Dudley-Leek"),
        (", fr: À Dudley.", "", "a text is missing in fr"),
        ("    nudge: {en: In Dudley., de: In Dudley., fr: À Dudley.}\n", "", "no nudge"),
    ],
)
def test_a_check_finds_what_is_wrong(
    written: Callable[..., Path], old: str, new: str, words: str
) -> None:
    (lesson,) = read(written(old, new))
    assert words in "\n".join(problems_of(lesson))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("id: example\n", "", "1: 'id' is missing"),
        ("players: 2", "players: two", "6: 'players' must be a number, not 'two'"),
        ("[birmingham]", "[manchester]", "5: "),
        ("rivals: [Watt]", "rivals: [Watt, Boulton]", "7: 1 rivals need a name each"),
        ("NO_COAL_IN_REACH", "TOO_DARK", "there is no reason 'TOO_DARK'"),
        ("    nudge", "    hint", "14: a step has no key 'hint'"),
        ("{en: Well done., de", "{es: Bien., de", "'say' needs 'en: ...'"),
        ("    do: build coal Dudley; card Dudley\n", "", "'nudge' needs something to 'do'"),
        ("fr: Bravo.}", "fr: Bravo.}\n    do: pass", "the last step only says something"),
        ("fr: Bravo.}", "fr: Bravo.}\n    show: [sky]", "unknown part 'sky'"),
    ],
)
def test_a_file_that_is_no_lesson_is_refused_with_its_line(
    written: Callable[..., Path], old: str, new: str, words: str
) -> None:
    with pytest.raises(BadScenario, match=re.escape(words)):
        read(written(old, new))


def test_all_files_are_lessons() -> None:
    assert {path.suffix for path in FOLDER.iterdir()} == {".yaml"}


def test_the_example_of_the_docs_is_sound(tmp_path: Path) -> None:
    page = (ROOT / "docs/formats/lessons.md").read_text(encoding="utf-8")
    example = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert example
    path = tmp_path / "example.yaml"
    path.write_text(example[1], encoding="utf-8")
    (lesson,) = read(path)
    assert problems_of(lesson) == []


# --- brass lessons -------------------------------------------------------------------------------


def brass(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], env={"LANGUAGE": "en"})


def test_the_command_lists_the_lessons() -> None:
    assert "birmingham-first  My first game" in brass("lessons").output


def test_the_command_checks_files(written: Callable[..., Path]) -> None:
    good = brass("lessons", written())
    assert (good.exit_code, good.output) == (0, "birmingham-example: 2 steps, no problems\n")
    bad = brass("lessons", written("cash: 12", "cash: 13"))
    assert bad.exit_code == 1
    assert "Y.cash expected 13, got 12" in bad.output
    unreadable = brass("lessons", written("id: example\n", ""))
    assert unreadable.exit_code == 1
    assert "'id' is missing" in unreadable.output
