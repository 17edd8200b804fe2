"""A player at the prompt: what they type, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from brassmill import terms
from brassmill.cli import commands
from brassmill.cli.advice import show_advice
from brassmill.cli.commands import COMMANDS
from brassmill.cli.completion import Suggestion, suggestions
from brassmill.cli.play_session import PlaySession
from brassmill.cli.progress import thinking, warm_up_with_bar
from brassmill.cli.prompt import Prompt
from brassmill.cli.screen import Screen
from brassmill.cli.shell import brass
from brassmill.coach import COMPILED, advise
from brassmill.core.action import Action
from brassmill.core.choice import Choice, card_text
from brassmill.core.events import Event
from brassmill.core.gain import gain_of
from brassmill.core.view import View
from brassmill.editions.names import fold
from brassmill.errors import AmbiguousAction, BrassError, IllegalAction, UnknownName, system_words
from brassmill.game import Move
from brassmill.language import LANGUAGES, N_, language, ngettext
from brassmill.language import gettext as _
from brassmill.notation.matching import begin
from brassmill.notation.reader import VERB_WORDS, split_head
from brassmill.play import offers
from brassmill.play.held import with_card
from brassmill.play.offers import (
    OPEN,
    Offer,
    bearing,
    cards_offered,
    containing,
    pending,
    without_end,
)
from brassmill.rules.layout import CARD
from brassmill.rules.reasons import Reason
from brassmill.vocabulary import VERBS, say
from brassmill.words import RULES, Refusal, question_words
from brassmill.words.log import log_lines

# The prompt for each question in the middle of an action.
ASKED = {
    "card": N_("discard which card"),
    "coal": N_("coal from where"),
    "iron": N_("iron from where"),
    "end": N_("at which end"),
    "more rails": N_("second railway, or done"),
    "beer": N_("beer from where"),
    "remove": N_("remove which tile"),
    "more sales": N_("next sale, or done"),
    "buyer": N_("sell to whom"),
    "more development": N_("second tile, or done"),
    "give up": N_("remove which tile to pay the debt"),
}
WHICH = N_("which one")  # if a text is ambiguous
MANY = 6  # with more names than this, only those close to what was typed are listed
SUFFIX = ".brass"
HINT = 2.0  # seconds of thinking
CARD_WORDS = {fold(say("card", code)) for code in LANGUAGES}


class TerminalPlayer:
    """A seat whose choices are typed; it is shown only its own view."""

    def __init__(self, table: PlaySession, seat: int, screen: Screen, prompt: Prompt) -> None:
        self.table = table
        self.game = table.game
        self.seat = seat
        self.screen = screen
        self.prompt = prompt
        self.on_turn = False
        self.offers: list[Offer] = []  # the last list shown: what the numbers mean
        self.asked = ""  # the question that the offers answer, if a text was ambiguous
        self.held: int | None = None  # the card taken before the action
        self.seen_forfeits = 0  # how many of the bots' forfeited choices have been shown

    @property
    def view(self) -> View:
        return self.game.view(self.seat)

    def take_turn(self) -> None:
        """Ask until the turn has ended, or a debt is settled."""
        self.on_turn, self.held = True, None
        self.show_table()
        self.say_forfeits()
        self.ask()
        while self.on_turn:
            try:
                self.execute(self.read())
            except BrassError as error:
                self.screen.say(without_rule(error), "red")

    def say_forfeits(self) -> None:
        """Show the choices that bots have forfeited since the last look."""
        forfeits = self.table.host.forfeits
        for forfeit in forfeits[self.seen_forfeits :]:
            self.screen.say(forfeit.words(self.game), "red")
        self.seen_forfeits = len(forfeits)

    # --- questions -------------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask the open question."""
        self.offers, self.asked = [], ""
        if self.game.question == "action":
            self.screen.summary(self.open_offers())
        elif self.game.question != "turn over":
            self.say_question()
            self.offer(self.open_offers())

    def open_offers(self) -> list[Offer]:
        """The open choices; with a card in hand for the action, only those that can use it."""
        return offers.offers(self.game, self.held)

    def say_question(self) -> None:
        """Print the question in the middle of an action, and which action it belongs to."""
        if self.game.question in ("action", "turn over"):
            return
        words = question_words(self.game.engine.phase)
        if self.game.state.combined and self.game.question == "card":
            words = _("{question} (any two; uses both actions)").format(question=words)
        if self.view.owed:
            words = _("{question} (£{owed})").format(question=words, owed=self.view.owed)
        action = pending(self.game)
        if action:
            words = _("{action}: {question}?").format(action=action, question=words)
        else:
            words = _("{question}?").format(question=words[0].upper() + words[1:])
        self.screen.say(words, "bold")

    def offer(self, found: list[Offer], asked: str = "") -> None:
        """Show choices; numbers now refer to these, and so do words if a question is `asked`."""
        self.offers, self.asked = found, asked
        self.screen.choices(found)

    def read(self) -> str:
        """Read a line."""
        question = self.game.question
        if self.asked:
            words = _(self.asked)
        elif question == "turn over":
            undo = commands.find("undo")
            assert undo is not None
            words = _("press Enter to end your turn, or type {undo}").format(undo=undo.word)
        elif question == "action":
            left = self.game.actions_left
            words = ngettext("{number} action left", "{number} actions left", left).format(
                number=left
            )
            if self.held is not None:
                words = _("{actions}, with {card}").format(actions=words, card=self.held_words)
        else:
            words = _(ASKED[question])
        return self.prompt.ask(f"{words} > ", self.suggest)

    def suggest(self, line: str) -> list[Suggestion]:
        answers = [offer.about for offer in self.offers] if self.asked else []
        return suggestions(self.game.engine, line, answers)

    # --- answers ---------------------------------------------------------------------------------

    def execute(self, line: str) -> None:
        """Do what a line says: a command, a number or an action."""
        word, _blank, rest = line.partition(" ")
        command = commands.find(word)
        is_over = self.game.question == "turn over"
        if is_over and (not line or commands.is_end(line)):
            self.end_turn()
        elif self.asked and (not line or (command and command.en == "undo")):
            self.ask()
        elif not line:
            self.screen.say(_("type an action, list, or ? for help"))
        elif commands.is_end(line):
            raise BrassError(_("you still have actions left; pass to skip one"))
        elif command and not (is_over and command.en in ABOUT_ACTIONS):
            OBEYED[command.en](self, rest.strip())
        elif is_over:
            raise misspelt(word) or BrassError(_("no actions left; press Enter to end your turn"))
        elif fold(word) in CARD_WORDS and self.game.question == "action" and not self.asked:
            self.hold(rest.strip())
        elif line.isdecimal():
            self.pick(line)
        elif self.asked and split_head(line, VERB_WORDS) is None:
            self.pick_named(line)
        else:
            self.play_text(line)

    def pick(self, number: str) -> None:
        """Play the choice with this number in the list; a number not in it may be an amount."""
        found = containing(self.offers, number) if self.asked else []
        is_amount = len(found) == 1 and all(str(offer.number) != number for offer in self.offers)
        self.play(found[0].move if is_amount else self.numbered(number))

    def numbered(self, number: str) -> Move:
        """The move with this number in the last list or hint."""
        for offer in self.offers:
            if str(offer.number) == number:
                return offer.move
        if not self.offers:
            raise BrassError(_("type list first to see the numbers"))
        raise BrassError(
            _("no {number} in the last list; type list to see all choices").format(number=number)
        )

    def meant(self, text: str) -> Move:
        """The move that a text names, or that a number in the last list stands for."""
        return self.numbered(text) if text.isdecimal() else text

    def pick_named(self, words: str) -> None:
        """Play the reading of an ambiguous text that these words name: `Dudley`."""
        found = bearing(self.offers, words) or containing(self.offers, words)
        if len(found) == 1:
            self.play(found[0].move)
        elif found:
            self.offer(found, self.asked)
        else:
            try:
                self.play_text(words)
            except UnknownName as unknown:
                raise (self.none_of(words) if unknown.kind == "action" else unknown) from unknown

    def play_text(self, text: str) -> None:
        """Play a text, and ask about what it leaves open."""
        in_progress = self.game.engine.in_progress
        named = bearing(self.open_offers(), text) if in_progress else []
        if len(named) == 1:  # the card iron, not a source of iron
            self.play(named[0].move)
            return
        try:
            self.play(text)
        except AmbiguousAction:
            self.play_beginning(text)
        except UnknownName as unknown:
            if in_progress and (unknown.kind == "action" or not unknown.name):
                self.play_containing(text)
            elif unknown.kind not in ("line", "industry") or not self.offer_containing(text):
                raise self.explained(text, unknown) from unknown
        except IllegalAction as illegal:
            if illegal.reason != Reason.ACTION_UNFINISHED:
                raise
            raise BrassError(_("{refusal} (undo goes back)").format(refusal=illegal)) from illegal

    def play_beginning(self, text: str) -> None:
        """Play a text up to its first open question, or offer its possible readings."""
        try:
            self.play(f"{text}; {OPEN}")
        except AmbiguousAction as several:
            action, cards = cards_offered(self.game, several.ways)
            if cards:
                words = _("{action}: {question}?")
                self.screen.say(words.format(action=action, question=question_words(CARD)), "bold")
                self.offer(cards, ASKED["card"])
            elif OPEN not in several.ways or not self.offer_containing(text):
                self.screen.say(_("Which of these?"), "bold")
                self.offer(offers.ways_offered(self.game, several.ways), WHICH)

    def offer_containing(self, text: str) -> bool:
        """Ask which of the open choices that contain these words is meant, if there are any."""
        found = containing(self.open_offers(), text)
        if found:
            self.screen.say(_("Which of these?"), "bold")
            self.offer(found, WHICH)
        return bool(found)

    def play_containing(self, words: str) -> None:
        """Play the open choice whose text contains these words: `Dudley` for `card Dudley`."""
        found = containing(self.open_offers(), words)
        if len(found) == 1:
            self.play(found[0].move)
        elif found:
            self.offer(found)
        else:
            raise self.none_of(words)

    def none_of(self, words: str) -> BrassError:
        """The error for an answer that is not among the choices."""
        none = _("{words!r} is not one of the choices; type list to see them or undo to go back")
        return misspelt(words.split()[0]) or BrassError(none.format(words=words))

    def explained(self, text: str, unknown: UnknownName) -> BrassError:
        """The error for an unknown name, listing only the known names that help."""
        edition, name, known = self.game.edition, unknown.name, unknown.known
        head = split_head(text, VERB_WORDS)
        if advice := missing_punctuation(text, unknown):
            return BrassError(advice)
        if unknown.kind == "action" or not (head or name):
            word = name or text
            verbs = [say(verb.en, language()) for verb in VERBS]
            return misspelt(word) or UnknownName("action", word, verbs)
        if unknown.kind == "line":
            with suppress(UnknownName):
                end = edition.find_place(name)
                lines = [n for n, ends in enumerate(edition.line_ends) if end in ends]
                return UnknownName("line", name, [edition.line_name(n) for n in lines])
        close = commands.near(name, known)
        if close and len(known) > MANY:
            return UnknownName(unknown.kind, name, close)
        return unknown

    def play(self, move: Move) -> None:
        """Play a move, show what it did, and ask the next question."""
        in_debt = self.game.question == "give up"
        events = self.table.play(self.with_held(move))
        self.held = None
        if in_debt:
            self.on_turn = False
            return
        self.show_events(events)
        if not self.game.engine.in_progress:
            self.screen.print(self.screen.purse(self.view), self.screen.hand(self.view))
        self.ask()

    def with_held(self, move: Move) -> Move:
        """A move that discards the held card; one that names its cards stays as it is."""
        if self.held is None or isinstance(move, Action):
            return move
        engine = self.game.engine
        if isinstance(move, str):
            words = {fold(part.split()[0]) for part in move.split(";") if part.split()}
            if words & CARD_WORDS:
                return move
            card = f"{say('card', language())} {card_text(engine.edition, self.held, language())}"
            return "; ".join([without_end(move), card, *([OPEN] * move.endswith(OPEN))])
        choices = with_card(engine, int(move), self.held)
        return Action(engine.edition, engine.seats, engine.snapshot(), choices)

    def show_events(self, events: list[Event]) -> None:
        self.screen.log(self.view, list(log_lines(events, self.game.seats)))

    def end_turn(self) -> None:
        """End the turn."""
        self.table.end_turn()
        self.on_turn = False

    # --- commands --------------------------------------------------------------------------------

    def help(self, _rest: str = "") -> None:
        self.screen.say(_("Type an action; you will be asked about anything you leave open:"))
        self.screen.examples(commands.examples(self.game.edition))
        self.screen.say(
            _(
                "In the middle of an action, just type the answer. You can shorten names and"
                " ignore case. Tab completes; the arrow keys recall earlier lines. You can also"
                " type the number of a choice, or a command:"
            )
        )
        self.screen.commands((command.use, _(command.meaning)) for command in COMMANDS)

    def see_table(self, _rest: str = "") -> None:
        self.show_table()
        self.say_question()

    def show_table(self) -> None:
        self.screen.table(self.view, list(log_lines(self.table.news(self.seat), self.game.seats)))

    def list_choices(self, words: str) -> None:
        """List the open choices; with words, only those that contain them."""
        found = containing(self.open_offers(), words)
        if not found:
            raise BrassError(_("none of your choices contains {words!r}").format(words=words))
        self.say_question()
        self.offer(found)

    def hold(self, text: str) -> None:
        """Take a card before the action; without a name, put it back."""
        if self.game.question != "action":
            raise BrassError(_("you can take a card only before an action"))
        cards = offers.cards_of(self.game.edition, self.view.hand or {})
        found = bearing(cards, text) or containing(cards, text) if text else []
        if text and len(found) != 1:
            known = [offer.about for offer in found or cards]
            raise UnknownName("card", text, known)
        move = found[0].move if found else None
        self.held = move.offset if isinstance(move, Choice) else None
        self.ask()

    @property
    def held_words(self) -> str:
        assert self.held is not None
        return terms.card(self.game.edition.card_name(self.held))

    def hint(self, _rest: str) -> None:
        """Show the coach's suggestions; numbers now refer to them."""
        warm_up_with_bar(COMPILED)  # not compiled yet if no bot at the table thinks
        with thinking() as progress:
            advice = advise(self.game.edition, self.view, seconds=HINT, progress=progress)
        if not advice:
            raise BrassError(_("the coach has no suggestion here"))
        self.offers = [
            Offer(number, idea.action, idea.words, "") for number, idea in enumerate(advice, 1)
        ]
        self.asked = ""
        show_advice(self.screen.console, advice)

    def why(self, text: str) -> None:
        self.need(text, "why")
        found = self.game.why_not(self.meant(text))
        words = found.words if found else _("That move is legal.")
        if found and found.rule:
            words = _("{refusal} (rules: {rules})").format(refusal=words, rules=found.rule)
        self.screen.say(words)
        for rule in self.rules_behind(found):
            self.screen.say(rule, "dim")

    def rules_behind(self, refusal: Refusal | None) -> Iterator[str]:
        """The rules behind a refusal, as the rules with pictures say them."""
        from brassmill.rulebook import rules  # read only when asked for

        game = self.game.edition.name
        for name in refusal.rule.split(", ") if refusal else ():
            if name in rules() and game in rules()[name].games:
                yield _("{name}: {value}").format(
                    name=name, value=" ".join(rules()[name].paragraphs(game))
                )

    def bill(self, text: str) -> None:
        self.need(text, "bill")
        move, engine = self.with_held(self.meant(text)), self.game.engine
        choices = begin(engine, move)[0] if isinstance(move, str) else self.table.choices(move)
        self.screen.print(self.screen.bill(self.game.bill(move), gain_of(engine, choices)))

    def need(self, text: str, word: str) -> None:
        """Insist on an action, with an example from this game."""
        if text:
            return
        edition, command = self.game.edition, commands.find(word)
        assert command is not None
        town = next(edition.place_name(s.place) for s in edition.spaces if "iron" in s.symbols)
        example = f"{command.word} {say('build', language())} {say('iron', language())} {town}"
        raise BrassError(_("name an action, for example: {example}").format(example=example))

    def score(self, _rest: str) -> None:
        self.screen.print(self.screen.score(self.view, self.game.score_now()))

    def undo(self, _rest: str) -> None:
        if self.held is not None:
            self.hold("")
            return
        if not self.table.undoable:
            raise BrassError(_("nothing to undo this turn"))
        self.table.undo()
        self.screen.say(_("Undone."))
        self.screen.print(self.screen.purse(self.view), self.screen.hand(self.view))
        self.ask()

    def hand(self, _rest: str) -> None:
        self.screen.print(self.screen.hand(self.view))
        self.say_question()

    def map(self, _rest: str) -> None:
        self.screen.print(*self.screen.map(self.view))

    def towns(self, _rest: str) -> None:
        self.screen.print(self.screen.places(self.view), "", self.screen.links(self.view))

    def mats(self, _rest: str) -> None:
        self.screen.print(self.screen.mat(self.view), "", self.screen.mats(self.view))

    def save(self, name: str) -> None:
        """Print where the game is saved; with a name, write what this seat knows of it there."""
        if not name:
            say_where_saved(self.screen, self.table.path)
            return
        path = Path(name).expanduser()
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        write_record(path, self.table, self.seat)
        self.screen.say(_("Your record of this game:"))
        self.screen.say(f"  {path.resolve()}", wrap=False)
        if self.table.unpublished:
            self.screen.say(_("Your current turn is not included; save again after you end it."))

    def quit(self, _rest: str) -> None:
        raise EOFError


OBEYED: dict[str, Callable[[TerminalPlayer, str], None]] = {
    "list": TerminalPlayer.list_choices,
    "hold": TerminalPlayer.hold,
    "hint": TerminalPlayer.hint,
    "why": TerminalPlayer.why,
    "bill": TerminalPlayer.bill,
    "undo": TerminalPlayer.undo,
    "score": TerminalPlayer.score,
    "table": TerminalPlayer.see_table,
    "map": TerminalPlayer.map,
    "towns": TerminalPlayer.towns,
    "mats": TerminalPlayer.mats,
    "hand": TerminalPlayer.hand,
    "save": TerminalPlayer.save,
    "help": TerminalPlayer.help,
    "quit": TerminalPlayer.quit,
}


ABOUT_ACTIONS = ("why", "bill", "hold")  # meaningless once all actions are done


def without_rule(error: BrassError) -> str:
    """The message of an error without the rule's name, which `why` shows."""
    rule = RULES.get(error.reason, "") if isinstance(error, IllegalAction) and error.reason else ""
    return str(error).removesuffix(f" ({rule})")


def misspelt(word: str) -> UnknownName | None:
    """The error for a word that is close to an action or a command."""
    if commands.find(word) or split_head(word, VERB_WORDS):
        return None
    known = [say(verb.en, language()) for verb in VERBS] + [entry.word for entry in COMMANDS]
    close = commands.near(word, known)
    return UnknownName("action", word, close) if close else None


def say_where_saved(screen: Screen, path: Path | None) -> None:
    """Print where the game is saved and how to resume it."""
    if path is None:
        screen.say(_("The game is not saved."))
        return
    screen.say(_("The game is saved after every choice. To resume it:"))
    screen.say(f"  {brass('play', '--resume')}", wrap=False)
    screen.say(f"  {path}", "dim", wrap=False)


def write_record(path: Path, table: PlaySession, seat: int | None = None) -> None:
    """Write a record: what one seat may know, or everything once the game is over."""
    from brassmill import record

    if path.exists():
        raise BrassError(_("{path} already exists; choose another file").format(path=path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        record.write(path, [table.game.record(seat=seat)])
    except OSError as error:
        raise BrassError(
            _("cannot write {path}: {reason}").format(path=path, reason=system_words(error))
        ) from error


def missing_punctuation(text: str, unknown: UnknownName) -> str:
    """Suggest the punctuation mark that is missing between two words, if that is the mistake."""
    words = [word for word in unknown.name.split() if fold(word)]  # without `and`
    for word in words[1:]:
        if fold(word) in CARD_WORDS:
            start, _word, rest = text.partition(f" {word} ")
            return _("put a semicolon before the card: {example}").format(
                example=f"{start}; {word} {rest}"
            )
    if unknown.kind == "industry" and words[1:]:
        return _("put a comma between the two: {example}").format(example=", ".join(words))
    return ""
