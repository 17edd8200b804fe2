"""All bots by their names: those of this package, and those that other packages bring.

Another package brings a bot by an entry point in the group `brassmill.bots`: its name is that of
the bot, its value who makes it. The first line of the docstring of that factory says what the bot
does. What can be set is what it lists as `parameters`, or without such a list what it takes by
keyword only (`docs/bots/bots.md`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from brassmill.bots.bot import Bot, BotError
from brassmill.bots.spec import SEED, SORTS, Kind, Parameter, Seconds, Spec
from brassmill.errors import UnknownName, told
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.vocabulary import Word

if TYPE_CHECKING:
    from brassmill.editions.edition import Edition

GROUP = "brassmill.bots"
TYPO = 0.8  # how much a name must be like that of a bot to be taken for a slip
WORLDS = N_("how often it plays them on, with other hidden cards each time, instead of a time")
COMMAND = N_("how it is started, as in process:python3 bot.py")

# A line for each bot; a name is a word in three languages.
BUILT_IN = (
    Kind(
        Word("beginner", "Anfänger", "débutant"),
        "brassmill.bots.levels:Beginner",
        N_("level 1: sees what an action is about, and little of what it is worth"),
    ),
    Kind(
        Word("apprentice", "Lehrling", "apprenti"),
        "brassmill.bots.levels:Apprentice",
        N_("level 2: sees the good actions, and often takes the second best"),
    ),
    Kind(
        Word("journeyman", "Geselle", "compagnon"),
        "brassmill.bots.levels:Journeyman",
        N_("level 3: sees one action well, and nothing beyond it"),
    ),
    Kind(
        Word("expert", "Könner", "expert"),
        "brassmill.bots.levels:Expert",
        N_("level 4: plans both actions of a turn together"),
    ),
    Kind(
        Word("master", "Meister", "maître"),
        "brassmill.bots.levels:Master",
        N_("level 5: plans the turn, and what becomes of it"),
    ),
    Kind(
        Word("random", "Zufall", "hasard"),
        "brassmill.bots.uniform:Uniform",
        N_("any open choice, all equally likely"),
    ),
    Kind(
        Word("greedy", "gierig", "glouton"),
        "brassmill.bots.greedy:Greedy",
        N_("the action with the best position right after it"),
        (Parameter("noise", float, 0.0, N_("points of error in what it sees"), least=0),),
    ),
    Kind(
        Word("planner", "Planer", "planificateur"),
        "brassmill.bots.planner:Planner",
        N_("plans its whole turn, and plays the best plans on to see how they turn out"),
        (
            Parameter("time", Seconds, Seconds(0.5), N_("how long it thinks about a turn")),
            Parameter("worlds", int, 0, WORLDS, least=0),
        ),
    ),
    Kind(
        Word("process", "Prozess", "processus"),
        "brassmill.bots.process:ProcessBot",
        N_("a program of your own, in any language"),
        (Parameter("command", str, meaning=COMMAND, takes_rest=True),),
    ),
)
_SORT_NAMES = ", ".join(sort.__name__ for sort in SORTS)
SAID = (N_("bot"), N_("COMMAND"))  # for the catalogues

_SPELLED = {spelling: kind for kind in BUILT_IN for spelling in kind.spellings}


def names() -> list[str]:
    """The names of all bots, those of other packages last."""
    return [kind.name for kind in BUILT_IN] + list(_brought())


def find(name: str) -> Kind:
    """A kind of bot by its name in any language; `BotError` if there is none."""
    spelled = name.strip().casefold()
    if spelled in _SPELLED:
        return _SPELLED[spelled]
    if spelled in _brought():
        return _kind(_brought()[spelled])
    known = [kind.said for kind in BUILT_IN] + list(_brought())
    raise BotError(str(UnknownName("bot", name.strip(), known)))


def is_bot(name: str) -> bool:
    """Is it the name of a bot, in any language?"""
    return name.casefold() in {*_SPELLED, *_brought()}


def slip_for(name: str) -> str | None:
    """The name of the bot for which another name looks like a slip, as it is said."""
    for close in get_close_matches(name.casefold(), [*_SPELLED, *_brought()], 1, TYPO):
        return _SPELLED[close].said if close in _SPELLED else close
    return None


def parse(text: str) -> Spec:
    """A bot by its spec: `random`, `planner:2s`, ..."""
    name, _colon, parameters = text.partition(":")
    return Spec.read(find(name), parameters)


def compiled(specs: Iterable[str | Spec]) -> tuple[str, ...]:
    """The modules of which these bots call compiled functions, to be warmed up before they play.

    Who makes a bot says them, as `compiled`.
    """
    kinds = [(parse(spec) if isinstance(spec, str) else spec).kind for spec in specs]
    makers = [_load(kind.name, kind.factory) for kind in kinds]
    return tuple(sorted({module for one in makers for module in getattr(one, "compiled", ())}))


def make(spec: str | Spec, edition: Edition, seed: int = 0) -> Bot:
    """A bot for one seat of one game; the seed is all its chance."""
    spec = parse(spec) if isinstance(spec, str) else spec
    values: dict[str, Any] = {
        parameter.name: parameter.default
        for parameter in spec.kind.parameters
        if parameter.default is not None
    }
    values |= dict(spec.values)
    if SEED.name in spec.kind.settable:
        seed = values.pop(SEED.name, seed)
    factory = _load(spec.kind.name, spec.kind.factory)
    try:
        bot: Bot = factory(edition, seed, **values)
        missing = [part for part in ("name", "choose", "close") if not hasattr(bot, part)]
        if missing:
            raise TypeError(f"a {type(bot).__name__} has no {' and no '.join(missing)}")
    except (BotError, KeyboardInterrupt):
        raise
    except BaseException as error:  # it may even try to end the program
        raise BotError(
            _("the bot {bot} does not start: {reason}").format(bot=spec.text, reason=told(error))
        ) from error
    return bot


# --- bots of other packages ----------------------------------------------------------------------


@cache
def _brought() -> dict[str, EntryPoint]:
    """The entry points by name; a name of this package stays what it is."""
    found = {entry.name.casefold(): entry for entry in entry_points(group=GROUP)}
    return {name: entry for name, entry in found.items() if name not in _SPELLED}


def hidden() -> list[str]:
    """The entry points that are not used, because bots of this package have their names."""
    return [entry.value for entry in entry_points(group=GROUP) if entry.name.casefold() in _SPELLED]


@cache
def _kind(entry: EntryPoint) -> Kind:
    """What an entry point brings."""
    factory = _load(entry.name, entry.value)
    first_line = (inspect.getdoc(factory) or "").partition("\n")[0]
    word = Word(*[entry.name.casefold()] * 3)
    return Kind(word, entry.value, first_line, parameters_of(entry.name, factory))


def parameters_of(name: str, factory: Callable[..., Any]) -> tuple[Parameter, ...]:
    """What a factory lists, or else takes by keyword only: then a default says of which sort."""
    listed = getattr(factory, "parameters", None)
    if isinstance(listed, list | tuple):  # else it means something of its own, as in PyTorch
        return checked(name, listed)
    found = []
    for parameter in inspect.signature(factory).parameters.values():
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        default = parameter.default
        if type(default) not in SORTS:
            raise _not_loaded(name, f"the default of {parameter.name} is none of {_SORT_NAMES}")
        found.append(Parameter(parameter.name, type(default), default))
    return tuple(found)


def checked(name: str, listed: Iterable[object]) -> tuple[Parameter, ...]:
    """The parameters that a factory lists, if they are some."""
    found = []
    for each in listed:
        if not isinstance(each, Parameter) or each.sort not in SORTS:
            raise _not_loaded(name, f"{each!r} is no Parameter of one of the sorts {_SORT_NAMES}")
        found.append(each)
    return tuple(found)


def _load(name: str, factory: str) -> Callable[..., Any]:
    """Who makes a bot."""
    try:
        return resolve_name(factory)  # type: ignore[no-any-return]
    except Exception as error:  # whatever another package does when it is imported
        raise _not_loaded(name, f"{factory}: {told(error)}") from error


def _not_loaded(name: str, reason: str) -> BotError:
    return BotError(_("the bot {bot} cannot be loaded: {reason}").format(bot=name, reason=reason))
