"""The records and the vocabulary meet the assumptions of the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from brassmill.core.engine import plain
from brassmill.rules import choices, income
from brassmill.rules.laws import Law
from brassmill.rules.layout import BOARD, CHOICES_MAX, DEAL, STATE, WORK
from brassmill.rules.reasons import Reason

RECORDS = {"STATE": STATE, "BOARD": BOARD, "DEAL": DEAL, "WORK": WORK}


@pytest.mark.parametrize("name", RECORDS)
def test_records_have_no_padding(name: str) -> None:
    """Otherwise two equal positions could differ in their bytes."""
    record = RECORDS[name]
    fields = record.fields
    assert fields is not None
    padding = record.itemsize - sum(kind.itemsize for kind, *_ in fields.values())
    assert not padding, f"{name} has {padding} bytes of padding: change the size of `unused`"


@pytest.mark.parametrize("name", RECORDS)
def test_no_field_is_shadowed_by_a_numpy_attribute(name: str) -> None:
    """Uncompiled rules read fields as attributes, and `round`, for one, is a numpy method."""
    assert [field for field in RECORDS[name].names or () if hasattr(np.record, field)] == []


MAKERS: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]] = {
    "LINK": (choices.link_on, choices.is_link, choices.link_line),
    "SELL": (choices.sell_tile, choices.is_sell, choices.sell_space),
    "DEVELOP": (choices.develop, choices.is_develop, choices.develop_industry),
    "CARD": (choices.card, choices.is_card, choices.card_kind),
    "COAL_FROM": (choices.coal_from, choices.is_coal_from, choices.coal_space),
    "IRON_FROM": (choices.iron_from, choices.is_iron_from, choices.iron_space),
    "BEER_FROM": (choices.beer_from, choices.is_beer_from, choices.beer_space),
    "BARREL_OF": (choices.barrel_of, choices.is_barrel_of, choices.barrel_merchant),
    "COAL_AT": (choices.coal_at, choices.is_coal_at, choices.coal_place),
    "SELL_TO_PORT": (choices.sell_to_port, choices.is_sell_to_port, choices.port_space),
    "REMOVE": (choices.remove, choices.is_remove, choices.remove_industry),
    "GIVE_UP": (choices.debt_tile, choices.is_debt_tile, choices.debt_tile_space),
}
SINGLE = {"SCOUT", "PASS", "TWO_CARDS", "SELL_FAR", "DONE"}


def test_the_list_of_choices_is_large_enough() -> None:
    assert choices.CHOICES <= CHOICES_MAX


def test_every_choice_round_trips_through_its_kind() -> None:
    seen = set()
    for number in range(choices.CHOICES):
        kind, offset = choices.kind_of(number)
        seen.add(kind.name)
        if kind.name in SINGLE:
            assert getattr(choices, kind.name) == number
        elif kind.name == "BUILD":
            space = plain(choices.build_space)(number)
            symbol = plain(choices.build_symbol)(number)
            assert plain(choices.build_on)(space, symbol) == number
        elif kind.name == "LOAN":
            levels = plain(choices.loan_levels)(number)
            assert levels == offset + 1
            assert plain(choices.loan)(levels) == number
        else:
            make, belongs, read = map(plain, MAKERS[kind.name])
            assert make(offset) == number
            assert read(number) == offset
            assert [other for other in range(choices.CHOICES) if belongs(other)][offset] == number
    assert seen == {kind.name for kind in choices.KINDS}
    for number in (-1, choices.CHOICES):
        with pytest.raises(ValueError, match="there is no choice"):
            choices.kind_of(number)


def test_names_have_unique_numbers() -> None:
    for names in (Reason, Law):
        assert len(names) == len(names.__members__)


def test_the_income_track() -> None:
    """Check INC-1 and INC-6."""
    level, highest = plain(income.income_level), plain(income.highest_space)
    levels = [level(space) for space in range(100)]
    bands = [levels.count(number) for number in range(-10, 31)]
    assert bands == [1] * 11 + [2] * 10 + [3] * 10 + [4] * 9 + [3]
    assert levels == sorted(levels)
    for number in range(-10, 31):
        assert highest(number) == max(space for space in range(100) if levels[space] == number)
