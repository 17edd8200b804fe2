"""Limits of Django's admin: what may be filtered by, which ids exist, who grants rights.

Django filters a list by any column, shown or not, so the answer to `?host__startswith=a` would give
away a player's key letter by letter, and with it their seat; the same goes for seeds and log
entries. Here only the filters on the page work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

if TYPE_CHECKING:  # generic only in the type stubs
    Pages = admin.ModelAdmin[Any]
    Users = UserAdmin[User]
else:
    Pages, Users = admin.ModelAdmin, UserAdmin

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")

View = Callable[..., HttpResponseBase]


def without_null(view: View) -> View:
    """Refuse requests with null characters, which PostgreSQL cannot even look for."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if any("\0" in text for text in texts_of(request)):
            raise SuspiciousOperation("null character in a request to the admin")
        return view(request, *args, **kwargs)

    return answer


def texts_of(request: HttpRequest) -> Iterator[str]:
    """Everything a request says."""
    yield request.path
    for given in (request.GET, request.POST):
        for name, values in given.lists():
            yield name
            yield from map(str, values)


class SafePages(Pages):
    """Pages that can be filtered only as they show, and whose actions refuse impossible ids."""

    linked_by: tuple[str, ...] = ()  # fields by which links on other pages filter

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow only filters of the page."""
        filters = (each[0] if isinstance(each, tuple) else each for each in self.list_filter)
        names = [getattr(each, "parameter_name", each) for each in filters]
        is_shown = any(
            f"{lookup}__".startswith(f"{name}__")
            for name in (*names, *self.linked_by, self.date_hierarchy)
        )
        return is_shown and super().lookup_allowed(lookup, value, request)

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *location: Any
    ) -> HttpResponse | None:
        """Run an action; an id that no row can have is refused."""
        try:
            for given in request.POST.getlist(ACTION_CHECKBOX_NAME):
                self.opts.pk.clean(given, None)
        except ValidationError:
            messages.error(request, "Not a row of this list.")
            return None
        return super().response_action(request, queryset, *location)


class SafeUsers(SafePages, Users):
    """Accounts. Only a superuser grants rights or changes the account of an operator."""

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, *RIGHTS)

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and _is_within_rights(request, obj)

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and _is_within_rights(request, obj)


def _is_within_rights(request: Any, user: User | None) -> bool:
    return request.user.is_superuser or user is None or not user.is_staff


class SafeGroups(SafePages, GroupAdmin):
    """Groups of operators, which grant rights: for superusers only."""

    def has_module_permission(self, request: Any) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: Any, obj: Group | None = None) -> bool:
        return bool(request.user.is_superuser)

    has_add_permission = has_view_permission
    has_change_permission = has_view_permission
    has_delete_permission = has_view_permission
