"""Stories: a game over several days, from the e-mailed invitation to the e-mailed result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random

import pytest
from django.conf import settings
from django.core import mail as outbox
from django.core.cache import cache
from playwright.sync_api import expect

from brassmill.play.host import Host
from brassmill.web.mail import queue
from brassmill.web.models import Mail, Table
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from stories.test_accessibility import violations
from stories.test_friends import links_in, sit_down
from stories.test_friends import set_up as set_up_in_browser
from support.browser import Visitor, wait_for_turn
from support.days import HOST, Time, let_bots_play, mails_to, path_in, row
from support.friends import Guest, set_up
from support.web import no_bots

pytestmark = pytest.mark.usefixtures("site")

Visit = Callable[..., Visitor]


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    """A test-controlled clock, with e-mails kept in memory."""
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.locmem.EmailBackend")
    monkeypatch.setattr(outbox, "outbox", [], raising=False)
    monkeypatch.setattr(queue, "KEPT", timedelta(days=365))
    Mail.objects.all().delete()
    with no_bots():
        yield Time(monkeypatch)
    Mail.objects.all().delete()


class Friend(Guest):
    """A player who takes a turn when an e-mail asks them to, about as well as a beginner."""

    @property
    def address(self) -> str:
        return f"{self.key}@example.org".lower()

    def newest(self, kind: str) -> str:
        return mails_to(self, kind)[-1].text

    def play(self, session: TableSession, host: Host) -> None:
        """Take a turn click by click, as the page would post it."""
        seat = session.to_move
        while session.to_move == seat and not session.over:
            data = self.data(session.table)
            assert data["your_turn"]
            if data["asked"] == "turn over":
                self.post(session.table, "end", number=data["number"])
                return
            choice = " ".join(map(str, host.ask(session.game.copy())))
            self.post(session.table, "choose", number=data["number"], choice=choice)
            assert session.length


@pytest.mark.slow
def test_a_game_over_days(time: Time) -> None:
    Mail.objects.all().delete()  # from other tests
    ada, ben, cleo = Friend("Ada"), Friend("Ben"), Friend("Cleo")
    friends, rng = (ada, ben, cleo), Random(3)
    # Ada enters her own address and invites the others by e-mail.
    ada.client.post("/mails/", {"address": ada.address})
    ada.client.post(path_in(ada.newest("confirmation"), "/confirm/"))
    wishes = {"clock": "turn-1d", "standby": "beginner", "notice": "later", "intro": "True"}
    table = set_up(ada, "you", "friend", "friend", edition="lancashire", **wishes)
    for seat, friend in ((1, ben), (2, cleo)):
        ada.post(table, "invite", seat=seat, address=friend.address)
        answer = {"name": friend.name, "tell": "yes"}
        friend.client.post(path_in(friend.newest("invitation"), "/join/"), answer)
    session = sessions.get(table.id)
    assert not session.table.gathering
    host = Host.of(["beginner"] * 3, session.game.edition, seed=1)
    left = has_returned = vacation = False
    told = set()  # turns that took long enough for a notification
    try:
        while not sessions.get(table.id).over:
            if session.mover_is_bot:
                let_bots_play(session)
                continue
            mover = friends[session.to_move or 0]
            if mover is ben and session.game.round == 3 and not left:
                left = True
                told.add(session.waiting)
                time.passes(hours=19)
                assert "running out" in ben.newest("time") and "beginner" in ben.newest("time")
                time.passes(hours=6)  # and Ben has not come
                assert "a bot now plays for you" in ben.newest("bot")
                assert session.bots[1] == "beginner"
                continue
            if left and not has_returned and session.game.round >= 5:
                has_returned = True
                page = ben.client.get(path_in(ben.newest("bot"), "/seat/"), follow=True)
                assert "Take my seat back" in page.content.decode()
                ben.post(table, "return", seat=1)
                assert not session.bots[1]
                continue
            if mover is cleo and session.game.round == 4 and not vacation:
                vacation = True
                cleo.client.post("/mails/away/", {"days": 5})
                time.passes(days=4)
                assert not session.bots[2], "she may be away"
            time.passes(hours=rng.uniform(0.1, 20))
            if row(table).asked < time.now - timedelta(minutes=10):
                told.add(session.waiting)
                path = path_in(mover.newest("turn"), "/seat/")
                assert mover.client.get(path)["Location"] == f"/t/{table.id}/"
            mover.play(session, host)
    finally:
        host.close()
    assert left and has_returned and vacation
    queue.send_due()
    for friend in friends:
        (over,) = mails_to(friend, "over")
        assert "is over" in over.text and all(each.name in over.text for each in friends)
        result = friend.page(path_in(over.text, "/result/"))
        assert "Ada" in result
    addresses = [friend.address for friend in friends]
    kinds = [mail.kind for mail in Mail.objects.filter(address__in=addresses)]
    assert kinds.count("turn") == len(told) and kinds.count("bot") == 1
    while Mail.objects.filter(next_at__lte=time.now).exists():
        queue.send_due()
    sent = [mail for mail in outbox.outbox if mail.to[0] in addresses]
    assert len(sent) == len(kinds), "each was sent, and once"
    done = [line.text for part in session.history for line in part.lines(session.game.seats)]
    assert "ran out of time" in done and "is back" in done


# --- in the browser ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_clock_is_shown_and_a_player_leaves_and_comes_back(visit: Visit) -> None:
    ada, ben = visit(), visit()
    home = set_up_in_browser(ada, "Ada", ["you", "friend"])
    (link,) = links_in(home)
    home.get_by_text("E-mail the link").click()
    home.get_by_label("E-mail address of your friend").fill("ben@example.org")
    home.get_by_role("button", name="Send", exact=True).click()
    expect(home.get_by_role("status").filter(has_text="on its way")).to_be_visible()
    assert violations(home) == []
    table = home.url.rstrip("/").rpartition("/")[2]
    Table.objects.filter(pk=table).update(clock="turn-1h")  # as if chosen in the form
    afar = sit_down(ben, link, "Ben")
    session = sessions.get(table)
    pages = (home, afar)
    page, other = (pages[session.to_move or 0], pages[1 - (session.to_move or 0)])
    wait_for_turn(page)
    dial = page.locator(".times .dial")
    before = dial.text_content()
    assert before and before.startswith(("59:", "1:00:"))
    page.wait_for_function(
        "(before) => document.querySelector('.times .dial').textContent !== before", arg=before
    )
    expect(other.locator("#players .dial.runs")).to_have_count(1)
    # A poll without news does not reset it.
    before = dial.text_content()
    with page.expect_response("**/part/**"):
        page.evaluate("() => htmx.trigger('#refresh', 'refresh')")
    page.wait_for_function(
        "(before) => document.querySelector('.times .dial').textContent !== before", arg=before
    )
    assert (dial.text_content() or "") < (before or "")
    # The page was open before the game started: its menu can still leave the game.
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave game").click()
    page.get_by_role("button", name="Let a bot take over").click()
    expect(page.get_by_role("button", name="Take my seat back")).to_be_visible()
    expect(page.locator(":popover-open")).to_have_count(0)
    expect(other.locator("#players")).to_contain_text("apprentice playing")
    expect(other.locator("#lines")).to_contain_text("left the game")
    wait_for_turn(other)
    page.get_by_role("button", name="Take my seat back").click()
    expect(other.locator("#lines")).to_contain_text("is back")
    expect(page.get_by_role("button", name="Take my seat back")).to_have_count(0)
    expect(page.locator("#players")).not_to_contain_text("playing")
    expect(other.locator(".times .dial")).to_be_visible()
    assert "Your turn" in other.title()
    assert violations(other) == []
    other.goto("/mails/")
    assert violations(other) == []
