"""Refusals in words: what is missing, what would help, in the language of the reader."""

from __future__ import annotations

from itertools import product

import pytest

from brassmill.errors import IllegalAction
from brassmill.game import Game
from brassmill.language import (
    LANGUAGES,
    speaking,
)
from brassmill.rules.reasons import Reason
from brassmill.words import (
    PARTS,
    SPECIAL,
    refusal_of_nothing,
    refusal_of_rest,
)
from words.test_words import check


def test_a_refusal_is_in_the_language_of_its_reader() -> None:
    game = Game("lancashire", seed=1)
    why = game.why_not("link Bolton-Bury")
    assert why is not None
    english = why.words
    with speaking("de"):
        german = why.words
        assert str(why) == german
        with pytest.raises(IllegalAction, match="Netzwerk"):
            game.play("link Bolton-Bury; card Bolton")
    with speaking("fr"):
        assert "Réseau" in why.words
    assert "network" in english
    assert "Netzwerk" in german
    assert why.words == english


def test_a_refusal_names_what_would_help() -> None:
    position = {
        "edition": "lancashire",
        "era": "rail",
        "round": "2",
        "tiles": ["Y port 2 Preston", "R coal 2 Bury (1)"],
        "links": ["Y Oldham-Rochdale"],
        "Y": {"cash": "30", "hand": ["Oldham", "cotton"], "mat": {"cotton": "2 x3"}},
    }
    why = Game.from_position(position).why_not("build cotton Oldham")
    assert why is not None
    assert why.words == (
        "Oldham: no coal available. Oldham must be connected to a coal mine with coal, a port,"
        " Scotland, Yorkshire or The Midlands."
    )


@pytest.mark.parametrize(
    ("text", "cash", "words"),
    [
        ("build coal Cannock", "2", "you need £3 more (you have £2)."),
        (
            "build pottery Stafford",
            "16",
            "you need £3 more (it costs £19 including iron, and you have £16).",
        ),
    ],
)
def test_a_price_is_refused_with_the_money_that_is_missing(
    text: str, cash: str, words: str
) -> None:
    hand = ["Cannock", "Stafford"]
    position = {"edition": "birmingham", "Y": {"cash": cash, "hand": hand}}
    why = Game.from_position(position).why_not(text)
    assert why is not None
    assert why.words == f"{text}: {words}"


def test_a_player_with_nothing_on_the_map_is_advised_to_build_first() -> None:
    why = Game("lancashire", players=2, seed=1).why_not("link Blackburn-Burnley")
    assert why is not None and "Build a tile first" in why.words


def test_unknown_names_are_refused_in_every_language() -> None:
    game = Game("birmingham", seed=1)
    for code in LANGUAGES:
        with speaking(code):
            for reason in {reason for reason, situation in SPECIAL if situation == ""}:
                for place, industry in product((None, 1), (None, *game.edition.industries)):
                    why = refusal_of_nothing(game.engine, reason, place, None, industry)
                    check(game.edition, why.words, code)
            for part in PARTS:
                check(game.edition, refusal_of_rest(part).words, code)


MILL_AT_OLDHAM = {
    "edition": "lancashire",
    "round": "2",
    "tiles": ["Y cotton 1 Oldham", "R cotton 1 Bury", "R coal 1 Wigan (2)"],
    "Y": {"cash": "30"},
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "build iron Oldham",
            "Oldham has no space for an iron works; it takes cotton mills and coal mines.",
        ),
        (
            "build iron Preston 1",
            "That space in Preston is not for an iron works; it takes ports.",
        ),
        (
            "sell cotton Bolton",
            "You have no cotton mill to sell in Bolton. Not sold yet: Oldham.",
        ),
        ("sell Colne", "You have nothing to sell in Colne. Not sold yet: Oldham."),
        ("sell cotton Bury", "Bury: the cotton mill is R's. You can sell only your own tiles."),
        (
            "sell coal Wigan",
            "You do not sell coal mines: they flip when their coal is used up.",
        ),
        ("sell port", "You do not sell ports: they flip when cotton is sold through them."),
        ("sell shipyard Barrow", "You do not sell shipyards: they flip as soon as they are built."),
        (
            "develop cotton; iron Oldham",
            "Oldham has no iron works with iron. Iron comes from any iron works, and from the"
            " market only if none has iron.",
        ),
    ],
)
def test_a_refusal_names_what_was_asked_for(text: str, words: str) -> None:
    why = Game.from_position(MILL_AT_OLDHAM).why_not(text)
    assert why is not None
    assert why.words == words
    assert why.rule


def test_a_sale_without_a_tile_says_which_goods() -> None:
    sold = {
        "lancashire": "cotton mills",
        "birmingham": "cotton mills, manufacturers and potteries",
    }
    for name, industries in sold.items():
        assert str(Game(name, seed=1).why_not("sell")) == (
            f"You have nothing to sell on the board. You can sell: {industries}."
        )


def test_an_invalid_port_is_refused_with_the_ports_that_buy() -> None:
    position = {
        "edition": "lancashire",
        "round": "2",
        "tiles": ["Y cotton 1 Preston 2", "R port 1 Preston 1"],
        "links": ["Y Lancaster-Preston"],
        "Y": {"cash": "30"},
    }
    game = Game.from_position(position)
    assert str(game.why_not("sell cotton Preston > port Lancaster")) == (
        "Lancaster has no port. Choose from: Preston."
    )


def test_the_text_before_a_refusal_uses_the_colon_of_the_language() -> None:
    game = Game("lancashire", seed=1)
    with speaking("fr"), pytest.raises(IllegalAction, match=r"^vendre\xa0: Vous"):
        game.play("vendre")
    with pytest.raises(IllegalAction, match=r"^sell: You"):
        game.play("sell")
    # It is named only once.
    with pytest.raises(IllegalAction, match=r"^Bolton-Bury is not connected"):
        game.play("link bolton-bury")


def test_the_market_is_refused_with_the_names_of_available_sources() -> None:
    position = {
        "edition": "lancashire",
        "tiles": ["Y iron 1 Bolton (4)", "R iron 1 Preston (4)"],
        "round": "2",
        "Y": {"cash": "30"},
    }
    why = Game.from_position(position).why_not("develop cotton; iron market")
    assert why is not None
    assert why.reason == Reason.NO_IRON_WORKS
    assert "Bolton" in why.words and "Preston" in why.words
