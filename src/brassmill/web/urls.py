"""The addresses of all pages."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.csrf import csrf_exempt

from brassmill.web.admin import office
from brassmill.web.streams import events

handler404 = "brassmill.web.pages.errors.not_found"
handler500 = "brassmill.web.pages.errors.server_error"


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

JSON = {"as_json": True}

urlpatterns = [
    path("", page("home.home"), name="home"),
    path("index.json", page("home.home_json"), name="home_json"),
    path("new/<str:edition>/", page("home.new"), name="new"),
    path("new/<str:edition>.json", page("home.new_json"), name="new_json"),
    path("how/<str:edition>/", page("guide.guide"), name="guide"),
    path("how/<str:edition>.json", page("guide.guide"), JSON, name="guide_json"),
    path("start/", page("home.quick"), name="quick"),
    path("language/", page("home.language"), name="language"),
    path("theme/", page("home.theme"), name="theme"),
    path("ready/", page("home.readiness"), name="readiness"),
    path("picture/<str:name>.svg", page("home.picture"), name="picture"),
    path("style/brass.css", page("style.brass_css"), name="brass_css"),
    path("health/", page("condition.health"), name="health"),
    path("metrics", page("condition.counts"), name="metrics"),
    path("admin/", office.urls),
    path("openapi.json", page("programs.openapi"), name="openapi"),
    # A table.
    path("t/<key:table_id>/", page("table.table"), name="table"),
    path("t/<key:table_id>.json", page("table.table"), JSON, name="table_json"),
    path("t/<key:table_id>/past/<int:action>.json", page("table.past"), JSON, name="past_json"),
    path("t/<key:table_id>/part/", page("table.part"), name="part"),
    path("t/<key:table_id>/events/", events, name="events"),
    path("t/<key:table_id>/choose/", page("table.choose"), name="choose"),
    path("t/<key:table_id>/choose.json", page("table.choose"), JSON, name="choose_json"),
    path("t/<key:table_id>/end/", page("table.end"), name="end"),
    path("t/<key:table_id>/end.json", page("table.end"), JSON, name="end_json"),
    path("t/<key:table_id>/back/", page("table.back"), name="back"),
    path("t/<key:table_id>/back.json", page("table.back"), JSON, name="back_json"),
    path("t/<key:table_id>/why/", page("table.why"), name="why"),
    path("t/<key:table_id>/why.json", page("table.why"), JSON, name="why_json"),
    path("t/<key:table_id>/preview/", page("table.preview"), name="preview"),
    path("t/<key:table_id>/preview.json", page("table.preview"), JSON, name="preview_json"),
    path("t/<key:table_id>/hint/", page("table.hint"), name="hint"),
    path("t/<key:table_id>/hint.json", page("table.hint"), JSON, name="hint_json"),
    path("t/<key:table_id>/pace/", page("table.pace"), name="pace"),
    path("t/<key:table_id>/cover/", page("table.cover"), name="cover"),
    path("t/<key:id>/delete/", page("home.delete"), name="delete"),
    # With friends.
    path("lobby/", page("lobby.lobby"), name="lobby"),
    path("lobby.json", page("lobby.lobby"), JSON, name="lobby_json"),
    path("join/<str:token>/", page("friends.join"), name="join"),
    path("move/<str:token>/", page("friends.move"), name="move"),
    path("t/<key:table_id>/device/", page("friends.device"), name="device"),
    path("t/<key:table_id>/gather/", page("friends.gather"), name="gather"),
    path("t/<key:table_id>/chat/", page("chat.chat"), name="chat"),
    path("t/<key:table_id>/chat.json", page("chat.chat"), JSON, name="chat_json"),
    path("t/<key:table_id>/chat/report/", page("chat.report"), name="report"),
    path("t/<key:table_id>/chat/mute/", page("chat.mute"), name="mute"),
    # Accounts.
    path("sign-up/", page("signing.sign_up"), name="sign_up"),
    path("sign-in/", page("signing.sign_in"), name="sign_in"),
    path("sign-out/", page("signing.sign_out"), name="sign_out"),
    path("forgotten/", page("signing.forgotten"), name="forgotten"),
    path("forgotten/<str:user>/<str:token>/", page("signing.reset"), name="reset"),
    path("account/", page("account.account"), name="account"),
    path("account.json", page("account.account"), JSON, name="account_json"),
    path("account/details/", page("account.details"), name="details"),
    path("account/password/", page("account.password"), name="password"),
    path("account/export/", page("leaving.export"), name="export"),
    path("account/delete/", page("leaving.delete"), name="account_delete"),
    # Over days.
    path("mails/", page("mails.mails"), name="mails"),
    path("mails.json", page("mails.mails_json"), name="mails_json"),
    path("mails/away/", page("mails.away"), name="away"),
    path("mails/confirm/<str:token>/", page("mails.confirm"), name="confirm"),
    # Programs that read mails press the button of this one too, and they have no cookie.
    path("mails/stop/<str:token>/", csrf_exempt(page("mails.stop")), name="stop"),
    path("seat/<str:token>/", page("friends.seat"), name="seat"),
    path("t/<key:table_id>/invite/", page("friends.invite"), name="invite"),
    path("t/<key:table_id>/leave/", page("days.leave"), name="leave"),
    path("t/<key:table_id>/return/", page("days.come_back"), name="come_back"),
    path("t/<key:table_id>/dismiss/", page("days.dismiss"), name="dismiss"),
    # Afterwards.
    path("t/<key:table_id>/result/", page("result.result"), name="result"),
    path("t/<key:table_id>/result.json", page("result.result"), JSON, name="result_json"),
    path("t/<key:table_id>/again/", page("result.again"), name="again"),
    path("t/<key:table_id>/replay/", page("replay.replay"), name="replay"),
    path("t/<key:table_id>/replay.json", page("replay.replay"), JSON, name="replay_json"),
    path("t/<key:table_id>/record/", page("uploads.record"), name="record"),
    path("records/", page("uploads.upload"), name="upload"),
    path("records.json", page("uploads.uploads_json"), name="uploads_json"),
    path("records/<key:id>/", page("replay.upload_replay"), name="upload_replay"),
    path("records/<key:id>/result/", page("result.upload_result"), name="upload_result"),
    path(
        "records/<key:id>/result.json",
        page("result.upload_result"),
        JSON,
        name="upload_result_json",
    ),
    path("records/<key:id>/delete/", page("uploads.delete"), name="upload_delete"),
    path("records/<key:id>.json", page("replay.upload_replay"), JSON, name="upload_replay_json"),
]
