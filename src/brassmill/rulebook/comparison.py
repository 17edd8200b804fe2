"""The three games side by side: what differs, with numbers from the tables of the editions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from brassmill import terms
from brassmill.editions import EDITIONS, edition
from brassmill.editions.edition import INDUSTRY, Market
from brassmill.errors import BrassError
from brassmill.language import Text, either, in_language, missing_languages, together
from brassmill.rulebook.book import FOLDER, NOTES, typeset


@dataclass(frozen=True)
class ComparisonRow:
    """A point on which the games differ, in the language of the context."""

    title: Text
    cells: Mapping[str, str]  # by edition
    rules: tuple[str, ...]  # that say more


def comparison() -> list[ComparisonRow]:
    """All rows in the language of the context."""
    return [
        ComparisonRow(
            title=row["title"],
            cells={
                game: in_language(row["cells"][game]).format(**_fields(game)) for game in EDITIONS
            },
            rules=tuple(row["rules"]),
        )
        for row in _rows()
    ]


@cache
def _rows() -> list[dict[str, Any]]:
    """The rows of the file, with a cell for every game."""
    table = tomllib.loads((FOLDER / "comparison.toml").read_text(encoding="utf-8"))
    return [_row(row) for row in table["row"]]


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    keys = {"all": tuple(EDITIONS), **NOTES}
    cells = {game: row[key] for key, games in keys.items() if key in row for game in games}
    for text in (row["title"], *(cells.get(game, {}) for game in EDITIONS)):
        if missing := missing_languages(text):
            raise BrassError(f"comparison.toml, {row['title']}: no text for {', '.join(missing)}")
    set_cells = {game: _typeset(text) for game, text in cells.items()}
    return {"title": _typeset(row["title"]), "cells": set_cells, "rules": row["rules"]}


def _typeset(text: Text) -> Text:
    return {code: typeset(words, code) for code, words in text.items()}


def _fields(game: str) -> dict[str, str]:
    """The numbers of a game, in words."""
    counts = sorted(EDITIONS[game].players)
    boxes = [edition(game, players) for players in counts]
    box = boxes[-1]
    icons = sorted({row.icons for row in box.tiles if row.eras != "never"})
    return {
        "players": either(counts),
        "cash": terms.pounds(box.start_cash),
        "rounds": " / ".join(str(one.rounds) for one in boxes),
        "industries": together([terms.industries(INDUSTRY[number]) for number in box.industries]),
        "loans": either([terms.pounds(pounds) for pounds in box.loans]),
        "icons": either(icons),
        **_market("coal", box.coal_market),
        **_market("iron", box.iron_market),
    }


def _market(name: str, market: Market) -> dict[str, str]:
    return {
        f"{name}_start": str(market.start),
        f"{name}_low": terms.pounds(market.prices[0]),
        f"{name}_high": terms.pounds(market.prices[-1]),
        f"{name}_empty": terms.pounds(market.empty_price),
    }
