"""A card chosen first: the rules decide what it can be used for, and using it is one move."""

from __future__ import annotations

import pytest

from brassmill.core.choice import MEANING, NUMBER
from brassmill.editions import Edition
from brassmill.errors import IllegalAction
from brassmill.game import Game
from brassmill.play.held import (
    can_use,
    forced_wild,
    needs_two_cards,
    uses_of,
    why_not_with,
    with_card,
)
from brassmill.play.offers import offers
from support.clicks import moments
from support.kinds import EACH

WILD_ONLY = {  # nothing but the wild location card allows the brewery in Uttoxeter
    "edition": "birmingham",
    "to move": "Y",
    "Y": {"cash": "40", "hand": ["wild location", "pottery"]},
}
TWO_CARDS = {
    "edition": "lancashire",
    "round": 3,
    "to move": "Y",
    "actions left": "2",
    "tiles": ["Y cotton 1 Bolton"],
    "Y": {"cash": "40", "hand": ["Bury", "Preston", "port"]},
}


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_a_card_can_be_used_exactly_where_the_rules_would_ask_for_it(kind: Edition) -> None:
    for game in moments(kind, 9, every=40):
        if game.over or game.question != "action":
            assert uses_of(game.engine, ()) == {}
            continue
        legal = game.legal_choices().ids
        uses = uses_of(game.engine, legal)
        assert tuple(uses) == legal
        for choice in legal:
            trial = game.engine.copy()
            trial.step(choice)
            for card in kind.cards:
                can = NUMBER["CARD", card] in trial.legal()
                assert (NUMBER["CARD", card] in uses[choice]) == can
                if not needs_two_cards(uses[choice]):
                    assert can_use(uses[choice], card) == can
                    assert (why_not_with(game.engine, choice, card) is None) == can


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_card_first_and_action_first_lead_to_the_same_position(kind: Edition) -> None:
    for game in moments(kind, 10, every=30):
        if game.over or game.question != "action":
            continue
        uses = uses_of(game.engine, game.legal_choices().ids)
        choice = max(uses, key=lambda each: len(uses[each]))
        card = uses[choice][-1]
        if MEANING[card][0] != "CARD":
            continue
        one, other = game.copy(), game.copy()
        one.carry_out(with_card(game.engine, choice, MEANING[card][1]), ends_turn=False)
        other.carry_out((choice,), ends_turn=False)
        if other.question == "card" and other.engine.snapshot() != one.engine.snapshot():
            other.carry_out((card,), ends_turn=False)
        assert one.engine.snapshot() == other.engine.snapshot()


def test_a_card_that_does_not_fit_is_refused_with_the_reason() -> None:
    game = Game.from_position(TWO_CARDS)
    edition = game.edition
    build = next(c for c in game.legal_choices() if str(c).startswith("build cotton Bury"))
    assert why_not_with(game.engine, build.id, edition.find_card("Bury")) is None
    refused = why_not_with(game.engine, build.id, edition.find_card("Preston"))
    assert refused and refused.rule == "BLD-1"
    with pytest.raises(IllegalAction, match="Preston"):
        with_card(game.engine, build.id, edition.find_card("Preston"))
    with pytest.raises(IllegalAction):
        with_card(game.engine, 10**14, edition.find_card("Bury"))
    game.choose(build)
    with pytest.raises(IllegalAction):
        with_card(game.engine, NUMBER["CARD", edition.find_card("Bury")], 0)


def test_a_held_card_is_one_of_two_where_none_fits_alone() -> None:
    """BLD-3; where a single card fits, a held one is never paired, because that costs more."""
    game = Game.from_position(TWO_CARDS)
    uses = uses_of(game.engine, game.legal_choices().ids)
    two = [choice for choice, cards in uses.items() if needs_two_cards(cards)]
    assert two and {MEANING[choice][0] for choice in two} == {"BUILD"}
    preston = game.edition.find_card("Preston")
    held = {offer.move for offer in offers(game, preston)}
    assert {choice for choice in game.legal_choices() if choice.id in two} <= held
    assert held < {offer.move for offer in offers(game)}, "what needs Bury alone is left out"
    choices = with_card(game.engine, two[0], preston)
    game.carry_out(choices, ends_turn=False)
    assert game.question == "card"
    game.play("card Bury")
    assert str(game.actions[-1]).endswith("cards Bury, Preston")


def test_a_wild_card_is_forced_where_nothing_else_fits() -> None:
    game = Game.from_position(WILD_ONLY)
    uses = uses_of(game.engine, game.legal_choices().ids)
    wild = {forced_wild(uses[c.id]) for c in game.legal_choices() if "Uttoxeter" in str(c)}
    assert wild == {game.edition.find_card("wild location")}
    assert {forced_wild(uses[c.id]) for c in game.legal_choices() if c.kind == "pass"} == {None}
