"""How addresses are described (`openapi.py`): the terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from brassmill.editions import EDITIONS

Schema = Mapping[str, Any]

HTML, JSON, TEXT = "text/html", "application/json", "text/plain"
SVG, CSS, EVENTS = "image/svg+xml", "text/css", "text/event-stream"
PDF, PNG, WEBP, CSV = "application/pdf", "image/png", "image/webp", "text/csv"
CALENDAR = "text/calendar"
MANIFEST, SCRIPT = "application/manifest+json", "text/javascript"
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"

STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
FILE: Schema = {"type": "string", "format": "binary"}
DATE: Schema = {"type": "string", "format": "date"}
EDITION: Schema = {"enum": [*EDITIONS]}
KEY: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,12}$"}
KINDS = {"str": STRING, "slug": STRING, "int": NUMBER, "key": KEY}  # path parameters by converter
FINER = {"edition": EDITION}  # more specific ones by name


class Described(NamedTuple):
    """The description of a URL."""

    words: str
    answer: str = ""  # what a GET returns; empty: there is no GET
    query: Mapping[str, Schema] = {}
    form: Mapping[str, Schema] | None = None  # what a POST takes; None: there is no POST


def one_of(*values: str) -> Schema:
    return {"enum": [*values]}
