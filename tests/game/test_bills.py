"""Debts, bills and scores of a game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from brassmill.editions import Edition
from brassmill.errors import IllegalAction
from brassmill.game import Game
from brassmill.rules.layout import ACTION
from support import kinds
from support.kinds import TIED_MINES

DEBTOR = {
    "edition": "lancashire",
    "players": 2,
    "round": 2,
    "to move": "R",
    "actions left": "1",
    "tiles": ["Y cotton 1 Bolton", "Y port 1 Preston"],
    "Y": {"cash": "0", "income": "7"},
    "R": {"hand": ["coal", "coal"]},
}


def test_the_debtor_chooses_how_to_pay_a_debt() -> None:
    game = Game.from_position(DEBTOR)
    assert game.seat == 1
    game.play("pass")
    assert (game.seat, game.question) == (0, "give up")
    assert {str(action) for action in game.legal_actions()} == {
        "give up cotton Bolton",
        "give up port Preston",
    }
    assert game.view(0).legal
    assert not game.view(1).legal
    game.play("give up cotton Bolton")
    assert [str(action) for action in game.actions] == ["pass; card coal", "give up cotton Bolton"]
    assert game.actions[1].seat == 0
    assert game.state.cash[0] == 3  # half of 12, less the debt of 3


# --- bills and scores ----------------------------------------------------------------------------


def test_a_bill_names_parts_sources_and_money_left() -> None:
    game = Game.from_position(TIED_MINES)
    before = game.engine.snapshot()
    bill = game.bill("build cotton Manchester")
    assert [(part.label, part.pounds) for part in bill.parts] == [("cotton 2", 14)]
    assert [source.names for source in bill.sources] == [("R Bury 1", "Y Oldham 1")]
    assert (bill.total, bill.cash_left, bill.place) == (14, 46, 4)
    named = game.bill("build cotton Manchester; coal Oldham")
    assert [str(source) for source in named.sources] == ["coal from your mine in Oldham: free"]
    assert str(bill).splitlines() == [
        "Cost £14, £46 left, 4th next round",
        "£14 for a level II cotton mill",
        "coal: R (Bury) or your mine in Oldham",
    ]
    assert game.engine.snapshot() == before


def test_a_bill_counts_purchases_and_receipts() -> None:
    game = Game("birmingham", seed=7)
    bill = game.bill("develop coal, iron")
    assert [(part.label, part.pounds) for part in bill.parts] == [("iron", 2), ("iron", 2)]
    assert [str(source) for source in bill.sources] == ["iron from the market: £2"] * 2
    loan = game.bill("loan 30")
    assert (loan.total, loan.cash_left, loan.place) == (0, 47, 1)
    assert [(part.label, part.pounds) for part in loan.receipts] == [("loan", 30)]
    with pytest.raises(IllegalAction, match="no such loan"):
        game.bill("loan 20")
    with pytest.raises(IllegalAction):
        game.bill(-1)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_bill_matches_what_is_paid(kind: Edition) -> None:
    rng = random.Random(5)
    game = Game(kind, seed=5)
    while not game.over:
        seat = game.engine.seat
        if game.engine.phase == ACTION:
            plan = game.copy()
            while not plan.actions[len(game.actions) :]:
                plan.choose(rng.choice(plan.legal_choices().ids))
            move: Any = plan.actions[-1]
            bill = game.bill(move)
            before = int(game.state.spent[seat])
            game.choose(move)
            assert int(game.state.spent[seat]) - before == bill.total
            assert int(game.state.cash[seat]) == bill.cash_left
            if game.question == "turn over":
                game.end_turn()
        else:
            game.play(rng.choice(game.legal_choices().ids))


def test_the_current_score_is_listed_by_source() -> None:
    game = Game.from_position(
        {
            "edition": "lancashire",
            "round": 3,
            "tiles": ["Y coal 2 Bury flipped", "R cotton 1 Manchester"],
            "links": ["Y Bury-Manchester"],
        }
    )
    assert game.score_now() == ({"links": 1, "coal": 2}, {}, {}, {})
    assert int(game.state.vp[0]) == 0
