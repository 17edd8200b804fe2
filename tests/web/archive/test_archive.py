"""The archive: what gets into it, what a search finds, and the file of a selection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache

from brassmill import record as records
from brassmill.web.archive import filling, public, search, selection
from brassmill.web.archive.events import WORDS, facts_of
from brassmill.web.archive.search import CLOSEST, HIGHEST, NEWEST, GameSearch, find
from brassmill.web.models import Archive, ArchivedGame, ArchivedSeat, Table
from brassmill.web.models.archive import EVENTS
from brassmill.web.setup import deal_of_the_day
from brassmill.web.table import repair, sessions
from support.paths import RECORDS
from support.people import GOOD, guest_of, make_account
from support.web import make_table, no_bots, people_only, visitor
from web.test_crawl import played

pytestmark = pytest.mark.usefixtures("site")

VIRTUAL = "classic-3-virtual-link.brass"


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    """Only the games of a test, and no limits from other tests."""
    cache.clear()
    with no_bots(), mock.patch.object(filling, "PAUSE", 0):
        yield
    for table in Table.objects.filter(listed=True):
        repair.delete(table.pk)


def ended(
    name: str = VIRTUAL,
    *,
    names: tuple[str, ...] = (),
    holders: tuple[str, ...] = (),
    days: int = 0,
    listed: bool = True,
    **more: Any,
) -> Table:
    """A public game that has ended, from a recorded one."""
    text = (RECORDS / name).read_text()
    record = records.loads(text)
    edition, players = record.edition.name, len(record.seats)
    table = make_table(people_only(players), edition)
    outcome = record.outcome_of(record.game())
    assert outcome is not None
    Table.objects.filter(pk=table.pk).update(
        **{"over": True, "listed": listed, "rules": "known"} | more,
        options=dict(record.edition.changed_options),
        summary={"result": [[each.seat, each.rank, each.total] for each in outcome.ranking]},
        touched=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=days),
    )
    for number, player in enumerate(record.seats, 1):
        text = text.replace(player, f"§{number}")
    Archive.objects.filter(pk=table.pk).update(record=text)
    for seat in table.seats.all():
        seat.name = names[seat.number] if names else seat.name
        seat.holder = holders[seat.number] if holders else f"{table.pk}-{seat.number}"
        seat.save()
    sessions.forget(table.pk)
    return Table.objects.get(pk=table.pk)


def ids(**asked: str) -> list[str]:
    """The tables that a search finds, page by page."""
    found, after = [], ""
    while True:
        answer = visitor().get("/archive.json", {**asked, "after": after}).json()
        found += [game["id"] for game in answer["games"]]
        after = answer["after"]
        if not after:
            return found


# --- what gets into it ---------------------------------------------------------------------------


def test_a_game_that_ends_gets_into_the_archive_with_all_it_knows() -> None:
    table = make_table(people_only(2))
    Table.objects.filter(pk=table.pk).update(listed=True)
    session = sessions.get(table.id)
    for _step in played(session):
        assert not ArchivedGame.objects.filter(table=table).exists()
        if session.number == 3:
            filling.fill()  # a running game is not even looked at
    filling.fill()
    game = ArchivedGame.objects.get(table=table)
    outcome = session.outcome
    assert outcome is not None
    assert game.winner_vp == outcome.ranking[0].total
    assert game.margin == outcome.ranking[0].total - outcome.ranking[1].total
    assert game.actions == session.actions
    assert (game.edition, game.players, game.rounds) == ("birmingham", 2, 20)
    assert game.first_action == session.game.actions[0].text.partition("; card")[0]
    assert game.finished == table.entries.order_by("-number")[0].at
    assert [seat.player for seat in game.seats.order_by("number")] == ["ada", "ben"]
    assert ids() == [table.id]


def test_what_is_not_public_is_never_found() -> None:
    private = ended(listed=False)
    void = ended()
    Table.objects.filter(pk=void.pk).update(summary={"void": True})
    continued = ended(begun_at=4)
    secret = ended(day=deal_of_the_day.today())
    running = ended(over=False)
    filling.fill()
    assert not ArchivedGame.objects.exists() and ids() == []
    texts = [visitor().get(page).content.decode() for page in ("/archive/", "/archive.json")]
    for table in (private, void, continued, secret, running):
        assert not public.is_public(Table.objects.get(pk=table.pk))
        assert not any(table.pk in text for text in texts)
    tomorrow = deal_of_the_day.today() + timedelta(days=1)
    with mock.patch.object(deal_of_the_day, "today", return_value=tomorrow):
        filling.fill()
        assert ids() == [secret.pk]
    assert ids() == []  # what is in the index is checked again when it is shown
    Table.objects.filter(pk__in=[private.pk, running.pk]).update(listed=True)  # to be deleted


def test_a_game_that_goes_on_or_has_no_result_any_more_leaves_the_archive() -> None:
    table = make_table(people_only(2))
    Table.objects.filter(pk=table.pk).update(listed=True)
    session = sessions.get(table.id)
    for _step in played(session):
        pass
    filling.fill()
    assert ids() == [table.id]
    session.rewind(session.length - 1)
    assert ids() == [] and not ArchivedGame.objects.exists()
    for _step in played(session):
        pass
    filling.fill()
    assert ids() == [table.id]
    repair.void(table.id)
    assert ids() == [] and not ArchivedGame.objects.exists()
    filling.fill()
    assert not ArchivedGame.objects.exists()


def test_a_deleted_table_leaves_the_archive() -> None:
    table = ended()
    filling.fill()
    assert ids() == [table.pk]
    repair.delete(table.pk)
    assert ids() == [] and not ArchivedSeat.objects.exists()


def test_a_record_that_cannot_be_played_is_left_out_and_looked_at_once() -> None:
    table = ended()
    Archive.objects.filter(pk=table.pk).update(record="nonsense")
    filling.fill()
    assert ids() == [] and Table.objects.get(pk=table.pk).archived


# --- names ---------------------------------------------------------------------------------------


def test_a_renamed_player_is_found_by_the_new_name_only() -> None:
    table = ended(names=("Ada", "Ben", "Cleo"))
    filling.fill()
    assert ids(player="ADA ") == [table.pk]
    with mock.patch.object(sessions, "catch_up"):
        seat = table.seats.get(number=0)
        seat.name = "Zoe"
        seat.save()
        sessions.changed(table.pk)
    assert ids(player="ada") == [] and ids(player="zoe") == [table.pk]
    assert "Ada" not in visitor().get("/archive/").content.decode()


def test_an_account_is_linked_only_under_its_own_name() -> None:
    account = make_account("Ada")
    shown = ended(names=(account.name, "Ben", "Cleo"), holders=(account.key, "b", "c"))
    hidden = ended(names=("Secretly", "Ben", "Cleo"), holders=(account.key, "b", "c"))
    filling.fill()
    linked = ArchivedSeat.objects.filter(account=account).values_list("game__table", flat=True)
    assert list(linked) == [shown.pk]
    page = visitor().get("/archive.json").json()
    accounts = {game["id"]: game["players"] for game in page["games"]}
    assert any(player["has_account"] for player in accounts[shown.pk])
    assert not any(player["has_account"] for player in accounts[hidden.pk])


def test_a_deleted_account_vanishes_from_the_archive() -> None:
    account, other = make_account("Ada"), make_account("Ben")
    table = ended(
        names=(account.name, other.name, "Cleo"), holders=(account.key, other.key, "somebody")
    )
    filling.fill()
    assert ids(player=account.name) == [table.pk]
    guest = guest_of(account)
    assert guest.client.post("/account/delete/", {"present": GOOD}).status_code < 400
    assert ids(player=account.name) == [] and ids(player=other.name) == [table.pk]
    for page in ("/archive/", "/archive.json", "/archive/games.brass"):
        answer = visitor().get(page)
        assert account.name not in text_of(answer)


def text_of(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


# --- searching -----------------------------------------------------------------------------------


def test_every_filter_finds_what_it_says() -> None:
    virtual = ended(names=("Ada", "Ben", "Cleo"), days=1)  # 68, 66, 44 VP in 98 actions
    market = ended("lancashire-3-distant-market.brass", names=("Dan", "Ben", "Eve"), days=2)  # 88
    intro = ended("birmingham-2-intro.brass", names=("Ada", "Fay"), days=3)
    filling.fill()
    assert ids() == [intro.pk, market.pk, virtual.pk]
    assert ids(player="ben") == [market.pk, virtual.pk]
    assert ids(player="ben", edition="classic") == [virtual.pk]
    assert ids(edition="birmingham") == [intro.pk]
    assert ids(players="3") == [market.pk, virtual.pk]
    assert ids(edition="lancashire", players="3") == [market.pk]
    assert ids(edition="lancashire", players="4") == []
    assert ids(option="intro=True") == [intro.pk]
    assert ids(option="none") == [market.pk, virtual.pk]
    assert ids(least_vp="88", most_vp="88") == [market.pk]
    assert ids(most_margin="2", players="3") == [virtual.pk]
    assert ids(least_actions="98") == [virtual.pk]
    assert ids(most_rounds="10") == [intro.pk]
    assert ids(since="2026-01-03") == [intro.pk, market.pk]
    assert ids(until="2026-01-03") == [market.pk, virtual.pk]
    assert ids(since="2026-01-03", until="2026-01-03", player="Ben") == [market.pk]
    assert ids(since="2026-01-03", sort="highest", most_vp="88") != []
    assert ids(opening="develop coal") == [virtual.pk]
    assert ids(opening="loan 30;  scout") == [intro.pk]
    assert ids(opening="loan 30; loan 30") == []
    assert ids(event="distant_closed") == [market.pk]
    assert ids(event="virtual_link", edition="classic") == [virtual.pk]
    assert ids(sort="closest", players="3") == [virtual.pk, market.pk]
    by_vp = [game.table_id for game in ArchivedGame.objects.order_by("-winner_vp", "-id")]
    assert ids(sort="highest") == by_vp
    assert ids(sort="highest", player="ben") == [market.pk, virtual.pk]
    assert ids(sort="closest", player="ben") == [virtual.pk, market.pk]


def copies(number: int) -> list[int]:
    """Fill the index with copies of a game, some of them finished at the same moment."""
    table = ended()
    filling.fill()
    first = ArchivedGame.objects.get(table=table)
    for copy in range(number):
        row = ArchivedGame.objects.get(pk=first.pk)
        row.table = make_table(people_only(3), "classic", named=f"copy{token_hex(4)}")
        Table.objects.filter(pk=row.table.pk).update(
            over=True, listed=True, archived=True, summary=table.summary
        )
        row.pk, row.finished = None, first.finished + timedelta(days=copy // 3)
        row.winner_vp, row.margin, row.scout = 60 + copy % 7, copy % 5, copy % 4 == 0
        row.save()
        ArchivedSeat.objects.create(game=row, number=0, player="ada", finished=row.finished)
    return list(ArchivedGame.objects.order_by("-finished", "-id").values_list("pk", flat=True))


def pages_of(asked: GameSearch, most: int) -> list[int]:
    found: list[int] = []
    after = ""
    while True:
        page = find(asked, after, most)
        assert len(page.games) <= most
        found += page.games
        after = page.after
        if not after:
            return found


def test_pages_follow_one_another_whatever_they_are_sorted_by() -> None:
    newest = copies(20)
    for asked in (GameSearch(), GameSearch(player="ada"), GameSearch(edition="classic", players=3)):
        assert [one for one in pages_of(asked, 3) if one in newest[:20]] == [
            one for one in newest if one in pages_of(asked, 100)
        ][:20]
    games = {game.pk: game for game in ArchivedGame.objects.all()}
    for sort, key in (
        (HIGHEST, lambda one: (-games[one].winner_vp, -one)),
        (CLOSEST, lambda one: (games[one].margin, one)),
    ):
        for asked in (GameSearch(sort=sort), GameSearch(sort=sort, edition="classic")):
            assert pages_of(asked, 3) == sorted(newest, key=key)
        own = pages_of(GameSearch(sort=sort, player="ada"), 3)
        assert own == sorted(own, key=key) and len(set(own)) == len(own) == 21


def test_a_search_reads_no_more_than_its_window_and_goes_on_from_there() -> None:
    newest = copies(20)
    scouts = [one for one in newest if ArchivedGame.objects.get(pk=one).scout]
    with mock.patch.object(search, "FIRST_WINDOW", 2), mock.patch.object(search, "WINDOW", 4):
        asked = GameSearch(edition="classic", players=3, least_vp=60, event="scout", sort=NEWEST)
        assert pages_of(asked, 5) == scouts
        rare = GameSearch(least_vp=66)
        first = find(rare, "", 5)
        assert not first.is_full and first.after
        assert pages_of(rare, 5) == pages_of(rare, 100)
        with mock.patch.object(search, "WINDOW", 10_000):
            assert pages_of(rare, 5) == find(rare, "", 100).games
    assert (
        pages_of(GameSearch(edition="classic", players=3, least_vp=60, event="scout"), 2) == scouts
    )


def test_nonsense_is_left_out_of_a_search() -> None:
    table = ended()
    filling.fill()
    asked = {
        "edition": "chess", "players": "many", "least_vp": "-3", "since": "yesterday",
        "event": "id); DROP TABLE web_table", "sort": "id", "option": "%",
        "after": "9999999999999999999.x",
    }  # fmt: skip
    assert GameSearch.of(asked).asked == {}
    answer = visitor().get("/archive.json", asked)
    assert [game["id"] for game in answer.json()["games"]] == [table.pk]
    for after in ("1.2.3", "99999999999999999.1", "-5.1", ".", "é.1"):
        assert visitor().get("/archive/", {"after": after}).status_code == 200


def test_every_event_can_be_searched_for_and_has_words() -> None:
    assert set(WORDS) == set(EVENTS)
    for event in EVENTS:
        assert visitor().get("/archive/", {"event": event}).status_code == 200


# --- events --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("birmingham-2-shared-win", {"shared_win", "scout"}),
        ("birmingham-3-scouts", {"scout"}),
        ("birmingham-4-tie-by-cash", {"tie_break"}),
        ("classic-3-debt", {"debt"}),
        ("classic-3-nothing", {"passed"}),
        ("classic-3-virtual-link", {"virtual_link"}),
        ("classic-4-rival-mine", {"rival_overbuilt"}),
        ("lancashire-2-virtual-link", {"virtual_link"}),
        ("lancashire-3-distant-market", {"distant_closed"}),
        ("lancashire-4-virtual-link-to-liverpool", {"virtual_link"}),
    ],
)
def test_events_are_found_in_records(name: str, events: set[str]) -> None:
    facts = facts_of(records.load(RECORDS / f"{name}.brass"))
    assert events <= facts.events
    if "tie_break" not in events:
        assert "tie_break" not in facts.events


def test_most_games_have_no_rare_event() -> None:
    facts = facts_of(records.load(RECORDS / "lancashire-3-classic-deck.brass"))
    assert facts.events == {"passed"}


# --- a selection ---------------------------------------------------------------------------------


def test_a_selection_is_one_file_that_the_reader_takes() -> None:
    ended(names=("Ada", "Ben", "Cleo"), days=1)
    ended("lancashire-3-distant-market.brass", names=("Dan", "[Ben]", "Eve"), days=2)
    ended(names=("Fay", "Gus", "Hal"), listed=False)
    filling.fill()
    answer = visitor().get("/archive/games.brass")
    games = list(records.read(text_of(answer).splitlines()))
    assert [game.seats for game in games] == [("Dan", "[Ben]", "Eve"), ("Ada", "Ben", "Cleo")]  # type: ignore[union-attr]
    assert not any(problem for game in games for problem in game.verify())  # type: ignore[union-attr]
    chosen = text_of(visitor().get("/archive/games.brass", {"player": "ada"}))
    assert "Ada" in chosen and "Dan" not in chosen
    Table.objects.filter(listed=False, over=True).update(listed=True)  # to be deleted


def test_a_file_is_bounded_and_limited() -> None:
    copies(12)
    assert sum(map(len, parts_of(GameSearch(), 5))) < len(list(parts_of(GameSearch(), 100))) + 10
    with mock.patch.object(selection, "records_of", side_effect=lambda numbers: map(str, numbers)):
        assert len("".join(selection.texts(GameSearch(), 1))) <= 6
    client = visitor(token_hex(8))
    codes = [client.get("/archive/games.brass").status_code for _time in range(8)]
    assert codes[0] == 200 and codes[-1] == 429


def test_one_selection_is_made_at_a_time() -> None:
    client, other = visitor(token_hex(8)), visitor(token_hex(8))

    def meanwhile(_asked: GameSearch) -> list[str]:
        return [str(other.get("/archive/games.brass").status_code)]

    with mock.patch.object(selection, "texts", side_effect=meanwhile):
        assert client.get("/archive/games.brass").content == b"429"
    assert other.get("/archive/games.brass").status_code == 200


def parts_of(asked: GameSearch, most: int) -> list[str]:
    return list(selection.texts(asked, most))
