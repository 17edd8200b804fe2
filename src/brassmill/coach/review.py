"""What an analysed game teaches: its turning points, and what was lost on which theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brassmill.coach.advice import Advice
from brassmill.coach.analysis import Analysis, Verdict
from brassmill.core.choice import MEANING
from brassmill.core.events import ERAS
from brassmill.language import N_
from brassmill.rules.layout import SYMBOLS

OPENING = 2  # rounds
LAST = 2  # rounds
POINTS = 6  # turning points

# Each theme by name; it is left out where no action belongs to it.
THEMES = {
    "opening": N_("Opening"),
    "loans": N_("Loans"),
    "canals": N_("Canal network"),
    "beer": N_("Beer"),
    "end": N_("Last rounds"),
}


class TurningPoint(NamedTuple):
    """A mistake, or a brilliant move, and what it meant for the player's chance of winning."""

    verdict: Verdict
    change: float  # of the chance, compared with the other action; negative for a mistake


@dataclass(frozen=True)
class Theme:
    """The actions that belong to a theme."""

    name: str  # in `THEMES`
    verdicts: tuple[Verdict, ...]

    @property
    def loss(self) -> float:
        """What all players lost, in VP."""
        return sum(verdict.loss for verdict in self.verdicts)

    def loss_of(self, seat: int) -> float:
        return sum(verdict.loss for verdict in self.verdicts if verdict.seat == seat)

    @property
    def worst(self) -> Verdict | None:
        """The costliest of its actions, if one was an inaccuracy at least."""
        found = max(self.verdicts, key=lambda verdict: verdict.loss)
        return None if found.mark == "good" else found


def turning_points(verdicts: Sequence[Verdict]) -> list[TurningPoint]:
    """The mistakes and brilliant moves that mattered most, in the order of the game."""
    found = []
    for verdict in verdicts:
        if verdict.is_brilliant and verdict.other:
            change = verdict.played.chance - verdict.other.chance
            found.append(TurningPoint(verdict, change))
        elif verdict.mark in ("mistake", "blunder"):
            found.append(TurningPoint(verdict, verdict.played.chance - verdict.best.chance))
    most = sorted(found, key=lambda point: (-abs(point.change), -point.verdict.loss))[:POINTS]
    return sorted(most, key=lambda point: point.verdict.number)


def themes_of(analysis: Analysis) -> list[Theme]:
    """The themes of a game, each with its actions; one action may belong to several."""
    rounds = list(dict.fromkeys((each.era, each.round) for each in analysis.verdicts))
    last = {era: max(number for of, number in rounds if of == era) for era, _number in rounds}
    final = max(last, key=ERAS.index)
    belongs: dict[str, Callable[[Verdict], bool]] = {
        "opening": lambda v: v.era == ERAS[0] and v.round <= OPENING,
        "loans": lambda v: any(kind == "LOAN" for kind in _begun(v)),
        "canals": lambda v: v.era == ERAS[0] and any(kind == "LINK" for kind in _begun(v)),
        "beer": _is_about_beer,
        "end": lambda v: v.era == final and v.round > last[final] - LAST,
    }
    found = [Theme(name, tuple(filter(belongs[name], analysis.verdicts))) for name in THEMES]
    return [theme for theme in found if theme.verdicts]


def _begun(verdict: Verdict) -> tuple[str, ...]:
    """What was played and what would have been best: the kinds of their first choices."""
    return tuple(MEANING[advice.action.ids[0]][0] for advice in (verdict.played, verdict.best))


def _is_about_beer(verdict: Verdict) -> bool:
    """Was or should have been the action about breweries, or the beer of a sale?"""
    return _takes_beer(verdict.played) or _takes_beer(verdict.best)


def _takes_beer(advice: Advice) -> bool:
    uses = any(MEANING[choice][0] in ("BEER_FROM", "BARREL_OF") for choice in advice.action.ids)
    kind, offset = MEANING[advice.action.ids[0]]
    space, symbol = divmod(offset, SYMBOLS)
    spaces = advice.action.edition.spaces
    return uses or (kind == "BUILD" and spaces[space].symbols[symbol] == "brewery")
