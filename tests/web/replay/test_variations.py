"""Variations in the replay: listed in the log, walked into and left, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from brassmill import record
from brassmill.web.replay import variations
from support.web import visitor
from web.replay.test_notes import Board, commented, example

pytestmark = pytest.mark.usefixtures("site")


def replay_of(client: Client, address: str, **query: str | int) -> Any:
    """The replay of an uploaded record as data."""
    return client.get(f"{address.rstrip('/')}.json", query).json()


def uploaded(name: str, text: str) -> tuple[Client, str]:
    client = visitor(name)
    return client, client.post("/records/", {"text": text})["Location"]


def test_a_record_shows_its_variations_and_each_can_be_walked() -> None:
    text = str(commented())
    client, address = uploaded("reader", text)
    game = replay_of(client, address, at=4)
    # After action 4 two others were tried, and the second goes on.
    ways = game["variations"]["5"]
    assert [way["at"] for way in ways] == [5, 5] and game["variation"] == ""
    assert all(way["line"].startswith("4-") and way["length"] == 2 for way in ways)
    line = ways[1]["line"]
    walked = replay_of(client, address, at=6, line=line)
    assert (walked["variation"], walked["last"]) == (line, 6)
    assert walked["comment"] == "then"
    first = replay_of(client, address, at=5, line=line)
    assert first["line"]["text"] == ways[1]["text"] and first["comment"] == ways[1]["comment"]
    # The table stands where the record's own variation leads.
    read = record.loads(text)
    node = read.main_line()[3].children[2]
    assert first["view"]["tiles"] == read.game(node).view().as_dict()["tiles"]
    # Beside it are the game as it was played and the other variation.
    there = {way["line"] for way in walked["variations"]["5"]}
    assert there == {"", ways[0]["line"]}


def test_the_pages_lead_into_a_variation_and_back() -> None:
    client, address = uploaded("walker", str(commented()))
    page = client.get(address, {"at": 4}).content.decode()
    line = replay_of(client, address)["variations"]["5"][0]["line"]
    assert f"line={line}" in page and "leave-variation" not in page
    inside = client.get(address, {"line": line, "at": 5}).content.decode()
    assert 'id="leave-variation"' in inside and "Variation after action 4" in inside
    assert f'data-line="{line}"' in inside and "As played" in inside
    assert "Try another move" not in inside and "picture.png" not in inside
    frame = client.get(address, {"line": line, "at": 6, "frame": "wide"}).content.decode()
    assert "then" in frame and f"line={line}" in frame
    assert "Back to the game" in frame  # on a phone the log is far below


@pytest.mark.parametrize("line", ["4-7", "9999-0", "4", "x", "-", "4-0-0-0-0", "--1"])
def test_an_unknown_variation_is_the_game(line: str) -> None:
    client, address = uploaded("lost", str(commented()))
    data = replay_of(client, address, line=line, at=5)
    assert data["variation"] == "" and data["last"] == replay_of(client, address)["last"]


def test_the_board_of_a_visitor_is_shown_to_nobody_else() -> None:
    board = Board(str(example()), 4, "own-board")
    move = board.variation()
    place = board.replay
    assert replay_of(board.client, place)["variations"]["5"][0]["line"] == move
    stranger = visitor("somebody-else")
    assert replay_of(stranger, place)["variations"] == {}
    assert replay_of(stranger, place, line=move)["variation"] == ""


def test_a_record_with_endless_variations_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variations, "MOST_IN_RECORD", 3)
    client, address = uploaded("endless", str(commented()))
    assert replay_of(client, address)["variations"] == {}


def test_a_variation_stops_where_the_rules_refuse_it() -> None:
    from brassmill.web.replay.notes import Notes
    from brassmill.web.replay.timeline import Timeline

    timeline = Timeline(example())
    notes = Notes(timeline.actions)
    legal = timeline.record.game(timeline.record.main_line()[3]).legal_actions()
    other = next(a.text for a in legal if a.text != timeline.actions[4])
    move = notes.add(4, [other, "loan; Nowhere"])
    walked = variations.VariationTimeline(timeline, move)
    assert walked.last == 5 and walked.actions == (*timeline.actions[:4], other)
    assert walked.outcome() is None
