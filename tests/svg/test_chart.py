"""Charts: correct positions, texts that do not overlap, colours that everyone can distinguish."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill import svg
from brassmill.errors import InvalidOption
from brassmill.svg import chart
from brassmill.svg.chart import (
    Axis,
    Bar,
    BarChart,
    BarPart,
    Board,
    Chart,
    ChartEvent,
    DistributionChart,
    Interval,
    IntervalChart,
    LineChart,
    Sample,
    Series,
)
from brassmill.svg.chart.scale import fitted, percent, written
from brassmill.svg.chart.sheet import DASHES, TONES, marker, spread, step, tone
from brassmill.svg.theme import PALETTES, stylesheet
from support.paths import ROOT
from svg.test_svg import EYES, contrast, distance
from svg.test_table import SVG, faults, of_class, parse

WIDTHS = (330, 600, 720)
NAMES = (
    "planner:100ms",
    "process:./a-bot --with=very-long-arguments --threads 16",
    "Wilhelmina",
    "x",
    "<Ada & Ben>",
    "MMMMMMMMMMMMMMMM",
    "greedy",
    "Théo",
)
SOURCES = ("cotton", "coal", "iron", "manufacturer", "pottery", "brewery", "link", "points")
each_theme = pytest.mark.parametrize("theme", PALETTES)

LINES = LineChart(
    "Victory points",
    [Series(name, [(x, x * (n + 2)) for x in range(17)]) for n, name in enumerate(NAMES)],
    Axis("round", whole=True),
    Axis("VP"),
    events=[
        ChartEvent(2, "a loan too many"),
        ChartEvent(3, "a mill"),
        ChartEvent(8, "rail"),
        ChartEvent(16, "over"),
    ],
)
BARS = BarChart(
    "Points by source",
    [Bar(name, [3, 8, 0, 21, 2, 5, -4, 9]) for name in NAMES[:3]],
    [BarPart(name, tone(n), name) for n, name in enumerate(SOURCES)],
    Axis("VP"),
    note="On average, in all games that were played until now and in which nobody forfeited.",
)
LEVELS = BarChart(
    "Built",
    [Bar(name, [1, 2, 0.5], name, beside=[2, 0, 1]) for name in SOURCES[:3]],
    [BarPart(level, step(n, 3)) for n, level in enumerate(("I", "II", "III"))],
)
INTERVALS = IntervalChart(
    "Rating",
    [Interval(name, 25 + n, (24 + n, 27 + n), n) for n, name in enumerate(NAMES)],
    Axis(write=chart.fixed(1)),
    figures="rating",
    expected=25,
)
SAMPLES = DistributionChart(
    "Scores",
    [Sample(name, range(40 + n, 140), range(100, 120), n) for n, name in enumerate(NAMES)],
    Axis("VP"),
    figures="median",
)
BOARD = Board("Together", [INTERVALS, LEVELS, INTERVALS, LEVELS])
CHARTS: dict[str, Chart] = {
    "lines": LINES,
    "bars": BARS,
    "levels": LEVELS,
    "intervals": INTERVALS,
    "samples": SAMPLES,
    "board": BOARD,
}
each_chart = pytest.mark.parametrize("name", CHARTS)


def drawn(picture: Chart, width: float = 720, headed: bool = True) -> ElementTree.Element:
    return parse(chart.picture(picture, width, headed=headed).document(None))


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+", path)]


# --- all charts ----------------------------------------------------------------------------------


@each_chart
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("headed", [True, False])
def test_words_fit_and_cover_nothing(name: str, width: float, headed: bool) -> None:
    picture = chart.picture(CHARTS[name], width, headed=headed)
    assert picture.width == width
    assert faults(picture.document(None)) == []


@each_chart
def test_a_chart_is_an_image_with_words(name: str) -> None:
    for theme in (None, "light"):
        root = parse(chart.draw(CHARTS[name], theme=theme))
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == CHARTS[name].title == root[0].text
        assert [node.tag for node in root.iter(f"{SVG}style")] == [f"{SVG}style"] * bool(theme)
    with pytest.raises(InvalidOption):
        chart.draw(CHARTS[name], theme="sepia")


@pytest.mark.parametrize("name", [name for name in CHARTS if name not in ("levels", "board")])
def test_the_description_tells_what_is_drawn(name: str) -> None:
    [description] = drawn(CHARTS[name]).iter(f"{SVG}desc")
    for who in NAMES[:3]:
        assert who in (description.text or "")


@each_chart
@each_theme
def test_a_chart_can_be_a_png(name: str, theme: str) -> None:
    assert svg.png(chart.draw(CHARTS[name], theme=theme), width=400)[1:4] == b"PNG"


@each_chart
def test_the_same_data_give_the_same_chart(name: str) -> None:
    assert chart.draw(CHARTS[name]) == chart.draw(CHARTS[name])


def test_a_page_can_leave_the_heading_to_itself() -> None:
    titled = [node.text for node in drawn(LINES).iter(f"{SVG}text")]
    bare = [node.text for node in drawn(LINES, headed=False).iter(f"{SVG}text")]
    assert LINES.title in titled and LINES.title not in bare


values = st.floats(-200, 400, allow_nan=False).map(lambda value: round(value, 2))
names = st.text("abcdefghimMW :=", min_size=1, max_size=40)


@given(
    st.lists(st.tuples(names, st.lists(values, min_size=1, max_size=30)), max_size=8),
    st.lists(st.tuples(st.integers(0, 30), names), max_size=6),
    st.sampled_from(WIDTHS),
)
@settings(max_examples=60, deadline=None)
def test_no_lines_bring_words_together(
    rows: list[tuple[str, list[float]]], events: list[tuple[int, str]], width: float
) -> None:
    picture = LineChart(
        "Lines",
        [Series(name, list(enumerate(values))) for name, values in rows],
        Axis("round", whole=True),
        Axis("VP"),
        events=[ChartEvent(x, label) for x, label in sorted(events)],
    )
    assert faults(chart.draw(picture, width=width, theme=None)) == []


@given(
    st.lists(st.tuples(names, st.lists(values, min_size=1, max_size=30)), min_size=1, max_size=8),
    st.sampled_from(WIDTHS),
)
@settings(max_examples=60, deadline=None)
def test_no_rows_bring_words_together(rows: list[tuple[str, list[float]]], width: float) -> None:
    samples = [Sample(name, values) for name, values in rows]
    intervals = [Interval(name, v[0], (min(v), max(v))) for name, v in rows]
    bars = [Bar(name, (values * 8)[:8]) for name, values in rows]
    for picture in (
        DistributionChart("Samples", samples, Axis("VP", chart.fixed(1)), figures="median"),
        IntervalChart("Intervals", intervals, Axis("VP", chart.fixed(1)), figures="mean"),
        BarChart("Bars", bars, BARS.parts, Axis("VP", chart.fixed(1))),
    ):
        assert faults(chart.draw(picture, width=width, theme=None)) == []


# --- scales and words ----------------------------------------------------------------------------


@given(st.lists(values, min_size=1), st.booleans(), st.integers(100, 800))
def test_scales_hold_everything_at_round_numbers(data: list[float], snug: bool, room: int) -> None:
    scale = fitted(Axis(), data, 0, room, apart=40, snug=snug)
    for value in data:
        assert -1e-6 <= scale(value) <= room + 1e-6
    if not snug:
        assert (scale.ticks[0], scale.ticks[-1]) == pytest.approx((scale.low, scale.high))
    steps = {round(b - a, 6) for a, b in pairwise(scale.ticks)}
    assert len(steps) <= 1
    for gap in steps:
        assert f"{gap:e}"[0] in "125" and scale(gap) - scale(0) >= 39.9


def test_whole_numbers_have_nothing_between_them() -> None:
    assert fitted(Axis(whole=True), [0, 2], 0, 900, apart=20, snug=True).ticks == (0, 1, 2)


def test_numbers_as_people_write_them() -> None:
    assert [written(value) for value in (3.0, -2.5, 0.1 + 0.2, -0.0)] == [
        "3",
        "\N{MINUS SIGN}2.5",
        "0.3",
        "0",
    ]
    assert (written(2, 1), written(-0.04, 1), percent(0.256)) == ("2.0", "0.0", "26%")


@given(st.lists(st.floats(0, 300), max_size=12))
def test_labels_keep_apart_and_near(wanted: list[float]) -> None:
    places = spread(wanted, 16, 0, 300)
    assert all(-1e-6 <= place <= 300 + 1e-6 for place in places)
    ranked = [place for _, place in sorted(zip(wanted, places, strict=True))]
    assert all(b - a >= 16 - 1e-6 for a, b in pairwise(sorted(places)))
    assert ranked == sorted(ranked)
    if all(b - a >= 16 for a, b in pairwise(sorted(wanted))):
        assert places == pytest.approx(wanted)


# --- what is drawn -------------------------------------------------------------------------------


def test_lines_differ_without_colour() -> None:
    assert len(set(DASHES)) == TONES
    assert len({marker(n, 0, 0, 4) for n in range(TONES)}) == TONES


def test_lines_go_through_their_points() -> None:
    picture = LineChart("Line", [Series("a", [(0, 0), (5, 50), (10, 100)])])
    [curve] = of_class(drawn(picture), "curve")
    (x0, y0), (x1, y1), (x2, y2) = zip(*[iter(numbers(curve.attrib["d"]))] * 2, strict=True)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.03)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.03)
    assert x0 < x1 and y0 > y1


def test_bars_are_as_long_as_their_values() -> None:
    parts = [BarPart(name, tone(n)) for n, name in enumerate("abc")]
    root = drawn(BarChart("Bars", [Bar("x", [10, -5, 20])], parts))
    segments = {
        node.attrib["class"]: (float(box.attrib["x"]), float(box.attrib["width"]))
        for node in root.iter(f"{SVG}g")
        for box in node.findall(f"{SVG}rect")
        if box.get("class") == "segment" and not box.get("rx")
    }
    (ax, a), (bx, b), (cx, c) = (segments[tone(n)] for n in range(3))
    assert b == pytest.approx(a / 2, abs=0.1)
    assert c == pytest.approx(2 * a, abs=0.1)
    assert bx + b == pytest.approx(ax, abs=0.1)  # below nothing, to the left
    assert ax + a == pytest.approx(cx, abs=0.1)


def test_a_whisker_reaches_as_far_as_its_interval() -> None:
    rows = [Interval("a", 10, (5, 15)), Interval("b", 5), Interval("c", 15)]
    root = drawn(IntervalChart("Intervals", rows))
    whiskers = [numbers(node.attrib["d"]) for node in of_class(root, "whisker")]
    left, right = whiskers[0][0], whiskers[0][2]
    dots = [float(node.attrib["cx"]) for node in of_class(root, "point")]
    assert dots == [pytest.approx((left + right) / 2, abs=0.02), left, right]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_long_names_leave_room_for_what_they_name(name: str, width: float) -> None:
    rows = [Interval(name, 5, (0, 10))]
    root = drawn(IntervalChart("Intervals", rows, Axis(reach=(0, 10))), width)
    left, _, right, _ = numbers(of_class(root, "whisker")[0].attrib["d"])
    assert right - left >= 0.5 * width


def test_hills_hold_every_game_and_mark_those_that_were_won() -> None:
    rows = [Sample("a", [1, 1, 1, 2, 5, 9], [5, 9]), Sample("b", [3] * 12)]
    root = drawn(DistributionChart("Scores", rows))
    areas = []
    for node in of_class(root, "many"):
        columns = node.attrib["d"].split("Z")[:-1]
        sizes = [numbers(column) for column in columns]  # left, ground, top, right, ground
        areas.append(sum((right - left) * (ground - top) for left, ground, top, right, _ in sizes))
    whole, won, other = areas
    assert won == pytest.approx(whole / 3, rel=0.01)
    assert other == pytest.approx(whole, rel=0.01)  # a share of the row's own games


def test_a_board_has_as_many_columns_as_there_is_room() -> None:
    def columns(width: float) -> int:
        root = drawn(BOARD, width)
        places = [node.attrib["transform"] for node in of_class(root, "chart")[1:]]
        return len({numbers(place)[0] for place in places})

    assert [columns(width) for width in WIDTHS] == [1, 3, 3]


def test_the_docs_show_every_chart_that_is_drawn_for_them() -> None:
    docs = ROOT / "docs"
    shown = re.findall(r"\(\.\./charts/([\w-]+\.png)\)", (docs / "reference/charts.md").read_text())
    assert sorted(shown) == sorted(file.name for file in (docs / "charts").glob("*.png"))


# --- colours -------------------------------------------------------------------------------------


def tones_of(theme: str) -> list[str]:
    names = [f"seat{n}" if n < 4 else f"tone{n}" for n in range(TONES)]
    return [PALETTES[theme][name] for name in names]


@each_theme
@pytest.mark.parametrize("eyes", EYES)
def test_tones_keep_apart_for_all_eyes(theme: str, eyes: str) -> None:
    colours = tones_of(theme)
    for one, other in combinations(colours, 2):
        assert distance(one, other, EYES[eyes]) >= 12, (one, other)
    for one, other in pairwise(colours):  # side by side in a bar
        assert distance(one, other, EYES[eyes]) >= 20, (one, other)


@each_theme
def test_tones_stand_out_and_so_does_what_is_written_on_them(theme: str) -> None:
    palette = PALETTES[theme]
    for colour in tones_of(theme):
        assert contrast(colour, palette["panel"]) >= 3
        assert contrast(colour, palette["onseat"]) >= 4.5
        assert distance(colour, palette["brass"], EYES["all cones"]) >= 20


@each_theme
def test_what_is_written_on_a_shade_stands_out(theme: str) -> None:
    palette, sheet = PALETTES[theme], stylesheet(theme)
    for n in range(1, 9):
        opacity = re.search(rf"\.step-{n} \.segment\{{fill-opacity:([.\d]+)\}}", sheet)
        shade = blended(palette["ink"], palette["panel"], float(opacity[1]) if opacity else 1)
        [ink] = re.findall(rf"\.step-{n} \.on-segment(?:,[^{{]*)?\{{fill:(#\w+)", sheet)
        assert contrast(ink, shade) >= 4.5, n


def blended(over: str, under: str, opacity: float) -> str:
    channels = (
        round(int(over[n : n + 2], 16) * opacity + int(under[n : n + 2], 16) * (1 - opacity))
        for n in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)
