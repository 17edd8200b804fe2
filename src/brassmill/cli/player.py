"""You, at the prompt: what is typed, and what it does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

from brassmill.action import Action
from brassmill.bill import bill_of
from brassmill.choice import NUMBER, Choice
from brassmill.cli.log import tell
from brassmill.cli.screen import Offer, Screen
from brassmill.editions.names import fold
from brassmill.engine import Engine
from brassmill.errors import AmbiguousAction, BrassError, IllegalAction, UnknownName
from brassmill.events import Event
from brassmill.explain import QUESTIONS
from brassmill.game import Game, Move
from brassmill.rules.reasons import Reason
from brassmill.view import View

OPEN = "..."  # at the end of a text: the rest is asked
PRICED = ("build", "link", "develop")  # choices that cost something
TWO_CARDS = NUMBER["TWO_CARDS", 0]
END = ("end", "end turn")  # Enter does it too

HELP = """\
Type an action; what you leave out is asked, if there is a choice:
  build coal TOWN; card TOWN      link TOWN-TOWN      sell cotton TOWN
  develop iron, coal              loan 30             {scout}pass
In the middle of an action, type the answer: card TOWN, coal TOWN, done.
Names may be shortened, case does not matter. Or type the number of a choice, or one of these:"""
OTHER_WORDS = {"?": "help", "exit": "quit", "q": "quit"}


class Player:
    """A seat whose choices are typed; it is shown what the view of that seat shows."""

    def __init__(self, game: Game, seat: int, screen: Screen) -> None:
        self.game = game
        self.seat = seat
        self.screen = screen
        self.news: list[Event] = []  # since the last turn
        self.on_turn = False
        self.undoable = 0  # calls of this turn
        self.offers: list[Offer] = []  # what was shown last: what the numbers mean

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
        self.offers = []
        if self.game.question == "action":
            self.screen.summary(self.legal_offers())
        elif self.game.question != "turn over":
            self.say_question()
            self.offer(self.legal_offers())

    def say_question(self) -> None:
        """What is asked in the middle of an action, and of which one."""
        if self.game.question in ("action", "turn over"):
            return
        words = QUESTIONS[self.game.engine.phase]
        if self.game.state.combined and self.game.question == "card":
            words += " (any two cards, and both actions)"
        if self.view.owed:
            words += f" (£{self.view.owed})"
        pending = self.pending()
        words = f"{pending}: {words}" if pending else f"{words[0].upper()}{words[1:]}"
        self.screen.say(f"{words}?", "bold")

    def pending(self) -> str:
        """The action in progress as far as it goes, and its price."""
        action = self.game.draft
        if action is None:
            return ""
        words = without_end(action.text)
        if action.choices[0].kind not in PRICED:
            return words
        begun = Engine(action.edition, action.seats, action.before)
        return f"{words}, £{bill_of(begun, action.ids).total}"

    def offer(self, offers: list[Offer]) -> None:
        """Show choices; from now on the numbers mean these."""
        self.offers = offers
        self.screen.choices(offers)

    def legal_offers(self) -> list[Offer]:
        """The open choices, numbered, in the words in which they could be typed."""
        plan = self.game.engine.blind()  # what is face down stays so
        here = plan.snapshot()
        offers = []
        for number, choice in enumerate(self.game.legal_choices(), 1):
            words = Action(plan.edition, plan.seats, here, (choice.id,)).text
            words = without_end(words) or str(choice)
            price = self.game.bill(choice).total if choice.kind in PRICED else 0
            offers.append(Offer(number, choice, words, price, self.needs_two_cards(choice)))
        return offers

    def needs_two_cards(self, choice: Choice) -> bool:
        """Whether no single card allows a build: two, and both actions, would (BLD-3)."""
        if choice.kind != "build" or not self.game.edition.traits.two_cards_build:
            return False
        return TWO_CARDS in self.game.engine.blind().choose(choice.id)

    def read(self) -> str:
        """A line; what comes from a pipe is shown, so that the output reads like a game."""
        question = self.game.question
        if question == "turn over":
            prompt = "press Enter to end your turn, or undo > "
        elif question == "action":
            left = self.game.actions_left
            prompt = f"{left} action{'s' if left > 1 else ''} left > "
        else:
            prompt = f"{question} > "
        try:
            line = input(prompt)
        except KeyboardInterrupt:
            if not half_typed():
                raise
            print("^C")
            return self.read()
        if not sys.stdin.isatty():
            self.screen.say(line)
        return line.strip()

    # --- answers ---------------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """Do what a line says: a command, a number or an action."""
        word, _, rest = line.partition(" ")
        word = OTHER_WORDS.get(word, word.casefold())
        is_over = self.game.question == "turn over"
        if is_over and (not line or line.casefold() in END):
            self.pass_on()
        elif not line:
            self.screen.say("type an action, list, or ? for help")
        elif line.casefold() in END:
            raise BrassError("your turn is not over yet: pass gives an action away")
        elif line.isdecimal():
            self.pick(line)
        elif word in COMMANDS:
            COMMANDS[word].obey(self, rest.strip())
        else:
            self.play_text(line)

    def pick(self, number: str) -> None:
        if self.game.question == "turn over":
            raise BrassError(f"there is no choice {number}: the turn is over")
        for offer in self.offers:
            if str(offer.number) == number:
                self.play(offer.move)
                return
        if not self.offers:
            raise BrassError("which list? type list")
        raise BrassError(f"there is no {number} in the last list: list shows all")

    def play_text(self, text: str) -> None:
        """Play a text; what it leaves open is asked."""
        try:
            self.play(text)
        except AmbiguousAction:
            self.play_beginning(text)
        except UnknownName as unknown:
            if unknown.kind != "action" or not self.game.engine.in_progress:
                raise BrassError(hint(text, unknown) or str(unknown)) from unknown
            self.play_containing(text)
        except IllegalAction as illegal:
            if illegal.reason != Reason.ACTION_UNFINISHED:
                raise
            raise BrassError(f"{illegal} (undo goes back)") from illegal

    def play_beginning(self, text: str) -> None:
        """Play a text up to its first open question, or offer the ways in which it can begin."""
        try:
            self.play(f"{text}; {OPEN}")
        except AmbiguousAction as several:
            self.screen.say("Which of these?", "bold")
            found = self.containing(text)
            if OPEN in several.ways and found:  # there are more ways than it names
                self.offer(found)
                return
            ways = [way for way in several.ways if way != OPEN]
            self.offer([Offer(number, way, without_end(way)) for number, way in enumerate(ways, 1)])

    def play_containing(self, words: str) -> None:
        """Play the open choice whose text contains these words: `Dudley` for `card Dudley`."""
        found = self.containing(words)
        if len(found) == 1:
            self.play(found[0].move)
        elif found:
            self.offer(found)
        else:
            raise BrassError(f"{words!r} is none of the choices: list shows them, undo goes back")

    def containing(self, words: str) -> list[Offer]:
        """The open choices whose text contains all these words."""
        wanted = [fold(word) for word in words.split()]
        offers = self.legal_offers()
        return [offer for offer in offers if all(word in fold(offer.words) for word in wanted)]

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
        scout = "scout               " if self.game.edition.traits.scouting else ""
        self.screen.say(HELP.format(scout=scout))
        self.screen.commands((command.use, command.meaning) for command in COMMANDS.values())

    def see_table(self, _: str = "") -> None:
        self.table()
        self.say_question()

    def table(self) -> None:
        self.screen.table(self.view, list(tell(self.news, self.game.seats)))

    def list_choices(self, words: str) -> None:
        """The open choices; with words, those that contain them."""
        found = self.containing(words)
        if not found:
            raise BrassError(f"nothing that you can do now contains {words!r}")
        self.say_question()
        self.offer(found)

    def why(self, text: str) -> None:
        self.need(text, "why")
        found = self.game.why_not(text)
        self.screen.say(found.words if found else "Nothing speaks against it.")

    def bill(self, text: str) -> None:
        self.need(text, "bill")
        self.screen.print(self.screen.bill(self.game.bill(text)))

    def need(self, text: str, command: str) -> None:
        """Ask for an action, with one of this game as an example."""
        if not text:
            edition = self.game.edition
            town = next(edition.place_name(s.place) for s in edition.spaces if "iron" in s.symbols)
            raise BrassError(f"name an action, as in: {command} build iron {town}")

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
        self.say_question()

    def map(self, _: str) -> None:
        self.screen.print(self.screen.map(self.view))

    def mats(self, _: str) -> None:
        self.screen.print(self.screen.mat(self.view), "", self.screen.mats(self.view))

    def quit(self, _: str) -> None:
        raise EOFError


def without_end(text: str) -> str:
    """A text without the dots that leave the rest of it open."""
    return text.removesuffix(OPEN).rstrip("; ")


def hint(text: str, unknown: UnknownName) -> str:
    """Which sign between two words would help, where a name is two of them."""
    words = unknown.name.split()
    if "card" in words[1:]:
        start, _, rest = text.partition(" card ")
        return f"a semicolon comes before the card: {start}; card {rest}"
    if unknown.kind == "industry" and words[1:]:
        return f"a comma comes between two: {', '.join(words)}"
    return ""


def half_typed() -> str:
    """What stands in a line that was interrupted, where Python can tell."""
    readline = sys.modules.get("readline")
    return readline.get_line_buffer() if readline else ""


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
    "table": Command(Player.see_table, "table", "everything on the table"),
    "map": Command(Player.map, "map", "the towns, and the lines between them"),
    "mats": Command(Player.mats, "mats", "the tiles left to everybody"),
    "hand": Command(Player.hand, "hand", "your cards"),
    "help": Command(Player.help, "help", "this; a question mark does it too"),
    "quit": Command(Player.quit, "quit", "stop; the game can be started again by its seed"),
}
