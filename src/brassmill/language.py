"""The language of messages: English, German or French.

Messages are written in English in the code, marked, and looked up in the catalogues under `locale/`
when they are shown. The language belongs to the context (a thread or a task), so one process can
serve people in different languages.

>>> from brassmill.language import gettext, speaking
>>> with speaking("de"):
...     gettext("The game is over.")
'Das Spiel ist zu Ende.'
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations, find
from pathlib import Path

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
DOMAIN = "brassmill"
FOLDER = Path(__file__).parent / "locale"

log = logging.getLogger("brassmill")

Text = Mapping[str, str]  # one text in several languages, by their codes

_language = ContextVar("language", default="en")


def N_(message: str) -> str:  # noqa: N802 (the name every translator knows)
    """Mark a message to translate later; here it stays English."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802
    """Mark a message with singular and plural to translate later."""
    return one, many


def gettext(message: str) -> str:
    """A message in the language of the context."""
    return _catalogue(_language.get()).gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """A message that depends on a number."""
    return _catalogue(_language.get()).ngettext(one, many, number)


def pgettext(context: str, message: str) -> str:
    """A word that means different things in different contexts."""
    return _catalogue(_language.get()).pgettext(context, message)


def either(things: Sequence[object]) -> str:
    """A list with "or": `2, 3 or 4`."""
    return _listed(gettext("{others} or {last}"), things)


def together(things: Sequence[object]) -> str:
    """A list with "and": `cotton mills, coal mines and ports`."""
    return _listed(gettext("{others} and {last}"), things)


def _listed(words: str, things: Sequence[object]) -> str:
    *others, last = map(str, things)
    return words.format(others=", ".join(others), last=last) if others else last


def language() -> str:
    """The language of the context."""
    return _language.get()


def in_language(text: Text) -> str:
    """A text in the language of the context, or else in English."""
    return text.get(language()) or text.get("en", "")


def missing_languages(text: Text) -> list[str]:
    """The languages that a text lacks."""
    return [code for code in LANGUAGES if not text.get(code)]


def speak(code: str) -> None:
    """Use a language from now on."""
    _language.set(known(code))


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use a language for a while."""
    token = _language.set(known(code))
    try:
        yield
    finally:
        _language.reset(token)


def known(code: str) -> str:
    """The code of a language, if there is a catalogue for it."""
    if code in LANGUAGES:
        return code
    from brassmill.errors import InvalidOption

    spoken = ", ".join(f"{known} ({name})" for known, name in LANGUAGES.items())
    words = gettext("unknown language {code!r}; choose one of: {spoken}")
    raise InvalidOption(words.format(code=code, spoken=spoken))


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language set in the environment, read as gettext does."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if wishes := environment.get(variable):  # the first that is set decides
            codes = [wish[:2].casefold() for wish in wishes.split(":")]
            return next((code for code in codes if code in LANGUAGES), "en")
    return "en"


@cache
def _catalogue(code: str) -> NullTranslations:
    if code == "en":
        return NullTranslations()
    compiled = find(DOMAIN, str(FOLDER), [code])
    if compiled is None:
        log.warning(
            "the %s catalogue is not compiled, using English: install the package (make play,"
            " or pip install)",
            LANGUAGES[code],
        )
        return NullTranslations()
    with open(compiled, "rb") as file:
        return GNUTranslations(file)
