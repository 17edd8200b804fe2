"""The analysis board: other moves from a moment of a finished game, for all seats.

The board is its clicks, from which everything else follows. Every line of whole actions is kept as
a variation, so that the record can be downloaded with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
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
from brassmill.record import Record
from brassmill.web.models import Account, AnalysisBoard
from brassmill.web.page.log import LogPart
from brassmill.web.page.model import PageModel, SeatInfo, page_model
from brassmill.web.replay.timeline import Timeline
from brassmill.web.server import database

KEPT = timedelta(days=90)  # without an account
MOST = 100  # boards of a visitor
MOST_OF_SITE = 20_000  # boards of visitors without an account
MOST_CLICKS = 400  # of a line
MOST_VARIATIONS = 40  # the oldest is forgotten first

Variation = dict[str, Any]  # the action it begins `after`, and its `actions`


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

    @property
    def variations(self) -> list[Variation]:
        """What was tried so far."""
        found: list[Variation] = self.row.variations
        return found

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
            self.row.variations = with_line(self.variations, self._line())[-MOST_VARIATIONS:]
        self._keep()

    def undo(self, everything: bool) -> None:
        """Take back the last click, or all; variations stay."""
        self.row.clicks = [] if everything else self.clicks[:-1]
        self.clicks = self.row.clicks
        self._keep()

    def _line(self) -> Variation:
        return {"after": self.row.start, "actions": [each.text for each in self.game.actions]}

    def _keep(self) -> None:
        self.row.clicks = self.clicks
        self.row.touched = timezone.now()
        self.row.save(update_fields=["clicks", "variations", "touched"])

    # --- what is shown ---------------------------------------------------------------------------

    def model(self) -> PageModel:
        """The table as the player to move sees it; there is no result to show at its end."""
        game, number = self.game, len(self.clicks)
        model = page_model(
            self.view,
            [SeatInfo(name) for name in game.seats],
            number=number,
            stamp=f"{self.row.pk}-{self.row.touched.timestamp():.6f}",
            undoable=number,
            draft=game.draft,
            history=self.session.history_for(self.seat),
            seen=1,
            hints=False,
        )
        return replace(model, over=False, can_undo=bool(number), can_reset=False)


def with_line(variations: list[Variation], line: Variation) -> list[Variation]:
    """The variations with another line, which may go on with one of them."""
    actions = line["actions"]
    for known in variations:
        if known["after"] == line["after"] and known["actions"][: len(actions)] == actions:
            return variations
    kept = [
        known
        for known in variations
        if known["after"] != line["after"] or actions[: len(known["actions"])] != known["actions"]
    ]
    return [*kept, line]


def begin(visitor: str, at: int, **of: Any) -> AnalysisBoard:
    """Set up a visitor's board after an action of a game; its variations and comments stay.

    A visitor who has too many boards loses the one not touched for longest.
    """
    now = {"start": at, "clicks": [], "touched": timezone.now()}
    board = AnalysisBoard.objects.update_or_create(visitor=visitor, **of, defaults=now)[0]
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


def with_variations(record: Record, variations: Sequence[Variation]) -> Record:
    """The record with everything that was tried; what the rules no longer allow is left out."""
    for variation in variations:
        line = [record.root, *record.main_line()]
        if not 0 <= variation["after"] < len(line):
            continue
        try:
            line[variation["after"]].add_line(variation["actions"])
        except BrassError:
            continue
    return record
