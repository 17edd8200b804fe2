"""The archive: an index of finished public games, and what visitors follow and bookmark.

The games themselves are elsewhere (`tables.py`). The index holds what searches need and can be made
again at any time (`archive/filling.py`). A search reads the rows along one of these indexes, so
each of them ends with what the games are sorted by.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.accounts import Account
from brassmill.web.models.base import KEY
from brassmill.web.models.tables import Table

LONGEST_PLAYER = 60  # characters: 20 may become more when they are normalised
LONGEST_NOTE = 200  # characters of a bookmark

# What may happen in a game; `archive/events.py` finds it, and says what each one means.
EVENTS = (
    *("virtual_link", "debt", "no_loans", "distant_closed", "scout", "rival_overbuilt"),
    *("passed", "comeback", "conceded", "agreed_end", "shared_win", "tie_break"),
)


class ArchivedGame(models.Model):
    """A finished public game, as searches find it."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="archived_game")
    edition = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    options = models.CharField(max_length=200, blank=True)  # `name=value name=value`
    finished = models.DateTimeField()
    winner_vp = models.SmallIntegerField()
    margin = models.PositiveSmallIntegerField()  # VP between the first and the second
    actions = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    first_action = models.CharField(max_length=80, blank=True)  # in the notation, without its card
    second_action = models.CharField(max_length=80, blank=True)
    virtual_link = models.BooleanField(default=False)
    debt = models.BooleanField(default=False)
    no_loans = models.BooleanField(default=False)
    distant_closed = models.BooleanField(default=False)
    scout = models.BooleanField(default=False)
    rival_overbuilt = models.BooleanField(default=False)
    passed = models.BooleanField(default=False)
    comeback = models.BooleanField(default=False)
    conceded = models.BooleanField(default=False)
    agreed_end = models.BooleanField(default=False)
    shared_win = models.BooleanField(default=False)
    tie_break = models.BooleanField(default=False)

    class Meta:
        indexes = (
            models.Index(fields=["finished", "id"], name="archive_newest"),
            models.Index(fields=["edition", "finished", "id"], name="archive_edition"),
            models.Index(fields=["edition", "players", "finished", "id"], name="archive_kind"),
            models.Index(fields=["first_action", "finished", "id"], name="archive_opening"),
            models.Index(fields=["winner_vp", "id"], name="archive_vp"),
            models.Index(fields=["edition", "winner_vp", "id"], name="archive_edition_vp"),
            models.Index(fields=["margin", "id"], name="archive_margin"),
            models.Index(fields=["edition", "margin", "id"], name="archive_edition_margin"),
            *(
                models.Index(
                    fields=["finished", "id"],
                    condition=models.Q(**{event: True}),
                    name=f"archive_{event}",
                )
                for event in EVENTS
            ),
        )

    def __str__(self) -> str:
        return f"of {self.table_id}"


class ArchivedSeat(models.Model):
    """A seat of an archived game. Pages take the names from the game itself."""

    game = models.ForeignKey(ArchivedGame, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.CharField(max_length=LONGEST_PLAYER, null=True)  # normalised; None: a bot
    # Only if the player sits there under the name of their account.
    account = models.ForeignKey(
        Account, models.SET_NULL, null=True, related_name="archived_seats", db_index=False
    )
    finished = models.DateTimeField()  # as for the game

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "number"], name="one_archived"),)
        indexes = (
            models.Index(
                fields=["player", "finished", "game"],
                condition=models.Q(player__isnull=False),
                name="archive_player",
            ),
            models.Index(
                fields=["account", "finished", "game"],
                condition=models.Q(account__isnull=False),
                name="archive_account",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} of {self.game_id}"


class FollowedPlayer(models.Model):
    """An account that a visitor follows."""

    visitor = models.CharField(max_length=KEY)  # their key
    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["visitor", "account"], name="one_followed_player"),
        )

    def __str__(self) -> str:
        return f"{self.account_id}, {self.at}"


class FollowedGame(models.Model):
    """A public game that a visitor follows."""

    visitor = models.CharField(max_length=KEY)  # their key
    table = models.ForeignKey(Table, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["visitor", "table"], name="one_followed_game"),
        )

    def __str__(self) -> str:
        return f"{self.table_id}, {self.at}"


class Bookmark(models.Model):
    """A moment of a finished game, with a note that only its visitor sees."""

    visitor = models.CharField(max_length=KEY)  # their key
    table = models.ForeignKey(Table, models.CASCADE, related_name="+")
    action = models.PositiveSmallIntegerField()  # after this one; 0: the beginning
    note = models.CharField(max_length=LONGEST_NOTE, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["visitor", "table", "action"], name="one_bookmark"),
        )

    def __str__(self) -> str:
        return f"{self.action} of {self.table_id}"
