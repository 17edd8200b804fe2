"""Everything on the page has an explanation, and explanations follow the rules."""

from __future__ import annotations

from random import Random

import pytest

from brassmill.core.choice import MEANING
from brassmill.editions import Edition
from brassmill.errors import IllegalAction
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.web.page.dom_ids import thing_of, things_of
from brassmill.web.page.why import Explanation, preview, why_not
from brassmill.words.sentences import UNSAID
from support.clicks import click, draft_for, hidden_changed, model, moments, pick
from support.kinds import EACH, IN_DEBT, PLAIN, TIED_MINES
from support.moments import LAST_SALE


def asked(game: Game, element: str, seat: int | None = None) -> list[Explanation]:
    """Ask why a choice is closed, for the seat to move or another."""
    return why_not(game.view(game.seat if seat is None else seat), element)


def said(explanations: list[Explanation]) -> str:
    return " ".join(explanation.words for explanation in explanations)


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_everything_on_the_page_can_be_explained_at_any_moment(kind: Edition) -> None:
    rng = Random(5)
    elements = sorted(things_of(kind))
    for number, game in enumerate(moments(kind, 5, every=80)):
        with speaking(list(LANGUAGES)[number % 3]):
            for seat in (None, *range(game.players)):
                for element in rng.sample(elements, 8):
                    answer = why_not(game.view(seat), element)
                    assert answer
                    for one in answer:
                        assert one.words and UNSAID not in one.words
                        assert "{" not in one.words + one.about
                        assert one.is_open or one.words[0] == one.words[0].upper()


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_exactly_the_highlighted_elements_are_said_to_be_open(kind: Edition) -> None:
    for game in moments(kind, 6, every=50):
        if game.over:
            continue
        shown = model(game, game.seat)
        view = game.view(game.seat)
        for offer in shown.offers:
            for element in offer.elements:
                open_ones = [one for one in why_not(view, element) if one.is_open]
                assert any(offer.id in one.choices for one in open_ones)
        for element in things_of(kind):
            for one in why_not(view, element):
                assert all((choice in shown.lit) == one.is_open for choice in one.choices)


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_explanations_reveal_nothing_hidden(kind: Edition) -> None:
    rng = Random(7)
    elements = sorted(things_of(kind))
    for game in moments(kind, 7, every=80):
        if game.over:
            continue
        for seat in range(game.players):
            view, other = game.view(seat), hidden_changed(game, seat, rng).view(seat)
            for element in rng.sample(elements, 20):
                assert why_not(view, element) == why_not(other, element)


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_a_preview_matches_what_the_choice_costs(kind: Edition) -> None:
    rng = Random(8)
    for game in moments(kind, 8, every=6):
        if game.over or game.question in ("turn over", "give up"):
            continue
        seat = game.seat
        assert seat is not None
        view, choice = game.view(seat), pick(game, rng)
        shown = preview(view, choice, draft_for(game, view))
        trial = game.copy()
        events = trial.choose(choice)
        if not trial.engine.in_progress and not any(one.kind == "distant_tile" for one in events):
            cash = trial.view(seat).seats[seat].cash
            assert shown.bill.cash_left == f"£{cash}"


def test_nothing_to_sell_says_what_can_be_sold() -> None:
    game = Game("birmingham", players=2, seed=7)
    mine = next(
        offer for offer in model(game, game.seat).offers if "coal mine" in offer.words.lower()
    )
    builder = game.seat
    game.choose(mine.id)
    while game.question != "turn over":
        game.choose(game.legal_choices().ids[0])
    game.end_turn()
    words = said(asked(game, "do-sell", builder))
    assert "You have nothing to sell on the board" in words and "coal" not in words.lower()


def test_a_preview_names_the_card_that_is_discarded_unasked() -> None:
    rng, named = Random(3), 0
    for game in moments(PLAIN[0], 3, every=3):
        if game.question != "action":
            continue
        choice, trial = pick(game, rng), game.copy()
        shown = preview(game.view(game.seat), choice)
        trial.choose(choice)
        assert shown.asks_card == (trial.question in ("card", "second card")), trial.question
        assert not (shown.uses and shown.asks_card)
        named += bool(shown.uses)
    assert named


def test_a_preview_covers_the_whole_action_in_progress() -> None:
    game = Game("birmingham", players=2, seed=7)
    develop = next(offer for offer in model(game, game.seat).offers if offer.kind == "develop")
    first = preview(game.view(game.seat), develop.id)
    assert first.words == develop.label and first.bill.pounds == develop.pounds
    game.choose(develop.id)
    for question in ("card", "more development"):
        assert game.question == question
        view = game.view(game.seat)
        assert preview(view, view.legal[0], game.draft).bill.pounds >= develop.pounds
        game.choose(view.legal[0])


def test_a_preview_of_a_closed_choice_is_refused() -> None:
    game = Game("birmingham", players=2, seed=7)
    view = game.view(game.seat)
    closed = next(n for n, (kind, _) in enumerate(MEANING) if kind == "DONE")
    with pytest.raises(IllegalAction):
        preview(view, closed)
    other = game.view(1 - (game.seat or 0))
    with pytest.raises(IllegalAction):
        preview(other, view.legal[0])


# --- useful explanations -------------------------------------------------------------------------


def test_an_empty_space_explains_each_of_its_industries() -> None:
    game = Game.from_position(LAST_SALE)
    answer = asked(game, "space-redditch-1")
    assert [one.about for one in answer] == ["Build: manufacturer I", "Build: coal mine I"]
    assert all("none of your cards" in one.words for one in answer)
    assert {one.rules for one in answer} == {("BLD-1",)}


def test_an_own_tile_explains_why_it_cannot_be_sold() -> None:
    game = Game.from_position(LAST_SALE)
    sale = next(one for one in asked(game, "space-worcester-1") if "Sell" in one.about)
    assert sale.is_open
    brewery = asked(game, "space-south_farm-1")
    assert "You do not sell breweries" in said(brewery)


def test_a_line_explains_why_it_cannot_be_linked() -> None:
    game = Game.from_position(LAST_SALE)
    assert said(asked(game, "line-derby-nottingham")).startswith(
        "Derby-Nottingham is not connected"
    )
    assert "already has a link" in said(asked(game, "line-worcester-gloucester"))


def test_a_card_explains_what_it_can_build() -> None:
    game = Game.from_position(TIED_MINES)
    answer = asked(game, "card-manchester")
    assert answer and all(one.is_open and "Manchester" in one.words for one in answer)


def test_a_card_explains_why_it_does_not_fit_the_build() -> None:
    game = Game("birmingham", seed=5)
    rng = Random(5)
    while True:
        view = game.view(game.seat)
        if game.question == "card" and game.draft and str(game.draft).startswith("build"):
            cards = model(game, game.seat).hand
            answers = {card.element: asked(game, card.element) for card in cards}
            closed = [one for answer in answers.values() for one in answer if not one.is_open]
            if closed:
                assert all("card" in one.words.lower() and one.rules for one in closed)
                assert {choice for answer in answers.values() for choice in answer[0].choices} >= {
                    choice for choice in view.legal if MEANING[choice][0] == "CARD"
                }
                return
        click(game, rng)


def test_a_mat_explains_whether_its_next_tile_can_be_developed_and_built() -> None:
    game = Game.from_position(LAST_SALE)
    answer = asked(game, "mat-0-pottery")
    assert "lightbulb" in said(answer)
    deeper = asked(game, "mat-0-coal-3")
    assert deeper[0].words == "The lowest tile always comes first: level I coal mine."
    assert said(asked(game, "mat-1-coal")) == "This is R's mat."


def test_buttons_have_explanations_too() -> None:
    game = Game.from_position(LAST_SALE)
    assert "three cards" in said(asked(game, "do-scout"))
    assert "no such loan" in said(asked(game, "do-loan-10"))
    assert "You still have actions left" in said(asked(game, "do-end"))
    assert asked(game, "do-pass")[0].is_open
    no_card, no_tile = asked(game, "do-build")[:2]
    assert no_card.words == "None of your cards allows that."
    assert no_tile.words.startswith(
        "Your next tile, level I coal mine, cannot be built in the rail era."
    )
    assert "you need" in said(asked(game, "do-link"))
    assert asked(game, "do-sell")[0].is_open


def test_a_source_that_is_not_the_nearest_is_refused() -> None:
    game = Game.from_position(TIED_MINES)
    build = next(
        offer
        for offer in model(game, 0).offers
        if offer.kind == "build" and "Manchester" in offer.words and "cotton" in offer.words
    )
    game.choose(build.id)
    while game.question == "card":
        game.choose(game.legal_choices()[0])
    assert game.question == "coal"
    lit = {element for offer in model(game, 0).offers for element in offer.elements}
    assert len(lit) == 2
    assert "no coal mine with coal" in said(asked(game, "space-wigan-1"))
    assert "You cannot buy coal here" in said(asked(game, "coal-market"))
    assert "First choose" in said(asked(game, "line-bolton-bury"))


def test_a_debtor_sees_what_can_be_removed() -> None:
    game = Game.from_position(IN_DEBT)
    game.play("pass; card coal")
    assert asked(game, "space-bolton-1")[0].is_open
    assert preview(game.view(0), game.legal_choices().ids[0]).bill.parts[0].label == "debt"
    assert "You have no tile on that space" in said(asked(game, "space-bury-1"))
    assert "which tile to remove to pay the debt" in said(asked(game, "line-bolton-bury"))


def test_out_of_turn_the_explanation_says_whose_turn_it_is() -> None:
    game = Game.from_position(LAST_SALE)
    other = asked(game, "space-redditch-1", seat=1)
    assert other[0].words == "It is Y's turn. If it were yours:" and other[1:]
    watching = why_not(game.view(None), "space-redditch-1")
    assert [one.words for one in watching] == ["It is Y's turn."]


def test_the_explanation_out_of_turn_is_the_one_on_an_own_turn() -> None:
    """As the position stands: it is what could be done if nobody moved in between."""
    game = Game("birmingham", players=2, seed=3)
    rng = Random(3)
    while not (game.round == 3 and game.question == "action" and game.actions_left == 2):
        click(game, rng)
    seat = 1 - (game.seat or 0)
    elements = [element for element in things_of(game.edition) if element.startswith("line-")]
    before = {element: asked(game, element, seat)[1:] for element in elements}
    turn = game.copy()
    turn.engine.state.seat = seat
    turn.publish()
    assert {element: why_not(turn.view(seat), element) for element in elements} == before


def test_the_end_of_a_turn_or_game_is_explained_first() -> None:
    game = Game("birmingham", players=2, seed=3)
    rng = Random(3)
    while game.question != "turn over":
        click(game, rng)
    assert said(asked(game, "space-derby-1")) == "Your actions are done. End your turn first."
    while not game.over:
        click(game, rng)
    assert said(why_not(game.view(0), "space-derby-1")) == "The game is over."


def test_an_unknown_element_has_no_explanation() -> None:
    game = Game("birmingham", players=2, seed=3)
    assert thing_of(game.edition, "language") is None
    assert asked(game, "language") == []
