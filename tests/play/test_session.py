"""A game at a table: what is public, what can be undone, and what each seat has not seen yet."""

from __future__ import annotations

from random import Random

import pytest

from brassmill.core.choice import NUMBER
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.play.session import GameSession, HistoryPart
from support.kinds import COVER, IN_DEBT


def new(game: Game) -> GameSession[HistoryPart]:
    return GameSession(game, HistoryPart)


def kinds(session: GameSession[HistoryPart]) -> list[str]:
    """What everyone has seen so far."""
    return [event.kind for part in session.history for event in part.events]


def play_action(session: GameSession[HistoryPart], text: str) -> None:
    session.choose(next(a.ids for a in session.game.legal_actions() if a.text.startswith(text)))


def test_a_turn_is_private_until_it_ends() -> None:
    session = new(Game("birmingham", players=2, seed=2))
    seat = session.game.seat
    assert seat is not None
    play_action(session, "loan")
    assert session.undoable == 1 and session.history == []
    assert [part.seat for part in session.history_for(seat)] == [seat]
    assert session.history_for(1 - seat) == session.history_for(None) == []
    session.end_turn()
    assert session.undoable == 0 and "borrowed" in kinds(session)
    assert "borrowed" in [event.kind for event in session.news(1 - seat)]
    assert "borrowed" not in [event.kind for event in session.news(seat)]


def test_a_turn_that_its_player_has_not_seen_is_news_to_them() -> None:
    session = new(Game("birmingham", players=2, seed=2))
    seat = session.game.seat
    assert seat is not None
    play_action(session, "loan")
    session.end_turn(seen=False)
    assert "borrowed" in [event.kind for event in session.news(seat)]


def test_undone_moves_leave_no_trace() -> None:
    session = new(Game("lancashire", players=3, seed=2))
    start = session.game.engine.snapshot()
    session.choose((NUMBER["LOAN", 0],))
    session.choose((session.game.legal_choices().ids[0],))  # a card
    assert session.undoable == 2
    session.undo(2)
    assert session.undoable == 0 and session.game.engine.snapshot() == start


def test_what_is_published_cannot_be_undone() -> None:
    session = new(Game("birmingham", players=2, seed=2))
    play_action(session, "loan")
    session.publish()
    assert session.undoable == session.game.unpublished == 0 and "borrowed" in kinds(session)


def test_a_tile_removed_for_a_debt_is_public_at_once() -> None:
    session = new(Game.from_position(IN_DEBT))
    play_action(session, "pass")
    session.end_turn()
    assert session.game.question == "give up"
    session.choose((session.game.legal_choices().ids[0],))
    assert session.undoable == 0 and "gave_up" in kinds(session)


@pytest.mark.parametrize("edition", COVER, ids=repr)
def test_what_reveals_something_is_public_at_once(edition: Edition) -> None:
    """In whole games: a turned distant tile ends what can be undone, and nothing else does."""
    session, rng = new(Game(edition, seed=4)), Random(4)
    while not session.game.over:
        if session.game.question == "turn over":
            session.end_turn()
            continue
        before, in_debt = session.undoable, session.game.question == "give up"
        events = session.choose((rng.choice(session.game.legal_choices().ids),))
        is_revealed = in_debt or any(event.kind == "distant_tile" for event in events)
        assert session.undoable == (0 if is_revealed else before + 1)
        assert session.undoable == session.game.unpublished
    numbers = [(part.seat, part.number) for part in session.history if part.seat is not None]
    assert len(set(numbers)) == len(numbers) == len(session.game.actions)  # one part per action
