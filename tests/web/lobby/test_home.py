"""The home page, the new game form, language and theme: all without an account."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from unittest import mock

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from brassmill.editions import EDITIONS, edition
from brassmill.language import LANGUAGES, speaking
from brassmill.play.seating import LONGEST
from brassmill.web.identity import rate_limit
from brassmill.web.lobby import new_game
from brassmill.web.lobby.cover_art import PICTURES, SCENES, cover_picture
from brassmill.web.lobby.new_game import read, usual
from brassmill.web.models import Table
from brassmill.web.page.game_list import games_of
from brassmill.web.page.time_words import ago
from brassmill.web.server import startup
from brassmill.web.server.startup import Progress
from brassmill.web.setup import meanwhile
from brassmill.web.setup.chairs import LEVELS, NAMES, levels
from brassmill.web.setup.options import OPTION_TITLES, VALUE_WORDS
from brassmill.web.table import sessions
from support.web import KEY, make_table, no_bots, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

FORM = {"players": "3", "who-0": "you", "who-1": "apprentice", "who-2": "master"}
COMPILING = Progress(0.34, "You can play now", False, "")


@pytest.fixture
def nobody() -> Client:
    """Return a first-time visitor."""
    return Client()


@pytest.fixture
def guest() -> Client:
    """Return a visitor without games."""
    Table.objects.filter(host=KEY).delete()
    return visitor()


def page(client: Client, address: str = "/", **headers: str) -> str:
    """Return a page as text."""
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return unescape(response.content.decode())


def begun(response: object) -> Table:
    """Return the table that a form has created."""
    address = str(getattr(response, "url", ""))
    assert re.fullmatch(r"/t/[\w-]+/", address)
    return Table.objects.get(pk=address.split("/")[2])


# --- home page -----------------------------------------------------------------------------------


def test_home_shows_three_games_with_pictures(nobody: Client) -> None:
    text = page(nobody)
    for name in EDITIONS:
        assert f'href="/new/{name}/"' in text
        assert f'src="/picture/{name}.svg"' in text
    assert 'href="/learn/"' in text and text.index("Learn to play") < text.index("Play now")
    assert "Resume" not in text and "Finished games" not in text


def test_one_click_starts_the_game_named_on_the_button(guest: Client) -> None:
    assert "Birmingham against two apprentices" in page(guest)
    table = begun(guest.post("/start/", {"game": "usual"}))
    seats = list(table.seats.all())
    assert (table.edition, table.players, table.secret) == ("birmingham", 3, True)
    assert [seat.bot for seat in seats] == ["", "apprentice", "apprentice"]
    assert [seat.holder for seat in seats] == [KEY, "", ""]
    assert len({seat.name for seat in seats}) == 3


def test_a_first_game_is_the_introductory_one(guest: Client) -> None:
    table = begun(guest.post("/start/", {"game": "first"}))
    assert table.options == {"intro": True}
    assert [seat.bot for seat in table.seats.all()] == ["", "beginner", "beginner"]


def test_the_game_after_a_lesson_is_of_its_edition(guest: Client) -> None:
    table = begun(guest.post("/start/", {"game": "first", "edition": "lancashire"}))
    assert (table.edition, table.options) == ("lancashire", {"intro": True})
    table = begun(guest.post("/start/", {"game": "first", "edition": "classic"}))
    assert (table.edition, table.options) == ("classic", {})  # it has no introductory game


def test_a_new_visitor_gets_a_game_and_finds_it_again(nobody: Client) -> None:
    table = begun(nobody.post("/start/"))
    assert f'href="/t/{table.id}/"' in page(nobody)
    assert table.id not in page(Client())


def test_home_lists_unfinished_games_with_their_state(guest: Client) -> None:
    with no_bots():
        table = make_table("Ada,beginner")
        session = sessions.get(table.id)
        play_turn(session)
    game = games_of(KEY)[0][0]
    assert (game.id, game.title, game.round) == (table.id, "Brass: Birmingham", 1)
    assert game.stage.startswith("Canal era, round 1 of ")
    assert game.turn in ("Your turn", f"{session.seats[1].name} to move")
    text = page(guest)
    assert game.stage in text and game.turn in text and "beginner" in text
    assert text.index(f'href="/t/{table.id}/"') < text.index("Play now")


def test_a_table_where_nobody_is_seated_is_listed_too(guest: Client) -> None:
    make_table()
    game = games_of(KEY)[0][0]
    assert (game.stage, game.turn, game.your_turn) == ("Not started", "", True)


def test_several_people_on_one_screen_are_listed_by_name(guest: Client) -> None:
    table = make_table("Ada,Ben")
    table.summary = {"era": "rail", "round": 2, "rounds": 10, "to_move": 1}
    table.save()
    assert games_of(KEY)[0][0].turn == "Ben to move"


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ([[0, 1, 80], [1, 2, 70]], "Won"),
        ([[1, 1, 80], [0, 2, 70]], "Rank 2 of 2"),
        ([[0, 1, 80], [1, 1, 80]], "Shared win"),
    ],
)
def test_home_lists_results(guest: Client, result: list[list[int]], words: str) -> None:
    table = make_table()
    table.over, table.summary = True, {"to_move": None, "result": result}
    table.save()
    (game,) = games_of(KEY)[1]
    assert game.turn == words
    assert [seat.rank for seat in game.seats] == [rank for _seat, rank, _points in result]
    text = page(guest)
    assert f'href="/t/{table.id}/result/"' in text and f'href="/t/{table.id}/replay/"' in text


def test_a_game_of_a_removed_edition_and_bot_is_still_listed(guest: Client) -> None:
    table = make_table()
    table.edition = "brass-of-2031"
    table.save()
    table.seats.filter(number=1).update(bot="bot-of-2031")
    assert "brass-of-2031" in page(guest) and "bot-of-2031" in page(guest)


def test_only_the_host_deletes_a_game_and_only_after_confirming(guest: Client) -> None:
    table = make_table()
    stranger = visitor("somebody-else")
    assert stranger.post(f"/t/{table.id}/delete/", {"confirm": "yes"}).status_code == 404
    assert guest.post(f"/t/{table.id}/delete/").status_code == 302
    assert guest.get(f"/t/{table.id}/delete/").status_code == 405
    assert Table.objects.filter(pk=table.id).exists()
    assert guest.post(f"/t/{table.id}/delete/", {"confirm": "yes"}).headers["Location"] == "/"
    assert not Table.objects.filter(pk=table.id).exists()


def test_the_home_page_is_available_as_data(guest: Client) -> None:
    table = make_table()
    data = guest.get("/index.json").json()
    assert [game["name"] for game in data["games"]] == ["birmingham", "lancashire", "classic"]
    assert [level["name"] for level in data["levels"]] == list(LEVELS)
    assert [game["id"] for game in data["unfinished"]] == [table.id]
    assert data["ready"]["done"] is True


@pytest.mark.parametrize("name", EDITIONS)
def test_the_new_game_form_is_available_as_data(guest: Client, name: str) -> None:
    data = guest.get(f"/new/{name}.json").json()
    assert [option["name"] for option in data["options"]] == [
        option.name for option in EDITIONS[name].options
    ]
    assert data["usual"]["players"] in data["players"] and data["seats"][0]["who"] == "you"


def test_errors_for_data_requests_are_data(guest: Client) -> None:
    for address in ("/new/monopoly.json", "/t/nothing.json", "/records/nothing.json"):
        response = guest.get(address)
        assert response.status_code == 404 and response.json()["error"] == "Page not found"


def test_every_page_answers_head_requests(guest: Client) -> None:
    for address in ("/", "/new/classic/", "/records/", "/picture/birmingham.svg"):
        assert guest.head(address).status_code == 200


def test_data_and_page_contain_no_seed_and_no_key(guest: Client) -> None:
    table = make_table(seed=9876543210987)
    for address in ("/", "/index.json"):
        text = page(guest, address)
        assert table.seed not in text and KEY not in text


def test_times_are_shown_in_words() -> None:
    now = timezone.now()
    said = [ago(now - timedelta(seconds=n), now) for n in (5, 60, 7300, 86400 * 3)]
    assert said == ["just now", "1 minute ago", "2 hours ago", "3 days ago"]


# --- while the rules compile ---------------------------------------------------------------------


def test_the_home_page_shows_the_compile_progress(guest: Client) -> None:
    with mock.patch("brassmill.web.lobby.home_views.progress", return_value=COMPILING):
        for address in ("/", "/new/birmingham/", "/ready/"):
            text = page(guest, address)
            assert 'value="34"' in text and 'hx-get="/ready/"' in text
        assert guest.get("/ready/?format=json").json()["share"] == 0.34
        begun(guest.post("/start/"))
    assert "hx-get" not in page(guest, "/ready/")


def test_the_home_page_says_when_the_rules_cannot_be_compiled(guest: Client) -> None:
    broken = COMPILING._replace(fault="no room on the disk")
    with mock.patch("brassmill.web.lobby.home_views.progress", return_value=broken):
        assert "no room on the disk" in page(guest)


def test_slow_bots_wait_or_are_replaced_as_the_player_chooses(
    guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'name="meanwhile"' not in page(guest, "/new/birmingham/")
    monkeypatch.setattr(startup, "is_compiled", lambda: False)
    text = page(guest, "/new/birmingham/")
    assert 'name="meanwhile"' in text and "Master: not ready yet" in text
    with no_bots():
        one = begun(guest.post("/new/birmingham/", FORM))
        other = begun(guest.post("/new/birmingham/", FORM | {"meanwhile": "replace"}))
    assert meanwhile.waits(one.id, "master") and not meanwhile.waits(other.id, "master")
    assert not meanwhile.waits(one.id, "expert")
    assert meanwhile.for_now(["", "apprentice", "master"]) == ["", "apprentice", "expert"]
    assert guest.post("/new/birmingham/", FORM | {"meanwhile": "x"}).status_code == 422
    monkeypatch.setattr(startup, "is_compiled", lambda: True)
    assert not meanwhile.waits(one.id, "master")
    assert meanwhile.for_now(["", "master"]) == ["", "master"]


def test_the_pictures_need_no_compiled_rules() -> None:
    cover_picture.cache_clear()
    with mock.patch("brassmill.rules.warmup.ready", side_effect=AssertionError):
        for name in PICTURES:
            assert cover_picture(name, "auto", "en").startswith("<svg")


# --- new game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EDITIONS)
def test_each_games_form_starts_it(guest: Client, name: str) -> None:
    text = page(guest, f"/new/{name}/")
    for level in levels():
        assert level.title in text and level.meaning in text
    table = begun(guest.post(f"/new/{name}/", FORM))
    assert (table.edition, table.players) == (name, 3)
    assert [seat.bot for seat in table.seats.all()] == ["", "apprentice", "master"]


def test_every_option_is_shown_with_its_effect(guest: Client) -> None:
    for name, box in EDITIONS.items():
        text = page(guest, f"/new/{name}/")
        for option in box.options:
            assert option.name in OPTION_TITLES, "give it a title in web/setup/options.py"
            assert OPTION_TITLES[option.name] in text
            assert option.meaning[1:] in text
            if not isinstance(option.default, bool):
                for value in option.values:
                    assert VALUE_WORDS[option.name, value] in text


def test_all_chosen_settings_are_applied(guest: Client) -> None:
    sent = {
        **FORM,
        "players": "2",
        "name-0": "  Ada ",
        "who-1": "person",
        "name-1": "Ben",
        "community_2p": "True",
        "cotton_one_vp": "3",
        "hands": "open",
        "seed": "18446744073709551615",
    }
    table = begun(guest.post("/new/lancashire/", sent))
    assert table.options == {"community_2p": True, "cotton_one_vp": 3}
    assert (table.players, table.hands, table.secret) == (2, "open", False)
    assert table.seed == "18446744073709551615"
    assert [seat.name for seat in table.seats.all()] == ["Ada", "Ben"]
    assert {seat.holder for seat in table.seats.all()} == {KEY}
    assert 'value="Ada"' in page(guest, "/new/classic/")  # the name is remembered


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"players": "7"}, "Choose the number of players: 2, 3 or 4."),
        ({"who-0": "master"}, "At least one seat must be yours"),
        ({"who-1": "process:rm"}, "Choose who plays this seat."),
        ({"who-1": "person", "name-1": "Master"}, "Master is not allowed as a player's name."),
        ({"who-1": "person", "name-1": "masster"}, "did you mean master?"),
        ({"who-1": "person", "name-1": "Ada;"}, "contains one of"),
        ({"who-1": "person", "name-1": "x" * 21}, "too long"),
        ({"name-0": "Ada", "who-1": "person", "name-1": "ada"}, "The name ada is taken"),
        ({"seed": "-1"}, "A seed is a whole number"),
        ({"seed": "18446744073709551616"}, "A seed is a whole number"),
        ({"seed": "٣"}, "A seed is a whole number"),
        ({"hands": "up"}, "Choose hidden or open hands."),
        ({"community_2p": "True"}, "Small map for two needs 2 players."),
        ({"cotton_one_vp": "9"}, "Choose one of these."),
        (
            {"players": "2", "community_2p": "True", "virtual_link": "True"},
            "Small map for two cannot be combined with"
            " Virtual link between Liverpool and Birkenhead.",
        ),
    ],
)
def test_invalid_settings_are_explained_and_input_is_kept(
    guest: Client, sent: dict[str, str], words: str
) -> None:
    sent = {**FORM, "name-2": "kept", "seed": "12", **sent}
    before = Table.objects.count()
    response = guest.post("/new/lancashire/", sent)
    text = unescape(response.content.decode())
    assert response.status_code == 422 and words in text and 'role="alert"' in text
    assert 'name="name-2" value="kept"' in text and f'value="{sent["seed"]}"' in text
    assert Table.objects.count() == before


class Attributes(HTMLParser):
    """Collect the attributes of every element of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[list[tuple[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(attrs)


def test_a_screen_reader_gets_the_error_of_each_field(guest: Client) -> None:
    """Of two attributes with the same name, browsers drop the second."""
    names = ["community_2p", "cotton_one_vp", "standby", "clock", "seed", "who-1", "name-1"]
    sent = {**FORM, **dict.fromkeys(names, "?"), "community_2p": "True"}
    text = guest.post("/new/lancashire/", sent).content.decode()
    elements = Attributes(text).elements
    assert all(len(dict(element)) == len(element) for element in elements)
    fields = [dict(element) for element in elements]
    ids = {field.get("id") for field in fields}
    for field in (field for field in fields if field.get("name") in names):
        about = str(field["aria-describedby"]).split()
        assert "fault-" in about[0] and ids.issuperset(about), field["name"]
        assert field["aria-invalid"] == "true", field["name"]


def test_input_is_escaped(guest: Client) -> None:
    sent = {**FORM, "name-0": '"><script>x</script>', "seed": "<blink>"}
    text = guest.post("/new/birmingham/", sent).content.decode()
    assert "<script>x" not in text and "<blink>" not in text


def test_whatever_the_form_accepts_is_a_valid_edition() -> None:
    for box in EDITIONS.values():
        for players in (2, 3, 4):
            for option in box.options:
                for other in box.options:
                    sent = {option.name: str(option.values[-1]), other.name: str(other.values[-1])}
                    given = read(box, {**FORM, "who-3": "beginner", "players": players, **sent})
                    if given.is_sound:
                        assert edition(box.name, given.players, **given.options)
                        assert len(given.seats()) == players


def test_opponents_have_distinct_names() -> None:
    assert max(map(len, NAMES)) <= LONGEST
    for _try in range(20):
        given = usual(EDITIONS["birmingham"], players=4, name=NAMES[0])
        names = [seat.name for seat in given.seats()]
        assert names[0] == NAMES[0] and len(set(names)) == 4


def test_each_game_is_told_in_brief(guest: Client) -> None:
    for name in EDITIONS:
        text = page(guest, f"/rules/{name}/")
        told = guest.get(f"/rules/{name}.json").json()
        assert all(section["title"] in unescape(text) for section in told["sections"])
        assert ("Scout" in text) == (name == "birmingham")
        scores = edition(name).traits.cash_scores
        assert ("every full £10" in text) == scores
        assert ("Money scores only in an introductory game" in text) != scores
        introductory = any(option.name == "intro" for option in EDITIONS[name].options)
        assert ("every £4 (up to 15 VP)" in text) == introductory


def test_the_language_menu_on_a_posted_form_leads_to_a_page(guest: Client) -> None:
    """The address of a POST alone cannot be fetched."""
    strict = Client(enforce_csrf_checks=True)
    assert 'name="next" value="/"' in strict.post("/start/").content.decode()
    sent = guest.post("/new/classic/", {"players": "9"}).content.decode()
    assert 'name="next" value="/new/classic/"' in sent


def test_people_without_a_name_get_different_names() -> None:
    sent = {"players": "2", "who-0": "you", "who-1": "you"}
    given = read(EDITIONS["birmingham"], sent)
    assert [seat.name for seat in given.seats()] == ["Player", "Player 2"]


def test_bot_levels_are_translated() -> None:
    assert [level.title for level in levels()][:2] == ["Beginner", "Apprentice"]
    for code in LANGUAGES:
        with speaking(code):
            assert all(level.title and level.meaning for level in levels())


# --- language and theme --------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_can_be_chosen_on_any_page_and_returns_to_it(guest: Client, code: str) -> None:
    response = guest.post("/language/", {"code": code, "next": "/new/classic/?a=1"})
    assert response.headers["Location"] == "/new/classic/?a=1"
    text = page(guest, "/new/classic/")
    assert f'<html lang="{code}"' in text
    for name in LANGUAGES.values():
        assert f">{name}</button>" in text


def test_the_browser_language_is_the_default(nobody: Client) -> None:
    assert '<html lang="fr"' in page(nobody, **{"Accept-Language": "fr-CH,de;q=0.5"})


@pytest.mark.parametrize("wanted", ["//evil.example/", "https://evil.example/", "javascript:x", ""])
def test_language_redirects_stay_on_the_site(guest: Client, wanted: str) -> None:
    for address in ("/language/", "/theme/"):
        assert guest.post(address, {"next": wanted}).headers["Location"] == "/"


def test_a_theme_can_be_chosen_and_reset(guest: Client) -> None:
    assert 'data-theme="auto"' in page(guest)
    guest.post("/theme/", {"theme": "dark", "next": "/"})
    text = page(guest)
    assert 'data-theme="dark"' in text and "/picture/birmingham.svg?theme=dark" in text
    guest.post("/theme/", {"theme": "auto", "next": "/"})
    assert 'data-theme="auto"' in page(guest)


def test_an_unknown_theme_is_ignored(guest: Client) -> None:
    guest.cookies["theme"] = '"><script>'
    assert 'data-theme="auto"' in page(guest)


# --- pictures and errors -------------------------------------------------------------------------


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_can_be_cached_and_have_their_own_colours(guest: Client, name: str) -> None:
    response = guest.get(f"/picture/{name}.svg?theme=dark")
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert "max-age" in response.headers["Cache-Control"]
    assert "<style>" in response.content.decode() and " id=" not in response.content.decode()
    assert "unsafe-inline" in response.headers["Content-Security-Policy"]


def test_the_scenes_contain_what_they_name() -> None:
    assert set(SCENES) == set(EDITIONS)
    for scene in SCENES.values():
        view = scene.view()
        assert len(view.tiles) == len(scene.tiles.strip().splitlines())
        assert len(view.links) == len(scene.links.strip().splitlines())


def test_error_pages_match_the_site_and_say_what_to_do(guest: Client) -> None:
    for address in ("/nothing/", "/new/monopoly/", "/picture/mill.svg"):
        response = guest.get(address)
        assert response.status_code == 404
        assert "Page not found" in response.content.decode()
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/start/")
    assert response.status_code == 403 and "did not come from one of our pages" in unescape(
        response.content.decode()
    )


def test_a_server_error_is_shown_without_details() -> None:
    client = Client(raise_request_exception=False)
    with mock.patch("brassmill.web.lobby.home_views.games_of", side_effect=RuntimeError("inside")):
        response = client.get("/")
    text = response.content.decode()
    assert response.status_code == 500 and "Something went wrong" in text and "inside" not in text


@pytest.mark.parametrize("address", ["/", "/new/lancashire/", "/nothing/"])
def test_no_page_has_inline_style_or_script(guest: Client, address: str) -> None:
    text = guest.get(address).content.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|hx-on|<script(?![^>]*\ssrc=)", text)


def test_the_hand_settings_of_the_form_match_the_table() -> None:
    assert (new_game.COVERED, new_game.OPEN) == (Table.COVERED, Table.OPEN)


def test_rejected_forms_are_limited_too(guest: Client) -> None:
    cache.clear()
    statuses = [
        guest.post("/new/birmingham/", {"players": "9"}).status_code
        for _try in range(rate_limit.REJECTED.most + 1)
    ]
    assert statuses == [422] * rate_limit.REJECTED.most + [429]


def test_a_double_click_on_a_first_visit_makes_tables_of_one_visitor() -> None:
    first = Client()
    first.get("/new/birmingham/")
    second = Client()
    second.cookies.update(first.cookies)  # the same form, posted twice at once
    form = {"players": "2", "who-0": "you", "name-0": "Ada", "who-1": "beginner"}
    made = [client.post("/new/birmingham/", form)["Location"] for client in (first, second)]
    hosts = {Table.objects.get(pk=address.split("/")[2]).host for address in made}
    assert len(set(made)) == 2 and len(hosts) == 1
