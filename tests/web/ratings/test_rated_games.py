"""Rated games at the table: which count, and who is ranked where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from brassmill.bots import parse
from brassmill.web.accounts import deletion
from brassmill.web.accounts.export import export_of
from brassmill.web.models import (
    Account,
    Entry,
    LadderRating,
    Mail,
    RatedGame,
    RatedPlayer,
    RatedSeat,
    Seat,
    Table,
)
from brassmill.web.ratings import checks, counting, suspicion
from brassmill.web.setup.fair_play import are_hints_allowed
from brassmill.web.table import leaving, repair, sessions
from brassmill.web.table import rated as rules
from brassmill.web.table.session import TableSession
from brassmill.web.table.verify import verified
from support import rated
from support.friends import Guest, set_up, tokens_of
from support.people import guest_of, make_account, signed_in
from support.rated import figures, finish, play_to_the_end, rated_table
from support.web import make_table, no_bots, play_turn

pytestmark = pytest.mark.usefixtures("site", "patience")


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    rated.clear()
    with no_bots():
        yield
    rated.clear()


def accounts(number: int = 2) -> list[Account]:
    return [make_account(name) for name in ("Ada", "Ben", "Cleo", "Dan")[:number]]


def seats_of(table: Table) -> list[RatedSeat]:
    return list(RatedGame.objects.get(table=table.pk).seats.select_related("player__account"))


# --- what counts ---------------------------------------------------------------------------------


def test_the_end_of_a_rated_game_moves_both_ratings_at_once() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    session = sessions.get(table.id)
    play_to_the_end(session)
    first, second = seats_of(table)
    assert session.outcome is not None
    assert [seat.player and seat.player.account for seat in (first, second)] == [ada, ben]
    assert [first.rank, second.rank] == [result.rank for result in session.outcome.results]
    assert [first.vp, second.vp] == [result.total for result in session.outcome.results]
    assert LadderRating.objects.count() == 2 and RatedGame.objects.get().counted
    assert (first.mu or 0) > (second.mu or 0) or first.rank > second.rank
    assert [one.problem for one in checks.verified([table.id])] == [""]
    found = figures()
    assert found == rated.counted_from_the_start()
    page = guest_of(ada).page(f"/t/{table.id}/result/")
    assert "A rated game." in page and "/ratings/?kind=people&game=lancashire&players=2" in page
    data = signed_in(ada).get(f"/t/{table.id}/result.json").json()
    assert data["rated"] and sorted(data["ratings"]) == ["0", "1"]


def test_a_changed_result_is_found() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    play_to_the_end(sessions.get(table.id))
    RatedSeat.objects.filter(game__table=table.pk, seat=0).update(vp=999)
    (found,) = checks.verified()
    assert table.id in found.problem


def test_a_casual_game_moves_nothing() -> None:
    ada, _ben = accounts()
    table = make_table("Ada,Ben", "lancashire", key=ada.key)
    play_to_the_end(sessions.get(table.id))
    assert not RatedGame.objects.exists()


def over(session: TableSession, *absent: int) -> list[Any]:
    """What the ratings would be told if the game ended now, with players absent in this order."""
    for seat in absent:
        session.replace(seat, "beginner", Entry.LEFT)
    play_to_the_end(session)
    return [(seat.rank, seat.left) for seat in seats_of(session.table)]


def test_who_leaves_is_ranked_last_whatever_the_bot_scores() -> None:
    table = rated_table(*accounts(3))
    session = sessions.get(table.id)
    play_turn(session)
    found = over(session, 2, 0)
    assert found == [(2, True), (1, False), (3, True)], "who left later ranks better"
    assert [one.problem for one in checks.verified()] == [""]


def test_conceding_and_running_out_of_time_are_like_leaving() -> None:
    table = rated_table(*accounts(3))
    session = sessions.get(table.id)
    session.replace(1, "beginner", Entry.TIME)
    session.concede(0)
    play_to_the_end(session)
    assert [(seat.rank, seat.left) for seat in seats_of(table)] == [
        (2, True),
        (3, True),
        (1, False),
    ]


def test_the_result_is_theirs_if_they_return() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    session = sessions.get(table.id)
    leaving.leave(session, 0)
    leaving.leave(session, 1)
    leaving.come_back(session, 0)
    play_to_the_end(session)
    assert [(seat.rank, seat.left) for seat in seats_of(table)] == [(1, False), (2, True)]


def test_the_log_says_since_when_somebody_is_absent() -> None:
    left, back = {"seat": 1, "bot": "expert", "why": "left"}, {"seat": 1, "bot": ""}
    assert rules.absent_since([left, back, {"end": True}, left]) == {1: 4}
    assert rules.absent_since([left, {**left, "why": "conceded"}]) == {1: 1}


def test_an_agreed_end_is_not_rated() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben)
    session = sessions.get(table.id)
    session.end_by_agreement([0, 1])
    assert session.over and not RatedGame.objects.exists()
    page = guest_of(ada).page(f"/t/{table.id}/result/")
    assert "This game moves no rating." in page


def test_no_turn_is_taken_back_in_a_rated_game() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben)
    session = sessions.get(table.id)
    mover = session.to_move
    assert mover is not None
    play_turn(session)
    guest = guest_of([ada, ben][mover])
    answer: Any = guest.post(table, "ask", kind="take back", seat=str(mover))
    assert "In a rated game no turn can be taken back." in answer.content.decode()
    assert not Table.objects.get(pk=table.pk).requests
    assert guest.data(table)["together"]["can_take_back"] is None


def test_there_are_no_hints_in_a_rated_game() -> None:
    (ada,) = accounts(1)
    alone = set_up(guest_of(ada, ada.name), "you", "beginner", rated="yes")
    assert alone.rated and not are_hints_allowed(alone, alone.seats.all())
    answer: Any = guest_of(ada).post(alone, "hint")
    assert answer.status_code == 403
    page = guest_of(ada).client.get(f"/t/{alone.id}/reasons/", {"action": "1"})
    assert page.status_code == 403, "the reasons of bots are advice, too"


@pytest.mark.parametrize("repair_it", ["rewind", "void", "give_to_bot", "offer"])
def test_a_game_repaired_by_the_operator_is_casual_from_then_on(repair_it: str) -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    session = sessions.get(table.id)
    play_turn(session)
    match repair_it:
        case "rewind":
            repair.rewind(session, 0)
        case "void":
            repair.void(table.id)
        case "give_to_bot":
            repair.give_to_bot(session, 0, "beginner")
        case _:
            repair.offer(session, 0)
    table.refresh_from_db()
    assert not table.rated
    if repair_it != "void":
        play_to_the_end(session)
    assert not RatedGame.objects.exists()


@pytest.mark.parametrize("repair_it", ["rewind", "void"])
def test_a_repair_after_the_end_takes_the_result_back(repair_it: str) -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    session = sessions.get(table.id)
    play_to_the_end(session)
    assert LadderRating.objects.count() == 2
    repair.void(table.id) if repair_it == "void" else repair.rewind(session, session.length - 1)
    counting.count_all()
    assert not LadderRating.objects.exists()
    assert RatedGame.objects.get().withdrawn == RatedGame.REPAIRED
    assert figures() == rated.counted_from_the_start()


def test_a_renamed_player_stays_rated() -> None:
    table = rated_table(*accounts())
    repair.rename(sessions.get(table.id), 0, "Somebody")
    table.refresh_from_db()
    assert table.rated


def test_a_deleted_table_still_counts() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    play_to_the_end(sessions.get(table.id))
    repair.delete(table.id)
    assert figures() == rated.counted_from_the_start() and LadderRating.objects.count() == 2
    assert [one.problem for one in checks.verified()] == [""]


def test_a_game_counts_when_the_process_was_killed_before_counting() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    session = sessions.get(table.id)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "count", lambda _table: None)
        play_to_the_end(session)
    assert not RatedGame.objects.get().counted
    assert "it is being counted" in guest_of(ada).page(f"/t/{table.id}/result/")
    counting.count_all()
    assert LadderRating.objects.count() == 2


# --- who plays -----------------------------------------------------------------------------------


def test_a_seat_in_a_rated_game_needs_an_account(host: Guest) -> None:
    ada, ben = accounts()
    table = set_up(guest_of(ada, ada.name), "you", "friend", rated="yes")
    (token,) = tokens_of(table)
    page = host.page(f"/join/{token}/")
    assert "This game is rated" in page and f"/sign-in/?next=/join/{token}/" in page
    assert host.sit(token).status_code == 409
    assert not table.seats.get(number=1).holder
    assert guest_of(ben, "Ben").sit(token).status_code == 302


def test_nobody_takes_two_seats_of_a_rated_game() -> None:
    (ada,) = accounts(1)
    table = set_up(guest_of(ada, ada.name), "you", "friend", rated="yes")
    (token,) = tokens_of(table)
    answer: Any = guest_of(ada, "Twin").sit(token)
    assert answer.status_code == 409 and "You already have a seat here" in answer.content.decode()


def test_two_seats_of_one_account_are_not_rated() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    Seat.objects.filter(table=table).update(holder=ada.key)
    play_to_the_end(sessions.get(table.id))
    assert not RatedGame.objects.exists()


def test_a_seat_of_somebody_without_an_account_is_not_rated() -> None:
    table = rated_table(*accounts(), edition="lancashire")
    Seat.objects.filter(table=table, number=1).update(holder="a-browser")
    play_to_the_end(sessions.get(table.id))
    assert not RatedGame.objects.exists()


def test_other_bots_than_the_levels_are_not_rated() -> None:
    (ada,) = accounts(1)
    table = make_table("Ada,greedy", "lancashire", key=ada.key)
    Table.objects.filter(pk=table.pk).update(rated=True)
    assert parse("greedy").text == "greedy"
    play_to_the_end(sessions.get(table.id))
    assert not RatedGame.objects.exists()


def test_a_seat_of_a_rated_game_stays_with_its_account() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben)
    answer: Any = guest_of(ada).post(table, "device", seat="0")
    assert answer.status_code == 302
    assert not Seat.objects.exclude(handover="").filter(table=table).exists()


def test_bots_at_the_table_count_on_their_own_ladder() -> None:
    (ada,) = accounts(1)
    table = rated_table(ada, seats=["expert"], edition="lancashire")
    play_to_the_end(sessions.get(table.id))
    mine, bot = seats_of(table)
    assert RatedGame.objects.get().ladder_id == "levels-lancashire-2"
    assert (bot.level, bot.player, bot.mu) == ("expert", None, None) and mine.mu is not None


# --- the choice of the host ----------------------------------------------------------------------


def refused(account: Account | None, **sent: str) -> str:
    """Set up a rated game by the form; return the page that refuses it."""
    guest = guest_of(account, "Ada") if account else Guest("Ada")
    form = {"players": "2", "who-0": "you", "who-1": "friend", "name-0": "Ada", "rated": "yes"}
    answer: Any = guest.client.post("/new/birmingham/", form | sent)
    assert answer.status_code == 422
    return str(answer.content.decode())


@pytest.mark.parametrize(
    "sent",
    [{"hands": "open"}, {"intro": "True"}, {"hints": "yes"}, {"who-1": "beginner", "seed": "7"}],
    ids=str,
)
def test_what_cannot_be_rated_is_refused(sent: dict[str, str]) -> None:
    (ada,) = accounts(1)
    assert "games with hints cannot be rated" in refused(ada, **sent)


def test_a_rated_game_needs_an_account_and_a_screen_each() -> None:
    (ada,) = accounts(1)
    assert "Sign in to play a rated game." in refused(None)
    assert "own screen and account" in refused(ada, **{"who-1": "person", "name-1": "Ben"})


def test_one_rated_game_against_bots_at_a_time() -> None:
    (ada,) = accounts(1)
    guest = guest_of(ada, ada.name)
    first = set_up(guest, "you", "beginner", rated="yes")
    assert "First finish your other rated game" in refused(ada, **{"who-1": "beginner"})
    answer: Any = guest.client.post(f"/t/{first.id}/delete/", {"confirm": "yes"})
    assert answer.status_code == 409 and "play it to its end" in answer.content.decode()
    sessions.get(first.id).concede(0)
    assert set_up(guest, "you", "beginner", rated="yes").rated


def test_everyone_sees_whether_a_game_is_rated() -> None:
    ada, ben = accounts()
    sent = {"listed": "yes", "rated": "yes"}
    table = set_up(guest_of(ada, ada.name), "you", "friend", **sent)
    (token,) = tokens_of(table)
    guest = guest_of(ben, "Ben")
    assert "No hints · Rated" in guest.page("/lobby/")
    assert "No hints · Rated" in guest.page(f"/join/{token}/")
    assert "This game is rated" in guest.page(f"/t/{table.id}/")
    casual = set_up(Guest("Eve"), "you", "friend", listed="yes")
    assert "No hints · Casual" in guest.page("/lobby/")
    assert "This game is casual" in guest.page(f"/t/{casual.id}/")


def test_an_e_mailed_invitation_says_that_a_game_is_rated() -> None:
    ada, _ben = accounts()
    for sent, words in (("yes", "Rated.\n"), ("no", "no account needed")):
        host = guest_of(ada, ada.name)
        table = set_up(host, "you", "friend", rated=sent)
        address = f"{table.id}@example.org".lower()
        host.post(table, "invite", seat=1, address=address)
        text = Mail.objects.get(address=address).text
        assert words in text and ("with your account" in text) == (sent == "yes")


def test_the_host_can_make_it_casual_before_it_starts() -> None:
    ada, ben = accounts()
    host = guest_of(ada, ada.name)
    table = set_up(host, "you", "friend", rated="yes")
    guest_of(ben).post(table, "gather", casual="yes")
    assert Table.objects.get(pk=table.pk).rated, "only the host can"
    host.post(table, "gather", hints="yes")
    assert not Table.objects.get(pk=table.pk).hints
    host.post(table, "gather", casual="yes")
    assert not Table.objects.get(pk=table.pk).rated
    (token,) = tokens_of(table)
    assert Guest("Zoe").sit(token).status_code == 302


def test_a_rematch_of_a_rated_game_is_rated() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    play_to_the_end(sessions.get(table.id))
    guest_of(ada).post(table, "again")
    table.refresh_from_db()
    assert table.sequel is not None and table.sequel.rated


# --- accounts ------------------------------------------------------------------------------------


def test_a_deleted_account_stays_in_the_computation_without_its_name() -> None:
    ada, ben = accounts()
    finished, running = (rated_table(ada, ben, edition="lancashire") for _ in range(2))
    play_to_the_end(sessions.get(finished.id))
    before = figures()
    deletion.delete(ben)
    counting.count_all()
    assert figures() == before == rated.counted_from_the_start()
    play_to_the_end(sessions.get(running.id))
    mine, theirs = seats_of(running)
    assert mine.player and theirs.player and theirs.player.account is None
    assert (mine.rank, theirs.rank, theirs.left) == (1, 2, True)
    assert theirs.player == seats_of(finished)[1].player
    assert figures() == rated.counted_from_the_start()
    assert str(theirs.player).startswith("former player")
    assert not [one.problem for one in verified([running.id, finished.id]) if one.problem]


def test_an_export_has_the_ratings() -> None:
    ada, ben = accounts()
    table = rated_table(ada, ben, edition="lancashire")
    assert export_of(ada)["ratings"] == {"ladders": [], "games": []}
    play_to_the_end(sessions.get(table.id))
    data = export_of(ada)
    (ladder,), (game,) = data["ratings"]["ladders"], data["ratings"]["games"]
    assert ladder["ladder"] == "people-lancashire-2" and ladder["games"] == 1
    assert game["game"] == table.id and game["mu"] == ladder["mu"]
    assert data["games"][0]["rated"] and ben.name not in str(data["ratings"])


# --- for the operator ----------------------------------------------------------------------------


def test_the_same_few_players_are_flagged() -> None:
    ada, ben = accounts()
    players = [RatedPlayer.objects.create(account=account) for account in (ada, ben)]
    for hour in range(suspicion.MANY - 2):
        finish(players, hours=hour)
    assert suspicion.flags_of(players) == []
    finish(players, hours=50)
    assert suspicion.flags_of(players) == [suspicion.SAME_PLAYERS]
    other = RatedPlayer.objects.create()
    assert suspicion.flags_of([*players, other]) == []


def test_players_from_one_network_are_flagged() -> None:
    ada, ben = accounts()
    players = [RatedPlayer.objects.create(account=account) for account in (ada, ben)]
    for account in (ada, ben):
        account.networks.all().delete()
        account.networks.create(network=f"of {account.pk}")
    assert suspicion.flags_of(players) == []
    ben.networks.create(network=f"of {ada.pk}")
    assert suspicion.flags_of(players) == [suspicion.SAME_NETWORK]
