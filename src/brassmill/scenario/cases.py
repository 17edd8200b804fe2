"""Scenario files: finding them, reading them, and the cases they consist of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brassmill.editions import edition
from brassmill.errors import BrassError
from brassmill.scenario.errors import BadScenario
from brassmill.scenario.text import Lines, load

FILE_KEYS = (
    "id", "title", "rules", "editions", "players", "position", "steps", "cases", "refused",
)  # fmt: skip
SAYING = (
    "then",
    "expect",
    "score",
    "includes",
    "excludes",
)  # parts of a step that compare something
LISTING = ("includes", "excludes", "tiles", "links", "empty", "free")  # always true if empty
CASE_KEYS = ("name", "editions", "players", "position", "steps", "refused")


@dataclass(frozen=True)
class Case:
    """One run: an edition, a position and the steps."""

    path: Path
    scenario: str
    name: str
    edition: str
    options: Mapping[str, Any]
    players: int
    position: Mapping[str, Any]
    steps: tuple[Lines, ...] = ()
    refused: tuple[str, ...] = ()
    line: int = 0

    @property
    def variant(self) -> str:
        """Edition, options and players in a word or two."""
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        return f"{self.edition}{options} {self.players}p"

    def __str__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"{self.scenario}{name} [{self.variant}]"


@dataclass(frozen=True)
class Scenario:
    """One file."""

    path: Path
    id: str
    title: str
    rules: tuple[str, ...]
    cases: tuple[Case, ...] = field(repr=False)

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions it runs with, in the order of the file."""
        return tuple(dict.fromkeys(case.edition for case in self.cases))


def find(paths: Iterable[Path]) -> Iterator[Path]:
    """All scenario files: the given files, and those in the given folders."""
    seen = set()
    for path in paths:
        found = sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")]) if path.is_dir() else [path]
        for file in found:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def read(path: Path) -> Scenario:
    """Read a scenario from a file; `BadScenario` if it is not one."""
    return _Reader(path, load(path)).scenario()


class _Reader:
    """Parses one file, keeping the path and line of everything for errors."""

    def __init__(self, path: Path, top: Lines) -> None:
        self.path, self.top = path, top

    def fail(self, mapping: Lines, key: str, words: str) -> BadScenario:
        return BadScenario(self.path, mapping.line_of(key), words)

    def check_keys(self, mapping: Lines, known: tuple[str, ...], what: str) -> None:
        for key in mapping:
            if key not in known:
                raise self.fail(
                    mapping, key, f"{what} has no key {key!r}; choose one of: {', '.join(known)}"
                )

    def scenario(self) -> Scenario:
        top = self.top
        self.check_keys(top, FILE_KEYS, "a scenario")
        for key in ("id", "title", "editions"):
            if not top.get(key):
                raise self.fail(top, key, f"{key!r} is missing")
        if "cases" in top and ("steps" in top or "refused" in top):
            raise self.fail(top, "cases", "use either 'cases' or 'steps' and 'refused'")
        cases: list[Case] = []
        if "cases" in top:
            entries = self.mappings(top, "cases")
            if not entries:
                raise self.fail(top, "cases", "there are no cases")
            for number, entry in enumerate(entries, 1):
                self.check_keys(entry, CASE_KEYS, "a case")
                name = self.text(entry, "name") if "name" in entry else str(number)
                cases += self.variants(entry, name)
        else:
            cases += self.variants(top, "")
        return Scenario(
            self.path,
            self.text(top, "id"),
            self.text(top, "title"),
            tuple(self.texts(top, "rules")),
            tuple(cases),
        )

    def variants(self, entry: Lines, name: str) -> Iterator[Case]:
        """The case in each edition and with each number of players."""
        if ("steps" in entry) == ("refused" in entry):
            raise self.fail(entry, "steps", "there must be either 'steps' or 'refused'")
        steps = tuple(self.mappings(entry, "steps"))
        if "steps" in entry and not steps:
            raise self.fail(entry, "steps", "there are no steps")
        for step in steps:
            self.check_step(step)
        refused = tuple(self.texts(entry, "refused"))
        if "refused" in entry and not all(refused or [""]):
            raise self.fail(entry, "refused", "'refused' needs a text that a problem must contain")
        position = self.position(self.top)
        if entry is not self.top:
            position = merge(position, self.position(entry))
        for edition_name, options in self.editions(entry if "editions" in entry else self.top):
            for players in self.players(
                entry if "players" in entry else self.top, edition_name, options
            ):
                yield Case(
                    self.path,
                    self.text(self.top, "id"),
                    name,
                    edition_name,
                    options,
                    players,
                    position,
                    steps,
                    refused,
                    entry.line,
                )

    def check_step(self, step: Lines) -> None:
        """Reject a step that compares nothing: it could never fail."""
        for key in SAYING:
            if key in step and (step[key] == "" or says_nothing(key, step[key])):
                raise self.fail(step, key, f"{key!r} says nothing, or something in it does")

    def position(self, mapping: Lines) -> Mapping[str, Any]:
        position = mapping.get("position", {})
        if position == "":
            return {}
        if not isinstance(position, dict):
            raise self.fail(mapping, "position", "a position is a mapping: 'era: rail' and so on")
        return position

    def editions(self, mapping: Lines) -> Iterator[tuple[str, dict[str, Any]]]:
        entries = mapping["editions"]
        for entry in entries if isinstance(entries, list) else [entries]:
            if isinstance(entry, str):
                yield entry, {}
                continue
            well_formed = isinstance(entry, dict) and len(entry) == 1
            if not well_formed or not isinstance(next(iter(entry.values())), dict):
                raise self.fail(
                    mapping,
                    "editions",
                    "an edition is a name or {name: {option: value}}",
                )
            name, options = next(iter(entry.items()))
            yield name, dict(options)

    def players(self, mapping: Lines, name: str, options: dict[str, Any]) -> list[int]:
        if "players" not in mapping:
            return [_usual_players(name, options)]
        counts = []
        for text in self.texts(mapping, "players"):
            if not text.isdigit():
                raise self.fail(mapping, "players", f"{text!r} is not a number of players")
            counts.append(int(text))
        if not counts:
            raise self.fail(mapping, "players", "there are no players")
        return counts

    def text(self, mapping: Lines, key: str) -> str:
        value = mapping[key]
        if not isinstance(value, str):
            raise self.fail(mapping, key, f"{key!r} must be one line of text")
        return value

    def texts(self, mapping: Lines, key: str) -> list[str]:
        value = mapping.get(key, [])
        entries = value if isinstance(value, list) else [value]
        if not all(isinstance(entry, str) for entry in entries):
            raise self.fail(mapping, key, f"{key!r} must be a list of plain texts")
        return entries

    def mappings(self, mapping: Lines, key: str) -> list[Lines]:
        value = mapping.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, Lines) for entry in value):
            raise self.fail(mapping, key, f"{key!r} must be a list, each entry with its own keys")
        return value


def says_nothing(key: str, value: Any) -> bool:
    """Is there nothing to compare, here or deeper? `exactly: []` and `hand: []` do compare."""
    if isinstance(value, dict):
        return not value or any(says_nothing(word, inner) for word, inner in value.items())
    return value == [] and key in LISTING


def merge(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Merge one position over another: mappings are merged, lists and values replaced."""
    merged = dict(common)
    for key, value in own.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            merged[key] = merge(below, value)
        else:
            merged[key] = value
    return merged


def _usual_players(name: str, options: dict[str, Any]) -> int:
    """Four, or the most that the edition allows with these options."""
    try:
        return edition(name, **options).players
    except (BrassError, TypeError):
        return 4  # the run itself reports an unknown edition or option
