"""The migrations lead to the tables that the models describe."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command


@pytest.mark.usefixtures("site")
def test_no_migration_is_missing() -> None:
    said = io.StringIO()
    try:
        call_command("makemigrations", "web", check=True, dry_run=True, stdout=said)
    except SystemExit:
        pytest.fail(said.getvalue())
