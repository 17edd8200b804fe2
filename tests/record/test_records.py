"""The game library under `records/`: every game verifies, and every feature of Brass occurs.

A fact is a short text about one game, such as `birmingham: 4 players` or `event scouted`. The facts
required of the library come from the tables of the product, so a new edition, option, event, tile
or line without a recorded game fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from brassmill import record
from brassmill.core.action import Action
from brassmill.core.choice import NUMBER
from brassmill.core.events import FIELDS, Event
from brassmill.core.names import SOURCES
from brassmill.core.outcome import TIE_BREAKS, Outcome
from brassmill.editions import Edition
from brassmill.editions.edition import FARM, INDUSTRY
from brassmill.game import Game
from brassmill.record import Record
from brassmill.rules.choices import KINDS
from brassmill.rules.income import income_level
from brassmill.rules.layout import CLOSED
from brassmill.rules.reasons import Reason
from brassmill.vocabulary import VERBS
from support import kinds
from support.paths import RECORDS

FOLDER = RECORDS
FILES = sorted(FOLDER.glob("*.brass"))

# --- facts of one game ---------------------------------------------------------------------------


def facts_of(game: Game) -> set[str]:
    """Replay a finished game and return every fact about it."""
    outcome = game.outcome()
    assert outcome is not None
    facts = {f"{game.edition.name}: {fact}" for fact in kinds_of_game(game.edition)}
    facts.update(end_facts(game.edition, outcome))
    again = Game(game.edition, deal=game.deal, seats=game.seats)
    for action in game.actions:
        facts.update(loan_facts(again))
        before = again.copy()
        events = again.play(action)
        facts.update(event_facts(again.edition, events))
        facts.update(action_facts(before, action, events))
        facts.update(market_facts(again))
    return facts


def end_facts(edition: Edition, outcome: Outcome) -> Iterator[str]:
    """Yield how the game ended."""
    yield f"{edition.name}: tie-break {outcome.tie_break}"
    if any(result.total == 0 for result in outcome.results):
        yield f"{edition.name}: a seat ends with nothing"
    for result in outcome.results:
        for points in result.points.values():
            yield from (f"{edition.name}: points from {source}" for source in points)
    first, second = outcome.ranking[:2]
    if outcome.tie_break == "income" and income_level(first.income) == income_level(second.income):
        yield f"{edition.name}: equal income levels, another space"


def loan_facts(game: Game) -> Iterator[str]:
    """Yield the loans that the active seat is refused before an action."""
    if game.question == "action":
        for pounds in game.edition.loans:
            refusal = game.why_not(NUMBER["LOAN", pounds // 10 - 1])
            if refusal:
                yield f"{game.edition.name}: loan refused, {refusal.reason}"


def market_facts(game: Game) -> Iterator[str]:
    """Yield the state of the markets after an action."""
    if game.state.coal_market == 0:
        yield f"{game.edition.name}: no coal in the market"
    if game.state.iron_market == 0:
        yield f"{game.edition.name}: no iron in the market"


def event_facts(edition: Edition, events: list[Event]) -> Iterator[str]:
    """Yield what happened, whichever seat did it."""
    for event in events:
        yield f"event {event.kind}"
        match event.kind:
            case "built":
                yield f"{edition.name}: {event.tile} built"
            case "linked":
                yield f"{edition.name}: {event.line} linked"
            case "discarded":
                yield f"{edition.name}: card {event.card}"
            case "bonus":
                yield f"{edition.name}: bonus of {event.place}"
            case "coal_used" if event.pounds == edition.coal_market.empty_price:
                yield f"{edition.name}: coal at the price of an empty market"
            case "iron_used" if event.pounds == edition.iron_market.empty_price:
                yield f"{edition.name}: iron at the price of an empty market"
            case "distant_tile" if event.marker == CLOSED:
                yield f"{edition.name}: the distant market closes"
            case "gave_up":
                yield f"{edition.name}: a tile given up"
            case "vp_lost":
                yield f"{edition.name}: points lost for a debt"
            case "income_paid" if event.pounds < 0:
                yield f"{edition.name}: negative income"


def action_facts(game: Game, action: Action, events: list[Event]) -> Iterator[str]:
    """Yield the facts of one action, with the game just before it."""
    edition, state = game.edition, game.state
    name = edition.name
    owner = {edition.space_name(n): int(state.owner[n]) for n in range(len(edition.spaces))}
    place = {edition.space_name(n): edition.places[s.place] for n, s in enumerate(edition.spaces)}
    own = {True: "own", False: "a rival's"}
    made = [choice.kind for choice in action.choices]
    yield from (f"choice {kind}" for kind in made)
    happened = [event.kind for event in events]
    if "coal_at" in made and "; end " in action.text:
        yield f"{name}: the end of a rail chosen"
    if "two_cards" in made:
        yield f"{name}: a build with two cards"
    if happened.count("linked") == 2:
        yield f"{name}: two rails"
    if happened.count("sold") >= 3:
        yield f"{name}: three tiles sold at once"
    if "sold_to_port" in happened and "distant_tile" in happened:
        yield f"{name}: a port and the distant market in one sale"
    for event in events:
        match event.kind:
            case "overbuilt":
                tile = event.tile.split()[0]
                yield f"{name}: {own[event.owner == action.seat]} {tile} built over"
            case "built" if place[event.space].kind == FARM:
                yield f"{name}: a brewery on a farm"
            case "built":
                card = next(event.card for event in events if event.kind == "discarded")
                if card.startswith("wild"):
                    yield f"{name}: {card} card for a build"
                if "two_cards" not in made and card in SOURCES:
                    yield from virtual_facts(game, place[event.space].name)
            case "beer_used":
                yield f"{name}: {own[owner[event.source] == action.seat]} beer for a {made[0]}"
            case "sold_to_port":
                yield f"{name}: {own[owner[event.port] == action.seat]} port sold to"


def virtual_facts(game: Game, town: str) -> Iterator[str]:
    """Yield a town that an industry card opened only through a virtual link."""
    game.engine.legal()  # computes the networks
    work = game.engine.work
    only_virtual = int(work.card_network) & ~int(work.network)
    if only_virtual >> game.edition.place_number[town] & 1:
        yield f"{game.edition.name}: virtual link to {town}"


# --- facts required of the library ---------------------------------------------------------------

Has = Callable[[Edition], Any]

# Unusual events, and the editions that have them.
UNUSUAL: dict[str, Has] = {
    "no coal in the market": lambda edition: True,
    "no iron in the market": lambda edition: True,
    "coal at the price of an empty market": lambda edition: True,
    "iron at the price of an empty market": lambda edition: True,
    "the distant market closes": lambda edition: edition.distant,
    "own coal built over": lambda edition: True,
    "a rival's coal built over": lambda edition: True,
    "a rival's iron built over": lambda edition: True,
    "a tile given up": lambda edition: True,
    "points lost for a debt": lambda edition: True,
    "negative income": lambda edition: True,
    f"loan refused, {Reason.INCOME_TOO_LOW}": lambda edition: True,
    f"loan refused, {Reason.LOANS_HAVE_ENDED}": lambda edition: edition.traits.loans_end_with_deck,
    "a seat ends with nothing": lambda edition: True,
    "equal income levels, another space": lambda edition: edition.traits.income_tie_by_space,
    "two rails": lambda edition: True,
    "three tiles sold at once": lambda edition: True,
    "own beer for a link": lambda edition: edition.traits.beer_for_second_rail,
    "a rival's beer for a link": lambda edition: edition.traits.beer_for_second_rail,
    "own beer for a sell": lambda edition: edition.traits.beer_to_sell,
    "a rival's beer for a sell": lambda edition: edition.traits.beer_to_sell,
    "own port sold to": lambda edition: edition.distant,
    "a rival's port sold to": lambda edition: edition.distant,
    "a port and the distant market in one sale": lambda edition: edition.distant,
    "a build with two cards": lambda edition: edition.traits.two_cards_build,
    "wild location card for a build": lambda edition: edition.wild_cards,
    "wild industry card for a build": lambda edition: edition.wild_cards,
    "a brewery on a farm": lambda edition: any(place.kind == FARM for place in edition.places),
    "the end of a rail chosen": lambda edition: edition.traits.coal_at_chosen_end,
}


def demanded(wanted: Callable[[Edition], Iterator[str]]) -> set[str]:
    """Return the facts required of an edition, prefixed with its name."""
    return {f"{edition.name}: {fact}" for edition in kinds.ALL for fact in wanted(edition)}


def kinds_of_game(edition: Edition) -> Iterator[str]:
    """Yield the number of players and every option value, alone and with that number."""
    yield f"{edition.players} players"
    for name, value in edition.options.items():
        yield f"{name}={value}"
    for name, value in edition.changed_options.items():
        yield f"{name}={value}, {edition.players} players"


def tie_breaks(edition: Edition) -> Iterator[str]:
    """END-3: where turn order breaks ties, no win is shared; elsewhere it decides nothing."""
    never = "shared" if edition.traits.order_breaks_ties else "order"
    yield from (f"tie-break {name}" for name in TIE_BREAKS if name != never)


def things(edition: Edition) -> Iterator[str]:
    """Yield every tile that can be built, every line and every card."""
    yield from (f"{tile.name} built" for tile in edition.tiles if any(tile.buildable))
    yield from (f"{line.name} linked" for line in edition.lines)
    yield from (f"card {edition.card_name(card)}" for card in edition.cards)


def bonuses(edition: Edition) -> Iterator[str]:
    """Yield the bonuses of every merchant location."""
    yield from (f"bonus of {place.name}" for place in edition.places if place.bonus)


def points(edition: Edition) -> Iterator[str]:
    """Yield every source of VP in the edition."""
    traits = edition.traits
    names = {edition.industry_name(number) for number in edition.industries}
    has = {industry: industry in names for industry in INDUSTRY} | {
        "bonus": any(place.bonus == "points" for place in edition.places),
        "cash": traits.cash_scores or traits.canal_era_only,
        "income": traits.canal_era_only,
    }
    yield from (f"points from {source}" for source in SOURCES if has.get(source, True))


def virtual_links(edition: Edition) -> Iterator[str]:
    """Yield both directions where the edition has both."""
    yield from (f"virtual link to {there}" for _, there in edition.virtual_links)


def unusual_things(edition: Edition) -> Iterator[str]:
    """Yield what does not happen in every game."""
    yield from (name for name, has in UNUSUAL.items() if has(edition))


DEMANDED = {
    "kinds of game": demanded(kinds_of_game),
    "verbs": {f"verb {word.en}" for word in VERBS},
    "choices": {f"choice {kind.name.lower()}" for kind in KINDS},
    "events": {f"event {kind.name.lower()}" for kind in FIELDS},
    "tie-breaks": demanded(tie_breaks),
    "tiles, lines and cards": demanded(things),
    "bonuses": demanded(bonuses),
    "points": demanded(points),
    "virtual links": demanded(virtual_links),
    "unusual things": demanded(unusual_things),
}

# --- the tests -----------------------------------------------------------------------------------


@cache
def games_in(file: Path) -> list[Record]:
    """Return the games of a file, in order."""
    found = list(record.read(file))
    broken = [str(game) for game in found if isinstance(game, record.BrokenRecord)]
    assert not broken, f"{file.name}: {broken}"
    return [game for game in found if isinstance(game, Record)]


@pytest.fixture(scope="session")
def told() -> dict[str, set[str]]:
    """Return the files that contain each fact."""
    files: dict[str, set[str]] = {}
    for file in FILES:
        for written in games_in(file):
            facts = facts_of(written.game())
            facts.update(
                f"verb {word.en}"
                for node in written.main_line()
                for word in VERBS
                if node.text.startswith(word.en)
            )
            for fact in facts:
                files.setdefault(fact, set()).add(file.name)
    return files


@pytest.mark.slow
@pytest.mark.parametrize("group", DEMANDED)
def test_nothing_is_missing(group: str, told: dict[str, set[str]]) -> None:
    missing = DEMANDED[group] - told.keys()
    assert not missing, f"no game of the library shows: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_games_are_complete_and_verify(file: Path) -> None:
    games = games_in(file)
    assert games, "there is no game in it"
    for game in games:
        assert game.verify() == []
        assert game.is_complete
        assert game.deal is not None
        assert file.stem.startswith(f"{game.edition.name}-{game.edition.players}-")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_files_are_in_canonical_form(file: Path, tmp_path: Path) -> None:
    games = games_in(file)
    record.write(tmp_path / file.name, games)
    assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_headers_describe_what_a_game_shows() -> None:
    events = [game.headers.get("Event", "") for file in FILES for game in games_in(file)]
    assert all(events)
    double = {event for event in events if events.count(event) > 1}
    assert not double, f"several games have the same Event header; say what each shows: {double}"


def test_the_library_has_studies_and_a_file_of_several_games() -> None:
    games = [game for file in FILES for game in games_in(file)]
    assert len(games) >= 30
    studies = [
        game
        for game in games
        if any(len(node.children) > 1 for node in game.main_line())
        and any(node.comment for node in game.main_line())
    ]
    assert len(studies) >= 2
    assert any(len(games_in(file)) > 1 for file in FILES)
