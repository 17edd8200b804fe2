"""The Jinja2 environment of the pages."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.templatetags.static import static as address
from django.urls import reverse
from django_htmx.jinja import htmx_script
from jinja2 import Environment, StrictUndefined

from brassmill.language import LANGUAGES, gettext, language, ngettext, pgettext


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
        language=language,
        languages=LANGUAGES,
        htmx_script=htmx_script,
    )
    return made


def url(name: str, *args: Any, **named: Any) -> str:
    """The address of a page by its name."""
    return reverse(name, args=args, kwargs=named)


@cache
def static(path: str) -> str:
    """The address of a static file; it changes with the file, so that it may be kept long."""
    found = finders.find(path)
    if not found:
        raise LookupError(f"there is no static file {path}")
    return f"{address(path)}?{hashlib.sha256(Path(str(found)).read_bytes()).hexdigest()[:12]}"
