"""Stepping through a record: between actions, into variations, adding actions and comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from brassmill import record as records
from brassmill import terms
from brassmill.cli.commands import ACTION, FILE, Command
from brassmill.cli.files import errors_naming, view_of
from brassmill.editions.names import fold
from brassmill.errors import BrassError, UnknownName
from brassmill.language import N_, language, ngettext
from brassmill.language import gettext as _
from brassmill.record import replay
from brassmill.words.log import log_lines

if TYPE_CHECKING:
    from brassmill.cli.prompt import Prompt
    from brassmill.cli.screen import Screen
    from brassmill.core.events import Event
    from brassmill.game import Game
    from brassmill.record import Node, Record

NUMBER, TEXT = N_("NUMBER"), N_("TEXT")
LONGEST = 9  # digits of a number
STUDY = re.compile(r"-study\d+$")

SAVE = Command("save", "speichern", "enregistrer", FILE, N_("save the record with your additions"))
STEPS = (
    Command("next", "weiter", "suivant", "", N_("go to the next action; Enter works too"), ("n",)),
    Command("back", "zurück", "retour", "", N_("go back one action"), ("b",)),
    Command("start", "Anfang", "début", "", N_("go to the start")),
    Command("end", "Ende", "fin", "", N_("go to the end")),
    Command("go", "gehe", "aller", NUMBER, N_("go to an action; the number alone works too")),
    Command("variation", "Variante", "variante", NUMBER, N_("enter a variation"), ("v",)),
    Command("main", "Hauptlinie", "principale", "", N_("return to the main line"), ("m",)),
    Command("log", "Verlauf", "journal", "", N_("list the actions up to here")),
    Command(
        "play", "spiele", "jouer", ACTION, N_("add an action here; the action alone works too")
    ),
    Command(
        *("comment", "Kommentar", "commentaire", TEXT),
        N_("comment on this action; a dash deletes the comment"),
    ),
    Command(
        "remove", "entfernen", "supprimer", "", N_("remove this action and everything after it")
    ),
    SAVE,
    Command("help", "Hilfe", "aide", "", N_("show this help"), ("?",)),
    Command("quit", "beenden", "quitter", "", N_("leave"), ("exit", "q")),
)
_KNOWN = {fold(word) or word: step for step in STEPS for word in step.spellings}

# Translated names of record headers; others are shown as written.
HEADERS = {
    "Edition": N_("Edition"),
    "Players": N_("Players"),
    "Options": N_("Options"),
    "Seats": N_("Seats"),
    "Rules": N_("Rules"),
    "Seed": N_("Seed"),
    "View": N_("View"),
    "Event": N_("Event"),
    "Site": N_("Site"),
    "Date": N_("Date"),
    "Round": N_("Round"),
    "Annotator": N_("Annotator"),
    "Result": N_("Result"),
    "Winner": N_("Winner"),
    "TieBreak": N_("Tie-break"),
}


class ReplaySession:
    """A record and the current position in it."""

    def __init__(self, record: Record, screen: Screen, seat: str | None) -> None:
        self.record = record
        self.screen = screen
        self.seat = seat
        self.node: Node = record.root
        self.changed = False
        self.to_confirm: Node | None = None  # removal was asked for once

    # --- all at once -----------------------------------------------------------------------------

    def print_all(self, to: int | None) -> None:
        """Print every action and its effects, then the table after the last one."""
        line = self.record.main_line()
        if to is not None:
            line = line[: self.check_number(to)]
        game = self.record.game(0)
        self.headers()
        self.comment(self.record.root)
        for node in line:
            self.heading(node)
            events = replay.play(self.record, game, node)
            self.action(node, game)
            self.events(game, events)
            self.comment(node)
        self.table(game)
        if to is None:
            replay.check_end(self.record, game, line[-1] if line else self.record.root)

    # --- step by step ----------------------------------------------------------------------------

    def study(self, prompt: Prompt, path: Path, number: int) -> None:
        """Follow commands until the reader leaves; unsaved additions are written to a file."""
        try:
            while self.follow(prompt, path, number):
                pass
        except (EOFError, KeyboardInterrupt):
            pass
        finally:
            if self.changed:
                self.keep(path)

    def follow(self, prompt: Prompt, path: Path, number: int) -> bool:
        """Read and follow one command; False if it was the last."""
        step, rest = self.read(prompt.ask(f"{self.node.number}/{len(self.record.main_line())} > "))
        try:
            if step == "save":
                self.save(Path(rest) if rest else path, path, number)
            elif step != "quit":
                self.execute(step, rest)
        except BrassError as error:
            self.screen.say(str(error), "red")
        return step != "quit"

    def read(self, line: str) -> tuple[str, str]:
        """The command in a line, and its argument."""
        word, _blank, rest = line.partition(" ")
        if not line:
            return "next", ""
        if line.isdecimal():
            return "go", line
        step = _KNOWN.get(fold(word) or word)
        return (step.en, rest.strip()) if step else ("play", line)

    def execute(self, step: str, rest: str) -> None:
        """Carry out a command."""
        match step:
            case "next":
                if not self.node.children:
                    raise BrassError(_("This is the end of the record."))
                self.stand_at(self.node.children[0])
            case "back":
                if self.node.parent is None:
                    raise BrassError(_("This is the start of the record."))
                self.stand_at(self.node.parent)
            case "start":
                self.stand_at(self.record.root)
            case "end":
                self.stand_at([self.node, *self.node.main_line()][-1])
            case "go":
                self.go(number_in(rest))
            case "variation":
                self.enter(number_in(rest))
            case "main":
                self.stand_at(next(node for node in up(self.node) if node.is_main))
            case "log":
                self.log()
            case "play":
                self.play(rest)
            case "comment":
                self.say_about(rest)
            case "remove":
                self.remove()
            case "help":
                self.screen.commands((command.use, _(command.meaning)) for command in STEPS)

    def go(self, number: int) -> None:
        """Go to an action of the main line by number."""
        line = [self.record.root, *self.record.main_line()]
        self.stand_at(line[self.check_number(number)])

    def check_number(self, number: int) -> int:
        count = len(self.record.main_line())
        if not 0 <= number <= count:
            raise BrassError(
                _("there is no action {number}: the record has {count}").format(
                    number=number, count=count
                )
            )
        return number

    def enter(self, number: int) -> None:
        """Enter a variation, here or one action earlier."""
        others = self.others()
        if not 1 <= number <= len(others):
            raise BrassError(
                _("there is no variation {number} here: there are {count}").format(
                    number=number, count=len(others)
                )
            )
        self.stand_at(others[number - 1])

    def others(self) -> list[Node]:
        """The alternatives to the next action, then the alternatives to this one."""
        before = self.node.parent.children if self.node.parent else []
        return self.node.children[1:] + [node for node in before if node is not self.node]

    def stand_at(self, node: Node) -> None:
        """Show the table after an action, what the action did, and the variations here."""
        game = self.record.game(node.parent or 0)
        events = replay.play(self.record, game, node) if node.parent else []
        self.node = node
        self.table(game)
        if node.parent is None:
            self.headers()
        else:
            self.action(node, game)
            self.events(game, events)
        self.comment(node)
        self.variations()

    # --- additions -------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Add an action, or go to it if it exists."""
        known = list(self.node.children)
        try:
            node = self.node.add_variation(text)
        except UnknownName as unknown:
            if unknown.kind != "action":
                raise
            words = _("{error} (type help to see what you can do here)")
            raise BrassError(words.format(error=unknown)) from unknown
        self.stand_at(node)
        if node not in known:
            self.changed = True
            added = _("Added as action {number}; {save} writes it to the file.")
            if known:
                added = _("Added as a variation of action {number}; {save} writes it to the file.")
            self.screen.say(added.format(number=node.number, save=SAVE.word))

    def remove(self) -> None:
        """Remove an action and everything after it; the main line needs confirmation."""
        parent = self.node.parent
        if parent is None:
            raise BrassError(_("This is the start of the record."))
        if self.node.is_main and self.to_confirm is not self.node:
            self.to_confirm = self.node
            following = 1 + len(list(self.node.main_line()))
            words = ngettext(
                "This removes {number} action from the main line. Type the command again to "
                "confirm.",
                "This removes {number} actions from the main line. Type the command again to "
                "confirm.",
                following,
            )
            raise BrassError(words.format(number=following))
        self.node.remove()
        self.changed = True
        self.stand_at(parent)

    def say_about(self, text: str) -> None:
        """Comment on an action; without text, show the comment; a dash deletes it."""
        if not text:
            self.screen.say(self.node.comment or _("No comment here."))
            return
        self.node.comment = "" if text == "-" else text
        self.changed = True
        self.screen.say(_("Noted; {save} writes it to the file.").format(save=SAVE.word))

    def save(self, target: Path, path: Path, number: int) -> None:
        """Write the record in its place in its own file, or alone in another."""
        games: list[Record] = [self.record]
        if target == path:
            games = list(self.in_place(path, number))
        elif target.exists():
            raise BrassError(_("{path} already exists; choose another file").format(path=target))
        with errors_naming(target):
            records.write(target, games)
        self.changed = False
        self.screen.say(_("Saved the record in {path}.").format(path=target))

    def in_place(self, path: Path, number: int) -> Sequence[Record]:
        """All games of a file, with this one replaced."""
        games: list[Record] = []
        with errors_naming(path):
            for game in records.read(path):
                if isinstance(game, records.BrokenRecord):
                    raise BrassError(
                        _(
                            "a game in this file cannot be read and would be lost;"
                            " save to another file"
                        )
                    )
                games.append(game)
        if len(games) < number:
            raise BrassError(_("this file has changed in the meantime; save to another file"))
        games[number - 1] = self.record
        return games

    def keep(self, path: Path) -> None:
        """Write unsaved additions beside the file, or wherever possible."""
        for folder in (path.parent, Path.cwd(), Path(gettempdir())):
            try:
                self.save(free_name(folder / path.name), path, 1)
            except BrassError as error:
                self.screen.say(str(error), "red")
            else:
                return

    # --- output ----------------------------------------------------------------------------------

    def table(self, game: Game) -> None:
        self.screen.board(view_of(self.record, game, self.seat))

    def headers(self) -> None:
        for name, value in self.record.headers.items():
            said = terms.tie_break(value) if name == "TieBreak" else value
            if said and name != "Brass":
                header = _(HEADERS.get(name, name))
                self.screen.say(_("{name}: {value}").format(name=header, value=said), "dim")

    def heading(self, node: Node) -> None:
        if node.heading:
            era, number, order = node.heading
            words = _("{era}, round {number}: {order}").format(
                era=terms.era(era), number=number, order=", ".join(order)
            )
            self.screen.say("\n" + words.rstrip(" :"), "bold")

    def action(self, node: Node, game: Game) -> None:
        """Print the action just played, in the current language."""
        text = game.actions[-1].text_in(language())
        self.screen.say(f"{node.number:3} {node.seat}: {text}", "bold")

    def events(self, game: Game, events: Sequence[Event]) -> None:
        self.screen.log(game.view(), list(log_lines(events, game.seats)))

    def comment(self, node: Node) -> None:
        if node.comment:
            self.screen.say(f"{node.comment}\n", "italic")

    def variations(self) -> None:
        for number, other in enumerate(self.others(), 1):
            words = _("variation {number}, instead of action {place}: {action}").format(
                number=number, place=other.number, action=self.action_words(other)
            )
            self.screen.say(words, "dim")

    def action_words(self, node: Node) -> str:
        """An action that is not played here, in the current language."""
        assert node.parent is not None
        game = self.record.game(node.parent)
        with suppress(BrassError):
            replay.play(self.record, game, node)
            return f"{node.seat}: {game.actions[-1].text_in(language())}"
        return f"{node.seat}: {node.text}"

    def log(self) -> None:
        game = self.record.game(0)
        for node in self.node.line:
            self.heading(node)
            replay.play(self.record, game, node)
            self.action(node, game)


def up(node: Node | None) -> Sequence[Node]:
    """A node and all its ancestors."""
    found = []
    while node is not None:
        found.append(node)
        node = node.parent
    return found


def number_in(text: str) -> int:
    if not text:
        raise BrassError(_("add a number"))
    if not text.isdecimal() or len(text) > LONGEST:
        raise BrassError(_("{text!r} is not a number").format(text=text))
    return int(text)


def free_name(path: Path) -> Path:
    """An unused file name for unsaved additions."""
    stem, number = STUDY.sub("", path.stem), 1
    while (name := path.with_name(f"{stem}-study{number}.brass")).exists():
        number += 1
    return name
