"""Parses the text of one game, from its headers to its last line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from brassmill.core.deal import Deal
from brassmill.editions import Edition
from brassmill.errors import BrassError, UnknownName
from brassmill.game import check_names
from brassmill.language import gettext as _
from brassmill.position.words import find_seat
from brassmill.record import rows, seat
from brassmill.record.record import CLOSINGS, Record
from brassmill.record.tree import BLANKS, Heading, Node

GAME_BEGINS = "[Brass "
DEEPEST = 100  # nested variations
# What takes the longest to understand may not be as long as a line, in characters.
LONGEST_HEADER = 10_000
LONGEST_ROW = 20_000
LONGEST_ACTION = 2_000

ROW = re.compile(rf"({'|'.join(rows.ROWS)}):(.*)")
HEADING = re.compile(r"(canal|rail) +([0-9]{1,3})(?::(.*))?")
ACTION = re.compile(r"([0-9]{1,6})[ \t]+(.*)")
MOVES = re.compile(rf"[ \t]*(?:[0-9{{()]|(?:canal|rail) +[0-9]|(?:{'|'.join(CLOSINGS)})[ \t]*$)")
BRACKETS = re.compile(r"\\.|[{}]")


class SourceLine(NamedTuple):
    """A line of a file, without its line ending."""

    number: int
    text: str
    problem: str = ""  # why it cannot be read


class LineError(Exception):
    """A line that cannot be read."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class Parser:
    """Reads the lines of one game from top to bottom."""

    def __init__(self, lines: list[SourceLine]) -> None:
        self.lines = lines
        self.at = 0
        self.places: dict[str, int] = {}  # line numbers of the headers and rows

    def record(self) -> Record:
        """The game; an error names its line."""
        try:
            return self._record()
        except BrassError as error:
            line = self.lines[min(self.at, len(self.lines)) - 1]
            raise LineError(line.number, str(error)) from error

    def _record(self) -> Record:
        record = self._start(self._headers(), self._rows())
        Moves(self, record).read()
        with self.blaming("checks"):
            checks, actions = len(record.checks), len(record.main_line())
            if checks not in (0, actions):
                raise BrassError(
                    _(
                        "there are {checks} checks for {actions} actions: correct them, or leave"
                        " the row out"
                    ).format(checks=checks, actions=actions)
                )
        return record

    # --- lines -----------------------------------------------------------------------------------

    def peek(self) -> str | None:
        """The next line; None at the end."""
        return self.lines[self.at].text if self.at < len(self.lines) else None

    def take(self) -> str:
        """Return the next line and move on."""
        line = self.lines[self.at]
        self.at += 1
        if line.problem:
            raise BrassError(line.problem)
        return line.text.rstrip(BLANKS)

    @contextmanager
    def blaming(self, name: str) -> Iterator[None]:
        """Attribute errors to the line of a header or row, if the record has it."""
        try:
            yield
        except BrassError:
            self.at = self.places.get(name, self.at)
            raise

    # --- the head --------------------------------------------------------------------------------

    def _headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        while (line := self.peek()) is not None and (
            line.startswith("[") or not line.strip(BLANKS)
        ):
            if self.take():
                check_length(line, LONGEST_HEADER)
                name, value = rows.read_header(line.rstrip(BLANKS))
                if name in headers:
                    raise BrassError(_("the header {name} appears twice").format(name=name))
                headers[name] = value
                self.places[name] = self.at
        if "Brass" not in headers:
            self.at = 0
            self.take()  # raises an error if it is not text at all
            raise BrassError(_('a game begins with the header [Brass "1"]'))
        version = headers.pop("Brass")
        with self.blaming("Brass"):
            if version != rows.FORMAT:
                raise BrassError(
                    _("the record has format {theirs}; this package reads {ours}").format(
                        theirs=version, ours=rows.FORMAT
                    )
                )
        return headers

    def _rows(self) -> dict[str, str]:
        """The rows by name, each joined into one line."""
        found: dict[str, str] = {}
        name = ""
        while (line := self.peek()) is not None:
            match = ROW.fullmatch(line)
            if match:
                self.take()
                name = match[1]
                if name in found:
                    raise BrassError(_("the row {name} appears twice").format(name=f"{name}:"))
                found[name] = match[2].strip(BLANKS)
                self.places[name] = self.at
                check_length(found[name], LONGEST_ROW)
            elif name and line[:1] in BLANKS and line.strip(BLANKS):
                found[name] = f"{found[name]} {self.take().strip(BLANKS)}".strip(BLANKS)
                check_length(found[name], LONGEST_ROW)
            elif MOVES.match(line):
                break
            elif self.take():
                raise not_understood(line)
            else:
                name = ""  # a blank line ends a row
        return found

    def _start(self, headers: dict[str, str], given: dict[str, str]) -> Record:
        """The record with the start of its game."""
        with self.blaming("Edition"):
            edition = rows.edition_of(headers)
        with self.blaming("Seats"):
            names = check_names(edition, rows.names_of(edition, headers))
        record = Record(edition, names, headers=headers)
        with self.blaming("View"):
            record.viewer = rows.viewer_of(headers, names)
        with self.blaming(rows.CONCEDED):
            record.conceded = rows.conceded_in(headers, names)
        with self.blaming("checks"):
            record.checks = rows.read_checks(given.pop("checks", ""))
        if "position" in given:
            with self.blaming("position"):
                if len(given) > 1 or record.viewer is not None:
                    raise BrassError(
                        _("a game begins with a position or with a deal, not with both")
                    )
                record.position = rows.read_position(edition, names, given["position"])
            return record
        deal = self._deal(edition, names, given)
        if record.viewer is not None:
            record.known = deal
        else:
            record.deal = rows.with_seed(edition, deal, headers.get("Seed", ""))
            with self.blaming("deck"):
                rows.refuse_unknown(deal)
        return record

    def _deal(self, edition: Edition, seats: tuple[str, ...], given: dict[str, str]) -> Deal:
        """The deal, or what is known of it; problems are attributed to single rows."""
        for name in given:
            if name not in rows.needed(edition):
                with self.blaming(name):
                    raise BrassError(_("this game has no row {name}").format(name=f"{name}:"))
        read: dict[str, tuple[int, ...]] = {}
        for name in rows.needed(edition):
            with self.blaming(name):
                if name not in given:
                    raise BrassError(_("the row {name} is missing").format(name=f"{name}:"))
                read[name] = rows.read_row(edition, seats, name, given[name])
        deal = Deal(
            decks=(read["deck"], read["rail deck"]),
            distant=(read.get("distant", ()), read.get("rail distant", ())),
            merchants=read.get("merchants", ()),
            order=read["order"],
        )
        for problem in seat.filled(edition, deal).check(edition):
            with self.blaming(problem.partition(":")[0]):
                raise BrassError(problem)
        return deal


class Moves:
    """Reads rounds, actions, comments and variations, up to the last line."""

    def __init__(self, parser: Parser, record: Record) -> None:
        self.parser = parser
        self.record = record
        self.node = record.root  # the last action read
        self.replaced: list[Node] = []  # the actions that the open variations replace
        self.fresh = False  # a variation has begun but has no action yet
        self.heading: Heading | None = None  # of the next action
        self.headed = 0  # its line
        self.comments: dict[Node, list[str]] = {}  # their lines, put together at the end

    def read(self) -> None:
        """Read all remaining lines."""
        while self.parser.peek() is not None:
            line = self.parser.take().strip(BLANKS)
            if line in CLOSINGS:
                self.close(line)
                return
            if line:
                self.line(line)
        raise BrassError(
            _("the game is cut short: its last line must be one of {lines}").format(
                lines=", ".join(CLOSINGS)
            )
        )

    def close(self, line: str) -> None:
        self.refuse_bare_heading()
        for node, lines in self.comments.items():
            node.comment = "\n".join(lines)
        self.record.closing = line
        if self.replaced:
            raise BrassError(_("a variation is not closed: there are more ( than )"))
        while self.parser.peek() is not None:
            if self.parser.take():
                raise BrassError(_("nothing may follow the last line of a game"))

    def line(self, line: str) -> None:
        if line == "(":
            self.begin_variation()
        elif line == ")":
            self.end_variation()
        elif line.startswith("{"):
            self.comment(line)
        elif match := HEADING.fullmatch(line):
            self.refuse_bare_heading()
            names = [name.strip(BLANKS) for name in (match[3] or "").split(",") if name.strip()]
            seats = self.record.seats
            order = tuple(seats[find_seat(seats, name)] for name in names)
            self.heading, self.headed = Heading(match[1], int(match[2]), order), self.parser.at
        elif match := ACTION.fullmatch(line):
            self.action(int(match[1]), match[2])
        else:
            raise not_understood(line)

    def refuse_bare_heading(self) -> None:
        """Raise an error if a heading is followed by anything but an action or a comment."""
        if self.heading:
            self.parser.at = self.headed
            raise BrassError(_("the heading of a round must be followed by an action"))

    def begin_variation(self) -> None:
        self.refuse_bare_heading()
        if self.fresh or self.node.parent is None:
            raise BrassError(_("a variation must follow the action that it replaces"))
        if len(self.replaced) == DEEPEST:
            raise BrassError(_("more than {most} nested variations").format(most=DEEPEST))
        self.replaced.append(self.node)
        self.node = self.node.parent
        self.fresh = True

    def end_variation(self) -> None:
        self.refuse_bare_heading()
        if not self.replaced:
            raise BrassError(_("there are more ) than ("))
        if self.fresh:
            raise BrassError(_("a variation has no action"))
        self.node = self.replaced.pop()

    def action(self, number: int, rest: str) -> None:
        begins = brace_in(rest, "{")
        words = unescaped(rest[:begins])
        check_length(words, LONGEST_ACTION)
        seat, text = self.split_seat(words)
        if number != self.node.number + 1:
            raise BrassError(
                _("this is action {right}, not {number}").format(
                    right=self.node.number + 1, number=number
                )
            )
        child = Node(self.node, seat, text, self.heading)
        self.node.children.append(child)
        self.node = child
        self.fresh, self.heading = False, None
        if begins is not None:
            self.comment(rest[begins:])

    def split_seat(self, words: str) -> tuple[str, str]:
        """Split `Ada: loan 30` into the seat and the action."""
        parts = words.split(":")
        folded = [name.casefold() for name in self.record.seats]
        for count in range(len(parts) - 1, 0, -1):  # a name may contain a colon
            name = ":".join(parts[:count]).strip(BLANKS).casefold()
            text = ":".join(parts[count:]).strip(BLANKS)
            if name in folded and text:
                return self.record.seats[folded.index(name)], text
        if len(parts) == 1:
            raise BrassError(_("an action is written NUMBER SEAT: ACTION"))
        raise UnknownName("seat", parts[0], self.record.seats)

    def comment(self, rest: str) -> None:
        """Read a comment that begins in this line, and any that follow."""
        if self.fresh:
            raise BrassError(_("a comment must follow an action"))
        lines = self.comments.setdefault(self.node, [])
        begins, at = self.parser.at, 0
        while rest.startswith("{", at):
            at += 1
            while (end := brace_in(rest, "}", at)) is None:
                lines.append(unescaped(rest[at:]))
                if self.parser.peek() is None:
                    self.parser.at = begins
                    raise BrassError(_("a comment is not closed"))
                rest, at = self.parser.take(), 0
            lines.append(unescaped(rest[at:end]))
            at = end + 1
            while at < len(rest) and rest[at] in BLANKS:
                at += 1
        if at < len(rest):
            raise BrassError(_("only another comment may follow a comment on its line"))
        while lines and not lines[-1]:
            lines.pop()


def check_length(text: str, most: int) -> None:
    """Raise an error if a part of a record is too long to be one."""
    if len(text) > most:
        raise BrassError(
            _("this has {size} characters: the limit is {most}").format(size=len(text), most=most)
        )


def not_understood(line: str) -> BrassError:
    """The error for an unknown kind of line."""
    return BrassError(
        _("{line} is not a header, row, round, action, comment, variation or last line").format(
            line=repr(line[:60])
        )
    )


def brace_in(text: str, brace: str, start: int = 0) -> int | None:
    """Where the next brace without a backslash is."""
    found = (match.start() for match in BRACKETS.finditer(text, start) if match[0] == brace)
    return next(found, None)


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).strip(BLANKS)
