"""Following players and games, and bookmarks."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex
from unittest import mock

import pytest
from django.core.cache import cache

from brassmill.web.accounts import accounts, deletion, export
from brassmill.web.accounts.accounts import Address
from brassmill.web.archive import filling, following
from brassmill.web.models import Bookmark, FollowedGame, FollowedPlayer, Table
from brassmill.web.table import repair, sessions
from support.friends import Guest
from support.people import guest_of, make_account
from support.web import make_table, no_bots, people_only
from web.archive.test_archive import ended

pytestmark = pytest.mark.usefixtures("site")


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    cache.clear()
    with no_bots(), mock.patch.object(filling, "PAUSE", 0):
        yield
    for table in Table.objects.filter(listed=True):
        repair.delete(table.pk)


def guest() -> Guest:
    """A visitor without an account."""
    return Guest(f"Ada{token_hex(3)}")


def listed_of(one: Guest) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = one.client.get("/following.json").json()
    return found


def test_a_public_game_is_followed_while_it_runs_and_after_it() -> None:
    table, ada, ben = make_table(people_only(3), "classic"), guest(), guest()
    Table.objects.filter(pk=table.pk).update(listed=True)
    sessions.get(table.pk).catch_up()
    for _twice in range(2):
        assert ada.client.post(f"/t/{table.pk}/follow/").status_code == 302
    assert [game["id"] for game in listed_of(ada)["running"]] == [table.pk]
    assert not listed_of(ben)["running"]
    over = ended()
    filling.fill()
    ada.client.post(f"/t/{over.pk}/follow/")
    assert [game["id"] for game in listed_of(ada)["finished"]] == [over.pk]
    assert ada.client.get("/following/").status_code == 200
    ada.client.post(f"/t/{table.pk}/follow/", {"stop": "1"})
    assert not listed_of(ada)["running"]


def test_a_private_game_cannot_be_followed_and_one_that_turns_private_is_hidden() -> None:
    table, ada = make_table(people_only(2)), guest()
    assert ada.client.post(f"/t/{table.pk}/follow/").status_code == 409
    assert not FollowedGame.objects.filter(table=table).exists()
    assert ada.client.post("/t/nosuchtable/follow/").status_code == 404
    Table.objects.filter(pk=table.pk).update(listed=True)
    assert ada.client.post(f"/t/{table.pk}/follow/").status_code == 302
    Table.objects.filter(pk=table.pk).update(listed=False)
    assert table.pk not in ada.client.get("/following/").content.decode()
    repair.delete(table.pk)
    assert not FollowedGame.objects.filter(table=table.pk).exists()


def test_an_account_is_followed_once_it_has_played_a_public_game() -> None:
    account, ada = make_account("Zoe"), guest()
    assert ada.client.post("/following/player/", {"name": account.name}).status_code == 409
    table = ended(names=(account.name, "Ben", "Cleo"), holders=(account.key, "b", "c"))
    filling.fill()
    page = ada.client.get("/archive/", {"player": account.name}).content.decode()
    assert "Follow Zoe" in page
    assert ada.client.post("/following/player/", {"name": account.name.upper()}).status_code == 302
    (player,) = listed_of(ada)["players"]
    assert player["name"] == account.name
    assert [game["id"] for game in player["latest"]] == [table.pk]  # type: ignore[attr-defined]
    assert "Unfollow Zoe" in ada.client.get("/archive/", {"player": account.name}).content.decode()
    ada.client.post("/following/player/", {"name": account.name, "stop": "1"})
    assert not listed_of(ada)["players"]


def test_a_guest_of_the_same_name_is_not_the_account() -> None:
    account, ada = make_account("Zoe"), guest()
    ended(names=(account.name, "Ben", "Cleo"))
    filling.fill()
    assert ada.client.post("/following/player/", {"name": account.name}).status_code == 409


def test_a_new_name_of_an_account_does_not_link_its_old_games() -> None:
    account = make_account("Zoe")
    old = account.name
    ended(names=(old, "Ben", "Cleo"), holders=(account.key, "b", "c"))
    filling.fill()
    assert following.account_named(old) == account
    accounts.change(account, f"New{token_hex(3)}", Address())
    assert following.account_named(account.name) is None and following.account_named(old) is None
    accounts.change(account, old, Address())
    assert following.account_named(old) == account


def test_bookmarks_are_private_moments_of_finished_games() -> None:
    table, ada, ben = ended(), guest(), guest()
    assert ada.client.post(f"/t/{table.pk}/bookmark/", {"at": "5", "note": "A"}).status_code == 302
    ada.client.post(f"/t/{table.pk}/bookmark/", {"at": "5", "note": " What  a\nmove "})
    ada.client.post(f"/t/{table.pk}/bookmark/", {"at": "9"})
    notes = [(one["action"], one["note"]) for one in listed_of(ada)["bookmarks"]]
    assert notes == [(9, ""), (5, "What a move")]
    assert "What a move" in ada.client.get("/following/").content.decode()
    assert not listed_of(ben)["bookmarks"]
    number = Bookmark.objects.get(visitor=ada.key, action=5).pk
    ben.client.post("/following/bookmark/", {"number": number})
    assert len(listed_of(ada)["bookmarks"]) == 2
    ada.client.post("/following/bookmark/", {"number": number})
    assert len(listed_of(ada)["bookmarks"]) == 1


def test_what_cannot_be_bookmarked() -> None:
    running, over, ada = make_table(people_only(2)), ended(), guest()
    assert ada.client.post(f"/t/{running.pk}/bookmark/", {"at": "1"}).status_code == 409
    for at in ("", "-1", "1000", "x", "9" * 30):
        assert ada.client.post(f"/t/{over.pk}/bookmark/", {"at": at}).status_code == 404
    long = {"at": "1", "note": "x" * 201}
    assert ada.client.post(f"/t/{over.pk}/bookmark/", long).status_code == 409
    assert not Bookmark.objects.exists()


def test_lists_are_bounded() -> None:
    over, ada = ended(), guest()
    with mock.patch.object(following, "MOST", 2):
        for at in range(4):
            ada.client.post(f"/t/{over.pk}/bookmark/", {"at": str(at)})
        assert Bookmark.objects.count() == 2
        # The note of a bookmark can be changed all the same.
        ada.client.post(f"/t/{over.pk}/bookmark/", {"at": "0", "note": "again"})
        assert Bookmark.objects.filter(note="again").count() == 1


def test_signing_in_keeps_what_a_visitor_follows_and_deleting_the_account_removes_it() -> None:
    zoe, account = make_account("Zoe"), make_account("Ada")
    table = ended(names=(zoe.name, "Ben", "Cleo"), holders=(zoe.key, "b", "c"))
    filling.fill()
    ada, own = guest(), guest_of(account)
    for one in (ada, own):
        one.client.post("/following/player/", {"name": zoe.name})
        one.client.post(f"/t/{table.pk}/bookmark/", {"at": "3", "note": one.name})
    ada.client.post(f"/t/{table.pk}/follow/")
    assert accounts.move(ada.key, account.key)
    assert [one["note"] for one in listed_of(own)["bookmarks"]] == [own.name]
    assert listed_of(own)["finished"] and len(listed_of(own)["players"]) == 1
    assert not Bookmark.objects.filter(visitor=ada.key).exists()
    kept = export.export_of(account)["following"]
    assert [one["name"] for one in kept["players"]] == [zoe.name]
    assert [one["game"] for one in kept["games"]] == [table.pk]
    assert [(one["action"], one["note"]) for one in kept["bookmarks"]] == [(3, own.name)]
    deletion.delete(account)
    for kind in following.KINDS:
        assert not kind._default_manager.filter(visitor=account.key).exists()
    FollowedPlayer.objects.create(visitor="somebody", account=zoe)
    deletion.delete(zoe)
    assert not FollowedPlayer.objects.exists()
