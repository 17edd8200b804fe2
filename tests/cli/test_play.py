"""`brass play`: whole games and single actions, driven by typed lines."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

from brassmill import record
from brassmill.cli.map import WIDTH
from brassmill.cli.play_session import PlaySession
from brassmill.cli.player import TerminalPlayer
from brassmill.cli.prompt import Plain
from brassmill.cli.screen import Screen
from brassmill.game import Game
from brassmill.play.seating import read_seats
from support.typed import FIRST_CHOICE, INTRO, LANCASHIRE, play, shown

pytestmark = pytest.mark.usefixtures("home")


def sit_down(
    position: dict[str, object], monkeypatch: pytest.MonkeyPatch, *lines: str
) -> TerminalPlayer:
    """The player of seat Y in a position, who types these lines."""
    game = Game.from_position(position)
    console = Console(width=WIDTH, file=io.StringIO())
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    table = PlaySession(game, read_seats(",".join(["you", *["random"] * (game.players - 1)])))
    return TerminalPlayer(table, 0, Screen(console, game.edition), Plain())


def printed(player: TerminalPlayer) -> str:
    file = player.screen.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        INTRO,
        pytest.param(
            "--edition lancashire --players 2 --option community_2p=yes --seats random,you"
            " --seed 4",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "--edition classic --players 3 --seats Ada,Ben,random --seed 4",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "--edition birmingham --players 4 --seats you,random,random,random --seed 8",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_whole_game_by_the_first_choice(options: str, home: Path) -> None:
    result = play(*FIRST_CHOICE * 300, options=options)
    assert result.exit_code == 0
    end = result.output.split("The game is over")[1]
    ranks = re.search(r"^rank( +\d\.)+ *$", end, re.MULTILINE)
    assert ranks is not None
    assert "1." in ranks[0]
    assert re.search(r"(You win|[YRGP] wins|Ada wins|Ben wins|The winners: .*)\.", end)
    *_, record, _, again = end.splitlines()
    assert again == f"  brass play {options}"
    assert list((home / "games").iterdir()) == [Path(record.strip())]
    assert not list((home / "unfinished").iterdir())
    assert max(map(len, result.output.split("Record of this game")[0].splitlines())) <= WIDTH


@pytest.mark.slow
def test_the_record_is_the_whole_game(home: Path) -> None:
    output = play(*FIRST_CHOICE * 300, options=INTRO).output
    [path] = (home / "games").iterdir()
    whole = record.load(path)
    assert whole.verify() == []
    outcome = whole.game().outcome()
    assert outcome is not None
    points = re.search(r"^VP +(\d+) +(\d+) *$", output, re.MULTILINE)
    assert points is not None
    assert [result.total for result in outcome.results] == [int(n) for n in points.groups()]


@pytest.mark.slow
def test_the_result_matches_the_game() -> None:
    output = play(*FIRST_CHOICE * 300, options=INTRO).output
    table = dict(
        re.findall(
            r"^(canal era|links|iron works|VP) +([-\d ]+?) *$",
            output.split("The game is over")[1],
            re.MULTILINE,
        )
    )
    assert table["VP"].split() == table["canal era"].split()
    assert len(table["links"].split()) == 2


@pytest.mark.slow
def test_the_seed_determines_the_game() -> None:
    lines = FIRST_CHOICE * 40
    one, same, other = (play(*lines, options=f"--seed {seed}").output for seed in (5, 5, 6))
    assert one.splitlines()[:-1] == same.splitlines()[:-1]  # the last line says where it is saved
    assert one.splitlines()[:-1] != other.splitlines()[:-1]


# --- actions -------------------------------------------------------------------------------------


def test_a_complete_action_is_played() -> None:
    output = shown("build coal Belper; card Belper")
    assert re.search(r" builds .*coal mine.* in Belper  discards .*Belper, pays £5", output)
    assert "you have   £12, income +0 (10), 0 VP, £5 spent this round" in output
    assert "press Enter to end your turn, or type undo >" in output


def test_open_questions_are_asked() -> None:
    output = shown("link leek-stoke", "2")
    assert re.search(
        r"link Stoke-on-Trent-Leek, £3: discard which card\?\ncard +1  Belper +", output
    )
    assert "links Stoke-on-Trent-Leek  discards Derby, pays £3 for the link" in output


@pytest.mark.parametrize("answer", ["card Birmingham", "Birm", "7"])
def test_a_question_is_answered_by_text_words_or_number(answer: str) -> None:
    assert "discards Birmingham" in shown("link Leek-Stoke", answer)


def test_an_ambiguous_start_offers_all_readings() -> None:
    output = shown("build beer", "2")
    assert "Which of these?" in output
    assert re.search(r" builds .*brewery.* in Stone  discards .*Stone", output)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("build coal", "Stone"), "builds a level I coal mine in Stone"),
        (("build coal", "coal bel"), "builds a level I coal mine in Belper"),
        (("build", "kidderminster", "coal"), "in Kidderminster  discards Kidderminster"),
        (("link", "Leek-Stoke"), "link Stoke-on-Trent-Leek, £3: discard which card?"),
        (("link dudley", "wolver"), "link Wolverhampton-Dudley, £3: discard which card?"),
        (("develop", "coal", "Belper", "done"), "develops a level I coal mine  discards Belper"),
        (("build coal", "link Leek-Stoke"), "link Stoke-on-Trent-Leek, £3: discard which card"),
        (("build coal", "loan"), "loan 30: discard which card?"),
    ],
)
def test_an_ambiguity_is_resolved_by_words(lines: tuple[str, ...], said: str) -> None:
    output = shown(*lines)
    assert "which one > " in output
    assert said in output


def test_an_amount_is_an_answer_if_no_list_number_fits() -> None:
    output = shown("loan", "20", "shipyard", options=LANCASHIRE)
    assert re.search(r"^loan +1  10 +2  20 +3  30 *$", output, re.MULTILINE)
    assert "takes a £20 loan" in output
    output = shown("loan", "2", "shipyard", options=LANCASHIRE)
    assert "takes a £20 loan" in output


@pytest.mark.parametrize("line", ["", "undo", "zurück"])
def test_an_ambiguity_can_be_dropped(line: str) -> None:
    output = shown("build coal", line, "2").split("which one > ")[1]
    assert output.startswith(f"{line}\nyou can    build")
    assert "type list first to see the numbers" in output
    assert "which one" not in output


def test_an_answer_that_fits_no_reading() -> None:
    output = shown("build coal", "Dudley", "7", "hlep", "3")
    assert "'Dudley' is not one of the choices; type list to see them or undo to go back" in output
    assert "no 7 in the last list" in output
    assert "did you mean help?" in output
    assert "a level I coal mine in Kidderminster" in output


@pytest.mark.parametrize("answer", ["Belper", "1", "card Belper"])
def test_the_card_for_two_targets_is_asked(answer: str) -> None:
    output = shown("develop iron, coal", answer)
    assert "develop iron, coal, £6: discard which card?\ncard    1  Belper" in output
    assert "which card > " in output
    assert "develops a level I iron works and a level I coal mine  discards Belper" in output


@pytest.mark.parametrize("line", ["hold Belper", "hold bel", "card Belper", "nehmen belper"])
def test_a_card_taken_first_is_used_for_the_action(line: str) -> None:
    output = shown(line, "list build", "build coal")
    assert "action left, with Belper > " in output
    assert "1  cotton Belper  £12    2  coal Belper  £5" in output
    assert "builds a level I coal mine in Belper" in output and "discards Belper" in output
    assert "discard which card" not in output


def test_a_card_taken_first_is_used_for_a_choice_by_number() -> None:
    assert "coal mine in Belper" in (output := shown("hold Belper", "list build", "2"))
    assert "discards Belper" in output


@pytest.mark.parametrize("line", ["hold", "undo"])
def test_a_card_taken_first_can_be_put_back(line: str) -> None:
    output = shown("hold Belper", line, "list build")
    assert output.count("with Belper") == 1 and "Derby" in output.split(line)[-1]


def test_a_card_named_with_the_action_wins_over_the_one_taken_first() -> None:
    assert "discards Derby" in shown("hold Belper", "loan 30; card Derby")


def test_a_card_that_does_not_fit_the_action_is_refused() -> None:
    output = shown("hold Stone", "build coal Belper")
    assert "The Stone card is for Stone only, not for Belper." in output
    assert "builds" not in output


def test_a_card_is_taken_only_before_an_action() -> None:
    output = shown("link Leek-Stoke", "hold Belper")
    assert "you can take a card only before an action" in output


@pytest.mark.parametrize("card", ["iron", "Eisen", "fer", "card iron", "iron works", "iro"])
def test_the_iron_card_is_not_a_source_of_iron(card: str) -> None:
    assert "discards the iron works card" in shown("link Leek-Stoke", card)


def test_a_source_is_still_a_source() -> None:
    assert "The action is complete without that coal" in shown("link Leek-Stoke", "coal Dudley")
    assert "'coal' is not one of the choices" in shown("link Leek-Stoke", "coal")


def test_whole_words_come_first() -> None:
    assert "Coalbrookdale" not in shown("list coal")
    assert "Wolverhampton-Coalbrookdale" in shown("list coalb")
    assert "Coalbrookdale-Shrewsbury" in shown("list link coal")


def test_a_verb_alone_lists_what_it_can_do() -> None:
    output = shown("link", "19")
    assert "19  Stoke-on-Trent-Leek  £3" in output
    assert "build " not in output
    assert "link Stoke-on-Trent-Leek, £3: discard which card?" in output


def test_the_list_shows_everything_and_words_choose_from_it() -> None:
    everything = shown("list")
    for verb in ("build", "link", "develop", "loan", "scout", "pass"):
        assert re.search(rf"^{verb} +\d+  ", everything, re.MULTILINE)
    some = shown("list derby")
    assert "cotton Derby 1  £12" in some
    assert "Derby-Nottingham  £3" in some
    assert "Stone" not in some
    assert "none of your choices contains 'zzz'" in shown("list zzz")


def test_numbers_refer_to_the_last_list() -> None:
    output = shown("list loan", "1", "list link", "999", "0")
    assert "no 1 in the last list" in output
    assert "no 999 in the last list" in output
    assert "no 0 in the last list" in output
    number = re.search(r"^loan +(\d+)  30", output, re.MULTILINE)
    assert number is not None
    for lines in (["loan", "list loan"], ["list loan"]):
        assert "loan 30: discard which card" in shown(*lines, number[1])
    assert "type list first to see the numbers" in shown("list", "pass", "undo", "1")


def test_the_action_in_progress_is_shown_until_it_is_done() -> None:
    question = "link Stoke-on-Trent-Leek, £3: discard which card?"
    assert shown("link Leek-Stoke", "list", "table", "hand", "undo", "hand").count(question) == 4
    refusal = shown("link Leek-Stoke", "build coal Belper").split()
    words = "First choose which card to discard. (undo goes back) discard which card >"
    assert words in " ".join(refusal)


def test_builds_that_take_two_cards_are_marked() -> None:
    output = shown(
        *(
            "pass; card Bolton",
            "",
            "list build",
            "build cotton Colne",
            "undo",
            "build cotton Bury",
        ),
        options="--edition classic --seats you,random,random --seed 4",
    )
    assert "cotton Bolton  £12  two cards" in output
    assert "cotton Colne  £12  two cards" not in output
    assert re.search(r"^two cards +2  any two cards, and both actions", output, re.MULTILINE)
    assert "discard which card (any two; uses both actions)?" in output


@pytest.mark.parametrize("line", ["", "end turn"])
def test_a_turn_is_ended_by_its_player(line: str) -> None:
    output = shown("pass; card Belper", line)
    assert "round 2 of 8" in output
    assert "2 actions left > " in output


def test_a_debt_is_asked_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert "Remove which tile to pay the debt (£3)?" in printed(player)
    assert "You have no iron works in Dudley." in printed(player)
    player.take_turn()
    assert re.search(r"removes .*coal mine.* in Dudley", printed(player))
    assert "(£1)" in printed(player)
    assert player.game.question == "action"
    assert len(player.view.tiles) == 1


# --- undo ----------------------------------------------------------------------------------------


def test_undo_goes_back_one_step_at_a_time() -> None:
    before, *rest = shown("hand", "link Leek-Stoke", "1", "undo", "undo", "undo").split("undo\n")
    hand = before.split("\n")[1]
    assert hand.startswith("your hand")
    assert all("Undone.\nyou have   £17" in part and hand in part for part in rest[:2])
    assert rest[0].count("discard which card?") == 1
    assert rest[2].startswith("nothing to undo this turn")


def test_an_ended_turn_cannot_be_undone() -> None:
    output = shown("pass; card Belper", "", "undo")
    assert "nothing to undo this turn" in output
    assert "Undone" not in output


def test_a_revealed_distant_tile_cannot_be_undone(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert "nothing to undo this turn" in printed(player)
    assert [tile.flipped for tile in player.view.tiles] == [True]


# --- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("build iron Coalbrookdale", "Coalbrookdale: no coal available."),
        ("build coal Dudly; card Dudley", "unknown town 'Dudly'; did you mean Dudley?"),
        ("buidl coal Dudley", "unknown action 'buidl'; did you mean build?"),
        ("link Belper-Oxford", "unknown line 'Belper-Oxford'"),
        ("1", "type list first to see the numbers"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "type list first to see the numbers"),
        ("end turn", "you still have actions left"),
        ("build coal Belper card Belper", "before the card: build coal Belper; card Belper"),
        ("develop iron coal", "put a comma between the two: iron, coal"),
        ("develop iron and coal", "put a comma between the two: iron, coal"),
        ("develop iron et coal", "put a comma between the two: iron, coal"),
        ("hep", "unknown action 'hep'; did you mean help?"),
        ("lits coal", "unknown action 'lits'; did you mean list?"),
        ("iron", "unknown action 'iron'; choose one of: build, "),
        ("\x1b[A\x00", "action left"),
        ("hold Warrington", "unknown card 'Warrington'; choose one of: "),
        ("bill build iron Oxford", "unknown town 'Oxford'"),
        ("why sell", "You have nothing to sell on the board."),
        (";;", ";;: "),
    ],
)
def test_nothing_typed_wrongly_loses_the_game(line: str, answer: str) -> None:
    output = shown(line, "pass; card Belper")
    assert answer in output.replace("\n", " ")
    assert len(output.split("1 action left > ")[0].splitlines()) <= 6
    assert "passes  discards Belper" in output


@pytest.mark.slow
def test_an_answer_that_is_not_a_choice() -> None:
    assert "'leek' is not one of the choices" in shown("link Leek-Stoke", "leek")
    for line in ("1", "loan", "why loan", "Dudley", "build coal Belper; card Belper"):
        said = shown("pass; card Belper", line).split(f"{line}\n")[-1]
        assert said.startswith("no actions left; press Enter to end your turn\n")
    assert "did you mean help?" in shown("pass; card Belper", "hep")


@pytest.mark.parametrize("lines", [["quit"], [], ["pass", "exit"], ["pass; card Belper"]])
def test_the_end_of_the_input_ends_the_game(lines: list[str]) -> None:
    result = play(*lines)
    assert result.exit_code == 0
    end = "The game is saved after every choice. To resume it:\n  brass play --resume\n"
    assert end in result.output


def test_the_resume_command_works_without_an_activated_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    script = Path(sys.executable).with_name("brass")
    for folder in (tmp_path, script.parent, script.parents[1]):
        monkeypatch.chdir(folder)
        [said] = re.findall(r"^  (\S+) play --resume$", play().output, re.MULTILINE)
        assert os.path.samefile(said, script)
        assert "/" in said  # or a shell would look elsewhere
    assert said == f"{script.parent.name}/brass"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--edition london", "unknown edition 'london'"),
        ("--players 5", "birmingham is for 2, 3 or 4 players, not 5"),
        ("--players 2 --seats you,random,random", "2 players need 2 seats, not 3"),
        ("--seats random,random", "at least one seat must be a person: you,beginner"),
        ("--seats you,Ada,Ada", "seats: 'Ada' appears twice"),
        ("--seats you,,random", "a seat is empty"),
        ("--seats you,randm,random", "randm is not a bot: did you mean random?"),
        ("--lang de --seats du,Zufal", "Zufal ist kein Bot"),
        (
            "--seats you,Wilhelmina-Theodora-Eleonore",
            "Wilhelmina-Theodora-Eleonore is too long for",
        ),
        ("--seats you,randm:seed=3", "unknown bot 'randm'; did you mean random?"),
        ("--seats you,random:sed=3", "random has no parameter 'sed'; did you mean seed?"),
        ("--seats you,random:seed=x", "random's seed cannot be 'x'; it must be a whole number"),
        ("--seats you,process:", "process needs COMMAND"),
        ("--seats you,process:./no-such-bot", "cannot start ./no-such-bot"),
        ("--clock 2", "--clock cannot be '2'; it must be a time such as 2s"),
        ("--seats you,a,b,c,d", "at most 4 seats, not 5"),
        ("--resume", "no unfinished game"),
        ("--resume --edition classic", "--resume continues a game as it is"),
        ("--option beer=no", "birmingham has no option 'beer'"),
    ],
)
def test_a_game_that_does_not_exist(options: str, words: str) -> None:
    result = play(options=options)
    assert result.exit_code == 1
    assert result.output.startswith(f"{'Fehler' if 'de' in options else 'Error'}: {words}")
