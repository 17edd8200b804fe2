"""Make the typeface of pages and pictures: a subset of Besley, and its widths.

Besley, a revival of the Clarendon of 1845, is free under the SIL Open Font License. Run this with
the unpacked package `@fontsource/besley` (from npm); it needs fonttools and brotli:

    npm pack @fontsource/besley@5.3.0 && tar xzf fontsource-besley-5.3.0.tgz
    python docs/fonts.py package

It writes WOFF2 for browsers, TTF for PNG and the licence, and prints the widths of
`svg/lettering.py`: for each letter, the wider of Besley and DejaVu Serif, which is drawn instead
where a reader has no Besley.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from textwrap import fill

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from brassmill.svg.lettering import LETTERS

SOURCE = Path(__file__).parents[1] / "src" / "brassmill"
FOR_PNG = SOURCE / "svg" / "fonts"
FOR_PAGES = SOURCE / "web" / "static" / "web" / "fonts"
FACES = ("400-normal", "700-normal", "400-italic", "700-italic")
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")
WIDE = {"serif": ("DejaVuSerif", "400"), "serif bold": ("DejaVuSerif-Bold", "700")}


def cut(package: Path, face: str) -> None:
    """Keep the letters of the three languages and write both files of a face."""
    options = subset.Options()
    options.layout_features = ["kern", "liga", "lnum", "tnum", "mark", "ccmp", "locl"]
    options.recalc_timestamp = False
    font = TTFont(package / "files" / f"besley-latin-{face}.woff2", recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(text=LETTERS)
    cutter.subset(font)
    font.flavor = "woff2"
    font.save(FOR_PAGES / f"besley-{face}.woff2")
    font.flavor = None
    font.save(FOR_PNG / f"besley-{face}.ttf")


def advances(font: TTFont) -> dict[str, int]:
    """The width of each letter in thousandths of the font size."""
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    unit = font["head"].unitsPerEm
    return {
        letter: round(widths[glyphs[ord(letter)]][0] * 1000 / unit)
        for letter in LETTERS
        if ord(letter) in glyphs
    }


def main(package: Path) -> None:
    """Write the files and print the widths."""
    for folder in (FOR_PNG, FOR_PAGES):
        folder.mkdir(exist_ok=True)
        shutil.copy(package / "LICENSE", folder / "OFL.txt")
    for face in FACES:
        cut(package, face)
    for style, (name, weight) in WIDE.items():
        fonts = [TTFont(DEJAVU / f"{name}.ttf")]
        faces = (f"besley-{weight}-{slope}.ttf" for slope in ("normal", "italic"))
        fonts += [TTFont(FOR_PNG / face) for face in faces]
        tables = [advances(font) for font in fonts]
        widest = [str(max(table.get(letter, 0) for table in tables)) for letter in LETTERS]
        print(style, fill(" ".join(widest), 88), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
