"""One name, one meaning: no two public classes share a name."""

from __future__ import annotations

import ast
from collections import defaultdict

from support.paths import ROOT

SOURCE = ROOT / "src" / "brassmill"

# The table of addresses that opted out keeps its name in databases and backups.
KEPT = {"Refusal"}


def test_no_two_public_classes_share_a_name() -> None:
    found = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(SOURCE)))
    twice = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert twice.keys() == KEPT, twice
