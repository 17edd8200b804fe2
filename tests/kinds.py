"""Every kind of game: all editions, player counts and combinations of options."""

from __future__ import annotations

from brassmill.cli.fuzz import games_to_play
from brassmill.editions import Edition

PLAIN: list[Edition] = list(games_to_play((), None, {}, all_options=False))
ALL: list[Edition] = list(games_to_play((), None, {}, all_options=True))
