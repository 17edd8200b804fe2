"""What has just happened, as moves for the page: alike for everyone, between existing elements."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.test import Client

from brassmill.core.events import Event
from brassmill.editions import Edition, edition
from brassmill.game import Game
from brassmill.play.session import GameSession, HistoryPart
from brassmill.web.models import Seat
from brassmill.web.page.dom_ids import things_of
from brassmill.web.page.happened import FEW, happened
from brassmill.web.table import sessions
from support.clicks import pick
from support.kinds import PLAIN
from support.web import make_table, people_only, visitor

LIST = re.compile(r'<ol id="happened".*?</ol>')
USED = ("coal_used", "iron_used", "beer_used", "barrel_used", "delivered")


def moves(kind: Edition, *events: Event) -> list[str]:
    """Return the moves of one part."""
    (part,) = happened(kind, [HistoryPart(0, 1, events)])
    return list(part.moves)


def played(kind: Edition, seed: int) -> GameSession[HistoryPart]:
    """Return a whole game played at random."""
    game, rng = GameSession(Game(kind, seed=seed), HistoryPart), Random(seed)
    while not game.game.over:
        if game.game.question == "turn over":
            game.end_turn()
        else:
            game.choose((pick(game.game, rng),))
    return game


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_moves_are_between_elements_of_the_page(kind: Edition) -> None:
    history, known = played(kind, 3).history, things_of(kind)
    seen = set()
    for part in history:
        (told,) = happened(kind, [part])
        seen |= {move.split()[0] for move in told.moves}
        names = [word for move in told.moves for word in move.split() if "-" in word]
        assert [name for name in names if name not in known] == []
        cubes = [move for move in told.moves if move.startswith("cube")]
        assert len(cubes) == sum(event.kind in USED for event in part.events)
    assert seen >= {"card", "tile", "link", "cube", "coin", "era", "end"}


def test_cubes_and_barrels_go_where_they_are_used() -> None:
    kind = edition("birmingham", 2)
    coal = Event("coal_used", seat=0, source="Cannock 1", pounds=0)
    beer = Event("beer_used", seat=0, source="Stone 1")
    iron = Event("iron_used", seat=0, source="market", pounds=1)
    barrel = Event("barrel_used", seat=0, merchant="Shrewsbury")
    built = Event("built", seat=0, space="Leek 1", tile="cotton 2")
    railway = Event("linked", seat=0, line="Walsall-Cannock")
    sold = Event("sold", seat=0, space="Leek 1", tile="cotton 2")
    developed = Event("developed", seat=0, industry="pottery", level=2)
    delivered = Event("delivered", seat=0, space="Cannock 1", pounds=4)
    paid = Event("received", seat=0, pounds=4, purpose="coal")
    assert moves(kind, built, coal)[1] == "cube coal space-cannock-1 space-leek-1"
    line = moves(kind, railway)[0].split()[-1]
    assert moves(kind, railway, coal, beer)[2] == f"cube beer space-stone-1 {line}"
    assert moves(kind, beer, sold)[0] == "cube beer space-stone-1 space-leek-1"
    assert moves(kind, barrel, sold)[0] == "cube beer merchant-shrewsbury-1 space-leek-1"
    assert moves(kind, iron, developed) == ["cube iron iron-market mat-0-pottery"]
    assert moves(kind, delivered, paid) == ["cube coal space-cannock-1 coal-market", "coin 0"]
    assert moves(kind, beer) == []  # what it is used for comes with the next click


def test_only_the_last_few_parts_are_listed() -> None:
    kind = edition("lancashire", 2)
    history = played(kind, 4).history
    told = happened(kind, history)
    assert [part.part for part in told] == [*range(len(history) - FEW, len(history))]
    assert happened(kind, []) == ()


@pytest.mark.usefixtures("site")
def test_every_viewer_gets_the_same_moves() -> None:
    session = sessions.get(make_table(people_only(3)).id)
    for seat in session.seats:
        seat.holder = f"holder-{seat.number}"
    Seat.objects.bulk_update(session.seats, ["holder"])
    everyone = [visitor(name) for name in ("holder-0", "holder-1", "holder-2", "stranger")]

    def lists(clients: list[Client]) -> set[str]:
        pages = [client.get(f"/t/{session.table.id}/").content.decode() for client in clients]
        return {LIST.findall(page)[0] for page in pages}

    told = []
    while session.game.round < 3:
        mover = session.to_move
        if session.game.question == "turn over":
            session.end_turn(session.number)
            (same,) = lists(everyone)
            told.append(same)
        else:  # until the turn ends, only its player sees it
            session.choose(session.number, [session.game.legal_choices().ids[0]])
            (same,) = lists([client for n, client in enumerate(everyone) if n != mover])
            assert told[-1:] in ([], [same])
    assert len(set(told)) == len(told) > 3
