"""A back-up: everything that is kept, in one file, and the way back from it.

The file is compressed text. Its first line says what it is: the version, the state of the database
and how many rows there are of each kind. Then comes a line for each row, and at last a line with
the checksum of all before it. It is made from one moment of the database while the site goes on,
and read row by row: no site is too large for it. It knows neither SQLite nor PostgreSQL, so it is
also the way from one to the other.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from io import StringIO
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError, DeserializedObject
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, transaction
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
# Steps of the database that only add what has a value by itself: rows from before can be read.
ADDED = {"web.0010_rules", "web.0011_invited_seats"}
APPS = ("auth", "web", "admin")  # in the order in which rows need each other
# Made by the database itself, or gone in a moment.
PASSING = ("auth.permission", "web.pendingnotification")
BATCH = 500  # rows that are read or written at once
# What comes of a file that is not as it was written.
DAMAGE = (gzip.BadGzipFile, zlib.error, EOFError, ValueError, TypeError, KeyError, AttributeError)

Header = dict[str, Any]


class Exact(DjangoJSONEncoder):
    """Django's, which would cut moments to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def models() -> list[type[Model]]:
    """All that is kept."""
    return [
        model
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        if model._meta.label_lower not in PASSING
    ]


# --- there ---------------------------------------------------------------------------------------


def write(path: Path, with_key: bool = False) -> Header:
    """Write everything to a file that is not there yet: its header."""
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
        part.replace(path)  # whole or not at all
    except OSError as error:
        words = _("cannot write {file}: {reason}")
        raise BrassError(words.format(file=path, reason=error.strerror or error)) from error
    finally:
        with suppress(OSError):  # it may be in its place already
            part.unlink()
    return header


def _for_the_owner(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)  # every hidden hand is in it


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
    """What is read here is all of one moment; nobody waits for it."""
    if database.is_shared():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # Django's own would keep others from writing
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


# --- and back ------------------------------------------------------------------------------------


def check(path: Path) -> Header:
    """The header of a file that is whole and can be restored here; an error says why it is not."""
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
    """Put everything into the database that a file holds; all of it, or nothing is changed."""
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
            notify.send(notify.ANEW, notify.EVERYTHING)
    except (DeserializationError, IntegrityError) as error:
        words = _("{file} does not fit this database: {reason}. Nothing was changed.")
        reason = str(error).partition("\n")[0]
        raise BrassError(words.format(file=path, reason=reason)) from error
    sessions.reload_all(notify.EVERYTHING)
    return header


def _version(header: Header) -> dict[str, str]:
    return {"version": str(header.get("version", "?"))}


def _whole(path: Path) -> Header:
    """Read a file once from end to end, and compare its checksum and its counts."""
    checksum, last, first, rows = sha256(), b"", b"", -2
    try:
        with gzip.open(path, "rb") as file:
            for line in file:
                first = first or line
                checksum.update(last)
                last, rows = line, rows + 1
        header: Header = json.loads(first)
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


def _read_rows(path: Path) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = map(json.loads, _rows_in(islice(file, 1, None)))
        for kind, some in groupby(rows, key=lambda row: str(row["model"])):
            while batch := list(islice(some, BATCH)):
                found = list(serializers.deserialize("python", batch))
                apps.get_model(kind)._base_manager.bulk_create([row.object for row in found])
                for row in found:
                    _relate(row)
    with connection.cursor() as cursor:  # or the next row would get a number that is taken
        for statement in connection.ops.sequence_reset_sql(no_style(), models()):
            cursor.execute(statement)


def _rows_in(lines: Iterable[str]) -> Iterator[str]:
    """All but the last line, which is the checksum."""
    held = ""
    for line in lines:
        if held:
            yield held
        held = line


def _relate(row: DeserializedObject) -> None:
    for name, values in (row.m2m_data or {}).items():
        getattr(row.object, name).set(values)


def _lock() -> None:
    """Whoever wants to write waits until it is over; a file is locked by the transaction alone."""
    if database.is_shared():
        names = ", ".join(connection.ops.quote_name(table) for table in _tables())
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _clear() -> None:
    with connection.cursor() as cursor:
        for table in _tables():  # what points to a row that is gone is checked at the end
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def _tables() -> list[str]:
    """The tables of the database, those between two kinds of rows too."""
    between = [field.m2m_db_table() for model in models() for field in model._meta.many_to_many]
    return [*between, *(model._meta.db_table for model in reversed(models()))]


def _applied() -> set[str]:
    """The steps that have made the database what it is."""
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}
