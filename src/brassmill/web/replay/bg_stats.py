"""A link that hands a finished game to the app BG Stats, which asks before it saves anything.

The format is the app's own: a play as JSON in the address (Push plays to BG Stats from other apps
or websites, bgstatsapp.com/support). Nothing is sent unless the player opens the link.
"""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any
from urllib.parse import quote

from brassmill.core.outcome import Outcome
from brassmill.editions import EDITIONS
from brassmill.web.models import Table

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
# On BoardGameGeek, where both Lancashire editions are one game.
NUMBERS = {"birmingham": 224517, "lancashire": 28720, "classic": 28720}


def link(table: Table, outcome: Outcome) -> str:
    """The address that opens the app with this game."""
    text = json.dumps(play_of(table, outcome), ensure_ascii=False, separators=(",", ":"))
    return ADDRESS + quote(text, safe="")


def play_of(table: Table, outcome: Outcome) -> dict[str, Any]:
    """A game as the app reads it; its times are UTC."""
    return {
        "sourceName": "Brassmill",
        "sourcePlayId": table.pk,
        "playDate": f"{table.touched.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": EDITIONS[table.edition].title,
            "sourceGameId": table.edition,
            "bggId": NUMBERS[table.edition],
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": result.name,
                "sourcePlayerId": result.name,
                "rank": result.rank,
                "score": result.total,
                "winner": result.rank == 1,
                "startPlayer": False,
            }
            for result in outcome.results
        ],
    }
