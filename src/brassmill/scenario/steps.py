"""Running a case: its steps one by one, and what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from brassmill.core.engine import Engine
from brassmill.core.outcome import score_now
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.position import as_text
from brassmill.position.words import find_seat
from brassmill.position.writer import flow
from brassmill.rules.choices import PASS
from brassmill.rules.layout import ACTION, DEBT, GAME_OVER, TURN_OVER
from brassmill.rules.reasons import Reason
from brassmill.scenario.answers import Question
from brassmill.scenario.cases import Case
from brassmill.scenario.checks import (
    CheckedPosition,
    differences,
    mapping_of,
    point_differences,
    show,
)
from brassmill.scenario.errors import BadCheck
from brassmill.scenario.text import Lines

ENDS = ("end turn", "end round", "end era")
COMPARISONS = ("exactly", "includes", "excludes")


@dataclass
class Failure:
    """The problems in one step: each says what was expected and what was found."""

    case: Case
    step: str
    line: int
    problems: list[str] = field(default_factory=list)
    position: str = ""  # before the step

    def __str__(self) -> str:
        where = f"{self.case.path}:{self.line}" if self.line else str(self.case.path)
        lines = [f"{self.case}", f"  {where}"]
        if self.step:
            lines.append(f"  step: {self.step}")
        lines += [f"    {problem}" for problem in self.problems]
        if self.position:
            lines.append("  position:")
            lines += [f"    {line}" for line in self.position.splitlines()]
        return "\n".join(lines)


def run(case: Case) -> list[Failure]:
    """All failures of a case; none if it passes."""
    whole = Failure(case, "", case.line)
    try:
        game = game_of(case)
    except BrassError as error:
        if case.refused:
            whole.problems = missing_problems(case.refused, error)
        else:
            whole.problems = [
                f"the position is refused: {problem}" for problem in problems_of(error)
            ]
        return [whole] if whole.problems else []
    if case.refused:
        whole.problems = ["expected to be refused, got a good position"]
        whole.position = as_text(game.position())
        return [whole]
    return list(_Run(case, game).failures())


def game_of(case: Case) -> Game:
    """The game of a case before its first step."""
    given = {"edition": case.edition, "players": case.players, "options": case.options}
    return Game.from_position({**case.position, **given})


def follow(case: Case) -> Iterator[tuple[Lines, Game]]:
    """The steps of a case that passes, each with the game just before it."""
    game = game_of(case)
    run = _Run(case, game)
    for step in case.steps:
        run.begin(step)
        yield step, game
        run.step(step)


def problems_of(error: BrassError) -> list[str]:
    return list(getattr(error, "problems", None) or [str(error)])


def missing_problems(expected: tuple[str, ...], error: BrassError) -> list[str]:
    """The expected texts that occur in no problem."""
    problems = "\n".join(problems_of(error))
    return [
        f"expected a problem with {text!r}, got: {'; '.join(problems_of(error))}"
        for text in expected
        if text.casefold() not in problems.casefold()
    ]


class _Stop(Exception):
    """The case cannot continue."""


class _Run:
    """Plays one game through the steps of a case."""

    def __init__(self, case: Case, game: Game) -> None:
        self.case, self.game = case, game
        self.failure = Failure(case, "", 0)
        self.kinds: dict[str, tuple[Callable[[Lines], None], tuple[str, ...]]] = {
            "do": (self.do, ("then",)),
            "try": (self.attempt, ("reason",)),
            "legal": (self.legal, ("card", *COMPARISONS)),
            "expect": (self.expect, ()),
            "score": (self.score, ()),
        }

    @property
    def engine(self) -> Engine:
        return self.game.engine

    def failures(self) -> Iterator[Failure]:
        for step in self.case.steps:
            self.failure = Failure(self.case, describe(step), step.line)
            stopped = False
            try:
                with self.reading_step():
                    self.step(step)
            except _Stop:
                stopped = True
            if self.failure.problems:
                yield self.failure
            if stopped:
                return

    @contextmanager
    def reading_step(self) -> Iterator[None]:
        """Report a mistake in a step as a failure and stop: nothing after it can be trusted."""
        try:
            yield
        except (BadCheck, BrassError) as error:
            self.problem(f"the step cannot be understood: {error}")
            raise _Stop from error

    def problem(self, words: str) -> None:
        self.failure.problems.append(words)

    def step(self, step: Lines) -> None:
        kinds = [kind for kind in self.kinds if kind in step]
        if len(kinds) != 1:
            raise BadCheck(f"a step is one of {', '.join(self.kinds)}")
        kind = kinds[0]
        action, further = self.kinds[kind]
        for key in step:
            if key not in (kind, *further):
                raise BadCheck(
                    f"a step '{kind}' has no {key!r}"
                    + (f"; it may have {', '.join(further)}" if further else "")
                )
        self.begin(step)
        self.failure.position = as_text(self.game.position())
        action(step)

    def begin(self, step: Lines) -> None:
        """End a finished turn: it ends before the next step, not within the last one."""
        if self.engine.phase == TURN_OVER and step.get("do") not in ENDS:
            self.game.end_turn()

    def table(self) -> CheckedPosition:
        """The current position, for later comparison."""
        return CheckedPosition(self.engine.copy())

    # --- do ------------------------------------------------------------------------------------

    def do(self, step: Lines) -> None:
        text = text_of(step, "do")
        before = self.table()
        if text in ENDS:
            self.end(text)
        else:
            try:
                self.game.choose(text)
            except BrassError as error:
                self.problem(f"expected to be legal, got {type(error).__name__}: {error}")
                raise _Stop from error
        if "then" in step:
            self.failure.problems += differences(self.table(), before, step["then"])

    def end(self, what: str) -> None:
        """Pass until the turn, round or era is over; stop at a debt."""
        if self.engine.phase == DEBT:
            raise BadCheck(f"'{what}' comes too early: a tile must be removed first")
        start = self.moment(what)
        while self.engine.phase not in (DEBT, GAME_OVER) and self.moment(what) == start:
            if self.engine.phase == TURN_OVER:
                self.game.end_turn()
            elif self.engine.phase == ACTION:
                self.game.choose(PASS)
                if self.engine.phase != ACTION and self.engine.in_progress:
                    self.game.choose(self.engine.legal()[0])
            else:
                raise BadCheck(f"'{what}' comes too early: an action is in progress")

    def moment(self, what: str) -> tuple[int, ...]:
        state = self.engine.state
        whole = int(state.era), int(state.round_number), int(state.turn)
        return whole[: 3 - ENDS.index(what)]

    # --- try -----------------------------------------------------------------------------------

    def attempt(self, step: Lines) -> None:
        text, name = text_of(step, "try"), text_of(step, "reason")
        if name not in Reason.__members__ or name == "OK":
            raise BadCheck(
                f"there is no reason {name!r}; docs/reference/reasons.md explains them all"
            )
        before = self.engine.snapshot()
        refusal = self.game.why_not(text)
        if self.engine.snapshot() != before:
            self.problem("expected nothing to change, got another position")
        if refusal is None:
            self.problem(f"expected {name}, got: it is legal")
        elif refusal.reason.name != name:
            self.problem(f"expected {name}, got {refusal.reason.name}: {refusal.words}")

    # --- legal ---------------------------------------------------------------------------------

    def legal(self, step: Lines) -> None:
        card = text_of(step, "card") if "card" in step else None
        question = Question(self.engine, text_of(step, "legal"), card)
        if not any(key in step for key in COMPARISONS):
            raise BadCheck(f"'legal' needs one of {', '.join(COMPARISONS)}")
        if not question.is_open:
            self.problem(f"expected the question {question.asked}, got {question.open_question}")
            return
        choices = question.choices()
        got = show(question.texts(choices)) if choices else "nothing"
        for key in COMPARISONS:
            if key not in step:
                continue
            answers = texts_of(step, key)
            named = {answer: question.named(answer, choices) for answer in answers}
            covered = {choice for found in named.values() for choice in found}
            wrong = any(bool(found) == (key == "excludes") for found in named.values())
            if key == "exactly" and question.asked != "actions":
                wrong = wrong or any(len(found) > 1 for found in named.values())
            if wrong or (key == "exactly" and covered != set(choices)):
                self.problem(f"{key}: expected {show(answers)}, got {got}")

    # --- expect, score -------------------------------------------------------------------------

    def expect(self, step: Lines) -> None:
        self.failure.problems += differences(self.table(), None, step["expect"])

    def score(self, step: Lines) -> None:
        """The VP each source would score if the era ended now."""
        points = score_now(self.engine)
        for name, sources in mapping_of("score", step["score"]).items():
            seat = find_seat(self.engine.seats, name)
            self.failure.problems += point_differences(f"score.{name}", points[seat], sources)


def describe(step: Mapping[str, Any]) -> str:
    """A step in one line."""
    return "; ".join(f"{key}: {flow(value)}" for key, value in step.items())


def text_of(step: Lines, key: str) -> str:
    value = step.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadCheck(f"{key!r} must be one line of text")
    return value.strip()


def texts_of(step: Lines, key: str) -> list[str]:
    value = step[key]
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(entry, str) for entry in values):
        raise BadCheck(f"{key!r} must be a list of plain texts")
    return [entry for entry in values if entry.strip()]
