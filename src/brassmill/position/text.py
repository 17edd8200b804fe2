"""Positions as short text, for people to read, write and share (`docs/formats/notation.md`).

>>> from brassmill import position
>>> puzzle = position.from_text("lancashire 3 | round: canal 2 | Y: £5; hand Bury coal*2")
>>> puzzle["Y"]
{'cash': '5', 'hand': ['Bury', 'coal', 'coal']}

A text is another form of the mapping that `position.read` takes and `position.write` makes. This
module only parses and formats it. What a text leaves out, the mapping leaves out too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from brassmill.core.events import ERAS
from brassmill.core.names import QUESTIONS, SOURCES
from brassmill.editions import edition as find_edition
from brassmill.editions.edition import INDUSTRY, NUMBER, Edition
from brassmill.editions.names import slug
from brassmill.errors import BrassError, InvalidPosition
from brassmill.position.codes import cards_text, code_of, long_names
from brassmill.position.problems import Problems, show
from brassmill.position.reader import actions_of_turn, read_record
from brassmill.position.tiles import gone_by_map
from brassmill.position.words import (
    ACTION_KEYS,
    POSITION_KEYS,
    SEAT_KEYS,
    SEAT_NAMES,
    WITHOUT_BARREL,
    parse_tile,
    split_owner,
)
from brassmill.position.writer import write, write_open
from brassmill.rules.layout import STATE

if TYPE_CHECKING:
    from brassmill.core.view import View

Part = tuple[str, str]

HIDDEN = "?"
USED = "!"  # a flipped tile, a merchant without a barrel
NONE = "none"
RESTING = QUESTIONS[-3:]  # questions without an action in progress
CARD_PILES = ("deck", "aside", "drawn", "discards", "rail deck")
DISTANT_PILES = ("distant", "distant drawn", "rail distant")
BETWEEN = " | "  # the parts of a text in one line
LONGEST = 20_000  # characters; a position of a game has about 2,000
MOST_LISTED = 200  # cards or tiles of a hand or pile; no deck is as large

_BAR = re.compile(r"(?<!\|)\|(?!\|)")
_PART = re.compile(r"((?:[^:]|::)*):(?!:)(.*)")
_EDITION = re.compile(r"(.*\S)\s+(\d)")
_TIMES = re.compile(r"(.*?\S)\s*[*\u00d7]\s*(\d{1,2})")
_STAR = re.compile(r"\s*[*\u00d7]\s*")
_ROUND = re.compile(r"(?:(\D+?)\s*)?(\d+)?")
_ACTIONS = re.compile(r"(\d+)\s+actions?(?:\s+left)?", re.IGNORECASE)
_MAT = re.compile(r"(\D+?)\s+(\d.*|none)", re.IGNORECASE)
_SOURCE = re.compile(r"(\D+?)\s*([-\u2212]?\d+)\s*")


# --- writing -------------------------------------------------------------------------------------


def to_text(
    edition: Edition, state: Any, seats: Sequence[str] = SEAT_NAMES, one_line: bool = False
) -> str:
    """Every fact of a position, including hidden ones, as text: one part a line, or in one line."""
    mapping = write(edition, state)
    parts = [*_Writer(edition, mapping, seats).parts(), *_piles(edition, mapping)]
    return _join(edition, parts, one_line)


def draft_text(edition: Edition, state: Any, seats: Sequence[str], piles: Mapping[str, Any]) -> str:
    """The map, the players and all hands in one line; piles as another mapping has them."""
    writer = _Writer(edition, write_open(edition, state), seats)
    given = [
        (key, cards_text(edition, pile) if key in CARD_PILES else " ".join(map(str, pile)))
        if isinstance(pile, list | tuple)
        else (key, str(pile))
        for key, pile in piles.items()
    ]
    return _join(edition, [*writer.parts(), *given], one_line=True)


def view_text(view: View, one_line: bool = False) -> str:
    """A view as text, with `?` for every unknown card and distant tile."""
    edition = find_edition(view.edition, view.players, **view.options)
    state = np.frombuffer(view.position, STATE).view(np.recarray)[0]
    mapping = write_open(edition, state)
    for seat, row in enumerate(view.seats):
        if seat != view.seat:
            unseen = [HIDDEN] * (row.cards - len(row.wild))
            mapping[SEAT_NAMES[seat]]["hand"] = [*unseen, *row.wild]
    mapping["deck"] = [HIDDEN] * view.deck
    if view.distant:
        mapping["distant drawn"] = list(view.distant.revealed)
        mapping["distant"] = [HIDDEN] * view.distant.left
    writer = _Writer(edition, mapping, [row.name for row in view.seats])
    discards = [name for name, count in view.discards.items() for _ in range(count)]
    open_pile = [("discards", cards_text(edition, discards))] if discards else []
    return _join(edition, [*writer.parts(), *open_pile, *_piles(edition, mapping)], one_line)


def _join(edition: Edition, parts: Iterable[Part], one_line: bool) -> str:
    options = (
        f", {name}" if value is True else f", {name}={value}"
        for name, value in edition.changed_options.items()
    )
    first = f"{edition.name} {edition.players}{''.join(options)}"
    lines = [first, *(f"{key}: {value}" for key, value in parts)]
    return (BETWEEN if one_line else "\n").join(lines)


def double(name: str) -> str:
    """The name of a seat, with colons and bars doubled, because single ones divide a text."""
    return name.replace(":", "::").replace("|", "||")


def _single(text: str) -> str:
    return text.replace("::", ":").replace("||", "|").strip()


def _piles(edition: Edition, mapping: Mapping[str, Any]) -> Iterator[Part]:
    """The deck and the distant tiles; the discards are all other cards."""
    for key in ("deck", "aside", "drawn", "distant drawn", "distant", "rail deck", "rail distant"):
        pile = mapping.get(key, ())
        if key in DISTANT_PILES and HIDDEN not in pile:
            words = " ".join(map(str, pile))
        else:
            words = cards_text(edition, pile)
        if words or key == "deck":
            yield key, words or "0"


@cache
def _start(edition: Edition) -> dict[str, Any]:
    """What `position.read` assumes by default."""
    options = dict(edition.options)
    named = {"edition": edition.name, "players": edition.players, "options": options}
    return write(edition, read_record(named).state)


class _Writer:
    """Writes the public parts of a mapping whose seats have their usual letters."""

    def __init__(self, edition: Edition, mapping: Mapping[str, Any], seats: Sequence[str]) -> None:
        self.edition = edition
        self.mapping = mapping
        self.start = _start(edition)
        self.letters = SEAT_NAMES[: edition.players]
        self.names = dict(zip(self.letters, map(double, seats), strict=False))
        self.tiles = [parse_tile(edition, self.letters, text) for text in mapping["tiles"]]

    def code(self, name: str) -> str:
        return code_of(self.edition, name)

    def parts(self) -> Iterator[Part]:
        """Everything that differs from the defaults of `position.read`, and all hands."""
        yield from self.turn()
        for seat, letter in enumerate(self.letters):
            yield self.names[letter], "; ".join(self.fields(seat, self.mapping[letter]))
        tiles = [(tile.owner, self.tile(n)) for n, tile in enumerate(self.tiles)]
        yield from self.by_owner("tiles", tiles)
        links = [split_owner(self.letters, text) for text in self.mapping["links"]]
        yield from self.by_owner("links", [(owner, self.line(text)) for owner, text in links])
        for key in ("coal market", "iron market", "demand"):
            if key in self.mapping and self.mapping[key] != self.start[key]:
                yield key, str(self.mapping[key])
        if self.mapping.get("merchants"):
            yield "merchants", "; ".join(self.merchants())

    # --- the turn ----------------------------------------------------------------------------

    def turn(self) -> Iterator[Part]:
        """Names, round, order and the action in progress."""
        mapping, order = self.mapping, self.mapping["order"]
        names = list(self.names.values())
        if tuple(names) != self.letters:
            yield "seats", ", ".join(names)
        words = [f"{mapping['era']} {mapping['round']}"]
        if mapping.get("to move", order[0]) != order[0]:
            words.append(f"{self.names[mapping['to move']]} to move")
        question = mapping.get("action", {}).get("question")
        full = actions_of_turn(ERAS.index(mapping["era"]), mapping["round"])
        left = mapping["actions left"]
        if left != (0 if question in RESTING else full):
            words.append(f"{left} action{'s' * (left != 1)} left")
        if words != [f"{ERAS[0]} 1"]:
            yield "round", ", ".join(words)
        if order != self.start["order"]:
            yield "order", ", ".join(self.names[letter] for letter in order)
        if "action" in mapping:
            yield "action", "; ".join(self.action(mapping["action"]))

    def action(self, action: Mapping[str, Any]) -> Iterator[str]:
        for key, value in action.items():
            if key == "question":
                yield value
            elif key == "seat":
                yield f"seat {self.names[value]}"
            elif key == "space":
                place, _, number = value.rpartition(" ")
                yield f"space {self.code(place)} {number}"
            elif key == "line":
                yield f"line {self.line(value)}"
            else:
                yield f"{key} {self.code(str(value))}"

    # --- a seat ------------------------------------------------------------------------------

    def fields(self, seat: int, own: Mapping[str, Any]) -> Iterator[str]:
        """The fields of a seat."""
        start = self.start[self.letters[seat]]
        if own["cash"] != start["cash"]:
            yield f"£{own['cash']}"
        for key in ("spent", "income"):
            if own[key] != start[key]:
                yield f"{key} {own[key]}"
        if own["points"]:
            yield f"vp {own['vp']}{self.points(own)}"
        yield f"hand {cards_text(self.edition, own['hand']) or NONE}"
        mat = ", ".join(self.mat(seat, own["mat"]))
        if mat:
            yield f"mat {mat}"

    def points(self, own: Mapping[str, Any]) -> str:
        """The sources of VP, unless all come from canals."""
        if own["points"] == {ERAS[0]: {"links": own["vp"]}}:
            return ""
        eras = (
            " ".join([era, *(f"{self.code(source)} {n}" for source, n in sources.items())])
            for era, sources in own["points"].items()
        )
        return f" = {', '.join(eras)}"

    def mat(self, seat: int, mat: Mapping[str, str]) -> Iterator[str]:
        """The lowest tiles of the industries that do not follow from the map."""
        board = self.edition.board
        lying = Counter(tile.kind for tile in self.tiles if tile.owner == seat)
        for industry, text in mat.items():
            number = NUMBER[industry]
            stack = [int(kind) for kind in board.stack[number][: board.stack_size[number]]]
            own = Counter({kind: lying[kind] for kind in stack if lying[kind]})
            if text == NONE:
                if gone_by_map(stack, own) < len(stack):
                    yield f"{self.code(industry)} {NONE}"
                continue
            level, count = map(int, text.split(" x"))
            lowest = next(kind for kind in stack if board.level_of[kind] == level)
            size = stack.count(lowest)
            if stack.index(lowest) + size - count != gone_by_map(stack, own):
                times = "" if count == size - own[lowest] else f" x{count}"
                yield f"{self.code(industry)} {level}{times}"

    # --- the map -----------------------------------------------------------------------------

    def by_owner(self, key: str, things: Sequence[tuple[int, str]]) -> Iterator[Part]:
        """`Y this, that; R this`: the owner comes before their first item."""
        owners = sorted({owner for owner, _ in things})
        groups = []
        for owner in owners:
            name = self.names[self.letters[owner]]
            own = [text for of, text in things if of == owner]
            rest = [f"{name} {text}" if self.looks_owned(text) else text for text in own[1:]]
            groups.append(", ".join([f"{name} {own[0]}", *rest]))
        if groups:
            yield key, "; ".join(groups)

    def looks_owned(self, text: str) -> bool:
        """Whether an item begins with what is also the name of a seat."""
        return any(text.casefold().startswith(f"{n.casefold()} ") for n in self.names.values())

    def tile(self, number: int) -> str:
        tile = self.tiles[number]
        industry, level = self.edition.tile_name(tile.kind).split(" ")
        words = f"{self.code(industry)} {level} {self.code(self.edition.place_name(tile.place))}"
        if tile.number is not None:
            words += f" {tile.number}"
        if tile.flipped:
            return f"{words}{USED}"
        return words if tile.cubes is None else f"{words} ({tile.cubes})"

    def line(self, name: str) -> str:
        ends = self.edition.lines[self.edition.find_line(name)].ends[:2]
        return "-".join(self.code(end) for end in ends)

    def merchants(self) -> Iterator[str]:
        for place, tiles in self.mapping["merchants"].items():
            words = (
                self.code(tile.removesuffix(WITHOUT_BARREL)) + USED * tile.endswith(WITHOUT_BARREL)
                for tile in tiles
            )
            yield f"{self.code(place)} {', '.join(words)}"


# --- reading -------------------------------------------------------------------------------------


def from_text(text: str) -> dict[str, Any]:
    """The mapping of a text; `position.read` sets it up."""
    if not isinstance(text, str):
        raise InvalidPosition([f"{text!r} is not text"])
    if len(text) > LONGEST:
        raise InvalidPosition([f"a position has at most {LONGEST} characters, not {len(text)}"])
    return _Reader(text).mapping


class _Reader:
    """Parses a text into a mapping."""

    def __init__(self, text: str) -> None:
        self.problems = Problems()
        self.mapping: dict[str, Any] = {}
        lines = (line for whole in text.splitlines() for line in _BAR.split(whole))
        # With single spaces, no pattern below tries many ways to divide them.
        parts = [" ".join(line.split()) for line in lines if line.strip()]
        if not parts or _PART.fullmatch(parts[0]):
            raise InvalidPosition(
                ["a position begins with its edition and the number of players: birmingham 4"]
            )
        self.edition = self.read_edition(parts[0])
        divided = list(self.divide(parts[1:]))
        self.seats = self.read_seats(divided)
        for key, value in divided:
            self.read_part(key, value)
        self.problems.stop_if_any()

    def read_edition(self, text: str) -> Edition:
        """`lancashire 3, virtual_link, cotton_one_vp=3`."""
        name, *options = _split(_single(text), ",") or [""]
        named = _EDITION.fullmatch(name)
        if named:
            name = named[1]
            self.mapping["players"] = named[2]
        self.mapping["edition"] = name
        for option in options:
            key, equals, value = (word.strip() for word in option.partition("="))
            self.mapping.setdefault("options", {})[key] = value if equals else True
        try:
            players = int(named[2]) if named else None
            return find_edition(name, players, **self.mapping.get("options", {}))
        except BrassError as error:
            raise InvalidPosition([str(error)]) from error

    def divide(self, parts: Iterable[str]) -> Iterator[Part]:
        """Split each part into its name and its content."""
        for part in parts:
            found = _PART.fullmatch(part)
            if found is None:
                self.problems.add(f"{show(part)} is not a part of a position: write 'NAME: ...'")
            else:
                yield " ".join(_single(found[1]).split()), _single(found[2])

    def read_seats(self, parts: Iterable[Part]) -> tuple[str, ...]:
        for key, value in parts:
            if key.casefold() == "seats":
                return tuple(" ".join(name.split()) for name in _split(value, ","))
        return SEAT_NAMES[: self.edition.players]

    def put(self, key: str, value: Any) -> None:
        if key in self.mapping:
            self.problems.add(f"{key} appears twice")
        self.mapping[key] = value

    def read_part(self, name: str, value: str) -> None:
        key = name.casefold()
        for seat in self.seats:
            if seat.casefold() == key:
                self.put(seat, self.read_fields(seat, value))
                return
        if key not in POSITION_KEYS or key in ("edition", "players", "options"):
            known = [*POSITION_KEYS[3:], *self.seats]
            self.problems.add(f"unknown part {show(name)}; choose one of: {', '.join(known)}")
        elif key == "seats":
            self.put(key, list(self.seats))
        elif key == "round":
            self.read_round(value)
        elif key == "order":
            self.put(key, _split(value, ","))
        elif key in ("tiles", "links"):
            self.put(key, list(self.read_things(value)))
        elif key == "merchants":
            self.put(key, self.read_merchants(value))
        elif key == "action":
            self.put(key, self.read_action(value))
        elif key in CARD_PILES:
            self.put(key, value if value.isdecimal() else self.read_cards(key, value))
        elif key in DISTANT_PILES:
            self.put(key, self.read_list(key, value.replace(",", " ").split()))
        else:
            self.put(key, value)

    # --- the turn ----------------------------------------------------------------------------

    def read_round(self, value: str) -> None:
        """`rail 5, R to move, 1 action left`, in any order."""
        for words in _split(value, ","):
            if words.casefold().endswith(" to move"):
                self.put("to move", words[: -len(" to move")].strip())
            elif actions := _ACTIONS.fullmatch(words):
                self.put("actions left", actions[1])
            elif found := _ROUND.fullmatch(words):
                if found[1]:
                    self.put("era", found[1].casefold())
                if found[2]:
                    self.put("round", found[2])
            else:
                self.problems.add(
                    f"round: {show(words)} is not understood; write 'rail 5', 'R to move' or"
                    " '1 action left'"
                )

    def read_action(self, value: str) -> dict[str, Any]:
        """`coal; doing build; space Bury 2; industry iron; coal due 1`."""
        question, *others = _split(value, ";") or [""]
        action: dict[str, Any] = {"question": question.casefold()}
        for words in others:
            key, rest = _head(words, ACTION_KEYS)
            if key is None:
                self.problems.add(
                    f"action: {show(words)} is not understood; it begins with one of"
                    f" {', '.join(ACTION_KEYS)}"
                )
            elif key in action:
                self.problems.add(f"action: {key} appears twice")
            else:
                action[key] = rest.casefold() if key == "doing" else rest
        return action

    # --- a seat ------------------------------------------------------------------------------

    def read_fields(self, seat: str, value: str) -> dict[str, Any]:
        """`£12; spent 5; income 14; vp 7; hand Bury coal*2; mat cotton 2`."""
        own: dict[str, Any] = {}
        for words in _split(value, ";"):
            key, rest = _head(words, SEAT_KEYS[:-1])
            if words.startswith("£"):
                key, rest = "cash", words[1:].strip()
            if key is None:
                self.problems.add(
                    f"{seat}: {show(words)} is not understood; write '£12', 'spent 5', 'income 14',"
                    " 'vp 7', 'hand Bury coal*2' or 'mat cotton 2'"
                )
            elif key in own:
                self.problems.add(f"{seat}: {key} appears twice")
            elif key == "hand":
                own[key] = self.read_cards(f"{seat}.hand", rest)
            elif key == "mat":
                own[key] = self.read_mat(seat, rest)
            elif key == "vp" and "=" in rest:
                total, _, sources = rest.partition("=")
                own[key] = total.strip()
                own["points"] = self.read_points(seat, sources)
            else:
                own[key] = rest
        return own

    def read_mat(self, seat: str, text: str) -> dict[str, str]:
        """`cotton 2, coal 3 x1, iron none`."""
        mat = {}
        for words in _split(text, ","):
            found = _MAT.fullmatch(words)
            if found is None:
                self.problems.add(f"{seat}.mat: {show(words)} has no level; write 'cotton 2'")
            else:
                mat[found[1]] = found[2]
        return mat

    def read_points(self, seat: str, text: str) -> dict[str, dict[str, str]]:
        """`canal links 7 cotton 5, rail debt -2`."""
        points: dict[str, dict[str, str]] = {}
        for words in _split(text, ","):
            era, _, rest = words.partition(" ")
            sources: dict[str, str] = points.setdefault(era.casefold(), {})
            end = 0
            while found := _SOURCE.match(rest, end):
                end = found.end()
                source = self.problems.find(f"{seat}.vp", self.source, found[1].strip())
                if source is not None:
                    sources[source] = found[2]
            if end < len(rest) or not rest:
                self.problems.add(
                    f"{seat}.vp: {show(words)} is not understood; write 'canal links 7 cotton 5'"
                )
        return points

    def source(self, text: str) -> str:
        """Read a source of VP."""
        word = text.casefold()
        return word if word in SOURCES else INDUSTRY[self.edition.find_industry(text)]

    # --- the map -----------------------------------------------------------------------------

    def read_things(self, value: str) -> Iterator[str]:
        """`Y this, that; R this`, each with its owner."""
        for group in _split(value, ";"):
            owner = None
            for text in _split(group, ","):
                thing = f"{text[:-1].strip()} flipped" if text.endswith(USED) else text
                named = max(
                    (seat for seat in self.seats if _begins(thing, seat)), key=len, default=None
                )
                yield thing if named or not owner else f"{owner} {thing}"
                owner = named or owner

    def read_merchants(self, value: str) -> dict[str, list[str]]:
        """`Oxford cotton, blank; Gloucester all!`."""
        merchants = {}
        for group in _split(value, ";"):
            first, *others = _split(group, ",") or [""]
            place, _, goods = first.partition(" ")
            tiles = [goods.strip(), *others] if goods else others
            merchants[place] = [
                f"{tile[:-1].strip()}{WITHOUT_BARREL}" if tile.endswith(USED) else tile
                for tile in tiles
            ]
        return merchants

    # --- cards -------------------------------------------------------------------------------

    def read_cards(self, where: str, text: str) -> list[str]:
        """Read cards separated by commas, or by spaces if there is no comma."""
        if text.casefold() in ("", NONE):
            return []
        if "," in text:
            return self.read_list(where, _split(text, ","))
        words = _STAR.sub("*", text).split()
        cards = []
        while words:
            size = next((n for n in range(4, 1, -1) if self.is_name(words[:n])), 1)
            cards.append(" ".join(words[:size]))
            del words[:size]
        return self.read_list(where, cards)

    def is_name(self, words: Sequence[str]) -> bool:
        """Whether words are one name: `Ellesmere Port` is not `port` after another card."""
        text = " ".join(words)
        times = _TIMES.fullmatch(text)
        return slug(times[1] if times else text) in long_names(self.edition)

    def read_list(self, where: str, words: Iterable[str]) -> list[str]:
        """Read a list in which `coal*2` means two; hidden cards cannot be set up."""
        things: list[str] = []
        for word in words:
            times = _TIMES.fullmatch(word)
            things += [times[1]] * int(times[2]) if times else [word]
            if len(things) > MOST_LISTED:
                self.problems.add(f"{where}: more than {MOST_LISTED} are named")
                return []
        if HIDDEN in things:
            self.problems.add(
                f"{where}: hidden cards or tiles ({HIDDEN}); a game needs to know all of them (what"
                " is left out is dealt by the seed)"
            )
        return [thing for thing in things if thing != HIDDEN]


def _split(text: str, by: str) -> list[str]:
    return [part.strip() for part in text.split(by) if part.strip()]


def _begins(text: str, name: str) -> bool:
    return text.casefold().startswith(f"{name} ".casefold())


def _head(words: str, keys: Iterable[str]) -> tuple[str | None, str]:
    """The longest key that the words begin with, and the rest."""
    for key in sorted(keys, key=len, reverse=True):
        if _begins(words, key):
            return key, words[len(key) :].strip()
    return None, words
