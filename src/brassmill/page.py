"""A page that stands alone: figures with charts and tables, nothing from elsewhere.

The page has every chart twice, drawn for a wide and for a narrow screen, and shows the one that
fits; light or dark is as the reader's system is. On paper it is light.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from string import Template

from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.svg.chart import Chart, picture
from brassmill.svg.draw import Picture, element, words
from brassmill.svg.theme import PALETTES, SANS, SERIF, stylesheet

# How wide a chart is drawn for the whole page, for a card, and for a phone.
PAGE, CARD, PHONE = 1240, 600, 330

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
th.words,td.words{{text-align:left;white-space:normal;min-width:11em}}
tbody tr{{vertical-align:baseline}}
.broad{{grid-column:1/-1}}
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


@dataclass(frozen=True)
class Table:
    """Figures in rows; the first column says what they are of."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Collection[int] = ()  # the columns that hold sentences


@dataclass(frozen=True)
class Figure:
    """One thing that a page shows."""

    name: str  # in the names of files
    title: str
    note: str
    chart: Chart | None  # None: so many rows are only for a table
    table: Table
    is_broad: bool = False  # as wide as the page


@dataclass(frozen=True)
class Page:
    """Everything a page says, in the language of the context."""

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


def _style() -> str:
    """The style sheets of the page and of the charts: dark only on a screen, not on paper."""
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
    drawn = _drawn(figure.chart, PAGE if figure.is_broad else CARD)
    return element("figure", caption, drawn, below, id=figure.name, class_=class_)


def _drawn(chart: Chart, width: float) -> str:
    """A chart for wide and for narrow screens; one of them is shown."""
    return "".join(
        element("div", picture(chart, width, headed=False).document(None), class_=screen)
        for screen, width in (("wide", width), ("narrow", PHONE))
    )


def _table(table: Table) -> str:
    classes = ["words" if n in table.words else None for n in range(len(table.head))]
    head = element(
        "tr",
        *(
            element("th", words(name), scope="col", class_=class_)
            for name, class_ in zip(table.head, classes, strict=True)
        ),
    )
    rows = (_row(cells, classes) for cells in table.rows)
    return element("table", element("thead", head), element("tbody", *rows))


def _row(cells: Sequence[str], classes: Sequence[str | None]) -> str:
    return element(
        "tr",
        element("th", words(cells[0]), scope="row"),
        *(
            element("td", words(cell), class_=class_)
            for cell, class_ in zip(cells[1:], classes[1:], strict=True)
        ),
    )
