"""The dump for researchers, and `brass admin verify` for the archive."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from brassmill import record as records
from brassmill.record import Record
from brassmill.web.accounts import deletion
from brassmill.web.archive import filling, verify
from brassmill.web.models import ArchivedGame, ArchivedSeat, Seat, Table
from brassmill.web.table import repair
from support.people import make_account
from support.web import no_bots
from web.archive.test_archive import ended
from web.staff.test_commands import admin_home, brass

__all__ = ["admin_home"]  # a fixture

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    with no_bots(), mock.patch.object(filling, "PAUSE", 0):
        yield
    for table in Table.objects.filter(listed=True):
        repair.delete(table.pk)


def dumped(folder: Path) -> str:
    file = folder / "games.brass.gz"
    done = brass("dump", str(file))
    assert done.exit_code == 0, done.output
    return gzip.decompress(file.read_bytes()).decode()


def games_in(text: str) -> list[Record]:
    found = list(records.read(text.splitlines()))
    assert all(isinstance(game, Record) for game in found), found
    return found  # type: ignore[return-value]


def test_a_dump_names_nobody_and_is_a_file_of_records(tmp_path: Path) -> None:
    account = make_account("Zoe")
    tables = [
        ended(names=(account.name, "Ben", "Cleo"), holders=(account.key, "b", "c")),
        ended(names=("Ben", "Cleo", account.name), holders=("b", "c", account.key)),
        ended(names=("Dora", "Ben", "Fay"), holders=("b", "other", "")),
        ended(names=("Secret", "Gus", "Hal"), listed=False),
    ]
    Seat.objects.filter(table=tables[2], number=2).update(first_bot="greedy", bot="greedy")
    filling.fill()
    text = dumped(tmp_path)
    for word in (account.name, "Ben", "Cleo", "Dora", "Fay", "Gus", account.key):
        assert word not in text
    for table in tables:
        assert table.pk not in text
    one, two, three = games_in(text)
    assert not any(game.verify() for game in (one, two, three))
    assert one.seats[0] == two.seats[2] and one.seats[1] == two.seats[0]  # the same people
    # Others on the screen of the same person, and namesakes, are others.
    assert three.seats[0] not in one.seats and three.seats[1] not in one.seats
    assert three.seats[2] == "bot-3-greedy"
    assert "virtual_link" in one.headers["Events"] and one.headers["Date"] == "2026-11"
    assert one.headers["Game"] != two.headers["Game"]
    assert dumped(tmp_path) == text  # the same ids every night
    deletion.delete(account)
    again = games_in(dumped(tmp_path))
    assert one.seats[0] not in [name for game in again for name in game.seats]
    assert again[0].seats[0] != again[1].seats[2]  # nothing joins their games any more


def test_ids_depend_on_the_key_of_the_site(tmp_path: Path) -> None:
    from django.conf import settings

    ended()
    filling.fill()
    text = dumped(tmp_path)
    with mock.patch.object(settings, "SECRET_KEY", "another"):
        other = dumped(tmp_path)
    (one,), (two,) = games_in(text), games_in(other)
    assert not set(one.seats) & set(two.seats) and one.headers["Game"] != two.headers["Game"]


def test_a_dump_that_cannot_be_written_leaves_the_last_one(tmp_path: Path) -> None:
    ended()
    filling.fill()
    text = dumped(tmp_path)
    with mock.patch("brassmill.web.archive.dump.texts", side_effect=OSError("no space")):
        assert brass("dump", str(tmp_path / "games.brass.gz")).exit_code == 1
    assert [file.name for file in tmp_path.iterdir()] == ["games.brass.gz"]
    assert gzip.decompress((tmp_path / "games.brass.gz").read_bytes()).decode() == text
    assert brass("dump", str(tmp_path / "no" / "folder.gz")).exit_code == 1


# --- verify --------------------------------------------------------------------------------------


def problems(*tables: str) -> list[str]:
    return [each.problem for each in verify.verified(tables) if each.problem]


def test_a_sound_archive_is_verified() -> None:
    table = ended()
    filling.fill()
    assert [each.archived for each in verify.verified()] == [table.pk] and not problems()


def test_what_differs_in_the_archive_is_found() -> None:
    table, other = ended(), ended("lancashire-3-distant-market.brass")
    filling.fill()
    games = ArchivedGame.objects.filter(table=table)
    for field, value in (("winner_vp", 99), ("first_action", "scout"), ("debt", True)):
        kept = games.values_list(field, flat=True)[0]
        games.update(**{field: value})
        assert [field in problem for problem in problems()] == [True]
        assert problems(other.pk) == []
        games.update(**{field: kept})
    seats = ArchivedSeat.objects.filter(game__table=table, number=0)
    kept = seats.values_list("player", flat=True)[0]
    seats.update(player="nobody")
    assert ["seats" in problem for problem in problems()] == [True]
    seats.update(player=kept)
    Table.objects.filter(pk=table.pk).update(begun_at=1)
    assert ["not public" in problem for problem in problems()] == [True]
    Table.objects.filter(pk=table.pk).update(begun_at=0)
    games.delete()
    assert ["not in the archive" in problem for problem in problems()] == [True]
    rows = json.loads(brass("verify", other.pk, "--json").stdout)
    assert {"archived": other.pk, "problem": ""} in rows
