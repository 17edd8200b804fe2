"""The settings of a new game, as the form asks for them.

Input is kept exactly as typed, with the errors beside it, so that nothing is lost on an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from brassmill.editions import EditionInfo, Option, Value
from brassmill.errors import BrassError
from brassmill.language import either
from brassmill.language import gettext as _
from brassmill.play.seating import Participant
from brassmill.position.words import SEAT_NAMES
from brassmill.svg.panel import capital
from brassmill.web.models import Table
from brassmill.web.setup.chairs import FRIEND, LEVELS, PERSON, USUAL_LEVEL, YOU, Chair, names_beside
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.setup.meanwhile import CHOICES, WAIT
from brassmill.web.setup.options import OPTION_TITLES, VALUE_WORDS

COVERED, OPEN = "covered", "open"
LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Switch:
    """An option of the form, as text."""

    option: Option
    chosen: str
    only_for: str  # numbers of players, if limited
    without: str  # options that exclude it

    @property
    def name(self) -> str:
        return self.option.name

    @property
    def title(self) -> str:
        return _(OPTION_TITLES[self.name])

    @property
    def meaning(self) -> str:
        return capital(_(self.option.meaning)) + "."

    @property
    def is_yes_or_no(self) -> bool:
        return isinstance(self.option.default, bool)

    @property
    def values(self) -> list[tuple[str, str]]:
        """Return its possible values, each with its label."""
        return [(str(value), _(VALUE_WORDS[self.name, value])) for value in self.option.values]

    @property
    def is_changed(self) -> bool:
        return self.chosen != str(self.option.default)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "meaning": self.meaning,
            "values": [str(value) for value in self.option.values],
            "usual": str(self.option.default),
            "only_for": self.only_for,
            "without": self.without,
        }


@dataclass(frozen=True)
class NewGame:
    """What has been chosen so far; `faults` has the error of each field."""

    box: EditionInfo
    players: int
    chairs: tuple[Chair, ...]
    chosen: Mapping[str, str] = field(default_factory=dict)  # options as submitted
    hands: str = COVERED
    seed: str = ""
    listed: bool = False  # shown in the lobby
    overheard: bool = True  # spectators can read the chat
    hints: bool = False  # allowed for everyone, between people
    rated: bool = False
    programs: bool = False  # may take the open seats
    club: str = ""  # the id of the club whose table it is
    standby: str = USUAL_LEVEL  # level of the bot that replaces friends who do not come
    clock: str = ""  # by name; empty for none
    notice: str = Table.LATER  # when to send an e-mail about a turn
    meanwhile: str = WAIT  # what bots do that are not ready yet
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_sound(self) -> bool:
        return not self.faults and not any(chair.fault for chair in self.chairs)

    @property
    def all_faults(self) -> list[str]:
        """Return every error, those of the seats last."""
        return [*self.faults.values(), *(chair.fault for chair in self.chairs if chair.fault)]

    @property
    def options(self) -> dict[str, Value]:
        """Return the options that differ from the defaults."""
        return {
            option.name: value
            for option in self.box.options
            for value in option.values
            if str(value) == self.chosen.get(option.name) and value != option.default
        }

    @property
    def switches(self) -> list[Switch]:
        """Return the options as text."""
        return [
            Switch(
                option,
                self.chosen.get(option.name, str(option.default)),
                _only_for(self.box, option),
                ", ".join(_(OPTION_TITLES[other]) for other in option.excludes),
            )
            for option in self.box.options
        ]

    @property
    def number(self) -> int | None:
        """Return the seed, or None for a random one."""
        return int(self.seed) if self.seed else None

    @property
    def awaits_friends(self) -> bool:
        return any(chair.who == FRIEND for chair in self.chairs[: self.players])

    def seats(self) -> list[Participant]:
        """Return who plays; everyone but friends has a name, and opponents get a period one."""
        seats = [chair.seat() for chair in self.chairs[: self.players]]
        taken = {seat.name.casefold() for seat in seats if seat.is_person}
        opponents = iter(names_beside(taken, len(seats)))
        nameless = (name for name in _nameless() if name.casefold() not in taken)

        def called(seat: Participant) -> Participant:
            if seat.text == FRIEND:
                return seat
            return replace(seat, name=next(opponents) if seat.bot else seat.name or next(nameless))

        return [called(seat) for seat in seats]


def _nameless() -> Iterator[str]:
    """Return default names for people without a name."""
    yield _("Player")
    for number in count(2):
        yield _("Player {number}").format(number=number)


def usual(
    box: EditionInfo, level: str = USUAL_LEVEL, players: int = 3, name: str = "", **chosen: str
) -> NewGame:
    """Return the default game: you against opponents of one level."""
    opponents = [Chair(n, level) for n in range(1, len(SEAT_NAMES))]
    return NewGame(box, players, (Chair(0, YOU, name), *opponents), chosen)


def read(box: EditionInfo, sent: Mapping[str, Any]) -> NewGame:
    """Read the form and collect all errors."""
    number = str(sent.get("players", ""))
    players = int(number) if number in map(str, box.players) else 0
    chairs = tuple(
        Chair(n, str(sent.get(f"who-{n}", "")), str(sent.get(f"name-{n}", "")))
        for n in range(len(SEAT_NAMES))
    )
    given = NewGame(
        box,
        players or box.players[-1],
        chairs,
        {option.name: str(sent.get(option.name, option.default)) for option in box.options},
        str(sent.get("hands", COVERED)),
        str(sent.get("seed", "")).strip(),
        listed=str(sent.get("listed", "")) == "yes",
        overheard=str(sent.get("overheard", "yes")) == "yes",
        hints=str(sent.get("hints", "")) == "yes",
        rated=str(sent.get("rated", "")) == "yes",
        programs=str(sent.get("programs", "")) == "yes",
        club=str(sent.get("club", "")),
        standby=str(sent.get("standby", USUAL_LEVEL)),
        clock=str(sent.get("clock", "")),
        notice=str(sent.get("notice", Table.LATER)),
        meanwhile=str(sent.get("meanwhile", WAIT)),
    )
    faults = dict(_faults(given))
    if given.rated and (fault := _rated_fault(given)):
        faults["rated"] = fault
    if not players:
        faults["players"] = _("Choose the number of players: {numbers}.").format(
            numbers=either(box.players)
        )
    return replace(given, chairs=tuple(_checked(given)), faults=faults)


def _checked(given: NewGame) -> Iterator[Chair]:
    """Return the seats, each with its error."""
    called: set[str] = set()
    for chair in given.chairs:
        fault = ""
        if chair.number < given.players:
            try:
                seat = chair.seat()
                name = seat.name.casefold()
                if seat.is_person and not name and chair.who != FRIEND and given.awaits_friends:
                    fault = _("Enter a name: your friends see who invites them.")
                elif seat.is_person and name in called:
                    fault = _("The name {name} is taken.").format(name=seat.name)
                elif seat.is_person and name:
                    called.add(name)
            except BrassError as error:
                fault = str(error)
        yield replace(chair, fault=fault)


def _faults(given: NewGame) -> Iterator[tuple[str, str]]:
    if not any(chair.who in (YOU, PERSON) for chair in given.chairs[: given.players]):
        yield "seats", _("At least one seat must be yours or another person's.")
    if given.hands not in (COVERED, OPEN):
        yield "hands", _("Choose hidden or open hands.")
    if given.standby not in LEVELS:
        yield "standby", _("Choose one of these.")
    if given.clock and given.clock not in CLOCKS:
        yield "clock", _("Choose one of these.")
    if given.notice not in dict(Table.NOTICES):
        yield "notice", _("Choose one of these.")
    if given.meanwhile not in CHOICES:
        yield "meanwhile", _("Choose one of these.")
    seed = given.seed
    if seed and given.awaits_friends:  # anyone who chose the seed could work out all hands
        yield "seed", _("With friends, the deal is always random.")
    if seed and not (seed.isascii() and seed.isdigit() and int(seed[:21]) <= LARGEST_SEED):
        yield "seed", _("A seed is a whole number from 0 to {last}.").format(last=LARGEST_SEED)
    for switch in given.switches:
        if not switch.is_changed:
            continue
        option = switch.option
        if switch.chosen not in map(str, option.values):
            yield option.name, _("Choose one of these.")
        elif given.players not in option.players:
            words = _("{option} needs {numbers} players.")
            yield option.name, words.format(option=switch.title, numbers=switch.only_for)
        elif any(other in given.options for other in option.excludes):
            words = _("{option} cannot be combined with {others}.")
            yield option.name, words.format(option=switch.title, others=switch.without)


def _rated_fault(given: NewGame) -> str:
    """Say why a game with these settings cannot be rated, or return nothing."""
    chairs = given.chairs[: given.players]
    if sum(chair.who in (YOU, PERSON) for chair in chairs) > 1:
        return _("In a rated game everyone has their own screen and account: invite your friends.")
    has_hints = given.hints and given.awaits_friends
    if given.hands == OPEN or given.seed or has_hints or "intro" in given.options:
        return _(
            "Introductory games, open hands, fixed deals and games with hints cannot be rated."
        )
    return ""


def _only_for(box: EditionInfo, option: Option) -> str:
    """Say which numbers of players an option allows, if not all."""
    fitting = [players for players in box.players if players in option.players]
    return "" if fitting == list(box.players) else either(fitting)
