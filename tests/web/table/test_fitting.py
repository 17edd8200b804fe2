"""Whether a stored game fits the rules of today, what is stored of it, and what if it does not."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from brassmill import record
from brassmill.cli.main import main
from brassmill.core.stamp import stamp_of
from brassmill.play.host import seat_seed
from brassmill.web.models import Archive, Entry, Seat, Table
from brassmill.web.table import archive, bots, repair, sessions, unplayable
from brassmill.web.table.session import BrokenLog, Desk
from brassmill.web.table.survey import survey
from support.web import KEY, hidden_words, make_table, no_robots, people_only, play_turn, visitor

pytestmark = pytest.mark.usefixtures("site")

OTHER = "0-0123456789abcdef"  # a stamp of rules that nobody has


def played(turns: int = 4, seats: str = people_only(), **options: Any) -> Desk:
    desk = sessions.desk(make_table(seats, intro=True, **options).id)
    for _turn in range(turns):
        if not desk.over:
            play_turn(desk)
    return desk


def finished(**options: Any) -> Desk:
    return played(100, **options)


def row(desk: Desk) -> Table:
    return Table.objects.get(pk=desk.table.pk)


def kept(desk: Desk) -> Archive:
    return Archive.objects.get(pk=desk.table.pk)


def forget_rules(desk: Desk) -> None:
    """As if other rules had played it last."""
    Table.objects.filter(pk=desk.table.pk).update(rules=OTHER)
    sessions.forget(desk.table.pk)


def break_check(desk: Desk) -> None:
    """As if the rules of today led elsewhere."""
    forget_rules(desk)
    entry = Entry.objects.filter(table=desk.table, body__has_key="check").last()
    assert entry is not None
    entry.body["check"] = "0" * 16
    entry.save()


# --- how a game is dealt -------------------------------------------------------------------------


def test_a_secret_deal_has_no_seed_and_its_bots_a_key_of_their_own() -> None:
    one, two = (played(0, "you,beginner", seed=None) for _ in range(2))
    assert row(one).seed == "" and one.game.deal.seed is None
    assert len(kept(one).bot_key) == 32 and kept(one).bot_key != kept(two).bot_key
    assert kept(one).deal != kept(two).deal
    seed = archive.bot_seed(one.table, one.archive)
    assert seed == int(kept(one).bot_key, 16)
    one.bots = ["beginner", "beginner"]
    hosts = [bots.host_of(one), bots.host_of(one)]  # a restarted server's bots play the same
    assert hosts[0].ask(one.game.copy()) == hosts[1].ask(one.game.copy())
    for host in hosts:
        host.close()
    assert seat_seed(seed, 0) != seat_seed(archive.bot_seed(two.table, two.archive), 0)


def test_the_record_of_a_secret_deal_has_the_deal_and_no_seed() -> None:
    desk = finished(seed=None)
    text = visitor().get(f"/t/{desk.table.id}/record/").content.decode()
    read = record.loads(text)
    assert read.verify() == [] and "Seed" not in read.headers
    assert read.deal == desk.game.deal
    assert kept(desk).bot_key not in text


def test_a_chosen_seed_stays() -> None:
    desk = finished(seed=12)
    assert (row(desk).seed, kept(desk).bot_key) == ("12", "")
    assert record.loads(archive.stored_record(desk.table, desk.seats)).headers["Seed"] == "12"
    assert archive.bot_seed(desk.table, desk.archive) == 12


def test_the_stored_deal_decides_even_if_its_seed_would_deal_otherwise() -> None:
    desk = played(seed=12)
    Table.objects.filter(pk=desk.table.pk).update(seed="13")
    sessions.forget(desk.table.pk)
    again = sessions.desk(desk.table.pk)
    assert again.game.engine.snapshot() == desk.game.engine.snapshot()
    assert again.game.deal.seed is None


# --- when it is over -----------------------------------------------------------------------------


def test_a_finished_game_is_served_from_what_was_stored() -> None:
    desk = finished()
    headers = {"Date": f"{desk.table.began:%Y-%m-%d}"}
    text = visitor().get(f"/t/{desk.table.id}/record/").content.decode()
    assert text == str(desk.game.record(headers=headers))
    stored = kept(desk)
    assert "Ada" not in stored.record and "Ada" not in json.dumps(stored.outcome)
    assert archive.stored_outcome(desk.table, desk.seats) == desk.game.outcome()
    stored.record = stored.record.replace('[Date "', '[Date "9')
    assert stored.outcome is not None
    stored.outcome["results"][0]["total"] += 1000
    stored.save()
    assert '[Date "9' in visitor().get(f"/t/{desk.table.id}/record/").content.decode()
    results = visitor().get(f"/t/{desk.table.id}/result.json").json()["results"]
    assert max(result["total"] for result in results) >= 1000


def test_who_is_called_otherwise_is_so_in_the_stored_record() -> None:
    desk = finished()
    repair.rename(desk, 0, 'Q"{\\')
    text = visitor().get(f"/t/{desk.table.id}/record/").content.decode()
    assert record.loads(text).seats == ('Q"{\\', "Ben") and "Ada" not in text
    assert text == str(
        sessions.desk(desk.table.id).game.record(headers={"Date": f"{desk.table.began:%Y-%m-%d}"})
    )


def test_a_game_that_goes_back_from_its_end_has_no_record_yet() -> None:
    desk = finished()
    desk.rewind(3)
    assert (kept(desk).record, kept(desk).outcome) == ("", None)
    while not desk.over:
        play_turn(desk)
    assert record.loads(archive.stored_record(desk.table, desk.seats)).verify() == []


# --- games that fit ------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [played, finished])
def test_another_stamp_alone_changes_nothing(make: Callable[[], Desk]) -> None:
    desk = make()
    stored = kept(desk).record
    forget_rules(desk)
    again = sessions.desk(desk.table.pk)
    assert again.game.engine.snapshot() == desk.game.engine.snapshot()
    assert row(desk).rules == stamp_of(desk.game.edition) and not row(desk).misfit
    assert kept(desk).record == stored


# --- games that do not ---------------------------------------------------------------------------


def test_a_game_that_does_not_fit_opens_as_a_record(caplog: pytest.LogCaptureFixture) -> None:
    desk = played(seed=None)
    hidden = hidden_words(desk.table)
    break_check(desk)
    with caplog.at_level(logging.WARNING, "brassmill.web"):
        survey()
    listed = [line for line in caplog.messages if line.startswith("games that open as records")]
    assert desk.table.id in listed[0]
    with pytest.raises(BrokenLog):
        sessions.desk(desk.table.id)
    table = f"/t/{desk.table.id}"
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
            assert desk.game.actions[0].text in text
            assert not [word for word in hidden if word in text]
    assert visitor().get(f"{table}.json").status_code == 409
    text = visitor().get(f"{table}/record/").content.decode()
    done = [line for line in text.splitlines() if line[:1].isdigit()]
    actions = desk.game.actions[: desk.actions]
    assert done == [
        f"{number} {desk.game.seats[action.seat]}: {action.text}"
        for number, action in enumerate(actions, 1)
    ]
    assert not [word for word in hidden if word in text]
    assert visitor().post(f"{table}/choose/", {"number": 1, "choice": 1}).status_code == 409


def test_one_can_leave_it_and_it_can_be_ended() -> None:
    desk = played()
    Seat.objects.filter(table=desk.table, number=1).update(holder="another")
    break_check(desk)
    table = f"/t/{desk.table.id}"
    assert b"Leave game" in visitor().get(f"{table}/").content
    assert visitor("a stranger").post(f"{table}/leave/", {"seat": 0}).status_code == 409
    assert not Seat.objects.get(table=desk.table, number=0).bot
    assert visitor().post(f"{table}/leave/", {"seat": 0}).status_code == 302
    assert Seat.objects.get(table=desk.table, number=0).is_stood_in
    assert b"Leave game" not in visitor().get(f"{table}/").content
    repair.void(desk.table.id)
    assert row(desk).over and row(desk).summary["void"]
    assert visitor().get(f"{table}/").status_code == 200


def test_the_commands_list_it_and_end_it() -> None:
    desk = played()
    break_check(desk)
    with pytest.raises(BrokenLog):
        sessions.desk(desk.table.id)
    run = CliRunner().invoke(main, ["admin", "tables", "--state", "misfit", "--json"])
    assert desk.table.id in [found["id"] for found in json.loads(run.output)], run.output
    run = CliRunner().invoke(main, ["admin", "tables", "--most", "500"])
    assert "earlier rules" in " ".join(run.output.split())
    run = CliRunner().invoke(main, ["admin", "void", desk.table.id, "--yes"])
    assert run.exit_code == 0 and row(desk).summary["void"]


def test_its_bots_and_its_clock_stand_still_until_the_rules_fit_again() -> None:
    with no_robots():
        table = make_table(people_only(), intro=True)
        Table.objects.filter(pk=table.pk).update(clock="turn-1d")
        desk = sessions.desk(table.id)
        play_turn(desk)
    check = Entry.objects.filter(table=desk.table, body__has_key="check").last()
    assert check is not None
    assert row(desk).due
    break_check(desk)
    with pytest.raises(BrokenLog):
        sessions.desk(desk.table.id)
    assert (row(desk).due, row(desk).bot_to_move) == (None, False)
    check.save()  # the rules of today play it as it was, after all
    Table.objects.filter(pk=desk.table.pk).update(misfit=OTHER)
    again = sessions.desk(desk.table.id)
    assert again.game.engine.snapshot() == desk.game.engine.snapshot()
    assert row(desk).due and not row(desk).misfit


def test_a_finished_game_that_does_not_fit_keeps_its_record_and_its_result() -> None:
    desk = finished()
    text = archive.stored_record(desk.table, desk.seats)
    break_check(desk)
    page = visitor().get(f"/t/{desk.table.id}/").content.decode()
    outcome = desk.game.outcome()
    assert outcome is not None and f"{outcome.ranking[0].total} VP" in page
    assert visitor().get(f"/t/{desk.table.id}/record/").content.decode() == text
    assert unplayable.unplayable_of(desk.table.id).record == text


def test_what_is_gone_from_an_edition_is_no_crash() -> None:
    """A card that the deck does not have, and an option that the edition does not have."""
    one, two = played(), played()
    stored = kept(one)
    assert stored.deal is not None
    stored.deal["deck"][0] = "Atlantis"
    stored.save()
    Table.objects.filter(pk=two.table.pk).update(options={"flood": True})
    for desk in (one, two):
        sessions.forget(desk.table.pk)
        answer = visitor(KEY).get(f"/t/{desk.table.id}/")
        assert answer.status_code == 200 and b"earlier rules" in answer.content
        assert row(desk).misfit
