"""From a sparse mapping to a position: everything not named is as at set-up, or empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brassmill.core.deal import Deal
from brassmill.core.events import ERAS
from brassmill.core.names import QUESTIONS, SOURCES
from brassmill.editions import edition as find_edition
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError, InvalidPosition
from brassmill.position.action import check_action, read_action
from brassmill.position.cards import read_cards
from brassmill.position.market import read_markets
from brassmill.position.problems import MOST, Problems, show
from brassmill.position.tiles import read_links, read_mats, read_tiles
from brassmill.position.words import POSITION_KEYS, SEAT_KEYS, SEAT_NAMES, find_seat
from brassmill.rules.layout import (
    CANAL,
    DEBT_POINTS,
    INCOME_POINTS,
    LINK_POINTS,
    NOBODY,
    NOWHERE,
    RAIL,
    STATE,
    blank,
)

START_INCOME = 10  # INC-2


class Reading:
    """A position being read: the record and the problems so far."""

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        self.problems = Problems()
        self.mapping = self.problems.mapping("the position", mapping)
        self.edition = self._edition()
        self.board = self.edition.board
        self.players = self.edition.players
        self.seats = self._seats()
        seed = self.problems.number("seed", self.mapping.get("seed"), 0, 2**64 - 1, 1)
        self.deal = Deal.from_seed(self.edition, seed)
        self.dealt = self.deal.record(self.edition)
        self.state = empty_state()

    def _edition(self) -> Edition:
        problems, mapping = self.problems, self.mapping
        name = str(mapping.get("edition", ""))
        options = problems.mapping("options", mapping.get("options"))
        players = None
        if "players" in mapping:
            players = problems.number("players", mapping["players"], 2, len(SEAT_NAMES), 4)
        for key in ("name", "players"):
            if key in options:
                problems.add(f"unknown option {key!r}")
        problems.stop_if_any()
        try:
            return find_edition(name, players, **options)
        except BrassError as error:
            raise InvalidPosition([str(error)]) from error

    def _seats(self) -> tuple[str, ...]:
        named = self.mapping.get("seats")
        if named is None:
            return SEAT_NAMES[: self.players]
        names = tuple(self.problems.texts("seats", named))
        if len(names) != self.players:
            self.problems.add(f"seats: {len(names)} names for {self.players} players")
        if len({name.casefold() for name in names}) != len(names):
            self.problems.add("seats: each needs its own name")
        for name in names:
            if name.casefold() in POSITION_KEYS or not name.strip():
                self.problems.add(f"seats: {show(name)} cannot be the name of a seat")
        self.problems.stop_if_any()
        return names

    def own(self, seat: int) -> Mapping[str, Any]:
        """The part of the mapping about one seat."""
        name = self.seats[seat]
        return self.problems.mapping(name, self.mapping.get(name))


def empty_state() -> Any:
    """A record with nothing in it."""
    state = blank(STATE)[0]
    for field in ("owner", "link_owner", "order"):
        state[field] = NOBODY
    for field in ("space", "industry", "line", "end"):
        state[field] = NOWHERE
    for field in ("deck", "rail_deck"):
        state[field] = -1
    return state


def read_record(mapping: Mapping[str, Any]) -> Reading:
    """Read a mapping into a record; `InvalidPosition` lists all problems."""
    reading = read_all(mapping)
    reading.problems.stop_if_any()
    return reading


def read_all(mapping: Mapping[str, Any]) -> Reading:
    """Read what can be read; the problems of the rest are collected."""
    reading = Reading(mapping)
    problems = reading.problems
    problems.keys("the position", reading.mapping, (*POSITION_KEYS, *reading.seats))
    for seat, name in enumerate(reading.seats):
        problems.keys(name, reading.own(seat), SEAT_KEYS)
    read_turn(reading)
    read_action(reading)
    for seat in range(reading.players):
        read_seat(reading, seat)
    read_tiles(reading)
    read_links(reading)
    read_mats(reading)
    read_markets(reading)
    read_cards(reading)
    check_action(reading)
    return reading


def read_turn(reading: Reading) -> None:
    """Read era, round, turn order, whose turn it is and the actions left."""
    state, board, problems, mapping = (
        reading.state,
        reading.board,
        reading.problems,
        reading.mapping,
    )
    era = str(mapping.get("era", ERAS[CANAL]))
    if era not in ERAS:
        problems.add(f"era is {show(era)}: it must be canal or rail")
    elif era == "rail" and board.canal_era_only:
        problems.add("the introductory game ends with the canal era")
    state.era = ERAS.index(era) if era in ERAS else CANAL
    state.round_number = problems.number("round", mapping.get("round"), 1, int(board.rounds), 1)
    order = list(range(reading.players))
    if "order" in mapping:
        texts = problems.texts("order", mapping["order"])
        found = [problems.find("order", find_seat, reading.seats, text) for text in texts]
        named = [seat for seat in found if seat is not None]
        if sorted(named) == order:
            order = named
        elif len(named) == len(texts):
            problems.add(f"order must name each of {', '.join(reading.seats)} once")
    state.order[: reading.players] = order
    seat = order[0]
    if "to move" in mapping:
        found_seat = problems.find("to move", find_seat, reading.seats, str(mapping["to move"]))
        seat = seat if found_seat is None else found_seat
    state.seat = seat
    state.turn = order.index(seat)
    state.income_turn = reading.players
    full = actions_of_turn(int(state.era), int(state.round_number))
    question = reading.problems.mapping("action", mapping.get("action")).get("question")
    resting = question in QUESTIONS[-3:]
    low, high = (0, 0) if resting else (1, full)
    state.actions_left = problems.number(
        "actions left", mapping.get("actions left"), low, high, high
    )


def actions_of_turn(era: int, round_number: int) -> int:
    """One in the first round of the canal era, else two (section 2)."""
    return 1 if era == CANAL and round_number == 1 else 2


def read_seat(reading: Reading, seat: int) -> None:
    """Read money, income and VP of one seat."""
    state, problems, name, own = (
        reading.state,
        reading.problems,
        reading.seats[seat],
        reading.own(seat),
    )
    start = int(reading.board.start_cash)
    state.cash[seat] = problems.number(f"{name}.cash", own.get("cash"), 0, MOST, start)
    state.spent[seat] = problems.number(f"{name}.spent", own.get("spent"), 0, MOST, 0)
    state.income[seat] = problems.number(f"{name}.income", own.get("income"), 0, 99, START_INCOME)
    read_points(reading, seat)
    total = int(state.points[seat].sum())
    if "points" not in own:
        state.vp[seat] = problems.number(f"{name}.vp", own.get("vp"), 0, MOST, 0)
        state.points[seat, CANAL, LINK_POINTS] = state.vp[seat]
    else:
        state.vp[seat] = problems.number(f"{name}.vp", own.get("vp"), 0, MOST, max(total, 0))
        if state.vp[seat] != total:
            problems.add(f"{name}.vp is {int(state.vp[seat])}, but its sources add up to {total}")


def read_points(reading: Reading, seat: int) -> None:
    """Read VP by era and source."""
    problems, name = reading.problems, reading.seats[seat]
    points = problems.mapping(f"{name}.points", reading.own(seat).get("points"))
    problems.keys(f"{name}.points", points, ERAS)
    for era, word in enumerate(ERAS):
        where = f"{name}.points.{word}"
        sources = problems.mapping(where, points.get(word))
        problems.keys(where, sources, SOURCES)
        if sources and era == RAIL and reading.state.era == CANAL:
            problems.add(f"{where}: the rail era has not begun")
        for source, what in enumerate(SOURCES):
            low = -MOST if source in (INCOME_POINTS, DEBT_POINTS) else 0
            high = 0 if source == DEBT_POINTS else MOST
            number = problems.number(f"{where}.{what}", sources.get(what), low, high, 0)
            reading.state.points[seat, era, source] = number
