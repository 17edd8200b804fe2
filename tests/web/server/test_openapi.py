"""The description of every URL, and the page of the docs about it."""

from __future__ import annotations

import re

import pytest

from brassmill.web.server import openapi
from brassmill.web.server.described import JSON
from support.paths import ROOT

PAGE = ROOT / "docs" / "formats" / "web-api.md"
# As the page of the docs writes the parts of an address.
PARTS = {
    "table_id": "ID",
    "id": "ID",
    "edition": "GAME",
    "action": "N",
    "lesson": "LESSON",
    "day": "DAY",
    "puzzle": "PUZZLE",
    "number": "NUMBER",
}


@pytest.mark.parametrize(
    "route",
    [
        route
        for name, route in openapi.routes()
        if openapi.described(name).answer == JSON and name != "openapi"
    ],
)
def test_the_docs_name_every_page_of_data(route: str) -> None:
    address = "/" + re.sub(r"<\w+:(\w+)>", lambda part: PARTS[part[1]], route)
    assert re.search(rf"`{re.escape(address)}[?`]", PAGE.read_text()), f"add {address} to {PAGE}"


def test_an_address_without_a_description_says_where_to_add_it() -> None:
    with pytest.raises(
        LookupError, match=r"'hall' has no description: add it to DESCRIBED in .*py"
    ):
        openapi.described("hall")
