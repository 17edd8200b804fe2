"""The description of all addresses for programs, as OpenAPI has it.

It is made from the addresses themselves (`urls.py`): one that is not described here is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.views.decorators.http import require_safe

import brassmill
from brassmill.editions import EDITIONS
from brassmill.language import LANGUAGES

Schema = Mapping[str, Any]

HTML, JSON, TEXT = "text/html", "application/json", "text/plain"
SVG, CSS, EVENTS = "image/svg+xml", "text/css", "text/event-stream"
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"

STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
FILE: Schema = {"type": "string", "format": "binary"}
EDITION: Schema = {"enum": [*EDITIONS]}
KEY: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,12}$"}
KINDS = {"str": STRING, "int": NUMBER, "key": KEY}  # what a part of an address can be
FINER = {"edition": EDITION}  # where its name says more than its kind

OTHERS = frozenset({"admin"})  # parts of the site that are not ours, by their namespace


class Described(NamedTuple):
    """What is at an address."""

    words: str
    answer: str = ""  # what a GET brings; nothing: there is no GET
    query: Mapping[str, Schema] = {}
    form: Mapping[str, Schema] | None = None  # what a POST takes; None: there is no POST


def one_of(*values: str) -> Schema:
    return {"enum": [*values]}


# --- what is where -------------------------------------------------------------------------------

SEATS = {
    field: STRING
    for number in range(4)
    for field in (f"who-{number}", f"name-{number}")  # you, person, friend or a level
}
GAME = {
    **SEATS,
    "players": NUMBER,
    "seed": STRING,
    "standby": STRING,
    "hands": one_of("covered", "open"),
    "listed": one_of("yes", "no"),
    "overheard": one_of("yes", "no"),
    "clock": STRING,
    "notice": STRING,
    **{option.name: STRING for box in EDITIONS.values() for option in box.options},
}
SIGN_IN = {"name": STRING, "password": STRING, "next": STRING}
GO_ON = {"number": NUMBER}  # as the table had it: of two who go on from there, one does
MOMENT = {"at": NUMBER, "as": STRING, "game": NUMBER, "frame": STRING}

DESCRIBED = {
    "home": Described("The first page", HTML),
    "home_json": Described("Games to pick, levels, own games", JSON),
    "new": Described("A new game", HTML, form=GAME),
    "new_json": Described("What can be said of a new game, and what is usual", JSON),
    "guide": Described("How a game is played", HTML),
    "guide_json": Described("How a game is played", JSON),
    "quick": Described("A game at once", form={"game": one_of("usual", "first")}),
    "language": Described(
        "Speak another language", form={"code": one_of(*LANGUAGES), "next": STRING}
    ),
    "theme": Described(
        "Other colours", form={"theme": one_of("light", "dark", "auto"), "next": STRING}
    ),
    "readiness": Described("How far the rules are compiled", HTML, {"format": one_of("json")}),
    "picture": Described("A picture of a game", SVG, {"theme": one_of("light", "dark")}),
    "brass_css": Described("The style sheet", CSS),
    "health": Described("Whether games can be played", JSON),
    "metrics": Described("What the server counts, for Prometheus", TEXT),
    "openapi": Described("This description", JSON),
    # A table.
    "table": Described("A table", HTML),
    "table_json": Described("A table, with the number of every open choice", JSON),
    "past_json": Described("The table just after an action", JSON),
    "part": Described(
        "The table again, if the stamp has changed; or a drawer",
        HTML,
        {"stamp": STRING, "drawer": one_of("mats", "tracks", "discards")},
    ),
    "events": Described("What happens there, as server-sent events", EVENTS),
    "choose": Described("Make choices", form={**GO_ON, "choice": STRING}),
    "end": Described("End the turn", form=GO_ON),
    "back": Described("Take back a choice, or all", form={**GO_ON, "all": one_of("1")}),
    "choose_json": Described("Make choices", form={**GO_ON, "choice": STRING}),
    "end_json": Described("End the turn", form=GO_ON),
    "back_json": Described("Take back a choice, or all", form={**GO_ON, "all": one_of("1")}),
    "why": Described("Why something cannot be chosen", HTML, {"on": STRING}),
    "why_json": Described("Why something cannot be chosen", JSON, {"on": STRING}),
    "preview": Described("What a choice would cost and bring", HTML, {"choice": STRING}),
    "preview_json": Described("What a choice would cost and bring", JSON, {"choice": STRING}),
    "hint": Described("What the coach says; a post asks him", HTML, form={}),
    "hint_json": Described("What the coach says; a post asks him", JSON, form={}),
    "pace": Described(
        "How fast bots play", form={"pace": one_of("slow", "normal", "fast", "skip")}
    ),
    "cover": Described("Uncover a hand, or cover it", form={"show": STRING, "hide": STRING}),
    "delete": Described("Delete a table", form={"confirm": one_of("yes")}),
    # With friends.
    "lobby": Described("Tables that everybody may come to", HTML),
    "lobby_json": Described("Tables that everybody may come to", JSON),
    "join": Described("An invitation; a post takes the seat", HTML, form={"name": STRING}),
    "move": Described("A link that moves a seat; a post does", HTML, form={}),
    "device": Described("Make a link that moves a seat", HTML, form={"seat": NUMBER}),
    "gather": Described(
        "What the host does in the waiting room",
        form={"renew": NUMBER, "free": NUMBER, "fill": STRING},
    ),
    "chat": Described("What was said; a post says something", HTML, form={"text": STRING}),
    "chat_json": Described("What was said; a post says something", JSON, form={"text": STRING}),
    "report": Described("Report a message", form={"message": NUMBER}),
    "mute": Described("Close the chat, or open it", form={"muted": one_of("0", "1")}),
    # Accounts.
    "sign_up": Described("Make an account", HTML, {"next": STRING}, {**SIGN_IN, "address": STRING}),
    "sign_in": Described("Sign in", HTML, {"next": STRING}, SIGN_IN),
    "sign_out": Described("Sign out", form={}),
    "forgotten": Described("Ask for a new password by mail", HTML, form={"address": STRING}),
    "reset": Described("Choose a new password", HTML, form={"password": STRING}),
    "account": Described("The own account", HTML),
    "account_json": Described("The own account: games and scores", JSON),
    "details": Described(
        "Another name or address", form={"name": STRING, "address": STRING, "present": STRING}
    ),
    "password": Described("Another password", form={"old": STRING, "password": STRING}),
    "export": Described("All that is kept of an account", form={}),
    "account_delete": Described("Delete the account", HTML, form={"present": STRING}),
    # Over days.
    "mails": Described(
        "The own address for mails, and vacation",
        HTML,
        {"table": KEY},
        {"address": STRING, "forget": one_of("1")},
    ),
    "mails_json": Described("The own address for mails, and vacation", JSON),
    "away": Described("Go on vacation, or come back", form={"days": NUMBER, "back": one_of("1")}),
    "confirm": Described("A mailed link that confirms an address", HTML, form={}),
    "stop": Described("A mailed link that ends mails", HTML, form={"again": STRING}),
    "seat": Described("A mailed link that opens a seat; a post moves it", HTML, form={}),
    "invite": Described(
        "Send an invitation by mail",
        form={"seat": NUMBER, "address": STRING, "words": STRING},
    ),
    "leave": Described("Let a bot play for oneself", form={"seat": NUMBER}),
    "come_back": Described("Play oneself again", form={"seat": NUMBER}),
    "dismiss": Described("Let a bot play for who does not come", form={"seat": NUMBER}),
    # Afterwards.
    "result": Described("How a game ended", HTML, {"stamp": STRING}),
    "result_json": Described("How a game ended", JSON),
    "again": Described("The same game once more", form={}),
    "replay": Described("Any action of a game", HTML, MOMENT),
    "replay_json": Described("Any action of a game", JSON, MOMENT),
    "record": Described("The record of a game", TEXT),
    "upload": Described(
        "Bring a record", HTML, form={"text": STRING, "name": STRING, "file": FILE}
    ),
    "uploads_json": Described("The records that the visitor has brought", JSON),
    "upload_replay": Described("Any action of a record", HTML, MOMENT),
    "upload_replay_json": Described("Any action of a record", JSON, MOMENT),
    "upload_result": Described("How a record ended", HTML, {"game": NUMBER}),
    "upload_result_json": Described("How a record ended", JSON, {"game": NUMBER}),
    "upload_delete": Described("Delete a record that the visitor has brought", form={}),
}

# --- the description -----------------------------------------------------------------------------


@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """All addresses, what they take and what they bring."""
    return JsonResponse(description())


def description() -> dict[str, Any]:
    """The whole of it."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Brassmill",
            "version": brassmill.__version__,
            "description": "All pages and their data. Posts are forms, with a token against"
            " forgery: the cookie that comes with any page with a form, sent back in"
            " `csrfmiddlewaretoken` or the header `X-CSRFToken`.",
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
                "visitor": {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
            },
        },
    }


def routes() -> Iterator[tuple[str, str]]:
    """The names of our addresses, and their patterns."""
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name, str(pattern.pattern)
        elif not isinstance(pattern, URLResolver) or pattern.namespace not in OTHERS:
            raise LookupError(f"{pattern}: name it in urls.py, or its namespace in openapi.OTHERS")


def _path(name: str, route: str) -> dict[str, Any]:
    found = DESCRIBED.get(name)
    if found is None:
        raise LookupError(f"the address {name!r} has no description: add it to openapi.DESCRIBED")
    path: dict[str, Any] = {"summary": found.words}
    if parts := [*_parts(route)]:
        path["parameters"] = parts
    if found.answer:
        path["get"] = {"operationId": name, "responses": _responses(found.answer)}
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
        }
    return path


def _parts(route: str) -> Iterator[dict[str, Any]]:
    """The parts of an address that differ."""
    for kind, name in re.findall(r"<(\w+):(\w+)>", route):
        schema = FINER.get(name, KINDS[kind])
        yield {"name": name, "in": "path", "required": True, "schema": dict(schema)}


def _address(route: str) -> str:
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)


def _responses(answer: str) -> dict[str, Any]:
    """What comes, or what is wrong."""
    schema = {"type": "object"} if answer == JSON else STRING
    error = {"$ref": "#/components/schemas/Error"} if answer == JSON else STRING
    kind = JSON if answer == JSON else HTML
    return {
        "200": {"description": "As asked", "content": {answer: {"schema": dict(schema)}}},
        "default": {"description": "It is elsewhere, or not", "content": {kind: {"schema": error}}},
    }
