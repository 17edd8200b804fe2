"""Bots in other processes: the protocol, and what happens when one hangs, dies or babbles."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from brassmill.bots import AnswerError, Bot, BotError, Clock, make
from brassmill.bots import process as process_module
from brassmill.bots.process import STARTS, read_answer
from brassmill.cli.main import main
from brassmill.cli.play import thinking
from brassmill.cli.screen import Screen
from brassmill.core.view import View
from brassmill.game import Game
from brassmill.play.host import Host
from support.homes import make_home
from support.paths import ROOT

EXAMPLE = ROOT / "docs/bots/examples/bot.py"
PAGE = ROOT / "docs/bots/bots.md"

# A program that greets; then `say` decides what comes.
GREETING = """
import json, os, sys, time
def say(message): print(json.dumps(message), flush=True)
def heard(): return json.loads(sys.stdin.readline())
heard(); say({"type": "hello", "protocol": 1})
"""


@pytest.fixture
def bots(tmp_path: Path) -> Iterator[Any]:
    """Makes bots from programs, and stops them after the test."""
    made: list[Bot] = []

    def bot(program: str, greeting: str = GREETING) -> Bot:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(greeting + program)
        made.append(make(f"process:{command(path)}", game().edition, 7))
        return made[-1]

    yield bot
    for one in made:
        one.close()


def command(path: Path) -> str:
    return shlex.join([sys.executable, str(path)])


def game() -> Game:
    return Game("birmingham", players=2, seed=7)


def view() -> View:
    new = game()
    assert new.seat is not None
    return new.view(new.seat)


FIRST = """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end": break
    say({"choice": message["choices"][0]["choice"]})
"""


# --- playing -------------------------------------------------------------------------------------


def test_the_example_of_the_page_plays_whole_games() -> None:
    for name in ("birmingham", "lancashire"):
        new = Game(name, players=2, seed=7)
        host = Host.of([f"process:{command(EXAMPLE)}", "random"], new.edition, 7, clock=60)
        while not new.over:
            host.play(new)
        host.close()
        assert host.forfeits == []
        assert any(str(action).startswith("build") for action in new.actions if action.seat == 0)


def test_a_question_is_the_view_the_choices_and_the_clock(bots: Any, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = bots(f"""
message = heard()
open({str(heard)!r}, "w").write(json.dumps(message))
say({{"choice": 3}})
""")
    assert bot.choose(view(), Clock(12.5)) == 3
    message = json.loads(heard.read_text())
    assert set(message) == {"type", "seconds", "view", "choices"}
    assert message["type"] == "choose" and message["seconds"] == 12.5
    assert message["view"] == json.loads(json.dumps(view().as_dict()))
    assert "position" not in message["view"]
    legal = game().legal_choices()
    assert message["choices"] == [
        {"choice": choice.id, "kind": choice.kind, "text": str(choice)} for choice in legal
    ]


def test_the_session_of_the_page_is_what_is_said() -> None:
    [session] = re.findall(r"```text\n(host .*?)```", PAGE.read_text(), re.DOTALL)
    lines = [line.split(maxsplit=1) for line in session.splitlines()]
    assert [who for who, _ in lines] == ["host", "bot", "host", "bot", "host"]
    hello, greeting, question, answer, end = (json.loads(text) for _, text in lines)
    new = game()
    bot = process_module.ProcessBot(new.edition, 7, command=command(EXAMPLE))
    said = bot._question(view(), Clock(60.0))
    assert hello == bot._greeting()
    assert question["view"].items() <= json.loads(json.dumps(said["view"])).items()
    assert all(choice in said["choices"] for choice in question["choices"])
    question["view"], question["choices"] = said["view"], said["choices"]
    assert question == said
    assert answer == {"choice": bot.choose(view(), Clock(60.0))}
    assert greeting == {"type": "hello", "protocol": 1}
    assert end == {"type": "end"}
    bot.close()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('{"choice": 17}', 17),
        ('{"choices": [17, 203], "why": "it is cheap"}', [17, 203]),
        ('{"action": "loan 30"}', "loan 30"),
    ],
)
def test_an_answer_has_one_of_three_shapes(line: str, answer: object) -> None:
    assert read_answer(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        *("", "17", "null", "[17]", "{}", '{"choice": "17"}', '{"choice": true}', "{", "\x00"),
        *('{"choice": 1, "action": "pass"}', '{"choice": 1.0}', "[" * 100_000),
    ],
)
def test_any_other_answer_is_invalid(line: str) -> None:
    with pytest.raises(AnswerError, match="the program wrote") as error:
        read_answer(line)
    assert len(str(error.value)) < 200


def test_an_unexpected_line_is_not_mistaken_for_the_next_answer(bots: Any) -> None:
    bot = bots("""
heard(); say({"choice": 1}); say({"choice": 2})
print("a line of its own", flush=True)
heard(); say({"choice": 3})
""")
    assert bot.choose(view(), Clock()) == 1
    until(lambda: bot.program.lines.qsize() == 2)
    assert bot.choose(view(), Clock()) == 3


def test_what_it_writes_to_its_errors_goes_to_the_log(
    bots: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "brassmill.bots")
    bots('print("thinking of beer", file=sys.stderr, flush=True); heard()')
    until(lambda: "thinking of beer" in caplog.text)


def until(condition: Any) -> None:
    """Wait until something has happened."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


# --- what goes wrong -----------------------------------------------------------------------------


def test_a_program_that_hangs_is_stopped_and_restarted(bots: Any, tmp_path: Path) -> None:
    # The first one hangs, with a child that holds its pipes; the second one answers.
    been = tmp_path / "been"
    bot = bots(f"""
heard()
if not os.path.exists({str(been)!r}):
    open({str(been)!r}, "w")
    os.fork()
    time.sleep(1000)
say({{"choice": 5}})
""")
    program = bot.program
    with pytest.raises(TimeoutError, match="the program did not answer and was stopped"):
        bot.choose(view(), Clock(0.3))
    assert program.lines.get(timeout=30) is None  # nobody is left who could write
    assert bot.choose(view(), Clock(60)) == 5


def test_a_program_that_restarts_slowly_is_waited_for(bots: Any, tmp_path: Path) -> None:
    been, go = tmp_path / "been", tmp_path / "go"
    bot = bots(
        'heard(); say({"choice": 5}); sys.exit()',
        f"""
import os, time
if os.path.exists({str(been)!r}):
    while not os.path.exists({str(go)!r}): time.sleep(0.01)
open({str(been)!r}, "w")
{GREETING}""",
    )
    assert bot.choose(view(), Clock(60)) == 5
    with pytest.raises(BotError, match="the program exited"):
        bot.choose(view(), Clock(60))
    for _ in range(2):
        with pytest.raises(TimeoutError, match="the program is still starting"):
            bot.choose(view(), Clock(0.01))
    go.touch()
    assert bot.choose(view(), Clock(60)) == 5


def test_a_program_that_dies_is_reported_with_its_last_line(bots: Any) -> None:
    bot = bots("heard(); 1 / 0")
    with pytest.raises(BotError, match=r"exited with code 1: ZeroDivisionError: division by zero"):
        bot.choose(view(), Clock())


def test_a_program_that_always_dies_is_not_restarted(bots: Any) -> None:
    bot = bots("heard(); sys.exit(3)")
    for _ in range(STARTS):
        with pytest.raises(BotError, match=r"exited with code 3"):
            bot.choose(view(), Clock())
    with pytest.raises(BotError, match=f"failed {STARTS} times and is not started again"):
        bot.choose(view(), Clock())


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("", r"exited with code 0"),
        ("print('hello', flush=True); input()", "a JSON object is needed"),
        ('print(\'{"type": "hello", "protocol": 99}\')', "must start with .*, not .*99"),
        ("import no_such_module", "ModuleNotFoundError"),
        ("import time; time.sleep(1000)", "did not answer"),
    ],
)
def test_a_program_without_a_greeting_is_refused(
    bots: Any, program: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "START", 1.0)
    with pytest.raises(BotError, match=words):
        bots(program, greeting="")


def test_an_invalid_command_is_reported() -> None:
    with pytest.raises(BotError, match="cannot start no-such-program: no such file"):
        make("process:no-such-program --fast", game().edition)


@pytest.mark.parametrize("ending", ["break", "time.sleep(1000)"])
def test_a_program_ends_with_the_game(bots: Any, ending: str) -> None:
    bot = bots(FIRST.replace("break", ending))
    assert bot.choose(view(), Clock()) == view().legal[0]
    running = bot.program.process
    bot.close()
    assert running.poll() is not None


@pytest.mark.skipif(os.name != "posix", reason="there are no process groups")
@pytest.mark.parametrize("dies", [False, True])
def test_a_program_that_ends_by_itself_leaves_nobody_behind(bots: Any, dies: bool) -> None:
    bot = bots(f"""
import subprocess
subprocess.Popen(["sleep", "1000"], stdout=subprocess.DEVNULL)
heard(); say({{"choice": 1}})
heard(); sys.exit({int(dies)})
""")
    assert bot.choose(view(), Clock()) == 1
    errors = bot.program._errors
    if dies:
        with pytest.raises(BotError, match="exited with code"):
            bot.choose(view(), Clock())
    else:
        bot.close()
    errors.join(5)
    assert not errors.is_alive()  # nobody is left who could write there


def test_dropping_unexpected_lines_has_a_limit(bots: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = bots("heard()")
    endless = repeat("beer!\n", 100_000)
    monkeypatch.setattr(bot.program.lines, "get_nowait", lambda: next(endless))
    bot.program.forget()
    assert next(endless, None)


def test_a_program_that_never_stops_writing_does_not_stop_the_game(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(GREETING + 'while True: print("beer!")')  # and it never reads
    new = game()
    host = Host.of(["random", f"process:{command(path)}"], new.edition, 7, clock=60)
    while not new.over:
        host.play(new)
    host.close()
    assert {forfeit.kind for forfeit in host.forfeits} == {"unreadable"}


def test_a_match_goes_on_whatever_a_program_does(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        GREETING
        + """
import random
random.seed(7)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end": break
    print(random.choice(['{"choice": 1}', '{"action": "dance"}', "{", '{"choices": []}',
        '{"choice": %d}' % message["choices"][-1]["choice"]]), flush=True)
"""
    )
    new = game()
    host = Host.of(["random", f"process:{command(path)}"], new.edition, 7, clock=60)
    while not new.over:
        host.play(new)
    host.close()
    assert {forfeit.kind for forfeit in host.forfeits} == {"illegal", "unreadable"}
    assert {forfeit.seat for forfeit in host.forfeits} == {1}


# --- at the table --------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRASSMILL_HOME", str(make_home(tmp_path / "home")))
    return tmp_path / "home"


def play(seats: str, *lines: str, options: str = "--seed 3 --option intro=yes") -> str:
    arguments = ["play", *options.split(), *(["--seats", seats] if seats else [])]
    typed = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(main, arguments, input=typed).output


@pytest.mark.slow
def test_a_program_plays_and_the_game_can_be_resumed(home: Path) -> None:
    seats = f"you,process:{command(EXAMPLE)}"
    first = play(seats, *["list", "1", ""] * 3)
    assert "brass play --resume" in first and "Played instead" not in first
    rest = play("", *["list", "1", ""] * 100, options="--resume")
    assert "The game is over" in rest and "Played instead" not in rest
    assert f"--seats '{seats}'" in rest  # as a shell reads it


def test_a_bots_forfeits_are_shown_to_the_player(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"{GREETING}heard(); sys.exit(7)")
    output = play(f"you,process:{command(tmp_path / 'bot.py')}", *["list", "1", ""] * 4)
    words = " ".join(output.split())
    assert "crashed. Played instead: pass." in words


def test_a_long_think_is_shown() -> None:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=100)
    with thinking(Screen(console, game().edition), "R"):
        assert shown.getvalue() == ""
        until(lambda: "R is thinking" in shown.getvalue())
    with thinking(Screen(Console(file=shown, force_terminal=True), game().edition), "G"):
        pass
    assert "G is thinking" not in shown.getvalue()


def test_a_game_whose_bot_is_missing_is_kept(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(GREETING + FIRST)
    play(f"you,process:{command(path)}", "list", "1", "")
    [kept] = (home / "unfinished").glob("*.game")
    program = path.read_text()
    path.unlink()
    assert "Error: process:" in play("", options="--resume")
    assert kept.exists()
    path.write_text(program)
    assert "Error" not in play("", "quit", options="--resume")
