"""Stories: whole games and openings, played by clicking what is highlighted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from support.browser import Player, Visitor, seen, wait_for_turn
from support.web import make_table

Visit = Callable[..., Visitor]

BEGINNINGS = [
    ("birmingham", 3),
    *(
        pytest.param(*kind, marks=pytest.mark.slow)
        for kind in [
            ("classic", 4),
            ("lancashire", 2),
            *(("classic", 3), ("lancashire", 3), ("lancashire", 4)),
            *(("birmingham", 2), ("birmingham", 4)),
        ]
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["birmingham", "lancashire"])
def test_an_introductory_game_is_played_to_its_result_by_clicking(
    visit: Visit, edition: str
) -> None:
    ada = visit()
    table = make_table("Ada,random", edition, seed=5, key=ada.key, intro=True)
    page = ada.sit_down(table.id)
    player = Player(page, seed=5)
    while seen(page).asked != "game over":
        player.turn()
    assert {"map", "hand", "strip"} <= player.clicked
    page.get_by_role("link", name="See the result").click()
    expect(page).to_have_url(f"{ada.address}/t/{table.id}/result/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("win")
    expect(page.get_by_role("list", name="Ranking").get_by_role("listitem")).to_have_count(2)


@pytest.mark.parametrize(("edition", "players"), BEGINNINGS)
def test_three_rounds_are_played_by_clicking(visit: Visit, edition: str, players: int) -> None:
    ada = visit()
    seats = ",".join(["Ada", *["random"] * (players - 1)])
    table = make_table(seats, edition, seed=players, key=ada.key)
    page = ada.sit_down(table.id)
    player = Player(page, seed=players)
    for _ in range(3):
        player.turn()
    wait_for_turn(page)
    expect(page.locator("#status")).to_contain_text("round 4 of")
    assert {"map", "hand"} <= player.clicked
