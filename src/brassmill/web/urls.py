"""The addresses of all pages."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.csrf import csrf_exempt

from brassmill.web.staff.admin import office
from brassmill.web.table.live import events

handler404 = "brassmill.web.server.errors.not_found"
handler500 = "brassmill.web.server.errors.server_error"


def page(name: str) -> Callable[..., HttpResponseBase]:
    """The page `module.function`, loaded when it is first asked for.

    The rules take a while to load, and the first page shall be there before them.
    """
    module, _dot, function = name.partition(".")

    def answer(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        view = getattr(import_module(f"brassmill.web.pages.{module}"), function)
        response: HttpResponseBase = view(request, **arguments)
        return response

    return answer


class Key(StringConverter):
    """What the name of a table or a record can be: a database is not asked for anything else."""

    regex = "[A-Za-z0-9_-]{1,12}"


register_converter(Key, "key")


def at(address: str, view: str, name: str = "", **given: Any) -> URLPattern:
    """A page at its address; where nothing else is said it has the name of its function."""
    return path(address, page(view), given, name=name or view.partition(".")[2])


def twins(address: str, view: str, name: str = "") -> list[URLPattern]:
    """A page, and the same as data for programs."""
    name = name or view.partition(".")[2]
    return [
        at(f"{address}/", view, name),
        at(f"{address}.json", view, f"{name}_json", as_json=True),
    ]


TABLE, RECORD = "t/<key:table_id>", "records/<key:id>"

urlpatterns = [
    at("", "home.home"),
    at("index.json", "home.home_json"),
    at("new/<str:edition>/", "home.new"),
    at("new/<str:edition>.json", "home.new_json"),
    *twins("how/<str:edition>", "guide.guide"),
    at("start/", "home.quick"),
    at("language/", "home.language"),
    at("theme/", "home.theme"),
    at("ready/", "home.readiness"),
    at("picture/<str:name>.svg", "home.picture"),
    at("style/brass.css", "style.brass_css"),
    at("health/", "condition.health"),
    at("metrics", "condition.counts", "metrics"),
    path("admin/", office.urls),
    at("openapi.json", "programs.openapi"),
    # A table.
    *twins(TABLE, "table.table"),
    at(f"{TABLE}/past/<int:action>.json", "table.past", "past_json", as_json=True),
    at(f"{TABLE}/part/", "table.part"),
    path(f"{TABLE}/events/", events, name="events"),
    *twins(f"{TABLE}/choose", "table.choose"),
    *twins(f"{TABLE}/end", "table.end"),
    *twins(f"{TABLE}/back", "table.back"),
    *twins(f"{TABLE}/why", "table.why"),
    *twins(f"{TABLE}/preview", "table.preview"),
    *twins(f"{TABLE}/hint", "table.hint"),
    at(f"{TABLE}/pace/", "table.pace"),
    at(f"{TABLE}/cover/", "table.cover"),
    at("t/<key:id>/delete/", "home.delete"),
    # With friends.
    *twins("lobby", "lobby.lobby"),
    at("join/<str:token>/", "friends.join"),
    at("move/<str:token>/", "friends.move"),
    at(f"{TABLE}/device/", "friends.device"),
    at(f"{TABLE}/gather/", "friends.gather"),
    *twins(f"{TABLE}/chat", "chat.chat"),
    at(f"{TABLE}/chat/report/", "chat.report"),
    at(f"{TABLE}/chat/mute/", "chat.mute"),
    # Accounts.
    at("sign-up/", "signing.sign_up"),
    at("sign-in/", "signing.sign_in"),
    at("sign-out/", "signing.sign_out"),
    at("forgotten/", "signing.forgotten"),
    at("forgotten/<str:user>/<str:token>/", "signing.reset"),
    *twins("account", "account.account"),
    at("account/details/", "account.details"),
    at("account/password/", "account.password"),
    at("account/export/", "farewell.export"),
    at("account/delete/", "farewell.delete", "account_delete"),
    # Over days.
    at("mails/", "mails.mails"),
    at("mails.json", "mails.mails_json"),
    at("mails/away/", "mails.away"),
    at("mails/confirm/<str:token>/", "mails.confirm"),
    # Programs that read mails press the button of this one too, and they have no cookie.
    path("mails/stop/<str:token>/", csrf_exempt(page("mails.stop")), name="stop"),
    at("seat/<str:token>/", "friends.seat"),
    at(f"{TABLE}/invite/", "friends.invite"),
    at(f"{TABLE}/leave/", "days.leave"),
    at(f"{TABLE}/return/", "days.come_back"),
    at(f"{TABLE}/dismiss/", "days.dismiss"),
    # Afterwards.
    *twins(f"{TABLE}/result", "result.result"),
    at(f"{TABLE}/again/", "result.again"),
    *twins(f"{TABLE}/replay", "replay.replay"),
    at(f"{TABLE}/record/", "uploads.record"),
    at("records/", "uploads.upload"),
    at("records.json", "uploads.uploads_json"),
    *twins(RECORD, "replay.upload_replay"),
    *twins(f"{RECORD}/result", "result.upload_result"),
    at(f"{RECORD}/delete/", "uploads.delete", "upload_delete"),
]
