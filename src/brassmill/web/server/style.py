"""The style sheet of the pictures, with their typeface, and their colours as variables."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.views.decorators.http import etag, require_safe

from brassmill.svg.theme import PALETTES, stylesheet

THEME = "theme"  # the cookie of a reader who chose light or dark; otherwise the system decides

# Dark pages: chosen by the reader, or matching a dark system.
DARK = ":root[data-theme=dark]"
AUTO = ":root[data-theme=auto]"


def chosen_theme(name: str | None) -> str:
    """The theme of this name; empty if there is none, or none was chosen."""
    return name if name in PALETTES else ""


@cache
def sheet() -> str:
    """The whole style sheet: light, and dark where the page or the system is."""
    dark = f"{colours('dark', AUTO)}{stylesheet('dark', f'{AUTO} .brass')}"
    return (
        f"{_faces()}{colours('light', ':root')}{stylesheet('light')}"
        f"{colours('dark', DARK)}{stylesheet('dark', f'{DARK} .brass')}"
        f"@media (prefers-color-scheme:dark){{{dark}}}"
    )


def _faces() -> str:
    """The typeface of titles and towns."""
    return "".join(
        f"@font-face{{font-family:Besley;font-weight:{weight};font-style:{style};"
        f"font-display:swap;src:url({static(f'web/fonts/besley-{weight}-{style}.woff2')})}}"
        for weight in (400, 700)
        for style in ("normal", "italic")
    )


def colours(theme: str, within: str) -> str:
    """The colours of a palette as CSS variables: `var(--paper)`."""
    return f"{within}{{{''.join(f'--{name}:{value};' for name, value in PALETTES[theme].items())}}}"


@cache
def version() -> str:
    """A tag that changes with the sheet."""
    return f'"{sha256(sheet().encode()).hexdigest()[:16]}"'


@require_safe
@etag(lambda request: version())
def brass_css(request: HttpRequest) -> HttpResponse:
    """The sheet, which browsers revalidate."""
    response = HttpResponse(sheet(), content_type="text/css; charset=utf-8")
    patch_cache_control(response, public=True, no_cache=True)
    return response
