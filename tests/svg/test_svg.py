"""Pictures: colours that everyone can distinguish, style sheets, text, PNG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib import import_module
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from numpy.typing import NDArray

from brassmill import svg, terms
from brassmill.errors import BrassError, InvalidOption
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.svg.draw import Picture, element, group, number, rect, text, title
from brassmill.svg.glyphs import MARKS, PATHS, cube, glyph, shape
from brassmill.svg.lettering import WIDTHS, caps_width, fitting, in_lines, small_caps, width
from brassmill.svg.theme import DARK, LIGHT, PALETTES, stylesheet
from brassmill.terms import ROMAN
from support.paths import ROOT

Colours = NDArray[np.float64]

SEATS = [f"seat{number}" for number in range(4)]
each_theme = pytest.mark.parametrize("theme", PALETTES)

# What eyes without one kind of cone see, in linear light (Machado, Oliveira and Fernandes, 2009).
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def light_of(colour: str) -> Colours:
    """A colour as linear light."""
    channels = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines measure it."""
    dark, light = sorted(float(TO_XYZ[1] @ light_of(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(light: Colours) -> Colours:
    parts = TO_XYZ @ light / WHITE
    f = np.where(parts > 0.008856, np.cbrt(parts), 7.787 * parts + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, eyes: Colours) -> float:
    """How different two colours look, with some kind of colour vision."""
    seen = [lab(np.clip(eyes @ light_of(colour), 0, 1)) for colour in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


@each_theme
def test_players_colours_stand_out(theme: str) -> None:
    palette = PALETTES[theme]
    for seat in SEATS:
        for ground in ("paper", "soot", "panel", "paper2", "onseat"):
            least = 3 if ground == "paper2" else 4.5  # nothing is written there in their colours
            assert contrast(palette[seat], palette[ground]) >= least, (seat, ground)


@each_theme
def test_words_stand_out(theme: str) -> None:
    palette = PALETTES[theme]
    for ink, grounds in {
        "ink": ("paper", "soot", "paper2", "panel", "glow", "shore"),
        "ink2": ("paper", "soot", "paper2", "panel", "floor"),
        "day": ("night",),
    }.items():
        for ground in grounds:
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)


@each_theme
def test_empty_spaces_and_railways_stand_out(theme: str) -> None:
    palette = PALETTES[theme]
    assert contrast(palette["rim"], palette["panel"]) >= 2.2
    assert contrast(palette["sleeper"], palette["paper"]) >= 5
    assert contrast(palette["sleeper"], palette["soot"]) >= 5
    if theme == "dark":  # what is dark on dark needs more
        assert contrast(palette["ink2"], palette["floor"]) >= 6.7
        assert contrast(palette["rim"], palette["panel"]) >= 4.5
        assert contrast(palette["sleeper"], palette["soot"]) >= 9
        assert contrast(palette["water"], palette["paper"]) >= 6


@each_theme
@pytest.mark.parametrize("eyes", EYES)
def test_players_colours_keep_apart_for_all_eyes(theme: str, eyes: str) -> None:
    palette = PALETTES[theme]
    for one, other in combinations(SEATS, 2):
        assert distance(palette[one], palette[other], EYES[eyes]) >= 20, (one, other)


def test_the_check_would_see_colours_too_near() -> None:
    assert distance("#2d5d9f", "#6a4c93", EYES["protanopia"]) < 20  # blue and violet of a first try


@each_theme
def test_brass_is_no_players_colour(theme: str) -> None:
    palette = PALETTES[theme]
    for seat in SEATS:
        assert distance(palette["brass"], palette[seat], EYES["all cones"]) >= 30


def test_players_have_different_shapes() -> None:
    assert len({shape(seat, 0, 0, 10) for seat in range(4)}) == 4


# --- style sheets --------------------------------------------------------------------------------


def test_both_palettes_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()


def test_style_sheets_carry_colours_written_out() -> None:
    for theme, palette in PALETTES.items():
        sheet = stylesheet(theme)
        assert palette["paper"] in sheet
        assert "var(" not in sheet and "$" not in sheet


def test_every_rule_keeps_to_its_picture() -> None:
    """Two pictures with different themes on one page do not colour each other."""
    sheet = stylesheet("dark", ".brass.dark")
    for selectors in re.findall(r"([^{}]+)\{", sheet):
        for selector in selectors.split(","):
            assert selector.startswith(".brass.dark "), selector


def test_auto_is_light_and_dark_where_the_reader_wants_it() -> None:
    sheet = stylesheet("auto")
    light, dark = sheet.split("@media (prefers-color-scheme:dark)")
    assert LIGHT["paper"] in light and DARK["paper"] not in light
    assert DARK["paper"] in dark and LIGHT["paper"] not in dark
    with pytest.raises(InvalidOption, match="unknown theme 'sepia'"):
        stylesheet("sepia")


# --- elements ------------------------------------------------------------------------------------


def test_words_are_escaped() -> None:
    node = ET.fromstring(element("g", title('<&"'), text(1, 2, "a < b & c", 10), id='"&<'))
    assert node.attrib["id"] == '"&<'
    assert ["".join(part.itertext()) for part in node] == ['<&"', "a < b & c"]


def test_numbers_are_short() -> None:
    assert [number(value) for value in (1.0, 0.5, -0.5, -0.001, 12.3456, 100)] == [
        *("1", "0.5", "-0.5", "0", "12.35", "100")
    ]


def test_a_picture_is_a_document_or_a_part_of_one() -> None:
    picture = Picture("map", 10, 20, "A map", rect(0, 0, 10, 20, "paper"))
    page = ET.fromstring(picture.document(None))
    assert page.attrib["viewBox"] == "0 0 10 20"
    assert page.attrib["class"] == "brass map"
    assert page.attrib["aria-label"] == "A map"
    assert page.attrib["role"] == "group"  # its controls are not hidden in an image
    assert ET.fromstring(picture.document("light")).attrib["role"] == "img"
    part = ET.fromstring(group(picture.inside(5, 6, width=20)))
    assert part[0].attrib["transform"] == "translate(5 6) scale(2)"


def test_every_industry_and_level_has_its_sign() -> None:
    from brassmill.editions import EDITIONS, edition

    for name in EDITIONS:
        for row in edition(name).tiles:
            assert glyph(row.industry, 0, 0, 24)
            assert ROMAN[row.level]
    assert not PATHS.keys() & MARKS.keys()
    assert "barrel" in cube("brewery", 0, 0, 8)


# --- letters -------------------------------------------------------------------------------------


FONTS = ROOT / "src" / "brassmill" / "svg" / "fonts"
FACES = {  # the fonts that a style may be drawn with
    "serif": ("DejaVuSerif", "besley-400-normal", "besley-400-italic"),
    "serif bold": ("DejaVuSerif-Bold", "besley-700-normal", "besley-700-italic"),
    "sans": ("DejaVuSans",),
    "sans bold": ("DejaVuSans-Bold",),
}


@pytest.mark.parametrize("style", FACES)
def test_widths_are_those_of_the_widest_font(style: str) -> None:
    files = [
        file
        for name in FACES[style]
        for file in (*Path("/usr/share/fonts").rglob(f"{name}.ttf"), *FONTS.glob(f"{name}.ttf"))
    ]
    fonts = [TTFont(file) for file in files]
    assert len(fonts) >= len(FACES[style]) - 1
    for letter, wide in WIDTHS[style].items():
        found = [
            round(font["hmtx"][glyphs[ord(letter)]][0] * 1000 / font["head"].unitsPerEm)
            for font in fonts
            if ord(letter) in (glyphs := font.getBestCmap())
        ]
        if len(fonts) == len(FACES[style]):
            assert max(found) == wide, letter
        assert all(width <= wide for width in found), letter


def test_the_typeface_has_every_letter_of_the_three_languages() -> None:
    for file in FONTS.glob("*.ttf"):
        glyphs = TTFont(file).getBestCmap()
        missing = {letter for letter in WIDTHS["serif"] if ord(letter) not in glyphs}
        assert missing <= set("→←≥≤\u202f"), file.name  # arrows and signs are in other fonts
    assert (FONTS / "OFL.txt").read_text().startswith("Copyright 2020 The Besley Project Authors")


def test_the_typeface_is_small() -> None:
    pages = FONTS.parents[1] / "web" / "static" / "web" / "fonts"
    assert sum(file.stat().st_size for file in pages.glob("*.woff2")) < 70_000
    assert (pages / "OFL.txt").is_file()


def test_widths_of_words() -> None:
    assert width("Wigan", 10) == pytest.approx(sum(WIDTHS["serif"][c] for c in "Wigan") / 100)
    assert width("Wigan", 10, spacing=1) == pytest.approx(width("Wigan", 10) + 5)
    assert width("漢", 10) > width("W", 10)
    assert small_caps("Stoke-on-Trent") == [("S", 1), ("TOKE-ON-", 0.8), ("T", 1), ("RENT", 0.8)]
    assert caps_width("Ab", 10) == pytest.approx(width("A", 10) + width("B", 8))
    assert width("Manchester", fitting("Manchester", 50, 20)) == pytest.approx(50)
    assert fitting("Manchester", 500, 20) == 20


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_that_is_read_is_made_fainter(theme: str) -> None:
    """Opacity would reduce the contrast of text, which was measured without it."""
    for rule in svg.stylesheet(theme).split("}"):
        selectors, _, body = rule.partition("{")
        if any(part.startswith("opacity:") for part in body.split(";")):
            assert {each.split()[-1] for each in selectors.split(",")} <= {".cube"}, rule


# --- PNG -----------------------------------------------------------------------------------------


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG")
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")


def test_png_as_wide_as_wanted() -> None:
    view = Game("birmingham", players=2, seed=1).view()
    assert size(svg.png(svg.map(view, theme="light"), width=350)) == (350, 233)
    assert size(svg.png(svg.map(view, theme="dark", shape="tall"))) == (780, 1500)


def test_png_of_both_themes_is_the_light_one() -> None:
    view = Game("lancashire", players=2, seed=1).view()
    both = svg.map(view, theme="auto")
    assert svg.png(both, width=200) == svg.png(svg.map(view, theme="light"), width=200)
    assert svg.png(both, width=200) != svg.png(svg.map(view, theme="dark"), width=200)


def test_png_needs_colours() -> None:
    view = Game("birmingham", players=2, seed=1).view()
    with pytest.raises(BrassError, match="theme='light'"):
        svg.png(svg.map(view, theme=None))


def test_png_has_text_on_a_machine_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = svg.map(Game("birmingham", players=2, seed=1).view(), theme="light")
    module = import_module("brassmill.svg.png")
    monkeypatch.setattr(module, "_first", lambda families: None)
    written = svg.png(picture, width=350)
    assert written != svg.png(re.sub(r"<text.*?</text>", "", picture), width=350)


# --- notebooks -----------------------------------------------------------------------------------


def test_notebooks_show_what_a_spectator_sees() -> None:
    game = Game("birmingham", players=2, seed=1)
    assert game._repr_svg_() == game.view()._repr_svg_()
    ET.fromstring(game.view(0)._repr_svg_())
    assert "prefers-color-scheme" in game._repr_svg_()


def test_the_page_shows_every_picture_that_is_drawn_for_it() -> None:
    docs = ROOT / "docs"
    shown = set(
        re.findall(r"\(\.\./pictures/([\w-]+\.png)\)", (docs / "reference/pictures.md").read_text())
    )
    assert shown == {file.name for file in (docs / "pictures").glob("*.png")}
    assert all(size((docs / "pictures" / name).read_bytes())[0] >= 780 for name in shown)


def test_long_names_are_broken_where_a_line_may_end() -> None:
    room = width("Baumwoll-", 16)
    assert in_lines("Baumwoll\u00adspinnerei", 16, room) == ["Baumwoll-", "spinnerei"]
    assert in_lines("Baumwoll\u00adspinnerei", 16, 3 * room) == ["Baumwollspinnerei"]
    assert in_lines("Burton-on-Trent", 16, 100) == ["Burton-on-", "Trent"]
    assert in_lines("Warrington & Runcorn", 16, 120) == ["Warrington &", "Runcorn"]
    assert in_lines("Wolverhampton", 16, 50) == ["Wolverhampton"]  # nowhere
    with speaking("de"):
        assert terms.SOFT_HYPHEN not in terms.industry("cotton")
        assert terms.SOFT_HYPHEN in terms.breakable_industry("cotton")
