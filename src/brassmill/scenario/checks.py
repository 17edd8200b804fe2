"""Checks of a position, in the words of positions: only what is named is compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brassmill.core.engine import Engine
from brassmill.core.events import ERAS
from brassmill.core.names import SOURCES
from brassmill.core.outcome import TIE_BREAKS, Points, outcome_of, points_of
from brassmill.editions.edition import INDUSTRY, Edition
from brassmill.editions.names import split_line
from brassmill.errors import BrassError, UnknownName
from brassmill.position.words import (
    WITHOUT_BARREL,
    demand_text,
    find_seat,
    mat_text,
    merchant_text,
    parse_tile,
    split_owner,
    tile_text,
)
from brassmill.rules.income import income_level
from brassmill.rules.layout import (
    ACTION,
    GAME_OVER,
    LINK_TILES,
    NOBODY,
    TURN_OVER,
)
from brassmill.rules.network import distance
from brassmill.scenario.errors import BadCheck

YES_NO = ("no", "yes")

_CHANGE = re.compile(r"[+-]\s*\d+")


@dataclass(frozen=True)
class CheckedPosition:
    """A position to check."""

    engine: Engine

    @property
    def edition(self) -> Edition:
        return self.engine.edition

    @property
    def state(self) -> Any:
        return self.engine.state

    @property
    def seats(self) -> Sequence[str]:
        return self.engine.seats

    @property
    def order(self) -> list[str]:
        return [self.seats[int(seat)] for seat in self.state.order[: self.edition.players]]


def differences(
    now: CheckedPosition, before: CheckedPosition | None, checks: Mapping[str, Any]
) -> list[str]:
    """Every failed check, as `path expected this, got that`."""
    found: list[str] = []
    for key, expected in mapping_of("the checks", checks).items():
        if key in TABLE_CHECKS:
            TABLE_CHECKS[key](_Check(key, expected, now, before, found))
        elif key.casefold() in [name.casefold() for name in now.seats]:
            seat = find_seat(now.seats, key)
            for own_key, value in mapping_of(key, expected).items():
                if own_key not in SEAT_CHECKS:
                    raise BadCheck(
                        f"{key} has no check {own_key!r}; choose one of: {', '.join(SEAT_CHECKS)}"
                    )
                check = _Check(f"{now.seats[seat]}.{own_key}", value, now, before, found, seat)
                SEAT_CHECKS[own_key](check)
        else:
            known = ", ".join((*TABLE_CHECKS, *now.seats))
            raise BadCheck(f"unknown check {key!r}; choose one of: {known}")
    return found


@dataclass
class _Check:
    """One named value, and the list of failures."""

    path: str
    expected: Any
    now: CheckedPosition
    before: CheckedPosition | None
    found: list[str]
    seat: int = NOBODY

    @property
    def state(self) -> Any:
        return self.now.state

    @property
    def edition(self) -> Edition:
        return self.now.edition

    @property
    def text(self) -> str:
        if not isinstance(self.expected, str | int):
            raise BadCheck(f"{self.path} must be one value")
        return str(self.expected).strip()

    @property
    def texts(self) -> list[str]:
        values = self.expected if isinstance(self.expected, list) else [self.expected]
        if not all(isinstance(value, str | int) for value in values):
            raise BadCheck(f"{self.path} must be a list of plain texts")
        return [str(value).strip() for value in values if value != ""]

    def equal(self, got: Any, path: str = "", expected: Any = None) -> None:
        expected = self.text if expected is None else expected
        if str(got).casefold() != str(expected).casefold():
            self.fail(show(expected), show(got), path)

    def fail(self, expected: str, got: str, path: str = "") -> None:
        self.found.append(f"{path or self.path} expected {expected}, got {got}")

    def number(self, read: Callable[[Any], int], text: str | None = None, path: str = "") -> None:
        """Check a number; with a sign, the change in this step."""
        text = self.text if text is None else text
        path = path or self.path
        got = read(self.state)
        if _CHANGE.fullmatch(text):
            if self.before is None:
                raise BadCheck(f"{path}: {text} is a change, and nothing was done in this step")
            change = got - read(self.before.state)
            if change != int(text.replace(" ", "")):
                self.fail(text, f"{change:+d} (now {got})", path)
        else:
            self.same_number(got, text, path)

    def same_number(self, got: int, text: str, path: str = "") -> None:
        """Check a number that may have a sign."""
        if not re.fullmatch(r"-?\d+", text):
            raise BadCheck(f"{path or self.path}: {text!r} is not a number")
        if got != int(text):
            self.fail(text, str(got), path)


def mapping_of(what: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadCheck(f"{what} must be a mapping: 'Y: {{cash: 16}}' and so on")
    return value


def show(value: Any) -> str:
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list) else str(value)


# --- a seat --------------------------------------------------------------------------------------


def seat_number(field: str) -> Callable[[_Check], None]:
    """A check of a number kept per seat."""

    def check(check: _Check) -> None:
        seat = check.seat
        check.number(lambda state: int(state[field][seat]))

    return check


def check_level(check: _Check) -> None:
    check.same_number(int(income_level(int(check.state.income[check.seat]))), check.text)


def check_links_left(check: _Check) -> None:
    seat = check.seat
    check.number(lambda state: LINK_TILES - int((state.link_owner == seat).sum()))


def check_hand(check: _Check) -> None:
    hand = check.state.hand[check.seat]
    edition = check.edition
    got = sorted(card for card in range(len(hand)) for _ in range(hand[card]))
    expected = sorted(edition.find_card(text) for text in check.texts)
    if got != expected:
        check.fail(show(check.texts), show([edition.card_name(card) for card in got]))


def check_mat(check: _Check) -> None:
    """`2`, `2 x1` or `none`."""
    for word, value in mapping_of(check.path, check.expected).items():
        industry = check.edition.find_industry(word)
        got = mat_text(check.edition, check.state, check.seat, industry)
        expected = re.sub(r"\s*x\s*", " x", str(value).strip())
        if "x" not in expected:
            got = got.split(" ")[0]
        check.equal(got, f"{check.path}.{INDUSTRY[industry]}", expected)


def check_points(check: _Check) -> None:
    """Check VP by era and source; `tiles` means all industries."""
    for word, sources in mapping_of(check.path, check.expected).items():
        if word not in ERAS:
            raise BadCheck(f"{check.path} has no era {word!r}; there are {', '.join(ERAS)}")
        points = points_of(check.now.engine, check.seat, ERAS.index(word))
        check.found += point_differences(f"{check.path}.{word}", points, sources)


def point_differences(path: str, points: Points, expected: Any) -> list[str]:
    """The named sources whose VP differ; `tiles` means all industries."""
    found = []
    for source, value in mapping_of(path, expected).items():
        if source not in (*SOURCES, "tiles"):
            known = ", ".join((*SOURCES, "tiles"))
            raise BadCheck(f"{path} has no source {source!r}; there are {known}")
        if not re.fullmatch(r"-?\d+", str(value).strip()):
            raise BadCheck(f"{path}.{source}: {value!r} is not a number")
        names = INDUSTRY if source == "tiles" else [source]
        got = sum(points.get(name, 0) for name in names)
        if got != int(value):
            found.append(f"{path}.{source} expected {value}, got {got}")
    return found


SEAT_CHECKS: dict[str, Callable[[_Check], None]] = {
    "cash": seat_number("cash"),
    "spent": seat_number("spent"),
    "vp": seat_number("vp"),
    "income": seat_number("income"),
    "level": check_level,
    "hand": check_hand,
    "cards": seat_number("hand_size"),
    "mat": check_mat,
    "links left": check_links_left,
    "points": check_points,
}

# --- the table -----------------------------------------------------------------------------------


def table_number(field: str) -> Callable[[_Check], None]:
    """A check of a number of the table."""

    def check(check: _Check) -> None:
        check.number(lambda state: int(state[field]))

    return check


def check_era(check: _Check) -> None:
    check.equal(ERAS[int(check.state.era)])


def check_to_move(check: _Check) -> None:
    seat = int(check.state.seat)
    find_seat(check.now.seats, check.text)
    check.equal("nobody" if seat == NOBODY else check.now.seats[seat])


def check_order(check: _Check) -> None:
    check.equal(show(check.now.order), expected=show(check.texts))


def check_tiles(check: _Check) -> None:
    """Check that each tile is on the board as written; without brackets, cubes are not compared."""
    state, edition = check.state, check.edition
    matched: Counter[tuple[int, ...]] = Counter()
    for text in check.texts:
        tile = parse_tile(edition, check.now.seats, text)
        spaces = list(edition.place_spaces[tile.place])
        if tile.number is not None:
            spaces = [edition.space_at(tile.place, tile.number)]
        fitting = [
            space
            for space in spaces
            if int(state.tile[space]) == tile.kind
            and int(state.owner[space]) == tile.owner
            and bool(state.flipped[space]) == tile.flipped
            and tile.cubes in (None, int(state.cubes[space]))
        ]
        key = tuple(fitting)
        matched[key] += 1
        if matched[key] > len(fitting):
            lying = [
                tile_text(edition, check.now.seats, state, space)
                for space in spaces
                if state.tile[space]
            ]
            check.fail(text, ", ".join(lying) or "no tile there")


def check_empty(check: _Check) -> None:
    """Check that places or spaces have no tile."""
    state, edition = check.state, check.edition
    for text in check.texts:
        place, number = edition.find_space(text)
        spaces = edition.place_spaces[place]
        for space in spaces if number is None else [edition.space_at(place, number)]:
            if state.tile[space]:
                check.fail(text, tile_text(edition, check.now.seats, state, space))


def check_links(check: _Check) -> None:
    for text in check.texts:
        owner, name = split_owner(check.now.seats, text)
        line = check.edition.find_line(name)
        if check.state.link_owner[line] != owner:
            check.fail(text, link_text(check, line))


def check_free(check: _Check) -> None:
    for text in check.texts:
        line = check.edition.find_line(text)
        if check.state.link_owner[line] != NOBODY:
            check.fail(text, link_text(check, line))


def link_text(check: _Check, line: int) -> str:
    owner = int(check.state.link_owner[line])
    name = check.edition.line_name(line)
    return f"{name} free" if owner == NOBODY else f"{check.now.seats[owner]} {name}"


def check_demand(check: _Check) -> None:
    check.equal(demand_text(check.edition, check.state))


def check_distant_left(check: _Check) -> None:
    tiles = len(check.edition.distant)
    check.number(lambda state: tiles - int(state.distant_next))


def check_merchants(check: _Check) -> None:
    edition = check.edition
    for town, value in mapping_of(check.path, check.expected).items():
        place = edition.find_place(town)
        got = [
            merchant_text(edition, check.state, merchant)
            for merchant, at in enumerate(edition.merchant_places)
            if at == place
        ]
        texts = value if isinstance(value, list) else [value]
        expected = [goods_text(edition, str(text)) for text in texts]
        check.equal(show(got), f"{check.path}.{edition.place_name(place)}", show(expected))


def check_barrels(check: _Check) -> None:
    """Check how many merchants have a barrel."""
    if not check.edition.merchants:
        raise BadCheck(f"{check.edition.name} has no merchants")
    check.number(lambda state: int(state.barrel.sum()))


def goods_text(edition: Edition, text: str) -> str:
    goods, bare, _ = text.strip().partition(WITHOUT_BARREL)
    return edition.goods_name(edition.find_goods(goods)) + bare


def check_deck(check: _Check) -> None:
    """Check the number of cards left to draw, or the cards themselves."""
    if not isinstance(check.expected, list):
        check.number(lambda state: int(state.deck_end) - int(state.deck_next))
        return
    state, edition = check.state, check.edition
    got = [int(card) for card in state.deck[int(state.deck_next) : int(state.deck_end)]]
    if got != [edition.find_card(text) for text in check.texts]:
        check.fail(show(check.texts), show([edition.card_name(card) for card in got]))


def check_aside(check: _Check) -> None:
    check.same_number(int(check.edition.board.set_aside[int(check.state.era)]), check.text)


def check_discards(check: _Check) -> None:
    """Check the number of each named kind of card."""
    value = check.expected
    counts = value if isinstance(value, Mapping) else Counter(check.texts)
    for name, count in counts.items():
        card = check.edition.find_card(name)
        path = f"{check.path}.{check.edition.card_name(card)}"
        check.number(card_count(card), str(count), path)


def card_count(card: int) -> Callable[[Any], int]:
    return lambda state: int(state.discards[card])


def check_in_progress(check: _Check) -> None:
    resting = int(check.state.phase) in (ACTION, TURN_OVER, GAME_OVER)
    check.equal(YES_NO[not resting])


def check_over(check: _Check) -> None:
    check.equal(YES_NO[bool(check.state.phase == GAME_OVER)])


def check_winner(check: _Check) -> None:
    seats = sorted(find_seat(check.now.seats, text) for text in check.texts)
    expected = show([check.now.seats[seat] for seat in seats])
    outcome = outcome_of(check.now.engine)
    if outcome is None:
        check.fail(expected, "the game is not over")
    else:
        winners = [check.now.seats[seat] for seat in outcome.winners]
        check.equal(show(winners), expected=expected)


def check_tie_break(check: _Check) -> None:
    if check.text not in TIE_BREAKS:
        raise BadCheck(f"{check.path} is one of {', '.join(TIE_BREAKS)}")
    outcome = outcome_of(check.now.engine)
    check.equal("the game is not over" if outcome is None else outcome.tie_break)


def check_distance(check: _Check) -> None:
    """Check the number of links between two places, on the shortest way."""
    for pair, expected in mapping_of(check.path, check.expected).items():
        start, goal = find_pair(check.edition, pair)
        board = check.edition.board
        got = int(distance(check.state, board, 1 << start, 1 << goal))
        check.equal("none" if got < 0 else got, f"{check.path}.{pair}", str(expected))


def find_pair(edition: Edition, text: str) -> tuple[int, int]:
    """Read `Birmingham-Redditch` as two places, with or without a line between them."""
    for parts in split_line(text):
        try:
            start, goal = (edition.find_place(part) for part in parts)
        except BrassError:
            continue
        return start, goal
    raise UnknownName("pair of places", text, [place.name for place in edition.places])


TABLE_CHECKS: dict[str, Callable[[_Check], None]] = {
    "era": check_era,
    "round": table_number("round_number"),
    "to move": check_to_move,
    "actions left": table_number("actions_left"),
    "order": check_order,
    "tiles": check_tiles,
    "empty": check_empty,
    "links": check_links,
    "free": check_free,
    "coal market": table_number("coal_market"),
    "iron market": table_number("iron_market"),
    "demand": check_demand,
    "distant left": check_distant_left,
    "merchants": check_merchants,
    "barrels": check_barrels,
    "deck": check_deck,
    "aside": check_aside,
    "discards": check_discards,
    "in progress": check_in_progress,
    "over": check_over,
    "winner": check_winner,
    "tie-break": check_tie_break,
    "distance": check_distance,
}
