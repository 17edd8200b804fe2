"""The database: an SQLite file in the home folder, or PostgreSQL if `DATABASE_URL` names a server.

SQLite allows one server process. With PostgreSQL several share the work, on one machine or many.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import (
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
)
from django.utils import timezone

from brassmill.errors import BrassError
from brassmill.language import gettext as _

# Not responding, locked, or read-only while another server takes over: perhaps only for a moment.
TROUBLE = (OperationalError, InterfaceError, InternalError)

SCHEMES = ("postgres", "postgresql")
PATIENCE = 5  # seconds for a connection or a lock
LIBPQ = {
    "connect_timeout": PATIENCE,
    "options": f"-c lock_timeout={PATIENCE}s",
    # A machine that disappears from the network closes no connection. By default that is noticed
    # after 15 minutes if something was sent, and otherwise after two hours.
    "keepalives_idle": PATIENCE,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 2 * PATIENCE * 1000,  # milliseconds
}
POOL = {
    "min_size": 1,
    "max_size": 20,  # per process; PostgreSQL allows 100 by default
    "timeout": PATIENCE,
    # By default it waits longer and longer between attempts, and finds a restarted server late.
    "reconnect_timeout": 1,
}
MIGRATING = 0x62726173  # the key of the advisory lock


def settings_of(url: str, home: Path) -> dict[str, Any]:
    """Django's database settings; an error says what is wrong with the URL."""
    if url:
        return _server(url)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": home / "table.sqlite3",
        "CONN_MAX_AGE": None,  # each page thread keeps its own
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",  # wait for the lock at the start of a transaction
            "timeout": PATIENCE,  # then the answer is 503
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            " PRAGMA secure_delete=FAST;",  # what is deleted leaves the file, too
        },
    }


def _server(url: str) -> dict[str, Any]:
    if url.partition(":")[0] not in SCHEMES:
        words = _("DATABASE_URL must look like postgresql://NAME:PASSWORD@HOST:5432/DATABASE")
        raise BrassError(words)
    try:
        import dj_database_url
        import psycopg_pool  # noqa: F401 (Django imports it when it first connects)
    except ImportError as error:
        words = _("DATABASE_URL needs an extra package: pip install 'brassmill[postgres]'")
        raise BrassError(words) from error
    try:
        found: dict[str, Any] = {**dj_database_url.parse(url, conn_health_checks=True)}
    except ValueError as error:
        words = _("cannot read DATABASE_URL: {reason}")
        raise BrassError(words.format(reason=error)) from error
    options = {**LIBPQ, **found.get("OPTIONS", {}), "pool": POOL}
    return {**found, "OPTIONS": options}


def cache_of(url: str) -> dict[str, Any]:
    """Django's cache settings; all processes of a database share the cache."""
    place = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    if url:
        place = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "web_cache"}
    return {**place, "OPTIONS": {"MAX_ENTRIES": 100_000}}  # beyond that, some are evicted early


def is_shared() -> bool:
    """Can several processes use it?"""
    return connection.vendor == "postgresql"


def now() -> datetime:
    """The current time by the database clock, which is the same for all processes."""
    if not is_shared():
        return timezone.now()  # SQLite has no clock but this machine's
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


# --- migrations and connections ------------------------------------------------------------------


def prepare() -> None:
    """Migrate the database. Processes starting at the same time wait for each other."""
    from django.core.management import call_command

    try:
        with _alone():
            check_version()
            call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
            call_command("createcachetable", verbosity=0)
    except (DatabaseError, InterfaceError, OSError) as error:
        raise BrassError(_unusable(error)) from error
    finally:
        connection.close()


def check_version() -> None:
    """Refuse a database that a newer version has upgraded: this one would misread it."""
    from django.db.migrations.recorder import MigrationRecorder

    applied = MigrationRecorder(connection).applied_migrations()
    unknown = sorted(step for step in applied if step[0] == "web" and step not in _own_steps())
    if unknown:
        words = _("a newer Brassmill has upgraded the database ({step}); upgrade this one, too")
        raise BrassError(words.format(step=".".join(unknown[0])))


@functools.cache
def _own_steps() -> frozenset[tuple[str, str]]:
    """The migrations of this version. A newer one may be installed over it while it runs."""
    from django.db.migrations.loader import MigrationLoader

    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock for migrations."""
    if not is_shared():
        from filelock import FileLock

        file = Path(connection.settings_dict["NAME"])
        file.touch(mode=0o600)  # readable by its owner only
        with FileLock(file.with_suffix(".lock")):
            yield
        return
    _reach()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = 0")  # another process may migrate for minutes
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])
            cursor.execute("RESET lock_timeout")


def _reach() -> None:
    """Connect once without the pool, whose errors do not give the reason."""
    line().close()


def line() -> Any:
    """A PostgreSQL connection separate from Django's."""
    import psycopg

    with connection.wrap_database_errors:
        return psycopg.connect(**connection.get_connection_params(), autocommit=True)


def mend() -> None:
    """Drop broken connections from the pool, or later queries would try them one by one."""
    connection.pool.check()  # type: ignore[attr-defined]


def _unusable(error: Exception) -> str:
    if not is_shared():
        words = _(
            "cannot use the database {file}: {reason}. Move it elsewhere to start with a new one."
        )
        return words.format(file=connection.settings_dict["NAME"], reason=error)
    server = connection.settings_dict
    place = f"{server['HOST'] or 'localhost'}:{server['PORT'] or 5432}/{server['NAME']}"
    words = _("cannot use the database {place} of DATABASE_URL: {reason}")
    return words.format(place=place, reason=str(error).partition("\n")[0])
