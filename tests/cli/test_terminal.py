"""`brass play` in a real terminal: press keys and read the screen."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pytest

from brassmill import record, terms
from brassmill.cli.map import SHAPES, WIDTH
from brassmill.cli.play_session import PlaySession
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.play.seating import read_seats
from support.homes import make_home
from support.paths import ROOT

if sys.platform == "win32":
    pytest.skip("pexpect needs a POSIX terminal", allow_module_level=True)

INTRO = "--edition birmingham --players 2 --option intro=yes --seats you,random --seed 11"
DEAL = "--edition birmingham --seats you,random,random,random --seed 5"
MARKS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][0-9A-B]|\x1b[=>]|\r")
CTRL_R = "\x12"
NEW_LINE = "\x1b[?2004h"  # bracketed paste on: a line is being read


class Terminal:
    """The command in a terminal of 100 columns."""

    def __init__(self, home: Path, options: str = "", language: str = "en") -> None:
        source = ROOT / "src"
        self.seen = ""
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", "from brassmill.cli.main import main; main()", "play", *options.split()],
            env={
                "PATH": "/usr/bin:/bin",
                "HOME": str(home),
                "BRASSMILL_HOME": str(home),
                "PYTHONPATH": str(source),
                "PYTHONIOENCODING": "utf-8",
                "LANGUAGE": language,
                "TERM": "xterm-256color",
                "PROMPT_TOOLKIT_NO_CPR": "1",
            },
            dimensions=(50, WIDTH),
            encoding="utf-8",
            timeout=30,
        )

    def wait_for(self, words: str) -> str:
        """Read until these words appear; return everything before them, without colours."""
        self.child.expect_exact(words)
        shown = MARKS.sub("", self.child.before + words)
        self.seen += shown
        return shown

    def asks(self, words: str) -> str:
        """Read until a prompt with these words is ready for input."""
        return self.wait_for(NEW_LINE) + self.wait_for(words)

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self.child.send(f"{line}\r")

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def ends(self) -> int | None:
        """Read to the end; return the exit code."""
        self.child.expect(pexpect.EOF)
        self.seen += MARKS.sub("", self.child.before)
        self.child.close()
        status: int | None = self.child.exitstatus
        return status

    def close(self) -> None:
        self.child.close(force=True)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path / "home")


@pytest.fixture
def terminals(home: Path) -> Iterator[list[Terminal]]:
    """Opens terminals, and closes them after the test."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def start(terminals: list[Terminal], home: Path, options: str, language: str = "en") -> Terminal:
    terminals.append(Terminal(home, options, language))
    return terminals[-1]


def twin() -> PlaySession:
    """The same game in this process."""
    game = Game("birmingham", players=2, seed=11, intro=True)
    return PlaySession(game, read_seats("you,random"), 11)


def press_on(screen: Terminal, table: PlaySession) -> bool:
    """Play the opponent here, then type a move there and make it here; False when it is over."""
    game = table.game
    while not game.over and game.seat != 0:
        table.play_bot()
    if game.over:
        return False
    if game.question == "turn over":
        screen.asks(OVER)
        screen.type("")
        table.end_turn()
        return True
    screen.asks(PROMPT if game.question == "action" else "pay the debt >")
    actions = list(game.legal_actions())
    wanted = [action for action in actions if action.text.startswith(("build", "sell", "link"))]
    action = (wanted or actions)[len(table.moves) % len(wanted or actions)]
    screen.type(action.text)
    table.play(action)
    return True


PROMPT = " left >"
OVER = "or type undo >"


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_introductory_game_is_played_by_typed_notation(
    terminals: list[Terminal], home: Path
) -> None:
    table, screen = twin(), start(terminals, home, INTRO)
    while press_on(screen, table):
        pass
    assert screen.ends() == 0
    outcome = table.game.outcome()
    assert outcome is not None
    points = re.search(r"^VP +(\d+) +(\d+) *$", screen.seen, re.MULTILINE)
    assert points is not None
    assert [int(number) for number in points.groups()] == [row.total for row in outcome.results]
    [path] = (home / "games").iterdir()
    assert str(path) in screen.seen
    assert [line.partition(": ")[2] for line in record.load(path).actions] == [
        action.text for action in table.game.actions
    ]


@pytest.mark.slow
def test_a_game_can_be_resumed_after_ctrl_c_and_after_a_kill(
    terminals: list[Terminal], home: Path
) -> None:
    table, screen = twin(), start(terminals, home, INTRO)
    for how in ("\x03", "kill", "\x04"):
        for _ in range(4):
            press_on(screen, table)
        while table.game.question != "action":
            press_on(screen, table)
        screen.asks(PROMPT)
        if how == "kill":
            screen.child.kill(signal.SIGKILL)
            screen.child.wait()
        else:
            screen.press(how)
            assert screen.ends() == (130 if how == "\x03" else 0)
            assert "brass play --resume" in screen.seen
        screen = start(terminals, home, "--resume")
    while table.game.seat != 0:
        table.play_bot()
    shown = screen.asks(PROMPT)
    assert f"round {table.game.round} of" in shown
    for seat, row in enumerate(table.game.view().seats):
        assert re.search(
            rf"^\d  {SHAPES[seat]} {row.name} .* £{row.cash} +£{row.spent} ", shown, re.M
        )


@pytest.mark.slow
def test_an_unfinished_action_is_resumed_and_can_be_undone(
    terminals: list[Terminal], home: Path
) -> None:
    screen = start(terminals, home, INTRO)
    screen.asks(PROMPT)
    screen.type("link Stone-Stafford")
    screen.asks("which card >")
    screen.press("\x03")
    assert screen.ends() == 130
    screen = start(terminals, home, "--resume")
    assert "link Stone-Stafford, £3: discard which card?" in screen.asks("which card >")
    screen.type("undo")
    screen.wait_for("Undone.")
    screen.asks(PROMPT)


# --- keys ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_tab_completes_what_the_game_allows(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, DEAL)
    screen.asks(PROMPT)
    screen.press("lin\t lee\t; c\t Bir\t\r")
    shown = screen.wait_for("to end your turn")
    assert "links Stoke-on-Trent-Leek" in shown
    assert "Birmingham, pays £3" in shown


@pytest.mark.slow
def test_tab_shows_what_there_is_and_ctrl_c_clears_a_line(
    terminals: list[Terminal], home: Path
) -> None:
    screen = start(terminals, home, DEAL)
    screen.asks(PROMPT)
    screen.press("build \t\t")
    screen.wait_for("brewery")
    screen.press("\x03why build pot\t Sta\t\r")
    screen.wait_for("pottery Stafford")
    screen.wait_for("Stafford: ")
    screen.asks(PROMPT)
    screen.press("\x03")
    assert screen.ends() == 130


def test_ambiguous_answers_can_be_completed(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, DEAL)
    screen.asks(PROMPT)
    screen.type("build coal")
    screen.asks("which one >")
    screen.press("Sto\t\r")
    assert "a level I coal mine in Stone" in screen.wait_for("to end your turn")


@pytest.mark.slow
def test_lines_are_remembered_from_game_to_game(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, DEAL)
    screen.asks(PROMPT)
    screen.type("why build iron Coalbrookdale")
    screen.wait_for("Coalbrookdale: ")
    screen.asks(PROMPT)
    screen.type("quit")
    assert screen.ends() == 0
    screen = start(terminals, home, DEAL)
    screen.asks(PROMPT)
    screen.press("\x1b[A\x1b[A\r")  # the line before quit
    screen.wait_for("Coalbrookdale: ")
    screen.asks(PROMPT)
    screen.press(f"{CTRL_R}iron Coal\r\r")
    screen.wait_for("Coalbrookdale: ")


# --- starting ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_menu(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, "")
    screen.asks("Which game? [3]")
    screen.type("london")
    screen.wait_for("unknown edition 'london'")
    screen.asks("Which game? [3]")
    screen.type("2")
    screen.asks("How many players: 2, 3, 4? [4]")
    screen.type("7")
    screen.asks("How many players: 2, 3, 4? [4]")
    screen.type("2")
    screen.asks("Who is playing, for example you,master? [you,beginner]")
    screen.type("you,masterr")
    screen.wait_for("did you mean master?")
    screen.asks("[you,beginner]")
    screen.type("you,random,random")
    screen.wait_for("name 2 players")
    screen.asks("[you,beginner]")
    screen.type("you,random")
    screen.wait_for("Brass: Lancashire  ·  canal era")
    screen.asks(PROMPT)
    screen.press("\x04")
    assert screen.ends() == 0
    assert "brass play --resume" in screen.seen


@pytest.mark.slow
def test_some_turns_against_a_beginner_out_of_the_menu(
    terminals: list[Terminal], home: Path
) -> None:
    screen = start(terminals, home, "")
    screen.asks("Which game? [3]")
    screen.type("")
    screen.asks("How many players: 2, 3, 4? [4]")
    screen.type("2")
    offered = re.findall(r"^  ([a-z]+) +\w", screen.asks("[you,beginner]"), re.MULTILINE)
    assert offered[:5] == ["beginner", "apprentice", "journeyman", "expert", "master"]
    assert {"random", "greedy", "planner", "process"} <= set(offered)
    screen.type("")
    for actions in (1, 2, 2):
        for _ in range(actions):
            screen.asks(PROMPT)
            screen.type("pass")
            screen.asks("which card >")
            screen.type("1")
        screen.asks(OVER)
        screen.type("")
    told = screen.asks(PROMPT)
    assert "round 4 of" in told
    assert re.search(r"^ ■ R +(builds|links|sells|develops|takes|scouts) ", told, re.MULTILINE)
    assert "forfeit" not in screen.seen


def test_stopping_at_the_menu(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, "")
    screen.asks("Which game? [3]")
    screen.press("\x03")
    assert screen.ends() == 130


@pytest.mark.slow
def test_an_unfinished_game_is_offered(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, DEAL)
    screen.asks(PROMPT)
    screen.type("pass; card Belper")
    screen.asks(OVER)
    other = start(terminals, home, "--resume")
    other.wait_for("this game is being played in another window")
    screen.press("\x03")
    assert screen.ends() == 130
    screen = start(terminals, home, "")
    offered = screen.asks("Which game? [1]")
    assert "1  Brass: Birmingham (you, random, random, random): canal era, round 1" in offered
    assert "0  start a new game" in offered
    screen.type("")
    screen.wait_for("round 1 of 8")
    screen.asks(OVER)


def test_people_at_one_screen_do_not_see_each_other(terminals: list[Terminal], home: Path) -> None:
    screen = start(terminals, home, "--edition birmingham --seats Ada,Ben --seed 5")
    names = ("Ada", "Ben")
    game = Game("birmingham", players=2, seed=5, seats=names)
    for number in range(2):
        seat = game.order[number]
        screen.wait_for("\x1b[3J")  # nothing is left above
        screen.asks(f"{names[seat]}, press Enter >")
        screen.type("")
        shown = screen.asks(PROMPT)
        hands = [game.view(n).hand or {} for n in range(2)]
        [line] = re.findall(r"^your hand +(.*?) *$", shown, re.MULTILINE)
        assert re.split(r" {2,}", re.sub(r"×\d", "", line)) == [  # noqa: RUF001
            terms.card(card) for card in hands[seat]
        ]
        if number:
            assert f"{names[1 - seat]}   passes" in shown
        screen.type(f"pass; card {next(iter(hands[seat]))}")
        screen.asks(OVER)
        screen.type("")
        game.play(f"pass; card {next(iter(hands[seat]))}")


@pytest.mark.parametrize(
    ("options", "locale", "language", "words"),
    [
        ("--lang de", "en_GB.UTF-8", "de", ("baue", "verbinde", "Baumwolle")),
        ("", "fr_FR.UTF-8", "fr", ("construire", "relier", "coton")),
    ],
)
def test_the_first_screen_in_other_languages(
    terminals: list[Terminal],
    home: Path,
    options: str,
    locale: str,
    language: str,
    words: tuple[str, ...],
) -> None:
    screen = start(terminals, home, f"{DEAL} {options}", locale)
    with speaking(language):
        screen.wait_for(f"Brass: Birmingham  ·  {terms.era('canal')}")
    shown = screen.asks(" >")
    assert words[0] in shown and words[1] in shown
    screen.press(f"{words[0]} {words[2][:4]}\t\t")
    screen.wait_for(f"{words[0]} {words[2]}")
    assert max(map(len, screen.seen.splitlines())) <= WIDTH
