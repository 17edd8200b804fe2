"""Positions as short text: exact both ways, easy to write by hand, with clear errors."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brassmill import position
from brassmill.editions import Edition
from brassmill.editions import edition as find_edition
from brassmill.errors import BrassError, InvalidPosition
from brassmill.game import Game
from brassmill.notation.reader import name_problems
from brassmill.position.codes import code_of, codes, long_names
from brassmill.position.words import POSITION_KEYS
from brassmill.rules.layout import DEBT, TURN_OVER
from support.kinds import ALL, EACH, TIED_MINES, play_at_random
from support.paths import ROOT

NOTATION = ROOT / "docs/formats/notation.md"
MANY = "9" * 5000  # more digits than Python agrees to read
PUZZLE = """
lancashire 3
round: canal 3, R to move, 1 action left
Y: £12
R: £5; income 14; hand Bury coal*2; mat cotton 2
tiles: Y coal 1 Bury (1); R cotton 1 Bolton, port 1 Preston 2 flipped
links: R Bury-Manchester, Bolton-Manchester; Y Bolton-Bury
iron market: 3
"""


def game_at(edition: Edition, seed: int, choices: int, names: tuple[str, ...]) -> Game:
    """Return a random game after that many choices, possibly in the middle of an action."""
    game = Game(edition, seed=seed, seats=names)
    chance = Random(seed)
    for _ in range(choices):
        if game.over:
            break
        if game.engine.phase == TURN_OVER:
            game.end_turn()
        else:
            game.choose(chance.choice(game.legal_choices().ids))
    return game


def assert_comes_back(game: Game) -> None:
    """Check that both forms of the text give the same bytes and the same text again."""
    for one_line in (False, True):
        text = game.position_text(one_line)
        assert ("\n" in text) is not one_line
        again = Game.from_position(text)
        assert again.state.tobytes() == game.state.tobytes()
        assert (again.edition, again.seats) == (game.edition, game.seats)
        assert again.position_text(one_line) == text


# --- round trips ---------------------------------------------------------------------------------


@pytest.mark.slow
@given(edition=st.sampled_from(ALL), seed=st.integers(0, 2**32), choices=st.integers(0, 400))
def test_every_position_survives_text(edition: Edition, seed: int, choices: int) -> None:
    assert_comes_back(game_at(edition, seed, choices, position.SEAT_NAMES))


@pytest.mark.parametrize("edition", EACH, ids=str)
def test_a_whole_game_survives_text(edition: Edition) -> None:
    """Try it now and then during the game, and at the end."""
    game, chance = Game(edition, seed=5), Random(5)
    while not game.over:
        play_at_random(game, chance, 1 + chance.randrange(120))
        assert_comes_back(game)


def test_a_debt_survives_text() -> None:
    """A seat must remove tiles to pay its debt, and not all seats have received their income."""
    text = "lancashire 4 | round: canal 3, P to move | Y: £30 | R: £1; income 4 | P: hand Bury"
    game = Game.from_position(f"{text} | tiles: R cotton 1 Bury, port 1 Preston 1")
    while game.engine.phase != DEBT:
        game.play("pass")
    assert "action: give up; seat R; owed 5" in game.position_text()
    assert_comes_back(game)


signs = st.characters(exclude_categories=("C", "Z"), exclude_characters=",;>()") | st.just(" ")
names = st.text(signs, min_size=1, max_size=12).map(lambda name: " ".join(name.split()))


@given(
    names=st.tuples(names, names, names, names),
    edition=st.sampled_from(ALL),
    choices=st.integers(0, 200),
)
def test_any_name_survives_text(names: tuple[str, ...], edition: Edition, choices: int) -> None:
    if not name_problems(names, POSITION_KEYS):
        assert_comes_back(game_at(edition, 1, choices, names))


@pytest.mark.parametrize(
    "names",
    [
        ("Charlotte Brontë", "A | B", "tiles: Y", "::"),
        ("coal", "cot", "canal", "2 actions"),
        ("R", "Y", "P", "G"),
        ("|", "||", "a:", ":a"),
        ("none", "?", "£5", "vp 3 = canal"),
        ("the", "view", "1 to move", "hand"),
    ],
)
@pytest.mark.parametrize("choices", [0, 90, 180, 1000])
def test_odd_names_survive_text(names: tuple[str, ...], choices: int) -> None:
    """These names look like something else in the text."""
    for edition in ("lancashire", "birmingham"):
        assert_comes_back(game_at(find_edition(edition, 4), 8, choices, names))


def test_text_and_mapping_are_equivalent() -> None:
    """A text is another form of the mapping."""
    read = position.read(TIED_MINES)
    text = position.to_text(read.edition, read.state, read.seats)
    assert position.read(position.from_text(text)).state.tobytes() == read.state.tobytes()


# --- codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EACH, ids=str)
def test_codes_are_understood(edition: Edition) -> None:
    """Every code is read as what it stands for, and adjacent codes stay apart."""
    for place, row in enumerate(edition.places):
        assert edition.find_place(code_of(edition, row.name)) == place
    for number, line in enumerate(edition.lines):
        ends = "-".join(code_of(edition, end) for end in line.ends[:2])
        assert edition.find_line(ends) == number
    for industry in edition.industries:
        assert edition.find_industry(code_of(edition, edition.industry_name(industry))) == industry
    cards = [code_of(edition, edition.card_name(card)) for card in edition.cards]
    assert [edition.find_card(code) for code in cards] == list(edition.cards)
    for pair in product(cards, cards):
        assert "_".join(pair).casefold() not in long_names(edition)
    assert all(len(code) >= 3 and " " not in code for code in codes(edition).values())


# --- written by hand -----------------------------------------------------------------------------


def test_a_short_text_is_enough() -> None:
    """Only what matters is written; the rest has the defaults of the mapping."""
    game = Game.from_position(PUZZLE)
    same = Game.from_position(
        {
            "edition": "lancashire",
            "players": 3,
            "round": 3,
            "to move": "R",
            "actions left": 1,
            "Y": {"cash": 12},
            "R": {
                "cash": 5,
                "income": 14,
                "hand": ["Bury", "coal", "coal"],
                "mat": {"cotton": 2},
            },
            "tiles": ["Y coal 1 Bury (1)", "R cotton 1 Bolton", "R port 1 Preston 2 flipped"],
            "links": ["R Bury-Manchester", "R Bolton-Manchester", "Y Bolton-Bury"],
            "iron market": 3,
        }
    )
    assert game.state.tobytes() == same.state.tobytes()
    one_line = " | ".join(PUZZLE.strip().splitlines())
    assert Game.from_position(one_line).state.tobytes() == same.state.tobytes()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("birmingham 4", "Brass Birmingham"),
        ("lancashire 3, virtual_link", "LANCASHIRE 3, virtual link = yes"),
        ("classic 3, rail_coal=chosen_end", "2007 3, rail coal = chosen end"),
        ("lancashire 4 | Y: hand Ell, port", "lancashire 4 | y: Hand Ellesmere Port harbour"),
        ("lancashire 4 | Y: hand War*2", "lancashire 4 | Y: hand Warrington & Runcorn * 2"),
        ("lancashire 4 | deck: War Ell", "lancashire 4 | DECK: Warrington & Runcorn ell"),
        ("birmingham 3 | Y: hand wild-l cot", "birmingham 3 | Y: hand wild location goods"),
        (
            "birmingham 2 | merchants: Oxf all!, blank",
            "birmingham 2|merchants:oxford All without barrel, none",
        ),
        ("lancashire 4 | Y: £5; vp 12", "lancashire 4 | Y: cash 5 ; vp 12 = canal links 12"),
        ("lancashire 4 | round: rail 2 | demand: X", "lancashire 4\n\nround: 2, rail\ndemand: x\n"),
        ("lancashire 2 | tiles: Y coal 1 Bury", "lancashire 2 | tiles: y Coal Mine 1 bury (2)"),
        (
            "lancashire 2 | tiles: Y coal 1 Bury, R coal 1 Wigan 1",
            "lancashire 2 | tiles: Y coal 1 Bury; R coal 1 Wigan 1",
        ),
        ("lancashire 4 | distant: 1 0 0 3", "lancashire 4 | distant: -1, 0*2, -3"),
    ],
)
def test_spelling_is_flexible(one: str, other: str) -> None:
    first, second = (position.read(position.from_text(text)) for text in (one, other))
    assert first.state.tobytes() == second.state.tobytes()
    assert first.edition is second.edition


def test_the_examples_in_the_specification() -> None:
    """Both texts in `docs/formats/notation.md` are positions, and the full one is canonical."""
    section = NOTATION.read_text().partition("## Positions")[2].partition("\n## ")[0]
    puzzle, full = re.findall(r"^```\n(.*?)\n```$", section, re.DOTALL | re.MULTILINE)
    assert Game.from_position(puzzle).round == 3
    assert Game.from_position(full).position_text() == full


# --- views ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EACH, ids=str)
@pytest.mark.parametrize("choices", [0, 60, 150])
def test_a_view_as_text(edition: Edition, choices: int) -> None:
    """Hidden cards are counted, own cards named; the text cannot be read as a game."""
    game = game_at(edition, 3, choices, position.SEAT_NAMES)
    for seat in (None, *range(edition.players)):
        view = game.view(seat)
        text = position.view_text(view)
        hands = [line for line in text.splitlines() if "; hand " in line or ": hand " in line]
        assert len(hands) == edition.players
        for other, line in enumerate(hands):
            cards = view.seats[other].cards - len(view.seats[other].wild)
            hidden = f"hand ?*{cards}" if cards > 1 else "hand ?"
            assert (hidden in line) == (other != seat and cards > 0)
        keys = {line.partition(":")[0] for line in text.splitlines()}
        assert not keys & {"drawn", "aside", "rail deck", "rail distant"}
        if "?" in text:
            with pytest.raises(InvalidPosition, match="hidden cards"):
                Game.from_position(text)
        else:
            rivals = [row for other, row in enumerate(view.seats) if other != seat]
            assert all(row.cards == len(row.wild) for row in rivals)


def test_a_view_as_text_names_the_wild_cards_of_all_seats() -> None:
    game = Game.from_position("birmingham 2 | R: hand coal*2 iron wild-l wild-i")
    assert "R: hand ?*3 wild-l wild-i" in position.view_text(game.view(0)).splitlines()


def test_a_view_as_text_reveals_nothing_hidden() -> None:
    """The text is the same whatever the hidden cards are."""
    texts = set()
    for seed in (1, 2, 3):
        own = "Y: hand Bury coal*2 iron port*2 Liv Man"
        game = Game.from_position(f"lancashire 4 | seed: {seed} | {own}")
        texts.add(position.view_text(game.view(0)))
    assert len(texts) == 1


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with its edition"),
        ("round: canal 1", "begins with its edition"),
        ("liverpool 4", "unknown edition 'liverpool'"),
        ("lancashire 5", "not 5"),
        ("lancashire 4, sea_view", "sea_view"),
        ("lancashire 4, players=2", "players cannot be set as an option"),
        ("lancashire, players=2", "2, 3 or 4 players, not '2'"),
        ("lancashire 4, name=x", "lancashire has no option 'name'"),
        ("lancashire 4 | nonsense", "'nonsense' is not a part"),
        ("lancashire 4 | mats: cotton 2", "unknown part 'mats'"),
        ("lancashire 2 | P: £3", "unknown part 'P'"),
        ("lancashire 4 | deck: 3 | deck: 4", "deck appears twice"),
        ("lancashire 4 | Y: £3; cash 4", "Y: cash appears twice"),
        ("lancashire 4 | Y: rich", "Y: 'rich' is not understood"),
        ("lancashire 4 | Y: £many", "Y.cash is 'many'"),
        ("lancashire 4 | Y: mat cotton", "Y.mat: 'cotton' has no level"),
        ("lancashire 4 | Y: vp 7 = links", "Y.vp: 'links' is not understood"),
        ("lancashire 4 | Y: vp 7 = canal bribes 7", "Y.vp: unknown industry 'bribes'"),
        ("lancashire 4 | Y: vp 7 = canal links 6", "add up to 6"),
        ("lancashire 4 | Y: hand Atlantis", "unknown card 'Atlantis'"),
        ("lancashire 4 | Y: hand Bury ?", "Y.hand: hidden cards"),
        ("lancashire 4 | distant: ?*12", "distant: hidden cards or tiles"),
        ("lancashire 4 | round: rail five", "era is 'rail five'"),
        ("lancashire 4 | round: canal 3, early", "appears twice"),
        ("lancashire 4 | order: Y, R", "order must name each"),
        ("lancashire 4 | tiles: coal 1 Bury", "unknown seat 'coal'"),
        ("lancashire 4 | tiles: Y coal 9 Bury", "unknown tile 'coal 9'"),
        ("lancashire 4 | links: Y Bury-Colne", "unknown line 'Bury-Colne'"),
        ("lancashire 4 | action: coal; hurry 2", "action: 'hurry 2' is not understood"),
        ("lancashire 4 | action:", "action.question is ''"),
        ("lancashire 4 | merchants: Oxford all", "lancashire has none"),
        ("lancashire 4 | distant: 9*9", "distant: 9 x 9 steps are named, the box has 0"),
        (f"lancashire 4 | tiles: Y coal 1 Bury {MANY}", "tiles: Y coal 1 Bury 999"),
        (f"lancashire 4 | tiles: Y coal 1 Bury ({MANY})", "tiles: Y coal 1 Bury (999"),
        (f"lancashire 4 | tiles: Y coal {MANY} Bury", "tiles: Y coal 999"),
        (f"lancashire 4 | Y: £{MANY}", "Y.cash is '999"),
        (f"lancashire 4 | demand: {MANY}", "demand is '999"),
        ("lancashire 4 | demand: ²", "demand is '²'"),
        ("lancashire 4 | seats: Ada, Bo", "seats: 2 names for 4 players"),
        ("lancashire 4 | Y: hand " + "coal*99 " * 3, "Y.hand: more than 200 are named"),
        ("lancashire 4 | " + "Y" * 20_000, "at most 20000 characters, not 20015"),
        # A run of blanks can be divided in very many ways.
        (f"lancashire 4 | Y: vp 7 = canal a{' ' * 200}b", "'canal a b' is not understood"),
        (f"lancashire 4 | round: a{' ' * 200}b", "era is 'a b'"),
    ],
)
def test_errors_are_named(text: str, words: str) -> None:
    with pytest.raises(InvalidPosition) as error:
        Game.from_position(text)
    assert words in str(error.value)


@given(
    edition=st.sampled_from(ALL),
    choices=st.integers(0, 200),
    one_line=st.booleans(),
    damage=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 3), st.text(max_size=3)), min_size=1, max_size=4
    ),
)
def test_damaged_text_is_refused_or_read(
    edition: Edition, choices: int, one_line: bool, damage: list[tuple[float, int, str]]
) -> None:
    """A damaged text is either a position or raises one of our errors."""
    text = game_at(edition, 2, choices, position.SEAT_NAMES).position_text(one_line)
    for where, size, instead in damage:
        at = int(where * len(text))
        text = text[:at] + instead + text[at + size :]
    with suppress(BrassError):
        Game.from_position(text)


@example(",")
@given(st.text() | st.text(alphabet="birmingham 4|:;,=*?!£Yhandmtroduc1209-()\n"))
def test_any_text_is_refused_or_read(text: str) -> None:
    for start in ("", "birmingham 4 | ", "lancashire 2\nY: "):
        with suppress(BrassError):
            position.read(position.from_text(start + text))


def test_only_strings_are_read() -> None:
    with pytest.raises(InvalidPosition, match="is not text"):
        position.from_text(5)  # type: ignore[arg-type]
