"""Chapters and rules, read from the files in `chapters`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from brassmill.editions import EDITIONS
from brassmill.errors import BrassError
from brassmill.language import LANGUAGES, Text, in_language, missing_languages

FOLDER = Path(__file__).parent
COTTON = ("classic", "lancashire")  # the two games on the map of Lancashire
NOTES = {**{name: (name,) for name in EDITIONS}, "cotton": COTTON}
PICTURES = ("map", "market", "mat")
PLAYERS = ("Ada", "Ben", "Cleo", "Dan")  # of every example; the reader is the first
KEYS = ("id", "games", "books", "title", "examples", *LANGUAGES, *NOTES)

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_BEFORE_SIGN = re.compile(r" (?=[:;?!£])")
_OUTER = re.compile(r"[^\w.]+")


@dataclass(frozen=True)
class Example:
    """A scenario that shows a rule at work."""

    scenario: str
    title: Text
    pictures: tuple[str, ...] = ("map",)

    @property
    def path(self) -> Path:
        return FOLDER / "examples" / f"{self.scenario}.yaml"


@dataclass(frozen=True)
class Rule:
    """One rule: what all its games share, and what only some of them add."""

    id: str
    games: tuple[str, ...]
    books: Mapping[str, str]  # the chapter in the rulebook of a year
    title: Text | None  # rulings have none
    text: Text
    notes: Mapping[str, Text]  # by edition, or `cotton` for both games of Lancashire
    examples: tuple[Example, ...] = ()

    @property
    def anchor(self) -> str:
        """The fragment of its address."""
        return anchor_of(self.id)

    def paragraphs(self, game: str) -> list[str]:
        """What the rule says in a game, in the language of the context."""
        own = [note for key, note in self.notes.items() if game in NOTES[key]]
        return [in_language(text) for text in (self.text, *own)]


@dataclass(frozen=True)
class Chapter:
    """A chapter and its rules."""

    title: Text
    label: str  # how its ids begin
    intro: Text | None
    rules: tuple[Rule, ...]

    def rules_of(self, game: str) -> list[Rule]:
        return [rule for rule in self.rules if game in rule.games]


def anchor_of(rule: str) -> str:
    """The fragment of a rule's address: letters, digits, points and hyphens."""
    return _OUTER.sub("-", rule).strip("-")


@cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters in order."""
    return tuple(read_chapter(path) for path in sorted((FOLDER / "chapters").glob("*.toml")))


@cache
def rules() -> Mapping[str, Rule]:
    """All rules by id."""
    return {rule.id: rule for chapter in chapters() for rule in chapter.rules}


def read_chapter(path: Path) -> Chapter:
    """A chapter from its file; an error names the file, the rule and what is missing."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BrassError(f"{path.name}: {error}") from error
    return Chapter(
        title=_text(path.name, table.get("title")),
        label=table.get("label", ""),
        intro=_text(path.name, table["intro"]) if "intro" in table else None,
        rules=tuple(_rule(path.name, entry) for entry in table.get("rule", ())),
    )


def _rule(file: str, entry: Mapping[str, Any]) -> Rule:
    where = f"{file}, {entry.get('id', 'a rule without id')}"
    if wrong := [key for key in entry if key not in KEYS]:
        raise BrassError(f"{where}: unknown key {wrong[0]!r}; choose one of: {', '.join(KEYS)}")
    games = tuple(entry.get("games", EDITIONS))
    for game in games:
        if game not in EDITIONS:
            raise BrassError(
                f"{where}: unknown game {game!r}; choose one of: {', '.join(EDITIONS)}"
            )
    return Rule(
        id=entry["id"],
        games=games,
        books=entry.get("books", {}),
        title=_text(f"{where}, title", entry["title"]) if "title" in entry else None,
        text=_text(where, {code: entry[code] for code in LANGUAGES if code in entry}),
        notes={key: _text(f"{where}, {key}", entry[key]) for key in NOTES if key in entry},
        examples=tuple(_example(where, example) for example in entry.get("examples", ())),
    )


def _example(where: str, entry: Mapping[str, Any]) -> Example:
    where = f"{where}, example {entry.get('scenario')!r}"
    pictures = tuple(entry.get("pictures", Example.pictures))
    if unknown := set(pictures) - set(PICTURES):
        raise BrassError(f"{where}: unknown picture {unknown.pop()!r}; choose from {PICTURES}")
    return Example(entry["scenario"], _text(where, entry), pictures)


def _text(where: str, entry: Any) -> Text:
    """A text in all languages."""
    if missing := missing_languages(entry if isinstance(entry, dict) else {}):
        raise BrassError(f"{where}: no text for {', '.join(missing)}")
    return {code: typeset(entry[code], code) for code in LANGUAGES}


def typeset(text: str, code: str) -> str:
    """A text with the apostrophes and spaces of its language."""
    text = _APOSTROPHE.sub("\N{RIGHT SINGLE QUOTATION MARK}", text) if code == "fr" else text
    return _BEFORE_SIGN.sub("\N{NO-BREAK SPACE}", text) if code == "fr" else text
