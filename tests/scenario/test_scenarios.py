"""Every scenario file, and the machine that runs them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from brassmill.cli.scenario import scenario as command
from brassmill.scenario import BadScenario, Case, find, read, run
from support.paths import SCENARIOS

FOLDER = SCENARIOS
CASES = [case for path in find([FOLDER]) for case in read(path).cases]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_scenario(case: Case) -> None:
    failures = run(case)
    assert not failures, "\n" + "\n".join(map(str, failures))


def test_every_example_of_the_rules_is_there() -> None:
    numbers = {"G": 36, "L": 49, "B": 51}
    wanted = {f"{letter}-{n:02}" for letter, count in numbers.items() for n in range(1, count + 1)}
    assert wanted <= {case.scenario for case in CASES}


# --- the machine ---------------------------------------------------------------------------------

HEAD = "id: T\ntitle: t\neditions: [classic]\n"
GOOD = """
id: T-1
title: A test
rules: [BLD-1]
editions: [lancashire]
position:
  round: 2
  tiles: [R coal 1 Manchester (2)]
  Y: {cash: 30, hand: [Manchester, Bury]}
steps:
"""


def write(folder: Path, text: str, name: str = "test.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, steps: str) -> list[str]:
    """What fails when these steps are run in the position above."""
    indented = "\n".join(f"  {line}" for line in steps.strip().splitlines())
    found = read(write(folder, GOOD + indented))
    return [words for case in found.cases for failure in run(case) for words in failure.problems]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        # Right steps.
        ("- do: build iron Manchester; card Manchester\n  then: {Y: {cash: 25, spent: +5}}", ""),
        ("- legal: build iron\n  exactly: [Manchester]", ""),
        ("- legal: build\n  card: Manchester\n  includes: [iron Manchester, coal Manchester]", ""),
        ("- legal: build\n  card: Bury\n  excludes: [iron Manchester]", ""),
        ("- legal: actions\n  exactly: [build, develop, loan, pass]", ""),
        ("- legal: loan\n  exactly: [10, 20, 30]", ""),
        ("- expect: {tiles: [R coal 1 Manchester], free: [Bury-Manchester], deck: 24}", ""),
        ("- try: link Bury-Manchester; card Bury\n  reason: NOT_IN_NETWORK", ""),
        ("- do: pass; card Bury\n  then: {actions left: 1, discards: {Bury: +1}}", ""),
        ("- do: end turn\n  then: {to move: R, Y: {cards: 8}}", ""),
        ("- do: end round\n  then: {round: 3, to move: Y}", ""),
        ("- do: end era\n  then: {era: rail, round: 1}", ""),
        ("- do: build iron Manchester; cards Bury, Manchester\n  then: {actions left: 0}", ""),
        ("- score: {R: {links: 0, tiles: 0}}", ""),
        ("- legal: sell\n  exactly: []", ""),
        ("- expect: {Y: {points: {canal: {tiles: 0}}}}", ""),
        # Wrong steps, each with what is said about it.
        (
            "- do: build iron Manchester; card Manchester\n  then: {Y: {cash: 24}}",
            "Y.cash expected 24, got 25",
        ),
        (
            "- do: build iron Manchester; card Manchester\n  then: {Y: {cash: +1}}",
            "Y.cash expected +1, got -5 (now 25)",
        ),
        (
            "- do: build iron Manchester; card Bury, Manchester\n"
            "  then: {tiles: [R coal 1 Manchester (2)]}",
            "tiles expected R coal 1 Manchester (2), got R coal 1 Manchester",
        ),
        ("- do: build iron Colne; card Bury", "expected to be legal, got"),
        ("- do: build iron Atlantis; card Bury", "Atlantis"),
        ("- try: pass; card Bury\n  reason: NOT_IN_HAND", "expected NOT_IN_HAND, got: it is legal"),
        (
            "- try: pass; card Colne\n  reason: NOT_IN_NETWORK",
            "expected NOT_IN_NETWORK, got NOT_IN_HAND",
        ),
        ("- try: pass; card Colne\n  reason: BAD_LUCK", "no reason 'BAD_LUCK'"),
        ("- legal: loan\n  exactly: [10, 20]", "expected [10, 20], got [10, 20, 30]"),
        ("- legal: loan\n  excludes: [10]", "excludes: expected [10]"),
        ("- legal: build coal\n  exactly: [Colne]", "exactly: expected [Colne]"),
        ("- legal: coal\n  exactly: [Bury]", "expected the question coal, got action"),
        ("- legal: weather\n  exactly: []", "unknown question 'weather'"),
        ("- legal: loan", "needs one of"),
        ("- expect: {mood: good}", "unknown check 'mood'"),
        ("- expect: {Y: {mood: good}}", "no check 'mood'"),
        ("- expect: {Y: {cash: +1}}", "nothing was done"),
        ("- expect: {distance: {Bury-Manchester: 1}}", "expected 1, got none"),
        ("- expect: {Y: {mat: {cotton: 2}}}", "Y.mat.cotton expected 2, got 1"),
        ("- expect: {winner: [Y]}", "the game is not over"),
        ("- score: {R: {links: 3}}", "score.R.links expected 3, got 0"),
        ("- score: {R: {luck: 3}}", "score.R has no source 'luck'"),
        ("- score: {R: {links: many}}", "'many' is not a number"),
        ("- expect: {Y: {points: {canal: {links: 2}}}}", "Y.points.canal.links expected 2, got 0"),
        ("- expect: {barrels: 3}", "lancashire has no merchants"),
        ("- dance: yes", "a step is one of do, try"),
        ("- do: pass; card Bury\n  reason: OK", "has no 'reason'"),
    ],
)
def test_steps(tmp_path: Path, steps: str, words: str) -> None:
    found = problems(tmp_path, steps)
    if words:
        assert any(words in problem for problem in found), found
    else:
        assert found == []


def test_failure_shows_position_step_expected_and_got(tmp_path: Path) -> None:
    path = write(tmp_path, f"{GOOD}  - do: loan 10; card Bury\n    then: {{Y: {{cash: 41}}}}\n")
    (failure,) = run(read(path).cases[0])
    text = str(failure)
    assert f"{path}:11" in text
    assert "step: do: loan 10; card Bury" in text
    assert "Y.cash expected 41, got 40" in text
    assert "- R coal 1 Manchester 1 (2)" in text


@pytest.mark.parametrize(
    "step", ["expect: {Y: {cash: 41}, deck: 3}", "score: {R: {links: 3}}", "legal: loan"]
)
def test_every_failure_shows_its_step(tmp_path: Path, step: str) -> None:
    (failure,) = run(read(write(tmp_path, f"{GOOD}  - {step}\n")).cases[0])
    assert f"step: {step}" in str(failure)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id: T\ntitle: a: b\n", ":2: "),
        ("id: T\nid: U\n", "a second time"),
        ("- a\n- b\n", "a scenario is a mapping"),
        ("id: T\ntitle: t\neditions: [classic]\n", "either 'steps' or 'refused'"),
        ("id: T\ntitle: t\nsteps: []\n", "'editions' is missing"),
        ("id: T\ntitle: t\neditions: [classic]\nsteps: []\n", "there are no steps"),
        ("id: T\ntitle: t\neditions: [classic]\nstep: []\n", ":4: a scenario has no key 'step'"),
        (f"{GOOD}  - do: pass\ncases: []\n", "either 'cases' or 'steps'"),
        (f"{GOOD}  do: pass\n", "must be a list"),
        # What says nothing would always hold.
        (f"{HEAD}players: []\nsteps: [{{do: pass}}]\n", ":4: there are no players"),
        (f"{HEAD}cases: []\n", ":4: there are no cases"),
        (f"{HEAD}cases: [{{steps: []}}]\n", ":4: there are no steps"),
        (f"{HEAD}refused: []\n", ":4: 'refused' needs a text"),
        (f"{HEAD}refused:\n", ":4: 'refused' needs a text"),
        (f"{HEAD}refused: ['']\n", ":4: 'refused' needs a text"),
        (f"{GOOD}  - expect: {{}}\n", ":11: 'expect' says nothing"),
        (f"{GOOD}  - expect:\n", ":11: 'expect' says nothing"),
        (f"{GOOD}  - expect: {{Y: {{}}}}\n", "'expect' says nothing"),
        (f"{GOOD}  - expect: {{tiles: []}}\n", "'expect' says nothing"),
        (f"{GOOD}  - score: {{}}\n", "'score' says nothing"),
        (f"{GOOD}  - score: {{Y: {{}}}}\n", "'score' says nothing"),
        (f"{GOOD}  - do: pass\n    then: {{}}\n", ":12: 'then' says nothing"),
        (f"{GOOD}  - legal: build\n    includes: []\n", "'includes' says nothing"),
        (f"{GOOD}  - legal: build\n    excludes: []\n", "'excludes' says nothing"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadScenario) as caught:
        read(write(tmp_path, text))
    assert words in str(caught.value)


def test_editions_players_and_cases_are_multiplied(tmp_path: Path) -> None:
    text = """
id: T-2
title: Many
editions: [classic, {lancashire: {virtual_link: yes}}]
players: [3, 4]
position: {round: 2, Y: {cash: 5, hand: [Bury]}}
cases:
  - {name: a, position: {Y: {cash: 6}}, steps: [{expect: {Y: {cash: 6, cards: 1}}}]}
  - {name: b, editions: [birmingham], players: 2, position: {Y: {hand: [coal]}},
     steps: [{expect: {Y: {cash: 5}, aside: 2}}]}
  - {name: c, editions: [classic], players: 2, refused: [3 or 4]}
  - {name: d, editions: [{lancashire: {community_2p: yes}}], players: 2,
     steps: [{expect: {round: 2}}]}
"""
    found = read(write(tmp_path, text))
    assert [str(case) for case in found.cases] == [
        "T-2 a [classic 3p]",
        "T-2 a [classic 4p]",
        "T-2 a [lancashire virtual_link=yes 3p]",
        "T-2 a [lancashire virtual_link=yes 4p]",
        "T-2 b [birmingham 2p]",
        "T-2 c [classic 2p]",
        "T-2 d [lancashire community_2p=yes 2p]",
    ]
    assert [run(case) for case in found.cases] == [[]] * 7


def test_command(tmp_path: Path) -> None:
    runner = CliRunner()
    good = write(tmp_path, f"{GOOD}  - do: loan 10; card Bury\n")
    result = runner.invoke(command, [str(good)])
    assert result.exit_code == 0
    assert "1 passed, 0 failed" in result.output
    write(tmp_path, f"{GOOD}  - do: loan 11; card Bury\n", "wrong.yaml")
    result = runner.invoke(command, [str(tmp_path)])
    assert result.exit_code == 1
    assert "1 passed, 1 failed" in result.output
    result = runner.invoke(command, ["--list", str(tmp_path)])
    assert result.exit_code == 0
    assert "T-1  A test  (lancashire; BLD-1)" in result.output
    write(tmp_path, "id: [", "bad.yaml")
    result = runner.invoke(command, [str(tmp_path)])
    assert result.exit_code == 1
    assert "bad.yaml" in result.output
    (tmp_path / "empty").mkdir()
    result = runner.invoke(command, [str(tmp_path / "empty")])
    assert result.exit_code == 1
    assert "no scenario found" in result.output
