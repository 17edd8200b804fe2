"""The commands for records: new, verify, replay, show, export."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brassmill import record
from brassmill.cli.main import main
from brassmill.cli.replay_session import ReplaySession
from brassmill.cli.screen import screen_for
from brassmill.game import Game
from support import kinds
from support.paths import RECORDS


def brass(*args: object) -> Result:
    """Run the command as a user would, in English by default."""
    return CliRunner().invoke(main, [str(arg) for arg in args], env={"LANGUAGE": "en"})


def finished(seed: int = 1) -> Game:
    game = Game("birmingham", players=2, seed=seed, seats=["Ada", "Ben"], intro=True)
    kinds.play_at_random(game, random.Random(seed))
    return game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with one finished game."""
    file = tmp_path / "game.brass"
    record.write(file, [finished().record()])
    return file


# --- new -----------------------------------------------------------------------------------------


def test_a_new_record_can_be_filled_in(tmp_path: Path) -> None:
    file = tmp_path / "new.brass"
    made = brass("new", file, "--edition", "lancashire", "--players", 3, "--names", "Ada,Ben,Cy")
    assert made.exit_code == 0, made.output
    game = record.load(file).game()
    assert (game.edition.name, game.seats) == ("lancashire", ("Ada", "Ben", "Cy"))
    nowhere = brass("new", tmp_path / "no" / "where.brass")
    assert nowhere.exit_code == 1
    assert isinstance(nowhere.exception, SystemExit)
    again = brass("new", file)
    assert again.exit_code == 1
    assert "already exists" in again.output


def test_a_new_record_without_a_file_is_printed() -> None:
    one, two = (brass("new", "--players", 2, "--seed", 5).output for _ in "12")
    assert one == two
    assert record.loads(one).seats == ("Y", "R")


def test_the_number_of_names_must_match_the_players() -> None:
    made = brass("new", "--players", 3, "--names", "Ada,Ben")
    assert made.exit_code == 1
    assert "3 players need 3 names" in made.output


# --- verify --------------------------------------------------------------------------------------


def test_good_files_verify(path: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.brass"
    record.write(two, [finished(2).record(), finished(3).record()])
    checked = brass("verify", path, two)
    assert checked.exit_code == 0, checked.output
    assert "3 games are correct." in checked.output


def damaged(text: str, how: str) -> bytes:
    lines = text.splitlines(keepends=True)
    where = next(n for n, line in enumerate(lines) if line.startswith("9 "))
    match how:
        case "truncated":
            return "".join(lines[: where + 1]).encode()
        case "half a line":
            return text[: text.index(lines[where]) + 8].encode()
        case "edited":
            return text.replace(lines[where], "9 Ada: pass; card Leek\n").encode()
        case "binary":
            return random.Random(1).randbytes(3000)
        case "another result":
            return text.replace('[Winner "', '[Winner "Nobody and ').encode()
        case "empty":
            return b""
    raise AssertionError(how)


@pytest.mark.parametrize(
    "how", ["truncated", "half a line", "edited", "binary", "another result", "empty"]
)
def test_damaged_files_are_reported_with_exit_code_1(path: Path, how: str) -> None:
    path.write_bytes(damaged(path.read_text(), how))
    checked = brass("verify", path)
    assert checked.exit_code == 1
    assert checked.exception is None or isinstance(checked.exception, SystemExit)
    assert path.name in checked.output.replace("\n", "")
    assert "all right" not in checked.output
    for command in ("replay", "show"):
        done = brass(command, path)
        assert done.exit_code == 1, done.output
        assert isinstance(done.exception, SystemExit)
        assert path.name in done.output


def test_the_next_game_of_a_file_is_still_checked(path: Path) -> None:
    text = path.read_text()
    path.write_bytes(damaged(text, "truncated") + b"\n" + text.encode())
    checked = brass("verify", path)
    assert checked.exit_code == 1
    assert "1 game is correct." in checked.output


def test_a_missing_file(tmp_path: Path) -> None:
    for command in ("verify", "replay", "show"):
        done = brass(command, tmp_path / "nothing.brass")
        assert done.exit_code == 1
        assert "nothing.brass" in done.output
        assert isinstance(done.exception, SystemExit)


# --- replay --------------------------------------------------------------------------------------


def test_a_record_is_printed_from_start_to_end(path: Path) -> None:
    told = brass("replay", path)
    assert told.exit_code == 0, told.output
    for text in record.load(path).actions:
        assert text in " ".join(told.output.split())


def test_it_stops_at_the_given_action(path: Path) -> None:
    told = brass("replay", path, "--to", 5)
    assert "  5 " in told.output
    assert "\n  6 " not in told.output
    assert "there is no action 500" in brass("replay", path, "--to", 500).output


def test_in_german_and_french(path: Path) -> None:
    assert "baue" in brass("replay", path, "--lang", "de").output
    assert "construire" in brass("replay", path, "--lang", "fr").output


class Typed:
    """A user who types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def ask(self, words: str, suggest: object = None) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def study(path: Path, *lines: str, number: int = 1) -> ReplaySession:
    found = record.load(path, number)
    session = ReplaySession(found, screen_for(found.edition), None)
    session.study(Typed(*lines), path, number)
    return session


def test_stepping_through_the_record(path: Path) -> None:
    assert study(path, "", "", "b").node.number == 1
    assert study(path, "12", "weiter").node.number == 13
    assert study(path, "end", "next").node.number == len(record.load(path).actions)
    assert study(path, "go 7", "start", "back").node.number == 0


def test_variations_and_comments_are_added_and_saved(path: Path) -> None:
    game = record.load(path).game(2)
    other = next(
        str(action)
        for action in game.legal_actions()
        if str(action) != record.load(path).main_line()[2].text
    )
    session = study(path, "2", other, "comment Better?", "save")
    assert not session.changed
    again = record.load(path)
    assert again.main_line()[1].children[1].comment == "Better?"
    assert again.verify() == []
    assert study(path, "2", "v 1").node.text == other
    assert study(path, "2", "v 1", "main").node.number == 2
    assert study(path, "2", "v 1", "remove", "save").node.number == 2
    assert len(record.load(path).main_line()[1].children) == 1


def test_removing_main_line_actions_needs_confirmation(path: Path) -> None:
    count = len(record.load(path).actions)
    assert len(study(path, "5", "remove").record.actions) == count
    assert len(study(path, "5", "remove", "6", "remove").record.actions) == count
    assert len(study(path, "5", "remove", "remove").record.actions) == 4


def test_a_comment_is_shown_and_deleted(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert study(path, "3", "comment Why?", "comment").node.comment == "Why?"
    assert "Why?" in capsys.readouterr().out
    assert study(path, "3", "comment Why?", "comment -").node.comment == ""


def test_a_variation_is_found_from_both_sides(path: Path) -> None:
    found = record.load(path)
    other = next(
        str(action)
        for action in found.game(2).legal_actions()
        if str(action) != found.main_line()[2].text
    )
    found.main_line()[1].add_variation(other)
    record.write(path, [found])
    for start in ("2", "3"):
        assert study(path, start, "v 1").node.text == other


def test_the_table_is_shown_after_the_action(path: Path) -> None:
    """Even in the middle of a turn: everyone may know what a record contains."""
    found = record.load(path)
    for number in range(2, 12):
        game = found.game(number)
        cash = [seat.cash for seat in game.view().seats]
        assert cash == game.state.cash[:2].tolist()


def test_unsaved_additions_are_kept_and_overwrite_nothing(path: Path) -> None:
    before = path.read_text()
    study(path, "3", "comment A thought.")
    assert path.read_text() == before
    kept = path.with_name("game-study1.brass")
    assert record.load(kept).main_line()[2].comment == "A thought."
    study(kept, "4", "comment Another.")
    assert path.with_name("game-study2.brass").exists()


def test_a_file_with_a_broken_game_is_not_overwritten(path: Path) -> None:
    text = path.read_text()
    path.write_bytes(text.encode() + b"\n" + damaged(text, "truncated"))
    before = path.read_bytes()
    study(path, "1", "comment x", "save")
    assert path.read_bytes() == before


def test_an_interruption_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(session: ReplaySession, game: Game) -> None:
        if session.changed:
            raise KeyboardInterrupt

    monkeypatch.setattr(ReplaySession, "table", interrupted)
    study(path, "3", "comment A thought.", "next", "next")
    assert record.load(path.with_name("game-study1.brass")).main_line()[2].comment == "A thought."


def test_additions_go_elsewhere_if_the_folder_is_not_writable(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    found = record.load(path)
    session = ReplaySession(found, screen_for(found.edition), None)
    session.study(Typed("1", "comment x"), tmp_path / "gone" / "game.brass", 1)
    assert record.load(elsewhere / "game-study1.brass").main_line()[0].comment == "x"


# --- show ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["table", "map", "mat", "market", "hand", "tracks"])
def test_pictures(path: Path, tmp_path: Path, part: str) -> None:
    for name, start in (("out.svg", b"<svg"), ("out.png", b"\x89PNG")):
        target = tmp_path / name
        done = brass("show", path, "--at", 9, "-o", target, "--part", part, "--seat", "Ada")
        assert done.exit_code == 0, done.output
        assert target.read_bytes().startswith(start)


def test_a_film(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.webp"
    done = brass("film", path, "--from", 7, "--to", 9, "--width", 200, "-o", target)
    assert done.exit_code == 0, done.output
    assert target.read_bytes()[8:12] == b"WEBP"
    for arguments in (("--from", 9, "--to", 7, "-o", target), ("-o", tmp_path / "out.gif")):
        refused = brass("film", path, *arguments)
        assert refused.exit_code == 1 and "Traceback" not in refused.output, refused.output


def test_without_a_file_the_table_is_printed(path: Path) -> None:
    shown = brass("show", path, "--at", 3)
    assert shown.exit_code == 0, shown.output
    assert "Wolverhampton" in shown.output


def test_the_picture_of_the_end_says_who_won_despite_a_higher_score(tmp_path: Path) -> None:
    game = record.load(RECORDS / "lancashire-3-intro.brass").game()
    outcome = game.outcome()
    assert outcome is not None
    first, second = (result.name for result in outcome.ranking[:2])
    for conceded, winner in (((), first), ((outcome.ranking[0].seat,), second)):
        path, target = tmp_path / "end.brass", tmp_path / "end.svg"
        path.write_text(str(record.Record.of(game, conceded=conceded)))
        assert brass("show", path, "-o", target).exit_code == 0
        assert f"The game is over. {winner} wins." in target.read_text()


def test_impossible_requests_to_show_are_refused(path: Path, tmp_path: Path) -> None:
    for args, words in (
        (("-o", tmp_path / "out.jpg"), "must be an .svg or .png file"),
        (("--at", 999), "there is no action 999"),
        (("--seat", "Nobody"), "Ada"),
        (("-o", tmp_path / "out.svg", "--part", "mat"), "--seat Ada"),
        (("--game", 2), "2"),
        (("--part", "hand"), "-o hand.svg"),
    ):
        done = brass("show", path, *args)
        assert done.exit_code == 1, done.output
        assert words in done.output


def test_a_seats_record_shows_only_its_own_hand(tmp_path: Path) -> None:
    game = Game("birmingham", players=2, seed=1, seats=["Ada", "Ben"], secret=True)
    kinds.play_at_random(game, random.Random(1), 40)
    file = tmp_path / "seat.brass"
    record.write(file, [game.record(seat=0)])
    own, other = brass("show", file, "--seat", "Ada"), brass("show", file, "--seat", "Ben")
    assert own.exit_code == 0, own.output
    assert other.exit_code == 1
    assert "does not show" in other.output


# --- export --------------------------------------------------------------------------------------


def test_games_as_json_one_per_line(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    path.write_text(text + "\n" + text)
    done = brass("export", path)
    assert done.exit_code == 0, done.output
    games = [json.loads(line) for line in done.output.splitlines()]
    assert len(games) == 2
    assert games[0]["actions"][0]["text"] == record.load(path).main_line()[0].text
    target = tmp_path / "out.json"
    saved = brass("export", "--json", path, "-o", target)  # JSON, asked for or not
    assert saved.output == f"Saved the games in {target}.\n"
    assert target.read_text() == done.output


def test_export_reports_broken_games_and_continues(path: Path) -> None:
    text = path.read_text()
    path.write_bytes(damaged(text, "edited") + b"\n" + text.encode())
    done = brass("export", "--json", path)
    assert done.exit_code == 1
    assert json.loads(done.stdout)["edition"] == "birmingham"
    assert "action 9" in done.stderr


def test_one_game_of_a_file_as_json(path: Path) -> None:
    text = path.read_text()
    path.write_text(f"{text}\n{finished(5).record()}")
    done = brass("export", "--json", "--game", 2, path)
    assert json.loads(done.output)["headers"]["Seed"] == "5"
    missing = brass("export", "--json", "--game", 3, path)
    assert missing.exit_code == 1
    assert "there is no game 3 in this file" in missing.output


def test_export_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    before, target = path.read_text(), tmp_path / "out.json"
    target.write_text("old")
    assert brass("export", "--json", path, "-o", path).exit_code == 1
    assert path.read_text() == before
    lost = brass("export", "--json", tmp_path / "nothing.brass", "-o", target)
    assert lost.exit_code == 1
    assert lost.output.startswith(f"Error: {tmp_path / 'nothing.brass'}: ")
    assert target.read_text() == "old"
    assert brass("export", "--json", path, "-o", tmp_path / "no" / "where.json").exit_code == 1
