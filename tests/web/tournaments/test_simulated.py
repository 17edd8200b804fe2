"""Whole tournaments played by bots at random, through the forms of the table.

Players leave, come late and stay away, and the server forgets everything in the middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations
from random import Random
from typing import Any
from unittest import mock

import pytest

from brassmill.web.models import Account, Entry, Table, Tournament, TournamentSeat
from brassmill.web.server import database
from brassmill.web.table import sessions
from brassmill.web.tournaments import entrants, formats, rounds
from brassmill.web.tournaments.points import points_of
from brassmill.web.tournaments.state import State, state_of
from support.tournaments import clear, end, guest_of, players, set_up, tables
from support.web import no_bots

pytestmark = pytest.mark.usefixtures("site", "patience")

FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "swiss": (formats.SWISS, {"rounds": 5}),
    "swiss-shared-deal": (formats.SWISS, {"rounds": 3, "duplicate": True}),
    "round-robin": (formats.ROUND_ROBIN, {"size": 4}),
    "knock-out": (formats.KNOCK_OUT, {}),
    "league": (formats.LEAGUE, {"rounds": 2, "division": 8, "movers": 2}),
    "arena": (formats.ARENA, {"size": 3, "lasting": timedelta(hours=2)}),
}


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    with no_bots():
        yield
    clear()


class Simulation:
    """A tournament whose clock runs as fast as its games are played."""

    def __init__(self, number: int, style: str, seed: int = 1, **more: Any) -> None:
        self.random = Random(seed)
        self.accounts = players(number + 4)
        self.now = database.now()
        self.late = self.accounts[number:]
        self.tournament = set_up(self.accounts[:number], style, most=number, **more)
        self.left: set[int] = set()
        self.games = 0

    def look(self) -> None:
        """Let a process do what is due, at the time of the simulation."""
        with mock.patch.object(database, "now", return_value=self.now):
            rounds.do_what_is_due()
        self.tournament.refresh_from_db()

    def play(self, step: timedelta) -> State:
        """Play until it is over: at every step, all games that run are played to their end."""
        looks = 0
        while self.tournament.state in (Tournament.OPEN, Tournament.RUNNING):
            self.look()
            for table in tables(self.tournament):
                self.end(table)
            self.now += step
            looks += 1
            if looks == 2:
                self.surprise()
            assert looks < 80
        return state_of(self.tournament)

    def end(self, table: Table) -> None:
        """Play a game: some turns are clicked, one may stay away, all agree to end it."""
        self.games += 1
        if self.games % 9 == 0:
            session = sessions.get(table.pk)
            mover = session.to_move
            assert mover is not None
            session.replace(mover, table.standby, Entry.TIME)
            session.end_by_agreement([n for n in range(table.players) if n != mover])
            return
        if self.games % 5 == 0:
            self.click(table)
        end(table, self.random)

    def click(self, table: Table) -> None:
        """Click once through the page, as the browser of the player to move would."""
        session = sessions.get(table.pk)
        mover = session.to_move
        assert mover is not None
        account = next(each for each in self.accounts if each.key == session.seats[mover].holder)
        guest = guest_of(account)
        data = guest.client.get(f"/t/{table.pk}.json").json()
        choice = self.random.choice(session.game.legal_choices().ids)
        sent = {"number": str(data["number"]), "choice": str(choice)}
        assert guest.client.post(f"/t/{table.pk}/choose.json", sent).status_code == 200
        session = sessions.get(table.pk)
        if session.undoable:
            session.undo(session.number, None)

    def surprise(self) -> None:
        """Two leave, four come late, and the server is started again."""
        gone: list[Account] = self.random.sample(self.accounts[: -len(self.late)], 2)
        for account in gone:
            entrants.leave(self.tournament, account)
        for account in self.late:
            entrants.join(self.tournament, account)
        sessions.forget_all()


def check(state: State, players_before: int) -> dict[str, Any]:
    """Check what must hold for every tournament, and return its figures."""
    assert state.tournament.state == Tournament.OVER
    assert all(table.is_decided for table in state.tables) and all(r.ended for r in state.rounds)
    assert not Table.objects.filter(in_tournament__isnull=False, held=True).exists()
    for number in range(1, len(state.rounds) + 1):
        seated = [seat.entrant_id for t in state.tables_of(number) for seat in t.seats.all()]
        assert len(seated) == len(set(seated))
    rows = state.standings()
    assert rows[0].place == 1 and len(rows) >= players_before
    for table in state.counted:
        given = sum(points_of(table).values())
        away = any(place.is_away for place in table.places)
        assert away or len(table.places) == 1 or given == 6 * len(table.places)
    history = state.history()
    spread = max(
        max(had) - min(had)
        for had in (
            [history.seats[n, seat] for seat in range(state.tournament.size)]
            for n in state.numbers.values()
        )
    )
    return {
        "rounds": len(state.rounds),
        "games": sum(len(table.seats.all()) > 1 for table in state.tables),
        "met": max(history.met.values()),
        "byes": max(history.byes.values(), default=0),
        "seats": spread,
    }


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name != "swiss-shared-deal"))
        for name in FORMATS
    ],
)
def test_a_small_tournament(name: str) -> None:
    style, more = FORMATS[name]
    small = {"rounds": 2} if "rounds" in more else {}
    simulation = Simulation(9, style, **{**more, **small})
    found = check(simulation.play(timedelta(minutes=30)), 9)
    assert found["byes"] <= 1 and found["games"] == simulation.games


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_sixty_four_players(name: str) -> None:
    style, more = FORMATS[name]
    simulation = Simulation(64, style, **more)
    found = check(simulation.play(timedelta(minutes=30)), 64)
    print(name, found)
    assert found["byes"] <= 1
    if style == formats.SWISS:
        assert found["met"] == 1
    missed = TournamentSeat.objects.filter(
        entrant__tournament=simulation.tournament, why=TournamentSeat.NO_SHOW
    )
    assert missed.exists() and all(seat.entrant.is_out for seat in missed)


@pytest.mark.slow
def test_a_league_of_three_weeks() -> None:
    """Two divisions of eight at tables of four, a round a day, three seasons of a week or less."""
    simulation = Simulation(
        16,
        formats.LEAGUE,
        rounds=3,
        division=8,
        movers=2,
        interval=timedelta(days=7) / 3,
        rated=True,
    )
    state = simulation.play(timedelta(hours=12))
    check(state, 16)
    assert state.tournament.season == 3 and len(state.rounds) == 9
    began = [each.began for each in state.rounds]
    weeks = (simulation.now - began[0]) / timedelta(days=7)
    assert 2.5 < weeks < 3.2
    for season in range(3):
        seats = Counter(
            (seat.entrant_id, table.division)
            for number in range(3 * season + 1, 3 * season + 4)
            for table in state.tables_of(number)
            for seat in table.seats.all()
        )
        own = Counter(entrant for entrant, _division in seats)
        assert set(own.values()) == {1}  # nobody plays in two divisions of a season
    first = {s.entrant_id: t.division for t in state.tables_of(1) for s in t.seats.all()}
    second = {s.entrant_id: t.division for t in state.tables_of(4) for s in t.seats.all()}
    moved = [pk for pk in first.keys() & second.keys() if first[pk] != second[pk]]
    assert len(moved) >= 2


def test_nothing_depends_on_what_the_process_remembers() -> None:
    """The next round of a tournament is the same in a process that has just been started."""
    entered = players(12)
    made = []
    for _n in range(2):
        tournament = set_up(entered, key="the-same-key", rounds=2)
        rounds.begin(tournament, database.now())
        seated = state_of(tournament).tables
        made.append([[seat.entrant.number for seat in table.seats.all()] for table in seated])
        sessions.forget_all()
    assert made[0] == made[1]
    assert all(a != b for table in made[0] for a, b in combinations(table, 2))
