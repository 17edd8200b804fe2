"""The analysis board: other moves from a moment of a finished game, for all seats.

The board is its clicks, from which everything else follows. Every line of whole actions is kept as
a variation, and every move can have a comment (`notes.py`). The record can be downloaded with all
of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from brassmill.core.events import Event
from brassmill.core.view import View
from brassmill.errors import BrassError, IllegalAction
from brassmill.game import Game
from brassmill.language import gettext as _
from brassmill.notation import matching, stored
from brassmill.play.session import GameSession
from brassmill.web.models import Account, AnalysisBoard
from brassmill.web.page.log import LogPart
from brassmill.web.page.model import PageModel, SeatInfo, page_model
from brassmill.web.replay.notes import Move, Notes, notes_in
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import database

KEPT = timedelta(days=90)  # without an account
MOST = 100  # boards of a visitor
MOST_OF_SITE = 20_000  # boards of visitors without an account
MOST_CLICKS = 400  # of a line


class BoardGame:
    """A board as it stands."""

    def __init__(self, timeline: Timeline, row: AnalysisBoard) -> None:
        """Replay its clicks, as far as the rules still allow them."""
        self.timeline, self.row = timeline, row
        edition = timeline.edition
        game = Game.from_state(edition, timeline.engine(row.start).state, timeline.seats)
        self.session = GameSession(game, LogPart)
        began = Event("round_began", era=game.era, round=game.round)
        self.session.history = [LogPart(None, 0, (began,))]
        self.session.seen = [1] * game.players
        self.clicks: list[list[str]] = []  # no words: the end of a turn
        for words in row.clicks:
            try:
                self._apply(words)
            except BrassError:
                break

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def seat(self) -> int:
        """The seat whose cards are shown: that of the player to move, or the first at the end."""
        return 0 if self.game.seat is None else self.game.seat

    @property
    def view(self) -> View:
        return self.game.view(self.seat)

    @cached_property
    def notes(self) -> Notes:
        """What was tried and said so far."""
        return Notes(self.timeline.actions, self.row.variations, self.row.comments)

    @property
    def move(self) -> Move:
        """The last whole action, in the game or in a variation."""
        actions = [each.text for each in self.game.actions]
        move = self.notes.at(self.row.start, actions)
        while move is None:  # the variation was deleted, here or in another window
            actions.pop()
            move = self.notes.at(self.row.start, actions)
        return move

    @property
    def is_over(self) -> bool:
        """Is the game over, or did it end here by agreement?"""
        ended = self.timeline.record.is_complete and self.move is self.notes.moves[-1]
        return self.game.over or ended

    def _apply(self, words: Sequence[str]) -> None:
        game = self.game
        if not words:
            if game.question != "turn over":
                raise IllegalAction(_("Your turn is not over."))
            self.session.end_turn()
        else:
            choices = stored.read(game.edition, words)
            if refusal := matching.why_not_all(game.engine, choices):
                raise refusal.error()
            self.session.choose(tuple(choices))
        self.clicks.append(list(words))

    # --- clicks ----------------------------------------------------------------------------------

    def choose(self, ids: Sequence[int]) -> None:
        """Make a choice for the player to move."""
        if not ids:
            raise BrassError(_("Nothing was chosen."))
        if self.is_over:
            raise BrassError(_("The game is over."))
        if refusal := matching.why_not_all(self.game.engine, list(ids)):
            raise refusal.error()
        self._click(stored.write(self.game.edition, ids))

    def end_turn(self) -> None:
        """End the turn of the player to move."""
        self._click([])

    def _click(self, words: list[str]) -> None:
        if len(self.clicks) >= MOST_CLICKS:
            raise BrassError(_("This variation is long enough. Start another one."))
        self._apply(words)
        if words and not self.game.engine.in_progress:
            self.notes.add(self.row.start, [each.text for each in self.game.actions])
        self._keep()

    def undo(self, everything: bool) -> None:
        """Take back the last click, or all; variations stay."""
        self.clicks = [] if everything else self.clicks[:-1]
        self._keep()

    def go_to(self, move: Move) -> None:
        """Set the board up after another move, with the turn ended if it is over."""
        timeline = self.timeline
        game = Game.from_state(timeline.edition, timeline.engine(move.after).state, timeline.seats)
        clicks: list[list[str]] = []
        for text in move.actions:
            ids = matching.resolve(game.engine, text)
            clicks.append(stored.write(game.edition, ids))
            game.carry_out(tuple(ids), ends_turn=False)
            if game.question == "turn over":
                clicks.append([])
                game.end_turn()
        self.row.start, self.clicks = move.after, clicks
        self._keep()

    # --- notes -----------------------------------------------------------------------------------

    def comment(self, move: Move, text: str) -> None:
        """Say something about a move."""
        self.notes.comment(move, text)
        self._keep()

    def promote(self, move: Move) -> None:
        """Move a variation one place forward."""
        self.notes.promote(move)
        self._keep()

    def remove(self, move: Move) -> None:
        """Delete a move of a variation and what follows; a board that stands there goes back."""
        before = self.notes.before(move)
        stands_there = move in self.move.line
        self.notes.remove(move)
        if stands_there and before is not None:
            self.go_to(before)
        else:
            self._keep()

    def _keep(self) -> None:
        self.row.clicks = self.clicks
        self.row.variations, self.row.comments = self.notes.variations, self.notes.comments
        self.row.touched = timezone.now()
        self.row.save(update_fields=["start", "clicks", "variations", "comments", "touched"])

    # --- what is shown ---------------------------------------------------------------------------

    @property
    def stamp(self) -> str:
        """Another one after every change."""
        return f"{self.row.pk}-{self.row.touched.timestamp():.6f}"

    def model(self) -> PageModel:
        """The table as the player to move sees it; there is no result to show at its end."""
        game, number = self.game, len(self.clicks)
        model = page_model(
            self.view,
            [SeatInfo(name) for name in game.seats],
            number=number,
            stamp=self.stamp,
            undoable=number,
            draft=game.draft,
            history=self.session.history_for(self.seat),
            seen=1,
            hints=False,
        )
        return replace(model, over=False, can_undo=bool(number), can_reset=False)


def begin(visitor: str, at: int, timeline: Timeline, **of: Any) -> AnalysisBoard:
    """Set up a visitor's board after an action of a game; its variations and comments stay.

    A new board has those of the record. A visitor who has too many boards loses the one not touched
    for longest.
    """
    now = {"start": at, "clicks": [], "touched": timezone.now()}
    if AnalysisBoard.objects.filter(visitor=visitor, **of).exists():
        new = {}
    else:
        notes = notes_in(timeline)
        new = {"variations": notes.variations, "comments": notes.comments}
    board = AnalysisBoard.objects.update_or_create(
        visitor=visitor, **of, defaults=now, create_defaults={**now, **new}
    )[0]
    _delete_beyond(AnalysisBoard.objects.filter(visitor=visitor), MOST)
    return board


def forget_old() -> None:
    """Delete the boards of visitors without an account that are old or too many."""
    found = AnalysisBoard.objects.exclude(visitor__in=Account.objects.values("key"))
    found.filter(touched__lt=database.now() - KEPT).delete()
    _delete_beyond(found, MOST_OF_SITE)


def _delete_beyond(boards: QuerySet[AnalysisBoard], most: int) -> None:
    """Delete all but those touched last."""
    oldest = boards.order_by("-touched", "-pk").values_list("pk", flat=True)[most:]
    AnalysisBoard.objects.filter(pk__in=list(oldest)).delete()
