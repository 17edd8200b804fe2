"""The kinds of game that `make test` plays represent all the others."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from brassmill.editions import Edition
from support.kinds import ALL, COVER, EACH

Fact = tuple[str, object]


def pairs(kinds: Iterable[Edition]) -> set[tuple[Fact, Fact]]:
    """Return every two facts of a kind: edition, players and option values."""
    return {
        pair
        for kind in kinds
        for pair in combinations(
            [("edition", kind.name), ("players", kind.players), *kind.options.items()], 2
        )
    }


def test_every_pair_of_edition_players_and_values_is_covered() -> None:
    missing = pairs(ALL) - pairs(COVER)
    assert missing == set(), "add kinds with these pairs to COVER in tests/support/kinds.py"


def test_every_kind_in_the_cover_is_needed() -> None:
    for kind in COVER:
        assert pairs(ALL) - pairs(other for other in COVER if other is not kind), kind


def test_each_kind_is_either_slow_or_not() -> None:
    quick = [kind for param in EACH for kind in param.values if not param.marks]
    assert [kind for param in EACH for kind in param.values] == ALL
    assert set(quick) == set(COVER)
