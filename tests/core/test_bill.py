"""Bills of unfinished actions: the lowest possible cost, and only certain gains."""

from __future__ import annotations

from typing import Any

import pytest

from brassmill.core.bill import BillItem
from brassmill.game import Game


def game(edition: str, position: dict[str, Any], **options: str) -> Game:
    return Game.from_position({"edition": edition, "options": options} | position)


def test_a_rail_is_billed_from_its_cheaper_end() -> None:
    """A-COAL: at Blackburn the coal is bought, at Bolton it comes from Wigan."""
    open_end = game(
        "classic",
        {
            "era": "rail",
            "round": "2",
            "tiles": ["R coal 2 Wigan (1)", "R port 2 Preston flipped"],
            "links": ["Y Bolton-Wigan", "Y Blackburn-Preston"],
            "coal market": "0",
        },
        rail_coal="chosen_end",
    )
    assert open_end.bill("link Blackburn-Bolton").total == 5
    assert open_end.bill("link Blackburn-Bolton; end Blackburn").total == 10


def test_only_a_certain_bonus_is_on_the_bill() -> None:
    sale = {
        "era": "rail",
        "round": "2",
        "tiles": ["Y cotton 2 Stoke-on-Trent 1"],
        "links": ["Y Warrington-Stoke-on-Trent"],
        "merchants": {"Warrington": ["cotton", "blank"], "Nottingham": ["cotton", "blank"]},
        "Y": {"cash": "30"},
    }
    sure = game("birmingham", sale).bill("sell cotton Stoke")
    assert [receipt.pounds for receipt in sure.receipts] == [5]
    assert sure.cash_left == 35
    to_nottingham = ["Stoke-on-Trent-Leek", "Leek-Belper", "Belper-Derby", "Derby-Nottingham"]
    links = sale["links"] + [f"R {line}" for line in to_nottingham]  # type: ignore[operator]
    perhaps = game("birmingham", sale | {"links": links}).bill("sell cotton Stoke")
    assert perhaps.receipts == ()
    assert perhaps.cash_left == 30
    assert [len(source.names) for source in perhaps.sources] == [2]
    assert [str(bonus) for bonus in sure.bonuses] == ["Warrington bonus: £5"]
    assert list(map(str, perhaps.bonuses)) == [
        "Beer from Warrington gives £5",
        "Beer from Nottingham gives 3 VP",
    ]
    with_nottingham = game("birmingham", sale | {"links": links}).bill(
        "sell cotton Stoke; beer merchant Nottingham"
    )
    assert list(map(str, with_nottingham.bonuses)) == ["Nottingham bonus: 3 VP"]


@pytest.mark.parametrize(
    ("merchant", "line", "words"),
    [
        ("Oxford", "Redditch-Oxford", "Oxford bonus: 2 spaces on the income track"),
        ("Gloucester", "Redditch-Gloucester", "Gloucester bonus: develop 1 tile without iron"),
    ],
)
def test_the_bill_of_a_sale_says_what_the_merchant_gives(
    merchant: str, line: str, words: str
) -> None:
    sale = game(
        "birmingham",
        {
            "era": "rail",
            "round": "2",
            "tiles": ["Y manufacturer 2 Redditch 1"],
            "links": [f"Y {line}"],
            "merchants": {merchant: ["manufacturer", "blank"]},
            "Y": {"cash": "30"},
        },
    )
    bill = sale.bill("sell manufacturer Redditch")
    assert list(map(str, bill.bonuses)) == [words] and words in str(bill)
    assert sale.bill("loan 30").bonuses == ()


def test_a_debt_is_on_the_bill_of_the_tile_that_pays_it() -> None:
    debtor = game(
        "lancashire",
        {
            "round": "3",
            "order": ["R", "G", "P", "Y"],
            "to move": "Y",
            "tiles": ["Y cotton 1 Bolton", "Y port 1 Preston"],
            "Y": {"cash": "0", "income": "7", "hand": ["Bury", "Colne"]},
        },
    )
    debtor.play("pass; card Bury")
    debtor.play("pass; card Colne")
    bill = debtor.bill("give up cotton Bolton")
    assert bill.parts == (BillItem("debt", 3),)
    assert [receipt.pounds for receipt in bill.receipts] == [6]
    assert bill.cash_left == 3


def test_the_bill_of_a_loan_says_what_you_will_have() -> None:
    bill = game("lancashire", {"round": "2", "Y": {"cash": "9"}}).bill("loan 30")
    assert bill.only_earns and str(bill).startswith("You will have £39, ")
    assert not game("lancashire", {"round": "2", "Y": {"cash": "9"}}).bill("pass").only_earns
