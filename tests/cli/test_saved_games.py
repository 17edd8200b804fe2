"""Games that are left and resumed: saved games, the table, the saved records."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brassmill import record, saving
from brassmill.cli.main import main
from brassmill.cli.play import description, item, table_of
from brassmill.cli.play_session import PlaySession
from brassmill.cli.saved_games import SavedGame, SavedGames
from brassmill.core.stamp import stamp_of
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.play.seating import read_seats
from support import old_home
from support.homes import make_home
from support.old_home import DATA

INTRO = "--edition birmingham --players 2 --option intro=yes --seats you,random --seed 4"
FIRST_CHOICE = ["list", "1", ""]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_home(tmp_path / "home")
    monkeypatch.setenv("BRASSMILL_HOME", str(folder))
    monkeypatch.setenv("LANGUAGE", "en")
    return folder


def play(options: str, *lines: str) -> Result:
    typed = "".join(f"{line}\n" for line in lines)
    result = CliRunner().invoke(main, ["play", *options.split()], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def actions(path: Path) -> tuple[str, ...]:
    return record.load(path).actions


# --- resuming ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_interrupted_game_is_the_same_game(home: Path) -> None:
    play(INTRO, *FIRST_CHOICE * 300)
    [whole] = (home / "games").iterdir()
    play(INTRO, *FIRST_CHOICE * 3)
    for _ in range(5):
        assert "brass play --resume" in play("--resume", *FIRST_CHOICE * 4).output
    play("--resume", *FIRST_CHOICE * 300)
    [pieces] = set((home / "games").iterdir()) - {whole}
    assert actions(pieces) == actions(whole)
    assert not list((home / "unfinished").iterdir())


def test_the_news_and_what_can_be_undone_come_back() -> None:
    one = PlaySession(Game("birmingham", players=3, seed=2), read_seats("random,you,random"), 2)
    while len(one.moves) < 60:
        one.play_bot() if one.game.seat != 1 else first_choice(one)
    two = PlaySession(Game("birmingham", players=3, seed=2), one.seats, 2)
    two.replay(one.moves)
    assert [two.news(seat) for seat in range(3)] == [one.news(seat) for seat in range(3)]
    assert [part.events for part in two.unpublished] == [part.events for part in one.unpublished]
    assert two.game.engine.snapshot() == one.game.engine.snapshot()


def first_choice(table: PlaySession) -> None:
    if table.game.question == "turn over":
        table.end_turn()
    else:
        table.play(table.game.legal_choices()[0])


def test_a_turn_is_shown_to_the_others_when_it_is_over() -> None:
    table = PlaySession(Game("birmingham", players=2, seed=2), read_seats("Ada,Ben"))
    seat = table.game.seat
    assert seat is not None
    table.play("pass; card " + next(iter(table.game.view(seat).hand or {})))
    assert table.news(0) == table.news(1) == []
    table.undo()
    assert table.moves == [] and table.undoable == 0
    table.play("pass; card " + next(iter(table.game.view(seat).hand or {})))
    table.end_turn()
    assert "passed" in [event.kind for event in table.news(1 - seat)]
    assert "passed" not in [event.kind for event in table.news(seat)]


def test_bots_have_the_same_luck_at_the_same_point() -> None:
    tables = [
        PlaySession(Game("classic", seed=9), read_seats("random,random,random,you"), 9)
        for _ in "12"
    ]
    for table in tables:
        while len(table.moves) < 20:
            table.play_bot() if table.game.seat != 3 else first_choice(table)
    assert tables[0].moves == tables[1].moves


@pytest.mark.parametrize("seed", [5, None])
def test_only_a_chosen_seed_is_stored_and_shown(home: Path, seed: int | None) -> None:
    """A random deal comes from the operating system, because every seed could be tried."""
    intro = INTRO.removesuffix(" --seed 4") + (f" --seed {seed}" if seed else "")
    play(intro, *FIRST_CHOICE)
    [(_file, saved)] = SavedGames().unfinished()
    assert saved.seed == seed
    assert (saved.deal is None, len(saved.bot_key)) == ((True, 0) if seed else (False, 32))
    game = table_of(saved).game
    output = play("--resume", *FIRST_CHOICE * 300).output
    [path] = (home / "games").iterdir()
    played = record.load(path).game()
    assert played.deal.rows() == game.deal.rows() and played.deal.seed == seed
    assert ("To play the same deal again:" in output) == (seed is not None)


def test_every_random_game_has_a_deal_and_a_key_of_its_own() -> None:
    for _game in "12":
        play("--edition birmingham --seats you,random", "quit")
    one, two = (saved for _file, saved in SavedGames().unfinished())
    assert one.deal != two.deal and one.bot_key != two.bot_key
    assert one.deal and "seed" not in one.deal and one.bot_key not in str(one.deal)


def test_a_game_is_saved_from_the_deal_on() -> None:
    first = play("--edition birmingham --seed 5", "hand", "quit").output
    assert "brass play --resume" in first
    [hand] = set(re.findall(r"^your hand.*", first, re.MULTILINE))
    again = play("--resume", "quit").output
    assert hand in again
    told = re.findall(r"^ . [RGP]   \w.*", first, re.MULTILINE)
    assert told and all(again.count(line) == 1 for line in told)  # what the bots did


@pytest.mark.parametrize(
    ("language", "who"), [("en", "you, random"), ("de", "du, Zufall"), ("fr", "vous, hasard")]
)
def test_an_unfinished_game_is_described_in_the_language(
    language: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    with speaking(language):
        lines = item(1, description(replace(saved(), played="2024-05-06T07:08:09"))).splitlines()
    assert f"({who})" in " ".join(line.strip() for line in lines)
    assert len(lines) == 2
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(
    ("options", "seats"),
    [("--players 3", "you,beginner,beginner"), ("--seats random,you,master", "random,you,master")],
)
def test_a_game_keeps_its_opponents(options: str, seats: str) -> None:
    play(f"--seed 5 {options}")
    play("--resume", *FIRST_CHOICE)
    [(file, kept)] = SavedGames().unfinished()
    file.release()
    assert kept.seats == seats
    assert len(kept.calls) > 1


def test_a_game_that_cannot_be_saved_continues(home: Path) -> None:
    (home / "unfinished").write_text("a file where a folder should be")
    output = play("--seed 5", "save", "pass; card Belper", "").output
    assert output.count("The game cannot be saved:") == 1
    assert output.count("The game is not saved.") == 2
    assert "round 2 of 8" in output


# --- damaged -------------------------------------------------------------------------------------


def saved() -> SavedGame:
    return SavedGame("birmingham", 2, {}, "you,random", 5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "this is not a saved game"),
        (b"\x00\xff\xfe nothing", "this is not a saved game"),
        (saved().pack()[:-20], "it is damaged"),
        (saved().pack().replace(b"birmingham", b"lancashire"), "it is damaged"),
        (saved().pack().replace(b"saved game 3", b"saved game 7"), "another version"),
        (replace(saved(), played="yesterday").pack(), "it is damaged"),
    ],
)
def test_a_damaged_game_is_reported_and_moved(home: Path, data: bytes, words: str) -> None:
    folder = home / "unfinished"
    folder.mkdir()
    (folder / "broken.game").write_bytes(data)
    result = play("--resume")
    assert result.exit_code == 1
    assert f"A saved game cannot be read: {words}" in result.output or words in result.output
    assert (folder / "broken.damaged").read_bytes() == data
    assert "cannot be read" not in play("--seed 5").output  # it is reported once


@pytest.mark.parametrize(
    "changes", [{"calls": [[1, 2, 3]]}, {"calls": [["a"]]}, {"seats": 7}, {"edition": "london"}]
)
def test_an_impossible_game_is_moved(home: Path, changes: dict[str, object]) -> None:
    file = SavedGames().new_file("birmingham")
    game = saved()
    for name, value in changes.items():
        setattr(game, name, value)
    file.write(game)
    file.release()
    result = play("--resume")
    assert result.exit_code == 1
    assert "It was moved to:" in result.output
    assert file.path.with_suffix(".damaged").exists()


def test_a_game_that_is_being_played_is_locked() -> None:
    games = SavedGames()
    file = games.new_file("birmingham")
    file.write(saved())
    [(other, _)] = games.unfinished()
    with pytest.raises(BrassError, match="another window"):
        other.hold()
    file.release()
    other.hold()
    other.release()


def test_releasing_does_not_delete_anothers_lock(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = SavedGames()
    file = games.new_file("birmingham")
    file.write(saved())
    [(other, _)] = games.unfinished()
    free = file.lock.release

    def free_and_lose() -> None:
        free()
        other.hold()  # another window takes it at once

    monkeypatch.setattr(file.lock, "release", free_and_lose)
    file.release()
    [(third, _)] = games.unfinished()
    with pytest.raises(BrassError, match="another window"):
        third.hold()
    third.release()  # it does not hold the lock, so it leaves the file alone
    with pytest.raises(BrassError, match="another window"):
        third.hold()
    other.release()
    assert [path.suffix for path in (home / "unfinished").iterdir()] == [".game"]


def test_the_file_is_always_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    games = SavedGames()
    file = games.new_file("birmingham")
    file.write(saved())
    before = file.path.read_bytes()

    def fail(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="full"):
        file.write(SavedGame("classic", 3, {}, "you,random,random", 6))
    assert file.path.read_bytes() == before
    file.release()


# --- records -------------------------------------------------------------------------------------


def test_save_says_where_and_writes_what_the_seat_knows(tmp_path: Path, home: Path) -> None:
    lines = ("save", "pass; card Belper", "", "save", f"save {tmp_path}/mine")
    output = play("--seed 5", *lines).output
    [kept] = (home / "unfinished").glob("*.game")
    assert str(kept) in output
    path = tmp_path / "mine.brass"
    assert str(path) in output
    assert "?" in path.read_text()  # the others' hands are not in it
    assert "Y: pass; card Belper" in actions(path)
    assert "not included" not in output


def test_save_says_that_the_turn_is_not_in_the_record(tmp_path: Path) -> None:
    output = play("--seed 5", "pass; card Belper", f"save {tmp_path}/new/mine").output
    path = tmp_path / "new" / "mine.brass"
    assert f"  {path}\nYour current turn is not included" in output
    assert "Y: pass; card Belper" not in actions(path)


def test_save_does_not_overwrite(tmp_path: Path) -> None:
    (tmp_path / "mine.brass").write_text("precious")
    output = play("--seed 5", f"save {tmp_path}/mine.brass", "save /proc/none/x").output
    assert re.search(r"mine\.brass\s+already\s+exists", output)
    assert "cannot write" in output
    assert (tmp_path / "mine.brass").read_text() == "precious"


# --- games of earlier versions, and by other rules ------------------------------------------------


def test_a_game_of_the_first_version_goes_on() -> None:
    saved = SavedGame.unpack((DATA / "old.game").read_bytes())
    table = table_of(saved)
    was = old_home.expected()["saved game"]
    assert table.game.position_text() == was["position"]
    assert [action.text for action in table.game.actions] == was["actions"]
    damaged = (DATA / "old.game").read_bytes().replace(b'"players": 3', b'"players": 4')
    with pytest.raises(BrassError, match="damaged"):
        SavedGame.unpack(damaged)


def test_a_game_of_the_second_version_goes_on(home: Path) -> None:
    """Its deal came from a seed, whether chosen or not."""
    play(INTRO, *FIRST_CHOICE * 3)
    [(_file, kept)] = SavedGames().unfinished()
    body = asdict(kept)
    del body["deal"], body["bot_key"]
    packed = saving.pack(saving.TERMINAL_GAME, 2, json.dumps(body).encode())
    position = table_of(SavedGame.unpack(packed)).game.position_text()
    assert position == table_of(kept).game.position_text()


@pytest.mark.parametrize("key", ["", "not a number", None])
def test_a_random_game_without_a_key_for_its_bots_is_damaged(key: str | None) -> None:
    body = {**asdict(SavedGame("birmingham", 2, {}, "you,beginner", None)), "bot_key": key}
    body["played"] = "2026-01-01T00:00:00+00:00"
    packed = saving.pack(saving.TERMINAL_GAME, 3, json.dumps(body).encode())
    with pytest.raises(BrassError, match="damaged"):
        SavedGame.unpack(packed)


def test_a_game_is_kept_in_words_with_its_rules_and_a_check(home: Path) -> None:
    play(INTRO, *FIRST_CHOICE * 3)
    [(slot, saved)] = SavedGames().unfinished()
    assert all(isinstance(choice, str) for call in saved.calls for choice in call)
    assert slot.path.read_bytes().startswith(b"brassmill saved game 3\n")
    table = table_of(saved)
    assert saved.rules == stamp_of(table.game.edition)
    with pytest.raises(BrassError, match="different rules"):
        table_of(replace(saved, check="0" * 16))
