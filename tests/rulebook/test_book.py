"""The rules in our own words: complete, in step with the code, and confirmed by the rules."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from brassmill.editions import EDITIONS
from brassmill.errors import BrassError
from brassmill.language import LANGUAGES, speaking
from brassmill.rulebook import Example, Rule, chapters, rules
from brassmill.rulebook.book import COTTON, FOLDER, NOTES, read_chapter
from brassmill.rulebook.comparison import comparison
from brassmill.rulebook.verdicts import ShownExample, case_of, shown
from brassmill.rules.reasons import Reason
from brassmill.scenario import read, run
from brassmill.words import RULES
from support.glossary import never_said

EXAMPLES = [example for rule in rules().values() for example in rule.examples]
FILES = sorted((FOLDER / "examples").glob("*.yaml"))
GROUND = {"canal": "/canal.svg", "rail": "/rail.svg"}
ROMAN_LEVELS = re.compile(r"\blevels? [1-9]\b|\bniveau [1-9]\b|\bLevel [1-9]\b")


def cases() -> list[tuple[Rule, Example, str]]:
    """All examples of all rules, in every game that they are about."""
    return [
        (rule, example, game)
        for rule in rules().values()
        for example in rule.examples
        for game in EDITIONS
        if case_of(example, game)
    ]


def show(example: Example, game: str) -> ShownExample:
    found = shown(example, game, GROUND)
    assert found is not None
    return found


# --- complete ------------------------------------------------------------------------------------


def test_every_reason_leads_to_a_rule_of_each_game_that_can_give_it() -> None:
    for reason, ids in RULES.items():
        for rule in ids.split(", "):
            assert rule in rules(), f"{reason} names {rule}"
    assert all(reason in Reason for reason in RULES)


def test_ids_and_anchors_are_unique() -> None:
    listed = [rule.id for chapter in chapters() for rule in chapter.rules]
    assert len(listed) == len(set(listed)) == len({rule.anchor for rule in rules().values()})


def test_every_game_has_every_chapter_it_needs() -> None:
    for game in EDITIONS:
        assert sum(bool(chapter.rules_of(game)) for chapter in chapters()) > 15
    assert not any("birmingham" in rules()[f"SELL-{n}"].games for n in range(1, 7))


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.anchor)
def test_a_rule_is_told_in_every_language_in_its_own_words(rule: Rule) -> None:
    texts = [rule.text, *rule.notes.values(), *([rule.title] if rule.title else [])]
    for text in texts:
        assert set(text) == set(LANGUAGES) and all(words.strip() for words in text.values())
        assert len(text["en"]) < 25 or len(set(text.values())) == len(LANGUAGES), text["en"]
        assert not any(ROMAN_LEVELS.search(words) for words in text.values() if "pas" not in words)
    for key in rule.notes:
        assert set(NOTES[key]) & set(rule.games), f"{rule.id} has a note for {key} only"


def test_rules_use_the_words_of_the_rulebooks() -> None:
    for chapter in chapters():
        texts = [chapter.title]
        for rule in chapter.rules:
            texts += [rule.text, *rule.notes.values(), *([rule.title] if rule.title else [])]
            texts += [example.title for example in rule.examples]
        for text in texts:
            assert [never_said(words, code) for code, words in text.items()] == [[]] * len(text)
    for code in LANGUAGES:
        with speaking(code):
            for row in comparison():
                assert not any(never_said(cell, code) for cell in row.cells.values())


def test_rules_with_pictures_cover_the_actions() -> None:
    shown_by = {rule.id.partition("-")[0] for rule, _example, _game in cases()}
    wanted = {"NET", "BLD", "OVR", "COAL", "IRON", "MKT", "LNK", "SELL", "SELC", "DEV", "LOAN"}
    assert wanted | {"SCO", "DEBT", "WILD", "SCT", "FARM", "6.2", "6.3"} <= shown_by


def test_every_reason_of_the_main_actions_is_shown_somewhere() -> None:
    tried = {
        step["reason"]
        for path in FILES
        for case in read(path).cases
        for step in case.steps
        if "reason" in step
    }
    assert len(tried) >= 25


def test_a_missing_language_is_an_error_that_names_the_rule(tmp_path: Path) -> None:
    file = tmp_path / "01.toml"
    file.write_text(
        'title = {en = "a", de = "b", fr = "c"}\n[[rule]]\nid = "T-1"\nen = "x"\nde = "y"\n'
    )
    with pytest.raises(BrassError, match=r"01\.toml, T-1: no text for fr"):
        read_chapter(file)
    file.write_text(file.read_text() + 'fr = "z"\ncolour = "red"\n')
    with pytest.raises(BrassError, match="unknown key 'colour'"):
        read_chapter(file)
    file.write_text("title = {")
    with pytest.raises(BrassError, match=r"01\.toml"):
        read_chapter(file)


# --- examples ------------------------------------------------------------------------------------


def test_every_file_is_used_and_named_after_its_scenario() -> None:
    used = [example.scenario for example in EXAMPLES]
    assert sorted(used) == [path.stem for path in FILES]
    assert all(read(path).id == path.stem for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_rules_confirm_an_example(path: Path) -> None:
    for case in read(path).cases:
        assert not run(case)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_names_the_rules_it_shows(path: Path) -> None:
    named = read(path).rules
    shown_at = [rule for rule in rules().values() for e in rule.examples if e.scenario == path.stem]
    assert shown_at[0].id in named and set(named) <= set(rules())
    assert set(read(path).editions) <= set(shown_at[0].games)


def test_verdicts_say_what_the_scenario_says() -> None:
    for rule, example, game in cases():
        case = case_of(example, game)
        assert case is not None
        told = show(example, game).verdicts
        steps = [step for step in case.steps if step.get("do") != "end round"]
        assert [verdict.allowed for verdict in told] == ["try" not in step for step in steps]
        refused = [verdict for verdict in told if not verdict.allowed]
        assert all(verdict.words and verdict.rules for verdict in refused), rule.id
        assert all(game in rules()[name].games for one in refused for name in one.rules)


def test_examples_are_told_in_every_language() -> None:
    _rule, example, game = next(row for row in cases() if row[1].scenario == "nearest-cotton")
    texts = {}
    for code in LANGUAGES:
        with speaking(code):
            texts[code] = show(example, game)
    assert len({text.title for text in texts.values()}) == len(LANGUAGES)
    assert len({text.verdicts[0].words for text in texts.values()}) == len(LANGUAGES)
    assert texts["en"].verdicts[0].action == (
        "Build: cotton mill in Oldham · Card: Oldham · coal from Bury"
    )


def test_a_picture_shows_where_it_happens_and_has_a_label() -> None:
    example = next(example for example in EXAMPLES if example.scenario == "nearest-cotton")
    picture = show(example, "classic").pictures[0]
    assert 'role="img"' in picture and ' id="' not in picture
    label = unescape(re.findall(r'aria-label="([^"]*)"', picture)[0])
    assert "Build: cotton mill in Oldham" in label
    assert picture.count("verdict allowed") == picture.count("verdict refused") == 1
    assert 'href="/canal.svg"' in picture
    assert "Birkenhead" not in picture  # only what is near
    assert shown(example, "birmingham", GROUND) is None


# --- side by side --------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_games_side_by_side(code: str) -> None:
    with speaking(code):
        rows = comparison()
    assert all(set(row.cells) == set(EDITIONS) for row in rows)
    assert all(rule in rules() for row in rows for rule in row.rules)
    assert all("{" not in cell for row in rows for cell in row.cells.values())
    differing = [row for row in rows if len(set(row.cells.values())) > 1]
    assert differing == rows, "only what differs is compared"
    cash = next(row for row in rows if row.title["en"] == "Money at the start").cells
    assert "17" in cash["birmingham"] and "30" in cash["classic"]
    assert COTTON == ("classic", "lancashire")
