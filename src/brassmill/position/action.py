"""The action in progress, and other points between two choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from brassmill.core.names import DOINGS, DUE, QUESTIONS
from brassmill.editions.edition import INDUSTRY
from brassmill.position.problems import MOST, show
from brassmill.position.words import ACTION_KEYS, find_seat
from brassmill.rules.layout import (
    ACTION,
    BUILDING,
    DEBT,
    GAME_OVER,
    NOBODY,
    NOTHING,
    NOWHERE,
    TURN_OVER,
)

if TYPE_CHECKING:
    from brassmill.position.reader import Reading

# What a position must say about an action, by the action and by the open question.
SUBJECT: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "build": ("space", "industry"),
    "link": ("line",),
    "develop": ("industry",),
    "sell": ("space",),
    "loan": ("loan",),
    "scout": (),
    "pass": (),
}
ASKED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "action": (("nothing",), ()),
    "card": (DOINGS[1:], ("cards due",)),
    "coal": (("build", "link"), ("coal due",)),
    "iron": (("build", "develop"), ("iron due",)),
    "end": (("link",), ("coal due",)),
    "more rails": (("link",), ("count",)),
    "beer": (("link", "sell"), ("beer due",)),
    "remove": (("sell",), ("develop due",)),
    "more sales": (("sell",), ("count",)),
    "buyer": (("sell",), ()),
    "more development": (("develop",), ("count",)),
    "give up": (("nothing",), ("owed",)),
    "turn over": (("nothing",), ()),
    "game over": (("nothing",), ()),
}


def read_action(reading: Reading) -> None:
    """Read the open question and the progress of its action."""
    state, problems = reading.state, reading.problems
    if "action" not in reading.mapping:
        return
    action = problems.mapping("action", reading.mapping["action"])
    problems.keys("action", action, ACTION_KEYS)
    state.phase = one_of(reading, "action.question", action.get("question"), QUESTIONS)
    state.doing = one_of(reading, "action.doing", action.get("doing", DOINGS[NOTHING]), DOINGS)
    for word, field, most in DUE:
        state[field] = problems.number(f"action.{word}", action.get(word), 0, most, 0)
    state.owed = problems.number("action.owed", action.get("owed"), 0, MOST, 0)
    read_places(reading, action)
    read_mover(reading, action)
    check_words(reading, action)


def read_mover(reading: Reading, action: Mapping[str, Any]) -> None:
    """The seat that must answer: the one on turn, one in debt, or none when the game is over."""
    state, problems = reading.state, reading.problems
    seat = int(state.seat)
    if "seat" in action:
        found = problems.find("action.seat", find_seat, reading.seats, str(action["seat"]))
        seat = seat if found is None else found
    paid = int(state.income_turn)
    if state.phase == DEBT:
        if "seat" not in action:
            problems.add("action.seat is missing: whose debt is it?")
        state.seat = seat
        paid = state.order[: reading.players].tolist().index(seat) + 1
    elif seat != state.seat:
        problems.add(
            f"action.seat is {reading.seats[seat]}: it is {reading.seats[int(state.seat)]}'s turn"
        )
    state.income_turn = problems.number(
        "action.incomes paid", action.get("incomes paid"), 0, reading.players, paid
    )
    if state.phase in (DEBT, GAME_OVER):
        state.turn = reading.players  # all turns are over
    if state.phase == GAME_OVER:
        state.seat = NOBODY


def one_of(reading: Reading, what: str, value: Any, words: tuple[str, ...]) -> int:
    """The number of a word in a list."""
    if value not in words:
        reading.problems.add(f"{what} is {show(value)}: it must be one of {', '.join(words)}")
        return 0
    return words.index(value)


def read_places(reading: Reading, action: Mapping[str, Any]) -> None:
    """Read the space, industry, line and end of the action."""
    state, problems, edition = reading.state, reading.problems, reading.edition
    if "space" in action:
        found = problems.find("action.space", edition.find_space, str(action["space"]))
        if found is not None:
            place, number = found
            state.space = edition.space_at(place, number or 1)
    if "industry" in action:
        industry = problems.find("action.industry", edition.find_industry, str(action["industry"]))
        state.industry = NOWHERE if industry is None else industry
    if "line" in action:
        line = problems.find("action.line", edition.find_line, str(action["line"]))
        state.line = NOWHERE if line is None else line
    if "end" in action:
        place_found = problems.find("action.end", edition.find_place, str(action["end"]))
        state.end = NOWHERE if place_found is None else place_found


def check_words(reading: Reading, action: Mapping[str, Any]) -> None:
    """Check that the question fits the action, and that nothing is missing."""
    question, doing = QUESTIONS[int(reading.state.phase)], DOINGS[int(reading.state.doing)]
    doings, needed = ASKED[question]
    if doing not in doings:
        reading.problems.add(
            f"action.doing is {doing}: the question {question!r} goes with {' or '.join(doings)}"
        )
        return
    for word in (*SUBJECT[doing], *needed):
        if str(action.get(word, 0)) == "0":
            reading.problems.add(f"action.{word} is missing")
    about = (*SUBJECT[doing], *needed, "end") if doing == "link" else (*SUBJECT[doing], *needed)
    for word in ("space", "industry", "line", "end", "owed"):
        if word in action and word not in about:
            what = question if doing == "nothing" else doing
            reading.problems.add(f"action.{word} has nothing to do with {what!r}")
    if "incomes paid" in action and question not in ("give up", "game over"):
        reading.problems.add("action.incomes paid goes with 'give up' and 'game over'")


def check_action(reading: Reading) -> None:
    """Check that the space accepts the industry, and that a seat with actions has cards."""
    state, board, problems = reading.state, reading.board, reading.problems
    if state.phase == ACTION and state.hand_size[int(state.seat)] == 0:
        state.phase = TURN_OVER
        state.actions_left = 0
    space = int(state.space)
    if state.doing == BUILDING and space != NOWHERE and state.industry not in board.symbol[space]:
        name = reading.edition.space_name(space)
        problems.add(f"action.space is {name}: it does not take {INDUSTRY[int(state.industry)]}")
