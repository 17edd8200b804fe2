"""Events in words."""

from __future__ import annotations

from collections.abc import Sequence

from brassmill import terms
from brassmill.core.events import Event
from brassmill.editions.birmingham import PLACES
from brassmill.language import N_, NN_
from brassmill.words.sentences import Sentence, say

# In every language, a sentence about a seat begins with the seat, so that it can be left out where
# it is clear whose event it is.
EVENTS: dict[str, Sentence] = {
    "discarded": N_("{seat} discards {the_cards}"),
    "built": N_("{seat} builds {a_tile} in {town}"),
    "overbuilt": N_("{owner}'s {tile} in {town} is overbuilt"),
    "linked": N_("{seat} links {line}"),
    "paid": N_("{seat} pays {pounds} for {purpose}"),
    "received": N_("{seat} receives {pounds} for {purpose}"),
    "coal_used": NN_("{seat} uses 1 coal from {source}", "{seat} uses {count} coal from {source}"),
    "coal_bought": NN_(
        "{seat} buys 1 coal from the market for {pounds}",
        "{seat} buys {count} coal from the market for {pounds}",
    ),
    "iron_used": NN_("{seat} uses 1 iron from {source}", "{seat} uses {count} iron from {source}"),
    "iron_bought": NN_(
        "{seat} buys 1 iron from the market for {pounds}",
        "{seat} buys {count} iron from the market for {pounds}",
    ),
    "beer_used": NN_("{seat} uses 1 beer from {source}", "{seat} uses {count} beer from {source}"),
    "barrel_used": N_("{seat} uses the {merchant} merchant's beer"),
    "delivered": NN_(
        "{seat} sells 1 cube to the market: +{pounds}",
        "{seat} sells {count} cubes to the market: +{pounds}",
    ),
    "delivered_resource": NN_(
        "{seat} sells 1 {resource} to the market: +{pounds}",
        "{seat} sells {count} {resource} to the market: +{pounds}",
    ),
    "flipped": N_("{owner}'s {industry} in {town} flips"),
    "income_moved": N_("{seat}: income track {before} \N{RIGHTWARDS ARROW} {after}"),
    "sold": N_("{seat} sells {the_industry} in {town}"),
    "sold_to_port": N_("{seat} sells cotton from {town} through the port in {port}"),
    "distant_tile": N_("{seat} reveals a distant market tile: demand falls by {steps} to {marker}"),
    "developed": NN_("{seat} develops {a_tile}", "{seat} develops {tiles}"),
    "bonus_points": N_("{seat} gets the {place} bonus: {amount} VP"),
    "bonus_develop": N_("{seat} gets the {place} bonus: a free development"),
    "bonus_income": N_("{seat} gets the {place} bonus: +{amount} on the income track"),
    "bonus_money": N_("{seat} gets the {place} bonus: {pounds}"),
    "borrowed": N_("{seat} takes a {pounds} loan (income \N{MINUS SIGN}{levels})"),
    "scouted": N_("{seat} scouts and takes two wild cards"),
    "passed": N_("{seat} passes"),
    "drew": NN_("{seat} draws {cards} card", "{seat} draws {cards} cards"),
    "round_began": N_("Round {round} of the {era} begins"),
    "order_set": N_("{seat} is {ordinal} in turn order (spent {spent})"),
    "income_paid": N_("{seat} collects {pounds} income"),
    "income_owed": N_("{seat} pays {owed} for negative income"),
    "gave_up": N_("{seat} removes {the_industry} in {town} to pay the debt"),
    "vp_lost": N_("{seat} loses {points} VP for an unpaid debt"),
    "era_ended": N_("The {era} ends"),
    "link_scored": N_("{seat} scores {points} VP for {line}"),
    "tile_scored": N_("{seat} scores {points} VP for a tile in {town}"),
    "cash_scored": N_("{seat} scores {points} VP for money"),
    "income_scored": N_("{seat} scores {points} VP for income"),
    "removed": N_("{owner}'s {tile} in {town} is removed"),
    "game_ended": N_("The game is over"),
}

BONUS = {place.name: place.bonus for place in PLACES if place.bonus}


def event_words(event: Event, seats: Sequence[str], count: int = 1, *, of: int = -1) -> str:
    """An event, or several equal ones, as a sentence without its full stop.

    The sentence leaves out the name of seat `of`: it is clear whose event it is.
    """
    fields = event.as_dict() | {"count": count}
    kind = _variant(event)
    number = event.cards if kind == "drew" else count
    for role in ("seat", "owner"):
        if role in fields:
            fields[role] = seats[fields[role]]
    if kind == "order_set":
        fields["turn"] += 1
    if kind == "developed":
        fields["tile"] = f"{event.industry} {event.level}"
        fields.setdefault("tiles", ((fields["tile"], count),))
    elif "tile" in fields:
        fields["industry"] = event.tile.rpartition(" ")[0]
    elif kind == "bonus_money":
        fields["pounds"] = event.amount
    elif kind == "barrel_used":
        fields["merchant"] = terms.town(event.merchant)
    nameless = getattr(event, "seat", None) == of
    return say(EVENTS[kind], fields, number, without_seat=nameless)


def _variant(event: Event) -> str:
    """The key of the sentence for an event."""
    match event.kind:
        case "coal_used" | "iron_used" if event.source == "market":
            return event.kind.replace("used", "bought")
        case "delivered" if "industry" in event.as_dict():
            return "delivered_resource"
        case "bonus":
            return f"bonus_{BONUS[event.place]}"
        case "income_paid" if event.pounds < 0:
            return "income_owed"
    return event.kind
