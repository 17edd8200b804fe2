"""An arena run as a page: the result in a sentence, charts and tables."""

from __future__ import annotations

from collections.abc import Iterator

from brassmill import editions
from brassmill.arena.estimates import LEAST_DEALS
from brassmill.arena.results import Results
from brassmill.arena.statistics import Summary, summary
from brassmill.language import gettext as _
from brassmill.language import ngettext
from brassmill.reports.arena_figures import FORFEITS, figures, ranking
from brassmill.reports.html import Page, game_title
from brassmill.svg.chart import percent, written
from brassmill.svg.draw import Picture

REASON = 200  # characters of an error message


def page(results: Results) -> str:
    """The report as HTML, in the current language."""
    return page_of(results).html()


def pictures(results: Results) -> dict[str, Picture]:
    """The charts as pictures, by name."""
    return page_of(results).pictures()


def page_of(results: Results) -> Page:
    """The content of the report."""
    found = summary(results)
    return Page(
        kind=_("Arena report"),
        title=game_title(editions.EDITIONS[found.schedule.edition].title, found.schedule.players),
        lead=list(_sentences(found)),
        facts=facts_of(found),
        figures=figures(results, found),
        closing=_(
            "Games on the same deal share its luck, so all intervals count a deal once, however"
            " many games were played on it."
        ),
    )


def _sentences(found: Summary) -> Iterator[str]:
    yield lead(found)
    if found.games < found.schedule.games:
        unfinished = _("{played} of {games} games have been played so far.")
        yield unfinished.format(played=found.games, games=found.schedule.games)
    if found.deals < LEAST_DEALS:
        few = ngettext(
            "{deals} deal is too few for intervals; at least {least} are needed.",
            "{deals} deals are too few for intervals; at least {least} are needed.",
            found.deals,
        )
        yield few.format(deals=found.deals, least=LEAST_DEALS)
    yield from forfeited(found)


def forfeited(found: Summary) -> Iterator[str]:
    """The bots that forfeited choices, and why they forfeited the first one."""
    for bot in found.bots:
        if bot.first_forfeit:
            number = sum(bot.forfeits.values())
            said = ngettext(
                "{bot} forfeited {number} choice ({kind}): {reason}",
                "{bot} forfeited {number} choices, the first ({kind}): {reason}",
                number,
            )
            yield said.format(
                bot=bot.bot,
                number=number,
                kind=_(FORFEITS[bot.first_forfeit.kind]),
                reason=in_a_line(bot.first_forfeit.text),
            )


def in_a_line(text: str) -> str:
    """The start of an error message on one line; programs may write very long ones."""
    line = " ".join(text.split())
    return line if len(line) <= REASON else f"{line[:REASON]}..."


def lead(found: Summary) -> str:
    """The result in a sentence."""
    rated = ranking(found)
    if not rated:
        said = _("{bot} against itself: {vp} VP per game; winners score {winning}.")
        return said.format(
            bot=found.bots[0].bot,
            vp=written(found.bots[0].vp.mean, 1),
            winning=written(found.winners.vp.mean, 1),
        )
    best = next(bot for bot in found.bots if bot.bot == rated[0].bot)
    said = _("{bot} leads: it won {won} of its games and scored {vp} VP on average.")
    return said.format(bot=best.bot, won=percent(best.won.share), vp=written(best.vp.mean, 1))


def facts_of(found: Summary) -> list[tuple[str, str]]:
    """The settings of the run: names and values."""
    schedule = found.schedule
    options = [f"{name}={value}" for name, value in schedule.options.items()]
    return [
        (_("Bots"), ", ".join(dict.fromkeys(schedule.bots))),
        (_("Games"), str(found.games)),
        (_("Deals"), str(found.deals)),
        (_("Seed"), str(schedule.seed)),
        (_("Options"), ", ".join(options) or _("none")),
        (_("Clock"), _("{number} s per choice").format(number=written(schedule.clock))),
        (_("Actions per game"), written(found.actions, 0)),
        (_("Playing time"), duration(found.seconds)),
    ]


def duration(seconds: float) -> str:
    """A time in a fitting unit."""
    if seconds < 100:
        return _("{number} s").format(number=written(seconds, 1))
    if seconds < 100 * 60:
        return _("{number} min").format(number=written(seconds / 60, 1))
    return _("{number} h").format(number=written(seconds / 3600, 1))
