"""A position being set up: what can be set up is, and everything wrong is named."""

from __future__ import annotations

import pytest

from brassmill import position
from brassmill.editions.edition import Edition
from brassmill.errors import InvalidPosition
from brassmill.position import draft_of, from_text
from support import kinds
from support.moments import at_an_action


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_position_of_a_game_is_the_same_as_a_draft(kind: Edition) -> None:
    game = at_an_action(kind, seed=3, choices=90)
    text = game.position_text(one_line=True)
    draft = draft_of(from_text(text))
    assert draft.problems == ()
    assert draft.state.tobytes() == game.state.tobytes()
    assert position.read(draft.mapping()).state.tobytes() == game.state.tobytes()
    assert draft_of(from_text(draft.text)).text == draft.text


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("birmingham 2 | Y: hand coal*9", ["Y.hand has 9 cards", "9 x coal are named"]),
        ("lancashire 4 | tiles: Y coal 2 Bury, Y cotton 1 Bury", ["Y has 2 tiles in Bury"]),
        ("classic 3 | round: rail 30 | Y: £-4", ["round is 30", "Y.cash is -4"]),
        ("birmingham 4 | tiles: R bre 1 Wol; Y coal 1 Oxford", ["no space of Wol", "Oxford"]),
        ("birmingham 4 | action: turn over", []),
        ("birmingham 4 | action: game over", ["rail era is still to come", "cards left to play"]),
    ],
)
def test_all_problems_are_named_and_the_rest_is_set_up(text: str, problems: list[str]) -> None:
    draft = draft_of(from_text(text))
    for words in problems:
        assert any(words in problem for problem in draft.problems), draft.problems
    assert bool(draft.problems) == bool(problems)
    again = draft_of(from_text(draft.text))
    assert again.text == draft.text
    assert draft_of(draft.mapping()).text == draft.text


def test_without_a_game_there_is_no_draft() -> None:
    for mapping in ({}, {"edition": "chess"}, {"edition": "classic", "players": 2}):
        with pytest.raises(InvalidPosition):
            draft_of(mapping)


def test_named_piles_stay_as_given() -> None:
    draft = draft_of(from_text("lancashire 2 | seed: 5 | deck: 7 | distant: 2 3"))
    assert draft.text.endswith("seed: 5 | deck: 7 | distant: 2 3")


@pytest.mark.parametrize("pile", ["hand", "discards"])
def test_far_too_many_cards_are_a_problem_like_any_other(pile: str) -> None:
    cards = ["coal"] * 4500  # the fields of a record count to 127
    given = {"Y": {"hand": cards}} if pile == "hand" else {"discards": cards}
    draft = draft_of({"edition": "birmingham", "players": 4, **given})
    assert any("4500" in problem or "x coal" in problem for problem in draft.problems)
    assert draft_of(from_text(draft.text)).text == draft.text
