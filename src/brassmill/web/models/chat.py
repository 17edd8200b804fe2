"""The chat of a table."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY
from brassmill.web.models.tables import Table


class Message(models.Model):
    """A chat message."""

    LONGEST = 500  # characters

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=20)  # the author's, at that time
    text = models.CharField(max_length=LONGEST)
    author = models.CharField(max_length=KEY, blank=True, default="", db_index=True)  # their key
    at = models.DateTimeField(default=timezone.now)
    hidden = models.BooleanField(default=False)  # from everyone, by the operator

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class Report(models.Model):
    """A visitor's complaint about a message, for the operator."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="reports")
    visitor = models.CharField(max_length=KEY)  # key of the reporting visitor
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["message", "visitor"], name="one_report"),)

    def __str__(self) -> str:
        return f"about {self.message}"
