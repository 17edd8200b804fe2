"""Backups: everything in one file, and restoring it.

The file is compressed text. The first line is a header: the version, the state of the database and
the number of rows of each kind. Then follows a line for each row, and finally a line with the
checksum of everything before it. A backup is a snapshot of the database, made while the site is
running, and both written and read row by row, so a site of any size fits. The format is independent
of SQLite and PostgreSQL, so a backup also moves a site from one to the other.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from importlib import import_module
from io import StringIO
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TextIO

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError, DeserializedObject
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DataError, IntegrityError, connection, transaction
from django.db.migrations import RunPython
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from django.utils import timezone

from brassmill import __version__
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.rules.version import RULES_VERSION
from brassmill.web.server import database, notify
from brassmill.web.table import sessions

FORMAT = "brassmill back-up 2"  # 2: the header names the rules
READ = ("brassmill back-up 1", FORMAT)
# Migrations that only add tables, fields with defaults, or room: older rows can still be read. What
# they do to stored rows must not need the schema.
ADDED = {
    *("web.0010_rules", "web.0011_invited_seats", "web.0012_known_networks"),
    *("web.0013_longer_names", "web.0014_hints_between_people", "web.0015_requests"),
    *("web.0016_room_for_uploads", "web.0017_one_address", "web.0018_deal_of_the_day"),
    *("web.0019_puzzles", "web.0020_analysis", "web.0021_study", "web.0022_ratings"),
    *("web.0023_profiles", "web.0024_delivery", "web.0025_archive"),
    *("web.0026_programs", "web.0027_clubs", "web.0028_tournaments"),
}
APPS = ("auth", "web", "admin")  # in order of dependency
# Created by the database itself, or short-lived.
PASSING = ("auth.permission", "web.pendingnotification")
BATCH = 500  # rows read or written at once
LONGEST = 32_000_000  # characters of a row: an uploaded record of 1 MB may take 12 when escaped
# Errors that a damaged or forged file can cause, and those that its rows can cause.
DAMAGE = (
    *(gzip.BadGzipFile, zlib.error, EOFError, RecursionError),
    *(ValueError, TypeError, KeyError, AttributeError),
)
MISFITS = (
    *(DeserializationError, FieldDoesNotExist, IntegrityError, DataError, OverflowError),
    *DAMAGE,
)

Header = dict[str, Any]


class Exact(DjangoJSONEncoder):
    """Django's encoder, without cutting times to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def models() -> list[type[Model]]:
    """Return all models that are backed up."""
    return [
        model
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        if model._meta.label_lower not in PASSING
    ]


# --- back up -------------------------------------------------------------------------------------


def write(path: Path, with_key: bool = False) -> Header:
    """Write everything to a new file; return its header."""
    if path.exists():
        words = _("{file} already exists; choose another name")
        raise BrassError(words.format(file=path))
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb", opener=_for_the_owner) as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file, _snapshot():
                header = _header(with_key)
                _write_rows(file, header)
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)  # complete or not at all
    except OSError as error:
        words = _("cannot write {file}: {reason}")
        raise BrassError(words.format(file=path, reason=error.strerror or error)) from error
    finally:
        with suppress(OSError):  # it may have been moved into place
            part.unlink()
    return header


def _for_the_owner(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)  # the file contains every hidden hand


def _header(with_key: bool) -> Header:
    header: Header = {
        "format": FORMAT,
        "version": __version__,
        "rules": RULES_VERSION,
        "at": timezone.now().isoformat(timespec="seconds"),
        "database": sorted(_applied()),
        "rows": {model._meta.label_lower: model._base_manager.count() for model in models()},
    }
    return header | ({"key": settings.SECRET_KEY} if with_key else {})


def _write_rows(file: gzip.GzipFile, header: Header) -> None:
    checksum = sha256()

    def put(text: str) -> None:
        data = text.encode()
        checksum.update(data)
        file.write(data)

    put(json.dumps(header) + "\n")
    serializer = serializers.get_serializer("jsonl")()
    for model in models():
        rows = model._base_manager.order_by("pk").iterator(BATCH)
        while batch := list(islice(rows, BATCH)):
            text = StringIO()
            serializer.serialize(batch, stream=text, use_natural_foreign_keys=True, cls=Exact)
            put(text.getvalue())
    file.write(json.dumps({"sha256": checksum.hexdigest()}).encode() + b"\n")


@contextmanager
def _snapshot() -> Iterator[None]:
    """Read from a snapshot of the database, without blocking writers."""
    if database.is_shared():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # Django's own would block writers
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


# --- restore -------------------------------------------------------------------------------------


def check(path: Path) -> Header:
    """Return the header of a complete file that fits this site, or raise an error."""
    header = _whole(path)
    if header.get("format") not in READ:
        raise BrassError(_("{file} is not a Brassmill backup").format(file=path))
    known, there = _applied(), set(header["database"])
    if newer := sorted(there - known):
        words = _(
            "{file} was made by a newer Brassmill ({version}; this is {own}, which does not "
            "know {step}); upgrade, then restore it"
        )
        raise BrassError(
            words.format(file=path, own=__version__, step=newer[0], **_version(header))
        )
    if known - there - ADDED:
        words = _(
            "{file} was made by an older Brassmill; restore it with version {version}, then "
            "start this one ({own}) to upgrade the database"
        )
        raise BrassError(words.format(file=path, own=__version__, **_version(header)))
    return header


def read(path: Path, replace: bool = False) -> Header:
    """Restore everything from a file; all of it, or nothing is changed."""
    header = check(path)
    try:
        with transaction.atomic():
            _lock()
            if replace:
                _clear()
            elif any(model._base_manager.exists() for model in models()):
                words = _(
                    "the database is not empty; --replace replaces everything in it with {file}"
                )
                raise BrassError(words.format(file=path))
            _read_rows(path)
            _migrate_rows(set(header["database"]))
            notify.send(notify.RELOAD, notify.EVERYTHING)
    except BrassError:
        raise  # it says already what is wrong
    except MISFITS as error:
        words = _("{file} does not fit this database: {reason}. Nothing was changed.")
        reason = str(error).partition("\n")[0][:200]
        raise BrassError(words.format(file=path, reason=reason)) from error
    sessions.reload_all(notify.EVERYTHING)
    return header


def _version(header: Header) -> dict[str, str]:
    return {"version": str(header.get("version", "?"))}


def _whole(path: Path) -> Header:
    """Read a file from end to end, and verify its checksum and counts."""
    checksum, last, first, rows = sha256(), b"", b"", -2
    try:
        with gzip.open(path, "rb") as file:
            while line := file.readline(LONGEST):
                first = first or line
                checksum.update(last)
                last, rows = line, rows + 1
        header = _sound(json.loads(first))
        if json.loads(last) != {"sha256": checksum.hexdigest()}:
            raise ValueError
        if rows != sum(header["rows"].values()):
            raise ValueError
    except DAMAGE as error:
        words = _("{file} is damaged or not a Brassmill backup. Nothing was changed.")
        raise BrassError(words.format(file=path)) from error
    except OSError as error:
        words = _("cannot read {file}: {reason}")
        raise BrassError(words.format(file=path, reason=error.strerror or error)) from error
    return header


def _sound(header: Header) -> Header:
    """Return a header that has everything in it that restoring uses."""
    texts = [header["format"], header["at"], header.get("key", "none"), *header["database"]]
    counts = [header["rows"]["web.table"], *header["rows"].values()]
    if not all(isinstance(text, str) and text for text in texts):
        raise TypeError
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise TypeError
    return header


def _read_rows(path: Path) -> None:
    known = {model._meta.label_lower: model for model in models()}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = map(json.loads, _rows_in(islice(_lines_in(file), 1, None)))
        for kind, some in groupby(rows, key=lambda row: str(row["model"])):
            if kind not in known:
                raise ValueError(f"unknown kind of row: {kind}")
            while batch := list(islice(some, BATCH)):
                found = list(serializers.deserialize("python", batch))
                known[kind]._base_manager.bulk_create([row.object for row in found])
                for row in found:
                    _relate(row)
    with connection.cursor() as cursor:  # the next row would get a number in use otherwise
        for statement in connection.ops.sequence_reset_sql(no_style(), models()):
            cursor.execute(statement)


def _migrate_rows(there: set[str]) -> None:
    """Do to the rows of an older file what later migrations did to stored rows."""
    for step in sorted(ADDED - there):
        app, name = step.split(".")
        module = import_module(f"{apps.get_app_config(app).name}.migrations.{name}")
        for operation in module.Migration.operations:
            if isinstance(operation, RunPython):
                code: Callable[..., object] = operation.code
                code(apps, None)


def _lines_in(file: TextIO) -> Iterator[str]:
    """Return the lines of a file; one without an end would fill the memory."""
    while line := file.readline(LONGEST):
        yield line


def _rows_in(lines: Iterable[str]) -> Iterator[str]:
    """Return all lines but the last, which is the checksum."""
    held = ""
    for line in lines:
        if held:
            yield held
        held = line


def _relate(row: DeserializedObject) -> None:
    for name, values in (row.m2m_data or {}).items():
        getattr(row.object, name).set(values)


def _lock() -> None:
    """Block writers until the restore is done; with SQLite the transaction alone does it."""
    if database.is_shared():
        names = ", ".join(connection.ops.quote_name(table) for table in _tables())
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _clear() -> None:
    with connection.cursor() as cursor:
        for table in _tables():  # foreign keys are checked at the end
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def _tables() -> list[str]:
    """Return the database tables, including those of many-to-many relations."""
    between = [field.m2m_db_table() for model in models() for field in model._meta.many_to_many]
    return [*between, *(model._meta.db_table for model in reversed(models()))]


def _applied() -> set[str]:
    """Return the migrations that have been applied."""
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}
