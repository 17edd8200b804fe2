"""A player's one attempt at the deal of a day.

A player is a visitor as everywhere on the site: an account, or a browser without one. Their first
attempt counts, whatever becomes of its table. When someone signs in who has played as a visitor
and with the account, only the attempt that began first remains.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from brassmill.bots import parse
from brassmill.errors import BrassError
from brassmill.play.seating import Participant
from brassmill.web.daily import deals
from brassmill.web.models import Account, Attempt, DailyDeal, Table
from brassmill.web.setup import deal_of_the_day
from brassmill.web.setup.chairs import YOU, Chair
from brassmill.web.setup.deal_of_the_day import PERSON
from brassmill.web.table.create import create_table

# Attempts without an account: as long as browsers keep a cookie, and if nothing came of them, as
# long as pages count them.
KEPT, UNFINISHED_KEPT = timedelta(days=400), timedelta(days=30)


class AlreadyBegun(BrassError):  # noqa: N818 (the name says what happened)
    """The player has had their attempt."""


def of(day: date, key: str) -> Attempt | None:
    """The attempt of a player at the deal of a day."""
    return Attempt.objects.filter(day=day, visitor=key).select_related("table").first()


def begin(key: str, name: str, **wishes: Any) -> Table:
    """Start today's deal; `AlreadyBegun` if the player has done so before."""
    deal = deals.todays_deal()
    try:
        with transaction.atomic():
            attempt = Attempt.objects.create(day=deal.day, visitor=key)
            table = _table(deal, key, name, day=deal.day, **wishes)
            attempt.table = table
            attempt.save(update_fields=["table"])
    except IntegrityError:  # before, or in another tab at this moment
        raise AlreadyBegun from None
    return table


def play_again(deal: DailyDeal, key: str, name: str, **wishes: Any) -> Table:
    """Start the published deal of a past day as an ordinary game, which counts for nothing."""
    return _table(deal, key, name, **wishes)


def person(name: str) -> Participant:
    """The person who plays; an error says what is wrong with the name."""
    return Chair(PERSON, YOU, name).seat()


def _table(deal: DailyDeal, key: str, name: str, **wishes: Any) -> Table:
    """A table of one person against the bots of the day."""
    bot = parse(deal.bot)
    names = [each for each in deal.bot_names if each.casefold() != name.casefold()]
    rivals = [Participant(bot.text, each, bot) for each in names[: deal.players - 1]]
    return create_table(
        deal.edition,
        deal.players,
        {},
        [Participant(name, name), *rivals],
        host=key,
        dealt={"deal": deal.deal, "bot_key": deal.bot_key},
        **wishes,
    )


def merge(old: str, new: str) -> int:
    """Give the attempts of one key to another; return how many there were.

    Of two at the same deal, the one that began first stays: the other was made with knowledge.
    """
    attempts = list(Attempt.objects.filter(visitor=old))
    for attempt in attempts:
        other = Attempt.objects.filter(visitor=new, day=attempt.day).first()
        if other:
            max(attempt, other, key=lambda each: (each.began, each.pk)).delete()
    Attempt.objects.filter(visitor=old).update(visitor=new)
    return len(attempts)


def forget_old() -> None:
    """Delete old attempts of visitors without an account; those that count are kept longer."""
    today = deal_of_the_day.today()
    found = Attempt.objects.exclude(visitor__in=Account.objects.values("key"))
    is_unfinished = Q(table=None) | Q(table__over=False)
    found.filter(is_unfinished, day__lt=today - UNFINISHED_KEPT).delete()
    found.filter(day__lt=today - KEPT).delete()
