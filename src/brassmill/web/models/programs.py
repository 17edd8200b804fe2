"""Tokens by which programs play."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.accounts import Account


class ProgramToken(models.Model):
    """A token of an account that a program plays with. Only its hash is stored."""

    LONGEST = 40  # characters of its name

    account = models.ForeignKey(Account, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=LONGEST)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=60)  # separated by spaces (`identity/tokens.py`)
    at = models.DateTimeField(default=timezone.now)
    used = models.DateField(null=True)  # the last day

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name} of {self.account}"
