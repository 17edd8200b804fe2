"""Django's admin at /admin/, for operators. Changes to a game also appear in its log.

Seats change hands by `brass admin seat` alone. Players' keys are not shown, and the hidden parts
of a running game only on a page of their own. Every action is logged (Django's `LogEntry`). The
pages are in English, like Django's own texts here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from time import time
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils import timezone

from brassmill import terms
from brassmill.errors import BrassError
from brassmill.web.accounts import accounts, deletion
from brassmill.web.chat import chat
from brassmill.web.identity import blocks, networks, rate_limit
from brassmill.web.identity.visitor import VISITOR
from brassmill.web.models import (
    Account,
    Block,
    Club,
    ClubMessage,
    Entry,
    Message,
    PlayerReport,
    RatedGame,
    Report,
    Seat,
    Table,
    Upload,
)
from brassmill.web.server.errors import too_often
from brassmill.web.setup.clocks import has_bank
from brassmill.web.staff.clubs_admin import ClubAdmin, ClubMessageAdmin
from brassmill.web.staff.ratings_admin import RatedGameAdmin
from brassmill.web.staff.read_only import ReadOnly, list_action
from brassmill.web.staff.reports_admin import PlayerReportAdmin
from brassmill.web.staff.safe_admin import SafeGroups, SafePages, SafeUsers, without_null
from brassmill.web.staff.table_state import MISFIT, OVER, STATES, in_state, state_of, turn_of
from brassmill.web.table import repair, sessions
from brassmill.web.table.session import TableSession

if TYPE_CHECKING:  # generic only in the type stubs
    Rows = admin.TabularInline[Seat, Table]
    Form = forms.ModelForm[Block]
else:
    Rows, Form = admin.TabularInline, forms.ModelForm

SINCE = "staff"  # session key: when an operator last logged in
HOURS = 12  # for which a login is valid
SAW_HANDS = "saw all hands"  # in the log
MINUTES = 10  # for which all hands are shown


class StaffSite(admin.AdminSite):
    """The admin pages; login attempts are rate limited."""

    site_header = site_title = "Brassmill"
    index_title = "Administration"

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(without_null(view), cacheable)

    def has_permission(self, request: HttpRequest) -> bool:
        """Require a recent login: the cookies of this site last a year."""
        age = time() - request.session.get(SINCE, 0)  # negative if the clock was set back
        return abs(age) < HOURS * 3600 and super().has_permission(request)

    def login(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.method == "POST":
            name = request.POST.get("username", "")[:150].casefold()
            aim = networks.aim_of(request, name)
            if not rate_limit.is_allowed(request, rate_limit.STAFF, aim):
                return too_often(request)
        before = request.session.get(VISITOR, "")
        response = super().login(request, extra_context)
        is_proved = request.method == "POST" and response.status_code == 302
        if is_proved and request.user.is_authenticated:  # otherwise the login failed
            request.session[SINCE] = int(time())
            if before:  # the operator may play in the same browser
                accounts.adopt(request.user.account, before)
                request.session.pop(VISITOR, None)
        return response


staff_site = StaffSite(name="admin")


# --- tables --------------------------------------------------------------------------------------


class SeatColumns:
    """The columns of a seat wherever seats are listed."""

    @admin.display(description="seat", ordering="number")
    def place(self, seat: Seat) -> int:
        """Return the seat number, counted from 1."""
        return seat.number + 1

    @admin.display(boolean=True, description="held by somebody")
    def is_held(self, seat: Seat) -> bool:
        return bool(seat.holder)


class Seats(SeatColumns, Rows):
    """The seats of a table."""

    model = Seat
    fields = readonly_fields = ("place", "name", "bot", "is_held", "offered")
    can_delete = False
    max_num = 0


class StateFilter(admin.SimpleListFilter):
    """Tables in one state, or those played by other rules."""

    title = parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [*STATES.items(), (MISFIT, "under earlier rules")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        state = self.value()
        return in_state(queryset, state) if state in (*STATES, MISFIT) else queryset


class PointForm(forms.Form):
    """A form to choose the point to rewind a game to."""

    def __init__(self, session: TableSession, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entry"] = forms.IntegerField(
            min_value=0,
            max_value=session.length - 1,
            label="Rewind to log entry",
            help_text="The game returns to its state after this entry.",
        )


Page = Callable[["TableAdmin", HttpRequest, TableSession], HttpResponse]


def with_session(page: Page) -> Callable[[TableAdmin, HttpRequest, str], HttpResponse]:
    """Pass the table's session to a page; it requires permission to delete."""

    @wraps(page)
    def answer(self: TableAdmin, request: HttpRequest, pk: str) -> HttpResponse:
        table = get_object_or_404(Table, pk=pk)
        if not self.has_delete_permission(request, table):
            raise PermissionDenied
        try:
            return page(self, request, sessions.get(pk))
        except BrassError as refused:  # such as a log from other rules
            messages.error(request, f"{table}: {refused}")
        return redirect("admin:web_table_change", quote(pk))

    return answer


class TableAdmin(ReadOnly):
    """All tables of the site."""

    list_display = ("id", "edition", "state", "who", "turn", "began", "touched")
    list_filter = (StateFilter, "listed", "muted", "edition", "players")
    search_fields = ("id", "seats__name")
    date_hierarchy = "touched"
    inlines = (Seats,)
    actions = ("void", "close_chat", "open_chat")
    change_form_template = "admin/web/table/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        rows: QuerySet[Table] = super().get_queryset(request)
        return rows.prefetch_related("seats")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields; the seed reveals all hands, so it is hidden until the game is over."""
        shown = [
            *("id", "edition", "players", "options", "hands", "state", "turn", "began", "touched"),
            *("listed", "overheard", "muted", "standby"),
        ]
        return [*shown, "seed"] if obj and state_of(obj) == OVER else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.get_fields(request, obj)

    @admin.display(ordering="over")
    def state(self, table: Table) -> str:
        words = STATES[state_of(table)]
        return f"{words}, under earlier rules" if table.misfit else words

    @admin.display(description="players")
    def who(self, table: Table) -> str:
        return ", ".join(seat.name or "…" for seat in table.seats.all())

    def turn(self, table: Table) -> str:
        return turn_of(table)

    # --- actions ---

    @list_action("End without a result")
    def void(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        self.do_each(request, rows, lambda row: repair.void(row.pk), "ended without a result")

    @list_action("Close the chat")
    def close_chat(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        self.do_each(request, rows, lambda row: chat.mute(row, True), "chat closed")

    @list_action("Open the chat")
    def open_chat(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        self.do_each(request, rows, lambda row: chat.mute(row, False), "chat opened")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Do not list what is deleted with a table: its log may be long."""
        return [str(table) for table in objs], {"tables": len(objs)}, set(), []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        repair.delete(obj.pk)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        for table in queryset:
            self.delete_model(request, table)

    # --- the game ---

    def get_urls(self) -> list[URLPattern]:
        pages = {"back": self.back, "hands": self.all_hands}
        own = [
            path(f"<str:pk>/{name}/", self.admin_site.admin_view(page), name=f"web_table_{name}")
            for name, page in pages.items()
        ]
        return [*own, *super().get_urls()]

    @with_session
    def back(self, request: HttpRequest, session: TableSession) -> HttpResponse:
        """Show the turns of a game, and rewind to one of them or to any log entry."""
        table = session.table
        form = PointForm(session, request.POST or None, initial=request.GET.dict())
        if form.is_valid():
            entry = form.cleaned_data["entry"]
            knows_banks = repair.rewind(session, entry)
            self.log_change(request, table, f"back to entry {entry}")
            messages.success(request, f"{table} is back at entry {entry}.")
            if knows_banks:
                messages.success(request, "All clocks are back to what they were then.")
            elif has_bank(table):
                words = "The clocks at that point are unknown: they stay as they are."
                messages.warning(request, words)
            return redirect("admin:web_table_change", quote(table.pk))
        turns = [
            {
                "number": start.turn,
                "entry": start.entry,
                "is_past": start.entry < session.length,
                "round": f"{terms.era(start.era)} {start.round}",
                "name": "" if start.seat is None else session.game.seats[start.seat],
                "log": repair.turn_in_words(session, start),
            }
            for start in reversed(session.turn_starts)
        ]
        return self._show(request, table, "back", "Rewind", form=form, turns=turns)

    @with_session
    def all_hands(self, request: HttpRequest, session: TableSession) -> HttpResponse:
        """Show all hands and the seed, to settle a dispute; but first log who looks."""
        table = session.table
        if request.method == "POST":
            self.log_change(request, table, SAW_HANDS)
            return redirect("admin:web_table_hands", table.pk)
        assert request.user.is_authenticated  # all pages here require it
        is_logged = LogEntry.objects.filter(
            user=request.user,
            object_id=table.pk,
            change_message=SAW_HANDS,
            action_time__gt=timezone.now() - timedelta(minutes=MINUTES),
        ).exists()
        secrets = {"hands": hands_of(session), "seed": table.seed} if is_logged else {}
        return self._show(request, table, "hands", "All hands", minutes=MINUTES, **secrets)

    def _show(
        self, request: HttpRequest, table: Table, page: str, title: str, **more: Any
    ) -> HttpResponse:
        """Show a page about a game."""
        context = {**self.admin_site.each_context(request), "original": table, "opts": self.opts}
        context |= {"title": title, **more}
        return render(request, f"admin/web/table/{page}.html", context)


def hands_of(session: TableSession) -> dict[str, str]:
    """Return the cards of every player, whoever asks."""
    return {
        seat.name: ", ".join(
            terms.card(card)
            for card, count in (session.view(seat.number).hand or {}).items()
            for _each in range(count)
        )
        for seat in session.seats
    }


class SeatAdmin(SeatColumns, ReadOnly):
    """Seats; an action blocks their players."""

    list_display = ("name", "table", "place", "bot", "is_held", "offered")
    ordering = ("-pk",)  # by an index: there are many
    list_filter = ("table__over", "offered")
    search_fields = ("name", "table__id")
    list_select_related = ("table",)
    fields = readonly_fields = ("table", "place", "name", "bot", "is_held", "offered")
    actions = ("block",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never delete a single seat; but the actions require permission to delete."""
        return obj is None and super().has_delete_permission(request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    @list_action("Block the player")
    def block(self, request: HttpRequest, rows: QuerySet[Seat]) -> None:
        def one(seat: Seat) -> None:
            blocks.block(f"{seat.table_id}:{seat.number + 1}")

        self.do_each(request, rows, one, "blocked")


class EntryAdmin(ReadOnly):
    """Log entries; their contents are hidden while the game runs."""

    list_display = ("table", "number", "kind", "at")
    ordering = ("-pk",)  # by an index: there are very many
    search_fields = ("table__id",)
    linked_by = ("table",)
    fields = readonly_fields = ("table", "number", "kind", "at", "said")
    list_select_related = ("table",)
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def kind(self, entry: Entry) -> str:
        return next(iter(entry.body), "")

    @admin.display(description="body")
    def said(self, entry: Entry) -> str:
        if state_of(entry.table) != OVER:
            return "hidden while the game runs"
        return str({key: value for key, value in entry.body.items() if key != "check"})


# --- abuse ---------------------------------------------------------------------------------------


class MessageAdmin(ReadOnly):
    """Chat messages, and the reports about them."""

    list_display = ("text", "name", "table", "at", "times", "hidden", "id")
    list_filter = (("reports", admin.EmptyFieldListFilter), "hidden")
    search_fields = ("text", "name", "table__id")
    linked_by = ("table",)
    date_hierarchy = "at"
    list_select_related = ("table",)
    fields = readonly_fields = ("table", "place", "name", "text", "at", "times", "hidden")
    actions = ("hide", "show", "block")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        rows: QuerySet[Message] = super().get_queryset(request)
        return rows.annotate(reported=Count("reports"))

    @admin.display(description="seat")
    def place(self, message: Message) -> int:
        return message.seat + 1

    @admin.display(ordering="reported", description="reports")
    def times(self, message: Any) -> int:
        return int(message.reported)

    @list_action("Hide from everybody")
    def hide(self, request: HttpRequest, rows: QuerySet[Message]) -> None:
        self.do_each(request, rows, chat.hide, "hidden")

    @list_action("Show again")
    def show(self, request: HttpRequest, rows: QuerySet[Message]) -> None:
        self.do_each(request, rows, lambda row: chat.hide(row, False), "shown again")

    @list_action("Block the author")
    def block(self, request: HttpRequest, rows: QuerySet[Message]) -> None:
        def one(message: Message) -> None:
            blocks.block(f"#{message.pk}", message.text[:200])

        self.do_each(request, rows.select_related("table"), one, "blocked")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        chat.hide(obj)  # removes it from open pages, too
        obj.delete()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Message]) -> None:
        for message in queryset:
            self.delete_model(request, message)


class ReportAdmin(ReadOnly):
    """Messages that players have reported."""

    list_display = ("message", "at")
    list_select_related = ("message",)
    fields = readonly_fields = ("message", "at")


class BlockForm(Form):
    """A form to block someone."""

    who = forms.CharField(
        max_length=60, help_text="An address, TABLE:SEAT, #MESSAGE, or somebody's name at a table."
    )

    class Meta:
        model = Block
        fields = ("reason",)

    def clean_who(self) -> str:
        who: str = self.cleaned_data["who"]
        try:
            found = blocks.find(who)
        except BrassError as error:
            raise ValidationError(str(error)) from error
        if found.pk:
            raise ValidationError(f"{found} is blocked already.")
        for name in ("name", "visitor", "address"):
            setattr(self.instance, name, getattr(found, name))
        return who


class BlockAdmin(SafePages):
    """People who may not start or join games, or chat."""

    list_display = ("name", "known_by", "reason", "at")
    search_fields = ("name", "reason")
    form = BlockForm

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["name", "known_by", "reason", "at"] if obj else ["who", "reason"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["name", "known_by", "at"] if obj else []

    def get_form(self, request: Any, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj:
            kwargs["form"] = forms.ModelForm
        return super().get_form(request, obj, change, **kwargs)

    @admin.display(description="known by")
    def known_by(self, block: Block) -> str:
        return "address" if block.address else "cookie"


class UploadAdmin(ReadOnly):
    """Uploaded records."""

    list_display = ("name", "at")
    search_fields = ("name",)
    fields = readonly_fields = ("name", "text", "at")


class PersonAdmin(SafeUsers):
    """Accounts; deleting one also deletes what is only theirs, and bots take over their seats."""

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        account = Account.objects.filter(user=obj).first()
        deletion.delete(account) if account else obj.delete()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            self.delete_model(request, user)


class LogEntryAdmin(ReadOnly):
    """The log of what operators did here."""

    list_display = ("action_time", "user", "object_repr", "__str__")
    list_filter = ("action_flag", "user")
    list_select_related = ("user",)
    fields = readonly_fields = (
        *("action_time", "user", "content_type", "object_id", "object_repr", "change_message"),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


PAGES: tuple[tuple[type[Model], type[SafePages]], ...] = (
    (Table, TableAdmin),
    (Seat, SeatAdmin),
    (Entry, EntryAdmin),
    (Message, MessageAdmin),
    (Report, ReportAdmin),
    (PlayerReport, PlayerReportAdmin),
    (Club, ClubAdmin),
    (ClubMessage, ClubMessageAdmin),
    (Block, BlockAdmin),
    (Upload, UploadAdmin),
    (RatedGame, RatedGameAdmin),
    (LogEntry, LogEntryAdmin),
    (User, PersonAdmin),
    (Group, SafeGroups),
)
for model, pages in PAGES:
    staff_site.register(model, pages)
