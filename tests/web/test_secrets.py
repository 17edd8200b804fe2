"""Nothing that leaves a table reveals what its visitor may not see.

Everything hidden from a seat is rearranged so that the seat cannot tell the difference: every
response it gets must stay the same, byte by byte.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import pytest

from brassmill.core.engine import Engine
from brassmill.play.host import Host
from brassmill.rules.choices import CHOICES
from brassmill.web.models import Seat
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from brassmill.web.table.views import DRAWERS
from core.test_view import shuffle_unseen
from support.clicks import hidden_changed
from support.web import make_table, no_bots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")

TOKEN = re.compile(r"\b\w{64}\b")  # CSRF tokens: different each time
PART = {"HX-Request": "true"}
ELEMENTS = ("coal-market", "iron-market", "distant-market", "do-pass", "do-end", "do-scout")


def keys(session: TableSession) -> list[str]:
    """Return a visitor for each seat, and one without a seat."""
    return [f"{session.table.id}-{seat.number}" for seat in session.seats] + ["stranger"]


def answers(session: TableSession, key: str, choices: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Return what a visitor can get of a running table, asking about these choices too."""
    client, table = visitor(key), f"/t/{session.table.id}"
    addresses = [f"{table}/", f"{table}.json", f"{table}/hint/"]
    addresses += [
        f"{table}/past/{number}.json" for number in (0, session.actions // 2, session.actions)
    ]
    addresses += [f"{table}/why/?on={element}" for element in ELEMENTS]
    addresses += [f"{table}/preview/?choice={choice}" for choice in choices]
    addresses += [f"{table}/part/?drawer={drawer}" for drawer in DRAWERS]
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code in (200, 204), address
        yield address, TOKEN.sub("", answer.content.decode())
    part = client.get(f"{table}/part/", headers=PART)
    yield "part", TOKEN.sub("", part.content.decode())
    held = [seat.number for seat in session.seats if seat.holder == key]
    yield "event", session.stamp(held)


def shuffle(session: TableSession, seat: int | None, rng: random.Random) -> None:
    """Rearrange everything hidden from a seat, now and in the past."""
    session._play.game = hidden_changed(session.game, seat, rng)
    for number, position in enumerate(session._after):
        engine = Engine(session.game.edition, session.game.seats, position)
        shuffle_unseen(engine.state, seat, rng, session.game.edition)
        session._after[number] = engine.snapshot()


@pytest.mark.parametrize(
    ("edition", "players"),
    [
        ("birmingham", 2),
        ("lancashire", 3),
        pytest.param("birmingham", 4, marks=pytest.mark.slow),
        pytest.param("classic", 4, marks=pytest.mark.slow),
    ],
)
def test_no_response_reveals_what_is_hidden_from_its_seat(edition: str, players: int) -> None:
    rng = random.Random(f"{edition} {players}")
    session = sessions.get(make_table(people_only(players), edition).id)
    for seat in session.seats:
        seat.holder = keys(session)[seat.number]
    Seat.objects.bulk_update(session.seats, ["holder"])
    host = Host.of(["beginner"] * players, session.game.edition, seed=1)
    while not session.over:
        if session.game.question == "turn over":
            session.end_turn(session.number)
            continue
        choices = host.ask(session.game.copy())
        if rng.random() < 0.03:
            session.choose(session.number, choices[:1])  # in the middle of an action
            check(session, rng)
            if session.game.engine.in_progress:
                continue
        else:
            session.choose(session.number, choices)
    check(session, rng)
    host.close()


def check(session: TableSession, rng: random.Random) -> None:
    """Compare what every visitor gets, with equivalent hidden cards and with others."""
    game, after = session.game, list(session._after)
    choices = rng.sample(range(CHOICES), 5) + list(game.legal_choices().ids[:5])
    with no_bots():
        for key, seat in zip(keys(session), [*range(len(session.seats)), None], strict=True):
            before = dict(answers(session, key, choices))
            shuffle(session, seat, rng)
            assert session.over or session.game.engine.snapshot() != game.engine.snapshot()
            assert dict(answers(session, key, choices)) == before
            session._play.game, session._after = game, list(after)
