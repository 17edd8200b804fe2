"""SQLite locks its whole file: while another process writes, pages are still shown."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import connection

from brassmill.web.table import sessions
from support.web import make_table, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")


def test_pages_are_shown_while_the_database_cannot_be_written() -> None:
    session = sessions.get(make_table(people_only(), hands="open").id)
    table, client = f"/t/{session.table.id}", visitor()
    pages = ("/", "/lobby/", "/records/", "/sign-in/", f"{table}/", f"{table}.json")
    lock = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    connection.ensure_connection()
    connection.connection.execute("PRAGMA busy_timeout=0")  # writing fails at once
    choice = session.game.legal_choices().ids[0]
    sent = {"number": session.number, "choice": choice}
    try:
        assert [client.get(page).status_code for page in pages] == [200] * len(pages)
        assert client.post(f"{table}/choose/", sent).status_code == 503
    finally:
        lock.close()
        connection.close()
    assert client.post(f"{table}/choose/", sent).status_code == 302
    assert sessions.get(session.table.id).length == 1
