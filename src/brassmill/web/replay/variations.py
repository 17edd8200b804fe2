"""Variations in the replay: each is a timeline of its own, the game up to the moment it begins.

They come from the visitor's analysis board of the game, or from an uploaded record itself. Nobody
sees those of another visitor.
"""

from __future__ import annotations

from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple
from weakref import WeakKeyDictionary

from django.db.models import Q

from brassmill.core.outcome import Outcome, outcome_of
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.notation import matching
from brassmill.record import Node
from brassmill.web.models import AnalysisBoard
from brassmill.web.replay.move_list import words_of
from brassmill.web.replay.notes import Move, Notes, notes_in
from brassmill.web.replay.timeline import Timeline

MOST_IN_RECORD = 1_000  # actions of all variations of an upload; with more, none is shown

_in_records: WeakKeyDictionary[Timeline, Notes | None] = WeakKeyDictionary()


class OtherWay(NamedTuple):
    """Another way to go on from a moment, as the log lists it."""

    line: str  # the address of the last move of its variation; empty: the game as it was played
    at: int  # the number of its first action
    seat: int | None
    text: str
    comment: str
    length: int  # how many actions it has


class VariationTimeline(Timeline):
    """The game up to a moment, and then what was tried there, as far as the rules allow it."""

    def __init__(self, game: Timeline, walked: Move) -> None:
        """Play the variation up to a move."""
        self.record, self.edition, self.seats = game.record, game.edition, game.seats
        self.endings = {n: ending for n, ending in game.endings.items() if n <= walked.after}
        self.played_as = game
        self.walked = walked
        frames = list(game.frames[: walked.after + 1])
        board = Game.from_state(self.edition, game.engine(walked.after).state, self.seats)
        for move in walked.line:
            if board.question == "turn over":
                board.end_turn()
            seat, era, number = board.seat, board.era, board.round
            try:
                events = board.carry_out(matching.resolve(board.engine, move.text))
            except BrassError:
                break
            self._add(frames, board, seat, era, number, events, move.comment)
        self.frames = tuple(frames)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Return the actions of the game, then those of the variation."""
        after = self.walked.after
        return (*self.played_as.actions[:after], *self.walked.actions[: self.last - after])

    def outcome(self) -> Outcome | None:
        """Return how the variation ended, or None if it did not reach the end of the game."""
        return outcome_of(self.engine(self.last))


# --- where they come from ------------------------------------------------------------------------


def notes_for_table(table_id: str, visitor: str, timeline: Timeline) -> Notes | None:
    """What a visitor has tried on the board of a finished table."""
    return _on_board(Q(analysis__table=table_id), visitor, timeline)


def notes_for_upload(upload_id: str, game: int, visitor: str, timeline: Timeline) -> Notes | None:
    """What a visitor has tried on the board of an uploaded game, or what its record contains."""
    on_record = Q(upload=upload_id, game=game)
    on_analysis = Q(analysis__upload=upload_id, analysis__game=game)
    return _on_board(on_record | on_analysis, visitor, timeline) or _in_record(timeline)


def _on_board(of: Q, visitor: str, timeline: Timeline) -> Notes | None:
    """The variations of the board touched last, if the game is still the same."""
    row = AnalysisBoard.objects.filter(of, visitor=visitor).order_by("-touched").first()
    if row is None or any(line["after"] > timeline.last for line in row.variations):
        return None
    return Notes(timeline.actions, row.variations)


def _in_record(timeline: Timeline) -> Notes | None:
    if timeline not in _in_records:
        _in_records[timeline] = _read(timeline)
    return _in_records[timeline]


def _read(timeline: Timeline) -> Notes | None:
    if _is_too_large(timeline.record.root):
        return None
    try:
        return notes_in(timeline)
    except BrassError:  # more than a board may have
        return None


def _is_too_large(root: Node) -> bool:
    rest, count = [root], 0
    while rest and count <= MOST_IN_RECORD:
        node = rest.pop()
        count += not node.is_main
        rest += node.children
    return count > MOST_IN_RECORD


# --- walking -------------------------------------------------------------------------------------


def walked_to(notes: Notes | None, line: str) -> Move | None:
    """The move of a variation with an address; None: there is none."""
    move = notes.find(line) if notes and line else None
    return move if move and move.parent else None


def ways_of(timeline: Timeline, notes: Notes | None) -> dict[int, list[OtherWay]]:
    """What else was tried, by the number of the action that it replaces in a timeline."""
    if notes is None:
        return {}
    if isinstance(timeline, VariationTimeline):
        after = timeline.walked.after
        path = [*notes.moves[: after + 1], *timeline.walked.line[: timeline.last - after]]
        timeline = timeline.played_as
    else:
        path = list(notes.moves)
    found: dict[int, list[OtherWay]] = {}
    for number, (move, chosen) in enumerate(zip_longest(path, path[1:]), 1):
        played = notes.moves[move.after + 1 : move.after + 2] if move.parent is None else []
        others = [each for each in (*played, *move.others) if each is not chosen]
        ways = [way for each in others if (way := _way(timeline, each, number))]
        if ways:
            found[number] = ways
    return found


def _way(timeline: Timeline, first: Move, number: int) -> OtherWay | None:
    try:
        words = words_of(timeline, first)
    except BrassError:  # the rules have changed, or the game has
        return None
    if first.parent is None:
        return OtherWay("", number, *words, comment="", length=0)
    last = first
    while last.others:
        last = last.others[0]
    length = len(last.actions) - len(first.actions) + 1
    return OtherWay(last.address, number, *words, comment=first.comment, length=length)
