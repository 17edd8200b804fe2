"""The results of rated games at /admin/: what looks suspicious, and what no longer counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from brassmill.web.models import RatedGame, RatedSeat
from brassmill.web.ratings import counting, results
from brassmill.web.ratings.suspicion import SAME_NETWORK, SAME_PLAYERS
from brassmill.web.staff.read_only import ReadOnly, list_action

if TYPE_CHECKING:  # generic only in the type stubs
    Rows = admin.TabularInline[RatedSeat, RatedGame]
else:
    Rows = admin.TabularInline


class RatedSeats(Rows):
    """The seats of a rated game."""

    model = RatedSeat
    fields = readonly_fields = ("place", "who", "rank", "vp", "left", "mu_before", "mu", "sigma")
    can_delete = False
    max_num = 0

    @admin.display(description="seat")
    def place(self, seat: RatedSeat) -> int:
        """Return the seat number, counted from 1."""
        return seat.seat + 1

    @admin.display(description="player")
    def who(self, seat: RatedSeat) -> str:
        return str(seat.player or seat.level)


class FlagFilter(admin.SimpleListFilter):
    """Games that look suspicious."""

    title = parameter_name = "flag"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(flag, flag) for flag in (SAME_PLAYERS, SAME_NETWORK)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[RatedGame]) -> QuerySet[RatedGame]:
        # As text, because SQLite cannot look into JSON lists; the flags are fixed words.
        chosen = self.value() or ""
        known = chosen in (SAME_PLAYERS, SAME_NETWORK)
        return queryset.filter(flags__icontains=chosen) if known else queryset


class RatedGameAdmin(ReadOnly):
    """The results of rated games; an action takes one out of the ratings, or puts it back."""

    list_display = ("table", "ladder", "finished", "who", "flagged", "withdrawn")
    list_filter = (FlagFilter, "withdrawn", "ladder")
    search_fields = ("table", "seats__player__account__name")
    ordering = ("-finished",)
    inlines = (RatedSeats,)
    fields = readonly_fields = ("table", "ladder", "finished", "flagged", "withdrawn", "counted")
    actions = ("take_out", "put_back")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatedGame]:
        rows: QuerySet[RatedGame] = super().get_queryset(request)
        return rows.prefetch_related("seats__player__account")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never delete a result; but the actions require permission to delete."""
        return obj is None and super().has_delete_permission(request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    @admin.display(description="players")
    def who(self, game: RatedGame) -> str:
        return ", ".join(str(seat.player or seat.level) for seat in game.seats.all())

    @admin.display(description="flags")
    def flagged(self, game: RatedGame) -> str:
        return ", ".join(game.flags)

    @list_action("Take out of the ratings")
    def take_out(self, request: HttpRequest, rows: QuerySet[RatedGame]) -> None:
        def one(game: RatedGame) -> None:
            results.withdraw(game.table, RatedGame.TAKEN_OUT)

        self.do_each(request, rows, one, "taken out of the ratings")
        counting.count_all()

    @list_action("Put back into the ratings")
    def put_back(self, request: HttpRequest, rows: QuerySet[RatedGame]) -> None:
        self.do_each(request, rows, results.put_back, "put back into the ratings")
        counting.count_all()
