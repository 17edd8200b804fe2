"""What the seats of a finished game did: tiles built, merchants sold to, and how they opened.

It follows from the record. Replaying one takes some 40 milliseconds, so the figures are stored
when somebody first asks for them, and only some games are replayed for one request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from brassmill import record as records
from brassmill.core.choice import MEANING
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.rules.layout import SYMBOLS
from brassmill.web.models import Archive, GameFigures

AT_ONCE = 10  # games replayed for one request
OPENING = 3  # actions

PORT, DISTANT = "port", "distant market"  # where Lancashire's cotton goes


class SeatFigures(NamedTuple):
    """What a seat did."""

    built: dict[str, int]  # by industry
    sold: dict[str, int]  # by the merchant's place; ports; the distant market
    opening: tuple[str, ...]  # its first actions: build coal, link, loan, ...


def figures_of(table_ids: Iterable[str]) -> dict[str, list[SeatFigures]]:
    """The figures of these games, by seat; of those not known yet, only some are computed."""
    wanted = list(table_ids)
    stored = {row.table_id: row for row in GameFigures.objects.filter(pk__in=wanted)}
    found, replayed = {}, 0
    archives = Archive.objects.filter(pk__in=wanted).exclude(record="")
    for archive in archives.only("table_id", "record").iterator():
        digest = sha256(archive.record.encode()).hexdigest()
        row = stored.get(archive.table_id)
        if row is None or row.digest != digest:  # or the game went on after all
            if replayed >= AT_ONCE:
                continue
            replayed += 1
            row = _computed(archive.table_id, archive.record, digest)
        found[archive.table_id] = [
            SeatFigures(seat["built"], seat["sold"], tuple(seat["opening"])) for seat in row.seats
        ]
    return found


def _computed(table_id: str, text: str, digest: str) -> GameFigures:
    """The figures of a record, stored; a record of other rules has none."""
    try:
        seats = [seat._asdict() for seat in seats_of(records.loads(text).game())]
    except BrassError:
        seats = []
    return GameFigures.objects.update_or_create(
        pk=table_id, defaults={"digest": digest, "seats": seats}
    )[0]


def seats_of(game: Game) -> list[SeatFigures]:
    """What each seat did in a game."""
    built: list[Counter[str]] = [Counter() for _seat in range(game.players)]
    sold: list[Counter[str]] = [Counter() for _seat in range(game.players)]
    opening: list[list[str]] = [[] for _seat in range(game.players)]
    for action in game.actions:
        words = word_of(game, action.ids[0])
        if not words:  # paying a debt is no choice of a turn
            continue
        if words.startswith("build "):
            built[action.seat][words.removeprefix("build ")] += 1
        for choice in action.choices:
            if buyer := buyer_of(game, int(choice)):
                sold[action.seat][buyer] += 1
        if len(opening[action.seat]) < OPENING:
            opening[action.seat].append(words)
    return [
        SeatFigures(dict(tiles), dict(buyers), tuple(first))
        for tiles, buyers, first in zip(built, sold, opening, strict=True)
    ]


def word_of(game: Game, choice: int) -> str:
    """An action in a word or two: `build coal`, `link`, `sell`."""
    kind, offset = MEANING[choice]
    if kind == "BUILD":
        space, symbol = divmod(offset, SYMBOLS)
        return f"build {game.edition.spaces[space].symbols[symbol]}"
    return "" if kind == "GIVE_UP" else kind.lower()


def buyer_of(game: Game, choice: int) -> str:
    """Where a choice sells to: a merchant whose barrel is taken, a port, the distant market."""
    kind, offset = MEANING[choice]
    if kind == "BARREL_OF":
        return game.edition.merchants[offset]
    return {"SELL_TO_PORT": PORT, "SELL_FAR": DISTANT}.get(kind, "")
