"""Clubs at /admin/: operators may close one and delete its messages; they see no invitation."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from brassmill.web.clubs import clubs
from brassmill.web.models import Club, Member
from brassmill.web.staff.read_only import ReadOnly, list_action


class ClubAdmin(ReadOnly):
    """Clubs, which an action closes."""

    list_display = ("name", "who", "size", "joining", "founded", "closed")
    list_filter = ("joining", ("closed", admin.EmptyFieldListFilter))
    search_fields = ("name", "about")
    fields = readonly_fields = ("name", "about", "who", "size", "joining", "founded", "closed")
    actions = ("close",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        rows: QuerySet[Club] = super().get_queryset(request)
        return rows.annotate(count=Count("members"))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never delete a club, whose games stay private; but the action needs the permission."""
        return obj is None and super().has_delete_permission(request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    @admin.display(description="host")
    def who(self, club: Club) -> str:
        host = club.members.filter(role=Member.HOST).select_related("account").first()
        return str(host.account) if host else ""

    @admin.display(ordering="count", description="members")
    def size(self, club: Any) -> int:
        return int(club.count)

    @list_action("Close")
    def close(self, request: HttpRequest, rows: QuerySet[Club]) -> None:
        self.do_each(request, rows, clubs.close, "closed")


class ClubMessageAdmin(ReadOnly):
    """Messages in the chats of clubs."""

    list_display = ("text", "account", "club", "at")
    search_fields = ("text", "club__name", "account__name")
    list_select_related = ("account", "club")
    fields = readonly_fields = ("club", "account", "text", "at")
