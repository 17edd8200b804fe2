"""Notifications besides e-mails: what visitors chose, where they go, and what waits."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.accounts import SignIn
from brassmill.web.models.base import KEY
from brassmill.web.models.tables import Table


class NotificationChoices(models.Model):
    """Which events a visitor wants to be notified of, when and by which way."""

    visitor = models.CharField(max_length=KEY, unique=True)  # their key
    # The ways of each event; an event that is missing has its usual ones (`delivery/choices.py`).
    ways = models.JSONField(default=dict)
    # Quiet hours, in minutes since midnight of their time zone; the same twice: none.
    quiet_from = models.PositiveSmallIntegerField(default=0)
    quiet_until = models.PositiveSmallIntegerField(default=0)
    zone = models.CharField(max_length=64, default="UTC")
    digest = models.PositiveSmallIntegerField(null=True)  # the hour of the one e-mail a day
    language = models.CharField(max_length=2, default="en")
    calendar = models.CharField(max_length=43, blank=True, default="", db_index=True)  # its secret

    def __str__(self) -> str:
        return f"of {self.visitor[:4]}"


class PushSubscription(models.Model):
    """A browser that gets push messages."""

    visitor = models.CharField(max_length=KEY, db_index=True)
    digest = models.CharField(max_length=64, unique=True)  # of the address
    address = models.TextField()  # at the push service of the browser's maker
    key = models.CharField(max_length=120)  # the browser's public one
    secret = models.CharField(max_length=60)  # shared with the browser
    language = models.CharField(max_length=2, default="en")
    at = models.DateTimeField(default=timezone.now)
    # The sign-in it belongs to: signing out ends it.
    sign_in = models.ForeignKey(SignIn, models.CASCADE, null=True, related_name="+")

    def __str__(self) -> str:
        return f"of {self.visitor[:4]}, {self.at}"


class Webhook(models.Model):
    """An address that gets a POST when something happens at a visitor's games, or at one table."""

    DISCORD, SLACK, TELEGRAM, JSON = "discord", "slack", "telegram", "json"

    visitor = models.CharField(max_length=KEY, db_index=True)  # who added it
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="webhooks")
    form = models.CharField(max_length=10)
    address = models.TextField()
    chat = models.CharField(max_length=64, blank=True, default="")  # for Telegram
    secret = models.CharField(max_length=43)  # signs the JSON form
    language = models.CharField(max_length=2, default="en")
    is_on = models.BooleanField(default=True)
    failures = models.PositiveSmallIntegerField(default=0)  # in a row
    fault = models.CharField(max_length=200, blank=True, default="")  # of the last attempt
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.form} of {self.visitor[:4]}"


class Delivery(models.Model):
    """A notification to send, or recently sent: a push message, a webhook or a held e-mail."""

    visitor = models.CharField(max_length=KEY, db_index=True)
    push = models.ForeignKey(PushSubscription, models.CASCADE, null=True, related_name="+")
    webhook = models.ForeignKey(Webhook, models.CASCADE, null=True, related_name="deliveries")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)  # whose turn it is about
    asked = models.DateTimeField(null=True)  # since when that turn waits
    event = models.CharField(max_length=12)
    body = models.JSONField()
    at = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, default=timezone.now)  # None: sent or abandoned
    attempts = models.PositiveSmallIntegerField(default=0)
    sent = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = (
            models.Index(
                fields=["next_at"],
                condition=models.Q(next_at__isnull=False),
                name="deliveries_to_send",
            ),
        )

    def __str__(self) -> str:
        return f"{self.event} for {self.visitor[:4]}"
