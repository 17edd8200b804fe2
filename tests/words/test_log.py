"""The log: events as text, action by action."""

from __future__ import annotations

from brassmill.core.events import Event
from brassmill.words.log import LogLine, log_lines


def test_an_action_is_one_line() -> None:
    events = [
        Event("discarded", seat=1, card="Leek"),
        Event("iron_used", seat=1, source="market", pounds=1),
        Event("paid", seat=1, pounds=1, purpose="iron"),
        Event("developed", seat=1, industry="coal", level=1),
        Event("iron_used", seat=1, source="market", pounds=2),
        Event("paid", seat=1, pounds=2, purpose="iron"),
        Event("developed", seat=1, industry="iron", level=1),
        Event("discarded", seat=1, card="Stone"),
        Event("passed", seat=1),
        Event("drew", seat=1, cards=2),
    ]
    assert list(log_lines(events, "YRGP")) == [
        LogLine(
            1,
            "develops a level I coal mine and a level I iron works",
            "discards Leek, buys 2 iron from the market for £3",
        ),
        LogLine(1, "passes", "discards Stone"),
    ]


def test_deliveries_are_counted() -> None:
    prices = (3, 2, 2, 1, 1)
    events = [
        Event("built", seat=0, industry="iron", tile="iron 1", space="Dudley 2"),
        *(Event("delivered", seat=0, space="Dudley 2", pounds=pounds) for pounds in prices),
    ]
    [line] = log_lines(events, "YRGP")
    assert line.details == "sells 5 iron to the market: +£9"


def test_equal_tiles_are_developed_together() -> None:
    events = [Event("developed", seat=0, industry="brewery", level=1)] * 2
    [line] = log_lines(events, "YRGP")
    assert line.text == "develops two level I breweries"


def test_a_loan_says_what_it_costs() -> None:
    events = [
        Event("discarded", seat=0, card="coal"),
        Event("borrowed", seat=0, pounds=30, levels=3),
        Event("income_moved", seat=0, before=10, after=7),
    ]
    [line] = log_lines(events, "YRGP")
    assert line.text == "takes a £30 loan (income \N{MINUS SIGN}3)"
    assert line.details == "discards the coal mine card, income track 10 \N{RIGHTWARDS ARROW} 7"


def test_the_end_of_an_era_is_summed_up() -> None:
    events = [
        Event("income_paid", seat=0, pounds=0),
        Event("income_paid", seat=1, pounds=-3),
        Event("era_ended", era="canal"),
        Event("link_scored", seat=0, line="Leek-Stone", points=2),
        Event("link_scored", seat=0, line="Leek-Stoke", points=3),
        Event("tile_scored", seat=1, space="Leek 1", points=5),
        Event("income_scored", seat=1, points=-2),
        Event("removed", owner=1, space="Leek 1", tile="cotton 1"),
        Event("round_began", era="rail", round=1),
    ]
    assert [f"{line.text}; {line.details}" for line in log_lines(events, "YR")] == [
        "Income: R \N{MINUS SIGN}£3; ",
        "The canal era ends; ",
        "scores 5 VP; links 5",
        "scores 3 VP; tiles 5, income \N{MINUS SIGN}2",
        "1 level I tile is removed from the board; ",
        "Round 1 of the rail era begins; ",
    ]


def test_a_merchants_beer_and_bonus_are_named_without_numbers_or_gaps() -> None:
    events = [
        Event("barrel_used", seat=0, merchant="Oxford 2"),
        Event("bonus", seat=0, place="Warrington", amount=5),
        Event("sold", seat=0, space="Walsall 1", tile="manufacturer 1"),
    ]
    [line] = log_lines(events, "YRGP")
    assert line.details == "uses the Oxford merchant's beer, gets the Warrington bonus: £5"
