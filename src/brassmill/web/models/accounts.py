"""Accounts, and whom the operator has blocked."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY, key


class Account(models.Model):
    """What an account has besides Django's user, which has the password.

    The key is read from here, never from a cookie, so it works only while signed in.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE)
    name = models.CharField(max_length=150)  # as typed; Django's user has it in lower case
    key = models.CharField(max_length=KEY, unique=True, default=key)  # the visitor's
    program = models.BooleanField(default=False)  # a program plays with it

    def __str__(self) -> str:
        return self.name


class SignIn(models.Model):
    """A signed-in browser; its cookie is valid while this row exists."""

    id = models.CharField(primary_key=True, max_length=43, default=secrets.token_urlsafe)
    account = models.ForeignKey(Account, models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.account}, {self.at}"


class KnownNetwork(models.Model):
    """A network from which an account has signed in."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="networks")
    network = models.CharField(max_length=64)  # its hash
    at = models.DateTimeField(default=timezone.now)  # the last time

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["account", "network"], name="one_known_network"),
        )

    def __str__(self) -> str:
        return f"{self.account}, {self.at}"


class Block(models.Model):
    """A visitor or network address barred from starting or joining games and from the chat."""

    visitor = models.CharField(max_length=KEY, blank=True, db_index=True)
    address = models.CharField(max_length=64, blank=True, db_index=True)  # its hash
    name = models.CharField(max_length=60)  # for the operator
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)

    def __str__(self) -> str:
        return self.name
