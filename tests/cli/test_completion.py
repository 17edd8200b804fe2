"""What Tab suggests: everything legal, in the player's language."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill.cli.commands import COMMANDS
from brassmill.cli.completion import suggestions
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from support.kinds import PLAIN, play_at_random


def texts(game: Game, line: str) -> list[str]:
    return [suggestion.text for suggestion in suggestions(game.engine, line)]


@pytest.fixture
def game() -> Game:
    game = Game("birmingham", seed=5)
    while game.seat != 0:
        game.play("pass; card " + next(iter(game.view(game.seat).hand or {})))
    return game


@settings(max_examples=40)
@given(st.sampled_from(PLAIN), st.randoms(use_true_random=False), st.integers(0, 200))
def test_every_action_can_be_typed_with_tab(edition: Edition, rng: Random, moves: int) -> None:
    game = Game(edition, seed=rng.getrandbits(32))
    play_at_random(game, rng, moves)
    actions = [] if game.over else list(game.legal_actions())
    for action in rng.sample(actions, min(3, len(actions))):
        for language in LANGUAGES:
            with speaking(language):
                can_be_typed(game, action.text_in(language))


def test_a_buying_merchant_is_suggested_by_its_place() -> None:
    game = Game("birmingham", players=3, seed=50)
    play_at_random(game, Random(50), 60)
    sale = next(action for action in game.legal_actions() if " > " in str(action))
    for language in LANGUAGES:
        with speaking(language):
            can_be_typed(game, sale.text_in(language))


def test_the_second_of_two_cards_is_suggested_even_if_one_is_enough() -> None:
    game = Game("classic", players=3, seed=41)
    play_at_random(game, Random(41), 101)
    assert "Lancaster" in texts(game, "build iron Bolton; cards Bolton, ")


def test_a_place_whose_name_begins_with_an_article_is_suggested() -> None:
    game = Game("lancashire", players=3, seed=35)
    play_at_random(game, Random(35), 30)
    for typed in ("t", "th", "the", "The"):
        assert texts(game, f"link {typed}") == ["The Midlands-Northwich"]
    assert texts(game, "link The ") == ["Midlands-Northwich"]


def test_and_can_be_typed_in_any_language() -> None:
    game = Game("lancashire", players=3, seed=1)
    assert texts(game, "build coal Warrington &") == ["& Runcorn"]
    assert texts(game, "build coal Warrington and") == ["& Runcorn"]
    assert texts(game, "build coal Warrington und R") == ["Runcorn"]


def can_be_typed(game: Game, text: str) -> None:
    """At each of its words, the continuation is suggested."""
    for place in (found.start() for found in re.finditer(r"(?<=\s)[^\s>&]", text)):
        rest = text[place:]
        word = re.split(r"[\s,;]", rest)[0]
        found = texts(game, text[:place])
        assert any(rest.startswith(way) or way.startswith(word) for way in found), (
            text[:place],
            rest,
            found,
        )


def test_illegal_choices_are_not_suggested(game: Game) -> None:
    assert "iron" not in texts(game, "build ")  # no coal for it anywhere
    assert texts(game, "build coal Bel") == ["Belper"]
    assert texts(game, "build coal Belper; card ") == ["Belper"]
    assert "Leek" not in texts(game, "build coal ")


def test_words_before_the_last_may_be_shortened(game: Game) -> None:
    assert texts(game, "bu coa Bel") == ["Belper"]
    assert texts(game, "lin leek-") == ["Leek-Stoke-on-Trent"]


def test_an_answer_may_leave_out_its_verb(game: Game) -> None:
    game.choose("link Leek-Stoke; ...")
    assert texts(game, "Bir") == ["Birmingham"]
    assert texts(game, "card Bir") == ["Birmingham"]


def test_answers_are_suggested_from_the_list_shown(game: Game) -> None:
    shown = ["coal Stone; card Stone", "coal Belper; card Belper"]
    found = [each.text for each in suggestions(game.engine, "Sto", shown)]
    assert found == ["Stone"]
    assert "coal Belper; card Belper" in [s.text for s in suggestions(game.engine, "co", shown)]


def test_a_second_target_follows_a_comma(game: Game) -> None:
    assert "coal" in texts(game, "develop iron, ")
    assert "Derby" in texts(game, "scout; cards Belper, ")


def test_commands_and_what_follows_them(game: Game) -> None:
    assert {command.en for command in COMMANDS} - {"help"} <= set(texts(game, ""))
    assert texts(game, "wh") == ["why"]
    assert "Coalbrookdale 1" in texts(game, "why build iron ")  # `why` takes anything
    assert texts(game, "bill build coal Bel") == ["Belper"]
    assert "Belper" in texts(game, "list Bel")
    assert texts(game, "undo ") == []


def test_suggestions_are_in_the_language_and_english_helps_out(game: Game) -> None:
    with speaking("de"):
        assert texts(game, "baue K") == ["Kohle"]
        assert "zurück" in texts(game, "z")
        assert "coal" in texts(game, "build c")
        assert texts(game, "warum verbinde Leek-S") == ["Leek-Stoke-on-Trent"]
    with speaking("fr"):
        assert texts(game, "construire char") == ["charbon"]
        assert "annuler" in texts(game, "an")


@pytest.mark.parametrize(
    "line", ["zzz", "build zzz; ", ";;", "build coal Belper; card Belper; ", ">"]
)
def test_nonsense_gets_no_suggestions(game: Game, line: str) -> None:
    assert texts(game, line) == []
