"""What the pages of an analysis show, as plain data in the language of the context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from brassmill import terms
from brassmill.coach import Advice
from brassmill.coach.advice import margins
from brassmill.coach.analysis import SIGNS, WORDS, Analysis, Verdict
from brassmill.coach.chances import chance_text
from brassmill.coach.review import THEMES, Theme, TurningPoint, themes_of, turning_points
from brassmill.core.view import View
from brassmill.game import Game
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.reports.analysis import signed
from brassmill.reports.html import Course, Figure, Widths
from brassmill.svg.chart import Axis, ChartEvent, LineChart, percent, written
from brassmill.web.page.log import round_words, touched_by
from brassmill.web.page.verdict import decided_words, headline_words
from brassmill.web.replay.pictures import map_of
from brassmill.web.replay.timeline import Timeline
from brassmill.web.table.coach import Idea, idea_of

WIDTHS = Widths(page=1180, tablet=680, card=560, phone=326)
BRILLIANT = "brilliant"
MARK_SIGNS = SIGNS | {BRILLIANT: "!!"}
MARKS_SHOWN = (BRILLIANT, "inaccuracy", "mistake", "blunder")
MARK_WORDS = WORDS | {BRILLIANT: N_("brilliant")}


class Judged(NamedTuple):
    """An action with its verdict, as a line of a list."""

    number: int
    seat: int
    name: str
    mark: str  # brilliant, good, inaccuracy, mistake or blunder
    sign: str
    mark_words: str
    cost: str  # in VP; empty: the best action found
    words: str  # what was played
    round: str


class Weighed(NamedTuple):
    """An action that was played or would have been better, with its outlook."""

    idea: Idea
    seats: tuple[tuple[str, str], ...]  # for each player: the expected margin, the chance to win


class Point(NamedTuple):
    """A turning point."""

    line: Judged
    change: str  # of the player's chance of winning
    better: str  # in words; for a brilliant move: the best other action


class ThemeRow(NamedTuple):
    """What was lost on a theme."""

    name: str
    title: str
    actions: str  # how many
    losses: tuple[str, ...]  # by seat
    worst: Judged | None


class PlayerRow(NamedTuple):
    """How well a player played."""

    seat: int
    cells: tuple[str, ...]  # actions, loss per action, and the number of each mark


@dataclass(frozen=True)
class Review:
    """The page of a finished analysis."""

    summary: tuple[str, ...]
    points: tuple[Point, ...]
    figures: tuple[Figure, ...]
    themes: tuple[ThemeRow, ...]
    players: tuple[PlayerRow, ...]
    rounds: tuple[tuple[str, tuple[Judged, ...]], ...]
    by_network: bool
    worlds: int


def analysis_of(timeline: Timeline, verdicts: list[Verdict]) -> Analysis:
    """The verdicts on a game, with its result."""
    outcome = timeline.outcome()
    points = tuple(result.total for result in outcome.results) if outcome else None
    return Analysis(timeline.record, tuple(verdicts), points)


def review_of(timeline: Timeline, analysis: Analysis) -> Review:
    """Everything that the page shows."""
    points, themes = turning_points(analysis.verdicts), themes_of(analysis)
    lines = [judged(timeline, verdict) for verdict in analysis.verdicts]
    rounds: dict[str, list[Judged]] = {}
    for line in lines:
        rounds.setdefault(line.round, []).append(line)
    return Review(
        summary=tuple(_summary(timeline, analysis, themes)),
        points=tuple(_point(timeline, point) for point in points),
        figures=tuple(_figures(timeline, analysis, points)),
        themes=tuple(_theme_row(timeline, analysis, theme) for theme in themes),
        players=tuple(_players(analysis)),
        rounds=tuple((words, tuple(found)) for words, found in rounds.items()),
        by_network=analysis.verdicts[0].played.by_network,
        worlds=max(verdict.played.worlds for verdict in analysis.verdicts),
    )


# --- actions -------------------------------------------------------------------------------------


def mark_of(verdict: Verdict) -> str:
    """The mark of an action, which may be brilliant."""
    return BRILLIANT if verdict.is_brilliant else verdict.mark


def judged(timeline: Timeline, verdict: Verdict) -> Judged:
    """An action as a line of a list."""
    mark = mark_of(verdict)
    return Judged(
        number=verdict.number,
        seat=verdict.seat,
        name=timeline.seats[verdict.seat],
        mark=mark,
        sign=MARK_SIGNS[mark],
        mark_words="" if mark == "good" else _(MARK_WORDS[mark]),
        cost=written(verdict.loss, 1) if round(verdict.loss, 1) else "",
        words=timeline.entry(timeline.frames[verdict.number]).line.text,
        round=round_words(verdict.era, verdict.round),
    )


def compared(timeline: Timeline, verdict: Verdict, advice: Advice) -> Weighed:
    """An action with its outlook for all players."""
    view = timeline.view(verdict.number - 1, str(verdict.seat))
    expected = margins(np.array(advice.points)).tolist()
    seats = zip(expected, advice.wins, strict=True)
    return Weighed(
        idea_of(view, advice),
        tuple((signed(margin), chance_text(chance)) for margin, chance in seats),
    )


def board_after(timeline: Timeline, verdict: Verdict, advice: Advice, shape: str) -> str:
    """The map after an action, with what it changes marked."""
    game = Game.from_state(timeline.edition, _state(timeline, verdict.number - 1), timeline.seats)
    events = game.carry_out(advice.action.ids, ends_turn=False)
    view: View = game.view(verdict.seat)
    return map_of(view, shape, touched_by(timeline.edition, events))


def _state(timeline: Timeline, at: int) -> Any:
    """The position after an action, as the engine has it."""
    return timeline.engine(at).state


def _point(timeline: Timeline, point: TurningPoint) -> Point:
    verdict = point.verdict
    other = verdict.other if verdict.is_brilliant else verdict.best
    assert other is not None
    better = idea_of(timeline.view(verdict.number - 1, str(verdict.seat)), other).words
    if verdict.is_brilliant:
        words = _("The next best costs {cost} VP: {action}")
        better = words.format(cost=written(other.loss, 1), action=better)
    else:
        better = _("Better: {action}").format(action=better)
    return Point(judged(timeline, verdict), _change(point.change), better)


def _change(change: float) -> str:
    """A change of the chance of winning: `+23% to win`."""
    sign = "+" if change > 0 else "\N{MINUS SIGN}" if change < 0 else ""
    return _("{change} to win").format(change=f"{sign}{percent(abs(change))}")


# --- the summary ---------------------------------------------------------------------------------


def _summary(timeline: Timeline, analysis: Analysis, themes: list[Theme]) -> list[str]:
    """Five sentences: the result, what turned the game, the costliest action, who played how well,
    and which theme cost the most."""
    return [
        _result(timeline),
        _turn(analysis),
        _costliest(timeline, analysis),
        _quality(analysis),
        _theme(analysis, themes),
    ]


def _result(timeline: Timeline) -> str:
    outcome = timeline.outcome()
    assert outcome is not None
    words = _("{winner}: {decided}.")
    return words.format(winner=headline_words(outcome), decided=decided_words(outcome).rstrip("."))


def _turn(analysis: Analysis) -> str:
    """The round in which a player's chance of winning fell the most."""
    falls = [
        (after.wins[seat] - before.wins[seat], before, after, seat)
        for before, after in zip(analysis.rounds, analysis.rounds[1:], strict=False)
        for seat in range(len(analysis.record.seats))
    ]
    change, before, after, seat = min(falls, key=lambda fall: fall[0], default=(0.0, None, None, 0))
    if before is None or after is None or change > -0.05:
        return _("No round changed the chances of winning by much.")
    return _(
        "The game turned in the {round}: {name}'s chance of winning fell from {before} to {after}."
    ).format(
        round=round_words(after.era, after.round),
        name=analysis.record.seats[seat],
        before=chance_text(before.wins[seat]),
        after=chance_text(after.wins[seat]),
    )


def _costliest(timeline: Timeline, analysis: Analysis) -> str:
    verdict = max(analysis.verdicts, key=lambda each: each.loss)
    if verdict.mark == "good":
        return _("The analysis found no mistakes.")
    view = timeline.view(verdict.number - 1, str(verdict.seat))
    return _(
        "The costliest action was number {number}, by {name}: it lost {loss} VP compared with "
        "“{action}”."
    ).format(
        number=verdict.number,
        name=analysis.record.seats[verdict.seat],
        loss=written(verdict.loss, 1),
        action=idea_of(view, verdict.best).words,
    )


def _quality(analysis: Analysis) -> str:
    ranked = sorted(analysis.summaries, key=lambda summary: summary.mean_loss)
    names = analysis.record.seats
    best, worst = ranked[0], ranked[-1]
    if best is worst:
        return _("{name} lost {loss} VP per action.").format(
            name=names[best.seat], loss=written(best.mean_loss, 1)
        )
    return _("{best} lost the least, {least} VP per action, and {worst} the most, {most}.").format(
        best=names[best.seat],
        least=written(best.mean_loss, 1),
        worst=names[worst.seat],
        most=written(worst.mean_loss, 1),
    )


def _theme(analysis: Analysis, themes: list[Theme]) -> str:
    total = sum(verdict.loss for verdict in analysis.verdicts)
    worst = max(themes, key=lambda theme: theme.loss, default=None)
    brilliant = sum(verdict.is_brilliant for verdict in analysis.verdicts)
    if worst is None or worst.loss < 1:
        return ngettext(
            "There is {number} brilliant move.", "There are {number} brilliant moves.", brilliant
        ).format(number=brilliant)
    return _("Most VP were lost on the theme “{theme}”: {loss} of {total}.").format(
        theme=_(THEMES[worst.name]), loss=written(worst.loss, 0), total=written(total, 0)
    )


# --- tables and charts ---------------------------------------------------------------------------


def _theme_row(timeline: Timeline, analysis: Analysis, theme: Theme) -> ThemeRow:
    count = len(theme.verdicts)
    return ThemeRow(
        name=theme.name,
        title=_(THEMES[theme.name]),
        actions=ngettext("{number} action", "{number} actions", count).format(number=count),
        losses=tuple(written(theme.loss_of(seat), 1) for seat in range(len(analysis.record.seats))),
        worst=judged(timeline, theme.worst) if theme.worst else None,
    )


def _players(analysis: Analysis) -> Iterator[PlayerRow]:
    for summary in analysis.summaries:
        own = [verdict for verdict in analysis.verdicts if verdict.seat == summary.seat]
        marks = [mark_of(verdict) for verdict in own]
        counts = (str(marks.count(mark)) for mark in MARKS_SHOWN)
        yield PlayerRow(
            summary.seat, (str(summary.actions), written(summary.mean_loss, 2), *counts)
        )


def _figures(timeline: Timeline, analysis: Analysis, points: list[TurningPoint]) -> list[Figure]:
    """The course of the game: what was expected after every action."""
    rail = [verdict.number for verdict in analysis.verdicts if verdict.era == "rail"]
    canal = any(verdict.era == "canal" for verdict in analysis.verdicts)
    events = [ChartEvent(rail[0], terms.era("rail"))] if rail and canal else []
    events += [
        ChartEvent(
            point.verdict.number,
            f"{timeline.seats[point.verdict.seat]} {MARK_SIGNS[mark_of(point.verdict)]}",
        )
        for point in points
    ]
    events.sort(key=lambda event: event.x)
    course = Course(timeline.seats, _("action"), _("after action"), events)
    expected = [(verdict.number, verdict.margins) for verdict in analysis.verdicts]
    wins = [(verdict.number, verdict.played.wins) for verdict in analysis.verdicts]
    figures = [
        course.figure(
            "chances",
            _("Chance of winning"),
            _("After each action. Click a moment to look at it."),
            wins,
            Axis("", percent, percent, reach=(0.0, 1.0)),
            is_broad=True,
        ),
        course.figure(
            "margins",
            _("Expected result"),
            _("VP ahead of the opponents' average at the end of the game."),
            expected,
            Axis(_("VP"), signed, lambda tick: signed(tick, 0), reach=(0.0,)),
            is_broad=True,
        ),
    ]
    return [
        replace(figure, chart=replace(figure.chart, can_pick=True))
        for figure in figures
        if isinstance(figure.chart, LineChart)
    ]
