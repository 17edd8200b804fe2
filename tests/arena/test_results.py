"""The results file: it grows by whole lines, survives a crash, and refuses other runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brassmill.arena.results import ResultsFile, parse, read
from brassmill.errors import BrassError
from support.arena_games import game_of, schedule_of

SCHEDULE = schedule_of(2, "a", "b", games=4)
GAMES = [game_of(SCHEDULE, number, (60 + number, 50)) for number in range(4)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with three of four games."""
    path = tmp_path / "run.jsonl"
    with ResultsFile(path, SCHEDULE) as file:
        for game in GAMES[:3]:
            file.add(game)
    return path


def test_results_can_be_read_back(path: Path) -> None:
    results = read(path)
    assert results.schedule == SCHEDULE
    assert list(results.games.values()) == GAMES[:3]
    assert results.missing == [3]


def test_the_lines_are_as_the_docs_say(path: Path) -> None:
    header, game, *_others = map(json.loads, path.read_text().splitlines())
    assert header == {
        "format": "brassmill arena",
        "version": 1,
        "edition": "birmingham",
        "players": 2,
        "options": {},
        "bots": ["a", "b"],
        "games": 4,
        "seed": 1,
        "clock": 60.0,
    }
    assert list(game) == ["game", "deal", "seed", "seats", "actions", "seconds", "players"]
    assert game["players"][0] == {
        "vp": 60,
        "rank": 1,
        "place": 1,
        "points": {"canal": {"links": 4}, "rail": {"cotton": 56}},
        "cash": 10,
        "income": 8,
        "loans": 2,
        "did": {"build": 6, "loan": 2},
        "built": {"cotton": [1, 1, 3]},
        "turns": 4,
        "thought": 0.4,
        "slowest": 0.2,
        "forfeits": [],
    }


def test_a_game_is_in_the_file_before_the_next_one_is_added(tmp_path: Path) -> None:
    with ResultsFile(tmp_path / "run.jsonl", SCHEDULE) as file:
        file.add(GAMES[0])
        assert list(read(file.path).games) == [0]


def test_the_run_resumes_wherever_writing_stopped(path: Path) -> None:
    whole = path.read_bytes()
    ends = [end for end, byte in enumerate(whole) if byte == ord("\n")]
    near = {end + step for end in (0, *ends) for step in (-1, 0, 1)}
    for end in sorted({*range(0, len(whole), 100), *near} & {*range(len(whole))}):
        path.write_bytes(whole[:end])
        with ResultsFile(path, SCHEDULE) as file:
            kept = list(file.results.games)
            assert kept == list(range(max(0, whole[:end].count(b"\n") - 1)))
            for number in file.results.missing:
                file.add(GAMES[number])
        assert list(read(path).games.values()) == GAMES


def test_the_order_of_the_lines_has_no_meaning(path: Path) -> None:
    header, *games = path.read_bytes().splitlines(keepends=True)
    assert list(parse(header + b"".join(games[::-1])).games.values()) == GAMES[:3]


def test_a_duplicate_game_counts_once(path: Path) -> None:
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
    assert list(read(path).games.values()) == GAMES[:3]


def test_another_run_is_refused_with_its_differences(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(
        BrassError, match=r"bots is a, b in the file but a, c here.*--out"
    ) as refused:
        ResultsFile(path, schedule_of(2, "a", "c", games=6))
    assert "games is 4 in the file but 6 here" in str(refused.value)
    assert "players" not in str(refused.value)
    assert path.read_bytes() == before
    with ResultsFile(path, SCHEDULE):
        pass  # nobody holds it any more


@pytest.mark.parametrize("text", ["notes", "notes\n", '{"format": "other"}\n', "[]\n", "7\n"])
def test_a_file_without_results_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(BrassError, match="not an arena results file"):
        ResultsFile(path, SCHEDULE)
    assert path.read_text() == text


def test_results_of_another_version_are_refused(path: Path) -> None:
    data = path.read_bytes().replace(b'"version":1', b'"version":2')
    with pytest.raises(BrassError, match="another version"):
        parse(data)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"seats":[', '"seats":[7,'),
        ('"canal"', '"chalk"'),
        ('"rank":', '"rank":"x","place":'),
        ('"game":1,', '"game":1000,'),
    ],
)
def test_impossible_results_are_named(path: Path, right: str, wrong: str) -> None:
    lines = path.read_text().splitlines()
    assert right in lines[2]
    lines[2] = lines[2].replace(right, wrong)
    with pytest.raises(BrassError, match="line 3 is not a valid game result"):
        parse("".join(f"{line}\n" for line in lines).encode())


def test_an_unknown_edition_is_reported(path: Path) -> None:
    with pytest.raises(BrassError, match="not an arena results file"):
        parse(path.read_bytes().replace(b'"birmingham"', b'"nowhere"'))


@pytest.mark.parametrize("line", ["{}", "nonsense", "[1]", '{"game": 1}'])
def test_a_broken_line_is_named(path: Path, line: str) -> None:
    lines = path.read_text().splitlines()
    lines[2] = line
    with pytest.raises(BrassError, match="line 3 is not a valid game result"):
        parse("".join(f"{line}\n" for line in lines).encode())


def test_the_lock_file_is_deleted_before_the_lock_is_released(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is deleted while still held; otherwise it could be the next process's lock."""
    held = []
    file = ResultsFile(path, SCHEDULE)
    remove = Path.unlink

    def watched(lock: Path, missing_ok: bool = False) -> None:
        held.append(file.lines.lock.is_locked)
        remove(lock, missing_ok)

    monkeypatch.setattr(Path, "unlink", watched)
    with file:
        pass
    assert held == [True]
    assert [kept.name for kept in path.parent.iterdir()] == [path.name]


def test_two_arenas_do_not_share_a_file(path: Path) -> None:
    with ResultsFile(path, SCHEDULE):
        with pytest.raises(BrassError, match="another arena"):
            ResultsFile(path, SCHEDULE)
