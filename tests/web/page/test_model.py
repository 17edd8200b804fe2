"""The page model has everything a page needs, as text, and nothing its viewer may not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import orjson
import pytest

from brassmill import svg, terms
from brassmill.core.bill import PRICED, bill_of
from brassmill.core.choice import MEANING
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.play.offers import offers
from brassmill.web.page.log import MOST, LogPart
from brassmill.web.page.model import SeatInfo, page_model
from brassmill.words.sentences import UNSAID
from support.clicks import click, hidden_changed, infos, model, moments
from support.kinds import ALL, EACH, IN_DEBT, PLAIN

TWO_CARDS = {
    "edition": "lancashire",
    "round": 3,
    "to move": "Y",
    "actions left": "2",
    "tiles": ["Y cotton 1 Bolton"],
    "Y": {"cash": "40", "hand": ["Bury", "Preston", "port"]},
}


def texts(value: Any) -> Iterator[str]:
    """Return all texts in plain data."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def viewers(game: Game) -> list[int | None]:
    return [None, *range(game.players)]


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_every_moment_has_a_model_for_everyone(kind: Edition) -> None:
    for number, game in enumerate(moments(kind, 5, every=50)):
        with speaking(list(LANGUAGES)[number % 3]):
            for seat in viewers(game):
                data = orjson.loads(orjson.dumps(model(game, seat), default=list))
                assert not [text for text in texts(data) if UNSAID in text or "{" in text]


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_every_open_choice_is_on_the_page(kind: Edition) -> None:
    for game in moments(kind, 6, every=25):
        view = game.view(game.seat)
        shown = model(game, game.seat)
        assert shown.lit == view.legal
        if view.seat is None:
            continue
        drawn = "".join(
            picture(view, lit=shown.lit) for picture in (svg.map, svg.hand, svg.mat, svg.market)
        )
        lit = {
            (choice, element)
            for group in re.findall(r"<g [^>]*data-choice=[^>]*>", drawn)
            for element in re.findall(r'\bid="([^"]*)"', group)
            for choice in re.findall(r'data-choice="([^"]*)"', group)[0].split()
        }
        for offer in shown.offers:
            assert offer.elements and offer.words and offer.short and offer.verb
            if offer.is_button:
                assert offer.elements[0].startswith("do-")
            else:
                assert {(str(offer.id), element) for element in offer.elements} <= lit
        expected = {
            (str(offer.id), element) for offer in shown.offers for element in offer.elements
        }
        assert lit <= expected


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_the_labels_of_open_choices_differ(kind: Edition) -> None:
    for game in moments(kind, 7, every=12):
        labels = [offer.words for offer in model(game, game.seat).offers]
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_prices_match_the_bills(kind: Edition) -> None:
    for game in moments(kind, 8, every=30):
        if game.over:
            continue
        said = {offer.move: offer for offer in offers(game)}
        for offer in model(game, game.seat).offers:
            priced = MEANING[offer.id][0] in PRICED
            total = bill_of(game.engine, [offer.id]).total if priced else 0
            assert offer.pounds == total
            assert (offer.price != "") == (total > 0)
            other = next(other for move, other in said.items() if int(move) == offer.id)  # type: ignore[arg-type]
            assert (other.price, other.needs_two_cards) == (total, offer.needs_two_cards)


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_hidden_information_does_not_change_a_model(kind: Edition) -> None:
    rng = Random(9)
    for game in moments(kind, 9, every=80):
        if game.over:
            continue
        for seat in viewers(game):
            other = hidden_changed(game, seat, rng)
            assert model(other, seat) == model(game, seat)


def test_a_draft_is_visible_to_its_seat_only() -> None:
    game = Game("birmingham", players=2, seed=1)
    assert game.seat is not None
    before = {seat: model(game, seat) for seat in (None, 1 - game.seat)}
    mover = game.seat
    own = model(game, mover)
    click(game, Random(2))
    assert model(game, mover) != own
    for seat, shown in before.items():
        assert model(game, seat) == shown


# --- the open question ---------------------------------------------------------------------------


def test_an_action_is_followed_from_its_first_choice_to_the_end_of_the_turn() -> None:
    game = Game("birmingham", players=2, seed=7)
    seat = game.seat
    assert seat is not None
    begun = model(game, seat)
    assert begun.your_turn and begun.asked == "action" and begun.question.startswith("Your turn")
    assert begun.bill is None and begun.draft_title == "" and begun.primary is None
    develop = next(offer for offer in begun.offers if offer.kind == "develop")
    game.choose(develop.id)
    asked = model(game, seat)
    assert asked.asked == "card" and asked.question == "Discard which card?"
    assert asked.draft_title == develop.words and asked.crumbs == (develop.words,)
    assert asked.bill and asked.bill.pounds == develop.pounds > 0
    assert {offer.kind for offer in asked.offers} == {"card"}
    cash = asked.players[seat].pounds
    game.choose(asked.offers[0].id)
    more = model(game, seat)
    assert more.asked == "more development" and more.primary
    assert more.primary.words == f"Done: {develop.words}, {develop.price}"
    assert more.primary.choice is not None
    game.choose(more.primary.choice)
    ended = model(game, seat)
    assert ended.asked == "turn over" and not ended.offers
    assert ended.primary and (ended.primary.kind, ended.primary.words) == ("end", "End turn")
    assert ended.players[seat].pounds == cash - develop.pounds
    game.end_turn()
    after = model(game, seat)
    assert not after.your_turn and after.primary is None and not after.lit


def test_a_debtor_is_asked_and_the_others_wait() -> None:
    game = Game.from_position(IN_DEBT)
    game.play("pass; card coal")
    assert game.question == "give up"
    shown = model(game, 0)
    assert shown.your_turn and shown.question == "Remove which tile to pay the debt (£3)?"
    assert {offer.kind for offer in shown.offers} == {"give_up"}
    assert model(game, 1).question == "Y must remove tiles to pay a debt"


def test_a_build_with_any_two_cards_says_so() -> None:
    game = Game.from_position(TWO_CARDS)
    offer = next(offer for offer in model(game, 0).offers if offer.needs_two_cards)
    assert offer.label.endswith("with any two cards")
    game.choose(offer.id)
    assert "any two; uses both actions" in model(game, 0).question


def test_scouting_asks_for_three_cards() -> None:
    game = Game("birmingham", players=3, seed=4)
    scout = next(offer for offer in model(game, game.seat).offers if offer.kind == "scout")
    assert scout.elements == ("do-scout",)
    game.choose(scout.id)
    assert "3 still to choose" in model(game, game.seat).question


def test_the_page_names_the_player_being_waited_for() -> None:
    game = Game("birmingham", players=3, seed=4)
    mover = game.seat
    assert mover is not None
    people = [SeatInfo(name) for name in game.seats]
    bots = [SeatInfo(name, "expert") for name in game.seats]
    view = game.view(None)
    person = page_model(view, people, number=0, stamp="")
    bot = page_model(view, bots, number=0, stamp="")
    name = game.seats[mover]
    assert person.question == f"{name} to move" and not person.is_bot_turn
    assert bot.question == f"{name} (expert) is thinking" and bot.is_bot_turn
    with speaking("de"):
        assert page_model(view, bots, number=0, stamp="").players[0].role == "Könner"
    gone = [SeatInfo(name, "not there any more") for name in game.seats]
    assert page_model(view, gone, number=0, stamp="").players[0].role == "not there any more"


def test_undo_belongs_to_the_active_seat() -> None:
    game = Game("classic", seed=1)
    mover = game.seat
    assert mover is not None
    for undoable, expected in ((0, (False, False)), (1, (True, True)), (2, (True, True))):
        shown = page_model(game.view(mover), infos(game), number=1, stamp="", undoable=undoable)
        assert (shown.can_undo, shown.can_reset) == expected
    other = (mover + 1) % game.players
    shown = page_model(game.view(other), infos(game), number=1, stamp="", undoable=2)
    assert not (shown.can_undo or shown.can_reset or shown.can_hint or shown.offers)


# --- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_points_and_places_add_up(kind: Edition) -> None:
    for game in moments(kind, 11, every=60):
        shown = model(game, None)
        now = game.view()
        for player in shown.players:
            assert player.now.more == player.now.links + player.now.tiles + player.now.other
            assert player.now.total == player.vp + player.now.more
            assert shown.order[player.place - 1] == player.seat
            assert player.vp == now.seats[player.seat].vp
            if shown.order_next:
                assert shown.order_next[player.next_place - 1] == player.seat
            else:
                assert player.next_place == 0
            assert (player.rank > 0) == shown.over
    assert shown.over and shown.outcome and shown.question == "The game is over."
    assert {player.rank for player in shown.players} & {1}


def test_open_hands_are_shown_and_covered_ones_are_not() -> None:
    game = Game("birmingham", players=3, seed=2)
    others = {1: game.view(1), 2: game.view(2)}
    shown = page_model(game.view(0), infos(game), number=1, stamp="", others=others)
    covered = page_model(game.view(0), infos(game), number=1, stamp="")
    assert [player.hand for player in covered.players] == [None, None, None]
    assert shown.players[0].hand is None  # it is shown separately
    for player in shown.players[1:]:
        assert player.hand is not None
        assert {card.name: card.count for card in player.hand} == others[player.seat].hand
        assert not {card.element for card in player.hand} & {card.element for card in shown.hand}


def test_options_are_described_by_their_effect() -> None:
    plain = model(Game("birmingham", players=2, seed=1), None)
    assert plain.options == ()
    for kind in ALL:
        shown = model(Game(kind, seed=1), None)
        assert len(shown.options) == len(kind.changed_options)


# --- the log -------------------------------------------------------------------------------------


def history_of(game: Game, rng: Random) -> list[LogPart]:
    """Return a whole game as parts of the log."""
    history = []
    while not game.over:
        seat = game.seat
        ends = game.question == "turn over"
        events = game.end_turn() if ends else game.choose(rng.choice(game.legal_choices().ids))
        history.append(LogPart(None if ends else seat, len(game.actions), tuple(events)))
    return history


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_the_log_shows_the_latest_events(kind: Edition) -> None:
    game = Game(kind, seed=3)
    history = history_of(game, Random(3))
    seen = len(history) - 20
    view = game.view()
    log = page_model(view, infos(game), number=1, stamp="", history=history, seen=seen).log
    told = [line for part in history for line in part.lines(game.seats)]
    assert [(line.seat, line.text, line.details) for line in log] == told[-len(log) :]
    fresh = [line for part in history[seen:] for line in part.lines(game.seats)]
    assert [line.fresh for line in log] == [False] * (len(log) - len(fresh)) + [True] * len(fresh)
    assert MOST <= len(log) < MOST + len(fresh) + 40
    drawn = "".join((svg.map(view), svg.market(view), *(svg.mat(view, n) for n in range(2))))
    for part in history:
        for element in part.touched(game.edition):
            assert f'id="{element}"' in drawn or re.fullmatch(r"mat-[23]-\w+", element)


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_the_log_is_divided_into_rounds(kind: Edition) -> None:
    game = Game(kind, seed=3)
    history = history_of(game, Random(3))
    for length in (0, 1, len(history) // 2, len(history)):
        shown = page_model(game.view(), infos(game), number=1, stamp="", history=history[:length])
        rounds = shown.log_rounds
        assert [line for each in rounds for line in each.lines] == [
            line for line in shown.log if not line.is_heading
        ]
        assert {each.heading for each in rounds if each.heading} == {
            line.id for line in shown.log if line.is_heading
        }
        assert [each.is_open for each in rounds[-2:]] == [True] * len(rounds[-2:])
        assert not any(each.is_open for each in rounds[:-2])
        assert len({each.id for each in rounds}) == len(rounds)
        for line in shown.log:
            if line.is_heading:
                assert str(line.round) in line.text and terms.era(line.era) in line.text
    assert rounds[-1].words == f"Rail era, round {game.view().rounds}"


def test_own_moves_are_not_news_and_log_lines_keep_their_ids() -> None:
    game = Game("birmingham", players=2, seed=3)
    history = history_of(game, Random(3))
    own = next(n for n in range(len(history) - 1, 0, -1) if history[n].seat == 0)
    history, others = history[: own + 1], 1
    while history[-others].seat == 0:
        others += 1
    seen = len(history) - others - 3
    shown = page_model(game.view(0), infos(game), number=1, stamp="", history=history, seen=seen)
    drafted = sum(len(part.lines(game.seats)) for part in history[len(history) - others + 1 :])
    assert [line.own for line in shown.log].count(True) == drafted > 0
    assert all(line.own and not line.fresh for line in shown.log[-drafted:])
    assert shown.log[-drafted - 1].fresh
    assert len({line.id for line in shown.log}) == len(shown.log)
    earlier = page_model(game.view(0), infos(game), number=1, stamp="", history=history[:-5]).log
    names = {line.id: line.text for line in shown.log}
    assert all(names.get(line.id, line.text) == line.text for line in earlier)
    assert {line.id for line in earlier} & set(names)


@pytest.mark.usefixtures("site")
def test_news_on_a_shared_screen_starts_after_the_last_turn_of_any_of_its_seats() -> None:
    from brassmill.web.table import sessions
    from support.web import make_table, play_turn

    session = sessions.get(make_table("Ada,Ben,random", seed=11).id)
    for _ in range(5):
        mover = session.to_move
        play_turn(session)
        for held in ((0, 1), (0,), ()):
            history, seen = session.history_for(None, held)
            assert history == session.history
            last = [n for n, each in enumerate(history) if each.seat in held]
            if not held:
                assert seen == len(history)
            elif mover in held:
                assert seen == last[-1] + 1
            assert not any(each.seat in held for each in history[seen:])
    assert not any(line.own for line in model(session.game, None).log)


@pytest.mark.usefixtures("site")
def test_surplus_reasons_are_counted() -> None:
    from django.template.loader import render_to_string

    from brassmill.web.page.why import Explanation

    for number, more in ((6, ""), (7, "and 1 more"), (9, "and 3 more")):
        reasons = [Explanation(f"reason {n}") for n in range(number)]
        context = {"explanations": reasons, "table": {"edition": "classic"}}
        told = render_to_string("table/why.html", context)
        assert told.count("reason") == 6 and (more in told if more else "more" not in told)


def test_a_purchase_is_shown_only_with_its_source() -> None:
    told = 0
    for game in moments(PLAIN[-1], 12, every=4):
        bill = model(game, game.seat).bill
        if bill is None:
            continue
        bought = [source for source in bill.sources if source.price]
        labels = {source.label for source in bought}
        assert not any(part.label.split()[0] in labels for part in bill.parts)
        told += len(bought)
    assert told


def test_the_log_is_in_the_readers_language() -> None:
    game = Game("birmingham", players=2, seed=3)
    history = history_of(game, Random(3))
    tellings = set()
    for code in LANGUAGES:
        with speaking(code):
            log = page_model(game.view(), infos(game), number=1, stamp="", history=history).log
            tellings.add(log[-1].text)
    assert len(tellings) == len(LANGUAGES)
