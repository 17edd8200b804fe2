"""Lesson files: what they contain, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from brassmill import editions
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.language import LANGUAGES, Text
from brassmill.position.words import SEAT_NAMES
from brassmill.rules.reasons import Reason
from brassmill.scenario.errors import BadScenario
from brassmill.scenario.text import Lines, load

FOLDER = Path(__file__).parent / "data"

FILE_KEYS = (
    *("id", "number", "title", "about", "editions", "players", "rivals"),
    *("position", "steps"),
)
STEP_KEYS = (
    *("idea", "say", "show", "position", "do", "keep", "nudge"),
    *("refused", "then", "score", "after", "rivals", "rules", "only"),
)
PARTS = ("map", "hand", "mat", "markets", "players", "actions", "log")  # that a step can show
LEARNER = 0  # the learner's seat: the first


@dataclass(frozen=True)
class RefusedAttempt:
    """Something that the rules refuse at the start of a step, and why."""

    attempt: str
    reason: Reason


@dataclass(frozen=True)
class Rival:
    """A move of another player, in notation."""

    seat: str
    move: str


@dataclass(frozen=True)
class Step:
    """One thing to read, or to do."""

    line: int  # in the file
    idea: Text  # the heading; empty: that of the step before
    say: Text
    show: tuple[str, ...]  # parts of the page to point at
    position: Mapping[str, Any] | None  # the lesson continues from here
    do: tuple[str, ...]  # the actions that solve it, in notation; none: only to read
    keep: tuple[str, ...]  # cards that may not be discarded
    nudge: Text  # the answer to a wrong click
    refused: tuple[RefusedAttempt, ...]
    then: Mapping[str, Any]  # what must hold when it is solved
    score: Mapping[str, Any]  # by seat: the VP by source if the era ended then
    after: Text  # what happened
    rivals: tuple[Rival, ...]  # their moves once the turn has ended
    rules: tuple[str, ...]  # ids of the rules it shows


@dataclass(frozen=True)
class Lesson:
    """A lesson for one edition."""

    path: Path
    id: str  # `birmingham-first`: the edition and the id of the file
    number: int  # its place among the lessons of its edition
    title: Text
    about: Text  # one line
    edition: Edition
    rivals: tuple[str, ...]  # the names of the other players
    position: Mapping[str, Any]
    steps: tuple[Step, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats as the file names them; the learner has the first."""
        return SEAT_NAMES[: self.edition.players]


@cache
def lessons() -> Mapping[str, Lesson]:
    """The lessons of the package by id, in the order in which they are taught."""
    found = [lesson for path in sorted(FOLDER.glob("*.yaml")) for lesson in read(path)]
    found.sort(key=lambda lesson: (lesson.edition.name, lesson.number))
    return {lesson.id: lesson for lesson in found}


def read(path: Path) -> list[Lesson]:
    """Read a file: one lesson for each of its editions; `BadScenario` if it is not one."""
    return list(_Reader(path, load(path)).lessons())


class _Reader:
    """Parses one file; every mistake has its line."""

    def __init__(self, path: Path, top: Lines) -> None:
        self.path, self.top = path, top

    def fail(self, mapping: Lines, key: str, words: str) -> BadScenario:
        return BadScenario(self.path, mapping.line_of(key), words)

    def lessons(self) -> Iterator[Lesson]:
        top = self.top
        self.check_keys(top, FILE_KEYS, "a lesson")
        for key in FILE_KEYS:
            if not top.get(key):
                raise self.fail(top, key, f"{key!r} is missing")
        entries = self.list_of(top, "steps", Lines)
        if "do" in entries[-1]:
            raise self.fail(entries[-1], "do", "the last step only says something")
        for edition in self.editions():
            steps = [self.step(entry, edition) for entry in entries if is_for(entry, edition)]
            yield Lesson(
                path=self.path,
                id=f"{edition.name}-{self.line(top, 'id')}",
                number=self.whole(top, "number"),
                title=self.text(top, "title"),
                about=self.text(top, "about"),
                edition=edition,
                rivals=self.rivals(edition),
                position=self.position(top, edition),
                steps=tuple(steps),
            )

    def rivals(self, edition: Edition) -> tuple[str, ...]:
        names = tuple(self.list_of(self.top, "rivals", str))
        if len(names) != edition.players - 1:
            raise self.fail(self.top, "rivals", f"{edition.players - 1} rivals need a name each")
        return names

    def editions(self) -> Iterator[Edition]:
        """Each edition, with its options: `{lancashire: {virtual_link: yes}}`."""
        for entry in self.list_of(self.top, "editions", (str, Lines)):
            name, options = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
            try:
                yield editions.decided(name, self.whole(self.top, "players"), dict(options))
            except (BrassError, TypeError, ValueError) as error:
                raise self.fail(self.top, "editions", str(error)) from error

    def step(self, entry: Lines, edition: Edition) -> Step:
        self.check_keys(entry, STEP_KEYS, "a step")
        if "say" not in entry:
            raise self.fail(entry, "say", "a step must say something")
        if "do" not in entry:
            for key in ("keep", "nudge", "refused", "then", "score", "after", "rivals"):
                if key in entry:
                    raise self.fail(entry, key, f"{key!r} needs something to 'do'")
        show = tuple(self.list_of(entry, "show", str))
        if unknown := set(show) - set(PARTS):
            choices = ", ".join(PARTS)
            raise self.fail(
                entry, "show", f"unknown part {min(unknown)!r}; choose one of: {choices}"
            )
        return Step(
            line=entry.line,
            idea=self.text(entry, "idea"),
            say=self.text(entry, "say"),
            show=show,
            position=self.position(entry, edition) if "position" in entry else None,
            do=tuple(self.list_of(entry, "do", str)),
            keep=tuple(self.list_of(entry, "keep", str)),
            nudge=self.text(entry, "nudge"),
            refused=tuple(map(self.refused, self.list_of(entry, "refused", Lines))),
            then=entry.get("then", {}),
            score=entry.get("score", {}),
            after=self.text(entry, "after"),
            rivals=tuple(map(self.rival, self.list_of(entry, "rivals", Lines))),
            rules=tuple(self.list_of(entry, "rules", str)),
        )

    def refused(self, entry: Lines) -> RefusedAttempt:
        self.check_keys(entry, ("try", "reason"), "a refusal")
        name = self.line(entry, "reason")
        if name not in Reason.__members__ or name == "OK":
            words = f"there is no reason {name!r}; docs/reference/reasons.md explains them all"
            raise self.fail(entry, "reason", words)
        return RefusedAttempt(self.line(entry, "try"), Reason[name])

    def rival(self, entry: Lines) -> Rival:
        if len(entry) != 1:
            raise self.fail(entry, "", "a move of a rival is 'SEAT: ACTION'")
        ((seat, _move),) = entry.items()
        return Rival(seat, self.line(entry, seat))

    def position(self, mapping: Lines, edition: Edition) -> Mapping[str, Any]:
        """A position as in a scenario; `round: last` is the last round of the era."""
        position = mapping["position"]
        if not isinstance(position, dict):
            raise self.fail(mapping, "position", "a position is a mapping: 'era: rail' and so on")
        if position.get("round") == "last":
            position = {**position, "round": edition.rounds}
        return {
            **position,
            "edition": edition.name,
            "players": edition.players,
            "options": dict(edition.options),
        }

    def text(self, mapping: Lines, key: str) -> Text:
        """A text in several languages: `{en: ..., de: ..., fr: ...}`; English is the least."""
        value = mapping.get(key)
        if value is None:
            return {}
        if not isinstance(value, Lines) or not value.get("en"):
            raise self.fail(mapping, key, f"{key!r} needs 'en: ...', and the same for de and fr")
        self.check_keys(value, tuple(LANGUAGES), "a text")
        return {code: words.strip() for code, words in value.items()}

    def line(self, mapping: Lines, key: str) -> str:
        value = mapping.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(mapping, key, f"{key!r} must be one line of text")
        return value.strip()

    def whole(self, mapping: Lines, key: str) -> int:
        value = self.line(mapping, key)
        if not value.isdecimal():
            raise self.fail(mapping, key, f"{key!r} must be a number, not {value!r}")
        return int(value)

    def list_of(self, mapping: Lines, key: str, kind: type | tuple[type, ...]) -> list[Any]:
        """A list, which may be a single value if it is a text."""
        value = mapping.get(key, [])
        entries = [value] if isinstance(value, str) else value
        if not isinstance(entries, list) or not all(isinstance(each, kind) for each in entries):
            raise self.fail(mapping, key, f"{key!r} must be a list")
        return entries

    def check_keys(self, mapping: Lines, known: tuple[str, ...], what: str) -> None:
        for key in mapping:
            if key not in known:
                words = f"{what} has no key {key!r}; choose one of: {', '.join(known)}"
                raise self.fail(mapping, key, words)


def is_for(entry: Lines, edition: Edition) -> bool:
    """Is a step for this edition? `only: classic` names the one it is for."""
    return bool(entry.get("only", edition.name) == edition.name)
