"""Webhooks: a POST to an address of the player, in the form that its service reads."""

from __future__ import annotations

import hmac
import json
import secrets
from hashlib import sha256
from time import time
from typing import Any

from django.db import transaction

from brassmill.errors import BrassError
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.web.delivery import outgoing
from brassmill.web.models import Delivery, Table, Webhook

FORMS = {
    Webhook.DISCORD: "Discord",
    Webhook.SLACK: "Slack",
    Webhook.TELEGRAM: "Telegram",
    Webhook.JSON: "JSON",
}
MOST = 5  # of a visitor, or of a table
FAILURES = 8  # in a row switch it off
GONE = 410  # the receiver wants no more
VERSION = 1
REDIRECTED = N_("it leads to another address, which is not followed")


@transaction.atomic
def add(key: str, form: str, address: str, chat: str = "", table: Table | None = None) -> Webhook:
    """Store a webhook; raise an error that says what is wrong."""
    if form not in FORMS:
        raise BrassError(_("Choose who reads it."))
    outgoing.target_of(address)
    chat = chat.strip()
    if form == Webhook.TELEGRAM and not 0 < len(chat) <= 64:
        raise BrassError(_("Telegram needs the number of the chat."))
    own = Webhook.objects.filter(visitor=key)
    if own.count() >= 2 * MOST or own.filter(table=table).count() >= MOST:
        raise BrassError(_("Too many webhooks. Remove one first."))
    return Webhook.objects.create(
        visitor=key,
        table=table,
        form=form,
        address=address.strip(),
        chat=chat if form == Webhook.TELEGRAM else "",
        secret=secrets.token_urlsafe(32),
        language=language(),
    )


def remove(key: str, number: int) -> None:
    Webhook.objects.filter(visitor=key, pk=number).delete()


def switch_on(key: str, number: int) -> None:
    """Try again with a webhook that was switched off."""
    Webhook.objects.filter(visitor=key, pk=number).update(is_on=True, failures=0, fault="")


def send(webhook: Webhook, delivery: Delivery) -> int:
    """Send a notification; return the status of the answer."""
    content = json.dumps(body_of(webhook, delivery), ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json; charset=utf-8"}
    if webhook.form == Webhook.JSON:
        headers |= signed(webhook.secret, content, int(time()), delivery.pk)
    return outgoing.post(webhook.address, content, headers)


def signed(secret: str, content: bytes, now: int, number: int) -> dict[str, str]:
    """The headers that prove where a message comes from, and when it was sent."""
    mark = hmac.new(secret.encode(), f"{now}.".encode() + content, sha256).hexdigest()
    return {
        "Brassmill-Delivery": str(number),  # the same in every attempt
        "Brassmill-Timestamp": str(now),
        "Brassmill-Signature": f"sha256={mark}",
    }


def body_of(webhook: Webhook, delivery: Delivery) -> dict[str, Any]:
    """The message in the form of the webhook."""
    body = delivery.body
    link = body["site"] + body["path"] if body["site"] else ""
    words = "\n".join(filter(None, (body["title"], body["text"], link)))
    if webhook.form == Webhook.DISCORD:
        return {"content": words[:2000], "allowed_mentions": {"parse": []}}
    if webhook.form == Webhook.SLACK:
        for letter, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            words = words.replace(letter, written)
        return {"text": words}
    if webhook.form == Webhook.TELEGRAM:
        return {
            "chat_id": webhook.chat,
            "text": words,
            "link_preview_options": {"is_disabled": True},
        }
    return {
        "brassmill": VERSION,
        "event": delivery.event,
        "title": body["title"],
        "text": body["text"],
        "link": link,
        "game": delivery.table_id,
        "edition": body["edition"],
        "seat": delivery.seat,
        "player": body["player"],
        "at": delivery.at.isoformat(timespec="seconds"),
    }


def note(webhook: Webhook, fault: str, is_final: bool = False) -> None:
    """Note how an attempt went; after many failures in a row it is switched off."""
    if not fault:
        if webhook.failures or webhook.fault:
            Webhook.objects.filter(pk=webhook.pk).update(failures=0, fault="")
        return
    with transaction.atomic():
        now = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
        if now is None:
            return
        now.failures, now.fault = now.failures + 1, fault[:200]
        now.is_on = now.is_on and not is_final and now.failures < FAILURES
        now.save(update_fields=["failures", "fault", "is_on"])
