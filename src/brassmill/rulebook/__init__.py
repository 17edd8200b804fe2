"""The rules of the three games in our own words, with examples that the rules confirm.

`chapters` has one file for each chapter, `examples` the scenarios they show. The web pages, the
page of rule ids and the player aid are made from them. `docs/contribute/rulebook.md` says how to
write a rule.
"""

from __future__ import annotations

from brassmill.rulebook.book import PLAYERS, Chapter, Example, Rule, chapters, rules

__all__ = ["PLAYERS", "Chapter", "Example", "Rule", "chapters", "rules"]
