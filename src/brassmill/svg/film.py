"""Short films: pictures one after the other, as an animated WebP.

Drawing takes a fraction of a second for each picture. `filmed` leaves it to a process of its own,
at a low priority, so that a server answers others meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from PIL import Image

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.svg.png import png

BETWEEN = "\0"  # pictures, on their way to another process
SECONDS = 1.4  # for a picture
LAST = 2.0  # times as long for the last one
QUALITY = 70
LONGEST = 600.0  # seconds for a film in another process, however busy the machine is
SOURCES = str(Path(__file__).parents[2])


def film(pictures: Iterable[str], width: int, seconds: float = SECONDS) -> bytes:
    """An animated WebP of standalone pictures, all of one size, each shown for some seconds."""
    first, *others = (_drawn(picture, width) for picture in pictures)
    shown = [round(1000 * seconds)] * (len(others) + 1)
    shown[-1] = round(LAST * shown[-1])
    out = BytesIO()
    first.save(
        out,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=shown,
        loop=0,
        quality=QUALITY,
        method=2,
    )
    return out.getvalue()


def _drawn(picture: str, width: int) -> Image.Image:
    with Image.open(BytesIO(png(picture, width))) as image:
        return image.convert("RGB")


def filmed(pictures: Iterable[str], width: int, seconds: float = SECONDS) -> bytes:
    """The same, made in another process."""
    path = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__, str(width), str(seconds)],
            input=BETWEEN.join(pictures).encode(),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is not for it
            timeout=LONGEST,
            check=True,
        )
    except subprocess.SubprocessError as error:
        raise BrassError(_("The film could not be made. Try again with fewer actions.")) from error
    return done.stdout


def main() -> None:
    """Make a film of the pictures on the standard input."""
    if hasattr(os, "nice"):
        os.nice(10)
    width, seconds = sys.argv[1:]
    pictures = sys.stdin.buffer.read().decode().split(BETWEEN)
    sys.stdout.buffer.write(film(pictures, int(width), float(seconds)))


if __name__ == "__main__":
    main()
