"""An analysis as a page: the state of the game over time, losses, and every action."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

import numpy as np

from brassmill import terms
from brassmill.coach.advice import Advice, margins
from brassmill.coach.analysis import MARKS, SIGNS, WORDS, Analysis, SeatSummary, Verdict
from brassmill.coach.chances import chance_text
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.reports.html import Course, Figure, FigureTable, Page, game_title
from brassmill.svg.chart import (
    Axis,
    Bar,
    BarChart,
    BarPart,
    ChartEvent,
    percent,
    step,
    written,
)

MISTAKES = ("inaccuracy", "mistake", "blunder")
NOTED = 5  # actions marked in the chart


def page_of(analysis: Analysis) -> Page:
    """The content of the page, in the current language."""
    edition = analysis.record.edition
    return Page(
        kind=_("Analysis"),
        title=game_title(edition.title, edition.players),
        lead=list(_lead(analysis)),
        facts=_facts(analysis),
        figures=[
            _margins(analysis),
            _outlook(analysis),
            _mistakes(analysis),
            _worst(analysis),
            _swings(analysis),
            _actions(analysis),
        ],
        closing=" ".join(
            (_basis(analysis), _("The loss is how many more VP the best action found would gain."))
        ),
    )


def _basis(analysis: Analysis) -> str:
    """Where the expected results come from."""
    if by_network(analysis):
        return _(
            "Every action is judged by what its player could see. The margin is a player's "
            "expected final VP minus the opponents' average. A network forecasts the margin and "
            "the chance of winning, over rounds simulated from there with possible cards."
        )
    return _(
        "Every action is judged by what its player could see. The margin is a player's expected "
        "final VP minus the opponents' average, over games simulated from there with possible "
        "cards."
    )


def by_network(analysis: Analysis) -> bool:
    """Are the expected results the forecast of a network?"""
    return any(verdict.best.by_network for verdict in analysis.verdicts)


def outlook(advice: Advice) -> str:
    """What is expected after an action: `+3.1 VP, 41% to win`."""
    words = _("{margin} VP, {chance} to win")
    return words.format(margin=signed(advice.margin), chance=chance_text(advice.chance))


def signed(number: float, digits: int = 1) -> str:
    """A number with its sign, as the language writes it."""
    return f"{'+' * (round(number, digits) > 0)}{written(number, digits)}"


def _lead(analysis: Analysis) -> Iterator[str]:
    best = min(analysis.summaries, key=lambda summary: summary.mean_loss)
    if len(analysis.summaries) > 1:
        words = _("{name} lost the least: {loss} VP per action.")
    else:
        words = _("{name} lost {loss} VP per action.")
    yield words.format(name=_name(analysis, best.seat), loss=written(best.mean_loss, 1))
    verdict = max(analysis.verdicts, key=lambda verdict: verdict.loss)
    if verdict.mark != "good":
        words = _("The costliest mistake was action {number}, by {name}: {loss} VP.")
        name = _name(analysis, verdict.seat)
        yield words.format(number=verdict.number, name=name, loss=written(verdict.loss, 1))


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    record = analysis.record
    points = analysis.points or ("?",) * len(record.seats)
    result = ", ".join(f"{name} {vp}" for name, vp in zip(record.seats, points, strict=True))
    worlds = fmean(verdict.best.worlds for verdict in analysis.verdicts)
    facts = [
        (_("Event"), record.headers.get("Event", "")),
        (_("Date"), record.headers.get("Date", "")),
        (_("Result"), result),
        (_("Actions analysed"), str(len(analysis.verdicts))),
        (
            _("Simulated rounds") if by_network(analysis) else _("Simulated games"),
            _("{number} per action").format(number=written(worlds, 0)),
        ),
    ]
    return [(name, value) for name, value in facts if value]


def _name(analysis: Analysis, seat: int) -> str:
    return analysis.record.seats[seat]


# --- the game over time --------------------------------------------------------------------------


def _margins(analysis: Analysis) -> Figure:
    title = _("Expected margin")
    note = _(
        "Expected final VP minus the opponents' average, by round; the last point is the actual"
        " result. Thin vertical lines mark the costliest mistakes and the start of the rail era."
    )
    stands = [(each.verdicts[-1].number, each.margins) for each in analysis.rounds]
    if analysis.points:
        final = tuple(margins(np.array(analysis.points, float)).tolist())
        stands.append((analysis.verdicts[-1].number + 1, final))
    axis = Axis(_("VP"), signed, lambda tick: signed(tick, 0), reach=(0.0,))
    return _course(analysis).figure("margin", title, note, stands, axis, is_broad=True)


def _outlook(analysis: Analysis) -> Figure:
    title = _("Chance of winning")
    if by_network(analysis):
        note = _("The network's forecast for each player, by round.")
    else:
        note = _("The share of the simulated games that each player won, by round.")
    stands = [(each.verdicts[-1].number, each.wins) for each in analysis.rounds]
    axis = Axis("", percent, percent, reach=(0.0, 1.0))
    return _course(analysis).figure("outlook", title, note, stands, axis)


def _course(analysis: Analysis) -> Course:
    return Course(analysis.record.seats, _("action"), _("up to action"), _events(analysis))


def _events(analysis: Analysis) -> list[ChartEvent]:
    """The start of the rail era, and the costliest mistakes."""
    rail = [verdict.number for verdict in analysis.verdicts if verdict.era == "rail"]
    canal = any(verdict.era == "canal" for verdict in analysis.verdicts)
    events = [ChartEvent(rail[0], terms.era("rail"))] if rail and canal else []
    worst = sorted(analysis.verdicts, key=lambda verdict: -verdict.loss)[:NOTED]
    events += [
        ChartEvent(verdict.number, f"{_name(analysis, verdict.seat)} {SIGNS[verdict.mark]}")
        for verdict in worst
        if verdict.mark in ("mistake", "blunder")
    ]
    return sorted(events, key=lambda event: event.x)


# --- losses --------------------------------------------------------------------------------------


def _mistakes(analysis: Analysis) -> Figure:
    title = _("Losses")
    note = _("Inaccuracies, mistakes and blunders; on the right, the VP lost per action.")
    chart = BarChart(
        title,
        [
            Bar(
                _name(analysis, summary.seat),
                [summary.marks[mistake] for mistake in MISTAKES],
                figure=written(summary.mean_loss, 1),
            )
            for summary in analysis.summaries
        ],
        [BarPart(_(WORDS[mistake]), step(n, len(MISTAKES))) for n, mistake in enumerate(MISTAKES)],
        Axis(_("actions"), whole=True),
        note,
    )
    head = [_("player"), _("actions"), _("loss per action"), *(_(WORDS[mark]) for mark in MARKS)]
    rows = [_seat_row(analysis, summary) for summary in analysis.summaries]
    return Figure("mistakes", title, note, chart, FigureTable(head, rows))


def _seat_row(analysis: Analysis, summary: SeatSummary) -> list[str]:
    return [
        _name(analysis, summary.seat),
        str(summary.actions),
        written(summary.mean_loss, 2),
        *(str(summary.marks[mark]) for mark in MARKS),
    ]


def _worst(analysis: Analysis) -> Figure:
    title = _("Costliest actions")
    note = _("Up to three per player.")
    rows = [
        [
            _name(analysis, verdict.seat),
            _number(verdict),
            written(verdict.loss, 1),
            verdict.action.text_in(language()),
            verdict.best.words,
        ]
        for summary in analysis.summaries
        for verdict in summary.worst
    ]
    head = [_("player"), _("action"), _("loss"), _("played"), _("better")]
    return Figure("worst", title, note, None, FigureTable(head, rows, words=(3, 4)), is_broad=True)


def _swings(analysis: Analysis) -> Figure:
    title = _("Swings")
    note = _(
        "The biggest drops in expected margin from one round to the next. Whatever a player did not"
        " lose through their own actions is due to the other players or the cards."
    )
    rows = [
        [
            _round(swing.era, swing.round),
            _name(analysis, swing.seat),
            *map(signed, (swing.before, swing.after, swing.change)),
            written(swing.lost, 1),
        ]
        for swing in analysis.swings
    ]
    head = [_("round"), _("player"), _("before"), _("after"), _("change"), _("lost by own actions")]
    return Figure("swings", title, note, None, FigureTable(head, rows, names=(1,)), is_broad=True)


def _round(era: str, number: int) -> str:
    return _("{era}, {round}").format(era=terms.era(era), round=number)


def _actions(analysis: Analysis) -> Figure:
    title = _("All actions")
    note = _(
        "?! inaccuracy: {inaccuracy} VP lost or more, ? mistake: {mistake} or more, ?? blunder:"
        " {blunder} or more. Each of these shows a better action, with reasons."
    ).format(**{name: written(least, 0) for name, least in MARKS.items()})
    head = [_("action"), _("player"), _("round"), _("loss"), _("margin"), _("to win")]
    head += [_("played"), _("better")]
    rows = [_action_row(analysis, verdict) for verdict in analysis.verdicts]
    table = FigureTable(head, rows, names=(1, 2), words=(6, 7))
    return Figure("actions", title, note, None, table, is_broad=True)


def _action_row(analysis: Analysis, verdict: Verdict) -> list[str]:
    better = ""
    if verdict.mark != "good":
        reasons = [reason.words for reason in verdict.best.reasons if reason.points > 0]
        better = _("{action} ({reasons})").format(
            action=verdict.best.words, reasons="; ".join([outlook(verdict.best), *reasons])
        )
    return [
        _number(verdict),
        _name(analysis, verdict.seat),
        _round(verdict.era, verdict.round),
        written(verdict.loss, 1),
        signed(verdict.played.margin),
        chance_text(verdict.played.chance),
        verdict.action.text_in(language()),
        better,
    ]


def _number(verdict: Verdict) -> str:
    """`56 ??`."""
    return f"{verdict.number} {SIGNS[verdict.mark]}".strip()
