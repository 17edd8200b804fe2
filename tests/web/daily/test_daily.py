"""The deal of the day: one for everyone, one attempt each, and no secret before one has played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from secrets import token_hex
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache

from brassmill import record as records
from brassmill.core.deal import Deal
from brassmill.core.stamp import stamp_of
from brassmill.editions import EDITIONS, edition
from brassmill.play.host import Host
from brassmill.web.accounts import deletion, export
from brassmill.web.daily import attempts, deals, results
from brassmill.web.models import Account, Archive, Attempt, DailyDeal, Table
from brassmill.web.setup import deal_of_the_day
from brassmill.web.table import agreements, bots, sessions, verify
from brassmill.web.table.create import random_deal
from brassmill.web.table.session import TableSession
from support.daily import finish
from support.friends import Guest
from support.people import GOOD, guest_of, make_account, sign_in
from support.web import KEY, hidden_words, log_of, make_table, no_bots, visitor
from web.test_crawl import TOKEN, addresses, other_deal, session_on

pytestmark = pytest.mark.usefixtures("site", "patience")

_days = count()


class Calendar:
    """The day, as the server sees it."""

    def __init__(self, day: date) -> None:
        self.day = day

    def tomorrow(self) -> None:
        self.day += timedelta(days=1)


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Iterator[Calendar]:
    """A day of its own for each test, long after any game that a test can play."""
    made = Calendar(date(2100, 1, 1) + timedelta(days=30 * next(_days)))
    monkeypatch.setattr(deal_of_the_day, "today", lambda: made.day)
    with no_bots():
        yield made
    for table in Table.objects.exclude(day=None):
        table.delete()
        sessions.forget(table.pk)
    Attempt.objects.all().delete()
    DailyDeal.objects.all().delete()


def start(guest: Guest, name: str = "") -> Table:
    """Start the deal of the day as the page does."""
    answer = guest.client.post("/daily/start/", {"name": name or guest.name})
    assert answer.status_code == 302, answer.content.decode()
    return Table.objects.get(pk=answer["Location"].split("/")[2])


def state_of(guest: Guest) -> dict[str, Any]:
    found: dict[str, Any] = guest.client.get("/daily.json").json()
    return found


# --- one deal for everyone -----------------------------------------------------------------------


def test_everyone_gets_the_same_deal_and_the_same_bots(calendar: Calendar) -> None:
    ada, ben = start(Guest("Ada")), start(Guest("Ben"))
    deal = DailyDeal.objects.get(pk=calendar.day)
    for table in (ada, ben):
        kept = Archive.objects.get(pk=table.pk)
        assert (kept.deal, kept.bot_key) == (deal.deal, deal.bot_key)
        assert table.secret and not table.listed and not table.seed and table.day == calendar.day
        assert [seat.name for seat in table.seats.all()][1:] == deal.bot_names[: table.players - 1]
    assert (ada.edition, ada.players) == deals.ROTATION[calendar.day.toordinal() % 8]


def test_a_bot_gets_another_name_if_a_player_has_it(calendar: Calendar) -> None:
    taken = deals.todays_deal().bot_names[0]
    table = start(Guest(taken))
    names = [seat.name for seat in table.seats.all()]
    assert names[0] == taken and len(set(names)) == table.players


def test_of_two_processes_that_make_a_deal_one_is_kept(calendar: Calendar) -> None:
    looked = random_deal

    def overtaken(*game: Any) -> dict[str, Any]:
        with mock.patch("brassmill.web.daily.deals.random_deal", looked):
            deals.todays_deal()  # by another process
        return looked(*game)

    with mock.patch("brassmill.web.daily.deals.random_deal", overtaken):
        mine = deals.todays_deal()
    assert DailyDeal.objects.get(pk=calendar.day).deal == mine.deal
    assert DailyDeal.objects.filter(day=calendar.day).count() == 1


def test_looking_makes_no_deal_and_tomorrows_does_not_exist(calendar: Calendar) -> None:
    guest = Guest("Ada")
    for address in ("/daily/", "/daily.json", "/", f"/daily/{calendar.day}/"):
        guest.client.get(address)
    assert not DailyDeal.objects.exists()
    start(guest)
    tomorrow = calendar.day + timedelta(days=1)
    for page in ("/", ".json", "/deal/"):
        assert guest.client.get(f"/daily/{tomorrow}{page}").status_code == 404
    assert list(DailyDeal.objects.values_list("day", flat=True)) == [calendar.day]


def test_the_rotation_has_every_edition_with_every_number_of_players() -> None:
    assert sorted(deals.ROTATION) == sorted(
        (name, players) for name, info in EDITIONS.items() for players in info.players
    )
    assert all(
        one[0] != other[0]
        for one, other in zip(deals.ROTATION, (*deals.ROTATION[1:], deals.ROTATION[0]), strict=True)
    )


def in_step(first: TableSession, second: TableSession, turns: int) -> None:
    """Play two tables: the people alike, the bots as the server would."""
    hosts = [bots.host_of(session, session.bots) for session in (first, second)]
    people = Host.of(["beginner"] * len(first.seats), first.game.edition, seed=1)
    while first.turns < turns:
        for session, host in zip((first, second), hosts, strict=True):
            if session.game.question == "turn over":
                session.append_next({"end": True})
                continue
            player = host if session.mover_is_bot else people
            session.append_next({"choose": list(player.ask(session.game.copy()))})
    for host in (*hosts, people):
        host.close()


def test_two_who_play_alike_meet_the_same_replies(calendar: Calendar) -> None:
    ada, ben = (sessions.get(start(Guest(name)).id) for name in ("Ada", "Ben"))
    in_step(ada, ben, turns=9)
    assert len(ada.log) > 20
    assert log_of(ada) == log_of(ben)


# --- one attempt each ----------------------------------------------------------------------------


def test_a_second_start_leads_to_the_same_table(calendar: Calendar) -> None:
    ada = Guest("Ada")
    assert state_of(ada)["state"] == "open"
    table = start(ada)
    assert start(ada) == table and Attempt.objects.count() == 1
    assert state_of(ada) | {"state": "playing", "table": table.id} == state_of(ada)


def test_a_start_in_another_tab_at_the_same_moment_makes_no_second_table(
    calendar: Calendar,
) -> None:
    ada = Guest("Ada")
    first = start(ada)
    with mock.patch.object(attempts, "of", return_value=None):  # looked before the other began
        ada.client.session.flush()
        answer = visitor(ada.key).post("/daily/start/", {"name": "Ada"})
    assert answer["Location"] == "/daily/"
    assert list(Table.objects.filter(day=calendar.day)) == [first]


def test_a_deleted_game_was_an_attempt(calendar: Calendar) -> None:
    ada = Guest("Ada")
    table = start(ada)
    ada.client.post(f"/t/{table.id}/delete/", {"confirm": "yes"})
    assert not Table.objects.filter(pk=table.pk).exists()
    answer = ada.client.post("/daily/start/", {"name": "Ada"})
    assert answer["Location"] == "/daily/" and state_of(ada)["state"] == "done"


def test_signing_out_does_not_make_a_second_attempt(calendar: Calendar) -> None:
    ada = guest_of(make_account())
    start(ada)
    ada.client.post("/sign-out/")
    assert state_of(ada)["state"] == "another visitor"
    assert ada.client.post("/daily/start/", {"name": "Ada"}).status_code == 409
    assert b"in this browser, under another name" in ada.client.get("/daily/").content
    calendar.tomorrow()
    assert state_of(ada)["state"] == "open"


@pytest.mark.parametrize("first", ["account", "visitor"])
def test_who_played_as_a_visitor_and_with_an_account_keeps_the_first(
    calendar: Calendar, first: str
) -> None:
    account = make_account()
    own, other = guest_of(account), Guest("Ada")
    begun = [start(own), start(other)] if first == "account" else [start(other), start(own)]
    for table in begun:
        finish(table, 100)
    assert sign_in(other.client, account.name).status_code == 302
    left = Attempt.objects.get(visitor=account.key)
    assert left.table == begun[0]
    assert Attempt.objects.count() == 1
    assert [row["table"] for row in state_of(own)["results"]] == [begun[0].id]


def test_a_wrong_name_starts_nothing(calendar: Calendar) -> None:
    ada = Guest("Ada")
    answer = ada.client.post("/daily/start/", {"name": "expert"})
    assert answer.status_code == 422 and b"not allowed as a player" in answer.content
    assert not DailyDeal.objects.exists() and not Attempt.objects.exists()
    assert start(ada, " ").seats.get(number=0).name == "Player"


def test_new_tables_are_limited(calendar: Calendar) -> None:
    cache.clear()
    with mock.patch("brassmill.web.identity.rate_limit.is_allowed", return_value=False):
        assert Guest("Ada").client.post("/daily/start/").status_code == 429
    assert not Attempt.objects.exists()


# --- fair play -----------------------------------------------------------------------------------


def test_there_are_no_hints_reasons_or_turns_taken_back(calendar: Calendar) -> None:
    ada = Guest("Ada")
    table = start(ada)
    session = sessions.get(table.id)
    data = ada.data(table)
    assert data["hints"] is False and data["hands"] == "covered"
    assert ada.post(table, "hint").status_code == 403
    assert ada.client.get(f"/t/{table.id}/reasons/?action=1").status_code == 403
    assert "no hints" in ada.page(f"/t/{table.id}/").casefold()
    in_step(session, session, turns=len(session.seats) + 1)
    for kind in agreements.KINDS:
        assert "Only players of this game can ask that." in unescaped(
            ada.post(table, "ask", kind=kind, seat="0")
        )


def unescaped(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def test_the_attempt_stays_in_its_browser(calendar: Calendar) -> None:
    ada = Guest("Ada")
    table = start(ada)
    assert "another device" not in ada.page(f"/t/{table.id}/")
    assert ada.post(table, "device", seat="0")["Location"] == f"/t/{table.id}/"
    assert table.seats.get(number=0).handover == ""


# --- nobody sees anything before they have played ------------------------------------------------


def test_a_stranger_gets_nothing_of_a_table_of_today(calendar: Calendar) -> None:
    rng = random.Random(4)
    ada = Guest("Zuleika")
    session = sessions.get(start(ada).id)
    in_step(session, session, turns=4)
    asked = [one for one in addresses(session, rng) if one.startswith("/t/")]
    everywhere = ["/daily/", "/daily.json", "/", "/index.json", "/lobby.json", "/account.json"]
    for played in (False, True):
        if played:
            finish(session.table, 120)
            sessions.forget(session.table.id)
        stranger = visitor("a-stranger")
        for address in asked:
            answer = stranger.get(address)
            assert answer.status_code == 403, address
            assert "Zuleika" not in answer.content.decode()
            is_page = answer["Content-Type"].startswith("text/html")
            assert is_page == (b'href="/daily/"' in answer.content)
        posts = ("choose", "end", "back", "hint", "pace", "concede", "chat", "again", "plan/play")
        for form in posts:
            assert stranger.post(f"/t/{session.table.id}/{form}/").status_code == 403, form
        for address in everywhere:
            text = stranger.get(address).content.decode()
            assert session.table.id not in text and "Zuleika" not in text
            assert not any(word in text for word in hidden_words(session.table))


def test_who_has_begun_but_not_finished_sees_nothing_of_others(calendar: Calendar) -> None:
    ada, ben = Guest("Ada"), Guest("Ben")
    table, own, running = start(ada), start(ben), start(Guest("Cleo"))
    finish(table, 120)
    assert ben.client.get(f"/t/{running.id}.json").status_code == 403
    assert ben.client.get(f"/t/{table.id}/result/").status_code == 403
    assert state_of(ben)["results"] == [] and state_of(ben)["finished"] == 1
    finish(own, 90, conceded=True)
    assert [row["name"] for row in state_of(ben)["results"]] == ["Ada"]
    assert ben.client.get(f"/t/{running.id}.json").status_code == 200


def test_the_own_seat_learns_no_more_than_in_any_game(calendar: Calendar) -> None:
    """The same answers on another deal with the same own cards, byte for byte."""
    rng = random.Random(9)
    ada = Guest("Ada")
    session = sessions.get(start(ada).id)
    in_step(session, session, turns=6)
    asked = [*addresses(session, rng), "/daily/", "/daily.json"]
    deal = other_deal(session, 0, rng)
    assert deal != session.game.deal

    def answers() -> dict[str, str]:
        return {
            one: without_tokens(ada.client.get(one).content.decode())
            for one in asked
            if "/chat" not in one
        }

    before = answers()
    sessions._sessions[session.table.id] = session_on(session, deal)
    try:
        assert answers() == before
    finally:
        sessions._sessions[session.table.id] = session


def without_tokens(text: str) -> str:
    return TOKEN.sub("", text)


def test_a_game_under_earlier_rules_is_just_as_secret(calendar: Calendar) -> None:
    ada = Guest("Ada")
    table = start(ada)
    sessions.forget(table.id)
    stamp = stamp_of(edition(table.edition, table.players))
    Table.objects.filter(pk=table.pk).update(misfit=stamp)
    assert visitor("a stranger").get(f"/t/{table.id}/record/").status_code == 403
    assert ada.client.get(f"/t/{table.id}/record/").status_code == 200


def test_when_the_day_is_over_everyone_sees_everything(calendar: Calendar) -> None:
    ada, stranger = Guest("Ada"), Guest("Cleo")
    table, running = start(ada), start(Guest("Ben"))
    finish(table, 120, 110)
    day = calendar.day
    assert stranger.client.get(f"/t/{running.id}.json").status_code == 403
    assert stranger.client.get(f"/daily/{day}/")["Location"] == "/daily/"
    assert stranger.client.get(f"/daily/{day}/deal/")["Location"] == "/daily/"
    calendar.tomorrow()
    found = stranger.client.get(f"/daily/{day}.json").json()
    assert found["deal"] == DailyDeal.objects.get(pk=day).deal
    assert [row["table"] for row in found["results"]] == [table.id]
    assert f"/t/{table.id}/replay/" in stranger.page(f"/daily/{day}/")
    assert stranger.client.get(f"/t/{running.id}.json").status_code == 200
    assert [past["day"] for past in state_of(stranger)["history"]] == [f"{day}"]


@pytest.mark.parametrize("day", ["2026-13-01", "yesterday", "1999-01-01", "20260101"])
def test_a_day_without_a_deal_has_no_page(calendar: Calendar, day: str) -> None:
    for page in ("/", ".json", "/deal/"):
        assert Guest().client.get(f"/daily/{day}{page}").status_code == 404
    assert Guest().client.post(f"/daily/{day}/play/").status_code == 404


def test_a_published_deal_can_be_downloaded_and_played(calendar: Calendar) -> None:
    start(Guest("Ada"))
    deal = DailyDeal.objects.get(pk=calendar.day)
    calendar.tomorrow()
    cleo = Guest("Cleo")
    answer = cleo.client.get(f"/daily/{deal.day}/deal/")
    assert f"deal-{deal.day}.brass" in answer["Content-Disposition"]
    game = records.loads(answer.content.decode()).game()
    assert game.deal == Deal.from_dict(game.edition, deal.deal)
    game.play(str(next(iter(game.legal_actions()))))
    again = cleo.client.post(f"/daily/{deal.day}/play/")
    table = Table.objects.get(pk=again["Location"].split("/")[2])
    kept = Archive.objects.get(pk=table.pk)
    assert (kept.deal, kept.bot_key, table.day) == (deal.deal, deal.bot_key, None)
    assert cleo.data(table)["hints"] is True
    assert not Attempt.objects.filter(visitor=cleo.key).exists()


# --- results -------------------------------------------------------------------------------------


def test_results_are_ordered_by_vp_then_margin_then_time(calendar: Calendar) -> None:
    scores = {"Ada": (120, 130), "Ben": (140, 100), "Cleo": (120, 90), "Dan": (120, 130)}
    for name, (vp, best) in scores.items():
        finish(start(Guest(name)), vp, best)
    finish(start(Guest("Eve")), 200, conceded=True)
    start(Guest("Finn"))  # still playing
    rows = results.results_of(calendar.day, "nobody")
    found = [(row.place, row.name, row.vp, row.margin, row.rank) for row in rows]
    assert found == [
        *[(1, "Ben", 140, 40, 1), (2, "Cleo", 120, 30, 1)],
        *[(3, "Ada", 120, -10, 2), (3, "Dan", 120, -10, 2)],
    ]


def test_a_game_that_ends_after_its_day_does_not_count(calendar: Calendar) -> None:
    ada = Guest("Ada")
    table = start(ada)
    end = deal_of_the_day.end_of(calendar.day)
    assert end == datetime.combine(calendar.day + timedelta(days=1), time(), UTC)
    finish(table, 120)
    for at, counts in ((end, False), (end - timedelta(seconds=1), True)):
        table.entries.update(at=at)
        assert bool(results.results_of(calendar.day, ada.key)) == counts
    table.entries.update(at=end)
    calendar.tomorrow()
    assert "did not end in time" in ada.page(f"/daily/{table.day}/")


def test_a_streak_is_days_in_a_row(calendar: Calendar) -> None:
    ada = Guest("Ada")
    for plays in (True, True, True, False, True, True, False):
        if plays:
            finish(start(ada), 100)
        calendar.tomorrow()
    assert state_of(ada)["streak"] == {"current": 0, "best": 3, "days": 5}
    finish(start(ada), 100)
    assert state_of(ada)["streak"]["current"] == 1
    calendar.tomorrow()
    assert state_of(ada)["streak"]["current"] == 1  # until this day is over, too
    calendar.tomorrow()
    assert state_of(ada)["streak"]["current"] == 0


def test_many_results_show_the_best_and_the_own(calendar: Calendar) -> None:
    for number in range(4):
        finish(start(Guest(f"Guest-{number}")), 150 - number)
    ada = Guest("Ada")
    finish(start(ada), 80)
    with mock.patch.object(results, "LISTED", 2):
        assert [row["place"] for row in state_of(ada)["results"]] == [1, 2, 5]


# --- accounts and operators ----------------------------------------------------------------------


def test_a_deleted_account_leaves_no_attempt(calendar: Calendar) -> None:
    account = make_account()
    ada = guest_of(account)
    table = start(ada)
    finish(table, 100)
    assert export.export_of(account)["daily"][0]["game"] == table.id
    key = account.key
    deletion.delete(account)
    assert not Attempt.objects.filter(visitor=key).exists()
    assert results.results_of(calendar.day, "nobody") == []
    assert DailyDeal.objects.filter(pk=calendar.day).exists()  # it is everyone's


def test_signing_up_takes_the_attempt_along(calendar: Calendar) -> None:
    ada = Guest("Ada")
    table = start(ada)
    name = f"Ada{token_hex(3)}"
    assert ada.client.post("/sign-up/", {"name": name, "password": GOOD}).status_code == 302
    assert start(ada) == table
    account = Attempt.objects.get(table=table).visitor
    assert Account.objects.get(key=account).name == name


def test_verify_finds_a_table_whose_deal_is_not_the_days(calendar: Calendar) -> None:
    table = start(Guest("Ada"))
    session = sessions.get(table.id)
    in_step(session, session, turns=2)
    assert [one.problem for one in verify.verified([table.id])] == [""]
    deal = DailyDeal.objects.get(pk=calendar.day)
    DailyDeal.objects.filter(pk=deal.pk).update(bot_key="0" * 32)
    assert "not the deal of" in next(verify.verified([table.id])).problem
    deal.delete()
    assert "is missing" in next(verify.verified([table.id])).problem


def test_an_ordinary_table_is_as_it_was(calendar: Calendar) -> None:
    table = make_table("you,beginner", key=KEY)
    assert table.day is None
    assert visitor("a stranger").get(f"/t/{table.id}/").status_code == 200
    assert visitor(KEY).get(f"/t/{table.id}.json").json()["hints"] is True
