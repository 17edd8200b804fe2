"""Clubs: their members, bans and chat."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.accounts import Account
from brassmill.web.models.base import token


class Club(models.Model):
    """A group of players with tables and a chat of their own.

    A closed club has no members; its row stays, because its games stay private.
    """

    OPEN, INVITED = "open", "invited"
    JOINING = ((OPEN, OPEN), (INVITED, INVITED))
    LONGEST_NAME, LONGEST_ABOUT = 40, 500  # characters

    id = models.CharField(primary_key=True, max_length=12, default=token)
    name = models.CharField(max_length=LONGEST_NAME)
    about = models.CharField(max_length=LONGEST_ABOUT, blank=True, default="")
    joining = models.CharField(max_length=8, choices=JOINING, default=INVITED)
    invite = models.CharField(max_length=12, blank=True, default="", db_index=True)  # in its link
    invite_until = models.DateTimeField(null=True)
    founded = models.DateTimeField(default=timezone.now)
    closed = models.DateTimeField(null=True)

    class Meta:
        ordering = ("founded", "pk")

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """An account's membership of a club."""

    HOST, MODERATOR, MEMBER = "host", "moderator", "member"
    ROLES = ((HOST, HOST), (MODERATOR, MODERATOR), (MEMBER, MEMBER))

    club = models.ForeignKey(Club, models.CASCADE, related_name="members")
    account = models.ForeignKey(Account, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=ROLES, default=MEMBER)
    muted = models.BooleanField(default=False)  # may not write in the chat
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("since", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "account"], name="one_membership"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(role="host"), name="one_host"
            ),
        )

    def __str__(self) -> str:
        return f"{self.account} in {self.club}"


class ClubBan(models.Model):
    """An account that may not join a club again."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="bans")
    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "account"], name="one_ban"),)

    def __str__(self) -> str:
        return f"{self.account} from {self.club}"


class ClubMessage(models.Model):
    """A message in the chat of a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="messages")
    account = models.ForeignKey(Account, models.CASCADE, related_name="club_messages")
    text = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.account}: {self.text}"
