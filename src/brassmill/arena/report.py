"""A run as a page that stands alone: figures, tables, nothing from elsewhere.

The page has every chart twice, drawn for a wide and for a narrow screen, and shows the one that
fits; light or dark is as the reader's system is. On paper it is light.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template

from brassmill import editions
from brassmill.arena.figures import Figure, Table, figures, ladder
from brassmill.arena.results import Results
from brassmill.arena.schedule import Schedule
from brassmill.arena.statistics import Summary, summary
from brassmill.language import gettext as _
from brassmill.language import language, ngettext
from brassmill.svg.chart import Chart, percent, picture, written
from brassmill.svg.draw import Picture, element, words
from brassmill.svg.theme import PALETTES, SANS, SERIF, stylesheet

CARD, PHONE = 600, 330  # how wide a chart is drawn for a card, and for a phone

COLOURS = """
:root{--paper:$paper;--panel:$panel;--ink:$ink;--quiet:$ink2;--line:$line;--faint:$faint}
"""
LOOK = f"""
*{{box-sizing:border-box}}
body{{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 {SANS}}}
main,header,footer{{max-width:1344px;margin:auto;padding:0 28px}}
header{{padding-top:36px}}
h1,h2{{font-family:{SERIF};font-weight:400;line-height:1.25;margin:0}}
h1{{font-size:30px}}
h2{{font-size:20px}}
p{{margin:6px 0 0;max-width:78ch}}
.lead{{font:18px/1.5 {SERIF};margin-top:12px;overflow-wrap:anywhere}}
.quiet,dt{{color:var(--quiet)}}
dl{{display:flex;flex-wrap:wrap;gap:10px 32px;margin:20px 0 26px;padding:14px 0;
border:solid var(--line);border-width:1px 0}}
dt{{font-size:13px}}
dd{{margin:0;overflow-wrap:anywhere}}
main{{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:20px}}
figure{{margin:0;padding:20px 22px;background:var(--panel);border:1px solid var(--line);
border-radius:6px;break-inside:avoid;display:flex;flex-direction:column;min-width:0}}
figcaption{{margin-bottom:14px}}
figcaption p{{font-size:13px}}
svg{{display:block;width:100%;height:auto}}
.narrow{{display:none}}
details{{margin-top:auto;padding-top:14px;font-size:13px}}
summary{{cursor:pointer;color:var(--quiet);width:max-content}}
.scroll{{overflow-x:auto;margin-top:8px}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}
th,td{{padding:4px 14px 4px 0;text-align:right;border-bottom:1px solid var(--faint);
white-space:nowrap}}
th{{font-weight:400;color:var(--quiet)}}
th[scope=row],tr>th:first-child{{text-align:left}}
th[scope=row]{{color:var(--ink)}}
footer{{padding-top:18px;padding-bottom:36px;font-size:13px;color:var(--quiet)}}
@media (max-width:1100px){{main{{grid-template-columns:minmax(0,1fr)}}
figure{{max-width:720px;width:100%;margin:auto}}}}
@media (max-width:600px){{main,header,footer{{padding:0 14px}}header{{padding-top:22px}}
h1{{font-size:24px}}.lead{{font-size:16px}}figure{{padding:16px 14px}}
.wide{{display:none}}.narrow{{display:block}}
dl{{gap:10px 24px}}}}
@media print{{body{{font-size:11pt}}main{{display:block}}figure{{max-width:none;margin:0 0 14px}}
details{{display:none}}}}
"""


def page(results: Results) -> str:
    """The report as HTML, in the language of the context."""
    found = summary(results)
    title = title_of(found.schedule)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name_="viewport", content="width=device-width,initial-scale=1"),
        element("meta", name_="color-scheme", content="light dark"),
        element("title", words(_("{title}: {rest}").format(title=_("Arena report"), rest=title))),
        element("style", _style()),
    )
    body = element(
        "body",
        element("header", *_opening(found, title)),
        element("main", *(_figure(figure) for figure in figures(results, found))),
        element("footer", _closing()),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang=language())}\n"


def _style() -> str:
    """The style sheets of the page and of the charts: dark only on a screen, not on paper."""
    light, dark = (
        Template(COLOURS).substitute(palette) + stylesheet(theme)
        for theme, palette in PALETTES.items()
    )
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{LOOK}"


def pictures(results: Results) -> dict[str, Picture]:
    """The charts as pictures, by name."""
    return {
        figure.name: picture(figure.chart)
        for figure in figures(results, summary(results))
        if figure.chart is not None
    }


def title_of(schedule: Schedule) -> str:
    """Which game was played."""
    players = ngettext("{number} player", "{number} players", schedule.players)
    return _("{edition}, {players}").format(
        edition=editions.EDITIONS[schedule.edition].title,
        players=players.format(number=schedule.players),
    )


def _opening(found: Summary, title: str) -> Iterator[str]:
    yield element("p", words(_("Arena report")), class_="quiet")
    yield element("h1", words(title))
    yield element("p", words(lead(found)), class_="lead")
    if found.games < found.schedule.games:
        unfinished = _("{played} of {games} games have been played so far.")
        said = unfinished.format(played=found.games, games=found.schedule.games)
        yield element("p", words(said), class_="lead")
    facts = (
        element("div", element("dt", words(name)), element("dd", words(value)))
        for name, value in facts_of(found)
    )
    yield element("dl", *facts)


def lead(found: Summary) -> str:
    """What came of it, in a sentence."""
    rated = ladder(found)
    if not rated:
        said = _("{bot} against itself: {vp} VP a game; the winners have {winning}.")
        return said.format(
            bot=found.bots[0].bot,
            vp=written(found.bots[0].vp.mean, 1),
            winning=written(found.winners.vp.mean, 1),
        )
    best = next(bot for bot in found.bots if bot.bot == rated[0].bot)
    said = _("{bot} is ahead: it has won {won} of its games and scored {vp} VP on average.")
    return said.format(bot=best.bot, won=percent(best.won.share), vp=written(best.vp.mean, 1))


def facts_of(found: Summary) -> list[tuple[str, str]]:
    """How it was played: names and values."""
    schedule = found.schedule
    options = [f"{name}={value}" for name, value in schedule.options.items()]
    return [
        (_("Bots"), ", ".join(dict.fromkeys(schedule.bots))),
        (_("Games"), str(found.games)),
        (_("Deals"), str(found.deals)),
        (_("Seed"), str(schedule.seed)),
        (_("Options"), ", ".join(options) or _("none")),
        (_("Clock"), _("{number} s an answer").format(number=written(schedule.clock))),
        (_("Actions a game"), written(found.actions, 0)),
        (_("Time of play"), duration(found.seconds)),
    ]


def duration(seconds: float) -> str:
    """A time in its own unit."""
    if seconds < 100:
        return _("{number} s").format(number=written(seconds, 1))
    if seconds < 100 * 60:
        return _("{number} min").format(number=written(seconds / 60, 1))
    return _("{number} h").format(number=written(seconds / 3600, 1))


def _closing() -> str:
    return words(
        _(
            "The games of one deal share its luck: all intervals count a deal once, however many"
            " games were played with it."
        )
    )


def _figure(figure: Figure) -> str:
    heading = element("h2", words(figure.title))
    caption = element("figcaption", heading, element("p", words(figure.note), class_="quiet"))
    table = element("div", _table(figure.table), class_="scroll", tabindex=0)
    if figure.chart is None:
        return element("figure", caption, table, id=figure.name)
    below = element("details", element("summary", words(_("Figures"))), table)
    return element("figure", caption, _drawn(figure.chart), below, id=figure.name)


def _drawn(chart: Chart) -> str:
    """A chart for wide and for narrow screens; one of them is shown."""
    return "".join(
        element("div", picture(chart, width, headed=False).document(None), class_=screen)
        for screen, width in (("wide", CARD), ("narrow", PHONE))
    )


def _table(table: Table) -> str:
    head = element("tr", *(element("th", words(name), scope="col") for name in table.head))
    return element("table", element("thead", head), element("tbody", *map(_row, table.rows)))


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return element(
        "tr",
        element("th", words(first), scope="row"),
        *(element("td", words(cell)) for cell in others),
    )
