"""Reports of players at /admin/: a queue that operators answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.http import HttpRequest

from brassmill.web.identity import blocks
from brassmill.web.models import PlayerReport
from brassmill.web.moderation import player_reports
from brassmill.web.staff.read_only import ReadOnly, list_action
from brassmill.web.staff.safe_admin import SafePages

if TYPE_CHECKING:  # generic only in the type stubs
    Form = forms.ModelForm[PlayerReport]
else:
    Form = forms.ModelForm


class AnswerForm(Form):
    """Resolve or dismiss a report, with a note that its author reads."""

    class Meta:
        model = PlayerReport
        fields = ("state", "answer")
        widgets = {"answer": forms.Textarea}  # noqa: RUF012 (as Django has it)

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if found.get("state") == PlayerReport.OPEN:
            raise ValidationError("Resolve it or dismiss it.")
        if not found.get("answer", "").strip():
            raise ValidationError("Answer whoever has reported the player.")
        return found


class PlayerReportAdmin(ReadOnly):
    """Players who were reported. Their names are as they were then."""

    list_display = ("name", "reason", "text", "table", "at", "state", "times")
    list_filter = ("state", "reason")
    search_fields = ("name", "text", "answer")
    list_select_related = ("table",)
    ordering = (F("answered").asc(nulls_first=True), "pk")
    form = AnswerForm
    fields = ("name", "reason", "text", "table", "at", "times", "state", "answer")
    readonly_fields = ("name", "reason", "text", "table", "at", "times")
    actions = ("block",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return SafePages.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        player_reports.answer(obj, obj.state, obj.answer)

    @admin.display(description="reports about this player")
    def times(self, made: PlayerReport) -> int:
        return PlayerReport.objects.filter(about=made.about).count()

    @list_action("Block the player")
    def block(self, request: HttpRequest, rows: QuerySet[PlayerReport]) -> None:
        def one(made: PlayerReport) -> None:
            found = blocks.of_visitor(made.about, made.name)
            if found.pk is None:
                found.reason = made.reason
                found.save()

        self.do_each(request, rows, one, "blocked")
