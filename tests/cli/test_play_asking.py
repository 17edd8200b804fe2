"""What `brass play` shows on request: help, bills, maps and hints, in every language and width."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from random import Random

import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.table import Table as RichTable

from brassmill import coach, terms
from brassmill.cli import commands
from brassmill.cli.commands import COMMANDS
from brassmill.cli.main import main
from brassmill.cli.map import NARROWEST, WIDTH
from brassmill.cli.progress import what_is_prepared
from brassmill.cli.screen import Screen
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.rules import helper, warmup
from brassmill.vocabulary import WORDS
from support.kinds import play_at_random
from support.paths import ROOT
from support.typed import FIRST_CHOICE, LANCASHIRE, play, shown

pytestmark = pytest.mark.usefixtures("home")


# --- questions -----------------------------------------------------------------------------------


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
    assert "That move is legal." in output
    assert "name an action, for example: why build iron " in output


def test_why_names_the_rules() -> None:
    assert "COAL-5" not in shown("build iron Coalbrookdale", "bill build iron Coalbrookdale")
    assert "(rules: COAL-5)" in shown("why build iron Coalbrookdale")


def test_a_misspelt_name_does_not_list_everything() -> None:
    assert "Stafford" not in shown("build coal Dudly")
    lines = shown("link Bury", options=LANCASHIRE)  # none can be built yet
    assert "choose one of: Bolton-Bury, Burnley-Bury, Bury-Manchester, Bury-Rochdale\n" in lines


def test_a_bill_shows_what_an_action_costs() -> None:
    output = shown("bill build iron Birmingham")
    assert re.search(r"you pay +£6 +iron 1 £5, coal £1", output)
    assert re.search(r"coal +£1 +from the market", output)
    assert re.search(r"you get +£6 +for iron×4", output)  # noqa: RUF001
    assert re.search(r"VP +\+3 +if the era ended now", output)
    assert re.search(r"income +\+3 +on the income track \(\+2 per round\)", output)
    assert re.search(r"you have left +£17 +\d\w\w next round", output)


def test_the_score_is_for_the_era() -> None:
    output = shown("score")
    assert "if the canal era ended now" in output
    assert re.search(r"^links +2 *$", output, re.MULTILINE)
    assert re.search(r"^total +\+0 +\+0 +\+2 +\+0$", output, re.MULTILINE)


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


def test_only_your_own_hand_is_shown() -> None:
    game = Game("birmingham", seed=5)
    hand = game.view(0).hand
    assert hand is not None
    [lines] = re.findall(r"^your hand( .*?)^you can", play().output, re.MULTILINE | re.DOTALL)
    assert re.split(r"\s{2,}", lines.strip()) == [terms.card(card) for card in hand]


# --- hints, seats, languages ---------------------------------------------------------------------


def test_a_hint_can_be_played_by_its_number() -> None:
    output = shown("hint", "1")
    rows = re.findall(r"^ +(\d)  (\w+\b.*?)(?: {2,}.*)?$", output, re.MULTILINE)
    assert [number for number, _ in rows[:5]] == ["1", "2", "3", "4", "5"]
    assert "Margin: your final VP" in " ".join(output.split())
    card = rows[0][1].split("; card ")[1]
    assert f"discards {terms.the_card(card)}" in output
    assert "press Enter to end your turn" in output


def test_a_number_can_be_asked_about_before_it_is_played() -> None:
    assert "you have left " in shown("hint", "bill 1")
    assert "That move is legal." in shown("list build", "why 1")
    assert "type list first to see the numbers" in shown("bill 1")
    assert "no 99 in the last list" in shown("list build", "bill 99")


def test_what_a_hint_needs_is_compiled_with_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    done = warmup.warm_up
    shown_of: list[str] = []

    def warm_up(progress: helper.Progress | None = None, more: tuple[str, ...] = ()) -> None:
        if progress:
            progress(0.5, "brassmill.bots.brain")
            shown_of.extend(more)
        done(more=more)

    monkeypatch.setattr(warmup, "is_cached", lambda more=(): not more)
    monkeypatch.setattr(warmup, "warm_up", warm_up)
    assert play("hand").exit_code == 0  # nobody at this table thinks
    assert shown_of == []
    assert "Margin: " in shown("hint")
    assert shown_of == [*coach.COMPILED]


@pytest.mark.parametrize(
    ("module", "words"),
    [("brassmill.core.engine", "the rules"), ("brassmill.bots.brain", "the opponents")],
)
def test_the_bar_says_in_words_what_is_prepared(module: str, words: str) -> None:
    assert words in what_is_prepared(module)


def test_there_is_no_hint_when_the_turn_is_over() -> None:
    assert "the coach has no suggestion here" in shown("pass; card Belper", "hint")


def test_several_people_take_turns() -> None:
    options = "--edition birmingham --seats Ada,Ben,random --seed 5"
    lines = ["", "hand", *FIRST_CHOICE] * 3
    output = play(*lines, options=options).output
    asked = re.findall(r"(\w+)'s turn\. Everyone else, look away\.", output)
    assert asked[:3] in (["Ada", "Ben", "Ada"], ["Ben", "Ada", "Ben"])
    first, second = asked[:2]
    told = output.split(f"{second}, press Enter >")[1]
    assert re.search(rf"^ . {first}   \w+", told, re.MULTILINE)  # what the other has done


@pytest.mark.slow
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
def test_no_heading_is_cut_off(language: str, width: int, name: str) -> None:
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


def test_a_narrow_window_is_warned_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Widen the window to at least 80 columns to read this well."
    monkeypatch.setenv("COLUMNS", "79")
    assert " ".join(play("hand", "table").output.split()).count(words) == 1
    monkeypatch.setenv("COLUMNS", "80")
    assert words not in " ".join(play("hand", "table").output.split())


def test_the_legend_is_that_of_the_edition() -> None:
    for name in ("lancashire", "classic"):
        output = play("towns", options=f"--edition {name} --seed 5").output
        assert "▪ cubes   " in output and "barrel" not in output and "beer" not in output
    assert "▪ cubes or barrels" in play("towns").output


def test_negative_numbers_have_a_minus_sign() -> None:
    output = shown("loan", "shipyard", "hint", options=LANCASHIRE)
    output += shown("loan", "iron", "", "table")
    assert "income \N{MINUS SIGN}3 (7)" in output
    assert not re.search(r"(?<![\w-])-[£\d]", output)


@pytest.mark.slow
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
def test_commands_work_in_every_language(language: str, lines: tuple[str, ...]) -> None:
    english = ("list coal", "why build iron Dudley", "hint", "1", "undo", "quit")
    with speaking(language):
        assert {commands.find(line.split()[0]) for line in lines if line != "1"} == {
            commands.find(line.split()[0]) for line in english if line != "1"
        }
    said = play(*lines, options=f"--lang {language} --seed 5").output
    assert said.count(" > ") == len(lines)
    assert "Error" not in said and "Undone" not in said
    for line in lines:  # they are understood whatever the language
        assert "unknown action" not in shown(line)


def test_help_is_in_the_language() -> None:
    for arguments in (["--lang", "de", "play", "--help"], ["play", "--lang", "de", "--help"]):
        output = CliRunner().invoke(main, arguments).output
        assert output.startswith("Aufruf: ")
        assert "Vorgabe" in output
    assert CliRunner().invoke(main, ["play", "--help"]).output.startswith("Usage: ")
    assert "Optionen" in CliRunner().invoke(main, ["--lang", "de", "--help"]).output


def test_the_page_names_every_command() -> None:
    page = (ROOT / "docs/play/terminal.md").read_text()
    for command in COMMANDS:
        assert all(f"`{word}" in page for word in (command.en, command.de, command.fr))


def test_no_command_is_a_word_of_the_notation() -> None:
    words = [spelling for word in WORDS.values() for spelling in (word.en, *word.others)]
    assert [word for word in words if commands.find(word)] == []
