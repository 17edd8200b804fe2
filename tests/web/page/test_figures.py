"""The log as symbols and figures: over the recorded games of all editions, nothing is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from brassmill import terms
from brassmill.core.events import FIELDS, Event
from brassmill.language import LANGUAGES, speaking
from brassmill.record import read, replay
from brassmill.record.record import Record
from brassmill.svg.panel import capital
from brassmill.web.page.figures import LogFigure, figures_of, title_of
from brassmill.web.page.symbols import ICONS, signs
from brassmill.words import event_words
from brassmill.words.log import ACTIONS, LogEntry, line_kind, log_entries, merged
from support.paths import RECORDS

SEATS = ("Ada", "Ben", "Cleo", "Dora")


@cache
def entries() -> list[LogEntry]:
    """Return the whole log of every recorded game."""
    return [entry for path in sorted(RECORDS.glob("*.brass")) for entry in log_of(path)]


def log_of(path: Path) -> Iterator[LogEntry]:
    for record in read(path):
        assert isinstance(record, Record)
        game = replay.start(record)
        for node in record.main_line():
            found = log_entries(replay.play(record, game, node), SEATS[: game.players])
            yield from (entry for entry in found if entry.events)  # one may score nothing


def text_of(figure: LogFigure) -> str:
    """Return a figure as text, its symbols by name."""
    return " ".join(
        part.value if part.kind == "text" else f"[{part.value}]" for part in figure.parts
    )


def shown(*events: Event) -> list[str]:
    [entry] = log_entries(events, SEATS)
    return [text_of(figure) for figure in figures_of(entry, SEATS)]


@pytest.mark.slow
def test_every_event_of_every_edition_is_shown() -> None:
    """By the title, or by a figure with the words of its sentence."""
    kinds = Counter[str]()
    for entry in entries():
        kinds.update(event.kind for event in entry.events)
        words = [figure.words for figure in figures_of(entry, SEATS)]
        match line_kind(entry.events[0]):
            case "income_paid":
                assert words == [capital(event_words(event, SEATS)) for event in entry.events]
            case "action" if entry.line.details:
                said = ", ".join(words).lower()
                for event, count in merged(list(entry.events)):
                    if event.kind not in (*ACTIONS, "paid", "discarded"):
                        sentence = event_words(event, SEATS, count, of=entry.line.seat or 0)
                        is_loan = entry.line.text.startswith("takes a")
                        assert sentence.lower() in said or is_loan, entry
            case "scored":
                total = sum(
                    int(part.value.replace("\N{MINUS SIGN}", "-"))
                    for figure in figures_of(entry, SEATS)
                    for part in figure.parts
                    if part.kind == "text"
                )
                assert total == sum(event.points for event in entry.events)
            case _:
                assert words == [] and title_of(entry) == entry.line.text
    quiet = {kind.name.lower() for kind in FIELDS} - set(kinds)
    assert quiet == {"drew", "order_set", "game_ended"}


@pytest.mark.slow
def test_cost_and_cards_add_up() -> None:
    for entry in entries():
        if line_kind(entry.events[0]) != "action" or not entry.line.details:
            continue
        figures = figures_of(entry, SEATS)
        cards = [event for event in entry.events if event.kind == "discarded"]
        assert [figure.parts[0].value for figure in figures if figure.card] == [
            capital(terms.card(event.card)) for event in cards
        ]
        cost = [text_of(figure) for figure in figures if figure.words.startswith("Cost ")]
        paid = [e.pounds for e in entry.events if e.kind in ("paid", "coal_used", "iron_used")]
        assert cost == ([f"\N{MINUS SIGN}£{sum(paid)}"] if sum(paid) else [])


def test_symbols_are_registered_and_every_figure_has_words() -> None:
    known = {"sign": signs().keys(), "icon": ICONS.keys(), "cube": {"coal", "iron", "beer"}}
    used = set()
    for entry in entries():
        for figure in figures_of(entry, SEATS):
            assert figure.words and figure.parts
            assert "\N{HORIZONTAL ELLIPSIS}" not in figure.words
            used |= {(part.kind, part.value) for part in figure.parts if part.kind != "text"}
    assert all(value in known[kind] for kind, value in used if kind in known)
    assert {kind for kind, _value in used} == {*known, "seat"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_figures_are_in_the_readers_language(code: str) -> None:
    with speaking(code):
        [entry] = log_entries(
            [Event("discarded", seat=0, card="coal"), Event("passed", seat=0)], SEATS
        )
        [card] = figures_of(entry, SEATS)
        assert card.parts[0].value == capital(terms.card("coal")) and card.card == "industry"


def test_what_is_shown() -> None:
    assert shown(
        Event("discarded", seat=1, card="Stoke-on-Trent"),
        Event("paid", seat=1, pounds=5, purpose="tile"),
        Event("coal_used", seat=1, source="market", pounds=1),
        Event("paid", seat=1, pounds=1, purpose="coal"),
        Event("iron_used", seat=1, source="Dudley 2", pounds=0),
        Event("flipped", owner=2, space="Dudley 2", tile="iron 1"),
        Event("income_moved", seat=2, before=10, after=13),
        Event("built", seat=1, space="Stoke-on-Trent 2", tile="iron 1"),
        Event("delivered", seat=1, space="Stoke-on-Trent 2", pounds=4),
        Event("delivered", seat=1, space="Stoke-on-Trent 2", pounds=2),
        Event("flipped", owner=1, space="Stoke-on-Trent 2", tile="iron 1"),
        Event("income_moved", seat=1, before=10, after=13),
    ) == [
        "Stoke-on-Trent",
        "\N{MINUS SIGN}£6",
        "[coal] 1 [market]",
        "[iron] 1 Dudley",
        "[flipped] [2] Dudley",
        "[income] [2] +3",
        "[iron] 2 [market] +£6",
        "[flipped]",
        "[income] +3",
    ]


def test_a_bonus_is_shown_with_its_amount() -> None:
    sold = Event("sold", seat=0, space="Walsall 1", tile="manufacturer 1")
    assert shown(
        sold,
        Event("barrel_used", seat=0, merchant="Oxford 2"),
        Event("bonus", seat=0, place="Oxford", amount=2),
        Event("income_moved", seat=0, before=9, after=16),
    ) == ["[beer] 1 Oxford", "[income] +7"]
    assert shown(sold, Event("bonus", seat=0, place="Warrington", amount=5)) == ["+£5"]
    assert shown(sold, Event("bonus", seat=0, place="Nottingham", amount=3)) == ["[points] +3"]
    assert shown(sold, Event("bonus", seat=0, place="Gloucester", amount=1)) == ["[develop]"]


def test_the_income_of_a_loan_is_in_its_title_alone() -> None:
    assert shown(
        Event("discarded", seat=0, card="wild location"),
        Event("borrowed", seat=0, pounds=30, levels=3),
        Event("income_moved", seat=0, before=31, after=26),
    ) == ["Wild location"]
