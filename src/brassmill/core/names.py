"""The names of questions, actions and sources of VP, by number."""

from __future__ import annotations

from brassmill.editions.edition import INDUSTRY

# The open question, by phase (`rules/layout.py`).
QUESTIONS = (
    "action", "card", "coal", "iron", "end", "more rails", "beer", "remove", "more sales", "buyer",
    "more development", "give up", "turn over", "game over",
)  # fmt: skip

DOINGS = ("nothing", "build", "link", "develop", "sell", "loan", "scout", "pass")

# Sources of VP, by number.
SOURCES = (*INDUSTRY, "links", "bonus", "cash", "income", "debt")

# Numbers of an action in progress: the word, the field, the largest value.
DUE = (
    ("count", "count", 99),
    ("loan", "loan", 3),
    ("cards due", "cards_due", 3),
    ("coal due", "coal_due", 2),
    ("iron due", "iron_due", 2),
    ("beer due", "beer_due", 2),
    ("develop due", "develop_due", 1),
    ("barrel used", "barrel_used", 1),
    ("combined", "combined", 1),
)
