"""The moves of an analysis board as the pages list them: in words, with variations and comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from brassmill.game import Game
from brassmill.language import gettext as _
from brassmill.language import language
from brassmill.notation import matching
from brassmill.reports.film import FilmMoment
from brassmill.web.page.log import LogPart, round_words
from brassmill.web.replay.exports import MOST_IN_FILM, moment_of
from brassmill.web.replay.notes import Move, Notes
from brassmill.web.replay.timeline import Timeline

MOST_KEPT = 2000  # moves in words, of a game


class MoveWords(NamedTuple):
    """A move in words; the text follows the name of the seat."""

    seat: int | None
    text: str


class MoveEntry(NamedTuple):
    """A move of a list."""

    address: str
    number: int  # of the action
    seat: int | None
    text: str
    comment: str
    is_here: bool  # the board stands after it
    is_played: bool  # in the game itself
    is_first: bool  # of its alternatives: it cannot be moved forward


@dataclass(frozen=True)
class Branch:
    """A variation: each of its moves, with the alternatives to it."""

    moves: tuple[tuple[MoveEntry, tuple[Branch, ...]], ...]


class MoveRound(NamedTuple):
    """A round of the game: each action, with the alternatives to it."""

    words: str
    moves: tuple[tuple[MoveEntry, tuple[Branch, ...]], ...]


_kept: WeakKeyDictionary[Timeline, dict[object, MoveWords]] = WeakKeyDictionary()


def words_of(timeline: Timeline, move: Move) -> MoveWords:
    """A move in the language of the context."""
    if move.parent is None:
        if not move.after:
            return MoveWords(None, _("The game starts."))
        return MoveWords(*timeline.entry(timeline.frames[move.after]).line[:2])
    known = _kept.setdefault(timeline, {})
    if (language(), move.place) not in known:
        if len(known) >= MOST_KEPT:
            known.clear()
        _put_into_words(timeline, move, known)
    return known[language(), move.place]


def _put_into_words(timeline: Timeline, move: Move, known: dict[object, MoveWords]) -> None:
    """Replay a variation, and keep all its moves in words."""
    for each, moment in played(timeline, move):
        text = LogPart(moment.seat, 0, moment.events).lines(timeline.seats)[0].text
        known[language(), each.place] = MoveWords(moment.seat, text)


def played(timeline: Timeline, move: Move) -> Iterator[tuple[Move, FilmMoment]]:
    """The moves of a variation, played from the position where it begins."""
    engine = timeline.engine(move.after)
    game = Game.from_state(timeline.edition, engine.state, timeline.seats)
    for each in move.line:
        seat, era, number = game.seat, game.era, game.round
        events = game.carry_out(matching.resolve(game.engine, each.text), ends_turn=False)
        if game.question == "turn over":
            game.end_turn()
        yield each, FilmMoment(game.engine.snapshot(), seat, era, number, tuple(events))


def film_to(timeline: Timeline, move: Move) -> list[FilmMoment]:
    """The moments of a film that ends with a move."""
    variation = [moment for _move, moment in played(timeline, move)]
    first = max(0, move.after - MOST_IN_FILM + len(variation))
    game = [moment_of(timeline, at) for at in range(first, move.after + 1)]
    return [*game, *variation][-MOST_IN_FILM - 1 :]


def entry_of(timeline: Timeline, move: Move, here: Move) -> MoveEntry:
    """A move of a list."""
    return MoveEntry(
        move.address,
        move.after + len(move.actions),
        *words_of(timeline, move),
        comment=move.comment,
        is_here=move is here,
        is_played=move.parent is None,
        is_first=move.parent is None or move.parent.others[0] is move,
    )


def rounds_of(timeline: Timeline, notes: Notes, here: Move) -> list[MoveRound]:
    """Everything that was played, tried and said, round by round."""
    rounds: list[MoveRound] = []
    for move in notes.moves[1:]:
        frame = timeline.frames[move.after]
        words = round_words(frame.era, frame.round)
        shown = (
            entry_of(timeline, move, here),
            branches(timeline, notes.moves[move.after - 1].others, here),
        )
        if not rounds or rounds[-1].words != words:
            rounds.append(MoveRound(words, ()))
        rounds[-1] = MoveRound(words, (*rounds[-1].moves, shown))
    return rounds


def branches(timeline: Timeline, moves: Sequence[Move], here: Move) -> tuple[Branch, ...]:
    """The variations that begin with these moves."""
    return tuple(_branch(timeline, move, here) for move in moves)


def _branch(timeline: Timeline, first: Move, here: Move) -> Branch:
    moves: list[tuple[MoveEntry, tuple[Branch, ...]]] = []
    move, alternatives = first, tuple[Branch, ...]()
    while True:
        moves.append((entry_of(timeline, move, here), alternatives))
        if not move.others:
            return Branch(tuple(moves))
        alternatives = branches(timeline, move.others[1:], here)
        move = move.others[0]
