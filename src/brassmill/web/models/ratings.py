"""Ratings: what counts, and what follows from it (`ratings/counting.py`)."""

from __future__ import annotations

from django.db import models

from brassmill.web.models.accounts import Account


class Ladder(models.Model):
    """Games of one kind, edition and number of players; its row is locked while they are counted.

    The key is `people-birmingham-4`, `levels-...` for games with bots, or `programs-...` for games
    in which the account of a program has a seat.
    """

    PEOPLE, LEVELS, PROGRAMS = "people", "levels", "programs"
    KINDS = ((PEOPLE, PEOPLE), (LEVELS, LEVELS), (PROGRAMS, PROGRAMS))

    id = models.CharField(primary_key=True, max_length=40)
    kind = models.CharField(max_length=8, choices=KINDS)
    edition = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return self.id


class RatedPlayer(models.Model):
    """Someone who is rated: an account, or the anonymous number of one that was deleted."""

    account = models.OneToOneField(Account, models.SET_NULL, null=True, related_name="rated")

    def __str__(self) -> str:
        return str(self.account or f"former player {self.pk}")


class RatedGame(models.Model):
    """The result of a rated game. It stays when its table is deleted.

    Games count in order of finish, then id.
    """

    REPAIRED, TAKEN_OUT = "repaired", "taken out"
    WHY = ((REPAIRED, REPAIRED), (TAKEN_OUT, TAKEN_OUT))

    table = models.CharField(max_length=12, unique=True)  # its id
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="games")
    finished = models.DateTimeField()  # by the database clock
    withdrawn = models.CharField(max_length=12, choices=WHY, blank=True, default="")
    counted = models.BooleanField(default=False)  # otherwise it and all later ones are to count
    # For the operator: "same players" and "same network" (`ratings/suspicion.py`).
    flags = models.JSONField(default=list)

    class Meta:
        ordering = ("finished", "pk")
        indexes = (
            models.Index(fields=["ladder", "finished"], name="games_in_order"),
            models.Index(
                fields=["ladder"], condition=models.Q(counted=False), name="games_to_count"
            ),
        )

    def __str__(self) -> str:
        return f"{self.ladder_id}, {self.table}"


class RatedSeat(models.Model):
    """A seat of a rated game: its result, and the rating before and after.

    A level has no rating of its own here: it counts as strong as it was measured to be.
    """

    game = models.ForeignKey(RatedGame, models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(RatedPlayer, models.PROTECT, null=True, related_name="seats")
    level = models.CharField(max_length=20, blank=True, default="")  # of a bot
    rank = models.PositiveSmallIntegerField()  # those who left are behind all others
    vp = models.SmallIntegerField()
    left = models.BooleanField(default=False)  # a bot played for them at the end
    # None: not counted yet, not to count, or a level.
    mu_before = models.FloatField(null=True)
    sigma_before = models.FloatField(null=True)
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)

    class Meta:
        ordering = ("seat",)
        constraints = (models.UniqueConstraint(fields=["game", "seat"], name="one_rated_seat"),)

    def __str__(self) -> str:
        return f"{self.player or self.level}, rank {self.rank}"


class LadderRating(models.Model):
    """A player's rating on a ladder, as of their last game there."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="ratings")
    player = models.ForeignKey(RatedPlayer, models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    floor = models.FloatField()  # the lower end of the interval, which leaderboards are sorted by
    games = models.PositiveIntegerField()
    won = models.PositiveIntegerField()  # including shared wins
    last = models.DateTimeField()  # when the last game was finished

    class Meta:
        indexes = (models.Index(fields=["ladder", "-floor"], name="leaderboard"),)
        constraints = (
            models.UniqueConstraint(fields=["ladder", "player"], name="one_ladder_rating"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.1f} on {self.ladder_id}"
