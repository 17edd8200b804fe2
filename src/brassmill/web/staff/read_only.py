"""Pages of Django's admin on which rows are shown, and changed only by actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import QuerySet
from django.http import HttpRequest

from brassmill.errors import BrassError
from brassmill.web.staff.safe_admin import SafePages


class ReadOnly(SafePages):
    """Rows that can be viewed, and changed only by actions."""

    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list; a year out of range is an invalid filter and shows all rows."""
        try:
            return super().get_changelist_instance(request)
        except OverflowError as error:
            raise IncorrectLookupParameters(error) from error

    # --- actions ---

    def do_each(
        self,
        request: HttpRequest,
        rows: QuerySet[Any],
        action: Callable[[Any], Any],
        words: str,
    ) -> None:
        """Apply an action to each row, log it, and report it."""
        for row in rows:
            try:
                action(row)
            except BrassError as refused:
                messages.error(request, f"{row}: {refused}")
            else:
                self.log_change(request, row, words)
                messages.success(request, f"{row}: {words}")


def list_action(words: str) -> Callable[[Any], Any]:
    """Declare an action of a list; it requires permission to delete."""
    return admin.action(description=words, permissions=["delete"])
