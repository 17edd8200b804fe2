"""The markets: coal and iron, the merchants, and the distant market."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brassmill.editions.edition import NUMBER, Edition
from brassmill.observation.index import Index
from brassmill.rules.jit import rule
from brassmill.rules.layout import CLOSED, INDUSTRIES
from brassmill.rules.market import coal_price, iron_price


def words_of_markets(edition: Edition) -> Iterator[Index]:
    for name, market in (("coal", edition.coal_market), ("iron", edition.iron_market)):
        yield Index(f"{name} market", "cubes", len(market.prices))
        yield Index(f"{name} market", "price of the next cube", market.empty_price)
    goods = sorted(
        {good for tile in edition.merchant_tiles for good in tile}, key=NUMBER.__getitem__
    )
    for merchant in range(len(edition.merchants)):
        name = f"merchant of {edition.merchant_name(merchant)}"
        for good in goods:
            yield Index(name, f"buys {good}")
        yield Index(name, "has a barrel")
    if edition.distant:
        yield Index("distant market", "space of the marker", CLOSED)
        yield Index("distant market", "income spaces for a sale there", max(edition.distant_bonus))


@rule
def see_markets(state: Any, board: Any, values: Any, at: int) -> Any:
    """What can be bought and sold, and for how much."""
    values[at] = state.coal_market
    values[at + 1] = coal_price(state, board, 0)
    values[at + 2] = state.iron_market
    values[at + 3] = iron_price(state, board, 0)
    at += 4
    goods = 0  # that merchants may buy
    for merchant in range(int(board.merchants)):
        goods |= int(board.merchant_set[merchant])
    for merchant in range(int(board.merchants)):
        for good in range(INDUSTRIES):
            if (goods >> good) & 1:
                values[at] = (int(state.merchant[merchant]) >> good) & 1
                at += 1
        values[at] = state.barrel[merchant]
        at += 1
    if board.distant_tiles > 0:
        values[at] = state.demand
        values[at + 1] = board.distant_bonus[int(state.demand)]
        at += 2
    return at
