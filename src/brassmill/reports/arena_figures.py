"""The figures of an arena report, as charts and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import median

from brassmill import terms
from brassmill.arena.estimates import Mean, Share
from brassmill.arena.match import KINDS
from brassmill.arena.ratings import Rating
from brassmill.arena.results import Results
from brassmill.arena.statistics import BotSummary, Summary
from brassmill.core.names import SOURCES
from brassmill.editions.edition import INDUSTRY
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.play.host import CRASHED, ILLEGAL, LATE, UNREADABLE
from brassmill.reports.html import Figure, FigureTable
from brassmill.svg.chart import (
    NO_TONE,
    TONES,
    Axis,
    Bar,
    BarChart,
    BarPart,
    Board,
    DistributionChart,
    Interval,
    IntervalChart,
    Sample,
    fixed,
    percent,
    step,
    tone,
    written,
)
from brassmill.svg.glyphs import PATHS
from brassmill.svg.panel import capital
from brassmill.terms import ROMAN
from brassmill.vocabulary import say

MOST_DUELS = 15  # in a chart
NONE = "\N{EN DASH}"  # where there is no figure
LEVELS = range(1, len(ROMAN))
MARKS = {"links": "link", "bonus": "points", "cash": "money", "income": "income"}
FORFEITS = {
    CRASHED: N_("crashed"),
    LATE: N_("late"),
    UNREADABLE: N_("unreadable"),
    ILLEGAL: N_("illegal"),
}


def figures(results: Results, summary: Summary) -> list[Figure]:
    """All figures of a run; those that compare bots need at least two."""
    tones = {bot: n for n, bot in enumerate(results.specs) if len(results.specs) <= TONES}
    standing, spread = standings(summary, tones), scores(results, summary, tones)
    points, doing = sources(summary), actions(summary)
    # In pairs of similar height, because they are shown side by side.
    if len(summary.bots) > 1:
        found = [standing, places(results, summary), spread, built(summary), points, doing]
        found += [money(summary, tones), thinking(summary, tones)]
        found += [order(summary, tones), duels(summary)]
    else:
        found = [standing, spread, points, doing, built(summary), order(summary, tones)]
        found += [money(summary, tones), thinking(summary, tones)]
    if any(bot.forfeits for bot in summary.bots):
        found.append(forfeits(summary))
    return found


# --- strength -------------------------------------------------------------------------------------


def ranking(summary: Summary) -> list[Rating]:
    """The ratings of the bots that have played."""
    played = {bot.bot for bot in summary.bots}
    return [rating for rating in summary.ratings if rating.bot in played]


def standings(summary: Summary, tones: dict[str, int]) -> Figure:
    """The ranking; for a single bot, its mean score."""
    head = [_("bot"), _("games"), _("won per seat"), _("mean rank"), _("VP"), _("VP when winning")]
    rows = {
        bot.bot: [
            bot.bot,
            str(bot.played),
            share_words(bot.won),
            written(bot.rank.mean, 2),
            mean_words(bot.vp),
            mean_words(bot.winning_vp),
        ]
        for bot in summary.bots
    }
    rated = ranking(summary)
    if not rated:
        title, note = _("Mean score"), _("The line is the 95% interval over the deals.")
        chart = IntervalChart(
            title,
            [Interval(bot.bot, bot.vp.mean, bot.vp.interval, 0) for bot in summary.bots],
            Axis(_("VP"), fixed(1)),
            note,
        )
        return Figure("score", title, note, chart, FigureTable(head, list(rows.values())))
    title = _("Rating")
    note = _("Plackett-Luce; every bot starts at 25. The lines are 95% intervals over the deals.")
    chart = IntervalChart(
        title,
        [
            Interval(rating.bot, rating.rating, rating.interval, tones.get(rating.bot))
            for rating in rated
        ],
        Axis(write=fixed(1)),
        note,
        expected=25,
    )
    table = FigureTable(
        [head[0], _("rating"), *head[1:]],
        [
            [
                rating.bot,
                between_words(written(rating.rating, 1), rating.interval, fixed(1)),
                *rows[rating.bot][1:],
            ]
            for rating in rated
        ],
    )
    return Figure("rating", title, note, chart, table)


def places(results: Results, summary: Summary) -> Figure:
    """How often each bot came first, second, ..."""
    ranks: dict[str, Counter[int]] = {bot.bot: Counter() for bot in summary.bots}
    for game in results.games.values():
        for seat, player in enumerate(game.players):
            ranks[results.bot(game, seat)][player.rank] += 1
    count = summary.schedule.players
    shares = {
        bot.bot: [ranks[bot.bot][place] / bot.played for place in range(1, count + 1)]
        for bot in summary.bots
    }
    names = [terms.ordinal(place) for place in range(1, count + 1)]
    title = _("Places")
    note = _("How often each bot came first, second, ...; on the right, its mean rank.")
    chart = BarChart(
        title,
        [Bar(bot.bot, shares[bot.bot], figure=written(bot.rank.mean, 2)) for bot in summary.bots],
        [BarPart(name, step(count - 1 - n, count)) for n, name in enumerate(names)],
        Axis(write=percent, tick=percent, reach=(0, 1)),
        note,
        scaled=False,
    )
    rows = [[bot, *map(percent, values)] for bot, values in shares.items()]
    return Figure("places", title, note, chart, FigureTable([_("bot"), *names], rows))


def duels(summary: Summary) -> Figure:
    """Every pair of bots, in the games where they met."""
    head = [
        *(_("bot"), _("against"), _("games"), _("deals")),
        *(_("deals by VP"), _("deals by rank"), _("games by rank"), _("VP ahead")),
    ]
    rows = [
        [
            *(duel.first, duel.second, str(duel.games), str(duel.deals)),
            share_words(duel.deals_by_vp),
            share_words(duel.deals_by_rank),
            share_words(duel.games_by_rank),
            mean_words(duel.margin),
        ]
        for duel in summary.duels
    ]
    title, note = _("Head to head"), _("How many VP one bot is ahead of another in the same games.")
    pairs = IntervalChart(
        title,
        [
            Interval(
                _("{bot} against {other}").format(bot=duel.first, other=duel.second),
                duel.margin.mean,
                duel.margin.interval,
            )
            for duel in summary.duels
        ],
        Axis(_("VP ahead"), fixed(1), reach=(0.0,)),
        note,
    )
    chart = pairs if len(rows) <= MOST_DUELS else None
    return Figure("duels", title, note, chart, FigureTable(head, rows))


# --- victory points -------------------------------------------------------------------------------


def scores(results: Results, summary: Summary, tones: dict[str, int]) -> Figure:
    """The distribution of the scores, and of the winning ones."""
    won: dict[str, list[int]] = {bot.bot: [] for bot in summary.bots}
    for game in results.games.values():
        for seat, player in enumerate(game.players):
            if player.rank == 1:
                won[results.bot(game, seat)].append(player.vp)
    title = _("Scores")
    note = _(
        "How often each score occurred; in full colour, when it won. Below: the range from lowest"
        " to highest, with the middle half thick and the median marked."
    )
    chart = DistributionChart(
        title,
        [Sample(bot.bot, bot.scores, won[bot.bot], tones.get(bot.bot)) for bot in summary.bots],
        Axis(_("VP"), fixed(0)),
        note,
        figures=_("median"),
    )
    head = [_("bot"), _("mean"), _("SD"), _("median"), _("lowest"), _("highest"), _("winners")]
    rows = [
        [
            bot.bot,
            mean_words(bot.vp),
            NONE if bot.vp.sd is None else written(bot.vp.sd, 1),
            written(median(bot.scores), 0),
            *map(str, (min(bot.scores), max(bot.scores))),
            mean_words(bot.winning_vp),
        ]
        for bot in summary.bots
    ]
    return Figure("scores", title, note, chart, FigureTable(head, rows))


def sources(summary: Summary) -> Figure:
    """Where the VP come from."""
    everybody = [(bot.bot, bot.points) for bot in summary.bots]
    everybody.append((_("winners"), summary.winners.points))
    totals = [(label, both_eras(points)) for label, points in everybody]
    named = [name for name in SOURCES if any(points[name] for _label, points in totals)]
    edition = summary.schedule.table
    industries = {edition.industry_name(industry) for industry in edition.industries}
    possible = [name for name in SOURCES if name in industries or name not in INDUSTRY]
    title, note = (
        _("Victory points by source"),
        _("Average over both eras; on the right, the total."),
    )
    chart = BarChart(
        title,
        [
            Bar(label, [points[name] for name in named], figure=written(sum(points.values()), 1))
            for label, points in totals
        ],
        # A source has the same colour in every report of an edition.
        [BarPart(terms.source(name), tone(possible.index(name)), symbol(name)) for name in named],
        Axis(_("VP per game"), fixed(0)),
        note,
    )
    rows = [
        [
            f"{label}, {terms.era(era)}",
            *(written(points.get(name, 0), 1) for name in named),
            written(sum(points.values()), 1),
        ]
        for label, eras in everybody
        for era, points in eras.items()
    ]
    head = [_("bot"), *map(terms.source, named), _("total")]
    return Figure("sources", title, note, chart, FigureTable(head, rows))


def order(summary: Summary, tones: dict[str, int]) -> Figure:
    """What the starting position is worth."""
    shifts = {
        bot.bot: [
            Interval(
                terms.ordinal(place),
                mean.mean - bot.vp.mean,
                mean.interval and (mean.interval[0] - bot.vp.mean, mean.interval[1] - bot.vp.mean),
                tones.get(bot.bot),
            )
            for place, mean in bot.vp_by_place.items()
        ]
        for bot in summary.bots
    }
    rows_of_all = [row for each in shifts.values() for row in each]
    ends = [end for row in rows_of_all for end in (row.value, *(row.between or ()))]
    axis = Axis(_("VP"), fixed(1), reach=(0.0, *ends))  # the same scale for all bots
    title = _("Starting position")
    note = _("VP above or below a bot's own mean when it starts first, second, ...")
    charts = [IntervalChart(bot, each, axis) for bot, each in shifts.items()]
    board = Board(title, charts, note, columns=2 if len(charts) in (2, 4) else 3)
    places = range(1, summary.schedule.players + 1)
    head = [_("bot"), *map(terms.ordinal, places)]
    rows = [
        [
            bot.bot,
            *(mean_words(bot.vp_by_place.get(place)) for place in range(1, len(head))),
        ]
        for bot in summary.bots
    ]
    return Figure("order", title, note, board, FigureTable(head, rows))


# --- play -----------------------------------------------------------------------------------------


def built(summary: Summary) -> Figure:
    """Tiles by industry and level: those of the winners, and in thin bars those of everyone."""
    played = sum(bot.played for bot in summary.bots)
    own, everybody = {}, {}  # how many, by industry and level
    for industry in PATHS:
        if any(industry in bot.built for bot in summary.bots):
            found = summary.winners.built.get(industry, {})
            own[industry] = [found.get(level, 0.0) for level in LEVELS]
            everybody[industry] = [
                sum(bot.built.get(industry, {}).get(level, 0) * bot.played for bot in summary.bots)
                / played
                for level in LEVELS
            ]
    highest = max(
        (level for level in LEVELS if any(row[level - 1] for row in everybody.values())), default=1
    )
    names = ROMAN[1 : highest + 1]
    title = _("What the winners built")
    note = _("Average tiles by level; on the right, the total. Thin bars: what all players built.")
    chart = BarChart(
        title,
        [
            Bar(
                capital(terms.industries(industry)),
                own[industry][:highest],
                industry,
                beside=row[:highest],
            )
            for industry, row in everybody.items()
        ],
        [BarPart(level, step(n, highest)) for n, level in enumerate(names)],
        Axis(_("tiles per game"), fixed(1)),
        note,
    )
    head = [_("industry"), *names, _("total"), _("all players")]
    rows = [
        [
            capital(terms.industries(industry)),
            *(written(number, 2) for number in own[industry][:highest]),
            *(written(sum(numbers), 2) for numbers in (own[industry], row)),
        ]
        for industry, row in everybody.items()
    ]
    return Figure("built", title, note, chart, FigureTable(head, rows))


def actions(summary: Summary) -> Figure:
    """What the bots do with their actions."""
    everybody = [(bot.bot, bot.did) for bot in summary.bots]
    everybody.append((_("winners"), summary.winners.did))
    kinds = [kind for kind in KINDS if any(did.get(kind) for _label, did in everybody)]
    title, note = _("Actions"), _("Average number of each kind per game.")
    chart = BarChart(
        title,
        [Bar(label, [did.get(kind, 0) for kind in kinds]) for label, did in everybody],
        [BarPart(say(kind, language()), tone(n)) for n, kind in enumerate(kinds)],
        Axis(_("actions per game"), fixed(1)),
        note,
    )
    rows = [[label, *(written(did.get(kind, 0), 2) for kind in kinds)] for label, did in everybody]
    head = [_("bot"), *(say(kind, language()) for kind in kinds)]
    return Figure("actions", title, note, chart, FigureTable(head, rows))


def money(summary: Summary, tones: dict[str, int]) -> Figure:
    """Money and income at the end, and loans."""
    title = _("Money, income and loans")
    note = _("Averages at the end of a game; loans over the whole game.")
    charts = [
        _small(capital(_("money")), summary, tones, lambda bot: bot.cash.mean, _pounds),
        _small(capital(_("income")), summary, tones, lambda bot: bot.income.mean, fixed(1)),
        _small(capital(_("loans")), summary, tones, lambda bot: bot.loans.mean, fixed(1)),
    ]
    rows = [
        [bot.bot, mean_words(bot.cash), mean_words(bot.income), mean_words(bot.loans)]
        for bot in summary.bots
    ]
    head = [_("bot"), _("money"), _("income"), _("loans")]
    return Figure("money", title, note, Board(title, charts, note), FigureTable(head, rows))


def thinking(summary: Summary, tones: dict[str, int]) -> Figure:
    """How long the bots think."""
    title, note = _("Thinking time"), _("Per turn, all its choices together.")
    mean, slowest = capital(_("mean turn")), capital(_("slowest turn"))
    charts = [
        _small(mean, summary, tones, lambda bot: bot.seconds_per_turn, seconds),
        _small(slowest, summary, tones, lambda bot: bot.slowest_turn, seconds),
    ]
    rows = [
        [bot.bot, seconds(bot.seconds_per_turn), seconds(bot.slowest_turn)] for bot in summary.bots
    ]
    board, table = Board(title, charts, note), FigureTable([_("bot"), mean, slowest], rows)
    return Figure("thinking", title, note, board, table)


def forfeits(summary: Summary) -> Figure:
    """The choices that bots forfeited."""
    kinds = [kind for kind in FORFEITS if any(bot.forfeits.get(kind) for bot in summary.bots)]
    title, note = _("Forfeited choices"), _("In all games; a substitute choice was made for each.")
    chart = BarChart(
        title,
        [Bar(bot.bot, [bot.forfeits.get(kind, 0) for kind in kinds]) for bot in summary.bots],
        [BarPart(_(FORFEITS[kind]), tone(n)) for n, kind in enumerate(kinds)],
        Axis(whole=True),
        note,
    )
    rows = [[bot.bot, *(str(bot.forfeits.get(kind, 0)) for kind in kinds)] for bot in summary.bots]
    head = [_("bot"), *(_(FORFEITS[kind]) for kind in kinds)]
    return Figure("forfeits", title, note, chart, FigureTable(head, rows))


def _small(
    title: str,
    summary: Summary,
    tones: dict[str, int],
    value: Callable[[BotSummary], float],
    write: Callable[[float], str],
) -> BarChart:
    """One number of each bot."""
    bars = [
        Bar(bot.bot, [value(bot)], look=tone(tones[bot.bot]) if tones else NO_TONE)
        for bot in summary.bots
    ]
    return BarChart(title, bars, x=Axis(write=write), scaled=False)


# --- words ----------------------------------------------------------------------------------------


def both_eras(points: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """VP by source over both eras."""
    return {name: sum(era.get(name, 0) for era in points.values()) for name in SOURCES}


def symbol(source: str) -> str:
    """The glyph of a source of VP."""
    return source if source in PATHS else MARKS.get(source, "")


def seconds(value: float) -> str:
    """A short time in words."""
    if value >= 1:
        return _("{number} s").format(number=written(value, 1))
    thousandths = 1000 * value
    return _("{number} ms").format(number=written(thousandths, 0 if thousandths >= 10 else 2))


def _pounds(value: float) -> str:
    return terms.pounds(round(value))


def mean_words(mean: Mean | None) -> str:
    """A mean with its interval."""
    if mean is None:
        return NONE
    return between_words(written(mean.mean, 1), mean.interval, fixed(1))


def share_words(share: Share) -> str:
    """A share with its interval."""
    return between_words(percent(share.share), share.interval, percent)


def between_words(
    value: str, interval: tuple[float, float] | None, write: Callable[[float], str]
) -> str:
    if interval is None:
        return value
    low, high = map(write, interval)
    return _("{value} ({low} to {high})").format(value=value, low=low, high=high)
