"""The options of a game in words."""

from __future__ import annotations

from collections.abc import Mapping

from brassmill.editions import Value
from brassmill.language import N_
from brassmill.language import gettext as _

# The names of the options, and of their values unless they are yes and no.
OPTION_TITLES = {
    "intro": N_("Introductory game"),
    "virtual_link": N_("Virtual link between Liverpool and Birkenhead"),
    "virtual_both_ways": N_("Virtual link in both directions"),
    "classic_deck": N_("2007 deck"),
    "community_2p": N_("Small map for two"),
    "cotton_one_vp": N_("Level I cotton mill"),
    "rail_coal": N_("Coal for a railway"),
    "income_tie": N_("VP ties"),
}
VALUE_WORDS = {
    ("cotton_one_vp", 5): N_("5 VP"),
    ("cotton_one_vp", 3): N_("3 VP"),
    ("rail_coal", "nearest"): N_("nearest to either end"),
    ("rail_coal", "chosen_end"): N_("nearest to the end the builder chooses"),
    ("income_tie", "level"): N_("higher income level wins"),
    ("income_tie", "space"): N_("higher space on the income track wins"),
}


def unusual(options: Mapping[str, Value]) -> tuple[str, ...]:
    """A table's non-default options in words."""
    return tuple(_unusual(name, value) for name, value in options.items())


def _unusual(name: str, value: Value) -> str:
    title = _(OPTION_TITLES.get(name, name))  # the option may no longer exist
    if value is True:
        return title
    words = _(VALUE_WORDS.get((name, value), str(value)))
    return _("{name}: {value}").format(name=title, value=words)
