"""The deal of the day."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY
from brassmill.web.models.tables import Table


class DailyDeal(models.Model):
    """The deal of a day: the same cards and the same bots for everyone on this server."""

    day = models.DateField(primary_key=True)  # UTC
    edition = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    deal = models.JSONField()  # by names (`Deal.to_dict`); secret until the day is over
    bot = models.CharField(max_length=200)  # the spec of all bots
    bot_key = models.CharField(max_length=32)  # 128 bits for them, as in an `Archive`
    bot_names = models.JSONField()  # as many as players, in case one is the person's own name

    def __str__(self) -> str:
        return f"{self.day}"  # not the deal


class Attempt(models.Model):
    """A player's only attempt at the deal of a day; it stays when its table is deleted."""

    day = models.DateField()
    visitor = models.CharField(max_length=KEY, db_index=True)  # the player's key
    table = models.OneToOneField(Table, models.SET_NULL, null=True, related_name="attempt")
    began = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["day", "visitor"], name="one_attempt"),)

    def __str__(self) -> str:
        return f"at {self.day}, {self.table_id}"
