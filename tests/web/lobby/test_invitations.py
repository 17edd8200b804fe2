"""An invitation says who invites; its link is copied, shared or scanned."""

from __future__ import annotations

import re

import pytest

from brassmill.language import LANGUAGES
from brassmill.web.models import Table
from brassmill.web.page.qr_code import qr_code
from brassmill.web.table import waiting_room
from support.days import mails_to
from support.friends import Guest, set_up, tokens_of

pytestmark = pytest.mark.usefixtures("site")

LONGEST = "Wilhelmina Fairbairn"  # 20 characters
SITE = "http://testserver"


def codes_in(page: str) -> list[str]:
    """Return the QR codes of a page."""
    return re.findall(r'<svg[^>]*class="qr".*?</svg>', page, re.DOTALL)


# --- the host's name -----------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["you", "person"])
@pytest.mark.parametrize("name", ["", "   "])
def test_the_host_of_friends_needs_a_name(who: str, name: str) -> None:
    sent = {"players": "2", "who-0": who, "name-0": name, "who-1": "friend", "name-1": ""}
    before = Table.objects.count()
    answer = Guest().client.post("/new/birmingham/", sent)
    assert answer.status_code == 422 and Table.objects.count() == before
    page = answer.content.decode()
    assert "Enter a name: your friends see who invites them." in page
    assert 'aria-describedby="chair-fault-0"' in page


def test_without_friends_no_name_is_needed() -> None:
    sent = {"players": "2", "who-0": "you", "name-0": "", "who-1": "beginner"}
    assert Guest().client.post("/new/birmingham/", sent).status_code == 302
    # A friend at a seat that is not played does not count.
    assert Guest().client.post("/new/birmingham/", sent | {"who-2": "friend"}).status_code == 302


def test_the_name_is_known_the_next_time(host: Guest) -> None:
    set_up(host, "you", "friend")
    assert 'name="name-0" value="Ada"' in host.page("/new/birmingham/")


def test_invitation_lobby_and_mail_say_who_invites() -> None:
    host, ben = Guest("Wilhelmina"), Guest("Ben")
    table = set_up(host, "you", "friend", **{"listed": "yes", "name-0": LONGEST})
    (token,) = tokens_of(table)
    said = f"{LONGEST} invites you"
    assert f"<h1>{said}</h1>" in ben.page(f"/join/{token}/")
    assert said in ben.page("/lobby/") and said not in host.page("/lobby/")
    host.post(table, "invite", seat=1, address=f"{ben.key}@example.org".lower())
    mail = mails_to(ben, "invitation")[-1]
    assert mail.subject == f"{said} to a game of Brass"
    assert said in host.page(f"/t/{table.id}/"), "the words that are shared with the link"


def test_a_table_whose_host_has_left_still_invites(host: Guest, ben: Guest) -> None:
    table = set_up(host, "you", "friend", "friend", listed="yes")
    ben.sit(tokens_of(table)[0])
    waiting_room.leave(table, host.key)
    (token, *_) = tokens_of(table)
    cleo = Guest("Cleo")
    assert "<h1>You are invited to a game</h1>" in cleo.page(f"/join/{token}/")
    assert "invites you" not in cleo.page("/lobby/").partition(token)[0].rpartition("<h3>")[2]


# --- the QR code ---------------------------------------------------------------------------------


def test_the_host_sees_a_code_for_each_free_seat_and_nobody_else_does(
    host: Guest, ben: Guest
) -> None:
    table = set_up(host, "you", "friend", "friend")
    first, second = tokens_of(table)
    page = host.page(f"/t/{table.id}/")
    assert codes_in(page) == [qr_code(f"{SITE}/join/{token}/") for token in (first, second)]
    ben.sit(first)
    assert codes_in(host.page(f"/t/{table.id}/")) == [qr_code(f"{SITE}/join/{second}/")]
    for guest in (ben, Guest("stranger")):
        assert not codes_in(guest.page(f"/t/{table.id}/"))


def test_a_new_link_has_a_new_code(host: Guest) -> None:
    table = set_up(host, "you", "friend")
    before = codes_in(host.page(f"/t/{table.id}/"))
    host.post(table, "gather", renew="1")
    after = codes_in(host.page(f"/t/{table.id}/"))
    assert len(before) == len(after) == 1 and before != after


def test_a_seat_moves_to_a_phone_by_its_code(host: Guest) -> None:
    table = set_up(host, "you", "apprentice")
    page = host.client.post(f"/t/{table.id}/device/", {"seat": "0"}).content.decode()
    (link,) = re.findall(r'id="link" readonly value="([^"]+)"', page)
    assert codes_in(page) == [qr_code(link)]


def test_a_code_is_plain_svg_that_the_security_policy_allows() -> None:
    code = qr_code(f"{SITE}/join/{'x' * 90}/")
    assert set(re.findall(r"<(\w+)", code)) == {"svg", "path"}
    assert "style" not in code and "script" not in code
    assert 'fill="#fff"' in code and 'stroke="#000"' in code, "dark on light in every theme"
    side = int(re.findall(r'viewBox="0 0 (\d+) \1"', code)[0])
    assert (side - 8 - 17) % 4 == 0, "modules of a QR code, and four of quiet on each side"


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "Ada invites you"), ("de", "Ada lädt dich ein"), ("fr", "Ada vous invite")],
)
def test_the_guest_reads_it_in_their_language(host: Guest, code: str, said: str) -> None:
    assert code in LANGUAGES
    (token,) = tokens_of(set_up(host, "you", "friend"))
    guest = Guest()
    guest.client.cookies["language"] = code
    assert f"<h1>{said}</h1>" in guest.page(f"/join/{token}/")
