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
from django.urls import get_script_prefix, reverse
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from brassmill.language import LANGUAGES, NN_, gettext, language, ngettext, pgettext
from brassmill.terms import ordinal
from brassmill.web.identity.auth import is_signed_in
from brassmill.web.page import inline
from brassmill.web.page.log import LineView
from brassmill.web.page.parts import TOKEN
from brassmill.web.page.qr_code import qr_code
from brassmill.web.page.rule_links import rule_links
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

# Enough for a few hundred tables at play.
LINES = 16_384  # of logs, whose markup is kept
PIECES = 16_384  # other parts of tables
URLS = 4096


def environment(**options: Any) -> Environment:
    """The environment: texts in the current language; an undefined name is an error."""
    options |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    made = Environment(**options)
    made.globals.update(
        _=gettext,
        NN_=NN_,
        ngettext=ngettext,
        pgettext=pgettext,
        url=url,
        static=static,
        unversioned=address,
        here=here,
        is_signed_in=is_signed_in,
        is_local=site_url.is_local,
        language=language,
        languages=LANGUAGES,
        icons=ICONS,
        signs=signs(),
        meaning=meaning,
        qr_code=qr_code,
        rule_links=rule_links,
        log_line=lines_in(made),
        piece=pieces_in(made),
        token_input=TOKEN,
        sign=inline.sign,
        icon=inline.icon,
        shape=inline.shape,
        named=inline.named,
        figure_without_symbol=inline.figure_without_symbol,
    )
    made.filters.update(day=day, moment=moment, ordinal=ordinal)
    return made


def lines_in(environment: Environment) -> Callable[[LineView, str, bool], Markup]:
    """The markup of lines of the log, cached: they are sent with the answers to many clicks."""

    @lru_cache(maxsize=LINES, typed=True)
    def markup(_language: str, *shown: Any) -> Markup:
        module: Any = environment.get_template("table/log_line.html").module
        return Markup(module.line_markup(*shown))

    def log_line(line: LineView, name: str, asks: bool) -> Markup:
        """A line with the name of its player; whoever `asks` may want to know why."""
        action = line.action if asks else 0
        told = line.title, line.details, line.figures, line.elements
        return markup(language(), line.seat, name, *told, action)

    return log_line


def pieces_in(environment: Environment) -> Callable[..., Markup]:
    """Parts of the table that stay the same for many clicks, cached by everything they show.

    Their templates get nothing but their inputs: what one viewer may not see cannot come from a
    cache that was filled for another.
    """

    # Typed: 0 and False are equal but shown differently, and so are a text and its markup.
    @lru_cache(maxsize=PIECES, typed=True)
    def markup(_language: str, template: str, **inputs: Any) -> Markup:
        return Markup(environment.get_template(template).render(inputs))

    def piece(template: str, **inputs: Any) -> Markup:
        """The markup of a template with these inputs."""
        return markup(language(), template, **inputs)

    return piece


def url(name: str, *args: Any, **named: Any) -> str:
    """The address of a page by its name."""
    return _url(get_script_prefix(), name, args, tuple(named.items()))


@lru_cache(maxsize=URLS)
def _url(_prefix: str, name: str, args: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> str:
    return reverse(name, args=args, kwargs=dict(named))


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
