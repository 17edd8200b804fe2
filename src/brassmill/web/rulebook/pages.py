"""What the pages of the rules show, in the language of the context.

A page takes a while to make: its pictures are drawn, and the rules judge its examples. It is the
same for everyone, so it is kept.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import escape
from markupsafe import Markup

from brassmill.core.events import ERAS
from brassmill.editions import EDITIONS
from brassmill.editions import edition as edition_of
from brassmill.language import gettext as _
from brassmill.language import in_language, language
from brassmill.rulebook import PLAYERS, Rule, chapters, rules
from brassmill.rulebook.brief import in_brief
from brassmill.rulebook.comparison import comparison
from brassmill.rulebook.once import made_once
from brassmill.rulebook.verdicts import ShownExample, case_of, shown
from brassmill.rules import jit
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.page.key import key_context
from brassmill.web.server import startup

_CODE = re.compile(r"`([^`]+)`")
_ID = re.compile(r"\b[A-Z]+-[0-9A-Z]+\b|\b6\.[1-4A-D]\b")


@dataclass(frozen=True)
class ShownRule:
    """A rule for the page of a game."""

    id: str
    anchor: str
    title: str
    paragraphs: tuple[Markup, ...]
    books: str  # where the printed rulebooks say it
    examples: tuple[ShownExample, ...]


@dataclass(frozen=True)
class ShownChapter:
    """A chapter for the page of a game."""

    anchor: str
    title: str
    intro: str
    rules: tuple[ShownRule, ...]


def is_ready() -> bool:
    """Can the rules judge examples in an instant?"""
    startup.settle()
    return startup.is_compiled() or not jit.is_plain()


def chapters_of(game: str, theme: str = "") -> tuple[ShownChapter, ...]:
    """The chapters of a game in the language of the context.

    `theme` is light or dark if the reader has chosen it. There are no examples before the rules
    are compiled: judging them would take many seconds.
    """
    return _chapters(game, theme, language(), is_ready())


@made_once
def _chapters(game: str, theme: str, code: str, examples: bool) -> tuple[ShownChapter, ...]:
    found = []
    for number, chapter in enumerate(chapters(), 1):
        own = tuple(_shown(rule, game, theme, examples) for rule in chapter.rules_of(game))
        if own:
            intro = in_language(chapter.intro) if chapter.intro else ""
            found.append(ShownChapter(f"chapter-{number}", in_language(chapter.title), intro, own))
    return tuple(found)


def _shown(rule: Rule, game: str, theme: str, with_examples: bool) -> ShownRule:
    query = f"?theme={theme}" if theme else ""
    ground = {era: reverse("ground", args=[game, era]) + query for era in ERAS}
    found = (shown(example, game, ground) for example in rule.examples if with_examples)
    return ShownRule(
        id=rule.id.replace("`", ""),
        anchor=rule.anchor,
        title=in_language(rule.title) if rule.title else "",
        paragraphs=tuple(marked(text, game, rule.id) for text in rule.paragraphs(game)),
        books="; ".join(f"{year}: {name}" for year, name in rule.books.items()),
        examples=tuple(example for example in found if example),
    )


def marked(text: str, game: str, own: str = "") -> Markup:
    """A text of the rules as markup: names of options as code, and other rules as links."""

    def link(found: re.Match[str]) -> str:
        name = found[0]
        if name == own or name not in rules() or game not in rules()[name].games:
            return name
        return f'<a href="#{rules()[name].anchor}">{name}</a>'

    linked = _ID.sub(link, str(escape(text)))
    return Markup(_CODE.sub(r"<code>\1</code>", linked))


def game_context(game: str, theme: str) -> dict[str, Any]:
    """The template context of the page of a game."""
    return {
        "edition": game,
        "title": title_of(game),
        "sections": in_brief(game),
        "chapters": chapters_of(game, theme),
        "is_ready": is_ready(),
        "players": PLAYERS,
        "others": [(name, title_of(name)) for name in EDITION_ORDER if name != game],
        **key_context(edition_of(game)),
    }


def game_data(game: str) -> dict[str, Any]:
    """The rules of a game as data, without pictures."""
    return {
        "edition": game,
        "title": title_of(game),
        "sections": [section._asdict() for section in in_brief(game)],
        "chapters": [
            {"title": in_language(chapter.title), "rules": [_data(rule, game) for rule in own]}
            for chapter in chapters()
            if (own := chapter.rules_of(game))
        ],
    }


def _data(rule: Rule, game: str) -> dict[str, Any]:
    verdicts = [
        {"title": example.title, "verdicts": [asdict(verdict) for verdict in example.verdicts]}
        for chapter in chapters_of(game)
        for shown_rule in chapter.rules
        if shown_rule.anchor == rule.anchor
        for example in shown_rule.examples
    ]
    title = in_language(rule.title) if rule.title else ""
    text = " ".join(rule.paragraphs(game))
    return {"id": rule.id, "title": title, "text": text, "examples": verdicts}


def index_context() -> dict[str, Any]:
    """The template context of the page that compares the games."""
    return {
        "games": [(name, title_of(name), EDITIONS[name]) for name in EDITION_ORDER],
        "rows": [
            (
                in_language(row.title),
                [(name, marked(row.cells[name], name), row.rules) for name in EDITION_ORDER],
            )
            for row in comparison()
        ],
        "counts": {name: _counts(name) for name in EDITION_ORDER},
    }


def _counts(game: str) -> str:
    """How much there is to read."""
    own = [rule for rule in rules().values() if game in rule.games]
    examples = sum(case_of(example, game) is not None for rule in own for example in rule.examples)
    return _("{rules} rules, {examples} examples").format(rules=len(own), examples=examples)
