"""The URLs of all pages."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.csrf import csrf_exempt

from brassmill.web.staff.admin import staff_site
from brassmill.web.table.event_stream import events

handler404 = "brassmill.web.server.errors.not_found"
handler500 = "brassmill.web.server.errors.server_error"


def page(name: str) -> Callable[..., HttpResponseBase]:
    """The view `folder.module.function`, loaded on first use.

    Loading the rules takes a while, and the home page must not wait for them.
    """
    module, _dot, function = name.rpartition(".")

    def answer(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        view = getattr(import_module(f"brassmill.web.{module}"), function)
        response: HttpResponseBase = view(request, **arguments)
        return response

    return answer


class Key(StringConverter):
    """The id of a table or a record; nothing else reaches the database."""

    regex = "[A-Za-z0-9_-]{1,12}"


register_converter(Key, "key")


def at(address: str, view: str, name: str = "", **given: Any) -> URLPattern:
    """A page at an address, named after its function by default."""
    return path(address, page(view), given, name=name or view.rpartition(".")[2])


def twins(address: str, view: str, name: str = "") -> list[URLPattern]:
    """A page and its JSON version."""
    name = name or view.rpartition(".")[2]
    return [
        at(f"{address}/", view, name),
        at(f"{address}.json", view, f"{name}_json", as_json=True),
    ]


def files(address: str, view: str) -> list[URLPattern]:
    """Two pictures and a film."""
    name = view.rpartition(".")[2]
    return [
        at(f"{address}picture.svg", view, f"{name}_svg", kind="svg"),
        at(f"{address}picture.png", view, f"{name}_png", kind="png"),
        at(f"{address}film.webp", view, f"{name}_film", kind="webp"),
    ]


TABLE, RECORD = "t/<key:table_id>", "records/<key:id>"
LESSON, PUZZLE = "learn/<str:lesson>", "puzzles/<str:puzzle>"
CLUB = "clubs/<key:id>"
ANALYSIS, BOARD = "analysis/<key:id>", "board/<int:number>"

urlpatterns = [
    at("", "lobby.home_views.home"),
    at("index.json", "lobby.home_views.home_json"),
    at("new/<str:edition>/", "lobby.home_views.new"),
    at("new/<str:edition>.json", "lobby.home_views.new_json"),
    at("rules/", "rulebook.views.rulebook"),
    *twins("rules/<str:edition>", "rulebook.views.rules_of"),
    at("rules/<str:edition>/aid.svg", "rulebook.views.player_aid", "aid_svg", kind="svg"),
    at("rules/<str:edition>/aid.pdf", "rulebook.views.player_aid", "aid_pdf", kind="pdf"),
    at("rules/<str:edition>/ground-<str:era>.svg", "rulebook.views.ground"),
    *twins("how/<str:edition>", "rulebook.views.guide"),  # where a short guide used to be
    *twins("learn", "lessons.views.learn"),
    *twins(LESSON, "lessons.views.lesson"),
    at(f"{LESSON}/choose/", "lessons.views.choose", "lesson_choose"),
    at(f"{LESSON}/end/", "lessons.views.end", "lesson_end"),
    at(f"{LESSON}/on/", "lessons.views.go_on", "lesson_on"),
    at(f"{LESSON}/back/", "lessons.views.back", "lesson_back"),
    at(f"{LESSON}/why/", "lessons.views.why", "lesson_why"),
    at(f"{LESSON}/preview/", "lessons.views.preview", "lesson_preview"),
    at(f"{LESSON}/part/", "lessons.views.part", "lesson_part"),
    # The deal of the day.
    *twins("daily", "daily.views.daily"),
    at("daily/start/", "daily.views.start", "daily_start"),
    *twins("daily/<str:day>", "daily.views.past_day", "day"),
    at("daily/<str:day>/deal/", "daily.views.past_deal"),
    at("daily/<str:day>/play/", "daily.views.play_past"),
    *twins("puzzles", "puzzles.views.index", "puzzles"),
    at("puzzles/day/", "puzzles.views.day", "puzzle_of_the_day"),
    at("puzzles/next/", "puzzles.views.following", "puzzle_next"),
    *twins(PUZZLE, "puzzles.views.puzzle"),
    at(f"{PUZZLE}/choose/", "puzzles.views.choose", "puzzle_choose"),
    at(f"{PUZZLE}/end/", "puzzles.views.end", "puzzle_end"),
    at(f"{PUZZLE}/on/", "puzzles.views.go_on", "puzzle_on"),
    at(f"{PUZZLE}/back/", "puzzles.views.back", "puzzle_back"),
    at(f"{PUZZLE}/why/", "puzzles.views.why", "puzzle_why"),
    at(f"{PUZZLE}/preview/", "puzzles.views.preview", "puzzle_preview"),
    at(f"{PUZZLE}/part/", "puzzles.views.part", "puzzle_part"),
    *twins("openings", "openings.views.openings"),
    *twins("study", "study.views.study"),
    at("study/edit/", "study.views.edit", "study_edit"),
    at("study/board/", "study.views.study_board"),
    at("study/play/", "study.views.study_play"),
    at(f"{TABLE}/study/", "study.views.study_table"),
    at(f"{RECORD}/study/", "study.views.study_record"),
    at("study/position.txt", "study.views.position_text"),
    at("study/position.svg", "study.views.position_picture", "position_svg", kind="svg"),
    at("study/position.png", "study.views.position_picture", "position_png", kind="png"),
    at("start/", "lobby.home_views.quick"),
    at("language/", "lobby.home_views.language"),
    at("theme/", "lobby.home_views.theme"),
    at("ready/", "lobby.home_views.readiness"),
    at("picture/<str:name>.svg", "lobby.home_views.picture"),
    at("style/brass.css", "server.style.brass_css"),
    at("app.webmanifest", "app.views.manifest"),
    at("icon/<str:name>.png", "app.views.icon", "app_icon"),
    at("worker.js", "app.views.worker"),
    at("offline/", "app.views.offline"),
    at("health/", "server.health.health"),
    at("metrics", "server.health.counts", "metrics"),
    *([path("admin/", staff_site.urls)] if settings.HAS_ADMIN else []),
    at("openapi.json", "server.openapi.openapi"),
    # A table.
    *twins(TABLE, "table.views.table"),
    at(f"{TABLE}/past/<int:action>.json", "table.views.past", "past_json", as_json=True),
    at(f"{TABLE}/part/", "table.views.part"),
    path(f"{TABLE}/events/", events, name="events"),
    *twins(f"{TABLE}/choose", "table.views.choose"),
    *twins(f"{TABLE}/end", "table.views.end"),
    *twins(f"{TABLE}/back", "table.views.back"),
    *twins(f"{TABLE}/why", "table.views.why"),
    *twins(f"{TABLE}/preview", "table.views.preview"),
    *twins(f"{TABLE}/hint", "table.views.hint"),
    *twins(f"{TABLE}/scene", "table.scene_views.scene"),
    *twins(f"{TABLE}/reasons", "table.reasons_views.reasons"),
    at(f"{TABLE}/mistake/", "table.mistakes_views.mistake"),
    at(f"{TABLE}/pace/", "table.views.pace"),
    at(f"{TABLE}/cover/", "table.views.cover"),
    at("t/<key:id>/delete/", "lobby.home_views.delete"),
    # Planning the next turn.
    at(f"{TABLE}/plan/", "table.planning_views.plan"),
    at(f"{TABLE}/plan/part/", "table.planning_views.plan_part"),
    at(f"{TABLE}/plan/choose/", "table.planning_views.plan_choose"),
    at(f"{TABLE}/plan/back/", "table.planning_views.plan_back"),
    at(f"{TABLE}/plan/play/", "table.planning_views.plan_play"),
    at(f"{TABLE}/plan/discard/", "table.planning_views.plan_discard"),
    at(f"{TABLE}/plan/why/", "table.views.why", "plan_why", planning=True),
    at(f"{TABLE}/plan/preview/", "table.views.preview", "plan_preview", planning=True),
    # With friends.
    *twins("lobby", "lobby.lobby_views.lobby"),
    at("join/<str:token>/", "lobby.invitation_views.join"),
    at("join/<str:token>.json", "lobby.invitation_views.join_json"),
    at("move/<str:token>/", "lobby.invitation_views.move"),
    at(f"{TABLE}/device/", "lobby.invitation_views.device"),
    at(f"{TABLE}/gather/", "lobby.invitation_views.gather"),
    *twins(f"{TABLE}/chat", "chat.views.chat"),
    at(f"{TABLE}/chat/report/", "chat.views.report"),
    at(f"{TABLE}/chat/mute/", "chat.views.mute"),
    # Reports of players.
    at(f"{TABLE}/report/", "moderation.views.report_at_table"),
    at("players/<int:number>/report/", "moderation.views.report_player"),
    at("reports/", "moderation.views.reports"),
    # Clubs.
    at("clubs/", "clubs.views.clubs_view", "clubs"),
    at("clubs.json", "clubs.views.clubs_view", "clubs_json", as_json=True),
    at("clubs/found/", "clubs.views.found", "club_found"),
    at("clubs/join/<str:token>/", "clubs.views.invited", "club_invited"),
    *twins(CLUB, "clubs.views.club"),
    at(f"{CLUB}/join/", "clubs.views.join", "club_join"),
    at(f"{CLUB}/leave/", "clubs.views.leave", "club_leave"),
    at(f"{CLUB}/chat/", "clubs.views.chat", "club_chat"),
    at(f"{CLUB}/chat/delete/", "clubs.views.delete_message", "club_message_delete"),
    at(f"{CLUB}/member/", "clubs.views.member", "club_member"),
    at(f"{CLUB}/settings/", "clubs.views.settings", "club_settings"),
    at(f"{CLUB}/close/", "clubs.views.close", "club_close"),
    # Accounts.
    at("sign-up/", "accounts.sign_in_views.sign_up"),
    at("sign-in/", "accounts.sign_in_views.sign_in"),
    at("sign-out/", "accounts.sign_in_views.sign_out"),
    at("forgotten/", "accounts.sign_in_views.forgotten"),
    at("forgotten/<str:user>/<str:token>/", "accounts.sign_in_views.reset"),
    *twins("account", "accounts.account_views.account"),
    at("account/details/", "accounts.account_views.details"),
    at("account/password/", "accounts.account_views.password"),
    at("account/export/", "accounts.deletion_views.export"),
    at("account/delete/", "accounts.deletion_views.delete", "account_delete"),
    at("account/programs/", "accounts.program_views.programs"),
    at("account/programs/mark/", "accounts.program_views.mark", "program_mark"),
    at("account/programs/token/", "accounts.program_views.make_token", "token_make"),
    at("account/programs/revoke/", "accounts.program_views.revoke", "token_revoke"),
    *twins("ratings", "ratings.board_views.ratings"),
    *twins("players/<int:number>", "profiles.views.profile"),
    at("account/profile/", "profiles.views.own_profile"),
    at("account/profile/show/", "profiles.views.show_parts"),
    at("account/games.csv", "profiles.views.games_csv"),
    at("account/games.json", "profiles.views.games_json", as_json=True),
    # Games over days.
    at("notifications/", "accounts.mail_views.mails", "notifications"),
    at("notifications.json", "accounts.notification_views.notifications_json"),
    at("notifications/choose/", "accounts.notification_views.choose", "notify_choose"),
    at("notifications/browser/", "accounts.notification_views.browser", "notify_browser"),
    at("notifications/webhook/", "accounts.notification_views.webhook", "notify_webhook"),
    at("notifications/calendar/", "accounts.notification_views.calendar_renew"),
    at("calendar/<slug:token>.ics", "accounts.notification_views.calendar"),
    at("mails/", "accounts.mail_views.mails"),  # where these settings used to be
    at("mails.json", "accounts.mail_views.mails_json"),
    at("mails/away/", "accounts.mail_views.away"),
    at("mails/confirm/<str:token>/", "accounts.mail_views.confirm"),
    # Mail programs post to this one for one-click unsubscribe, and they have no cookie.
    path("mails/stop/<str:token>/", csrf_exempt(page("accounts.mail_views.stop")), name="stop"),
    at("seat/<str:token>/", "lobby.invitation_views.seat"),
    at(f"{TABLE}/invite/", "lobby.invitation_views.invite"),
    at(f"{TABLE}/leave/", "table.timed_views.leave"),
    at(f"{TABLE}/return/", "table.timed_views.come_back"),
    at(f"{TABLE}/dismiss/", "table.timed_views.dismiss"),
    at(f"{TABLE}/concede/", "table.together_views.concede"),
    at(f"{TABLE}/ask/", "table.together_views.ask"),
    at(f"{TABLE}/agree/", "table.together_views.agree"),
    at(f"{TABLE}/decline/", "table.together_views.decline"),
    # After the game.
    *twins(f"{TABLE}/result", "replay.result_views.result"),
    at(f"{TABLE}/again/", "replay.result_views.again"),
    # Tournaments.
    *twins("tournaments", "tournaments.views.tournaments"),
    at("tournaments/new/", "tournaments.organiser_views.new_tournament"),
    *twins("tournaments/<key:id>", "tournaments.views.tournament"),
    at("tournaments/<key:id>/join/", "tournaments.views.join_tournament"),
    at("tournaments/<key:id>/leave/", "tournaments.views.leave_tournament"),
    at("tournaments/<key:id>/manage/", "tournaments.organiser_views.manage_tournament"),
    at("tournaments/<key:id>/games.brass", "tournaments.views.tournament_games"),
    # The archive.
    *twins("archive", "archive.views.archive"),
    at("archive/games.brass", "archive.views.games", "archive_games"),
    *twins("following", "archive.following_views.following"),
    at("following/player/", "archive.following_views.follow_player"),
    at("following/bookmark/", "archive.following_views.remove_bookmark"),
    at(f"{TABLE}/follow/", "archive.following_views.follow_game"),
    at(f"{TABLE}/bookmark/", "archive.following_views.bookmark"),
    *twins(f"{TABLE}/replay", "replay.replay_views.replay"),
    *files(f"{TABLE}/", "replay.replay_views.replay_file"),
    at(f"{TABLE}/record/", "replay.record_views.record"),
    at("records/", "replay.record_views.upload"),
    at("records.json", "replay.record_views.uploads_json"),
    *twins(RECORD, "replay.replay_views.upload_replay"),
    *files(f"{RECORD}/", "replay.replay_views.upload_file"),
    *twins(f"{RECORD}/result", "replay.result_views.upload_result"),
    at(f"{RECORD}/delete/", "replay.record_views.delete", "upload_delete"),
    # Analysis.
    at(f"{TABLE}/analyse/", "analysis.views.analyse"),
    at(f"{RECORD}/analyse/", "analysis.views.analyse_upload"),
    *twins(ANALYSIS, "analysis.views.analysis"),
    at(f"{ANALYSIS}/play/", "analysis.views.play_from", "analysis_play"),
    *twins(f"{ANALYSIS}/<int:action>", "analysis.views.moment"),
    at(f"{ANALYSIS}/board/", "analysis.board_views.board_start"),
    at(f"{RECORD}/board/", "analysis.board_views.record_board"),
    *twins(BOARD, "analysis.board_views.board"),
    at(f"{BOARD}/choose/", "analysis.board_views.board_choose"),
    at(f"{BOARD}/end/", "analysis.board_views.board_end"),
    at(f"{BOARD}/back/", "analysis.board_views.board_back"),
    at(f"{BOARD}/why/", "analysis.board_views.board_why"),
    at(f"{BOARD}/preview/", "analysis.board_views.board_preview"),
    at(f"{BOARD}/part/", "analysis.board_views.board_part"),
    at(f"{BOARD}/evaluation/", "analysis.board_views.evaluation"),
    at(f"{BOARD}/record/", "analysis.board_views.board_record"),
    at(f"{BOARD}/position.txt", "analysis.board_views.board_position"),
    *files(f"{BOARD}/", "analysis.board_views.board_file"),
    at(f"{BOARD}/moves/", "analysis.notes_views.board_moves"),
    at(f"{BOARD}/go/", "analysis.notes_views.board_go"),
    at(f"{BOARD}/comment/", "analysis.notes_views.board_comment"),
    at(f"{BOARD}/promote/", "analysis.notes_views.board_promote"),
    at(f"{BOARD}/remove/", "analysis.notes_views.board_remove"),
]
