"""`brass play`: the game in the terminal, driven by what is typed."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from rich.table import Table as RichTable

from brassmill import record, terms
from brassmill.cli import commands
from brassmill.cli.chart import NARROWEST, WIDTH
from brassmill.cli.commands import COMMANDS
from brassmill.cli.main import main
from brassmill.cli.player import Player
from brassmill.cli.prompt import Plain
from brassmill.cli.screen import Screen
from brassmill.cli.seats import read_seats
from brassmill.cli.table import Table
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.vocabulary import WORDS
from homes import make_home
from kinds import play_at_random

# A deal, and bots that link Birmingham-Oxford and Dudley-Kidderminster before you begin.
DEAL = "--seed 5 --seats you,random:seed=117,random:seed=41,random:seed=256"
INTRO = "--edition birmingham --players 2 --option intro=yes --seats you,random --seed 4"
LANCASHIRE = "--edition lancashire --seats you,random,random,random --seed 5"
FIRST_CHOICE = ["list", "1", ""]  # Enter ends a turn, and does nothing elsewhere


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every test, and English; a coach who does not think for long."""
    folder = make_home(tmp_path / "home")
    monkeypatch.setattr("brassmill.cli.player.HINT", 0.01)
    monkeypatch.setenv("BRASSMILL_HOME", str(folder))
    monkeypatch.setenv("LANGUAGE", "en")
    return folder


def play(*lines: str, options: str = DEAL) -> Result:
    """The command with these lines typed."""
    result = CliRunner().invoke(
        main, ["play", *options.split()], input="".join(f"{line}\n" for line in lines)
    )
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def shown(*lines: str, options: str = DEAL) -> str:
    """What comes on the screen after the first prompt."""
    output = play(*lines, options=options).output
    return output.split("action left > ", 1)[1]


def sit_down(position: dict[str, object], monkeypatch: pytest.MonkeyPatch, *lines: str) -> Player:
    """A player of seat Y in a position, with these lines to be read."""
    game = Game.from_position(position)
    console = Console(width=WIDTH, file=io.StringIO())
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    table = Table(game, read_seats(",".join(["you", *["random"] * (game.players - 1)])))
    return Player(table, 0, Screen(console, game.edition), Plain())


def printed(player: Player) -> str:
    file = player.screen.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        INTRO,
        "--edition lancashire --players 2 --option community_2p=yes --seats random,you --seed 4",
        "--edition classic --players 3 --seats Ada,Ben,random --seed 4",
        "--edition birmingham --players 4 --seats you,random,random,random --seed 8",
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
    assert max(map(len, result.output.split("The record of")[0].splitlines())) <= WIDTH


def test_the_record_is_the_whole_game(home: Path) -> None:
    output = play(*FIRST_CHOICE * 300, options=INTRO).output
    [path] = (home / "games").iterdir()
    whole = record.load(path)
    assert whole.verify() == []
    outcome = whole.game().outcome()
    assert outcome is not None
    points = re.search(r"^points +(\d+) +(\d+) *$", output, re.MULTILINE)
    assert points is not None
    assert [result.total for result in outcome.results] == [int(n) for n in points.groups()]


def test_the_result_is_that_of_the_game() -> None:
    output = play(*FIRST_CHOICE * 300, options=INTRO).output
    table = dict(
        re.findall(
            r"^(canal era|links|iron works|points) +([-\d ]+?) *$",
            output.split("is over")[1],
            re.MULTILINE,
        )
    )
    assert table["points"].split() == table["canal era"].split()
    assert len(table["links"].split()) == 2


def test_the_seed_makes_the_game() -> None:
    lines = FIRST_CHOICE * 40
    one, same, other = (play(*lines, options=f"--seed {seed}").output for seed in (5, 5, 6))
    assert one.splitlines()[:-1] == same.splitlines()[:-1]  # the last line says where it is kept
    assert one.splitlines()[:-1] != other.splitlines()[:-1]


# --- actions -------------------------------------------------------------------------------------


def test_a_complete_action_is_played() -> None:
    output = shown("build coal Belper; card Belper")
    assert re.search(r" builds .*coal mine.* in Belper 2  gives up .*Belper, pays £5", output)
    assert "you have   £12, income +0 (10), 0 VP, £5 spent this round" in output
    assert "press Enter to end your turn, or type undo >" in output


def test_what_is_left_open_is_asked() -> None:
    output = shown("link leek-stoke", "2")
    assert re.search(
        r"link Stoke-on-Trent-Leek, £3: which card to give up\?\ncard +1  Belper +", output
    )
    assert "links Stoke-on-Trent-Leek  gives up the card Derby, pays £3 for the link" in output


@pytest.mark.parametrize("answer", ["card Birmingham", "Birm", "7"])
def test_a_question_is_answered_by_text_words_or_number(answer: str) -> None:
    assert "gives up the card Birmingham" in shown("link Leek-Stoke", answer)


def test_a_beginning_that_could_mean_several_things_offers_them() -> None:
    output = shown("build beer", "2")
    assert "Which of these?" in output
    assert re.search(r" builds .*brewery.* in Stone 1  gives up .*Stone", output)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("build coal", "Stone"), "builds a coal mine of level 1 in Stone 2"),
        (("build coal", "coal bel"), "builds a coal mine of level 1 in Belper 2"),
        (("build", "kidderminster", "coal"), "in Kidderminster 1  gives up the card Kidderminster"),
        (("link", "Leek-Stoke"), "link Stoke-on-Trent-Leek, £3: which card to give up?"),
        (("link dudley", "wolver"), "link Wolverhampton-Dudley, £3: which card to give up?"),
        (("develop", "coal", "Belper", "done"), "develops coal mine 1  gives up the card Belper"),
        (("build coal", "link Leek-Stoke"), "link Stoke-on-Trent-Leek, £3: which card"),
        (("build coal", "loan"), "loan 30: which card to give up?"),
    ],
)
def test_which_one_is_meant_is_answered_by_words_alone(lines: tuple[str, ...], said: str) -> None:
    output = shown(*lines)
    assert "which one > " in output
    assert said in output


def test_an_amount_is_an_answer_where_no_number_is_meant() -> None:
    output = shown("loan", "20", "shipyard", options=LANCASHIRE)
    assert re.search(r"^loan +1  10 +2  20 +3  30 *$", output, re.MULTILINE)
    assert "borrows £20" in output
    output = shown("loan", "2", "shipyard", options=LANCASHIRE)
    assert "borrows £20" in output


@pytest.mark.parametrize("line", ["", "undo", "zurück"])
def test_which_one_is_meant_need_not_be_answered(line: str) -> None:
    output = shown("build coal", line, "2").split("which one > ")[1]
    assert output.startswith(f"{line}\nyou can    build")
    assert "which list? type list" in output
    assert "which one" not in output


def test_what_is_none_of_those_that_can_be_meant() -> None:
    output = shown("build coal", "Dudley", "7", "hlep", "3")
    assert "'Dudley' is none of the choices: list shows them, undo goes back" in output
    assert "there is no 7 in the last list" in output
    assert "did you mean help?" in output
    assert "a coal mine of level 1 in Kidderminster" in output


@pytest.mark.parametrize("answer", ["Belper", "1", "card Belper"])
def test_the_card_of_two_targets_is_asked(answer: str) -> None:
    output = shown("develop iron, coal", answer)
    assert "develop iron, coal, £6: which card to give up?\ncard    1  Belper" in output
    assert "which card > " in output
    assert "develops iron works 1, develops coal mine 1  gives up the card Belper" in output


@pytest.mark.parametrize("card", ["iron", "Eisen", "fer", "card iron", "iron works", "iro"])
def test_the_card_iron_is_no_source_of_iron(card: str) -> None:
    assert "gives up the card iron works" in shown("link Leek-Stoke", card)


def test_a_source_is_still_a_source() -> None:
    assert "nothing in it asks for that coal" in shown("link Leek-Stoke", "coal Dudley")
    assert "'coal' is none of the choices" in shown("link Leek-Stoke", "coal")


def test_whole_words_come_first() -> None:
    assert "Coalbrookdale" not in shown("list coal")
    assert "Wolverhampton-Coalbrookdale" in shown("list coalb")
    assert "Coalbrookdale-Shrewsbury" in shown("list link coal")


def test_a_verb_alone_lists_what_it_can_do() -> None:
    output = shown("link", "19")
    assert "19  Stoke-on-Trent-Leek  £3" in output
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
    assert "which card to give up? (undo goes back) which card >" in " ".join(refusal)


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
    assert "You have no iron works tile in Dudley." in printed(player)
    player.take_turn()
    assert re.search(r"gives up .*coal mine.* in Dudley 1", printed(player))
    assert "(£1)" in printed(player)
    assert player.game.question == "action"
    assert len(player.view.tiles) == 1


# --- going back ----------------------------------------------------------------------------------


def test_undo_takes_back_one_step_at_a_time() -> None:
    before, *rest = shown("hand", "link Leek-Stoke", "1", "undo", "undo", "undo").split("undo\n")
    hand = before.split("\n")[1]
    assert hand.startswith("your hand")
    assert all("Taken back.\nyou have   £17" in part and hand in part for part in rest[:2])
    assert rest[0].count("which card to give up?") == 1
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
        assert all(command.use in output for command in COMMANDS)
    assert shown("").splitlines()[1] == "type an action, list, or ? for help"


def test_help_is_for_the_edition() -> None:
    assert "scout" in shown("?")
    output = shown("?", "why", "bill", options=LANCASHIRE)
    assert "scout" not in output
    assert "Birmingham" not in output


def test_a_refusal_is_explained() -> None:
    output = shown("why build iron Coalbrookdale", "why build coal Belper", "why")
    assert re.search(r"Coalbrookdale: (no card|no coal)", output)
    assert "Nothing speaks against it." in output
    assert "name an action, as in: why build iron " in output


def test_rules_are_named_to_who_asks_why() -> None:
    assert "COAL-5" not in shown("build iron Coalbrookdale", "bill build iron Coalbrookdale")
    assert "(rules: COAL-5)" in shown("why build iron Coalbrookdale")


def test_a_misspelt_name_is_not_answered_by_all_there_is() -> None:
    assert "Stafford" not in shown("build coal Dudly")
    lines = shown("link Bury", options=LANCASHIRE)  # none can be built yet
    assert "there is: Bolton-Bury, Burnley-Bury, Bury-Manchester, Bury-Rochdale\n" in lines


def test_a_bill_shows_what_an_action_costs() -> None:
    output = shown("bill build iron Birmingham")
    assert re.search(r"you pay +£6 +iron 1 £5, coal £1", output)
    assert re.search(r"coal +£1 +from the market", output)
    assert re.search(r"you get +£6 +for iron×4", output)  # noqa: RUF001
    assert re.search(r"points +\+3 +if the era ended now", output)
    assert re.search(r"income +\+3 +spaces of the track: \+2 a round", output)
    assert re.search(r"you keep +£17 +and place \d", output)


def test_the_score_is_that_of_the_era() -> None:
    output = shown("score")
    assert "if the canal era ended now" in output
    assert re.search(r"^links +2 *$", output, re.MULTILINE)
    assert re.search(r"^together +\+0 +\+0 +\+2 +\+0$", output, re.MULTILINE)


def test_the_map_the_mats_and_the_hand() -> None:
    drawn = shown("map")
    assert drawn.count("[ ] empty") == 1 and "⢸" in drawn
    assert drawn.split("map\n")[1].splitlines()[:40] == play().output.splitlines()[2:42]
    output = shown("towns", "mats", "hand", "table")
    assert re.search(r"^Worcester +□cotton □cotton +Kidderminster/South Farm, ", output, re.M)
    assert "▲ Oxford" in output
    assert re.search(r"^ ◆ P +1×3 2×2 3×3 4×3 ", output, re.MULTILINE)  # noqa: RUF001
    assert output.count("your hand") == 2
    assert "canal era  ·  round 1 of 8" in output


def test_only_the_own_hand_is_shown() -> None:
    game = Game("birmingham", seed=5)
    hand = game.view(0).hand
    assert hand is not None
    [lines] = re.findall(r"^your hand( .*?)^you can", play().output, re.MULTILINE | re.DOTALL)
    assert re.split(r"\s{2,}", lines.strip()) == [terms.card(card) for card in hand]


# --- what cannot be done -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("build iron Coalbrookdale", "Coalbrookdale: no coal in reach."),
        ("build coal Dudly; card Dudley", "there is no town 'Dudly'; did you mean Dudley?"),
        ("buidl coal Dudley", "there is no action 'buidl'; did you mean build?"),
        ("link Belper-Oxford", "there is no line 'Belper-Oxford'"),
        ("1", "which list? type list"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "which list? type list"),
        ("end turn", "your turn is not over yet"),
        ("build coal Belper card Belper", "before the card: build coal Belper; card Belper"),
        ("develop iron coal", "a comma comes between two: iron, coal"),
        ("develop iron and coal", "a comma comes between two: iron, coal"),
        ("develop iron et coal", "a comma comes between two: iron, coal"),
        ("hep", "there is no action 'hep'; did you mean help?"),
        ("lits coal", "there is no action 'lits'; did you mean list?"),
        ("iron", "there is no action 'iron'; there is: build, "),
        ("\x1b[A\x00", "action left"),
        ("card Belper", "This does not answer the open question: what to do?"),
        ("bill build iron Oxford", "there is no town 'Oxford'"),
        ("why sell", "You have no tile on the map that could be sold."),
        (";;", ";;: "),
    ],
)
def test_nothing_typed_wrongly_loses_the_game(line: str, answer: str) -> None:
    output = shown(line, "pass; card Belper")
    assert answer in output.replace("\n", " ")
    assert len(output.split("1 action left > ")[0].splitlines()) <= 6
    assert "passes  gives up the card Belper" in output


def test_an_answer_that_is_none() -> None:
    assert "'leek' is none of the choices" in shown("link Leek-Stoke", "leek")
    for line in ("1", "loan", "why loan", "Dudley", "build coal Belper; card Belper"):
        said = shown("pass; card Belper", line).split(f"{line}\n")[-1]
        assert said.startswith("the turn is over: press Enter to end it\n")
    assert "did you mean help?" in shown("pass; card Belper", "hep")


@pytest.mark.parametrize("lines", [["quit"], [], ["pass", "exit"], ["pass; card Belper"]])
def test_the_end_of_the_input_ends_the_game(lines: list[str]) -> None:
    result = play(*lines)
    assert result.exit_code == 0
    end = "The game is kept after every choice. This goes on with it:\n  brass play --resume\n"
    assert end in result.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--edition london", "there is no edition 'london'"),
        ("--players 5", "birmingham is for 2, 3 or 4 players, not 5"),
        ("--players 2 --seats you,random,random", "3 seats are named for 2 players"),
        ("--seats random,random", "somebody must play: you,beginner"),
        ("--seats you,Ada,Ada", "seats: 'Ada' is there twice"),
        ("--seats you,,random", "a seat is empty"),
        ("--seats you,randm,random", "randm: did you mean random? A person may be called anything"),
        ("--lang de --seats du,Zufal", "Zufal: "),
        ("--seats you,Wilhelmina-Theodora", "Wilhelmina-Theodora is too long for a name"),
        ("--seats you,randm:seed=3", "there is no bot 'randm'; did you mean random?"),
        ("--seats you,random:sed=3", "there is no parameter of random 'sed'; did you mean seed?"),
        ("--seats you,random:seed=x", "seed of random cannot be 'x': it is a whole number"),
        ("--seats you,process:", "process needs COMMAND"),
        ("--seats you,process:./no-such-bot", "./no-such-bot cannot be started"),
        ("--clock 2", "--clock of brass play cannot be '2': it is a time such as 2s"),
        ("--seats you,a,b,c,d", "there are 4 seats at most, not 5"),
        ("--resume", "there is no unfinished game"),
        ("--resume --edition classic", "--resume goes on with a game as it is"),
        ("--option beer=no", "there is no option of birmingham 'beer'"),
    ],
)
def test_a_game_that_does_not_exist(options: str, words: str) -> None:
    result = play(options=options)
    assert result.exit_code == 1
    assert result.output.startswith(f"{'Fehler' if 'de' in options else 'Error'}: {words}")


# --- hints, seats, languages ---------------------------------------------------------------------


def test_a_hint_can_be_played_by_its_number() -> None:
    output = shown("hint", "2")
    rows = re.findall(r"^ +(\d)  (\w+ .*?)(?: {2,}.*)?$", output, re.MULTILINE)
    assert [number for number, _ in rows[:5]] == ["1", "2", "3", "4", "5"]
    assert "Margin: your points at the end" in " ".join(output.split())
    town = rows[1][1].split("; card ")[1]
    assert f"gives up the card {town}" in output
    assert "press Enter to end your turn" in output


def test_there_is_no_hint_when_the_turn_is_over() -> None:
    assert "there is no hint for this" in shown("pass; card Belper", "hint")


def test_several_people_take_turns() -> None:
    options = "--edition birmingham --seats Ada,Ben,random --seed 5"
    lines = ["", "hand", *FIRST_CHOICE] * 3
    output = play(*lines, options=options).output
    asked = re.findall(r"It is the turn of (\w+): the others look away\.", output)
    assert asked[:3] in (["Ada", "Ben", "Ada"], ["Ben", "Ada", "Ben"])
    first, second = asked[:2]
    told = output.split(f"press Enter, {second} >")[1]
    assert re.search(rf"^ . {first}   \w+", told, re.MULTILINE)  # what the other has done


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize(
    "game", ["birmingham --seats you,Wilhelmina12,random,random", "lancashire", "classic"]
)
def test_nothing_is_wider_than_the_page(language: str, game: str) -> None:
    asked = (
        *("list", "hint", "?", "map", "towns", "mats", "score", "bill build iron Birmingham"),
        "why",
    )
    lines = [*asked, *FIRST_CHOICE * 12, *asked]
    options = f"--lang {language} --edition {game} --seed 3"
    output = play("", *lines, options=options).output
    assert max(map(len, output.splitlines()[:-1])) <= WIDTH


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("width", [NARROWEST, WIDTH])
@pytest.mark.parametrize("name", ["birmingham", "lancashire", "classic"])
def test_no_head_is_cut_off(language: str, width: int, name: str) -> None:
    names = ["Wilhelmina12", "Bartholomew3", "Clementina34"]
    game = Game(name, players=3, seed=3, seats=names)
    play_at_random(game, Random(3), 150)
    view = game.view(0)
    both = ("wild location", "wild industry")
    rich = replace(view.seats[0], cash=123, spent=45, vp=108, level=-10, income=97)
    rivals = (replace(row, wild=both) for row in view.seats[1:])
    view = replace(view, seats=(rich, *rivals))
    console = Console(width=width, file=io.StringIO(), record=True)
    screen = Screen(console, game.edition)
    with speaking(language):
        screen.table(view, [])
        screen.print(screen.mats(view), screen.places(view), screen.score(view, game.score_now()))
        hand = screen.seats(view)
    assert isinstance(hand, RichTable) and screen.fits(hand)
    text = console.export_text()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "wild cards ■ R wild location, wild industry ▲ G wild industry"),
        ("de", "Joker ■ R Ortsjoker, Industriejoker ▲ G Industriejoker"),
        ("fr", "jokers ■ R joker Lieu, joker Industrie ▲ G joker Industrie"),
    ],
)
def test_the_wild_cards_of_the_others_are_shown(language: str, words: str) -> None:
    game = Game.from_position(
        {
            "edition": "birmingham",
            "players": 3,
            "Y": {"hand": ["coal", "wild location"]},
            "R": {"hand": ["coal", "wild location", "wild industry"]},
            "G": {"hand": ["iron", "wild industry"]},
        }
    )
    screen = Screen(Console(width=WIDTH, file=io.StringIO(), record=True), game.edition)
    with speaking(language):
        screen.board(game.view(0))
    assert words in " ".join(screen.console.export_text().split())
    screen.board(Game("birmingham", seed=1).view(0))
    assert "wild" not in screen.console.export_text()


def test_a_narrow_window_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "A window of at least 80 columns is needed to read this well."
    monkeypatch.setenv("COLUMNS", "79")
    assert " ".join(play("hand", "table").output.split()).count(words) == 1
    monkeypatch.setenv("COLUMNS", "80")
    assert words not in " ".join(play("hand", "table").output.split())


def test_the_legend_is_that_of_the_edition() -> None:
    for name in ("lancashire", "classic"):
        output = play("towns", options=f"--edition {name} --seed 5").output
        assert "▪ cubes   " in output and "barrel" not in output and "beer" not in output
    assert "▪ cubes or barrels" in play("towns").output


def test_less_is_written_with_a_minus() -> None:
    output = shown("loan", "shipyard", "hint", options=LANCASHIRE)
    output += shown("loan", "iron", "", "table")
    assert "income \N{MINUS SIGN}3 (7)" in output
    assert not re.search(r"(?<![\w-])-[£\d]", output)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", ("Liste Kohle", "warum baue Eisen Dudley", "Tipp", "1", "zurück", "beenden")),
        (
            "fr",
            ("liste charbon", "pourquoi relier Leek-Stoke", "conseil", "1", "annuler", "quitter"),
        ),
    ],
)
def test_commands_go_by_their_words_in_every_language(
    language: str, lines: tuple[str, ...]
) -> None:
    english = ("list coal", "why build iron Dudley", "hint", "1", "undo", "quit")
    with speaking(language):
        assert {commands.find(line.split()[0]) for line in lines if line != "1"} == {
            commands.find(line.split()[0]) for line in english if line != "1"
        }
    said = play(*lines, options=f"--lang {language} --seed 5").output
    assert said.count(" > ") == len(lines)
    assert "Error" not in said and "Taken back" not in said
    for line in lines:  # they are understood whatever the language
        assert "there is no action" not in shown(line)


def test_help_is_in_the_language() -> None:
    for arguments in (["--lang", "de", "play", "--help"], ["play", "--lang", "de", "--help"]):
        output = CliRunner().invoke(main, arguments).output
        assert output.startswith("Aufruf: ")
        assert "Vorgabe" in output
    assert CliRunner().invoke(main, ["play", "--help"]).output.startswith("Usage: ")
    assert "Optionen" in CliRunner().invoke(main, ["--lang", "de", "--help"]).output


def test_the_page_names_every_command() -> None:
    page = (Path(__file__).parents[1] / "docs/terminal.md").read_text()
    for command in COMMANDS:
        assert all(f"`{word}" in page for word in (command.en, command.de, command.fr))


def test_no_command_is_a_word_of_the_notation() -> None:
    words = [spelling for word in WORDS.values() for spelling in (word.en, *word.others)]
    assert [word for word in words if commands.find(word)] == []
