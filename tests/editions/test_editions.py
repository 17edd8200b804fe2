"""The boxes add up, everything has a name, and the packed record says what the tables say."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator

import pytest

from brassmill.editions import EDITIONS, OPTIONS, Edition, Value, edition
from brassmill.editions.edition import INDUSTRY, NUMBER
from brassmill.editions.names import fold, slug
from brassmill.editions.sums import check
from brassmill.errors import BrassError, InvalidOption, InvalidPosition, UnknownName
from brassmill.rules import layout


def every_edition() -> Iterator[Edition]:
    """Every edition, number of players and combination of options that exists."""
    for name, box in EDITIONS.items():
        for players in box.players:
            for values in itertools.product(*(option.values for option in box.options)):
                names = [option.name for option in box.options]
                options: dict[str, Value] = dict(zip(names, values, strict=True))
                try:
                    yield edition(name, players, **options)
                except InvalidOption:
                    continue


ALL = list(every_edition())
BIRMINGHAM = edition("birmingham")
LANCASHIRE = edition("lancashire")
COMMUNITY = edition("lancashire", community_2p=True)
CLASSIC = edition("classic")


# --- the component lists -------------------------------------------------------------------------


def test_how_many_there_are() -> None:
    # 8 readings of classic for 3 and 4; Lancashire's independent options, by number of players:
    # 2: virtual or community or neither (3), 3 and 4: virtual, classic deck (4), times 4 each;
    # Birmingham with and without the introductory game, for 2 to 4. Correct it for a new option.
    assert len(ALL) == 8 * 2 + (3 + 4 + 4) * 4 + 2 * 3


@pytest.mark.parametrize("box", ALL, ids=repr)
def test_adds_up(box: Edition) -> None:
    box.check()


@pytest.mark.parametrize(
    ("box", "cards", "tiles"),
    [
        (edition("classic", 3), 66, 37),
        (edition("classic", 4), 66, 37),
        (edition("lancashire", 4), 64, 37),
        (edition("lancashire", 4, classic_deck=True), 66, 37),
        (edition("lancashire", 3, classic_deck=True), 66, 37),
        (edition("lancashire", 3), 54, 37),
        (edition("lancashire", 2), 40, 37),
        (COMMUNITY, 40, 37),
        (edition("birmingham", 4), 64, 45),
        (edition("birmingham", 3), 54, 45),
        (edition("birmingham", 2), 40, 45),
    ],
    ids=repr,
)
def test_decks_and_mats(box: Edition, cards: int, tiles: int) -> None:
    assert sum(box.deck.values()) == cards
    assert sum(tile.count for tile in box.tiles) == tiles


def test_wrong_sums_are_noticed() -> None:
    broken = copy.copy(BIRMINGHAM.__dict__)
    broken = {name: broken[name] for name in BIRMINGHAM.__dataclass_fields__}
    worse = [
        ("lines", BIRMINGHAM.lines[1:], "lines: 38, not 39"),
        ("tiles", BIRMINGHAM.tiles[1:], "tiles: 42, not 45"),
        ("places", BIRMINGHAM.places[:-1], "Nottingham, which is no place"),
        ("rounds", 9, "60 cards in the canal era of 9 rounds"),
        ("merchants", BIRMINGHAM.merchants[1:], "merchant tiles and spaces differ"),
        ("location_cards", {**BIRMINGHAM.location_cards, "Stone": 3}, "cards: 65, not 64"),
    ]
    for field, value, problem in worse:
        with pytest.raises(BrassError, match=problem):
            check(Edition(**{**broken, field: value}))


def test_merchants_by_players() -> None:
    boxes = [edition("birmingham", players) for players in (2, 3, 4)]
    assert [len(box.merchants) for box in boxes] == [5, 7, 9]
    assert boxes[0].merchants == ("Shrewsbury", "Gloucester", "Gloucester", "Oxford", "Oxford")
    assert [box.merchant_tiles.count(()) for box in boxes] == [2, 3, 3]
    assert [len(box.places) for box in boxes] == [27, 27, 27]


def test_distant_tiles() -> None:
    boxes = [edition("lancashire", players) for players in (4, 3, 2)]
    assert [sum(box.distant) for box in (*boxes, COMMUNITY)] == [23, 22, 20, 19]
    assert [len(box.distant) for box in (*boxes, COMMUNITY)] == [12, 10, 8, 8]


def test_community_map() -> None:
    assert (len(COMMUNITY.places), len(COMMUNITY.spaces), len(COMMUNITY.lines)) == (17, 32, 24)
    north = COMMUNITY.lines[COMMUNITY.find_line("Scotland-Lancaster")]
    assert north.canal
    assert not LANCASHIRE.lines[LANCASHIRE.find_line("Scotland-Lancaster")].canal
    assert COMMUNITY.start_cash == 25
    assert COMMUNITY.coal_market.prices == (2, 2, 3, 3, 4, 4)


def test_cotton_one() -> None:
    def points(box: Edition) -> int:
        return box.tile[box.find_tile("cotton 1")].vp

    assert points(CLASSIC) == 3
    assert points(LANCASHIRE) == 5
    assert points(edition("lancashire", cotton_one_vp=3)) == 3


# --- asking for an edition -----------------------------------------------------------------------


def test_default_players() -> None:
    assert [edition(name).players for name in EDITIONS] == [4, 4, 4]
    assert COMMUNITY.players == 2


def test_same_edition_is_one_object() -> None:
    assert edition("Lancashire", 4, intro="yes") is edition("brass: lancashire", intro=True)
    assert edition("lancashire", cotton_one_vp="5") is LANCASHIRE
    assert edition("classic", rail_coal="chosenEnd") is edition("classic", rail_coal="chosen_end")
    assert edition("lancashire", 2, community2p="on") is COMMUNITY
    assert pickle.loads(pickle.dumps(COMMUNITY)) is COMMUNITY
    assert copy.deepcopy(CLASSIC) is CLASSIC


def test_repr_is_the_call() -> None:
    box = edition("classic", 3, rail_coal="chosen_end", virtual_both_ways="yes")
    assert repr(box) == "edition('classic', 3, rail_coal='chosen_end', virtual_both_ways=True)"
    assert eval(repr(box)) is box


def test_options_are_listed() -> None:
    assert [option.name for option in OPTIONS["classic"]] == [
        "rail_coal",
        "virtual_both_ways",
        "income_tie",
    ]
    assert all(option.meaning for options in OPTIONS.values() for option in options)
    assert dict(COMMUNITY.options) == {
        "virtual_link": False,
        "classic_deck": False,
        "community_2p": True,
        "intro": False,
        "cotton_one_vp": 5,
    }


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("bristol", 4, {}, "choose one of: classic, lancashire, birmingham"),
        ("birmingham", 5, {}, "birmingham is for 2, 3 or 4 players, not 5"),
        ("birmingham", 0, {}, "not 0"),
        ("birmingham", True, {}, "not True"),
        ("classic", 2, {}, "classic is for 3 or 4 players, not 2"),
        ("birmingham", 4, {"virtual_link": True}, "choose one of: intro"),
        ("classic", 4, {"rail_coal": "both"}, "choose nearest or chosen_end"),
        ("lancashire", 4, {"intro": "perhaps"}, "choose no or yes"),
        ("lancashire", 4, {"cotton_one_vp": 4}, "choose 5 or 3"),
        ("lancashire", 4, {"cotton_one_vp": True}, "choose 5 or 3"),
        ("lancashire", 2, {"classic_deck": True}, "is for 3 or 4 players, not 2"),
        ("lancashire", 3, {"community_2p": True}, "is for 2 players, not 3"),
        ("lancashire", 2, {"community_2p": True, "virtual_link": True}, "cannot be combined"),
        ("lancashire", None, {"community_2p": True, "classic_deck": True}, "players"),
        ("birmingham", 4, {"name": "x"}, "birmingham has no option 'name'; choose one of: intro"),
        (
            "birmingham",
            4,
            {"players": "3"},
            "players cannot be set as an option: this game already has 4",
        ),
        ("birmingham", None, {"players": "3"}, "birmingham is for 2, 3 or 4 players, not '3'"),
    ],
)
def test_what_does_not_exist(
    name: str, players: int | None, options: dict[str, Value], message: str
) -> None:
    with pytest.raises((InvalidOption, UnknownName), match=message):
        edition(name, players, **options)


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", [BIRMINGHAM, LANCASHIRE, CLASSIC, COMMUNITY], ids=repr)
def test_every_name_is_found_again(box: Edition) -> None:
    for number, place in enumerate(box.places):
        for name in (place.name, place.id, place.name.upper(), *place.other_names):
            assert box.find_place(name) == number
    for number, line in enumerate(box.lines):
        assert box.find_line(box.line_name(number)) == number
        for ends in itertools.permutations(line.ends):
            assert box.find_line("-".join(ends)) == number
            assert box.find_line(" to ".join(ends[:2])) == number
            assert box.find_line(" \u2013 ".join(ends[:2]).lower()) == number
    for number, space in enumerate(box.spaces):
        place_number, position = box.find_space(box.space_name(number))
        assert place_number == space.place
        assert box.space_at(place_number, position or 1) == number
        assert box.find_space(f"{box.place_name(space.place)} {space.number}")[1] == space.number
    for card in box.cards:
        assert box.find_card(box.card_name(card)) == card
        assert box.find_card(box.card_name(card) + " card") == card
    for kind in box.tile:
        assert box.find_tile(box.tile_name(kind)) == kind
    for industry in box.industries:
        assert box.find_industry(box.industry_name(industry)) == industry


@pytest.mark.parametrize("box", [BIRMINGHAM, LANCASHIRE], ids=repr)
def test_no_spelling_means_two_things(box: Edition) -> None:
    owners: dict[str, set[str]] = {}
    for place in box.places:
        for name in (place.name, *place.other_names):
            owners.setdefault(fold(name), set()).add(place.name)
    assert [names for names in owners.values() if len(names) > 1] == []
    assert len({slug(place.name) for place in box.places}) == len(box.places)


@pytest.mark.parametrize(
    ("box", "text", "name"),
    [
        (LANCASHIRE, "Warrington", "Warrington & Runcorn"),
        (LANCASHIRE, "warrington/runcorn", "Warrington & Runcorn"),
        (LANCASHIRE, "Warrington and Runcorn", "Warrington & Runcorn"),
        (LANCASHIRE, "RUNCORN", "Warrington & Runcorn"),
        (LANCASHIRE, "Barrow", "Barrow-in-Furness"),
        (LANCASHIRE, "barrow_in_furness", "Barrow-in-Furness"),
        (LANCASHIRE, "Midlands", "The Midlands"),
        (LANCASHIRE, "Ellesmere", "Ellesmere Port"),
        (BIRMINGHAM, "Stoke", "Stoke-on-Trent"),
        (BIRMINGHAM, "stoke on trent", "Stoke-on-Trent"),
        (BIRMINGHAM, "Búrton", "Burton-on-Trent"),
        (BIRMINGHAM, "Kidd", "Kidderminster"),
        (BIRMINGHAM, "northern farm", "North Farm"),
        (BIRMINGHAM, "the southern farm", "South Farm"),
    ],
)
def test_places_by_other_names(box: Edition, text: str, name: str) -> None:
    assert box.place_name(box.find_place(text)) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Stoke-on-Trent-Stone", "Stone-Stoke-on-Trent"),
        ("stone-stoke", "Stone-Stoke-on-Trent"),
        ("Burton-Walsall", "Walsall-Burton-on-Trent"),
        ("Kidderminster-South Farm", "Kidderminster-Worcester"),
        ("southern farm - worc", "Kidderminster-Worcester"),
        ("Cannock-Farm North", "Cannock-North Farm"),
    ],
)
def test_lines_by_other_names(text: str, name: str) -> None:
    assert BIRMINGHAM.line_name(BIRMINGHAM.find_line(text)) == name


@pytest.mark.parametrize(
    ("box", "text", "name"),
    [
        (BIRMINGHAM, "cotton", "cotton/manufacturer"),
        (BIRMINGHAM, "manufacturer", "cotton/manufacturer"),
        (BIRMINGHAM, "manufacturer/cotton", "cotton/manufacturer"),
        (BIRMINGHAM, "Cotton Mill & Goods", "cotton/manufacturer"),
        (BIRMINGHAM, "Wild Location", "wild location"),
        (BIRMINGHAM, "wild_industry", "wild industry"),
        (BIRMINGHAM, "coal", "coal"),
        (BIRMINGHAM, "coalb", "Coalbrookdale"),
        (LANCASHIRE, "cotton mill", "cotton"),
        (LANCASHIRE, "iron works", "iron"),
    ],
)
def test_cards_by_other_names(box: Edition, text: str, name: str) -> None:
    assert box.card_name(box.find_card(text)) == name


def test_cards_that_a_smaller_game_leaves_in_the_box_have_names() -> None:
    two = edition("birmingham", 2)
    assert two.deck[two.find_card("Belper")] == 0
    assert two.deck[two.find_card("cotton/manufacturer")] == 0


def test_spaces_by_number() -> None:
    preston = LANCASHIRE.find_place("Preston")
    assert LANCASHIRE.find_space("Preston") == (preston, None)
    assert LANCASHIRE.find_space("preston 2") == (preston, 2)
    assert LANCASHIRE.find_space("Preston space 3") == (preston, 3)
    assert LANCASHIRE.space_name(LANCASHIRE.space_at(preston, 2)) == "Preston 2"
    assert LANCASHIRE.spaces[LANCASHIRE.space_at(preston, 2)].symbols == ("cotton", "port")
    assert BIRMINGHAM.space_name(BIRMINGHAM.space_at(BIRMINGHAM.find_place("north farm"), 1)) == (
        "North Farm"
    )


def test_merchants_have_names() -> None:
    assert [BIRMINGHAM.merchant_name(n) for n in range(3)] == [
        "Shrewsbury",
        "Gloucester 1",
        "Gloucester 2",
    ]
    names = ["cotton", "manufacturer", "pottery", "all", "blank"]
    assert [BIRMINGHAM.goods_name(BIRMINGHAM.find_goods(name)) for name in names] == names


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: LANCASHIRE.find_place("Leeds"), "unknown place 'Leeds'.*Wigan"),
        (lambda: LANCASHIRE.find_place("Manchestre"), "did you mean Manchester"),
        (lambda: LANCASHIRE.find_place("Bur"), "'Bur'; choose one of: Burnley, Bury"),
        (lambda: LANCASHIRE.find_place(""), "choose one of:"),
        (lambda: LANCASHIRE.find_space("Preston 4"), "Preston 1"),
        (lambda: LANCASHIRE.find_space("Scotland"), "unknown town 'Scotland'"),
        (lambda: LANCASHIRE.find_line("Bury-Leeds"), "Bolton-Bury, Burnley-Bury"),
        (lambda: LANCASHIRE.find_line("Bury-Bury"), "Bolton-Bury, Burnley-Bury"),
        (lambda: LANCASHIRE.find_line("Bury"), "unknown line 'Bury'"),
        (lambda: BIRMINGHAM.find_line("Nuneaton"), "Birmingham-Nuneaton"),
        (lambda: BIRMINGHAM.find_line("Stoke-on-Trent"), "Warrington-Stoke-on-Trent"),
        (lambda: LANCASHIRE.find_industry("pottery"), "cotton, coal, iron, port, shipyard"),
        (lambda: LANCASHIRE.find_card("wild location"), "unknown card"),
        (lambda: LANCASHIRE.find_card("Scotland"), "unknown card"),
        (lambda: BIRMINGHAM.find_card("North Farm"), "unknown card"),
        (lambda: BIRMINGHAM.find_tile("coal 5"), "coal 1, coal 2, coal 3, coal 4"),
        (lambda: BIRMINGHAM.find_tile("coal"), "coal 1, coal 2, coal 3, coal 4"),
        (lambda: BIRMINGHAM.find_goods("coal"), "unknown merchant tile"),
        (lambda: COMMUNITY.find_place("Oldham"), "unknown place 'Oldham'"),
    ],
)
def test_unknown_names(ask: object, message: str) -> None:
    assert callable(ask)
    with pytest.raises(UnknownName, match=message):
        ask()


def test_errors_survive_pickling() -> None:
    error = UnknownName("place", "Leeds", ["Bury"])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.known) == (str(error), ["Bury"])
    problems = pickle.loads(pickle.dumps(InvalidPosition(["one", "two"])))
    assert (str(problems), problems.problems) == ("one; two", ["one", "two"])


# --- the packed record ---------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL, ids=repr)
def test_record_says_what_the_tables_say(box: Edition) -> None:
    board = box.board
    for number, space in enumerate(box.spaces):
        symbols = [INDUSTRY[symbol] for symbol in board.symbol[number] if symbol >= 0]
        assert tuple(symbols) == space.symbols
        assert board.space_bit[number] == 1 << int(board.space_place[number])
    for number, line in enumerate(box.lines):
        ends = {
            name
            for n, name in enumerate(p.name for p in box.places)
            if int(board.line_ends[number]) >> n & 1
        }
        assert ends == set(line.ends)
        assert board.line_era[number].tolist() == [line.canal, line.rail]
    for tile in box.tiles:
        assert board.industry_of[tile.kind] == NUMBER[tile.industry]
        assert board.cost[tile.kind] == tile.cost
        stack = board.stack[NUMBER[tile.industry]].tolist()
        assert stack.count(tile.kind) == tile.count
        assert stack[: int(board.stack_size[NUMBER[tile.industry]])] == sorted(
            kind for kind in stack if kind
        )
    assert board.deck_count.sum() == board.deck_size
    assert board.players == box.players


def _bits(box: Edition, mask: int) -> set[str]:
    return {place.name for number, place in enumerate(box.places) if int(mask) >> number & 1}


def test_market_places() -> None:
    assert _bits(LANCASHIRE, LANCASHIRE.board.market_places) == {
        "Scotland",
        "Yorkshire",
        "The Midlands",
    }
    two = edition("birmingham", 2)
    assert len(_bits(two, two.board.market_places)) == 5
    assert len(_bits(two, two.board.towns)) == 20


def test_virtual_links() -> None:
    def pairs(box: Edition) -> list[tuple[set[str], set[str]]]:
        record = box.board
        rows = zip(record.virtual_from, record.virtual_to, strict=True)
        return [(_bits(box, here), _bits(box, there)) for here, there in rows]

    there, back = ({"Liverpool"}, {"Birkenhead"}), ({"Birkenhead"}, {"Liverpool"})
    none: tuple[set[str], set[str]] = (set(), set())
    assert pairs(CLASSIC) == [there, none]
    assert pairs(edition("classic", virtual_both_ways=True)) == [there, back]
    assert pairs(LANCASHIRE) == [none, none]
    assert pairs(edition("lancashire", virtual_link=True)) == [there, back]


def test_twins_and_single_spaces() -> None:
    board = LANCASHIRE.board
    preston = LANCASHIRE.place_spaces[LANCASHIRE.find_place("Preston")]
    liverpool = LANCASHIRE.place_spaces[LANCASHIRE.find_place("Liverpool")]
    # A port uses Preston's port-only space before the one it shares with cotton (BLD-5).
    assert board.single_space[preston[1]].tolist() == [0, 1 << preston[0]]
    assert board.single_space[preston[0]].tolist() == [0, 0]
    assert [int(board.earlier_twin[space]) for space in liverpool] == [
        0,
        1 << liverpool[0],
        0,
        1 << liverpool[0] | 1 << liverpool[1],
    ]
    birmingham = BIRMINGHAM.place_spaces[BIRMINGHAM.find_place("Birmingham")]
    both = 1 << birmingham[1] | 1 << birmingham[3]
    assert BIRMINGHAM.board.single_space[birmingham[0]].tolist() == [0, both]


def test_when_tiles_may_be_built() -> None:
    def eras(box: Edition, name: str) -> list[int]:
        row: list[int] = box.board.buildable[box.find_tile(name)].tolist()
        return row

    assert [eras(CLASSIC, f"shipyard {level}") for level in (0, 1, 2)] == [[0, 0], [1, 0], [0, 1]]
    assert eras(CLASSIC, "cotton 1") == [1, 0]
    assert eras(CLASSIC, "cotton 2") == [1, 1]
    assert eras(BIRMINGHAM, "pottery 1") == [1, 1]
    assert eras(BIRMINGHAM, "pottery 5") == [0, 1]
    assert eras(BIRMINGHAM, "brewery 4") == [0, 1]
    assert BIRMINGHAM.board.contents[BIRMINGHAM.find_tile("brewery 2")].tolist() == [1, 2]
    locked = [tile.name for tile in BIRMINGHAM.tiles if not tile.developable]
    assert locked == ["pottery 1", "pottery 3"]


@pytest.mark.parametrize(
    ("box", "aside", "when", "rounds"),
    [
        (edition("classic", 3), [9, 6], [1, 1], 10),
        (edition("classic", 4), [6, 2], [1, 1], 8),
        (edition("lancashire", 3), [3, 0], [0, 0], 9),
        (edition("lancashire", 3, classic_deck=True), [9, 6], [0, 2], 10),
        (edition("lancashire", 4, classic_deck=True), [6, 2], [0, 2], 8),
        (COMMUNITY, [2, 0], [0, 0], 10),
        (edition("birmingham", 2), [2, 0], [1, 0], 10),
    ],
    ids=repr,
)
def test_cards_set_aside(box: Edition, aside: list[int], when: list[int], rounds: int) -> None:
    assert box.board.set_aside.tolist() == aside
    assert box.board.aside_from.tolist() == when
    assert box.board.rounds == rounds


def test_cards_show_industries() -> None:
    def shown(box: Edition, name: str) -> set[str]:
        bits = int(box.board.card_industries[box.find_card(name)])
        return {INDUSTRY[number] for number in range(layout.INDUSTRIES) if bits >> number & 1}

    assert shown(BIRMINGHAM, "cotton/manufacturer") == {"cotton", "manufacturer"}
    assert shown(BIRMINGHAM, "brewery") == {"brewery"}
    assert shown(BIRMINGHAM, "wild industry") == set(INDUSTRY[:6])
    assert shown(BIRMINGHAM, "Stone") == set()
    assert shown(LANCASHIRE, "cotton") == {"cotton"}


def test_bonuses() -> None:
    board = BIRMINGHAM.board
    kinds = {
        name: (int(board.bonus[number]), int(board.bonus_amount[number]))
        for number, name in enumerate(place.name for place in BIRMINGHAM.places)
        if board.bonus[number]
    }
    assert kinds == {
        "Shrewsbury": (layout.BONUS_POINTS_NOW, 4),
        "Gloucester": (layout.BONUS_DEVELOP, 1),
        "Oxford": (layout.BONUS_INCOME, 2),
        "Warrington": (layout.BONUS_MONEY, 5),
        "Nottingham": (layout.BONUS_POINTS_NOW, 3),
    }


def test_how_each_plays() -> None:
    def traits(box: Edition) -> set[str]:
        return {name for name in box.traits.__dataclass_fields__ if box.board[name]}

    family = {
        "links_need_presence",
        "two_cards_build",
        "loans_end_with_deck",
        "cash_scores",
    }
    first = {"income_first", "refill_together", "clockwise_start", "order_breaks_ties"}
    beer = {"beer_for_second_rail", "beer_to_sell", "scouting", "income_tie_by_space"}
    assert traits(LANCASHIRE) == family
    assert traits(CLASSIC) == family | first
    assert traits(BIRMINGHAM) == beer
    assert traits(edition("birmingham", intro=True)) == beer | {"canal_era_only"}
    literal = edition("classic", rail_coal="chosen_end", income_tie="space")
    assert traits(literal) == family | first | {"coal_at_chosen_end", "income_tie_by_space"}
    assert LANCASHIRE.board.loan_sizes.tolist() == [1, 1, 1]
    assert BIRMINGHAM.board.loan_sizes.tolist() == [0, 0, 1]


def test_numba_is_not_imported() -> None:
    code = (
        "import json, sys; from brassmill.editions import edition; edition('birmingham').board;"
        "print(json.dumps('numba' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) is False
