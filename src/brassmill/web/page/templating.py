"""The Jinja2 environment of the pages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.templatetags.static import static as address
from django.urls import reverse
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from brassmill.language import LANGUAGES, gettext, language, ngettext, pgettext
from brassmill.terms import ordinal
from brassmill.web.identity.auth import is_signed_in
from brassmill.web.page.log import LineView
from brassmill.web.page.players import SHAPES
from brassmill.web.page.qr_code import qr_code
from brassmill.web.page.symbols import ICONS, meaning, signs
from brassmill.web.page.time_words import day, moment
from brassmill.web.server import site_url

FORMS = (
    "new",
    "upload",
    "sign_up",
    "sign_in",
    "forgotten",
    "reset",
)  # pages that post to their own address

LINES = 4096  # of logs, whose markup is kept


def environment(**options: Any) -> Environment:
    """The environment: texts in the current language; an undefined name is an error."""
    options |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    made = Environment(**options)
    made.globals.update(
        _=gettext,
        ngettext=ngettext,
        pgettext=pgettext,
        url=url,
        static=static,
        here=here,
        is_signed_in=is_signed_in,
        is_local=site_url.is_local,
        language=language,
        languages=LANGUAGES,
        icons=ICONS,
        signs=signs(),
        meaning=meaning,
        qr_code=qr_code,
        seat_shapes=SHAPES,
        log_line=lines_in(made),
    )
    made.filters.update(day=day, moment=moment, ordinal=ordinal)
    return made


def lines_in(environment: Environment) -> Callable[[LineView, str, bool], Markup]:
    """The markup of lines of the log, cached: they are sent with the answers to many clicks."""

    @lru_cache(maxsize=LINES)
    def markup(_language: str, *shown: Any) -> Markup:
        module: Any = environment.get_template("table/log_line.html").module
        return Markup(module.line_markup(*shown))

    def log_line(line: LineView, name: str, asks: bool) -> Markup:
        """A line with the name of its player; whoever `asks` may want to know why."""
        action = line.action if asks else 0
        told = line.title, line.details, line.figures, line.elements
        return markup(language(), line.seat, name, *told, action)

    return log_line


def url(name: str, *args: Any, **named: Any) -> str:
    """The address of a page by its name."""
    return reverse(name, args=args, kwargs=named)


def here(request: HttpRequest) -> str:
    """The address to return to: this page, unless it is the response to a post."""
    page = request.resolver_match
    if request.method == "POST" and (page is None or page.url_name not in FORMS):
        return reverse("home")
    return request.get_full_path()


@cache
def static(path: str) -> str:
    """The URL of a static file; it changes with the file, so browsers may cache it long."""
    found = finders.find(path)
    if not found:
        raise LookupError(f"no static file {path}")
    return f"{address(path)}?{hashlib.sha256(Path(str(found)).read_bytes()).hexdigest()[:12]}"
