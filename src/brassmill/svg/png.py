"""Pictures as PNG, with resvg."""

from __future__ import annotations

from functools import cache

import resvg_py

from brassmill.errors import BrassError
from brassmill.language import gettext as _

# resvg does not know the system's default fonts, so we name common ones, best first.
SERIFS = (
    *("Libre Baskerville", "Baskerville", "Iowan Old Style", "Palatino Linotype", "Palatino"),
    *("Book Antiqua", "Georgia", "DejaVu Serif", "Noto Serif", "Liberation Serif"),
    *("Times New Roman", "Times", "FreeSerif", "Nimbus Roman", "Tinos", "Cambria"),
)
SANSES = (
    *("Inter", "Segoe UI", "Helvetica Neue", "Roboto", "Arial", "DejaVu Sans", "Noto Sans"),
    *("Liberation Sans", "Helvetica", "FreeSans", "Nimbus Sans", "Open Sans", "Ubuntu"),
)

LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
    '<text y="16" font-family="{}" font-size="16">M</text></svg>'
)
NO_LETTER = LETTER.replace("M</", "</")


def png(picture: str, width: int | None = None) -> bytes:
    """A standalone SVG as PNG at a given width; one with both themes becomes light."""
    if "<style>" not in picture:
        raise BrassError(
            _("this picture has no colours of its own; draw it with theme='light' or theme='dark'")
        )
    serif, sans = _first(SERIFS), _first(SANSES)
    if serif is None and sans is None and "<text" in picture:
        raise BrassError(
            _(
                "no known font is installed, so the picture would have no text; install one"
                " (Debian, Ubuntu: apt install fonts-dejavu), or use SVG"
            )
        )
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture,
            width=width,
            serif_family=serif or sans,
            sans_serif_family=sans or serif,
        )
    )


@cache
def _first(families: tuple[str, ...]) -> str | None:
    """The first installed font of several, found by drawing a letter with each."""
    nothing = resvg_py.svg_to_bytes(svg_string=NO_LETTER.format(families[0]))
    for family in families:
        if resvg_py.svg_to_bytes(svg_string=LETTER.format(family)) != nothing:
            return family
    return None
