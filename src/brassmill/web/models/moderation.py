"""Reports of players."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY
from brassmill.web.models.tables import Table


class PlayerReport(models.Model):
    """A visitor's complaint about a player, for the operators, and their answer."""

    LONGEST = 500  # characters, of the complaint and of the answer

    OPEN, RESOLVED, DISMISSED = "open", "resolved", "dismissed"
    STATES = ((OPEN, OPEN), (RESOLVED, RESOLVED), (DISMISSED, DISMISSED))
    REASONS = tuple(
        (reason, reason)
        for reason in ("insults", "cheating", "program", "stalling", "name", "other")
    )

    visitor = models.CharField(max_length=KEY, db_index=True)  # key of who reports
    about = models.CharField(max_length=KEY, db_index=True)  # key of the player
    name = models.CharField(max_length=150)  # the player's, at that time
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=12, choices=REASONS)
    text = models.CharField(max_length=LONGEST, blank=True)
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=12, choices=STATES, default=OPEN, db_index=True)
    answer = models.CharField(max_length=LONGEST, blank=True)  # the operator's, to who reported
    answered = models.DateTimeField(null=True)
    read = models.BooleanField(default=True)  # the answer, by who reported

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"
