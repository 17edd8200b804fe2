"""A standalone HTML page: figures with charts and tables, no external files.

Every chart is included several times, drawn for wide and narrow screens, and the page shows the
one that fits. Where a table of sentences would be too narrow, its rows become paragraphs. Light or
dark follows the reader's system; print is light.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from string import Template

from brassmill.language import gettext as _
from brassmill.language import language, ngettext
from brassmill.svg.chart import Chart, picture
from brassmill.svg.draw import Picture, element, words
from brassmill.svg.theme import PALETTES, SANS, SERIF, stylesheet

# Widths of a chart: for the full page, a tablet, a card, and a phone.
PAGE, TABLET, CARD, PHONE = 1240, 680, 600, 330

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
.middle,.narrow{{display:none}}
details{{margin-top:auto;padding-top:14px;font-size:13px}}
summary{{cursor:pointer;color:var(--quiet);width:max-content}}
.scroll{{overflow-x:auto;margin-top:8px}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}
th,td{{padding:4px 14px 4px 0;text-align:right;border-bottom:1px solid var(--faint);
white-space:nowrap}}
th{{font-weight:400;color:var(--quiet)}}
thead th{{white-space:normal;vertical-align:bottom}}
th[scope=row],tr>th:first-child,.name{{text-align:left}}
th[scope=row]{{color:var(--ink)}}
.words{{text-align:left;white-space:normal;min-width:13em}}
tbody tr{{vertical-align:baseline}}
.broad{{grid-column:1/-1}}
footer{{padding-top:18px;padding-bottom:36px;font-size:13px;color:var(--quiet)}}
@media (max-width:1100px){{.wide{{display:none}}.middle,.narrow{{display:block}}
.broad .narrow{{display:none}}}}
@media (max-width:900px){{main{{grid-template-columns:minmax(0,1fr)}}
.wide{{display:block}}.narrow,.broad .wide{{display:none}}
.sentences,.sentences tbody{{display:block}}
.sentences thead{{display:none}}
.sentences tr{{display:flex;flex-wrap:wrap;gap:2px 16px;padding:8px 0;
border-bottom:1px solid var(--faint)}}
.sentences th,.sentences td{{padding:0;border:0;text-align:left}}
.sentences [data-head]:before{{content:attr(data-head) " ";color:var(--quiet)}}
.sentences .words{{display:flex;flex-basis:100%}}
.sentences .words:before{{flex:none;width:5em}}
.sentences td:empty{{display:none}}}}
@media (max-width:620px){{main,header,footer{{padding:0 14px}}header{{padding-top:22px}}
h1{{font-size:24px}}.lead{{font-size:16px}}figure{{padding:16px 14px}}
.wide,.middle{{display:none}}.narrow,.broad .narrow{{display:block}}
dl{{gap:10px 24px}}th,td{{padding-right:9px}}}}
@media print{{body{{font-size:11pt}}main{{display:block}}figure{{margin:0 0 14px}}
details{{display:none}}}}
"""


@dataclass(frozen=True)
class FigureTable:
    """Figures in rows; the first column names them."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: Collection[int] = ()  # columns that hold a word or two
    words: Collection[int] = ()  # columns that hold sentences


@dataclass(frozen=True)
class Figure:
    """One figure on a page: a chart and a table."""

    name: str  # used in file names
    title: str
    note: str
    chart: Chart | None  # None: only a table
    table: FigureTable
    is_broad: bool = False  # as wide as the page


@dataclass(frozen=True)
class Page:
    """The content of a page, in the current language."""

    kind: str  # of page: `Arena report`
    title: str
    lead: Sequence[str]  # sentences
    facts: Sequence[tuple[str, str]]  # names and values
    figures: Sequence[Figure]
    closing: str

    def html(self) -> str:
        """The page as a file."""
        title = _("{title}: {rest}").format(title=self.kind, rest=self.title)
        head = element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", name_="viewport", content="width=device-width,initial-scale=1"),
            element("meta", name_="color-scheme", content="light dark"),
            element("title", words(title)),
            element("style", _style()),
        )
        body = element(
            "body",
            element("header", *self._opening()),
            element("main", *map(_figure, self.figures)),
            element("footer", words(self.closing)),
        )
        return f"<!DOCTYPE html>\n{element('html', head, body, lang=language())}\n"

    def _opening(self) -> Iterator[str]:
        yield element("p", words(self.kind), class_="quiet")
        yield element("h1", words(self.title))
        for sentence in self.lead:
            yield element("p", words(sentence), class_="lead")
        facts = (
            element("div", element("dt", words(name)), element("dd", words(value)))
            for name, value in self.facts
        )
        yield element("dl", *facts)

    def pictures(self) -> dict[str, Picture]:
        """The charts as pictures, by name."""
        return {figure.name: picture(figure.chart) for figure in self.figures if figure.chart}


def game_title(edition: str, players: int) -> str:
    """Which game a page is about: `Brass: Birmingham, 4 players`."""
    counted = ngettext("{number} player", "{number} players", players).format(number=players)
    return _("{edition}, {players}").format(edition=edition, players=counted)


def _style() -> str:
    """The style sheets of the page and its charts; dark only on screens, not in print."""
    light, dark = (
        Template(COLOURS).substitute(palette) + stylesheet(theme)
        for theme, palette in PALETTES.items()
    )
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{LOOK}"


def _figure(figure: Figure) -> str:
    heading = element("h2", words(figure.title))
    caption = element("figcaption", heading, element("p", words(figure.note), class_="quiet"))
    table = element("div", _table(figure.table), class_="scroll", tabindex=0)
    class_ = "broad" if figure.is_broad else None
    if figure.chart is None:
        return element("figure", caption, table, id=figure.name, class_=class_)
    below = element("details", element("summary", words(_("Figures"))), table)
    drawn = _drawn(figure.chart, figure.is_broad)
    return element("figure", caption, drawn, below, id=figure.name, class_=class_)


def _drawn(chart: Chart, is_broad: bool) -> str:
    """A chart drawn for wide and narrow screens, of which one is shown."""
    middle = {"middle": TABLET} if is_broad else {}
    widths = {"wide": PAGE if is_broad else CARD, **middle, "narrow": PHONE}
    return "".join(
        element("div", picture(chart, width, headed=False).document(None), class_=screen)
        for screen, width in widths.items()
    )


def _table(table: FigureTable) -> str:
    columns = [
        "words" if n in table.words else "name" if n in table.names else None
        for n in range(len(table.head))
    ]
    head = element(
        "tr",
        *(
            element("th", words(name), scope="col", class_=class_)
            for name, class_ in zip(table.head, columns, strict=True)
        ),
    )
    heads = table.head if table.words else [None] * len(columns)
    rows = (_row(cells, columns, heads) for cells in table.rows)
    class_ = "sentences" if table.words else None
    return element("table", element("thead", head), element("tbody", *rows), class_=class_)


def _row(cells: Sequence[str], columns: Sequence[str | None], heads: Sequence[str | None]) -> str:
    """A row; in tables of sentences, cells carry their headings for narrow screens."""
    first, *others = (
        {"data_head": head, "class_": column} for head, column in zip(heads, columns, strict=True)
    )
    return element(
        "tr",
        element("th", words(cells[0]), scope="row", **first),
        *(element("td", words(cell), **more) for cell, more in zip(cells[1:], others, strict=True)),
    )
