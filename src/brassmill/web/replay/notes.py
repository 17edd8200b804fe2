"""Variations and comments of an analysis board: a tree beside the game as it was played.

A move is an action of the game, or of a variation. Its `after` is the last action of the game that
is on its line; `actions` are those of the variation since then. So the row of a board keeps the
tree as lists: variations from the first to the last, each as far as it goes, and comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.language import gettext as _
from brassmill.record import Node, Record, replay
from brassmill.web.replay.timeline import Timeline

MOST_VARIATIONS = 100
MOST_COMMENTS = 300
LONGEST_COMMENT = 2000
LARGEST = 200_000  # characters of all variations and comments of a board

Body = dict[str, Any]


class Move:
    """An action, or the start of the game."""

    def __init__(self, after: int, parent: Move | None = None, text: str = "") -> None:
        self.after = after
        self.parent = parent  # in the variation; None: it is a move of the game
        self.text = text
        self.comment = ""
        self.others: list[Move] = []  # what was tried after it, beside the game itself

    @property
    def line(self) -> list[Move]:
        """The moves of the variation up to this one."""
        moves, move = [], self
        while move.parent is not None:
            moves.append(move)
            move = move.parent
        return moves[::-1]

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the variation up to this one."""
        return tuple(move.text for move in self.line)

    @property
    def address(self) -> str:
        """Its place in the tree: after action 12, the second variation, its first move: 12-1-0."""
        steps = (move.parent.others.index(move) for move in self.line if move.parent)
        return "-".join(map(str, (self.after, *steps)))

    @property
    def place(self) -> tuple[int, tuple[str, ...]]:
        """Where it is, whatever the order of the variations."""
        return self.after, self.actions

    def walk(self) -> Iterator[Move]:
        """The moves of the variations that begin here, each before what follows it."""
        rest = self.others[::-1]
        while rest:
            move = rest.pop()
            yield move
            rest += move.others[::-1]


class Notes:
    """The variations and comments of a game."""

    def __init__(
        self,
        game: Sequence[str],
        variations: Sequence[Body] = (),
        comments: Sequence[Body] = (),
    ) -> None:
        """The actions of the game, and what the row of a board keeps."""
        self.game = tuple(game)
        self.moves = [Move(number) for number in range(len(self.game) + 1)]
        for line in variations:
            self._grow(line["after"], line["actions"])
        for comment in comments:
            if move := self.at(comment["after"], comment["actions"]):
                move.comment = comment["text"]

    # --- finding ---------------------------------------------------------------------------------

    def at(self, after: int, actions: Sequence[str]) -> Move | None:
        """The move after these actions; they may follow the game for a while."""
        if not 0 <= after < len(self.moves):
            return None
        move = self.moves[after]
        for text in actions:
            found = self._next(move, text)
            if found is None:
                return None
            move = found
        return move

    def find(self, address: str) -> Move | None:
        """The move with an address."""
        steps = address.split("-")
        if not all(step.isdecimal() and len(step) < 6 for step in steps):
            return None
        first, *others = map(int, steps)
        if first >= len(self.moves):
            return None
        move = self.moves[first]
        for step in others:
            if step >= len(move.others):
                return None
            move = move.others[step]
        return move

    def before(self, move: Move) -> Move | None:
        """The move before."""
        if move.parent is not None:
            return move.parent
        return self.moves[move.after - 1] if move.after else None

    def next(self, move: Move) -> Move | None:
        """The move that follows: in the game, or in the first variation."""
        if move.parent is None and move.after < len(self.game):
            return self.moves[move.after + 1]
        return move.others[0] if move.others else None

    def all(self) -> Iterator[Move]:
        """All moves: those of the game, each before the variations that begin after it."""
        for move in self.moves:
            yield move
            yield from move.walk()

    def _next(self, move: Move, text: str) -> Move | None:
        if move.parent is None and self.game[move.after : move.after + 1] == (text,):
            return self.moves[move.after + 1]
        return next((other for other in move.others if other.text == text), None)

    # --- changing --------------------------------------------------------------------------------

    def add(self, after: int, actions: Sequence[str]) -> Move:
        """Keep a line; return its last move."""
        move = self._grow(after, actions)
        self._check()
        return move

    def _grow(self, after: int, actions: Sequence[str]) -> Move:
        move = self.moves[after]
        for text in actions:
            found = self._next(move, text)
            if found is None:
                found = Move(move.after, move, text)
                move.others.append(found)
            move = found
        return move

    def comment(self, move: Move, text: str) -> None:
        """Say something about a move; no words take a comment away."""
        if len(text) > LONGEST_COMMENT:
            words = _("A comment has at most {most} characters.")
            raise BrassError(words.format(most=LONGEST_COMMENT))
        node = Node(None, "", "")
        node.comment = text  # an error if it is not text
        move.comment = node.comment
        self._check()

    def promote(self, move: Move) -> None:
        """Move a variation one place forward among its alternatives."""
        siblings = _siblings(move)
        place = siblings.index(move)
        if place:
            siblings.insert(place - 1, siblings.pop(place))

    def remove(self, move: Move) -> None:
        """Delete a move of a variation, and what follows it."""
        _siblings(move).remove(move)

    def _check(self) -> None:
        variations, comments = self.variations, self.comments
        if len(variations) > MOST_VARIATIONS:
            words = _("A board keeps {most} variations. Delete one first.")
            raise BrassError(words.format(most=MOST_VARIATIONS))
        if len(comments) > MOST_COMMENTS:
            words = _("A board keeps {most} comments. Delete one first.")
            raise BrassError(words.format(most=MOST_COMMENTS))
        size = sum(sum(map(len, line["actions"])) for line in (*variations, *comments))
        if size + sum(len(comment["text"]) for comment in comments) > LARGEST:
            raise BrassError(_("These variations and comments are too long for a board."))

    # --- as kept ---------------------------------------------------------------------------------

    @property
    def variations(self) -> list[Body]:
        """Each variation as far as it goes, in their order."""
        return [
            {"after": move.after, "actions": list(move.actions)}
            for first in self.moves
            for move in first.walk()
            if not move.others
        ]

    @property
    def comments(self) -> list[Body]:
        """What was said, and after which move."""
        return [
            {"after": move.after, "actions": list(move.actions), "text": move.comment}
            for move in self.all()
            if move.comment
        ]


def _siblings(move: Move) -> list[Move]:
    if move.parent is None:
        raise BrassError(_("The game itself cannot be changed, only its variations."))
    return move.parent.others


# --- from and to a record ------------------------------------------------------------------------


def notes_in(timeline: Timeline) -> Notes:
    """The variations and comments of a record; what the rules do not allow is left out."""
    record = timeline.record
    texts = {
        node: board.actions[-1].text
        for node, board, error in replay.variations(record)
        if error is None
    }
    notes = Notes(timeline.actions)
    found: dict[Node, Move] = {}
    for node, move in zip([record.root, *record.main_line()], notes.moves, strict=True):
        found[node] = move
        move.comment = node.comment
    for node, text in texts.items():  # each after its parent
        assert node.parent is not None
        before = found[node.parent]
        move = found[node] = notes._next(before, text) or notes._grow(
            before.after, [*before.actions, text]
        )
        move.comment = "\n".join(filter(None, (move.comment, node.comment)))
    notes._check()
    return notes


def with_notes(record: Record, timeline: Timeline, notes: Notes) -> Record:
    """A record with these variations and comments, and no others.

    What the rules no longer allow is left out. Where a record stops before the end of the game, it
    goes on with the first variation.
    """
    line = [record.root, *record.main_line()]
    for node in line:
        del node.children[1:]
        node.comment = ""
    for move, node in zip(notes.moves, line, strict=True):
        node.comment = move.comment
    for move, node in zip(notes.moves, line, strict=True):
        for first in move.others:
            if node is line[-1] and not node.children:
                _extend(record, node, first)
            else:
                _graft(timeline, node, first)
    return record


def _extend(record: Record, node: Node, first: Move) -> None:
    """Go on with the main line as far as a variation goes; then graft what else was tried there."""
    chain = [first]
    while chain[-1].others:
        chain.append(chain[-1].others[0])
    try:
        last = record.add_line(node, [move.text for move in chain])
    except BrassError:
        return
    for move, added in zip(chain, last.line[-len(chain) :], strict=True):
        added.comment = move.comment
        for other in move.others[1:]:
            _graft_to(record.game(added), added, other)


def _graft(timeline: Timeline, node: Node, move: Move) -> None:
    state = timeline.engine(move.after).state
    _graft_to(Game.from_state(timeline.edition, state, timeline.seats), node, move)


def _graft_to(game: Game, node: Node, move: Move) -> None:
    """Add a variation after a node, whose position the game has."""
    rest = [(node, move, game.copy())]
    while rest:
        parent, now, board = rest.pop()
        try:
            found = replay.node_for(board, parent, now.text)
        except BrassError:
            continue
        if found not in parent.children:
            parent.children.append(found)
        found.comment = now.comment
        rest += [(found, other, board.copy()) for other in now.others[::-1]]
