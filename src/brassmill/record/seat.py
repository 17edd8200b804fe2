"""What one seat knows of the deal, and a possible deal for what it does not know.

A seat knows the cards it was dealt and has drawn, the revealed distant tiles, the merchants and the
first turn order. When its record is replayed, every card that another seat discarded is put where
that seat had drawn a card; all other cards may be anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brassmill.core.deal import Deal
from brassmill.core.engine import Engine, Row
from brassmill.core.view import UNKNOWN
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.notation import matching, reader
from brassmill.rules.emit import EventKind
from brassmill.rules.layout import CANAL, RAIL, TURN_OVER

if TYPE_CHECKING:
    from brassmill.game import Game
    from brassmill.record.record import Record

SPECTATOR = "spectator"

Slot = tuple[int, int]  # a card of the deal: the era and the position in the deck


class Dealing:
    """Replays a game and records which seat gets which card of the decks."""

    def __init__(self, engine: Engine, deal: Any) -> None:
        self.engine = engine
        self.drawn: list[list[list[Slot]]] = [[] for _ in engine.seats]  # by seat and draw
        self.turned: tuple[list[int], list[int]] = ([], [])  # distant tiles, by era
        self.era, self.next = CANAL, first_slot(engine.edition, CANAL)
        engine.set_up(deal)
        self._note(engine.rows)

    def play(self, choices: Sequence[int]) -> None:
        """Play an action of the log."""
        while choices:
            self.next = int(self.engine.state.deck_next)
            made = self.engine.choose(choices[0])
            self._note(self.engine.rows)
            choices = choices[len(made) :] if self.engine.in_progress else ()

    def end_turn(self) -> None:
        """End the turn if it is over."""
        if self.engine.phase == TURN_OVER:
            self.next = int(self.engine.state.deck_next)
            self.engine.end_turn()
            self._note(self.engine.rows)

    def _note(self, rows: list[Row]) -> None:
        for kind, one, two, _three in rows:
            if kind == EventKind.ERA_ENDED:
                self.era, self.next = RAIL, first_slot(self.engine.edition, RAIL)
            elif kind == EventKind.DISTANT_TILE:
                self.turned[self.era].append(two)
            elif kind == EventKind.DREW:
                slots = [(self.era, place) for place in range(self.next, self.next + two)]
                self.drawn[one].append(slots)
                self.next += two


def first_slot(edition: Edition, era: int) -> int:
    """Where dealing starts: some editions set cards aside first (TURN-7)."""
    aside = edition.set_aside[era]
    return aside.count if aside.when == "before deal" else 0


# --- the known part ------------------------------------------------------------------------------


def known_deal(game: Game, seat: int | None) -> Deal:
    """What a seat, or a spectator, may know of the deal so far."""
    public = game.view()
    engine = Engine(game.edition, game.seats)
    dealing = Dealing(engine, game.deal.record(game.edition))
    for action in game.actions[: public.number]:
        dealing.end_turn()
        dealing.play(action.ids)
    if public.question != "turn over":  # the next cards are not drawn yet
        dealing.end_turn()
    decks = [[UNKNOWN] * len(deck) for deck in game.deal.decks]
    for slots in [] if seat is None else dealing.drawn[seat]:
        # The order of the cards of one draw does not matter: they are written sorted.
        cards = sorted(game.deal.decks[era][place] for era, place in slots)
        for (era, place), card in zip(slots, cards, strict=True):
            decks[era][place] = card
    distant = [[UNKNOWN] * len(tiles) for tiles in game.deal.distant]
    turned = [list(tiles) for tiles in dealing.turned]
    if public.distant:  # a sale in progress may have revealed more
        turned[dealing.era] = list(public.distant.revealed)
    for era in (CANAL, RAIL):
        distant[era][: len(turned[era])] = turned[era]
    return Deal(
        decks=(tuple(decks[CANAL]), tuple(decks[RAIL])),
        distant=(tuple(distant[CANAL]), tuple(distant[RAIL])),
        merchants=game.deal.merchants,
        order=game.deal.order,
    )


# --- a possible deal -----------------------------------------------------------------------------


def filled(edition: Edition, known: Deal) -> Deal:
    """The deal with unknown cards and tiles filled in from the rest, in the order of the tables."""
    cards, tiles = edition.deck, Counter(edition.distant)
    (canal, rail), (first, second) = known.decks, known.distant
    return replace(
        known,
        decks=(_filled(canal, cards), _filled(rail, cards)),
        distant=(_filled(first, tiles), _filled(second, tiles)),
    )


def _filled(row: Sequence[int], all_of_it: dict[int, int]) -> tuple[int, ...]:
    rest = Counter(all_of_it)
    rest.subtract(row)
    left = (item for item in sorted(rest) if item != UNKNOWN for _ in range(rest[item]))
    return tuple(next(left, UNKNOWN) if item == UNKNOWN else item for item in row)


def made_up_deal(record: Record) -> Deal:
    """A deal with which the main line of a seat's record can be played.

    If no deal fits, it is one in which replay fails at the first impossible action.
    """
    assert record.known is not None
    edition, known = record.edition, record.known
    decks = [list(deck) for deck in known.decks]
    for slot, card in _discarded_slots(record):
        decks[slot[0]][slot[1]] = card
    return filled(edition, replace(known, decks=(tuple(decks[CANAL]), tuple(decks[RAIL]))))


def _discarded_slots(record: Record) -> Iterator[tuple[Slot, int]]:
    """The possible positions in the deck of discarded cards, if they are not known.

    In the engine all unknown cards are the same. When a seat discards a card that it is not known
    to hold, one of its unknown cards was that card.
    """
    edition, known = record.edition, record.known
    assert known is not None
    any_card = next(iter(edition.deck))
    deal = filled(edition, known).record(edition)
    for era, deck in enumerate(known.decks):
        for place, card in enumerate(deck):
            if card == UNKNOWN:
                deal.deck[era, place] = any_card
    engine = Engine(edition, record.seats)
    dealing = Dealing(engine, deal)
    unseen = [Counter(edition.deck) - Counter(deck) for deck in known.decks]
    settled: set[Slot] = set()
    for node in record.root.main_line():
        dealing.end_turn()
        era, seat = dealing.era, engine.seat
        unknown = [
            (era, place)
            for slots in dealing.drawn[seat]
            for drawn_in, place in slots
            if drawn_in == era and known.decks[era][place] == UNKNOWN
            if (era, place) not in settled
        ]
        hand = engine.state.hand[seat]
        try:
            cards = reader.read(edition, record.seats, node.text).cards
            for card, count in Counter(cards).items():
                held = int(hand[card]) - (len(unknown) if card == any_card else 0)
                for slot in unknown[: min(count - held, unseen[era][card])]:
                    settled.add(slot)
                    unknown.remove(slot)
                    unseen[era][card] -= 1
                    hand[any_card] -= 1
                    hand[card] += 1
                    yield slot, card
            dealing.play(matching.resolve(engine, node.text))
        except BrassError:
            return  # replaying it raises the error
