"""The game of each day, and its deal, which is made when the first player of that day starts.

A deal does not exist before its day. Of several processes that make one at once, the database
keeps the first. The bots think by numbers, never by time, and have the key of the day: two players
who play alike meet the same replies.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from brassmill.core.deal import Deal
from brassmill.editions import edition as edition_of
from brassmill.game import Game
from brassmill.position.words import SEAT_NAMES
from brassmill.web.models import DailyDeal
from brassmill.web.page.game_list import level_of, title_of
from brassmill.web.setup import deal_of_the_day
from brassmill.web.setup.chairs import names_beside
from brassmill.web.table.create import random_deal

BOT = "expert"  # plays the network's likeliest choice: no clock decides what it answers

# Edition and players, day after day; then again from the start.
ROTATION = (
    ("birmingham", 3),
    ("lancashire", 4),
    ("classic", 3),
    ("birmingham", 2),
    ("lancashire", 3),
    ("classic", 4),
    ("birmingham", 4),
    ("lancashire", 2),
)


class DailyGame(NamedTuple):
    """What is played on a day."""

    edition: str
    players: int
    bot: str  # the spec of all bots

    @property
    def title(self) -> str:
        return title_of(self.edition)

    @property
    def level(self) -> str:
        """The level of the bots in words."""
        return level_of(self.bot)


def game_of(day: date) -> DailyGame:
    """What is played on a day, by the rotation."""
    return DailyGame(*ROTATION[day.toordinal() % len(ROTATION)], BOT)


def played_on(deal: DailyDeal) -> DailyGame:
    """What was played on a day that has a deal."""
    return DailyGame(deal.edition, deal.players, deal.bot)


def todays_deal() -> DailyDeal:
    """The deal of the current day, made now if nobody has asked for it yet."""
    day = deal_of_the_day.today()
    found = DailyDeal.objects.filter(pk=day).first()
    if found:
        return found
    edition, players, bot = game_of(day)
    made, _is_new = DailyDeal.objects.get_or_create(
        day=day,
        defaults={
            "edition": edition,
            "players": players,
            "bot": bot,
            "bot_names": names_beside((), players),
            **random_deal(edition, players, {}),
        },
    )
    return made


def published(day: date) -> DailyDeal | None:
    """The deal of a day that is over; None if nobody played on that day."""
    if not deal_of_the_day.is_over(day):
        return None
    return DailyDeal.objects.filter(pk=day).first()


def record_of(deal: DailyDeal) -> str:
    """A published deal as a record without actions."""
    edition = edition_of(deal.edition, deal.players)
    seats = SEAT_NAMES[: deal.players]
    game = Game(edition, deal=Deal.from_dict(edition, deal.deal), seats=seats)
    headers = {"Event": f"Deal of the day {deal.day}", "Date": f"{deal.day}"}
    return str(game.record(headers=headers))
