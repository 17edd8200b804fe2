"""E-mails, and the addresses they go to."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY
from brassmill.web.models.tables import Seat


class Contact(models.Model):
    """A visitor's e-mail address and vacation.

    If the address may reset the password of an account, Django's user has it, too.
    """

    visitor = models.CharField(max_length=KEY, unique=True)  # their key
    address = models.EmailField(blank=True, default="")
    confirmed = models.BooleanField(default=False)  # by a link mailed to it
    wants_mail = models.BooleanField(default=True)  # about their games
    language = models.CharField(max_length=2, default="en")
    away_until = models.DateTimeField(null=True)  # on vacation
    away_year = models.PositiveSmallIntegerField(default=0)  # in which days were last taken
    away_days = models.PositiveSmallIntegerField(default=0)  # taken in that year

    def __str__(self) -> str:
        return self.address


class Refusal(models.Model):
    """An address that has opted out of all e-mails."""

    address = models.EmailField(unique=True)

    def __str__(self) -> str:
        return self.address


class Mail(models.Model):
    """An e-mail to send, or recently sent."""

    address = models.EmailField(db_index=True)
    kind = models.CharField(max_length=12)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    language = models.CharField(max_length=2)
    stop = models.TextField(blank=True, default="")  # the unsubscribe link
    # The seat it invites to, while the link is valid.
    seat = models.ForeignKey(Seat, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, default=timezone.now)  # None: sent or abandoned
    attempts = models.PositiveSmallIntegerField(default=0)
    sent = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=["next_at"], condition=models.Q(next_at__isnull=False), name="mails_to_send"
            ),
        )

    def __str__(self) -> str:
        return self.subject
