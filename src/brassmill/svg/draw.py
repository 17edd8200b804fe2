"""SVG elements as text, and whole pictures.

Markup is plain text: text for people goes through `words`, which escapes it, and everything else
is written by `element`. There are no colours here: elements have classes, and `theme.py` defines
what the classes look like.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from brassmill.svg.theme import stylesheet

Number = float | int
Value = str | Number | None

NAMESPACE = "http://www.w3.org/2000/svg"


def number(value: Number) -> str:
    """A number with at most two decimals."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def words(text: str) -> str:
    """Text as escaped markup."""
    return escape(text)


def element(name: str, *children: str, **attributes: Value) -> str:
    """An element: `class_` becomes class, `data_choice` data-choice; None is left out."""
    written = "".join(
        [_written(key, value) for key, value in attributes.items() if value is not None]
    )
    content = "".join(children)
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


@lru_cache(20_000)  # the same few recur in every picture of a game
def _written(key: str, value: str | Number) -> str:
    return f" {_attribute(key)}={quoteattr(value if isinstance(value, str) else number(value))}"


def _attribute(key: str) -> str:
    return key if key == "viewBox" else key.rstrip("_").replace("_", "-")


def group(*children: str, **attributes: Value) -> str:
    """Several elements as one."""
    return element("g", *children, **attributes)


def title(text: str) -> str:
    """The text for tooltips and screen readers; must be the first child of its element."""
    return element("title", words(text))


def path(d: str, class_: str | None = None, **attributes: Value) -> str:
    return element("path", class_=class_, d=d, **attributes)


def line(points: Iterable[tuple[Number, Number]], closed: bool = False) -> str:
    """The `d` of a path through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z" * closed


def rect(
    x: Number,
    y: Number,
    width: Number,
    height: Number,
    class_: str | None = None,
    rx: Number | None = None,
    **attributes: Value,
) -> str:
    return element("rect", class_=class_, x=x, y=y, width=width, height=height, rx=rx, **attributes)


def circle(x: Number, y: Number, r: Number, class_: str | None = None, **attributes: Value) -> str:
    return element("circle", class_=class_, cx=x, cy=y, r=r, **attributes)


def text(
    x: Number,
    y: Number,
    content: str,
    size: Number,
    class_: str | None = None,
    anchor: str | None = "middle",
    **attributes: Value,
) -> str:
    """A line of text; `y` is its baseline. Classes set the font (`serif`, `sans`, `bold`)."""
    return element(
        "text",
        words(content),
        class_=class_,
        x=x,
        y=y,
        font_size=size,
        text_anchor=anchor if anchor != "start" else None,
        **attributes,
    )


def moved(x: Number, y: Number, scale: Number = 1) -> str:
    """The `transform` that moves and scales a drawing."""
    place = f"translate({number(x)} {number(y)})"
    return place if scale == 1 else f"{place} scale({scale:.4g})"


@dataclass(frozen=True)
class Picture:
    """A drawing with its size: a document or a part of another picture."""

    kind: str  # map, mat, market, ...: a class of its outermost element
    width: float
    height: float
    label: str  # what it shows, in words
    body: str
    still: bool = False  # nothing to choose in it: an image, even on a page
    live: bool = False  # its parts have their own titles, which a title would hide

    def document(self, theme: str | None) -> str:
        """A whole SVG: for a page (None: the page has the style sheet), or standalone."""
        style = "" if theme is None else element("style", stylesheet(theme, f".brass.{theme}"))
        return element(
            "svg",
            "" if self.live else title(self.label),
            style,
            self.body,
            xmlns=NAMESPACE,
            class_=f"brass {self.kind}" + (f" {theme}" if theme else ""),
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            # The role of an image would hide the controls in it.
            role="group" if theme is None and not self.still else "img",
            aria_label=self.label,
        )

    def inside(self, x: Number, y: Number, width: Number | None = None) -> str:
        """The picture as a part of another one, at its own size or at a given width."""
        scale = 1 if width is None else width / self.width
        return group(self.body, class_=self.kind, transform=moved(x, y, scale))


def classes(*names: str | bool | None) -> str:
    """The value of a class attribute: the names that are not None or False."""
    return " ".join(name for name in names if isinstance(name, str) and name)


def numbers(values: Sequence[int]) -> str | None:
    """The value of a `data-choice`: the numbers of choices; None if there are none."""
    return " ".join(map(str, values)) or None
