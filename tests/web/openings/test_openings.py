"""The opening explorer: rows, figures, the map, and addresses that ask for what is not there."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from brassmill.core.choice import NUMBER
from brassmill.editions import edition
from brassmill.language import LANGUAGES
from brassmill.openings import Tally, kinds, openings
from brassmill.openings.counts import WIN
from brassmill.rules.layout import CANAL, RAIL
from brassmill.web.openings import page

pytestmark = pytest.mark.usefixtures("site")


LEADS = re.compile(r'class="move leads".*?<a href="([^"#]*)#moves">([^<]*)</a>', re.DOTALL)


def data(**query: Any) -> Any:
    answer = Client().get("/openings.json", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def shown(address: str = "/openings/", language: str = "en", **query: Any) -> str:
    client = Client()
    client.cookies["language"] = language
    answer = client.get(address, query, headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.content
    return unescape(answer.content.decode())


def test_the_rows_are_those_of_the_table() -> None:
    found = data(edition="classic", players=4, seat=3)
    tree = openings("classic", 4).trees[2]
    assert found["games"] == openings("classic", 4).games
    assert found["all"]["games"] == tree.tally().games
    rows = tree.rows()
    assert [row["choices"] for row in found["moves"]] == [list(row.move) for row in rows]
    first = found["moves"][0]
    assert first["games"] == rows[0].tally.games
    assert first["won"] == rows[0].tally.won
    assert first["interval"] == list(rows[0].tally.interval)
    assert first["vp"] == rows[0].tally.mean_vp


def test_links_lead_to_the_end_of_the_opening() -> None:
    """Two clicks, each on the first row, lead to the last of the three moves."""
    address, words = "/openings/?edition=lancashire&players=3&seat=2", list[str]()
    for number in range(3):
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        found = data(**query)
        assert len(found["line"]) == number
        assert found["moves"]
        markup = shown(address)
        for word in words:
            assert word in markup
        link = LEADS.search(markup)
        assert (link is None) == (number == 2)
        if link:
            address, word = link.groups()
            words.append(word)
    line = [tuple(move["choices"]) for move in (*found["line"], found["moves"][0])]
    end = page.address_of("lancashire", 3, 2, tuple(line))
    assert "The end of the opening" in shown(end)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "players"), kinds())
def test_every_game_has_its_pages(name: str, players: int, language: str) -> None:
    for seat in range(1, players + 1):
        markup = shown(language=language, edition=name, players=players, seat=seat)
        assert 'class="brass map detail"' in markup
        assert markup.count('class="move') >= 2


@pytest.mark.parametrize(
    "query",
    [
        {"edition": "chess"},
        {"players": "7"},
        {"edition": "classic", "players": "2"},
        {"seat": "0"},
        {"seat": "x"},
        {"line": "9999"},
        {"line": "-_-"},
        {"line": "\N{SUPERSCRIPT TWO}"},
        {"line": "1" * 500},
    ],
)
def test_what_does_not_exist_is_replaced(query: dict[str, str]) -> None:
    found = data(**query)
    assert (found["edition"], found["players"]) in kinds()
    assert found["seat"] == 1
    assert found["line"] == []
    assert found["moves"]


def test_a_line_is_cut_off_where_nobody_went_on() -> None:
    tree = openings("birmingham", 2).trees[0]
    first = tree.rows()[0].move
    code = page.line_code((first, (NUMBER["PASS", 0],) * 2))
    found = data(edition="birmingham", players=2, line=code)
    assert [tuple(move["choices"]) for move in found["line"]] == [first]


def test_bars_show_shares_and_intervals() -> None:
    usual, tally = Tally(400, 100 * WIN, 0), Tally(100, 50 * WIN, 0)
    scale = page.scale_of([tally], usual)
    assert scale == pytest.approx(0.6)  # 59.6% is the end of the interval
    bar = page.bar_of(tally, usual, scale)
    assert bar.won == round(1000 * 0.5 / 0.6)
    assert bar.usual == round(1000 * 0.25 / 0.6)
    assert bar.low < bar.won < bar.high <= 1000


def test_the_map_has_the_numbers_of_the_rows() -> None:
    query = page.query_of({"edition": "classic", "players": "4", "seat": "3"})
    numbers = [row.number for row in page.rows_of(query) if row.is_on_map]
    assert numbers
    drawn = page.map_of(query, "")
    assert re.findall(r'class="sans bold"[^>]*>(\d+)<', drawn) == [str(n) for n in numbers]


def test_no_merchant_is_shown() -> None:
    """They differ from game to game; which ones the picture was drawn with says nothing."""
    drawn = page.map_of(page.query_of({"edition": "birmingham", "players": "4"}), "")
    assert "no merchant here" in drawn
    assert "buys" not in drawn


def test_positions_of_the_first_rounds_lead_here() -> None:
    assert page.openings_for(edition("birmingham", 3), CANAL, 2) == page.address_of("birmingham", 3)
    assert page.openings_for(edition("birmingham", 3), CANAL, 3) == ""
    assert page.openings_for(edition("birmingham", 3), RAIL, 1) == ""
    assert page.openings_for(edition("birmingham", 3, intro=True), CANAL, 1) == ""
    editor = shown("/study/", p="birmingham 3")
    assert page.address_of("birmingham", 3) in editor


def test_home_and_lessons_lead_here() -> None:
    assert 'href="/openings/"' in shown("/")
    assert 'href="/openings/"' in shown("/learn/")
