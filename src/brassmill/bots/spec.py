"""How a bot is named: `random`, `random:seed=3`, `planner:2s,seed=3`, `process:./mybot -v`.

After the name and a colon come parameters, separated by commas: `name=value`, or just the value for
a time. A parameter that takes the rest of the text, such as the command of `process`, is everything
that follows.

The canonical text of a spec has the English name and the parameters in the order in which the bot
lists them, without defaults, so two specs of the same bot have the same text.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

from brassmill.bots.bot import BotError
from brassmill.errors import UnknownName
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.vocabulary import Word

TIME = re.compile(r"(\d+(?:\.\d*)?|\.\d+) ?(ms|s)")
SETTING = re.compile(r"[^\W\d]\w*\s*=")  # the start of name=value

# A bot with a colon, where quotes protect commas; or anything else up to the next comma.
ENTRY = re.compile(r"""(\s*[\w-]+\s*:(?:"[^"]*"|'[^']*'|[^,])*|[^,]*)(?:,|$)""", re.DOTALL)


class Seconds(float):
    """A time: `2s`, `500ms`."""

    def __str__(self) -> str:
        return f"{float(self):g}s" if self >= 1 else f"{1000 * self:g}ms"


Value = Seconds | int | float | bool | str


@dataclass(frozen=True)
class Sort:
    """A type of value: how to parse it, what it is in words, and its placeholder."""

    read: Callable[[str], Value]
    meaning: str
    letters: str


def _seconds(text: str) -> Seconds:
    found = TIME.fullmatch(text)
    if not found or not float(found[1]):
        raise ValueError(text)
    return Seconds(float(found[1]) / (1000 if found[2] == "ms" else 1))


def _number(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(text)
    return value


def _yes_or_no(text: str) -> bool:
    try:
        return {"yes": True, "no": False}[text.casefold()]
    except KeyError:
        raise ValueError(text) from None


SORTS: dict[type, Sort] = {
    Seconds: Sort(_seconds, N_("a time such as 2s or 500ms"), N_("TIME")),
    int: Sort(int, N_("a whole number"), N_("NUMBER")),
    float: Sort(_number, N_("a number"), N_("NUMBER")),
    bool: Sort(_yes_or_no, N_("yes or no"), "yes|no"),
    str: Sort(str, N_("text"), N_("TEXT")),
}


@dataclass(frozen=True)
class Parameter:
    """A setting of a bot; without a default (None), the factory decides."""

    name: str
    sort: type
    default: Value | None = None
    meaning: str = ""
    least: int | None = None
    takes_rest: bool = False  # everything after the colon

    def read(self, text: str, bot: str = "") -> Value:
        """Parse a value; `bot` names whose setting it is, for errors."""
        if self.takes_rest:
            return _command(text)
        try:
            value = SORTS[self.sort].read(text.strip())
            if self.least is not None and float(value) < self.least:
                raise ValueError(text)
        except ValueError:
            words = _(SORTS[self.sort].meaning)
            if self.least is not None:
                words = _("{kind}, at least {least}").format(kind=words, least=self.least)
            raise BotError(
                _("{parameter} cannot be {value!r}; it must be {kind}").format(
                    parameter=self.called(bot), value=text.strip(), kind=words
                )
            ) from None
        return value

    def called(self, bot: str) -> str:
        """Its name in a message."""
        words = _("{bot}'s {parameter}") if bot else "{parameter}"
        return words.format(bot=bot, parameter=self.name)

    def write(self, value: Value) -> str:
        """Write a value as `Spec` reads it."""
        if self.takes_rest or self.sort is Seconds:
            return str(value)
        if isinstance(value, bool):
            value = "yes" if value else "no"
        return f"{self.name}={value}"

    @property
    def use(self) -> str:
        """How to type it, in the current language."""
        if self.takes_rest:
            return _(self.name.upper())
        letters = _(SORTS[self.sort].letters)
        return letters if self.sort is Seconds else f"{self.name}={letters}"


SEED = Parameter("seed", int, meaning=N_("the same seed makes it play the same way"))


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: its name in three languages, its factory, its description and its settings.

    The factory, `package.module:name`, is called with the edition, a seed, and the parameters as
    keyword arguments.
    """

    word: Word
    factory: str
    meaning: str
    parameters: tuple[Parameter, ...] = ()

    @property
    def name(self) -> str:
        return self.word.en

    @property
    def local_name(self) -> str:
        """The name in the current language."""
        return getattr(self.word, language())  # type: ignore[no-any-return]

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every spelling of the name, all of which always work."""
        return tuple(word.casefold() for word in (self.word.en, *self.word.others))

    @cached_property
    def settable(self) -> Mapping[str, Parameter]:
        """The parameters by name. Every bot takes a seed, unless a parameter takes the rest."""
        if any(parameter.takes_rest for parameter in self.parameters):
            return {parameter.name: parameter for parameter in self.parameters}
        return {parameter.name: parameter for parameter in (*self.parameters, SEED)}


@dataclass(frozen=True)
class Spec:
    """A kind of bot with its parameters."""

    kind: BotKind
    values: tuple[tuple[str, Value], ...]  # those that differ from the default

    @classmethod
    def read(cls, kind: BotKind, text: str) -> Spec:
        """Parse the text after the name of a bot."""
        found: dict[str, Value] = {}
        for parameter, value in _settings(kind, text):
            if parameter.name in found:
                raise BotError(
                    _("{parameter} is set twice").format(
                        parameter=parameter.called(kind.local_name)
                    )
                )
            found[parameter.name] = parameter.read(value, kind.local_name)
        values = [
            (name, found[name])
            for name, parameter in kind.settable.items()
            if name in found and found[name] != parameter.default
        ]
        return cls(kind, tuple(values))

    @property
    def text(self) -> str:
        """The canonical text, which is a single entry in a list of bots."""
        return self._text(self.kind.name)

    @property
    def local_text(self) -> str:
        """The same with the name in the current language."""
        return self._text(self.kind.local_name)

    def _text(self, name: str) -> str:
        settable = self.kind.settable
        parameters = ",".join(settable[key].write(value) for key, value in self.values)
        return f"{name}:{parameters}" if parameters else name

    def __str__(self) -> str:
        return self.text


def _settings(kind: BotKind, text: str) -> Iterator[tuple[Parameter, str]]:
    """The parameters that a text sets, with their values as written."""
    settable = kind.settable
    for parameter in settable.values():
        if parameter.takes_rest:
            if not words_of(text):
                raise BotError(
                    _("{bot} needs {what}: {meaning}").format(
                        bot=kind.local_name, what=parameter.use, meaning=_(parameter.meaning)
                    )
                )
            yield parameter, text
            return
    for part in filter(str.strip, text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            timed = [each for each in settable.values() if each.sort is Seconds]
            if not timed:
                raise BotError(
                    _("{bot} does not understand {part!r}; it takes: {parameters}").format(
                        part=name,
                        bot=kind.local_name,
                        parameters=", ".join(each.use for each in settable.values()),
                    )
                )
            yield timed[0], name
        elif name.casefold() in settable:
            yield settable[name.casefold()], value
        else:
            owner = kind.local_name
            raise BotError(str(UnknownName("parameter", name, list(settable), owner=owner)))


def words_of(command: str) -> list[str]:
    """The words of a command, split as a shell does; on Windows a backslash is part of a path."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if sys.platform == "win32":
        lexer.escape = ""
    try:
        return list(lexer)
    except ValueError:
        raise BotError(
            _("a quote in this command is not closed: {command}").format(command=command)
        ) from None


def _command(text: str) -> str:
    """A command with its commas in quotes, so that it can be part of a list."""
    words = [shlex.quote(word) for word in words_of(text)]
    return " ".join(f"'{word}'" if "," in word and word[0] != "'" else word for word in words)


def divide(text: str) -> list[str]:
    """Split a list of bots or seats: `you,planner:2s,seed=3,random`.

    A comma between two parameters of a bot does not split, nor does one in quotes within a bot with
    a colon: `process:python3 bot.py 'a,b',random`.
    """
    entries: list[str] = []
    end = -1
    while end < len(text):
        found = ENTRY.match(text, end + 1)
        assert found is not None
        entry, end = found[1], found.end(1)
        if entries and ":" in entries[-1] and _is_parameter(entry):
            entries[-1] += f",{entry}"
        else:
            entries.append(entry)
    return [entry.strip() for entry in entries]


def _is_parameter(text: str) -> bool:
    return bool(SETTING.match(text.strip()) or TIME.fullmatch(text.strip()))
