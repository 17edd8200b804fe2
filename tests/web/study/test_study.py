"""The position editor: every control changes what a position holds, and the rules judge it."""

from __future__ import annotations

from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import pytest
import resvg_py
from django.test import Client

from brassmill import position, record
from brassmill.editions.edition import Edition
from brassmill.game import Game
from brassmill.web.accounts.stats import results_of
from brassmill.web.identity import rate_limit
from brassmill.web.models import Table, Upload
from brassmill.web.page.dom_ids import line_element, merchant_element, space_element
from brassmill.web.replay import exports
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.verify import verified
from support import kinds
from support.analyses import finished_game
from support.moments import at_an_action
from support.paths import RECORDS
from support.sessions import again, play
from support.tiers import quick_first
from support.web import make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")


class Editor:
    """A visitor with a position."""

    def __init__(self, text: str = "birmingham 4", key: str = "eve") -> None:
        self.client: Client = visitor(key)
        self.text = text
        self.text = self.data()["position"]

    def data(self) -> Any:
        answer = self.client.get("/study.json", {"p": self.text})
        assert answer.status_code == 200, answer.content
        return answer.json()

    def edit(self, **form: Any) -> Any:
        answer = self.client.post("/study/edit/", {"p": self.text, **form})
        assert answer.status_code == 302, answer.content
        self.text = text_in(answer["Location"])
        return self.data()

    def put(self, on: str, tool: str = "tile", **form: Any) -> Any:
        return self.edit(act="put", on=on, tool=tool, **form)

    def note(self, **form: Any) -> str:
        """What a page says of a change that it refuses."""
        sent = {"p": self.text, **form}
        page = self.client.post("/study/edit/", sent, headers={"HX-Request": "true"})
        return page.content.decode().partition('id="note">')[2].partition("</p>")[0]


def text_in(address: str) -> str:
    assert urlsplit(address).path == "/study/", address
    return parse_qs(urlsplit(address).query)["p"][0]


# --- beginnings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", quick_first(kinds.COVER), ids=repr)
def test_it_begins_with_the_set_up_of_any_game(kind: Edition) -> None:
    options = {name: str(value) for name, value in kind.changed_options.items()}
    form = {"edition": kind.name, "players": str(kind.players), **options}
    answer = visitor().get("/study/", form)
    assert answer.status_code == 302, answer.content
    read = position.read(position.from_text(text_in(answer["Location"])))
    assert read.edition == kind
    page = visitor().get(answer["Location"])
    assert "This position is possible." in page.content.decode()


def test_the_page_of_beginnings_and_a_text_that_is_none() -> None:
    page = visitor().get("/study/").content.decode()
    assert page.count('name="edition"') == 3
    for text in ("chess 2", "round: 3", "birmingham 4 | what: ever", "x" * 6000):
        answer = visitor().get("/study/", {"p": text})
        assert answer.status_code == 422 and "This is not a position" in answer.content.decode()
        assert visitor().get("/study.json", {"p": text}).json()["problems"]


def test_a_text_may_have_lines_and_problems() -> None:
    text = "lancashire 3\nround: rail 2\nY: £5; hand coal*9\n"
    page = visitor().get("/study/", {"p": text})
    assert page.status_code == 200
    assert "Y.hand has 9 cards: 8 is the limit" in page.content.decode()


def test_a_moment_of_a_finished_game(site: None) -> None:
    session = finished_game()
    address = f"/t/{session.table.id}/study/"
    answer = visitor("a stranger").get(address, {"at": 5})
    game = Game.from_position(text_in(answer["Location"]))
    assert game.engine.snapshot() == session.game.record().game(to=5).engine.snapshot()
    page = visitor("a stranger").get(f"/t/{session.table.id}/replay/?at=5").content.decode()
    assert f'href="{address}?at=5&amp;game=1"' in page


def test_a_running_game_gives_no_position_away() -> None:
    table = make_table(people_only(2))
    answer = visitor().get(f"/t/{table.id}/study/?at=0")
    assert answer.status_code == 409 and "hand" not in answer.content.decode()
    assert "Edit position" not in visitor().get(f"/t/{table.id}/replay/").content.decode()


def test_a_moment_of_a_record_unless_it_is_that_of_a_seat() -> None:
    game = record.load(RECORDS / "birmingham-2-intro.brass").game()
    full = Upload.objects.create(visitor="eve", name="all", text=str(game.record()))
    text = text_in(visitor().get(f"/records/{full.pk}/study/?at=7")["Location"])
    assert Game.from_position(text).state == game.record().game(to=7).state
    seat = Upload.objects.create(visitor="eve", name="one", text=str(game.record(0)))
    assert visitor().get(f"/records/{seat.pk}/study/?at=7").status_code == 409
    assert "Edit position" not in visitor().get(f"/records/{seat.pk}/").content.decode()


# --- changes -------------------------------------------------------------------------------------


def test_tiles_are_placed_turned_emptied_and_removed() -> None:
    editor = Editor()
    found = editor.put("space-dudley-1", owner=1, kind="coal 2")
    assert found["tiles"] == ["R coal 2 Dudley 1 (3)"] and found["problems"] == []
    assert editor.put("space-dudley-1", "cubes")["tiles"] == ["R coal 2 Dudley 1 (2)"]
    assert editor.put("space-dudley-1", "flip")["tiles"] == ["R coal 2 Dudley 1 flipped"]
    assert editor.put("space-dudley-1", "flip")["tiles"] == ["R coal 2 Dudley 1 (3)"]
    assert editor.put("space-dudley-1", owner=2, kind="coal 1")["tiles"] == [
        "G coal 1 Dudley 1 (2)"
    ]
    assert editor.put("space-dudley-1", "remove")["tiles"] == []


def test_a_tile_that_does_not_fit_is_refused_in_the_words_of_the_rules() -> None:
    editor = Editor()
    before = editor.put("space-dudley-1", kind="coal 1")
    form = {"act": "put", "tool": "tile", "on": "space-dudley-1", "kind": "cotton 1"}
    assert "that space takes coal, not cotton" in editor.note(**form)
    assert editor.edit(**form) == before
    assert "There is no tile" in editor.note(act="put", tool="flip", on="space-dudley-2")
    assert "Choose a space" in editor.note(act="put", tool="flip", on="place-dudley")


def test_a_shipyard_is_placed_as_the_rules_want_it() -> None:
    editor = Editor("lancashire 3 | round: rail 2")
    found = editor.put("space-birkenhead-1", kind="shipyard 1")
    assert found["tiles"] == ["Y shipyard 1 Birkenhead flipped"]


def test_links_of_the_right_era_are_placed_and_removed() -> None:
    editor = Editor("birmingham 3")
    edition = position.read(position.from_text(editor.text)).edition
    line = line_element(edition, edition.find_line("Dudley-Birmingham"))
    assert editor.put(line, "link", owner=2)["links"] == ["G Dudley-Birmingham"]
    assert editor.put(line, "link", owner=1)["links"] == ["R Dudley-Birmingham"]
    assert editor.put(line, "link", owner=1)["links"] == []
    editor.put(line, "link", owner=1)
    assert editor.put(line, "remove")["links"] == []
    rail = line_element(edition, edition.find_line("Leek-Belper"))
    note = editor.note(act="put", on=rail, tool="link")
    assert "links: Y Leek-Belper: that line is not used in the canal era" in note


def test_every_field_is_read_again_as_it_was_set() -> None:
    editor = Editor("birmingham 4")
    wishes = {
        "era": "rail", "round": "3", "mover": "2", "actions": "1", "coal": "5", "iron": "4",
        "deck": "9", "cash-1": "44", "income-1": "23", "vp-3": "31", "spent-0": "6",
        "mat-0-cotton": "3 x1", "goods-0": "cotton without barrel",
    }  # fmt: skip
    for name, value in wishes.items():
        before = editor.data()["fields"]
        editor.edit(**{name: value})
        after = editor.data()["fields"]
        assert after[name] == value and before[name] != value, name
    assert editor.edit(**{"place-0": "3"})["fields"]["place-0"] == "3"
    assert editor.data()["fields"]["place-3"] == "0"
    assert editor.data()["fields"]["cash-1"] == "44"


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"cash-0": "-5"}, "Y.cash is -5: it must be 0 or more"),
        ({"round": "40"}, "round is 40: it must be from 1 to 8"),
        ({"coal": "many"}, "coal market is &#39;many&#39;: it must be a whole number"),
        ({"era": "steam"}, "era is &#39;steam&#39;: it must be canal or rail"),
        ({"deck": "99"}, "deck has 99 cards"),
        ({"goods-0": "gold"}, "gold"),
        ({"mover": "7"}, "There is no such player."),
        ({"act": "take-0-999"}, "This card is not in the hand."),
    ],
)
def test_an_impossible_value_changes_nothing(form: dict[str, str], words: str) -> None:
    editor = Editor()
    before = editor.data()
    assert words in editor.note(**form)
    assert editor.edit(**form) == before


def test_cards_are_added_to_hands_and_taken_from_them() -> None:
    editor = Editor("birmingham 2 | Y: hand coal Dudley")
    edition = position.read(position.from_text(editor.text)).edition
    coal = edition.find_card("coal")
    assert editor.edit(act=f"take-0-{coal}")["hands"]["Y"] == ["Dudley"]
    found = editor.edit(**{"add-0": "wild location"})
    assert sorted(found["hands"]["Y"]) == ["Dudley", "wild location"]
    found = editor.edit(**{"add-0": "wild location"})
    assert any("nobody can hold two" in problem for problem in found["problems"])


def test_a_merchant_loses_its_beer_by_a_click() -> None:
    editor = Editor("birmingham 4 | merchants: Shrewsbury cotton")
    edition = position.read(position.from_text(editor.text)).edition
    on = merchant_element(edition, 0)
    assert editor.put(on)["fields"]["goods-0"] == "cotton without barrel"
    assert editor.put(on)["fields"]["goods-0"] == "cotton"


@pytest.mark.parametrize("kind", quick_first(kinds.PLAIN), ids=repr)
def test_a_position_of_a_game_is_edited_without_a_word_about_the_rest(kind: Edition) -> None:
    game = at_an_action(kind, seed=4, choices=70)
    assert not game.over
    editor = Editor(game.position_text(one_line=True))
    assert editor.data()["problems"] == []
    tile = next(tile for tile in editor.data()["tiles"])
    space = space_element(kind, int(game.state.tile.nonzero()[0][0]))
    found = editor.put(space, "remove")
    assert tile not in found["tiles"] and len(found["tiles"]) == len(game.view().tiles) - 1
    for seat in editor.data()["seats"]:
        assert sorted(found["hands"][seat]) == sorted(
            position.write(kind, game.state)[seat]["hand"]
        )


def test_the_action_in_progress_can_be_left() -> None:
    editor = Editor("birmingham 4 | round: canal 2 | action: turn over")
    assert (
        "middle of an action" in editor.client.get("/study/", {"p": editor.text}).content.decode()
    )
    editor.edit(act="begin")
    assert "action" not in position.from_text(editor.text)


# --- what it is for ------------------------------------------------------------------------------


def test_it_is_downloaded_as_text_and_as_pictures() -> None:
    editor = Editor("classic 3 | round: canal 4")
    text = editor.client.get("/study/position.txt", {"p": editor.text}).content.decode()
    assert (
        position.read(position.from_text(text)).state
        == position.read(position.from_text(editor.text)).state
    )
    for what in ("table", "map"):
        svg = editor.client.get("/study/position.svg", {"p": editor.text, "what": what})
        assert svg.content.startswith(b"<svg") and b"<style>" in svg.content
    png = editor.client.get("/study/position.png", {"p": editor.text, "what": "map"})
    assert png.content[1:4] == b"PNG" and png["Content-Type"] == "image/png"
    for name in ("txt", "svg", "png"):
        assert editor.client.get(f"/study/position.{name}?p=x").status_code == 422
        assert editor.client.get(f"/study/position.{name}").status_code == 302


@pytest.mark.parametrize("address", ["study/", "study.json", "study/position.txt"])
@pytest.mark.parametrize(
    "text",
    [
        "birmingham 4 | Y: hand " + "coal*99 " * 500,
        "birmingham 4 | discards: " + "coal*99 " * 500,
        "lancashire 4 | distant: " + "1*99 " * 900,
        "birmingham 4 | Y: vp 7 = canal a" + " " * 300 + "b",
    ],
)
def test_a_hostile_text_is_refused(address: str, text: str) -> None:
    answer = visitor("eve").get(f"/{address}", {"p": text})
    assert answer.status_code == 422 and len(answer.content) < 100_000


def test_reading_and_drawing_positions_is_limited() -> None:
    client, limits = visitor("eve"), rate_limit
    for name, limit in {
        "position.txt": limits.POSITIONS,
        "position.svg": limits.PICTURES,
        "position.png": limits.PICTURES,
    }.items():
        with mock.patch.object(limits, "is_allowed", return_value=False) as asked_for:
            with mock.patch.object(position, "from_text") as read:
                answer = client.get(f"/study/{name}?p=birmingham+4")
        assert (answer.status_code, read.called) == (429, False)
        assert asked_for.call_args.args[1] == limit


@pytest.mark.slow
def test_a_png_holds_up_nobody_else() -> None:
    client = visitor("draws")
    address = "/study/position.png?p=birmingham+4&what=map"
    assert client.get(address).content[1:4] == b"PNG"
    with mock.patch.object(resvg_py, "svg_to_bytes") as here:
        assert client.get(address).content[1:4] == b"PNG"
    assert not here.called, "it would stop all threads of the server"
    with exports._drawing:  # one at a time
        assert client.get(address).status_code == 429
        assert client.get(address.replace("png", "svg")).status_code == 200
    assert client.get(address).status_code == 200


def test_it_opens_on_the_analysis_board() -> None:
    editor = Editor("lancashire 3 | round: rail 2 | Y: £40; hand Bury coal iron", "board")
    answer = editor.client.post("/study/board/", {"p": editor.text})
    board = answer["Location"]
    model = editor.client.get(f"{board[:-1]}.json").json()
    assert model["your_turn"] and model["round"] == 2 and model["era_name"] == "rail"
    choice = model["offers"][0]["id"]
    editor.client.post(f"{board}choose/", {"number": 0, "choice": choice})
    assert editor.client.get(f"{board[:-1]}.json").json()["number"] == 1
    assert editor.client.post("/study/board/", {"p": editor.text})["Location"] == board
    assert Upload.objects.filter(visitor="board").count() == 1
    kept = record.loads(editor.client.get(f"{board}record/").content.decode())
    assert kept.position and kept.verify() == []
    for text in ("birmingham 4 | Y: £-3", "birmingham 4 | action: card; doing pass; cards due 1"):
        assert editor.client.post("/study/board/", {"p": text}).status_code == 422


@pytest.fixture(scope="module")
def played(site: None) -> TableSession:
    """A table that began from a position, with a name that a position must escape."""
    client = visitor("eve")
    client.post("/new/birmingham/", {})
    text = Editor("birmingham 2, intro | round: canal 7 | R: £50").text
    with no_bots():
        wish = {"p": text, "seat": 1, "level": "beginner"}
        answer = client.post("/study/play/", wish)
    return sessions.get(answer["Location"].split("/")[2])


def test_a_game_against_bots_begins_there(played: TableSession) -> None:
    assert played.game.view().round == 7 and played.game.view().seats[1].cash == 50
    assert played.bots == ["beginner", ""] and played.game.question == "action"
    assert again(played).game.engine.snapshot() == played.game.engine.snapshot()
    assert [found.problem for found in verified([played.table.id])] == [""]
    client = visitor("eve")
    assert client.get(f"/t/{played.table.id}/").status_code == 200
    for page in ("record/", "replay/", "replay.json"):
        answer = client.get(f"/t/{played.table.id}/{page}")
        assert answer.status_code == 409 and b"began from a position" in answer.content


def test_it_is_played_to_its_end_and_has_a_record(played: TableSession) -> None:
    play(played, lambda: False)
    table = Table.objects.get(pk=played.table.id)
    assert table.over and [found.problem for found in verified([table.id])] == [""]
    assert results_of("eve") == [] or table.begun_at
    text = visitor("eve").get(f"/t/{table.id}/record/").content.decode()
    kept = record.loads(text)
    assert kept.position and kept.is_complete and kept.verify() == []
    assert visitor().get(f"/t/{table.id}/replay/?at=0").status_code == 200


def test_a_name_with_the_signs_of_a_position_is_escaped() -> None:
    client = visitor("sly")
    session = client.session
    session["name"] = "a: b | c"
    session.save()
    with no_bots():
        text = Editor("birmingham 2, intro | round: canal 8").text
        answer = client.post("/study/play/", {"p": text, "seat": 0, "level": "beginner"})
    found = sessions.get(answer["Location"].split("/")[2])
    play(found, lambda: False)
    kept = record.loads(client.get(f"/t/{found.table.id}/record/").content.decode())
    assert kept.seats == tuple(found.names) and kept.verify() == []


def test_no_game_begins_where_none_can() -> None:
    client = visitor("eve")
    for text in (
        "",
        "birmingham 4 | Y: £-3",
        "birmingham 4 | action: card; doing pass; cards due 1",
    ):
        sent = {"p": text, "seat": 0, "level": "beginner"}
        assert client.post("/study/play/", sent).status_code == 422
    sent = {"p": "birmingham 4", "seat": 9, "level": "beginner"}
    assert client.post("/study/play/", sent).status_code == 422
    assert client.post("/study/play/", {**sent, "level": "deity"}).status_code == 404
