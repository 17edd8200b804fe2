"""You, at the prompt: what is typed, and what it does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

from brassmill.action import Action
from brassmill.cli.log import tell
from brassmill.cli.screen import Offer, Screen
from brassmill.editions.names import fold
from brassmill.errors import AmbiguousAction, BrassError, UnknownName
from brassmill.events import Event
from brassmill.explain import QUESTIONS
from brassmill.game import Game, Move
from brassmill.view import View

OPEN = "..."  # at the end of a text: the rest is asked
PRICED = ("build", "link", "develop")  # choices that cost something

HELP = """\
Type an action; what you leave out is asked, if there is a choice:
  build coal TOWN; card TOWN      link TOWN-TOWN      sell cotton TOWN
  develop iron, coal              loan 30             scout               pass
In the middle of an action, type the answer: card TOWN, coal TOWN, done.
Names may be shortened, case does not matter. Or type the number of a choice, or one of these:"""
OTHER_WORDS = {"": "help", "?": "help", "exit": "quit", "q": "quit"}


class Player:
    """A seat whose choices are typed; it is shown what the view of that seat shows."""

    def __init__(self, game: Game, seat: int, screen: Screen) -> None:
        self.game = game
        self.seat = seat
        self.screen = screen
        self.news: list[Event] = []  # since the last turn
        self.on_turn = False
        self.undoable = 0  # calls of this turn
        self.offers: list[Offer] = []  # what the numbers mean

    @property
    def view(self) -> View:
        return self.game.view(self.seat)

    def hear(self, events: Iterable[Event]) -> None:
        """Somebody else has played."""
        self.news += events

    def take_turn(self) -> None:
        """Ask until the turn has been passed on, or a debt is settled."""
        self.on_turn = True
        self.undoable = 0
        self.table()
        self.ask()
        while self.on_turn:
            try:
                self.obey(self.read())
            except BrassError as error:
                self.screen.say(str(error), "red")

    def see_outcome(self) -> None:
        """The game is over."""
        outcome = self.game.outcome()
        assert outcome is not None
        self.screen.print("")
        self.screen.log(self.view, list(tell(self.news, self.game.seats)))
        self.screen.outcome(self.view, outcome)

    # --- questions -------------------------------------------------------------------------------

    def ask(self) -> None:
        """Put the open question."""
        self.offers = self.legal_offers()
        if self.game.question == "action":
            self.screen.summary(self.offers)
        elif self.game.question != "turn over":
            words = QUESTIONS[self.game.engine.phase]
            owed = f" ({self.view.owed} pounds)" if self.view.owed else ""
            self.screen.say(f"{words[0].upper()}{words[1:]}{owed}?", "bold")
            self.screen.choices(self.offers)

    def legal_offers(self) -> list[Offer]:
        """The open choices, numbered, in the words in which they could be typed."""
        plan = self.game.engine.blind()  # what is face down stays so
        here = plan.snapshot()
        offers = []
        for number, choice in enumerate(self.game.legal_choices(), 1):
            words = Action(plan.edition, plan.seats, here, (choice.id,)).text
            words = without_end(words) or str(choice)
            price = self.game.bill(choice).total if choice.kind in PRICED else 0
            offers.append(Offer(number, choice, words, price))
        return offers

    def read(self) -> str:
        """A line; what comes from a pipe is shown, so that the output reads like a game."""
        question = self.game.question
        if question == "turn over":
            prompt = "End the turn? (Enter, or undo) > "
        elif question == "action":
            left = self.game.actions_left
            prompt = f"{left} action{'s' if left > 1 else ''} left > "
        else:
            prompt = f"{question} > "
        line = input(prompt)
        if not sys.stdin.isatty():
            self.screen.say(line)
        return line.strip()

    # --- answers ---------------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """Do what a line says: a command, a number or an action."""
        word, _, rest = line.partition(" ")
        word = OTHER_WORDS.get(word, word.casefold())
        if not line and self.game.question == "turn over":
            self.pass_on()
        elif line.isdecimal():
            self.pick(line)
        elif word in COMMANDS:
            COMMANDS[word].obey(self, rest.strip())
        else:
            self.play_text(line)

    def pick(self, number: str) -> None:
        for offer in self.offers:
            if str(offer.number) == number:
                self.play(offer.move)
                return
        known = f"they are 1 to {len(self.offers)}" if self.offers else "the turn is over"
        raise BrassError(f"there is no choice {number}: {known}")

    def play_text(self, text: str) -> None:
        """Play a text; what it leaves open is asked."""
        try:
            self.play(text)
        except AmbiguousAction:
            self.play_beginning(text)
        except UnknownName as unknown:
            if unknown.kind != "action" or not self.game.engine.in_progress:
                raise
            self.play_containing(text)

    def play_beginning(self, text: str) -> None:
        """Play a text up to its first open question, or offer the ways in which it can begin."""
        try:
            self.play(f"{text}; {OPEN}")
        except AmbiguousAction as several:
            self.screen.say("Which of these?", "bold")
            found = self.containing(text)
            if OPEN in several.ways and found:  # there are more ways than it names
                self.screen.choices(found)
                return
            ways = [way for way in several.ways if way != OPEN]
            self.offers = [
                Offer(number, way, without_end(way)) for number, way in enumerate(ways, 1)
            ]
            self.screen.choices(self.offers)

    def play_containing(self, words: str) -> None:
        """Play the open choice whose text contains these words: `Dudley` for `card Dudley`."""
        found = self.containing(words)
        if len(found) == 1:
            self.play(found[0].move)
        elif found:
            self.screen.choices(found)
        else:
            raise BrassError(f"{words!r} is none of the choices: list shows them, undo goes back")

    def containing(self, words: str) -> list[Offer]:
        """The open choices whose text contains all these words; their numbers are good again."""
        self.offers = self.legal_offers()
        wanted = [fold(word) for word in words.split()]
        return [offer for offer in self.offers if all(word in fold(offer.words) for word in wanted)]

    def play(self, move: Move) -> None:
        """Play something, tell what came of it, and put the next question."""
        in_debt = self.game.question == "give up"
        events = self.game.choose(move)
        if in_debt:
            self.end_turn(events)
            return
        revealed = any(event.kind == "distant_tile" for event in events)
        self.undoable = 0 if revealed else self.undoable + 1
        self.screen.log(self.view, list(tell(events, self.game.seats)))
        if not self.game.engine.in_progress:
            self.screen.print(self.screen.purse(self.view), self.screen.hand(self.view))
        self.ask()

    def pass_on(self) -> None:
        """End the turn."""
        self.end_turn(self.game.pass_on())

    def end_turn(self, events: list[Event]) -> None:
        self.news = events
        self.on_turn = False

    # --- commands --------------------------------------------------------------------------------

    def help(self, _: str = "") -> None:
        self.screen.say(HELP)
        self.screen.commands((command.use, command.meaning) for command in COMMANDS.values())

    def table(self, _: str = "") -> None:
        self.screen.table(self.view, list(tell(self.news, self.game.seats)))

    def list_choices(self, words: str) -> None:
        """The open choices; with words, those that contain them."""
        found = self.containing(words)
        if not found:
            raise BrassError(f"nothing that you can do now contains {words!r}")
        self.screen.choices(found)

    def why(self, text: str) -> None:
        need(text, "why build iron Birmingham")
        found = self.game.why_not(text)
        self.screen.say(found.words if found else "Nothing speaks against it.")

    def bill(self, text: str) -> None:
        need(text, "bill build iron Birmingham")
        self.screen.print(self.screen.bill(self.game.bill(text)))

    def score(self, _: str) -> None:
        self.screen.print(self.screen.score(self.view, self.game.score_now()))

    def undo(self, _: str) -> None:
        if not self.undoable:
            raise BrassError("nothing of this turn can be taken back")
        self.game.undo()
        self.undoable -= 1
        self.screen.say("Taken back.")
        self.screen.print(self.screen.purse(self.view), self.screen.hand(self.view))
        self.ask()

    def hand(self, _: str) -> None:
        self.screen.print(self.screen.hand(self.view))

    def map(self, _: str) -> None:
        self.screen.print(self.screen.map(self.view))

    def mats(self, _: str) -> None:
        self.screen.print(self.screen.mat(self.view), "", self.screen.mats(self.view))

    def quit(self, _: str) -> None:
        raise EOFError


def without_end(text: str) -> str:
    """A text without the dots that leave the rest of it open."""
    return text.removesuffix(OPEN).rstrip("; ")


def need(text: str, example: str) -> None:
    if not text:
        raise BrassError(f"name an action, as in: {example}")


class Command(NamedTuple):
    """A word that is no action."""

    obey: Callable[[Player, str], None]
    use: str
    meaning: str


COMMANDS = {
    "list": Command(
        Player.list_choices, "list [WORDS]", "what you can do, by number: list link, list coal"
    ),
    "why": Command(Player.why, "why ACTION", "why something cannot be done"),
    "bill": Command(Player.bill, "bill ACTION", "what it costs and where everything comes from"),
    "undo": Command(Player.undo, "undo", "take back your last step, until you end your turn"),
    "score": Command(Player.score, "score", "the points if the era ended now"),
    "table": Command(Player.table, "table", "everything on the table"),
    "map": Command(Player.map, "map", "the towns, and the lines between them"),
    "mats": Command(Player.mats, "mats", "the tiles left to everybody"),
    "hand": Command(Player.hand, "hand", "your cards"),
    "help": Command(Player.help, "help", "this; a question mark or Enter does it too"),
    "quit": Command(Player.quit, "quit", "stop; the game can be started again by its seed"),
}
