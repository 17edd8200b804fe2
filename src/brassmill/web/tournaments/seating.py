"""Who plays whom in a round, and on which seat: pure functions, decided by their arguments alone.

Matching libraries pair two at a time. For tables of three or four the problem is a harder one, the
social golfer problem, which needs a search anyway, and so one search serves all sizes: the best
player without a table is joined by the next in the order they have not met, with a step back where
nobody fits. Seats join in: at first only tables count where everyone gets a seat they have had
least often. If some attempts find nothing, the seats no longer count, and at last the tables are
improved by exchanging players until no exchange avoids a repeated meeting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from random import Random

STEPS = 3_000  # of a search; the answer must not depend on a clock
ATTEMPTS = 12  # with seats

Seating = list[tuple[int, ...]]  # tables: players by seat


@dataclass
class History:
    """What a round must take into account: who met whom, on which seats, who had a bye."""

    met: Counter[tuple[int, int]] = field(default_factory=Counter)  # by the lower number first
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)  # by player and seat
    byes: Counter[int] = field(default_factory=Counter)

    def add(self, table: Sequence[int]) -> None:
        """Count a table, players by seat; one player alone has a bye."""
        if len(table) == 1:
            self.byes[table[0]] += 1
            return
        self.met.update(pairs_of(table))
        self.seats.update((player, seat) for seat, player in enumerate(table))

    def meetings(self, table: Collection[int]) -> int:
        """How often players of a table have met before."""
        return sum(self.met[pair] for pair in pairs_of(table))

    def is_due(self, player: int, seat: int, seats: int) -> bool:
        """Has the player had no seat of a table this large less often than this one?"""
        had = [self.seats[player, each] for each in range(seats)]
        return had[seat] == min(had)


def pairs_of(table: Collection[int]) -> Iterator[tuple[int, int]]:
    """Every two players of a table, the lower number first."""
    return combinations(sorted(table), 2)


def sizes_for(players: int, size: int, allowed: Collection[int]) -> tuple[int, ...]:
    """How many players sit at each table, the largest first; the rest has a bye.

    As few as possible have a bye. Then the tables are as near to the wanted size as they can be.
    """
    kinds = sorted((each for each in allowed if each <= size), reverse=True)
    most = [range(players // each + 1) for each in kinds]
    best: tuple[tuple[int, int], tuple[int, ...]] | None = None
    for *numbers, last in _numbers(players, kinds, most):
        chosen = (*numbers, last)
        seated = sum(each * n for each, n in zip(kinds, chosen, strict=True))
        far = sum((size - each) ** 2 * n for each, n in zip(kinds, chosen, strict=True))
        sizes = tuple(each for each, n in zip(kinds, chosen, strict=True) for _ in range(n))
        if best is None or ((players - seated), far) < best[0]:
            best = (players - seated, far), sizes
    return best[1] if best else ()


def _numbers(
    players: int, kinds: Sequence[int], most: Sequence[range]
) -> Iterator[tuple[int, ...]]:
    """How many tables of each size: the last size takes all it can."""
    if not kinds:
        return
    for chosen in product(*most[:-1]):
        left = players - sum(each * n for each, n in zip(kinds, chosen, strict=False))
        if left >= 0:
            yield (*chosen, left // kinds[-1])


def byes_for(order: Sequence[int], number: int, history: History) -> list[int]:
    """Who has a bye: the last in the order of those who have had the fewest."""
    from_last = list(order)[::-1]
    return sorted(from_last, key=lambda player: history.byes[player])[:number]


def seat_round(
    order: Sequence[int], size: int, allowed: Collection[int], history: History, random: Random
) -> Seating:
    """All tables of a round, the best players first; byes come last, as tables of one."""
    sizes = sizes_for(len(order), size, allowed)
    byes = byes_for(order, len(order) - sum(sizes), history)
    playing = [player for player in order if player not in byes]
    tables = (
        _best(playing, sizes, history, random)
        or _search(playing, sizes, history, with_seats=False)
        or _improved(playing, sizes, history)
    )
    return [*(_seated(table, history, random) for table in tables), *((bye,) for bye in byes)]


def circle(players: Sequence[int], number: int) -> Seating:
    """A round of a round robin for tables of two, from 1; everyone meets everyone once.

    All but one stand in a circle of an odd number: a player has the first seat against the half
    that follows them. The last player, if the number is even, has it against every second one.
    """
    odd = len(players) - 1 + len(players) % 2
    tables: Seating = []
    for step in range(1, odd // 2 + 1):
        first, other = (number + step) % odd, (number - step) % odd
        if (other - first) % odd > odd // 2:
            first, other = other, first
        tables.append((players[first], players[other]))
    alone = number % odd
    if odd == len(players):
        return [*tables, (players[alone],)]
    last = (players[odd], players[alone])
    return [*tables, last if alone % 2 else last[::-1]]


def _best(
    order: Sequence[int], sizes: Sequence[int], history: History, random: Random
) -> list[list[int]]:
    """Tables with a due seat for everyone: in the order, or else with neighbours exchanged."""
    for attempt in range(ATTEMPTS):
        places = {
            player: place + random.uniform(0, 2 * attempt) for place, player in enumerate(order)
        }
        found = _search(sorted(order, key=places.__getitem__), sizes, history, with_seats=True)
        if found:
            return found
    return []


# --- tables --------------------------------------------------------------------------------------


def _search(
    order: Sequence[int], sizes: Sequence[int], history: History, with_seats: bool
) -> list[list[int]]:
    """Tables at which nobody meets again, or nothing if none are found."""
    steps = 0

    def fits(table: list[int], seats: int) -> bool:
        if any(history.met[pair] for pair in pairs_of(table) if table[-1] in pair):
            return False
        return not with_seats or _has_due_seats(table, seats, history)

    def tables(left: list[int], number: int) -> list[list[int]] | None:
        if number == len(sizes):
            return []
        return fill([left[0]], left[1:], 0, number)

    def fill(table: list[int], left: list[int], start: int, number: int) -> list[list[int]] | None:
        nonlocal steps
        steps += 1
        if steps > STEPS:
            return None
        if len(table) == sizes[number]:
            rest = tables(left, number + 1)
            return None if rest is None else [table, *rest]
        for at in range(start, len(left)):
            more = [*table, left[at]]
            if fits(more, sizes[number]):
                found = fill(more, left[:at] + left[at + 1 :], at, number)
                if found is not None or steps > STEPS:
                    return found
        return None

    return tables(list(order), 0) or []


def _has_due_seats(table: Sequence[int], seats: int, history: History) -> bool:
    """Can these players all have a seat that they have had least often?"""
    due = [
        {seat for seat in range(seats) if history.is_due(player, seat, seats)} for player in table
    ]
    return any(
        all(seat in own for seat, own in zip(taken, due, strict=True))
        for taken in permutations(range(seats), len(table))
    )


def _improved(order: Sequence[int], sizes: Sequence[int], history: History) -> list[list[int]]:
    """Tables in order, then every exchange of two players that avoids repeated meetings."""
    tables, start = [], 0
    for size in sizes:
        tables.append(list(order[start : start + size]))
        start += size
    spots = [(at, n) for at, size in enumerate(sizes) for n in range(size)]
    has_changed = True
    while has_changed:
        has_changed = False
        for (one, n), (other, m) in combinations(spots, 2):
            if one == other:
                continue
            before = _repeats(tables[one], history) + _repeats(tables[other], history)
            tables[one][n], tables[other][m] = tables[other][m], tables[one][n]
            after = _repeats(tables[one], history) + _repeats(tables[other], history)
            if after < before:
                has_changed = True
            else:
                tables[one][n], tables[other][m] = tables[other][m], tables[one][n]
    return tables


def _repeats(table: Collection[int], history: History) -> int:
    """How bad the repeated meetings are: a third one is worse than two second ones."""
    return sum((history.met[pair] + 1) ** 2 - 1 for pair in pairs_of(table))


# --- seats ---------------------------------------------------------------------------------------


def _seated(table: Sequence[int], history: History, random: Random) -> tuple[int, ...]:
    """The players of a table by seat, so that everyone gets the seats they have had least."""
    ways = list(permutations(sorted(table)))
    random.shuffle(ways)

    def cost(way: Sequence[int]) -> int:
        """The sum over the players; a seat had twice more than others costs more than two once."""
        total = 0
        for seat, player in enumerate(way):
            least = min(history.seats[player, each] for each in range(len(way)))
            total += (history.seats[player, seat] - least) ** 2
        return total

    return min(ways, key=cost)
