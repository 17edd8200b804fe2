"""Pictures of everything besides the map: hand, mats, markets, tracks, seats, the whole table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations
from itertools import combinations
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brassmill import language, terms
from brassmill.core.choice import MEANING
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.editions.names import slug
from brassmill.errors import BrassError, InvalidOption
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.svg.glyphs import MARKS
from brassmill.svg.hand import discards, hand
from brassmill.svg.lettering import width
from brassmill.svg.market import market
from brassmill.svg.mat import mat
from brassmill.svg.panel import next_order, prospects, shortened
from brassmill.svg.png import png
from brassmill.svg.seat import seats
from brassmill.svg.table import table
from brassmill.svg.track import MARKER, tiers_of, tracks
from support.kinds import EACH, PLAIN, play_at_random
from support.tiers import quick_first

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Wilhelmina Oosterhuis", "MMMMMMMMMMMMMMMMMMMM", "Jo", "Théodore-Alexandre")
# Choices that nothing on the table stands for: a page has buttons for them.
ELSEWHERE = {"LOAN", "SCOUT", "PASS", "DONE"}
PARTS = {
    "hand": hand,
    "discards": discards,
    "mat": mat,
    "market": market,
    "seats": seats,
    "tracks": tracks,
    "table": table,
}


def name_of(edition: Edition) -> str:
    changed = [f"{name}={value}" for name, value in edition.changed_options.items()]
    return "-".join([edition.name, str(edition.players), *changed])


@cache
def a_game(edition: Edition, choices: int | None = 90) -> Game:
    """A game with long names, after some choices."""
    game = Game(edition, seed=5, seats=NAMES[: edition.players])
    play_at_random(game, Random(11), choices)
    return game


def own_view(game: Game) -> View:
    return game.view(game.seat)


def parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def ids(root: ElementTree.Element) -> list[str]:
    return [element.attrib["id"] for element in root.iter() if "id" in element.attrib]


def by_id(root: ElementTree.Element, name: str) -> ElementTree.Element:
    [found] = [element for element in root.iter() if element.get("id") == name]
    return found


def has_class(element: ElementTree.Element, name: str) -> bool:
    return name in element.get("class", "").split()


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if has_class(element, name)]


def lit_choices(root: ElementTree.Element) -> list[int]:
    found = [element.get("data-choice", "").split() for element in root.iter()]
    return sorted(int(number) for numbers in found for number in numbers)


# --- where words are -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Area:
    """A part of the sheet, in its own units."""

    left: float
    top: float
    right: float
    bottom: float
    words: str = ""
    size: float = 0  # of the words

    def holds(self, other: Area) -> bool:
        slack = 0.5
        return (
            self.left - slack <= other.left
            and other.right <= self.right + slack
            and self.top - slack <= other.top
            and other.bottom <= self.bottom + slack
        )

    def meets(self, other: Area) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def moved(transform: str | None) -> tuple[float, float, float]:
    """The shift and the scale of a transform as these pictures write them."""
    found = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", transform or "")
    if not transform or found is None:
        assert not transform, transform
        return 0, 0, 1
    return float(found[1]), float(found[2]), float(found[3] or 1)


def words_and_boxes(
    element: ElementTree.Element, box: Area, at: tuple[float, float, float] = (0, 0, 1)
) -> Iterator[tuple[Area, Area]]:
    """Every line of text outside the map, with the panel or card it is in."""
    if has_class(element, "map"):
        return
    x, y, scale = moved(element.get("transform"))
    at = at[0] + at[2] * x, at[1] + at[2] * y, at[2] * scale
    for child in element:
        if has_class(child, "box"):
            box = area_of(child, at)
    if element.tag == f"{SVG}text":
        yield words_area(element, at), box
    for child in element:
        yield from words_and_boxes(child, box, at)


def area_of(rect: ElementTree.Element, at: tuple[float, float, float]) -> Area:
    x, y, wide, high = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
    left, top, scale = at
    return Area(
        left + x * scale, top + y * scale, left + (x + wide) * scale, top + (y + high) * scale
    )


def words_area(text: ElementTree.Element, at: tuple[float, float, float]) -> Area:
    left, top, scale = at
    size = float(text.get("font-size", 0)) * scale
    font = "sans" if has_class(text, "sans") else "serif"
    wide = width(text.text or "", size, f"{font} bold" if has_class(text, "bold") else font)
    x, y = left + float(text.get("x", 0)) * scale, top + float(text.get("y", 0)) * scale
    x -= {"middle": wide / 2, "end": wide}.get(text.get("text-anchor", ""), 0)
    return Area(x, y - 0.73 * size, x + wide, y + 0.05 * size, text.text or "", size)


def faults(picture: str) -> list[str]:
    """Texts that leave their box, and texts that overlap."""
    root = parse(picture)
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    lines = list(words_and_boxes(root, Area(0, 0, wide, high)))
    found = [f"{line.words!r} leaves its box" for line, box in lines if not box.holds(line)]
    return found + [
        f"{one.words!r} covers {other.words!r}"
        for (one, _), (other, _) in combinations(lines, 2)
        if one.meets(other)
    ]


# --- all parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EACH, ids=name_of)
def test_a_table_has_every_part_once(edition: Edition) -> None:
    view = own_view(a_game(edition, 40))
    for shape in ("wide", "tall") if edition in PLAIN else ("wide",):
        names = ids(parse(table(view, shape=shape)))
        assert [name for name, count in Counter(names).items() if count > 1] == []
        wanted = {"hand", "coal-market", "iron-market", "income-track", "points-track", "order"}
        wanted |= {"discards", f"mat-{view.seat}"}
        wanted |= {f"seat-{seat}" for seat in range(view.players)}
        assert wanted <= set(names)
        assert ("distant-market" in names) == bool(edition.distant)


def some_tables(edition: Edition) -> Iterator[str]:
    """At the start, in the middle and at the end of a game; wide and tall; also for a spectator."""
    middle = own_view(a_game(edition))
    yield table(own_view(a_game(edition, 0)))
    yield table(middle, lit=middle.legal)
    yield table(middle, shape="tall", lit=middle.legal)
    yield table(a_game(edition, None).view())


@pytest.mark.parametrize("code", quick_first(LANGUAGES))
@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_words_fit_and_cover_nothing(edition: Edition, code: str) -> None:
    with speaking(code):
        for picture in some_tables(edition):
            assert faults(picture) == []


class Longer(NullTranslations):
    """A language in which everything except sums of money is longer."""

    def gettext(self, message: str) -> str:
        return message if message == "£{number}" else message + "n" * (len(message) // 2)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid2)


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_longer_words_would_fit_too(edition: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_catalogue", lambda _: Longer())
    for picture in some_tables(edition):
        assert "Incomennn" in picture
        assert faults(picture) == []


def test_a_fault_would_be_found() -> None:
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><g><rect class="box"'
        ' width="20" height="20"/><text y="15" font-size="12">Birmingham</text>'
        '<text y="16" x="60" font-size="12">Oldham</text></g></svg>'
    )
    assert faults(picture) == [
        "'Birmingham' leaves its box",
        "'Oldham' leaves its box",
        "'Birmingham' covers 'Oldham'",
    ]


@pytest.mark.parametrize("part", PARTS)
def test_a_picture_for_a_page_brings_no_style(part: str) -> None:
    view = own_view(a_game(PLAIN[0]))
    picture = PARTS[part](view, theme=None)  # type: ignore[operator]
    assert "<style" not in picture
    assert "style=" not in picture
    alone = PARTS[part](view, theme="dark")  # type: ignore[operator]
    assert "<style" in alone
    assert png(alone)[1:4] == b"PNG"
    with pytest.raises(InvalidOption, match="unknown theme 'pink'"):
        PARTS[part](view, theme="pink")  # type: ignore[operator]


# --- what can be done ----------------------------------------------------------------------------


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_every_choice_has_its_element(edition: Edition) -> None:
    game, rng = Game(edition, seed=8), Random(8)
    kinds = set()
    for _ in range(12):
        play_at_random(game, rng, 17)
        view = own_view(game)
        wanted = [number for number in view.legal if MEANING[number][0] not in ELSEWHERE]
        root = parse(table(view, lit=view.legal))
        shown = Counter(lit_choices(root))
        assert set(shown) == set(wanted)
        # Equal empty spaces are one choice.
        assert all(MEANING[n][0] == "BUILD" for n, count in shown.items() if count > 1)
        chosen = [element for element in root.iter() if "data-choice" in element.attrib]
        assert all(has_class(element, "lit") for element in chosen)
        assert of_class(parse(table(view)), "lit") == []
        kinds |= {MEANING[number][0] for number in wanted}
        if game.over:
            break
    assert {"BUILD", "LINK", "DEVELOP", "CARD"} <= kinds


def test_only_the_own_mat_is_lit() -> None:
    game = Game("birmingham", seed=3)
    view = own_view(game)
    assert lit_choices(parse(mat(view, lit=view.legal)))
    other = (game.seat or 0) ^ 1
    assert not lit_choices(parse(mat(view, other, lit=view.legal)))


# --- the parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_a_hand_shows_its_cards_and_no_others(edition: Edition) -> None:
    game = a_game(edition)
    for seat in range(edition.players):
        view = game.view(seat)
        shown = [name for name in ids(parse(table(view))) if name.startswith("card-")]
        assert shown == [f"card-{slug(name)}" for name in view.hand or {}]
    assert not [name for name in ids(parse(table(game.view()))) if name.startswith("card-")]
    assert not of_class(parse(hand(game.view())), "card")


def test_equal_cards_are_counted() -> None:
    game = Game("birmingham", players=4, seed=7)
    card = by_id(parse(hand(game.view(3))), "card-cotton_manufacturer")
    assert "\N{MULTIPLICATION SIGN}2" in [text.text for text in card.iter(f"{SVG}text")]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_wild_cards_of_all_are_shown(code: str) -> None:
    game = Game.from_position(
        {
            "edition": "birmingham",
            "players": 3,
            "seats": NAMES[:3],
            NAMES[0]: {"hand": ["coal"], "cash": 123, "spent": 45},
            NAMES[1]: {"hand": ["coal", "wild location", "wild industry"], "spent": 45},
            NAMES[2]: {"hand": ["iron", "wild industry"]},
        }
    )
    with speaking(code):
        picture = seats(game.view(0))
        both = [terms.card("wild location"), terms.card("wild industry")]
    assert faults(picture) == []
    for seat, wild in enumerate(([], both, both[1:])):
        cards = of_class(by_id(parse(picture), f"seat-{seat}"), "wild-card")
        assert [card.findtext(f"{SVG}title") for card in cards] == wild


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_a_mat_shows_every_level_left(edition: Edition) -> None:
    game = a_game(edition, None)
    view = game.view()
    era = int(view.era == "rail")
    for seat, row in enumerate(view.seats):
        root = parse(mat(view, seat))
        for industry, stack in row.mat.items():
            column = by_id(root, f"mat-{seat}-{industry}")
            levels = {f"mat-{seat}-{industry}-{level}" for level in stack}
            assert set(ids(column)) == levels | {f"mat-{seat}-{industry}"}
            for level in set(stack):
                kind = edition.tile[edition.find_tile(f"{industry} {level}")]
                element = by_id(root, f"mat-{seat}-{industry}-{level}")
                assert has_class(element, "not-now") != kind.buildable[era]
                assert len(of_class(element, "coal")) >= kind.coal
                assert len(of_class(element, "barrel")) == (
                    kind.contents[era] if industry == "brewery" else 0
                )
                needed = [part for part in element.iter() if part.get("d") == MARKS["beer"].d]
                assert len(needed) == kind.beer


def test_a_mat_needs_a_seat() -> None:
    view = Game("birmingham", seed=1).view()
    with pytest.raises(BrassError, match="unknown seat 7; seats are 0 to 3"):
        mat(view, 7)
    with pytest.raises(BrassError, match="unknown seat None"):
        mat(view)


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_a_market_shows_its_cubes_and_the_next_price(edition: Edition) -> None:
    game = Game(edition, seed=4)
    rng = Random(4)
    for _ in range(12):
        play_at_random(game, rng, 25)
        view = game.view()
        root = parse(market(view))
        for name, shown in (("coal", view.coal_market), ("iron", view.iron_market)):
            ladder = by_id(root, f"{name}-market")
            assert len(of_class(ladder, "cube")) == shown.cubes
            [step] = of_class(ladder, "next")
            assert [text.text for text in step.iter(f"{SVG}text")] == [str(shown.price)]


def test_the_distant_market_shows_its_marker_and_tiles() -> None:
    edition = next(edition for edition in PLAIN if edition.distant)
    view = a_game(edition, None).view()
    assert view.distant is not None
    distant = by_id(parse(market(view)), "distant-market")
    assert len(of_class(distant, "here")) == 1
    assert len(of_class(distant, "back")) == view.distant.left


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_the_next_order_is_the_one_that_comes(edition: Edition) -> None:
    """Just before the last turn of a round ends."""
    game, rng = Game(edition, seed=2), Random(2)
    compared = 0
    while not game.over:
        if game.question == "turn over":
            number, expected = (game.era, game.round), next_order(own_view(game))
            game.end_turn()
            if not game.over and (game.era, game.round) != number:
                assert game.order == expected
                compared += 1
        else:
            game.choose(rng.choice(game.legal_choices().ids))
    assert compared >= edition.rounds - 1


def test_prospects_are_what_scoring_would_bring() -> None:
    game = a_game(PLAIN[-1], 150)
    view = game.view()
    assert prospects(view) == tuple(
        seat.vp + sum(points.values())
        for seat, points in zip(view.seats, game.score_now(), strict=True)
    )


@given(st.dictionaries(st.integers(0, 7), st.floats(0, 200), max_size=8))
def test_markers_cover_no_others(places: dict[int, float]) -> None:
    tiers = tiers_of(places)
    for one, other in combinations(places, 2):
        if abs(places[one] - places[other]) < 2 * MARKER:
            assert tiers[one] != tiers[other]


def test_all_start_on_one_space() -> None:
    root = parse(tracks(Game("birmingham", seed=1).view()))
    titles = [by_id(root, f"income-{seat}").findtext(f"{SVG}title") for seat in range(4)]
    assert all(title and "space 10" in title for title in titles)


@pytest.mark.parametrize("edition", PLAIN, ids=name_of)
def test_everything_can_be_read_on_a_phone(edition: Edition) -> None:
    game = Game(edition, seed=5)  # without names that must shrink
    play_at_random(game, Random(11), 90)
    root = parse(table(own_view(game), shape="tall"))
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    for line, _ in words_and_boxes(root, Area(0, 0, wide, high)):
        if line.words.strip(" +"):
            assert line.size * 390 / wide >= 9, line.words


def test_discards_are_counted() -> None:
    game = a_game(PLAIN[0])
    view = game.view()
    root = parse(discards(view))
    edition = game.edition
    for card, count in edition.deck.items():
        if count:
            name = edition.card_name(card)
            dots = of_class(by_id(root, f"discard-{slug(name)}"), "dot")
            full = [dot for dot in dots if not has_class(dot, "open")]
            assert (len(full), len(dots)) == (view.discards.get(name, 0), count)


def test_long_names_are_cut() -> None:
    assert shortened("Jo", 12, 100) == "Jo"
    cut = shortened("Wilhelmina Oosterhuis", 12, 60)
    assert cut.endswith("…")
    assert width(cut, 12) <= 60
