"""Everything random, fixed before the first turn: a `Deal`, from a seed or at random.

A secret deal comes from the random source of the operating system, because all seeds of 64 bits
could be tried. A seed makes its deal with SplitMix64 and Fisher-Yates shuffles in integer
arithmetic, in one compiled function. It deals the same cards on every machine and in every version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from secrets import SystemRandom
from typing import Any

from brassmill.editions.edition import Edition, goods_bits
from brassmill.errors import BrassError, InvalidPosition
from brassmill.language import gettext as _
from brassmill.rules.jit import entry, rule
from brassmill.rules.layout import (
    CANAL,
    CARDS,
    DEAL,
    DECK,
    DISTANT_TILES,
    MERCHANTS,
    RAIL,
    SEATS,
    blank,
)

SEEDS = 1 << 64  # seeds run from 0 to this, exclusive

# --- random numbers: SplitMix64 ------------------------------------------------------------------
#
# A 64-bit number is a pair of 32-bit halves in plain integers, and no step exceeds 63 bits. So the
# arithmetic is the same on a CPU, on a GPU and in plain Python.

HALF = 0xFFFF_FFFF
QUARTER = 0xFFFF


@rule
def times_low(a: int, b: int) -> int:
    """The product of two halves modulo 2**32."""
    return ((a & QUARTER) * b + ((((a >> 16) * b) & QUARTER) << 16)) & HALF


@rule
def times(high: int, low: int, by_high: int, by_low: int) -> tuple[int, int]:
    """The product of two 64-bit numbers modulo 2**64."""
    first = (low & QUARTER) * by_low
    second = (low >> 16) * by_low + (first >> 16)
    carry = second >> 16
    over = (times_low(high, by_low) + times_low(low, by_high) + carry) & HALF
    return over, ((second & QUARTER) << 16) | (first & QUARTER)


@rule
def shift_xor(high: int, low: int, bits: int) -> tuple[int, int]:
    """`x ^ (x >> bits)`, for fewer than 32 bits."""
    shifted = (low >> bits) | ((high << (32 - bits)) & HALF)
    return high ^ (high >> bits), low ^ shifted


@rule
def random_number(seed: int, number: int) -> Any:
    """The upper 32 bits of the `number`th output (from 1) of SplitMix64 started at `seed`."""
    high, low = times(0, number, 0x9E37_79B9, 0x7F4A_7C15)
    low += seed & HALF
    high = (high + ((seed >> 32) & HALF) + (low >> 32)) & HALF
    low &= HALF
    high, low = shift_xor(high, low, 30)
    high, low = times(high, low, 0xBF58_476D, 0x1CE4_E5B9)
    high, low = shift_xor(high, low, 27)
    high, low = times(high, low, 0x94D0_49BB, 0x1331_11EB)
    high, low = shift_xor(high, low, 31)
    return high


@rule
def below(limit: int, seed: int, drawn: int) -> tuple[int, int]:
    """A number below `limit`, all equally likely, and the new count of random numbers drawn.

    Lemire's method: the upper half of the product `limit * random`, drawn again while the lower
    half falls into the few values that would make some results likelier than others.
    """
    unfair = (HALF + 1) % limit
    drawn += 1
    product = random_number(seed, drawn) * limit
    while product & HALF < unfair:
        drawn += 1
        product = random_number(seed, drawn) * limit
    return product >> 32, drawn


# --- the deal ------------------------------------------------------------------------------------


@rule
def shuffle(row: Any, count: int, seed: int, drawn: int) -> int:
    """Fisher-Yates from the end; return the new count of random numbers drawn."""
    for last in range(count - 1, 0, -1):
        other, drawn = below(last + 1, seed, drawn)
        kept = row[last]
        row[last] = row[other]
        row[other] = kept
    return drawn


@entry
def deal_from_seed(board: Any, seed: int, deal: Any) -> None:
    """Fill `deal`; `seed` counts as 64 bits, so a negative number stands for one from 2**63 on.

    In this order: the decks of the canal and of the rail era, the distant tiles of both, the
    merchant tiles, the seats. Every pile is shuffled from the order of the edition's tables.
    """
    seed = int(seed)
    drawn = 0
    for era in range(2):
        size = 0
        for card in range(CARDS):
            for _copy in range(int(board.deck_count[card])):
                deal.deck[era, size] = card
                size += 1
        drawn = shuffle(deal.deck[era], size, seed, drawn)
        for place in range(size, DECK):
            deal.deck[era, place] = -1
    for era in range(2):
        for tile in range(DISTANT_TILES):
            deal.distant[era, tile] = board.distant_set[tile]
        drawn = shuffle(deal.distant[era], int(board.distant_tiles), seed, drawn)
    for tile in range(MERCHANTS):
        deal.merchant[tile] = board.merchant_set[tile]
    drawn = shuffle(deal.merchant, int(board.merchants), seed, drawn)
    players = int(board.players)
    for turn in range(SEATS):
        deal.order[turn] = turn if turn < players else -1
    if board.clockwise_start != 0:
        first, drawn = below(players, seed, drawn)
        for turn in range(players):
            deal.order[turn] = (first + turn) % players
    else:
        shuffle(deal.order, players, seed, drawn)


def seed_bits(seed: int) -> int:
    """A seed for the compiled functions: a signed number with the same 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < SEEDS:
        words = _("a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
        raise BrassError(words.format(seed=seed))
    number = int(seed)
    return number - SEEDS if number >= SEEDS // 2 else number


@dataclass(frozen=True)
class Deal:
    """Everything random in one game."""

    decks: tuple[tuple[int, ...], tuple[int, ...]]  # by era, the first card dealt first
    distant: tuple[tuple[int, ...], tuple[int, ...]]  # by era, steps, the first turned first
    merchants: tuple[int, ...]  # bits of goods, by merchant space
    order: tuple[int, ...]  # the seats in the first turn order
    seed: int | None = None

    def __repr__(self) -> str:
        what = "explicit" if self.seed is None else f"seed {self.seed}"
        return f"<Deal: {what}, order {self.order}>"

    @classmethod
    def from_seed(cls, edition: Edition, seed: int) -> Deal:
        """The deal of a seed."""
        record = blank(DEAL)[0]
        deal_from_seed(edition.board, seed_bits(seed), record)
        return cls.from_record(edition, record, int(seed))

    @classmethod
    def random(cls, edition: Edition) -> Deal:
        """A random deal that nobody can compute, from the operating system's random source."""
        source = SystemRandom()

        def shuffled(items: Iterable[int]) -> tuple[int, ...]:
            row = list(items)
            source.shuffle(row)
            return tuple(row)

        def deck() -> tuple[int, ...]:
            return shuffled(card for card, count in edition.deck.items() for _copy in range(count))

        players = edition.players
        order = shuffled(range(players))
        if edition.traits.clockwise_start:
            order = tuple((order[0] + turn) % players for turn in range(players))
        return cls(
            decks=(deck(), deck()),
            distant=(shuffled(edition.distant), shuffled(edition.distant)),
            merchants=shuffled(map(goods_bits, edition.merchant_tiles)),
            order=order,
        )

    @classmethod
    def from_record(cls, edition: Edition, record: Any, seed: int | None = None) -> Deal:
        """A deal from a `DEAL` record."""

        def numbers(row: Any, count: int) -> tuple[int, ...]:
            return tuple(row[:count].tolist())

        cards, tiles = sum(edition.deck.values()), len(edition.distant)
        return cls(
            decks=(numbers(record.deck[CANAL], cards), numbers(record.deck[RAIL], cards)),
            distant=(numbers(record.distant[CANAL], tiles), numbers(record.distant[RAIL], tiles)),
            merchants=numbers(record.merchant, len(edition.merchants)),
            order=numbers(record.order, edition.players),
            seed=seed,
        )

    def record(self, edition: Edition) -> Any:
        """The deal as a `DEAL` record, after a check."""
        problems = self.check(edition)
        if problems:
            raise InvalidPosition(problems)
        record = blank(DEAL)[0]
        record.deck[:] = -1
        record.order[:] = -1
        for era in (CANAL, RAIL):
            record.deck[era, : len(self.decks[era])] = self.decks[era]
            record.distant[era, : len(self.distant[era])] = self.distant[era]
        record.merchant[: len(self.merchants)] = self.merchants
        record.order[: len(self.order)] = self.order
        return record

    def check(self, edition: Edition) -> list[str]:
        """Everything that is wrong with this deal for an edition."""
        return self._shape_problems() or self._problems(edition)

    def _shape_problems(self) -> list[str]:
        """Rows that are not rows of numbers."""
        problems: list[str] = []
        rows = [("merchants", self.merchants), ("order", self.order)]
        for name, pair in (("deck", self.decks), ("distant", self.distant)):
            if isinstance(pair, list | tuple) and len(pair) == 2:
                rows += [(name, pair[CANAL]), (f"rail {name}", pair[RAIL])]
            else:
                problems.append(f"{name}: there must be two rows, one for each era")
        for name, row in rows:
            if not isinstance(row, list | tuple):
                problems.append(f"{name} must be a row of numbers, not {row!r}")
                continue
            wrong = [
                item for item in row if isinstance(item, bool) or not isinstance(item, Integral)
            ]
            problems += [f"{name}: {item!r} is not a whole number" for item in wrong[:1]]
        if self.seed is not None:
            try:
                seed_bits(self.seed)
            except BrassError as error:
                problems.append(f"seed: {error}")
        return problems

    def _problems(self, edition: Edition) -> list[str]:
        """Cards and tiles that do not fit the edition, or not in this number."""

        def card_name(card: int) -> str:
            return edition.card_name(card) if card in edition.cards else f"card {card}"

        def goods_name(goods: int) -> str:
            return edition.goods_name(goods) if goods in tiles else f"goods {goods}"

        problems: list[str] = []
        for era, name in ((CANAL, "deck"), (RAIL, "rail deck")):
            problems += _differences(name, self.decks[era], edition.deck, card_name)
        distant = Counter(edition.distant)
        for era, name in ((CANAL, "distant"), (RAIL, "rail distant")):
            problems += _differences(name, self.distant[era], distant, str)
        tiles = Counter(map(goods_bits, edition.merchant_tiles))
        problems += _differences("merchants", self.merchants, tiles, goods_name)
        seats = dict.fromkeys(range(edition.players), 1)
        wrong = _differences("order", self.order, seats, lambda seat: f"seat {seat}")
        if not wrong and edition.traits.clockwise_start:
            first = self.order[0]
            if tuple(self.order) != tuple(
                (first + n) % edition.players for n in range(edition.players)
            ):
                wrong = [f"order: {self.order} is not clockwise"]
        problems += wrong
        if problems or self.seed is None:
            return problems
        same = self.rows() == Deal.from_seed(edition, self.seed).rows()
        return [] if same else [f"seed: {self.seed} makes another deal; leave it out"]

    def rows(self) -> list[tuple[int, ...]]:
        """All rows, whether they are lists or tuples."""
        return [tuple(row) for row in (*self.decks, *self.distant, self.merchants, self.order)]

    # --- as data ---------------------------------------------------------------------------------

    def to_dict(self, edition: Edition) -> dict[str, Any]:
        """The deal as plain data with names, ready for JSON."""
        data: dict[str, Any] = {} if self.seed is None else {"seed": self.seed}
        data["order"] = list(self.order)
        data["deck"] = [edition.card_name(card) for card in self.decks[CANAL]]
        data["rail deck"] = [edition.card_name(card) for card in self.decks[RAIL]]
        if edition.distant:
            data["distant"] = list(self.distant[CANAL])
            data["rail distant"] = list(self.distant[RAIL])
        if edition.merchants:
            data["merchants"] = {
                place: [
                    edition.goods_name(goods)
                    for goods, at in zip(self.merchants, edition.merchants, strict=True)
                    if at == place
                ]
                for place in dict.fromkeys(edition.merchants)
            }
        return data

    @classmethod
    def from_dict(cls, edition: Edition, data: Mapping[str, Any]) -> Deal:
        """A deal from what `to_dict` writes, or from a seed alone."""
        if not isinstance(data, Mapping):
            raise InvalidPosition([f"a deal must be a mapping, not {data!r}"])
        if set(data) == {"seed"}:
            return cls.from_seed(edition, data["seed"])
        reader = _Reader(edition, data)
        deal = cls(
            decks=(reader.cards("deck"), reader.cards("rail deck")),
            distant=(reader.steps("distant"), reader.steps("rail distant")),
            merchants=reader.merchants(),
            order=reader.numbers("order"),
            seed=reader.seed(),
        )
        reader.finish()
        problems = deal.check(edition)
        if problems:
            raise InvalidPosition(problems)
        return deal


class _Reader:
    """Reads the parts of a deal and collects all problems."""

    def __init__(self, edition: Edition, data: Mapping[str, Any]) -> None:
        self.edition = edition
        self.data = data
        self.problems: list[str] = []
        known = ["seed", "order", "deck", "rail deck"]
        known += ["distant", "rail distant"] if edition.distant else []
        known += ["merchants"] if edition.merchants else []
        self.problems += [f"a deal has no {key!r}" for key in data if key not in known]
        self.problems += [f"{key} is missing" for key in known[1:] if key not in data]

    def finish(self) -> None:
        if self.problems:
            raise InvalidPosition(self.problems)

    def seed(self) -> int | None:
        seed = self.data.get("seed")
        try:
            if seed is not None:
                seed_bits(seed)
        except BrassError as error:
            self.problems.append(str(error))
        return seed

    def rows(self, key: str) -> Sequence[Any]:
        rows = self.data.get(key, ())
        if isinstance(rows, list | tuple):
            return rows
        self.problems.append(f"{key} must be a list, not {rows!r}")
        return ()

    def cards(self, key: str) -> tuple[int, ...]:
        return tuple(self.found(key, map(str, self.rows(key)), self.edition.find_card))

    def numbers(self, key: str) -> tuple[int, ...]:
        return tuple(self.found(key, self.rows(key), _whole))

    def steps(self, key: str) -> tuple[int, ...]:
        return tuple(abs(step) for step in self.numbers(key))

    def merchants(self) -> tuple[int, ...]:
        if "merchants" not in self.data:
            return ()
        given = self.data["merchants"]
        if not isinstance(given, Mapping):
            self.problems.append(f"merchants must name places and their tiles, not {given!r}")
            return ()
        tiles: list[int] = []
        places = dict.fromkeys(self.edition.merchants)
        for place in places:
            rows = given.get(place, ())
            if not isinstance(rows, list | tuple):
                rows = ()
            spaces = self.edition.merchants.count(place)
            if len(rows) != spaces:
                self.problems.append(f"merchants: {place} takes {spaces}, not {len(rows)}")
            tiles += self.found("merchants", map(str, rows), self.edition.find_goods)
        self.problems += [f"merchants: no space at {name}" for name in given if name not in places]
        return tuple(tiles)

    def found(self, key: str, rows: Iterable[Any], find: Callable[[Any], int]) -> list[int]:
        numbers = []
        for row in rows:
            try:
                numbers.append(find(row))
            except BrassError as error:
                self.problems.append(f"{key}: {error}")
        return numbers


def _whole(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise BrassError(f"{value!r} is not a whole number")


def _differences(
    what: str, given: Iterable[int], expected: Mapping[int, int], name: Callable[[int], str]
) -> list[str]:
    """What there is too much or too little of in a pile."""
    found = Counter(given)
    return [
        f"{what}: {found[item]} x {name(item)}, not {expected.get(item, 0)}"
        for item in sorted({*found, *expected})
        if found[item] != expected.get(item, 0)
    ]
