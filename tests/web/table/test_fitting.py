"""Whether a stored game fits the current rules, what is stored of it, and what happens if not."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from click.testing import CliRunner
from django.db import OperationalError

from brassmill import record
from brassmill.cli.main import main
from brassmill.core.stamp import stamp_of
from brassmill.core.view import UNKNOWN
from brassmill.play.host import seat_seed
from brassmill.record.seat import known_deal
from brassmill.web.models import Archive, Entry, Seat, Table
from brassmill.web.table import archive, bots, repair, sessions, unplayable
from brassmill.web.table import survey as survey_module
from brassmill.web.table.fitting import stamp_for
from brassmill.web.table.session import OTHER_RULES, BrokenLog, TableSession
from brassmill.web.table.survey import survey
from support.staff import act, operator, page_of
from support.web import KEY, hidden_words, make_table, no_bots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

OTHER = "0-0123456789abcdef"  # a stamp of nonexistent rules


def played(turns: int = 4, seats: str = people_only(), **options: Any) -> TableSession:
    session = sessions.get(make_table(seats, intro=True, **options).id)
    for _turn in range(turns):
        if not session.over:
            play_turn(session)
    return session


def finished(**options: Any) -> TableSession:
    return played(100, **options)


def row(session: TableSession) -> Table:
    return Table.objects.get(pk=session.table.pk)


def kept(session: TableSession) -> Archive:
    return Archive.objects.get(pk=session.table.pk)


def forget_rules(session: TableSession) -> None:
    """Pretend that other rules played it last."""
    Table.objects.filter(pk=session.table.pk).update(rules=OTHER)
    sessions.forget(session.table.pk)


def break_check(session: TableSession) -> None:
    """Pretend that the current rules lead elsewhere."""
    forget_rules(session)
    entry = Entry.objects.filter(table=session.table, body__has_key="check").last()
    assert entry is not None
    entry.body["check"] = "0" * 16
    entry.save()


# --- deals ---------------------------------------------------------------------------------------


def test_a_secret_deal_has_no_seed_and_its_bots_have_a_separate_key() -> None:
    one, two = (played(0, "you,beginner", seed=None) for _ in range(2))
    assert row(one).seed == "" and one.game.deal.seed is None
    assert len(kept(one).bot_key) == 32 and kept(one).bot_key != kept(two).bot_key
    assert kept(one).deal != kept(two).deal
    seed = archive.bot_seed(one.table, one.archive)
    assert seed == int(kept(one).bot_key, 16)
    one.bots = ["beginner", "beginner"]
    hosts = [
        bots.host_of(one, one.bots),
        bots.host_of(one, one.bots),
    ]  # after a restart the bots play the same
    assert hosts[0].ask(one.game.copy()) == hosts[1].ask(one.game.copy())
    for host in hosts:
        host.close()
    assert seat_seed(seed, 0) != seat_seed(archive.bot_seed(two.table, two.archive), 0)


def test_the_record_of_a_secret_deal_has_the_deal_and_no_seed() -> None:
    session = finished(seed=None)
    text = visitor().get(f"/t/{session.table.id}/record/").content.decode()
    read = record.loads(text)
    assert read.verify() == [] and "Seed" not in read.headers
    assert read.deal == session.game.deal
    assert kept(session).bot_key not in text


def test_a_chosen_seed_is_kept() -> None:
    session = finished(seed=12)
    assert (row(session).seed, kept(session).bot_key) == ("12", "")
    assert record.loads(archive.stored_record(session.table, session.seats)).headers["Seed"] == "12"
    assert archive.bot_seed(session.table, session.archive) == 12


def test_the_stored_deal_counts_even_if_its_seed_would_deal_otherwise() -> None:
    session = played(seed=12)
    Table.objects.filter(pk=session.table.pk).update(seed="13")
    sessions.forget(session.table.pk)
    again = sessions.get(session.table.pk)
    assert again.game.engine.snapshot() == session.game.engine.snapshot()
    assert again.game.deal.seed is None


# --- finished games ------------------------------------------------------------------------------


def test_a_finished_game_is_served_from_its_stored_record() -> None:
    session = finished()
    headers = {"Date": f"{session.table.began:%Y-%m-%d}"}
    text = visitor().get(f"/t/{session.table.id}/record/").content.decode()
    assert text == str(session.game.record(headers=headers))
    stored = kept(session)
    assert "Ada" not in stored.record and "Ada" not in json.dumps(stored.outcome)
    assert archive.stored_outcome(session.table, session.seats) == session.game.outcome()
    stored.record = stored.record.replace('[Date "', '[Date "9')
    assert stored.outcome is not None
    stored.outcome["results"][0]["total"] += 1000
    stored.save()
    assert '[Date "9' in visitor().get(f"/t/{session.table.id}/record/").content.decode()
    results = visitor().get(f"/t/{session.table.id}/result.json").json()["results"]
    assert max(result["total"] for result in results) >= 1000


def test_a_renamed_player_is_renamed_in_the_stored_record() -> None:
    session = finished()
    repair.rename(session, 0, 'Q"{\\')
    text = visitor().get(f"/t/{session.table.id}/record/").content.decode()
    assert record.loads(text).seats == ('Q"{\\', "Ben") and "Ada" not in text
    assert text == str(
        sessions.get(session.table.id).game.record(
            headers={"Date": f"{session.table.began:%Y-%m-%d}"}
        )
    )


def test_a_game_rewound_from_its_end_has_no_record_yet() -> None:
    session = finished()
    session.rewind(3)
    assert (kept(session).record, kept(session).outcome) == ("", None)
    while not session.over:
        play_turn(session)
    assert record.loads(archive.stored_record(session.table, session.seats)).verify() == []


# --- games that fit ------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [played, finished])
def test_another_stamp_alone_changes_nothing(make: Callable[[], TableSession]) -> None:
    session = make()
    stored = kept(session).record
    forget_rules(session)
    again = sessions.get(session.table.pk)
    assert again.game.engine.snapshot() == session.game.engine.snapshot()
    assert row(session).rules == stamp_of(session.game.edition) and not row(session).misfit
    assert kept(session).record == stored


# --- games that do not ---------------------------------------------------------------------------


def test_a_misfit_game_opens_as_a_record(caplog: pytest.LogCaptureFixture) -> None:
    session = played(seed=None)
    hidden = hidden_words(session.table)
    break_check(session)
    with caplog.at_level(logging.WARNING, "brassmill.web"):
        survey()
    listed = [
        line for line in caplog.messages if line.startswith("tables played with different rules")
    ]
    assert session.table.id in listed[0]
    with pytest.raises(BrokenLog):
        sessions.get(session.table.id)
    table = f"/t/{session.table.id}"
    for language, words in (
        ("en", "earlier rules"),
        ("de", "früheren Regeln"),
        ("fr", "anciennes"),
    ):
        client = visitor(**{"Accept-Language": language})
        for page in ("/", "/replay/", "/result/"):
            answer = client.get(table + page)
            text = answer.content.decode()
            assert answer.status_code == 200 and words in text, (language, page)
            assert session.game.actions[0].text in text
            assert not [word for word in hidden if word in text]
    assert visitor().get(f"{table}.json").status_code == 409
    text = visitor().get(f"{table}/record/").content.decode()
    done = [line for line in text.splitlines() if line[:1].isdigit()]
    actions = session.game.actions[: session.actions]
    assert done == [
        f"{number} {session.game.seats[action.seat]}: {action.text}"
        for number, action in enumerate(actions, 1)
    ]
    assert not [word for word in hidden if word in text]
    assert visitor().post(f"{table}/choose/", {"number": 1, "choice": 1}).status_code == 409


@pytest.mark.parametrize(
    ("edition", "seats"), [("birmingham", "Ada,Ben"), ("lancashire", "Ada,Ben,Cleo")]
)
def test_the_download_of_a_running_misfit_game_can_be_read(edition: str, seats: str) -> None:
    with no_bots():
        session = sessions.get(make_table(seats, edition=edition, seed=None, intro=True).id)
        play_turn(session)
        play_turn(session)
    hidden = hidden_words(session.table)
    break_check(session)
    text = visitor().get(f"/t/{session.table.id}/record/").content.decode()
    assert not [word for word in hidden if word in text]
    read = record.loads(text)
    assert (read.viewer, read.seats) == ("spectator", session.game.seats)
    assert read.edition is session.game.edition
    assert len(read.actions) == session.actions > 0
    public = known_deal(session.game, None)
    assert read.known == public and not {*read.known.decks[0], *read.known.decks[1]} - {UNKNOWN}


@pytest.mark.slow
def test_all_games_are_checked_though_the_database_fails_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [played(turns=1) for _ in range(3)]
    Table.objects.update(rules=OTHER)
    monkeypatch.setattr("brassmill.web.table.survey.OUTAGE", 0.0)
    fine, faults = TableSession.catch_up, [OperationalError("database is locked")] * 2

    def catch_up(session: TableSession) -> None:
        if faults:
            raise faults.pop()
        fine(session)

    monkeypatch.setattr(TableSession, "catch_up", catch_up)
    survey()
    assert not faults and all(row(game).rules == stamp_for(row(game)) for game in games)


def test_a_game_that_another_process_has_checked_is_not_checked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = Table.objects.filter(pk__in=[played(turns=1).table.pk for _ in range(3)])
    tables.update(rules=OTHER)
    fine, checked = TableSession.catch_up, []

    def catch_up(session: TableSession) -> None:
        checked.append(session.table.pk)
        tables.exclude(pk=session.table.pk).update(rules=stamp_for(session.table))
        fine(session)

    monkeypatch.setattr(TableSession, "catch_up", catch_up)
    monkeypatch.setattr(survey_module, "_unchecked", lambda: [table.pk for table in tables])
    survey()
    assert len(checked) == 1, "the others were checked meanwhile"


def test_a_misfit_game_can_be_left_and_ended() -> None:
    session = played()
    Seat.objects.filter(table=session.table, number=1).update(holder="another")
    break_check(session)
    table = f"/t/{session.table.id}"
    assert b"Leave game" in visitor().get(f"{table}/").content
    assert visitor("a stranger").post(f"{table}/leave/", {"seat": 0}).status_code == 409
    assert not Seat.objects.get(table=session.table, number=0).bot
    assert visitor().post(f"{table}/leave/", {"seat": 0}).status_code == 302
    assert Seat.objects.get(table=session.table, number=0).is_stood_in
    assert b"Leave game" not in visitor().get(f"{table}/").content
    repair.void(session.table.id)
    assert row(session).over and row(session).summary["void"]
    assert visitor().get(f"{table}/").status_code == 200


def test_operators_can_list_and_end_a_misfit_game() -> None:
    session = played()
    break_check(session)
    with pytest.raises(BrokenLog):
        sessions.get(session.table.id)
    run = CliRunner().invoke(main, ["admin", "tables", "--state", "misfit", "--json"])
    assert session.table.id in [found["id"] for found in json.loads(run.output)], run.output
    run = CliRunner().invoke(main, ["admin", "tables", "--most", "500"])
    assert "earlier rules" in " ".join(run.output.split())
    staff = operator()
    assert session.table.id in page_of(staff, "table/?state=misfit")
    for page in ("back", "hands"):  # neither can be shown
        answer = staff.get(f"/admin/web/table/{session.table.id}/{page}/", follow=True)
        assert answer.redirect_chain and OTHER_RULES in unescape(answer.content.decode())
    act(staff, "table", "void", session.table.id)
    assert row(session).summary["void"]


def test_bots_and_clock_of_a_misfit_game_stand_still_until_the_rules_fit() -> None:
    with no_bots():
        table = make_table(people_only(), intro=True)
        Table.objects.filter(pk=table.pk).update(clock="turn-1d")
        session = sessions.get(table.id)
        play_turn(session)
    check = Entry.objects.filter(table=session.table, body__has_key="check").last()
    assert check is not None
    assert row(session).due
    break_check(session)
    with pytest.raises(BrokenLog):
        sessions.get(session.table.id)
    assert (row(session).due, row(session).bot_to_move) == (None, False)
    check.save()  # the current rules replay it correctly after all
    Table.objects.filter(pk=session.table.pk).update(misfit=OTHER)
    again = sessions.get(session.table.id)
    assert again.game.engine.snapshot() == session.game.engine.snapshot()
    assert row(session).due and not row(session).misfit


def test_a_finished_misfit_game_keeps_its_record_and_result() -> None:
    session = finished()
    text = archive.stored_record(session.table, session.seats)
    break_check(session)
    page = visitor().get(f"/t/{session.table.id}/").content.decode()
    outcome = session.game.outcome()
    assert outcome is not None and f"{outcome.ranking[0].total} VP" in page
    assert visitor().get(f"/t/{session.table.id}/record/").content.decode() == text
    assert unplayable.unplayable_of(session.table.id).record == text


def test_a_removed_card_or_option_does_not_crash() -> None:
    """A card missing from the deck, and an option missing from the edition."""
    one, two = played(), played()
    stored = kept(one)
    assert stored.deal is not None
    stored.deal["deck"][0] = "Atlantis"
    stored.save()
    Table.objects.filter(pk=two.table.pk).update(options={"flood": True})
    for session in (one, two):
        sessions.forget(session.table.pk)
        answer = visitor(KEY).get(f"/t/{session.table.id}/")
        assert answer.status_code == 200 and b"earlier rules" in answer.content
        assert row(session).misfit
