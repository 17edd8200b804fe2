"""The game that an analysis is about: that of a finished table, or one of an uploaded record.

While a game runs, nothing about it is analysed: its hidden cards are used only once it is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from brassmill import record as records
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import SPECTATOR, Record
from brassmill.web.models import Archive, GameAnalysis, Table, Upload
from brassmill.web.replay import record_views
from brassmill.web.replay.replay_views import timelines
from brassmill.web.replay.timeline import Timeline
from brassmill.web.table.archive import named


class NotOver(BrassError):  # noqa: N818 (errors are named by what happened, as in errors.py)
    """The game is not over, or no longer."""


class TooOften(Exception):  # noqa: N818
    """A visitor has had too many games read."""


@dataclass(frozen=True)
class FinishedGame:
    """The record of a finished game."""

    text: str
    digest: str  # the same whatever the players call themselves

    @property
    def record(self) -> Record:
        """The record; an error if it cannot be analysed."""
        found = records.loads(self.text)
        if not found.is_complete:
            raise NotOver(_("Only finished games are analysed. This record stops before the end."))
        if found.viewer == SPECTATOR:
            raise BrassError(_("This record shows no hand, so no action can be judged."))
        return found


def game_at(table: Table) -> FinishedGame:
    """The finished game of a table."""
    kept = Archive.objects.filter(pk=table.pk).values_list("record", flat=True).first()
    if not table.over or "result" not in table.summary or not kept:
        raise NotOver(_("Only finished games are analysed. This one is still being played."))
    names = [seat.name for seat in table.seats.all()]
    return FinishedGame(named(kept, names), _digest(kept))


def game_in(upload: Upload, number: int) -> FinishedGame:
    """A game of an uploaded record."""
    text = record_views.text_of_game(upload.text, number)
    return FinishedGame(text, _digest(text))


def game_of(analysis: GameAnalysis) -> FinishedGame:
    """The game of an analysis; an error if it is played on or has ended otherwise since."""
    if analysis.upload is not None:
        return game_in(analysis.upload, analysis.game)
    assert analysis.table is not None
    found = game_at(analysis.table)
    if found.digest != analysis.digest:
        raise NotOver(_("This game has ended differently since it was analysed."))
    return found


def timeline_of(analysis: GameAnalysis, may_read: Callable[[], bool] = lambda: True) -> Timeline:
    """Every moment of the game of an analysis; if it must be read first, that must be allowed."""
    game = game_of(analysis)
    key = ("analysis", analysis.pk, sha256(game.text.encode()).hexdigest())
    if found := timelines.get(key):
        return found
    if not may_read():
        raise TooOften
    return timelines.keep(key, Timeline(game.record))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
