"""What the symbols mean: specimens of the table with notes, and the symbols by name.

Nothing here comes from a game in progress. The specimens are drawn without compiled rules, so the
guide can show them before the rules are ready.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from brassmill import svg
from brassmill.core.view import Known, View
from brassmill.editions import Edition
from brassmill.editions.edition import INDUSTRY
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.position.reader import empty_state
from brassmill.svg.glyphs import MARKS
from brassmill.svg.key import Specimen
from brassmill.web.page.symbols import ICONS, meaning

SOLD = 3  # cubes missing in the markets of the example


def key_context(box: Edition) -> dict[str, Any]:
    """The template context of the key to an edition's symbols."""
    return {
        "specimens": _specimens(box, language()),
        "symbols_of_game": [(name, meaning(name)) for name in _signs_of(box)],
        "symbols_of_page": [(name, _(icon.meaning)) for name, icon in ICONS.items()],
    }


def _signs_of(box: Edition) -> list[str]:
    """The symbols that this edition uses."""
    shown = [INDUSTRY[industry] for industry in box.industries]
    beer = any(row.beer for row in box.tiles)
    bulb = not all(row.developable for row in box.tiles)
    left_out = {name for name, there in (("beer", beer), ("bulb", bulb)) if not there}
    return [*shown, *(name for name in MARKS if name not in left_out)]


@cache
def _specimens(box: Edition, language: str) -> tuple[Specimen, ...]:
    return svg.specimens(_example(box))


def _example(box: Edition) -> View:
    """A position in which everything has something to show."""
    state = empty_state()
    state.round_number = 1
    state.order[: box.players] = range(box.players)
    state.cash[0], state.spent[0], state.income[0], state.vp[0] = 17, 5, 16, 12
    state.hand_size[0] = 8
    state.coal_market = len(box.coal_market.prices) - SOLD
    state.iron_market = len(box.iron_market.prices) - SOLD
    for merchant in range(len(box.merchants)):
        state.merchant[merchant] = box.find_goods("manufacturer")
        state.barrel[merchant] = True
    return View.of(Known(box, [_("Player")] * box.players, None, state), 0, ())
