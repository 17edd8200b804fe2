"""A walk through a record: from action to action, into variations, with words added on the way."""

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
from brassmill.cli.files import told_of, view_of
from brassmill.editions.names import fold
from brassmill.errors import BrassError, UnknownName
from brassmill.language import N_, language, ngettext
from brassmill.language import gettext as _
from brassmill.record import replay
from brassmill.words.news import tell

if TYPE_CHECKING:
    from brassmill.cli.prompt import Prompt
    from brassmill.cli.screen import Screen
    from brassmill.core.events import Event
    from brassmill.game import Game
    from brassmill.record import Node, Record

NUMBER, TEXT = N_("NUMBER"), N_("TEXT")
LONGEST = 9  # digits of a number
STUDY = re.compile(r"-study\d+$")

SAVE = Command(
    "save", "speichern", "enregistrer", FILE, N_("write the record, with what you added")
)
STEPS = (
    Command("next", "weiter", "suivant", "", N_("to the next action; Enter does it too"), ("n",)),
    Command("back", "zurück", "retour", "", N_("to the action before"), ("b",)),
    Command("start", "Anfang", "début", "", N_("to the beginning")),
    Command("end", "Ende", "fin", "", N_("to the end")),
    Command("go", "gehe", "aller", NUMBER, N_("to an action; the number alone does it too")),
    Command("variation", "Variante", "variante", NUMBER, N_("into a variation"), ("v",)),
    Command("main", "Hauptlinie", "principale", "", N_("back to what was played"), ("m",)),
    Command("log", "Verlauf", "journal", "", N_("all actions up to here")),
    Command(
        "play", "spiele", "jouer", ACTION, N_("add an action here; the action alone does it too")
    ),
    Command(
        *("comment", "Kommentar", "commentaire", TEXT),
        N_("say something about this action; a dash takes it back"),
    ),
    Command("remove", "entfernen", "supprimer", "", N_("take this action and what follows out")),
    SAVE,
    Command("help", "Hilfe", "aide", "", N_("this"), ("?",)),
    Command("quit", "beenden", "quitter", "", N_("leave"), ("exit", "q")),
)
_KNOWN = {fold(word) or word: step for step in STEPS for word in step.spellings}

# The headers of a record as people read them; others are shown by their names.
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


class Walk:
    """A record, and where in it one stands."""

    def __init__(self, record: Record, screen: Screen, seat: str | None) -> None:
        self.record = record
        self.screen = screen
        self.seat = seat
        self.node: Node = record.root
        self.changed = False
        self.doomed: Node | None = None  # what the word to remove it was said of, once

    # --- all at once -----------------------------------------------------------------------------

    def tell_all(self, to: int | None) -> None:
        """Every action and what came of it, then the table as it is after the last."""
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
        """Go where the lines say until somebody has seen enough; what was added is not lost."""
        try:
            while self.follow(prompt, path, number):
                pass
        except (EOFError, KeyboardInterrupt):
            pass
        finally:
            if self.changed:
                self.keep(path)

    def follow(self, prompt: Prompt, path: Path, number: int) -> bool:
        """One line; False if it is the last."""
        step, rest = self.read(prompt.ask(f"{self.node.number}/{len(self.record.main_line())} > "))
        try:
            if step == "save":
                self.save(Path(rest) if rest else path, path, number)
            elif step != "quit":
                self.obey(step, rest)
        except BrassError as error:
            self.screen.say(str(error), "red")
        return step != "quit"

    def read(self, line: str) -> tuple[str, str]:
        """The step that a line says, and what follows the word."""
        word, _blank, rest = line.partition(" ")
        if not line:
            return "next", ""
        if line.isdecimal():
            return "go", line
        step = _KNOWN.get(fold(word) or word)
        return (step.en, rest.strip()) if step else ("play", line)

    def obey(self, step: str, rest: str) -> None:
        """Go where a step says."""
        match step:
            case "next":
                if not self.node.children:
                    raise BrassError(_("This is the end."))
                self.stand_at(self.node.children[0])
            case "back":
                if self.node.parent is None:
                    raise BrassError(_("This is the beginning."))
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
        """To an action of the main line, by its number."""
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
        """Into one of the other ways in which the game could go on, here or one action before."""
        others = self.others()
        if not 1 <= number <= len(others):
            raise BrassError(
                _("there is no variation {number} here: there are {count}").format(
                    number=number, count=len(others)
                )
            )
        self.stand_at(others[number - 1])

    def others(self) -> list[Node]:
        """What might be played next instead of what was, then what might be instead of this."""
        before = self.node.parent.children if self.node.parent else []
        return self.node.children[1:] + [node for node in before if node is not self.node]

    def stand_at(self, node: Node) -> None:
        """Show the table after an action, what it did, and how else it could go on."""
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
        """Add an action, or go to it if it is there."""
        known = list(self.node.children)
        try:
            node = self.node.add_variation(text)
        except UnknownName as unknown:
            if unknown.kind != "action":
                raise
            words = _("{error} (help shows what can be done here)")
            raise BrassError(words.format(error=unknown)) from unknown
        self.stand_at(node)
        if node not in known:
            self.changed = True
            added = _("Added as action {number}; {save} writes it to the file.")
            if known:
                added = _("Added as a variation of action {number}; {save} writes it to the file.")
            self.screen.say(added.format(number=node.number, save=SAVE.word))

    def remove(self) -> None:
        """Take an action and what follows it out; what was played goes only at the second word."""
        parent = self.node.parent
        if parent is None:
            raise BrassError(_("This is the beginning."))
        if self.node.is_main and self.doomed is not self.node:
            self.doomed = self.node
            following = 1 + len(list(self.node.main_line()))
            words = ngettext(
                "{number} action of what was played would go: the same word again takes it out.",
                "{number} actions of what was played would go: the same word again takes them out.",
                following,
            )
            raise BrassError(words.format(number=following))
        self.node.remove()
        self.changed = True
        self.stand_at(parent)

    def say_about(self, text: str) -> None:
        """Comment on an action; without words, show the comment; a dash takes it out."""
        if not text:
            self.screen.say(self.node.comment or _("There is no comment here."))
            return
        self.node.comment = "" if text == "-" else text
        self.changed = True
        self.screen.say(_("Noted; {save} writes it to the file.").format(save=SAVE.word))

    def save(self, target: Path, path: Path, number: int) -> None:
        """Write the record: in its place among the games of its file, or alone elsewhere."""
        games: list[Record] = [self.record]
        if target == path:
            games = list(self.in_place(path, number))
        elif target.exists():
            raise BrassError(_("{path} is there already: name another file").format(path=target))
        with told_of(target):
            records.write(target, games)
        self.changed = False
        self.screen.say(_("The record is in {path}.").format(path=target))

    def in_place(self, path: Path, number: int) -> Sequence[Record]:
        """The games of a file with this one in its place."""
        games: list[Record] = []
        with told_of(path):
            for game in records.read(path):
                if isinstance(game, records.BrokenRecord):
                    raise BrassError(
                        _("a game of this file cannot be read and would be lost: save elsewhere")
                    )
                games.append(game)
        if len(games) < number:
            raise BrassError(_("this file has changed meanwhile: save elsewhere"))
        games[number - 1] = self.record
        return games

    def keep(self, path: Path) -> None:
        """Write what was added and not saved beside the file, or wherever there is room."""
        for folder in (path.parent, Path.cwd(), Path(gettempdir())):
            try:
                self.save(free_name(folder / path.name), path, 1)
            except BrassError as error:
                self.screen.say(str(error), "red")
            else:
                return

    # --- what is shown ---------------------------------------------------------------------------

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
        """An action that was just played, in the words of the language."""
        text = game.actions[-1].text_in(language())
        self.screen.say(f"{node.number:3} {node.seat}: {text}", "bold")

    def events(self, game: Game, events: Sequence[Event]) -> None:
        self.screen.log(game.view(), list(tell(events, game.seats)))

    def comment(self, node: Node) -> None:
        if node.comment:
            self.screen.say(f"{node.comment}\n", "italic")

    def variations(self) -> None:
        for number, other in enumerate(self.others(), 1):
            words = _("variation {number}, instead of action {place}: {action}").format(
                number=number, place=other.number, action=self.said(other)
            )
            self.screen.say(words, "dim")

    def said(self, node: Node) -> str:
        """An action that is not played here, in the words of the language."""
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
    """A node and all before it."""
    found = []
    while node is not None:
        found.append(node)
        node = node.parent
    return found


def number_in(text: str) -> int:
    if not text:
        raise BrassError(_("which one? a number is missing"))
    if not text.isdecimal() or len(text) > LONGEST:
        raise BrassError(_("{text!r} is not a number").format(text=text))
    return int(text)


def free_name(path: Path) -> Path:
    """A name beside a file, for what was added to it and not saved."""
    stem, number = STUDY.sub("", path.stem), 1
    while (name := path.with_name(f"{stem}-study{number}.brass")).exists():
        number += 1
    return name
