"""What the processes of a server tell each other."""

from __future__ import annotations

from django.db import models


class PendingNotification(models.Model):
    """A notification for the server from another process that changed its SQLite file."""

    word = models.CharField(max_length=8)
    table_id = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"{self.word} {self.table_id}"


class Pulse(models.Model):
    """The last heartbeat of any process."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.at.isoformat()
