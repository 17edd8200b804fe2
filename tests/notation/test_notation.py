"""Actions as text: what is understood, what is ambiguous, and which reason a refusal gives."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassmill.core.choice import MEANING
from brassmill.editions import Edition
from brassmill.errors import AmbiguousAction, BrassError, IllegalAction, UnknownName
from brassmill.game import Game
from brassmill.language import speaking
from brassmill.notation.matching import CHECKED
from brassmill.notation.reader import MARKET, read
from brassmill.rules.reasons import Reason
from support import kinds

# Kinds of choice that make actions worth reading.
RICH = ("BUILD", "LINK", "SELL", "BEER_FROM", "BARREL_OF", "SELL_FAR", "LOAN")

BIRMINGHAM = {
    "edition": "birmingham",
    "era": "rail",
    "round": 3,
    "tiles": [
        "Y manufacturer 5 Birmingham",
        "Y cotton 2 Birmingham",
        "Y brewery 2 Burton-on-Trent (1)",
        "R brewery 2 Stone (2)",
        "R coal 2 Dudley (3)",
        "G coal 3 Wolverhampton (2)",
    ],
    "links": ["Y Birmingham-Oxford", "R Birmingham-Coventry"],
    "merchants": {"Oxford": ["all", "manufacturer"], "Gloucester": ["cotton", "blank"]},
    "Y": {"cash": "60", "hand": ["coal", "iron", "wild location"]},
}

LANCASHIRE: dict[str, Any] = {
    "edition": "lancashire",
    "era": "rail",
    "round": 2,
    "tiles": [
        "Y coal 2 Wigan 1 (2)",
        "R coal 2 Wigan 2 (1)",
        "Y cotton 2 Bolton",
        "R port 2 Preston",
        "G port 2 Warrington & Runcorn flipped",
        "R iron 2 Bolton (1)",
        "G iron 2 Blackburn (1)",
    ],
    "links": ["Y Wigan-Bolton", "G Wigan-Preston"],
    "Y": {"cash": "80", "hand": ["coal", "coal"]},
}
TWO_CARDS = {"hand": ["coal", "Bolton"]}


def random_action(game: Game, rng: random.Random) -> Game:
    """Return a copy of the game with one more action of random choices."""
    copy = game.copy()
    while len(copy.actions) == len(game.actions):
        options = copy.legal_choices().ids
        rich = [option for option in options if MEANING[option][0] in RICH]
        copy.play(rng.choice(rich if rich and rng.random() < 0.5 else options))
    return copy


def check_whole_game(kind: Edition, seed: int) -> None:
    """Check that every action does the same when written and read again."""
    rng = random.Random(seed)
    game = Game(kind, seed=seed)
    while not game.over:
        copy = random_action(game, rng)
        text = str(copy.actions[-1])
        assert game.why_not(text) is None, text
        game.play(text)
        assert game.engine.snapshot() == copy.engine.snapshot(), text
        assert str(game.actions[-1]) == text


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_whole_games_survive_text(kind: Edition) -> None:
    check_whole_game(kind, 1)


@pytest.mark.slow
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.ALL))
def test_any_game_survives_text(seed: int, kind: Edition) -> None:
    check_whole_game(kind, seed)


@pytest.mark.parametrize("position", [BIRMINGHAM, LANCASHIRE], ids=["birmingham", "lancashire"])
def test_every_legal_action_survives_text(position: dict[str, Any]) -> None:
    game = Game.from_position(position)
    actions = list(game.legal_actions())
    texts = [str(action) for action in actions]
    assert len(set(texts)) == len(texts) > 100
    for action, text in zip(actions, texts, strict=True):
        by_choices, by_text = game.copy(), game.copy()
        by_choices.choose(action)
        by_text.choose(text)
        assert by_choices.engine.snapshot() == by_text.engine.snapshot(), text


def check_refused(game: Game, text: str, reason: Reason) -> None:
    """Check that a text is refused with the same reason everywhere and changes nothing."""
    before = game.engine.snapshot()
    found = game.why_not(text)
    assert found is not None
    assert found.reason == reason, found.words
    assert found.words
    for ask in (game.play, game.choose, game.bill):
        with pytest.raises(IllegalAction) as error:
            ask(text)
        assert error.value.reason == reason
        assert found.words in str(error.value)
    assert game.engine.snapshot() == before


# --- reading -------------------------------------------------------------------------------------


def test_spelling_is_forgiving() -> None:
    game = Game.from_position(BIRMINGHAM)
    plain = game.copy()
    plain.choose("link Dudley-Birmingham; card coal; coal Dudley")
    for text in (
        "LINK birmingham - dudley;CARD coal; COAL Dudley",
        "link Birmingham to Dudley; coal dudley ; card coal mine;",
        "link Dudley-Birm; card coal; coal R Dudley; done",
        "link Dudley-Birmingham; card coal; coal Dudley 1",
    ):
        copy = game.copy()
        copy.choose(text)
        assert copy.engine.snapshot() == plain.engine.snapshot(), text


def test_a_text_is_read_part_by_part() -> None:
    game = Game.from_position(BIRMINGHAM)
    text = (
        "sell cotton mill Birmingham 2 > Oxford 2, manufacturer; cards coal, iron;"
        " beer R Stone, merchant Gloucester; coal market; remove pottery; ..."
    )
    parsed = read(game.edition, game.seats, text)
    cotton, other = parsed.targets
    assert (cotton.industry, cotton.spot.number) == (0, 2)
    assert cotton.buyer is not None
    assert (cotton.buyer.kind, cotton.buyer.spot.number) == ("merchant", 2)
    assert (other.industry, other.spot.place, other.buyer) == (3, None, None)
    assert parsed.coal == [MARKET]
    assert [getattr(source, "owner", None) for source in parsed.beer] == [1, None]
    assert parsed.open
    assert parsed.open_resources == ["iron"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("sing", "action"),
        ("build port Dudley", "industry"),
        ("build cotton Dudly", "town"),
        ("build cotton Dudley 7", "space"),
        ("build cotton Oxford", "town"),
        ("link Dudley-Oxford", "line"),
        ("pass; card Dudly", "card"),
        ("pass; card", "card"),
        ("link Dudley-Birmingham; coal", "town"),
        ("sell cotton Birmingham; remove", "industry"),
        ("pass; loan 30", "extra part"),
        ("pass; hat", "action"),
        # Extra words are not ignored.
        ("pass loan 30", "extra part"),
        ("scout card coal", "extra part"),
        ("link Dudley-Birmingham; done card coal", "extra part"),
        ("loan 30; ... card coal", "extra part"),
        ("sell cotton Birmingham; distant Dudley", "distant market"),
        ("sell cotton Birmingham > distant Dudley", "distant market"),
        ("port Wolverhampton; distant", "extra part"),
        ("distant; port Wolverhampton", "extra part"),
        (f"build coal Dudley {'9' * 5000}", "town"),
        ("sell cotton Birmingham; merchant", "merchant"),
        ("sell cotton Birmingham > merchant", "merchant"),
        ("loan 15", "loan"),
        ("sell cotton Dudley > Dudley", "merchant"),
        ("sell cotton Dudley > Oxford 3", "merchant"),
        ("develop port", "industry"),
    ],
)
def test_unknown_names_are_named(text: str, kind: str) -> None:
    game = Game.from_position(BIRMINGHAM)
    for ask in (game.play, game.why_not, game.bill):
        with pytest.raises(UnknownName) as error:
            ask(text)
        assert error.value.kind == kind
        assert error.value.known


def test_nothing_may_follow_the_dots() -> None:
    game = Game.from_position(BIRMINGHAM)
    with pytest.raises(UnknownName, match=r"after \.\.\. 'card coal'"):
        game.play("loan 30; ...; card coal")


@pytest.mark.parametrize(
    "names", [("Ann Lee", "Ann", "North", "Leek"), ("Straße", "the", "2", "ß")]
)
def test_every_seat_name_works_in_text(names: tuple[str, ...]) -> None:
    seats = dict(zip("YRGP", names, strict=True))
    position = LANCASHIRE | {
        "seats": list(names),
        "tiles": [seats[tile[0]] + tile[1:] for tile in LANCASHIRE["tiles"]],
        "links": [seats[link[0]] + link[1:] for link in LANCASHIRE["links"]],
        names[0]: LANCASHIRE["Y"],
    }
    del position["Y"]
    game = Game.from_position(position)
    owners = set()
    for action in game.legal_actions():
        text = str(action)
        game.choose(text)
        assert str(game.actions[-1]) == text
        owners |= {name for name in names if f"coal {name} Wigan" in text}
        game.undo()
    assert owners == {names[0], names[1]}


# --- omitted parts -------------------------------------------------------------------------------


def test_a_part_with_one_answer_may_be_omitted() -> None:
    game = Game.from_position(LANCASHIRE | {"Y": {"cash": "80", "hand": ["coal", "coal"]}})
    game.choose("link Bolton-Manchester; coal Y Wigan")
    assert str(game.actions[0]) == "link Bolton-Manchester; coal Y Wigan; card coal"


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("link Bolton-Manchester", ["coal Y Wigan", "coal R Wigan"]),
        ("link Bolton-Manchester; coal Wigan", ["coal Y Wigan", "coal R Wigan"]),
        ("develop cotton", ["iron Bolton", "iron Blackburn"]),
        ("sell", ["> port Preston", "> distant"]),
    ],
)
def test_a_part_with_several_answers_is_ambiguous(text: str, ways: list[str]) -> None:
    game = Game.from_position(LANCASHIRE)
    before = game.engine.snapshot()
    assert game.why_not(text) is None
    with pytest.raises(AmbiguousAction) as error:
        game.play(text)
    assert len(error.value.ways) == len(ways)
    for words in ways:
        assert any(words in way for way in error.value.ways)
    assert game.engine.snapshot() == before


def test_alternatives_are_in_the_language_of_the_context() -> None:
    game = Game("birmingham", seed=7)
    with speaking("de"), pytest.raises(AmbiguousAction) as error:
        game.play("loan")
    assert error.value.ways
    for way in error.value.ways:
        assert way.startswith("leihe 30; Karte ")
        assert game.why_not(way) is None


def test_alternatives_with_the_same_result_are_merged() -> None:
    game = Game.from_position(LANCASHIRE)
    game.choose("develop cotton, port")  # both iron works end up empty in any order
    assert str(game.actions[0]) == "develop cotton, port; iron Blackburn, Bolton; card coal"


def test_only_the_first_of_many_alternatives_are_listed() -> None:
    game = Game("birmingham", seed=7)
    with pytest.raises(AmbiguousAction) as error:
        game.play("scout")
    assert len(error.value.ways) == 11
    assert error.value.ways[-1] == "..."


def test_some_of_several_cards_may_be_named() -> None:
    game = Game.from_position(BIRMINGHAM | {"Y": {"hand": ["Leek", "coal", "iron", "Dudley"]}})
    for named in ("Leek", "iron", "iron, Dudley"):
        with pytest.raises(AmbiguousAction) as error:
            game.play(f"scout; card {named}")
        ways = [set(way.removeprefix("scout; cards ").split(", ")) for way in error.value.ways]
        assert len(ways) == (2 if "," in named else 3)
        assert all(way >= set(named.split(", ")) for way in ways)


def test_two_cards_may_be_named_in_mid_build() -> None:
    hand = {"hand": ["Bury", "Colne", "Burnley"]}
    game = Game.from_position({"edition": "lancashire", "round": 2, "Y": hand})
    whole = game.copy()
    whole.choose("build coal Burnley; cards Bury, Colne")
    game.choose("build coal Burnley; ...")
    assert game.question == "card"
    game.choose("cards Bury, Colne")
    assert game.engine.snapshot() == whole.engine.snapshot()


def test_dots_leave_the_rest_open_and_text_continues() -> None:
    game = Game.from_position(LANCASHIRE)
    game.choose("link Bolton-Manchester; ...")
    assert (game.question, game.actions) == ("coal", [])
    assert {str(action) for action in game.legal_actions()} >= {"coal Y Wigan", "coal R Wigan"}
    game.choose("coal R Wigan; ...")
    assert game.question == "more rails"
    game.choose("link Bury-Manchester")
    assert str(game.actions[0]) == (
        "link Bolton-Manchester, Bury-Manchester; coal R Wigan, Wigan; card coal"
    )


def test_in_mid_action_only_the_open_question_can_be_answered() -> None:
    game = Game.from_position(LANCASHIRE)
    game.choose("link Bolton-Manchester; ...")
    for text, reason in (
        ("loan 30", Reason.ACTION_UNFINISHED),
        ("pass", Reason.ACTION_UNFINISHED),
        ("build coal Wigan", Reason.ACTION_UNFINISHED),
        ("sell cotton Bolton", Reason.ACTION_UNFINISHED),
        ("", Reason.NOT_ASKED_NOW),
        (" ; ", Reason.NOT_ASKED_NOW),
        ("...", Reason.NOT_ASKED_NOW),
        ("done", Reason.NOT_ASKED_NOW),
    ):
        check_refused(game, text, reason)
    found = game.why_not("loan 30")
    assert found is not None
    assert str(found) == "First choose which coal mine to use."
    assert game.why_not("link Bury-Manchester; coal R Wigan, Wigan; done") is None
    game.choose("coal R Wigan; ...")
    check_refused(game, "sell cotton Bolton", Reason.ACTION_UNFINISHED)
    check_refused(game, "", Reason.NOT_ASKED_NOW)
    check_refused(game, "...", Reason.NOT_ASKED_NOW)
    assert game.question == "more rails"


def test_a_second_canal_is_a_separate_action() -> None:
    game = Game.from_position(
        LANCASHIRE | {"era": "canal", "tiles": ["Y cotton 2 Bolton"], "links": [], "Y": TWO_CARDS}
    )
    game.choose("link Bolton-Bury; ...")
    assert game.question == "card"
    check_refused(game, "link Bolton-Manchester", Reason.ACTION_UNFINISHED)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("develop cotton, port; iron Bolton, Blackburn; done", True),
        ("develop cotton; iron Bolton; done", True),
        ("sell cotton Bolton > distant; done", True),
        ("loan 30; done", False),
        ("pass; done", False),
        ("build iron Bolton; done", False),
    ],
)
def test_done_is_accepted_where_it_is_an_answer(text: str, fits: bool) -> None:
    game = Game.from_position(LANCASHIRE)
    assert (game.why_not(text) is None) == fits
    if fits:
        game.choose(text)
        assert not game.engine.in_progress


def test_done_ends_an_action() -> None:
    game = Game.from_position(LANCASHIRE)
    game.choose("link Bolton-Manchester; coal R Wigan; ...")
    game.choose("done")
    assert str(game.actions[0]) == "link Bolton-Manchester; coal R Wigan; card coal"


def test_a_sale_can_be_ended_by_naming_the_buyer() -> None:
    for text, port in (("port Preston", True), ("distant", False), ("> distant", False)):
        game = Game.from_position(LANCASHIRE)
        game.choose("sell cotton Bolton; ...")
        assert game.question == "buyer"
        assert {str(action) for action in game.legal_actions()} == {"port Preston", "distant"}
        events = game.choose(text)
        assert ("sold_to_port" in {event.kind for event in events}) == port


def test_a_merchant_is_named_by_its_barrel() -> None:
    game = Game.from_position(BIRMINGHAM)
    with pytest.raises(AmbiguousAction):
        game.choose("sell manufacturer Birmingham > Oxford; card coal; beer Burton-on-Trent")
    game.choose("sell manufacturer Birmingham > Oxford 2; card coal; beer Burton-on-Trent")
    assert str(game.actions[0]) == "sell manufacturer Birmingham > Oxford 2; card coal"
    merchants = game.view(0).merchants
    assert [m.barrel for m in merchants if m.place == "Oxford"] == [True, False]


# --- reasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        # The named card is checked before tile, space, coal and money.
        (BIRMINGHAM, "build iron Dudley; card coal", Reason.CARD_SHOWS_ANOTHER_INDUSTRY),
        (BIRMINGHAM, "build iron Dudley; card Dudley", Reason.NOT_IN_HAND),
        (BIRMINGHAM, "build iron Dudley; card iron", Reason.NOT_IN_NETWORK),
        (
            BIRMINGHAM,
            "build brewery North Farm; card wild location",
            Reason.FARM_NEEDS_INDUSTRY_CARD,
        ),
        (BIRMINGHAM, "build cotton Coventry", Reason.WRONG_INDUSTRY_FOR_SPACE),
        # Of several spaces, the one that passes most checks gives the reason.
        (BIRMINGHAM, "build cotton Leek; card wild location", Reason.NO_COAL_IN_REACH),
        (BIRMINGHAM, "build coal Dudley; card wild location", Reason.WRONG_ERA),
        # Sources.
        (BIRMINGHAM, "link Dudley-Birmingham; card coal; coal market", Reason.NO_COAL_MINE),
        (BIRMINGHAM, "link Dudley-Birmingham; card coal; coal Wolverhampton", Reason.NOT_CONNECTED),
        (BIRMINGHAM, "link Dudley-Birmingham; card coal; coal Stone", Reason.NO_COAL_MINE),
        (BIRMINGHAM, "link Redditch-Oxford; card coal; coal Dudley", Reason.NOT_CONNECTED),
        (BIRMINGHAM, "sell cotton Birmingham; card coal; beer Stone", Reason.NOT_CONNECTED),
        (BIRMINGHAM, "sell cotton Birmingham > Gloucester; card coal", Reason.NOT_CONNECTED),
        (
            BIRMINGHAM,
            "sell cotton Birmingham > Oxford 2; card coal",
            Reason.MERCHANT_BUYS_OTHER_GOODS,
        ),
        (LANCASHIRE, "sell cotton Bolton > port Wigan; card coal", Reason.NO_PORT),
        (LANCASHIRE, "sell cotton Bolton > port Warrington; card coal", Reason.ALREADY_FLIPPED),
        (LANCASHIRE, "develop cotton; iron market", Reason.NO_IRON_WORKS),
        (LANCASHIRE, "develop cotton; iron Wigan", Reason.NO_IRON_WORKS),
        # What is written must be true: the action does not ask for it.
        (BIRMINGHAM, "loan 30; card coal; coal Dudley", Reason.NOT_ASKED_NOW),
        (BIRMINGHAM, "loan 30; cards coal, iron", Reason.NOT_ASKED_NOW),
        (LANCASHIRE, "sell cotton Bolton > distant; card coal; beer Wigan", Reason.NOT_ASKED_NOW),
        (LANCASHIRE, "sell cotton Bolton > distant; port Preston", Reason.NOT_ASKED_NOW),
        (BIRMINGHAM, "coal Dudley", Reason.NOT_ASKED_NOW),
        (BIRMINGHAM, "give up cotton Birmingham", Reason.NOT_ASKED_NOW),
        (BIRMINGHAM, "give up cotton Dudley", Reason.NOT_ASKED_NOW),
        (BIRMINGHAM, "sell pottery Stoke", Reason.NOTHING_TO_SELL),
        (BIRMINGHAM, "", Reason.NOT_ASKED_NOW),
        (BIRMINGHAM, "...", Reason.NOT_ASKED_NOW),
    ],
)
def test_the_reason_is_that_of_the_first_failing_choice(
    position: dict[str, Any], text: str, reason: Reason
) -> None:
    check_refused(Game.from_position(position), text, reason)


@pytest.mark.parametrize(
    ("position", "changes", "text", "reason"),
    [
        # Sell: the flipped mill fails before the one that lacks beer.
        (
            BIRMINGHAM,
            {
                "tiles": ["Y cotton 2 Leek 1 flipped", "Y cotton 2 Leek 2"],
                "links": ["Y Leek-Stoke", "Y Stoke-Warrington"],
                "merchants": {"Warrington": ["cotton without barrel", "blank"]},
            },
            "sell cotton Leek",
            Reason.NO_BEER_IN_REACH,
        ),
        (BIRMINGHAM, {"tiles": ["R cotton 2 Leek", "Y cotton 2 Stoke"]}, "sell", Reason.NO_BUYER),
        # Beer: an empty brewery fails before one out of reach.
        (
            BIRMINGHAM,
            {
                "tiles": [
                    *("Y cotton 2 Birmingham", "Y brewery 2 Burton-on-Trent (1)"),
                    *("R brewery 2 Uttoxeter 1 flipped", "R brewery 2 Uttoxeter 2 (1)"),
                ]
            },
            "sell cotton Birmingham; card coal; beer Uttoxeter",
            Reason.NOT_CONNECTED,
        ),
        (
            BIRMINGHAM,
            {"tiles": ["Y cotton 2 Birmingham", "R brewery 2 Uttoxeter flipped"]},
            "sell cotton Birmingham; card coal; beer Uttoxeter",
            Reason.NO_BREWERY,
        ),
        # Develop: the lightbulb fails before the money.
        (BIRMINGHAM, {"Y": {"cash": "0", "hand": ["coal"]}}, "develop", Reason.CANNOT_AFFORD),
        # Links: the era, the line, the tile, the network, the coal, the money.
        (LANCASHIRE, {"era": "canal", "tiles": [], "links": []}, "link", Reason.NOT_IN_NETWORK),
        (LANCASHIRE, {"Y": {"cash": "1", "hand": ["coal"]}}, "link", Reason.CANNOT_AFFORD),
        (LANCASHIRE, {"tiles": []}, "link", Reason.NO_COAL_IN_REACH),
        # Loans: the size fails before the income.
        (BIRMINGHAM, {"Y": {"income": "0", "hand": ["coal"]}}, "loan", Reason.INCOME_TOO_LOW),
    ],
)
def test_of_several_choices_the_one_that_passes_most_checks_gives_the_reason(
    position: dict[str, Any], changes: dict[str, Any], text: str, reason: Reason
) -> None:
    check_refused(Game.from_position(position | changes), text, reason)


def test_every_reason_of_a_kind_of_choice_has_a_rank() -> None:
    assert set(CHECKED) == {kind for kind, _ in MEANING}
    for checks in CHECKED.values():
        assert len(set(checks)) == len(checks)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_no_rule_gives_a_reason_without_a_rank(kind: Edition) -> None:
    rng = random.Random(9)
    game = Game(kind, seed=9)
    general = (Reason.OK, Reason.NOT_ASKED_NOW, Reason.NOT_IN_THIS_GAME)
    while not game.over:
        for choice in rng.sample(range(len(MEANING)), 20):
            reason = game.engine.why(choice)
            assert reason in general or reason in CHECKED[MEANING[choice][0]]
        game.play(rng.choice(game.legal_choices().ids))


def test_refusals_name_what_is_missing() -> None:
    game = Game.from_position(BIRMINGHAM)
    found = game.why_not("build cotton Leek; card wild location")
    assert found is not None
    assert str(found).startswith("Leek: no coal available. Leek must be connected to a coal mine")
    assert repr(found).startswith("<NO_COAL_IN_REACH: Leek")


def test_a_farm_has_no_card_of_its_own() -> None:
    game = Game.from_position(BIRMINGHAM | {"Y": {"hand": ["coal", "Leek"]}})
    found = game.why_not("build brewery North Farm")
    assert found is not None
    assert found.reason == Reason.NO_CARD_FOR_IT
    assert "card of the town" not in found.words
    assert "a card that shows brewery" in found.words


def test_alternatives_are_distinguishable() -> None:
    game = Game.from_position(LANCASHIRE)
    with pytest.raises(AmbiguousAction) as error:
        game.play("link Bolton-Manchester, Bury-Manchester")
    assert str(error.value).endswith(" | ".join(error.value.ways))


@given(st.text(max_size=40))
def test_no_text_crashes_the_parser(text: str) -> None:
    game = Game.from_position(LANCASHIRE)
    before = game.engine.snapshot()
    with suppress(BrassError):
        game.why_not(text)
    assert game.engine.snapshot() == before
