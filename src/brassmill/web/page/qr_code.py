"""A link as a QR code, for the camera of a phone."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=64)  # the waiting room is drawn again at every change
def qr_code(link: str) -> str:
    """The code as SVG: black on white in every theme, as cameras expect it."""
    import segno  # only hosts need it

    code = segno.make_qr(link, error="m")
    return code.svg_inline(border=4, dark="#000", light="#fff", svgclass="qr", omitsize=True)
