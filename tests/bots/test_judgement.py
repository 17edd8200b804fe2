"""The judgement counts what it should, and at the end of a game it equals the VP."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np
import pytest

from brassmill.bots.brain import Brain
from brassmill.bots.mind import TERMS, Term, names_of_terms
from brassmill.bots.weights import ERAS, from_data, to_data, weights_for
from brassmill.core.choice import NUMBER
from brassmill.editions import Edition, edition
from brassmill.editions.edition import INDUSTRY
from brassmill.game import Game
from support import kinds

NAMES = names_of_terms()
PASS = NUMBER["PASS", 0]
INTRODUCTORY = [kind for kind in kinds.ALL if kind.board.canal_era_only]


def judged(game: Game, seat: int) -> tuple[float, dict[str, float]]:
    """What a position is worth to a seat, and its terms by name."""
    brain = Brain(game.edition, weights_for(game.edition))
    brain.look(game.view(seat), 1)
    worth = brain.judge()
    return worth, dict(zip(NAMES, brain.mind.term.tolist(), strict=True))


def counted(game: Game, seat: int = 0) -> dict[str, float]:
    return judged(game, seat)[1]


# --- by hand -------------------------------------------------------------------------------------

MERCHANTS = {
    "Gloucester": ["cotton", "blank"],
    "Oxford": ["blank", "manufacturer"],
    "Shrewsbury": ["all"],
}
CANAL: dict[str, Any] = {
    "edition": "birmingham",
    "players": 2,
    "round": 4,  # 16 payments are to come: 7 in this era, and 9 in the next
    "tiles": [
        "Y cotton 1 Worcester",  # 5 points, 1 link symbol, 5 income; Gloucester would buy it
        "Y coal 1 Kidderminster (1)",  # 1 point, 2 symbols, 4 income; half used up
        "Y coal 2 Dudley flipped",  # 2 points, 1 symbol
        "Y iron 1 Coalbrookdale flipped",  # 3 points, 1 symbol
        "R brewery 2 South Farm",  # 5 points, 2 symbols
    ],
    "links": ["Y Kidderminster-Worcester", "Y Worcester-Gloucester", "R Birmingham-Dudley"],
    "merchants": MERCHANTS,
    "Y": {
        "cash": "45",
        "income": "14",  # level 2
        "spent": "9",
        "hand": ["Kidderminster", "Coventry", "Birmingham", "iron", "iron", "brewery", "coal"],
    },
    "R": {"cash": "10", "vp": "3", "income": "12", "hand": ["Cannock"]},
}
# Y may build in Cannock and in Stone.
CARDS: dict[str, Any] = {
    "edition": "birmingham",
    "players": 3,
    "round": 3,
    "tiles": ["Y pottery 1 Stafford"],
    "links": ["Y Stafford-Cannock", "Y Stafford-Stone"],
    "merchants": {"Warrington": ["pottery", "blank"]},
    "Y": {
        "hand": ["Cannock", "Stafford", "Coventry", "coal", "iron", "wild location"],
        "mat": {"cotton": "3"},
    },
}
# Rails: two mills that would be bought, and beer for one of them.
RAIL: dict[str, Any] = {
    "edition": "birmingham",
    "players": 2,
    "era": "rail",
    "round": 8,
    "tiles": [
        "Y manufacturer 5 Birmingham",  # 8 points, 2 barrels, 2 income
        "Y manufacturer 5 Coventry",
        "Y cotton 4 Worcester",  # 12 points; nobody to sell it to
        "Y brewery 3 Nuneaton (1)",  # 7 points; one of two barrels is left
        "Y iron 3 Redditch (2)",  # 7 points; three of five have been used
        "R coal 3 Dudley (4)",
    ],
    "links": ["Y Birmingham-Oxford", "Y Birmingham-Coventry", "R Birmingham-Dudley"],
    "merchants": {
        "Oxford": ["blank", "manufacturer without barrel"],
        "Gloucester": ["cotton", "blank"],
        "Shrewsbury": ["all"],
    },
    "Y": {"hand": ["wild industry", "iron"], "mat": {"brewery": "4"}},
    "R": {"hand": ["coal"]},
}
# Mills in Lancashire: a port for one of them, nothing for the other.
MILLS: dict[str, Any] = {
    "edition": "lancashire",
    "players": 2,
    "round": 5,
    "demand": "2",
    "tiles": [
        "Y cotton 2 Lancaster",
        "Y cotton 2 Bury",
        "Y port 2 Preston",
        "R shipyard 1 Liverpool flipped",
    ],
    "links": ["Y Lancaster-Preston"],
    "Y": {"hand": ["coal"]},
    "R": {"hand": ["coal"]},
}

INTRO = MILLS | {"options": {"intro": "yes"}}

EXPECTED: list[tuple[Mapping[str, Any], int, dict[str, float]]] = [
    (
        CANAL,
        0,
        {
            "banked": 0,
            "links": 2,  # Gloucester's
            "tiles": 5,
            "tiles again": 2,  # the mine of level 2
            "link hope": 6,  # 5 beside the canal of three ends, 1 beside the other
            "link room": 3,  # Kidderminster and Worcester; Worcester
            "fading ready": 5.5,  # the mill and half the mine
            "fading unready": 0.5,
            "gain ready": 1.6 * (5 + 2),
            "gain unready": 1.6 * 2,
            "cash 1": 8,
            "cash 2": 12,
            "cash 3": 20,
            "cash 4": 5,
            "level": 2,
            "income": 1.6 * 2,
            "gone cotton": 1,
            "gone coal": 2,
            "gone iron": 1,
            "gone brewery": 0,
            "next coal": 2 * 2,
            "next iron": 2 * 5,
            "next brewery": 4,
            "dead tiles": 2 + 1 + 2,  # cotton, manufacturer, breweries
            "card near": 0,
            "card far": 2,  # Coventry, Birmingham
            "card dead": 2,  # Kidderminster, the second iron
            "card use": 0,
            "card idle": 3,
            "best line": 3,  # Coalbrookdale-Shrewsbury
            "next lines": 2 + 2 + 2,  # to Kidderminster from two sides, with hopes; to Redditch
            "open lines": 7,
            "own beer": 0,
            "rival beer": 1,
            "merchant beer": 1,
            "beer short": 0,
            "buyers": 1,
            "free coal": 1,
            "free iron": 0,
            "access": 1,
            "coal price": 1,
            "iron price": 2,
            "survivors": 1,
            "order": 1,
            "constant": 1,
            "rivals points": 3 + 1,
            "rivals hope": 2 * 5,
            "rivals income": 1.6 * 1,
        },
    ),
    (
        CANAL,
        1,
        {
            "banked": 3,
            "unready brewery": 10,
            "cash 1": 8,
            "cash 2": 2,
            "cash 3": 0,
            "own beer": 1,
            "rival beer": 0,
            "order": 0,
            "rivals points": 2 + 5 + 2,
            "rivals hope": 6,
        },
    ),
    (
        CARDS,
        0,
        {
            "fading unready": 10,  # of level 1, whatever its points
            "next pottery": 2 * 1,
            "next cotton": 2 * 9,
            "card near": 1,  # Cannock
            "card dead": 1,  # Stafford, where Y has built
            "card far": 1,
            "card use": 1,
            "card idle": 1,
            "card wild location": 1,
            "sites coal": 2,
            "sites cotton": 1,
            "sites manufacturer": 2,
            "sites brewery": 1,
            "sites iron": 0,
            "prospects": 1 + 18 + 3 + 4,  # coal, cotton, manufacturer, brewery
        },
    ),
    (
        RAIL,
        0,
        {
            "ready manufacturer": 8,  # both half, for one barrel of two
            "unready manufacturer": 8,
            "unready cotton": 12,
            "ready brewery": 3.5,
            "unready brewery": 3.5,
            "ready iron": 0.6 * 7,
            "unready iron": 0.4 * 7,
            "own beer": 1,
            "merchant beer": 0,
            "free coal": 2,
            "free iron": 2,
            "card wild industry": 1,
            "next brewery": 10,
        },
    ),
    (
        RAIL
        | {
            "Y": {"hand": ["iron"]},
            "tiles": [
                "Y manufacturer 5 Birmingham",
                "Y manufacturer 5 Coventry",
                "Y brewery 3 Nuneaton (2)",
            ],
        },
        0,
        {"ready manufacturer": 16, "own beer": 2, "beer short": 2},
    ),
    (
        MILLS,
        0,
        {
            "ready cotton": 2 * 5,
            "unready cotton": 2 * 5,
            "ready port": 2 * 4,
            "buyers": 1,
            "demand": 2,
        },
    ),
    # Two barrels of a rival do as well as own ones.
    (
        RAIL
        | {
            "Y": {"hand": ["iron"]},
            "tiles": ["Y manufacturer 5 Birmingham", "R brewery 3 Nuneaton (2)"],
            "links": ["Y Birmingham-Oxford", "Y Birmingham-Coventry", "R Coventry-Nuneaton"],
        },
        0,
        {"ready manufacturer": 8, "own beer": 0, "rival beer": 2},
    ),
    # Seven pounds a round to pay, and two there: what is missing is tiles or points.
    (MILLS | {"Y": {"cash": "2", "income": "3"}}, 0, {"level": -7, "debt": 5}),
    (MILLS | {"Y": {"cash": "7", "income": "3"}}, 0, {"debt": 0}),
    # Money counts at the end: in the canal era only if there is no other.
    (MILLS | {"Y": {"cash": "39"}}, 0, {"ending": 0}),
    (
        MILLS | {"Y": {"cash": "39"}, "era": "rail", "tiles": ["Y cotton 2 Bury"]},
        0,
        {"ending": 3, "survivors": 0},
    ),
    (RAIL | {"Y": {"cash": "39"}}, 0, {"ending": 0}),
    (INTRO | {"Y": {"cash": "39", "income": "14"}}, 0, {"ending": 9 + 2}),
    (INTRO | {"Y": {"cash": "99"}}, 0, {"ending": 15, "ready cotton": 10}),
    # Where the distant market is closed, only the port is left.
    (MILLS | {"demand": "X"}, 0, {"ready cotton": 2 * 5, "unready cotton": 2 * 5, "demand": 8}),
]


@pytest.mark.parametrize(("position", "seat", "expected"), EXPECTED)
def test_terms_are_what_a_player_would_count(
    position: Mapping[str, Any], seat: int, expected: dict[str, float]
) -> None:
    found = counted(Game.from_position(position), seat)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_every_term_is_counted_by_hand_somewhere() -> None:
    by_hand = {name for _, _, row in EXPECTED for name, number in row.items() if number}
    terms = {max(term for term in Term if term <= NAMES.index(name)) for name in by_hand}
    assert terms == set(Term)


# --- in games ------------------------------------------------------------------------------------


def positions(kind: Edition, choices: int = 30) -> Iterator[Game]:
    """A random game at regular intervals, and at its end."""
    rng = Random(5)
    game = Game(kind, seed=5)
    while not game.over:
        yield game
        kinds.play_at_random(game, rng, choices)
        game.publish()  # an action in progress too: every seat sees the same map
    yield game


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_points_on_the_map_are_those_of_the_scoring(kind: Edition) -> None:
    for game in positions(kind):
        if game.over:
            continue
        for seat, points in enumerate(game.score_now()):
            found = counted(game, seat)
            assert found["links"] == points.get("links", 0)
            assert found["tiles"] == sum(points.get(name, 0) for name in INDUSTRY)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_every_card_of_a_hand_is_counted_once(kind: Edition) -> None:
    for game in positions(kind):
        for seat, view in enumerate(game.view(0).seats):
            found = counted(game, seat)
            cards = sum(number for name, number in found.items() if name.startswith("card "))
            assert cards == (0 if game.over else view.cards)


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_at_the_end_a_position_is_worth_its_points(kind: Edition) -> None:
    """Minus something for the opponents' VP, less than one for one."""
    *_, game = positions(kind, 10_000)
    outcome = game.outcome()
    assert outcome is not None
    totals = [result.total for result in outcome.results]
    share = weights_for(kind)[ERAS["rail"], Term.RIVALS_POINTS, 0]
    assert -1 < share <= 0
    for seat, total in enumerate(totals):
        rivals = (sum(totals) - total) / (kind.players - 1)
        assert judged(game, seat)[0] == pytest.approx(total + share * rivals)


@pytest.mark.parametrize("kind", [*kinds.PLAIN, *INTRODUCTORY], ids=repr)
def test_income_is_counted_as_often_as_it_will_be_paid(kind: Edition) -> None:
    level_2 = {"income": "14"}
    start = {"edition": kind.name, "players": kind.players, "options": dict(kind.changed_options)}
    game = Game.from_position({**start, "Y": level_2})
    payments, expected = 0, []
    while not game.over:
        if game.seat == 0:
            expected.append(payments + 10 * counted(game)["income"] / 2)
        legal = game.legal_choices().ids
        events = game.play(PASS if PASS in legal else legal[0])
        payments += sum(event.kind == "income_paid" and event.seat == 0 for event in events)
    assert expected == pytest.approx([payments] * len(expected))


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_the_share_of_the_actions_to_come_is_that_which_is_then_played(kind: Edition) -> None:
    share_alone = np.zeros((2, TERMS, 2))
    share_alone[:, Term.CONSTANT, 1] = 1.0
    brain = Brain(kind, share_alone)
    game = Game(kind, seed=5)
    played: Counter[str] = Counter()
    expected: list[tuple[str, float]] = []
    while not game.over:
        brain.look(game.view(0), 1)
        expected.append((game.era, played[game.era] + brain.judge() * 2 * kind.rounds))
        era, seat, number = game.era, game.seat, len(game.actions)
        legal = game.legal_choices().ids
        game.play(PASS if PASS in legal else legal[0])
        if seat == 0:
            played[era] += len(game.actions) - number
    assert played.total() == 4 * kind.rounds - 1  # the first turn has one action
    assert [number for _, number in expected] == pytest.approx([played[era] for era, _ in expected])


@pytest.mark.parametrize("name", ["classic", "lancashire", "birmingham"])
def test_a_debtor_has_the_same_actions_to_come_before_and_after_the_debt(name: str) -> None:
    share_alone = np.zeros((2, TERMS, 2))
    share_alone[:, Term.CONSTANT, 1] = 1.0
    position = {**kinds.IN_DEBT, "edition": name, "players": 3}
    if name == "birmingham":
        position["tiles"] = ["Y coal 1 Dudley", "Y coal 2 Cannock"]
    game = Game.from_position(position)
    while game.question != "give up":
        game.play(PASS if PASS in game.legal_choices() else game.legal_choices()[0])
    brain = Brain(game.edition, share_alone)
    seen = []
    for _before_and_after in range(2):
        brain.look(game.view(0), 1)
        seen.append(brain.judge())
        game.play(game.legal_choices()[0])
    assert seen[0] == seen[1] > 0


@pytest.mark.parametrize("kind", INTRODUCTORY, ids=repr)
def test_no_tile_waits_for_a_rail_era_that_does_not_come(kind: Edition) -> None:
    for game in positions(kind, 20):
        assert counted(game)["dead tiles"] == counted(game)["survivors"] == 0


# --- weights -------------------------------------------------------------------------------------


def test_every_term_has_a_name_of_its_own() -> None:
    assert len(NAMES) == TERMS == len(set(NAMES))
    assert all(NAMES)
    assert NAMES[Term.READY_OF + INDUSTRY.index("iron")] == "ready iron"


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_the_weights_in_the_files_are_those_of_the_terms(kind: Edition) -> None:
    file = files("brassmill.bots") / "tuned" / f"{kind.name}-{kind.players}.json"
    data = json.loads(file.read_text("utf-8"))["weights"]
    assert data.keys() == ERAS.keys()
    assert all(set(terms) <= set(NAMES) for terms in data.values())
    weight = weights_for(kind)
    assert np.count_nonzero(weight) > TERMS
    assert (weight[:, [Term.BANKED, Term.TILES]] == (1, 0)).all()  # the measure of all others


def test_weights_come_back_from_their_names() -> None:
    weight = np.random.default_rng(1).normal(size=(2, TERMS, 2)).round(4)
    weight[0, 3] = 0.0
    data = json.loads(json.dumps(to_data(weight)))
    assert "tiles again" not in data["canal"]
    assert (from_data(data) == weight).all()


def test_a_name_that_is_no_term_is_refused() -> None:
    with pytest.raises(KeyError):
        from_data({"canal": {"luck": [1.0, 0.0]}})


def test_options_play_by_the_weights_of_the_plain_game() -> None:
    for kind in kinds.ALL:
        assert weights_for(kind) is weights_for(edition(kind.name, kind.players))
