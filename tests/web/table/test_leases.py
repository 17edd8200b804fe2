"""Leases: one process plays the bots of a table, and another takes over if it stops."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import OperationalError, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now

from brassmill.web.models import Table
from brassmill.web.server import database
from brassmill.web.table import bots, leases, sessions
from brassmill.web.table.session import TableSession
from support.sessions import play, wait_for
from support.web import make_table, no_bots

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture
def session() -> TableSession:
    """Return a table where a bot is to move and no process holds the lease."""
    session = sessions.get(make_table("beginner,you").id)
    with no_bots():
        play(session, lambda: session.turns > 0 and session.to_move == 0)
    return session


def test_a_lease_is_held_by_one_process_and_expires(
    session: TableSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, name = Table.objects.filter(pk=session.table.id), session.table.id
    assert name not in leases.forsaken(), "no bot is to move"
    assert leases.take(name) and leases.take(name), "the process that has it keeps it"
    table.update(bot_to_move=True)
    assert name in leases.forsaken(), "its own, which it may have left"
    monkeypatch.setattr(leases, "HOLDER", "another")
    assert not leases.take(name) and name not in leases.forsaken()
    table.update(leased_until=Now() - timedelta(seconds=1))
    assert name in leases.forsaken() and leases.take(name)
    table.update(leased_until=Now() + timedelta(seconds=1))
    leases.renew([name])
    assert table.filter(leased_until__gt=Now() + timedelta(seconds=2)).exists()
    play(session, lambda: session.to_move == 1)
    assert table.get().leased_until is None, "the end of the turn gives it back"
    assert not table.get().bot_to_move


def test_a_lease_from_before_the_clock_was_set_back_holds_up_nobody(
    session: TableSession,
) -> None:
    table, name = Table.objects.filter(pk=session.table.id), session.table.id
    table.update(bot_to_move=True, leased_by="killed", leased_until=Now() + timedelta(days=1))
    assert name in leases.forsaken() and leases.take(name)
    assert table.filter(leased_until__lt=Now() + 2 * leases.TERM).exists()
    table.update(bot_to_move=False)


def test_bots_continue_when_the_database_is_back(
    session: TableSession, caplog: pytest.LogCaptureFixture
) -> None:
    with mock.patch.object(leases, "take", side_effect=OperationalError("no answer")):
        bots.wake(session)
        wait_for(lambda: session.table.id not in bots.pool.underway())
    assert not session.fault and "no answer" in caplog.text
    Table.objects.filter(pk=session.table.id).update(bot_to_move=True)
    bots.resume_interrupted()
    wait_for(lambda: sessions.get(session.table.id).to_move == 1)


# --- an older database ---------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Iterator[str]:
    """Return a database from before leases, beside the site's own."""
    connections.databases["old"] = {
        **connections.databases["default"],
        **database.settings_of("", tmp_path),
    }
    call_command("migrate", "web", "0001", database="old", verbosity=0)
    yield "old"
    connections["old"].close()
    del connections["old"], connections.databases["old"]


@pytest.mark.slow
def test_bots_continue_at_tables_of_an_older_database(old: str) -> None:
    apps = MigrationExecutor(connections[old]).loader.project_state([("web", "0001_initial")]).apps
    table, seat = apps.get_model("web", "Table"), apps.get_model("web", "Seat")
    for name, to_move, over in (("bot", 1, False), ("person", 0, False), ("over", 1, True)):
        made = table.objects.using(old).create(
            id=name, edition="birmingham", players=2, over=over, summary={"to_move": to_move}
        )
        for number, bot in enumerate(("", "beginner")):
            seat.objects.using(old).create(table=made, number=number, name=f"S{number}", bot=bot)
    call_command("migrate", database=old, verbosity=0)
    found = Table.objects.using(old).filter(bot_to_move=True)
    assert [each.pk for each in found] == ["bot"]
