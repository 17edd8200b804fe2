"""E-mails: queued with their event, sent once by one process, and only to readers who want them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_string
from os import utime
from pathlib import Path
from secrets import token_hex
from smtplib import SMTPRecipientsRefused
from stat import S_IMODE
from unittest import mock

import pytest
from django.conf import settings
from django.core import mail as outbox
from django.core.cache import cache
from django.db import transaction
from django.test import RequestFactory

from brassmill.errors import BrassError
from brassmill.web.accounts import accounts
from brassmill.web.mail import addresses as mail_addresses
from brassmill.web.mail import queue
from brassmill.web.models import Block, Contact, Mail, Refusal
from brassmill.web.page.game_list import title_of
from brassmill.web.server import mail_backend, site_url
from brassmill.web.table import sessions, vacation
from support.days import HOST, Time, give_address, mails_to, path_in
from support.friends import Guest, at_table, set_up, tokens_of
from support.people import GOOD
from support.web import hidden_words, no_bots, play_turn

pytestmark = pytest.mark.usefixtures("site")

LOCMEM = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cache.clear()
    monkeypatch.setattr(settings, "SITE", HOST)
    monkeypatch.setattr(settings, "EMAIL_BACKEND", LOCMEM)
    monkeypatch.setattr(outbox, "outbox", [], raising=False)
    Mail.objects.all().delete()
    yield
    Mail.objects.all().delete()


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


# --- queue ---------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the e-mails when no mail server is configured."""
    for name, value in mail_backend.settings_of("", tmp_path).items():
        monkeypatch.setattr(settings, name, value, raising=False)
    return Path(mail_backend.folder())


def test_a_mail_is_queued_with_its_transaction_or_not_at_all() -> None:
    with transaction.atomic():
        queue.send("ada@example.org", "S", "T", "en")
        transaction.set_rollback(True)
    assert not Mail.objects.exists() and not outbox.outbox


def test_a_mail_is_sent_once(time: Time) -> None:
    queue.send(
        "ada@example.org", "Ein\r\nBcc: eve@example.org", "Text", "de", stop="https://x/stop"
    )
    assert not outbox.outbox, "not by who writes it"
    queue.send_due()
    queue.send_due()
    (sent,) = outbox.outbox
    assert sent.to == ["ada@example.org"] and sent.subject == "Ein Bcc: eve@example.org"
    message = sent.message()
    assert message["Bcc"] is None and message["Content-Language"] == "de"
    assert message["List-Unsubscribe"] == "<https://x/stop>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    kept = Mail.objects.get()
    assert kept.sent == time.now and kept.next_at is None
    time.now += queue.KEPT + queue.PAUSE
    queue.send_due()
    assert not Mail.objects.exists(), "it is not kept for ever"


def test_a_mail_is_not_sent_if_its_reader_unsubscribed_meanwhile() -> None:
    queue.send("ada@example.org", "S", "T", "en")
    mail_addresses.refuse("Ada@example.org")
    queue.send_due()
    mail_addresses.allow("ada@example.org")
    queue.send_due()
    assert not outbox.outbox and Mail.objects.get().next_at is None


def test_the_link_of_a_long_address_is_kept() -> None:
    address = f"{'x' * 64}@{'.'.join(['y' * 61] * 3)}.org"
    field = Mail._meta.get_field("stop")
    ada = Guest("Ada")
    assert ada.client.post("/mails/", {"address": address}).status_code == 302
    mail = Mail.objects.get()
    assert len(mail.stop) > 300 and field.max_length is None
    assert mail_addresses.to_stop(mail.stop.split("/")[-2]) == address


def test_of_two_processes_only_one_sends_a_mail(time: Time) -> None:
    queue.send("ada@example.org", "S", "T", "en")
    seen = Mail.objects.get()
    queue._try(Mail.objects.get())
    queue._try(seen)  # another process had read it before
    assert len(outbox.outbox) == 1


def test_a_failed_mail_is_retried_at_growing_intervals_and_abandoned(
    time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    queue.send("ada@example.org", "S", "T", "en")
    pauses = []
    with mock.patch("django.core.mail.EmailMessage.send", side_effect=OSError("no server")) as send:
        while (kept := Mail.objects.get()).next_at:
            pauses.append(kept.next_at - time.now)
            time.now = kept.next_at
            queue.send_due()
            queue.send_due()
    assert send.call_count == queue.ATTEMPTS == Mail.objects.get().attempts
    assert pauses[1:] == sorted(pauses[1:]) and pauses[-1] > pauses[1] * 10
    assert Mail.objects.get().sent is None
    assert "no server" in caplog.text and "giving up" in caplog.text
    assert "ada@example.org" not in caplog.text


@pytest.mark.parametrize(("code", "is_tried_again"), [(451, True), (550, False)])
def test_an_address_refused_for_good_is_not_tried_again_nor_named_in_the_log(
    code: int, is_tried_again: bool, caplog: pytest.LogCaptureFixture
) -> None:
    queue.send("ada@example.org", "S", "T", "en")
    refused = SMTPRecipientsRefused({"ada@example.org": (code, b"<ada@example.org> refused")})
    with mock.patch("django.core.mail.EmailMessage.send", side_effect=refused):
        queue.send_due()
    assert bool(Mail.objects.get().next_at) == is_tried_again
    assert ("will retry" if is_tried_again else "giving up") in caplog.text
    assert str(code) in caplog.text and "ada@example.org" not in caplog.text


def test_by_default_mails_are_files_in_the_home_folder(files: Path) -> None:
    files.mkdir(mode=0o755)
    mail_backend.make_folder()
    assert S_IMODE(files.stat().st_mode) == 0o700, "its owner reads them, and nobody else"
    queue.send("ada@example.org", "Größe", "Äpfel\n", "de")
    queue.send_due()
    (file,) = files.iterdir()
    message = message_from_string(file.read_text())
    assert message["To"] == "ada@example.org"


def test_mail_files_are_private(files: Path) -> None:
    queue.send("a@example.org", "Hello", "text", "en")
    queue.send_due()
    assert [S_IMODE(file.stat().st_mode) for file in files.iterdir()] == [0o600]


def test_mail_files_are_deleted_though_their_rows_are_gone(files: Path) -> None:
    queue.send("a@example.org", "Hello", "text", "en")
    queue.send_due()
    Mail.objects.all().delete()  # with the account
    (file,) = files.iterdir()
    old = (datetime.now() - timedelta(days=8)).timestamp()
    utime(file, (old, old))
    queue.send_due()
    assert not list(files.iterdir())


def test_mail_files_are_deleted_with_old_mails(files: Path, time: Time) -> None:
    for name in ("Ada", "Ben"):
        queue.send(f"{name}@example.org", "S", "T", "en")
        queue.send_due()
    young, old = sorted(files.iterdir(), key=lambda file: "Ada" in file.read_text())
    for file, days in ((old, 8), (young, 1)):
        utime(file, (moment := (datetime.now() - timedelta(days=days)).timestamp(), moment))
    Mail.objects.filter(address="Ada@example.org").update(at=time.now - timedelta(days=8))
    queue.send_due()
    assert list(files.iterdir()) == [young] and Mail.objects.get().address == "Ben@example.org"


def test_an_unwritable_mail_folder_blocks_nothing_else(
    files: Path, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    files.write_text("no folder")
    for name in ("Ada", "Ben"):
        queue.send(f"{name}@example.org", "S", "T", "en")
    queue.send_due()
    assert {mail.attempts for mail in Mail.objects.all()} == {1}
    assert "will retry" in caplog.text


# --- configuration -------------------------------------------------------------------------------


def test_a_mail_server_is_configured_by_a_url(tmp_path: Path) -> None:
    found = mail_backend.settings_of("smtp://me%40x:p%2Fw@mail.example:2525/?tls=1", tmp_path)
    assert found == {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "mail.example",
        "EMAIL_PORT": 2525,
        "EMAIL_HOST_USER": "me@x",
        "EMAIL_HOST_PASSWORD": "p/w",
        "EMAIL_USE_TLS": True,
        "EMAIL_USE_SSL": False,
        "EMAIL_TIMEOUT": mail_backend.PATIENCE,
    }
    assert mail_backend.settings_of("smtps://mail.example", tmp_path)["EMAIL_PORT"] == 465


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mail.example:25", "must begin with smtp://"),
        ("http://mail.example", "must begin with smtp://"),
        ("smtp://", "names no server"),
        ("smtp://mail.example:port", "[Pp]ort"),
        ("smtp://mail.example/?tls=yes", "only tls=1"),
        ("smtp://mail.example/?ssl=1", "only tls=1"),
        ("smtps://mail.example/?tls=1", "leave out tls=1"),
    ],
)
def test_an_invalid_mail_url_explains_the_right_form(url: str, reason: str) -> None:
    with pytest.raises(BrassError, match=reason) as refused:
        mail_backend.settings_of(url, Path())
    assert "BRASSMILL_EMAIL_URL" in str(refused.value)
    assert "smtp://NAME:PASSWORD@HOST:587/?tls=1" in str(refused.value)


def test_the_site_address_must_be_valid() -> None:
    assert site_url.read("https://brass.example/") == "https://brass.example"
    assert site_url.read("") == ""
    for url in ("brass.example", "ftp://brass.example", "https://", "https://[x"):
        with pytest.raises(BrassError, match="BRASSMILL_URL"):
            site_url.read(url)


def test_links_use_a_name_of_this_site_or_no_mail_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "SITE", "")
    ada = Guest("Ada")
    assert set_up(ada).site == "http://testserver"
    ada.client.defaults["HTTP_HOST"] = "testserver:9999"
    assert set_up(ada).site == "http://testserver", "a port that the visitor made up"
    request = RequestFactory().get("/", headers={"Host": "testserver:9999"})
    request.META["SERVER_PORT"] = "8000"
    assert site_url.of_request(request) == "http://testserver:8000"
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["*"])
    ada.client.defaults["HTTP_HOST"] = "evil.example"
    table = set_up(ada)
    assert table.site == ""
    assert "by mail" not in ada.page(f"/t/{table.id}/")
    answer = ada.post(table, "invite", seat=1, address="ben@example.org")
    assert "does not know its own address" in answer.content.decode()
    assert ada.client.post("/mails/", {"address": "ada@example.org"}).status_code == 422
    assert not Mail.objects.exists()


# --- own address ---------------------------------------------------------------------------------


def test_an_address_is_used_once_its_reader_confirms_it() -> None:
    ada = Guest("Ada")
    address = f"{ada.key}@example.org".lower()
    assert ada.client.post("/mails/", {"address": f" {address} "}).status_code == 302
    assert not mail_addresses.reached(ada.key)
    assert "Not confirmed yet" in ada.page("/mails/")
    (asked,) = mails_to(ada)
    reader = Guest("Reader")  # the e-mail is read in another browser
    path = path_in(asked.text, "confirm")
    assert "Yes, e-mail me" in reader.page(path)
    assert not mail_addresses.reached(ada.key), "what looks at links changes nothing"
    assert "when it is your turn" in reader.client.post(path).content.decode()
    contact = mail_addresses.reached(ada.key)
    assert contact and contact.address == address and not mail_addresses.reached(reader.key)
    assert "E-mails go to this address" in ada.page("/mails/")
    assert ada.client.get("/mails.json").json()["confirmed"]
    ada.client.post("/mails/", {"address": address})
    assert mail_addresses.reached(ada.key) and len(mails_to(ada)) == 1, "nothing is asked twice"


def test_a_wrong_or_forged_link_confirms_nothing() -> None:
    ada = Guest("Ada")
    ada.client.post("/mails/", {"address": "first@example.org"})
    path = path_in(Mail.objects.get().text, "confirm")
    ada.client.post("/mails/", {"address": "second@example.org"})
    for wrong in (path, path[:-3] + "x/", "/mails/confirm/x/", "/mails/stop/x/"):
        assert ada.client.post(wrong).status_code == 404
    assert not mail_addresses.reached(ada.key)


@pytest.mark.parametrize(
    "typed", ["", "ada", "ada@", "a@b.c\nBcc: x@y.z", "a b@c.de", "@", "x" * 300]
)
def test_an_invalid_address_is_explained_and_kept_as_typed(typed: str) -> None:
    ada = Guest("Ada")
    answer = ada.client.post("/mails/", {"address": typed})
    assert answer.status_code == 422 and "name@example.org" in answer.content.decode()
    assert not Mail.objects.exists() and not Contact.objects.filter(visitor=ada.key).exists()


def test_unasked_mails_are_limited() -> None:
    """An address gets only a few a day, and a visitor may ask for some."""
    for number in range(mail_addresses.MOST + 2):
        Guest(f"G{number}").client.post("/mails/", {"address": "victim@example.org"})
    assert Mail.objects.filter(address="victim@example.org").count() == mail_addresses.MOST
    eve = Guest("Eve")
    answers = [
        eve.client.post("/mails/", {"address": f"v{number}@example.org"}).status_code
        for number in range(15)
    ]
    assert answers[0] == 302 and answers[-1] == 429


def test_an_address_can_be_removed() -> None:
    ada = Guest("Ada")
    give_address(ada)
    ada.client.post("/mails/", {"forget": "1"})
    assert not mail_addresses.reached(ada.key) and mail_addresses.of(ada.key).address == ""


def test_an_unsubscribed_address_gets_no_mails_until_it_resubscribes() -> None:
    ada = Guest("Ada")
    contact = give_address(ada)
    path = f"/mails/stop/{mail_addresses.stopping(contact.address)}/"
    program = Guest().client  # a mail program
    program.handler.enforce_csrf_checks = True
    assert program.get(path).status_code == 200 and mail_addresses.reached(ada.key)
    assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not mail_addresses.reached(ada.key)
    host = Guest("Host")
    table = set_up(host)
    answer = host.post(table, "invite", seat=1, address=contact.address.upper())
    assert "has unsubscribed" in answer.content.decode()
    assert not Mail.objects.exists()
    program.post(path, {"again": "1"})
    assert mail_addresses.reached(ada.key) and not Refusal.objects.filter(address=contact.address)


def test_two_keys_of_a_person_share_one_vacation() -> None:
    old, new = Guest("Old"), Guest("New")
    vacation.leave(new.key, 3)
    vacation.come_back(new.key)
    vacation.leave(old.key, 20)
    give_address(old)
    mail_addresses.move(old.key, new.key)
    both = mail_addresses.of(new.key)
    assert both.away_days == 20 and both.away_until and both.address
    assert not Contact.objects.filter(visitor=old.key).exists()


def test_an_unconfirmed_address_moves_with_its_person() -> None:
    ada = Guest("Ada")
    ada.client.post("/mails/", {"address": "ada@example.org"})
    mail_addresses.move(ada.key, "another")
    ada.client.post(path_in(Mail.objects.get().text, "confirm"))
    assert mail_addresses.reached("another") and not mail_addresses.reached(ada.key)
    mail_addresses.erase("another")


def test_a_blocked_visitor_sends_no_mails() -> None:
    ada = Guest("Ada")
    table = set_up(ada)
    block = Block.objects.create(visitor=ada.key, name="Ada")
    assert ada.post(table, "invite", seat=1, address="a@example.org").status_code == 403
    assert ada.client.post("/mails/", {"address": "a@example.org"}).status_code == 403
    assert not Mail.objects.exists()
    block.delete()


# --- passwords -----------------------------------------------------------------------------------


def test_an_address_gets_one_limited_mail_for_all_its_accounts() -> None:
    address = f"{token_hex(4)}@example.org"
    names = [f"Ada{token_hex(3)}" for _ in range(3)]
    for name in names:
        accounts.create(name, GOOD, accounts.Address(address))
    for _ in range(mail_addresses.MOST + 2):
        cache.clear()
        answer = Guest().client.post("/forgotten/", {"address": address})
        assert answer.status_code == 200 and "on its way" in answer.content.decode()
        queue.write_waiting()
    mails = Mail.objects.filter(address=address, kind="password")
    assert mails.count() == mail_addresses.MOST
    text = mails[0].text
    assert all(name in text for name in names) and text.count("/forgotten/") == 3
    assert "/mails/stop/" in text and mails[0].stop in text
    mails.delete()
    mail_addresses.refuse(address)
    assert Guest().client.post("/forgotten/", {"address": address}).status_code == 200
    queue.write_waiting()
    assert not mails.all().exists()
    mail_addresses.allow(address)


# --- secrets -------------------------------------------------------------------------------------


def test_mails_and_pages_reveal_no_address_and_nothing_hidden(time: Time) -> None:
    guests = ada, ben = Guest("Ada"), Guest("Ben")
    table = at_table(ada, ben, notice="at once", clock="turn-1d", hands="covered")
    addresses = [give_address(guest).address for guest in guests]
    session = sessions.get(table.id)
    hands: set[str] = set()
    for _turn in range(4):
        hands |= {card for seat in (0, 1) for card in session.view(seat).hand or {}}
        time.passes(hours=20)  # they are notified of their turn and of the time running out
        play_turn(session)
    with no_bots():
        time.passes(days=2)  # a bot takes the seat
        sessions.get(table.id).void()
    kinds = set()
    for guest, other in ((ada, addresses[1]), (ben, addresses[0])):
        for mail in mails_to(guest):
            kinds.add(mail.kind)
            text = mail.subject + mail.text
            assert not [word for word in [other, *hidden_words(table)] if word in text]
            assert all(each.key not in text for each in guests)
            told = text.replace(title_of(table.edition), "")  # a card has the same name
            assert not [card for card in hands if card in told]
    assert kinds >= {"turn", "time", "bot", "over"}
    stranger = Guest()
    for guest, other in ((ada, addresses[1]), (ben, addresses[0]), (stranger, addresses[0])):
        for path in (f"/t/{table.id}/", f"/t/{table.id}.json", "/", "/index.json", "/mails.json"):
            assert other not in guest.page(path)
    assert addresses[0] in ada.page("/mails.json") and addresses[0] not in ada.page("/index.json")


def test_the_link_of_a_mail_opens_the_seat_and_moves_it_to_another_device(time: Time) -> None:
    ada, ben, phone = Guest("Ada"), Guest("Ben"), Guest("Phone")
    table = at_table(ada, ben, notice="at once")
    for guest in (ada, ben):
        give_address(guest)
    time.passes(minutes=1)
    mover = (ada, ben)[sessions.get(table.id).to_move or 0]
    (mail,) = mails_to(mover, "turn")
    path = path_in(mail.text, "/seat/")
    assert mover.client.get(path)["Location"] == f"/t/{table.id}/"
    assert "Move the seat here" in phone.page(path)
    assert not phone.data(table)["held"], "to look at it changes nothing"
    assert phone.client.post(path).status_code == 302
    assert phone.data(table)["held"] and not mover.data(table)["held"]
    found = mail_addresses.reached(phone.key)
    assert found and found.address == mail.address, "a player who has the link reads that address"
    for late in (mover, Guest()):
        assert late.client.post(path).status_code == 404, "it is used up"
    assert phone.client.post(path[:-4] + "x/").status_code == 404


def test_tokens_cannot_be_used_for_anything_else() -> None:
    ada = Guest("Ada")
    table = set_up(ada)
    token = tokens_of(table)[0]
    for path in ("/seat/", "/move/", "/mails/confirm/", "/mails/stop/"):
        assert Guest().client.post(f"{path}{token}/").status_code == 404


def test_an_address_that_looks_like_another_is_refused() -> None:
    with pytest.raises(BrassError, match="not an e-mail address"):
        queue.address_in("bo\N{LATIN SMALL LETTER LONG S}s@example.org")
