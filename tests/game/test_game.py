"""The `Game` class: playing, asking and undoing."""

from __future__ import annotations

import pickle
import random
from itertools import islice
from typing import Any

import numpy as np
import pytest

from brassmill.core.action import Action
from brassmill.core.choice import Choice
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.events import FIELDS
from brassmill.editions import Edition, edition
from brassmill.errors import AmbiguousAction, BrassError, IllegalAction
from brassmill.game import Game
from brassmill.rules.choices import CHOICES
from brassmill.rules.emit import EventKind
from brassmill.rules.reasons import Reason
from brassmill.words import EVENTS, REASONS, RULES, SPECIAL, event_words
from support import kinds
from support.kinds import TIED_MINES, play_at_random

# A mill, the distant market one step from its end, and a tile that closes it.
LAST_STEP = {
    "edition": "lancashire",
    "round": 2,
    "tiles": [
        "Y cotton 1 Manchester",
        "Y cotton 1 Oldham",
        "R port 1 Warrington & Runcorn flipped",
    ],
    "links": ["Y Manchester-Warrington", "Y Manchester-Oldham"],
    "demand": "7",
    "distant": ["2"],
    "Y": {"hand": ["coal", "coal", "coal"]},
}

# A debtor with two tiles to choose from at the end of the round.


# --- new games -----------------------------------------------------------------------------------


def test_a_new_game_knows_its_position() -> None:
    game = Game("birmingham", players=3, seed=5)
    assert (game.era, game.round, game.actions_left, game.question) == ("canal", 1, 1, "action")
    assert game.seat == game.order[0]
    assert sorted(game.order) == [0, 1, 2]
    assert game.seats == ("Y", "R", "G")
    assert not game.over
    assert game.outcome() is None
    assert repr(game) == (
        f"<Game birmingham, 3 players, canal era, round 1, {game.seats[game.seat]} to move>"
    )


def test_a_seed_repeats_a_deal_and_no_seed_is_random() -> None:
    assert Game(seed=7).engine.snapshot() == Game(seed=7).engine.snapshot()
    assert Game(seed=7).engine.snapshot() != Game(seed=8).engine.snapshot()
    assert Game().deal != Game().deal
    assert Game().deal.seed is None  # a secret deal has no seed to search for


def test_a_game_can_be_made_from_a_deal() -> None:
    table = edition("classic", 3)
    deal = Deal.from_seed(table, 11)
    assert Game(table, deal=deal).engine.snapshot() == Game("classic", 3, 11).engine.snapshot()
    with pytest.raises(BrassError, match="not both"):
        Game(table, seed=1, deal=deal)
    with pytest.raises(BrassError, match="its number of players"):
        Game(table, 4)


def test_seat_names_differ() -> None:
    game = Game("classic", 3, 1, seats=["Ada", "Bo", "Cy"])
    assert game.seats == ("Ada", "Bo", "Cy")
    with pytest.raises(BrassError, match="needs its own name"):
        Game("classic", 3, 1, seats=["Ada", "ada", "Cy"])


@pytest.mark.parametrize(
    "name",
    ["", " a", "a ", "a  b", "a\nb", "a,b", "c;d", "a>b", "(a", "era", "Deck", "merchant", 5],
)
def test_a_name_that_text_cannot_hold_is_refused(name: Any) -> None:
    with pytest.raises(BrassError, match="seats"):
        Game("classic", 3, 1, seats=[name, "Bo", "Cy"])
    if isinstance(name, str):  # a position writes numbers as text
        with pytest.raises(BrassError, match="seats"):
            Game.from_position({"edition": "classic", "players": 3, "seats": [name, "Bo", "Cy"]})


@pytest.mark.parametrize("seats", [None, 5, "Y", ["Ada", "Bo"]])
def test_seats_are_a_list_of_names(seats: Any) -> None:
    with pytest.raises(BrassError, match="names"):
        Game("classic", 3, 1, seats=seats)


def test_names_with_spaces_survive_text_and_positions() -> None:
    game = Game("lancashire", 2, 3, seats=["Ann Lee", "Ann"])
    play_at_random(game, random.Random(3), 60)
    again = Game.from_position(game.position())
    assert again.seats == ("Ann Lee", "Ann")
    assert again.engine.snapshot() == game.engine.snapshot()


@pytest.mark.parametrize(
    "arguments",
    [
        {"edition": None},
        {"edition": 5},
        {"edition": b"classic"},
        {"players": 2.0},
        {"players": "2"},
    ],
)
def test_the_number_of_players_must_fit_the_edition(arguments: dict[str, Any]) -> None:
    with pytest.raises(BrassError):
        Game(**arguments)
    assert Game(players=np.int64(2), seed=1).players == 2  # type: ignore[arg-type]
    with pytest.raises(BrassError, match="not a deal"):
        Game(deal=5)  # type: ignore[arg-type]


# --- choices and actions -------------------------------------------------------------------------


def test_choices_can_be_counted_tested_and_iterated() -> None:
    game = Game(seed=7)
    choices = game.legal_choices()
    assert len(list(choices)) == len(choices) > 20
    assert choices[0] in choices
    assert choices[0].id in choices
    assert [choice.id for choice in choices[:3]] == list(choices.ids[:3])
    illegal = next(number for number in range(CHOICES) if number not in choices.ids)
    assert illegal not in choices
    assert repr(choices[0]) == f"<{choices[0]}>"
    assert choices[0] == Choice(choices.ids[0], game.edition)
    assert pickle.loads(pickle.dumps(choices[0])) == choices[0]


@pytest.mark.parametrize("name", ["birmingham", "lancashire", "classic"])
def test_every_choice_of_the_vocabulary_has_a_name_and_a_reason(name: str) -> None:
    game = Game(name, seed=1)
    legal = game.legal_choices()
    for number in (-1, *range(CHOICES), CHOICES):
        found = game.why_not(number)
        assert (found is None) == (number in legal)
        if found is not None:
            assert found.words
            assert "{" not in found.words
            with pytest.raises(IllegalAction) as error:
                game.play(number)
            assert error.value.reason == found.reason


def test_complete_actions_are_lazy_and_listed_once() -> None:
    game = Game(seed=7)
    assert len(list(islice(game.legal_actions(), 3))) == 3
    actions = list(game.legal_actions())
    texts = [str(action) for action in actions]
    assert len(set(texts)) == len(texts)
    assert len(set(actions)) == len(actions)
    scouts = [text for text in texts if text.startswith("scout")]
    hand = game.view(game.seat).hand
    assert hand is not None
    sets = {
        tuple(sorted((a, b, c)))
        for cards in [[card for card, count in hand.items() for _ in range(count)]]
        for i, a in enumerate(cards)
        for j, b in enumerate(cards[:i])
        for c in cards[:j]
    }
    assert len(scouts) == len(sets)


def test_membership_in_legal_actions_needs_no_full_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    choose = Engine.choose

    def counted(engine: Engine, choice: int) -> list[int]:
        made.append(choice)
        return choose(engine, choice)

    monkeypatch.setattr(Engine, "choose", counted)
    game = Game(seed=7)
    actions = game.legal_actions()
    assert not made
    assert actions
    assert str(next(iter(actions))) in repr(actions) and repr(actions).endswith(" | ...>")
    assert len(made) < 20 < len(actions)
    assert list(actions) == list(actions)  # it can be iterated again
    game.play("loan 30; card Wolverhampton")
    assert len(actions) == len(Game(seed=7).legal_actions())  # and does not change


def test_membership_in_legal_actions() -> None:
    game = Game(seed=7)
    actions = game.legal_actions()
    first = next(iter(actions))
    assert all(action in actions for action in actions)
    assert all(str(action) in actions for action in islice(actions, 50))
    assert "Kredit 30; Karte Wolverhampton" in actions
    assert "loan 30" not in actions  # the card is missing
    assert "loan 30; ..." not in actions  # incomplete
    assert "borrow something" not in actions  # not an action
    assert "" not in actions
    assert first.ids[0] not in actions  # a single choice
    assert Action(game.edition, game.seats, first.before, first.ids[:1]) not in actions
    assert Action(game.edition, game.seats, first.before, ()) not in actions
    other = next(iter(Game("classic", seed=7).legal_actions()))
    assert other not in actions
    game.play(first)
    assert first not in game.legal_actions()  # an action of another seat


def test_a_game_that_is_over_has_no_legal_actions() -> None:
    game = Game(seed=7, players=2, intro=True)
    play_at_random(game, random.Random(7))
    actions = game.legal_actions()
    assert not actions and len(actions) == 0 and repr(actions) == "<legal actions: none>"


def test_two_cards_are_a_set_in_mid_action_too() -> None:
    game = Game.from_position(
        {"edition": "lancashire", "round": 3, "Y": {"hand": ["coal", "Bolton"], "cash": "60"}}
    )
    game.choose("build coal Wigan; two cards; ...")
    assert game.question == "card"
    (only,) = game.legal_actions()
    assert str(only) == "cards Bolton, coal"


def test_the_sources_of_one_need_are_a_set() -> None:
    game = Game.from_position(
        {
            "edition": "birmingham",
            "round": 3,
            "tiles": ["R coal 1 Dudley (2)", "G coal 1 Tamworth (2)"],
            "links": ["R Dudley-Birmingham", "G Tamworth-Birmingham"],
            "Y": {"hand": ["Birmingham"], "mat": {"manufacturer": "3"}, "cash": "60"},
        }
    )
    start, end = "build manufacturer Birmingham; coal ", "; card Birmingham"
    texts = [str(action) for action in game.legal_actions()]
    assert [text for text in texts if text.startswith(start)] == [
        f"{start}{mines}{end}"
        for mines in ("Tamworth, Tamworth", "Tamworth, Dudley", "Dudley, Dudley")
    ]


def test_an_action_can_be_played_from_its_list() -> None:
    game = Game(seed=7)
    action = next(iter(game.legal_actions()))
    game.play(action)
    assert game.actions == [action]
    assert game.actions[0].number == 1
    assert str(game.actions[0]) == str(action)
    assert repr(game.actions[0]).startswith("<1. ")


def test_an_action_that_does_not_fit_changes_nothing() -> None:
    game = Game(seed=7)
    first, *_ = game.legal_actions()
    game.play(first)
    before = game.engine.snapshot()
    for action in [first, Action(game.edition, game.seats, before, (first.ids[0], CHOICES - 1))]:
        with pytest.raises(IllegalAction):
            game.play(action)
        assert game.engine.snapshot() == before
        assert len(game.actions) == 1


@pytest.mark.parametrize(
    "move", [198.0, 2.7, 10**30, -(10**30), None, True, b"pass", [], ["pass"], (3,)], ids=repr
)
def test_an_invalid_move_changes_nothing(move: Any) -> None:
    game = Game(seed=7)
    before = game.to_bytes()
    for ask in (game.play, game.choose, game.bill):
        with pytest.raises(BrassError):
            ask(move)
    if isinstance(move, int) and move is not True:
        assert game.why_not(move) is not None
    else:
        with pytest.raises(BrassError, match="is not a choice"):
            game.why_not(move)
    assert move not in game.legal_choices()
    assert game.to_bytes() == before


def test_numpy_integers_are_accepted() -> None:
    game = Game(seed=7)
    number = np.int64(game.legal_choices().ids[0])
    assert number in game.legal_choices()
    assert game.why_not(number) is None  # type: ignore[arg-type]
    assert game.view(np.int8(1)).seat == 1  # type: ignore[arg-type]
    game.play(number)  # type: ignore[arg-type]
    game.undo(to=np.int64(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [CHOICES, -1, 2.0, True, "pass", None])
def test_only_choices_of_the_vocabulary_are_accepted(number: Any) -> None:
    with pytest.raises(BrassError):
        Choice(number, edition("classic"))


def test_a_choice_of_another_edition_is_refused() -> None:
    game, other = Game("birmingham", seed=7), Game("lancashire", seed=7)
    for move in (other.legal_choices()[0], next(iter(other.legal_actions()))):
        with pytest.raises(BrassError, match="Lancashire"):
            game.play(move)


@pytest.mark.parametrize("seat", [True, 1.0, "Y", -1])
def test_a_view_requires_a_seat_number(seat: Any) -> None:
    with pytest.raises(BrassError, match="seat"):
        Game(seed=7).view(seat)


@pytest.mark.parametrize("to", ["a", 0.0, True, -1])
def test_undo_requires_an_action_number(to: Any) -> None:
    game = Game(seed=7)
    play_at_random(game, random.Random(1), 9)
    before = game.to_bytes()
    with pytest.raises(BrassError):
        game.undo(to=to)
    assert game.to_bytes() == before


# --- what happened -------------------------------------------------------------------------------


def test_every_kind_of_event_has_fields_and_words() -> None:
    assert set(FIELDS) == set(EventKind)
    # There are four kinds of bonus.
    assert {kind.name.lower() for kind in EventKind} - {"bonus"} <= set(EVENTS)


def test_every_reason_has_words() -> None:
    assert set(REASONS) == set(Reason)
    assert all(reason in REASONS for reason, _ in SPECIAL)


def test_every_reason_of_the_rules_names_them() -> None:
    # These concern the question, not the rules.
    other = {
        *(Reason.OK, Reason.GAME_IS_OVER, Reason.NOT_ASKED_NOW, Reason.NOT_IN_THIS_GAME),
        *(Reason.ACTION_UNFINISHED, Reason.SAME_AS_EARLIER_SPACE),
    }
    assert set(RULES) == set(Reason) - other


def test_an_error_names_the_rule() -> None:
    game = Game.from_position(TIED_MINES)
    found = game.why_not("loan 30; card Preston")
    assert found is not None
    assert found.rule == "BLD-1, TURN-4"
    with pytest.raises(IllegalAction) as error:
        game.play("build cotton Colne")
    assert error.value.reason == Reason.NO_COAL_IN_REACH
    assert str(error.value).endswith(" (COAL-5)")
    number = next(n for n in range(CHOICES) if game.engine.why(n) == Reason.LINE_TAKEN)
    with pytest.raises(IllegalAction, match=r"\(MAP-3\)$"):
        game.play(number)
    with pytest.raises(IllegalAction, match=r"does not exist in Brass: Lancashire\.$"):
        game.play(-1)


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        ({"edition": "birmingham"}, "loan 20", Reason.NO_SUCH_LOAN),
        ({"edition": "lancashire"}, "scout", Reason.NOT_IN_THIS_GAME),
        (
            {"edition": "lancashire", "round": 2, "Y": {"hand": ["coal"]}},
            "build coal Wigan; two cards",
            Reason.NEEDS_TWO_CARDS,
        ),
        (
            {"edition": "lancashire", "round": 2, "Y": {"hand": ["Wigan"]}},
            "build coal Wigan 2; card Wigan",
            Reason.SAME_AS_EARLIER_SPACE,
        ),
    ],
)
def test_rare_reasons(position: dict[str, Any], text: str, reason: Reason) -> None:
    found = Game.from_position(position).why_not(text)
    assert found is not None
    assert found.reason == reason


def test_events_describe_what_happened() -> None:
    game = Game.from_position(TIED_MINES)
    events = game.choose("build cotton Manchester; card Manchester; coal Oldham")
    assert [event.kind for event in events] == [
        *("discarded", "built", "paid", "coal_used", "flipped", "income_moved"),
    ]
    assert (events[1].seat, events[1].tile, events[2].pounds) == (0, "cotton 2", 14)
    assert repr(events[3]) == "<coal_used seat=0 source='Oldham 1' pounds=0>"
    assert events[3].as_dict() == {
        "kind": "coal_used",
        "seat": 0,
        "source": "Oldham 1",
        "pounds": 0,
    }
    assert event_words(events[1], game.seats) == "Y builds a level II cotton mill in Manchester"
    with pytest.raises(AttributeError, match="it has seat, source, pounds"):
        _ = events[3].owner
    with pytest.raises(AttributeError):
        events[3].seat = 2
    assert pickle.loads(pickle.dumps(events)) == events


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_whole_games_are_described_in_words_and_end_with_an_outcome(kind: Edition) -> None:
    game = Game(kind, seed=3)
    events = play_at_random(game, random.Random(3))
    for event in events:
        assert event_words(event, game.seats)
    assert events[-1].kind == "game_ended"
    assert game.seat is None
    outcome = game.outcome()
    assert outcome is not None
    assert [result.total for result in outcome.results] == game.state.vp[: kind.players].tolist()
    for result in outcome.results:
        assert sum(sum(points.values()) for points in result.points.values()) == result.total
    assert outcome.ranking[0].seat in outcome.winners
    assert max(result.total for result in outcome.results) == outcome.ranking[0].total
    assert str(outcome).startswith("1. ")
    assert game.why_not(0) is not None
    assert game.why_not("pass") == game.why_not(0)
    assert game.why_not("build")
    with pytest.raises(IllegalAction) as error:
        game.play("pass")
    assert error.value.reason == Reason.GAME_IS_OVER
    with pytest.raises(IllegalAction) as error:
        game.end_turn()
    assert error.value.reason == Reason.GAME_IS_OVER
    assert game.score_now() == ({},) * kind.players


# --- drafts and undo -----------------------------------------------------------------------------


def test_choose_does_not_end_the_turn() -> None:
    game = Game(seed=7)
    with pytest.raises(IllegalAction) as error:
        game.end_turn()
    assert error.value.reason == Reason.ACTION_UNFINISHED
    first = game.seat
    game.choose("loan 30; card Derby")
    assert (game.question, game.seat) == ("turn over", first)
    assert game.why_not("pass") is not None
    events = game.end_turn()
    assert events[0].kind == "drew"
    assert game.seat != first


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_undo_is_the_exact_inverse(kind: Edition) -> None:
    game = Game(kind, seed=2)
    rng = random.Random(2)
    trail: list[tuple[bytes, int, list[bytes]]] = []

    def all_of_it() -> tuple[bytes, int, list[bytes]]:
        views = [pickle.dumps(game.view(seat)) for seat in (None, 0)]
        return game.engine.snapshot(), len(game.actions), views

    calls = 60 if kind not in kinds.PLAIN else 999  # whole games for the plain ones
    while not game.over and len(trail) < calls:
        trail.append(all_of_it())
        play_at_random(game, rng, 1)
    while trail:  # across the eras, to the start
        game.undo()
        assert all_of_it() == trail.pop()
    with pytest.raises(BrassError, match="nothing to undo"):
        game.undo()


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_undo_goes_back_to_any_action(kind: Edition) -> None:
    game = Game(kind, seed=4)
    positions = [game.engine.snapshot()]
    rng = random.Random(4)
    while not game.over:
        play_at_random(game, rng, 1)
        if len(game.actions) == len(positions) and not game.engine.in_progress:
            positions.append(game.engine.snapshot())
    last = len(positions) - 1
    for number in (last, last // 2, last // 2 - 1, 7, 1, 0):
        game.undo(to=number)
        assert game.engine.snapshot() == positions[number]
        assert len(game.actions) == number
    with pytest.raises(BrassError, match="no action 1"):
        game.undo(to=1)


def test_an_error_changes_nothing() -> None:
    game = Game.from_position(TIED_MINES)
    before = game.to_bytes()
    for text in ("build cotton Manchester", "build cotton Colne", "build cotton Nowhere", "sing"):
        with pytest.raises(BrassError):
            game.play(text)
        assert game.to_bytes() == before
    with pytest.raises(AmbiguousAction):
        game.play("build cotton Manchester; card Manchester")
    assert game.to_bytes() == before


# --- what the distant market hides ---------------------------------------------------------------


def test_when_the_market_closes_the_rest_of_the_action_is_dropped() -> None:
    game = Game.from_position(LAST_STEP)
    events = game.choose("sell cotton Manchester > distant, cotton Oldham > distant; card coal")
    assert [event.kind for event in events] == ["discarded", "distant_tile"]
    assert str(game.actions[0]) == "sell cotton Manchester; card coal"  # nobody else buys
    assert game.state.demand == 8


def test_no_answer_depends_on_a_face_down_tile() -> None:
    texts = [
        "sell cotton Manchester > distant, cotton Oldham > port Preston; card coal",
        "sell cotton Manchester > distant, cotton Oldham; card coal",
        "sell cotton Manchester > distant, cotton Manchester; card coal",
    ]
    closing = Game.from_position(LAST_STEP)
    harmless = Game.from_position(LAST_STEP | {"distant": ["0"]})
    assert closing.engine.snapshot() != harmless.engine.snapshot()
    assert [str(a) for a in closing.legal_actions()] == [str(a) for a in harmless.legal_actions()]
    for text in texts:
        assert closing.why_not(text) == harmless.why_not(text)
