"""Links to the rules behind a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse

from brassmill.rulebook import rules


class RuleLink(NamedTuple):
    """The id of a rule and the address of its text."""

    id: str
    url: str


def rule_links(edition: str, ids: Iterable[str]) -> list[RuleLink]:
    """The rules of an edition among these, with their addresses."""
    known = rules()
    found = (known[rule] for rule in ids if rule in known and edition in known[rule].games)
    page = reverse("rules_of", args=[edition])
    return [RuleLink(rule.id, f"{page}#{rule.anchor}") for rule in found]
