"""The list of puzzles: filters, the puzzle of the day, and which one to solve next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils import timezone

from brassmill.editions import EDITIONS
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.puzzles import EXACT, JUDGED, Puzzle, of_the_day, puzzles
from brassmill.puzzles.themes import THEMES
from brassmill.web.page.game_list import title_of
from brassmill.web.puzzles import ratings
from brassmill.web.puzzles.page import (
    LEVELS,
    game_words,
    level_words,
    theme_words,
    title_of_puzzle,
)

ON_A_PAGE = 24
OPEN, SOLVED, MISSED = "open", "solved", "missed"
STATES = {OPEN: N_("not tried"), SOLVED: N_("solved"), MISSED: N_("missed")}
KINDS = {EXACT: N_("last turns"), JUDGED: N_("other turns")}


class FilterOption(NamedTuple):
    """A value of a filter."""

    value: str
    words: str
    is_chosen: bool


class Filter(NamedTuple):
    """Something by which the list can be narrowed."""

    name: str
    title: str
    everything: str  # the words for no choice
    options: tuple[FilterOption, ...]


@dataclass(frozen=True)
class PuzzleRow:
    """A puzzle in the list."""

    id: str
    edition: str
    title: str
    game: str
    kind: str
    level: int
    level_words: str
    rating: int
    state: str  # open, solved or missed


Wanted = Mapping[str, str]  # the value of each filter that is set


def wanted_in(query: Mapping[str, str]) -> dict[str, str]:
    """The filters that a query sets, without values that do not exist."""
    known = {name: values for name, _title, _all, values in choices()}
    return {name: value for name, value in query.items() if name in known and value in known[name]}


def choices() -> list[tuple[str, str, str, dict[str, str]]]:
    """The filters: name, title, the words for all, and the words for each value."""
    levels = {str(number): _(words) for number, words in enumerate(LEVELS, 1)}
    return [
        ("game", _("Game"), _("all games"), {name: title_of(name) for name in reversed(EDITIONS)}),
        ("level", _("Difficulty"), _("any difficulty"), levels),
        ("kind", _("Kind"), _("all turns"), {name: _(words) for name, words in KINDS.items()}),
        ("theme", _("Theme"), _("all themes"), {name: theme_words(name) for name in THEMES}),
        ("state", _("Solved"), _("tried or not"), {name: _(each) for name, each in STATES.items()}),
    ]


def filters(wanted: Wanted) -> list[Filter]:
    """The filters of the page."""
    return [
        Filter(
            name,
            title,
            everything,
            tuple(
                FilterOption(value, words, wanted.get(name) == value)
                for value, words in values.items()
            ),
        )
        for name, title, everything, values in choices()
    ]


def found(wanted: Wanted, tried: Mapping[str, bool]) -> list[Puzzle]:
    """The puzzles that pass the filters, the easiest first."""
    passing = [puzzle for puzzle in puzzles().values() if passes(puzzle, wanted, tried)]
    return sorted(passing, key=lambda puzzle: (puzzle.level, puzzle.id))


def passes(puzzle: Puzzle, wanted: Wanted, tried: Mapping[str, bool]) -> bool:
    """Does a puzzle pass all filters?"""
    has = {
        "game": (puzzle.edition,),
        "level": (str(puzzle.level),),
        "kind": (puzzle.kind,),
        "theme": puzzle.themes,
        "state": (state_of(puzzle, tried),),
    }
    return all(value in has[name] for name, value in wanted.items())


def state_of(puzzle: Puzzle, tried: Mapping[str, bool]) -> str:
    if puzzle.id not in tried:
        return OPEN
    return SOLVED if tried[puzzle.id] else MISSED


def rows_of(some: Iterable[Puzzle], tried: Mapping[str, bool]) -> list[PuzzleRow]:
    """Puzzles as the list shows them."""
    shown = list(some)
    rated = ratings.ratings(shown)
    return [
        PuzzleRow(
            id=puzzle.id,
            edition=puzzle.edition,
            title=title_of_puzzle(puzzle),
            game=game_words(puzzle),
            kind=puzzle.kind,
            level=puzzle.level,
            level_words=level_words(puzzle.level),
            rating=rated[puzzle.id],
            state=state_of(puzzle, tried),
        )
        for puzzle in shown
    ]


def todays() -> Puzzle:
    """The puzzle of the day; days begin at midnight UTC, everywhere."""
    return of_the_day(timezone.now().date())


def next_for(visitor: str, wanted: Wanted, last: str = "") -> Puzzle | None:
    """A puzzle to solve next: one not tried yet, about as hard as the visitor is strong."""
    tried = ratings.attempts(visitor)
    open_ones = [puzzle for puzzle in found({**wanted, "state": OPEN}, tried) if puzzle.id != last]
    aim = ratings.standing(visitor).rating
    rated = ratings.ratings(open_ones)
    return min(open_ones, key=lambda puzzle: (abs(rated[puzzle.id] - aim), puzzle.id), default=None)
