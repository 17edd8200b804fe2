"""Changing a position: every control of the editor is a field or an act.

Nothing here knows the rules. A change is made to the mapping of a position, and reading it again
says what is possible and what is wrong (`position/draft.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from brassmill import position
from brassmill.core.events import ERAS
from brassmill.editions.edition import INDUSTRY
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.position import PositionDraft
from brassmill.position.text import CARD_PILES
from brassmill.position.words import WITHOUT_BARREL, demand_text, mat_text, merchant_text
from brassmill.web.page.dom_ids import Thing, thing_of

TILE, LINK, FLIP, CUBES, REMOVE = TOOLS = ("tile", "link", "flip", "cubes", "remove")

Mapped = dict[str, Any]  # a position
Form = Mapping[str, str]


class Field(NamedTuple):
    """A control: the value it shows, and how another one is written into a position."""

    value: str
    set: Callable[[Mapped, str], None]


def edited(draft: PositionDraft, form: Form) -> PositionDraft:
    """The position after everything that a form changes; an error if that leads nowhere."""
    mapping, changed = draft.mapping(), {}
    for name, field in fields_of(draft).items():
        if name in form and form[name] != field.value:
            changed[name] = form[name]
            field.set(mapping, form[name])
    act, _dash, rest = form.get("act", "").partition("-")
    if act == "put":
        return put(draft, mapping, form)
    if act == "take":
        take_card(draft, mapping, rest)
    elif act == "begin":
        begin_action(mapping)
    after = position.draft_of(mapping)
    shown = fields_of(after)
    if any(shown[name].value != value for name, value in changed.items() if shown[name].value):
        raise BrassError(" ".join(news(draft, after)))
    return after


def news(before: PositionDraft, after: PositionDraft) -> list[str]:
    """The problems that a change has brought."""
    return [problem for problem in after.problems if problem not in before.problems]


# --- fields --------------------------------------------------------------------------------------


def fields_of(draft: PositionDraft) -> dict[str, Field]:
    """All fields of a position, by the names of their controls."""
    return dict([*_of_turn(draft), *_of_markets(draft), *_of_seats(draft)])


def _of_turn(draft: PositionDraft) -> Iterator[tuple[str, Field]]:
    state, seats = draft.state, draft.seats
    order = [int(seat) for seat in state.order[: len(seats)]]

    def set_era(mapping: Mapped, value: str) -> None:
        mapping["era"] = value
        begin_action(mapping)
        for key in (*CARD_PILES, "rail distant"):
            mapping.pop(key, None)

    def set_turn(key: str) -> Callable[[Mapped, str], None]:
        def set_value(mapping: Mapped, value: str) -> None:
            begin_action(mapping)
            mapping[key] = value

        return set_value

    def set_mover(mapping: Mapped, value: str) -> None:
        begin_action(mapping)
        mapping["to move"] = _named(draft, value)

    def set_place(place: int) -> Callable[[Mapped, str], None]:
        def set_seat(mapping: Mapped, value: str) -> None:
            """Swap two seats: whoever was there goes where the other one was."""
            names = mapping.get("order", [seats[seat] for seat in order])
            other = names.index(_named(draft, value))
            names[place], names[other] = names[other], names[place]
            mapping["order"] = names
            mapping.setdefault("to move", seats[mover])

        return set_seat

    mover = order[min(int(state.turn), len(order) - 1)]
    yield "era", Field(ERAS[int(state.era)], set_era)
    yield "round", Field(str(int(state.round_number)), set_turn("round"))
    yield "mover", Field(str(mover), set_mover)
    yield "actions", Field(str(int(state.actions_left)), set_turn("actions left"))
    for place, seat in enumerate(order):
        yield f"place-{place}", Field(str(seat), set_place(place))


def _of_markets(draft: PositionDraft) -> Iterator[tuple[str, Field]]:
    edition, state = draft.edition, draft.state

    def set_plain(key: str) -> Callable[[Mapped, str], None]:
        return lambda mapping, value: mapping.update({key: value})

    def set_deck(mapping: Mapped, value: str) -> None:
        forget_cards(mapping)
        mapping["deck"] = value

    def set_goods(merchant: int) -> Callable[[Mapped, str], None]:
        return lambda mapping, value: set_merchant(draft, mapping, merchant, value)

    yield "coal", Field(str(int(state.coal_market)), set_plain("coal market"))
    yield "iron", Field(str(int(state.iron_market)), set_plain("iron market"))
    if edition.distant:
        yield "demand", Field(str(demand_text(edition, state)), set_plain("demand"))
    yield "deck", Field(str(int(state.deck_end) - int(state.deck_next)), set_deck)
    for merchant in range(len(edition.merchants)):
        shown = merchant_text(edition, state, merchant)
        yield f"goods-{merchant}", Field(shown, set_goods(merchant))


def _of_seats(draft: PositionDraft) -> Iterator[tuple[str, Field]]:
    edition, state = draft.edition, draft.state

    def set_own(name: str, key: str) -> Callable[[Mapped, str], None]:
        return lambda mapping, value: mapping[name].update({key: value})

    def set_vp(name: str) -> Callable[[Mapped, str], None]:
        def set_value(mapping: Mapped, value: str) -> None:
            mapping[name].pop("points", None)  # where they came from is no longer known
            mapping[name]["vp"] = value

        return set_value

    def set_mat(name: str, industry: str) -> Callable[[Mapped, str], None]:
        return lambda mapping, value: mapping[name].setdefault("mat", {}).update({industry: value})

    def add_card(name: str) -> Callable[[Mapped, str], None]:
        def add(mapping: Mapped, value: str) -> None:
            forget_cards(mapping)
            mapping[name]["hand"].append(value)

        return add

    for seat, name in enumerate(draft.seats):
        for key in ("cash", "income", "spent"):
            yield f"{key}-{seat}", Field(str(int(state[key][seat])), set_own(name, key))
        yield f"vp-{seat}", Field(str(int(state.vp[seat])), set_vp(name))
        for number in edition.industries:
            shown = mat_text(edition, state, seat, number)
            yield f"mat-{seat}-{INDUSTRY[number]}", Field(shown, set_mat(name, INDUSTRY[number]))
        yield f"add-{seat}", Field("", add_card(name))


def _named(draft: PositionDraft, value: str) -> str:
    """The name of a seat by its number."""
    if not (value.isdecimal() and len(value) < 3 and int(value) < len(draft.seats)):
        raise BrassError(_("There is no such player."))
    return draft.seats[int(value)]


def begin_action(mapping: Mapped) -> None:
    """Leave the action in progress: the position is at the start of one."""
    for key in ("action", "actions left"):
        mapping.pop(key, None)


def forget_cards(mapping: Mapped) -> None:
    """Leave the order of the deck to the seed; how many cards it has stays."""
    deck = mapping.get("deck")
    for key in CARD_PILES:
        mapping.pop(key, None)
    if deck is not None:
        mapping["deck"] = len(deck) if isinstance(deck, list) else deck


def set_merchant(draft: PositionDraft, mapping: Mapped, merchant: int, value: str) -> None:
    """Put a merchant tile on a space."""
    places = draft.edition.merchants
    place = places[merchant]
    mapping["merchants"][place][merchant - places.index(place)] = value


def take_card(draft: PositionDraft, mapping: Mapped, which: str) -> None:
    """Take a card from a hand: `0-12` is card 12 of the first seat."""
    seat, _dash, number = which.partition("-")
    hand, cards = mapping[_named(draft, seat)]["hand"], draft.edition.cards
    names = {str(card): draft.edition.card_name(card) for card in cards}
    if names.get(number) not in hand:
        raise BrassError(_("This card is not in the hand."))
    forget_cards(mapping)
    hand.remove(names[number])


# --- the map -------------------------------------------------------------------------------------


def put(draft: PositionDraft, mapping: Mapped, form: Form) -> PositionDraft:
    """A click on the map, with a tool."""
    thing = thing_of(draft.edition, form.get("on", ""))
    owner = _named(draft, form.get("owner", "0"))
    tool, kind = form.get("tool", TILE), form.get("kind", "")
    if thing is None or thing.kind not in ("space", "line", "merchant"):
        raise BrassError(_("Choose a space, a line or a merchant on the map."))
    if thing.kind == "space":
        return put_tile(draft, mapping, thing.number, owner, tool, kind)
    if thing.kind == "line":
        put_link(draft, mapping, thing, owner, tool)
    else:
        turn_barrel(draft, mapping, thing)
    return position.draft_of(mapping)


def put_link(draft: PositionDraft, mapping: Mapped, thing: Thing, owner: str, tool: str) -> None:
    """Place a link, or remove it: with that tool, or if the owner has it already."""
    line = draft.edition.line_name(thing.number)
    of_all = [f"{name} {line}" for name in draft.seats]
    there = [link for link in mapping["links"] if link in of_all]
    mapping["links"] = [link for link in mapping["links"] if link not in of_all]
    if tool != REMOVE and f"{owner} {line}" not in there:
        mapping["links"].append(f"{owner} {line}")


def turn_barrel(draft: PositionDraft, mapping: Mapped, thing: Thing) -> None:
    """Take the barrel of a merchant, or put one there."""
    shown = merchant_text(draft.edition, draft.state, thing.number)
    bare = shown.removesuffix(WITHOUT_BARREL)
    turned = bare if bare != shown else shown + WITHOUT_BARREL
    set_merchant(draft, mapping, thing.number, turned)


def put_tile(
    draft: PositionDraft, mapping: Mapped, space: int, owner: str, tool: str, kind: str
) -> PositionDraft:
    """Use a tool on a space."""
    shown = draft.tile(space)
    if tool == TILE:
        bare = f"{owner} {kind} {draft.edition.space_name(space)}"
    elif not shown:
        raise BrassError(_("There is no tile on this space."))
    else:
        bare = shown.removesuffix(" flipped").partition(" (")[0]
    wanted = {
        TILE: [bare, f"{bare} flipped"],  # whichever is possible
        FLIP: [bare if draft.state.flipped[space] else f"{bare} flipped"],
        CUBES: [_with_one_less(bare, int(draft.state.cubes[space]))],
        REMOVE: [""],
    }
    if tool not in wanted:
        raise BrassError(_("This tool is for lines. Choose a tile for a space."))
    others = [tile for tile in mapping["tiles"] if tile != shown]
    found = [
        position.draft_of({**mapping, "tiles": [*others, tile] if tile else others})
        for tile in wanted[tool]
    ]
    best = min(found, key=lambda each: len(news(draft, each)))
    if tool == TILE and not best.tile(space):
        raise BrassError(" ".join(news(draft, best)))
    return best


def _with_one_less(bare: str, cubes: int) -> str:
    """A tile with one cube less; after the last one it is full again."""
    return f"{bare} ({cubes - 1})" if cubes > 1 else bare


def set_up(name: str, players: int, options: Mapping[str, Any]) -> PositionDraft:
    """The beginning of a game."""
    chosen = dict(options)
    return position.draft_of({"edition": name, "players": players, "options": chosen})
