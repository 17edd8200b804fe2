"""The order of checks in `matching` is the order in the source of the rules."""

from __future__ import annotations

import ast

import pytest

from brassmill.notation.matching import CHECKED, ELSEWHERE
from brassmill.rules.choices import KINDS
from brassmill.rules.reasons import Reason
from support.paths import ROOT

# The functions that say why a choice of each kind is not open; for a build, with a named card too.
ASKED = {
    "BUILD": ("build_card_reason", "build_reason"),
    "LINK": ("link_reason", "more_rail_reason"),
    "SELL": ("sell_reason",),
    "DEVELOP": ("develop_reason",),
    "LOAN": ("loan_reason",),
    "SCOUT": ("scout_reason",),
    "PASS": ("pass_reason",),
    "CARD": ("build_card_reason",),
    "TWO_CARDS": ("build_card_reason",),
    "COAL_FROM": ("coal_reason",),
    "IRON_FROM": ("iron_reason",),
    "BEER_FROM": ("brewery_reason",),
    "BARREL_OF": ("barrel_reason",),
    "COAL_AT": ("end_reason",),
    "SELL_TO_PORT": ("buyer_reason",),
    "SELL_FAR": ("buyer_reason",),
    "REMOVE": ("remove_reason",),
    "GIVE_UP": ("debt_tile_reason",),
    "DONE": (),
}
# Not specific to one kind of choice.
GENERAL = {"OK", "GAME_IS_OVER", "NOT_ASKED_NOW", "NOT_IN_THIS_GAME", "ACTION_UNFINISHED"}

RULES = {
    node.name: node
    for path in (ROOT / "src" / "brassmill" / "rules").glob("*.py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef)
}


class Reasons(ast.NodeVisitor):
    """Collect the reasons of a function and of those it calls, in source order."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id == "Reason":
            self.found.append(node.attr)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in RULES:
            self.visit(RULES[node.func.id])


def reasons_of(function: str) -> list[Reason]:
    """Return the reasons why a choice is not open, each once, in the order of the checks."""
    visitor = Reasons()
    visitor.visit(RULES[function])
    return [Reason[name] for name in dict.fromkeys(visitor.found) if name not in GENERAL]


def test_every_kind_is_checked() -> None:
    assert [*CHECKED] == [*ASKED] == [kind.name for kind in KINDS]


@pytest.mark.parametrize("kind", CHECKED)
def test_the_order_is_the_same_as_in_the_rules(kind: str) -> None:
    # A reference to another space passes no check, wherever the rules make it.
    checked = [reason for reason in CHECKED[kind] if reason not in ELSEWHERE]
    for function in ASKED[kind]:
        told = [reason for reason in reasons_of(function) if reason in checked]
        assert told == [reason for reason in checked if reason in told]
    assert {*CHECKED[kind]} <= {
        reason for function in ASKED[kind] for reason in reasons_of(function)
    }
