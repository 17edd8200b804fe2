"""Small symbols within text, as markup. A table has many of them, so no template makes them."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup, escape

from brassmill.web.page.players import SHAPES


@cache
def _symbol(name: str, class_: str) -> Markup:
    words = '<svg class="{}" viewBox="0 0 24 24" aria-hidden="true"><use href="#{}"/></svg>'
    return Markup(words).format(class_, name)


def sign(name: str) -> Markup:
    """A symbol of the game."""
    return _symbol(f"sign-{name}", "sign")


def icon(name: str) -> Markup:
    """An icon of the page."""
    return _symbol(f"icon-of-{name}", "sign")


def shape(seat: int) -> Markup:
    """The shape of a seat, in its colour."""
    return _symbol(f"shape-{SHAPES[seat]}", f"shape of-{seat}")


def named(name: str, words: str, value: object, id: str = "") -> Markup:  # noqa: A002 (as in HTML)
    """A figure with its symbol; `words` tell what it means here, and a tooltip shows them."""
    return Markup(
        f'<span class="figure" role="img" aria-label="{escape(words)}" tabindex="-1" data-tip>'
        f"{sign(name)} <b{_id(id)}>{escape(value)}</b></span>"
    )


def figure_without_symbol(words: str, value: object, class_: str, id: str = "") -> Markup:  # noqa: A002
    """A figure that needs no symbol."""
    return Markup(
        f'<b class="{escape(class_)}"{_id(id)} role="img" aria-label="{escape(words)}"'
        f' tabindex="-1" data-tip>{escape(value)}</b>'
    )


def _id(name: str) -> str:
    return f' id="{escape(name)}"' if name else ""
