"""Variations and comments of an analysis board: kept, walked, moved, deleted, and in the record."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from brassmill import record
from brassmill.errors import BrassError
from brassmill.record import Record
from brassmill.web.models import AnalysisBoard
from brassmill.web.replay import notes as notes_module
from brassmill.web.replay.notes import Notes, notes_in, with_notes
from brassmill.web.replay.timeline import Timeline
from support.paths import RECORDS
from support.web import visitor

GAME = ("a", "b", "c")

site = pytest.mark.usefixtures("site")


def example() -> Record:
    """A game without variations and comments."""
    return Record.of(record.load(RECORDS / "birmingham-2-intro.brass").game())


def commented() -> Record:
    """A record with nested variations and comments on everything."""
    found = example()
    line = [found.root, *found.main_line()]
    found.root.comment = "before the game"
    line[5].comment = "two lines\nand {brackets}"
    for node in (line[4], line[8], line[8].parent):
        assert node is not None
        game = found.game(node)
        for text in [action.text for action in game.legal_actions()][:2]:
            child = node.add_variation(text)
            if not child.is_main:
                child.comment = f"why not {text}"
                after = found.game(child)
                if after.question == "turn over":
                    after.end_turn()
                child.add_variation(next(iter(after.legal_actions())).text).comment = "then"
    return found


# --- the tree ------------------------------------------------------------------------------------


def test_a_line_that_goes_on_is_one_variation() -> None:
    notes = Notes(GAME)
    notes.add(1, ["x"])
    notes.add(1, ["x", "y"])
    notes.add(1, ["x"])
    assert notes.variations == [{"after": 1, "actions": ["x", "y"]}]
    notes.add(1, ["x", "z"])
    assert [line["actions"] for line in notes.variations] == [["x", "y"], ["x", "z"]]


def test_moves_of_the_game_are_no_variation() -> None:
    notes = Notes(GAME)
    assert notes.add(0, ["a", "b"]) is notes.moves[2] and notes.variations == []
    assert notes.add(0, ["a", "x"]).place == (1, ("x",))


def test_every_move_has_an_address() -> None:
    notes = Notes(GAME)
    notes.add(1, ["x", "y"])
    notes.add(1, ["v", "w"])
    assert [move.address for move in notes.all()] == [
        *("0", "1", "1-0", "1-0-0", "1-1", "1-1-0", "2", "3")
    ]
    assert all(notes.find(move.address) is move for move in notes.all())
    assert not any(map(notes.find, ("", "4", "1-2", "1-0-1", "x", "-1", "9" * 9)))


def test_walking() -> None:
    notes = Notes(GAME)
    end = notes.add(3, ["x"])
    notes.add(1, ["v"])
    assert notes.next(notes.moves[1]) is notes.moves[2]
    assert notes.next(notes.moves[3]) is end and notes.next(end) is None
    assert notes.before(end) is notes.moves[3] and notes.before(notes.moves[0]) is None


def test_moving_forward_and_deleting() -> None:
    notes = Notes(GAME)
    for text in ("x", "y", "z"):
        notes.add(1, [text])
    last = notes.moves[1].others[2]
    last.comment = "best"
    notes.promote(last)
    notes.promote(last)
    notes.promote(last)
    assert [line["actions"] for line in notes.variations] == [["z"], ["x"], ["y"]]
    notes.remove(last)
    assert [line["actions"] for line in notes.variations] == [["x"], ["y"]]
    assert notes.comments == []
    for change in (notes.promote, notes.remove):
        with pytest.raises(BrassError, match="game itself"):
            change(notes.moves[2])


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes_module, "MOST_VARIATIONS", 2)
    monkeypatch.setattr(notes_module, "MOST_COMMENTS", 1)
    notes = Notes(GAME)
    notes.add(0, ["x"])
    notes.add(0, ["y"])
    with pytest.raises(BrassError, match="2 variations"):
        notes.add(0, ["z"])
    notes = Notes(GAME)
    notes.comment(notes.moves[1], "one")
    with pytest.raises(BrassError, match="1 comments"):
        notes.comment(notes.moves[2], "two")
    with pytest.raises(BrassError, match="2000 characters"):
        notes.comment(notes.moves[1], "x" * 2001)
    with pytest.raises(BrassError, match="not text"):
        notes.comment(notes.moves[1], "\x07")
    monkeypatch.setattr(notes_module, "LARGEST", 10)
    notes = Notes(GAME)
    with pytest.raises(BrassError, match="too long"):
        notes.comment(notes.moves[1], "one two three")


# --- records -------------------------------------------------------------------------------------


def test_a_record_comes_back_with_everything_in_its_place() -> None:
    text = str(commented())
    read = record.loads(text)
    timeline = Timeline(read)
    notes = notes_in(timeline)
    assert len(notes.variations) >= 3 and len(notes.comments) > 6
    again = Notes(timeline.actions, notes.variations, notes.comments)
    assert (again.variations, again.comments) == (notes.variations, notes.comments)
    written = with_notes(record.loads(text), timeline, again)
    assert str(written) == text and written.verify() == []


def test_what_was_deleted_is_not_in_the_record() -> None:
    timeline = Timeline(commented())
    written = with_notes(record.loads(str(commented())), timeline, Notes(timeline.actions))
    assert str(written) == str(example())


def test_an_unfinished_record_goes_on_with_the_first_variation() -> None:
    whole = example()
    actions = Timeline(whole).actions
    part = Record.of(whole.game(10))
    timeline = Timeline(part)
    notes = Notes(timeline.actions)
    notes.add(10, actions[10:13]).comment = "played"
    other = next(
        action.text for action in whole.game(11).legal_actions() if action.text != actions[11]
    )
    notes.add(10, [actions[10], other]).comment = "not played"
    written = with_notes(record.loads(str(part)), timeline, notes)
    assert written.verify() == [] and record.loads(str(written)).verify() == []
    line = written.main_line()
    assert [node.text for node in line] == list(actions[:13]) and line[12].comment == "played"
    assert line[10].children[1].comment == "not played"
    assert str(record.loads(str(written))) == str(written)


# --- pages ---------------------------------------------------------------------------------------


class Board:
    """A visitor at the board of an uploaded record."""

    def __init__(self, text: str, at: int, key: str) -> None:
        self.client: Client = visitor(key)
        self.replay: str = self.client.post("/records/", {"text": text})["Location"]
        answer = self.client.post(f"{self.replay}board/", {"at": at})
        assert answer.status_code == 302, answer.content
        self.address = answer["Location"]

    def data(self) -> Any:
        return self.client.get(f"{self.address.rstrip('/')}.json").json()

    def post(self, what: str, **form: str) -> Any:
        """Change something, from an up-to-date page."""
        sent = {"stamp": self.data()["stamp"], **form}
        answer = self.client.post(f"{self.address}{what}/", sent)
        assert answer.status_code in (302, 409), answer.content
        return self.data()

    def variation(self) -> str:
        """Play an action that is not the game's; return its address."""
        model = self.data()
        while True:
            offers = [offer["id"] for offer in model["offers"]]
            sent = {"number": model["number"], "choice": offers[-1]}
            assert self.client.post(f"{self.address}choose/", sent).status_code == 302
            model = self.data()
            if model["asked"] in ("action", "turn over"):
                assert "-" in model["move"]
                return str(model["move"])

    def page(self, name: str = "") -> str:
        return self.client.get(self.address + name).content.decode()


@site
def test_a_comment_is_added_changed_and_deleted() -> None:
    board = Board(str(example()), 4, "comments")
    assert board.post("comment", move="4", text="First <b>try</b>")["comments"] == [
        {"after": 4, "actions": [], "text": "First <b>try</b>"}
    ]
    assert "First &lt;b&gt;try" in board.page() and "First &lt;b&gt;try" in board.page("moves/")
    assert board.post("comment", move="4", text="Second")["comments"][0]["text"] == "Second"
    assert board.post("comment", move="4", text="Second", delete="1")["comments"] == []


@site
def test_moves_are_walked_promoted_and_deleted() -> None:
    board = Board(str(example()), 4, "walker")
    first = board.variation()
    board.post("comment", move=first, text="the first")
    board.post("go", move="4")
    assert board.data()["move"] == "4" and board.data()["number"] == 0
    assert "the first" not in board.page()
    board.post("go", move=first)
    assert board.data()["move"] == first and "the first" in board.page()
    board.post("go", move="12")
    assert (board.data()["start"], board.data()["move"]) == (12, "12")
    second = board.variation()
    assert len(board.data()["variations"]) == 2
    gone = board.post("remove", move=second)
    assert len(gone["variations"]) == 1 and gone["move"] == "12"
    assert "the first" in board.page("moves/")


@site
def test_an_old_page_changes_nothing() -> None:
    board = Board(str(example()), 4, "old-page")
    move = board.variation()
    before = board.data()
    old = {"stamp": "old", "move": move, "text": "late"}
    for what in ("go", "comment", "promote", "remove"):
        part = board.client.post(
            f"{board.address}{what}/", old, headers={"HX-Request": "true"}
        ).content.decode()
        assert "changed meanwhile" in part, what
    assert board.client.post(f"{board.address}remove/", {**old, "from": "moves"}).status_code == 409
    board.post("remove", move="4")  # a move of the game
    board.post("go", move="4-7")  # none at all
    assert board.data()["variations"] == before["variations"]


@site
def test_a_record_is_uploaded_commented_and_uploaded_again() -> None:
    board = Board(str(commented()), 0, "first")
    known = board.data()
    assert len(known["variations"]) >= 3 and len(known["comments"]) > 6
    board.post("comment", move="2", text="Added here")
    text = board.client.get(f"{board.address}record/").content.decode()
    again = Board(text, 0, "second").data()
    assert again["variations"] == known["variations"]
    assert len(again["comments"]) == len(known["comments"]) + 1


@site
def test_a_record_with_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes_module, "MOST_COMMENTS", 2)
    client = visitor("too-much")
    place = client.post("/records/", {"text": str(commented())})["Location"]
    answer = client.post(f"{place}board/", {"at": 0})
    assert answer.status_code == 422 and "2 comments" in answer.content.decode()
    assert not AnalysisBoard.objects.filter(upload=place.split("/")[2]).exists()


@pytest.mark.slow
@site
def test_the_board_is_downloaded_as_text_picture_and_film(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brassmill.web.replay.move_list.MOST_IN_FILM", 2)
    board = Board(str(example()), 6, "downloads")
    board.variation()
    get = board.client.get
    assert get(f"{board.address}position.txt").content.startswith(b"birmingham 2")
    assert get(f"{board.address}picture.svg").content.startswith(b"<svg")
    assert get(f"{board.address}picture.png").content[1:4] == b"PNG"
    film = get(f"{board.address}film.webp")
    assert film.status_code == 200 and film.content[8:12] == b"WEBP"
