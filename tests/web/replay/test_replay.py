"""After the game: results, replays and records, and what a running game keeps secret."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from brassmill import record, terms
from brassmill.core.outcome import Outcome
from brassmill.errors import BrassError
from brassmill.language import speaking
from brassmill.play.host import Host
from brassmill.record.parser import Parser
from brassmill.web.identity import rate_limit
from brassmill.web.models import Upload
from brassmill.web.replay import record_views, replay_views, result_views
from brassmill.web.replay.record_error import problem_of
from brassmill.web.replay.result import WIDTHS, EraRows, ResultPage, Row, result_page_of
from brassmill.web.replay.result_views import headline
from brassmill.web.replay.timeline import OPEN, Timeline
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from record.test_seat import replayed, unseen_swapped
from support.paths import RECORDS
from support.web import KEY, hidden_words, make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")

FILES = sorted(RECORDS.glob("*.brass"))
INTRO = (RECORDS / "birmingham-2-intro.brass").read_text("utf-8")


def play(session: TableSession, actions: int | None = None) -> TableSession:
    """Play that many actions as bots would, in every seat, to the end of that turn."""
    host = Host.of(["journeyman"] * session.table.players, session.game.edition, seed=1)
    try:
        while not session.over:
            if session.game.question == "turn over":
                session.end_turn(session.number)
                if actions is not None and len(session.game.actions) >= actions:
                    break
            else:
                session.choose(session.number, host.ask(session.game.copy()))
    finally:
        host.close()
    return session


@pytest.fixture(scope="module")
def finished(site: None) -> TableSession:
    """Return a short finished game for two."""
    return play(sessions.get(make_table("Ada,beginner", intro=True).id))


@pytest.fixture(scope="module")
def running(site: None) -> TableSession:
    """Return a running game for three with a secret deal; the visitor is Ada."""
    return play(sessions.get(make_table("Ada,beginner,beginner", "lancashire", seed=None).id), 20)


def timeline_of(path: Path) -> Timeline:
    return Timeline(record.load(path))


def game_result(name: str) -> ResultPage:
    found = result_page_of(timeline_of(RECORDS / f"{name}.brass"))
    assert found is not None
    return found


# --- the timeline --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES[::4], ids=lambda path: path.stem)
def test_every_frame_is_the_game_at_that_action(path: Path) -> None:
    kept = record.load(path)
    timeline = Timeline(kept)
    assert timeline.last == len(kept.main_line())
    for at in {0, 1, timeline.last // 2, timeline.last}:
        game = kept.game(at)
        for angle in timeline.angles[1:]:
            seat = int(angle) if angle.isdecimal() else None
            seen, view = timeline.view(at, angle), game.view(seat)
            assert seen.position == view.position and seen.number == at


def test_each_round_is_a_stop() -> None:
    timeline = Timeline(record.loads(INTRO))
    rounds = Counter((frame.era, frame.round) for frame in timeline.frames[1:])
    assert len(timeline.stops) == len(rounds) + 1
    assert timeline.stops[0] == timeline.round_before(0) == timeline.round_before(1) == 0
    assert (
        timeline.round_after(0) == timeline.stops[1]
        and timeline.round_before(timeline.stops[2]) == timeline.stops[1]
    )
    assert timeline.round_after(timeline.last) == timeline.stops[-1] == timeline.last
    assert [each.start for each in timeline.log()] == list(timeline.stops[:-1])


def test_the_log_shows_every_action_once() -> None:
    timeline = Timeline(record.loads(INTRO))
    entries = [entry for each in timeline.log() for entry in each.entries]
    assert [entry.number for entry in entries] == list(range(1, timeline.last + 1))
    assert all(entry.line.text and entry.line.seat is not None for entry in entries)
    assert "canal era ends" in entries[-1].after[-1 - len(timeline.seats)].text


def test_a_seat_record_shows_only_that_seat() -> None:
    game = record.loads(INTRO).game(20)
    timeline = Timeline(record.loads(str(game.record(seat=1))))
    assert (
        timeline.angles == ("1", "spectator") and timeline.angle(OPEN) == timeline.angle("0") == "1"
    )
    assert list(timeline.hands(5, "1")) == [1] and timeline.hands(5, "spectator") == {}
    for angle in ("0", OPEN):
        with pytest.raises(BrassError):
            timeline.view(5, angle)
        with pytest.raises(BrassError):
            timeline.hands(5, angle)


# --- the result ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tie_break"),
    [
        ("lancashire-4-tie-by-income", "income"),
        ("birmingham-4-tie-by-cash", "cash"),
        ("classic-3-tie-by-order", "order"),
        ("birmingham-2-shared-win", "shared"),
    ],
)
def test_the_deciding_factor_is_named(name: str, tie_break: str) -> None:
    found = game_result(name)
    assert found.decided == terms.tie_break(tie_break)
    winners = [found.outcome.results[seat].name for seat in found.outcome.winners]
    assert all(name in found.headline for name in winners)
    assert ("wins" in found.headline) == (len(winners) == 1)


@pytest.mark.parametrize("path", FILES[::6], ids=lambda path: path.stem)
def test_the_parts_add_up_to_the_total(path: Path) -> None:
    timeline = timeline_of(path)
    found = result_page_of(timeline)
    if found is None:
        assert not timeline.record.is_complete
        return
    totals = [result.total for result in found.outcome.results]
    assert [sum(era.sums[seat] for era in found.eras) for seat in range(len(totals))] == totals
    for era in found.eras:
        assert era.sums == tuple(map(sum, zip(*(row.values for row in era.rows), strict=True)))
    course = found.as_dict()["course"]
    assert [course["points"][name][-1][1] for name in timeline.seats] == totals
    for figure in found.figures:
        drawings = figure.drawn(WIDTHS).values()
        assert drawings and all(svg.startswith("<svg") for svg in drawings)


def test_the_result_page(finished: TableSession) -> None:
    address = f"/t/{finished.table.id}/result/"
    page = visitor().get(address)
    outcome = finished.game.outcome()
    assert page.status_code == 200 and outcome is not None
    text = page.content.decode()
    winner = outcome.ranking[0]
    assert ("You win" if winner.seat == 0 else f"{winner.name} wins") in text
    for way in ("again", "replay", "record"):
        assert f'/t/{finished.table.id}/{way}/"' in text
    assert f'href="/t/{finished.table.id}/">Go to the table<' in text
    assert_tidy(text)
    data = visitor().get(f"/t/{finished.table.id}/result.json").json()
    assert data["winners"] == list(outcome.winners) and data["you"] == [0]
    assert data["results"][0]["total"] == outcome.ranking[0].total
    assert "again/" not in visitor("a stranger").get(address).content.decode()


def test_a_loss_uses_the_minus_sign_of_all_numbers(
    finished: TableSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_a_loss(timeline: Timeline, _stored: Outcome | None) -> ResultPage | None:
        found = result_page_of(timeline)
        assert found is not None
        era = EraRows("rail era", (Row("income", (-9, 3)),), (-9, 3))
        return replace(found, eras=(era,))

    monkeypatch.setattr(result_views, "result_page_of", with_a_loss)
    text = visitor().get(f"/t/{finished.table.id}/result/").content.decode()
    assert text.count("<td>\N{MINUS SIGN}9</td>") == 2 and "<td>-" not in text


def test_a_running_game_has_no_result(running: TableSession) -> None:
    answer = visitor().get(f"/t/{running.table.id}/result/")
    assert answer.status_code == 302 and answer["Location"] == f"/t/{running.table.id}/"


def test_play_again(finished: TableSession) -> None:
    address = f"/t/{finished.table.id}/again/"
    assert visitor().get(address).status_code == 405
    answer = visitor().post(address)
    table = sessions.get(answer["Location"].split("/")[2]).table
    assert table.id != finished.table.id and table.secret
    for kept in ("edition", "players", "options", "hands", "host"):
        assert getattr(table, kept) == getattr(finished.table, kept)
    assert [(seat.name, seat.bot, seat.holder) for seat in table.seats.all()] == [
        (seat.name, seat.bot, seat.holder) for seat in finished.seats
    ]


# --- the replay ----------------------------------------------------------------------------------


def assert_tidy(page: str) -> None:
    """Check that the content security policy is respected and ids are unique."""
    assert not re.search(r"<style|<script(?![^>]* src=)| style=| on[a-z]+=|hx-on", page)
    ids = Counter(re.findall(r'[ \n]id="([^"]*)"', page))
    assert not [name for name, count in ids.items() if count > 1]


def test_the_replay_page(finished: TableSession) -> None:
    address = f"/t/{finished.table.id}/replay/"
    page = visitor().get(address, {"at": "7", "as": "1"}).content.decode()
    assert_tidy(page)
    assert 'data-at="7" href' in page and page.count('aria-current="step"') == 1
    for at in (0, 6, 8, finished.actions):  # works without JavaScript
        assert f'href="{address}?at={at}&amp;as=1"' in page
    frame = visitor().get(address, {"at": "7", "as": "1", "frame": "tall"}).content.decode()
    assert frame.lstrip().startswith('<div id="frame" data-at="7" data-shape="tall"')
    assert_tidy(frame)
    assert "<html" not in frame and "log" not in frame


def test_odd_replay_addresses(finished: TableSession) -> None:
    address = f"/t/{finished.table.id}/replay/"
    for query in ({"at": "-1"}, {"at": "x"}, {"at": "99999999"}, {"as": "9"}, {"frame": "round"}):
        assert visitor().get(address, query).status_code == 200
    data = visitor().get(f"/t/{finished.table.id}/replay.json", {"at": "900"}).json()
    assert data["at"] == data["last"] == finished.actions
    assert visitor().get("/t/nobody/replay/").status_code == 404
    assert visitor().get("/records/nobody/").status_code == 404


def test_a_finished_game_is_open_to_all(finished: TableSession) -> None:
    data = visitor("a stranger").get(f"/t/{finished.table.id}/replay.json", {"at": "9"}).json()
    assert data["as"] == OPEN and data["angles"] == [OPEN, "0", "1", "spectator"]
    past = [finished.past(seat, 9) for seat in (0, 1)]
    assert data["hands"] == {str(seat): view.hand for seat, view in enumerate(past)}
    assert data["view"]["hand"] is None


def test_texts_follow_the_language(finished: TableSession) -> None:
    frame = {"at": "3", "frame": "wide"}
    address = f"/t/{finished.table.id}/replay/"
    german = visitor(accept_language="de").get(address, frame).content.decode()
    with speaking("de"):
        assert terms.era("canal") in german


# --- secrets of a running game -------------------------------------------------------------------


def received(client: Client, session: TableSession) -> list[bytes]:
    """Return what a visitor can get of the game so far; tokens, which differ, are removed."""
    base = f"/t/{session.table.id}"
    found = [client.get(f"{base}/record/").content]
    for angle in ("0", "1", "2", "open", "spectator", ""):
        for at in (0, 11, session.actions):
            query = {"at": str(at), "as": angle}
            found.append(client.get(f"{base}/replay.json", query).content)
            found += [
                client.get(f"{base}/replay/", query | {"frame": shape}).content
                for shape in ("wide", "tall")
            ]
            page = client.get(f"{base}/replay/", query).content
            found.append(re.sub(rb'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[^"]*"', b"", page))
    return found


@pytest.mark.parametrize("who", [0, pytest.param(None, marks=pytest.mark.slow)])
def test_a_viewers_pages_do_not_depend_on_hidden_information(
    running: TableSession, who: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = visitor(KEY if who == 0 else "a stranger")
    viewer: Any = "spectator" if who is None else who
    rng = random.Random(5)
    with no_bots():
        before = received(client, running)
        for _try in range(3):
            other = replayed(running.game, unseen_swapped(running.game, viewer, rng))
            assert other.deal.decks != running.game.deal.decks
            monkeypatch.setattr(running._play, "game", other)
            monkeypatch.setattr(replay_views, "timelines", replay_views.Timelines())
            assert received(client, running) == before
            monkeypatch.undo()


def test_nobody_can_use_another_seats_view(running: TableSession) -> None:
    client, base = visitor(), f"/t/{running.table.id}"
    for angle in ("1", "2", OPEN, ""):
        data = client.get(f"{base}/replay.json", {"as": angle}).json()
        assert data["as"] == "0" and list(data["hands"]) == ["0"]
    data = client.get(f"{base}/replay.json", {"as": "spectator"}).json()
    assert data["as"] == "spectator" and data["hands"] == {}
    data = visitor("a stranger").get(f"{base}/replay.json", {"as": "0"}).json()
    assert data["angles"] == ["spectator"] and data["hands"] == {}


def test_a_turn_in_progress_is_not_replayed() -> None:
    session = play(sessions.get(make_table(people_only()).id), 4)
    address = f"/t/{session.table.id}/replay.json"
    seen = visitor("a stranger").get(address).content
    session.choose(session.number, [session.game.legal_choices().ids[0]])
    assert visitor("a stranger").get(address).content == seen


def test_covered_hands_stay_covered() -> None:
    """Two people on one screen: a replay shows nobody's cards before they are uncovered."""
    session = play(sessions.get(make_table(people_only()).id), 4)
    for query in ({}, {"as": "0"}, {"as": "1"}, {"as": OPEN}):
        data = visitor().get(f"/t/{session.table.id}/replay.json", query).json()
        assert data["as"] == "spectator" and data["hands"] == {}
    assert '[View "spectator"]' in visitor().get(f"/t/{session.table.id}/record/").content.decode()


def test_open_hands_are_open_to_players_only() -> None:
    session = play(sessions.get(make_table("Ada,beginner", hands="open").id), 4)
    with no_bots():
        data = visitor().get(f"/t/{session.table.id}/replay.json", {"as": "1"}).json()
        assert data["hands"] == {"1": session.view(1).hand}
        data = visitor("a stranger").get(f"/t/{session.table.id}/replay.json", {"as": "1"}).json()
        assert data["hands"] == {}


# --- download ------------------------------------------------------------------------------------


def test_the_full_record_is_available_when_the_game_is_over(finished: TableSession) -> None:
    answer = visitor("a stranger").get(f"/t/{finished.table.id}/record/")
    name = f"birmingham-{finished.table.began:%Y-%m-%d}.brass"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    kept = record.loads(answer.content.decode())
    assert kept.viewer is None and kept.verify() == [] and kept.headers["Seed"] == "7"
    assert kept.headers["Date"] == f"{finished.table.began:%Y-%m-%d}"


def test_a_seat_record_is_available_while_the_game_runs(running: TableSession) -> None:
    kept = record.loads(visitor().get(f"/t/{running.table.id}/record/").content.decode())
    assert kept.viewer == 0 and kept.deal is None and "Seed" not in kept.headers
    text = visitor("a stranger").get(f"/t/{running.table.id}/record/").content.decode()
    assert '[View "spectator"]' in text
    assert not [word for word in hidden_words(running.table) if word in text]


# --- upload --------------------------------------------------------------------------------------


def bring(text: str | bytes, **more: Any) -> Any:
    """Upload a record: text, or bytes as a file."""
    data: dict[str, Any] = dict(more)
    if isinstance(text, bytes):
        data["file"] = SimpleUploadedFile("kitchen table.brass", text)
    else:
        data["text"] = text
    return visitor().post("/records/", data)


@pytest.mark.parametrize("text", [INTRO, INTRO.encode(), INTRO.replace("\n", "\r\n")])
def test_an_uploaded_record_is_shown(text: str | bytes) -> None:
    answer = bring(text)
    assert answer.status_code == 302
    address = answer["Location"]
    page = visitor("stranger").get(address, {"at": "3"}).content.decode()
    assert_tidy(page)
    data = visitor().get(f"{address.rstrip('/')}.json", {"at": "3", "as": "1"}).json()
    expected = record.loads(INTRO).game(3).view(1)
    assert data["view"]["hand"] == expected.hand and data["view"]["number"] == 3
    kept = Upload.objects.get(id=address.split("/")[2])
    assert kept.visitor == KEY and kept.name == (
        "kitchen table.brass" if text == INTRO.encode() else "Ada, Ben"
    )
    assert kept.name in visitor().get("/records/").content.decode()


def test_an_uploaded_seat_record_is_shown() -> None:
    game = record.loads(INTRO).game(20)
    for viewer in (1, "spectator"):
        address = bring(str(game.record(seat=viewer)))["Location"]
        data = visitor().get(f"{address.rstrip('/')}.json", {"as": OPEN}).json()
        assert data["as"] == str(viewer) and data["last"] == 20


def test_an_upload_with_several_games() -> None:
    second = re.sub(r'\[Event "[^"]*"\]', '[Event "The second"]', INTRO)
    address = bring(f"{INTRO}\n{second}")["Location"]
    page = visitor().get(address, {"game": "2", "at": "4"}).content.decode()
    assert "The second" in page and f"{address}?at=5&amp;as=open&amp;game=2" in page
    assert "The second" not in visitor().get(address).content.decode()


def test_only_the_game_that_is_wanted_is_read() -> None:
    text = "\n".join(["\ufeff" + INTRO, INTRO, INTRO.replace("\n2 ", "\n3 ", 1), INTRO])
    kept = Upload.objects.create(visitor=KEY, name="many games", text=text)
    for game, status in ((1, 200), (2, 200), (3, 422), (4, 200), (99, 200)):
        with mock.patch("brassmill.record.reader.Parser", wraps=Parser) as parser:
            answer = visitor().get(f"/records/{kept.id}/", {"game": game})
        assert answer.status_code == status
        assert parser.call_count <= 1, "one game, or the one that was kept in memory"
    with pytest.raises(record.BrokenRecord) as wrong:
        record_views.game_of(text, 3)
    [*_two, found, _last] = record.read(text.split("\n"))
    assert isinstance(found, record.BrokenRecord)
    assert str(wrong.value) == str(found), "with its place in the whole text"


def test_replaying_many_uploaded_games_is_limited(patience: None) -> None:
    most = rate_limit.REPLAYS.most
    kept = [Upload.objects.create(visitor=KEY, name="a game", text=INTRO) for _ in range(most + 1)]
    broken = "[Brass"  # reading this costs little, and is counted, too
    Upload.objects.filter(pk__in=[one.pk for one in kept[:-1]]).update(text=broken)
    eve = visitor("eve")
    answers = [eve.get(f"/records/{one.id}/").status_code for one in kept]
    assert answers == [422] * most + [429]
    address = f"/records/{kept[-1].id}"
    assert visitor().get(f"{address}/").status_code == 200
    assert [eve.get(f"{address}/", {"at": at}).status_code for at in (1, 2)] == [200, 200], "kept"
    assert eve.get(f"/records/{kept[0].id}/result.json").status_code == 429


@pytest.mark.parametrize(
    ("right", "wrong", "place", "marked", "words"),
    [
        ("[Edition ", "[Edition: ", (2, 1), "[Edition: ", "a header is written"),
        ("deck: ", "deck: Wolverhamton, ", (0, 7), "Wolverhamton", "did you mean Wolverhampton?"),
        ("\n2 ", "\n3 ", (0, 3), "", "this is action 2, not 3"),
        ("\n1 ", "\n1 Nobody ", (0, 3), "", "unknown seat"),
    ],
)
def test_a_broken_record_gets_the_readers_message(
    right: str, wrong: str, place: tuple[int, int], marked: str, words: str
) -> None:
    text = INTRO.replace(right, wrong, 1)
    answer = bring(text)
    page = answer.content.decode()
    assert answer.status_code == 422 and words in page
    with pytest.raises(BrassError) as found:
        record_views.games_of(text)
    fault = problem_of(text, found.value)
    line = place[0] or 1 + text[: text.index(wrong) + 1].count("\n")
    assert (fault.line, fault.column) == (line, place[1])
    assert f"Line {line}, column {place[1]}" in page
    here = next(each for each in fault.around if each.number == fault.line)
    assert here.before + here.wrong + here.after == text.split("\n")[line - 1]
    assert here.wrong.startswith(marked)
    assert text.split("\n")[-3] in page  # the input is still there


def test_a_record_that_cannot_be_played_says_where() -> None:
    lines = INTRO.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("9 "))
    lines[at] = re.sub(r": .*", ": build shipyard Dudley", lines[at])
    answer = bring("\n".join(lines))
    assert answer.status_code == 422
    assert f"Line {at + 1}, column " in answer.content.decode()
    assert not Upload.objects.filter(text="\n".join(lines)).exists()


def test_an_upload_without_a_record() -> None:
    assert "Choose a file" in bring("").content.decode()
    for noise in (b"\xff\xfe\x00PNG", b"hello"):
        assert bring(noise).status_code == 422
    page = bring("x" * (record_views.LARGEST + 1)).content.decode()
    assert "the limit is 1 MB" in page and "xxx" not in page  # such answers would fill the memory
    assert "x" * 1000 in bring("x" * record_views.ECHOED).content.decode(), "the input is kept"
    assert bring(b"x" * (record_views.LARGEST + 1)).status_code == 422
    assert "<b>" not in bring('[Brass "<b>"]').content.decode()


def test_a_visitor_can_list_and_delete_their_uploads() -> None:
    kept = Upload.objects.create(visitor=KEY, name="a game", text=INTRO)
    assert visitor().get("/records.json").json()["records"][0]["id"] == kept.id
    assert visitor("a stranger").get("/records.json").json()["records"] == []
    assert visitor("a stranger").post(f"/records/{kept.id}/delete/").status_code == 404
    assert visitor().post(f"/records/{kept.id}/delete/").status_code == 302
    assert not Upload.objects.filter(pk=kept.id).exists()


def test_an_unplayable_record_is_reported_as_data_too() -> None:
    kept = Upload.objects.create(visitor=KEY, name="a game", text="[Edition")
    answer = visitor().get(f"/records/{kept.id}.json")
    assert answer.status_code == 422 and answer.json()["words"]


def test_an_uploaded_record_has_a_result_page_too(running: TableSession) -> None:
    kept = Upload.objects.create(visitor=KEY, name="a game", text=INTRO)
    replayed_page = visitor().get(f"/records/{kept.id}/").content.decode()
    assert f'href="/records/{kept.id}/result/?game=1"' in replayed_page
    told = visitor().get(f"/records/{kept.id}/result.json").json()
    page = visitor().get(f"/records/{kept.id}/result/").content.decode()
    assert told["headline"] in page and "/record/" not in page and "/again/" not in page
    begun = str(record_views.record_of(running, 0))
    kept = Upload.objects.create(visitor=KEY, name="half a game", text=begun)
    answer = visitor().get(f"/records/{kept.id}/result/")
    assert answer["Location"] == f"/records/{kept.id}/?game=1"


def test_the_winner_reads_you_win(finished: TableSession) -> None:
    game_result = result_page_of(replay_views.timeline_of(finished, None))
    assert game_result is not None
    [winner] = game_result.outcome.winners
    assert headline(game_result, (winner,)) == "You win"
    assert headline(game_result, (1 - winner,)) == headline(game_result, ()) == game_result.headline
    assert headline(game_result, (0, 1)) == game_result.headline
