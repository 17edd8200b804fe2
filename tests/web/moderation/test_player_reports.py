"""Reports of players: who can be reported, what the operator does, and who reads what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from brassmill.web.models import Block, PlayerReport, Table
from brassmill.web.moderation import player_reports
from brassmill.web.ratings.results import player_of
from support import rated
from support.friends import Guest, at_table
from support.people import GOOD, guest_of, make_account, signed_in
from support.staff import operator
from support.web import visitor

pytestmark = pytest.mark.usefixtures("site", "patience")

CHEATS = {"seat": "1", "reason": "cheating", "text": "Both seats click at the same second."}


@pytest.fixture(autouse=True)
def nothing_rated() -> Iterator[None]:
    yield
    rated.clear()


@pytest.fixture
def game() -> tuple[Guest, Guest, Table]:
    ada, ben = Guest("Ada"), Guest("Ben")
    return ada, ben, at_table(ada, ben)


def of(guest: Guest) -> Any:
    return player_reports.own(guest.key)


def test_a_player_is_reported_at_a_table_once(game: tuple[Guest, Guest, Table]) -> None:
    ada, ben, table = game
    assert "Report Ben" in ada.page(f"/t/{table.id}/report/")
    assert "Report a player" in ada.page(f"/t/{table.id}/")
    assert ada.post(table, "report", **CHEATS).status_code == 302
    assert ada.post(table, "report", **CHEATS).status_code == 422
    (made,) = of(ada)
    assert (made.about, made.name, made.table, made.reason) == (ben.key, "Ben", table, "cheating")
    assert "Both seats click" in ada.page("/reports/")
    for other in (ben, Guest("Eve")):
        assert "Both seats click" not in other.page("/reports/") + other.page("/")


@pytest.mark.parametrize(
    "sent",
    [{"reason": "boring"}, {"reason": "other"}, {"reason": "name", "text": "x" * 501}, {}],
)
def test_a_report_needs_a_reason(game: tuple[Guest, Guest, Table], sent: dict[str, str]) -> None:
    ada, _ben, table = game
    assert ada.post(table, "report", seat="1", **sent).status_code == 422
    assert not of(ada)


def test_nobody_reports_themselves_a_bot_or_too_many(game: tuple[Guest, Guest, Table]) -> None:
    ada, ben, table = game
    answer = ada.post(table, "report", **{**CHEATS, "seat": "0"})  # their own seat
    assert answer.status_code == 409 and not of(ada), "nobody is reported in place of another"
    assert ada.post(table, "report", **CHEATS).status_code == 302
    assert of(ada).get().about == ben.key
    account = make_account()
    own = player_of(account)
    assert signed_in(account).post(f"/players/{own.pk}/report/", CHEATS).status_code == 302
    assert not PlayerReport.objects.filter(visitor=account.key).exists()
    codes = []
    for _ in range(6):
        other = player_of(make_account())
        codes.append(ben.client.post(f"/players/{other.pk}/report/", CHEATS).status_code)
    assert codes == [302] * 5 + [429]
    assert Client().get("/players/999999/report/").status_code == 404


def test_the_operator_answers_and_the_reporter_hears_back(
    game: tuple[Guest, Guest, Table],
) -> None:
    ada, ben, table = game
    ada.post(table, "report", **CHEATS)
    made = of(ada).get()
    staff = operator()
    queue = staff.get("/admin/web/playerreport/").content.decode()
    assert "Both seats click" in queue and ben.key not in queue and ada.key not in queue
    address = f"/admin/web/playerreport/{made.pk}/change/"
    page = staff.get(address).content.decode()
    assert ben.key not in page and ada.key not in page
    for sent in ({"state": "open", "answer": "hm"}, {"state": "dismissed", "answer": " "}):
        assert staff.post(address, sent).status_code == 200, "it is shown again"
        assert of(ada).get().state == "open"
    assert "answered your report" not in ada.page("/")
    answer = {"state": "resolved", "answer": "Thank you: the account is blocked."}
    assert staff.post(address, answer).status_code == 302
    assert "answered your report" in ada.page("/")
    assert "Thank you: the account is blocked." in ada.page("/reports/")
    assert "answered your report" not in ada.page("/")
    staff.post(
        "/admin/web/playerreport/",
        {"action": "block", "_selected_action": [made.pk]},
    )
    assert Block.objects.filter(visitor=ben.key).exists()


def test_only_operators_see_the_queue() -> None:
    for client in (visitor("stranger"), signed_in(make_account())):
        assert client.get("/admin/web/playerreport/").status_code == 302


def test_reports_follow_an_account_and_end_with_it(game: tuple[Guest, Guest, Table]) -> None:
    ada, ben, table = game
    ada.post(table, "report", **CHEATS)
    account = make_account()
    ada.client.post("/sign-in/", {"name": account.name, "password": GOOD})
    assert player_reports.own(account.key).get().about == ben.key
    exported = ada.client.post("/account/export/").json()["player_reports"]
    assert exported[0]["reason"] == "cheating" and ben.key not in str(exported)
    other = make_account()
    guest_of(other).client.post(f"/players/{player_of(account).pk}/report/", CHEATS)
    ada.client.post("/account/delete/", {"present": GOOD, "confirm": "yes"})
    assert not PlayerReport.objects.filter(visitor=account.key).exists()
    assert not PlayerReport.objects.filter(about=account.key).exists()
