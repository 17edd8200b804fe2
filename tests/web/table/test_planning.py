"""Planning the next turn: private, against the position seen, and played after one confirmation."""

from __future__ import annotations

import random
import re
from unittest import mock

import pytest
from django.db.models import F

from brassmill.core.choice import MEANING
from brassmill.errors import IllegalAction
from brassmill.game import Game
from brassmill.notation import stored
from brassmill.play import ahead
from brassmill.play.host import Host
from brassmill.rules.choices import SELL_FAR
from brassmill.web.accounts.export import _game as exported_game
from brassmill.web.models import Table
from brassmill.web.table import planning, planning_views, sessions, views
from brassmill.web.table.planning import PlannedTurn
from brassmill.web.table.session import TableSession
from brassmill.web.table.writing import Stale
from support.friends import Guest, at_table
from support.web import log_of, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

EDITIONS = [
    "birmingham",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("lancashire", "classic")),
]


def friends(number: int = 2, **sent: str) -> tuple[dict[int, Guest], TableSession]:
    """Return the people of a running game by seat, each on their own screen."""
    guests = [Guest(name) for name in ("Ada", "Ben", "Cleo", "Dan")[:number]]
    session = sessions.get(at_table(*guests, **sent).id)
    by_key = {guest.key: guest for guest in guests}
    return {seat.number: by_key[seat.holder] for seat in session.seats}, session


def waiting(session: TableSession) -> int:
    """A seat that is not to move."""
    return next(seat.number for seat in session.seats if seat.number != session.to_move)


def plan_turn(session: TableSession, seat: int, rng: random.Random) -> None:
    """Plan a whole turn at random, click by click."""
    while (plan := PlannedTurn(session, seat)).game.question != "turn over":
        plan.choose(plan.number, [rng.choice(plan.game.legal_choices().ids)])


def page_of(guest: Guest, session: TableSession, path: str = "") -> str:
    return re.sub(r"\b\w{64}\b", "", guest.page(f"/t/{session.table.id}/{path}"))


@pytest.mark.parametrize("edition", ["birmingham", "lancashire"])
def test_a_plan_is_made_on_the_page_and_played_after_one_confirmation(edition: str) -> None:
    guests, session = friends(2, edition=edition)
    seat = waiting(session)
    guest = guests[seat]
    assert "Plan my next turn" in page_of(guest, session)
    page = page_of(guest, session, "plan/")
    number = re.search(r'name="number" value="(\d+)"', page)
    choice = re.search(r'data-choice="(\d+)"', page)
    assert number and choice
    guest.post(session.table, "plan/choose", number=number[1], choice=choice[1])
    assert PlannedTurn(session, seat).clicks == 1
    guest.post(session.table, "plan/choose", number=number[1], choice=choice[1])  # outdated
    assert PlannedTurn(session, seat).clicks == 1
    plan_turn(session, seat, random.Random(1))
    steps = guest.data(session.table)["plan"]["steps"]
    assert len(steps) == 1 and not guest.data(session.table)["plan"]["can_play"]
    guest.post(session.table, "plan/play")  # not yet
    assert not session.log
    planned = PlannedTurn(session, seat).game.actions[0].ids
    with no_bots():
        while session.to_move != seat:
            session.choose(session.number, [session.game.legal_choices().ids[-1]])
            while session.game.question not in ("action", "turn over"):
                session.choose(session.number, [session.game.legal_choices().ids[-1]])
            if session.game.question == "turn over":
                session.end_turn(session.number)
    shown = guest.data(session.table)["plan"]
    assert shown["can_play"] and shown["steps"] == steps and shown["problem"] == ""
    guest.post(session.table, "plan/play")
    assert session.turn_ends[-1].seat == seat
    assert session.game.actions[-1].ids == planned and not session.table.plans
    assert not Table.objects.get(pk=session.table.pk).plans


def test_a_step_that_no_longer_works_is_named_with_the_reason() -> None:
    guests, session = friends(2)
    seat = waiting(session)
    plan = PlannedTurn(session, seat)
    build = next(
        choice
        for choice in plan.game.legal_choices().ids
        if choice in session.game.legal_choices().ids and MEANING[choice][0] == "BUILD"
    )
    while PlannedTurn(session, seat).game.question != "turn over":
        plan = PlannedTurn(session, seat)
        first = build if plan.game.question == "action" else plan.game.legal_choices().ids[0]
        plan.choose(plan.number, [first])
    # The other player takes the space first.
    session.choose(session.number, [build])
    while session.game.question != "turn over":
        session.choose(session.number, [session.game.legal_choices().ids[0]])
    session.end_turn(session.number)
    shown = guests[seat].data(session.table)["plan"]
    assert shown["problem"].startswith("Step 1 no longer works: ") and shown["steps"] == []
    length = session.length
    guests[seat].post(session.table, "plan/play")
    assert session.length == length
    assert shown["problem"] in page_of(guests[seat], session)
    guests[seat].post(session.table, "plan/discard")
    assert guests[seat].data(session.table)["plan"] is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_plan_changes_no_byte_for_anyone_else(edition: str) -> None:
    guests, session = friends(3, edition=edition)
    for _turn in range(4):
        play_turn(session)
    seat = waiting(session)
    others = [*(guest for number, guest in guests.items() if number != seat), Guest("Eve")]
    pages = ("", "part/", "result/", "replay/", "record/", "chat/", "plan/", "plan/part/")
    twins = (".json", "/replay.json", "/hint.json", "/chat.json")

    def seen(guest: Guest) -> list[str]:
        held = [each.number for each in session.seats if each.holder == guest.key]
        return [
            *(page_of(guest, session, page) for page in pages),
            *(guest.page(f"/t/{session.table.id}{twin}") for twin in twins),
            guest.page("/index.json"),
            session.stamp(held),
        ]

    before = [seen(guest) for guest in others]
    log, touched = log_of(session), Table.objects.get(pk=session.table.pk).touched
    own = session.stamp([seat])
    plan_turn(session, seat, random.Random(3))
    assert PlannedTurn(session, seat).clicks and session.stamp([seat]) != own
    assert [seen(guest) for guest in others] == before
    assert log_of(session) == log
    assert Table.objects.get(pk=session.table.pk).touched == touched
    for guest in others:  # nor can they change or play it
        for action in ("plan/choose", "plan/back", "plan/play", "plan/discard"):
            guest.post(session.table, action, number=PlannedTurn(session, seat).number, all="1")
    assert PlannedTurn(session, seat).clicks


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_plan_reads_only_what_its_player_sees(edition: str) -> None:
    """On another deal that the player cannot tell apart, everything planned is the same."""
    session = sessions.get(make_table(people_only(3), edition).id)
    for _turn in range(4):
        play_turn(session)
    seat = waiting(session)
    view = session.view(seat)
    game = ahead.turn_ahead(session.game.edition, view)
    assert game.seat == seat and game.question == "action"
    world = session.game.world(seat, seed=9)
    other = ahead.turn_ahead(session.game.edition, world.view(seat))
    assert other.engine.snapshot() == game.engine.snapshot()
    assert other.legal_choices().ids == game.legal_choices().ids


def test_a_sale_to_the_distant_market_waits_for_the_turn() -> None:
    """Its tile is hidden, so no plan may depend on it."""
    game = Game("lancashire", players=2, seed=3)
    host = Host.of(["apprentice"] * 2, game.edition, seed=2)
    while SELL_FAR not in (ids := host.ask(game)):
        game.carry_out(ids)
    host.close()
    plan = ahead.turn_ahead(game.edition, game.view(game.seat))
    before = plan.engine.snapshot()
    with pytest.raises(IllegalAction, match="hidden"):
        ahead.choose(plan, ids)
    assert plan.engine.snapshot() == before and not plan.actions


def test_a_planned_sale_that_would_now_go_to_the_distant_market_no_longer_works() -> None:
    """The mill was to be sold by a port that somebody else has used since."""
    session = sessions.get(make_table(people_only(2), "lancashire").id)
    host = Host.of(["apprentice"] * 2, session.game.edition, seed=2)
    while True:
        if session.game.question == "turn over":
            session.end_turn(session.number)
            continue
        ids = host.ask(session.game.copy())
        if SELL_FAR in ids and session.game.question == "action" and not session.undoable:
            break
        session.choose(session.number, ids)
    host.close()
    seat = session.to_move
    assert seat is not None
    game = session.game.copy()
    game.carry_out(tuple(ids), ends_turn=False)
    while game.draft:
        game.carry_out((game.legal_choices().ids[-1],), ends_turn=False)
    sale = stored.write(game.edition, game.actions[-1].ids)
    planning._keep(session, seat, [[sale]])
    found, length = planning.plan_view(session, seat, is_to_move=True), session.length
    assert found and found.problem.startswith("Step 1 no longer works: ") and not found.steps
    with pytest.raises(IllegalAction, match="hidden"):
        planning.play(session, seat)
    assert session.length == length


def test_a_plan_is_played_whole_though_a_row_changes_meanwhile() -> None:
    """A vacation, a sign-in or a new name changes rows of the table, but not the game."""
    _guests, session = friends(2)
    while session.game.round < 2:  # then a turn has two actions
        play_turn(session)
    seat = waiting(session)
    while (plan := PlannedTurn(session, seat)).game.question != "turn over":
        choices = plan.game.legal_choices().ids
        loan = [choice for choice in choices if MEANING[choice][0] == "LOAN"]
        plan.choose(plan.number, (loan or choices)[:1])  # whatever the other player does
    play_turn(session)
    planned = [action.ids for action in PlannedTurn(session, seat).game.actions]
    append = TableSession.append

    def interrupted(self: TableSession, body: dict[str, object]) -> None:
        append(self, body)
        Table.objects.filter(pk=self.table.pk).update(revision=F("revision") + 1)

    with mock.patch.object(TableSession, "append", interrupted):
        planning.play(session, seat)
    assert [action.ids for action in session.game.actions[-2:]] == planned
    assert session.turn_ends[-1].seat == seat
    assert not Table.objects.get(pk=session.table.pk).plans


def test_the_end_of_a_turn_and_a_new_player_drop_a_plan() -> None:
    guests, session = friends(2)
    seat = waiting(session)
    plan_turn(session, seat, random.Random(2))
    play_turn(session)
    assert session.to_move == seat and session.table.plans
    play_turn(session)  # the player plays something else
    assert not session.table.plans
    seat = waiting(session)
    plan_turn(session, seat, random.Random(2))
    assert guests[seat].data(session.table)["plan"]
    assert guests[seat].key not in str(session.table.plans)
    with no_bots():
        session.replace(seat, "beginner")
    assert not session.table.plans
    session.replace(seat, "")
    plan_turn(session, seat, random.Random(2))
    session.seats[seat].holder = "someone else"
    assert planning.plan_view(session, seat, is_to_move=False) is None


@pytest.mark.parametrize("action", ["play", "discard"])
def test_a_table_whose_log_was_replaced_is_shown_as_it_is_now(action: str) -> None:
    guests, session = friends(2)

    def replaced(_session: TableSession, _seat: int) -> None:
        session.lose()
        raise Stale("The table has changed.")

    mover = session.to_move
    assert mover is not None
    with (
        mock.patch.object(planning, action, replaced),
        mock.patch.object(planning_views, "answered", wraps=views.answered) as answered,
    ):
        page = guests[mover].post(session.table, f"plan/{action}").content.decode()
    assert "The table has changed." in page and not answered.call_args.args[1].is_lost


def test_an_export_has_ones_own_plan_and_no_other() -> None:
    guests, session = friends(3)
    for seat in (number for number in guests if number != session.to_move):
        plan_turn(session, seat, random.Random(seat))
    table = Table.objects.get(pk=session.table.pk)
    for seat, guest in guests.items():
        found = exported_game(table, guest.key).get("plans", [])
        assert [plan["seat"] for plan in found] == ([] if seat == session.to_move else [seat])


def test_nobody_plans_in_their_own_turn_or_for_a_bot_or_behind_a_cover() -> None:
    guests, session = friends(2)
    mover = session.to_move
    assert mover is not None
    assert not guests[mover].data(session.table)["can_plan"]
    answer = guests[mover].client.get(f"/t/{session.table.id}/plan/")
    assert answer.status_code == 302 and answer["Location"] == f"/t/{session.table.id}/"
    stranger = Guest("Eve").client.get(f"/t/{session.table.id}/plan/")
    assert stranger.status_code == 302
    shared = make_table(people_only(2))
    assert not visitor().get(f"/t/{shared.id}.json").json()["can_plan"]  # whose hand would it be?
