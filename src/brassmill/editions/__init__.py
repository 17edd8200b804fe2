"""The editions: boards, tiles, cards and options.

>>> from brassmill.editions import edition
>>> birmingham = edition("birmingham", players=3)
>>> birmingham.place_name(birmingham.find_place("stoke"))
'Stoke-on-Trent'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType, ModuleType

from brassmill.editions import birmingham, classic, lancashire
from brassmill.editions.edition import Edition, Line, Option, Place, Space, TileRow, Traits, Value
from brassmill.editions.names import NameTable, fold
from brassmill.errors import InvalidOption, UnknownName
from brassmill.language import either
from brassmill.language import gettext as _

__all__ = [
    "EDITIONS",
    "OPTIONS",
    "Edition",
    "EditionInfo",
    "Line",
    "Option",
    "Place",
    "Space",
    "TileRow",
    "Traits",
    "Value",
    "edition",
]


@dataclass(frozen=True)
class EditionInfo:
    """An edition before the number of players and the options are chosen."""

    name: str
    title: str
    meaning: str
    players: tuple[int, ...]
    options: tuple[Option, ...]
    other_names: tuple[str, ...]
    build: Callable[[int, Mapping[str, Value]], Edition]


def _info(module: ModuleType, *other_names: str) -> EditionInfo:
    return EditionInfo(
        module.NAME,
        module.TITLE,
        module.MEANING,
        module.PLAYERS,
        module.OPTIONS,
        (module.TITLE, *other_names),
        module.build,
    )


EDITIONS: dict[str, EditionInfo] = {
    info.name: info
    for info in (
        _info(classic, "brass classic", "classic brass", "brass 2007", "2007"),
        _info(lancashire, "brass lancashire 2018"),
        _info(birmingham, "brass birmingham 2018"),
    )
}
OPTIONS: dict[str, tuple[Option, ...]] = {name: info.options for name, info in EDITIONS.items()}

_NAMES = NameTable(
    "edition", [(info.name, info.other_names, n) for n, info in enumerate(EDITIONS.values())]
)
_YES = {"yes", "true", "on", "1"}
_NO = {"no", "false", "off", "0"}


def edition(
    name: str, number: int | None = None, /, *, players: Value | None = None, **options: Value
) -> Edition:
    """An edition for this many players (four, unless an option needs another number)."""
    info = list(EDITIONS.values())[_NAMES.find(name)]
    if number is not None and players is not None:  # options may come from a file
        words = _("players cannot be set as an option: this game already has {number}")
        raise InvalidOption(words.format(number=number))
    players = number if players is None else players
    chosen = {option.name: option.default for option in info.options}
    for given, value in options.items():
        option = _option(info, given)
        chosen[option.name] = _value(option, value)
    on = [option for option in info.options if chosen[option.name] != option.default]
    if players is None:
        fitting = [n for n in info.players if all(n in option.players for option in on)]
        players = max(fitting, default=4)
    if players not in info.players or isinstance(players, bool):
        raise InvalidOption(
            _("{edition} is for {numbers} players, not {players!r}").format(
                edition=info.name, numbers=either(info.players), players=players
            )
        )
    for option in on:
        if players not in option.players:
            raise InvalidOption(
                _("option {option} is for {numbers} players, not {players}").format(
                    option=option.name, numbers=either(option.players), players=players
                )
            )
        for other in on:
            if other.name in option.excludes:
                raise InvalidOption(
                    _("{option} and {other} cannot be combined").format(
                        option=option.name, other=other.name
                    )
                )
    return _edition(info.name, int(players), tuple(chosen.items()))


def decided(which: str | Edition, players: int | None, options: Mapping[str, Value]) -> Edition:
    """An edition by its name, or one that already has its number of players and options."""
    if isinstance(which, str):
        return edition(which, players, **options)
    if not isinstance(which, Edition):
        raise InvalidOption(f"{which!r} is not the name of an edition")
    if players not in (None, which.players) or options:
        raise InvalidOption(f"{which!r} already has its number of players and options")
    return which


def restore(name: str, players: int, options: Mapping[str, Value]) -> Edition:
    """The same edition, for pickles and copies."""
    return edition(name, players, **options)


@cache
def _edition(name: str, players: int, options: tuple[tuple[str, Value], ...]) -> Edition:
    return EDITIONS[name].build(players, MappingProxyType(dict(options)))


def _option(info: EditionInfo, given: str) -> Option:
    for option in info.options:
        if fold(option.name) == fold(given):
            return option
    known = [option.name for option in info.options]
    raise UnknownName("option", given, known, owner=info.name)


def _value(option: Option, given: object) -> Value:
    """One of the option's values, in any accepted spelling."""
    written = fold(str(given))
    for value in option.values:
        if isinstance(value, bool):
            if written in (_YES if value else _NO):
                return value
        elif not isinstance(given, bool) and written == fold(str(value)):
            return value
    values = ["no", "yes"] if isinstance(option.default, bool) else option.values
    raise InvalidOption(
        _("option {option} cannot be {value!r}; choose {values}").format(
            option=option.name, value=given, values=either(values)
        )
    )
