"""A backup holds everything as of one moment, and is restored completely or not at all."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core import serializers
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader

from brassmill.errors import BrassError
from brassmill.web.daily import attempts
from brassmill.web.mail import addresses
from brassmill.web.models import Block, Entry, Mail, Message, Seat, Table
from brassmill.web.staff import backup
from brassmill.web.staff.backup import Header
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.writing import Stale
from support.friends import Guest, at_table, set_up, tokens_of
from support.homes import make_home
from support.old_home import DATA, expected, look
from support.people import make_account
from support.postgres import Cluster, run_tests
from support.web import make_table, people_only, play_turn

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL."""
    cluster = Cluster()
    yield cluster
    cluster.remove()


def brass(home: Path, *words: object, database: str = "") -> subprocess.CompletedProcess[str]:
    """Run `brass admin` for a site other than the tests' own."""
    given = {"BRASSMILL_HOME": str(home), "DATABASE_URL": database, "LANGUAGE": "en"}
    return subprocess.run(
        [sys.executable, "-m", "brassmill", "admin", *map(str, words)],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
    )


def rows_in(path: Path) -> list[Any]:
    """Return the rows of a backup, in any order."""
    with gzip.open(path, "rt") as file:
        rows = [json.loads(line) for line in file][1:-1]
    return sorted(rows, key=lambda row: (row["model"], str(row["pk"])))


@pytest.fixture(scope="module")
def copy(site: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a backup of the site: games, friends, a chat, the deal of the day, staff, blocks."""
    session = sessions.get(make_table(people_only(), seed=None).id)
    for _turn in range(3):
        play_turn(session)
    session.void()
    host, ben = Guest("Ada"), Guest("Ben")
    table = set_up(host, "you", "friend")
    ben.sit(tokens_of(table)[0])
    ben.post(table, "chat", text="Glück auf, 👋!")
    attempts.begin(ben.key, "Ben")
    Block.objects.create(visitor=ben.key, name="Ben")
    group, _made = Group.objects.get_or_create(name="helpers")
    group.permissions.set(Permission.objects.filter(codename="view_table"))
    User.objects.get_or_create(username="helper")[0].groups.set([group])
    path = tmp_path_factory.mktemp("copy") / "site.backup"
    backup.write(path)
    return path


# --- round trips ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_everything_moves_to_postgresql_and_back_to_a_file(
    copy: Path, cluster: Cluster, tmp_path: Path
) -> None:
    home, server = make_home(tmp_path / "home"), cluster.database()
    there = brass(home, "restore", copy, database=server)
    assert there.returncode == 0, there.stderr
    second, third = tmp_path / "second.backup", tmp_path / "third.backup"
    assert brass(home, "backup", second, database=server).returncode == 0
    assert rows_in(second) == rows_in(copy)
    # New rows get unused numbers.
    made = brass(home, "superuser", "chief", "--password", "coal-and-cotton", database=server)
    assert made.returncode == 0, made.stderr
    back = brass(home, "restore", second)
    assert back.returncode == 0, back.stderr
    assert brass(home, "backup", third).returncode == 0
    assert rows_in(third) == rows_in(copy)
    # A database with content is overwritten only after confirmation.
    refused = brass(home, "restore", copy)
    assert refused.returncode == 1 and "not empty; --replace" in refused.stderr
    assert brass(home, "restore", copy, "--replace", "--yes").returncode == 0


def test_a_backup_is_private_and_overwrites_nothing(copy: Path) -> None:
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    before = copy.read_bytes()
    with pytest.raises(BrassError, match="already exists"):
        backup.write(copy)
    with pytest.raises(BrassError, match="cannot write"):
        backup.write(copy / "nowhere")
    assert copy.read_bytes() == before and list(copy.parent.iterdir()) == [copy]


@pytest.mark.slow
def test_the_key_is_included_only_on_request(copy: Path, tmp_path: Path) -> None:
    with_key = tmp_path / "with-key.backup"
    backup.write(with_key, with_key=True)
    key = settings.SECRET_KEY
    assert key.encode() in gzip.decompress(with_key.read_bytes())
    assert key.encode() not in gzip.decompress(copy.read_bytes())
    home = make_home(tmp_path / "home")
    assert "contains no key" in brass(home, "restore", copy, "--with-key").stderr
    restored = brass(home, "restore", with_key, "--with-key")
    assert restored.returncode == 0, restored.stderr
    file = home / "secret.key"
    assert file.read_text() == key and stat.S_IMODE(file.stat().st_mode) == 0o600


# --- snapshots -----------------------------------------------------------------------------------


def entries_in(path: Path, table_id: str) -> int:
    """Count the entries of a table; its log has no gaps and matches its row."""
    kept = [row for row in rows_in(path) if table_id in (row["pk"], row["fields"].get("table"))]
    rows = [row.object for row in serializers.deserialize("python", kept)]
    [table] = [row for row in rows if isinstance(row, Table)]
    seats = sorted((row for row in rows if isinstance(row, Seat)), key=lambda seat: seat.number)
    log = sorted((row for row in rows if isinstance(row, Entry)), key=lambda entry: entry.number)
    assert [entry.number for entry in log] == list(range(1, len(log) + 1))
    session = TableSession(table, seats)
    for entry in log:
        session.play_stored(entry.body)
    assert session.summary == table.summary
    return session.length


def test_a_backup_is_consistent_while_a_game_is_played(tmp_path: Path) -> None:
    """Turns are played while the rows are written, in another thread, as in a server."""
    session = sessions.get(make_table(people_only()).id)
    play_turn(session)
    lengths = [session.length]

    def play() -> None:
        if not session.over:
            play_turn(session)
        connection.close()

    kinds = backup.models()

    def each() -> Iterator[type[models.Model]]:
        for kind in kinds:
            yield kind
            player = Thread(target=play)
            player.start()
            player.join()
            lengths.append(session.length)

    path = tmp_path / "site.backup"
    with mock.patch.object(backup, "models", side_effect=[kinds, each()]):
        backup.write(path)
    assert lengths[-1] > lengths[0] and len(set(lengths)) > 3
    assert entries_in(path, session.table.id) == lengths[0]


@pytest.mark.slow
def test_commands_and_backups_work_on_postgresql(cluster: Cluster) -> None:
    """Test commands and backups on a server that several processes could share."""
    run_tests(
        cluster,
        "web/staff/test_admin.py::test_a_game_can_be_ended_and_rewound",
        "web/staff/test_admin.py::test_tables_are_filtered_by_their_state",
        "web/staff/test_backup.py::test_a_backup_is_consistent_while_a_game_is_played",
        "web/staff/test_backup.py::test_a_restore_in_place_reloads_every_session",
        "web/staff/test_commands.py::test_a_seat_can_be_offered_again_in_mid_game",
        "web/staff/test_commands.py::test_tables_are_listed_and_filtered",
        "web/staff/test_moderation.py",
    )


@pytest.mark.slow
def test_a_backup_of_an_older_version_is_restored_and_its_games_verified(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    done = brass(home, "restore", DATA / "old-home.backup")
    assert done.returncode == 0, done.stderr
    games = {name: game for name, game in look(home).items() if name in expected()}
    assert len(games) == 10
    for name, game in games.items():
        assert game["position"] == expected()[name]["position"] and game["rules"], name


def test_games_of_an_older_backup_keep_what_they_began_with(tmp_path: Path) -> None:
    """What later migrations did with stored rows is done to restored rows, too."""
    ada = Guest("Ada")
    running, waiting = at_table(ada, Guest("Ben")), set_up(ada)
    ada.post(waiting, "invite", seat=1, address="cleo@example.org")
    mail = Mail.objects.get(seat__table=waiting)
    path, older = tmp_path / "site.backup", tmp_path / "older.backup"
    backup.write(path)

    def change(header: Header, rows: list[Any]) -> None:
        header["database"] = [name for name in header["database"] if name < "web.0011"]
        for row in rows:
            if row["model"] in ("web.table", "web.mail"):
                for field in ("hints", "requests", "plans", "seat"):
                    row["fields"].pop(field, None)

    older.write_bytes(forged(path, change))
    backup.read(older, replace=True)
    hints = {table.pk: table.hints for table in Table.objects.all()}
    assert hints[running.pk] and not hints[waiting.pk], "between people everyone could ask"
    assert Mail.objects.get(pk=mail.pk).seat_id == mail.seat_id, "its link names the seat"
    backup.read(path, replace=True)
    assert not Table.objects.get(pk=running.pk).hints


def test_accounts_of_an_older_backup_have_one_address(tmp_path: Path) -> None:
    """Before, an account had one for its password, and perhaps another for its games."""
    ada, ben = make_account("Ada"), make_account("Ben")
    for account in (ada, ben):
        addresses.keep(account.key, f"other-{account.pk}@example.org", confirmed=account == ada)
    path, older = tmp_path / "site.backup", tmp_path / "older.backup"
    backup.write(path)

    def change(header: Header, rows: list[Any]) -> None:
        header["database"] = [name for name in header["database"] if name < "web.0017"]
        for row in rows:
            if row["model"] == "web.contact":
                del row["fields"]["wants_mail"]

    older.write_bytes(forged(path, change))
    backup.read(older, replace=True)
    for account in (ada, ben):
        contact = addresses.of(account.key)
        assert contact.address == account.user.email and not contact.confirmed
        assert contact.wants_mail == (account == ada), "who had agreed is asked again"


# They changed what rows hold: files from before them are refused.
UNREADABLE = {
    *("web.0002_several_processes", "web.0003_friends", "web.0004_who_plays", "web.0005_accounts"),
    *("web.0006_days", "web.0007_office", "web.0008_mends", "web.0009_again"),
}


def test_it_is_decided_for_every_migration_whether_older_files_can_be_read() -> None:
    """Whoever adds a migration decides: it only adds something, or older files are refused."""
    steps = {f"web.{name}" for app, name in MigrationLoader(None).disk_migrations if app == "web"}
    assert steps - {"web.0001_initial"} == backup.ADDED | UNREADABLE
    assert not backup.ADDED & UNREADABLE


# --- refused files -------------------------------------------------------------------------------


def changed(path: Path, how: str) -> bytes:
    """Return a backup that is damaged or of another version."""
    data = path.read_bytes()
    lines = gzip.decompress(data).splitlines(keepends=True)
    header = json.loads(lines[0])
    match how:
        case "cut off":
            return data[: len(data) // 2]
        case "a flipped bit":
            place = len(data) // 2
            return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]
        case "a row changed":
            lines[1] = lines[1].replace(b'"', b"'", 1)
            return gzip.compress(b"".join(lines))
        case "a row less":
            del lines[1]
        case "no back-up":
            return b"hello"
        case "another text":
            return gzip.compress(b"hello\nworld\n")
        case "another JSON":
            return gzip.compress(b'[1]\n{"sha256": 2}\n')
        case "newer":
            header["database"].append("web.9999_later")
        case "older":
            header["database"].remove("web.0007_office")
    lines[0] = json.dumps(header).encode() + b"\n"
    checksum = sha256(b"".join(lines[:-1])).hexdigest()
    return gzip.compress(b"".join([*lines[:-1], json.dumps({"sha256": checksum}).encode()]))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("cut off", "is damaged"),
        ("a flipped bit", "is damaged"),
        ("a row changed", "is damaged"),
        ("a row less", "is damaged"),
        ("no back-up", "is damaged or not a"),
        ("another text", "not a Brassmill backup"),
        ("another JSON", "not a Brassmill backup"),
        ("newer", "does not know web.9999_later"),
        ("older", "restore it with version"),
    ],
)
def test_an_unsuitable_file_is_refused_and_nothing_changes(
    copy: Path, tmp_path: Path, how: str, words: str
) -> None:
    path = tmp_path / "bad.backup"
    path.write_bytes(changed(copy, how))
    table = make_table()
    with pytest.raises(BrassError, match=words):
        backup.read(path, replace=True)
    assert Table.objects.filter(pk=table.pk).exists()


def forged(path: Path, change: Callable[[Header, list[Any]], object]) -> bytes:
    """Return a backup that was changed by someone who knows how to make the checksum fit."""
    header, *rows, _checksum = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    change(header, rows)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in (header, *rows)]
    text = "".join(f"{line}\n" for line in lines).encode()
    return gzip.compress(text + json.dumps({"sha256": sha256(text).hexdigest()}).encode())


def added(row: Any) -> Callable[[Header, list[Any]], object]:
    """Add a row, and count it."""

    def change(header: Header, rows: list[Any]) -> None:
        header["rows"]["web.table"] += 1
        rows.append(row(rows) if callable(row) else row)

    return change


def a_row(kind: str, **fields: Any) -> dict[str, Any]:
    return {"model": f"web.{kind}", "pk": 10**6, "fields": fields}


def a_table(pk: str = "forged", **fields: Any) -> Callable[[Header, list[Any]], object]:
    """Add a copy of a table with some fields changed."""

    def copied(rows: list[Any]) -> Any:
        like = next(row for row in rows if row["model"] == "web.table")
        return {**like, "pk": pk or like["pk"], "fields": {**like["fields"], **fields}}

    return added(copied)


def without_tables(header: Header, rows: list[Any]) -> None:
    """Leave seats of tables that do not exist."""
    header["rows"]["web.table"] = 0
    rows[:] = [row for row in rows if row["model"] != "web.table"]


FORGED: dict[str, Callable[[Header, list[Any]], object]] = {
    "no migrations": lambda header, _rows: header.pop("database"),
    "migrations that are no list": lambda header, _rows: header.update(database=5),
    "no time": lambda header, _rows: header.pop("at"),
    "a key that is no text": lambda header, _rows: header.update(key=["x"]),
    "no count of tables": lambda header, rows: header.update(rows={"x": len(rows)}),
    "negative counts": lambda header, rows: header["rows"].update({"x": -1, "y": 1}),
    "no model": added({"pk": 1}),
    "a list": added([1]),
    "no JSON": added("x"),
    "nested too deep": added("[" * 100_000 + "]" * 100_000),
    "an unknown model": added({"model": "web.nothing", "pk": 1, "fields": {}}),
    "no name of a model": added({"model": "nothing", "pk": 1, "fields": {}}),
    "a row of Django": added(
        {"model": "contenttypes.contenttype", "pk": 999, "fields": {"app_label": "x", "model": "y"}}
    ),
    "an unknown field": a_table(nonsense=1),
    "a huge number": a_table(players=10**30),
    "no number": a_table(players="many"),
    "half a character": a_table(edition="\ud800"),
    "an impossible date": a_table(began="0000-99-99"),
    "an id twice": a_table(""),
    "missing tables": without_tables,
    "a webhook of a missing table": added(
        a_row("webhook", visitor="x", table="nothing", form="json", address="https://x.example")
    ),
    "a player who follows nobody": added(a_row("followedplayer", visitor="x", account=10**9)),
    "an attempt on no day": added(a_row("attempt", visitor="x", day="yesterday")),
    "a rating of nobody": added(a_row("ratedseat", game=10**9, player=None, number=0)),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_file_with_a_correct_checksum_changes_nothing(
    copy: Path, tmp_path: Path, how: str
) -> None:
    path = tmp_path / "bad.backup"
    path.write_bytes(forged(copy, FORGED[how]))
    table = make_table()
    with pytest.raises(BrassError, match=r"is damaged|does not fit this database"):
        backup.read(path, replace=True)
    assert Table.objects.filter(pk=table.pk).exists()
    assert not ContentType.objects.filter(pk=999).exists()


def test_a_database_with_content_is_not_overwritten(copy: Path) -> None:
    make_table()
    with pytest.raises(BrassError, match=r"^the database is not empty"):
        backup.read(copy)


@pytest.mark.slow
def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.backup"
    with gzip.open(path, "wb") as file:
        for _part in range(100):
            file.write(b"[" * 1_000_000)
    tracemalloc.start()
    with mock.patch.object(backup, "LONGEST", 1_000_000), pytest.raises(BrassError):
        backup.check(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 30_000_000


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BrassError, match="No such file"):
        backup.read(tmp_path / "nothing")


def test_a_restore_in_place_reloads_every_session(tmp_path: Path) -> None:
    session = sessions.get(make_table(people_only()).id)
    play_turn(session)
    path = tmp_path / "site.backup"
    backup.write(path)
    turns = session.turns
    for _turn in range(3):
        play_turn(session)
    Message.objects.create(table=session.table, seat=0, name="Ada", text="gone in a moment")
    backup.read(path, replace=True)
    assert not Message.objects.filter(text="gone in a moment").exists()
    with pytest.raises(Stale):  # the old session is out of date
        session.void()
    restored = sessions.get(session.table.id)
    assert restored is not session and restored.turns == turns and not restored.over
    play_turn(restored)
