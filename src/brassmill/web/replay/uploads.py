"""The room for uploaded records, and how long they are kept.

Without an account a visitor is a cookie, and a new cookie is a new visitor. So the records of a
network have a total, too, and so has the whole site. Visitors without an account and accounts are
counted apart, so that neither takes the others' room. Records without an account are deleted after
some weeks, the oldest also earlier if their room is full.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.http import HttpRequest

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.identity import blocks
from brassmill.web.identity.visitor import visitor
from brassmill.web.models import Account, Upload
from brassmill.web.server import database

KEPT = timedelta(days=90)  # without an account
MOST = 100  # records per visitor
MEGABYTE = 1_000_000
MOST_OF_NETWORK = 50 * MEGABYTE  # bytes; a whole club may share one
MOST_OF_SITE = 500 * MEGABYTE  # of accounts, and as much of visitors without one


def keep(request: HttpRequest, name: str, text: str) -> Upload:
    """Store a record of a visitor; an error says why there is no room for it."""
    owner, network, size = visitor(request), blocks.network_hash(request), len(text.encode())
    has_account = Account.objects.filter(key=owner).exists()
    counted = _of_accounts() if has_account else _without_account()
    if Upload.objects.filter(visitor=owner).count() >= MOST:
        raise BrassError(_("You have uploaded {most} records: delete one first.").format(most=MOST))
    if network and _total(counted.filter(network=network)) + size > MOST_OF_NETWORK:
        words = _(
            "{most} MB of records have been uploaded over your internet connection: that is the "
            "limit. Delete some of yours, or try again in a few weeks."
        )
        raise BrassError(words.format(most=MOST_OF_NETWORK // MEGABYTE))
    missing = _total(counted) + size - MOST_OF_SITE
    if missing > 0 and has_account:
        words = _(
            "This server has no room for more records. Delete one of yours, or try again later."
        )
        raise BrassError(words)
    with transaction.atomic():
        if missing > 0:
            _delete_oldest(missing)
        return Upload.objects.create(
            visitor=owner, name=name, text=text, size=size, network=network
        )


def _of_accounts() -> QuerySet[Upload]:
    return Upload.objects.filter(visitor__in=Account.objects.values("key"))


def _without_account() -> QuerySet[Upload]:
    return Upload.objects.exclude(visitor__in=Account.objects.values("key"))


def _total(records: QuerySet[Upload]) -> int:
    """The bytes of all these records."""
    return records.aggregate(total=Sum("size"))["total"] or 0


def _delete_oldest(missing: int) -> None:
    """Delete records of visitors without an account until there is enough room."""
    oldest = []
    for number, size in _without_account().order_by("at").values_list("pk", "size"):
        if missing <= 0:
            break
        oldest.append(number)
        missing -= size
    Upload.objects.filter(pk__in=oldest).delete()


def forget_old() -> None:
    """Delete the old records of visitors without an account."""
    _without_account().filter(at__lt=database.now() - KEPT).delete()
