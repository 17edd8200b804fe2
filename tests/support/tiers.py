"""Which cases of a test run in `make test`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def quick_first(cases: Iterable[Any]) -> list[Any]:
    """Run the first case among the quick tests, and the others among the slow ones."""
    first, *others = cases
    return [first, *(pytest.param(*_values(case), marks=pytest.mark.slow) for case in others)]


def _values(case: Any) -> tuple[Any, ...]:
    return case if type(case) is tuple else (case,)
