"""Replaying a record, and reporting where it differs."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from brassmill.core.choice import whole
from brassmill.core.engine import Engine
from brassmill.core.events import ERAS, Event
from brassmill.errors import AmbiguousAction, BrassError
from brassmill.game import Game
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.record import rows
from brassmill.record.tree import Heading, Node
from brassmill.rules.layout import NOBODY
from brassmill.rules.version import RULES_VERSION

if TYPE_CHECKING:
    from brassmill.record.record import Record


class Difference(BrassError):  # noqa: N818 (errors are named by what happened, as in errors.py)
    """A record that cannot be played as written: at which action, and why."""

    def __init__(self, why: str, node: Node, rules: str = "") -> None:
        self.why = why
        self.number = node.number  # of the action; 0: the beginning
        self.action = f"{node.seat}: {node.text}" if node.number else ""
        self.rules = rules  # the version it was played with, according to its header
        message = why
        if node.number:
            message = _("action {number} ({action}): {why}").format(
                number=self.number, action=self.action, why=why
            )
        if rules and rules != str(RULES_VERSION):
            message += " " + _(
                "(The record uses version {theirs} of the rules; this is version {ours}.)"
            ).format(theirs=rules, ours=RULES_VERSION)
        super().__init__(message)


# --- headings and checks -------------------------------------------------------------------------


def heading_at(engine: Engine) -> Heading:
    """The heading of the current round."""
    state = engine.state
    order = state.order[: engine.edition.players].tolist()
    return Heading(
        ERAS[int(state.era)],
        int(state.round_number),
        tuple(engine.seats[seat] for seat in order),
    )


def check_of(engine: Engine) -> int:
    """The check of a position: 16 bits of the public numbers."""
    return zlib.crc32(" ".join(map(str, numbers(engine))).encode()) & 0xFFFF


def numbers(engine: Engine) -> Iterable[Any]:
    """Era, round, seat to choose (from 1; 0: none), actions left, markets; then seat by seat."""
    state = engine.state
    seat = int(state.seat)
    yield ERAS[int(state.era)]
    yield int(state.round_number)
    yield 0 if seat == NOBODY else seat + 1
    yield from (int(state.actions_left), int(state.coal_market), int(state.iron_market))
    for player in range(engine.edition.players):
        for field in ("cash", "spent", "income", "vp", "hand_size"):
            yield int(state[field][player])


# --- playing -------------------------------------------------------------------------------------


def start(record: Record) -> Game:
    """The game before its first action."""
    from brassmill.record.seat import made_up_deal

    if record.position is not None:
        return Game.from_position(record.position)
    deal = record.deal if record.known is None else made_up_deal(record)
    if deal is None:
        raise BrassError(_("a record begins with a deal or a position, and this one has none"))
    return Game(record.edition, deal=deal, seats=record.seats, secret=record.made_up)


def game(record: Record, to: int | Node | None) -> Game:
    """The game after its last action, after a numbered action, or at a node."""
    line = _line(record, to)
    game = start(record)
    for node in line:
        play(record, game, node)
    if to is None:
        check_end(record, game, line[-1] if line else record.root)
    return game


def _line(record: Record, to: int | Node | None) -> list[Node]:
    if isinstance(to, Node):
        if to.root is not record.root:
            raise BrassError(_("this action belongs to another record"))
        return to.line
    line = record.main_line()
    if to is None:
        return line
    to = whole("the number of an action", to)
    if not 0 <= to <= len(line):
        raise BrassError(
            _("there is no action {number}: the record has {count}").format(
                number=to, count=len(line)
            )
        )
    return line[:to]


def play(record: Record, game: Game, node: Node) -> list[Event]:
    """Play an action of a record in the position before it; return the events."""
    before = game.end_turn() if game.question == "turn over" else []
    why = _why_not_now(game, node)
    if why:
        raise Difference(why, node, record.rules)
    try:
        events = game.choose(node.text) if _stays_open(record, node) else game.play(node.text)
    except BrassError as error:
        why = str(error).removeprefix(f"{node.text}: ")  # the error names the action anyway
        raise Difference(why, node, record.rules) from error
    if game.draft is not None:
        raise Difference(_("the action is not complete"), node, record.rules)
    game.publish()  # a record has no drafts
    checks = record.checks[node.number - 1 : node.number]
    if checks and node.is_main and checks != (check_of(game.engine),):
        why = _("it does not lead to the numbers in the record (money, income, VP, ...)")
        raise Difference(why, node, record.rules)
    return before + events


def _why_not_now(game: Game, node: Node) -> str:
    """Why no action is possible here."""
    if game.seat is None:
        return _("the game has already ended")
    now = heading_at(game.engine)
    said = node.heading
    if said and (said.era, said.round) != (now.era, now.round):
        return _("it is listed under {said}, but belongs to {now}").format(
            said=f"{said.era} {said.round}", now=f"{now.era} {now.round}"
        )
    if said and said.order and said.order != now.order:
        return _("the turn order is {now}, not {said}").format(
            said=", ".join(said.order), now=", ".join(now.order)
        )
    if game.seats[game.seat] != node.seat:
        return _("{now} must act here, not {said}").format(
            now=game.seats[game.seat], said=node.seat
        )
    return ""


def _stays_open(record: Record, node: Node) -> bool:
    """Whether this is the last action of the record and its turn has not been ended."""
    return record.closing == "turn over" and not node.children and node.is_main


def check_end(record: Record, game: Game, last: Node) -> None:
    """Raise a difference unless the game ends as the record says."""
    if record.closing == "end" and not game.over:
        raise Difference(_("the record ends here, but the game is not over"), last, record.rules)
    if game.over and record.closing != "end":
        raise Difference(
            _("the game is over here, but the record says otherwise"), last, record.rules
        )
    outcome = record.outcome_of(game)
    if outcome is None:
        for name in rows.RESULT_HEADERS:
            if name in record.headers:
                why = _("the game is not over, but the record has the header {header}")
                raise Difference(why.format(header=name), last, record.rules)
        return
    for name, now in rows.result_headers(outcome).items():
        said = record.headers.get(name)
        if said is not None and rows.parts(said) != rows.parts(now):
            why = _("{header} is {now}, not {said}").format(header=name, now=now, said=said)
            raise Difference(why, last, record.rules)


def verify(record: Record) -> list[str]:
    """All problems of the main line and the variations."""
    problems = list(_seed_problems(record))
    try:
        game(record, None)
    except Difference as difference:
        problems.append(str(difference))
    except BrassError as error:  # the game cannot even be set up
        return [*problems, str(error)]
    return problems + [str(error) for _node, _board, error in variations(record) if error]


def _seed_problems(record: Record) -> Iterator[str]:
    """Report a seed that does not produce the deal; the deal decides."""
    seed = record.headers.get("Seed")
    if seed is not None and record.deal is not None and record.deal.seed is None:
        yield _("the header Seed is {seed}, which does not produce this deal").format(seed=seed)


def variations(record: Record) -> Iterator[tuple[Node, Game, BrassError | None]]:
    """Every action off the main line, the game after it, and why it cannot be played, if so.

    What follows an unplayable action is not tried.
    """
    if all(len(node.parent.children) == 1 for node in record.root.main_line() if node.parent):
        return
    board = start(record)
    rest = _as_written(record.root)
    while rest:
        node = rest.pop()
        board.undo(to=node.number - 1)
        try:
            play(record, board, node)
        except BrassError as error:
            if not node.is_main:
                yield node, board, error
        else:
            rest += _as_written(node)
            if not node.is_main:
                yield node, board, None


def _as_written(node: Node) -> list[Node]:
    """The children of a node, last first: alternatives come before the rest of the main line."""
    return [*node.children[:1], *node.children[:0:-1]]


def node_for(game: Game, parent: Node, text: str) -> Node:
    """Play an action after its parent; return its node, an existing child or a new one."""
    if game.question == "turn over":
        game.end_turn()
    heading = heading_at(game.engine)
    game.play(text)
    if game.draft is not None:
        raise AmbiguousAction(_("the action is not complete"), [game.draft.text_in(language())])
    action = game.actions[-1]
    seat = game.seats[action.seat]
    for child in parent.children:
        if child.seat == seat and _is_last(game, child.text):
            return child
    last = next((node.heading for node in parent.line[::-1] if node.heading), None)
    same = last is not None and last[:2] == heading[:2]
    return Node(parent, seat, action.text, None if same else heading)


def _is_last(game: Game, text: str) -> bool:
    """Whether a text means the last action of a game, even in other words."""
    action = game.actions[-1]
    if text == action.text:
        return True
    again = game.copy()
    again.undo()
    try:
        again.play(text)
    except BrassError:
        return False
    return again.draft is None and again.actions[-1].text == action.text
