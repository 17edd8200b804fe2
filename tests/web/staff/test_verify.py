"""`brass admin verify`: every stored game is replayed and compared, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core import serializers

from brassmill.notation import stored
from brassmill.web.models import Archive, Entry, Table
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.sessions import play
from support.web import make_table, people_only, play_turn
from web.staff.test_commands import admin_home, brass

__all__ = ["admin_home"]  # a fixture

pytestmark = pytest.mark.usefixtures("site")


def running() -> TableSession:
    session = sessions.get(make_table(people_only()).id)
    for _turn in range(3):
        play_turn(session)
    return session


def finished() -> TableSession:
    session = sessions.get(make_table(people_only(), intro=True).id)
    play(session, lambda: False)
    return session


def everything() -> list[str]:
    """Return all rows of games."""
    return [
        serializers.serialize("json", kind.objects.order_by("pk"))
        for kind in (Table, Entry, Archive)
    ]


def verified(*tables: str) -> tuple[int, list[dict[str, Any]]]:
    done = brass("verify", *tables, "--json")
    return done.exit_code, json.loads(done.stdout)


def test_sound_games_are_verified_and_left_as_they_are() -> None:
    tables = [running().table.id, finished().table.id]
    sessions.get(tables[0]).rewind(2)
    before = everything()
    code, rows = verified(*tables)
    assert code == 0 and [row["problem"] for row in rows] == ["", ""]
    assert all(row["entries"] > 3 for row in rows)
    assert everything() == before
    assert "2 games with" in brass("verify", *tables).stdout


def drop_an_entry(table: Table) -> None:
    table.entries.get(number=2).delete()


def lose_the_end(table: Table) -> None:
    table.entries.order_by("-number")[0].delete()


def change_a_choice(table: Table) -> None:
    session = sessions.get(table.id)
    entry = next(each for each in table.entries.order_by("number") if "choose" in each.body)
    other = next(
        choice
        for choice in TableSession(table, table.seats.all()).game.legal_choices().ids
        if stored.write(session.game.edition, [choice]) != entry.body["choose"][:1]
    )
    entry.body["choose"] = stored.write(session.game.edition, [other])
    entry.save()


def change_a_check(table: Table) -> None:
    entry = next(each for each in table.entries.order_by("number") if "check" in each.body)
    entry.body["check"] = "0" * 16
    entry.save()


def change_what_was_done(table: Table) -> None:
    entry = next(each for each in table.entries.order_by("number") if "done" in each.body)
    entry.body["done"] = []
    entry.save()


def change_the_result(table: Table) -> None:
    table.refresh_from_db()
    table.summary["result"][0][2] += 1
    table.save(update_fields=["summary"])


def change_the_outcome(table: Table) -> None:
    kept = Archive.objects.get(pk=table.pk)
    assert kept.outcome
    kept.outcome["results"][0]["total"] += 1
    kept.save()


def change_the_record(table: Table) -> None:
    other = Archive.objects.get(pk=finished_otherwise())
    Archive.objects.filter(pk=table.pk).update(record=other.record)


def lose_the_record(table: Table) -> None:
    Archive.objects.filter(pk=table.pk).update(record="")


def lose_the_outcome(table: Table) -> None:
    Archive.objects.filter(pk=table.pk).update(outcome=None)


def finished_otherwise() -> str:
    session = sessions.get(make_table(people_only(), intro=True, seed=8).id)
    play(session, lambda: False)
    return session.table.id


DAMAGE: list[tuple[Callable[[Table], None], str]] = [
    (drop_an_entry, "entries are missing"),
    (lose_the_end, "does not end at the same point"),
    (change_a_choice, ""),
    (change_a_check, "the position after entry"),
    (change_what_was_done, "the actions up to entry"),
    (change_the_result, "the result differs"),
    (change_the_outcome, "the outcome differs"),
    (change_the_record, "record"),
    (lose_the_record, "missing"),
    (lose_the_outcome, "missing"),
]
QUICK = (drop_an_entry, change_a_choice, change_the_record)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        pytest.param(damage, words, marks=() if damage in QUICK else pytest.mark.slow)
        for damage, words in DAMAGE
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_damage_is_found(damage: Callable[[Table], None], words: str) -> None:
    session = finished()
    damage(session.table)
    sessions.forget_all()
    before = everything()
    code, (row,) = verified(session.table.id)
    assert code == 1 and row["problem"] and words in row["problem"]
    assert everything() == before


@pytest.mark.slow
def test_all_games_are_verified_by_default() -> None:
    known = {running().table.id, running().table.id}
    _code, rows = verified()
    assert known <= {row["table"] for row in rows} and len(rows) == Table.objects.count()
