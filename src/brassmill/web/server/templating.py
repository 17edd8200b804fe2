"""The Jinja2 environment of the pages."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.templatetags.static import static as address
from django.urls import reverse
from jinja2 import Environment, StrictUndefined

from brassmill.language import LANGUAGES, N_, gettext, language, ngettext, pgettext
from brassmill.terms import ordinal
from brassmill.web.identity.auth import is_signed_in
from brassmill.web.server import site_url

MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)

FORMS = (
    "new",
    "upload",
    "sign_up",
    "sign_in",
    "forgotten",
    "reset",
)  # pages that are sent to where they were fetched


def environment(**options: Any) -> Environment:
    """It speaks the language of the context; a name that a page does not know is an error."""
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
    )
    made.filters.update(day=day, moment=moment, ordinal=ordinal)
    return made


def day(on: date | str) -> str:
    """A day in words; what is written in a record and is no date stays as it is."""
    if isinstance(on, str):
        try:
            return day(date.fromisoformat(on))
        except ValueError:
            return on
    number = ordinal(1) if language() == "fr" and on.day == 1 else str(on.day)
    words = gettext("{day} {month} {year}")
    return words.format(day=number, month=gettext(MONTHS[on.month - 1]), year=on.year)


def moment(at: datetime) -> str:
    """A day and the time of it."""
    return gettext("{day}, {time}").format(day=day(at), time=f"{at:%H:%M}")


def url(name: str, *args: Any, **named: Any) -> str:
    """The address of a page by its name."""
    return reverse(name, args=args, kwargs=named)


def here(request: HttpRequest) -> str:
    """Where to come back to: this page, unless it is an answer to something that was sent."""
    page = request.resolver_match
    if request.method == "POST" and (page is None or page.url_name not in FORMS):
        return reverse("home")
    return request.get_full_path()


@cache
def static(path: str) -> str:
    """The address of a static file; it changes with the file, so that it may be kept long."""
    found = finders.find(path)
    if not found:
        raise LookupError(f"there is no static file {path}")
    return f"{address(path)}?{hashlib.sha256(Path(str(found)).read_bytes()).hexdigest()[:12]}"
