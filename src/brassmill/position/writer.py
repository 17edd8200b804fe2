"""From a position to a complete mapping: reading it gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brassmill.core.events import ERAS
from brassmill.core.names import DOINGS, DUE, QUESTIONS, SOURCES
from brassmill.editions.edition import INDUSTRY, Edition
from brassmill.position.words import SEAT_NAMES, demand_text, mat_text, merchant_text, tile_text
from brassmill.rules.layout import (
    ACTION,
    AFTER_DEAL,
    BEFORE_DEAL,
    CANAL,
    DEBT,
    HAND,
    NOBODY,
    NOTHING,
    NOWHERE,
)

HIDDEN = ("deck", "aside", "drawn", "rail deck", "distant", "rail distant")


def write(edition: Edition, state: Any, seats: Sequence[str] = SEAT_NAMES) -> dict[str, Any]:
    """Every fact of a position in words, as plain data for JSON."""
    seats = seats[: edition.players]
    return (
        write_turn(edition, state, seats)
        | write_map(edition, state, seats)
        | write_piles(edition, state)
        | write_seats(edition, state, seats)
    )


def write_open(edition: Edition, state: Any, seats: Sequence[str] = SEAT_NAMES) -> dict[str, Any]:
    """The same without the piles of cards and distant tiles."""
    seats = seats[: edition.players]
    return (
        write_turn(edition, state, seats)
        | write_map(edition, state, seats)
        | write_seats(edition, state, seats)
    )


def write_turn(edition: Edition, state: Any, seats: Sequence[str]) -> dict[str, Any]:
    """Edition, era, round, turn order, and whose turn it is."""
    mapping: dict[str, Any] = {
        "edition": edition.name,
        "players": edition.players,
        "options": dict(edition.options),
        "seats": list(seats),
        "era": ERAS[int(state.era)],
        "round": int(state.round_number),
        "order": [seats[int(seat)] for seat in state.order[: edition.players]],
    }
    if state.turn < edition.players:
        mapping["to move"] = seats[int(state.order[int(state.turn)])]
    mapping["actions left"] = int(state.actions_left)
    return mapping


def write_seats(edition: Edition, state: Any, seats: Sequence[str]) -> dict[str, Any]:
    """The fields of every seat, and the action in progress."""
    mapping: dict[str, Any] = {
        name: write_seat(edition, state, seat) for seat, name in enumerate(seats)
    }
    action = write_action(edition, state, seats)
    if action:
        mapping["action"] = action
    return mapping


def write_map(edition: Edition, state: Any, seats: Sequence[str]) -> dict[str, Any]:
    """Tiles, links and markets."""
    mapping: dict[str, Any] = {
        "tiles": [
            tile_text(edition, seats, state, space)
            for space in range(len(edition.spaces))
            if state.tile[space]
        ],
        "links": [
            f"{seats[int(state.link_owner[line])]} {edition.line_name(line)}"
            for line in range(len(edition.lines))
            if state.link_owner[line] != NOBODY
        ],
        "coal market": int(state.coal_market),
        "iron market": int(state.iron_market),
    }
    if edition.distant:
        mapping["demand"] = demand_text(edition, state)
    if edition.merchants:
        mapping["merchants"] = {
            place: [
                merchant_text(edition, state, merchant)
                for merchant, at in enumerate(edition.merchants)
                if at == place
            ]
            for place in dict.fromkeys(edition.merchants)
        }
    return mapping


def write_piles(edition: Edition, state: Any) -> dict[str, Any]:
    """The deck and the distant tiles, including those already drawn."""
    board, era = edition.board, int(state.era)
    size, aside = int(board.deck_size), int(board.set_aside[era])
    where = int(board.aside_from[era])
    start = {BEFORE_DEAL: 0, AFTER_DEAL: HAND * edition.players}.get(where, size - aside)
    following, end = int(state.deck_next), int(state.deck_end)
    drawn = [*range(min(start, following)), *range(min(start + aside, following), following)]
    discards = [card for card in edition.deck if state.discards[card]]
    mapping: dict[str, Any] = {
        "deck": names(edition, state.deck[following:end]),
        "aside": names(edition, state.deck[start : start + aside]),
        "drawn": names(edition, state.deck[drawn]),
        "discards": {edition.card_name(card): int(state.discards[card]) for card in discards},
    }
    if era == CANAL:
        mapping["rail deck"] = names(edition, state.rail_deck[:size])
    if edition.distant:
        tiles = [int(steps) for steps in state.distant[: len(edition.distant)]]
        turned = int(state.distant_next)
        mapping["distant drawn"] = tiles[:turned]
        mapping["distant"] = tiles[turned:]
        if era == CANAL:
            later = state.rail_distant[: len(edition.distant)]
            mapping["rail distant"] = [int(steps) for steps in later]
    return mapping


def names(edition: Edition, cards: Iterable[int]) -> list[str]:
    return [edition.card_name(int(card)) for card in cards]


def write_seat(edition: Edition, state: Any, seat: int) -> dict[str, Any]:
    """The fields of a seat."""
    hand = state.hand[seat]
    points = {
        word: {
            source: int(number)
            for source, number in zip(SOURCES, state.points[seat, era], strict=True)
            if number
        }
        for era, word in enumerate(ERAS)
    }
    return {
        "cash": int(state.cash[seat]),
        "spent": int(state.spent[seat]),
        "vp": int(state.vp[seat]),
        "points": {era: sources for era, sources in points.items() if sources},
        "income": int(state.income[seat]),
        "hand": [edition.card_name(card) for card in range(len(hand)) for _ in range(hand[card])],
        "mat": {INDUSTRY[n]: mat_text(edition, state, seat, n) for n in edition.industries},
    }


def write_action(edition: Edition, state: Any, seats: Sequence[str]) -> dict[str, Any]:
    """The open question, unless it is the start of an action."""
    if state.phase == ACTION:
        return {}
    action: dict[str, Any] = {"question": QUESTIONS[int(state.phase)]}
    if state.phase == DEBT:
        action["seat"] = seats[int(state.seat)]
    if state.doing != NOTHING:
        action["doing"] = DOINGS[int(state.doing)]
    if state.space != NOWHERE:
        place = edition.spaces[int(state.space)]
        action["space"] = f"{edition.place_name(place.place)} {place.number}"
    if state.industry != NOWHERE:
        action["industry"] = INDUSTRY[int(state.industry)]
    if state.line != NOWHERE:
        action["line"] = edition.line_name(int(state.line))
    if state.end != NOWHERE:
        action["end"] = edition.place_name(int(state.end))
    for word, field, _ in DUE:
        if state[field]:
            action[word] = int(state[field])
    if state.owed:
        action["owed"] = int(state.owed)
    if state.income_turn < edition.players:
        action["incomes paid"] = int(state.income_turn)
    return action


def as_text(mapping: Mapping[str, Any]) -> str:
    """A written position for people: what is public, one fact a line."""
    lines = []
    for key, value in mapping.items():
        if key in HIDDEN:
            if key == "deck":
                lines.append(f"deck: {len(value)}")
            continue
        if key in ("tiles", "links") and value:
            lines.append(f"{key}:")
            lines += [f"  - {entry}" for entry in value]
        else:
            lines.append(f"{key}: {flow(value)}")
    return "\n".join(lines)


def flow(value: Any) -> str:
    """A value in one line of YAML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(entry) for entry in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
