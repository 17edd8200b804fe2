"""Examples: what the rules say of each step of a scenario, and a picture of where it happens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from brassmill import svg, terms
from brassmill.core.view import View
from brassmill.editions import Edition, edition
from brassmill.editions.edition import INDUSTRY
from brassmill.game import Game
from brassmill.language import N_, in_language
from brassmill.language import gettext as _
from brassmill.notation.reader import Buyer, ParsedText, Spot, Target, read
from brassmill.rulebook.book import Example, rules
from brassmill.scenario import ENDS, Case, Scenario, follow, game_of
from brassmill.scenario import read as read_scenario
from brassmill.words.log import log_lines

YOU = 0  # the seat that acts in the examples

VERBS = {
    "build": N_("Build"),
    "link": N_("Network"),
    "sell": N_("Sell"),
    "develop": N_("Develop"),
    "loan": N_("Loan"),
    "scout": N_("Scout"),
    "pass": N_("Pass"),
    "give up": N_("Remove a tile"),
}
# Many pictures stand on one page, and each has a label of its own.
_SPOKEN = re.compile(r'<title>[^<]*</title>| id="[^"]*"')


@dataclass(frozen=True)
class StepVerdict:
    """One step of an example: what is tried, whether it is allowed, and what the rules say."""

    number: int
    allowed: bool
    action: str  # "Build: cotton mill in Oldham"
    words: str  # the refusal, or what happens
    rules: tuple[str, ...] = ()  # behind a refusal


@dataclass(frozen=True)
class ShownExample:
    """An example in the language of the context."""

    name: str
    title: str
    pictures: tuple[str, ...]
    verdicts: tuple[StepVerdict, ...]


@cache
def _scenario(path: Path) -> Scenario:
    return read_scenario(path)


def case_of(example: Example, game: str) -> Case | None:
    """The scenario of an example in a game; None if it is about another one."""
    cases = _scenario(example.path).cases
    return next((case for case in cases if case.edition == game), None)


def shown(example: Example, game: str, ground: Mapping[str, str]) -> ShownExample | None:
    """An example for the page of a game; None if it is about another one.

    `ground` has the address of the background of maps, by era.
    """
    case = case_of(example, game)
    if case is None:
        return None
    told = list(_told(case))
    title = in_language(example.title)
    label = f"{title}. " + " ".join(
        f"{verdict.number}: {verdict.action}." for verdict, _marks in told if verdict.action
    )
    marks = [mark for _verdict, marked in told for mark in marked]
    view = game_of(case).view(YOU)
    pictures = tuple(
        _SPOKEN.sub("", drawn)
        for drawn in (_drawn(kind, view, marks, label, ground) for kind in example.pictures)
    )
    return ShownExample(
        example.scenario,
        title,
        pictures,
        tuple(verdict for verdict, _marks in told),
    )


def _drawn(
    kind: str, view: View, marks: Sequence[svg.Mark], label: str, ground: Mapping[str, str]
) -> str:
    if kind == "mat":
        return _still(svg.mat(view, YOU, theme=None))
    if kind == "market":
        return _still(svg.market(view, theme=None))
    around = _places(view, marks)
    return svg.detail(view, around, marks, label=label, theme=None, ground=ground[view.era])


def _still(picture: str) -> str:
    """A picture that holds nothing to choose."""
    return picture.replace('role="group"', 'role="img"', 1)


def _places(view: View, marks: Sequence[svg.Mark]) -> set[int]:
    """The places that an example is about: of its tiles, its links and its marks."""
    box = edition(view.edition, view.players, **view.options)
    spaces = [tile.space for tile in view.tiles]
    spaces += [mark.space for mark in marks if mark.space is not None]
    lines = [link.line for link in view.links]
    lines += [mark.line for mark in marks if mark.line is not None]
    ends = {end for line in lines for end in box.line_ends[line]}
    return ends | {box.spaces[space].place for space in spaces}


# --- what the rules say --------------------------------------------------------------------------


def _told(case: Case) -> Iterator[tuple[StepVerdict, list[svg.Mark]]]:
    """What the rules say of each step, and the marks on the map."""
    number = 0
    for step, game in follow(case):
        if step.get("do") in ENDS:
            continue
        number += 1
        if "score" in step:
            yield _scored(number, game), []
            continue
        text = step.get("try") or step["do"]
        parsed = read(game.edition, game.seats, text)
        verdict = (_refused if "try" in step else _done)(number, game, text, parsed)
        yield verdict, list(_marks(verdict, game, parsed))


def _refused(number: int, game: Game, text: str, parsed: ParsedText) -> StepVerdict:
    refusal = game.why_not(text)
    assert refusal is not None  # a test runs the scenarios
    behind = tuple(rule for rule in refusal.rule.split(", ") if rule in rules())
    here = tuple(rule for rule in behind if game.edition.name in rules()[rule].games)
    return StepVerdict(number, False, action_words(game.edition, parsed), refusal.briefly, here)


def _done(number: int, game: Game, text: str, parsed: ParsedText) -> StepVerdict:
    line = next(log_lines(game.copy().choose(text), game.seats))
    words = f"{game.seats[YOU]} {', '.join(filter(None, (line.text, line.details)))}."
    return StepVerdict(number, True, action_words(game.edition, parsed), words)


def _scored(number: int, game: Game) -> StepVerdict:
    """What the links of every seat score."""
    words = [
        _("{seat}: {points} VP for links").format(seat=seat, points=points["links"])
        for seat, points in zip(game.seats, game.score_now(), strict=True)
        if points.get("links")
    ]
    return StepVerdict(number, True, "", "; ".join(words))


def action_words(box: Edition, parsed: ParsedText) -> str:
    """An action as it is tried, whether it is allowed or not."""
    tried = ", ".join(filter(None, (_target(box, target) for target in parsed.targets)))
    verb = _(VERBS[parsed.verb])
    words = [_("{name}: {value}").format(name=verb, value=tried) if tried else verb]
    words += [_card(box, card) for card in parsed.cards if parsed.verb == "build"]
    for resource, sources in (("coal", parsed.coal), ("iron", parsed.iron), ("beer", parsed.beer)):
        for source in sources:
            words.append(
                _("{resource} from {suppliers}").format(
                    resource=terms.resource(resource), suppliers=_source(box, source)
                )
            )
    return " · ".join(words)


def _target(box: Edition, target: Target) -> str:
    if target.line is not None:
        return box.line_name(target.line)
    if target.levels is not None:
        return terms.pounds(10 * target.levels)
    if target.industry is None:
        return ""
    industry = terms.industry(box.industry_name(target.industry))
    if target.spot.place is None:
        return industry
    words = _("{industry} in {place}").format(
        industry=industry, place=box.place_name(target.spot.place)
    )
    return f"{words} → {_buyer(box, target.buyer)}" if target.buyer else words


def _buyer(box: Edition, buyer: Buyer) -> str:
    if buyer.kind == "distant" or buyer.spot.place is None:
        return terms.place("distant")
    place = box.place_name(buyer.spot.place)
    if buyer.kind == "port":
        return _("{industry} in {place}").format(industry=terms.industry("port"), place=place)
    return terms.merchant(place)


def _source(box: Edition, source: Spot | Buyer) -> str:
    if isinstance(source, Buyer):
        return _buyer(box, source)
    return terms.place("market") if source.place is None else box.place_name(source.place)


def _card(box: Edition, card: int) -> str:
    return _("{name}: {value}").format(name=_("Card"), value=terms.card(box.card_name(card)))


# --- where it happens ----------------------------------------------------------------------------


def _marks(verdict: StepVerdict, game: Game, parsed: ParsedText) -> Iterator[svg.Mark]:
    """Marks on the spaces and lines of an action."""
    for target in parsed.targets:
        if target.line is not None:
            yield svg.Mark(verdict.number, verdict.allowed, line=target.line)
        elif target.spot.place is not None and target.industry is not None:
            space = _space(game, parsed.verb, target)
            yield svg.Mark(verdict.number, verdict.allowed, space=space)


def _space(game: Game, verb: str, target: Target) -> int | None:
    """The space that an action is about: named, or the first that comes into question."""
    box, place = game.edition, target.spot.place
    assert place is not None and target.industry is not None
    if target.spot.number is not None:
        return box.space_at(place, target.spot.number)
    name = INDUSTRY[target.industry]
    tiles = {tile.space: tile.industry for tile in game.view(YOU).tiles}
    fitting = [space for space in box.place_spaces[place] if name in box.spaces[space].symbols]
    if verb == "build":  # an empty space, one for this industry alone first
        empty = [space for space in fitting if space not in tiles] or fitting
        return min(empty, key=lambda space: len(box.spaces[space].symbols), default=None)
    return next((space for space in fitting if tiles.get(space) == name), None)
