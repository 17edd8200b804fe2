"""The words of the notation in three languages: what is read, and what is written."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill import vocabulary
from brassmill.cli.main import main
from brassmill.cli.roundtrip import RICH, play_through_text
from brassmill.core.action import Action
from brassmill.core.choice import MEANING, choice_text
from brassmill.editions import Edition
from brassmill.editions.names import fold
from brassmill.errors import AmbiguousAction, BrassError, InvalidOption, UnknownName
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.notation import matching
from brassmill.notation.reader import MARKET, SAME, read
from brassmill.vocabulary import BUYERS, PARTS, VERBS, Word, say
from support import kinds

HEADS = (*VERBS, *PARTS, *BUYERS)
BIRMINGHAM, LANCASHIRE = kinds.PLAIN[-1], kinds.PLAIN[4]
BOXES = [BIRMINGHAM, LANCASHIRE, kinds.PLAIN[1]]


def spellings(words: Iterable[Word]) -> list[tuple[str, str]]:
    """Yield every way to write each word, with the word."""
    return [(spelling, word.en) for word in words for spelling in (word.en, *word.others)]


def middle_of_a_game(kind: Edition, seed: int, actions: int, begun: bool) -> Game:
    """Draw a random position with many options, perhaps in the middle of an action."""
    rng = random.Random(seed)
    game = Game(kind, seed=seed)
    while not game.over and (len(game.actions) < actions or game.engine.in_progress):
        play_one(game, rng)
    while begun and not game.over and not game.engine.in_progress:
        play_one(game, rng)
    return game


def play_one(game: Game, rng: random.Random) -> None:
    options = game.legal_choices().ids
    rich = [option for option in options if MEANING[option][0] in RICH]
    game.play(rng.choice(rich if rich and rng.random() < 0.5 else options))


POSITIONS = st.builds(
    middle_of_a_game,
    st.sampled_from(kinds.ALL),
    st.integers(0, 999),
    st.integers(0, 110),
    st.booleans(),
)
LANGUAGE = st.sampled_from(sorted(LANGUAGES))


# --- no word is ambiguous ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [HEADS, vocabulary.INDUSTRIES, vocabulary.WILD_CARDS, vocabulary.GOODS],
    ids=["parts", "industries", "wild cards", "goods"],
)
def test_no_spelling_means_two_words_in_one_place(words: tuple[Word, ...]) -> None:
    meaning: dict[str, str] = {}
    for spelling, word in spellings(words):
        word = SAME.get(word, word)
        assert meaning.setdefault(fold(spelling), word) == word, spelling


@pytest.mark.parametrize("box", BOXES, ids=repr)
def test_no_word_is_a_place_name(box: Edition) -> None:
    places = {fold(name) for place in box.places for name in (place.name, *place.other_names)}
    beside_places = (vocabulary.MARKET, *BUYERS, *vocabulary.INDUSTRIES, *vocabulary.WILD_CARDS)
    for spelling, _ in spellings(beside_places):
        assert fold(spelling) not in places, spelling


def test_a_word_used_twice_is_translated_the_same_way() -> None:
    groups = (HEADS, [vocabulary.MARKET], vocabulary.INDUSTRIES, vocabulary.GOODS)
    for word in (word for group in groups for word in group):
        assert [say(word.en, code) for code in LANGUAGES] == [word.en, word.de, word.fr]


# --- every spelling is read ----------------------------------------------------------------------


@pytest.mark.parametrize(("spelling", "verb"), spellings(VERBS))
def test_every_spelling_of_a_verb_is_read(spelling: str, verb: str) -> None:
    for text in (spelling, spelling.upper(), f" {spelling.casefold()} ", fold(spelling)):
        assert read(BIRMINGHAM, "YRGP", text).verb == verb
    assert read(BIRMINGHAM, "YRGP", f"card coal; {spelling}").verb == verb


@pytest.mark.parametrize(("spelling", "part"), spellings((*PARTS, *BUYERS)))
def test_every_spelling_of_a_part_is_read(spelling: str, part: str) -> None:
    rests = {"card": "iron", "cards": "iron, coal", "two cards": "iron, coal", "remove": "port"}
    rest = "" if part in ("done", "distant") else rests.get(part, "Bolton")
    said = read(LANCASHIRE, "YRGP", f"{spelling} {rest}")
    meant = read(LANCASHIRE, "YRGP", f"{part} {rest}")
    said.text = meant.text
    assert said == meant
    if part in ("port", "distant"):
        (sold,) = read(LANCASHIRE, "YRGP", f"sell cotton Bury > {spelling} {rest}").targets
        assert sold.buyer == meant.buyer


@pytest.mark.parametrize(("spelling", "_market"), spellings([vocabulary.MARKET]))
def test_every_spelling_of_the_market_is_read(spelling: str, _market: str) -> None:
    assert read(BIRMINGHAM, "YRGP", f"link; coal {spelling}; iron {spelling}").coal == [MARKET]


@pytest.mark.parametrize("box", BOXES, ids=repr)
def test_every_spelling_of_an_industry_and_a_card_is_read(box: Edition) -> None:
    for spelling, industry in spellings(vocabulary.INDUSTRIES):
        names = [box.industry_name(number) for number in box.industries]
        if industry not in names:
            continue
        assert box.industry_name(box.find_industry(spelling)) == industry
        (target,) = read(box, "YRGP", f"build {spelling} {box.places[0].name}").targets
        assert target.industry is not None
        assert box.industry_name(target.industry) == industry
        assert industry in box.card_name(box.find_card(spelling)).split("/")
    for spelling, wild in spellings(vocabulary.WILD_CARDS if box.wild_cards else ()):
        assert box.card_name(box.find_card(spelling)) == wild


@pytest.mark.parametrize(
    "text",
    [
        "baue Kohlebergwerk Dudley; Karte Dudley",
        "Bau Zeche Dudley, Karte Dudley".replace(",", ";"),
        "BAUEN kohle dudley; karte DUDLEY",
        "construire mine de charbon Dudley; carte Dudley",
        "carte dudley; construis charbon dudley",
        "b coal Dud; ca Dud",
        "bu col Dudley; card Dudl",
        "bau Ko Dud; Ka Dud",
        "cons charb Dud; cart Dud",
        "baue mine de charbon Dudley; card Dudley",  # each word in another language
    ],
)
def test_one_build_in_many_spellings(text: str) -> None:
    position = {"edition": "birmingham", "round": 2, "Y": {"hand": ["Dudley", "Leek"]}}
    game = Game.from_position(position)
    game.choose(text)
    assert str(game.actions[0]) == "build coal Dudley; card Dudley"


RAILS: dict[str, Any] = {
    "edition": "lancashire",
    "era": "rail",
    "round": 2,
    "tiles": [
        *("Y coal 2 Wigan 1 (2)", "Y cotton 2 Bolton", "R port 2 Preston", "R iron 2 Bolton (1)"),
        *("G iron 2 Blackburn (1)", "G iron 3 Manchester (3)"),
    ],
    "links": ["Y Wigan-Bolton", "G Wigan-Preston"],
    "Y": {"cash": "80", "income": "30", "hand": ["coal", "Oldham"]},
}


@pytest.mark.parametrize(
    ("texts", "canonical"),
    [
        (
            [
                "verkaufe Baumwollspinnerei Bolton > Hafen Preston; Karte Kohle",
                "vendre filature de coton Bolton > port Preston; carte charbon",
                "sell cotton > Preston; card coal",
                "se cot Bol > po Pre; ca coal",
            ],
            "sell cotton Bolton > port Preston; card coal",
        ),
        (
            [
                "Verkauf Baumwolle Bolton > ferner Markt; Karte Oldham",
                "verkaufe Spinnerei Bolton > Übersee; Karte Oldham",
                "verkaufe Spinnerei Bolton > Uebersee; Karte Oldham",
                "vends coton Bolton > marché extérieur du coton; carte Oldham",
                "sell cotton > dist; card Oldham",
            ],
            "sell cotton Bolton > distant; card Oldham",
        ),
        (
            [
                "Kredit 30 Pfund; Karte Kohle",
                "Darlehen £30; Karte Kohle",
                "emprunt 30 livres; carte charbon",
                "prêt 30; carte charbon",
                "lo 30 £; card coal",
                "loan 30pounds; card coal",
            ],
            "loan 30; card coal",
        ),
        (
            [
                "entwickle Baumwolle, Werft; Eisen Blackburn, Bolton; Karte Oldham",
                "développer coton, chantier naval; fer Blackburn, Bolton; carte Oldham",
                "dev cotton, ship; ir Blackb, Bolt; card Old",
                "d cotton, shipyard; i Blackburn, Bolton; card Oldham",
            ],
            "develop cotton, shipyard; iron Blackburn, Bolton; card Oldham",
        ),
        (
            [
                "verbinde Bolton-Manchester; Karte Oldham",
                "Strecke Bolton nach Manchester; Karte Oldham",
                "relier Bolton à Manchester; carte Oldham; terminé",
                "li Bolton-Manch; card Oldham; fertig",
                "link Bolton-Manchester; Kohle Wigan; Karte Oldham",
            ],
            "link Bolton-Manchester; card Oldham",
        ),
        (["passe; Karte Oldham", "passer; carte Oldham", "p; card Oldham"], "pass; card Oldham"),
    ],
)
def test_actions_in_many_spellings(texts: list[str], canonical: str) -> None:
    for text in (*texts, canonical):
        game = Game.from_position(RAILS)
        game.choose(text)
        assert str(game.actions[0]) == canonical


def test_what_was_no_choice_may_be_written() -> None:
    tiles = ["Y coal 2 Wigan 1 (1)", "Y cotton 2 Bolton", "R port 2 Preston"]
    game = Game.from_position(RAILS | {"tiles": tiles, "links": ["G Wigan-Preston"]})
    game.choose("link Bolton-Wigan, Bolton-Bury; coal Wigan, market; card Oldham")
    assert str(game.actions[0]) == "link Bolton-Wigan, Bolton-Bury; card Oldham"


def test_a_debt_can_be_paid_in_many_spellings() -> None:
    debt = RAILS | {"action": {"question": "give up", "seat": "Y", "owed": "3"}}
    debt["Y"] = {"cash": "0", "income": "0", "hand": ["coal"]}
    for text in (
        "give up cotton Bolton",
        "gib Baumwolle Bolton auf",
        "gib auf Baumwolle Bolton",
        "aufgeben Bolton",
        "céder coton Bolton",
        "abandonner filature de coton Bolton",
    ):
        assert [target.spot.place for target in read(LANCASHIRE, "YRGP", text).targets] == [
            LANCASHIRE.find_place("Bolton")
        ]
        game = Game.from_position(debt)
        game.choose(text)
        assert str(game.actions[0]) == "give up cotton Bolton"
        assert game.actions[0].text_in("de") == "gib auf Baumwolle Bolton"


def test_a_merchant_can_be_named_in_three_languages() -> None:
    for text in ("beer merchant Oxford 2", "Bier Händler Oxford 2", "bière marchand Oxford 2"):
        (barrel,) = read(BIRMINGHAM, "YRGP", text).beer
        assert barrel == read(BIRMINGHAM, "YRGP", "merchant Oxford 2").beer[0]


def test_a_seat_may_have_a_word_as_its_name() -> None:
    seats = ("Marchand", "Händler", "Markt", "Hafen")
    for owner, name in enumerate(seats):
        parsed = read(BIRMINGHAM, seats, f"beer {name} Stone; coal {name} Leek 1; iron Markt")
        assert [getattr(source, "owner", None) for source in parsed.beer] == [owner]
        assert (parsed.coal[0].owner, parsed.iron) == (owner, [MARKET])
    (barrel,) = read(BIRMINGHAM, seats, "bière Marchand Oxford").beer
    assert getattr(barrel, "kind", None) == "merchant"


# --- abbreviations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word", "known"),
    [
        ("l Dudley-Birmingham", "l", ["link", "loan"]),
        ("s coal", "s", ["sell", "scout"]),
        ("ver Dudley", "ver", ["link", "sell"]),
        ("pass; c Dudley", "c", ["coal", "card"]),
    ],
)
def test_an_ambiguous_abbreviation_is_refused(text: str, word: str, known: list[str]) -> None:
    with pytest.raises(UnknownName) as error:
        read(BIRMINGHAM, "YRGP", text)
    assert (error.value.kind, error.value.name) == ("action", word)
    assert error.value.known == known


def test_every_prefix_of_a_word_is_that_word_or_refused() -> None:
    for word in VERBS:
        for length in range(1, len(word.en) + 1):
            with suppress(UnknownName):
                assert read(BIRMINGHAM, "YRGP", word.en[:length]).verb == word.en


def test_words_are_offered_in_the_users_language() -> None:
    with speaking("de"), pytest.raises(UnknownName) as error:
        read(BIRMINGHAM, "YRGP", "singe")
    assert error.value.known[:2] == ["baue", "verbinde"]


# --- writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_whole_games_survive_three_languages(kind: Edition) -> None:
    actions, failure = play_through_text(kind, 2)
    assert failure is None
    assert actions > 60


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.ALL))
def test_any_game_survives_three_languages(seed: int, kind: Edition) -> None:
    assert play_through_text(kind, seed)[1] is None


@settings(max_examples=10)
@given(POSITIONS, st.data())
def test_every_legal_action_has_a_unique_text(game: Game, data: st.DataObject) -> None:
    actions = list(game.legal_actions())
    for code in LANGUAGES:
        assert len({action.text_in(code) for action in actions}) == len(actions)
    if not actions:
        return
    action = data.draw(st.sampled_from(actions))
    played, read_back = game.copy(), game.copy()
    played.choose(action)
    read_back.choose(action.text_in(data.draw(LANGUAGE)))
    assert read_back.engine.snapshot() == played.engine.snapshot()
    assert str(read_back.actions[-1]) == str(played.actions[-1])


@settings(max_examples=40)
@given(POSITIONS.filter(lambda game: not game.over), st.data())
def test_the_alternatives_of_an_ambiguous_text_are_valid_texts(
    game: Game, data: st.DataObject
) -> None:
    first = data.draw(st.sampled_from(game.legal_choices().ids))
    text = choice_text(game.edition, first).rstrip(" 123456789")
    before = game.engine.blind().snapshot()
    try:
        matching.resolve(game.engine, text)
    except AmbiguousAction as several:
        ways = [way for way in several.ways if way != "..."]
        assert len(set(ways)) == len(ways) > 1
        for way in ways:
            choices = matching.resolve(game.engine, way)
            assert Action(game.edition, game.seats, before, choices).text == way


@settings(max_examples=15)
@given(POSITIONS)
def test_every_choice_can_be_typed_as_shown(game: Game) -> None:
    for choice in game.legal_choices():
        for code in LANGUAGES:
            text = choice.text_in(code)
            assert matching.begin(game.engine, text)[0][0] == choice.id, text
        assert choice.text_in("en") == str(choice) == choice_text(game.edition, choice.id)


def test_an_action_can_be_written_in_another_language() -> None:
    game = Game.from_position(RAILS)
    game.choose("sell cotton Bolton > distant; card coal")
    action = game.actions[0]
    assert action.text_in("de") == "verkaufe Baumwolle Bolton > Ferner Markt; Karte Kohle"
    assert action.text_in("fr") == "vendre coton Bolton > marché extérieur; carte charbon"
    assert action.text_in("en") == str(action)
    for text_in in (action.text_in, action.choices[0].text_in):
        with pytest.raises(InvalidOption, match="unknown language 'la'"):
            text_in("la")


def test_what_was_no_choice_is_not_written() -> None:
    no_port = RAILS | {"tiles": ["Y cotton 2 Bolton", "R port 2 Preston flipped"]}
    game = Game.from_position(no_port)
    game.choose("sell cotton Bolton > distant; card coal")
    assert str(game.actions[0]) == "sell cotton Bolton; card coal"
    game = Game.from_position(RAILS | {"demand": "X"})
    game.choose("sell cotton Bolton; card coal")
    assert str(game.actions[0]) == "sell cotton Bolton; card coal"


# --- damaged text --------------------------------------------------------------------------------


@st.composite
def damaged_texts(draw: st.DrawFn) -> tuple[Game, str]:
    """Draw a legal action with some letters lost, doubled, changed or swapped."""
    game = draw(POSITIONS.filter(lambda game: not game.over))
    first = draw(st.sampled_from(game.legal_choices().ids))
    ids = game.engine.blind().choose(first)
    action = Action(game.edition, game.seats, game.engine.snapshot(), ids)
    letters = list(action.text_in(draw(LANGUAGE)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(letters) - 1)) if letters else 0
        match draw(st.sampled_from(["lose", "double", "change", "cut", "swap"])):
            case "lose":
                del letters[at : at + 1]
            case "double":
                letters[at:at] = letters[at : at + draw(st.integers(1, 8))]
            case "change":
                letters[at : at + 1] = draw(st.sampled_from(";,>. -…£2ßé"))
            case "cut":
                del letters[at:]
            case "swap":
                letters = [*letters[at:], *letters[:at]]
    return game, "".join(letters)


@settings(max_examples=60)
@given(damaged_texts())
def test_damaged_text_is_refused_or_played_and_never_crashes(case: tuple[Game, str]) -> None:
    game, text = case
    before = game.engine.snapshot()
    for ask in (game.why_not, game.bill):
        with suppress(BrassError):
            ask(text)
        assert game.engine.snapshot() == before
    try:
        game.choose(text)
    except BrassError:
        assert game.engine.snapshot() == before


# --- the command ---------------------------------------------------------------------------------


def fuzz(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ("fuzz", "--text", *words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.slow  # whole games in three languages
def test_fuzz_plays_games_through_text() -> None:
    code, output = fuzz("--edition", "lancashire", "--option", "intro=yes", "--games", "2")
    assert code == 0
    assert "6 games" in output
    assert "0 broken texts" in output


def test_a_broken_text_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Action, "text_in", lambda action, language: "pass")
    code, output = fuzz("--edition", "classic", "--players", "3", "--games", "1", "--seed", "4")
    assert code == 1
    assert "seed 4, action 1: 'pass': " in output
    assert "1 broken texts" in output
