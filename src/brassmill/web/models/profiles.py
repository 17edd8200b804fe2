"""What players show of themselves, and figures of finished games."""

from __future__ import annotations

from django.db import models

from brassmill.web.models.accounts import Account
from brassmill.web.models.tables import Table


class Profile(models.Model):
    """What a player lets others see; at first, nothing but what leaderboards show."""

    account = models.OneToOneField(Account, models.CASCADE, related_name="profile")
    results = models.BooleanField(default=False)  # games, wins and VP; the rating curve
    style = models.BooleanField(default=False)  # sources of VP, industries, merchants, openings
    games = models.BooleanField(default=False)  # best games, and against whom
    practice = models.BooleanField(default=False)  # levels beaten, puzzles

    def __str__(self) -> str:
        return f"of {self.account}"


class GameFigures(models.Model):
    """What each seat of a finished game did (`profiles/figures.py`), computed when first asked."""

    table = models.OneToOneField(Table, models.CASCADE, primary_key=True, related_name="figures")
    digest = models.CharField(max_length=64)  # of the record that they were computed from
    seats = models.JSONField()

    def __str__(self) -> str:
        return f"of {self.table_id}"
