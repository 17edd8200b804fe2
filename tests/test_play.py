"""`brass play`: the game in the terminal, driven by what is typed."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from brassmill.cli.log import Line, tell
from brassmill.cli.main import main
from brassmill.cli.player import COMMANDS, Player
from brassmill.cli.screen import WIDTH, Screen
from brassmill.events import Event
from brassmill.game import Game

AGAIN = "The same game again: brass play --edition birmingham --players 4 --seed 5 --seat 1"

FIRST_CHOICE = ["list", "1", ""]  # Enter ends a turn, and does nothing elsewhere


def play(*lines: str, options: str = "--seed 5") -> Result:
    """The command with these lines typed."""
    result = CliRunner().invoke(
        main, ["play", *options.split()], input="".join(f"{line}\n" for line in lines)
    )
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def shown(*lines: str, options: str = "--seed 5") -> str:
    """What comes on the screen after the first prompt."""
    output = play(*lines, options=options).output
    return output.split("action left > ", 1)[1]


def sit_down(position: dict[str, object], monkeypatch: pytest.MonkeyPatch, *lines: str) -> Player:
    """A player of seat Y in a position, with these lines to be read."""
    game = Game.from_position(position)
    console = Console(width=WIDTH, file=io.StringIO())
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return Player(game, 0, Screen(console, game.edition))


def printed(player: Player) -> str:
    file = player.screen.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "--edition birmingham --players 2 --option intro=yes --seed 4",
        "--edition lancashire --players 2 --option community_2p=yes --seed 4 --seat 2",
        "--edition classic --players 3 --seed 4",
        "--edition birmingham --players 4 --seed 8",
    ],
)
def test_a_whole_game_by_the_first_choice(options: str) -> None:
    result = play(*FIRST_CHOICE * 300, options=options)
    assert result.exit_code == 0
    end = result.output.split("The game is over")[1]
    ranks = re.search(r"^rank( +\d\.)+ *$", end, re.MULTILINE)
    assert ranks is not None
    assert "1." in ranks[0]
    assert re.search(r"(You|[YRGP]) (win|wins)\.", end)
    assert end.splitlines()[-1] == f"The same game again: brass play {options}" + (
        "" if "--seat" in options else " --seat 1"
    )
    assert max(map(len, result.output.splitlines()[:-1])) <= WIDTH


def test_the_result_is_that_of_the_game() -> None:
    output = play(
        *FIRST_CHOICE * 300, options="--edition birmingham --players 2 --option intro=yes --seed 4"
    ).output
    table = dict(
        re.findall(
            r"^(canal era|links|iron|points) +([-\d ]+?) *$", output.split("is over")[1], re.M
        )
    )
    assert table["points"].split() == table["canal era"].split()
    assert table["links"].split() == ["7", "4"]


def test_the_seed_makes_the_game() -> None:
    lines = FIRST_CHOICE * 40
    assert play(*lines).output == play(*lines).output
    assert play(*lines).output != play(*lines, options="--seed 6").output


# --- actions -------------------------------------------------------------------------------------


def test_a_complete_action_is_played() -> None:
    output = shown("build coal Belper; card Belper")
    assert "builds coal 1 in Belper 2  gives up Belper, pays 5 for the tile" in output
    assert "you have   £12, income +0 (10), 0 VP, £5 spent this round" in output
    assert "press Enter to end your turn, or undo >" in output


def test_what_is_left_open_is_asked() -> None:
    output = shown("link leek-stoke", "2")
    assert re.search(
        r"link Stoke-on-Trent-Leek, £3: which card to give up\?\ncard +1  Belper +", output
    )
    assert "links Stoke-on-Trent-Leek  gives up Derby, pays 3 for the link" in output


@pytest.mark.parametrize("answer", ["card Birmingham", "Birm", "7"])
def test_a_question_is_answered_by_text_words_or_number(answer: str) -> None:
    assert "gives up Birmingham" in shown("link Leek-Stoke", answer)


def test_a_beginning_that_could_mean_several_things_offers_them() -> None:
    output = shown("build beer", "2")
    assert "Which of these?" in output
    assert "builds brewery 1 in Stone 1  gives up Stone" in output


def test_a_verb_alone_lists_what_it_can_do() -> None:
    output = shown("link", "18")
    assert "18  Stoke-on-Trent-Leek  £3" in output
    assert "build " not in output
    assert "link Stoke-on-Trent-Leek, £3: which card to give up?" in output


def test_the_list_shows_everything_and_words_choose_from_it() -> None:
    everything = shown("list")
    for verb in ("build", "link", "develop", "loan", "scout", "pass"):
        assert re.search(rf"^{verb} +\d+  ", everything, re.MULTILINE)
    some = shown("list derby")
    assert "cotton Derby 1  £12" in some
    assert "Derby-Nottingham  £3" in some
    assert "Stone" not in some
    assert "nothing that you can do now contains 'zzz'" in shown("list zzz")


def test_numbers_mean_the_list_that_was_shown_last() -> None:
    output = shown("list loan", "1", "list link", "999", "0")
    assert "there is no 1 in the last list" in output
    assert "there is no 999 in the last list" in output
    assert "there is no 0 in the last list" in output
    number = re.search(r"^loan +(\d+)  30", output, re.MULTILINE)
    assert number is not None
    for lines in (["loan", "list loan"], ["list loan"]):
        assert "loan 30: which card" in shown(*lines, number[1])
    assert "which list? type list" in shown("list", "pass", "undo", "1")


def test_the_action_in_progress_is_shown_until_it_is_done() -> None:
    question = "link Stoke-on-Trent-Leek, £3: which card to give up?"
    assert shown("link Leek-Stoke", "list", "table", "hand", "undo", "hand").count(question) == 4
    refusal = shown("link Leek-Stoke", "build coal Belper").split()
    assert "which card to give up. (undo goes back) card >" in " ".join(refusal)


def test_builds_that_take_two_cards_are_marked() -> None:
    output = shown(
        *(
            "pass; card Bolton",
            "",
            "list build",
            "build cotton Colne",
            "undo",
            "build iron Preston",
        ),
        options="--edition classic --players 3 --seed 4",
    )
    assert "cotton Bolton  £12  two cards" in output
    assert "cotton Colne  £12  two cards" not in output
    assert re.search(r"^two cards +2  any two cards, and both actions", output, re.MULTILINE)
    assert "which card to give up (any two cards, and both actions)?" in output


@pytest.mark.parametrize("line", ["", "end turn"])
def test_a_turn_is_ended_by_its_player(line: str) -> None:
    output = shown("pass; card Belper", line)
    assert "round 2 of 8" in output
    assert "2 actions left > " in output


def test_a_debt_is_asked_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    position: dict[str, object] = {
        "edition": "birmingham",
        "players": 2,
        "round": 3,
        "order": ["R", "Y"],
        "tiles": ["Y coal 1 Dudley", "Y cotton 1 Worcester", "Y iron 1 Coalbrookdale"],
        "Y": {"cash": 0, "income": 7},
        "action": {"question": "give up", "seat": "Y", "owed": 3},
    }
    player = sit_down(position, monkeypatch, "give up iron Dudley", "give up coal Dudley", "1")
    player.take_turn()
    assert "Which tile to give up for the debt (£3)?" in printed(player)
    assert "no such tile of yours is there" in printed(player)
    player.take_turn()
    assert "gives up coal 1 in Dudley 1" in printed(player)
    assert "(£1)" in printed(player)
    assert player.game.question == "action"
    assert len(player.view.tiles) == 1


# --- going back ----------------------------------------------------------------------------------


def test_undo_takes_back_one_step_at_a_time() -> None:
    before, *rest = shown("hand", "link Leek-Stoke", "1", "undo", "undo", "undo").split("undo\n")
    hand = before.split("\n")[1]
    assert hand.startswith("your hand")
    assert all("Taken back.\nyou have   £17" in part and hand in part for part in rest[:2])
    assert rest[0].count("which card") == 1
    assert rest[2].startswith("nothing of this turn can be taken back")


def test_what_was_passed_on_stays() -> None:
    output = shown("pass; card Belper", "", "undo")
    assert "nothing of this turn can be taken back" in output
    assert "Taken back" not in output


def test_a_turned_distant_tile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    position: dict[str, object] = {
        "edition": "lancashire",
        "round": 3,
        "tiles": ["Y cotton 1 Colne"],
        "links": ["Y Colne-Yorkshire"],
        "distant": [0],
    }
    player = sit_down(position, monkeypatch, "sell cotton Colne > distant", "1", "undo", "quit")
    with pytest.raises(EOFError):
        player.take_turn()
    assert "nothing of this turn can be taken back" in printed(player)
    assert [tile.flipped for tile in player.view.tiles] == [True]


# --- what else can be asked ----------------------------------------------------------------------


def test_help_names_every_command() -> None:
    for line in ("?", "help"):
        output = shown(line)
        assert all(command.use in output for command in COMMANDS.values())
    assert shown("").splitlines()[1] == "type an action, list, or ? for help"


def test_help_is_for_the_edition() -> None:
    assert "scout" in shown("?")
    output = shown("?", "why", "bill", options="--edition lancashire --seed 5")
    assert "scout" not in output
    assert "Birmingham" not in output


def test_a_refusal_is_explained() -> None:
    output = shown("why build iron Coalbrookdale", "why build coal Belper", "why")
    assert re.search(r"Coalbrookdale: (no card|no coal)", output)
    assert "Nothing speaks against it." in output
    assert "name an action, as in: why build iron " in output


def test_a_bill_shows_what_an_action_costs() -> None:
    output = shown("bill build iron Redditch")
    assert re.search(r"you pay +£6 +iron 1 £5, coal £1", output)
    assert re.search(r"coal +£1 +from market", output)
    assert re.search(r"you get +£1 +for iron", output)
    assert re.search(r"you keep +£13 +and place \d", output)


def test_the_score_is_that_of_the_era() -> None:
    output = shown("score")
    assert "if the canal era ended now" in output
    assert re.search(r"^links +2 +2 *$", output, re.MULTILINE)
    assert re.search(r"^together +\+0 +\+2 +\+2 +\+0$", output, re.MULTILINE)


def test_the_map_the_mats_and_the_hand() -> None:
    output = shown("map", "mats", "hand", "table")
    assert re.search(r"^Worcester +□cotton □cotton +Kidderminster/South Farm, ", output, re.M)
    assert "G Gloucester" in output
    assert re.search(r"^ P +1×2 2×2 3×3 4×3 ", output, re.MULTILINE)  # noqa: RUF001
    assert output.count("your hand") == 2
    assert "canal era  ·  round 1 of 8" in output


def test_only_the_own_hand_is_shown() -> None:
    game = Game("birmingham", seed=5)
    hand = game.view(0).hand
    assert hand is not None
    [line] = re.findall(r"^your hand +(.*?) *$", play().output, re.MULTILINE)
    assert re.split(r" {2,}", line) == list(hand)


# --- what cannot be done -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("build iron Coalbrookdale", "build iron Coalbrookdale: "),
        ("build coal Dudly; card Dudley", "there is no town 'Dudly'; did you mean Dudley?"),
        ("buidl coal Dudley", "there is no action 'buidl'; did you mean build?"),
        ("link Belper-Oxford", "there is no line 'Belper-Oxford'"),
        ("1", "which list? type list"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "which list? type list"),
        ("end turn", "your turn is not over yet"),
        ("build coal Belper card Belper", "before the card: build coal Belper; card Belper"),
        ("develop iron coal", "a comma comes between two: iron, coal"),
        ("\x1b[A\x00", "action left"),
        ("card Belper", "this does not answer the open question, which is what to do"),
        ("bill build iron Oxford", "there is no town 'Oxford'"),
        ("why sell", "no tile of yours there is for sale"),
        (";;", ";;: "),
    ],
)
def test_nothing_typed_wrongly_loses_the_game(line: str, answer: str) -> None:
    output = shown(line, "pass; card Belper")
    assert answer in output.replace("\n", " ")
    assert len(output.split("1 action left > ")[0].splitlines()) <= 6
    assert "passes  gives up Belper" in output


def test_an_answer_that_is_none() -> None:
    assert "'leek' is none of the choices" in shown("link Leek-Stoke", "leek")
    assert "there is no choice 1: the turn is over" in shown("pass; card Belper", "1")


@pytest.mark.parametrize("lines", [["quit"], [], ["pass", "exit"], ["pass; card Belper"]])
def test_the_end_of_the_input_ends_the_game(lines: list[str]) -> None:
    result = play(*lines)
    assert result.exit_code == 0
    assert result.output.endswith(f"\nThe game ends here.\n{AGAIN}\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--edition london", "there is no edition 'london'"),
        ("--players 5", "birmingham is for 2, 3 or 4 players, not 5"),
        ("--players 2 --seat 3", "there is no seat 3: they are 1 to 2"),
        ("--option beer=no", "there is no option of birmingham 'beer'"),
    ],
)
def test_a_game_that_does_not_exist(options: str, words: str) -> None:
    result = play(options=options)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {words}")


# --- the log -------------------------------------------------------------------------------------


def test_an_action_is_one_line() -> None:
    events = [
        Event("discarded", seat=1, card="Leek"),
        Event("iron_used", seat=1, source="market", pounds=1),
        Event("paid", seat=1, pounds=1, purpose="iron"),
        Event("developed", seat=1, industry="coal", level=1),
        Event("iron_used", seat=1, source="market", pounds=2),
        Event("paid", seat=1, pounds=2, purpose="iron"),
        Event("developed", seat=1, industry="iron", level=1),
        Event("discarded", seat=1, card="Stone"),
        Event("passed", seat=1),
        Event("drew", seat=1, cards=2),
    ]
    assert list(tell(events, "YRGP")) == [
        Line(
            1,
            "develops coal 1, develops iron 1",
            "gives up Leek, takes iron from market ×2, pays 3 for the iron",  # noqa: RUF001
        ),
        Line(1, "passes", "gives up Stone"),
    ]


def test_deliveries_are_counted() -> None:
    prices = (3, 2, 2, 1, 1)
    events = [
        Event("built", seat=0, industry="iron", tile="iron 1", space="Dudley 2"),
        *(Event("delivered", seat=0, space="Dudley 2", pounds=pounds) for pounds in prices),
    ]
    [line] = tell(events, "YRGP")
    assert line.details == "Dudley 2 delivers 5 to the market for £9"


def test_the_end_of_an_era_is_told_in_sums() -> None:
    events = [
        Event("income_paid", seat=0, pounds=0),
        Event("income_paid", seat=1, pounds=-3),
        Event("era_ended", era="canal"),
        Event("link_scored", seat=0, line="Leek-Stone", points=2),
        Event("link_scored", seat=0, line="Leek-Stoke", points=3),
        Event("tile_scored", seat=1, space="Leek 1", points=5),
        Event("removed", owner=1, space="Leek 1", tile="cotton 1"),
        Event("round_began", era="rail", round=1),
    ]
    assert [f"{line.deed}; {line.details}" for line in tell(events, "YR")] == [
        "income: R -3; ",
        "the canal era ends; ",
        "scores 5; links 5",
        "scores 5; tiles 5",
        "tiles of level 1 leave the map: 1; ",
        "round 1 of the rail era begins; ",
    ]


# --- interrupts ----------------------------------------------------------------------------------


def test_an_interrupt_clears_a_line_and_ends_the_game_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    typed = iter(["loan", ""])
    player = sit_down({"edition": "birmingham"}, monkeypatch)
    monkeypatch.setattr("builtins.input", interrupted)
    monkeypatch.setattr("brassmill.cli.player.half_typed", lambda: next(typed))
    with pytest.raises(KeyboardInterrupt):
        player.read()
    assert capsys.readouterr().out == "^C\n"


# --- a real terminal -----------------------------------------------------------------------------


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, *options: str) -> None:
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from brassmill.cli.main import main; main()", *options],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
                "TERM": "xterm-256color",
                "COLUMNS": "100",
            },
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, words: str) -> None:
        while words not in self.seen:
            self.seen += os.read(self.ours, 65536).decode()
        self.seen = self.seen.split(words, 1)[1]

    def interrupt(self) -> int:
        """Ctrl-C until it ends: one that comes just before Python waits for a key is not heard."""
        while True:
            self.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                return self.process.wait(timeout=5)

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())


@contextmanager
def terminal(*options: str) -> Iterator[Terminal]:
    opened = Terminal(*options)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.ours)


def test_the_menu_and_a_turn_in_a_terminal() -> None:
    with terminal("play", "--seed", "5") as table:
        table.wait_for("3  ")
        table.wait_for("Which game? [3] ")
        table.type("london")
        table.wait_for("there is no edition 'london'")
        table.wait_for("Which game? [3] ")
        table.type("2")
        table.wait_for("How many players: 2, 3, 4? [4] ")
        table.type("7")
        table.wait_for("How many players: 2, 3, 4? [4] ")
        table.type("")
        table.wait_for("Brass: Lancashire  ·  canal era")
        table.wait_for("1 action left > ")
        table.type("pass")
        table.wait_for("card > ")
        table.type("1")
        table.wait_for("press Enter to end your turn, or undo > ")
        assert table.interrupt() == 130
        table.wait_for("The game ends here.")
        table.wait_for("--edition lancashire --players 4 --seed 5 --seat 1")


def test_enter_takes_the_default_and_the_end_of_input_ends() -> None:
    with terminal("play", "--seed", "5", "--players", "2") as table:
        table.wait_for("Which game? [3] ")
        table.type("")
        table.wait_for("Brass: Birmingham  ·  canal era")
        table.wait_for("1 action left > ")
        os.write(table.ours, b"\x04")
        table.wait_for("--edition birmingham --players 2 --seed 5 --seat 1")
        assert table.process.wait() == 0


def test_stopping_at_the_menu() -> None:
    with terminal("play") as table:
        table.wait_for("Which game? [3] ")
        assert table.interrupt() == 130
