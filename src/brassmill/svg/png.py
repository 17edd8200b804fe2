"""Pictures as PNG, with resvg."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import resvg_py

from brassmill.errors import BrassError
from brassmill.language import gettext as _

# Besley comes with us. For sans-serif text, resvg does not know the system's default, so we name
# common fonts, best first.
SERIF = "Besley"
FONTS = [str(file) for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
SANSES = (
    *("Inter", "Segoe UI", "Helvetica Neue", "Roboto", "Arial", "DejaVu Sans", "Noto Sans"),
    *("Liberation Sans", "Helvetica", "FreeSans", "Nimbus Sans", "Open Sans", "Ubuntu"),
)

LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
    '<text y="16" font-family="{}" font-size="16">M</text></svg>'
)
NO_LETTER = LETTER.replace("M</", "</")
# The program of a process that draws one picture.
DRAW = """
import json, resvg_py, sys
sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(**json.load(sys.stdin.buffer))))
"""


def png(picture: str, width: int | None = None) -> bytes:
    """A standalone SVG as PNG at a given width; one with both themes becomes light."""
    return bytes(resvg_py.svg_to_bytes(**_arguments(picture, width)))


def png_elsewhere(picture: str, width: int | None = None) -> bytes:
    """The same, drawn in a process of its own: drawing would hold up all threads of this one."""
    given = json.dumps(_arguments(picture, width)).encode()
    command = [sys.executable, "-c", DRAW]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout


def _arguments(picture: str, width: int | None) -> dict[str, Any]:
    if "<style>" not in picture:
        raise BrassError(
            _("this picture has no colours of its own; draw it with theme='light' or theme='dark'")
        )
    return {
        "svg_string": picture,
        "width": width,
        "font_files": FONTS,
        "serif_family": SERIF,
        "sans_serif_family": _first(SANSES) or SERIF,
    }


@cache
def _first(families: tuple[str, ...]) -> str | None:
    """The first installed font of several, found by drawing a letter with each."""
    nothing = resvg_py.svg_to_bytes(svg_string=NO_LETTER.format(families[0]))
    for family in families:
        if resvg_py.svg_to_bytes(svg_string=LETTER.format(family)) != nothing:
            return family
    return None
