"""The host: what bots answer is played, and what they should not have answered is forfeited."""

from __future__ import annotations

import threading
from asyncio import CancelledError
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from threading import Event
from typing import Any

import numpy as np
import pytest

from brassmill.bots import AnswerError, BotError, Clock, Spec, make
from brassmill.core.choice import MEANING, NUMBER
from brassmill.core.view import View
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.notation.matching import why_not_all
from brassmill.play.host import Forfeit, Host, Watch, seat_seed, stand_in
from support.kinds import PLAIN, play_at_random

PASS, DONE = NUMBER["PASS", 0], NUMBER["DONE", 0]


class Saying:
    """A bot that answers as it is told."""

    name = "saying"

    def __init__(self, answer: Callable[[View], Any]) -> None:
        self.answer = answer
        self.closed = False

    def choose(self, view: View, clock: Clock) -> Any:
        return self.answer(view)

    def close(self) -> None:
        self.closed = True


def all_of(game: Game, answer: Callable[[View], Any], clock: float | None = None) -> Host:
    return Host([Saying(answer) for _ in range(game.players)], clock)


def first(view: View) -> int:
    return view.legal[0]


def raising(error: BaseException) -> Callable[[View], Any]:
    def answer(view: View) -> Any:
        raise error

    return answer


# --- what is played ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLAIN, ids=str)
def test_a_game_of_bots_is_played_to_its_end_and_again(kind: Any) -> None:
    games = []
    for _ in range(2):
        game = Game(kind, seed=3)
        host = Host.of(["random"] * kind.players, kind, 3)
        while not game.over:
            host.play(game)
        assert host.forfeits == []
        games.append([action.ids for action in game.actions])
    assert games[0] == games[1]


def test_seats_have_chances_of_their_own() -> None:
    assert len({seat_seed(seed, seat) for seed in range(50) for seat in range(4)}) == 200


@pytest.mark.parametrize("kind", PLAIN, ids=str)
def test_a_whole_action_may_leave_out_what_is_forced(kind: Any) -> None:
    rng = Random(2)
    game = Game(kind, seed=3)
    left_out = 0
    for _ in range(60):
        if game.over:
            break
        actions = list(game.legal_actions())
        action = rng.choice(actions)
        chosen = not_forced(game, action.ids)
        left_out += len(action.ids) - len(chosen)
        other = game.copy()
        game.play(action)
        host = all_of(other, lambda view, chosen=chosen: chosen)  # type: ignore[misc]
        host.play(other)
        while other.draft:  # the last ones may be those that were left out
            all_of(other, first).play(other)
        assert host.forfeits == []
        assert other.engine.snapshot() == game.engine.snapshot()
    assert left_out


def not_forced(game: Game, choices: tuple[int, ...]) -> tuple[int, ...]:
    """The choices that had another answer."""
    plan = game.engine.blind()
    found = []
    for number, choice in enumerate(choices):
        if number == 0 or len(plan.legal()) > 1:
            found.append(choice)
        plan.step(choice)
    return tuple(found)


@pytest.mark.parametrize(
    "convert",
    [
        int,
        np.int64,
        lambda choice: [choice],
        lambda choice: np.array([choice]),
        lambda choice: "pass; card " + "{card}",
    ],
)
def test_an_answer_is_a_number_a_list_or_a_text(convert: Callable[[int], Any]) -> None:
    game = Game("birmingham", players=2, seed=5)
    assert game.seat is not None
    card = next(iter(game.view(game.seat).hand or {}))
    answer = convert(PASS)
    host = all_of(
        game, lambda view: answer.format(card=card) if isinstance(answer, str) else answer
    )
    host.play(game)
    assert host.forfeits == []
    assert [*game.actions, game.draft][0] is not None
    assert "pass" in str([*game.actions, game.draft][0])


def test_text_is_read_in_every_language() -> None:
    game = Game("birmingham", players=2, seed=5)
    host = all_of(game, lambda view: "leihe 30; Karte " + next(iter(view.hand or {})))
    host.play(game)
    assert host.forfeits == []
    assert str(game.actions[0]).startswith("loan 30")


# --- what is forfeited ---------------------------------------------------------------------------


class Misleading:
    def __repr__(self) -> str:
        raise OSError


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (raising(ZeroDivisionError("by zero")), "crashed", "ZeroDivisionError: by zero"),
        (raising(SystemExit(3)), "crashed", "SystemExit: 3"),
        (raising(CancelledError("never mind")), "crashed", "CancelledError: never mind"),
        (raising(BotError("it has ended")), "crashed", "it has ended"),
        (raising(TimeoutError("too slow")), "late", "too slow"),
        (raising(AnswerError("gibberish")), "unreadable", "gibberish"),
        (lambda view: None, "unreadable", "None is not a choice, a list of choices or text"),
        (lambda view: 1.5, "unreadable", "1.5 is not a choice"),
        (lambda view: True, "unreadable", "True is not a choice"),
        (lambda view: [], "unreadable", "[] is not a choice"),
        (lambda view: ["1"], "unreadable", "['1'] is not a choice"),
        (lambda view: b"7", "unreadable", "b'7' is not a choice"),
        (lambda view: {view.legal[0]: 1}, "unreadable", "{"),
        (lambda view: "build " * 20_000, "unreadable", "'build build"),
        (raising(BotError("no " * 10_000)), "crashed", "no no"),
        (lambda view: Misleading(), "unreadable", "<Misleading instance"),
        (lambda view: "", "illegal", "Not now. First choose what to do"),
        (lambda view: "dance", "unreadable", "unknown action 'dance'"),
        (lambda view: "link", "unreadable", ""),  # which one?
        (lambda view: DONE, "illegal", ""),
        (lambda view: -1, "illegal", ""),
        (lambda view: 10**30, "illegal", ""),
        (lambda view: [view.legal[0], -1], "illegal", ""),
        (lambda view: "build iron Coalbrookdale", "illegal", "Coalbrookdale: no coal available"),
        (lambda view: [PASS, NUMBER["CARD", 0], PASS], "illegal", ""),
    ],
)
def test_a_wrong_answer_forfeits_that_choice(
    answer: Callable[[View], Any], kind: str, words: str
) -> None:
    game = Game("birmingham", players=2, seed=5)
    seat = game.seat
    host = all_of(game, answer)
    host.play(game)
    [forfeit] = host.forfeits
    assert forfeit.kind == kind
    assert forfeit.text.startswith(words) and (forfeit.text or not words)
    assert len(forfeit.text) <= 1_000
    assert (forfeit.seat, forfeit.bot, forfeit.number) == (seat, "saying", 1)
    assert forfeit.choice == PASS
    assert game.draft is not None and game.draft.ids == (PASS,)


def test_a_crash_does_not_tell_the_hand() -> None:
    game = Game("birmingham", players=2, seed=5)
    hands = []

    def show(view: View) -> int:
        hands.append(str(view.hand))
        raise KeyError(hands[-1])

    host = all_of(game, show)
    host.play(game)
    [hand], [forfeit] = hands, host.forfeits
    assert hand in forfeit.text  # for who looks after the bot
    assert forfeit.words(game).endswith("(saying) crashed. Played instead: pass.")


def test_two_actions_are_no_answer() -> None:
    game = Game.from_position({"edition": "birmingham", "players": 2, "round": 2})
    one = next(action for action in game.legal_actions() if action.ids[0] == PASS)
    later = game.copy()
    later.play(one)
    assert later.seat == game.seat
    two = next(action for action in later.legal_actions() if action.ids[0] == PASS)
    host = all_of(game, lambda view: [*one.ids, *two.ids])
    host.play(game)
    assert [forfeit.kind for forfeit in host.forfeits] == ["illegal"]


@pytest.mark.parametrize("kind", PLAIN, ids=str)
def test_whatever_is_answered_what_is_played_is_legal(kind: Any) -> None:
    rng = Random(6)
    game = Game(kind, seed=6)
    taken = 0
    for _ in range(80):
        if game.over:
            break
        choices = [
            *next(iter(game.legal_actions())).ids,
            *rng.choices(game.legal_choices().ids, k=2),
        ]
        if rng.random() < 0.5:
            rng.shuffle(choices)
        answer = choices[: rng.randint(1, len(choices))]
        host = all_of(game, lambda view, answer=answer: answer)  # type: ignore[misc]
        made = host.ask(game)
        assert why_not_all(game.engine, made) is None
        taken += not host.forfeits
        game.carry_out(made)
    assert 10 < taken < 70


def test_a_game_of_bots_that_always_fail_comes_to_its_end() -> None:
    game = Game("lancashire", players=3, seed=5)
    host = all_of(game, raising(RuntimeError("broken")))
    while not game.over:
        host.play(game)
    assert len(host.forfeits) > len(game.actions)
    assert {forfeit.seat for forfeit in host.forfeits} == {0, 1, 2}


def test_done_then_pass_then_the_lowest_stands_in() -> None:
    assert stand_in([PASS, 3, DONE]) == DONE
    assert stand_in([9, PASS, 3]) == PASS
    assert stand_in([9, 3, 7]) == 3


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_forfeit_is_told_in_words(code: str) -> None:
    game = Game("birmingham", players=2, seed=5)
    for kind in ("crashed", "late", "unreadable", "illegal"):
        with speaking(code):
            words = Forfeit(1, "planner:2s", 3, kind, "why.", PASS).words(game)
        assert words.startswith("R (planner:2s) ")
        assert "why" not in words  # it could name the hand
        assert {"en": "pass", "de": "passe", "fr": "passer"}[code] in words


# --- clocks --------------------------------------------------------------------------------------


@pytest.fixture
def gate() -> Iterator[Event]:
    """What a bot hangs at; opened in the end, so that no thread stays."""
    event = Event()
    yield event
    event.set()


def test_a_bot_that_hangs_is_left_behind_and_may_come_back(gate: Event) -> None:
    game = Game("birmingham", players=2, seed=5)
    assert game.seat is not None
    view = game.view(game.seat)
    watch = Watch(Saying(lambda view: gate.wait() and first(view)))
    with pytest.raises(TimeoutError, match=r"it had 0\.01 s"):
        watch.choose(view, Clock(0.01))
    with pytest.raises(TimeoutError, match="it is still busy"):  # at once
        watch.choose(view, Clock(5))
    gate.set()
    watch.thinking.result()
    assert watch.choose(view, Clock(60)) == view.legal[0]


def test_a_bot_that_hangs_does_not_hang_the_game(gate: Event) -> None:
    game = Game("birmingham", players=2, seed=5)
    seat = game.seat
    assert seat is not None
    bots = [Saying(first), Saying(first)]
    bots[seat] = Saying(lambda view: gate.wait())
    host = Host(bots, clock=0.01)
    while len(game.actions) < 6:
        host.play(game)
    assert {(forfeit.seat, forfeit.kind) for forfeit in host.forfeits} == {(seat, "late")}
    assert any(action.seat != seat for action in game.actions)


def test_bots_have_no_threads_between_questions() -> None:
    game = Game("birmingham", players=2, seed=5)
    hosts = [all_of(game, first, clock=60) for _ in range(40)]
    for host in hosts:
        host.ask(game)
    for thread in threading.enumerate():
        if thread.name == "bot saying":
            thread.join(10)  # it has answered, so it ends
            assert not thread.is_alive()
    for host in hosts:
        host.close()


@pytest.mark.parametrize(
    "error", [ZeroDivisionError, SystemExit, CancelledError, KeyboardInterrupt]
)
def test_a_crash_on_the_clock_is_told_as_one(error: type[BaseException]) -> None:
    game = Game("birmingham", players=2, seed=5)
    host = all_of(game, raising(error("why")), clock=60)
    host.play(game)
    [forfeit] = host.forfeits
    assert (forfeit.kind, forfeit.text) == ("crashed", f"{error.__name__}: why")


def test_the_user_can_interrupt_a_bot() -> None:
    game = Game("birmingham", players=2, seed=5)
    with pytest.raises(KeyboardInterrupt):
        all_of(game, raising(KeyboardInterrupt())).play(game)


def test_a_bot_speaks_the_language_of_its_host() -> None:
    game = Game("birmingham", players=2, seed=5)
    heard = []

    def listen(view: View) -> int:
        from brassmill.language import language

        heard.append(language())
        return view.legal[0]

    with speaking("fr"):
        all_of(game, listen, clock=60).play(game)
    assert heard == ["fr"]


def test_a_bot_knows_its_clock() -> None:
    clocks = []

    class Curious(Saying):
        def choose(self, view: View, clock: Clock) -> Any:
            clocks.append(clock)
            return view.legal[0]

    game = Game("birmingham", players=2, seed=5)
    for seconds in (None, 60.0):
        Host([Curious(first), Curious(first)], seconds).play(game)
    assert clocks == [Clock(None), Clock(60.0)]


# --- thinking, closing ---------------------------------------------------------------------------


def test_thinking_is_counted_by_seat_and_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100_000))
    monkeypatch.setattr("brassmill.play.host.perf_counter", lambda: float(next(ticks)))
    game = Game("birmingham", players=2, seed=5)
    turns = [Counter[tuple[str, int]]() for _ in range(2)]
    debts = [0, 0]

    def borrow_and_build(view: View) -> int:
        assert view.seat is not None
        if view.question == "give up":
            debts[view.seat] += 1
        else:
            turns[view.seat][view.era, view.round] += 1
        liked = [choice for choice in view.legal if MEANING[choice][0] in ("BUILD", "LOAN")]
        return min(liked or view.legal, key=lambda choice: MEANING[choice][0] == "LOAN")

    host = all_of(game, borrow_and_build)
    while not game.over:
        host.play(game)
    assert min(debts) > 0
    for thought, asked, owed in zip(host.thoughts, turns, debts, strict=True):
        assert thought.turns == len(asked)
        assert thought.slowest == max(asked.values())
        assert thought.seconds == asked.total() + owed


def test_every_bot_is_closed_also_after_one_that_cannot_be() -> None:
    bots = [Saying(first) for _ in range(3)]

    def fail() -> None:
        raise CancelledError("no")

    bots[0].close = fail  # type: ignore[method-assign]
    Host(bots).close()
    assert [bot.closed for bot in bots[1:]] == [True, True]


def test_a_bot_that_does_not_start_leaves_no_other_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def start(spec: Spec, *rest: object) -> Saying:
        if spec.text == "greedy":
            raise BotError("it does not start")
        made.append(Saying(first))
        return made[-1]

    monkeypatch.setattr("brassmill.play.host.make", start)
    specs = ["random", "greedy", "random"]
    with pytest.raises(BotError):
        Host.of(specs, PLAIN[0], 1)
    assert [bot.closed for bot in made] == [True]
    host = Host.of(specs, PLAIN[0], 1, all_start=False)  # it forfeits instead
    assert [bot and bot.name for bot in host.bots] == ["saying", "greedy", "saying"]
    with pytest.raises(BotError, match="unknown bot 'gredy'"):
        Host.of(["random", "gredy"], PLAIN[0], 1, all_start=False)  # there is none to forfeit


def test_nobody_is_made_for_the_seat_of_a_person() -> None:
    host = Host.of([None, "random"], PLAIN[0], 1)
    assert host.bots[0] is None
    assert host.bots[1] is not None


# --- leaks ---------------------------------------------------------------------------------------


def test_a_bot_is_given_a_view_and_nothing_that_leads_to_the_game() -> None:
    game = Game("birmingham", players=3, seed=5)
    seen: list[View] = []

    def keep(view: View) -> int:
        seen.append(view)
        return view.legal[0]

    host = all_of(game, keep)
    for _ in range(20):
        seat = game.seat
        view = game.view(seat)
        host.play(game)
        assert seen[-1] == view and type(seen[-1]) is View and view.seat == seat


def test_random_play_does_not_depend_on_what_is_hidden() -> None:
    game = Game("birmingham", players=3, seed=5)
    play_at_random(game, Random(1), 40)
    other = game.copy()
    other.state.deck[:] = other.state.deck[::-1]
    bot = make("random", game.edition, 1)
    assert game.seat is not None
    chosen = [bot.choose(each.view(each.seat), Clock()) for each in (game, other)]
    assert chosen[0] == chosen[1]
