"""Pictures and films of moments: what spectators see, one film at a time."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from brassmill.web.replay import exports
from brassmill.web.table import sessions
from support.paths import RECORDS
from support.web import make_table, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def replay() -> str:
    """The address of an uploaded record."""
    text = (RECORDS / "birmingham-2-intro.brass").read_text()
    return str(visitor("films").post("/records/", {"text": text})["Location"])


def test_a_moment_of_a_record_is_drawn(replay: str) -> None:
    get = visitor("films").get
    start, later = (get(f"{replay}picture.svg?at={at}").content for at in (0, 6))
    assert start.startswith(b"<svg") and start != later
    assert get(f"{replay}picture.png?at=6&what=map").content[1:4] == b"PNG"


@pytest.mark.slow
def test_a_film_has_a_picture_for_every_action(
    replay: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MOST_IN_FILM", 3)
    answer = visitor("films").get(f"{replay}film.webp", {"at": 4})
    assert answer["Content-Type"] == "image/webp"
    with Image.open(BytesIO(answer.content)) as film:
        assert getattr(film, "n_frames", 1) == 4 and film.size[0] == exports.FILM_WIDTH


def test_one_film_at_a_time(replay: str) -> None:
    with exports._one_at_a_time:
        answer = visitor("films").get(f"{replay}film.webp", {"at": 4})
    assert answer.status_code == 429 and "Somebody else" in answer.content.decode()


def test_films_are_limited(replay: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "filmed", lambda pictures, width: b"film")
    client = visitor("films-limited")
    codes = [client.get(f"{replay}film.webp", {"at": 4}).status_code for _film in range(8)]
    assert codes[:5] == [200] * 5 and codes[-1] == 429


def test_a_film_that_fails_says_so(replay: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brassmill.svg.film.LONGEST", 0.0)
    answer = visitor("films-again").get(f"{replay}film.webp", {"at": 4})
    assert answer.status_code == 503 and "fewer actions" in answer.content.decode()


def test_the_picture_of_a_running_game_shows_no_hand() -> None:
    table = sessions.get(make_table(people_only(2)).id).table
    one, other = (
        visitor(key).get(f"/t/{table.id}/picture.svg").content for key in ("someone", "stranger")
    )
    assert one == other and b'id="card-' not in one
