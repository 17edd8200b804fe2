"""Events in words."""

from __future__ import annotations

from collections.abc import Sequence

from brassmill.core.events import Event
from brassmill.editions.birmingham import PLACES
from brassmill.language import N_, NN_
from brassmill.words.sentences import Sentence, say

# Every sentence about a seat begins with it, in every language: where it is clear whose event it
# is, the rest of the sentence is said without it.
EVENTS: dict[str, Sentence] = {
    "discarded": NN_("{seat} gives up the card {card}", "{seat} gives up the cards {card}"),
    "built": N_("{seat} builds {a_tile} in {space}"),
    "overbuilt": N_("{tile} of {owner} in {space} is built over"),
    "linked": N_("{seat} links {line}"),
    "paid": N_("{seat} pays {pounds} for {purpose}"),
    "received": N_("{seat} receives {pounds} for {purpose}"),
    "coal_used": NN_(
        "{seat} takes a coal from {source}",
        "{seat} takes {count} coal from {source}",
    ),
    "coal_bought": NN_(
        "{seat} buys a coal from the market for {pounds}",
        "{seat} buys {count} coal from the market for {pounds}",
    ),
    "iron_used": NN_(
        "{seat} takes an iron from {source}",
        "{seat} takes {count} iron from {source}",
    ),
    "iron_bought": NN_(
        "{seat} buys an iron from the market for {pounds}",
        "{seat} buys {count} iron from the market for {pounds}",
    ),
    "beer_used": NN_(
        "{seat} takes a beer from {source}",
        "{seat} takes {count} beer from {source}",
    ),
    "barrel_used": N_("{seat} takes the beer of the merchant in {merchant}"),
    "delivered": NN_(
        "{seat} delivers a cube from {space} to the market for {pounds}",
        "{seat} delivers {count} cubes from {space} to the market for {pounds}",
    ),
    "flipped": N_("{tile} of {owner} in {space} flips"),
    "income_moved": N_("{seat} moves from {before} to {after} on the income track"),
    "sold": N_("{seat} sells from {tile} in {space}"),
    "sold_to_port": N_("{seat} sells from {space} to the port in {port}"),
    "distant_tile": N_("{seat} turns a distant tile: the marker falls by {steps} to {marker}"),
    "developed": NN_("{seat} develops {tile}", "{seat} develops {count} times {tile}"),
    "bonus_points": N_("{seat} gets the bonus of {place}: {amount} points"),
    "bonus_develop": N_("{seat} gets the bonus of {place}: a tile to develop away"),
    "bonus_income": N_("{seat} gets the bonus of {place}: {amount} spaces of income"),
    "bonus_money": N_("{seat} gets the bonus of {place}: {pounds}"),
    "borrowed": NN_(
        "{seat} borrows {pounds}, and the income falls by {levels} level",
        "{seat} borrows {pounds}, and the income falls by {levels} levels",
    ),
    "scouted": N_("{seat} scouts and takes both wild cards"),
    "passed": N_("{seat} passes"),
    "drew": NN_("{seat} draws {cards} card", "{seat} draws {cards} cards"),
    "round_began": N_("round {round} of the {era} begins"),
    "order_set": N_("{seat} moves in place {turn}, having spent {spent}"),
    "income_paid": N_("{seat} receives an income of {pounds}"),
    "income_owed": N_("{seat} pays {owed} to the bank for a negative income"),
    "gave_up": N_("{seat} gives up {tile} in {space}"),
    "vp_lost": NN_(
        "{seat} loses {points} point for an unpaid debt",
        "{seat} loses {points} points for an unpaid debt",
    ),
    "era_ended": N_("the {era} ends"),
    "link_scored": NN_(
        "{seat} scores {points} point for {line}", "{seat} scores {points} points for {line}"
    ),
    "tile_scored": NN_(
        "{seat} scores {points} point for {space}", "{seat} scores {points} points for {space}"
    ),
    "cash_scored": NN_(
        "{seat} scores {points} point for money", "{seat} scores {points} points for money"
    ),
    "income_scored": NN_(
        "{seat} scores {points} point for income", "{seat} scores {points} points for income"
    ),
    "removed": N_("{tile} of {owner} in {space} leaves the map"),
    "game_ended": N_("the game is over"),
}
NUMBERS = {
    "borrowed": "levels",
    "drew": "cards",
    **dict.fromkeys(
        ("vp_lost", "link_scored", "tile_scored", "cash_scored", "income_scored"), "points"
    ),
}  # else the number of equal events that are told as one

BONUS = {place.name: place.bonus for place in PLACES if place.bonus}


def event_words(event: Event, seats: Sequence[str], count: int = 1, *, of: int = -1) -> str:
    """An event, or several equal ones, as a sentence without its full stop.

    Where it is clear that seat number `of` is spoken of, the sentence leaves its name out.
    """
    fields = event.as_dict() | {"count": count}
    kind = _variant(event)
    number = fields[NUMBERS[kind]] if kind in NUMBERS else count
    for who in ("seat", "owner"):
        if who in fields:
            fields[who] = seats[fields[who]]
    if kind == "order_set":
        fields["turn"] += 1
    if kind == "developed":
        fields["tile"] = f"{event.industry} {event.level}"
    nameless = "{seat} " if getattr(event, "seat", None) == of else ""
    return say(EVENTS[kind], fields, number, without=nameless)


def _variant(event: Event) -> str:
    """The key of the sentence for an event."""
    match event.kind:
        case "coal_used" | "iron_used" if event.source == "market":
            return event.kind.replace("used", "bought")
        case "bonus":
            return f"bonus_{BONUS[event.place]}"
        case "income_paid" if event.pounds < 0:
            return "income_owed"
    return event.kind
