"""Tournaments from sign-up to the last standings, in every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations, pairwise
from unittest import mock

import pytest

from brassmill.errors import BrassError
from brassmill.web.accounts import deletion
from brassmill.web.models import (
    Archive,
    Entry,
    Mail,
    Seat,
    Tournament,
    TournamentPlayer,
    TournamentRound,
    TournamentSeat,
)
from brassmill.web.server import database
from brassmill.web.table import agreements, due, leaving, sessions
from brassmill.web.tournaments import entrants, formats, rounds
from brassmill.web.tournaments.state import State, state_of
from support.tournaments import begin, clear, end, go_on, players, set_up, tables
from support.web import no_bots, play_turn

pytestmark = pytest.mark.usefixtures("site", "patience")

OVER, RUNNING, CANCELLED = Tournament.OVER, Tournament.RUNNING, Tournament.CANCELLED
MANY = timedelta(days=100)


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    """Leave no tournament behind: every process looks at all of them."""
    with no_bots():
        yield
    clear()


def play(tournament: Tournament, most: int = 40) -> State:
    """Play all games until the tournament is over."""
    begin(tournament)
    for _look in range(most):
        for table in tables(tournament):
            end(table)
        go_on(tournament, MANY)
        if tournament.state == OVER:
            return state_of(tournament)
    raise AssertionError("it does not end")


# --- every format --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "number", "more"),
    [
        (formats.SWISS, 9, {"rounds": 3}),
        (formats.SWISS, 5, {"edition": "classic", "rounds": 2}),
        (formats.ROUND_ROBIN, 5, {"size": 2, "edition": "lancashire"}),
        (formats.ROUND_ROBIN, 4, {}),
        (formats.KNOCK_OUT, 7, {"size": 2}),
        (formats.KNOCK_OUT, 9, {}),
        (formats.LEAGUE, 8, {"rounds": 2, "division": 4, "movers": 1, "size": 4}),
    ],
)
def test_every_format_is_played_to_its_end(style: str, number: int, more: dict[str, int]) -> None:
    state = play(set_up(players(number), style, **more))
    assert all(each.ended for each in state.rounds)
    assert all(table.is_decided for table in state.tables)
    rows = state.standings()
    assert len(rows) == number and rows[0].place == 1
    assert all(row.place <= after.place for row, after in pairwise(rows))
    for each in state.rounds:
        seated = Counter(
            seat.entrant_id for t in state.tables_of(each.number) for seat in t.seats.all()
        )
        assert set(seated.values()) == {1}
    assert Seat.objects.filter(table__in_tournament__round__tournament=state.tournament).exists()


def test_an_arena_seats_players_again_until_its_time_is_over() -> None:
    tournament = set_up(players(5), formats.ARENA, size=2, lasting=timedelta(hours=1))
    begin(tournament)
    go_on(tournament)
    assert len(tables(tournament)) == 2  # the fifth waits
    end(tables(tournament)[0])
    go_on(tournament)
    assert len(tables(tournament)) == 2
    for _n in range(3):
        for table in tables(tournament):
            end(table)
        go_on(tournament)
    for table in tables(tournament):
        end(table)
    go_on(tournament, timedelta(hours=2))
    assert tournament.state == OVER
    assert state_of(tournament).history().met.total() >= 5


def test_an_arena_is_patient_before_it_opens_a_smaller_table() -> None:
    tournament = set_up(players(3), formats.ARENA, lasting=timedelta(hours=1))
    begin(tournament)
    go_on(tournament)
    assert not tables(tournament)
    go_on(tournament, 2 * rounds.PATIENCE)
    assert [table.players for table in tables(tournament)] == [3]


def test_a_knock_out_is_over_with_its_final() -> None:
    state = play(set_up(players(8), formats.KNOCK_OUT, size=4))
    assert [len(state.tables_of(each.number)) for each in state.rounds] == [2, 1]
    final = {seat.entrant_id for seat in state.tables_of(2)[0].seats.all()}
    best = {row.player for row in state.standings()[:4]}
    assert best == {state.numbers[pk] for pk in final}


def test_a_knock_out_ends_when_too_few_for_a_table_are_left() -> None:
    more = {"size": 3, "edition": "classic", "interval": timedelta(days=1)}
    tournament = set_up(players(6), formats.KNOCK_OUT, **more)
    begin(tournament)
    for table in tables(tournament):
        end(table)
    go_on(tournament)
    state = state_of(tournament)
    order = formats.drawn(state.numbers.values(), tournament.key)
    leaver = formats.survivors(state.decided_in(1), order, 3)[0]
    tournament.entrants.filter(number=leaver).update(is_out=True)
    for _look in range(4):
        go_on(tournament, MANY)
    assert tournament.state == OVER
    assert tournament.rounds_played.count() == 2
    assert [row.place for row in state_of(tournament).standings()][:3] == [1, 1, 3]


def test_a_league_promotes_and_relegates() -> None:
    tournament = set_up(
        players(8), formats.LEAGUE, rounds=2, size=2, division=4, movers=1, edition="lancashire"
    )
    begin(tournament)
    assert tournament.season == 3
    first = state_of(tournament).divisions()
    for _round in range(3):
        for table in tables(tournament):
            end(table)
        before = state_of(tournament)
        go_on(tournament, MANY)
    before = state_of(tournament)
    after = before.divisions()
    assert len(set(first[0]) & set(after[1])) == 1 and len(set(first[1]) & set(after[0])) == 1
    assert before.round and before.round.number == 4


def test_who_leaves_a_league_at_tables_of_two_scrambles_no_pairs() -> None:
    tournament = set_up(
        players(6), formats.LEAGUE, rounds=1, size=2, division=6, edition="lancashire"
    )
    begin(tournament)
    tournament.entrants.filter(number=1).update(is_out=True)
    for _round in range(5):
        for table in tables(tournament):
            end(table)
        go_on(tournament, MANY)
    assert tournament.state == OVER
    met = state_of(tournament).history().met
    assert all(met[pair] == 1 for pair in combinations(range(2, 7), 2))


# --- beginning -----------------------------------------------------------------------------------


def test_it_begins_by_itself_when_its_time_has_come() -> None:
    tournament = set_up(players(4), starts=database.now() + timedelta(hours=1))
    rounds.do_what_is_due()
    tournament.refresh_from_db()
    assert tournament.state == Tournament.OPEN
    Tournament.objects.filter(pk=tournament.pk).update(starts=database.now())
    rounds.do_what_is_due()
    tournament.refresh_from_db()
    assert tournament.state == RUNNING and len(tables(tournament)) == 1
    table = tables(tournament)[0]
    assert table.asked and table.clock == "turn-1d" and table.listed and not table.gathering


def test_with_too_few_players_it_is_cancelled() -> None:
    tournament = set_up(players(2), edition="classic")
    begin(tournament)
    assert tournament.state == CANCELLED and tournament.ended


def test_the_players_sit_with_their_accounts() -> None:
    entered = players(4)
    tournament = set_up(entered, rated=True)
    begin(tournament)
    table = tables(tournament)[0]
    assert {seat.holder for seat in table.seats.all()} == {each.key for each in entered}
    assert {seat.name for seat in table.seats.all()} == {each.name for each in entered}
    assert table.rated and not table.host


def test_two_processes_begin_a_round_once() -> None:
    tournament = set_up(players(8))
    now = database.now()
    rounds.begin(tournament, now)
    rounds.begin(tournament, now)
    for table in tables(tournament):
        end(table)
    stale = Tournament.objects.get(pk=tournament.pk)
    rounds.go_on(tournament, now + MANY)
    rounds.go_on(stale, now + MANY)
    numbers = TournamentRound.objects.filter(tournament=tournament).values_list("number", flat=True)
    assert list(numbers) == [1, 2]
    assert len(tables(tournament)) == 2


def test_a_failure_in_one_tournament_does_not_stop_another() -> None:
    broken, sound = set_up(players(4)), set_up(players(4))
    Tournament.objects.filter(pk=broken.pk).update(edition="mars")
    rounds.do_what_is_due()
    sound.refresh_from_db()
    assert sound.state == RUNNING


def test_the_next_round_waits_for_its_day() -> None:
    tournament = set_up(players(4), interval=timedelta(days=7))
    begin(tournament)
    end(tables(tournament)[0])
    go_on(tournament, timedelta(days=6))
    assert not tables(tournament)
    go_on(tournament, timedelta(days=8))
    assert len(tables(tournament)) == 1


def test_while_it_is_paused_no_round_begins() -> None:
    tournament = set_up(players(4))
    begin(tournament)
    end(tables(tournament)[0])
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.PAUSED)
    rounds.do_what_is_due()
    assert not tables(tournament)
    assert state_of(tournament).rounds[0].ended
    Tournament.objects.filter(pk=tournament.pk).update(state=RUNNING)
    rounds.do_what_is_due()
    assert len(tables(tournament)) == 1


def test_after_a_pause_the_last_round_is_not_waited_for() -> None:
    tournament = set_up(players(4), rounds=1, interval=timedelta(days=7))
    begin(tournament)
    end(tables(tournament)[0])
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.PAUSED)
    go_on(tournament)
    assert tournament.state == Tournament.PAUSED
    Tournament.objects.filter(pk=tournament.pk).update(state=RUNNING)
    go_on(Tournament.objects.get(pk=tournament.pk))
    tournament.refresh_from_db()
    assert tournament.state == OVER


def test_an_arena_is_longer_after_an_outage() -> None:
    arena = set_up(players(2), formats.ARENA, lasting=timedelta(hours=2))
    swiss = set_up(players(4))
    begin(arena)
    due.put_off(timedelta(minutes=30))
    for found in (arena, swiss):
        found.refresh_from_db()
    assert arena.lasting == timedelta(hours=2, minutes=30) and swiss.lasting is None


# --- results -------------------------------------------------------------------------------------


def places(tournament: Tournament) -> dict[int, TournamentSeat]:
    """Return the seats of the first table, by seat."""
    found = TournamentSeat.objects.filter(at__round__tournament=tournament, at__number=1)
    return {each.seat: each for each in found.filter(at__round__number=1)}


def test_who_never_appears_gets_nothing_and_is_out() -> None:
    tournament = set_up(players(4))
    begin(tournament)
    table = tables(tournament)[0]
    session = sessions.get(table.pk)
    mover = session.to_move
    assert mover is not None
    session.replace(mover, table.standby, Entry.TIME)
    session.end_by_agreement([seat for seat in range(4) if seat != mover])
    go_on(tournament)
    found = places(tournament)
    assert (found[mover].rank, found[mover].why) == (4, TournamentSeat.NO_SHOW)
    assert TournamentPlayer.objects.get(pk=found[mover].entrant_id).is_out
    assert all(not each.why for seat, each in found.items() if seat != mover)
    assert [table.players for table in tables(tournament)] == [3]


def test_who_leaves_a_game_gets_nothing_but_stays_in_the_tournament() -> None:
    tournament = set_up(players(4))
    begin(tournament)
    table = tables(tournament)[0]
    session = sessions.get(table.pk)
    mover = session.to_move
    assert mover is not None
    while session.to_move == mover:
        if session.game.question == "turn over":
            session.end_turn(session.number)
        else:
            session.choose(session.number, [session.game.legal_choices().ids[0]])
    leaving.concede(session, mover)
    session.end_by_agreement([seat for seat in range(4) if seat != mover])
    go_on(tournament)
    found = places(tournament)[mover]
    assert (found.rank, found.why) == (4, TournamentSeat.AWAY)
    assert not TournamentPlayer.objects.get(pk=found.entrant_id).is_out


def test_a_game_without_a_result_counts_as_shared() -> None:
    tournament = set_up(players(4), rounds=1)
    begin(tournament)
    sessions.get(tables(tournament)[0].pk).void()
    go_on(tournament)
    assert tournament.state == OVER
    assert [row.points for row in state_of(tournament).standings()] == [6, 6, 6, 6]


def test_a_deleted_table_counts_as_shared() -> None:
    tournament = set_up(players(4), rounds=1)
    begin(tournament)
    table = tables(tournament)[0]
    table.delete()
    go_on(tournament)
    assert tournament.state == OVER


# --- players -------------------------------------------------------------------------------------


def test_nobody_joins_twice_and_a_full_one_takes_substitutes() -> None:
    entered = players(3)
    tournament = set_up(entered[:2], most=2)
    entrants.join(tournament, entered[0])
    assert tournament.entrants.count() == 2
    assert entrants.join(tournament, entered[2]).is_reserve


def test_programs_do_not_join() -> None:
    program = players(1)[0]
    program.program = True
    program.save()
    with pytest.raises(BrassError, match="Programs"):
        entrants.join(set_up([]), program)


def test_a_substitute_moves_up_when_somebody_leaves_before_the_start() -> None:
    entered = players(3)
    tournament = set_up(entered, most=2)
    entrants.leave(tournament, entered[0])
    assert list(tournament.entrants.values_list("number", "is_reserve")) == [
        (2, False),
        (3, False),
    ]


def test_a_tournament_in_which_nothing_happens_locks_nothing() -> None:
    tournament = set_up(players(4))
    begin(tournament)
    with mock.patch.object(rounds, "locked") as locked:
        go_on(tournament)
    assert not locked.called


def test_players_who_came_late_make_no_work_while_a_round_is_played() -> None:
    entered = players(5)
    tournament = set_up(entered[:4], late=True)
    begin(tournament)
    tournament.entrants.filter(number=1).update(waits_since=database.now())
    with mock.patch.object(rounds, "locked") as locked:
        go_on(tournament)
    assert not locked.called


def test_late_players_join_the_next_round() -> None:
    entered = players(5)
    tournament = set_up(entered[:4], late=True)
    begin(tournament)
    entrants.join(tournament, entered[4])
    end(tables(tournament)[0])
    go_on(tournament)
    assert sum(table.players for table in tables(tournament)) == 5
    closed = set_up(players(4), late=False)
    begin(closed)
    with pytest.raises(BrassError, match="any more"):
        entrants.join(closed, entered[4])


@pytest.mark.parametrize("style", [formats.KNOCK_OUT, formats.ROUND_ROBIN])
def test_a_substitute_takes_the_place_of_a_player_who_leaves(style: str) -> None:
    entered = players(5)
    more = {"size": 2, "edition": "lancashire", "interval": timedelta(days=1)}
    tournament = set_up(entered[:4], style, **more)
    begin(tournament)
    late = entrants.join(tournament, entered[4])
    assert late.is_reserve
    for table in tables(tournament):
        end(table)
    go_on(tournament)
    state = state_of(tournament)
    order = formats.drawn(state.numbers.values(), tournament.key)
    best = formats.survivors(state.decided_in(1), order, 2)[0]  # where all are equal, by the draw
    go_first = tournament.entrants.get(number=best)
    assert go_first.account
    entrants.leave(tournament, go_first.account)
    go_on(tournament, MANY)
    playing = {seat.holder for table in tables(tournament) for seat in table.seats.all()}
    assert entered[4].key in playing and go_first.account.key not in playing


def test_a_removed_player_is_replaced_by_a_bot_in_the_running_game() -> None:
    entered = players(5)
    tournament = set_up(entered, most=4)
    begin(tournament)
    entrants.replace(tournament, 1, 5)
    table = tables(tournament)[0]
    seat = table.seats.get(holder=entered[0].key)
    assert seat.bot == rounds.STANDBY
    end(table)
    go_on(tournament)
    playing = {seat.holder for table in tables(tournament) for seat in table.seats.all()}
    assert playing == {each.key for each in entered[1:]}


def test_a_replacement_happens_as_a_whole_or_not_at_all() -> None:
    entered = players(5)
    tournament = set_up(entered, most=4, starts=database.now() + timedelta(days=1))
    with pytest.raises(BrassError, match="Sign-up"):
        entrants.replace(tournament, 1, 5)
    begin(tournament)
    for number, substitute in ((1, 2), (1, 9), (5, 5), (9, 5)):
        with pytest.raises(BrassError):
            entrants.replace(tournament, number, substitute)
    assert not tournament.entrants.filter(is_out=True).exists()
    assert not any(seat.bot for seat in tables(tournament)[0].seats.all())


def test_a_game_that_the_organiser_has_changed_moves_no_ratings() -> None:
    entered = players(9)
    tournament = set_up(entered[1:], organiser=entered[0], rated=True)
    begin(tournament)
    own, other = tables(tournament)
    entrants.remove(tournament, state_of(tournament).tables[0].seats.all()[0].entrant.number)
    end(own)
    for table in (own, other):
        table.refresh_from_db()
    assert not own.rated and other.rated
    assert not sessions.get(own.pk).table.rated


def test_a_game_that_is_over_stays_rated_when_a_player_is_removed() -> None:
    entered = players(5)
    tournament = set_up(entered[1:], organiser=entered[0], rated=True)
    begin(tournament)
    table = tables(tournament)[0]
    end(table)
    entrants.remove(tournament, 1)
    table.refresh_from_db()
    assert table.rated


def test_organisers_who_play_change_no_rated_game_of_their_own() -> None:
    entered = players(8)
    tournament = set_up(entered, rated=True)
    begin(tournament)
    numbers = {
        row.table_id: [seat.entrant.number for seat in row.seats.all()]
        for row in state_of(tournament).tables
    }
    own, other = sorted(numbers.values(), key=lambda each: 1 not in each)
    for number in own:
        with pytest.raises(BrassError, match="yourself"):
            entrants.remove(tournament, number)
    entrants.remove(tournament, other[0])
    assert tournament.entrants.filter(is_out=True).count() == 1


def test_when_it_is_over_nobody_leaves_or_is_removed() -> None:
    entered = players(4)
    tournament = set_up(entered, rounds=1)
    begin(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(state=CANCELLED)
    with pytest.raises(BrassError, match="over"):
        entrants.leave(tournament, entered[0])
    with pytest.raises(BrassError, match="over"):
        entrants.remove(tournament, 1)
    with pytest.raises(BrassError, match="over"):
        entrants.replace(tournament, 1, 2)
    assert not tournament.entrants.filter(is_out=True).exists()


def test_no_turn_is_taken_back_in_a_tournament() -> None:
    tournament = set_up(players(4))
    begin(tournament)
    session = sessions.get(tables(tournament)[0].pk)
    mover = session.to_move
    assert mover is not None
    play_turn(session)
    assert agreements.together_of(session, (mover,)).can_take_back is None
    with pytest.raises(BrassError, match="tournament"):
        agreements.ask(session, agreements.TAKE_BACK, mover)


def test_a_deleted_account_stays_without_a_name() -> None:
    entered = players(4)
    tournament = set_up(entered, rounds=2)
    begin(tournament)
    deletion.delete(entered[1])
    end(tables(tournament)[0])
    go_on(tournament)
    found = tournament.entrants.get(number=2)
    assert found.account is None and found.is_out
    assert [table.players for table in tables(tournament)] == [3]
    assert 2 in {row.player for row in state_of(tournament).standings()}


def test_it_goes_on_without_its_organiser() -> None:
    entered = players(5)
    tournament = set_up(entered[1:], organiser=entered[0])
    deletion.delete(entered[0])
    begin(tournament)
    assert tournament.organiser is None and len(tables(tournament)) == 1


# --- e-mails -------------------------------------------------------------------------------------


def test_players_get_an_e_mail_for_a_round_and_for_the_end() -> None:
    from brassmill.web.mail import addresses

    entered = players(4)
    with mock.patch("brassmill.web.models.Table.NEVER", "nobody"):
        addresses.keep(entered[0].key, "cup@example.org", confirmed=True)
        tournament = set_up(entered, rounds=1, site="https://brass.example")
        begin(tournament)
        end(tables(tournament)[0])
        go_on(tournament)
    mails = Mail.objects.filter(address="cup@example.org", kind="tournament").order_by("pk")
    first, last = mails.values_list("subject", flat=True)
    assert first == "Round 1 of Cup" and last == "Cup is over"
    assert f"/tournaments/{tournament.pk}/" in mails[1].text


# --- a shared deal -------------------------------------------------------------------------------


def test_all_tables_of_a_round_play_the_same_secret_deal() -> None:
    tournament = set_up(players(11), duplicate=True)
    begin(tournament)
    kept = [(table.players, Archive.objects.get(pk=table.pk).deal) for table in tables(tournament)]
    assert [size for size, _deal in kept] == [4, 4, 3]
    assert kept[0] == kept[1] and all(deal for _size, deal in kept)
    assert all(table.held and table.secret and not table.overheard for table in tables(tournament))
    first = kept[0][1]
    for table in tables(tournament):
        end(table)
    go_on(tournament)
    assert not any(table.held for table in tables(tournament, 1))
    assert Archive.objects.get(pk=tables(tournament)[0].pk).deal != first


def test_results_of_a_shared_deal_count_when_all_are_known() -> None:
    tournament = set_up(players(8), duplicate=True)
    begin(tournament)
    end(tables(tournament)[0])
    go_on(tournament)
    state = state_of(tournament)
    assert sum(table.is_decided for table in state.tables) == 1 and not state.counted
    end(tables(tournament)[0])
    go_on(tournament)
    assert len(state_of(tournament).counted) == 2
