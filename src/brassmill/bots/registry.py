"""All bots by name: those of this package, and those from other packages.

Another package adds a bot with an entry point in the group `brassmill.bots`, whose name is the
bot's name and whose value is its factory. The first line of the factory's docstring describes the
bot. Its settings are listed in `parameters`; without such a list they are its keyword-only
arguments (`docs/bots/bots.md`).
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
from brassmill.bots.spec import SEED, SORTS, BotKind, Parameter, Seconds, Spec
from brassmill.errors import UnknownName, error_text
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.vocabulary import Word

if TYPE_CHECKING:
    from brassmill.editions.edition import Edition

GROUP = "brassmill.bots"
TYPO = 0.8  # how similar a name must be to a bot's to count as a typo
WORLDS = N_(
    "how many games to simulate per plan (instead of a time), each with different hidden cards"
)
SEARCH_TIME = N_("how long it searches per turn")
SEARCH_WORLDS = N_(
    "how many possible deals of the hidden cards to try each choice on (instead of a time)"
)
COMMAND = N_("the command that starts it, as in process:python3 bot.py")

# One entry per bot; a name is a word in three languages.
BUILT_IN = (
    BotKind(
        Word("beginner", "Anfänger", "débutant"),
        "brassmill.bots.levels:Beginner",
        N_("level 1: knows the moves, misjudges their value"),
    ),
    BotKind(
        Word("apprentice", "Lehrling", "apprenti"),
        "brassmill.bots.levels:Apprentice",
        N_("level 2: finds good actions, often takes the second best"),
    ),
    BotKind(
        Word("journeyman", "Geselle", "compagnon"),
        "brassmill.bots.levels:Journeyman",
        N_("level 3: plays soundly, overlooks a chance now and then"),
    ),
    BotKind(
        Word("expert", "Könner", "expert"),
        "brassmill.bots.levels:Expert",
        N_("level 4: judges every choice well"),
    ),
    BotKind(
        Word("master", "Meister", "maître"),
        "brassmill.bots.levels:Master",
        N_("level 5: judges every choice well, and looks ahead before it decides"),
    ),
    BotKind(
        Word("random", "Zufall", "hasard"),
        "brassmill.bots.uniform:Uniform",
        N_("plays any legal choice at random"),
    ),
    BotKind(
        Word("greedy", "gierig", "glouton"),
        "brassmill.bots.greedy:Greedy",
        N_("plays the action that leads to the best position"),
        (Parameter("noise", float, 0.0, N_("typical error of its judgement, in VP"), least=0),),
    ),
    BotKind(
        Word("planner", "Planer", "planificateur"),
        "brassmill.bots.planner:Planner",
        N_("plans its whole turn, and simulates games to compare the best plans"),
        (
            Parameter("time", Seconds, Seconds(0.5), N_("how long it thinks per turn")),
            Parameter("worlds", int, 0, WORLDS, least=0),
        ),
    ),
    BotKind(
        Word("net", "Netz", "réseau"),
        "brassmill.bots.net:Net",
        N_("a trained network: plays its likeliest choice, or searches for a better one"),
        (
            Parameter("time", Seconds, Seconds(0), SEARCH_TIME),
            Parameter("worlds", int, 0, SEARCH_WORLDS, least=0),
            Parameter("file", str, "", N_("a file with another network")),
        ),
    ),
    BotKind(
        Word("process", "Prozess", "processus"),
        "brassmill.bots.process:ProcessBot",
        N_("your own program, in any language"),
        (Parameter("command", str, meaning=COMMAND, takes_rest=True),),
    ),
)
_SORT_NAMES = ", ".join(sort.__name__ for sort in SORTS)
SAID = (N_("bot"), N_("COMMAND"))  # for the catalogues

_SPELLED = {spelling: kind for kind in BUILT_IN for spelling in kind.spellings}


def names() -> list[str]:
    """The names of all bots, those of other packages last."""
    return [kind.name for kind in BUILT_IN] + list(_from_packages())


def find(name: str) -> BotKind:
    """Find a kind of bot by its name in any language; `BotError` if there is none."""
    spelled = name.strip().casefold()
    if spelled in _SPELLED:
        return _SPELLED[spelled]
    if spelled in _from_packages():
        return _kind(_from_packages()[spelled])
    known = [kind.local_name for kind in BUILT_IN] + list(_from_packages())
    raise BotError(str(UnknownName("bot", name.strip(), known)))


def is_bot(name: str) -> bool:
    """Is this the name of a bot, in any language?"""
    return name.casefold() in {*_SPELLED, *_from_packages()}


def slip_for(name: str) -> str | None:
    """The bot whose name this looks like a typo of, in the current language."""
    for close in get_close_matches(name.casefold(), [*_SPELLED, *_from_packages()], 1, TYPO):
        return _SPELLED[close].local_name if close in _SPELLED else close
    return None


def parse(text: str) -> Spec:
    """Parse a spec such as `random` or `planner:2s`."""
    name, _colon, parameters = text.partition(":")
    return Spec.read(find(name), parameters)


def compiled(specs: Iterable[str | Spec]) -> tuple[str, ...]:
    """The modules whose compiled functions these bots call, to warm up before they play.

    A bot's factory lists them as `compiled`.
    """
    kinds = [(parse(spec) if isinstance(spec, str) else spec).kind for spec in specs]
    makers = [_load(kind.name, kind.factory) for kind in kinds]
    return tuple(sorted({module for one in makers for module in getattr(one, "compiled", ())}))


def plays_plain(spec: str | Spec) -> bool:
    """Is a bot quick enough while the rules are plain Python? Its factory says so."""
    kind = (parse(spec) if isinstance(spec, str) else spec).kind
    return bool(getattr(_load(kind.name, kind.factory), "plays_plain", False))


def make(spec: str | Spec, edition: Edition, seed: int = 0) -> Bot:
    """Make a bot for one seat of one game; all its randomness comes from the seed."""
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
    except BaseException as error:  # even SystemExit
        raise BotError(
            _("the bot {bot} failed to start: {reason}").format(
                bot=spec.text, reason=error_text(error)
            )
        ) from error
    return bot


# --- bots of other packages ----------------------------------------------------------------------


@cache
def _from_packages() -> dict[str, EntryPoint]:
    """The entry points by name; they cannot replace the names of this package."""
    found = {entry.name.casefold(): entry for entry in entry_points(group=GROUP)}
    return {name: entry for name, entry in found.items() if name not in _SPELLED}


def hidden() -> list[str]:
    """The entry points that are ignored because bots of this package have the same names."""
    return [entry.value for entry in entry_points(group=GROUP) if entry.name.casefold() in _SPELLED]


@cache
def _kind(entry: EntryPoint) -> BotKind:
    """The kind of bot behind an entry point."""
    factory = _load(entry.name, entry.value)
    first_line = (inspect.getdoc(factory) or "").partition("\n")[0]
    word = Word(*[entry.name.casefold()] * 3)
    return BotKind(word, entry.value, first_line, parameters_of(entry.name, factory))


def parameters_of(name: str, factory: Callable[..., Any]) -> tuple[Parameter, ...]:
    """A factory's listed parameters, or its keyword-only arguments, typed by their defaults."""
    listed = getattr(factory, "parameters", None)
    if isinstance(listed, list | tuple):  # in PyTorch, for example, `parameters` is a method
        return checked(name, listed)
    found = []
    for parameter in inspect.signature(factory).parameters.values():
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        default = parameter.default
        if type(default) not in SORTS:
            raise _not_loaded(name, f"the default of {parameter.name} must be one of {_SORT_NAMES}")
        found.append(Parameter(parameter.name, type(default), default))
    return tuple(found)


def checked(name: str, listed: Iterable[object]) -> tuple[Parameter, ...]:
    """Check the parameters that a factory lists."""
    found = []
    for each in listed:
        if not isinstance(each, Parameter) or each.sort not in SORTS:
            raise _not_loaded(name, f"{each!r} is not a Parameter of type {_SORT_NAMES}")
        found.append(each)
    return tuple(found)


def _load(name: str, factory: str) -> Callable[..., Any]:
    """Import a bot's factory."""
    try:
        return resolve_name(factory)  # type: ignore[no-any-return]
    except Exception as error:  # importing another package may raise anything
        raise _not_loaded(name, f"{factory}: {error_text(error)}") from error


def _not_loaded(name: str, reason: str) -> BotError:
    return BotError(_("the bot {bot} cannot be loaded: {reason}").format(bot=name, reason=reason))
