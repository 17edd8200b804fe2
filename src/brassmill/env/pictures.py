"""Rendering of views."""

from __future__ import annotations

from io import BytesIO, StringIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.console import Console

from brassmill import editions, svg
from brassmill.cli.screen import Screen
from brassmill.core.view import View
from brassmill.errors import BrassError

MODES = ["ansi", "rgb_array", "svg"]
WIDTH = 100  # characters in a line
SIZE = (1280, 1344)  # pixels; all frames of a video must have the same size

Picture = str | NDArray[np.uint8]


def check_mode(mode: str | None) -> str | None:
    """Check a render mode."""
    if mode not in (None, *MODES):
        raise BrassError(f"unknown render mode {mode!r}; choose {', '.join(MODES)} or None")
    return mode


def picture(view: View, mode: str | None) -> Picture | None:
    """A view as text for a terminal, as pixels, or as SVG."""
    if mode == "svg":
        return svg.table(view)
    if mode == "rgb_array":
        return pixels(svg.table(view))
    if mode == "ansi":
        text = StringIO()
        edition = editions.edition(view.edition, view.players, **view.options)
        console = Console(file=text, width=WIDTH, force_terminal=True)
        Screen(console, edition).board(view)
        return text.getvalue()
    return None


def pixels(table: str) -> NDArray[np.uint8]:
    """A picture as RGB pixels, at the top of a frame filled with its background."""
    with Image.open(BytesIO(svg.png(table, SIZE[0]))) as drawn:
        image = drawn.convert("RGB")
    image.thumbnail(SIZE)  # if it is taller than the frame
    frame = Image.new("RGB", SIZE, image.getpixel((0, 0)))
    frame.paste(image)
    return np.asarray(frame)
