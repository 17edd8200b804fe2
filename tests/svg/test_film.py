"""Films: a picture for every action, in words, and with its place marked."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image

from brassmill import record, svg
from brassmill.errors import BrassError
from brassmill.language import speaking
from brassmill.record import Record
from brassmill.reports.film import moments_of, pictures_of
from brassmill.svg.film import film, filmed
from support.paths import RECORDS

NAMES = ("birmingham-4-potteries", "lancashire-3-intro")


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Record:
    return record.load(RECORDS / f"{request.param}.brass")


def test_every_action_is_said_and_marked(game: Record) -> None:
    last = len(game.main_line())
    pictures = list(pictures_of(game.edition, game.seats, moments_of(game, 0, last)))
    assert len(pictures) == last + 1
    assert "data-now" not in pictures[0].partition("</style>")[2].partition("<rect")[2]
    for node, picture in zip(game.main_line(), pictures[1:], strict=True):
        assert f">{node.seat} " in picture
        if node.text.startswith(("build", "link")):
            assert ' data-now=""' in picture, node.text
        assert len(re.findall(r"VP</text>", picture)) == len(game.seats)


def test_no_hand_is_shown(game: Record) -> None:
    for picture in pictures_of(game.edition, game.seats, moments_of(game, 0, 3)):
        assert 'id="card-' not in picture


def test_it_speaks_the_language_of_the_context(game: Record) -> None:
    with speaking("de"):
        (picture,) = pictures_of(game.edition, game.seats, moments_of(game, 1, 1))
    assert "Runde 1" in picture and "SP</text>" in picture


@pytest.mark.slow
def test_the_other_process_makes_the_same_film(game: Record) -> None:
    pictures = list(pictures_of(game.edition, game.seats, moments_of(game, 2, 4), "dark"))
    made = film(pictures, 200, 0.5)
    assert filmed(pictures, 200, 0.5) == made
    with Image.open(BytesIO(made)) as image:
        assert getattr(image, "n_frames", 1) == 3 and image.size[0] == 200


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(BrassError, match="fewer actions"):
        filmed(["no picture"], 200)


@pytest.mark.parametrize(("first", "last"), [(4, 3), (0, 9999), (-1, 3)])
def test_actions_that_do_not_exist_are_refused(game: Record, first: int, last: int) -> None:
    with pytest.raises(BrassError, match="choose actions between 0"):
        list(moments_of(game, first, last))


def test_a_mark_changes_only_its_own_picture(game: Record) -> None:
    assert "data-now" not in svg.map(game.game(4).view(), theme="light")
