"""A record: the headers, the deal, and the tree of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from brassmill.core.choice import whole
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.outcome import Outcome, outcome_of
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record import data, replay, rows, seat, writer
from brassmill.record.tree import Node, Root
from brassmill.rules.version import RULES_VERSION

if TYPE_CHECKING:
    from brassmill.game import Game

# The last line of a record. A game ended by agreement is scored as if the era had ended there.
END, AGREED, TURN_OVER, UNFINISHED = "end", "ended by agreement", "turn over", "unfinished"
CLOSINGS = (END, AGREED, TURN_OVER, UNFINISHED)
Viewer = int | Literal["spectator"]


class Record:
    """One game as text, to read, inspect, comment and write.

    A full record has the deal, or the position that was set up. A seat's record has `known`
    instead: the deal as far as its seat (`viewer`) knows it.
    """

    def __init__(
        self,
        edition: Edition,
        seats: Sequence[str],
        *,
        deal: Deal | None = None,
        position: str | None = None,
        known: Deal | None = None,
        viewer: Viewer | None = None,
        conceded: Sequence[int] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.edition = edition
        self.seats = tuple(seats)
        self.deal = deal
        self.position = position  # as one line of text
        self.known = known  # -1: unknown
        self.viewer = viewer  # the seat whose record it is; None: the full record
        self.conceded = tuple(conceded)  # seats, first to last: ranked behind the others
        self.headers: dict[str, str] = dict(headers or {})
        self.root: Node = Root(self)
        self.closing = UNFINISHED
        self.checks: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        game: Game,
        seat: Viewer | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        conceded: Sequence[int] = (),
        by_agreement: bool = False,
    ) -> Record:
        """The record of a game; while a game with a secret deal runs, only a seat's record.

        The seats that `conceded` are in the order in which they did. A game ended `by_agreement`
        is over, though the rules would let it continue.
        """
        if seat is not None:
            return _of_seat(game, seat, headers or {}, conceded)
        if game.secret and not game.over and not by_agreement:
            raise BrassError(
                _(
                    "The game is not over, and its deal is secret: ask for the record of a "
                    "seat, record(seat=0), or of a spectator, record(seat='spectator')."
                )
            )
        record = cls(game.edition, game.seats, conceded=conceded)
        if rows.began_by_deal(game):
            record.deal = game.deal
        else:
            record.position = rows.position_text(game)
        turn_over = game.question == TURN_OVER
        record._fill(game, len(game.actions), turn_over, headers or {}, by_agreement)
        return record

    def _fill(
        self,
        game: Game,
        count: int,
        turn_over: bool,
        more: Mapping[str, str],
        by_agreement: bool = False,
    ) -> None:
        """Fill in the actions, their checks, the headers and the last line from a game."""
        node = self.root
        engine = Engine(game.edition, game.seats)
        checks = []
        round_: tuple[str, int] | None = None
        for number, action in enumerate(game.actions[:count]):
            engine.restore(action.before)
            heading = replay.heading_at(engine)
            seat = game.seats[action.seat]
            child = Node(node, seat, action.text, None if round_ == heading[:2] else heading)
            round_ = heading[:2]
            node.children.append(child)
            node = child
            engine.restore(_after(game, number))
            checks.append(replay.check_of(engine))
        self.checks = tuple(checks)
        self.closing = TURN_OVER if turn_over else UNFINISHED
        if game.over or by_agreement:
            self.closing = END if game.over else AGREED
        self.headers = rows.headers_of(self, RULES_VERSION, more)
        if outcome := self.outcome_of(game):
            self.headers |= rows.result_headers(outcome)

    # --- contents --------------------------------------------------------------------------------

    def __str__(self) -> str:
        return writer.text_of(self)

    def __repr__(self) -> str:
        count = len(self.main_line())
        return f"<Record {self.edition.name}, {', '.join(self.seats)}, {count} actions>"

    def main_line(self) -> list[Node]:
        """The actions that were played."""
        return list(self.root.main_line())

    @property
    def actions(self) -> tuple[str, ...]:
        """The texts of the main line: `Ada: loan 30; card iron`."""
        return tuple(f"{node.seat}: {node.text}" for node in self.root.main_line())

    def line(self, path: Sequence[int]) -> list[Node]:
        """The actions along a path of children; see `Node.path`."""
        node = self.root
        for step, child in enumerate(path):
            if not 0 <= child < len(node.children):
                raise BrassError(
                    _("action {number} has no variation {child}").format(
                        number=step + 1, child=child
                    )
                )
            node = node.children[child]
        return node.line

    @property
    def result(self) -> str | None:
        """The VP at the end, from its header."""
        return self.headers.get("Result")

    @property
    def is_complete(self) -> bool:
        """Whether the record ends with the end of the game."""
        return self.closing in (END, AGREED)

    def outcome_of(self, game: Game) -> Outcome | None:
        """How its game, played to the end of the record, ended; None if it did not."""
        return outcome_of(game.engine, self.conceded, self.closing == AGREED)

    @property
    def rules(self) -> str:
        """The version of the rules it was played with; empty if unknown."""
        return self.headers.get("Rules", "")

    @property
    def made_up(self) -> bool:
        """Whether `game` must make up what is not recorded, as in a seat's record."""
        return self.known is not None

    # --- replaying -------------------------------------------------------------------------------

    def game(self, to: int | Node | None = None) -> Game:
        """The game after its last action, after a numbered action, or at a node of the tree.

        `Difference` names the action at which the game cannot be played as written. In the game of
        a seat's record, the cards that the seat does not know are made up.
        """
        return replay.game(self, to)

    def verify(self) -> list[str]:
        """All problems of the main line and the variations; empty if there are none."""
        return replay.verify(self)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the events of each action."""
        return data.as_dict(self)

    # --- editing ---------------------------------------------------------------------------------

    def add_line(self, node: Node, texts: Sequence[str]) -> Node:
        """Add actions after a node; return the last one."""
        extends = node.is_main and not node.children
        game = replay.game(self, node)
        found: list[Node] = []
        for text in texts:
            found.append(replay.node_for(game, found[-1] if found else node, text))
        for new in found:
            assert new.parent is not None
            if new not in new.parent.children:
                new.parent.children.append(new)
        if extends and found:
            self._settle()
        return found[-1] if found else node

    def promote(self, node: Node) -> None:
        """Move an alternative one place forward."""
        siblings = node.parent.children if node.parent else [node]
        place = siblings.index(node)
        if place > 0:
            before = siblings[place - 1]
            self._arrange(node, [*siblings[: place - 1], node, before, *siblings[place + 1 :]])

    def remove(self, node: Node) -> None:
        """Remove a node and what follows it."""
        if node.parent is None:
            raise BrassError(_("the beginning of a record cannot be removed"))
        self._arrange(node, [other for other in node.parent.children if other is not node])
        node.parent = None

    def _arrange(self, node: Node, siblings: list[Node]) -> None:
        """Rearrange a node and its alternatives; if that is impossible, nothing changes."""
        assert node.parent is not None
        before = node.parent.children[:]
        node.parent.children[:] = siblings
        if siblings[:1] == before[:1] or not node.parent.is_main:
            return
        try:
            self._settle()
        except BrassError:
            node.parent.children[:] = before
            raise

    def _settle(self) -> None:
        """After a change of the main line: check it, and set its last line."""
        kept = self.checks, self.closing
        self.checks, self.closing = (), UNFINISHED
        try:
            game = replay.start(self)
            checks = []
            for node in self.root.main_line():
                replay.play(self, game, node)
                checks.append(replay.check_of(game.engine))
        except BrassError:
            self.checks, self.closing = kept
            raise
        self.checks = tuple(checks)
        for name in rows.RESULT_HEADERS:
            self.headers.pop(name, None)
        self.headers["Rules"] = str(RULES_VERSION)
        if outcome := self.outcome_of(game):
            self.closing = END
            self.headers |= rows.result_headers(outcome)


def _after(game: Game, number: int) -> bytes:
    """The position after an action (from 0) and its consequences, before the next one."""
    if number + 1 < len(game.actions):
        return game.actions[number + 1].before
    return game.draft.before if game.draft else game.engine.snapshot()


def _of_seat(
    game: Game, viewer: Viewer, headers: Mapping[str, str], conceded: Sequence[int]
) -> Record:
    """What a seat or a spectator may know of a game, from its start to now."""
    if viewer != seat.SPECTATOR:
        if isinstance(viewer, str):
            raise BrassError(_("choose the number of a seat, or 'spectator'"))
        viewer = whole("a seat", viewer)
        game.view(viewer)  # raises an error if it is not a seat
    if not rows.began_by_deal(game):
        raise BrassError(
            _("A game that began from a set-up position has no record of a seat, only a full one.")
        )
    public = game.view()
    known = seat.known_deal(game, viewer if isinstance(viewer, int) else None)
    record = Record(game.edition, game.seats, known=known, viewer=viewer, conceded=conceded)
    record._fill(game, public.number, public.question == TURN_OVER, headers)
    return record
