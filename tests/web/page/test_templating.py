"""Templates: what is kept of them is what they would show."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import DictLoader, Environment
from markupsafe import Markup

from brassmill.web.page.templating import pieces_in


@pytest.mark.parametrize("inputs", [(0, False, 0.0), (1, True), ("<b>", Markup("<b>"))])
def test_equal_inputs_of_different_types_are_different_pieces(inputs: tuple[Any, ...]) -> None:
    shown = Environment(loader=DictLoader({"it": "{{ it }}"}), autoescape=True)
    piece = pieces_in(shown)
    assert [piece("it", it=each) for each in inputs] == [
        shown.from_string("{{ it }}").render(it=each) for each in inputs
    ]
