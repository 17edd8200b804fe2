"""Where every card is: in hands, to be drawn, set aside, or among the discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from brassmill.position.market import without
from brassmill.position.problems import MOST
from brassmill.rules.layout import (
    AFTER_DEAL,
    BEFORE_DEAL,
    CANAL,
    DEBT,
    FROM_BOTTOM,
    HAND,
    RAIL,
    WILD_INDUSTRY,
    WILD_LOCATION,
)

if TYPE_CHECKING:
    from brassmill.position.reader import Reading

FITTING = (
    99  # cards of a pile that is far too large: a text counts no further, a record's fields to 127
)


def read_cards(reading: Reading) -> None:
    """Put the named cards where they are named, and the others where a game would have them."""
    cards = Cards(reading)
    cards.read_hands()
    cards.read_piles()
    cards.check()
    cards.place()
    cards.write()
    read_rail_deck(reading, cards)


class Cards:
    """The cards of this era, being put in their places."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        board, era = reading.board, int(reading.state.era)
        self.players = reading.players
        self.size = int(board.deck_size)
        self.aside_size = int(board.set_aside[era])
        self.aside_where = int(board.aside_from[era])
        self.after_deal = self.size - self.aside_size - HAND * self.players
        self.hands: dict[int, list[int]] = {}
        self.wild: dict[int, list[int]] = {}
        self.deck: list[int] | None = None
        self.deck_size: int | None = None
        self.aside: list[int] | None = None
        self.discards: list[int] | None = None
        self.drawn: list[int] | None = None

    # --- named cards -----------------------------------------------------------------------------

    def read_hands(self) -> None:
        reading, problems = self.reading, self.reading.problems
        for seat, name in enumerate(reading.seats):
            own = reading.own(seat)
            if "hand" not in own:
                continue
            cards = self.find(f"{name}.hand", problems.texts(f"{name}.hand", own["hand"]))
            if len(cards) > HAND:
                problems.add(f"{name}.hand has {len(cards)} cards: {HAND} is the limit")
                cards = cards[:FITTING]
            self.wild[seat] = [card for card in cards if card >= WILD_LOCATION]
            self.hands[seat] = [card for card in cards if card < WILD_LOCATION]
            for card in (WILD_LOCATION, WILD_INDUSTRY):
                if cards.count(card) > 1:
                    problems.add(
                        f"{name}.hand has {cards.count(card)} x {reading.edition.card_name(card)}:"
                        " nobody can hold two"
                    )

    def read_piles(self) -> None:
        problems, mapping = self.reading.problems, self.reading.mapping
        deck = mapping.get("deck")
        if isinstance(deck, list | tuple):
            self.deck = self.find("deck", problems.texts("deck", deck))
            self.deck_size = len(self.deck)
        elif deck is not None:
            self.deck_size = problems.number("deck", deck, 0, MOST, 0)
        if self.deck_size is not None and self.deck_size > self.after_deal:
            problems.add(f"deck has {self.deck_size} cards: the deal leaves {self.after_deal}")
        if "aside" in mapping:
            self.aside = self.find("aside", problems.texts("aside", mapping["aside"]))
            if len(self.aside) != self.aside_size:
                problems.add(f"aside has {len(self.aside)} cards: it must be {self.aside_size}")
        if "drawn" in mapping:
            self.drawn = self.find("drawn", problems.texts("drawn", mapping["drawn"]))
        if "discards" in mapping:
            self.discards = self.find_discards()[:FITTING]
        for key in ("deck", "aside", "discards", "drawn"):
            for card in getattr(self, key) or ():
                if card >= WILD_LOCATION:
                    problems.add(f"{key}: wild cards have piles of their own")

    def find(self, where: str, texts: Iterable[str]) -> list[int]:
        reading = self.reading
        found = [reading.problems.find(where, reading.edition.find_card, text) for text in texts]
        return [card for card in found if card is not None]

    def find_discards(self) -> list[int]:
        """Read `{Bury: 1, coal: 2}`, or a plain list of cards."""
        problems, value = self.reading.problems, self.reading.mapping["discards"]
        if isinstance(value, list | tuple):
            return self.find("discards", problems.texts("discards", value))
        cards = []
        for name, count in problems.mapping("discards", value).items():
            number = problems.number(f"discards.{name}", count, 0, self.size, 0)
            cards += self.find("discards", [name]) * number
        return cards

    def check(self) -> None:
        """Check that there are no more cards of a kind than in the deck."""
        reading = self.reading
        for card, count in Counter(self.named()).items():
            held = int(reading.board.deck_count[card]) if card < WILD_LOCATION else count
            if count > held:
                reading.problems.add(
                    f"{count} x {reading.edition.card_name(card)}"
                    f" {'is' if count == 1 else 'are'} named among the cards:"
                    f" the deck of {self.players} players has {held or 'none'}"
                )

    def named(self) -> list[int]:
        hands = [card for hand in self.hands.values() for card in hand]
        return [*hands, *(self.deck or ()), *(self.aside or ()), *(self.discards or ())]

    # --- all other cards -------------------------------------------------------------------------

    def place(self) -> None:
        """Put every other card in a place, in the order of the deal."""
        reading, state = self.reading, self.reading.state
        dealt = [int(card) for card in reading.dealt.deck[int(state.era)][: self.size]]
        left = without(dealt, self.named())
        order = [int(seat) for seat in state.order[: self.players]]
        usual_hands, usual_deck = self.usual()
        if self.aside is None and self.aside_where == BEFORE_DEAL:
            self.aside = take(left, self.aside_size)
        bottom = self.aside_size if self.aside is None else 0
        for seat in order:
            if seat not in self.hands:
                room = len(left) - bottom
                self.hands[seat] = take(left, max(0, min(usual_hands[seat], room)))
                self.wild[seat] = []
        if self.aside is None and self.aside_where == AFTER_DEAL:
            self.aside = take(left, self.aside_size)
            bottom = 0
        if self.deck is None:
            room = max(0, len(left) - bottom)
            if self.deck_size is None:
                # If all discards are named, the remaining cards are still to be drawn.
                usual = usual_deck if self.discards is None else self.after_deal
                self.deck_size = min(usual, room)
            elif self.deck_size > room:
                reading.problems.add(
                    f"deck is {self.deck_size}: only {room} cards are not elsewhere"
                )
        to_come = 0 if self.deck is not None else min(self.deck_size or 0, len(left))
        rest = max(0, len(left) - bottom - to_come)
        if self.discards is None:
            self.discards = take(left, rest)
        elif rest:
            reading.problems.add(
                f"{rest} cards are nowhere: not in a hand, the deck, set aside or discarded"
            )
            take(left, rest)
        if self.deck is None:
            self.deck = take(left, to_come)
        if self.aside is None:
            self.aside = take(left, self.aside_size)
        if len(self.aside) < self.aside_size:
            reading.problems.add(f"too few cards are left to set {self.aside_size} aside")

    def usual(self) -> tuple[list[int], int]:
        """Section 9: the number of cards in each hand and in the deck at this point of a game."""
        state, board = self.reading.state, self.reading.board
        first = 1 if state.era == CANAL else 0  # one card fewer in the first round of the game

        def played(turns: int) -> int:
            return max(0, 2 * turns - first)

        before = int(state.round_number) - 1
        done = int(state.turn)  # turns of this round that are over
        if state.phase == DEBT and board.income_first:
            done = 0  # the round is about to begin
        hands, drawn = [0] * self.players, 0
        for place, seat in enumerate(int(seat) for seat in state.order[: self.players]):
            turns = before + (place < done)
            refills = before if board.refill_together else turns
            share = min(played(refills), self.after_deal // self.players)
            cards = played(turns)
            if place == done and state.phase != DEBT:
                cards = played(turns + 1) - int(state.actions_left)
            hands[seat] = max(0, min(HAND, HAND - cards + share))
            drawn += share
        return hands, self.after_deal - drawn

    # --- into the record ---------------------------------------------------------------------

    def write(self) -> None:
        """Write hands and discards by kind, and the deck in its order."""
        state, problems = self.reading.state, self.reading.problems
        order = [int(seat) for seat in state.order[: self.players]]
        deck, aside, discards = self.deck or [], self.aside or [], self.discards or []
        for seat, cards in self.hands.items():
            for card in [*cards, *self.wild[seat]]:
                state.hand[seat, card] += 1
            state.hand_size[seat] = len(cards) + len(self.wild[seat])
        for card in discards:
            state.discards[card] += 1
        past = [card for seat in order for card in self.hands[seat]] + discards
        if self.drawn is not None:
            if Counter(self.drawn) != Counter(past):
                problems.add(
                    "drawn must be the cards in the hands and the discards, wild ones apart"
                )
            past = self.drawn
        if self.aside_where == BEFORE_DEAL:
            cards = aside + past + deck
        elif self.aside_where == AFTER_DEAL:
            dealt = HAND * self.players
            cards = past[:dealt] + aside + past[dealt:] + deck
        else:
            cards = past + deck + aside
        if len(cards) == self.size:  # otherwise a problem has been reported
            state.deck[: self.size] = cards
            state.deck_end = self.size - (len(aside) if self.aside_where == FROM_BOTTOM else 0)
            state.deck_next = state.deck_end - len(deck)


def take(cards: list[int], count: int) -> list[int]:
    """Take this many cards from the front of a list."""
    taken = cards[:count]
    del cards[:count]
    return taken


def read_rail_deck(reading: Reading, cards: Cards) -> None:
    """Read the cards of the rail era: the named ones come first."""
    state, problems = reading.state, reading.problems
    if state.era == RAIL:
        if "rail deck" in reading.mapping:
            problems.add("rail deck: the rail era has begun; write 'deck'")
        state.rail_deck = state.deck
        return
    named = cards.find("rail deck", problems.texts("rail deck", reading.mapping.get("rail deck")))
    for card, count in Counter(named).items():
        held = int(reading.board.deck_count[card]) if card < WILD_LOCATION else 0
        if count > held:
            name = reading.edition.card_name(card)
            problems.add(f"rail deck: {count} x {name} are named, the deck has {held or 'none'}")
    dealt = [int(card) for card in reading.dealt.deck[RAIL][: cards.size]]
    state.rail_deck[: cards.size] = [*named, *without(dealt, named)][: cards.size]
