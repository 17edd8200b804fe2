"""Whole games as browsers see them: no response contains a card or tile hidden from its visitor.

There are two checks. By content: every card in a response is one of the visitor's own. By another
deal: the same log is played on a deal that this visitor cannot tell from the true one, and every
response must be the same, byte by byte.
"""

from __future__ import annotations

import asyncio
import pickle
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from brassmill import record as records
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.view import UNKNOWN, View
from brassmill.editions.names import slug
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.play.host import Host
from brassmill.record.seat import Dealing, Slot
from brassmill.rules.choices import CHOICES
from brassmill.rules.layout import CANAL, RAIL, WILD_LOCATION
from brassmill.web.chat import chat
from brassmill.web.models import Seat, Table
from brassmill.web.page.parts import HEADER
from brassmill.web.page.scene import SCENES
from brassmill.web.replay.replay_views import timelines
from brassmill.web.server import openapi
from brassmill.web.table import agreements, coach, event_stream, planning, sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.views import DRAWERS
from support.web import make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")

GAMES = [  # bots are shown action by action, people at the end of the turn
    ("classic", "Ada,Ben,Cleo"),
    ("lancashire", "Ada,Ben"),
    ("birmingham", "Ada,beginner,Ben"),
]
TOKEN = re.compile(r"\b\w{64}\b")  # CSRF tokens: different each time
CARD = re.compile(r'id="(open-\d-)?card-([\w-]+)"')
STRANGER = "stranger"


# --- a game of visitors, one per seat ------------------------------------------------------------


def key_of(seat: int | None) -> str:
    return STRANGER if seat is None else f"holder-{seat}"


def seat_visitors(table: Table) -> TableSession:
    """Give every person's seat its own visitor, as friends who chat."""
    session = sessions.get(table.id)
    for seat in session.seats:
        seat.holder = "" if seat.is_bot else key_of(seat.number)
        seat.invite = "" if seat.is_bot else f"invite-{seat.number}"
    Seat.objects.bulk_update(session.seats, ["holder", "invite"])
    session.table.listed = session.table.hints = True  # so that the coach is crawled, too
    session.table.save(update_fields=["listed", "hints"])
    chat.say(table, session.seats[0], "Good luck!")
    return session


def played(session: TableSession, level: str = "beginner") -> Iterator[str]:
    """Play a table to its end; yield `click` after a click, `end` after the end of a turn."""
    host = Host.of([level] * len(session.seats), session.game.edition, seed=1)
    try:
        while not session.over:
            if session.game.question == "turn over":
                session.end_turn(session.number)
                yield "end"
            else:
                session.choose(session.number, host.ask(session.game.copy()))
                yield "click"
    finally:
        host.close()


# --- everything that a visitor can get -----------------------------------------------------------


def addresses(session: TableSession, rng: random.Random) -> list[str]:
    """Return every kind of URL, including those with hidden things in their query."""
    table = f"/t/{session.table.id}"
    cards = rng.sample(sorted(session.game.edition.deck), 2)
    elements = [
        "do-scout",
        *(f"card-{slug(session.game.edition.card_name(card))}" for card in cards),
    ]
    choices = [*rng.sample(range(CHOICES), 2), *session.game.legal_choices().ids[:1]]
    angles = ["open", "spectator", *map(str, range(len(session.seats)))]
    return [
        "/",
        "/index.json",
        f"{table}/",
        f"{table}.json",
        f"{table}/part/",
        *(f"{table}/part/?drawer={drawer}" for drawer in DRAWERS),
        *(f"{table}/past/{number}.json" for number in (0, session.actions // 2, session.actions)),
        *(f"{table}/why/?on={element}" for element in elements),
        # A card that the visitor holds, or claims to hold: nobody else may learn of it.
        *(f"{table}/why/?on={on}&card={elements[-1]}" for on in ("do-build", elements[1])),
        f"{table}/why.json?on={elements[-1]}",
        *(f"{table}/preview/?choice={choice}" for choice in choices),
        f"{table}/preview.json?choice={choices[-1]}",
        *(f"{table}/preview/?choice={choices[-1]}&card={element}" for element in elements[1:]),
        f"{table}/plan/",
        f"{table}/plan/part/",
        f"{table}/plan/why/?on={elements[-1]}",
        f"{table}/plan/preview/?choice={choices[-1]}",
        f"{table}/result/",
        f"{table}/result.json",
        f"{table}/replay/?as={rng.choice(angles)}&at={rng.randint(0, session.actions)}",
        *(f"{table}/replay.json?as={angle}&at={session.actions}" for angle in angles),
        f"{table}/record/",
        f"{table}/picture.svg?at={rng.randint(0, session.actions)}",
        f"{table}/study/?at={rng.randint(0, session.actions)}",
        f"{table}/hint/",
        f"{table}/hint.json",
        *(f"{table}/scene/?of={scene}" for scene in SCENES),
        f"{table}/scene.json",
        *(f"{table}/reasons/?action={number}" for number in (0, 1, session.actions)),
        f"{table}/reasons.json?action={session.actions}",
        f"{table}/mistake/",
        f"{table}/chat/",
        f"{table}/chat.json",
        f"{table}/report/",
        "/reports/",
        f"{table}/device/",
        "/daily/",
        "/daily.json",
        "/learn/",
        "/learn.json",
        "/puzzles/",
        "/puzzles.json",
        "/puzzles/day/",
        "/puzzles/next/",
        "/openings/",
        "/openings.json?edition=classic&players=3&seat=2",
        "/study/",
        "/study.json",
        "/lobby/",
        "/lobby.json",
        "/clubs/",
        "/clubs.json",
        "/archive/",
        "/archive.json?sort=highest",
        "/archive.json?player=ada",
        "/following/",
        "/following.json",
        "/ratings/",
        "/ratings.json",
        "/tournaments/",
        "/tournaments.json",
        "/mails/",
        "/mails.json",
        "/notifications/",
        "/notifications.json",
    ]


# URLs without a table, or tested elsewhere: the stream, links, accounts
# (accounts/test_deletion.py).
ELSEWHERE = {
    *("new", "new_json", "guide", "guide_json", "readiness", "picture", "brass_css"),
    *("rulebook", "rules_of", "rules_of_json", "aid_svg", "aid_pdf", "ground"),
    *("health", "metrics", "openapi", "upload", "uploads_json"),
    *("manifest", "app_icon", "worker", "offline"),
    "calendar",  # web/delivery/test_settings.py
    *("upload_replay", "upload_replay_json", "upload_result", "upload_result_json"),
    *("events", "join", "move", "seat", "confirm", "stop"),
    # Days that are over (web/daily/test_daily.py).
    *("day", "day_json", "past_deal"),
    # A lesson shows the cards of its learner (web/lessons/test_lessons.py).
    *("lesson", "lesson_json", "lesson_why", "lesson_preview", "lesson_part"),
    # And a puzzle those of its solver (web/puzzles/test_puzzles.py).
    *("puzzle", "puzzle_json", "puzzle_why", "puzzle_preview", "puzzle_part"),
    # The records of finished games (web/archive/test_archive.py).
    "archive_games",
    # Only finished games are analysed, and their hands are open (web/analysis).
    *("analysis", "analysis_json", "moment", "moment_json"),
    *("board", "board_json", "board_why", "board_preview", "board_part", "evaluation"),
    # A board shows what its owner has set up or uploaded, and so does the editor (web/study).
    *("board_record", "study_record", "position_text", "position_svg", "position_png"),
    # Tournaments have pages of their own, crawled in web/tournaments/test_secrecy.py.
    *("tournament", "tournament_json", "tournament_games", "new_tournament"),
    # A profile has finished games only (web/profiles/test_profiles.py).
    *("profile", "profile_json", "own_profile", "games_csv", "games_json"),
    *("board_moves", "board_position", "board_file_svg", "board_file_png", "board_file_film"),
    # The same view as the SVG; a film takes seconds (web/replay/test_files.py).
    *("replay_file_png", "replay_file_film"),
    *("upload_file_svg", "upload_file_png", "upload_file_film"),
    *("sign_up", "sign_in", "forgotten", "reset", "account", "account_json", "account_delete"),
    "report_player",  # names an account that has a profile (web/moderation)
    *("club_invited", "club", "club_json", "club_chat"),  # for members (web/clubs/test_clubs.py)
    "programs",  # the tokens of one's own account (web/accounts/test_programs.py)
}


def test_every_page_is_crawled() -> None:
    session = sessions.get(make_table(people_only(2)).id)
    asked = addresses(session, random.Random(1))
    crawled = {resolve(address.partition("?")[0]).url_name for address in asked}
    pages = {name for name, _route in openapi.routes() if openapi.described(name).answer}
    missed = pages - crawled - ELSEWHERE
    assert not missed, "name them in `addresses`, or in ELSEWHERE if they tell nothing of a table"


def test_the_address_of_an_unlisted_table_is_told_to_nobody() -> None:
    """Whoever knows the address can watch, so pages for everyone name listed tables only."""
    running = make_table(people_only(2))
    finished = make_table(people_only(2))
    Table.objects.filter(pk=finished.pk).update(
        over=True, summary={"result": [[0, 1, 150], [1, 2, 120]]}
    )
    pages = [
        route
        for name, route in openapi.routes()
        if openapi.described(name).answer and "<" not in route and name != "metrics"
    ]
    assert len(pages) > 10
    for page in pages:
        answer = visitor("a-stranger").get(f"/{page}")
        text = answer.getvalue().decode(errors="replace")
        assert running.id not in text and finished.id not in text, page
    Table.objects.filter(pk__in=[running.pk, finished.pk]).delete()  # its log has no such result


def everything(session: TableSession, client: Client, key: str, asked: list[str]) -> dict[str, str]:
    """Return everything a visitor can read: pages, parts, data, record, stream, coach input.

    Anything else that reaches a visitor must be added here, under its own name, to be crawled.
    """
    cache.clear()  # nobody is rate limited
    timelines._kept.clear()
    found = {}
    for address in asked:
        part = any(name in address for name in ("/part/", "/preview/", "/chat/"))
        answer = client.get(address, headers={"HX-Request": "true"} if part else {})
        text = answer.content.decode()
        found[address] = f"{answer.status_code} {answer.get('Location')} {TOKEN.sub('', text)}"
    found["update"] = update_of(session, client)
    found["event"] = event_of(session, key)
    with mock.patch.object(coach, "advise", return_value=[]) as advise:
        client.post(f"/t/{session.table.id}/hint/")
        found["coach"] = ""
        for coached in session.coach_answers.values():
            found["coach"] += str(pickle.dumps(coached.view))
        seen = [call.args[1] for call in advise.call_args_list]  # not views, if a leak is planted
        assert all(getattr(view, "seat", None) is not None for view in seen)
    session.coach_answers.clear()
    return found


def update_of(session: TableSession, client: Client) -> str:
    """Return an update for a browser that has every second part, and what it has."""
    address, part = f"/t/{session.table.id}/part/", {"HX-Request": "true"}
    whole = client.get(address, headers=part | {HEADER: ""}).content.decode()
    had = " ".join(re.findall(r"<!--part (\S+)-->", whole)[::2])
    update = client.get(address, headers=part | {HEADER: had}).content.decode()
    assert len(update) < len(whole)
    return f"{had} {TOKEN.sub('', update)}"


def event_of(session: TableSession, key: str) -> str:
    """Return the first event of a visitor's stream."""

    async def first() -> str:
        stream = event_stream.stream(session.table.id, key)
        message = await anext(stream)
        await stream.aclose()
        return message

    return asyncio.run(first())


# --- by another deal -----------------------------------------------------------------------------


def other_deal(session: TableSession, seat: int | None, rng: random.Random) -> Deal:
    """Return another deal that fits everything played, with the same cards for one seat.

    It differs in what that seat does not know: others' cards, undrawn cards, and undrawn tiles.
    """
    game = session.game
    engine = Engine(game.edition, game.seats)
    dealing = Dealing(engine, game.deal.record(game.edition))
    for action in game.actions:
        dealing.end_turn()
        dealing.play(action.ids)
    dealing.end_turn()
    drawn = {slot for draws in dealing.drawn for slots in draws for slot in slots}
    decks = [list(deck) for deck in game.deal.decks]
    free = {(era, place) for era in (CANAL, RAIL) for place in range(len(decks[era]))} - drawn
    for other in set(range(game.players)) - {seat}:
        free |= held_slots(game, engine, dealing, other)
    for era in (CANAL, RAIL):
        places = sorted(place for of, place in free if of == era)
        cards = [decks[era][place] for place in places]
        rng.shuffle(cards)
        for place, card in zip(places, cards, strict=True):
            decks[era][place] = card
    distant = [list(tiles) for tiles in game.deal.distant]
    for era in (CANAL, RAIL):
        known = len(dealing.turned[era])
        rest = distant[era][known:]
        rng.shuffle(rest)
        distant[era][known:] = rest
    return replace(
        game.deal,
        seed=None,
        decks=(tuple(decks[CANAL]), tuple(decks[RAIL])),
        distant=(tuple(distant[CANAL]), tuple(distant[RAIL])),
    )


def held_slots(game: Game, engine: Engine, dealing: Dealing, seat: int) -> set[Slot]:
    """Return where the cards of a hand lay in the deck; equal cards count as drawn last."""
    held = Counter(dict(enumerate(engine.state.hand[seat][:WILD_LOCATION].tolist())))
    found = set()
    for slots in reversed(dealing.drawn[seat]):
        for era, place in slots:
            card = game.deal.decks[era][place]
            if era == int(engine.state.era) and held[card]:
                held[card] -= 1
                found.add((era, place))
    assert not held.total()
    return found


def session_on(session: TableSession, deal: Deal) -> TableSession:
    """Return the same table and log on another deal."""
    other = TableSession(session.table, session.seats)
    game = session.game
    other._play.game = Game(game.edition, deal=deal, seats=game.seats, secret=game.secret)
    other._after = [other.game.start]
    other.catch_up()
    return other


def check_on_another_deal(session: TableSession, seat: int | None, rng: random.Random) -> None:
    """Check that a visitor would get the same responses on another deal."""
    key = key_of(seat)
    client, asked = visitor(key), addresses(session, rng)
    deal = other_deal(session, seat, rng)
    assert deal != session.game.deal
    with mock.patch.object(timezone, "now", return_value=timezone.now()):  # pages say how long ago
        before = everything(session, client, key, asked)
        sessions._sessions[session.table.id] = other = session_on(session, deal)
        try:
            after = everything(other, client, key, asked)
        finally:
            sessions._sessions[session.table.id] = session
    for address, answer in before.items():
        assert after[address] == answer, f"{key}: {address}"


# --- by content ----------------------------------------------------------------------------------


def check_content(session: TableSession, seat: int | None, kind: str) -> None:
    """Check that every card in a response of one kind is the visitor's own."""
    CHECKS[kind](session, visitor(key_of(seat)), session.view(seat))


def own_cards(view: View) -> set[str]:
    return {slug(name) for name in view.hand or ()}


def check_drawn(session: TableSession, client: Client, view: View) -> None:
    check_cards(client.get(f"/t/{session.table.id}/").content.decode(), view)


def check_part(session: TableSession, client: Client, view: View) -> None:
    answer = client.get(f"/t/{session.table.id}/part/", headers={"HX-Request": "true"})
    check_cards(answer.content.decode(), view)


def check_cards(page: str, view: View) -> None:
    shown = CARD.findall(page)
    assert {card for _open, card in shown} == own_cards(view)
    assert not any(of_rival for of_rival, _card in shown)


def check_data(session: TableSession, client: Client, view: View) -> None:
    data = client.get(f"/t/{session.table.id}.json").json()
    assert [player["hand"] for player in data["players"]] == [None] * len(session.seats)
    assert len(hands_in(data)) == len(session.seats) + 1
    shown = Counter({card["name"]: card["count"] for card in data["hand"]})
    assert shown.total() == sum((view.hand or {}).values())
    assert {card["element"] for card in data["hand"]} == {f"card-{c}" for c in own_cards(view)}


def check_past(session: TableSession, client: Client, view: View) -> None:
    for number in (session.actions // 2, session.actions):
        data = client.get(f"/t/{session.table.id}/past/{number}.json").json()
        assert data["seat"] == view.seat and len(hands_in(data)) == 1
        assert (data["hand"] is None) == (view.seat is None)


def check_replay(session: TableSession, client: Client, view: View) -> None:
    for angle in ("open", *map(str, range(len(session.seats)))):
        data = client.get(f"/t/{session.table.id}/replay.json?as={angle}").json()
        own = [] if view.seat is None else [str(view.seat)]
        assert data["angles"] == [*own, "spectator"]
        assert list(data["hands"]) in ([], own)
        assert data["view"]["hand"] == (None if not own else data["hands"][own[0]])


def check_record(session: TableSession, client: Client, view: View) -> None:
    """Check that the download has only the cards dealt to the seat and those everyone saw."""
    text = client.get(f"/t/{session.table.id}/record/").content.decode()
    record = records.loads(text)
    assert record.known is not None and record.deal is None and "Seed" not in record.headers
    known = sum(card != UNKNOWN for deck in record.known.decks for card in deck)
    hand = sum((view.hand or {}).values()) - len(view.seats[view.seat or 0].wild)
    spent = sum(action.seat == view.seat for action in session.game.actions)
    assert known == 0 if view.seat is None else hand <= known <= hand + 3 * spent
    turned = sum(tile != UNKNOWN for tiles in record.known.distant for tile in tiles)
    assert turned == 0 if view.distant is None else turned >= len(view.distant.revealed)


def check_discards(session: TableSession, client: Client, view: View) -> None:
    """Check that only public discards are shown: one more would be from a hand."""
    page = client.get(f"/t/{session.table.id}/part/?drawer=discards").content.decode()
    assert not CARD.findall(page)
    told = re.search(r"Discards: (\d+)", page)
    assert told and int(told[1]) == sum(session.view(None).discards.values())


def check_event(session: TableSession, client: Client, view: View) -> None:
    assert re.fullmatch(r"event: moved\ndata: [0-9a-f]+\n\n", event_of(session, key_of(view.seat)))


CLICKED = ("data", "event", "part")  # what an open page requests
CHECKS: dict[str, Callable[[TableSession, Client, View], None]] = {
    "data": check_data,
    "event": check_event,
    "page": check_drawn,
    "part": check_part,
    "past": check_past,
    "replay": check_replay,
    "record": check_record,
    "discards": check_discards,
}


def hands_in(data: Any) -> list[Any]:
    """Yield everything called a hand, at any depth."""
    if isinstance(data, list):
        return [hand for item in data for hand in hands_in(item)]
    if not isinstance(data, dict):
        return []
    here = [value for key, value in data.items() if key == "hand"]
    return here + [hand for value in data.values() for hand in hands_in(value)]


# --- the crawl -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "sitters"), GAMES)
def test_no_response_of_a_whole_game_contains_hidden_information(
    edition: str, sitters: str
) -> None:
    session = seat_visitors(make_table(sitters, edition))
    assert crawl(session) > 5
    after(session)


def test_no_response_of_twelve_turns_contains_hidden_information() -> None:
    session = seat_visitors(make_table(GAMES[-1][1], GAMES[-1][0]))
    assert crawl(session, turns=12) > 2
    assert not session.over


def crawl(session: TableSession, turns: int | None = None) -> int:
    """Play this many turns, or to the end, and check; count the comparisons of deals."""
    rng, looks = random.Random(session.table.edition), 0
    seats = [*(seat.number for seat in session.seats if not seat.is_bot), None]
    with no_bots():
        for moment in played(session):
            if session.over or session.turns == turns:
                break
            # Sample at random, so that every seat and every point of a round is covered: one
            # visitor checks half of the clicks and all ends of turns, all visitors a quarter of
            # them. After a quarter of the turns, one visitor checks everything that can be
            # requested, on another deal too.
            if moment == "click" and rng.random() < 1 / 2:
                continue
            in_turn, for_all = rng.choice(seats), rng.random() < 1 / 4
            is_asked = moment == "end" and for_all
            for seat in seats if for_all else [in_turn]:
                for kind in CHECKS if is_asked and seat == in_turn else CLICKED:
                    check_content(session, seat, kind)
            if is_asked:
                plan_ahead(session, rng)
                check_on_another_deal(session, in_turn, rng)
                looks += 1
    return looks


def plan_ahead(session: TableSession, rng: random.Random) -> None:
    """Let everyone who waits plan an action, and the last player ask to take back a turn."""
    for seat in session.seats:
        if planning.can_plan(session, seat.number) and not seat.is_bot:
            with suppress(BrassError):  # a sale whose tile is hidden, or the plan is outdated
                plan = planning.PlannedTurn(session, seat.number)
                plan.choose(plan.number, [rng.choice(plan.game.legal_choices().ids)])
    with suppress(BrassError):
        last = session.turn_ends[-1].seat
        if agreements.must_agree(session, agreements.TAKE_BACK, last):
            agreements.ask(session, agreements.TAKE_BACK, last)


def after(session: TableSession) -> None:
    """Check that nothing is secret once a game is over."""
    table = f"/t/{session.table.id}"
    client = visitor(STRANGER)
    for address in ("/result/", "/result.json", "/replay/", "/"):
        assert client.get(table + address).status_code == 200
    data = client.get(f"{table}/replay.json?as=open&at=0").json()
    assert len(data["hands"]) == len(session.seats)
    assert records.loads(client.get(f"{table}/record/").content.decode()).deal == session.game.deal


LEAKS: dict[str, tuple[str, Callable[..., Any]]] = {
    "the view of another seat": (
        "brassmill.web.table.session.TableSession.view",
        lambda session, seat: session.game.view(1 - (seat or 0)),
    ),
    "the past of another seat": (
        "brassmill.web.table.session.TableSession.past",
        lambda session, seat, action: session.game.view(1 - (seat or 0)),
    ),
    "the whole record": (
        "brassmill.web.replay.record_views.record_of",
        lambda session, seat: session.game.record(),
    ),
    "the replay of all seats": ("brassmill.web.replay.replay_views.seen_by", lambda viewer: (0, 1)),
    "a stamp that knows the deck": (
        "brassmill.web.table.session.TableSession.stamp",
        lambda session, seats: session.game.engine.snapshot().hex(),
    ),
    "a list of games that tells hands": (
        "brassmill.web.page.game_list.title_of",
        lambda name: str([session.game.view(1).hand for session in sessions._sessions.values()]),
    ),
    "a coach who looks": (
        "brassmill.web.table.coach.CoachAnswer.__init__",
        lambda answer, edition, view, number: answer.__dict__.update(
            view=[session.game.engine.snapshot() for session in sessions._sessions.values()],
            edition=edition,
            number=number,
            advice=[],
            is_refused=False,
        ),
    ),
}
QUICK = "the view of another seat"


@pytest.mark.parametrize(
    "leak",
    [QUICK, *(pytest.param(leak, marks=pytest.mark.slow) for leak in LEAKS if leak != QUICK)],
)
def test_the_crawl_detects_a_leak(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    rng = random.Random(leak)
    table = make_table(people_only(2), "lancashire", key=key_of(0))
    session = seat_visitors(table)
    moments = played(session)
    with no_bots():
        while session.actions < 12 or session.to_move != 0:
            next(moments)
        check_on_another_deal(session, 0, rng)
        monkeypatch.setattr(*LEAKS[leak])
        with pytest.raises(AssertionError):
            check_on_another_deal(session, 0, rng)
    moments.close()  # type: ignore[attr-defined]
