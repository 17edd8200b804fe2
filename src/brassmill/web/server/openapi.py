"""The OpenAPI description of all URLs.

It is generated from `urls.py`: a URL without a description here is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.views.decorators.http import require_safe

import brassmill
from brassmill.editions import EDITIONS
from brassmill.language import LANGUAGES
from brassmill.web.server import described_company, scopes
from brassmill.web.server.described import (
    CALENDAR,
    CSS,
    CSV,
    DATE,
    EDITION,
    EVENTS,
    FILE,
    FINER,
    HTML,
    JSON,
    KEY,
    KINDS,
    MANIFEST,
    MULTIPART,
    NUMBER,
    PDF,
    PNG,
    SCRIPT,
    STRING,
    SVG,
    TEXT,
    URLENCODED,
    WEBP,
    Described,
    one_of,
)

OTHERS = frozenset({"admin"})  # namespaces that are not ours


# --- the URLs ------------------------------------------------------------------------------------

SEATS = {
    field: STRING
    for number in range(4)
    for field in (f"who-{number}", f"name-{number}")  # you, person, friend or a level
}
REQUEST = one_of("end", "take back")
# One address; what it is for: a forgotten password, e-mails about games, or both.
ADDRESS = {"address": STRING, "resets": one_of("yes"), "wants_mail": one_of("yes")}
OWN_ADDRESS = {"address": STRING, "stop": one_of("1"), "forget": one_of("1")}
GAME = {
    **SEATS,
    "players": NUMBER,
    "seed": STRING,
    "standby": STRING,
    "hands": one_of("covered", "open"),
    "listed": one_of("yes", "no"),
    "overheard": one_of("yes", "no"),
    "hints": one_of("yes", "no"),  # allowed in a game between people
    "rated": one_of("yes", "no"),
    "programs": one_of("yes", "no"),  # may take the open seats
    "club": STRING,  # the id of one of yours
    "clock": STRING,
    "notice": STRING,
    "meanwhile": one_of("wait", "replace"),
    **{option.name: STRING for info in EDITIONS.values() for option in info.options},
}
SIGN_IN = {"name": STRING, "password": STRING, "next": STRING}
DRAWERS = ("mats", "tracks", "discards", "symbols")
PUZZLES = {
    "game": EDITION,
    "level": one_of("1", "2", "3", "4", "5"),
    "kind": one_of("exact", "judged"),
    "theme": STRING,
    "state": one_of("open", "solved", "missed"),
    "page": NUMBER,
}
LADDER = {
    "game": EDITION,
    "players": one_of("2", "3", "4"),
    "kind": one_of("people", "levels", "programs"),
    "page": NUMBER,
}
STYLE = {"game": EDITION, "players": one_of("2", "3", "4")}
OPENING = {"edition": EDITION, "players": NUMBER, "seat": NUMBER, "line": STRING}
POSITION = {"p": STRING, "edition": EDITION, "players": NUMBER}
EDIT = {
    "p": STRING,
    "act": STRING,  # put, begin, take-SEAT-CARD
    "owner": NUMBER,
    "tool": one_of("tile", "link", "flip", "cubes", "remove"),
    "kind": STRING,
    "on": STRING,
    **dict.fromkeys(("era", "round", "mover", "actions", "coal", "iron", "deck"), STRING),
    **{f"{name}-0": STRING for name in ("cash", "income", "vp", "add", "place", "goods")},
}
PICTURE = {
    "what": one_of("table", "map"),
    "shape": one_of("wide", "tall"),
    "theme": one_of("light", "dark"),
    "owner": NUMBER,
}
MOVE = {"stamp": STRING, "move": STRING, "from": one_of("moves")}  # of a board: the move's address
GO_ON = {"number": NUMBER}  # from the table: of two moves from the same state one succeeds
ASK = "The coach's suggestions; POST asks for them, if this game allows hints"
MOMENT = {"at": NUMBER, "as": STRING, "game": NUMBER, "frame": STRING, "line": STRING}
SEARCH = {
    "player": STRING,
    "edition": EDITION,
    "players": one_of("2", "3", "4"),
    "option": STRING,  # NAME=VALUE, or none
    **dict.fromkeys(("least_vp", "most_vp", "most_margin"), NUMBER),
    **dict.fromkeys(("least_actions", "most_actions", "least_rounds", "most_rounds"), NUMBER),
    "since": DATE,
    "until": DATE,
    "opening": STRING,
    "event": STRING,
    "sort": one_of("newest", "highest", "closest"),
}
AFTER = {"after": STRING}  # where the page before ended
BACK = {**GO_ON, "all": one_of("1"), "moves": NUMBER}
SAVED = {
    "at": NUMBER,
    "game": NUMBER,
    "what": one_of("table", "map"),
    "shape": one_of("wide", "tall"),
    "theme": one_of("light", "dark"),
}
SCENE = {"of": one_of("canal", "end"), "shape": one_of("wide", "tall", "square")}

DESCRIBED = {
    "home": Described("Home page", HTML),
    "home_json": Described("Available games, levels, own games", JSON),
    "new": Described("A new game", HTML, form=GAME),
    "new_json": Described(
        "The settings of a new game and their defaults; POST starts it", JSON, form=GAME
    ),
    "rulebook": Described("The rules of the three games, side by side", HTML),
    "rules_of": Described("The rules of a game, with pictures", HTML),
    "rules_of_json": Described("The rules of a game, without pictures", JSON),
    "aid_svg": Described("The player aid of a game, one page", SVG),
    "aid_pdf": Described("The player aid of a game, one page to print", PDF),
    "ground": Described(
        "The background of the maps in the rules", SVG, {"theme": one_of("light", "dark")}
    ),
    "guide": Described("Leads to the rules of a game", HTML),
    "guide_json": Described("Leads to the rules of a game", HTML),
    "learn": Described("All lessons", HTML),
    "learn_json": Described("All lessons", JSON),
    "lesson": Described("The table of a lesson", HTML),
    "lesson_json": Described("The table of a lesson, and what the lesson says", JSON),
    "lesson_choose": Described(
        "Make a choice in a lesson", form={**GO_ON, "choice": STRING, "card": STRING}
    ),
    "lesson_end": Described("End the turn in a lesson", form=GO_ON),
    "lesson_on": Described("Go on after a text of a lesson", form=GO_ON),
    "lesson_back": Described(
        "Take back a click in a lesson, or start it again", form={**GO_ON, "all": one_of("1")}
    ),
    "lesson_why": Described(
        "Why something cannot be chosen in a lesson", HTML, {"on": STRING, "card": STRING}
    ),
    "lesson_preview": Described(
        "What a choice in a lesson would cost and yield", HTML, {"choice": STRING, "card": STRING}
    ),
    "lesson_part": Described("A drawer of a lesson", HTML, {"drawer": one_of(*DRAWERS)}),
    "daily": Described("The deal of the day, and its results once you have played", HTML),
    "daily_json": Described("The deal of the day, and its results once you have played", JSON),
    "daily_start": Described("Start the deal of the day", form={"name": STRING}),
    "day": Described("The results of a day that is over", HTML),
    "day_json": Described("The results and the deal of a day that is over", JSON),
    "past_deal": Described("The deal of a day that is over, as a record", TEXT),
    "play_past": Described("Play the deal of a day that is over", form={}),
    "puzzles": Described("Puzzles by game, difficulty and theme", HTML, PUZZLES),
    "puzzles_json": Described("All puzzles, and which you have tried", JSON, PUZZLES),
    "puzzle_of_the_day": Described("Leads to the puzzle of the day", HTML),
    "puzzle_next": Described(
        "Leads to a puzzle that you have not tried", HTML, {**PUZZLES, "not": STRING}
    ),
    "puzzle": Described("The table of a puzzle", HTML),
    "puzzle_json": Described("The table of a puzzle, and what the puzzle says", JSON),
    "puzzle_choose": Described(
        "Make a choice in a puzzle", form={**GO_ON, "choice": STRING, "card": STRING}
    ),
    "puzzle_end": Described(
        "End the turn in a puzzle, or give up", form={**GO_ON, "give_up": one_of("1")}
    ),
    "puzzle_on": Described("Show the next action of the best turn", form=GO_ON),
    "puzzle_back": Described(
        "Take back a click in a puzzle, or start it again", form={**GO_ON, "all": one_of("1")}
    ),
    "puzzle_why": Described(
        "Why something cannot be chosen in a puzzle", HTML, {"on": STRING, "card": STRING}
    ),
    "puzzle_preview": Described(
        "What a choice in a puzzle would cost and yield", HTML, {"choice": STRING, "card": STRING}
    ),
    "puzzle_part": Described("A drawer of a puzzle", HTML, {"drawer": one_of(*DRAWERS)}),
    "openings": Described("What strong players do in the first two rounds", HTML, OPENING),
    "openings_json": Described("Moves of the first two rounds, with their results", JSON, OPENING),
    "study": Described("The position editor", HTML, POSITION),
    "study_json": Described("A position, and what is wrong with it", JSON, POSITION),
    "study_edit": Described("Change a position", form=EDIT),
    "study_board": Described("Open a position on the analysis board", form={"p": STRING}),
    "study_play": Described(
        "Start a game against bots at a position",
        form={"p": STRING, "seat": NUMBER, "level": STRING},
    ),
    "study_table": Described("The position at a moment of a finished game", HTML, {"at": NUMBER}),
    "study_record": Described(
        "The position at a moment of a record", HTML, {"at": NUMBER, "game": NUMBER}
    ),
    "position_text": Described("A position as a file", TEXT, {"p": STRING}),
    "position_svg": Described("A position as a picture", SVG, {"p": STRING, **PICTURE}),
    "position_png": Described("A position as a picture", PNG, {"p": STRING, **PICTURE}),
    "quick": Described(
        "Start a game at once", form={"game": one_of("usual", "first"), "edition": EDITION}
    ),
    "language": Described("Change the language", form={"code": one_of(*LANGUAGES), "next": STRING}),
    "theme": Described(
        "Change the colours", form={"theme": one_of("light", "dark", "auto"), "next": STRING}
    ),
    "readiness": Described("Progress of compiling the rules", HTML, {"format": one_of("json")}),
    "picture": Described("A picture of a game", SVG, {"theme": one_of("light", "dark")}),
    "brass_css": Described("The style sheet", CSS),
    "manifest": Described("The app, to be installed", MANIFEST),
    "app_icon": Described("An icon of the app", PNG),
    "worker": Described(
        "The service worker", SCRIPT, {"language": one_of(*LANGUAGES), "theme": STRING}
    ),
    "offline": Described(
        "The page shown without a connection",
        HTML,
        {"language": one_of(*LANGUAGES), "theme": STRING},
    ),
    "health": Described("Whether games can be played", JSON),
    "metrics": Described("Metrics for Prometheus", TEXT),
    "openapi": Described("This description", JSON),
    # A table.
    "table": Described("A table", HTML),
    "table_json": Described("A table, with the number of every open choice", JSON),
    "past_json": Described("The table just after an action", JSON),
    "part": Described(
        "The table again, if the stamp has changed; or a drawer",
        HTML,
        {"stamp": STRING, "drawer": one_of(*DRAWERS)},
    ),
    "events": Described("Changes to the table, as server-sent events", EVENTS),
    "choose": Described("Make choices", form={**GO_ON, "choice": STRING, "card": STRING}),
    "end": Described("End the turn", form=GO_ON),
    "back": Described("Undo a choice, some of them, or all of the turn", form=BACK),
    "choose_json": Described("Make choices", form={**GO_ON, "choice": STRING, "card": STRING}),
    "end_json": Described("End the turn", form=GO_ON),
    "back_json": Described("Undo a choice, some of them, or all of the turn", form=BACK),
    "why": Described("Why something cannot be chosen", HTML, {"on": STRING, "card": STRING}),
    "why_json": Described("Why something cannot be chosen", JSON, {"on": STRING, "card": STRING}),
    "preview": Described(
        "What a choice would cost and yield", HTML, {"choice": STRING, "card": STRING}
    ),
    "preview_json": Described(
        "What a choice would cost and yield", JSON, {"choice": STRING, "card": STRING}
    ),
    "hint": Described(ASK, HTML, form={}),
    "hint_json": Described(ASK, JSON, form={}),
    "scene": Described("The end of an era: what scored, and what follows", HTML, SCENE),
    "scene_json": Described("The end of an era: what scored, and what follows", JSON, SCENE),
    "reasons": Described(
        "Why a bot has played an action; POST asks", HTML, {"action": NUMBER}, {"action": NUMBER}
    ),
    "reasons_json": Described(
        "Why a bot has played an action; POST asks", JSON, {"action": NUMBER}, {"action": NUMBER}
    ),
    "mistake": Described("What the coach says of your last action, if it was a big mistake", HTML),
    "pace": Described(
        "Set the bots' pace", form={"pace": one_of("slow", "normal", "fast", "skip")}
    ),
    "cover": Described("Uncover a hand, or cover it", form={"show": STRING, "hide": STRING}),
    "delete": Described("Delete a table", form={"confirm": one_of("yes")}),
    # Planning the next turn.
    "plan": Described("The table as if it were your turn, to plan it", HTML),
    "plan_part": Described("The plan, if it has changed", HTML, {"stamp": STRING}),
    "plan_choose": Described(
        "Add a choice to your plan", form={**GO_ON, "choice": STRING, "card": STRING}
    ),
    "plan_back": Described(
        "Undo a choice of your plan, or all", form={**GO_ON, "all": one_of("1")}
    ),
    "plan_play": Described("Play your plan: every step is still legal", form={}),
    "plan_discard": Described("Forget your plan", form={}),
    "plan_why": Described("Why something cannot be planned", HTML, {"on": STRING, "card": STRING}),
    "plan_preview": Described(
        "What a choice would cost and yield in your plan", HTML, {"choice": STRING, "card": STRING}
    ),
    # With friends.
    "lobby": Described("Tables open to everyone", HTML),
    "lobby_json": Described("Tables open to everyone", JSON),
    "join": Described("An invitation; POST takes the seat", HTML, form={"name": STRING}),
    "join_json": Described("Take the seat of an invitation", form={"name": STRING}),
    "move": Described("A link to continue on another device; POST moves the seat", HTML, form={}),
    "device": Described("Make a link that moves a seat", HTML, form={"seat": NUMBER}),
    "gather": Described(
        "Manage the seats of the waiting room",
        form={"renew": NUMBER, "free": NUMBER, "fill": STRING, "hints": one_of("yes", "no")}
        | {"casual": one_of("yes")},
    ),
    "chat": Described("The chat; POST adds a message", HTML, form={"text": STRING}),
    "chat_json": Described("The chat; POST adds a message", JSON, form={"text": STRING}),
    "report": Described("Report a message", form={"message": NUMBER}),
    "mute": Described("Close or open the chat", form={"muted": one_of("0", "1")}),
    # Accounts.
    "sign_up": Described("Sign up", HTML, {"next": STRING}, {**SIGN_IN, **ADDRESS}),
    "sign_in": Described("Sign in", HTML, {"next": STRING}, SIGN_IN),
    "sign_out": Described("Sign out", form={}),
    "forgotten": Described("Ask for a new password by e-mail", HTML, form={"address": STRING}),
    "reset": Described("Choose a new password", HTML, form={"password": STRING}),
    "account": Described("Your account", HTML),
    "account_json": Described("Your account: games and scores", JSON),
    "details": Described(
        "Change the name or address", form={"name": STRING, **ADDRESS, "present": STRING}
    ),
    "password": Described("Change the password", form={"old": STRING, "password": STRING}),
    "export": Described("Everything stored for an account", form={}),
    "account_delete": Described("Delete the account", HTML, form={"present": STRING}),
    "profile": Described("A player, as far as they let others see it", HTML, STYLE),
    "profile_json": Described("A player, as far as they let others see it", JSON, STYLE),
    "own_profile": Described("Leads to your own profile", HTML),
    "show_parts": Described(
        "Choose what others see of your profile",
        form=dict.fromkeys(("results", "style", "games", "practice"), one_of("yes")),
    ),
    "games_csv": Described("Your finished games as a table", CSV),
    "games_json": Described("Your finished games", JSON),
    "ratings": Described("A leaderboard", HTML, LADDER),
    "ratings_json": Described("A leaderboard", JSON, LADDER),
    # Games over days.
    "notifications": Described(
        "Your notifications, e-mail address and vacation", HTML, {"table": KEY}, OWN_ADDRESS
    ),
    "notifications_json": Described("What you are notified of, when and by which way", JSON),
    "notify_choose": Described(
        "Choose events and ways, quiet hours and the digest",
        form={
            **dict.fromkeys(("way", "quiet", "from", "until", "zone"), STRING),
            "digest": NUMBER,
        },
    ),
    "notify_browser": Described(
        "Let a browser get push messages, or stop them",
        form={"address": STRING, "key": STRING, "secret": STRING, "remove": NUMBER},
    ),
    "notify_webhook": Described(
        "Add a webhook, try it, switch it on again or remove it",
        form={
            "form": one_of("discord", "slack", "telegram", "json"),
            "address": STRING,
            "chat": STRING,
            "table": KEY,
            "try": NUMBER,
            "on": NUMBER,
            "remove": NUMBER,
        },
    ),
    "calendar_renew": Described("Make the address of your calendar, or a new one", form={}),
    "calendar": Described("The turns of a player as a calendar", CALENDAR),
    "mails": Described("The same page as /notifications/", HTML, {"table": KEY}, OWN_ADDRESS),
    "mails_json": Described("Your e-mail address and vacation", JSON),
    "away": Described("Go on vacation, or come back", form={"days": NUMBER, "back": one_of("1")}),
    "confirm": Described("An e-mailed link that confirms an address", HTML, form={}),
    "stop": Described("An e-mailed link to unsubscribe", HTML, form={"again": STRING}),
    "seat": Described("An e-mailed link to a seat; POST moves the seat", HTML, form={}),
    "invite": Described(
        "Send an invitation by e-mail",
        form={"seat": NUMBER, "address": STRING, "words": STRING},
    ),
    "leave": Described("Hand your seat to a bot", form={"seat": NUMBER}),
    "concede": Described(
        "Concede: a bot plays on, and your seat is ranked behind all others", form={"seat": NUMBER}
    ),
    "ask": Described(
        "Ask the others to end the game now, or to let you take back your last turn",
        form={"kind": REQUEST, "seat": NUMBER},
    ),
    "agree": Described("Agree to the request of a seat", form={"kind": REQUEST, "seat": NUMBER}),
    "decline": Described(
        "Decline the request of a seat, or withdraw your own",
        form={"kind": REQUEST, "seat": NUMBER},
    ),
    "come_back": Described("Take your seat back from a bot", form={"seat": NUMBER}),
    "dismiss": Described("Hand an absent player's seat to a bot", form={"seat": NUMBER}),
    # After the game.
    "result": Described("The result of a game", HTML, {"stamp": STRING}),
    "result_json": Described("The result of a game", JSON),
    "again": Described("Start a rematch", form={}),
    "replay": Described("Any action of a game", HTML, MOMENT),
    "replay_json": Described("Any action of a game", JSON, MOMENT),
    "replay_file_svg": Described(
        "A moment of a game as a picture, as spectators see it", SVG, SAVED
    ),
    "replay_file_png": Described(
        "A moment of a game as a picture, as spectators see it", PNG, SAVED
    ),
    "replay_file_film": Described("The actions after it as a film", WEBP, SAVED),
    "record": Described("The record of a game", TEXT),
    "upload": Described(
        "Upload a record", HTML, form={"text": STRING, "name": STRING, "file": FILE}
    ),
    "uploads_json": Described("Your uploaded records", JSON),
    "upload_replay": Described("Any action of a record", HTML, MOMENT),
    "upload_replay_json": Described("Any action of a record", JSON, MOMENT),
    "upload_file_svg": Described(
        "A moment of a record as a picture, as spectators see it", SVG, SAVED
    ),
    "upload_file_png": Described(
        "A moment of a record as a picture, as spectators see it", PNG, SAVED
    ),
    "upload_file_film": Described("The actions after it as a film", WEBP, SAVED),
    "upload_result": Described("The result of a record", HTML, {"game": NUMBER}),
    "upload_result_json": Described("The result of a record", JSON, {"game": NUMBER}),
    "upload_delete": Described("Delete an uploaded record", form={}),
    # Tournaments.
    # The archive.
    "archive": Described("Search all finished public games", HTML, SEARCH | AFTER),
    "archive_json": Described("Search all finished public games", JSON, SEARCH | AFTER),
    "archive_games": Described("The records of a search, one after the other", TEXT, SEARCH),
    "following": Described("Players and games you follow, and your bookmarks", HTML),
    "following_json": Described("Players and games you follow, and your bookmarks", JSON),
    "follow_player": Described(
        "Follow a player, or stop", form={"name": STRING, "stop": one_of("1")}
    ),
    "follow_game": Described("Follow a public game, or stop", form={"stop": one_of("1")}),
    "bookmark": Described(
        "Bookmark a moment of a finished game", form={"at": NUMBER, "note": STRING}
    ),
    "remove_bookmark": Described("Remove a bookmark", form={"number": NUMBER}),
    # Analysis.
    "analyse": Described("Ask for the analysis of a finished game", form={}),
    "analyse_upload": Described("Ask for the analysis of a game in a record", form={}),
    "analysis": Described("The analysis of a game, or how far it is", HTML),
    "analysis_json": Described("The analysis of a game, or how far it is", JSON),
    "analysis_play": Described(
        "Play on from a moment: a new table against bots",
        form={"at": NUMBER, "seat": NUMBER, "level": STRING},
    ),
    "board": Described("Your analysis board", HTML),
    "board_json": Described("Your analysis board", JSON),
    "board_start": Described("Set up your analysis board after an action", form={"at": NUMBER}),
    "record_board": Described("The same for a record", form={"at": NUMBER}),
    "board_choose": Described(
        "Make a choice on your board", form={**GO_ON, "choice": STRING, "card": STRING}
    ),
    "board_end": Described("End a turn on your board", form=GO_ON),
    "board_back": Described(
        "Take back a click on your board, or all", form={**GO_ON, "all": one_of("1")}
    ),
    "board_why": Described(
        "Why something cannot be chosen on your board", HTML, {"on": STRING, "card": STRING}
    ),
    "board_preview": Described(
        "What a choice on your board would cost and yield",
        HTML,
        {"choice": STRING, "card": STRING},
    ),
    "board_part": Described("A drawer of your board", HTML, {"drawer": one_of(*DRAWERS)}),
    "board_record": Described("The record of the game with your variations and comments", TEXT),
    "board_position": Described("The position on your board as text", TEXT),
    "board_file_svg": Described("The position on your board as a picture", SVG, PICTURE),
    "board_file_png": Described("The position on your board as a picture", PNG, PICTURE),
    "board_file_film": Described(
        "The last moves up to your board's as a film", WEBP, {"theme": one_of("light", "dark")}
    ),
    "board_moves": Described("All moves of your board, with variations and comments", HTML),
    "board_go": Described("Set your board up after a move", form=MOVE),
    "board_comment": Described(
        "Comment on a move of your board", form={**MOVE, "text": STRING, "delete": one_of("1")}
    ),
    "board_promote": Described("Move a variation one place forward", form=MOVE),
    "board_remove": Described("Delete a move of a variation and what follows", form=MOVE),
    "evaluation": Described("What the coach expects of the position on your board", HTML),
    "moment": Described("The analysis of an action", HTML, {"show": one_of("played", "better")}),
    "moment_json": Described("The analysis of an action", JSON),
    **described_company.DESCRIBED,
}

# --- the description -----------------------------------------------------------------------------


@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """All URLs with their parameters and responses."""
    return JsonResponse(description())


def description() -> dict[str, Any]:
    """The OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Brassmill",
            "version": brassmill.__version__,
            "description": "All pages and their data. Every POST is a form and needs the CSRF"
            " token: any page with a form sets it as a cookie; send it back in"
            " `csrfmiddlewaretoken` or the header `X-CSRFToken`. Programs send"
            " `Authorization: Bearer TOKEN` instead, to the addresses that name the security"
            " scheme `program`.",
        },
        "paths": {_address(route): _path(name, route) for name, route in routes()},
        "components": {
            "schemas": {
                "Error": {
                    "type": "object",
                    "properties": {"error": STRING, "words": STRING},
                    "description": "What is wrong, and what to do.",
                }
            },
            "securitySchemes": {
                "visitor": {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME},
                "program": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def routes() -> Iterator[tuple[str, str]]:
    """Our URLs: names and patterns."""
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name, str(pattern.pattern)
        elif not isinstance(pattern, URLResolver) or pattern.namespace not in OTHERS:
            raise LookupError(f"{pattern}: name it in urls.py, or its namespace in openapi.OTHERS")


def described(name: str) -> Described:
    """The description of a URL."""
    if name not in DESCRIBED:
        words = f"the URL {name!r} has no description: add it to DESCRIBED in {__file__}"
        raise LookupError(words)
    return DESCRIBED[name]


def _path(name: str, route: str) -> dict[str, Any]:
    found = described(name)
    path: dict[str, Any] = {"summary": found.words}
    if parts := [*_parts(route)]:
        path["parameters"] = parts
    if found.answer:
        path["get"] = {"operationId": name, "responses": _responses(found.answer)}
        path["get"] |= _security(name, is_reading=True)
        if found.query:
            path["get"]["parameters"] = [
                {"name": field, "in": "query", "schema": dict(schema)}
                for field, schema in found.query.items()
            ]
    if found.form is not None:
        kind = MULTIPART if FILE in found.form.values() else URLENCODED
        fields = {field: dict(schema) for field, schema in found.form.items()}
        path["post"] = {
            "operationId": f"post_{name}",
            "responses": _responses(found.answer or (JSON if route.endswith(".json") else HTML)),
            "requestBody": {
                "content": {kind: {"schema": {"type": "object", "properties": fields}}}
            },
            **_security(name, is_reading=False),
        }
    return path


def _security(name: str, is_reading: bool) -> dict[str, Any]:
    """Which scope a program needs, besides a visitor's cookie."""
    scope = scopes.needed(name, is_reading)
    return {"security": [{"visitor": []}, {"program": [scope]}]} if scope else {}


def _parts(route: str) -> Iterator[dict[str, Any]]:
    """The path parameters of a URL."""
    for kind, name in re.findall(r"<(\w+):(\w+)>", route):
        schema = FINER.get(name, KINDS[kind])
        yield {"name": name, "in": "path", "required": True, "schema": dict(schema)}


def _address(route: str) -> str:
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)


def _responses(answer: str) -> dict[str, Any]:
    """The response, or an error."""
    schema = {"type": "object"} if answer == JSON else STRING
    error = {"$ref": "#/components/schemas/Error"} if answer == JSON else STRING
    kind = JSON if answer == JSON else HTML
    return {
        "200": {"description": "OK", "content": {answer: {"schema": dict(schema)}}},
        "default": {"description": "Redirect or error", "content": {kind: {"schema": error}}},
    }
