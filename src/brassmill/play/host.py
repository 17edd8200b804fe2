"""A host asks the bots of a game and plays their answers.

A bot gets a view and a clock, never the game. A bot that crashes, is late, or gives an unreadable
or illegal answer forfeits that choice: the host plays what `stand_in` chooses, keeps a `Forfeit`,
and the game continues.
"""

from __future__ import annotations

import hashlib
import logging
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set, Sized
from concurrent.futures import Future
from contextlib import ExitStack
from contextvars import Context, copy_context
from dataclasses import dataclass
from threading import Thread
from time import perf_counter

from brassmill.bots import Spec, make, parse
from brassmill.bots.bot import GRACE, Answer, AnswerError, Bot, BotError, Clock
from brassmill.core.choice import NUMBER, choice_text, whole
from brassmill.core.engine import Engine
from brassmill.core.events import Event
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.errors import BrassError, IllegalAction, error_text
from brassmill.game import Game
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.notation import matching

DONE, PASS = NUMBER["DONE", 0], NUMBER["PASS", 0]
LONGEST = 500  # characters of an action: longer texts take longer to read
MOST_WORDS = 1_000  # characters kept of an error

# Why a choice was forfeited.
CRASHED, LATE, UNREADABLE, ILLEGAL = "crashed", "late", "unreadable", "illegal"
# What others are shown. The bot's own message may name its cards, so it is not shown.
WORDS = {
    CRASHED: N_("{seat} ({bot}) crashed. Played instead: {choice}."),
    LATE: N_("{seat} ({bot}) did not answer in time. Played instead: {choice}."),
    UNREADABLE: N_("{seat} ({bot}) gave an unreadable answer. Played instead: {choice}."),
    ILLEGAL: N_("{seat} ({bot}) tried an illegal move. Played instead: {choice}."),
}

log = logging.getLogger("brassmill.bots")


@dataclass(frozen=True)
class Forfeit:
    """A choice that a bot forfeited."""

    seat: int
    bot: str  # its name
    number: int  # of the action, from 1
    kind: str  # crashed, late, unreadable or illegal
    text: str  # what happened; not for the other players
    choice: int  # played instead

    def words(self, game: Game) -> str:
        """What the other players are shown."""
        choice = choice_text(game.edition, self.choice, language())
        return _(WORDS[self.kind]).format(seat=game.seats[self.seat], bot=self.bot, choice=choice)


@dataclass
class Thought:
    """How long a bot has been thinking."""

    seconds: float = 0.0  # in all
    slowest: float = 0.0  # its longest turn
    turns: int = 0  # in which it was asked


def seat_seed(seed: int, seat: int) -> int:
    """The seed of a bot in a game; the seed of the game cannot be computed from it.

    But all seeds could be tried, so a secret deal uses none: its bots get a random key of their own
    instead of the seed.
    """
    digest = hashlib.sha256(f"bot {seat} of game {seed}".encode()).digest()
    return int.from_bytes(digest[:6], "big")  # 48 bits: every JSON reader keeps them exactly


class Host:
    """The bots of a game by seat (None for a person), their forfeits and thinking times."""

    def __init__(self, bots: Sequence[Bot | None], clock: float | None = None) -> None:
        """With a clock, a bot has this many seconds per answer; one that hangs is abandoned."""
        self.bots = tuple(bots)
        self.clock = Clock(clock)
        self.forfeits: list[Forfeit] = []
        self.thoughts = [Thought() for _ in bots]  # by seat
        self._turns: list[tuple[str, int]] = [("", 0) for _ in bots]  # in which each was asked last
        self._spent = [0.0 for _ in bots]  # seconds of that turn
        self._asked: list[Bot | Watch | None] = [
            bot if bot is None or clock is None else Watch(bot) for bot in bots
        ]

    @classmethod
    def of(
        cls,
        specs: Sequence[Spec | str | None],
        edition: Edition,
        seed: int,
        clock: float | None = None,
        *,
        all_start: bool = True,
        maker: Callable[[Spec, Edition, int], Bot] | None = None,
    ) -> Host:
        """The bots of these specs, each made with its own random seed.

        A bot that does not start is an error; unless `all_start`, it forfeits its choices.
        """
        bots: list[Bot | None] = []
        with ExitStack() as made:  # if one does not start, close the others
            for seat, spec in enumerate(specs):
                if spec is None:
                    bots.append(None)
                    continue
                spec = parse(spec) if isinstance(spec, str) else spec
                try:
                    bot = (maker or make)(spec, edition, seat_seed(seed, seat))
                except BotError as error:
                    if all_start:
                        raise
                    bot = Absent(spec.text, str(error))
                made.callback(bot.close)
                bots.append(bot)
            made.pop_all()
        return cls(bots, clock)

    def close(self) -> None:
        """Close the bots."""
        for bot in filter(None, self.bots):
            try:
                bot.close()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                log.warning("%s does not close: %s", bot.name, error_text(error))

    def play(self, game: Game) -> list[Event]:
        """Let the bot to move play; return the events."""
        return game.carry_out(self.ask(game))

    def ask(self, game: Game) -> tuple[int, ...]:
        """The legal answer of the bot to move, or the choice played instead."""
        seat = game.seat
        assert seat is not None
        bot, asked = self.bots[seat], self._asked[seat]
        assert bot is not None and asked is not None
        view = game.view(seat)
        began = perf_counter()
        wrong = None
        try:
            answer: object = asked.choose(view, self.clock)
        except TimeoutError as late:
            wrong = LATE, str(late)
        except AnswerError as unreadable:
            wrong = UNREADABLE, str(unreadable)
        except KeyboardInterrupt:  # the user's
            raise
        except BaseException as crash:
            wrong = CRASHED, error_text(crash)
            log.info("%s has crashed", bot.name, exc_info=True)
        self._count(view, seat, perf_counter() - began)
        if wrong is None:
            try:
                return read_answer(game.engine, view.legal, answer)
            except IllegalAction as illegal:
                wrong = ILLEGAL, str(illegal)
            except BrassError as unreadable:
                wrong = UNREADABLE, str(unreadable)
        choice = stand_in(view.legal)
        kind, text = wrong
        forfeit = Forfeit(seat, bot.name, view.number + 1, kind, text[:MOST_WORDS], choice)
        log.info("%s", forfeit)
        self.forfeits.append(forfeit)
        return (choice,)

    def _count(self, view: View, seat: int, seconds: float) -> None:
        """Count the thinking time of a seat; debt is paid between turns."""
        thought = self.thoughts[seat]
        thought.seconds += seconds
        if view.question == "give up":
            return
        turn = (view.era, view.round)
        if turn != self._turns[seat]:
            self._turns[seat], self._spent[seat] = turn, 0.0
            thought.turns += 1
        self._spent[seat] += seconds
        thought.slowest = max(thought.slowest, self._spent[seat])


class Absent:
    """Takes the seat of a bot that did not start: it crashes at every question."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason

    def choose(self, view: View, clock: Clock) -> Answer:
        raise BotError(self.reason)

    def close(self) -> None:
        """Nothing to release."""


class Watch:
    """A bot that thinks in a thread, so that it cannot hang its host."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.thinking: Future[object] = Future()  # about the last question
        self.thinking.set_result(None)

    def choose(self, view: View, clock: Clock) -> object:
        """Its answer; `TimeoutError` when the time is up, or at once while it is still busy."""
        assert clock.seconds is not None
        if not self.thinking.done():
            raise TimeoutError(_("it is still busy with an earlier question"))
        self.thinking = Future()
        # The bot's messages use the language of the host.
        question = copy_context(), self.thinking, view, clock
        # A thread for each question: between questions a server with many tables has none.
        Thread(target=self._think, args=question, daemon=True, name=f"bot {self.bot.name}").start()
        try:
            return self.thinking.result(clock.seconds + GRACE)
        except TimeoutError:
            if self.thinking.done():  # its own error
                raise
            raise TimeoutError(_("it had {seconds:g} s").format(seconds=clock.seconds)) from None

    def _think(self, context: Context, thinking: Future[object], view: View, clock: Clock) -> None:
        try:
            thinking.set_result(context.run(self.bot.choose, view, clock))
        except (
            KeyboardInterrupt
        ) as error:  # raised by the bot: the user's Ctrl-C reaches the main thread
            thinking.set_exception(BotError(error_text(error)))
        except BaseException as error:  # raised again where the answer is awaited
            thinking.set_exception(error)


# --- answers -------------------------------------------------------------------------------------


def stand_in(legal: Sequence[int]) -> int:
    """The choice for a bot that made none: done, pass, or the lowest number.

    It ends the action if possible, and otherwise does as little as the rules allow.
    """
    for choice in (DONE, PASS):
        if choice in legal:
            return choice
    return min(legal)


def read_answer(engine: Engine, legal: Sequence[int], answer: object) -> tuple[int, ...]:
    """The choices that an answer stands for; an error if it cannot be read or is not legal."""
    if isinstance(answer, str):
        if len(answer) > LONGEST:
            raise AnswerError(
                _("{answer} is too long for an action: at most {longest} characters").format(
                    answer=reprlib.repr(answer), longest=LONGEST
                )
            )
        return matching.resolve(engine, answer)
    choices = numbers(answer)
    if choices[0] in legal:
        made = choices if len(choices) == 1 else with_forced(engine, choices)
        if made:
            return made
    refusal = matching.why_not_all(engine, choices)
    if refusal:
        raise refusal.error()
    return choices


# Iterables with a length that are not lists of choices.
NO_LISTS = (bytes, bytearray, Mapping, Set)


def numbers(answer: object) -> tuple[int, ...]:
    """One or more numbers, from whatever a bot returned."""
    several = answer if isinstance(answer, Iterable) and isinstance(answer, Sized) else (answer,)
    try:
        if isinstance(answer, NO_LISTS):
            raise TypeError
        found = tuple(whole("a choice", item) for item in several)
    except Exception:  # the object is the bot's own
        found = ()
    if not found:
        raise AnswerError(
            _("{answer} is not a choice, a list of choices or text").format(
                answer=reprlib.repr(answer)
            )
        )
    return found


def with_forced(engine: Engine, choices: Sequence[int]) -> tuple[int, ...]:
    """Choices as one action, with the forced choices that were left out between them.

    Empty if they do not make an action.
    """
    plan = engine.blind()
    made: list[int] = []
    for choice in choices:
        options = plan.legal()
        while made and plan.in_progress and len(options) == 1 and choice not in options:
            made += options
            plan.step(options[0])
            options = plan.legal()
        if choice not in options or (made and not plan.in_progress):
            return ()
        made.append(choice)
        plan.step(choice)
    return tuple(made)
