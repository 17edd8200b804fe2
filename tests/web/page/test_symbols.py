"""One symbol, one meaning: the registries of symbols, and how pages use them."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client

from brassmill import terms
from brassmill.editions import EDITIONS
from brassmill.language import LANGUAGES, speaking
from brassmill.rulebook.brief import in_brief
from brassmill.svg.glyphs import MARKS, PATHS
from brassmill.web.page.symbols import ICONS, meaning, signs
from support.paths import ROOT
from support.web import make_table, visitor

pytestmark = pytest.mark.usefixtures("site")

TEMPLATES = ROOT / "src" / "brassmill" / "web" / "templates"
OTHER_ICONS = re.compile(r'<symbol id="([\w-]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


def drawings() -> list[tuple[str, str]]:
    """Return every symbol of game and pages with its drawing."""
    found = [(f"sign {name}", d) for name, d in signs().items()]
    found += [(f"icon {name}", symbol.d) for name, symbol in ICONS.items()]
    for file in sorted(TEMPLATES.rglob("*.html")):
        found += [
            (name, " ".join(drawn.split()))
            for name, drawn in OTHER_ICONS.findall(file.read_text())
            if "{{" not in name
        ]
    return found


def test_no_drawing_stands_for_two_symbols() -> None:
    counted = Counter(drawn for _name, drawn in drawings())
    assert not [name for name, drawn in drawings() if counted[drawn] > 1]


def test_no_two_symbols_have_the_same_meaning() -> None:
    for code in LANGUAGES:
        with speaking(code):
            meanings = [meaning(name) for name in signs()]
            assert all(meanings)
            assert len(set(meanings)) == len(meanings), code
    icons = [symbol.meaning for symbol in ICONS.values()]
    assert len({*icons, *(mark.meaning for mark in MARKS.values())}) == len(icons) + len(MARKS)


def test_the_meaning_of_an_industry_is_the_industry() -> None:
    assert {name: meaning(name) for name in PATHS} == {name: terms.industry(name) for name in PATHS}


def test_pages_use_registered_symbols_only() -> None:
    used: set[tuple[str, str]] = set()
    for file in sorted((TEMPLATES / "table").rglob("*.html")):
        text = file.read_text()
        if '"shared/macros.html"' not in text:  # which has icons of its own
            used |= set(re.findall(r'\b(sign|named|icon)\("(\w+)"', text))
    assert {name for macro, name in used if macro == "icon"} <= ICONS.keys()
    assert {name for macro, name in used if macro != "icon"} <= signs().keys()
    for edition in EDITIONS:
        assert {section.symbol for section in in_brief(edition)} <= {*ICONS, *MARKS}


def test_a_symbol_of_the_game_stands_for_its_meaning_alone() -> None:
    """On a table page each is in a figure whose tooltip tells it, or in the tab of the hand."""
    ada = visitor("ada")
    page = ada.get(f"/t/{make_table('Ada,random', seed=3, key='ada').id}/").content.decode()
    words = {  # what the tooltips of a symbol may speak of
        "income": ["Income"],
        "cards": ["cards in hand", "Hand"],
        "link": ["link"],
        "flipped": ["flipped tiles"],
        "points": ["VP"],
        "money": ["money"],
    }
    holders = re.findall(
        r'<span[^>]*aria-label="([^"]*)"[^>]* data-tip>\s*<svg[^>]*><use href="#sign-(\w+)"', page
    )
    tabs = re.findall(r'<use href="#sign-(\w+)"/></svg><span>([^<]*)</span>', page)
    told = [*((name, tip) for tip, name in holders), *tabs]
    assert len(told) == page.count('href="#sign-')
    for name, tip in told:
        expected = words[name] if name in MARKS else [terms.industry(name)]
        assert any(each.lower() in tip.lower() for each in expected), (name, tip)
    assert {"income", "cards", "link", "flipped"} <= {name for name, _tip in told}


def test_the_brief_has_a_symbol_of_its_own_for_each_section() -> None:
    for edition in EDITIONS:
        symbols = [section.symbol for section in in_brief(edition)]
        assert len(set(symbols)) == len(symbols)
    assert "#icon-of-scout" in Client().get("/rules/birmingham/").content.decode()
