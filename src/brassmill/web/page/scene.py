"""The end of an era as a scene: what scores, link by link and tile by tile, and what follows.

All figures are those of the rules: the events of the scoring, and the positions before and after
it. Scoring is public, so everyone gets the same scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from brassmill import terms
from brassmill.core.engine import Engine, plain
from brassmill.core.events import Event, events_of
from brassmill.core.outcome import Outcome
from brassmill.core.view import View, plain_data, view_of
from brassmill.editions.edition import Edition
from brassmill.language import gettext as _
from brassmill.language import language, ngettext
from brassmill.rules import build
from brassmill.rules.layout import GAME_OVER
from brassmill.svg.plan import plan
from brassmill.svg.scores import Score, scored_map
from brassmill.web.page import dom_ids
from brassmill.web.page.pictures import with_data_ids
from brassmill.web.page.verdict import decided_words, headline_words
from brassmill.words import event_words
from brassmill.words.log import SCORES

CANAL, END = "canal", "end"  # the end of the canal era, of the game
SCENES = (CANAL, END)

remove_tile = plain(build.remove_tile)


@dataclass(frozen=True)
class EraEnd:
    """The end of an era: the action that led to it, and what happened."""

    name: str  # canal or end
    number: int  # of the action
    events: tuple[Event, ...]  # of that action, and of the end of its turn
    before: bytes  # the position before that action
    choices: tuple[int, ...]  # the action
    after: bytes  # the position once the era has ended


@dataclass(frozen=True)
class ScoredItem:
    """One step of the count: a link, a tile, or a player's money or income."""

    seat: int
    source: str  # links, tiles, cash or income
    element: str  # on the map; empty for money and income
    words: str
    points: int
    on_map: int  # the figure there so far: in the introductory game, some tiles score twice
    source_total: int  # of the player so far
    total: int


class ScoreSource(NamedTuple):
    """What a player scores for links, tiles, money or income."""

    name: str
    words: str
    points: int


@dataclass(frozen=True)
class PlayerTally:
    """What a player scores."""

    seat: int
    name: str
    before: int
    sources: tuple[ScoreSource, ...]
    points: int
    total: int
    rank: int  # 0 at the end of the canal era
    has_conceded: bool
    best: str  # what scored most


@dataclass(frozen=True)
class Scene:
    """The end of an era, in the language of the context."""

    name: str
    era: str
    number: int  # of the action that led to it
    title: str
    players: tuple[PlayerTally, ...]  # in the order of counting: the turn order
    items: tuple[ScoredItem, ...]
    most: int  # the highest total
    leaves: tuple[str, ...]  # what leaves the board before the rail era
    leaving: tuple[str, ...]  # the elements of it
    order: tuple[int, ...]  # the next turn order; empty at the end of the game
    headline: str  # who wins
    decided: str  # the margin or tie-break

    @property
    def is_end(self) -> bool:
        """Is the game over?"""
        return self.name == END

    @property
    def podium(self) -> tuple[PlayerTally, ...]:
        """The players, best first."""
        return tuple(sorted(self.players, key=lambda tally: tally.rank))

    def of(self, seat: int) -> tuple[ScoredItem, ...]:
        """What a player scores, step by step."""
        return tuple(item for item in self.items if item.seat == seat)

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return plain_data(self)  # type: ignore[no-any-return]


def scene_name(events: Iterable[Event]) -> str:
    """Which scene events lead to; empty: none."""
    kinds = {event.kind for event in events}
    return "" if "era_ended" not in kinds else END if "game_ended" in kinds else CANAL


def agreed_ending(engine: Engine, number: int, latest: EraEnd | None) -> EraEnd:
    """The end of a game by agreement after an action: it is scored as if the era ended now.

    If an era has just ended (`latest`), that was the scoring.
    """
    if latest and latest.number == number:
        return replace(latest, name=END)
    scored = engine.copy()
    scored.score_era()
    return EraEnd(
        name=END,
        number=number,
        events=tuple(events_of(engine.edition, scored.rows)),
        before=engine.snapshot(),
        choices=(),
        after=scored.snapshot(),
    )


def scene_of(
    edition: Edition, names: tuple[str, ...], ending: EraEnd, outcome: Outcome | None = None
) -> Scene:
    """The scene of an ending; `outcome` is how the game ended, if it did."""
    scene = _scene(edition, names, ending, language())
    if outcome is None:
        return scene
    ranks = {result.seat: result.rank for result in outcome.results}
    return replace(
        scene,
        title=_("Final scoring, by agreement") if outcome.by_agreement else scene.title,
        players=tuple(
            replace(tally, rank=ranks[tally.seat], has_conceded=tally.seat in outcome.conceded)
            for tally in scene.players
        ),
        headline=headline_words(outcome),
        decided=decided_words(outcome),
    )


@lru_cache(32)
def _scene(edition: Edition, names: tuple[str, ...], ending: EraEnd, _language: str) -> Scene:
    before, after = board_before(edition, ending), Engine(edition, names, ending.after)
    view = _view(edition, names, before, ending.number)
    scoring = _scoring(ending.events)
    start = [seat.vp for seat in view.seats]
    for event in _until_scoring(ending.events):
        if event.kind == "vp_lost":
            start[event.seat] -= event.points
    items = tuple(_items(edition, view, scoring, start))
    players = tuple(_tally(seat, names[seat], start[seat], items) for seat in view.order)
    removed = [event for event in ending.events if event.kind == "removed"]
    is_end = ending.name == END
    return Scene(
        name=ending.name,
        era=view.era,
        number=ending.number,
        title=_title(ending, names),
        players=players,
        items=items,
        most=max(tally.total for tally in players),
        leaves=() if is_end else tuple(_leaves(len(view.links), len(removed))),
        leaving=()
        if is_end
        else (
            *(dom_ids.line_element(edition, link.line) for link in view.links),
            *(dom_ids.space_element(edition, _space(edition, event)) for event in removed),
        ),
        order=() if is_end else tuple(after.state.order[: edition.players].tolist()),
        headline="",
        decided="",
    )


# --- the board before the scoring ----------------------------------------------------------------


def board_before(edition: Edition, ending: EraEnd) -> bytes:
    """The position with the board as it is scored: after the last action, before the era ends."""
    engine = Engine(edition, ("",) * edition.players, ending.before)
    era, last = int(engine.state.era), ending.before
    for choice in ending.choices:
        engine.step(choice)
        if engine.phase == GAME_OVER or int(engine.state.era) != era:
            break  # the last tile removed to pay a debt ends the round, too
        last = engine.snapshot()
    engine.restore(last)
    for event in _until_scoring(ending.events):
        if event.kind == "gave_up":
            remove_tile(engine.state, _space(edition, event))
    return engine.snapshot()


def _view(edition: Edition, names: Sequence[str], position: bytes, number: int) -> View:
    state = Engine(edition, tuple(names), position).state
    return view_of(edition, names, state, None, number)


def _until_scoring(events: Sequence[Event]) -> Sequence[Event]:
    begins = ("era_ended", *SCORES)  # without the first if the players ended the game
    kinds = (number for number, event in enumerate(events) if event.kind in begins)
    return events[: next(kinds, len(events))]


def _scoring(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if event.kind in SCORES]


def _space(edition: Edition, event: Event) -> int:
    place, number = edition.find_space(event.space)
    return edition.space_at(place, number or 1)


# --- counting ------------------------------------------------------------------------------------


def _items(
    edition: Edition, view: View, scoring: Sequence[Event], start: Sequence[int]
) -> Iterator[ScoredItem]:
    """Every step, player by player and from north to south; nothing that brings no VP."""
    tiles = {tile.space: f"{tile.industry} {tile.level}" for tile in view.tiles}
    kinds = list(SCORES)
    southward = sorted(
        scoring, key=lambda event: (kinds.index(event.kind), _latitude(edition, event))
    )
    for seat in view.order:
        total, sources, on_map = start[seat], Counter[str](), Counter[str]()
        for event in southward:
            if event.seat != seat or not event.points:
                continue
            source = SCORES[event.kind]
            element, words = "", terms.source(source)
            if source == "links":
                line = edition.find_line(event.line)
                element, words = dom_ids.line_element(edition, line), edition.lines[line].name
            elif source == "tiles":
                space = _space(edition, event)
                element = dom_ids.space_element(edition, space)
                words = _("{tile} in {town}").format(
                    tile=terms.tile(tiles[space]), town=terms.town(event.space)
                )
            total += event.points
            sources[source] += event.points
            on_map[element] += event.points
            yield ScoredItem(
                seat=seat,
                source=source,
                element=element,
                words=words,
                points=event.points,
                on_map=on_map[element],
                source_total=sources[source],
                total=total,
            )


def _latitude(edition: Edition, event: Event) -> float:
    """How far south something is that scores: the count goes down the map, not up and down."""
    sheet, source = plan(edition, "tall"), SCORES[event.kind]
    if source == "links":
        _x, y = sheet.tracks[edition.find_line(event.line)].middle
        return y
    if source == "tiles":
        return sheet.spots[edition.spaces[_space(edition, event)].place].y
    return 0


def _tally(seat: int, name: str, start: int, items: Iterable[ScoredItem]) -> PlayerTally:
    own = [item for item in items if item.seat == seat]
    by_source = {item.source: item.source_total for item in own}
    best = max((item for item in own if item.element), key=lambda item: item.points, default=None)
    words = _("{points} VP, {what}")
    return PlayerTally(
        seat=seat,
        name=name,
        before=start,
        sources=tuple(
            ScoreSource(source, terms.source(source), points)
            for source, points in by_source.items()
        ),
        points=sum(by_source.values()),
        total=own[-1].total if own else start,
        rank=0,
        has_conceded=False,
        best="" if best is None else words.format(what=best.words, points=best.points),
    )


# --- in words ------------------------------------------------------------------------------------


def _title(ending: EraEnd, names: Sequence[str]) -> str:
    if ending.name == END:
        return _("Final scoring")
    ended = next(event for event in ending.events if event.kind == "era_ended")
    return event_words(ended, names)


def _leaves(canals: int, tiles: int) -> Iterator[str]:
    """What leaves the board before the rail era."""
    if canals:
        yield ngettext("{number} canal", "{number} canals", canals).format(number=canals)
    if tiles:
        words = ngettext("{number} level I tile", "{number} level I tiles", tiles)
        yield words.format(number=tiles)


# --- the picture ---------------------------------------------------------------------------------


def scene_map(edition: Edition, names: tuple[str, ...], ending: EraEnd, shape: str) -> Markup:
    """The board as it was scored, with every figure; what leaves it is marked."""
    return _scene_map(edition, names, ending, shape, language())


@lru_cache(16)
def _scene_map(
    edition: Edition, names: tuple[str, ...], ending: EraEnd, shape: str, _language: str
) -> Markup:
    scene = _scene(edition, names, ending, _language)
    view = _view(edition, names, board_before(edition, ending), ending.number)
    figures = {item.element: item for item in scene.items if item.element}
    scores = [
        Score(thing.kind, thing.number, item.seat, item.on_map, element)
        for element, item in figures.items()
        if (thing := dom_ids.thing_of(edition, element))
    ]
    picture = scored_map(view, scores, shape=shape).document(None)
    return with_data_ids(picture, scored=frozenset(figures), leaves=frozenset(scene.leaving))
