"""The specification of records: deals, the example, and everything it lists."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from brassmill import record
from brassmill.core.deal import Deal
from brassmill.editions import Edition, edition
from brassmill.editions.edition import goods_bits
from brassmill.record import rows
from brassmill.record.parser import DEEPEST
from brassmill.record.reader import LONGEST_GAME, LONGEST_LINE, MOST_LINES
from brassmill.record.record import CLOSINGS
from brassmill.record.replay import check_of, numbers
from record.test_record import played
from support import kinds
from support.paths import ROOT

SPECIFICATION = ROOT / "docs/formats/notation.md"


def specified_deal(kind: Edition, seed: int) -> Deal:
    """Deal by the words of the specification alone."""
    state = seed

    def draw() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return (z ^ (z >> 31)) >> 32

    def below(n: int) -> int:
        r = draw()
        while r * n % 2**32 < 2**32 % n:
            r = draw()
        return r * n >> 32

    def shuffled(pile: Iterable[int]) -> tuple[int, ...]:
        row = list(pile)
        for i in range(len(row) - 1, 0, -1):
            j = below(i + 1)
            row[i], row[j] = row[j], row[i]
        return tuple(row)

    def clockwise(first: int) -> tuple[int, ...]:
        return tuple((first + n) % kind.players for n in seats)

    seats = range(kind.players)
    cards = [card for card in sorted(kind.deck) for _ in range(kind.deck[card])]
    return Deal(
        decks=(shuffled(cards), shuffled(cards)),
        distant=(shuffled(kind.distant), shuffled(kind.distant)),
        merchants=shuffled(map(goods_bits, kind.merchant_tiles)),
        order=clockwise(below(kind.players)) if kind.name == "classic" else shuffled(seats),
        seed=seed,
    )


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_a_seed_deals_as_specified(kind: Edition) -> None:
    for seed in (0, 1, 7, 2**63, 2**64 - 1):
        assert specified_deal(kind, seed) == Deal.from_seed(kind, seed)
    two = edition("birmingham", 2)
    page = SPECIFICATION.read_text(encoding="utf-8")
    last = [two.card_name(card) for card in specified_deal(two, 7).decks[0][-3:]]
    assert f"the deck ends with {', '.join(last)}." in " ".join(page.split())


def test_the_example_in_the_specification_is_valid() -> None:
    page = SPECIFICATION.read_text(encoding="utf-8")
    example = page.split("<!-- example: record -->\n\n```text\n")[1].split("```")[0]
    book = record.loads(example)
    assert str(book) == example
    assert book.verify() == []
    start = book.game(to=0)
    assert f"`{' '.join(map(str, numbers(start.engine)))}`" in page
    assert f"`{check_of(start.engine):04x}`" in page


def test_the_specification_lists_everything() -> None:
    page = SPECIFICATION.read_text(encoding="utf-8").split("## Records")[1]
    for name in (*rows.ROWS, *rows.OWN_HEADERS, *CLOSINGS, *played().record().headers):
        assert f"`{name}`" in page, name
    assert f"The version is now {record.RULES_VERSION};" in page
    for limit in (LONGEST_LINE, LONGEST_GAME, MOST_LINES):
        assert f"{limit:,}" in page
    assert f"up to {DEEPEST} deep" in page
    assert f"up to {rows.WIDTH} characters wide" in page
