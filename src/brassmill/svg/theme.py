"""Colours and the style sheet: a light and a dark palette for the same classes.

The sheet is paper and ink. Colours are for players and goods; brass marks what you can do and is
used for nothing else. Players' colours are distinguishable for colour-blind readers, and have a
contrast of at least 4.5:1 with the paper and with the text on them (tested).
"""

from __future__ import annotations

import re
from string import Template

from brassmill.errors import InvalidOption
from brassmill.svg.look import CHART, TABLE

THEMES = ("light", "dark", "auto")

LIGHT = {
    "paper": "#f4ecdb",
    "paper2": "#e9dec6",
    "panel": "#fbf7ee",
    "ink": "#2a2521",
    "ink2": "#645a4f",
    "line": "#c3b393",
    "faint": "#ddd0b4",
    "water": "#5f8ea3",
    "shore": "#e4e3d6",
    "soot": "#e9e5dd",  # the land of the rail era
    "floor": "#e9dec6",  # an empty space
    "rim": "#b09d78",  # around it
    "bank": "#b39c6c",  # a towpath
    "leaf": "#7d8f5c",
    "smoke": "#8f877d",
    "sleeper": "#5d5349",
    "brass": "#a8792a",
    "glow": "#efcf86",
    "night": "#1d1916",  # the cap of a flipped tile
    "day": "#fdf8ec",  # text on it
    "coal": "#1b1815",
    "iron": "#de7320",
    "beer": "#87542b",
    "gleam": "#ffffff",
    "edge": "#fdf8ec",  # around cubes
    "seat0": "#b7391b",
    "seat1": "#2257c8",
    "seat2": "#0c4f3c",
    "seat3": "#93298c",
    "tone4": "#5a7a30",  # for charts with more than four colours; the first four are the players'
    "tone5": "#23818e",
    "tone6": "#3f210f",
    "tone7": "#4f5766",
    "onseat": "#ffffff",  # text on a player's colour, or on a tone
}
DARK = {
    "paper": "#1e2124",
    "paper2": "#272b2f",
    "panel": "#292e32",
    "ink": "#ece4d4",
    "ink2": "#b9af9e",
    "line": "#50565b",
    "faint": "#363b40",
    "water": "#6fb0ce",
    "shore": "#1a262d",
    "soot": "#1f1e1f",
    "floor": "#101315",
    "rim": "#8f979e",
    "bank": "#94876a",
    "leaf": "#6b8258",
    "smoke": "#8b8680",
    "sleeper": "#d6cdc0",
    "brass": "#dcb05c",
    "glow": "#755a2b",
    "night": "#0d0c0b",
    "day": "#f6ecd8",
    "coal": "#0a0908",
    "iron": "#ee8a35",
    "beer": "#9a6538",
    "gleam": "#ffffff",
    "edge": "#f6ecd8",
    "seat0": "#f0715c",
    "seat1": "#7b98f4",
    "seat2": "#6fe0b0",
    "seat3": "#f0c4f7",
    "tone4": "#c4e567",
    "tone5": "#1c8c7e",
    "tone6": "#ccaf84",
    "tone7": "#919eaa",
    "onseat": "#14120f",
}
PALETTES = {"light": LIGHT, "dark": DARK}

# Besley comes with us (`docs/fonts.py`). The others are on most machines; the last ones are the
# widest, and everything fits with them.
SERIF = (
    '"Besley","Libre Baskerville","Baskerville","Iowan Old Style","Palatino Linotype","Palatino",'
    '"Book Antiqua","Georgia","DejaVu Serif",serif'
)
SANS = '"Inter","Segoe UI","Helvetica Neue","Roboto","Arial","DejaVu Sans",sans-serif'

# One rule per line; `$name` is a colour of the palette.
COMMON = f"""
text{{font-family:{SERIF};fill:$ink;text-rendering:geometricPrecision}}
.sans{{font-family:{SANS}}}
.bold{{font-weight:700}}
.italic{{font-style:italic}}
.quiet{{fill:$ink2}}
.paper{{fill:$paper}}
.panel{{fill:$panel;stroke:$line;stroke-width:1}}
.rule{{fill:none;stroke:$line;stroke-width:1}}
.hair{{fill:none;stroke:$ink2;stroke-width:.8}}
.ink{{fill:$ink}}
.glyph{{color:$ink}}
.ghost{{color:$ink2}}
.quiet-mark{{color:$ink2}}
.on-ghost{{fill:$paper}}
.seat-0{{color:$seat0}}
.seat-1{{color:$seat1}}
.seat-2{{color:$seat2}}
.seat-3{{color:$seat3}}
.seat-0 .own,.seat-1 .own,.seat-2 .own,.seat-3 .own{{fill:currentColor}}
.seat-0 .on-own,.seat-1 .on-own,.seat-2 .on-own,.seat-3 .on-own{{fill:$onseat;color:$onseat}}
.cube .body{{stroke:$edge;stroke-width:1.2}}
.cube.coal .body{{fill:$coal}}
.cube.iron .body{{fill:$iron}}
.cube .gleam{{fill:$gleam;fill-opacity:.28}}
.barrel .body{{fill:$beer;stroke:$edge;stroke-width:1.6}}
.barrel .hoop{{fill:none;stroke:$edge;stroke-width:1.5}}
.lit{{cursor:pointer}}
.touch{{fill:none;pointer-events:all}}
"""

TILES = """
.tile .face{fill:currentColor;stroke:$night;stroke-opacity:.45;stroke-width:1}
.tile .glyph{color:$onseat}
.tile .level{fill:$onseat}
.tile .mark{fill:$onseat}
.tile .points{fill:$onseat}
.tile .link-mark{color:$onseat}
.tile .cap{fill:$night}
.tile.flipped .glyph{color:$day}
.tile.flipped .level{fill:$day}
.empty .floor{fill:$floor;stroke:$rim;stroke-width:1.2}
.split{fill:none;stroke:$rim;stroke-width:1}
.halo{fill:none;stroke:$brass;stroke-width:3}
.taken .halo,.merchant .halo{stroke-width:7}
.empty.lit .floor{fill:$glow}
.empty.lit .ghost{color:$ink}
"""

MAP = """
.sheet{fill:$paper}
.sea{fill:$shore}
.shore{fill:none;stroke:$water;stroke-width:.9}
.shore-0{stroke-width:1.4;stroke-opacity:.75}
.shore-1{stroke-opacity:.5}
.shore-2{stroke-opacity:.35}
.shore-3{stroke-opacity:.22}
.sea-name{fill:$water;fill-opacity:.8}
.river{fill:none;stroke:$water;stroke-width:1.5;stroke-opacity:.38;stroke-linecap:round}
.hachure{fill:none;stroke:$line;stroke-width:1;stroke-opacity:.75;stroke-linecap:round}
.graticule{fill:none;stroke:$faint;stroke-width:.7}
.border{fill:none;stroke:$ink;stroke-width:2.4}
.neat-line{fill:none;stroke:$ink;stroke-width:.8}
.degrees{fill:$ink}
.plaque{fill:$panel;stroke:$ink;stroke-width:1.6}
.player .own{fill:currentColor}
.point-light{fill:$paper;stroke:$ink2;stroke-width:.8;stroke-linejoin:round}
.point-dark{fill:$ink2;stroke:$ink2;stroke-width:.8;stroke-linejoin:round}
.rose text{fill:$ink2}
.line path{fill:none}
.towpath{stroke:$bank;stroke-width:10}
.water{stroke:$water;stroke-width:7;stroke-opacity:.5}
.canal-era .water{stroke-opacity:.9;stroke-width:6.5}
.track{stroke:$sleeper;stroke-width:1.3}
.sleepers{stroke:$sleeper;stroke-width:9;stroke-dasharray:1.7 5.3}
.canal-era .canal .sleepers{stroke:$shore;stroke-width:4.5;stroke-dasharray:1.7 8.6}
.canal-era .canal .sleepers{stroke-opacity:.8}
.canal-era .canal .track{display:none}
.rail-era .rail .water{stroke-opacity:.3}
.rail-era .closed .water{stroke-opacity:.3}
.canal-era .closed .sleepers,.canal-era .closed .track{stroke-opacity:.6}
.rail-era .sheet,.rail-era .plate,.rail-era .roundel{fill:$soot}
.rail-era .line .case{stroke:$soot}
.trees{fill:none;stroke:$leaf;stroke-width:.9;stroke-opacity:.8;stroke-linecap:round}
.smoke{fill:$smoke;fill-opacity:.2}
.chimneys{fill:$smoke;stroke:$soot;stroke-width:.6}
.rail-era .trees,.canal-era .smoke,.canal-era .chimneys{display:none}
.line .ferry{stroke:$ink2;stroke-width:2.4;stroke-dasharray:.1 7;stroke-linecap:round}
.line .case{stroke:$paper;stroke-width:17}
.line .link{stroke:currentColor;stroke-width:12}
.line .core{stroke:$onseat;stroke-opacity:.85}
.line .core.canal{stroke-width:2.6}
.line .core.rail{stroke-width:6.5;stroke-dasharray:1.6 5}
.line .badge{fill:$paper;stroke:currentColor;stroke-width:2.2}
.line.lit .halo{stroke:$glow;stroke-width:17;stroke-linecap:round}
.line.lit .water,.line.lit .sleepers,.line.lit .track{stroke:$brass;stroke-opacity:1}
.block{fill:$panel;stroke:$ink;stroke-width:1.2}
.plate{fill:$paper;fill-opacity:.86}
.place.lit .block,.place.lit .roundel{stroke:$brass;stroke-width:3}
.roundel{fill:$paper;stroke:$ink;stroke-width:1.2}
.roundel.closed,.hair.closed{stroke:$ink2;stroke-dasharray:3 3}
.merchant .nothing{fill:none;stroke:$line;stroke-width:2.2}
.merchant.lit .roundel{fill:$glow}
"""

SHEETS = [COMMON, TILES, MAP, TABLE, CHART]

_COLOUR = re.compile(r"\$[a-z]")


def check_theme(theme: str | None) -> str | None:
    """Check the name of a theme."""
    if theme is None or theme in THEMES:
        return theme
    raise InvalidOption(f"unknown theme {theme!r}; choose one of: {', '.join(THEMES)}, None")


def stylesheet(theme: str = "auto", within: str = ".brass") -> str:
    """The rules for the classes of all pictures inside `within`.

    `auto` is light, or dark if the reader's system is dark. Colours are written out, because not
    every SVG renderer supports variables.
    """
    check_theme(theme)
    if theme in PALETTES:
        return _rules(theme, within)
    dark = _rules("dark", within, colours_only=True)
    return f"{_rules('light', within)}@media (prefers-color-scheme:dark){{{dark}}}"


def _rules(theme: str, within: str, colours_only: bool = False) -> str:
    written = []
    for rule in "".join(SHEETS).split("\n"):
        if not rule or (colours_only and not _COLOUR.search(rule)):
            continue
        selectors, _, body = rule.partition("{")
        scoped = ",".join(f"{within} {selector}" for selector in selectors.split(","))
        written.append(f"{scoped}{{{body}")
    return Template("".join(written)).substitute(PALETTES[theme])
