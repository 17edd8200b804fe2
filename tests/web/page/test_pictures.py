"""The pictures of the table page: open choices are controls, the rest explains itself."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from brassmill import web
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.svg.lights import Lights
from brassmill.svg.sites import FORMATS
from brassmill.terms import ordinal
from brassmill.web.page.model import PageModel, SeatInfo, page_model
from brassmill.web.page.pictures import SHAPES, Pictures, drawings_of, pictures_of
from brassmill.web.page.time_words import day, moment
from support.kinds import PLAIN, play_at_random

Node = ElementTree.Element


def model_for(view: View) -> PageModel:
    seats = [SeatInfo(seat.name) for seat in view.seats]
    return page_model(view, seats, number=1, stamp="here")


def drawn(pictures: Pictures) -> list[Node]:
    """Return all elements of all pictures."""
    documents = [pictures.map, *pictures.hand, *pictures.mat, pictures.markets]
    return [node for text in documents for node in ElementTree.fromstring(text).iter()]


def moments(edition: Edition, seed: int = 11) -> list[View]:
    """Return the views of the seat to move at several points of a game."""
    game, rng, found = Game(edition, seed=seed), Random(seed), []
    for _ in range(10):
        play_at_random(game, rng, 13)
        if game.over or game.seat is None:
            break
        found.append(game.view(game.seat))
    return found


def test_the_map_shows_the_names_of_the_page() -> None:
    view = Game("birmingham", players=2, seed=7, seats=["Ada", "2: …"]).view(0)
    model = page_model(view, [SeatInfo("Ada"), SeatInfo("free seat")], number=1, stamp="here")
    words = [node.text for node in drawn(pictures_of(view, model))]
    assert "Ada" in words and "free seat" in words and "2: …" not in words


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_every_open_choice_is_a_button_with_a_label(edition: Edition) -> None:
    for view in moments(edition):
        model = model_for(view)
        nodes = drawn(pictures_of(view, model))
        buttons = [node for node in nodes if "data-choice" in node.attrib]
        reached = {int(n) for node in buttons for n in node.attrib["data-choice"].split()}
        assert reached == {offer.id for offer in model.offers if not offer.is_button}
        words = {offer.id: offer.label for offer in model.offers}
        for node in buttons:
            choices = list(map(int, node.attrib["data-choice"].split()))
            assert node.get("role") == "button" and node.get("tabindex") == "0"
            assert all(words[choice] in node.attrib["aria-label"] for choice in choices)
            assert (node.get("aria-haspopup") == "menu") == (len(choices) > 1)
            assert "data-why" not in node.attrib


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_before_an_action_every_card_is_a_switch_with_its_uses(edition: Edition) -> None:
    for view in moments(edition):
        model = model_for(view)
        nodes = drawn(pictures_of(view, model))
        cards = {
            node.attrib["id"]: node.attrib["data-uses"]
            for node in nodes
            if "data-uses" in node.attrib
        }
        shown = {card.element: " ".join(map(str, card.uses)) for card in model.hand}
        assert cards == (shown if model.your_turn and view.question == "action" else {})
        for node in nodes:
            if "data-uses" in node.attrib:
                assert (node.get("role"), node.get("aria-pressed")) == ("button", "false")
                assert node.get("tabindex") == "0" and node.attrib["aria-label"]


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_what_a_choice_names_is_on_the_page(edition: Edition) -> None:
    for view in moments(edition, seed=12):
        model = model_for(view)
        lit = {
            node.attrib["id"]: set(map(int, node.attrib["data-choice"].split()))
            for node in drawn(pictures_of(view, model))
            if "data-choice" in node.attrib
        }
        for offer in model.offers:
            if not offer.is_button:
                assert all(offer.id in lit[name] for name in offer.elements)


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_inactive_elements_explain_what_they_are(edition: Edition) -> None:
    view = moments(edition)[3]
    nodes = drawn(pictures_of(view, model_for(view)))
    dark = [node for node in nodes if "data-why" in node.attrib and "data-uses" not in node.attrib]
    assert any(node.attrib["id"].startswith("space-") for node in dark)
    assert any(node.attrib["id"].startswith("line-") for node in dark)
    for node in dark:
        assert node.get("role") == "img"
        assert node.attrib["aria-label"]
        assert node.get("tabindex") == "-1"
        assert "lit" not in node.get("class", "").split()


@pytest.mark.parametrize("edition", PLAIN, ids=repr)
def test_ids_are_unique_and_there_are_no_inline_styles(edition: Edition) -> None:
    view = moments(edition)[4]
    nodes = drawn(pictures_of(view, model_for(view)))
    for drawer in ("mats", "tracks", "discards"):
        for text in drawings_of(view, drawer):
            nodes += ElementTree.fromstring(text).iter()
    ids = [node.attrib["id"] for node in nodes if "id" in node.attrib]
    assert len(ids) == len(set(ids))
    assert not [node for node in nodes if "style" in node.attrib or node.tag.endswith("}style")]


def test_the_map_background_is_sent_once() -> None:
    view = moments(PLAIN[0])[0]
    model = model_for(view)
    for shape in SHAPES:
        whole, part = (pictures_of(view, model, shape=shape, whole=w).map for w in (True, False))
        ground = f'<g id="ground-{shape}" hx-morph-skip=""'
        assert f"{ground}>" in whole
        assert f"{ground}/>" in part
        # Only the background is left out.
        head, tail = part.split(f"{ground}/>")
        assert whole.startswith(head)
        assert whole.endswith(tail)


def test_an_unknown_shape_falls_back_to_wide() -> None:
    view = moments(PLAIN[0])[0]
    assert pictures_of(view, model_for(view), shape="<script>").shape == "wide"


def test_there_are_three_drawers() -> None:
    view = moments(PLAIN[0])[0]
    assert len(drawings_of(view, "mats")) == view.players
    with pytest.raises(BrassError, match="unknown drawer"):
        drawings_of(view, "hands")


def test_a_spectator_has_nothing_to_choose() -> None:
    game = Game("birmingham", seed=5)
    view = game.view()
    pictures = pictures_of(view, model_for(view))
    assert pictures.hand == pictures.mat == ()
    assert not re.search('role="button"|data-choice', pictures.map + pictures.markets)


def test_labels_of_choices_are_escaped() -> None:
    lights = Lights([0], {0: 'a "b" <c>'})
    node = ElementTree.fromstring(lights.thing("<&", choices="0"))
    assert node.attrib["aria-label"] == 'a "b" <c>'
    assert ElementTree.fromstring(lights.thing("<&")).attrib["aria-label"] == "<&"


# --- the page around them ------------------------------------------------------------------------


def test_scripts_and_styles_agree_on_the_phone_width() -> None:
    """The script does what it does on phones only where the style sheet has their layout."""
    static = Path(web.__file__).parent / "static" / "web"
    script, style = (static / name for name in ("page.js", "table.css"))
    query = re.search(r'PHONE = matchMedia\("([^"]+)"\)', script.read_text())
    assert query
    assert f"@media {query[1]} {{" in style.read_text()


def test_the_style_sheet_has_the_names_for_which_a_small_map_has_room() -> None:
    style = (Path(web.__file__).parent / "static" / "web" / "screens.css").read_text()
    assert f".sheet .name tspan {{ font-size: {FORMATS['wide'].plain}px;" in style
    for shape in ("tall", "square"):
        size = f"font-size: {FORMATS[shape].plain}px;"
        assert f'"{shape}"] .sheet :is(.name, .name tspan) {{ {size}' in style


def test_dates_and_places_are_translated() -> None:
    at = datetime(2026, 11, 5, 9, 7)
    assert (day("2026-11-05"), moment(at)) == ("5 November 2026", "5 November 2026, 09:07")
    assert day("1851") == "1851"  # a record may contain any date
    found = [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21)]
    assert found == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"]
    with speaking("de"):
        assert ordinal(1) == "1."
    with speaking("fr"):
        assert [ordinal(1), ordinal(2)] == ["1er", "2e"]
        assert day("2026-11-01").startswith("1er ")
