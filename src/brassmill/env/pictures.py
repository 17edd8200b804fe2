"""Views as an environment renders them."""

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
WIDTH = 100  # letters in a line
SIZE = (1280, 1344)  # pixels; all pictures have the same, because frames of a video must

Picture = str | NDArray[np.uint8]


def check_mode(mode: str | None) -> str | None:
    """A render mode, if it is one."""
    if mode not in (None, *MODES):
        raise BrassError(f"there is no render mode {mode!r}: it is {', '.join(MODES)} or None")
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
    """A picture in red, green and blue: at the top of a frame that has its ground."""
    with Image.open(BytesIO(svg.png(table, SIZE[0]))) as drawn:
        image = drawn.convert("RGB")
    image.thumbnail(SIZE)  # if it is higher than the frame
    frame = Image.new("RGB", SIZE, image.getpixel((0, 0)))
    frame.paste(image)
    return np.asarray(frame)
