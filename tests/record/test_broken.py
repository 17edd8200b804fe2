"""Damaged files: a clear message with its line number, and the next game is still read."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill import editions, record
from brassmill.core.deal import Deal
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.record import BrokenRecord, Record
from brassmill.record.reader import LONGEST_LINE, games, lines_of
from brassmill.record.tree import Node
from support.kinds import play_at_random


@cache
def text_of(seed: int, edition: str = "birmingham", seat: int | None = None) -> str:
    """Return a game in progress, with a comment and a variation; Ada, Ben and Cay start in turn."""
    table = editions.edition(edition, 3)
    deal = replace(Deal.from_seed(table, seed), order=(0, 1, 2), seed=None)
    game = Game(table, deal=deal, seats=["Ada", "Ben", "Cay"])
    play_at_random(game, random.Random(seed), 25)
    while game.draft is not None:
        game.play(game.legal_choices()[0])
    book = game.record(seat=seat)
    if seat is None:
        second = book.main_line()[1]
        second.comment = "Hm.\nWhy?"
        actions = map(str, book.game(second).legal_actions())
        second.add_variation(next(text for text in actions if text != second.children[0].text))
    return str(book)


def found(text: str | bytes) -> list[Record | BrokenRecord]:
    data = text.encode() if isinstance(text, str) else text
    return list(record.read(io.BytesIO(data)))


Damage = Callable[[str], str]


def swap(old: str, new: str) -> Damage:
    def damage(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return damage


DAMAGES: list[tuple[Damage, str, str]] = [  # the damage, the message, the start of the bad line
    (swap('[Brass "1"]', '[Brass "2"]'), "format 2; this package reads 1", "["),
    (swap('[Edition "birmingham"]', '[Edition "oxford"]'), "unknown edition 'oxford'", "[Edition"),
    (swap('[Edition "birmingham"]\n', ""), r"\[Edition .* is missing", ""),
    (swap('[Players "3"]', '[Players "7"]'), "not 7", "[Edition"),
    (swap('[Players "3"]', '[Players "three"]'), "'three' is not a number", "[Edition"),
    (swap('[Players "3"]', '[Players ""]'), "'' is not a number", "[Edition"),
    (swap('[Players "3"]', '[Options "speed=9"]'), "speed", "[Edition"),
    (swap('[Players "3"]', '[Options "fast"]'), "name=value", "[Edition"),
    (
        swap("[Rules", '[Options "players=3"]\n[Rules'),
        "players cannot be set as an option",
        "[Edition",
    ),
    (
        swap("[Rules", '[Options "name=x"]\n[Rules'),
        "birmingham has no option 'name'",
        "[Edition",
    ),
    (swap('[Players "3"]', '[Options "players=3"]'), "2, 3 or 4 players, not '3'", "[Edition"),
    (swap('[Seats "Ada, Ben, Cay"]', '[Seats "Ada, Ben"]'), "2 seats for 3", "[Seats"),
    (
        swap('[Seats "Ada, Ben, Cay"]', '[Seats "Ada, Ben, Ada"]'),
        r"\d: seats: 'Ada' .*: [^:]*$",
        "[Seats",
    ),
    (swap('[Rules "1"]', '[Edition "classic"]'), "Edition appears twice", '[Edition "classic'),
    (swap('[Rules "1"]', '[Rules "1]'), "a header is written", "[Rules"),
    (swap('[Rules "1"]', "Rules: 1"), "not a header, row, round", "Rules"),
    (swap("\norder: ", "\norder: Dan, "), "unknown seat 'Dan'", "order"),
    (swap("\ndeck: ", "\ndeck: Atlantis, "), "unknown card 'Atlantis'", "deck"),
    (swap("\ndeck: ", "\ndeck: coal, "), r"deck: \d x coal, not \d", "deck"),
    (swap("\ndeck: ", "\nstack: "), "not a header, row, round", "stack"),
    (
        lambda text: re.sub("\nmerchants: .*(\n  .*)*", "", text),
        "the row merchants: is missing",
        "",
    ),
    (swap("\nrail deck: ", "\ndeck: "), "the row deck: appears twice", "deck"),
    (
        swap("\nmerchants: ", "\nmerchants: Oxford: all; "),
        "merchants: Oxford has 2 spaces",
        "merchants",
    ),
    (swap("\nchecks: ", "\ndistant: 1\nchecks: "), "no row distant", "distant"),
    (swap("\nchecks: ", "\nchecks: 12 "), "12 is not a check", "checks"),
    (swap("\nchecks: ", "\nchecks: 1234 "), "checks for", "checks"),
    (swap("\nchecks: ", "\nposition: birmingham 3\nchecks: "), "not with both", "position"),
    (swap("\n2 Ben: ", "\n2 Dan: "), "unknown seat 'Dan'", "2 Dan"),
    (swap("\n2 Ben: ", "\n2 Ben "), "NUMBER SEAT: ACTION", "2 Ben"),
    (swap("\n2 Ben: ", "\n3 Ben: "), "this is action 2, not 3", "3 Ben"),
    (swap("\n2 Ben: ", "\nBen: "), "not a header, row, round", "Ben"),
    (swap("\n\ncanal 1", "\n\n  canal 1\n  Ada"), "not a header, row, round", "  Ada"),
    (swap("\ncanal 1", "\ncanal 7\ncanal 1"), "must be followed by an action", "canal 7"),
    (swap("\n(\n", "\ncanal 7\n(\n"), "must be followed by an action", "canal 7"),
    (swap("\n)\n", "\ncanal 7\n)\n"), "must be followed by an action", "canal 7"),
    (swap("\nunfinished", "\nrail 7\nunfinished"), "must be followed by an action", "rail 7"),
    (swap("\nunfinished", "\nunfinished\nmore"), "nothing may follow", "more"),
    (swap("\nunfinished", ""), "the game is cut short", ""),
    (swap("Why?}", "Why?"), "a comment is not closed", "{Hm."),
    (swap("\n2 Ben: ", "\n\x002 Ben: "), "not UTF-8 text", "\x00"),
    (swap("\n2 Ben: ", f"\n2 Ben: {'a:' * 1_000}"), "2051 characters: the limit is 2000", "2 Ben"),
    (swap("\nchecks: ", f"\nchecks: {'1234 ' * 4_000}"), "the limit is 20000", "checks"),
    (swap("\nchecks: ", f"\nchecks: 1{' 2' * 9_000}\n {' 3' * 2_000}"), "the limit is 20000", " "),
    (swap("\n[Edition", f'\n[X "{"x" * 10_000}"]\n[Edition'), "the limit is 10000", "[X"),
    (swap("\n2 Ben: ", f"\n2 Ben: {'x' * 1_000_000}"), "longer than 1000000 bytes", "2 Ben"),
    (swap("\n2 Ben: ", f"\n2 Ben: {'é' * 500_000}"), "longer than 1000000 bytes", "2 Ben"),
]


@pytest.mark.parametrize(("damage", "words", "start"), DAMAGES, ids=[d[1] for d in DAMAGES])
def test_a_broken_game_is_reported_and_the_next_one_read(
    damage: Damage, words: str, start: str
) -> None:
    good, other = text_of(1), text_of(2)
    broken = damage(good)
    before, bad, after = found(f"{other}\n{broken}\n{other}")
    assert isinstance(bad, BrokenRecord)
    with pytest.raises(BrokenRecord, match=words):
        raise bad
    assert bad.number == 2
    assert str(bad) == f"game 2, line {bad.line}: {bad.message}"
    line = f"{other}\n{broken}\n{other}".split("\n")[bad.line - 1]
    assert line.startswith(start)
    assert str(before) == str(after) == other


def test_a_file_truncated_anywhere() -> None:
    text = text_of(1)
    lines = text.splitlines(keepends=True)
    for count in range(1, len(lines)):
        (bad,) = found("".join(lines[:count]))
        assert isinstance(bad, BrokenRecord)
        assert bad.line <= count
    assert found("") == found("\n \n\r\n") == []
    (whole,) = found(text.rstrip("\n"))
    assert str(whole) == text


@pytest.mark.parametrize(
    "junk",
    [
        bytes(range(256)) * 40,
        b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(5000),
        text_of(1).encode("utf-16"),
        b"x" * 3_000_000,
        b"PGN? No.\n",
        b'\xff\n\n[Event "x"]\n',
    ],
    ids=["bytes", "picture", "UTF-16", "one line", "other text", "latin"],
)
def test_junk_is_not_a_record(junk: bytes, tmp_path: Path) -> None:
    path = tmp_path / "junk.brass"
    path.write_bytes(junk)
    (bad,) = record.read(path)
    assert isinstance(bad, BrokenRecord)
    assert bad.line == 1
    assert re.search("not UTF-8 text|longer than|a game begins with", bad.message)
    assert ("UTF-8" in bad.message) == (not junk.isascii())
    with pytest.raises(BrokenRecord):
        record.load(path)
    path.write_bytes(junk + b"\n" + text_of(1).encode())
    bad, good = record.read(path)
    assert isinstance(bad, BrokenRecord)
    assert str(good) == text_of(1)
    assert str(record.load(path, 2)) == text_of(1)


def test_an_unclosed_comment_does_not_swallow_the_next_game() -> None:
    bad, good = found(text_of(1).replace("Why?}", "Why?") + text_of(2))
    assert isinstance(bad, BrokenRecord)
    assert str(good) == text_of(2)


def test_many_comments_on_an_action_are_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[Node] = []
    comment = cast("property", Node.comment)

    def write(node: Node, text: str) -> None:
        writes.append(node)
        comment.__set__(node, text)

    monkeypatch.setattr(Node, "comment", comment.setter(write))
    text = text_of(1).replace("\n2 Ben: ", "\n{a}\n{} {}\n\n{b\n\nc} {d}\n{}\n2 Ben: ", 1)
    (read,) = found(text)
    assert isinstance(read, Record)
    assert read.main_line()[0].comment.endswith("a\nb\n\nc\nd")
    assert len(writes) == len(set(writes)), "each would copy those before it"


def test_a_game_without_an_end_is_not_buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brassmill.record.reader.LONGEST_GAME", 10_000)
    line = "{" + "x" * 90 + "}\n"
    (bad,) = found(text_of(1).replace("\nunfinished", f"\n{line * 200}\nunfinished"))
    assert isinstance(bad, BrokenRecord)
    assert bad.message == "the game is too long"


def test_a_game_of_many_lines_is_not_buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brassmill.record.reader.MOST_LINES", 100)
    text = text_of(1)
    assert str(*found(text + "\n" * (100 - text.count("\n")))) == text
    bad, good = found(text + "\n" * 1000 + text)
    assert isinstance(bad, BrokenRecord)
    assert (bad.line, bad.message) == (101, "the game is too long")
    assert str(good) == text


def test_text_after_an_undecodable_line_is_not_buffered() -> None:
    lines = list(lines_of(io.BytesIO(b'[Brass "1"]\n' + b"\x00\n" * 1000 + b'[Brass "1"]\n')))
    assert [len(game) for game in games(lines)] == [2, 1]


@pytest.mark.parametrize("kind", [io.StringIO, lambda text: io.BytesIO(text.encode()), str.split])
def test_maximum_length_of_a_line(kind: Callable[[str], Any]) -> None:
    for end in ("\n", "\r\n"):
        for sign in ("x", "é", "🐑"):
            longest = sign * (LONGEST_LINE // len(sign.encode()))
            good, *_rest = lines_of(kind(f"{longest}{end}a"))
            assert (good.text, good.problem) == (longest, "")
            bad, next_ = lines_of(kind(f"{longest}x{end}a"))
            assert "longer than" in bad.problem
            assert (next_.number, next_.text) == (2, "a")


def test_moves_may_be_indented_after_a_blank_line() -> None:
    text = text_of(1)
    head, moves = text.split("\n\ncanal 1", 1)
    indented = "\n".join(f"  {line}" for line in f"canal 1{moves}".splitlines())
    assert str(*found(f"{head}\n\n{indented}")) == text


def test_an_endless_number_is_an_error_of_its_game() -> None:
    good = str(Game.from_position({"edition": "birmingham", "players": 2}).record())
    long = "9" * 1900
    bad = Game(players=2, seed=1)
    seat = bad.seats[bad.deal.order[0]]
    action = f"\n1 {seat}: build coal Dudley {long}; card Dudley\n\nunfinished"
    one, two = found(str(bad.record()).replace("\nunfinished", action) + good)
    assert isinstance(one, Record)
    assert [problem[:8] for problem in one.verify()] == ["action 1"]
    assert str(two) == good


def test_parse_errors_are_errors_of_the_package() -> None:
    (bad,) = found("junk")
    assert isinstance(bad, BrassError)
    assert (bad.number, bad.line) == (1, 1)


# --- any damage ----------------------------------------------------------------------------------

TEXTS = [
    text_of(1),
    text_of(3, "lancashire"),
    text_of(4, "classic", 1),
    str(Game.from_position({"edition": "birmingham", "round": 2}).record()),
]
CUTS = st.tuples(st.floats(0, 1), st.floats(0, 1), st.binary(max_size=6))


def damaged(text: str, cuts: list[tuple[float, float, bytes]]) -> bytes:
    """Return the text with parts of it replaced."""
    data = text.encode()
    for start, length, piece in cuts:
        at = int(start * len(data))
        data = data[:at] + piece + data[at + int(length**4 * 60) :]
    return data


def check(data: bytes) -> None:
    """Check that the result can be queried, written and read again."""
    for book in found(data):
        if isinstance(book, Record):
            assert all(isinstance(problem, str) for problem in book.verify())
            (again,) = found(str(book))
            assert str(again) == str(book)


@settings(max_examples=150)
@given(text=st.sampled_from(TEXTS), cuts=st.lists(CUTS, min_size=1, max_size=4))
def test_any_damage_is_survived(text: str, cuts: list[tuple[float, float, bytes]]) -> None:
    check(damaged(text, cuts))


@settings(max_examples=100)
@given(text=st.sampled_from(TEXTS), data=st.data())
def test_lines_in_any_order_are_survived(text: str, data: st.DataObject) -> None:
    lines = text.splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        one, two = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        lines[one], lines[two] = lines[two], lines[one]
    check("\n".join(lines).encode())


@settings(max_examples=100)
@given(
    text=st.sampled_from(TEXTS),
    at=st.floats(0, 1),
    word=st.sampled_from(
        ["(", ")", "{", "}", "\\", "?", "...", "end", "turn over", "9", "rail 1", "card", "wild"]
    ),
)
def test_any_word_anywhere_is_survived(text: str, at: float, word: str) -> None:
    place = int(at * len(text))
    check(f"{text[:place]}{word}{text[place:]}".encode())
    line = text.rfind("\n", 0, place) + 1
    check(f"{text[:line]}{word}\n{text[line:]}".encode())
