"""An edition packed into the `BOARD` record of `rules/layout.py`, which explains every field."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from brassmill.editions.edition import (
    MARKET_PLACE,
    NUMBER,
    TOWN,
    Edition,
    Market,
    goods_bits,
)
from brassmill.rules import layout

_ASIDE = {
    "bottom": layout.FROM_BOTTOM,
    "after deal": layout.AFTER_DEAL,
    "before deal": layout.BEFORE_DEAL,
}
_BONUS = {
    "": 0,
    "points": layout.BONUS_POINTS_NOW,
    "develop": layout.BONUS_DEVELOP,
    "income": layout.BONUS_INCOME,
    "money": layout.BONUS_MONEY,
}


def board_of(edition: Edition) -> Any:
    """The record of an edition; first checks that its tables add up."""
    edition.check()
    board = layout.blank(layout.BOARD)[0]
    _pack_sizes(edition, board)
    _pack_places(edition, board)
    _pack_spaces(edition, board)
    _pack_lines(edition, board)
    _pack_tiles(edition, board)
    _pack_cards(edition, board)
    _pack_markets(edition, board)
    _pack_options(edition, board)
    for name, value in asdict(edition.traits).items():
        board[name] = value
    return board


def _pack_sizes(edition: Edition, board: Any) -> None:
    board.players = edition.players
    board.places = len(edition.places)
    board.spaces = len(edition.spaces)
    board.lines = len(edition.lines)
    board.deck_size = sum(edition.deck.values())
    board.distant_tiles = len(edition.distant)
    board.merchants = len(edition.merchants)
    board.rounds = edition.rounds
    board.start_cash = edition.start_cash


def _pack_places(edition: Edition, board: Any) -> None:
    board.towns = _mask(n for n, place in enumerate(edition.places) if place.kind == TOWN)
    board.market_places = _mask(
        n for n, place in enumerate(edition.places) if place.kind == MARKET_PLACE
    )
    for number, place in enumerate(edition.places):
        board.icons[number] = place.icons
        board.bonus[number] = _BONUS[place.bonus]
        board.bonus_amount[number] = place.bonus_amount
    for number, (here, there) in enumerate(edition.virtual_links):
        board.virtual_from[number] = 1 << edition.place_number[here]
        board.virtual_to[number] = 1 << edition.place_number[there]
    for number, at in enumerate(edition.merchant_places):
        board.merchant_place[number] = at


def _pack_spaces(edition: Edition, board: Any) -> None:
    board.symbol[:] = -1
    for number, space in enumerate(edition.spaces):
        board.space_place[number] = space.place
        board.space_bit[number] = 1 << space.place
        town = edition.place_spaces[space.place]
        board.earlier_twin[number] = _mask(
            other
            for other in town
            if other < number and set(edition.spaces[other].symbols) == set(space.symbols)
        )
        for position, symbol in enumerate(space.symbols):
            board.symbol[number, position] = NUMBER[symbol]
            if len(space.symbols) > 1:
                board.single_space[number, position] = _mask(
                    other for other in town if edition.spaces[other].symbols == (symbol,)
                )


def _pack_lines(edition: Edition, board: Any) -> None:
    for number, (line, ends) in enumerate(zip(edition.lines, edition.line_ends, strict=True)):
        board.line_ends[number] = _mask(ends)
        board.line_era[number] = line.canal, line.rail


def _pack_tiles(edition: Edition, board: Any) -> None:
    for tile in edition.tiles:
        kind = tile.kind
        industry = NUMBER[tile.industry]
        board.industry_of[kind] = industry
        board.level_of[kind] = tile.level
        board.cost[kind] = tile.cost
        board.coal_need[kind] = tile.coal
        board.iron_need[kind] = tile.iron
        board.beer_need[kind] = tile.beer
        board.value[kind] = tile.vp
        board.income_gain[kind] = tile.income
        board.tile_icons[kind] = tile.icons
        board.contents[kind] = tile.contents
        board.buildable[kind] = tile.buildable
        board.developable[kind] = tile.developable
        below = int(board.stack_size[industry])
        board.stack[industry, below : below + tile.count] = kind
        board.stack_size[industry] = below + tile.count


def _pack_cards(edition: Edition, board: Any) -> None:
    for card, count in edition.deck.items():
        board.deck_count[card] = count
    for card, symbols in edition.card_symbols.items():
        board.card_industries[card] = _mask(NUMBER[symbol] for symbol in symbols)
    for era, aside in enumerate(edition.set_aside):
        board.set_aside[era] = aside.count
        board.aside_from[era] = _ASIDE[aside.when]
    for loan in edition.loans:
        board.loan_sizes[loan // 10 - 1] = 1


def _pack_markets(edition: Edition, board: Any) -> None:
    def pack(name: str, market: Market) -> None:
        board[f"{name}_prices"][: len(market.prices)] = market.prices
        board[f"{name}_spaces"] = len(market.prices)
        board[f"{name}_start"] = market.start
        board[f"{name}_empty_price"] = market.empty_price

    pack("coal", edition.coal_market)
    pack("iron", edition.iron_market)
    board.distant_set[: len(edition.distant)] = edition.distant
    board.distant_bonus[: len(edition.distant_bonus)] = edition.distant_bonus
    for number, goods in enumerate(edition.merchant_tiles):
        board.merchant_set[number] = goods_bits(goods)


def _pack_options(edition: Edition, board: Any) -> None:
    from brassmill.editions import OPTIONS

    board.option[:] = -1
    if len(OPTIONS[edition.name]) > len(board.option):
        number = len(OPTIONS[edition.name])
        raise AssertionError(f"{edition.name} has {number} options: raise OPTIONS in layout.py")
    for number, option in enumerate(OPTIONS[edition.name]):
        board.option[number] = option.values.index(edition.options[option.name])


def _mask(numbers: Any) -> int:
    return sum(1 << number for number in set(numbers))
