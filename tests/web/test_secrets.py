"""Nothing that leaves a table tells what its visitor may not know.

What a seat cannot see is put into another order it cannot tell from this: every answer it gets must
stay the same, byte by byte.
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
from brassmill.web.table.session import Desk
from brassmill.web.table.views import DRAWERS
from core.test_view import shuffle_unseen
from support.clicks import hidden_changed
from support.web import make_table, no_robots, people_only, visitor

pytestmark = pytest.mark.usefixtures("site")

TOKEN = re.compile(r"\b\w{64}\b")  # against forged posts: another one each time
PART = {"HX-Request": "true"}
ELEMENTS = ("coal-market", "iron-market", "distant-market", "do-pass", "do-end", "do-scout")


def keys(desk: Desk) -> list[str]:
    """A visitor for each seat, and one without."""
    return [f"{desk.table.id}-{seat.number}" for seat in desk.seats] + ["stranger"]


def answers(desk: Desk, key: str, choices: Sequence[int]) -> Iterator[tuple[str, str]]:
    """What a visitor can get of a table while it is played, also if he asks for these choices."""
    client, table = visitor(key), f"/t/{desk.table.id}"
    addresses = [f"{table}/", f"{table}.json", f"{table}/hint/"]
    addresses += [f"{table}/past/{number}.json" for number in (0, desk.actions // 2, desk.actions)]
    addresses += [f"{table}/why/?on={element}" for element in ELEMENTS]
    addresses += [f"{table}/preview/?choice={choice}" for choice in choices]
    addresses += [f"{table}/part/?drawer={drawer}" for drawer in DRAWERS]
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code in (200, 204), address
        yield address, TOKEN.sub("", answer.content.decode())
    part = client.get(f"{table}/part/", headers=PART)
    yield "part", TOKEN.sub("", part.content.decode())
    held = [seat.number for seat in desk.seats if seat.holder == key]
    yield "event", desk.stamp(held)


def shuffle(desk: Desk, seat: int | None, rng: random.Random) -> None:
    """Put everything that a seat cannot see into another order, now and in the past."""
    desk.game = hidden_changed(desk.game, seat, rng)
    for number, position in enumerate(desk._after):
        engine = Engine(desk.game.edition, desk.game.seats, position)
        shuffle_unseen(engine.state, seat, rng, desk.game.edition)
        desk._after[number] = engine.snapshot()


@pytest.mark.parametrize(
    ("edition", "players"),
    [("birmingham", 2), ("birmingham", 4), ("lancashire", 3), ("classic", 4)],
)
def test_no_answer_tells_what_its_seat_cannot_see(edition: str, players: int) -> None:
    rng = random.Random(f"{edition} {players}")
    desk = sessions.desk(make_table(people_only(players), edition).id)
    for seat in desk.seats:
        seat.holder = keys(desk)[seat.number]
    Seat.objects.bulk_update(desk.seats, ["holder"])
    host = Host.of(["beginner"] * players, desk.game.edition, seed=1)
    while not desk.over:
        if desk.game.question == "turn over":
            desk.end(desk.number)
            continue
        choices = host.ask(desk.game.copy())
        if rng.random() < 0.03:
            desk.choose(desk.number, choices[:1])  # in the middle of an action
            check(desk, rng)
            if desk.game.engine.in_progress:
                continue
        else:
            desk.choose(desk.number, choices)
    check(desk, rng)
    host.close()


def check(desk: Desk, rng: random.Random) -> None:
    """Compare what every visitor gets, with cards that may be and with others."""
    game, after = desk.game, list(desk._after)
    choices = rng.sample(range(CHOICES), 5) + list(game.legal_choices().ids[:5])
    with no_robots():
        for key, seat in zip(keys(desk), [*range(len(desk.seats)), None], strict=True):
            before = dict(answers(desk, key, choices))
            shuffle(desk, seat, rng)
            assert desk.over or desk.game.engine.snapshot() != game.engine.snapshot()
            assert dict(answers(desk, key, choices)) == before
            desk.game, desk._after = game, list(after)
