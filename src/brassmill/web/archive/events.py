"""What happened in a game: its opening and its events, from the public events of its record."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from brassmill.core.events import Event
from brassmill.editions import Edition
from brassmill.language import N_
from brassmill.record import Record, replay
from brassmill.record.record import AGREED, TURN_OVER

CLOSED = 8  # the last space of the distant market
LONGEST_ACTION = 80  # characters
OPENING = 2  # actions

# Every event that games can be searched for, with its words (`models/archive.py`).
WORDS = {
    "virtual_link": N_("Virtual link used"),
    "debt": N_("Debt: a tile removed or VP lost"),
    "no_loans": N_("No loans at all"),
    "distant_closed": N_("Distant market closed"),
    "scout": N_("Scout"),
    "rival_overbuilt": N_("Another player's tile overbuilt"),
    "passed": N_("A player passed"),
    "comeback": N_("Won from last place after the Canal era"),
    "conceded": N_("A player conceded"),
    "agreed_end": N_("Ended by agreement"),
    "shared_win": N_("Shared win"),
    "tie_break": N_("Decided by a tie-break"),
}


@dataclass
class GameFacts:
    """What the archive knows of a game besides its result."""

    actions: int = 0
    rounds: int = 0
    opening: list[str] = field(default_factory=list)  # in the notation, without the cards
    events: set[str] = field(default_factory=set)


def facts_of(record: Record) -> GameFacts:
    """Play a record and note what happens; raises `BrassError` where it cannot be played."""
    line = record.main_line()
    facts = GameFacts(len(line), opening=[opening_of(node.text) for node in line[:OPENING]])
    game, networks, rounds = replay.start(record), _Networks(record.edition), set()
    loans = 0
    after_canal: list[int] = []
    for node in line:
        events = game.end_turn() if game.question == TURN_OVER else []
        if any(event.kind == "era_ended" for event in events):
            after_canal = game.engine.state.vp[: game.players].tolist()
        rounds.add((game.era, game.round))
        events = [*events, *replay.play(record, game, node)]
        networks.follow(events)
        for event in events:
            match event.kind:
                case "borrowed":
                    loans += 1
                case "gave_up" | "vp_lost":
                    facts.events.add("debt")
                case "scouted":
                    facts.events.add("scout")
                case "passed":
                    facts.events.add("passed")
                case "distant_tile" if event.marker == CLOSED:
                    facts.events.add("distant_closed")
                case "overbuilt" if event.owner != game.actions[-1].seat:
                    facts.events.add("rival_overbuilt")
    facts.rounds = len(rounds)
    if networks.has_used_virtual_link:
        facts.events.add("virtual_link")
    if not loans:
        facts.events.add("no_loans")
    outcome = record.outcome_of(game)
    if outcome is not None:
        if len(outcome.winners) > 1:
            facts.events.add("shared_win")
        elif outcome.tie_break != "none":
            facts.events.add("tie_break")
        if outcome.conceded:
            facts.events.add("conceded")
        if after_canal and _was_last(after_canal, outcome.winners):
            facts.events.add("comeback")
    if record.closing == AGREED:
        facts.events.add("agreed_end")
    return facts


def opening_of(text: str) -> str:
    """An action of the opening in the notation, without the card, which says little about it."""
    return text.partition("; card")[0][:LONGEST_ACTION]


def _was_last(vp: list[int], winners: tuple[int, ...]) -> bool:
    """Was the winner alone in last place?"""
    others = [points for seat, points in enumerate(vp) if seat not in winners]
    return len(winners) == 1 and bool(others) and vp[winners[0]] < min(others)


class _Networks:
    """Everybody's network by the public events: was it a virtual link that opened a town?

    An industry card builds in the own network. With a virtual link, it may also build in the town
    beyond: that is the case to find.
    """

    def __init__(self, edition: Edition) -> None:
        self.virtual_links = edition.virtual_links
        self.industries = {edition.card_name(card) for card in edition.card_symbols}
        self.towns = {
            edition.space_name(number): edition.place_name(space.place)
            for number, space in enumerate(edition.spaces)
        }
        self.line_ends = {
            edition.line_name(number): {edition.place_name(end) for end in ends}
            for number, ends in enumerate(edition.line_ends)
        }
        self.tiles: dict[int, set[str]] = defaultdict(set)  # spaces, by seat
        self.ends: dict[int, set[str]] = defaultdict(set)  # towns at links, by seat
        self.has_used_virtual_link = False

    def follow(self, events: list[Event]) -> None:
        if not self.virtual_links:
            return
        cards: list[str] = []
        for event in events:
            match event.kind:
                case "discarded":
                    cards.append(event.card)
                case "built":
                    if len(cards) == 1 and cards[0] in self.industries:
                        self._check(event.seat, self.towns[event.space])
                    self.tiles[event.seat].add(event.space)
                case "overbuilt" | "removed":
                    self.tiles[event.owner].discard(event.space)
                case "gave_up":
                    self.tiles[event.seat].discard(event.space)
                case "linked":
                    self.ends[event.seat] |= self.line_ends[event.line]
                case "era_ended":
                    self.ends.clear()

    def _check(self, seat: int, town: str) -> None:
        network = self.ends[seat] | {self.towns[space] for space in self.tiles[seat]}
        for here, there in self.virtual_links:
            if town == there and here in network and there not in network:
                self.has_used_virtual_link = True
