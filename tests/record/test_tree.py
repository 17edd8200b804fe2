"""Comments and variations: a record is a tree to study."""

from __future__ import annotations

import json
import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill import record
from brassmill.editions import Edition
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.record import Node, Record
from support import kinds
from support.kinds import play_at_random

LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))


def study(seed: int = 2, kind: str | Edition = "birmingham", **options: Any) -> Record:
    game = Game(kind, seed=seed, **options)
    play_at_random(game, random.Random(seed), 40)
    while game.draft is not None:
        game.play(game.legal_choices()[0])
    return record.loads(str(game.record()))


def others(book: Record, node: Node, count: int) -> list[str]:
    """Return some actions that are legal after a node."""
    return [str(action) for action in islice(book.game(node).legal_actions(), count)]


def shape(node: Node) -> Any:
    return (
        node.number,
        node.seat,
        node.text,
        node.heading,
        node.comment,
        [shape(child) for child in node.children],
    )


def test_variations_are_preserved() -> None:
    book = study()
    third = book.main_line()[2]
    *texts, last = others(book, third, 4)
    for text in texts:
        third.add_variation(text)
    side = third.add_variation(last)
    side.comment = "What if?"
    deeper = side.add_line([others(book, side, 1)[0]])
    side.add_variation(others(book, side, 3)[2]).comment = "Or {that}, \\ or\n\n  the other."
    assert book.verify() == []
    again = record.loads(str(book))
    assert str(again) == str(book)
    assert shape(again.root) == shape(book.root)
    assert again.actions == book.actions
    assert again.game(again.line(deeper.path)[-1]).actions == book.game(deeper).actions
    assert [node.number for node in again.line(deeper.path)] == list(range(1, 6))
    data = json.loads(json.dumps(again.as_dict()))
    fourth = data["actions"][3]
    assert [line[0]["text"] for line in fourth["variations"]][-1] == last
    assert fourth["variations"][-1][0]["comment"] == "What if?"
    assert len(fourth["variations"][-1][1]["variations"]) == 1


def test_format_of_variations() -> None:
    book = study(players=2, intro=True, seats=["Ada", "Ben"])
    first = book.main_line()[0]
    first.comment = "A good start."
    book.root.comment = "A game to study.\n[Brass is a metal.\n  Really."
    texts = [text for text in others(book, book.root, 9) if text != first.text]
    side = book.root.add_variation(texts[0])
    side.add_variation(others(book, side, 1)[0])
    lines = str(book).splitlines()
    at = lines.index("{A game to study.")
    after = book.line(side.path)[-1].children[0]
    assert lines[at : at + 12] == [
        "{A game to study.",
        " [Brass is a metal.",
        " Really.}",
        "",
        f"canal 1: {first.seat}, {after.seat}",
        f"1 {first.seat}: {first.text}  {{A good start.}}",
        "(",
        f"  canal 1: {first.seat}, {after.seat}",
        f"  1 {side.seat}: {side.text}",
        f"  2 {after.seat}: {after.text}",
        ")",
        f"2 {after.seat}: {book.main_line()[1].text}",
    ]
    assert str(record.loads(str(book))) == str(book)


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.PLAIN), data=st.data())
def test_any_tree_can_be_written_and_read(seed: int, kind: Edition, data: st.DataObject) -> None:
    book = study(seed, kind)
    rng = random.Random(seed)
    nodes = [book.root, *book.main_line()]
    for _ in range(6):
        node = rng.choice(nodes)
        if book.game(node).over:
            continue
        nodes.append(node.add_variation(rng.choice(others(book, node, 30))))
    for node in rng.sample(nodes, min(4, len(nodes))):
        node.comment = data.draw(LINES | st.lists(LINES).map("\n".join))
    again = record.loads(str(book))
    assert shape(again.root) == shape(book.root)
    assert str(again) == str(book)
    assert again.verify() == []


def test_an_existing_line_is_found_again() -> None:
    book = study()
    line = book.main_line()
    text = str(book)
    assert book.root.add_line([node.text for node in line[:5]]) is line[4]
    assert line[4].add_line([]) is line[4]
    assert str(book) == text


def test_illegal_actions_are_not_added() -> None:
    book = study()
    text = str(book)
    good = others(book, book.root, 1)[0]
    with pytest.raises(BrassError):
        book.root.add_line([good, "build coal Atlantis"])
    with pytest.raises(IllegalAction):
        book.root.add_variation("give up coal Dudley")
    with pytest.raises(BrassError, match="is not complete"):
        book.root.add_variation("pass; ...")
    assert str(book) == text


def test_a_promoted_variation_becomes_the_game() -> None:
    game = Game(seed=2, players=2, intro=True)
    play_at_random(game, random.Random(2))
    book = game.record()
    assert book.is_complete
    third = book.main_line()[2]
    sides = [third.add_variation(text) for text in others(book, third, 3)]
    sides = [side for side in sides if not side.is_main]
    last = sides[-1]
    assert last.path == (0, 0, 0, len(sides))
    while not last.is_main:
        last.promote()
    last.promote()
    assert book.actions[3] == f"{last.seat}: {last.text}"
    assert (len(book.actions), len(book.checks)) == (4, 4)
    assert not book.is_complete
    assert book.result is None
    assert book.verify() == []
    assert str(record.loads(str(book))) == str(book)
    old = third.children[1]
    old.promote()
    assert book.is_complete
    assert str(book.result) == str(game.record().result)
    assert book.checks == game.record().checks


def test_an_unplayable_variation_cannot_be_promoted() -> None:
    text = str(study())
    line = next(line for line in text.splitlines() if line.startswith("2 "))
    seat = line.split(":")[0]
    book = record.loads(text.replace(line, f"{line}\n(\n{seat}: pass; card Atlantis\n)"))
    text = str(book)
    for change in (book.root.children[0].children[1].promote, book.main_line()[1].remove):
        with pytest.raises(record.Difference, match=r"^action 2 "):
            change()
        assert str(book) == text


def test_removed_nodes_are_gone() -> None:
    book = study()
    third = book.main_line()[2]
    side = third.add_variation(others(book, third, 2)[1])
    third.children[0].remove()
    assert third.children == [side]
    assert side.is_main
    assert book.verify() == []
    side.remove()
    assert len(book.actions) == 3
    with pytest.raises(BrassError, match="no longer belongs"):
        side.add_variation("loan 30")
    with pytest.raises(BrassError, match="another record"):
        book.game(side)
    with pytest.raises(BrassError, match="beginning"):
        book.root.remove()


def test_continuing_the_main_line_checks_it_too() -> None:
    book = study()
    last = book.main_line()[-1]
    last.add_line(others(book, last, 1))
    assert len(book.checks) == len(book.actions) == last.number + 1
    assert book.verify() == []


def test_an_impossible_variation_is_reported_and_the_rest_is_checked() -> None:
    book = study()
    for number in (2, 5):
        parent = book.main_line()[number - 2]
        parent.add_variation(others(book, parent, 9)[-1])
    text = str(book)
    for number in (2, 5):
        side = book.main_line()[number - 2].children[1]
        line = f"  {side.number} {side.seat}: "
        text = text.replace(f"{line}{side.text}\n", f"{line}pass; card Atlantis\n", 1)
    again = record.loads(text)
    problems = again.verify()
    assert [problem.split(" (")[0] for problem in problems] == ["action 2", "action 5"]
    assert again.actions == book.actions
    assert again.game().over == book.game().over


def test_an_unknown_path_is_refused() -> None:
    book = study()
    with pytest.raises(BrassError, match="action 2 has no variation 1"):
        book.line([0, 1])
    assert book.line([]) == []


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["("], "must follow the action"),
        ([")"], r"more \) than \("),
        (["1 {seat}: pass; card x", "(", ")"], "has no action"),
        (["1 {seat}: pass; card x", "(", "("], "must follow the action"),
        (["1 {seat}: pass; card x", "(", "{{hm}}"], "a comment must follow an action"),
        (["1 {seat}: pass; card x", "(", "1 {seat}: loan"], r"more \( than \)"),
        (["1 {seat}: pass; card x {{hm"], "a comment is not closed"),
        (["1 {seat}: pass {{hm}} more"], "only another comment"),
        (["1 {seat}: pass", *["(", "1 {seat}: pass"] * 101], "nested variations"),
    ],
)
def test_unbalanced_brackets_are_refused(lines: list[str], words: str) -> None:
    game = Game(seed=1)
    seat = game.seats[game.seat or 0]
    text = "\n".join(line.format(seat=seat) for line in lines)
    with pytest.raises(record.BrokenRecord, match=words):
        record.loads(str(game.record()).replace("\nunfinished", f"\n{text}\n\nunfinished"))


def test_comments_are_stripped_of_spaces_around_their_lines() -> None:
    node = study().root
    node.comment = "  one \r\n\ttwo\n\n"
    assert node.comment == "one\ntwo"
    with pytest.raises(BrassError, match="not text"):
        node.comment = "\x1b[31m"


def test_several_comments_are_joined() -> None:
    text = str(study())
    line = next(line for line in text.splitlines() if line.startswith("1 "))
    again = record.loads(text.replace(line, line + " {one} {two\nthree}\n{four\\}}"))
    assert again.main_line()[0].comment == "one\ntwo\nthree\nfour}"
