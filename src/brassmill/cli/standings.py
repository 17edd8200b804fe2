"""Arena results as tables in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from brassmill import terms
from brassmill.arena.estimates import LEAST_DEALS, Mean, Share
from brassmill.arena.match import KINDS
from brassmill.arena.statistics import BotSummary, Summary
from brassmill.core.names import SOURCES
from brassmill.language import gettext as _
from brassmill.language import language, ngettext
from brassmill.svg.chart import written
from brassmill.vocabulary import say

Row = tuple[str, Callable[[BotSummary], str]]  # the name of a figure, and how to get it for a bot
NONE = "-"
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
ABREAST = 3  # bots side by side, so that their figures fit on 80 columns
NAME = 13  # letters of a bot's name, so that the ranking fits on 80 columns


def standings(summary: Summary) -> Group:
    """Everything: the ranking, the figures of every bot, the duels."""
    bots = summary.bots
    groups = [bots[start : start + ABREAST] for start in range(0, len(bots), ABREAST)]
    parts: list[RenderableType] = [ranking(summary), *whole_names(summary)]
    for group in groups:
        parts += ["", figures(summary, group)]
    if summary.duels:
        parts += ["", duels(summary)]
    return Group(*parts)


def numbers(summary: Summary) -> dict[str, int]:
    """The bots with their numbers in the ranking, best first."""
    bots = [rating.bot for rating in summary.ratings] or [bot.bot for bot in summary.bots]
    return {bot: number for number, bot in enumerate(bots, 1)}


def short(bot: str) -> str:
    """A name that fits; a long one is cut in the middle, as its start and end tell most."""
    if len(bot) <= NAME:
        return bot
    begin = NAME // 2
    return f"{bot[:begin]}{ELLIPSIS}{bot[begin + 1 - NAME :]}"


def whole_names(summary: Summary) -> Iterator[RenderableType]:
    """The full names of bots whose names were cut, by number."""
    for bot, number in numbers(summary).items():
        if short(bot) != bot:
            yield Text(f"{number} {bot}", overflow="fold")


def ranking(summary: Summary) -> Table:
    """The bots by rating, with their results."""
    if summary.deals < LEAST_DEALS:
        title = ngettext(
            "Ranking ({deals} deal: too few for intervals)",
            "Ranking ({deals} deals: too few for intervals)",
            summary.deals,
        )
    else:
        title = _("Ranking (95% intervals over {deals} deals)")
    table = _table(
        title.format(deals=summary.deals),
        _("bot"),
        [_("games"), _("rating"), _("won per seat"), _("rank"), _("VP"), _("SD")],
    )
    rated = {rating.bot: rating for rating in summary.ratings}
    bots = {bot.bot: bot for bot in summary.bots}
    for name, number in numbers(summary).items():
        bot, rating = bots[name], rated.get(name)
        table.add_row(
            f"{number} {short(name)}",
            f"{bot.played}",
            with_margin(rating.rating, rating.interval) if rating else NONE,
            share(bot.won),
            written(bot.rank.mean, 2),
            mean(bot.vp),
            NONE if bot.vp.sd is None else written(bot.vp.sd, 1),
        )
    return table


def figures(summary: Summary, bots: Sequence[BotSummary]) -> Table:
    """Average figures per game for some of the bots."""
    number = numbers(summary)
    heads = [f"{number[bot.bot]} {short(bot.bot)}" for bot in bots]
    table = _table(_("In a game, on average"), "", heads)
    for section in (vp_rows(summary), money_rows(), action_rows(summary), other_rows()):
        for name, figure in section:
            table.add_row(name, *(figure(bot) for bot in bots))
        table.add_section()
    return table


def vp_rows(summary: Summary) -> Iterator[Row]:
    """VP: in wins, by starting position, by source."""
    yield _("VP when it wins"), lambda bot: mean(bot.winning_vp)
    for place in range(1, summary.schedule.players + 1):
        words = _("VP when starting {place}").format(place=terms.ordinal(place))
        yield words, lambda bot, place=place: mean(bot.vp_by_place.get(place))  # type: ignore[misc]
    for source in SOURCES:
        if any(source in points for bot in summary.bots for points in bot.points.values()):
            words = _("VP: {source}").format(source=terms.source(source))
            yield words, lambda bot, source=source: written(vp_from(bot, source), 1)  # type: ignore[misc]


def money_rows() -> Iterator[Row]:
    yield _("money at the end"), lambda bot: written(bot.cash.mean, 1)
    yield _("income at the end"), lambda bot: written(bot.income.mean, 1)


def action_rows(summary: Summary) -> Iterator[Row]:
    """Actions by kind, leaving out kinds that never occurred."""
    for kind in KINDS:
        if any(bot.did.get(kind) for bot in summary.bots):
            words = _("actions: {kind}").format(kind=say(kind, language()))
            yield words, lambda bot, kind=kind: written(bot.did.get(kind, 0), 1)  # type: ignore[misc]


def other_rows() -> Iterator[Row]:
    yield _("seconds per turn"), lambda bot: written(bot.seconds_per_turn, 3)
    yield _("slowest turn, seconds"), lambda bot: written(bot.slowest_turn, 3)
    yield _("forfeited choices, total"), lambda bot: f"{sum(bot.forfeits.values())}"


def duels(summary: Summary) -> Table:
    """Which bot beats which, by their numbers in the ranking."""
    table = _table(
        _("Duels: how often the first bot beats the second (numbers from the ranking)"),
        _("duel"),
        [_("deals by VP"), _("deals by rank"), _("games by rank"), _("VP ahead")],
    )
    number = numbers(summary)
    for duel in summary.duels:
        table.add_row(
            f"{number[duel.first]} : {number[duel.second]}",
            share(duel.deals_by_vp),
            share(duel.deals_by_rank),
            share(duel.games_by_rank),
            mean(duel.margin),
        )
    return table


# --- figures as text -----------------------------------------------------------------------------


def vp_from(bot: BotSummary, source: str) -> float:
    """VP from a source in both eras."""
    return sum(points.get(source, 0.0) for points in bot.points.values())


def mean(figure: Mean | None) -> str:
    """A mean and its interval."""
    return NONE if figure is None else with_margin(figure.mean, figure.interval)


def with_margin(figure: float, interval: tuple[float, float] | None) -> str:
    """A figure and the half-width of its interval."""
    said = written(figure, 1)
    return said if interval is None else f"{said} ± {written(interval[1] - figure, 1)}"


def share(figure: Share) -> str:
    """A percentage and its interval."""
    said = _("{number}%").format(number=written(100 * figure.share, 1))
    if figure.interval is None:
        return said
    low, high = figure.interval
    return f"{said} ({100 * low:.0f}-{100 * high:.0f})"


def _table(title: str, first: str, columns: Iterable[str]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE, show_edge=False, pad_edge=False)
    table.padding = (0, 1, 0, 0)
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table
